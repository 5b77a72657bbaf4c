"""Definitions, uses and includes of a C or C++ repository, as clang sees them.

    python3 cfamily.py c|cpp CHECKOUT FOLDER... -- FLAG... > uses.jsonl

Every tracked source file that is directly in one of the folders is parsed with the flags (run inside the
checkout, so that their folders may be relative). Headers are read as the first file that
includes them reads them. Needs the Python package libclang; built-in headers come from `-resource-dir`.

The shapes of the lines are described in ../README.md.
"""

import ctypes
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from clang import cindex
from clang.cindex import CursorKind as K

SOURCES = {"c": (".c",), "cpp": (".cc", ".cpp", ".cxx")}
# What is included under another ending is not C by its name.
ENDINGS = (".h", ".c", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tpp")
FUNCTIONS = {K.FUNCTION_DECL: "function", K.CXX_METHOD: "method", K.CONSTRUCTOR: "constructor",
             K.DESTRUCTOR: "destructor", K.CONVERSION_FUNCTION: "conversion", K.FUNCTION_TEMPLATE: "function"}
TYPES = {K.STRUCT_DECL: "struct", K.UNION_DECL: "struct", K.CLASS_DECL: "class", K.ENUM_DECL: "enum",
         K.CLASS_TEMPLATE: "class", K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION: "class"}
ALIASES = {K.TYPEDEF_DECL: "type", K.TYPE_ALIAS_DECL: "type", K.TYPE_ALIAS_TEMPLATE_DECL: "type"}
LOCAL = {K.PARM_DECL, K.TEMPLATE_TYPE_PARAMETER, K.TEMPLATE_NON_TYPE_PARAMETER,
         K.TEMPLATE_TEMPLATE_PARAMETER, K.LABEL_STMT}
BODIES = set(FUNCTIONS) | {K.LAMBDA_EXPR}
# Comments, strings and numbers are passed over, names are kept.
LEXEME = re.compile(
    rb'//(?:[^\n\\]|\\.)*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|'
    rb"'(?:[^'\\\n]|\\.)*'|\.?[0-9](?:[eEpP][+-]|[\w.'])*|[A-Za-z_]\w*",
    re.DOTALL,
)
WORD = re.compile(rb"[A-Za-z_]\w*")

lib = cindex.conf.lib
lib.clang_getFileLocation.argtypes = [cindex.SourceLocation] + [ctypes.c_void_p] * 4


def git(*args):
    return subprocess.run(["git", *args], check=True, capture_output=True, text=True).stdout


class Source:
    """A file of the checkout: its names by place, and what clang knows of them."""

    def __init__(self, path):
        self.path = path
        self.text = Path(path).read_bytes()
        self.starts = [0] + [m.end() for m in re.finditer(rb"\n", self.text)]
        self.names = {}
        for found in LEXEME.finditer(self.text):
            if WORD.fullmatch(found.group()):
                line, col = self.place(found.start())
                self.names[line, col] = found.group().decode()
        self.inactive = set()
        self.active = set()
        self.read = False

    def place(self, offset):
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= offset else (low, middle)
        return low + 1, offset - self.starts[low]


class Reader:
    def __init__(self, language, folders, flags):
        self.language = language
        self.root = os.getcwd() + "/"
        self.tracked = {path for path in git("ls-files").splitlines() if path.endswith(ENDINGS)}
        self.folders = [folder.rstrip("/") for folder in folders]
        self.flags = flags
        self.index = cindex.Index.create()
        self.sources = {}
        self.paths = {}
        self.definitions = {}
        self.declarations = {}
        # Definitions with external linkage by USR, declarations by place with theirs.
        self.defined = {}
        self.uses = {}
        self.imports = {}
        self.seen = set()

    def source(self, file):
        """The file of the checkout of which clang speaks, if it is one."""
        if file is None:
            return None
        name = file if isinstance(file, str) else file.name
        if name not in self.paths:
            path = os.path.realpath(name)
            path = path[len(self.root):] if path.startswith(self.root) else None
            self.paths[name] = path if path in self.tracked else None
        path = self.paths[name]
        if path is None:
            return None
        if path not in self.sources:
            self.sources[path] = Source(path)
        return self.sources[path]

    def at(self, location, which):
        file, line, col, offset = cindex.c_object_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        getattr(lib, which)(location, *(ctypes.byref(x) for x in (file, line, col, offset)))
        if not file:
            return None
        key = ctypes.cast(file, ctypes.c_void_p).value
        if key not in self.files:
            self.files[key] = self.source(cindex.File(file).name)
        source = self.files[key]
        return source and (source, line.value, col.value - 1)

    def named(self, cursor, name):
        """Where a name is written that a cursor stands for: in the file, or in the text of a macro."""
        for which in ("clang_getFileLocation", "clang_getSpellingLocation"):
            place = self.at(cursor.location, which)
            if place and place[0].names.get(place[1:]) == name:
                return place
        return None

    def read(self, path):
        unit = self.index.parse(path, args=self.flags, options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        bad = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if bad:
            print(f"{path}: {len(bad)} errors, the first: {bad[0]}", file=sys.stderr)
            return
        self.files = {}
        self.skipped(unit, path)
        top = []
        for cursor in unit.cursor.get_children():
            place = self.at(cursor.location, "clang_getFileLocation")
            if place is None:
                continue
            key = (place[0].path, place[1], place[2], cursor.kind, cursor.spelling)
            # What a header says is the same to everybody, as far as there is no telling otherwise.
            if key not in self.seen or place[0].path == path:
                self.seen.add(key)
                place[0].read = True
                top.append(cursor)
        macros = [c for c in top if c.kind.is_preprocessing()]
        self.here = set()
        for cursor in macros:
            self.preprocessed(cursor)
        for cursor in top:
            if not cursor.kind.is_preprocessing():
                self.walk(cursor)

    def skipped(self, unit, path):
        class Ranges(ctypes.Structure):
            _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]

        lib.clang_getAllSkippedRanges.restype = ctypes.POINTER(Ranges)
        lib.clang_getAllSkippedRanges.argtypes = [ctypes.c_void_p]
        found = lib.clang_getAllSkippedRanges(unit.obj)
        skipped = {}
        for i in range(found.contents.count):
            one = found.contents.ranges[i]
            source = self.source(one.start.file)
            # A header that is included again is skipped as a whole.
            if source and not (source.path != path and one.start.line <= 4 and one.end.line >= len(source.starts) - 3):
                skipped.setdefault(source.path, set()).update(range(one.start.line + 1, one.end.line))
        for path, lines in skipped.items():
            self.sources[path].inactive |= lines

    def preprocessed(self, cursor):
        if cursor.kind == K.MACRO_DEFINITION:
            place = self.named(cursor, cursor.spelling)
            if place:
                source, line, col = place
                end = cursor.extent.end.line
                empty = cursor.extent.end.offset - cursor.extent.start.offset == len(cursor.spelling)
                self.define(place, cursor.spelling, "macro", "", end, optional=empty)
        elif cursor.kind == K.MACRO_INSTANTIATION:
            place = self.named(cursor, cursor.spelling)
            meant = cursor.referenced
            if place and meant:
                to = self.named(meant, cursor.spelling)
                self.use(place, cursor.spelling, to)
        elif cursor.kind == K.INCLUSION_DIRECTIVE:
            place = self.at(cursor.location, "clang_getFileLocation")
            try:
                file = cursor.get_included_file()
            except Exception:
                file = None
            target = self.source(file.name) if file and file.name else None
            self.imports[place[0].path, place[1]] = {
                "t": "import", "path": place[0].path, "line": place[1], "specifier": cursor.spelling,
                "targets": [target.path] if target else [],
            }

    def walk(self, top):
        stack = [(top, [], False)]
        while stack:
            cursor, container, local = stack.pop()
            kind = cursor.kind
            inner, inside = container, local
            if kind.is_declaration():
                self.declared(cursor, container, local)
                if kind in BODIES:
                    inside = True
                if kind in TYPES or kind == K.NAMESPACE:
                    inner = container + [cursor.spelling] if cursor.spelling else container
            if kind.is_reference() or kind.is_expression():
                self.used(cursor)
            if kind == K.LAMBDA_EXPR:
                inside = True
            for child in cursor.get_children():
                stack.append((child, inner, inside))

    def declared(self, cursor, container, local):
        kind, name = cursor.kind, cursor.spelling
        if kind in LOCAL or kind == K.VAR_DECL and self.is_local(cursor):
            place = self.named(cursor, name) if name else None
            if place:
                self.uses.setdefault((place[0].path, place[1], place[2]), (name, []))
            return
        what = FUNCTIONS.get(kind) or TYPES.get(kind) or ALIASES.get(kind)
        optional = implicit = False
        if kind in FUNCTIONS:
            if kind in (K.FUNCTION_TEMPLATE, K.CONSTRUCTOR, K.DESTRUCTOR):
                name = name.split("<")[0]
            optional = not cursor.is_definition() or cursor.is_default_method()
            if kind == K.CXX_METHOD:
                if cursor.is_pure_virtual_method():
                    optional = False
                implicit = cursor.is_virtual_method()
            implicit = implicit or name == "main" or kind in (K.DESTRUCTOR, K.CONSTRUCTOR)
            parent = cursor.semantic_parent
            if parent is not None and parent.kind in TYPES:
                container = [parent.spelling]
            if kind == K.FUNCTION_TEMPLATE and parent is not None and parent.kind in TYPES:
                what = "method"
        elif kind in TYPES:
            optional = not cursor.is_definition()
        elif kind in ALIASES:
            pass
        elif kind == K.FIELD_DECL:
            what = "field"
        elif kind == K.ENUM_CONSTANT_DECL:
            what = "variant"
        elif kind == K.VAR_DECL:
            parent = cursor.semantic_parent
            member = parent is not None and parent.kind in TYPES
            if local and not member:
                return
            what = "field" if member else "variable"
            # A static member is declared in its class and defined outside.
            optional = not cursor.is_definition()
            if member:
                container = [parent.spelling]
        elif kind in (K.NAMESPACE, K.NAMESPACE_ALIAS):
            what, optional = "module", True
        else:
            return
        place = self.named(cursor, name.split("<")[0]) if WORD.match(name.encode()) else None
        if place is None and kind not in FUNCTIONS:
            return
        if place is None:
            # Operators and destructors: `~A` stands as `A` behind a tilde.
            place = self.at(cursor.location, "clang_getFileLocation")
            if place is None or not re.match(rb"~|operator\b", place[0].text[place[0].starts[place[1] - 1] + place[2]:]):
                return
        self.define(place, name, what, ".".join(container), cursor.extent.end.line, optional, implicit)
        key = (place[0].path, place[1], place[2])
        if not optional:
            linked = cursor.linkage == cindex.LinkageKind.EXTERNAL
            if linked and cursor.get_usr():
                self.defined.setdefault(cursor.get_usr(), set()).add(key)
        else:
            to = self.meant(cursor)
            if to:
                self.declarations[key] = to

    def define(self, place, name, kind, container, end, optional=False, implicit=False):
        source, line, col = place
        key = (source.path, line, col)
        known = self.definitions.get(key)
        if known and (known["kind"] != "macro" and not known.get("optional") or optional):
            return
        line = {"t": "def", "path": source.path, "line": line, "col": col, "name": name, "kind": kind,
                "container": container, "end": max(end, line)}
        if optional:
            line["optional"] = True
        if implicit:
            line["implicit"] = True
        self.definitions[key] = line

    def meant(self, cursor):
        """The place of the definition of a declaration, or its USR when another file has it. None is no
        answer, an empty list is outside."""
        definition = cursor.get_definition()
        name = cursor.spelling.split("<")[0]
        best = definition if definition is not None else cursor
        # What is read from a template is written there.
        template = cindex.conf.lib.clang_getSpecializedCursorTemplate(best)
        if template is not None and template.kind != K.NO_DECL_FOUND:
            best = template.get_definition() or template
        place = self.at(best.location, "clang_getFileLocation")
        if place is None:
            return []
        written = self.named(best, name)
        if written is None:
            return None
        at = (written[0].path, written[1], written[2])
        # A tag and the name that a typedef gives it under the same name are one to whoever reads.
        tag = best.underlying_typedef_type.get_declaration() if best.kind == K.TYPEDEF_DECL else None
        tag = tag.get_definition() if tag is not None and tag.spelling == name else None
        tagged = self.named(tag, name) if tag is not None else None
        if tagged and tagged[1:] != written[1:]:
            return [at, (tagged[0].path, tagged[1], tagged[2])]
        if definition is None and best.linkage == cindex.LinkageKind.EXTERNAL:
            return ("usr", best.get_usr(), at)
        return [at]

    def used(self, cursor):
        referenced = cursor.referenced
        if referenced is None:
            return
        name = referenced.spelling.split("<")[0]
        if not name or referenced.kind in (K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION):
            return
        place = self.named(cursor, name)
        if place is None:
            return
        key = (place[0].path, place[1], place[2])
        if cursor.kind == K.OVERLOADED_DECL_REF or referenced.kind == K.OVERLOADED_DECL_REF:
            # `using a::B`, or a call in a template whose target depends on what it is given.
            if lib.clang_getNumOverloadedDecls(referenced) != 1:
                return
            referenced = lib.clang_getOverloadedDecl(referenced, 0)
        if referenced.kind in LOCAL or self.is_local(referenced):
            self.uses.setdefault(key, (name, []))
            return
        to = self.meant(referenced)
        if to is not None:
            known = self.uses.get(key)
            if known is None or known[1] == []:
                self.uses[key] = (name, to)

    def is_local(self, cursor):
        parent = cursor.semantic_parent
        return cursor.kind == K.VAR_DECL and parent is not None and parent.kind in FUNCTIONS

    def use(self, place, name, to):
        key = (place[0].path, place[1], place[2])
        self.uses[key] = (name, [(to[0].path, to[1], to[2])] if to else [])

    def resolve(self, to, path):
        if not isinstance(to, tuple):
            return to
        _, usr, at = to
        found = self.defined.get(usr, set())
        if len(found) == 1:
            return list(found)
        # Several programs define it: which one is meant, the linker knows.
        # A pure virtual method may have a body too.
        if all(self.definitions[place]["kind"] == "method" for place in found):
            return sorted(found)
        own = [place for place in found if place[0] == path]
        if own:
            return own
        return None if found else [at]

    def write(self):
        say = lambda line: print(json.dumps(line))
        clang = re.search(r"\d[\d.]*", lib_version()).group()
        say({"t": "head", "language": self.language, "repo": Path.cwd().name,
             "commit": git("rev-parse", "HEAD").strip(), "oracle": f"libclang {clang}"})
        files = [source for source in self.sources.values() if source.read]
        files.sort(key=lambda source: source.path)
        for source in files:
            line = {"t": "file", "path": source.path}
            # Lines that one reading leaves out and none has anything in.
            used = {at[1] for at in self.definitions if at[0] == source.path}
            used |= {at[1] for at in self.uses if at[0] == source.path}
            unread = sorted(source.inactive - used)
            if unread:
                line["unread"] = spans(unread)
            say(line)
        named = {d["name"] for d in self.definitions.values()}
        for key in sorted(self.definitions):
            say(self.definitions[key])
        for source in files:
            inside = source.path
            for (line, col), name in sorted(source.names.items()):
                key = (inside, line, col)
                own = self.definitions.get(key)
                if name not in named or own and not own.get("optional"):
                    continue
                if own:
                    to = self.resolve(self.declarations.get(key), inside)
                    to = to and [place for place in to if tuple(place) != key]
                else:
                    _, to = self.uses.get(key, (name, None))
                    to = self.resolve(to, inside)
                say({"t": "use", "path": inside, "line": line, "col": col, "name": name, "to": to})
        for key in sorted(self.imports):
            say(self.imports[key])


def spans(lines):
    found = []
    for line in lines:
        if found and found[-1][1] == line - 1:
            found[-1][1] = line
        else:
            found.append([line, line])
    return found


def lib_version():
    lib.clang_getClangVersion.restype = cindex._CXString
    lib.clang_getClangVersion.errcheck = cindex._CXString.from_result
    return lib.clang_getClangVersion()


def main():
    language, checkout, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    at = rest.index("--")
    os.chdir(checkout)
    reader = Reader(language, rest[:at], rest[at + 1:])
    for path in sorted(reader.tracked):
        if path.endswith(SOURCES[language]) and (os.path.dirname(path) or ".") in reader.folders:
            reader.read(path)
    reader.write()


if __name__ == "__main__":
    main()
