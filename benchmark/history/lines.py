#!/usr/bin/env python3
"""Compares `git sverklo history` of functions with `git log -L` of their lines.

    lines.py CLONES [--each 30] [--seed TEXT] [--program git-sverklo] REPOSITORY...

Of each repository functions and methods of seven lines and more are drawn from files that are no tests (seed: its
name and the text), as their places are now. A commit that git has and history has not is

    blank     one that changed only empty lines there
    before    older than the beginning of the function: git goes on with the lines that stood there
    missed    none of these: printed with the lines that it changed, to be read

and `extra` are those that history has and git has not, merges apart. Of these

    moved     at or before a version that has another name, file or container, or was taken away for a while
    side      `git log -L` names it when it begins at that commit: it is on a side of a merge that git left, or its
              lines were lost on the way
    above     what changed stands above the lines: comments, decorators, attributes
    end       lines were taken away at its end, which is none of its lines now
    rest      none of these: printed, to be read

CLONES is the folder of the clones.
"""
import argparse, json, os, random, re, subprocess, time

SOURCE = re.compile(r"\.(py|js|ts|tsx|go|rs|c|h|cc|cpp|java|kt|rb|cs|swift)$")
ASIDE = re.compile(r"test|spec|example|fixture|playground|docs")


def run(repo, *command):
    return subprocess.run(command, cwd=repo, capture_output=True).stdout


def ask(repo, program, *args):
    out = run(repo, program, *args, "--json", "--budget", "20000")
    return json.loads(out) if out else {}


def functions(found):
    """All functions of an answer that are long enough, wherever they stand in it."""
    if isinstance(found, dict):
        if found.get("kind") in ("function", "method") and found.get("end", 0) - found.get("start", 0) >= 6:
            yield found
        found = list(found.values())
    if isinstance(found, list):
        for part in found:
            yield from functions(part)


def history(repo, program, place):
    answer = ask(repo, program, "history", place, "-n", "1000")
    versions = answer.get("versions", [])
    while versions and len(versions) < answer["total"]:
        more = ask(repo, program, "history", place, "-n", "1000", "--offset", str(len(versions)))["versions"]
        if not more:
            break
        versions += more
    # Of a file something else was followed than the function.
    return versions if "#" in answer.get("subject", "") else []


def lines_of(repo, start, end, path):
    """By commit, the lines that it added and removed there."""
    out = run(repo, "git", "log", "--no-merges", f"-L{start},{end}:{path}", "--format=%x01%H").decode(errors="replace")
    found = {}
    for part in out.split("\x01")[1:]:
        commit, *lines = part.splitlines()
        found[commit] = [l for l in lines if l[:1] in ("+", "-") and not l.startswith(("+++", "---"))]
    return found


def names_it(repo, commit, path, start, end):
    """Whether git names a commit as the newest that changed some lines, asked at that commit."""
    out = run(repo, "git", "log", "-1", f"-L{start},{end}:{path}", "--format=%x01%H", commit).decode(errors="replace")
    return out.lstrip("\n").startswith("\x01" + commit)


def above(repo, commit, path, start):
    """Where the comments and decorators begin that stand right above a line."""
    text = run(repo, "git", "show", f"{commit}:{path}").decode(errors="replace").split("\n")
    at, is_inside = start - 1, False
    while at > 0 and (is_inside or re.match(r"\s*(//|/?\*|#|@|\[|\"\"\"|template\b)|.*\*/\s*$", text[at - 1])):
        is_inside = "/*" not in text[at - 1] and (is_inside or "*/" in text[at - 1])
        at -= 1
    return at + 1


def why(repo, versions, at):
    """Why history has a version that git has not."""
    version = versions[at]
    if "start" not in version:
        return "rest"
    commit, path, start, end = version["commit"]["id"], version["path"], version["start"], version["end"]
    others = {"moved", "renamed", "removed", "brought back", "copied"}
    if others & {word for newer in versions[:at + 1] for word in newer["did"]}:
        return "moved"
    if names_it(repo, commit, path, start, end):
        return "side"
    first = above(repo, commit, path, start)
    if first < start and names_it(repo, commit, path, first, end):
        return "above"
    if names_it(repo, commit, path, start, end + 1):
        return "end"
    return "rest"


def measure(args, name):
    repo, rng = os.path.join(args.clones, name), random.Random(name + args.seed)
    files = run(repo, "git", "ls-files").decode(errors="replace").splitlines()
    files = [path for path in files if SOURCE.search(path) and not ASIDE.search(path)]
    rng.shuffle(files)
    row = dict(functions=0, both=0, missed=0, before=0, blank=0, extra=0, moved=0, side=0, above=0, end=0, rest=0)
    took = dict(ours=0.0, git=0.0)
    for path in files:
        if row["functions"] >= args.each:
            break
        all_of = list(functions(ask(repo, args.program, "symbol", path)))
        if not all_of:
            continue
        chosen = rng.choice(all_of)
        start, end = chosen["start"], chosen["end"]
        begin = time.monotonic()
        versions = history(repo, args.program, f"{path}:{start}-{end}")
        took["ours"] += time.monotonic() - begin
        if not versions:
            continue
        ours = {version["commit"]["id"]: version for version in versions if "commit" in version}
        begin = time.monotonic()
        git = lines_of(repo, start, end, path)
        took["git"] += time.monotonic() - begin
        row["functions"] += 1
        row["both"] += len(ours.keys() & git.keys())
        for at, version in enumerate(versions):
            commit = version.get("commit", {}).get("id")
            if commit is None or commit in git or version.get("merge"):
                continue
            reason = why(repo, versions, at)
            row["extra"] += 1
            row[reason] += 1
            if reason == "rest":
                print("extra", name, commit[:10], f"{version['path']}:{version.get('start')}-{version.get('end')}",
                      version["did"], flush=True)
        oldest = versions[-1]["commit"]["id"]
        for commit in git.keys() - ours.keys():
            is_older = ["git", "merge-base", "--is-ancestor", commit, oldest]
            if all(not line[1:].strip() for line in git[commit]):
                row["blank"] += 1
            elif subprocess.run(is_older, cwd=repo).returncode == 0:
                row["before"] += 1
            else:
                row["missed"] += 1
                print("missed", name, commit[:10], f"{path}:{start}-{end}", git[commit][:6], flush=True)
    print(name, row, f"ours {took['ours']:.1f} s, git {took['git']:.1f} s", flush=True)
    return row


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones")
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--each", type=int, default=30)
    parser.add_argument("--seed", default="")
    parser.add_argument("--program", default="git-sverklo")
    args = parser.parse_args()
    rows = [measure(args, name) for name in args.repositories]
    print("all", {key: sum(row[key] for row in rows) for key in rows[0]})
