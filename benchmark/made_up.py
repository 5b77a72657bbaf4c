#!/usr/bin/env python3
"""Whether who asks for a name that somebody made up gets the name that is meant.

usage: benchmark/made_up.py --program FILE --repository DIR [--repository DIR] [--names 60]

Functions and methods of two words and more are drawn from each repository and changed as a language model changes what it
half remembers:

- suffix: a word behind it (`parseBodyAsync`); by: `ById` behind it
- verb: its first word is another one that means about the same (`fetchUser` for `getUser`)
- dropped: its first or last word is missing
- style: in the other style of words (`parse_body`)
- member: a word before the name of a member, with the right container (`Context.sendJson`)

Right is an answer that says there is no such name and has the real one among those that are near. A changed name that is
there by chance is counted apart.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from moves import CODE, Server  # noqa: E402

VERBS = [("get", "fetch"), ("find", "lookup"), ("create", "make"), ("make", "build"), ("build", "create"), ("remove", "delete"),
         ("delete", "remove"), ("parse", "read"), ("read", "load"), ("load", "read"), ("write", "save"), ("set", "update"),
         ("update", "set"), ("add", "append"), ("is", "check"), ("has", "contains"), ("init", "setup"), ("start", "run"),
         ("run", "execute"), ("send", "post"), ("handle", "process"), ("process", "handle"), ("render", "draw"),
         ("validate", "check"), ("check", "verify"), ("resolve", "lookup"), ("format", "stringify"),
         ("convert", "transform"), ("open", "create"), ("close", "stop"), ("register", "add"), ("apply", "use"),
         ("merge", "combine"), ("fetch", "get"), ("to", "as"), ("list", "all")]


def words(name):
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)


def joined(parts, style):
    if style == "snake":
        return "_".join(part.lower() for part in parts)
    first = parts[0][:1].lower() if style == "camel" else parts[0][:1].upper()
    return first + parts[0][1:] + "".join(part[:1].upper() + part[1:] for part in parts[1:])


def changed(full, chance):
    own = full.split(".")[-1]
    parts = words(own)
    style = "snake" if "_" in own else "camel" if own[0].islower() else "pascal"
    made = {
        "suffix": joined(parts + [chance.choice(["Async", "All", "Data", "Value", "Internal", "Info"])], style),
        "style": joined(parts, "snake" if style != "snake" else "camel"),
        "by": joined(parts + ["By", "Id"], style),
    }
    verb = dict(VERBS).get(parts[0].lower())
    if verb:
        made["verb"] = joined([verb] + parts[1:], style)
    if len(parts) > 2:
        made["dropped"] = joined(parts[:-1] if chance.random() < .5 else parts[1:], style)
    if "." in full:
        longer = joined([chance.choice(["do", "perform", "send", "run"])] + parts, style)
        made["member"] = f"{full.split('.')[-2]}.{longer}"
    return own, made


def names_of(server, repository, chance, most):
    listed = subprocess.run(["git", "ls-files"], cwd=repository, capture_output=True, text=True).stdout.split("\n")
    files = [name for name in listed if name.endswith(CODE) and "test" not in name.lower()]
    names = set()
    for name in chance.sample(files, min(60, len(files))):
        names.update(re.findall(r"(?:function|method) ([\w.]+)", str(server.ask("symbol", {"name": name}))))
    several = sorted(name for name in names if len(words(name.split(".")[-1])) >= 2)
    chance.shuffle(several)
    return several[:most]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--repository", required=True, action="append", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--names", type=int, default=60)
    options = parser.parse_args()
    counts = collections.defaultdict(lambda: [0, 0, 0])
    with tempfile.TemporaryDirectory() as home:
        for repository in options.repository:
            chance = random.Random(11)
            server = Server(options.program, repository, {"HOME": home, "PATH": os.environ["PATH"]})
            for full in names_of(server, repository, chance, options.names):
                own, made = changed(full, chance)
                for kind, name in made.items():
                    answer = str(server.ask("symbol", {"name": name}))
                    right, asked, there = counts[kind]
                    near = answer.partition("near:")[2]
                    found = bool(re.search(rf"\b{re.escape(own)}\b", near))
                    is_there = not answer.startswith("nothing found")
                    counts[kind] = [right + (found and not is_there), asked + (not is_there), there + is_there]
            server.end()
    for kind, (right, asked, there) in sorted(counts.items()):
        print(f"| {kind} | {right} of {asked} | {right / max(1, asked):.2f} | {there} |")
    right, asked = (sum(column) for column in list(zip(*counts.values()))[:2])
    print(f"| all | {right} of {asked} | {right / max(1, asked):.3f} | |")


if __name__ == "__main__":
    main()
