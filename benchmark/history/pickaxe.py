#!/usr/bin/env python3
"""Compares `git sverklo history -F NAME` with `git log -S NAME`.

    pickaxe.py CLONES [--each 30] [--seed TEXT] [--program git-sverklo] REPOSITORY...

Names are those of functions and methods, drawn as `lines.py` draws them. git is asked for commits that are no merges
and change how often the name occurs, without following renames, and whatever its capitals where it has none, as history
does. A commit that git has and history has not is

    lines     one that changes how often the name occurs, and not on how many lines: history counts lines
    binary    one whose lines with the name are in files that git calls binary: history reads no such
    missed    none of these: printed, to be read

and `extra` are those that history has and git has not, merges apart. Of these

    moved     files with the name have other names or it is in others now, as often as before
    often     it is on more lines or on fewer, as often as before
    text      a file with it is binary for git on one side, and a text on the other
    rest      none of these: printed, to be read

CLONES is the folder of the clones.
"""
import argparse, os, random
from lines import ASIDE, SOURCE, ask, functions, run


def drawn(repo, name, args):
    rng = random.Random(name + args.seed)
    files = run(repo, "git", "ls-files").decode(errors="replace").splitlines()
    files = [path for path in files if SOURCE.search(path) and not ASIDE.search(path)]
    rng.shuffle(files)
    names = []
    for path in files:
        if len(names) == args.each:
            break
        own = sorted({found["name"].split(".")[-1].split("~")[0] for found in functions(ask(repo, args.program, "symbol", path))})
        own = [one for one in own if len(one) >= 6 and one not in names]
        if own:
            names.append(rng.choice(own))
    return names


def folded(line, name):
    """What a line of a difference says, in small letters where the name has no others."""
    return line[1:].lower() if name == name.lower() else line[1:]


def counts(repo, commit, name):
    """By how much a commit changes the lines that hold a name, and how often it occurs in them."""
    lines = often = 0
    difference = run(repo, "git", "show", "-m", "--first-parent", "--no-renames", "--format=", "-U0", "--text", commit)
    for line in difference.split(b"\n"):
        if line[:1] in (b"+", b"-") and line[:4] not in (b"+++ ", b"--- ") and name in folded(line, name):
            sign = 1 if line[:1] == b"+" else -1
            lines, often = lines + sign, often + sign * folded(line, name).count(name)
    return lines, often


def binary(repo, commit):
    """Files of a commit that are binary for git, before or after."""
    numbers = run(repo, "git", "show", "-m", "--first-parent", "--no-renames", "--format=", "--numstat", commit)
    rows = (line.split(b"\t") for line in numbers.split(b"\n"))
    return {row[2] for row in rows if len(row) == 3 and row[0] == b"-"}


def by_file(repo, commit, name):
    """How the lines of each file change."""
    files, path = {}, b""
    difference = run(repo, "git", "show", "-m", "--first-parent", "--no-renames", "--format=", "-U0", "--text", commit)
    for line in difference.split(b"\n"):
        if line[:4] in (b"+++ ", b"--- "):
            path = line[6:] if line[4:6] in (b"a/", b"b/") else path
        elif line[:1] in (b"+", b"-") and name in folded(line, name):
            files[path] = files.get(path, 0) + (1 if line[:1] == b"+" else -1)
    return {path: change for path, change in files.items() if change}


def compare(repo, name, args, total):
    case = ["-i"] if name == name.lower() else []
    git = set(run(repo, "git", "log", "--no-merges", "--no-renames", "--text", "--format=%H", *case, "-S", name).decode().split())
    answer = ask(repo, args.program, "history", "-F", name, "-n", "1000")
    versions = answer.get("versions", [])
    ours = {version["commit"]["id"] for version in versions if version.get("commit")}
    paths = {version["commit"]["id"]: {version.get("path", answer.get("path", ""))} for version in versions if version.get("commit")}
    if len(versions) < answer.get("total", 0):
        return
    merges = set(run(repo, "git", "rev-list", "--merges", "HEAD").decode().split())
    text = name.encode()
    total["names"] += 1
    total["both"] += len(git & ours)
    for commit in git - ours:
        of = by_file(repo, commit, text)
        kind = "lines" if not of else "binary" if of.keys() <= binary(repo, commit) else "missed"
        total[kind] += 1
        if kind == "missed":
            print(f"  missed {name} {commit[:10]} {of}", flush=True)
    for commit in ours - git - merges:
        lines, often = counts(repo, commit, text)
        kind = "moved" if lines == 0 and by_file(repo, commit, text) else "often" if lines and not often else "rest"
        if kind == "rest" and any(path.encode() in binary(repo, commit) for path in paths.get(commit, ())):
            kind = "text"
        total[kind] += 1
        if kind == "rest":
            print(f"  extra {name} {commit[:10]} {lines} {often}", flush=True)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("clones")
    args.add_argument("--each", type=int, default=30)
    args.add_argument("--seed", default="")
    args.add_argument("--program", default="git-sverklo")
    args.add_argument("repository", nargs="+")
    args = args.parse_args()
    columns = ("names", "both", "lines", "binary", "missed", "moved", "often", "text", "rest")
    for name in args.repository:
        repo, total = os.path.join(args.clones, name), dict.fromkeys(columns, 0)
        for one in drawn(repo, name, args):
            compare(repo, one, args, total)
        print(name, total, flush=True)


if __name__ == "__main__":
    main()
