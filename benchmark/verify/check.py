#!/usr/bin/env python3
"""Measures whether `git sverklo verify` is right about lines that were cited at old tags.

    check.py right CLONES [--each 200] [--seed 1] [--program git-sverklo] [--show] REPOSITORY...
        against what plain git says: `git log --diff-filter=D` and the renamings of that commit (`git show -M`) for
        where a file went, the hunks of `git diff` (in three of its algorithms; one that agrees will do) for where
        its lines are, `git grep` for lines that are in other files now. Of a commit that is said to have removed
        lines it is asked whether its parent still has one and it has none.

    check.py time CLONES [--seed 1] [--program git-sverklo] REPOSITORY...
        how long a thousand citations take in one call, the third of three times.

Citations are lines of files of at most 3000 lines, 1 to 30 of them, at eight tags of all that a repository has.
CLONES is the folder of the clones, called as the repository without its owner.
"""
import argparse, collections, json, os, random, re, subprocess, time

TELLING = re.compile(rb"[A-Za-z0-9\x80-\xff]")
WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")
ALGORITHMS = ["histogram", "myers", "patience"]


class Repo:
    def __init__(self, path):
        self.path, self.known = path, {}

    def git(self, *args):
        if args not in self.known:
            out = subprocess.run(["git", "-C", self.path, *args], capture_output=True)
            self.known[args] = (out.returncode, out.stdout)
        return self.known[args]

    def text(self, rev, path):
        code, out = self.git("cat-file", "blob", f"{rev}:{path}")
        return out if code == 0 else None

    def tags(self, rng, count):
        names = self.git("tag", "--sort=creatordate")[1].decode().split()
        names = [t for t in names if self.git("merge-base", "HEAD", t)[0] == 0]
        step = max(1, len(names) // count)
        return names[::step][:count]

    def citations(self, rng, count):
        tags, out = self.tags(rng, 8), []
        while len(out) < count:
            tag = rng.choice(tags)
            listed = self.git("ls-tree", "-r", "-z", tag)[1].split(b"\0")
            files = [e.split(b"\t", 1)[1].decode() for e in listed if e.startswith(b"100")]
            path = rng.choice(files)
            if not re.fullmatch(r"[\w./@+-]+", path):
                continue
            text = self.text(tag, path)
            if not text or b"\0" in text or text.count(b"\n") > 3000:
                continue
            lines = split(text)
            first = rng.randint(1, len(lines))
            last = min(len(lines), first + rng.choice([0, 0, 2, 4, 9, 19, 29]))
            out.append((tag, path, first, last))
        return out


def split(text):
    lines = text.split(b"\n")
    return lines[:-1] if lines and lines[-1] == b"" else lines


def is_telling(line):
    return len(TELLING.findall(line)) >= 4


def telling(lines, first, last):
    all_of = range(first, last + 1)
    return [n for n in all_of if is_telling(lines[n - 1])] or list(all_of)


def hunks(repo, old, new, algorithm):
    out = repo.git("diff", "--no-ext-diff", "--no-textconv", "--text", "-U0", f"--diff-algorithm={algorithm}", old,
                   new)[1]
    found = re.findall(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", out, re.M)
    size = lambda n: 1 if n == b"" else int(n)
    return [(int(a), size(b), int(c), size(d)) for a, b, c, d in found]


def mapping(found, lines):
    """Where each old line is, or None."""
    out, shift, at = {}, 0, 1
    for a, b, c, d in found:
        begin = a if b else a + 1
        for n in range(at, begin):
            out[n] = n + shift
        for n in range(begin, begin + b):
            out[n] = None
        at = begin + b
        shift += d - b
    for n in range(at, lines + 1):
        out[n] = n + shift
    return out


def region(found, where, first, last):
    """New lines in the place of old ones."""
    new = {n for n in (where[k] for k in range(first, last + 1)) if n}
    for a, b, c, d in found:
        if b and d:
            inside = [n for n in range(a, a + b) if first <= n <= last]
            if len(inside) == b:
                new |= set(range(c, c + d))
            elif inside:
                begins, ends = inside[0] == a, inside[-1] == a + b - 1
                k = min(len(inside), d)
                low = c if begins else c + d - k if ends else min(c + d, c + inside[0] - a)
                new |= set(range(low, min(c + d, low + k)))
        elif d and first <= a < last:
            new |= set(range(c, c + d))
    return (min(new), max(new)) if new else None


def follow(repo, tag, path):
    """Names of a file from a tag to HEAD; whether the last is there; the commit that removed it."""
    names, base = [path], tag
    for _ in range(40):
        if repo.text("HEAD", names[-1]) is not None:
            return names, True, None
        base_has = repo.git("merge-base", base, "HEAD")[1].decode().strip()
        out = repo.git("log", "-1", "--format=%H", "--diff-filter=D", "--no-renames", f"{base_has}..HEAD", "--", names[-1])
        commit = out[1].decode().strip()
        if not commit:
            return names, False, None
        shown = repo.git("show", "--format=", "-M50%", "-l5000", "--name-status", "-z", "--diff-filter=R", commit)[1].split(b"\0")
        renamed = {shown[i + 1].decode(errors="replace"): shown[i + 2].decode(errors="replace")
                   for i in range(0, len(shown) - 2, 3)}
        target = renamed.get(names[-1])
        if not target or target in names:
            return names, False, commit
        names.append(target)
        base = commit
    return names, False, None


def once(lines, wanted):
    found = [i + 1 for i in range(len(lines) - len(wanted) + 1) if lines[i:i + len(wanted)] == wanted]
    return found[0] if len(found) == 1 else None


def elsewhere(repo, tag, path, cited):
    """Places in other files, or new ones in this, that have 70 of 100 of the telling lines in place."""
    tell = [i for i, line in enumerate(cited) if is_telling(line)]
    if not tell or len(re.findall(rb"[A-Za-z0-9]", b"".join(cited))) < 24:
        return []
    votes = collections.Counter()
    for i in tell:
        needle = cited[i].strip()
        if len(needle) > 10000:
            continue
        code, out = repo.git("grep", "-n", "-F", "-I", "-z", "-e", needle.decode("utf8", "surrogateescape"), "HEAD")
        hits = []
        for line in out.split(b"\n"):
            parts = line.split(b"\0")
            if len(parts) == 3 and parts[2].strip() == needle:
                hits.append((parts[0][5:].decode(errors="replace"), int(parts[1])))
        if len(hits) <= 32:
            votes.update((p, n - i) for p, n in hits if n - i > 0)
    found = []
    for (other, start), n in votes.items():
        if n < -(-len(tell) * 7 // 10):
            continue
        old = repo.text(tag, other) if other != path else None
        had = {line.strip() for line in split(old)} if old else set()
        if any(cited[i].strip() not in had for i in tell):
            found.append((n, other, start))
    most = max((n for n, _, _ in found), default=0)
    return [(p, s) for n, p, s in found if n == most]


def dice(old, new):
    was, now = set(WORD.findall(b"\n".join(old))), set(WORD.findall(b"\n".join(new)))
    both = len(was & now)
    return 2 * both / (len(was) + len(now)) if both else 0


def expected(repo, tag, path, first, last):
    """What may be said: (fate, path, first, last)."""
    old = split(repo.text(tag, path))
    cited = old[first - 1:last]
    names, is_here, remover = follow(repo, tag, path)
    out = []
    if is_here:
        new = split(repo.text("HEAD", names[-1]))
        for algorithm in ALGORITHMS:
            found = hunks(repo, f"{tag}:{path}", f"HEAD:{names[-1]}", algorithm)
            where = mapping(found, len(old))
            now = [where[n] for n in range(first, last + 1)]
            if now[0] and now == list(range(now[0], now[0] + len(now))):
                same = (names[-1], now[0]) == (path, first)
                out.append(("unchanged" if same else "moved", names[-1], now[0], now[-1]))
                continue
            if new[first - 1:last] == cited:
                out.append(("unchanged" if names[-1] == path else "moved", names[-1], first, last))
                continue
            at = once(old, cited) and once(new, cited)
            if at:
                out.append(("moved", names[-1], at, at + last - first))
                continue
            place = region(found, where, first, last)
            if any(where[n] for n in telling(old, first, last)):
                if new[place[0] - 1:place[1]] == cited:
                    out.append(("moved", names[-1], *place))
                else:
                    out.append(("modified", names[-1], *place))
                continue
            places = elsewhere(repo, tag, path, cited)
            if len(places) == 1:
                out.append(at_place(repo, cited, *places[0]))
            elif place and dice(cited, new[place[0] - 1:place[1]]) >= 0.5:
                out.append(("modified", names[-1], *place))
            else:
                out.append(("deleted", None, 0, 0))
    else:
        places = elsewhere(repo, tag, path, cited)
        out.append(at_place(repo, cited, *places[0]) if len(places) == 1 else ("deleted", None, 0, 0))
    return out, names


def at_place(repo, cited, path, start):
    new = split(repo.text("HEAD", path))
    end = min(len(new), start + len(cited) - 1)
    return ("moved" if new[start - 1:end] == cited else "modified", path, start, end)


def removed(repo, tag, names, first, last, commit):
    """Whether a commit has none of the telling lines of a citation, and a parent of it has one."""
    old = split(repo.text(tag, names[0]))

    def holds(rev, algorithm):
        for name in reversed(names):
            if repo.text(rev, name) is not None:
                where = mapping(hunks(repo, f"{tag}:{names[0]}", f"{rev}:{name}", algorithm), len(old))
                return any(where[n] for n in telling(old, first, last))
        return False

    parents = repo.git("rev-list", "--parents", "-1", commit)[1].decode().split()[1:]
    is_behind = repo.git("merge-base", "--is-ancestor", commit, "HEAD")[0] == 0
    return is_behind and any(not holds(commit, a) and any(holds(p, a) for p in parents) for a in ALGORITHMS)


def ask(program, repo, citations, budget=100000):
    """The answers to citations, in as many calls as the budget wants."""
    out = []
    for at in range(0, len(citations), 200):
        cited = [f"{p}:{a}-{b}@{t}" for t, p, a, b in citations[at:at + 200]]
        ran = subprocess.run([program, "verify", "--json", "--budget", str(budget), "--at", "HEAD", "--", *cited],
                             cwd=repo, capture_output=True)
        answer = json.loads(ran.stdout)
        assert answer["shown"] == answer["total"] == len(citations[at:at + 200]), (answer["shown"], answer["total"])
        out += answer["citations"]
    return out


def right(args):
    tally, wrong, total = collections.Counter(), 0, 0
    for name in args.repositories:
        repo = Repo(os.path.join(args.clones, name))
        citations = repo.citations(random.Random(f"{args.seed} {name}"), args.each)
        bad = 0
        for cited, said in zip(citations, ask(args.program, repo.path, citations)):
            tag, path, first, last = cited
            may, names = expected(repo, *cited)
            fate = said["fate"]
            got = (fate, said.get("path"), said.get("start", 0), said.get("end", 0))
            tally[fate] += 1
            is_right = got in may
            cited_lines = split(repo.text(tag, path))[first - 1:last]
            if fate in ("unchanged", "moved") and not any(map(is_telling, cited_lines)):
                # Which of several brackets it is no comparison can tell.
                is_right = any(one[:2] == got[:2] or one[0] in ("unchanged", "moved") and one[1] == got[1] for one in may)
            if fate in ("unchanged", "moved"):
                now = split(repo.text("HEAD", got[1]))[got[2] - 1:got[3]]
                is_right = is_right and now == cited_lines
            if fate == "deleted" and is_right and "by" in said:
                is_right = removed(repo, tag, names, first, last, said["by"]["id"])
            if not is_right:
                bad += 1
                if args.show:
                    by = said.get("by", {}).get("id", said.get("reason", ""))
                    print(f"  {name} {path}:{first}-{last}@{tag}\n    said {got} {by[:60]}\n    expected {sorted(set(may), key=str)} {names}")
        print(f"{name}: {len(citations) - bad} of {len(citations)}", flush=True)
        wrong, total = wrong + bad, total + len(citations)
    print(f"all: {total - wrong} of {total} = {(total - wrong) / total:.4f}; said {dict(tally)}")


def timed(args):
    for name in args.repositories:
        repo = Repo(os.path.join(args.clones, name))
        citations = repo.citations(random.Random(f"{args.seed} {name}"), 1000)
        cited = [f"{p}:{a}-{b}@{t}" for t, p, a, b in citations]
        took = []
        for _ in range(3):
            begin = time.monotonic()
            out = subprocess.run([args.program, "verify", "--", *cited], cwd=repo.path, capture_output=True)
            took.append(time.monotonic() - begin)
        print(f"{name}: {took[-1]:.2f} s ({', '.join(f'{t:.2f}' for t in took)}) {out.stdout.decode().splitlines()[0]}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["right", "time"])
    parser.add_argument("clones")
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--each", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--program", default="git-sverklo")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    {"right": right, "time": timed}[args.what](args)
