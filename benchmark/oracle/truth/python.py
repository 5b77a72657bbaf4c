"""Definitions of a Python repository, as CPython's own parser sees them, and uses and imports, as
pyright resolves them.

    python3 python.py definitions CHECKOUT > definitions.jsonl
    python3 python.py uses CHECKOUT FOLDER PYRIGHT-LANGSERVER > uses.jsonl

What the repository needs must be importable by the python3 that runs this, the repository itself not.

One JSON object a line; the shapes are described in ../README.md. Lines are 1-based, columns are
0-based and in bytes. Files that do not parse are left out, with a word to standard error.
"""

import ast
import io
import json
import subprocess
import sys
import tokenize
from pathlib import Path

import lsp

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def tracked(root):
    out = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "*.py", "*.pyi"],
        check=True, capture_output=True, text=True,
    ).stdout
    return [path for path in out.split("\0") if path]


def called(node):
    """Whether a framework or the language may call it without naming it."""
    special = node.name.startswith("__") and node.name.endswith("__")
    return bool(node.decorator_list) or special or node.name.startswith(("test", "Test", "pytest_"))


class Definitions:
    def __init__(self, path, source):
        self.path = path
        self.lines = source.split(b"\n")
        self.found = {}

    def add(self, kind, name, line, col, container, optional=False, end=None, implicit=False):
        key = (line, col)
        if key not in self.found:
            self.found[key] = {
                "t": "def", "path": self.path, "line": line, "col": col,
                "name": name, "kind": kind, "container": ".".join(container),
                "end": end or line,
            }
            if optional:
                self.found[key]["optional"] = True
            if implicit:
                self.found[key]["implicit"] = True

    def name_col(self, node, word):
        """Where the name stands after `def` or `class`."""
        text = self.lines[node.lineno - 1]
        at = text.index(word, node.col_offset) + len(word)
        return text.index(node.name.encode(), at)

    def body(self, statements, container, scope):
        """`scope` is "module", "class" or "function": variables of functions are not definitions."""
        names = {}
        for statement in statements:
            self.statement(statement, container, scope, names)

    def statement(self, node, container, scope, names):
        if isinstance(node, FUNCTIONS):
            kind = "method" if scope == "class" else "function"
            self.add(kind, node.name, node.lineno, self.name_col(node, b"def"), container, end=node.end_lineno, implicit=called(node))
            inner = container + [node.name]
            self.body(node.body, inner, "function")
            if scope == "class":
                self.attributes(node, container)
        elif isinstance(node, ast.ClassDef):
            self.add("class", node.name, node.lineno, self.name_col(node, b"class"), container, end=node.end_lineno, implicit=called(node))
            self.body(node.body, container + [node.name], "class")
        elif scope != "function" and isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                self.bind(target, container, scope, names)
        elif hasattr(ast, "TypeAlias") and isinstance(node, ast.TypeAlias):
            self.add("type", node.name.id, node.name.lineno, node.name.col_offset, container)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            # The variable of a module's loop is a global, though seldom meant as one.
            if scope != "function":
                self.bind(node.target, container, scope, names, optional=True)
            self.blocks(node, container, scope, names)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            if scope != "function":
                for item in node.items:
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, container, scope, names, optional=True)
            self.blocks(node, container, scope, names)
        else:
            self.blocks(node, container, scope, names)

    def blocks(self, node, container, scope, names):
        for field in ("body", "orelse", "finalbody"):
            for inner in getattr(node, field, []) or []:
                if isinstance(inner, ast.stmt):
                    self.statement(inner, container, scope, names)
        for handler in getattr(node, "handlers", []) + getattr(node, "cases", []):
            for inner in handler.body:
                self.statement(inner, container, scope, names)

    def bind(self, target, container, scope, names, optional=False):
        if isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self.bind(part, container, scope, names, optional)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, container, scope, names, optional)
        elif isinstance(target, ast.Name):
            kind = "field" if scope == "class" else "variable"
            # Of several bindings of a name the first is the definition; the others may be told.
            again = target.id in names
            names.setdefault(target.id, target)
            self.add(kind, target.id, target.lineno, target.col_offset, container, optional or again)

    def attributes(self, method, container):
        """What a method assigns to `self.x` (or `cls.x`): fields of the class, once each."""
        arguments = method.args.posonlyargs + method.args.args
        if not arguments or any(
            isinstance(d, ast.Name) and d.id == "staticmethod" for d in method.decorator_list
        ):
            return
        own = arguments[0].arg
        key = (self.path, tuple(container))
        seen = SEEN.setdefault(key, set())
        targets = []
        for node in ast.walk(method):
            if isinstance(node, ast.Assign):
                targets += [(t, False) for t in node.targets]
            elif isinstance(node, ast.AnnAssign):
                targets.append((node.target, False))
            elif isinstance(node, ast.AugAssign):
                targets.append((node.target, True))
            elif isinstance(node, (ast.For, ast.AsyncFor)):
                targets.append((node.target, True))
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                targets += [(i.optional_vars, True) for i in node.items if i.optional_vars]
        targets.sort(key=lambda pair: (pair[0].lineno, pair[0].col_offset))
        while targets:
            target, optional = targets.pop(0)
            if isinstance(target, (ast.Tuple, ast.List)):
                targets = [(part, optional) for part in target.elts] + targets
            elif (
                isinstance(target, ast.Attribute)
                and isinstance(target.value, ast.Name)
                and target.value.id == own
            ):
                col = target.end_col_offset - len(target.attr.encode())
                again = target.attr in seen
                seen.add(target.attr)
                self.add("field", target.attr, target.end_lineno, col, container, optional or again)


