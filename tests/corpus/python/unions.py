"""Annotations that name several types."""


class Reader:
    source: "File" | Socket | None = None

    def first(self, of: File | Socket | str) -> None | Socket:
        return of.read()

    def listed(self, of: list[File] | Socket) -> int | File:
        return of.read() | 1
