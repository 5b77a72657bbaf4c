//! Names made of sub-words, as programmers make them, in every custom of writing.

use super::random::{Random, Zipf};

/// What functions do. None of the words here is a keyword of any of the languages.
const VERBS: &[&str] = &[
    "get", "set", "make", "load", "parse", "build", "update", "find", "read", "write", "check",
    "send", "resolve", "create", "remove", "apply", "merge", "render", "encode", "decode", "fetch",
    "open", "close", "start", "stop", "collect", "split", "join", "index", "sort", "count", "scan",
    "flush", "format", "validate", "register", "handle", "convert", "compute", "dispatch",
    "schedule", "retry", "cache", "compact", "rotate", "expand", "reduce", "measure",
];

/// What they do it to; the most frequent first.
const NOUNS: &[&str] = &[
    "value", "name", "user", "node", "file", "item", "key", "path", "config", "state", "list",
    "request", "response", "event", "error", "token", "data", "query", "client", "server",
    "session", "message", "result", "buffer", "table", "record", "field", "entry", "index",
    "option", "context", "account", "order", "page", "block", "stream", "header", "body", "route",
    "cache", "queue", "worker", "task", "job", "batch", "store", "view", "model", "schema",
    "group", "policy", "role", "limit", "span", "cursor", "offset", "chunk", "metric", "trace",
    "report", "invoice", "payment", "cart", "price", "stock", "product", "catalog", "customer",
    "address", "region", "shard", "replica", "leader", "ledger", "journal", "snapshot", "segment",
    "layout", "widget", "theme", "panel", "dialog", "cell", "row", "column", "filter", "pattern",
    "grammar", "symbol", "scope", "frame", "window", "vector", "matrix", "graph", "edge", "weight",
    "score", "sample", "signal", "channel", "socket", "packet", "peer", "cluster", "bucket",
    "digest", "secret", "license", "locale", "currency", "quota", "tenant", "team", "project",
    "branch",
];

/// Rarer nouns, made of syllables. No keyword has their shape.
const MADE_UP: usize = 5000;

/// Two or three sub-words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    words: [u16; 3],
    len: u8,
}

impl Name {
    /// The first `len` of the words; the others are forgotten, so that equal names are equal.
    fn new(mut words: [u16; 3], len: u8) -> Self {
        words[usize::from(len)..].fill(0);
        Self { words, len }
    }

    fn words(&self) -> &[u16] {
        &self.words[..usize::from(self.len)]
    }
}

/// The sub-words there are, and how often each is used.
pub struct Vocabulary {
    words: Vec<String>,
    law: Zipf,
}

impl Vocabulary {
    /// The vocabulary, which is the same for every seed.
    pub fn new() -> Self {
        let mut words: Vec<String> = VERBS.iter().chain(NOUNS).map(|w| (*w).to_owned()).collect();
        words.extend((0..MADE_UP).map(made_up));
        let law = Zipf::new(words.len());
        Self { words, law }
    }

    /// A name for something that does: a verb and one or two nouns.
    pub fn action(&self, random: &mut Random) -> Name {
        let verb = self.law.among(VERBS.len(), random) as u16;
        let len = random.between(2, 3) as u8;
        Name::new([verb, self.noun(random), self.noun(random)], len)
    }

    /// A name for something that is: one noun or two.
    pub fn thing(&self, random: &mut Random) -> Name {
        let len = random.between(1, 2) as u8;
        Name::new([self.noun(random), self.noun(random), 0], len)
    }

    fn noun(&self, random: &mut Random) -> u16 {
        let nouns = self.words.len() - VERBS.len();
        (VERBS.len() + self.law.among(nouns, random)) as u16
    }

    /// `get_user_name`
    pub fn snake(&self, name: Name) -> String {
        self.joined(name, "_")
    }

    /// `get-user-name`
    pub fn kebab(&self, name: Name) -> String {
        self.joined(name, "-")
    }

