#!/usr/bin/env python3
"""Dead or alive, by deletion: is what `symbol` says of a definition what happens when it is taken away?

    alive.py CHECKOUT --ending .go --check 'go vet ./...' [--count 50] [--seed 1] [--program git-sverklo]
             [--under FOLDER] > found.jsonl

Definitions are drawn by seed: half of those that are called unused, in tests alone or for others, half of the
rest. Each is deleted from a checkout that nobody else works in, the check runs, and the definition is put back. A
check finds a definition missing when it says something that it did not say before. One JSON object a definition:
what was said, whether the check missed it, and how often its name stands elsewhere as a word. What a check does
not see (a call by reflection, by a framework, by those who import a library) is for people to read.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys

KINDS = {"function", "method", "class", "struct", "interface", "trait", "enum", "type", "constant", "macro"}
# Targets of one question.
BATCH = 20
# Seconds that a check may take.
PATIENCE = 300
DEAD = ("nothing known uses it", "dead: its name stands nowhere else", "all its own")
EXPORTED = "unused here, for others to use"


def ask(program, checkout, targets):
    """What `symbol` answers to each of some targets."""
    command = [program, "symbol", *targets, "--json", "--budget", "100000", "-n", "50"]
    said = subprocess.run(command, cwd=checkout, capture_output=True, text=True).stdout
    answer = json.loads(said)
    return answer.get("answers", [answer])


def batches(items):
    return (items[at : at + BATCH] for at in range(0, len(items), BATCH))


def definitions(program, checkout, paths):
    """All definitions of some files, as (path, first line, last line, kind, qualified name)."""
    found = []
    for some in batches(paths):
        for answer in ask(program, checkout, some):
            for outline in answer.get("outlines", []):
                for of in outline["members"]:
                    if of["kind"] in KINDS:
                        found.append((outline["path"], of["start"], of["end"], of["kind"], of["name"]))
    return found


def judged(program, checkout, found):
    """What is said of each definition: `dead`, `exported`, `tests`, `used`, `perhaps`, or the words of it."""
    for some in batches(found):
        answers = ask(program, checkout, [f"{path}::{name}" for path, _, _, _, name in some])
        for of, answer in zip(some, answers):
            cards = answer.get("cards", []) + answer.get("near", [])
            card = next((c for c in cards if (c["path"], c["start"]) == of[:2]), None)
            if card is not None:
                yield of, said(card), card.get("verdict", ""), card.get("uses", 0)


def said(card):
    verdict = card.get("verdict")
    if verdict is None:
        return "used" if card.get("uses", 0) else "perhaps"
    if verdict in DEAD:
        return "dead"
    if verdict == EXPORTED:
        return "exported"
    return "tests" if verdict.startswith("all in tests") else "called"


def complaints(check, checkout):
    """What a check says, without what differs from run to run: numbers, and how long it took."""
    try:
        run = subprocess.run(check, shell=True, cwd=checkout, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return {"timeout"}
    lines = (run.stdout + run.stderr).splitlines()
    told = {re.sub(r"\d+(\.\d+)?", "N", line).strip() for line in lines if re.search(r"(?i)error|fail|undefined|unresolved|cannot|missing", line)}
    return told | ({"exit"} if run.returncode else set())


def without(text, start, end):
    """A file without some lines and without the decorators above them. Python needs a body."""
    lines = text.splitlines(keepends=True)
    first = start - 1
    while first > 0 and re.match(r"\s*(@|#\[)", lines[first - 1]):
        first -= 1
    indent = re.match(r"\s*", lines[start - 1]).group()
    filler = [f"{indent}pass\n"] if re.match(r"\s*(async )?(def|class) ", "".join(lines[first:end]).lstrip("@")) or any(
        re.match(r"\s*(async )?(def|class) .*:", line) for line in lines[first:end][:9]
    ) else []
    return "".join(lines[:first] + filler + lines[end:])


def elsewhere(checkout, paths, of):
    """How often the name stands as a word outside of the definition, in comments too."""
    path, start, end, _, name = of
    word = re.compile(r"(?<![\w$])" + re.escape(re.split(r"[.:#]+", name)[-1]) + r"(?![\w$])")
    total = 0
    for other in paths:
        for number, line in enumerate((checkout / other).read_text(errors="replace").splitlines(), 1):
            if not (other == path and start <= number <= end):
                total += len(word.findall(line))
    return total


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("checkout", type=pathlib.Path)
    arguments.add_argument("--ending", required=True, action="append")
    arguments.add_argument("--check", default="")
    arguments.add_argument("--count", type=int, default=50)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--program", default="git-sverklo")
    arguments.add_argument("--under", default="")
    args = arguments.parse_args()
    checkout = args.checkout.resolve()
    listed = subprocess.run(["git", "ls-files"], cwd=checkout, capture_output=True, text=True).stdout.split("\n")
    paths = [path for path in listed if path.endswith(tuple(args.ending)) and (checkout / path).is_file()]
    tests = re.compile(r"(^|/)(tests?|examples?|_?examples|docs?|benches|scripts)/|_test\.|\.test\.|\.spec\.|(^|/)(conftest|setup|test_\w+)\.py")
    product = [path for path in paths if path.startswith(args.under) and not tests.search(path)]
    found = list(judged(args.program, checkout, definitions(args.program, checkout, product)))
    draw = random.Random(args.seed)
    draw.shuffle(found)
    rare = [it for it in found if it[1] in ("dead", "exported", "tests")]
    # What is called dead says most: as much of it as there is, up to a third.
    rare.sort(key=lambda it: it[1] != "dead")
    dead = rare[: args.count // 3]
    rest = rare[args.count // 3 :]
    draw.shuffle(rest)
    chosen = (dead + rest)[: args.count // 2]
    others = [it for it in found if it[1] in ("used", "perhaps", "called")]
    chosen += others[: args.count - len(chosen)]
    before = complaints(args.check, checkout) if args.check else set()
    for of, verdict, words, uses in chosen:
        path, start, end, kind, name = of
        missed = None
        if args.check:
            text = (checkout / path).read_bytes()
            try:
                (checkout / path).write_text(without(text.decode(errors="surrogateescape"), start, end), errors="surrogateescape")
                missed = sorted(complaints(args.check, checkout) - before)[:3]
            finally:
                (checkout / path).write_bytes(text)
        word = elsewhere(checkout, paths, of)
        print(json.dumps({"repo": checkout.name, "path": path, "line": start, "kind": kind, "name": name, "said": verdict, "words": words, "uses": uses, "missed": missed, "elsewhere": word}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