SEEN = {}


def declared_in_class(tree, path):
    """What the bodies of classes bind, so that `self.x =` is not the first binding of a field."""

    def visit(body, container):
        for node in body:
            if isinstance(node, ast.ClassDef):
                inner = container + [node.name]
                names = set()
                for part in node.body:
                    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                        names.add(part.target.id)
                    elif isinstance(part, ast.Assign):
                        names |= {t.id for t in part.targets if isinstance(t, ast.Name)}
                    elif isinstance(part, FUNCTIONS):
                        names.add(part.name)
                SEEN.setdefault((path, tuple(inner)), set()).update(names)
                visit(node.body, inner)
            elif isinstance(node, FUNCTIONS):
                visit(node.body, container + [node.name])

    visit(tree.body, [])


def definitions(root):
    for path in tracked(root):
        source = (Path(root) / path).read_bytes()
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError) as err:
            print(f"{path}: {err}", file=sys.stderr)
            continue
        declared_in_class(tree, path)
        found = Definitions(path, source)
        found.body(tree.body, [], "module")
        yield {"t": "file", "path": path}
        yield from (found.found[key] for key in sorted(found.found))


def words(source):
    """Identifiers of a file as (line, column in characters, word, quoted): annotations may be quoted."""
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.NAME:
            yield *token.start, token.string, False
        elif token.type == tokenize.STRING and token.start[0] == token.end[0]:
            text = token.string
            at = 0
            while at < len(text):
                end = at
                while end < len(text) and (text[end].isalnum() or text[end] == "_"):
                    end += 1
                if end > at:
                    yield token.start[0], token.start[1] + at, text[at:end], True
                at = max(end, at + 1)


def byte_col(lines, line, character):
    """Byte column of a UTF-16 column."""
    text = lines[line].encode("utf-16-le")[: 2 * character].decode("utf-16-le", "ignore")
    return len(text.encode())


