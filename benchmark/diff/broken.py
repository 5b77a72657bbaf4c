#!/usr/bin/env python3
"""Does `diff` name the callers that real commits forgot?

    broken.py find CLONE NAME [--commits 5000] [--skip 0]      candidates, to be read by hand
    broken.py ask PROGRAM CLONES                               asks about those of broken.jsonl

A candidate is a commit that takes away the only definition of a name, or changes how many parameters it takes, and leaves a use
of it, which a later commit of few files took away, or gave other arguments, within forty days: truth is what the project did itself.
Definitions are found by regular
expressions, so most candidates are none: each of broken.jsonl was read with `git show`, all but gin 865ea804 before an answer was
seen, and so were the other uses of that name in the tree of the commit. A line of it: repository, commit, the names, the places that
were left at that commit, the commit that mended it, whether it is a signature that changed. `ask` compares with `diff COMMIT^..COMMIT` in CLONES/REPOSITORY:
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


WORD = re.compile(r"[A-Za-z_]\w{4,}")
QUIET = re.compile(r"^(revert|style|format|black|lint|merge)", re.I)


def git(clone, *args):
    return subprocess.run(["git", "-C", clone, *args], capture_output=True).stdout.decode("utf8", "replace")


def ending(path):
    return path.rsplit(".", 1)[-1]


def history(clone, commits, skip):
    """Of each commit, oldest first: its id, date, subject and files: the old path, the new one, runs of lines before and after."""
    log = subprocess.Popen(["git", "-C", clone, "log", "--no-merges", "--reverse", "-p", "-U0", "-M", "--format=%x01%H %ct %s",
                            "-n", str(commits), "--skip", str(skip), "--", *["*." + each for each in FAMILY]], stdout=subprocess.PIPE)
    commit, when, said, files = None, 0, "", []
    for raw in log.stdout:
        line = raw.decode("utf8", "replace").rstrip("\n")
        if line.startswith("\x01"):
            if commit:
                yield commit, when, said, files
            commit, when, said = line[1:].split(" ", 2)
            when, files = int(when), []
        elif line.startswith("--- "):
            files.append([line[6:], None, []])
        elif line.startswith("+++ ") and files and files[-1][1] is None:
            files[-1][1] = line[6:]
        elif line.startswith("@@") and files:
            files[-1][2].append(([], []))
        elif line[:1] in ("+", "-") and files and files[-1][2]:
            files[-1][2][-1][line[0] == "+"].append(line[1:])
    if commit:
        yield commit, when, said, files


def given(text, name):
    """How many arguments stand in the brackets behind a name; None where these do not end in the line."""
    at = re.search(rf"\b{name}\s*(?:<[^()]*>|\[[^()]*\])?\(", text)
    depth, commas, is_open = 1, 0, False
    for char in text[at.end():] if at else "":
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return commas + is_open
        is_comma = char == "," and depth == 1
        commas, is_open = commas + (is_comma and is_open), not is_comma and (is_open or not char.isspace())
    return None


def heads(files):
    """Definitions that a commit takes away and that it adds: by name, path and line."""
    both = {}, {}
    for old, new, runs in files:
        family = FAMILY.get(ending(old)) or FAMILY.get(ending(new or ""))
        for run in runs if family else []:
            for found, path, lines in zip(both, (old, new), run):
                for line in lines:
                    match = family[1].search(line)
                    name = match and next((group for group in match.groups() if group), None)
                    if name and len(name) >= 5:
                        found.setdefault(name, (path, line.strip()))
    return both


def mended(files, broken, when):
    """Uses that a small commit takes away or gives other arguments: what became of the name before, the name, path, line."""
    for old, _, runs in files:
        family = FAMILY.get(ending(old))
        if not family:
            continue
        added = {word for _, lines in runs for line in lines for word in WORD.findall(line)}
        for removed, instead in runs:
            for line in removed:
                code = re.sub(r"//.*|#(?!include).*|\"[^\"]*\"|'[^']*'|`[^`]*`", "", line)
                if re.match(r"\s*(//|\*|/\*|\"\"\"|--)", line):
                    continue
                for name in sorted(set(WORD.findall(code)) & broken.keys()):
                    is_gone, commit, date, path, head = broken[name]
                    if when - date > DAYS * 86400 or ending(path) not in family[0]:
                        continue
                    was = given(code, name)
                    others = {given(other, name) for other in instead} - {None, was}
                    if (name not in added) if is_gone else (was is not None and others):
                        yield broken[name], name, old, line.strip()


def places(clone, commit, is_gone, name, path, text):
    """Where a line stands at a commit that has the only definition of a name, or none any more."""
    endings, head = FAMILY[ending(path)]
    out = git(clone, "grep", "-n", "-w", "-I", "-e", name, commit, "--", *["*." + each for each in endings])
    rows = [row.split(":", 3)[1:] for row in out.split("\n") if row.count(":") >= 3]
    defined = sum(bool((found := head.search(row[2])) and name in found.groups()) for row in rows)
    if defined != (not is_gone) or len(rows) > 40 or text not in git(clone, "show", f"{commit}^:{path}"):
        return []
    return [[path, int(line)] for where, line, code in rows if where == path and code.strip() == text]


def find(asked):
    broken = {}
    for commit, when, said, files in history(asked.clone, asked.commits, asked.skip):
        before, after = heads(files)
        if len(files) <= 8 and not QUIET.search(said):
            for (is_gone, of, _, _, head), name, path, text in mended(files, broken, when):
                uses = places(asked.clone, of, is_gone, name, path, text) if name not in before else []
                if uses:
                    print(json.dumps({"repository": asked.name, "commit": of[:12], "names": [name], "uses": uses, "fix": commit[:12],
                                      "said": said, "text": text[:200], "head": head[:300]}), flush=True)
        for name, (path, head) in before.items() if len(files) <= 40 else ():
            other = after.get(name, ("", ""))
            if name not in after:
                broken[name] = True, commit, when, path, head
            elif other[0] == path and None not in (counts := (given(head, name), given(other[1], name))) and counts[0] != counts[1]:
                broken[name] = False, commit, when, path, f"{head} => {other[1]}"
        for name in after:
            if name in broken and broken[name][0]:
                del broken[name]


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
