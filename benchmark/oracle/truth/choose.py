"""Chooses symbols from what an oracle resolved, and turns its table of uses into truth.

    python3 choose.py USES.jsonl... > TRUTH.jsonl

Each input is what one of the programs beside this one wrote of one repository: `file`, `def`, `use`
and `import` lines. What is chosen depends on nothing but them. ../README.md describes the shapes.
"""

import collections
import hashlib
import json
import sys

# Symbols a language, one half of each group.
SYMBOLS = 100
# Definitions that a name has at least, to be called colliding.
COLLIDING = 3
# Symbols of one name, and decided definitions of each sort, at most.
OF_ONE_NAME = 2
LIVES = 100
# Uses that the program can be asked for at once.
MOST = 900
# Part of a name's places of which the oracle may not know the meaning.
UNDECIDED = 0.1
CHOSEN = {"function", "method", "class", "struct", "interface", "trait", "enum", "type", "field"}
JUDGED = CHOSEN | {"constant", "variable", "variant"}


def rank(*parts):
    """A number that looks random and is the same everywhere."""
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:8], "big")


def half(repo, symbol):
    return "tune" if rank("half", repo, *symbol["key"]) % 2 == 0 else "held"


class Repo:
    def __init__(self, path):
        self.imports, self.files, self.definitions, self.uses = [], [], [], []
        for line in open(path, encoding="utf-8"):
            line = json.loads(line)
            kind = line["t"]
            if kind == "head":
                self.head = line
            elif kind == "file":
                self.files.append(line)
            elif kind == "def":
                self.definitions.append(line)
            elif kind == "use":
                self.uses.append(line)
            elif kind == "import":
                self.imports.append(line)
        self.symbols = self.group()

    def group(self):
        """Overloads, and a getter and its setter, are one symbol: they have one name in one place."""
        groups = {}
        self.places = {}
        # What the build leaves out is not known to be used or not.
        skipped = {file["path"] for file in self.files if file.get("skipped")}
        for d in self.definitions:
            key = (d["path"], d["container"], d["name"])
            self.places[d["path"], d["line"], d["col"]] = None
            if d.get("optional") or d["path"] in skipped:
                continue
            groups.setdefault(key, {"key": key, "definitions": []})["definitions"].append(d)
        for group in groups.values():
            for d in group["definitions"]:
                self.places[d["path"], d["line"], d["col"]] = group
            group["refs"] = []
            group["undecided"] = []
        by_name = collections.defaultdict(list)
        for group in groups.values():
            by_name[group["key"][2]].append(group)
        total = collections.Counter()
        unknown = collections.Counter()
        for use in self.uses:
            at = (use["path"], use["line"], use["col"])
            if at in self.places:
                # A later binding of a name is a definition to some and a use to others.
                if self.places[at] is None:
                    meant = {tuple(to) for to in use["to"] or []}
                    for group in by_name[use["name"]]:
                        own = {(d["path"], d["line"], d["col"]) for d in group["definitions"]}
                        if own & meant:
                            group["undecided"].append(at)
                continue
            if use.get("aside"):
                for group in by_name[use["name"]]:
                    group["undecided"].append(at)
                continue
            for below in use.get("below", ()):
                group = self.places.get(tuple(below))
                if group is not None:
                    group["undecided"].append(at)
            total[use["name"]] += 1
            if use["to"] is None:
                unknown[use["name"]] += 1
                for group in by_name[use["name"]]:
                    group["undecided"].append(at)
                continue
            meant = []
            for to in use["to"]:
                group = self.places.get(tuple(to))
                # A use of a name under another one is not looked for.
                if group is not None and group["key"][2] == use["name"] and group not in meant:
                    meant.append(group)
            for group in meant:
                group["refs"].append(at)
        for group in groups.values():
            name = group["key"][2]
            group["known"] = unknown[name] <= UNDECIDED * total[name]
            group["collides"] = len(by_name[name]) >= COLLIDING
        return list(groups.values())

    def candidates(self, colliding):
        found = [
            s for s in self.symbols
            if 0 < len(s["refs"]) <= MOST and s["known"] and s["definitions"][0]["kind"] in CHOSEN
            and (s["collides"] or not colliding)
        ]
        found.sort(key=lambda s: rank("choose", self.head["repo"], *s["key"]))
        # By turns a function, a method, a type and a field, as long as there are any.
        turns = collections.defaultdict(list)
        for symbol in found:
            kind = symbol["definitions"][0]["kind"]
            turns[kind if kind in ("function", "method", "field") else "type"].append(symbol)
        order = [(i, kind) for kind, symbols in turns.items() for i in range(len(symbols))]
        order.sort()
        return [turns[kind][i] for i, kind in order]

    def lives(self):
        """Whether anything outside of a definition uses it. Definitions that something calls without
        naming them are passed over, and those of tests, which nothing names."""
        out = []
        self.outside = {}
        for symbol in self.symbols:
            first = symbol["definitions"][0]
            if first["kind"] not in JUDGED or any(d.get("implicit") for d in symbol["definitions"]):
                continue
            if "test" in first["path"].lower() or first["name"].startswith("_") and first["name"].endswith("__"):
                continue
            outside = [at for at in symbol["refs"] if not lies_in(at, symbol)]
            if outside or not symbol["undecided"]:
                out.append((symbol, bool(outside)))
                self.outside[id(symbol)] = outside
        self.mark(out)
        out.sort(key=lambda pair: rank("life", self.head["repo"], *pair[0]["key"]))
        return out


    def mark(self, lives):
        """Says of each decided definition whether something uses it: nothing, only what is itself not
        used, or what is."""
        dead = {id(symbol): symbol for symbol, alive in lives if not alive}
        kept = dict.fromkeys(dead, "unused")
        more = True
        while more:
            spans = collections.defaultdict(list)
            for symbol in dead.values():
                for d in symbol["definitions"]:
                    spans[d["path"]].append((d["line"], d.get("end") or d["line"]))
            of_dead = lambda at: any(first <= at[1] <= last for first, last in spans[at[0]])
            more = False
            for symbol, _ in lives:
                if id(symbol) not in dead and all(map(of_dead, self.outside[id(symbol)])):
                    dead[id(symbol)] = symbol
                    kept[id(symbol)] = "by-unused"
                    more = True
        for symbol, _ in lives:
            for d in symbol["definitions"]:
                d["life"] = kept.get(id(symbol), "used")