def uses(root, folder, server):
    root = Path(root).resolve()
    settings = {"python": {
        "pythonPath": sys.executable,
        "analysis": {"diagnosticMode": "openFilesOnly", "autoSearchPaths": True, "typeCheckingMode": "off"},
    }}
    client = lsp.Server([server, "--stdio"], root, settings)
    found = [line for line in definitions(root) if line["path"].startswith(folder)]
    names = {line["name"] for line in found if line["t"] == "def" and not line.get("optional")}
    texts = {}

    def lines_of(path):
        if path not in texts:
            texts[path] = Path(path).read_text(encoding="utf-8").split("\n")
        return texts[path]

    def inside(path):
        path = Path(path)
        try:
            relative = path.relative_to(root)
        except ValueError:
            return None
        return str(relative)

    def asked(path, line, character):
        return client.ask("textDocument/definition", {
            "textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character},
        })

    yield from found
    for file in [line["path"] for line in found if line["t"] == "file"]:
        path = root / file
        source = path.read_bytes()
        lines = client.open(path, "python").split("\n")
        questions = []
        for line, col, word, quoted in words(source):
            if word in names:
                questions.append((line, col, word, quoted, asked(path, line - 1, col)))
        for line, col, word, quoted, number in questions:
            places = list(lsp.locations(client.wait(number)))
            if quoted and not places:
                continue  # a string is a string
            to = []
            for where, at, character in places:
                relative = inside(where)
                # The start of a file is the module, which is no definition.
                if relative is not None and relative.endswith((".py", ".pyi")):
                    to.append([relative, at + 1, byte_col(lines_of(where), at, character)])
            text = lines[line - 1]
            yield {
                "t": "use", "path": file, "line": line, "col": len(text[:col].encode()), "name": word,
                "to": to if places else None,
            }
        for line in imports(file, source, lines, path, client, asked, inside):
            yield line
        client.close(path)


def imports(file, source, lines, path, client, asked, inside):
    """Where each import statement leads: the file of the module, and of a submodule for `from p import m`."""
    asks = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                text = lines[alias.lineno - 1]
                col = len(text.encode()[: alias.col_offset].decode()) + len(alias.name) - 1
                asks.append((alias.lineno, alias.name, asked(path, alias.lineno - 1, col), []))
        elif isinstance(node, ast.ImportFrom):
            text = lines[node.lineno - 1]
            start = len(text.encode()[: node.col_offset].decode())
            written = "." * node.level + (node.module or "")
            at = text.find(written, start + len("from"))
            of = None
            if node.module and at >= 0:
                of = asked(path, node.lineno - 1, at + len(written) - 1)
            parts = []
            for alias in node.names:
                part = lines[alias.lineno - 1].encode()[: alias.col_offset].decode()
                parts.append(asked(path, alias.lineno - 1, len(part)))
            asks.append((node.lineno, written, of, parts))
    for line, specifier, of, parts in asks:
        targets = []
        places = list(lsp.locations(client.wait(of))) if of else []
        for number in parts:
            # A name may be a module of the package, at whose start it is defined then. Where the package
            # is written as dots, nothing is asked about it, and whatever is named tells.
            found = lsp.locations(client.wait(number))
            places += [place for place in found if place[1:] == (0, 0) or not of]
        for where, _, _ in places:
            relative = inside(where)
            if relative is not None and relative not in targets:
                targets.append(relative)
        if not of and (path.parent / "__init__.py").exists() and specifier == ".":
            targets.append(inside(path.parent / "__init__.py"))
        yield {"t": "import", "path": file, "line": line, "specifier": specifier, "targets": targets, "found": bool(places)}


def main():
    command, root, *rest = sys.argv[1:]
    commit = subprocess.run(
        ["git", "-C", root, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    oracle = "ast of CPython " + sys.version.split()[0]
    if command == "uses":
        version = subprocess.run([rest[1].removesuffix("-langserver"), "--version"], capture_output=True, text=True)
        oracle += ", " + version.stdout.strip()
    print(json.dumps({
        "t": "head", "language": "python", "repo": Path(root).resolve().name, "commit": commit, "oracle": oracle,
    }))
    for line in definitions(root) if command == "definitions" else uses(root, *rest):
        print(json.dumps(line))


if __name__ == "__main__":
    main()
