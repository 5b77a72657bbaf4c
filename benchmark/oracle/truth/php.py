"""Definitions, uses and imports of a PHP repository.

    python3 php.py CHECKOUT FOLDER NODE_MODULES > uses.jsonl

Definitions come from php-parser, a parser that is written in JavaScript, and so do the words of a file. What
each word means is what the language server intelephense says when it is asked for the definition. Both are
packages in NODE_MODULES. Files outside of FOLDER are not looked at, "" is all. The shapes of the lines are
described in ../README.md.
"""

import bisect
import json
import posixpath
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import lsp

# Trees and tokens of the files whose paths are read.
PARSE = """
const {Engine} = require(process.argv[1] + "/php-parser");
const fs = require("fs");
for (const path of JSON.parse(fs.readFileSync(0, "utf8"))) {
    const engine = new Engine({
        parser: {version: "8.4", extractDoc: false}, ast: {withPositions: true},
        lexer: {all_tokens: true, short_tags: false},
    });
    const text = fs.readFileSync(path, "utf8");
    let line = {};
    try {
        line = {tree: engine.parseCode(text, path), tokens: engine.tokenGetAll(text)};
    } catch (err) {
        line = {error: String(err.message)};
    }
    console.log(JSON.stringify(line));
}
"""

CLASSES = {"class": "class", "interface": "interface", "trait": "trait", "enum": "enum"}
WORD = re.compile(r"[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*")
MEMBER = ("->", "?->", "::")


class File:
    """A file with its lines, from which columns of all kinds are counted."""

    def __init__(self, root, path, parsed):
        self.path = path
        self.text = (root / path).read_bytes().decode()
        self.lines = self.text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.tree = parsed.get("tree")
        # The last parts of longer names, by the first ones.
        self.below = {}
        self.tokens = list(self.words(parsed.get("tokens", [])))

    def words(self, tokens):
        """Names as (place, word, kind): `namespace` when it is a part of a longer name, `label` of an argument."""
        at = 0
        known = []
        for token in tokens:
            kind, text = (token[0], token[1]) if isinstance(token, list) else (token, token)
            if self.text[at:at + len(text)] != text:
                print(f"{self.path}: tokens end at {self.place(at)}", file=sys.stderr)
                break
            if kind not in ("T_WHITESPACE", "T_COMMENT", "T_DOC_COMMENT"):
                known.append((at, kind, text))
            at += len(text)
        before = ""
        own = False
        for i, (at, kind, text) in enumerate(known):
            after = known[i + 1][2] if i + 1 < len(known) else ""
            name = kind == "T_STRING" or kind.startswith("T_NAME") or text in ("\\",)
            if kind == "T_NAMESPACE" and after != "\\":
                own = True
            elif own and not name:
                own = False
            elif own or before.lower() == "as":
                pass
            elif kind == "T_VARIABLE" and before == "::":
                yield self.place(at + 1), text[1:], ""
            elif kind == "T_STRING" or kind.startswith("T_NAME") or before in MEMBER:
                for part in WORD.finditer(text):
                    inner = part.end() < len(text) or after == "\\"
                    label = after == ":" and before in ("(", ",")
                    sort = "namespace" if inner else "label" if label else ""
                    place = self.place(at + part.start())
                    head = text.split("\\")[0]
                    if not inner and head and "\\" in text:
                        self.below.setdefault(head, []).append((place, part.group()))
                    yield place, part.group(), sort
            before = text

    def place(self, at):
        """Line and column, both from 0, in characters."""
        line = bisect.bisect_right(self.starts, at) - 1
        return line, at - self.starts[line]

    def character(self, place):
        return place[0], len(self.lines[place[0]][:place[1]].encode("utf-16-le")) // 2

    def byte(self, place):
        return place[0], len(self.lines[place[0]][:place[1]].encode())

    def from_utf16(self, line, character):
        text = self.lines[line].encode("utf-16-le")[: 2 * character].decode("utf-16-le", "ignore")
        return line, len(text)

    def of(self, node, end=False):
        at = node["loc"]["end" if end else "start"]
        return self.from_utf16(at["line"] - 1, at["column"])


