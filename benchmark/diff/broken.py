#!/usr/bin/env python3
"""Does `diff` name the callers that real commits forgot?

    broken.py find CLONE NAME [--commits 5000] [--skip 0]      candidates, to be read by hand
    broken.py ask PROGRAM CLONES                               asks about those of broken.jsonl

A candidate is a commit that takes away the only definition of a name and leaves a use of it, which a later commit of
few files took away within forty days: truth is what the project did itself. Definitions are found by regular
expressions, so most candidates are none: each of broken.jsonl was read with `git show`, all but gin 865ea804 before an answer was
seen, and so were the other uses of that name in the tree of the commit. A line of it: repository, commit, the name, the places that
were left at that commit, the commit that mended it. `ask` compares with `diff COMMIT^..COMMIT` in CLONES/REPOSITORY:
*named* is a place that is told as broken, *possible* one that is told as perhaps so. What else it tells as broken is printed,
to be read.
"""
import argparse
import json
import os
import re
import subprocess
import sys

TYPESCRIPT = (r"^\s*(?:export )?(?:default )?(?:async )?function\*? (\w+)|^\s*(?:export )?(?:abstract )?(?:class|interface) (\w+)"
              r"|^\s*(?:export )?const (\w+) = (?:async )?(?:\(|function)|^\s*(?:public |private |protected |static |async )+(\w+)\(.*\{$")
C = (r"^(?:static |inline |const |unsigned |struct |extern )*\w[\w ]*[ *](\w+)\([^;]*$|^(\w+)\([^;]*\)$|^#define (\w+)\(")
FAMILIES = [
    (("py",), r"^\s*(?:async )?def (\w+)\(|^\s*class (\w+)\b"),
    (("go",), r"^func (?:\([^)]*\) )?(\w+)[\[(]|^type (\w+) "),
    (("rs",), r"^\s*(?:pub(?:\([a-z]+\))? )?(?:const |unsafe |async )*fn (\w+)|^\s*(?:pub )?(?:struct|enum|trait) (\w+)"),
    (("ts", "tsx", "js", "jsx", "mjs"), TYPESCRIPT),
    (("java",), r"^\s*(?:public |private |protected |static |final |abstract |synchronized )+[\w<>\[\], .?]+ (\w+)\([^;]*$"
                r"|^\s*(?:public |final |abstract )*(?:class|interface|enum) (\w+)"),
    (("php",), r"^\s*(?:(?:public|private|protected|static|final|abstract) )*function &?(\w+)\(|^(?:final |abstract )?(?:class|interface|trait) (\w+)"),
    (("c", "h", "cc", "cpp"), C),
    (("rb",), r"^\s*def (?:self\.)?(\w+)|^\s*class (\w+)"),
]
FAMILY = {ending: (endings, re.compile(head)) for endings, head in FAMILIES for ending in endings}
DAYS = 40


def git(clone, *args):
    return subprocess.run(["git", "-C", clone, *args], capture_output=True).stdout.decode("utf8", "replace")


def ending(path):
    return path.rsplit(".", 1)[-1]


def taken_away(clone, commits, skip):
    """Of each commit, its date and the names whose definitions it takes away, with where."""
    log = subprocess.Popen(["git", "-C", clone, "log", "--no-merges", "-p", "-U0", "-M", "--format=%x01%H %ct",
                            "-n", str(commits), "--skip", str(skip), "--", *["*." + each for each in FAMILY]], stdout=subprocess.PIPE)
    commit, when, gone, came, files, old, new = None, 0, {}, set(), 0, "", ""
    for raw in log.stdout:
        line = raw.decode("utf8", "replace").rstrip("\n")
        if line.startswith("\x01"):
            if commit and files <= 40:
                yield commit, when, {name: path for name, path in gone.items() if name not in came}
            commit, when = line[1:].split(" ")
            when, gone, came, files = int(when), {}, set(), 0
        elif line.startswith("--- a/"):
            old, files = line[6:], files + 1
        elif line.startswith("+++ "):
            new = line[6:]
        elif line and line[0] in "+-" and commit:
            path = old if line[0] == "-" else new
            family = FAMILY.get(ending(path))
            found = family and family[1].search(line[1:])
            name = found and next((group for group in found.groups() if group), None)
            if name and line[0] == "-":
                gone[name] = path
            elif name:
                came.add(name)
    log.kill()


