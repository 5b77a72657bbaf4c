#!/usr/bin/env python3
"""Drives the MCP server with the official Python client.

usage: tests/mcp_client.py <server-binary> <repository>

The binary is started as `<server-binary> mcp` in the repository. Prints one line per check; exits 1
when a check fails, 2 on wrong usage, and 0 with one line when the mcp package is not installed.
Works with version 1 and version 2 of the mcp package (`pip install mcp`).
"""
import asyncio
import os
import sys

try:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
except ImportError:
    print("skipped: the mcp package is not installed")
    sys.exit(0)

TOOLS = ["audit", "map", "recall", "refs", "remember", "search", "symbol"]
failures = 0


def check(ok, what, detail=""):
    global failures
    if not ok:
        failures += 1
    line = ("ok   " if ok else "FAIL ") + what
    if detail and not ok:
        line += ": " + " ".join(str(detail).split())[:300]
    print(line, flush=True)
    return ok


def field(thing, *names):
    """The first of the names that the object has: version 1 says camelCase, version 2 snake_case."""
    for name in names:
        if hasattr(thing, name):
            return getattr(thing, name)
    return None


def text_of(result):
    return "\n".join(c.text for c in result.content if getattr(c, "type", "") == "text")


async def call(session, tool, arguments):
    """Calls a tool, checks what holds of every answer, and gives its structured content."""
    label = f"{tool} {arguments}"
    try:
        result = await session.call_tool(tool, arguments)
    except Exception as e:  # a protocol error, or an answer that its output schema rejects
        check(False, f"{label}: answers", repr(e))
        return None
    text = text_of(result)
    check(not field(result, "is_error", "isError"), f"{label}: is not an error", text)
    structured = field(result, "structured_content", "structuredContent")
    check(isinstance(structured, dict), f"{label}: structured content is an object", structured)
    last = text.rstrip("\n").rsplit("\n", 1)[-1]
    check(last.startswith("index "), f"{label}: text ends with a line `index ...`", last or "no text")
    if isinstance(structured, dict):
        check(
            isinstance(structured.get("index"), dict) and "shown" in structured and "total" in structured,
            f"{label}: structured content has index, shown and total",
            structured,
        )
        return structured
    return None


async def refused(session, tool, arguments):
    """Calls a tool with wrong arguments: a tool error with a text is wanted, and a server that lives."""
    label = f"{tool} {arguments}: is refused with a text"
    try:
        result = await session.call_tool(tool, arguments)
        check(bool(field(result, "is_error", "isError")) and text_of(result).strip() != "", label, text_of(result))
    except Exception as e:
        check(False, label, repr(e))


def first_name(structured):
    """A symbol that is in the repository, from the answer of map or else of search."""
    for key in ("symbols", "hits", "cards"):
        for item in (structured or {}).get(key) or []:
            if isinstance(item, dict) and item.get("name") and item.get("kind") not in ("section", "impl", "test"):
                return item["name"]
    for directory in (structured or {}).get("directories") or []:
        for name in directory.get("symbols") or []:
            return name
    return None


async def talk(session):
    hello = await session.initialize()
    info = field(hello, "server_info", "serverInfo")
    check(info is not None and bool(info.name), "initialize: names the server")

    tools = (await session.list_tools()).tools
    check(sorted(t.name for t in tools) == TOOLS, f"tools/list: has {TOOLS}", [t.name for t in tools])
    for t in tools:
        inp = field(t, "input_schema", "inputSchema")
        out = field(t, "output_schema", "outputSchema")
        ok = isinstance(inp, dict) and inp.get("type") == "object" and isinstance(out, dict) and out.get("type") == "object"
        check(ok and bool(t.description), f"tools/list: {t.name} has a description, an input and an output schema")

    structured = await call(session, "map", {})
    name = first_name(structured)
    if not check(name is not None, "map {}: names a symbol", structured):
        return
    await call(session, "search", {"query": name, "limit": 3})
    cards = await call(session, "symbol", {"name": name})
    check(bool(cards and cards.get("cards")), f"symbol {name}: has a card", cards)
    await call(session, "symbol", {"name": name, "detail": "body", "limit": 1})
    path = cards["cards"][0]["path"] if cards and cards.get("cards") else None
    if path:
        outline = await call(session, "symbol", {"name": path})
        check(bool(outline and outline.get("outlines")), f"symbol {path}: is an outline", outline)
    await call(session, "refs", {"target": name, "limit": 5})
    await call(session, "refs", {"target": name, "direction": "out", "depth": 2, "limit": 5})
    await call(session, "symbol", {"name": "no_such_symbol_zzqqxx"})

    await refused(session, "symbol", {})
    await refused(session, "symbol", {"name": name, "at": "no-such-revision"})
    await refused(session, "symbol", {"name": name, "limit": 0})
    await refused(session, "refs", {"target": name, "kind": ["nonsense"]})
    await refused(session, "refs", {"target": name, "depth": 9})
    await refused(session, "audit", {"view": "nonsense"})
    await refused(session, "search", {"query": name, "scope": ["["]})
    await refused(session, "search", {"query": name, "nonsense": 1})

    answers = await asyncio.gather(*(session.call_tool("symbol", {"name": name}) for _ in range(8)))
    check(len({text_of(a) for a in answers}) == 1, "eight calls at once: give one answer")


async def main():
    server = StdioServerParameters(command=os.path.abspath(sys.argv[1]), args=["mcp"], cwd=os.path.abspath(sys.argv[2]))
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await asyncio.wait_for(talk(session), 120)
    check(True, "close: the server ends")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        asyncio.run(main())
    except BaseException as e:  # also an ExceptionGroup of the client's task group
        if isinstance(e, KeyboardInterrupt):
            raise
        check(False, "the session", repr(e))
    print(f"{failures} failed" if failures else "all passed")
    sys.exit(1 if failures else 0)
