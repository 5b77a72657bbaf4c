"""Pairs of branches for forecast.py: what one side changes, and what the other side adds.

Definitions are found by rows of regular expressions; a change is a replacement of words. That is crude, so most pairs do
not compile on one side alone and are thrown away: the compiler says which ones are good. A kind of pair is a function
that takes a `Tree` and a `random.Random` and gives (what it is about, files of one side, files of the other); a file
that is gone has the text None.
"""
import os
import re
from collections import namedtuple

Def = namedtuple("Def", "kind name path start end indent")
JAVA_CHECK = ("find src/main/java -name '*.java' > /tmp/sources.$$ && javac -nowarn -Xmaxerrs 1000 -d /tmp/classes.$$ "
              "-encoding UTF-8 @/tmp/sources.$$; rm -rf /tmp/sources.$$ /tmp/classes.$$")


class Language:
    """How definitions of a language look, and how it is checked."""

    def __init__(self, folders, endings, heads, parameter, optional, argument, check, skip=r"(^|/)(tests?|testing)(/|_)|_test\."):
        self.folders, self.endings, self.check, self.skip = folders, endings, check, re.compile(skip)
        self.heads = {kind: re.compile(head, re.M) for kind, head in heads.items()}
        self.parameter, self.optional, self.argument = parameter, optional, argument
        self.is_python = endings == (".py",)


LANGUAGES = {
    "python": Language(
        ["src"], (".py",),
        {"function": r"^()(?:async )?def (\w+)\(", "method": r"^(    )(?:async )?def ([a-zA-Z]\w*|_[a-zA-Z]\w*)\(self", "type": r"^()class (\w+)"},
        "extra: int", "extra: int = 0", "0",
        "mypy --no-error-summary --check-untyped-defs --follow-imports=silent src"),
    "go": Language(
        ["."], (".go",), {"function": r"^()func (\w+)\(", "method": r"^()func \(\w+ \*?\w+\) (\w+)\(", "type": r"^()type (\w+) (?:struct|interface) \{"},
        "extra int", "extra ...int", "0", "go vet ./..."),
    "rust": Language(
        ["src", "rayon-core/src"], (".rs",),
        {"function": r"^()(?:pub(?:\([a-z]+\))? )?(?:unsafe )?fn (\w+)[(<]",
         "method": r"^(    )(?:pub(?:\([a-z]+\))? )?(?:const )?(?:unsafe )?fn (\w+)[(<]", "type": r"^()(?:pub(?:\([a-z]+\))? )?(?:struct|enum|trait) (\w+)"},
        "extra: i32", None, "0", "cargo check --quiet --offline --message-format short TARGETS"),
    "typescript": Language(
        ["src", "packages/mobx/src", "packages/zod/src"], (".ts",),
        {"function": r"^()export (?:async )?function (\w+)\(", "method": r"^( +)(?:async |public |protected )?(?!if\b|for\b|while\b|switch\b|catch\b|constructor\b)(\w+)\([^\n]*\{$",
         "type": r"^()export (?:abstract )?(?:class|interface) (\w+)"},
        "extra: number", "extra?: number", "0", "node TSC --pretty false --skipLibCheck -p tsconfig.seeded.json", r"\.test\.|\.d\.ts|test-utils|/benchmarks/|/tests/|locales/"),
    "java": Language(
        ["src/main/java"], (".java",),
        {"function": r"^(    )(?:public |private |protected )?static (?:final )?(?:<[^>]+> )?[\w.\[\]<>]+ (\w+)\(",
         "method": r"^(    )(?:public |private |protected )?(?!static|return|new|else|throw)(?:final )?[\w.\[\]<>]+ (\w+)\(",
         "type": r"^()public (?:final |abstract )?(?:class|interface|enum) (\w+)"},
        "int extra", None, "0", JAVA_CHECK, r"package-info|module-info"),
}


def word(name):
    return re.compile(r"\b" + name + r"\b")