class Definitions:
    """What a file declares, at the places of the names; properties go by their names without `$`."""

    def __init__(self, file):
        self.file = file
        self.found = []
        # Of each class: its own name, and the last parts of those it extends, implements or uses.
        self.classes = []
        self.includes = []
        self.uses = []

    def add(self, node, kind, container, whole=None, name=None, optional=False):
        name = name or node["name"]
        if isinstance(name, dict):
            node, name = name, name["name"]
        line, col = self.file.of(node)
        text = self.file.lines[line]
        # Some nodes begin at `$` or at their types.
        col = text.find(name, col)
        if col < 0:
            print(f"{self.file.path}:{line + 1}: {name} is not there", file=sys.stderr)
            return
        at = self.file.byte((line, col))
        self.found.append({
            "t": "def", "path": self.file.path, "line": line + 1, "col": at[1], "name": name, "kind": kind,
            "container": ".".join(container), "end": self.file.of(whole or node, True)[0] + 1,
            "optional": optional, "implicit": name.startswith("__"),
        })

    def visit(self, node, container, scope):
        todo = [(node, container, scope)]
        while todo:
            node, container, scope = todo.pop()
            if isinstance(node, list):
                todo += [(inner, container, scope) for inner in node]
                continue
            if not isinstance(node, dict):
                continue
            kind = node.get("kind")
            if kind in CLASSES:
                container, scope = self.type(node, container), "class"
            elif kind in ("function", "method"):
                made = kind == "method" and node["name"]["name"].lower() == "__construct"
                self.add(node, "constructor" if made else kind, container, node)
                if made:
                    for parameter in node["arguments"]:
                        if parameter.get("flags") or parameter.get("readonly"):
                            self.add(parameter, "field", container)
                container, scope = container + [node["name"]["name"]], "function"
            elif kind in ("closure", "arrowfunc"):
                scope = "function"
            elif kind == "property":
                self.add(node, "field", container)
            elif kind == "constant":
                self.add(node, "constant", container)
            elif kind == "enumcase":
                self.add(node, "variant", container)
            elif kind == "assign" and scope == "module" and node["left"].get("kind") == "variable":
                if isinstance(node["left"]["name"], str):
                    self.add(node["left"], "variable", container, optional=True)
            elif kind == "call" and node["what"].get("name") == "define" and node["arguments"]:
                first = node["arguments"][0]
                if first.get("kind") == "string":
                    self.add(first, "constant", container, name=first["value"])
            elif kind == "include":
                self.includes.append(node)
            elif kind == "usegroup":
                self.uses.append(node)
                continue
            elif kind == "namespace":
                self.module(node, container)
            todo += [(inner, container, scope) for key, inner in node.items() if key != "loc"]

    def module(self, node, container):
        line = self.file.of(node)[0]
        name = node["name"]
        if isinstance(name, str) and name in self.file.lines[line]:
            self.add(node, "module", container, name=name, optional=True)

    def type(self, node, container):
        name = "<anonymous>"
        if node["name"]:
            name = node["name"]["name"]
            self.add(node, CLASSES[node["kind"]], container, node)
        above = []
        for part in ("extends", "implements"):
            found = node.get(part) or []
            above += found if isinstance(found, list) else [found]
        for member in node.get("body") or []:
            if member.get("kind") == "traituse":
                above += member["traits"]
        own = container + [name]
        self.classes.append((".".join(own), [of["name"].split("\\")[-1] for of in above]))
        return own


def tracked(root, folder):
    out = subprocess.run(["git", "-C", root, "ls-files", "-z", "*.php"], check=True, capture_output=True, text=True)
    return [path for path in out.stdout.split("\0") if path.startswith(folder) and path]


def parsed(root, paths, modules):
    """Files that the parser reads, with what they declare."""
    asked = json.dumps([str(root / path) for path in paths])
    command = ["node", "--stack-size=8000", "-e", PARSE, modules]
    out = subprocess.run(command, input=asked, check=True, capture_output=True, text=True)
    # Lines may hold separators that Python would split at.
    for path, line in zip(paths, out.stdout.split("\n")):
        said = json.loads(line)
        if "error" in said:
            print(f"{path}: {said['error']}", file=sys.stderr)
            continue
        try:
            file = File(root, path, said)
        except UnicodeDecodeError as err:
            print(f"{path}: {err}", file=sys.stderr)
            continue
        definitions = Definitions(file)
        definitions.visit(file.tree, [], "module")
        definitions.found.sort(key=lambda d: (d["line"], d["col"]))
        yield file, definitions


def overriding(files):
    """Marks methods that a class above has too, or may have: what calls those calls them."""
    above, methods = {}, {}
    for _, definitions in files:
        for name, parents in definitions.classes:
            above.setdefault(name.split(".")[-1], set()).update(parents)
        for d in definitions.found:
            if d["kind"] == "method":
                methods.setdefault(d["container"].split(".")[-1], set()).add(d["name"].lower())
    for _, definitions in files:
        for d in definitions.found:
            if d["kind"] != "method":
                continue
            seen, todo = set(), list(above.get(d["container"].split(".")[-1], ()))
            while todo:
                name = todo.pop()
                if name not in seen:
                    seen.add(name)
                    todo += above.get(name, ())
            if any(name not in above or d["name"].lower() in methods.get(name, ()) for name in seen):
                d["implicit"] = True