def lies_in(at, symbol):
    return any(
        at[0] == d["path"] and d["line"] <= at[1] <= (d.get("end") or d["line"])
        for d in symbol["definitions"]
    )


def choose(repos):
    chosen = []
    of_name = collections.Counter()

    def take(repo, group, number, colliding):
        taken = {id(s) for _, s, _ in chosen}
        for symbol in repo.candidates(colliding):
            if number == 0:
                return
            name = symbol["key"][2]
            if id(symbol) in taken or of_name[name] == OF_ONE_NAME:
                continue
            of_name[name] += 1
            number -= 1
            chosen.append((repo, symbol, group))

    for group, colliding in (("colliding", True), ("random", False)):
        for i, repo in enumerate(repos):
            share = SYMBOLS // 2 * (i + 1) // len(repos) - SYMBOLS // 2 * i // len(repos)
            take(repo, group, share, colliding)
    return chosen


def main():
    repos = [Repo(path) for path in sys.argv[1:]]
    chosen = choose(repos)
    for i, repo in enumerate(repos):
        lives = repo.lives()
        print(json.dumps(repo.head))
        for line in repo.files + repo.definitions + repo.imports:
            print(json.dumps(line))
        for of, symbol, group in chosen:
            if of is not repo:
                continue
            first = symbol["definitions"][0]
            print(json.dumps({
                "t": "symbol", "path": first["path"], "line": first["line"], "name": first["name"],
                "kind": first["kind"], "container": first["container"],
                "lines": [d["line"] for d in symbol["definitions"]],
                "group": group, "half": half(repo.head["repo"], symbol),
                "refs": symbol["refs"], "undecided": symbol["undecided"],
            }))
        share = LIVES // 2 // len(repos)
        for alive in (True, False):
            for symbol, _ in [pair for pair in lives if pair[1] == alive][:share]:
                first = symbol["definitions"][0]
                print(json.dumps({
                    "t": "uses", "path": first["path"], "line": first["line"], "name": first["name"],
                    "kind": first["kind"], "container": first["container"], "alive": alive,
                    "spans": [(d["line"], d.get("end") or d["line"]) for d in symbol["definitions"]],
                    "half": half(repo.head["repo"], symbol),
                }))
        kinds = collections.Counter(g for of, _, g in chosen if of is repo)
        dead = sum(not alive for _, alive in lives)
        print(repo.head["repo"], dict(kinds), f"{len(lives) - dead} alive, {dead} dead", file=sys.stderr)


if __name__ == "__main__":
    main()
