"""The term stream of full text (src/extract/terms.rs), for training.

A model's rows belong to these terms, so the two must agree: test_terms.py holds both to the same
samples. Where the Rust code works on bytes this one works on decoded text; bytes that are not
UTF-8 become U+FFFD, which separates words as they do there.
"""

from functools import lru_cache

import regex

MIN_TERM_BYTES = 2
MAX_TERM_BYTES = 40

_WORD = regex.compile(r"[_\p{Alphabetic}\p{N}]+")
_UPPER = regex.compile(r"\p{Uppercase}")
_ALNUM = regex.compile(r"[\p{Alphabetic}\p{N}]")
_PLAIN = regex.compile(r"[a-z]+")


def words(text):
    """Every word of `text`, in order."""
    return _WORD.findall(text)


def fold(word):
    """The word in lower case, character by character: the form of a letter never depends on its
    neighbours (Python's own rule for a final sigma does)."""
    return word.lower() if word.isascii() else "".join(c.lower() for c in word)


def _letter(c):
    if c.isascii():
        return "l" if c.islower() else "u" if c.isupper() else "d" if c.isdigit() else "o"
    if _UPPER.match(c):
        return "u"
    return "l" if _ALNUM.match(c) else "o"


def _parts(word):
    """Bounds of the parts of an identifier."""
    kinds = [_letter(c) for c in word]
    start = None
    for at, kind in enumerate(kinds):
        if kind == "o":
            if start is not None:
                yield start, at
            start = None
        elif start is None:
            start = at
        else:
            last = kinds[at - 1]
            if last in "ld" and kind == "u":
                yield start, at
                start = at
            elif last == "u" and kind == "l" and at - 1 > start:
                yield start, at - 1
                start = at - 1
    if start is not None:
        yield start, len(word)


def subwords(word):
    """Every lower-cased part of an identifier, in order, with the forms without digits and the
    forms joined to a lone letter before."""
    out = []

    def give(part):
        out.append(part)
        letters = part.rstrip("0123456789")
        if letters and letters != part:
            out.append(letters)

    single = None
    for start, end in _parts(word):
        give(fold(word[start:end]))
        if single is not None and single + 1 == start:
            give(fold(word[single:end]))
        lone = end - start == 1 and word[start].isascii() and word[start].isalpha()
        single = start if lone else None
    return out


@lru_cache(maxsize=1 << 20)
def terms_of_word(word):
    """Every term of a word, each once."""
    if _PLAIN.fullmatch(word):
        every = [word]
    else:
        every = list(dict.fromkeys([fold(word), *subwords(word)]))
    return tuple(t for t in every if MIN_TERM_BYTES <= len(t.encode()) <= MAX_TERM_BYTES)


def terms(text):
    """Every term of `text`, in order, repeated as often as it stands there."""
    return [term for word in words(text) for term in terms_of_word(word)]
