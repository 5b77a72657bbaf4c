"""Definitions of a Rust repository, as rust-analyzer's parser sees them, and uses and imports, as
rust-analyzer resolves them.

    python3 rust.py definitions CHECKOUT > definitions.jsonl
    (cd CHECKOUT && rust-analyzer scip . --output INDEX.scip)
    python3 rust.py uses CHECKOUT INDEX.scip > uses.jsonl

The shapes of the lines are described in ../README.md.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import scip

KINDS = {
    "Function": "function", "Method": "method", "Struct": "struct", "Enum": "enum", "Union": "union",
    "Variant": "variant", "Trait": "trait", "TypeAlias": "type", "Const": "constant",
    "Static": "variable", "Field": "field", "Module": "module", "Macro": "macro",
}
NODE = re.compile(
    r'StructureNode \{ parent: (?:None|Some\((\d+)\)), label: "(.*?)", navigation_range: (\d+)\.\.(\d+), '
    r"node_range: (\d+)\.\.(\d+), kind: (?:SymbolKind\((\w+)\)|(\w+)),"
)


def git(root, *args):
    return subprocess.run(
        ["git", "-C", root, *args], check=True, capture_output=True, text=True
    ).stdout


def tracked(root):
    out = git(root, "ls-files", "-z")
    return [path for path in out.split("\0") if path.endswith(".rs")]


def head(root):
    version = subprocess.run(["rust-analyzer", "--version"], capture_output=True, text=True).stdout
    return {
        "t": "head", "language": "rust", "repo": Path(root).resolve().name,
        "commit": git(root, "rev-parse", "HEAD").strip(), "oracle": version.split(" (")[0].strip(),
    }


def definitions(root, path):
    source = (Path(root) / path).read_bytes()
    said = subprocess.run(["rust-analyzer", "symbols"], input=source, capture_output=True).stdout.decode()
    nodes = [NODE.match(line) for line in said.splitlines()]
    labels = []
    inside = []
    for node in nodes:
        if node is None:
            labels.append(None)
            inside.append(False)
            continue
        parent, label, start, end, _, _, kind, other = node.groups()
        outer = labels[int(parent)] if parent else []
        labels.append((outer or []) + [label])
        within = bool(parent) and inside[int(parent)]
        inside.append(within or kind in ("Function", "Method"))
        name = source[int(start):int(end)].decode()
        kind = KINDS.get(kind)
        # An invocation of a macro is listed under the macro's name.
        made = source[int(node[5]):int(node[6])]
        if kind is None or name == "_":
            continue
        if kind == "macro" and not re.match(rb"(?s).*?\bmacro(_rules)?\b", made[: int(start) - int(node[5])]):
            continue
        # The file that `mod x;` names is the module; the line only declares it. Constants of functions
        # are theirs.
        optional = kind == "module" and b"{" not in made or within and kind in ("constant", "variable", "type")
        last = source.count(b"\n", 0, int(node[6])) + 1
        yield {
            "t": "def", "path": path, "line": source.count(b"\n", 0, int(start)) + 1,
            "col": int(start) - (source.rfind(b"\n", 0, int(start)) + 1),
            "name": name, "kind": kind, "container": "::".join(outer or []), "end": last,
            **({"optional": True} if optional else {}),
            **({"implicit": True} if implicit(name, made, outer or []) else {}),
        }


def implicit(name, made, outer):
    """Whether something calls it without naming it: programs, tests, and what a trait asks for."""
    attributes = made[: made.find(b"{")]
    of_trait = any(label.startswith("impl") and " for " in label for label in outer)
    return name == "main" or of_trait or re.search(rb"#\[(\w+::)*test\b", attributes) is not None


# Comments and strings first, so that what is in them is no word.
TOKEN = re.compile(
    rb"""//[^\n]*|/\*.*?\*/|b?r(\#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?'(?:\\[^u]|\\u\{[^}]*\}|[^'\\\n])'|'\w+|(?:r\#)?[A-Za-z_]\w*""",
    re.DOTALL,
)


def words(source):
    """Identifiers as (line from 0, column, word)."""
    starts = [0] + [m.end() for m in re.finditer(b"\n", source)]
    line = 0
    for token in TOKEN.finditer(source):
        word = token.group()
        if not re.fullmatch(rb"(?:r#)?[A-Za-z_]\w*", word):
            continue
        while line + 1 < len(starts) and starts[line + 1] <= token.start():
            line += 1
        yield line, token.start() - starts[line], word.decode(), token.start()


