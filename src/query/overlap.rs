//! Names that have most of the words of one that is not there: `parseBody` where somebody asks for `parseBodyAsync`,
//! `findUserById` for `getUserById`.
//!
//! Who makes a name up makes it of words that fit the code, so what is meant shares them. How alike two names are is
//! the weight of the words that both have by the weight of all that either has (the Jaccard index); a word that says
//! little, such as `get` or `by`, weighs half. Of the members of a container that was named one word is enough, since there are few.
//!
//! Of what words mean no more is known than that some verbs stand for each other (`fetch` for `get`): such a pair counts half.
//!
//! Guarantee: what is cut off is cut off in an order of paths and of names, and nothing is counted, so neither segments nor
//! dead documents show.

use crate::extract::terms;
use crate::id::{DocId, NameId, SegmentOrd};
use crate::view::live::{FileId, View};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Words of a name that are looked at.
const MAX_WORDS: usize = 16;
/// Documents that speak of a container and are looked at.
const MAX_DOCS: usize = 256;
/// What a word weighs that says little, and any other.
const WEIGHTS: (u32, u32) = (1, 2);
/// Longest word that says little: `by`, `of`, `to`.
const SHORT: usize = 2;
/// How alike names are at least, in hundredths, and how many words they share, where no container was named: of two words
/// beside two others half is shared by chance.
const ALIKE: (u32, usize) = (50, 2);
/// Verbs that stand for each other in names. Chosen from what names of libraries have, not measured one by one;
/// `benchmark/made_up.py` measures what they come to.
const ALIKE_VERBS: &[&[&str]] = &[
    &[
        "fetch", "find", "get", "load", "lookup", "query", "read", "retrieve",
    ],
    &["build", "construct", "create", "generate", "make", "new"],
    &[
        "del", "delete", "discard", "drop", "erase", "remove", "unset",
    ],
    &["add", "append", "insert", "push", "put", "register"],
    &["apply", "assign", "change", "set", "update", "use"],
    &[
        "can", "check", "contains", "ensure", "has", "is", "validate", "verify",
    ],
    &[
        "call", "exec", "execute", "init", "invoke", "launch", "perform", "run", "setup", "start",
    ],
    &["close", "end", "shutdown", "stop", "terminate"],
    &["dispatch", "emit", "post", "publish", "send"],
    &["handle", "on", "process"],
    &["persist", "save", "store", "write"],
    &["as", "convert", "format", "stringify", "to", "transform"],
    &["display", "draw", "print", "render", "show"],
    &["combine", "join", "merge"],
    &["decode", "parse"],
];
/// Most names.
const MAX_NAMES: usize = 64;

/// A name that is like another one: how far from it, in hundredths, and where it is known.
pub(super) struct Alike {
    /// 100 less how alike it is.
    pub(super) distance: u32,
    /// Its bytes.
    pub(super) spelt: Vec<u8>,
    /// The segment, and its number there.
    pub(super) at: (SegmentOrd, NameId),
}

/// Names of definitions that share words with a name, the nearest first: those in files that speak of a container, if
/// one is given, or all.
pub(super) fn alike(view: &View, own: &str, container: Option<&str>) -> Vec<Alike> {
    let asked = words(own.as_bytes());
    if container.is_none() && asked.len() < ALIKE.1 {
        return Vec::new();
    }
    let speaking = container.map(|container| speaking(view, container));
    let mut found: Vec<Alike> = Vec::new();
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        let names = match &speaking {
            Some(docs) => {
                let here = docs.iter().filter(|(segment, _)| *segment == ord);
                let symbols = here.flat_map(|(_, doc)| live.segment.symbols(*doc));
                symbols.map(|symbol| symbol.name).collect()
            }
            None => {
                let mut counts: FxHashMap<NameId, usize> = FxHashMap::default();
                for word in &asked {
                    let verbs = verbs_like(word).iter().map(|verb| verb.as_bytes());
                    let others = verbs.filter(|verb| verb != word);
                    for word in others.chain([&word[..]]) {
                        for name in live.segment.names_with_subword(word) {
                            *counts.entry(name).or_default() += 1;
                        }
                    }
                }
                let several = counts.into_iter().filter(|(_, count)| *count >= ALIKE.1);
                several.map(|(name, _)| name).collect::<BTreeSet<NameId>>()
            }
        };
        for name in names {
            let mut spelt = Vec::new();
            live.segment.name(name, &mut spelt);
            let words = words(&spelt);
            let (alike, shared) = compare(&asked, &words);
            // What has no word of its own is meant, however many were put behind it.
            let is_near = match container {
                Some(_) => shared > 0,
                None => shared >= ALIKE.1 && (alike >= ALIKE.0 || shared == words.len()),
            };
            if is_near {
                found.push(Alike {
                    distance: 100 - alike,
                    spelt,
                    at: (ord, name),
                });
            }
        }
    }
    found.sort_by(|a, b| (a.distance, &a.spelt, a.at).cmp(&(b.distance, &b.spelt, b.at)));
    let mut names = found.chunk_by(|a, b| a.spelt == b.spelt);
    let upto = names.by_ref().take(MAX_NAMES).map(<[Alike]>::len).sum();
    found.truncate(upto);
    found
}

