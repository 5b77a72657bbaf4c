"""Reads SCIP indexes (https://github.com/sourcegraph/scip): protocol buffers, of which the few fields
that are needed are decoded by hand."""


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """(number, value) of each field; values are numbers or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            length, at = varint(data, at)
            value = data[at:at + length]
            at += length
        else:
            size = 8 if key & 7 == 1 else 4
            value = data[at:at + size]
            at += size
        yield key >> 3, value


def packed(data):
    at = 0
    while at < len(data):
        value, at = varint(data, at)
        yield value


def occurrences(path):
    """(file, line from 0, column, symbol, whether it is the definition, whether that is the whole file)."""
    with open(path, "rb") as file:
        data = file.read()
    for number, document in fields(data):
        if number != 2:
            continue
        name, found = "", []
        for number, value in fields(document):
            if number == 1:
                name = value.decode()
            elif number == 2:
                found.append(value)
        for occurrence in found:
            span, symbol, roles = [], "", 0
            for number, value in fields(occurrence):
                if number == 1:
                    span = list(packed(value))
                elif number == 2:
                    symbol = value.decode()
                elif number == 3:
                    roles = value
            whole = len(span) == 4 and span[:2] == [0, 0]
            if len(span) == 3 or whole:
                yield name, span[0], span[1], symbol, bool(roles & 1), whole
