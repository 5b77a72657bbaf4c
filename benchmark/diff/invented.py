#!/usr/bin/env python3
"""Does `diff` tell a name that somebody made up?

    invented.py PROGRAM CLONE [--calls 100] [--seed 1]     makes up the name of one call after the other
    invented.py PROGRAM CLONE --commits 100 [--seed 1]     what it tells of commits as they are, to be read

A call that the graph resolved, of a function or method of the repository, gets a name that nothing has (`render` becomes
`renderEverything`), alone in a clean work tree. *Told* is the line as a name that leads nowhere; anything else that is told so is
printed, since the rest of the tree is as it was. Commits are taken at random among those without merges; nothing says which of their
names were wrong, so each that is told is printed.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess

ENDINGS = {"py": r"^\s*(?:async )?def (\w{4,})\(", "go": r"^func (?:\([^)]*\) )?(\w{4,})[\[(]",
           "ts": r"^\s*(?:export )?(?:async )?function\*? (\w{4,})|^\s+(?:public |private |protected |static |async )*(\w{4,})\([^;]*\{$"}
for each in ("tsx", "js", "jsx", "mjs"):
    ENDINGS[each] = ENDINGS["ts"]
ENDINGS.update({
    "rb": r"^\s*def (?:self\.)?(\w{4,})", "php": r"^\s*(?:[a-z]+ )*function &?(\w{4,})\(", "rs": r"^\s*(?:pub(?:\(\w+\))? )?(?:[a-z]+ )*fn (\w{4,})",
    "swift": r"^\s*(?:[a-z@]+ )*func (\w{4,})", "kt": r"^\s*(?:[a-z]+ )*fun (?:<[^>]*> )?(\w{4,})\(",
    "java": r"^\s+(?:[a-z]+ )*[\w<>\[\], .?]+ (\w{4,})\([^;=]*\{$", "cs": r"^\s+(?:[a-z]+ )+[\w<>\[\], .?]+ (\w{4,})\([^;=]*\)$"})


def run(*args, cwd):
    return subprocess.run(args, cwd=cwd, capture_output=True).stdout.decode("utf8", "replace")


def names(clone):
    found = set()
    for path in run("git", "ls-files", cwd=clone).splitlines():
        head = ENDINGS.get(path.rsplit(".", 1)[-1])
        if head and (clone / path).is_file():
            text = (clone / path).read_bytes().decode("utf8", "replace")
            found.update(name for groups in re.findall(head, text, re.M) for name in ([groups] if isinstance(groups, str) else groups) if name)
    return sorted(name for name in found if not name.startswith("__"))


def told(program, clone, *range_):
    answer = run(program, "diff", *range_, "--json", "--budget", "100000", cwd=clone)
    broken = json.loads(answer or "{}").get("broken", [])
    return [one for one in broken if one["fault"] in ("absent", "nowhere")]


def line_of(one):
    return f"{one['path']}:{one['line']} {one['expected']} | {one.get('reason') or ''} | {one['text'][:100]}"


def calls(program, clone, name):
    answer = json.loads(run(program, "refs", name, "--json", "--budget", "20000", cwd=clone) or "{}")
    for file in answer.get("files", []):
        if file["path"].rsplit(".", 1)[-1] in ENDINGS:
            for use in file.get("uses", []):
                if use["kind"] == "call" and use["certainty"] == "resolved":
                    yield file["path"], use["line"], use["col"]


def invent(args, clone):
    pool = names(clone)
    random.Random(args.seed).shuffle(pool)
    counts, asked = {"member": [0, 0], "bare": [0, 0]}, 0
    for name in pool:
        if asked == args.calls:
            break
        found = sorted(calls(args.program, clone, name))
        if not found:
            continue
        path, number, col = random.Random(name).choice(found)
        before = (clone / path).read_bytes()
        lines = before.split(b"\n")
        line, start = lines[number - 1], None
        for at in (col, col - 1):
            if line[at:at + len(name)] == name.encode():
                start = at
        if start is None:
            continue
        made_up = name + ("_everything" if "_" in name or path.endswith((".py", ".rb", ".rs")) else "Everything")
        lines[number - 1] = line[:start] + made_up.encode() + line[start + len(name):]
        way = "member" if line[:start].rstrip().endswith((b".", b"->", b"::")) else "bare"
        try:
            (clone / path).write_bytes(b"\n".join(lines))
            found = told(args.program, clone)
        finally:
            (clone / path).write_bytes(before)
        asked += 1
        hit = [one for one in found if (one["path"], one["line"]) == (path, number)]
        counts[way][0] += bool(hit)
        counts[way][1] += 1
        if not hit:
            print(f"not told: {path}:{number} {made_up} | {line.decode('utf8', 'replace').strip()[:100]}")
        for one in found:
            if one not in hit:
                print("besides:", line_of(one))
    print(f"{clone.name}: " + ", ".join(f"{way} {hits} of {of}" for way, (hits, of) in counts.items()))


def read(args, clone):
    commits = run("git", "log", "--no-merges", "--format=%h", "-n", "1500", cwd=clone).split()
    random.Random(args.seed).shuffle(commits)
    count = 0
    for commit in commits[:args.commits]:
        for one in told(args.program, clone, f"{commit}^..{commit}"):
            count += 1
            print(commit, line_of(one))
    print(f"{clone.name}: {count} told in {len(commits[:args.commits])} commits")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("clone", type=pathlib.Path)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--commits", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.program = str(pathlib.Path(args.program).resolve())
    (read if args.commits else invent)(args, args.clone.resolve())


if __name__ == "__main__":
    main()
