"""MRR@10 of finding a function by its comment, in packages that training never saw.

    python evaluate.py DATA.npz MODEL.bin [--pairs PAIRS.jsonl.gz... --minilm ONNX TOKENIZER]

Per language: at most 2,000 documented functions of the held-out families, each comment asked
against all of them. Fusion weights are chosen on the validation families, one for all languages.
"""

import argparse
import gzip
import json

import numpy as np
from scipy.sparse import csr_matrix, diags

from corpus import TEST, VALID

POOL = 2_000


def ranks(scores):
    """Rank of the diagonal in each row; equal scores rank by position."""
    own = np.diag(scores)[:, None]
    at = np.arange(len(scores))
    before = (scores == own) & (at[None, :] < at[:, None])
    return 1 + (scores > own).sum(1) + before.sum(1)


def measure(rank):
    return float(np.where(rank <= 10, 1 / rank, 0).mean())


def bm25(q, c, k1=1.2, b=0.75):
    """Scores of every query for every code; queries count each term once."""
    c = c.copy().astype(np.float32)
    length = np.asarray(c.sum(1)).ravel()
    present = np.bincount(c.indices, minlength=c.shape[1])
    idf = np.log(1 + (c.shape[0] - present + 0.5) / (present + 0.5))
    norm = k1 * (1 - b + b * length / length.mean())
    row = np.repeat(np.arange(c.shape[0]), np.diff(c.indptr))
    c.data = (c.data * (k1 + 1) / (c.data + norm[row])).astype(np.float32)
    return np.asarray((q.sign() @ diags(idf.astype(np.float32)) @ c.T).todense())


def scaled(scores):
    """Scores of each query by their maximum: what convex fusion adds up."""
    return scores / np.maximum(scores.max(1, keepdims=True), 1e-9)


def pool(data, split, lang):
    pick = np.flatnonzero((data["split"] == split) & (data["lang"] == lang))
    return np.sort(np.random.default_rng(3).permutation(pick)[:POOL])


def vectors(data, side, pick, model):
    """The model's integer vectors of records that are already counted terms."""
    from model import TIMES

    at = np.array([model.at.get(t, -1) for t in data["terms"]], np.int64)
    times = np.array(TIMES)
    starts, out = data[side + "_at"], np.zeros((len(pick), model.rows.shape[1]), np.float32)
    for n, record in enumerate(pick):
        span = slice(starts[record], starts[record + 1])
        col, val = at[data[side + "_col"][span]], data[side + "_val"][span].astype(np.int64)
        col, val = col[col >= 0], val[col >= 0]
        weight = times[np.minimum(val, len(times)) - 1] * model.scale[col]
        total = (weight[:, None] * model.rows[col]).sum(0)
        peak = int(np.abs(total).max()) if len(col) else 0
        if peak:
            out[n] = np.sign(total) * ((np.abs(total) * 254 + peak) // (2 * peak))
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)


def channels(data, split, lang, model):
    pick = pool(data, split, lang)
    shape = (len(data["lang"]), len(data["terms"]))
    q = csr_matrix((data["q_val"], data["q_col"], data["q_at"]), shape)[pick]
    c = csr_matrix((data["c_val"], data["c_col"], data["c_at"]), shape)[pick]
    dense = vectors(data, "q", pick, model) @ vectors(data, "c", pick, model).T
    return pick, bm25(q, c), dense


def main():
    from model import Model

    parse = argparse.ArgumentParser()
    parse.add_argument("data")
    parse.add_argument("model")
    parse.add_argument("--pairs", nargs="*")
    parse.add_argument("--minilm", nargs=2)
    parse.add_argument("--sample", type=int, default=300)
    args = parse.parse_args()
    data, model = dict(np.load(args.data)), Model(args.model)
    langs = [l for l in np.unique(data["lang"]) if (data["split"] == TEST)[data["lang"] == l].sum() > 50]
    grid = np.arange(0.1, 1, 0.05)
    gain = np.zeros(len(grid))
    for lang in langs:
        _, lexical, dense = channels(data, VALID, lang, model)
        if len(lexical) > 50:
            lexical, dense = scaled(lexical), scaled(dense)
            gain += [measure(ranks((1 - w) * lexical + w * dense)) for w in grid]
    weight = float(grid[gain.argmax()])
    print(f"weight of the static channel, chosen on validation: {weight:.2f}")
    print("| language | packages | functions | BM25 | static | fused |\n|---|---|---|---|---|---|")
    rows, total, every = [], 0, []
    for lang in langs:
        pick, lexical, dense = channels(data, TEST, lang, model)
        fused = ranks((1 - weight) * scaled(lexical) + weight * scaled(dense))
        got = [ranks(lexical), ranks(dense), fused]
        every.append(np.stack(got))
        packages = len(np.unique(data["pkg"][pick]))
        total += packages
        rows.append([measure(r) for r in got])
        print(f"| {lang} | {packages} | {len(pick)} | " + " | ".join(f"{x:.3f}" for x in rows[-1]) + " |")
    print(f"| mean of languages | {total} | | " + " | ".join(f"{x:.3f}" for x in np.mean(rows, 0)) + " |")
    every = np.concatenate(every, 1)
    print(f"| all queries | | {every.shape[1]} | " + " | ".join(f"{measure(r):.3f}" for r in every) + " |")
    if args.minilm:
        against(args, data, model, langs, weight)


def against(args, data, model, langs, weight):
    """The same on a sample of each language with all-MiniLM-L6-v2 beside."""
    from distil import Teacher

    teacher = Teacher(*args.minilm, longest=256)
    records = []
    for path in args.pairs:
        with gzip.open(path, "rt") as lines:
            records += [json.loads(line) for line in lines]
    print(f"\nwith MiniLM, {args.sample} functions a language")
    print("| language | BM25 | static | fused | MiniLM | MiniLM fused |\n|---|---|---|---|---|---|")
    table = []
    for lang in langs:
        pick, lexical, dense = channels(data, TEST, lang, model)
        part = np.sort(np.random.default_rng(4).permutation(len(pick))[: args.sample])
        lexical, dense = lexical[np.ix_(part, part)], dense[np.ix_(part, part)]
        rows = [records[data["record"][n]] for n in pick[part]]
        deep = teacher.embed([r["doc"] for r in rows], 16) @ teacher.embed([r["code"] for r in rows], 16).T
        mix = [
            measure(ranks((1 - w) * scaled(lexical) + w * scaled(deep))) for w in (0.4, 0.5, 0.6, 0.7)
        ]
        fused = (1 - weight) * scaled(lexical) + weight * scaled(dense)
        table.append([measure(ranks(lexical)), measure(ranks(dense)), measure(ranks(fused)), measure(ranks(deep)), max(mix)])
        print(f"| {lang} | " + " | ".join(f"{x:.3f}" for x in table[-1]) + " |", flush=True)
    print("| mean | " + " | ".join(f"{x:.3f}" for x in np.mean(table, 0)) + " |")


if __name__ == "__main__":
    main()
