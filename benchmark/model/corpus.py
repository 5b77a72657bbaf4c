"""Records of functions as counted terms, split by whole families of packages.

    python corpus.py PAIRS.jsonl.gz... DATA.npz

Test and validation are whole families (all packages of one owner or project name), a tenth of the
families each; a training record whose code or comment stands in either is dropped.
"""

import gzip
import hashlib
import json
import re
import sys
from collections import Counter

import numpy as np
from scipy.sparse import csr_matrix

from terms import terms_of_word, words

TRAIN, VALID, TEST = 0, 1, 2


def family(package):
    """The project that a package belongs to, roughly: what must not be on both sides of a split."""
    name = package.split(":", 1)[1].lower()
    name = re.sub(r"^(golang-(github|gopkg|golang|gitlab)-|golang-|ruby-|php-|lib)", "", name)
    return re.split(r"[-_.\d]", name)[0] or name


def split_of(package):
    part = hashlib.sha1(family(package).encode()).digest()[0] % 10
    return TEST if part == 0 else VALID if part == 1 else TRAIN


class Counts:
    """Rows of term counts over a dictionary that grows."""

    def __init__(self, ids, simple):
        self.ids, self.simple = ids, simple
        self.at, self.cols, self.vals = [0], [], []

    def add(self, text):
        count = Counter()
        for word, n in Counter(words(text)).items():
            every = terms_of_word(word)
            for term in every:
                count[term] += n
            # The whole of a compound says what its parts say.
            self.simple.update(every[1:] if len(every) > 2 else every)
        for term, n in count.items():
            self.cols.append(self.ids.setdefault(term, len(self.ids)))
            self.vals.append(n)
        self.at.append(len(self.cols))

    def arrays(self):
        return (
            np.array(self.vals, np.float32),
            np.array(self.cols, np.int32),
            np.array(self.at, np.int64),
        )


def digest(text):
    return hashlib.sha1(re.sub(r"\W+", "", text).lower().encode()).digest()[:8]


def spoken(name):
    return " ".join(words(name))


def main():
    records = []
    for path in sys.argv[1:-1]:
        with gzip.open(path, "rt") as lines:
            records += [json.loads(line) for line in lines]
    splits = np.array([split_of(r["pkg"]) for r in records], np.int8)
    held, seen, keep = set(), set(), []
    for at in np.argsort(-splits, kind="stable"):
        r = records[at]
        marks = [digest(r["code"])] + ([digest(r["doc"])] if r["doc"] else [])
        if any(m in seen for m in marks[:1]) or (splits[at] == TRAIN and any(m in held for m in marks)):
            continue
        seen.add(marks[0])
        if splits[at] != TRAIN:
            held.update(marks)
            if not r["doc"]:
                continue
        keep.append(at)
    keep.sort()
    ids = {}
    simple = set()
    queries, codes = Counts(ids, simple), Counts(ids, simple)
    langs, pkgs, named = [], [], []
    for at in keep:
        r = records[at]
        if r["doc"]:
            queries.add(r["doc"])
            codes.add(r["code"])
        else:
            # The name asks for what the rest says.
            queries.add(spoken(r["name"]))
            codes.add(r["code"].replace(r["name"], " "))
        langs.append(r["lang"])
        pkgs.append(r["pkg"])
        named.append(not r["doc"])
    split = splits[keep]
    q, c = queries.arrays(), codes.arrays()
    shape = (len(keep), len(ids))
    both = csr_matrix(q, shape) + csr_matrix(c, shape)
    # How many families use a term: what tells a word of the trade from a name of one project.
    fams = [family(p) for p in pkgs]
    order = {f: n for n, f in enumerate(dict.fromkeys(fams))}
    rows = np.array([order[f] for f in fams])
    pick = np.flatnonzero(split == TRAIN)
    member = csr_matrix((np.ones(len(pick), np.float32), (rows[pick], pick)), (len(order), len(keep)))
    spread = np.asarray((member @ both).sign().sum(0)).ravel().astype(np.int32)
    frequency = np.bincount(both[pick].indices, minlength=len(ids)).astype(np.int32)
    np.savez(
        sys.argv[-1],
        q_val=q[0], q_col=q[1], q_at=q[2], c_val=c[0], c_col=c[1], c_at=c[2],
        lang=np.array(langs), pkg=np.array(pkgs), named=np.array(named), split=split,
        terms=np.array([t.encode() for t in ids], dtype="S40"), spread=spread, frequency=frequency,
        simple=np.array([t in simple for t in ids]), record=np.array(keep, np.int64),
    )  # fmt: skip
    for key, n in sorted(Counter(zip(split.tolist(), langs, named)).items()):
        print(*key, n)
    print(len(ids), "terms")


if __name__ == "__main__":
    main()