# A use declaration, and one that says which file a module is.
USE = re.compile(rb"^[ \t]*(?:pub(?:\([^)]*\))?\s+)?(use\b[^;]*|mod\s+\w+\s*);", re.MULTILINE)


def leaves(tokens, text, start):
    """(token, token of the path before it) of each name that a use declaration takes."""
    at_byte = {token[3]: token for token in tokens}
    outer, before, last, renaming = [], None, None, False
    for part in re.finditer(rb"(?:r#)?[A-Za-z_]\w*|::|[{},*]", text):
        word = part.group()
        token = at_byte.get(start + part.start())
        if word == b"as":
            renaming = True
        elif token is not None and word not in (b"use", b"pub", b"mod"):
            if not renaming:
                last = token
        elif word == b"::":
            before, last = last, None
        elif word == b"{":
            outer.append(before)
        elif word in (b",", b"}"):
            if last is not None:
                yield last, before
            renaming, last, before = False, None, outer[-1] if outer else None
            if word == b"}" and outer:
                outer.pop()
        elif word == b"*":
            yield None, before
    if last is not None:
        yield last, before


def uses(root, index):
    of_place = {}
    defined = {}
    modules = {}
    for file, line, start, symbol, definition, whole in scip.occurrences(index):
        if whole:
            if definition:
                modules.setdefault(symbol, set()).add(file)
            continue
        # Local symbols are numbered in each file anew.
        key = (file, symbol) if symbol.startswith("local ") else symbol
        of_place.setdefault((file, line, start), []).append((key, definition))
        if definition:
            defined.setdefault(key, []).append((file, line, start))

    def files_of(path, token, alone=False):
        """Files of what a word means: of a module its own, of anything else that of the definition."""
        found = set()
        for key, _ in of_place.get((path, token[0], token[1]), []) if token else []:
            if key in modules:
                found |= modules[key]
            elif not alone:
                found |= {file for file, _, _ in defined.get(key, [])}
        return found

    files = {file for file, _, _ in of_place}
    found = {}
    for path in tracked(root):
        found[path] = list(definitions(root, path))
    names = {d["name"] for of in found.values() for d in of if not d.get("optional")}
    for path, of in found.items():
        # What no crate contains was not looked at.
        yield {"t": "file", "path": path, **({} if path in files else {"skipped": True})}
        yield from of
        if path not in files:
            continue
        source = (Path(root) / path).read_bytes()
        tokens = list(words(source))
        starts = {at for _, _, _, at in tokens}
        # Not what stands in comments and strings.
        spans = [(m.start(1), m.end(1), m.group(1)) for m in USE.finditer(source) if m.start(1) in starts]
        for line, col, word, at in tokens:
            here = of_place.get((path, line, col))
            to = None
            # One name for several definitions: functions that lie in functions have no names of their own there.
            if here and all(len(defined.get(key, [])) < 2 for key, _ in here):
                to = sorted({place for key, _ in here for place in defined.get(key, [])})
            if word in names:
                yield {
                    "t": "use", "path": path, "line": line + 1, "col": col, "name": word,
                    "to": None if to is None else [[file, at + 1, col] for file, at, col in to],
                }
        for start, end, text in spans:
            inner = [token for token in tokens if start <= token[3] < end]
            for token, before in leaves(inner, text, start):
                shown = token or before
                if shown is None or not of_place.get((path, shown[0], shown[1])):
                    continue
                # The file that defines it, or that of the module which it is taken from.
                targets = files_of(path, token) | files_of(path, before, alone=True)
                yield {
                    "t": "import", "path": path, "line": shown[0] + 1, "specifier": shown[2],
                    "targets": sorted(targets),
                }


def main():
    command, root, *rest = sys.argv[1:]
    print(json.dumps(head(root)))
    if command == "uses":
        for line in uses(root, *rest):
            print(json.dumps(line))
        return
    for path in tracked(root):
        print(json.dumps({"t": "file", "path": path}))
        for found in definitions(root, path):
            print(json.dumps(found))


if __name__ == "__main__":
    main()