class Tree:
    """The sources of a language in a clone, and their definitions."""

    def __init__(self, clone, language):
        self.language, self.texts, self.defs = language, {}, []
        for folder in language.folders:
            if not os.path.isdir(os.path.join(clone.path, folder)):
                continue
            for path in clone.git("ls-files", folder).splitlines():
                if path.endswith(language.endings) and path not in self.texts:
                    with open(os.path.join(clone.path, path), errors="replace") as file:
                        self.texts[path] = file.read()
        for path, text in self.texts.items():
            if not language.skip.search(path):
                self.defs.extend(self.read(path, text))
        often = {}
        for one in self.defs:
            often[one.name] = often.get(one.name, 0) + 1
        self.once = [one for one in self.defs if often[one.name] == 1 and len(one.name) > 3]
        self.callables = [one for one in self.defs if one.kind != "type"]

    def read(self, path, text):
        for kind, head in self.language.heads.items():
            for match in head.finditer(text):
                indent, name = match.groups()
                end = self.block_end(text, match, indent)
                before = text[:match.start()].rstrip("\n").rsplit("\n", 1)[-1].strip()
                if end is not None and not (self.language.is_python and before.startswith("@")):
                    yield Def(kind, name, path, match.start(), end, indent)

    def block_end(self, text, head, indent):
        line_end = text.find("\n", head.end())
        if self.language.is_python:
            after = re.compile(r"^(?=\S)(?!\))" if not indent else r"^(?! {%d}[ \t)])(?=.*\S)" % len(indent), re.M).search(text, line_end + 1)
            return after.start() if after else len(text)
        if text[head.start():line_end].rstrip().endswith(("}", ";")):
            return line_end
        after = re.compile(r"^" + indent + r"\};?[ \t]*$", re.M).search(text, line_end)
        return after.end() if after else None

    def body(self, one):
        return self.texts[one.path][one.start:one.end].rstrip()

    def callers(self, target):
        use = word(target.name) if target.kind == "type" else re.compile(r"\b" + target.name + r"\(")
        return [one for one in self.callables if one.name != target.name and use.search(self.body(one))]

    def some(self, chance, kinds, also=lambda one: True):
        """A definition and somebody who uses it."""
        chosen = [one for one in self.once if one.kind in kinds and also(one)]
        chance.shuffle(chosen)
        for one in chosen:
            callers = self.callers(one)
            if callers:
                return one, chance.choice(callers)
        return None


# What is done to texts

def everywhere(tree, pattern, put):
    changed = {path: pattern.sub(put, text) for path, text in tree.texts.items()}
    return {path: text for path, text in changed.items() if text != tree.texts[path]}


def anew(name):
    return name + "_anew" if "_" in name.strip("_") or name.islower() else name + "Anew"


def twin(name):
    return name + "_copy" if "_" in name.strip("_") or name.islower() else name + "Copy"


def renamed(tree, name):
    return everywhere(tree, word(name), anew(name))


