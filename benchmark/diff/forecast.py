#!/usr/bin/env python3
"""How often `diff --with` finds pairs of branches that merge cleanly and do not compile.

    forecast.py PROGRAM LANGUAGE CLONE PAIRS [--seed N] [--tsc PATH]

CLONE is a clone of a repository that may be changed freely. Each pair has two branches. One renames a function, gives
it one more parameter, or adds one; with all callers, so that it compiles. The other adds a new caller at the end of a
file: of that function (the pair is likely to be broken), or of another one (it is not). The truth is what the compiler
or type checker of the language says of the merged tree and of neither branch. Pairs of which a branch alone does not
compile, or that collide in text, are thrown away. One line of JSON a pair, then the sums.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys


class Language:
    """How functions of a language look at the top level of a file, and how it is checked."""

    def __init__(self, folders, endings, head, end, parameter, argument, check, skip=r"(^|/)(test|tests|testing)(/|_)|_test\."):
        self.folders, self.endings = folders, endings
        self.head, self.end = re.compile(head, re.M), end and re.compile(end, re.M)
        self.parameter, self.argument, self.check = parameter, argument, check
        self.skip = re.compile(skip)


LANGUAGES = {
    "python": Language(["src"], (".py",), r"^def (\w+)\(", None, "extra: int", "0",
                       "mypy --no-error-summary --ignore-missing-imports --check-untyped-defs --follow-imports=silent src"),
    "go": Language(["."], (".go",), r"^func (\w+)\(", r"^}$", "extra int", "0", "go vet ./..."),
    "rust": Language(["crates", "src"], (".rs",), r"^(?:pub(?:\([a-z]+\))? )?fn (\w+)\(", r"^}$", "extra: i32", "0",
                     "cargo check --quiet --offline --ignore-rust-version --workspace --message-format short"),
    "typescript": Language(["src"], (".ts",), r"^export (?:const (\w+) = (?:async )?\(|(?:async )?function (\w+)\()", r"^};?$",
                           "extra: number", "0", "TSC --noEmit --pretty false --skipLibCheck -p tsconfig.seeded.json", r"\.test\.|\.d\.ts|test-utils"),
    "java": Language(["src/main/java"], (".java",),
                     r"^    (?:public|private|protected)? ?static (?:final )?[\w.\[\]]+ (\w+)\(", r"^    }$", "int extra", "0",
                     "sh -c 'find src/main/java -name *.java > /tmp/sources.$$ && javac -nowarn -Xmaxerrs 1000 -d /tmp/classes.$$ "
                     "-encoding UTF-8 @/tmp/sources.$$; rm -rf /tmp/sources.$$ /tmp/classes.$$'", r"package-info"),
}


class Clone:
    def __init__(self, path):
        self.path = path
        self.base = self.git("rev-parse", "HEAD")
        # A line that says where an error is moves with the code above it.
        self.place = re.compile(r"(:\d+)+|\(\d+,\d+\)")

    def git(self, *args):
        who = ["-c", "user.name=seed", "-c", "user.email=seed@localhost"]
        done = subprocess.run(["git", "-C", self.path, *who, *args], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def branch(self, name, files):
        """Commits some texts on top of the base."""
        self.git("checkout", "-q", "-f", "-B", name, self.base)
        for path, text in files.items():
            with open(os.path.join(self.path, path), "w") as file:
                file.write(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", name)

    def errors(self, commit, check):
        self.git("checkout", "-q", "-f", "--detach", commit)
        done = subprocess.run(check, shell=True, cwd=self.path, capture_output=True, text=True, timeout=600)
        lines = (done.stdout + done.stderr).splitlines()
        said = [self.place.sub("", line) for line in lines if "error" in line.lower() or re.match(r"^\S+\.go:", line) or line.startswith("vet:")]
        return set(said)

    def merged(self, ours, theirs):
        """The commit of a clean merge; None where text collides."""
        try:
            tree = self.git("merge-tree", "--write-tree", ours, theirs)
        except RuntimeError:
            return None
        return self.git("commit-tree", "-p", ours, "-m", "merged", tree.split()[0])


def read(clone, language):
    """Texts by path, and functions by name: (path, start, end). Names that are defined twice are left out."""
    texts, found, often = {}, {}, set()
    for folder in language.folders:
        listed = clone.git("ls-files", folder).splitlines()
        for path in listed:
            if not path.endswith(language.endings) or language.skip.search(path) or path in texts:
                continue
            with open(os.path.join(clone.path, path), errors="replace") as file:
                text = file.read()
            texts[path] = text
            for head in language.head.finditer(text):
                name = next(group for group in head.groups() if group)
                end = block_end(language, text, head)
                if end is None:
                    continue
                if name in found:
                    often.add(name)
                found[name] = (path, head.start(), end)
    return texts, {name: place for name, place in found.items() if name not in often}


def block_end(language, text, head):
    if language.end is None:
        after = re.compile(r"^(?=[^\s#)])", re.M).search(text, head.end())
        return after.start() if after else len(text)
    after = language.end.search(text, head.end())
    return after.end() if after else None


def word(name):
    return re.compile(r"\b" + name + r"\b")


def renamed(texts, name):
    new = name + "_anew" if "_" in name else name + "Anew"
    changed = {path: word(name).sub(new, text) for path, text in texts.items()}
    return {path: text for path, text in changed.items() if text != texts[path]}


def widened(language, texts, name, defined):
    """One more parameter, first, and one more argument wherever it is called."""
    changed = {}
    call = re.compile(r"\b" + name + r"\(\s*(\)?)")
    for path, text in texts.items():
        def put(match):
            is_definition = (path == defined[0] and defined[1] <= match.start() <= defined[1] + 200
                             and language.head.match(text, text.rfind("\n", 0, match.start()) + 1))
            what = language.parameter if is_definition else language.argument
            return f"{name}({what}" + (")" if match.group(1) else ", ")
        new = call.sub(put, text)
        if new != text:
            changed[path] = new
    return changed


def copied(language, texts, functions, name, new):
    """The texts with a copy of a function at the end of its file, under another name."""
    path, start, end = functions[name]
    text = texts[path]
    copy = word(name).sub(new, text[start:end].rstrip())
    if language.endings == (".java",):
        last = text.rstrip().rfind("}")
        return {path: text[:last] + "\n" + copy + "\n" + text[last:]}
    return {path: text.rstrip("\n") + "\n\n" + copy + "\n"}


def copied_before(language, texts, functions, name, new):
    """The same, before the function itself."""
    path, start, end = functions[name]
    copy = word(name).sub(new, texts[path][start:end].rstrip())
    return {path: texts[path][:start] + copy + "\n\n\n" + texts[path][start:]}


def pair(language, texts, functions, chance, broken):
    """Two branches: what the one changes, what the other adds, and how."""
    callers = {}
    for caller, (path, start, end) in functions.items():
        body = texts[path][start:end]
        for name in set(re.findall(r"\b(\w+)\(", body)) & functions.keys() - {caller}:
            callers.setdefault(name, []).append(caller)
    used = [name for name in sorted(callers) if len(name) > 3]
    if not used:
        return None
    name = chance.choice(used)
    caller = chance.choice(sorted(callers[name]))
    kind = chance.choice(["rename", "rename", "signature", "signature", "double"])
    new = caller + ("_copy" if "_" in caller or language.endings == (".py",) else "Copy")
    adds = copied(language, texts, functions, caller, new)
    changed = name
    if not broken:
        path, start, end = functions[caller]
        body = texts[path][start:end]
        others = [other for other in used if other != caller and not word(other).search(body)]
        if not others:
            return None
        changed = chance.choice(others)
    if kind == "double":
        twin = new if broken else new + "2"
        return kind, changed, copied_before(language, texts, functions, caller, twin), adds
    change = renamed(texts, changed) if kind == "rename" else widened(language, texts, changed, functions[changed])
    return kind, changed, change, adds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("clone")
    parser.add_argument("pairs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tsc", default="tsc")
    asked = parser.parse_args()
    language = LANGUAGES[asked.language]
    check = language.check.replace("TSC", asked.tsc)
    chance = random.Random(asked.seed)
    clone = Clone(asked.clone)
    texts, functions = read(clone, language)
    known = clone.errors(clone.base, check)
    sums = {"broken": 0, "found": 0, "found surely": 0, "sound": 0, "alarms": 0, "sure alarms": 0}
    tries = 0
    wanted = {True: asked.pairs, False: asked.pairs}
    while any(wanted.values()) and tries < 20 * asked.pairs:
        tries += 1
        broken = chance.choice([kind for kind, left in wanted.items() if left])
        seeded = pair(language, texts, functions, chance, broken)
        if seeded is None:
            continue
        kind, name, change, adds = seeded
        clone.branch("change", change)
        clone.branch("add", adds)
        sides = ["add", "change"] if tries % 2 else ["change", "add"]
        merged = clone.merged(*sides)
        if merged is None or any(clone.errors(side, check) - known for side in sides):
            continue
        errors = clone.errors(merged, check) - known
        is_broken = bool(errors)
        if not wanted[is_broken]:
            continue
        clone.git("checkout", "-q", "-f", sides[0])
        args = [asked.program, "diff", "--with", sides[1], "--json", "--budget", "20000"]
        out = subprocess.run(args, cwd=clone.path, capture_output=True, text=True)
        merge = json.loads(out.stdout)["merges"][0]
        conflicts = merge.get("conflicts", [])
        sure = [found for found in conflicts if found["certainty"] == "resolved"]
        wanted[is_broken] -= 1
        sums["broken" if is_broken else "sound"] += 1
        sums["found" if is_broken else "alarms"] += bool(conflicts)
        sums["found surely" if is_broken else "sure alarms"] += bool(sure)
        said = [f"{c['clash']} {c['path']}:{c['line']} {c['expected']}" for c in conflicts[:3]]
        print(json.dumps({"kind": kind, "name": name, "broken": is_broken, "said": said, "errors": sorted(errors)[:2],
                          "fate": merge["fate"], "ours": sides[0]}), flush=True)
    print(json.dumps(sums))


if __name__ == "__main__":
    sys.exit(main())