def left(clone, commit, name, path):
    """Uses of a name in the tree of a commit that has no definition of it: (path, line, text)."""
    endings, head = FAMILY[ending(path)]
    out = git(clone, "grep", "-n", "-w", "-I", "-e", name, commit, "--", *["*." + each for each in endings])
    rows = [row.split(":", 3)[1:] for row in out.split("\n") if row.count(":") >= 3]
    if not 0 < len(rows) <= 6 or any((found := head.search(row[2])) and name in found.groups() for row in rows):
        return
    for path, line, text in rows:
        code = re.sub(r"//.*|#.*|\"[^\"]*\"|'[^']*'|`[^`]*`", "", text)
        is_comment = re.match(r"\s*(//|\*|/\*|#(?!include)|\"\"\"|--|declare )", text)
        if not is_comment and re.search(rf"\b{name}\s*\(|(import|use |export|: ){name}|\b{name}\b[,)]|(import|use|export).*\b{name}\b", code):
            yield path, int(line), text.strip()


def mended(clone, commit, when, name, path, text):
    """The commit that took a use away, soon and with few others."""
    log = git(clone, "log", "--no-merges", "--reverse", "--format=%H %ct %s", "-S" + text, commit + "..HEAD", "--", path)
    first = log.split("\n")[0].split(" ", 2)
    if len(first) < 3 or int(first[1]) - when > DAYS * 86400 or re.search(r"^(revert|style|format|black|lint|merge)", first[2], re.I):
        return None
    shown = git(clone, "show", "-U0", "-M", "--format=", first[0])
    own = shown.split("diff --git a/" + path)[-1].split("\ndiff --git")[0]
    is_there = any(line.startswith("+") and re.search(rf"\b{name}\b", line) for line in own.split("\n"))
    return None if shown.count("\ndiff --git") > 7 or len(shown) > 40000 or is_there else (first[0][:12], first[2])


def find(asked):
    for commit, when, gone in taken_away(asked.clone, asked.commits, asked.skip):
        for name, where in sorted(gone.items()):
            for path, line, text in left(asked.clone, commit, name, where) if len(name) >= 5 else ():
                fix = mended(asked.clone, commit, when, name, path, text)
                if fix:
                    print(json.dumps({"repository": asked.name, "commit": commit[:12], "name": name, "uses": [[path, line]],
                                      "fix": fix[0], "said": fix[1], "text": text}), flush=True)


def ask(asked):
    rows = [json.loads(line) for line in open(os.path.join(os.path.dirname(__file__), "broken.jsonl"))]
    answers, expected = {}, {}
    for row in rows:
        expected.setdefault((row["repository"], row["commit"]), []).append(row)
    sums = dict.fromkeys(["commits", "commits with all", "uses", "named", "possible", "else"], 0)
    for (repository, commit), rows in expected.items():
        clone = os.path.join(asked.clones, repository)
        done = subprocess.run([os.path.abspath(asked.program), "diff", f"{commit}^..{commit}", "--json", "--budget", "100000"], cwd=clone, capture_output=True, text=True)
        answer = json.loads(done.stdout)
        named = {(found["path"], found["line"]): found for found in answer.get("broken", [])}
        maybe = {(found["path"], found["line"]) for found in answer.get("possible", []) if "line" in found}
        uses = {(path, line) for row in rows for path, line in row["uses"]}
        missed = uses - named.keys()
        for path, line in sorted(missed):
            print(repository, commit, "possible" if (path, line) in maybe else "MISSED", f"{path}:{line}")
        for place in sorted(named.keys() - uses):
            found = named[place]
            print(repository, commit, "else", f"{place[0]}:{place[1]}", found["fault"], found["expected"], found["certainty"], "|", found["text"][:100])
        sums["commits"] += 1
        sums["commits with all"] += not missed
        sums["uses"] += len(uses)
        sums["named"] += len(uses) - len(missed)
        sums["possible"] += len(missed & maybe)
        sums["else"] += len(named.keys() - uses)
    print(json.dumps(sums))


def main():
    parser = argparse.ArgumentParser()
    what = parser.add_subparsers(required=True)
    finds = what.add_parser("find")
    finds.add_argument("clone")
    finds.add_argument("name")
    finds.add_argument("--commits", type=int, default=5000)
    finds.add_argument("--skip", type=int, default=0)
    finds.set_defaults(run=find)
    asks = what.add_parser("ask")
    asks.add_argument("program")
    asks.add_argument("clones")
    asks.set_defaults(run=ask)
    asked = parser.parse_args()
    asked.run(asked)


if __name__ == "__main__":
    sys.exit(main())