    /// `get user name`
    pub fn prose(&self, name: Name) -> String {
        self.joined(name, " ")
    }

    /// `GetUserName`
    pub fn pascal(&self, name: Name) -> String {
        let mut out = String::new();
        for word in name.words() {
            let word = &self.words[usize::from(*word)];
            out.push_str(&word[..1].to_ascii_uppercase());
            out.push_str(&word[1..]);
        }
        out
    }

    /// `getUserName`
    pub fn camel(&self, name: Name) -> String {
        let mut out = self.pascal(name);
        out[..1].make_ascii_lowercase();
        out
    }

    fn joined(&self, name: Name, with: &str) -> String {
        let mut out = String::new();
        for word in name.words() {
            if !out.is_empty() {
                out.push_str(with);
            }
            out.push_str(&self.words[usize::from(*word)]);
        }
        out
    }

    /// A sentence such as stands in a comment.
    pub fn sentence(&self, random: &mut Random) -> String {
        let verb = self.prose(self.action(random));
        let (a, b) = (self.thing(random), self.thing(random));
        let (a, b) = (self.prose(a), self.prose(b));
        match random.below(6) {
            0 => format!("Used to {verb} before the {a} of the {b} is known."),
            1 => format!("Every {a} keeps its {b} until somebody wants to {verb}."),
            2 => format!("The {a} comes first, then the {b}; see how others {verb}."),
            3 => format!("Does not {verb} when the {a} has no {b}."),
            4 => format!("Returns the {a} for a {b}, or zero when it cannot {verb}."),
            _ => format!("Callers {verb} under the {a} and own the {b} afterwards."),
        }
    }
}

/// Consonant, vowel, consonant, vowel, consonant: `nubix`.
fn made_up(index: usize) -> String {
    const FIRST: &[u8] = b"bdfgklmnprstvz";
    const VOWELS: &[u8] = b"aiou";
    const LAST: &[u8] = b"xkmp";
    let mut rest = index;
    let mut pick = |letters: &[u8]| {
        let letter = letters[rest % letters.len()];
        rest /= letters.len();
        char::from(letter)
    };
    let mut word = [' '; 5];
    // The letters that change fastest come first, so that neighbours in frequency look different.
    for at in [0, 2] {
        word[at] = pick(FIRST);
        word[at + 1] = pick(VOWELS);
    }
    word[4] = pick(LAST);
    word.iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_name_is_written_by_every_custom() {
        let vocabulary = Vocabulary::new();
        let name = Name::new([0, VERBS.len() as u16, VERBS.len() as u16 + 1], 3);
        assert_eq!(vocabulary.snake(name), "get_value_name");
        assert_eq!(vocabulary.kebab(name), "get-value-name");
        assert_eq!(vocabulary.camel(name), "getValueName");
        assert_eq!(vocabulary.pascal(name), "GetValueName");
    }

    #[test]
    fn names_are_equal_when_they_are_written_alike() {
        assert_eq!(Name::new([1, 2, 3], 2), Name::new([1, 2, 4], 2));
        assert_ne!(Name::new([1, 2, 3], 3), Name::new([1, 2, 3], 2));
    }

    #[test]
    fn made_up_words_are_distinct() {
        let words: BTreeSet<String> = (0..MADE_UP).map(made_up).collect();
        assert_eq!(words.len(), MADE_UP);
    }

    #[test]
    fn frequent_words_are_much_more_frequent() {
        let (vocabulary, mut random) = (Vocabulary::new(), Random::of(&[1]));
        let count = |word: &str, names: &[String]| {
            names
                .iter()
                .filter(|name| name.split('_').any(|w| w == word))
                .count()
        };
        let names: Vec<String> = (0..5000)
            .map(|_| vocabulary.snake(vocabulary.thing(&mut random)))
            .collect();
        assert!(count("value", &names) > 10 * count("secret", &names).max(1));
    }
}
