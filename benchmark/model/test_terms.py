"""Samples that src/extract/terms.rs and terms.py must cut alike.

`python -m unittest test_terms` in this folder. The expected values are those of the Rust unit
tests: change both together.
"""

import unittest

from terms import fold, subwords, terms, terms_of_word, words

SUBWORDS = {
    "camelCase": ["camel", "case"],
    "PascalCase": ["pascal", "case"],
    "HTTPServer": ["http", "server"],
    "getHTTP": ["get", "http"],
    "snake_case__x": ["snake", "case", "x"],
    "kebab-case": ["kebab", "case"],
    "__init__": ["init"],
    "UPPER_CASE": ["upper", "case"],
    "ÜberGröße": ["über", "größe"],
    "___": [],
    "utf8": ["utf8", "utf"],
    "sha256Sum": ["sha256", "sha", "sum"],
    "base64encode": ["base64encode"],
    "404": ["404"],
    "OAuth2Bearer": ["o", "auth2", "auth", "oauth2", "oauth", "bearer"],
    "IUser": ["i", "user", "iuser"],
    "x_axis": ["x", "axis"],
}
TERMS = {
    "fooFoo": ["foofoo", "foo"],
    "word": ["word"],
    "Word": ["word"],
    "x": [],
    "a_b": ["a_b"],
    "a" * 60 + "Tail": ["tail"],
    "İx": ["i\u0307x"],
}
WORDS = {
    b"a.b_c(d1)": ["a", "b_c", "d1"],
    "naïve “quote”".encode(): ["naïve", "quote"],
    b"ab\xff\xfecd\xc3": ["ab", "cd"],
}


class Terms(unittest.TestCase):
    def test_subwords(self):
        for word, want in SUBWORDS.items():
            self.assertEqual(subwords(word), want, word)

    def test_terms(self):
        for word, want in TERMS.items():
            self.assertEqual(list(terms_of_word(word)), want, word)

    def test_words(self):
        for text, want in WORDS.items():
            self.assertEqual(words(text.decode(errors="replace")), want, text)

    def test_text(self):
        self.assertEqual(
            terms("def getHTTP(x): # Σίσυφος"), ["def", "gethttp", "get", "http", "σίσυφος"]
        )
        self.assertEqual(fold("ΣΑΣ"), "σασ")


if __name__ == "__main__":
    unittest.main()