def closing(text, at):
    """Where the bracket that opens at a place closes."""
    depth = 0
    for place in range(at, min(len(text), at + 4000)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place
    return None


def is_head(tree, text, at):
    start = text.rfind("\n", 0, at) + 1
    return any((match := head.match(text, start)) and match.start(2) == at for head in tree.language.heads.values())


def widened(tree, name, last, parameter=None, calls=True):
    """One more parameter, and one more argument wherever it is called."""
    language, changed = tree.language, {}
    call = re.compile(r"\b" + name + r"(?:<[^()\n]*>)?\(")
    for path, text in tree.texts.items():
        parts, at = [], 0
        for match in call.finditer(text):
            head = is_head(tree, text, match.start())
            if not head and not calls:
                continue
            what, opening = (parameter or language.parameter) if head else language.argument, match.end()
            close = closing(text, opening - 1)
            if close is None:
                return None
            own = re.match(r"\s*(?:&mut self|&self|mut self|self)\b,?[ ]?", text[opening:close]) if head else None
            opening += own.end() if own else 0
            inside = text[opening:close]
            place = opening
            if not inside.strip():
                put = (", " if own and not own.group().rstrip().endswith(",") else "") + what
            elif last:
                place = opening + len(inside.rstrip().rstrip(","))
                put = ", " + what
            else:
                put = what + ", "
            if place < at:
                return None
            parts.append(text[at:place] + put)
            at = place
        if parts:
            changed[path] = "".join(parts) + text[at:]
    return changed


def put_after(tree, one, new_text):
    """A definition beside the one that it was made from: at the end of the file, or of what holds it."""
    text = tree.texts[one.path]
    if one.indent:
        blank = "\n" if tree.language.is_python else "\n\n"
        return {one.path: text[:one.end].rstrip() + "\n" + blank[1:] + "\n" + new_text + "\n" + text[one.end:]}
    return {one.path: text.rstrip("\n") + "\n\n" + ("\n" if tree.language.is_python else "") + new_text + "\n"}


def copied(tree, one, new=None):
    return put_after(tree, one, word(one.name).sub(new or twin(one.name), tree.body(one)))


def copied_before(tree, one, new):
    text = tree.texts[one.path]
    return {one.path: text[:one.start] + word(one.name).sub(new, tree.body(one)) + "\n\n\n"[:3 if not one.indent else 2] + text[one.start:]}


def imports(text, language):
    if language.is_python:
        return re.findall(r"^(?:from [.\w]+ )?import (?:\([^)]*\)|[^\n(]+)$", text, re.M)
    return re.findall(r"^import (?:[^;'\"]* from )?[\"'][^\"']+[\"'];?$", text, re.M)


def alone(tree, path, blocks, beside="fresh"):
    """A new file in the folder of another one, with some definitions and what they need of that one."""
    language, text = tree.language, tree.texts[path]
    own = {name for head in language.heads.values() for indent, name in (m.groups() for m in head.finditer(text)) if not indent}
    own |= set(re.findall(r"^(\w+)(?:: [^=\n]+)? = ", text, re.M)) if language.is_python else set()
    code = "\n\n\n".join(blocks)
    made = set(re.findall(r"^(?:def|class|export function|function) (\w+)", code, re.M))
    needed = sorted(name for name in own - made if word(name).search(code))
    folder, base = os.path.split(path)
    stem = base.rsplit(".", 1)[0]
    lines = imports(text, language)
    if language.is_python:
        lines = [line for line in lines if "__future__" not in line]
        lines += [f"from .{stem} import {name}" for name in needed]
        lines.insert(0, "from __future__ import annotations\n")
    elif needed:
        lines.append("import { %s } from \"./%s\"" % (", ".join(needed), stem))
    return {os.path.join(folder, beside + "_" + stem.strip("_") + language.endings[0]): "\n".join(lines) + "\n\n\n" + code + "\n"}


def moved_file(tree, path):
    """A file under another name, and those that import it."""
    folder, base = os.path.split(path)
    stem, ending = base.rsplit(".", 1)
    new = stem + ("_moved" if tree.language.is_python else "Moved")
    if tree.language.is_python:
        changed = everywhere(tree, re.compile(r"(\bfrom [.\w]*\b|\bfrom \.+)" + stem + r"(?= import)"), r"\g<1>" + new)
    else:
        changed = everywhere(tree, re.compile(r"([\"'][./\w-]*/)" + stem + r"(?=(\.js)?[\"'])"), r"\g<1>" + new)
    text = changed.pop(path, tree.texts[path])
    return {**changed, path: None, os.path.join(folder, f"{new}.{ending}"): text}, new


# Kinds of pairs that are likely to be broken

def used(change, kinds):
    """Somebody changes what another one begins to use."""
    def make(tree, chance):
        found = tree.some(chance, kinds)
        return found and (found[0].name, change(tree, found[0], chance), copied(tree, found[1]))
    return make


def used_in_new_file(change):
    def make(tree, chance):
        found = tree.some(chance, {"function"})
        if not found or found[1].indent or not tree.language.endings[0] in (".py", ".ts"):
            return None
        block = word(found[1].name).sub(twin(found[1].name), tree.body(found[1]))
        return found[0].name, change(tree, found[0], chance), alone(tree, found[1].path, [block])
    return make


def rename(tree, one, chance):
    changed = renamed(tree, one.name)
    if tree.language.endings == (".java",) and one.kind == "type":
        folder = os.path.dirname(one.path)
        changed[os.path.join(folder, anew(one.name) + ".java")] = changed.pop(one.path)
        changed[one.path] = None
    return changed


def widen(tree, one, chance):
    return widened(tree, one.name, chance.random() < .5)


def remove(tree, one, chance):
    """Takes a definition away, with all that use it."""
    gone = [one]
    for last in gone:
        gone.extend(caller for caller in tree.callers(last) if caller not in gone)
        if len(gone) > 4:
            return None
    texts = {}
    for each in sorted(gone, key=lambda one: -one.start):
        text = texts.get(each.path, tree.texts[each.path])
        texts[each.path] = text[:each.start] + text[each.end:].lstrip("\n")
    for each in gone:
        line = re.compile(r"^\s*from \S+ import " + each.name + r"(?: as \w+)?\n|(?<=[{,\s])" + each.name + r",\s*", re.M)
        for path, text in tree.texts.items():
            text = texts.get(path, text)
            if word(each.name).search(text):
                texts[path] = line.sub("", text)
    return texts


def moved(tree, chance):
    found = tree.some(chance, {"function"}, lambda one: not one.path.endswith("__init__.py"))
    if not found or found[1].path == found[0].path or found[1].indent or tree.language.endings[0] not in (".py", ".ts"):
        return None
    changed, _ = moved_file(tree, found[0].path)
    block = word(found[1].name).sub(twin(found[1].name), tree.body(found[1]))
    return found[0].name, changed, alone(tree, found[1].path, [block])


def moved_and_called_beside(tree, chance):
    """The file that holds the new caller has its import from before, which is moved too."""
    found = tree.some(chance, {"function"}, lambda one: not one.path.endswith("__init__.py"))
    if not found or found[1].path == found[0].path or tree.language.endings[0] not in (".py", ".ts"):
        return None
    return found[0].name, moved_file(tree, found[0].path)[0], copied(tree, found[1])


def module_renamed(tree, chance):
    """Rust: a module, and a new use of it by its path."""
    if tree.language.endings != (".rs",):
        return None
    paths = [path for path in tree.texts if not path.endswith(("lib.rs", "mod.rs", "main.rs"))]
    chance.shuffle(paths)
    for path in paths:
        folder, base = os.path.split(path)
        stem = base[:-3]
        users = [one for one in tree.callables if re.search(r"\b" + stem + "::", tree.body(one)) and one.path != path]
        if users:
            changed = everywhere(tree, re.compile(r"\b" + stem + r"\b(?=::|;)"), stem + "_moved")
            text = changed.pop(path, tree.texts[path])
            changed.update({path: None, os.path.join(folder, stem + "_moved.rs"): text})
            return stem, changed, copied(tree, chance.choice(users))
    return None


def double(apart):
    """Both sides add a name: in one place, or in two that have nothing to do with each other."""
    def make(tree, chance):
        one = chance.choice(tree.callables)
        if not apart:
            return one.name, copied_before(tree, one, twin(one.name)), copied(tree, one)
        others = [two for two in tree.callables if two.path != one.path and two.kind == "function"]
        two = chance.choice(others)
        return one.name, copied(tree, one, "added_anew"), copied(tree, two, "added_anew")
    return make


def class_copy(tree, one):
    """A type beside itself under another name, with its blocks of implementations; in Java a file of its own."""
    new = twin(one.name)
    if tree.language.endings == (".java",):
        folder = os.path.dirname(one.path)
        return {os.path.join(folder, new + ".java"): word(one.name).sub(new, tree.texts[one.path])}
    text, blocks = tree.texts[one.path], [tree.body(one)]
    before = re.search(r"((?:^#\[.*\]\n)+)\Z", text[:one.start], re.M)
    blocks[0] = (before.group(1) if before else "") + blocks[0]
    if tree.language.endings == (".rs",):
        for match in re.finditer(r"^impl\b[^{;]*\b" + one.name + r"\b[^{;]*\{", text, re.M):
            end = re.compile(r"^\}$", re.M).search(text, match.end())
            blocks.append(text[match.start():end.end()] if end else "")
    return {one.path: text.rstrip("\n") + "\n\n\n" + word(one.name).sub(new, "\n\n".join(blocks)) + "\n"}


MEMBER = {".java": ("    int extraMember();\n", "    public int extraMember() { return 0; }\n"),
          ".ts": ("    extraMember(): number\n", "    extraMember(): number { return 0 }\n"),
          ".rs": ("    fn extra_member(&self) -> i32;\n", "    fn extra_member(&self) -> i32 { 0 }\n")}
BASES = {".java": r"^public interface (\w+)[^{;]*\{\n", ".ts": r"^export interface (\w+)[^{;=]*\{\n", ".rs": r"^(?:pub(?:\([a-z]+\))? )?trait (\w+)[^{;]*\{\n"}
IMPLEMENTED = {".java": r"^public (?:final )?class (\w+)[^{;]*\bimplements\b[^{;]*\bNAME\b[^{;]*\{\n", ".ts": r"^export class (\w+)[^{;]*\bimplements\b[^{;]*\bNAME\b[^{;]*\{\n",
               ".rs": r"^(?:unsafe )?impl\b[^{;]*\bNAME\b(?:<[^{;]*>)? for (\w+)[^{;]*\{\n"}


def interface(has_default):
    """An interface gets a member, and all who implement it; the other side adds one more."""
    def make(tree, chance):
        ending = tree.language.endings[0]
        if ending not in MEMBER:
            return None
        wanted, given = MEMBER[ending]
        bases = [(path, match) for path, text in tree.texts.items() for match in re.finditer(BASES[ending], text, re.M)]
        chance.shuffle(bases)
        for path, match in bases:
            head = re.compile(IMPLEMENTED[ending].replace("NAME", match[1]), re.M)
            types = {found[1] for text in tree.texts.values() for found in head.finditer(text)}
            users = [one for one in tree.once if one.kind == "type" and one.name in types and (ending == ".java" or head.search(tree.texts[one.path]))]
            if not users:
                continue
            user = chance.choice(users)
            if has_default:
                wanted = {".java": "    default int extraMember() { return 0; }\n", ".ts": "    extraMember?(): number\n", ".rs": given}[ending]
            changed = {} if has_default else everywhere(tree, head, lambda found: found.group() + given)
            text = changed.get(path, tree.texts[path])
            at = re.search(BASES[ending].replace(r"(\w+)", match[1]), text, re.M).end()
            changed[path] = text[:at] + wanted + text[at:]
            return f"{match[1]} {user.name}", changed, class_copy(tree, user)
        return None
    return make


def override(tree, chance):
    """A method of several types takes one more parameter in all of them; the other side adds one more such type."""
    names = {}
    for one in tree.defs:
        if one.kind == "method":
            names.setdefault(one.name, []).append(one)
    several = sorted(name for name, found in names.items() if len(found) > 1 and not name.startswith("__"))
    if not several:
        return None
    name = chance.choice(several)
    holders = [one for one in tree.defs if one.kind == "type" and any(
        held.path == one.path and one.start < held.start < one.end for held in names[name])]
    if tree.language.endings == (".rs",):
        holders = [one for one in tree.once if one.kind == "type" and any(held.path == one.path for held in names[name])]
    if not holders:
        return None
    holder = chance.choice(holders)
    return f"{name} {holder.name}", widened(tree, name, chance.random() < .5), class_copy(tree, holder)


# Kinds that look alike and are likely to be sound

def unrelated(change, kinds):
    """Somebody changes what the new caller does not use."""
    def make(tree, chance):
        found = tree.some(chance, kinds)
        if not found:
            return None
        callers = [one for one in tree.callables if one.path == found[1].path and not word(found[0].name).search(tree.body(one))]
        return callers and (found[0].name, change(tree, found[0], chance), copied(tree, chance.choice(callers)))
    return make


def shadowed(tree, chance):
    """The new caller has a definition of its own that is called like the one that changed."""
    found = tree.some(chance, {"function"})
    if not found:
        return None
    target, caller = found
    language = tree.language
    own, call = tree.body(target), word(caller.name).sub(twin(caller.name), tree.body(caller))
    changed = rename(tree, target, chance)
    if language.endings[0] in (".py", ".ts"):
        return None if caller.indent else (target.name, changed, alone(tree, caller.path, [own, call]))
    text = tree.texts[caller.path]
    if language.endings == (".rs",):
        inside = "mod fresh {\n    use super::*;\n\n" + own + "\n\n" + call + "\n}"
        return None if caller.indent else (target.name, changed, {caller.path: text.rstrip("\n") + "\n\n" + inside + "\n"})
    if language.endings == (".java",):
        inside = "    static class Fresh {\n" + own + "\n\n" + call + "\n    }\n"
        last = text.rstrip().rfind("}")
        return target.name, changed, {caller.path: text[:last] + "\n" + inside + text[last:]}
    local = "\t" + re.sub(r"^func \w+\(", target.name + " := func(", own).replace("\n", "\n\t")
    head, newline, rest = call.partition("{\n")
    return target.name, changed, put_after(tree, caller, head + newline + local + "\n" + rest)


def body_changed(tree, one, chance):
    """Another statement at the end of the head."""
    text, indent = tree.texts[one.path], one.indent + ("\t" if tree.language.endings == (".go",) else "    ")
    opening = re.compile(r"\)[^\n]*:\n" if tree.language.is_python else r"\{\n").search(text, one.start, one.end)
    if not opening:
        return None
    put = {".py": "_ = 1", ".go": "_ = 1", ".rs": "let _ = 1;", ".ts": "void 1;", ".java": "assert true;"}[tree.language.endings[0]]
    return {one.path: text[:opening.end()] + indent + put + "\n" + text[opening.end():]}


def optional(tree, one, chance):
    """A parameter that may be left out; in Java another overload."""
    if tree.language.optional:
        return widened(tree, one.name, True, tree.language.optional, calls=False)
    if tree.language.endings != (".java",):
        return None
    text = tree.texts[one.path]
    over = re.sub(r"\b" + one.name + r"\((\s*\))?", lambda m: one.name + "(int extra" + (")" if m[1] else ", "), tree.body(one), count=1)
    return {one.path: text[:one.start] + over + "\n\n" + text[one.start:]}


def parameter_renamed(tree, one, chance):
    """One of the parameters has another name; who calls by place does not care."""
    text = tree.texts[one.path]
    at = text.find("(", one.start)
    close = closing(text, at)
    if close is None or close > one.end:
        return None
    inside = text[at + 1:close]
    names = re.findall(r"(\w+)\s*(?=:|\s\w|\?:)" if tree.language.endings != (".java",) else r"\w+ (\w+)(?=,|$)", inside)
    names = [name for name in names if name not in ("self", "mut", "final", "func", "int", "string", "map")]
    if not names:
        return None
    name = names[-1]
    return {one.path: text[:at] + word(name).sub(name + "Anew", text[at:one.end]) + text[one.end:]}


def kept(tree, one, chance):
    """A new name everywhere, and the old definition stays."""
    changed = renamed(tree, one.name)
    text = changed.get(one.path, tree.texts[one.path])
    new = word(one.name).sub(anew(one.name), tree.body(one))
    at = text.find(new)
    if at < 0:
        return None
    return {**changed, one.path: text[:at] + tree.body(one) + "\n\n" + ("\n" if tree.language.is_python else "") + text[at:]}


def moved_but_exported(tree, chance):
    """A file has another name, and the old one hands on what was in it."""
    found = moved(tree, chance)
    if not found:
        return None
    name, changed, adds = found
    old = next(path for path, text in changed.items() if text is None)
    folder, base = os.path.split(old)
    if tree.language.is_python:
        own = sorted(set(re.findall(r"^(?:def|class) (\w+)", tree.texts[old], re.M)))
        changed[old] = "".join(f"from .{base[:-3]}_moved import {each} as {each}\n" for each in own)
    else:
        changed[old] = "export * from \"./%sMoved\"\n" % base[:-3]
    return name, changed, adds


KINDS = {
    "rename function": used(rename, {"function"}),
    "rename method": used(rename, {"method"}),
    "rename type": used(rename, {"type"}),
    "rename, used in a new file": used_in_new_file(rename),
    "signature of function": used(widen, {"function"}),
    "signature of method": used(widen, {"method"}),
    "signature, used in a new file": used_in_new_file(widen),
    "remove": used(remove, {"function", "method"}),
    "move": moved,
    "rename module": module_renamed,
    "double": double(False),
    "interface": interface(False),
    "override": override,
    "unrelated rename": unrelated(rename, {"function", "method", "type"}),
    "unrelated signature": unrelated(widen, {"function", "method"}),
    "unrelated removal": unrelated(remove, {"function", "method"}),
    "own of that name": shadowed,
    "body": used(body_changed, {"function", "method"}),
    "optional parameter": used(optional, {"function", "method"}),
    "parameter renamed": used(parameter_renamed, {"function", "method"}),
    "old name kept": used(kept, {"function", "method"}),
    "move, old path kept": moved_but_exported,
    "move, called where it was imported": moved_and_called_beside,
    "interface with default": interface(True),
    "double apart": double(True),
}
