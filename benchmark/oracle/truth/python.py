"""Definitions of a Python repository, as CPython's own parser sees them.

    python3 python.py CHECKOUT > definitions.jsonl

One JSON object a line; the shapes are described in ../README.md. Lines are 1-based, columns are
0-based and in bytes. Files that do not parse are left out, with a word to standard error.
"""

import ast
import json
import subprocess
import sys
from pathlib import Path

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def tracked(root):
    out = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "*.py", "*.pyi"],
        check=True, capture_output=True, text=True,
    ).stdout
    return [path for path in out.split("\0") if path]


class Definitions:
    def __init__(self, path, source):
        self.path = path
        self.lines = source.split(b"\n")
        self.found = {}

    def add(self, kind, name, line, col, container, optional=False, end=None):
        key = (line, col)
        if key not in self.found:
            self.found[key] = {
                "t": "def", "path": self.path, "line": line, "col": col,
                "name": name, "kind": kind, "container": ".".join(container),
                "end": end or line,
            }
            if optional:
                self.found[key]["optional"] = True

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
            self.add(kind, node.name, node.lineno, self.name_col(node, b"def"), container, end=node.end_lineno)
            inner = container + [node.name]
            self.body(node.body, inner, "function")
            if scope == "class":
                self.attributes(node, container)
        elif isinstance(node, ast.ClassDef):
            self.add("class", node.name, node.lineno, self.name_col(node, b"class"), container, end=node.end_lineno)
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
    """Fields that the bodies of classes bind, so that `self.x =` is not their first binding."""

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


def main():
    root = sys.argv[1]
    commit = subprocess.run(
        ["git", "-C", root, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    print(json.dumps({
        "t": "head", "language": "python", "repo": Path(root).resolve().name, "commit": commit,
        "oracle": "ast of CPython " + sys.version.split()[0],
    }))
    for line in definitions(root):
        print(json.dumps(line))


if __name__ == "__main__":
    main()
