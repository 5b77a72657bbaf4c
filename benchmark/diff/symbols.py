#!/usr/bin/env python3
"""Measures what `git sverklo diff` says became of definitions: renamed, moved, another signature.

    symbols.py read CLONES [--program git-sverklo] [--show]
        against read.jsonl: commits that were read by hand before any answer was seen. A line has the public
        repository, the commit, what was renamed (old and new name), moved (to another file or container) or got
        another signature, by own name, and `maybe`: names of which readers may say either. Parameters, local
        variables, blocks of `impl` and tests called by a title are no definitions; a file that was renamed moves nothing in it.

    symbols.py ctags CLONES [--commits 20] [--seed 1] [--program git-sverklo] [--show] REPOSITORY...
        against universal-ctags on both sides of commits chosen at random among those that change 1 to 12 files of
        code. What ctags can tell without doubt is the truth: renamed is what has another name and, apart from it,
        the same tokens in the same file and scope; moved is what has the same name and tokens elsewhere; a
        signature is another where the text up to the body differs for the only definition of one kind, scope and
        name. An answer of ours counts as false only where ctags contradicts it: a name that is still there, is not
        new, or a signature of equal tokens.

CLONES is the folder of the clones, each indexed, called as the repository without its owner.
"""
import argparse, collections, json, os, pathlib, random, re, subprocess, tempfile

HERE = pathlib.Path(__file__).parent
KINDS = {"function", "method", "member", "func", "class", "struct", "interface", "trait", "enum", "singletonMethod",
         "constructor", "module", "field", "constant", "variable", "property", "typedef", "implementation", "type",
         "prototype", "const", "var", "generator", "alias", "record", "talias"}
CALLABLE = {"function", "method", "member", "func", "singletonMethod", "constructor", "generator", "prototype"}
CODE = re.compile(r"\.(py|go|rs|java|ts|tsx|js|php|rb|cc|cpp|c|h|cs|kt)$")


def git(repo, *args):
    return subprocess.run(["git", "-C", repo, *args], capture_output=True, text=True, errors="replace").stdout


def answer(program, repo, commit):
    out = subprocess.run([program, "diff", f"{commit}^..{commit}", "--json", "--budget", "100000"], cwd=repo,
                         capture_output=True, text=True)
    return json.loads(out.stdout)


def own(name):
    return re.sub(r"~\d+$", "", re.split(r"[.#]|::", name)[-1]) if name else name


def ours(program, repo, commit):
    """Ours: {(aspect, what)}, by own names, and the whole symbols."""
    said, symbols = set(), answer(program, repo, commit).get("symbols", [])
    for symbol in symbols:
        if symbol["kind"] in ("impl", "test"):
            continue
        name, words = own(symbol["name"]), symbol["change"]
        was = own(symbol["was"]["name"]) if symbol.get("was") else name
        if "renamed" in words:
            said.add(("renamed", f"{was}>{name}"))
        for word in ("moved", "signature"):
            if word in words:
                said.add((word, name))
    return said, symbols


class Score:
    def __init__(self):
        self.right, self.false, self.missed = (collections.Counter() for _ in range(3))

    def add(self, said, truth, maybe=()):
        for aspect, what in said & truth:
            self.right[aspect] += 1
        doubtful = lambda what: any(part in maybe for part in what.split(">"))
        false = {found for found in said - truth if not doubtful(found[1])}
        missed = {found for found in truth - said if not doubtful(found[1])}
        for aspect, _ in false:
            self.false[aspect] += 1
        for aspect, _ in missed:
            self.missed[aspect] += 1
        return false, missed

    def print(self, title):
        print(title)
        for aspect in ("renamed", "moved", "signature"):
            right, false, missed = self.right[aspect], self.false[aspect], self.missed[aspect]
            share = lambda other: f"{right / (right + other):.3f}" if right + other else "-"
            print(f"  {aspect}: precision {share(false)} ({false} false), recall {share(missed)} "
                  f"({missed} missed of {right + missed})")


def read(args):
    score = Score()
    count = 0
    for line in (HERE / "read.jsonl").read_text().splitlines():
        one = json.loads(line)
        repo = os.path.join(args.clones, one["repo"].split("/")[1])
        truth = {("renamed", ">".join(pair)) for pair in one.get("renamed", [])}
        truth |= {(word, name) for word in ("moved", "signature") for name in one.get(word, [])}
        said, _ = ours(args.program, repo, one["commit"])
        false, missed = score.add(said, truth, one.get("maybe", ()))
        count += 1
        if args.show and (false or missed):
            print(one["repo"], one["commit"][:9], "false", sorted(false), "missed", sorted(missed), flush=True)
    score.print(f"{count} commits read by hand")


def tokens(text):
    return re.findall(r"\w+|[^\w\s]", re.sub(r"(?m)^\s*(//|#(?!\[|include|define)|\*|/\*).*$", "", text))


def head_of(text, path):
    """The text of a definition up to its body: to a brace, an arrow or a semicolon outside of brackets; in Python to the colon, in
    Ruby to the end of the line, in Kotlin to the sign of equality."""
    ends = {".py": r":", ".rb": r"\n", ".kt": r"[{]|=|\n"}.get(os.path.splitext(path)[1], r"[{;]|=>")
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if depth <= 0 and re.match(ends, text[at:at + 2]):
            return text[:at]
    return text


