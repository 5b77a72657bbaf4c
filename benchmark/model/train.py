"""Contrastive training of the term rows, from the distilled ones.

    python train.py DATA.npz ROWS.npz OUT.npz [--dims 256] [--terms 22000] [--epochs 8] ...

InfoNCE with the other codes of a batch as negatives, both directions; a batch is made of runs of
records of one package, so that its negatives resemble what a search inside one repository sees.
Query and code share their rows; the norm of a row is the weight of its term.
"""

import argparse
import time

import numpy as np
from scipy.sparse import csr_matrix

from corpus import TRAIN, VALID
from evaluate import measure, ranks
from vocabulary import expansion


def matrices(data, expand):
    """Queries and codes over the rows, by how often their terms stand there."""
    out = []
    for side in "qc":
        value = 1 + np.log(np.minimum(data[side + "_val"], 16))
        shape = (len(data["lang"]), expand.shape[0])
        out.append(csr_matrix((value, data[side + "_col"], data[side + "_at"]), shape) @ expand)
    return out


def unit(x):
    norm = np.sqrt((x * x).sum(1, keepdims=True)) + 1e-9
    return x / norm, norm


def first_rows(args, data):
    stored = np.load(args.rows)
    order = stored["order"][: args.terms]
    rows = stored["rows"][: args.terms].astype(np.float32)
    frequency = data["frequency"][order].astype(np.float64)
    if args.random:
        rows = np.random.default_rng(5).standard_normal((len(order), args.dims)).astype(np.float32)
        rows /= np.sqrt(args.dims)
    else:
        rows -= (rows * frequency[:, None]).sum(0) / frequency.sum()
        values, vectors = np.linalg.eigh(rows.T @ rows)
        rows, _ = unit(rows @ vectors[:, ::-1][:, : args.dims])
    total = 2.0 * (data["split"] == TRAIN).sum()
    weight = np.log(1 + total / (frequency + 1)) / np.log(1 + total)
    return order, (rows * weight[:, None]).astype(np.float32)


def batches(rng, groups, size, run):
    """Batches of `size` records made of runs of at most `run` records of one group."""
    runs = []
    for group in groups:
        group = rng.permutation(group)
        runs += [group[n : n + run] for n in range(0, len(group), run)]
    every = np.concatenate([runs[n] for n in rng.permutation(len(runs))])
    for start in range(0, len(every) - size // 2, size):
        yield every[start : start + size]


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("data")
    parse.add_argument("rows")
    parse.add_argument("out")
    parse.add_argument("--dims", type=int, default=256)
    parse.add_argument("--terms", type=int, default=22_000)
    parse.add_argument("--epochs", type=int, default=8)
    parse.add_argument("--batch", type=int, default=1024)
    parse.add_argument("--run", type=int, default=64)
    parse.add_argument("--rate", type=float, default=0.004)
    parse.add_argument("--heat", type=float, default=0.05)
    parse.add_argument("--drop", type=float, default=0.0)
    parse.add_argument("--part", type=float, default=1.0, help="share of the records, for trials")
    parse.add_argument("--unknown", choices=["drop", "split", "hash"], default="drop")
    parse.add_argument("--buckets", type=int, default=0)
    parse.add_argument("--random", action="store_true")
    args = parse.parse_args()
    data = dict(np.load(args.data))
    order, rows = first_rows(args, data)
    expand = expansion(data["terms"].tolist(), order, args.unknown, args.buckets)
    rows = np.concatenate([rows, np.zeros((args.buckets, args.dims), np.float32)])
    queries, codes = matrices(data, expand)
    rng = np.random.default_rng(11)
    pick = np.flatnonzero((data["split"] == TRAIN) & (np.diff(queries.indptr) > 0))
    pick = pick[np.diff(codes.indptr)[pick] > 2]
    if args.part < 1:
        pick = np.sort(rng.choice(pick, int(len(pick) * args.part), replace=False))
    _, group = np.unique(data["pkg"][pick], return_inverse=True)
    groups = [pick[group == n] for n in range(group.max() + 1)]
    print(len(pick), "records", rows.shape, flush=True)
    print("at first", report(rows, queries, codes, data), flush=True)
    first, second = np.zeros_like(rows), np.zeros_like(rows)
    steps = args.epochs * sum(1 for _ in batches(np.random.default_rng(1), groups, args.batch, args.run))
    step, clock = 0, time.process_time()
    for epoch in range(args.epochs):
        losses = []
        for batch in batches(rng, groups, args.batch, args.run):
            xq, xc = queries[batch], codes[batch]
            if args.drop:
                xc.data *= rng.random(len(xc.data), dtype=np.float32) >= args.drop
            q, nq = unit(xq @ rows)
            c, nc = unit(xc @ rows)
            scores = (q @ c.T) / args.heat
            scores -= scores.max()
            power = np.exp(scores)
            across, down = power / power.sum(1, keepdims=True), power / power.sum(0, keepdims=True)
            losses.append(-np.log(np.diag(across) + 1e-12).mean())
            slope = (across + down) / 2
            slope[np.arange(len(batch)), np.arange(len(batch))] -= 1
            slope /= args.heat * len(batch)
            gq, gc = slope @ c, slope.T @ q
            gq = (gq - q * (gq * q).sum(1, keepdims=True)) / nq
            gc = (gc - c * (gc * c).sum(1, keepdims=True)) / nc
            grad = xq.T @ gq + xc.T @ gc
            step += 1
            # Adam over the rows that the batch touched; the rate falls to nothing at the end.
            touched = np.flatnonzero(np.abs(grad).sum(1) > 0)
            g = grad[touched]
            first[touched] = m = 0.9 * first[touched] + 0.1 * g
            second[touched] = v = 0.99 * second[touched] + 0.01 * g * g
            rate = args.rate * min(1, step / 50) * (1 - step / (steps + 1))
            fix1, fix2 = 1 - 0.9 ** min(step, 400), 1 - 0.99 ** min(step, 2000)
            rows[touched] -= rate * (m / fix1) / (np.sqrt(v / fix2) + 1e-8)
        print(
            f"epoch {epoch + 1} loss {np.mean(losses):.3f} {report(rows, queries, codes, data)}"
            f" cpu {time.process_time() - clock:.0f} s", flush=True,
        )  # fmt: skip
        np.savez(args.out, rows=rows.astype(np.float32), order=order)


def report(rows, queries, codes, data):
    """MRR@10 of the rows alone on validation, mean over languages."""
    got = []
    for lang in np.unique(data["lang"]):
        pick = np.flatnonzero((data["split"] == VALID) & (data["lang"] == lang))[:1000]
        if len(pick) > 20:
            q, c = unit(queries[pick] @ rows)[0], unit(codes[pick] @ rows)[0]
            got.append(measure(ranks(q @ c.T)))
    return f"valid MRR@10 {np.mean(got):.4f}"


if __name__ == "__main__":
    main()
