//! Which extractor a record is of.
//!
//! A document is judged by the fingerprint of what read it: of its language, of the languages that its parts
//! may be in, and of what is the same for all. So a release that improves one language makes documents of that
//! language anew and no others, and clones with neighbouring versions share the rest.

use crate::lang;
use crate::record::{Fingerprint, Grammar};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64;

/// Version of what is the same for all languages: the walk, its bounds, terms, chunks, and what is not read at
/// all. Raised when records of any language change by it; then all documents are made anew.
pub const CORE_VERSION: u32 = 10;

/// Names what this program records of a document that is asked for as `asked` and turns out to be in `lang`.
///
/// XXH3-64 of a text that `format-spec/10-extraction.md` describes. Two programs that have the same fingerprint of a
/// document have the same record of it.
pub fn fingerprint(asked: Grammar, lang: Grammar) -> Fingerprint {
    static KNOWN: OnceLock<Vec<(Grammar, Grammar, Fingerprint)>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let all = pairs().map(|(asked, lang)| (asked, lang, compute(asked, lang)));
        all.collect()
    });
    let found = known.binary_search_by_key(&(asked, lang), |(asked, lang, _)| (*asked, *lang));
    found.map_or_else(|_| compute(asked, lang), |at| known[at].2)
}

/// Whether this program makes records of a fingerprint.
pub fn is_ours(fingerprint: Fingerprint) -> bool {
    ours().contains(&fingerprint)
}

/// Names all that this program records of documents: what is made of them by more than one is kept under it.
pub fn of_all() -> u64 {
    static ALL: OnceLock<u64> = OnceLock::new();
    *ALL.get_or_init(|| {
        let bytes: Vec<u8> = ours().iter().flat_map(|of| of.0.to_le_bytes()).collect();
        xxh3_64(&bytes)
    })
}

fn ours() -> &'static BTreeSet<Fingerprint> {
    static OURS: OnceLock<BTreeSet<Fingerprint>> = OnceLock::new();
    OURS.get_or_init(|| {
        pairs()
            .map(|(asked, lang)| fingerprint(asked, lang))
            .collect()
    })
}

/// What documents may be asked for as, with what they may be in then, in order.
fn pairs() -> impl Iterator<Item = (Grammar, Grammar)> {
    Grammar::ALL.iter().flat_map(|asked| {
        let may_be = move |lang: &&Grammar| *lang == asked || decides_by_content(*asked);
        let langs = Grammar::ALL.iter().filter(may_be);
        langs.map(|lang| (*asked, *lang))
    })
}

/// Whether it takes the content to say what a document that is asked for so is in.
fn decides_by_content(asked: Grammar) -> bool {
    names_programs(asked) || lang::of(asked).by_content.is_some()
}

/// Whether a `#!` line says what a document that is asked for so is in.
fn names_programs(asked: Grammar) -> bool {
    asked == Grammar::Text || lang::of(asked).by_interpreter
}

fn compute(asked: Grammar, lang: Grammar) -> Fingerprint {
    Fingerprint(xxh3_64(text(asked, lang).as_bytes()))
}

/// The version of a language. Tests make a debug build pass for a neighbouring one by
/// `SVERKLO_LANGUAGE_VERSIONS=ruby=2,go=3`; a release has no ear for that.
fn version(grammar: Grammar) -> u32 {
    let told = cfg!(debug_assertions).then(|| std::env::var("SVERKLO_LANGUAGE_VERSIONS").ok());
    let told = told.flatten().unwrap_or_default();
    let mut pairs = told.split(',').filter_map(|pair| pair.split_once('='));
    let found = pairs.find(|(label, _)| *label == grammar.label());
    let told = found.and_then(|(_, version)| version.parse().ok());
    told.unwrap_or(lang::of(grammar).version)
}

/// What a fingerprint is the hash of.
fn text(asked: Grammar, lang: Grammar) -> String {
    let mut text = format!("core {CORE_VERSION}\n");
    let mut line = |what: &str, grammar: Grammar| {
        let version = version(grammar);
        writeln!(text, "{what} {} {version}", grammar.label()).expect("a string takes any text");
    };
    line("language", lang);
    let parts = lang::of(lang).parts.iter();
    let parts: BTreeSet<&str> = parts.map(|part| part.label()).collect();
    let of_label = |label: &str| Grammar::ALL.iter().copied().find(|of| of.label() == label);
    parts
        .into_iter()
        .filter_map(of_label)
        .for_each(|part| line("part", part));
    if decides_by_content(asked) {
        line("asked", asked);
    }
    if names_programs(asked) {
        let programs = lang::LANGUAGES.iter().flat_map(|language| {
            let label = language.grammar.label();
            language
                .interpreters
                .iter()
                .map(move |program| (*program, label))
        });
        for (program, label) in programs.collect::<BTreeSet<_>>() {
            writeln!(text, "program {program} {label}").expect("a string takes any text");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_a_fingerprint_of_its_own() {
        let mut all: Vec<Fingerprint> = Vec::new();
        all.extend(Grammar::ALL.iter().map(|of| fingerprint(*of, *of)));
        all.extend([Grammar::Ruby, Grammar::Python].map(|lang| fingerprint(Grammar::Text, lang)));
        all.extend([Grammar::C, Grammar::Cpp].map(|lang| fingerprint(Grammar::CHeader, lang)));
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        assert!(all.into_iter().all(is_ours));
        let stranger = Grammar::from_code(u8::MAX);
        assert!(!is_ours(fingerprint(stranger, stranger)));
    }

    #[test]
    fn it_is_of_what_reads_a_document_and_of_nothing_else() {
        let ruby = text(Grammar::Ruby, Grammar::Ruby);
        assert_eq!(
            ruby,
            format!(
                "core {CORE_VERSION}\nlanguage ruby {}\n",
                lang::of(Grammar::Ruby).version
            )
        );
        let page = text(Grammar::Vue, Grammar::Vue);
        for part in ["part css ", "part javascript ", "part typescript "] {
            assert!(page.contains(part), "{page}");
        }
        let script = text(Grammar::Text, Grammar::Ruby);
        assert!(script.contains("\nasked text ") && script.contains("\nprogram jruby ruby\n"));
        assert!(!script.contains("language python"), "{script}");
        let header = text(Grammar::CHeader, Grammar::C);
        assert!(
            header.contains("\nasked c-header ") && !header.contains("cpp"),
            "{header}"
        );
    }
}
