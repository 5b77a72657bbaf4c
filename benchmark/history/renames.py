#!/usr/bin/env python3
"""Does `git sverklo history` say what a definition was before the commit that renamed or moved it?

    renames.py CLONES [--program git-sverklo] [--cases renames.jsonl] [--all] [REPOSITORY...]

A line of the cases is one definition after one commit, read in the commit's difference by hand: `after` and `before`
are PATH::NAME, containers as far as needed, `#kind` where several have the name; `kind` is renamed, moved (to another
file or container), both, or `not`: nothing that the commit took away is what it was, though something is like it.
The definition is asked about at the commit. An answer is

    right     its version at the commit names what it was (of `not`: no renaming and no move)
    wrong     it names something else as what was renamed or moved
    missed    it says neither
    absent    no such definition is found at the commit

`follow` is `git log --follow` of the same file, for those whose file is another. CLONES is the folder of the clones.
With --all the right ones are printed, too.
"""
import argparse, collections, json, os, subprocess, sys, time

CODE = {"function", "method", "constructor", "class", "struct", "interface", "trait", "enum", "type", "macro", "union",
        "test", "module", "impl"}


def run(repo, *command):
    return subprocess.run(command, cwd=repo, capture_output=True).stdout.decode(errors="replace")


def ask(repo, program, *args):
    out = run(repo, program, *args, "--json", "--budget", "100000")
    return json.loads(out) if out else {}


def parts(name):
    return name.replace("::", ".").replace("#", ".").split(".")


def is_called(name, wanted):
    """Whether a name is the wanted one, as far as that goes."""
    wanted, name = parts(wanted.split("#")[0]), parts(name)
    return name[-len(wanted):] == wanted


def definitions(found, outer=()):
    """All definitions of an outline, with their whole names."""
    if isinstance(found, dict):
        if "kind" in found and "start" in found:
            outer = (*outer, found.get("name", ""))
            yield ".".join(outer), found
        for part in found.values():
            yield from definitions(part, outer)
    if isinstance(found, list):
        for part in found:
            yield from definitions(part, outer)


def places(repo, program, path, wanted, commit):
    answer = ask(repo, program, "symbol", path, "--at", commit)
    kind = wanted.split("#")[1] if "#" in wanted else None
    every = list(definitions(answer.get("outlines", [])))
    # What has its lines for itself is asked about by these, of several of one name and kind each.
    lines = collections.Counter((thing["start"], thing["end"]) for _, thing in every)
    found = [(name, thing) for name, thing in every if is_called(name, wanted)
             and (thing["kind"] == kind if kind else thing["kind"] in CODE)]
    return [f"{path}:{thing['start']}-{thing['end']}" if lines[thing["start"], thing["end"]] == 1
            else f"{path}::{name}#{thing['kind']}" for name, thing in found[:4]]


def judge(repo, program, case):
    """What is said of a case, and the words of it."""
    path, name = case["after"].split("::", 1)
    commit, all_said = case["commit"], []
    verdicts = []
    for place in places(repo, program, path, name, commit):
        answer = ask(repo, program, "history", f"{place}@{commit}", "-n", "3")
        here = [v for v in answer.get("versions", []) if v.get("commit", {}).get("id", "").startswith(commit)]
        verdict = "right" if case["kind"] == "not" else "missed"
        for version in here:
            was = version.get("was")
            all_said.append((version["did"], f"{was['path']}::{was.get('name')}" if was else None))
            if was and {"renamed", "moved"} & set(version["did"]):
                verdict = "wrong"
                if "before" in case and case["kind"] != "not":
                    before, called = case["before"].split("::", 1)
                    if was["path"] == before and is_called(was.get("name", ""), called):
                        verdict = "right"
        verdicts.append(verdict)
    if not verdicts:
        return "absent", all_said
    order = ["wrong", "right", "missed"] if case["kind"] == "not" else ["right", "wrong", "missed"]
    return min(verdicts, key=order.index), all_said


def follow(repo, case):
    """What `git log --follow` makes of the file."""
    before, after = case["before"].split("::")[0], case["after"].split("::")[0]
    out = run(repo, "git", "log", "-1", "--follow", "--name-status", "--format=", case["commit"], "--", after)
    line = (out.split("\n") or [""])[0].split("\t")
    if line[0][:1] in ("R", "C"):
        return "right" if line[1] == before else "wrong"
    return "missed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones")
    parser.add_argument("repositories", nargs="*")
    parser.add_argument("--program", default="git-sverklo")
    parser.add_argument("--cases", default=os.path.join(os.path.dirname(__file__), "renames.jsonl"))
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    count, git, begin = collections.Counter(), collections.Counter(), time.monotonic()
    by_repository = collections.defaultdict(collections.Counter)
    for line in open(args.cases):
        case = json.loads(line)
        if args.repositories and case["repository"] not in args.repositories:
            continue
        repo = os.path.join(args.clones, case["repository"])
        verdict, said = judge(repo, args.program, case)
        count[case["kind"], verdict] += 1
        by_repository[case["repository"]][verdict] += 1
        followed = ""
        if case["kind"] != "not" and case["before"].split("::")[0] != case["after"].split("::")[0]:
            followed = follow(repo, case)
            git[followed] += 1
            count["other file", verdict] += 1
        if verdict != "right" or args.all:
            print(verdict, case["repository"], case["commit"], case["kind"], case.get("before"), "->", case["after"],
                  said, followed and f"follow {followed}", flush=True)
    for name, of in by_repository.items():
        print(name, dict(of))
    for kind in ("renamed", "moved", "both", "not", "other file"):
        print(kind, {verdict: n for (of, verdict), n in count.items() if of == kind})
    print("follow", dict(git))
    positive = [(verdict, n) for (kind, verdict), n in count.items() if kind in ("renamed", "moved", "both")]
    right = sum(n for verdict, n in positive if verdict == "right")
    wrong = sum(n for verdict, n in positive if verdict == "wrong") + count["not", "wrong"]
    asked = sum(n for _, n in positive)
    if right:
        print(f"precision {right / (right + wrong):.3f}, recall {right / asked:.3f}, {asked} and "
              f"{sum(n for (kind, _), n in count.items() if kind == 'not')} cases, {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
