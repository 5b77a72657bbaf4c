"""Definitions of a Rust repository, as rust-analyzer's parser sees them.

    python3 rust.py definitions CHECKOUT [FOLDER] > definitions.jsonl

The shapes of the lines are described in ../README.md.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

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


def tracked(root, folder):
    out = git(root, "ls-files", "-z", *([folder] if folder else []))
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
        }


def main():
    _, root, *rest = sys.argv[1:]
    print(json.dumps(head(root)))
    for path in tracked(root, rest[0] if rest else None):
        print(json.dumps({"t": "file", "path": path}))
        for found in definitions(root, path):
            print(json.dumps(found))


if __name__ == "__main__":
    main()