class Tag:
    def __init__(self, tag, lines):
        self.name, self.kind, self.path = tag["name"], tag["kind"], tag["file"]
        self.scope, self.line, end = tag.get("scope", ""), tag["line"], tag.get("end", tag["line"])
        text = "\n".join(lines[self.line - 1:end])
        self.whole = tuple("\0" if token == self.name else token for token in tokens(text))
        head = head_of(text, self.path)
        self.head = tuple("\0" if token == self.name else token for token in tokens(head))
        self.key = self.path, self.scope, self.name, self.kind


def tags(repo, commit, paths):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for at, path in enumerate(paths):
            text = git(repo, "show", f"{commit}:{path}")
            file = os.path.join(folder, f"{at}" + os.path.splitext(path)[1])
            pathlib.Path(file).write_text(text)
            out = subprocess.run(["ctags", "--output-format=json", "--fields=+neKS", "-f", "-", file],
                                 capture_output=True, text=True).stdout
            lines = text.split("\n")
            for line in out.splitlines():
                tag = json.loads(line)
                if tag.get("kind") in KINDS and not re.match(r"__anon|[Aa]nonymousFunction|<", tag["name"]):
                    found.append(Tag(tag | {"file": path}, lines))
    return found


def truth_of(repo, commit):
    """What ctags tells: (truth, names before, names after, signatures that are equal, renamed files)."""
    before, after, renamed = [], [], {}
    for line in git(repo, "diff", "--name-status", "-M", f"{commit}^", commit).splitlines():
        status, *paths = line.split("\t")
        if CODE.search(paths[-1]):
            before += paths[:1] if status[0] != "A" else []
            after += paths[-1:] if status[0] != "D" else []
            if status[0] == "R":
                renamed[paths[0]] = paths[1]
    old, new = tags(repo, f"{commit}^", before), tags(repo, commit, after)
    for tag in old:
        tag.key = (renamed.get(tag.path, tag.path), *tag.key[1:])
    count = lambda all: collections.Counter(tag.key for tag in all)
    olds, news = count(old), count(new)
    gone = [tag for tag in old if tag.key not in news]
    fresh = [tag for tag in new if tag.key not in olds]
    truth = set()
    for was in gone:
        alike = [tag for tag in fresh if tag.whole == was.whole and tag.kind == was.kind]
        alone = sum(tag.whole == was.whole for tag in gone) == 1 and len(alike) == 1 and len(was.whole) >= 12
        if alone and alike[0].key[:2] == was.key[:2]:
            truth.add(("renamed", f"{was.name}>{alike[0].name}"))
        elif alone and alike[0].name == was.name and not (set(alike[0].scope) and alike[0].key[0] == was.key[0]):
            truth.add(("moved", was.name))
    by_key = {tag.key: tag for tag in new if news[tag.key] == 1}
    equal = set()
    for was in old:
        now = by_key.get(was.key)
        # Only Python calls a method so, others a field.
        is_called = was.kind in CALLABLE and (was.kind != "member" or was.path.endswith(".py"))
        if now and olds[was.key] == 1 and is_called:
            (equal if now.head == was.head else truth).add(("signature", was.name))
    return truth, {tag.name for tag in old}, {tag.name for tag in new}, equal, renamed


def ctags(args):
    total = Score()
    seen = 0
    for name in args.repositories:
        repo = os.path.join(args.clones, name)
        commits = []
        for block in git(repo, "log", "--no-merges", "--no-renames", "--name-only", "--format=\1%H").split("\1")[1:]:
            commit, *paths = block.split()
            if 1 <= sum(bool(CODE.search(path)) for path in paths) <= 12 and len(paths) <= 40:
                commits.append(commit)
        commits = commits[:-1]
        random.Random(args.seed).shuffle(commits)
        score, taken = Score(), 0
        for commit in commits:
            if taken == args.commits:
                break
            truth, olds, news, equal, renamed = truth_of(repo, commit)
            said, symbols = ours(args.program, repo, commit)
            if not truth and not said:
                continue
            taken += 1
            # Only what ctags contradicts is false.
            counted = set()
            for aspect, what in said:
                was, _, now = what.partition(">")
                if (aspect, what) in truth:
                    counted.add((aspect, what))
                elif aspect == "renamed" and was in olds and now in news and (was in news and now in olds):
                    counted.add((aspect, what))
                elif aspect == "signature" and ("signature", what) in equal:
                    counted.add((aspect, what))
                elif aspect == "moved" and renamed == {} and was not in news | olds:
                    counted.add((aspect, what))
            # One name may have several definitions, some with another signature.
            false, missed = score.add(counted, truth)
            if args.show and (false or missed):
                print(name, commit[:9], "false", sorted(false), "missed", sorted(missed), flush=True)
        for mine, its in ((total.right, score.right), (total.false, score.false), (total.missed, score.missed)):
            mine.update(its)
        seen += taken
        score.print(f"{name}: {taken} commits")
    total.print(f"all: {seen} commits")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("against", choices=["read", "ctags"])
    parser.add_argument("clones")
    parser.add_argument("repositories", nargs="*")
    parser.add_argument("--program", default="git-sverklo")
    parser.add_argument("--commits", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_intermixed_args()
    {"read": read, "ctags": ctags}[args.against](args)


main()
