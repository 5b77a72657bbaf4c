"""Which rows a term has: its own, or for a term outside the vocabulary what its letters give."""

import numpy as np
from scipy.sparse import csr_matrix

MIN_PIECE = 3


def fnv(term):
    """32-bit FNV-1a."""
    value = 0x811C9DC5
    for byte in term:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def pieces(term, known):
    """An unknown term cut in two known ones, the longest first part that works; else nothing."""
    for cut in range(len(term) - MIN_PIECE, MIN_PIECE - 1, -1):
        if term[:cut] in known and term[cut:] in known:
            return term[:cut], term[cut:]
    return ()


def expansion(terms, order, how, buckets=0):
    """Matrix from the dictionary's terms to rows: the vocabulary, then the buckets."""
    known = {terms[n]: row for row, n in enumerate(order)}
    at, to = [], []
    for n, term in enumerate(terms):
        if (row := known.get(term)) is not None:
            found = (row,)
        elif how == "split":
            found = [known[p] for p in pieces(term, known)]
        elif how == "hash":
            found = (len(order) + fnv(term) % buckets,)
        else:
            found = ()
        at += [n] * len(found)
        to += found
    return csr_matrix(
        (np.ones(len(at), np.float32), (at, to)), (len(terms), len(order) + buckets)
    )