class Answers:
    """What the language server says, as places of definitions."""

    def __init__(self, root, modules, files):
        self.root = root
        self.files = {file.path: file for file, _ in files}
        self.places = {
            file.path: [((d["line"] - 1, d["col"]), d["name"]) for d in definitions.found if not d["optional"]]
            for file, definitions in files
        }
        store = tempfile.mkdtemp()
        options = {
            "storagePath": store, "globalStoragePath": store, "clearCache": True,
            "intelephense": {"files": {"maxSize": 10_000_000}, "environment": {"phpVersion": "8.4.0"}},
        }
        server = f"{modules}/intelephense/lib/intelephense.js"
        self.client = lsp.Server(["node", server, "--stdio"], root, options)
        self.warm(files)

    def warm(self, files):
        """It answers before it has read everything: waits until what it can tell of some names stays the same."""
        file, definitions = max(files, key=lambda pair: len(pair[1].uses))
        self.client.open(self.root / file.path, "php")
        last, same = None, 0
        while same < 5:
            time.sleep(2)
            asks = [self.ask(file, place) for place, _, _ in file.tokens[:200]]
            said = [json.dumps(self.client.wait(ask)) for ask in asks]
            same = same + 1 if said == last else 0
            last = said
        self.client.close(self.root / file.path)

    def ask(self, file, place):
        line, character = file.character(place)
        return self.client.ask("textDocument/definition", {
            "textDocument": {"uri": (self.root / file.path).as_uri()},
            "position": {"line": line, "character": character},
        })

    def wait(self, ask, word):
        """A declaration begins before its name: the first name from there on is the one. Of `new` the class
        and its constructor are told; only what has the name that was asked for is kept."""
        said = list(lsp.locations(self.client.wait(ask)))
        to = []
        for path, line, character in said:
            try:
                path = str(Path(path).relative_to(self.root))
            except ValueError:
                continue
            if path not in self.places:
                continue
            file, places = self.files[path], self.places[path]
            at = file.byte(file.from_utf16(line, character))
            index = bisect.bisect_left(places, (at, ""))
            if index < len(places) and places[index][1] == word:
                (line, col), _ = places[index]
                if [path, line + 1, col] not in to:
                    to.append([path, line + 1, col])
        return to if said else None


def uses(file, definitions, answers, names):
    declared = {(d["line"] - 1, d["col"]) for d in definitions.found}
    questions = []
    for place, word, kind in file.tokens:
        at = file.byte(place)
        if word in names and at not in declared:
            questions.append((at, word, kind, None if kind == "namespace" else answers.ask(file, place)))
    for (line, col), word, kind, ask in questions:
        to = [] if ask is None else answers.wait(ask, word)
        if to is None and kind == "label":
            to = []  # a parameter
        yield {"t": "use", "path": file.path, "line": line + 1, "col": col, "name": word, "to": to}


def imports(file, definitions, answers):
    places = {}
    for place, word, kind in file.tokens:
        if not kind:
            places.setdefault(word, []).append(place)
    for group in definitions.uses:
        for item in group["items"]:
            name = item["name"].strip("\\")
            last = name.split("\\")[-1]
            begin = file.of(item)
            at = next((place for place in places.get(last, []) if place >= begin), None)
            to = (answers.wait(answers.ask(file, at), last) if at else None) or []
            # The beginning of longer names leads to what these are.
            alias = item["alias"]["name"] if item.get("alias") else last
            for below, word in file.below.get(alias, []):
                to += answers.wait(answers.ask(file, below), word) or []
            yield {
                "t": "import", "path": file.path, "line": (at or begin)[0] + 1,
                "specifier": (group.get("name") or "").strip("\\") + "\\" + name if group.get("name") else name,
                "targets": sorted({path for path, _, _ in to}),
            }
    for node in definitions.includes:
        written = literal(node["target"])
        if written is not None:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), written.lstrip("/")))
            yield {
                "t": "import", "path": file.path, "line": file.of(node)[0] + 1, "specifier": written,
                "targets": [path] if (answers.root / path).is_file() else [],
            }


def literal(node):
    """A path that is written out, from the folder of the file on."""
    if node.get("kind") == "string":
        return node["value"]
    if node.get("kind") == "bin" and node["type"] == "." and node["left"].get("kind") == "magic":
        return literal(node["right"]) if node["left"]["value"] == "__DIR__" else None
    return None


def main():
    root, folder, modules = Path(sys.argv[1]).resolve(), sys.argv[2], str(Path(sys.argv[3]).resolve())
    commit = subprocess.run(
        ["git", "-C", root, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    versions = [json.loads((Path(modules) / of / "package.json").read_text())["version"] for of in ("php-parser", "intelephense")]
    print(json.dumps({
        "t": "head", "language": "php", "repo": root.name, "commit": commit,
        "oracle": "php-parser {}, intelephense {}".format(*versions),
    }))
    files = list(parsed(root, tracked(root, folder), modules))
    overriding(files)
    names = {d["name"] for _, definitions in files for d in definitions.found if not d["optional"]}
    answers = Answers(root, modules, files)
    for file, definitions in files:
        print(json.dumps({"t": "file", "path": file.path}))
        for line in definitions.found:
            print(json.dumps(line))
        answers.client.open(root / file.path, "php")
        for line in uses(file, definitions, answers, names):
            print(json.dumps(line))
        for line in imports(file, definitions, answers):
            print(json.dumps(line))
        answers.client.close(root / file.path)


if __name__ == "__main__":
    main()
