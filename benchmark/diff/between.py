#!/usr/bin/env python3
"""What do two builds tell of the same changes?

    between.py OLD NEW CLONE [CLONE ...] [--changes 7] [--steps 1,20] [--seed 3]

Asks both builds for `diff` of changes at random along the first parents, of so many commits each, and prints what one tells to be
broken and the other does not: each line is to be read, since nothing says who is right. Each build gets a clone of its own.
"""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import tempfile


def git(*args, cwd):
    return subprocess.run(["git", *args], cwd=cwd, capture_output=True, text=True, check=True).stdout


def told(program, clone, change):
    out = subprocess.run([program, "diff", change, "--json", "--budget", "100000"], cwd=clone, capture_output=True, text=True)
    if out.returncode not in (0, 1):
        return None
    broken = json.loads(out.stdout or "{}").get("broken", [])
    return {tuple(one[key] for key in ("path", "line", "fault", "expected")): one for one in broken}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("clones", nargs="+", type=pathlib.Path)
    parser.add_argument("--changes", type=int, default=7)
    parser.add_argument("--steps", default="1,20")
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()
    for clone in args.clones:
        counts = collections.Counter()
        with tempfile.TemporaryDirectory() as scratch:
            clones = [pathlib.Path(scratch) / name for name in ("old", "new")]
            for own in clones:
                git("clone", "-q", str(clone.resolve()), str(own), cwd=scratch)
            commits = git("rev-list", "--first-parent", "HEAD", cwd=clones[0]).split()
            chosen = random.Random(args.seed)
            for _ in range(args.changes):
                commit = chosen.choice(commits[:-40] or commits)
                for step in args.steps.split(","):
                    change = f"{commit}~{step}..{commit}"
                    old, new = told(args.old, clones[0], change), told(args.new, clones[1], change)
                    if old is None or new is None:
                        counts["not answered"] += 1
                        continue
                    counts.update(old=len(old), new=len(new))
                    for mark, these, those in (("-", old, new), ("+", new, old)):
                        for key in these.keys() - those.keys():
                            counts[mark] += 1
                            one = these[key]
                            print(mark, commit[:10], step, *key, one["certainty"], "|", one["text"][:90])
        print(clone.name, dict(counts), flush=True)


if __name__ == "__main__":
    main()
