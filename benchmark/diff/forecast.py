#!/usr/bin/env python3
"""How often `diff --with` finds pairs of branches that merge cleanly and do not compile.

    forecast.py seed LANGUAGE CLONE PAIRS OUT [--seed N] [--tsc FILE] [--targets "--lib --tests"] [--kinds "K;..."]
    forecast.py ask PROGRAM OUT... [--clones DIR]

CLONE is a clone of a repository that may be changed freely. `seed` makes PAIRS pairs that are broken and PAIRS that are
sound, of the kinds in pairs.py, none of which is taken more often than its share. One side of a pair changes something with all that
use it, the other adds something: each compiles. The truth is what the compiler or type checker of the language says of
the merged tree and of neither branch. Pairs of which a branch alone does not compile, or that collide in text, are
thrown away. Their commits stay in the clone under refs/pairs. `ask` asks the program about each pair in OUT, a line of JSON a pair,
and says what it found, then the sums: *found* is any conflict, *placed* one at a line of which the compiler complains.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys

from pairs import KINDS, LANGUAGES, Tree

COMPLAINT = re.compile(r"\berror(?:\[E\d+\])?:|error TS\d+|^vet:|^\S+\.go:\d")
PLACE = re.compile(r"^(?:vet: )?(?:\./)?([^\s:(]+)[:(](\d+)")


class Clone:
    def __init__(self, path):
        self.path = path
        self.git("config", "gc.auto", "0")
        self.base = self.git("rev-parse", "HEAD")

    def git(self, *args, env=None):
        who = ["-c", "user.name=seed", "-c", "user.email=seed@localhost"]
        done = subprocess.run(["git", "-C", self.path, *who, *args], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def commit(self, files):
        """Some texts on top of the base."""
        self.git("checkout", "-q", "-f", "--detach", self.base)
        for path, text in files.items():
            whole = os.path.join(self.path, path)
            if text is None:
                os.remove(whole)
                continue
            with open(whole, "w") as file:
                file.write(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "seed")
        return self.git("rev-parse", "HEAD")

    def errors(self, commit, check):
        """Complaints by what they say: a line moves with the code above it."""
        self.git("checkout", "-q", "-f", "--detach", commit)
        done = subprocess.run(check, shell=True, cwd=self.path, capture_output=True, text=True, timeout=600)
        lines = [line for line in (done.stdout + done.stderr).splitlines() if COMPLAINT.search(line)]
        return {re.sub(r"(:\d+)+|\(\d+,\d+\)", "", line): line for line in lines}

    def merged(self, ours, theirs):
        """The commit of a clean merge; None where text collides."""
        try:
            tree = self.git("merge-tree", "--write-tree", ours, theirs)
        except RuntimeError:
            return None
        return self.git("commit-tree", "-p", ours, "-m", "merged", tree.split()[0])


def seed(asked):
    language = LANGUAGES[asked.language]
    check = language.check.replace("TSC", asked.tsc).replace("TARGETS", asked.targets)
    chance = random.Random(asked.seed)
    clone = Clone(asked.clone)
    tree = Tree(clone, language)
    known = clone.errors(clone.base, check)
    wanted = {True: asked.pairs, False: asked.pairs}
    # A kind gives so many of each fate, and is given up after so many tries.
    share = max(2, asked.pairs // (5 if not asked.kinds else 1))
    given, tries, seen = {}, {}, set()
    kinds = [kind for kind in KINDS if not asked.kinds or kind in asked.kinds]
    with open(asked.out, "a") as out:
        while any(wanted.values()) and kinds:
            kind = chance.choice(kinds)
            tries[kind] = tries.get(kind, 0) + 1
            if tries[kind] > 4 * share + 8:
                kinds.remove(kind)
                continue
            try:
                made = KINDS[kind](tree, chance)
            except OSError:
                made = None
            if not made or not made[1] or not made[2] or (kind, made[0]) in seen:
                continue
            seen.add((kind, made[0]))
            name, change, adds = made
            try:
                ends = [clone.commit(change), clone.commit(adds)]
            except (RuntimeError, OSError):
                continue
            if sum(tries.values()) % 2:
                ends.reverse()
            merged = clone.merged(*ends)
            if merged is None or any(clone.errors(end, check).keys() - known.keys() for end in ends):
                continue
            errors = clone.errors(merged, check)
            fresh = sorted(errors[what] for what in errors.keys() - known.keys())
            is_broken = bool(fresh)
            if not wanted[is_broken] or given.get((kind, is_broken), 0) >= share:
                continue
            given[kind, is_broken] = given.get((kind, is_broken), 0) + 1
            wanted[is_broken] -= 1
            for end in ends:
                clone.git("update-ref", "refs/pairs/" + end, end)
            row = {"clone": os.path.basename(asked.clone.rstrip("/")), "language": asked.language, "kind": kind, "name": name,
                   "ours": ends[0], "theirs": ends[1], "broken": is_broken, "errors": fresh[:8]}
            out.write(json.dumps(row) + "\n")
            out.flush()
    clone.git("checkout", "-q", "-f", "--detach", clone.base)


def ask(asked):
    sums = {}
    for row in [json.loads(line) for path in asked.out for line in open(path)]:
        clone = Clone(os.path.join(asked.clones, row["clone"]))
        clone.git("checkout", "-q", "-f", "--detach", row["ours"])
        args = [os.path.abspath(asked.program), "diff", "--with", row["theirs"], "--json", "--budget", "20000"]
        done = subprocess.run(args, cwd=clone.path, capture_output=True, text=True)
        merge = json.loads(done.stdout)["merges"][0]
        conflicts = merge.get("conflicts", [])
        complained = {(found[1], int(found[2])) for found in map(PLACE.match, row["errors"]) if found}
        is_placed = any((c["path"], c["line"]) in complained for c in conflicts)
        sure = any(found["certainty"] == "resolved" for found in conflicts)
        for who in (row["language"], "all"):
            sum = sums.setdefault(who, dict.fromkeys(["broken", "found", "placed", "surely", "sound", "alarms", "sure alarms"], 0))
            if row["broken"]:
                sum["broken"] += 1
                sum["found"] += bool(conflicts)
                sum["placed"] += is_placed
                sum["surely"] += sure
            else:
                sum["sound"] += 1
                sum["alarms"] += bool(conflicts)
                sum["sure alarms"] += sure
        verdict = ("found" if is_placed else "elsewhere" if conflicts else "MISSED") if row["broken"] else ("ALARM" if conflicts else "quiet")
        said = [f"{c['clash']} {c['path']}:{c['line']} {c['expected']} {c['certainty']}" for c in conflicts[:3]]
        print(json.dumps({"verdict": verdict, "said": said, "fate": merge["fate"], **row}), flush=True)
    for who, sum in sums.items():
        print(json.dumps({"of": who, **sum}))


def main():
    parser = argparse.ArgumentParser()
    what = parser.add_subparsers(required=True)
    made = what.add_parser("seed")
    made.add_argument("language", choices=LANGUAGES)
    made.add_argument("clone")
    made.add_argument("pairs", type=int)
    made.add_argument("out")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--tsc", default="tsc")
    made.add_argument("--targets", default="--workspace")
    made.add_argument("--kinds", type=lambda text: text.split(";"))
    made.set_defaults(run=seed)
    answered = what.add_parser("ask")
    answered.add_argument("program")
    answered.add_argument("out", nargs="+")
    answered.add_argument("--clones", default=".")
    answered.set_defaults(run=ask)
    asked = parser.parse_args()
    asked.run(asked)


if __name__ == "__main__":
    sys.exit(main())