/// Documents that define or name a container: those that define it first, in order of paths.
fn speaking(view: &View, container: &str) -> Vec<(SegmentOrd, DocId)> {
    let mut found: Vec<(bool, FileId, SegmentOrd, DocId)> = Vec::new();
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        let Some(container) = live.segment.name_id(container.as_bytes()) else {
            continue;
        };
        for one in live.segment.uses(container) {
            // A document that is not live has no files.
            let file = live.files_of(one.doc).min();
            found.extend(file.map(|file| (!one.defines, file, ord, one.doc)));
        }
    }
    found.sort_unstable();
    found.truncate(MAX_DOCS);
    let docs = found.into_iter();
    docs.map(|(_, _, ord, doc)| (ord, doc)).collect()
}

/// The words of a name in small letters, each once. One letter is a part of what follows it, as the `E` of `ETag`.
fn words(name: &[u8]) -> BTreeSet<Vec<u8>> {
    let mut words = BTreeSet::new();
    let mut word = Vec::new();
    for part in terms::parts(name).take(MAX_WORDS) {
        let is_letter = part.len() == 1 && part[0].is_ascii_alphabetic();
        terms::fold(part, &mut word);
        if !(is_letter && word.len() == 1) {
            words.insert(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.insert(word);
    }
    words
}

/// How alike two names are, in hundredths.
pub(super) fn likeness(a: &[u8], b: &[u8]) -> u32 {
    compare(&words(a), &words(b)).0
}

/// How alike two names are, in hundredths, and how many words they share.
fn compare(a: &BTreeSet<Vec<u8>>, b: &BTreeSet<Vec<u8>>) -> (u32, usize) {
    let (mut both, mut either, mut shared) = (0, 0, 0);
    for word in a.intersection(b) {
        let weight = weight(word);
        (both, either, shared) = (both + weight, either + weight, shared + 1);
    }
    let mut others: Vec<&Vec<u8>> = b.difference(a).collect();
    for word in a.difference(b) {
        let verbs = verbs_like(word);
        let is_like = |other: &&Vec<u8>| verbs.iter().any(|verb| verb.as_bytes() == &other[..]);
        match others.iter().position(is_like) {
            Some(at) => {
                others.swap_remove(at);
                (both, either, shared) = (both + WEIGHTS.0, either + WEIGHTS.1, shared + 1);
            }
            None => either += weight(word),
        }
    }
    either += others.iter().map(|word| weight(word)).sum::<u32>();
    (100 * both / either.max(1), shared)
}

fn weight(word: &[u8]) -> u32 {
    match word.len() <= SHORT || !verbs_like(word).is_empty() {
        true => WEIGHTS.0,
        false => WEIGHTS.1,
    }
}

/// Verbs that may stand for a word, itself among them; none where it is no such verb.
fn verbs_like(word: &[u8]) -> &'static [&'static str] {
    let mut groups = ALIKE_VERBS.iter();
    let having = groups.find(|group| group.iter().any(|verb| verb.as_bytes() == word));
    having.copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::modules::testing::Tree;

    fn near(tree: &Tree, own: &str, container: Option<&str>) -> Vec<(u32, String)> {
        let found = alike(tree.view(), own, container).into_iter();
        let said = found.map(|of| (of.distance, String::from_utf8_lossy(&of.spelt).into_owned()));
        said.collect()
    }

    fn said(distance: u32, name: &str) -> (u32, String) {
        (distance, name.to_owned())
    }

    const BODY: (&str, &str) = (
        "a.ts",
        "export function parseBody() {}\nexport function parseForm() {}\nexport function findUserById() {}\n\
         export function body() {}\nexport function compileETag() {}\nclass Context { json() {} html() {} }\n",
    );

    #[test]
    fn names_are_alike_that_share_most_words() {
        let tree = Tree::new(&[BODY]);
        let near = |own: &str, container| near(&tree, own, container);
        assert_eq!(near("parseBodyAsync", None), [said(40, "parseBody")]);
        assert_eq!(near("get_user_by_id", None), [said(17, "findUserById")]);
        assert_eq!(near("decodeForm", None), [said(25, "parseForm")]);
        assert_eq!(near("compileEtagOptions", None), [said(34, "compileETag")]);
        assert_eq!(near("handleForm", None), []);
        assert_eq!(
            near("parseBodyAsyncFromRequestText", None),
            [said(73, "parseBody")]
        );
        assert_eq!(near("sendJson", None), []);
        assert_eq!(near("sendJson", Some("Context")), [said(34, "json")]);
        assert_eq!(near("sendText", Some("Context")), []);
        assert_eq!(near("", None), []);
    }

    #[test]
    fn how_documents_are_cut_into_segments_does_not_show() {
        let other = (
            "b.ts",
            "import { Context } from './a'\nnew Context()\nexport function parseBodyText() {}\nexport function sendJson() {}\n",
        );
        let (whole, first) = (Tree::new(&[BODY, other]), Tree::new(&[BODY]));
        let cut = Tree::over(&first, &[BODY, other]);
        assert_eq!(cut.view().segments().len(), 2);
        for (own, container) in [
            ("parseBodyAsync", None),
            ("get_user_by_id", None),
            ("sendJsonText", Some("Context")),
        ] {
            let found = near(&whole, own, container);
            assert!(!found.is_empty(), "{own}");
            assert_eq!(near(&cut, own, container), found, "{own}");
        }
    }
}
