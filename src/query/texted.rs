//! Names that a text in another language holds: `'showTab("history")'` in Ruby, `evaluateJavaScript("endFind()")` in Swift,
//! what a generator prints. And those that examples in comments call where tests run these (`>>> split("a")`).
//!
//! Guarantee: what is code of that language itself is no text, and neither is a line that begins as a comment. A word that
//! is nothing but a word has to stand alone behind a quote, or behind a quote and before arguments: too much says `next`.
//! Of scripts, which pages of other languages are full of, a name may be a value there (`onmove = dragItem;`).

use super::holding;
use super::unexplained::{MAX_FILES, MIN_NAME_BYTES, ReadFile, is_remark};
use crate::extract::record::{Field, Grammar};
use crate::graph::edges::Graph;
use crate::id::{DocAddress, SegmentOrd};
use crate::lang;
use crate::lang::language::Genre;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::{Text, Texts};
use crate::view::word_places::WordPlaces;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::hash::Hash;
use std::ops::RangeInclusive;

/// Bytes of a line before and behind a name that are looked at: nobody writes a mark further away, and a line may be half
/// of a file that holds the name in all of it.
const MAX_BESIDE: usize = 1024;
/// Shortest word that a quote around it makes the name of a script's function.
const MIN_WORD_BYTES: usize = 6;

/// The first place at which a text of another language, or an example in a comment, uses a name.
pub fn first(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    (lang, name): (Grammar, &[u8]),
    own: &(FileId, RangeInclusive<u32>),
) -> Option<(FileId, u32)> {
    let said = elsewhere(view, graph, texts, std::iter::once(((), (lang, name))));
    let said = said.get(&()).copied();
    said.or_else(|| prompted(view, texts, (lang, name), own))
}

/// The first places at which texts of other languages use some names, each by what stands for it. Each file is read once,
/// as thousands of names may stand in the same ones.
pub fn elsewhere<'n, K: Copy + Eq + Hash>(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    asked: impl Iterator<Item = (K, (Grammar, &'n [u8]))>,
) -> FxHashMap<K, (FileId, u32)> {
    let mut by_file: BTreeMap<FileId, Vec<(K, Sought<'_>)>> = BTreeMap::new();
    for (key, (lang, name)) in asked.filter(|(_, (_, name))| name.len() >= MIN_NAME_BYTES) {
        let sought = Sought {
            name,
            is_script: lang::of(lang).liveness.scripts_share_names,
        };
        for file in code_of_others(view, lang, (name, None)) {
            by_file.entry(file).or_default().push((key, sought));
        }
    }
    let mut found = FxHashMap::default();
    for (file, mut names) in by_file {
        names.retain(|(key, _)| !found.contains_key(key));
        let text = match names.is_empty() {
            true => None,
            false => texts.if_here(view, file),
        };
        let Some(text) = text else {
            continue;
        };
        let places = WordPlaces::default();
        names.retain(|(_, sought)| {
            let mut all = places.of(&text, sought.name);
            all.any(|at| sought.is_used(&text, at))
        });
        let read = match names.is_empty() {
            true => None,
            false => ReadFile::of(view, graph, texts, file),
        };
        let Some(read) = read else {
            continue;
        };
        let lines = names.into_iter().filter_map(|(key, sought)| {
            let line = read.in_texts(sought.name, |text, at| sought.is_used(text, at))?;
            Some((key, (file, line)))
        });
        found.extend(lines);
    }
    found
}

/// Files of code in other languages that have a name as a word outside of comments, in path order.
pub fn code_of_others(
    view: &View,
    lang: Grammar,
    (name, beside): (&[u8], Option<&[u8]>),
) -> Vec<FileId> {
    let family = lang::of(lang).family;
    let is_other = |of: Grammar| {
        let of = lang::of(of);
        of.genre == Genre::Code && of.family != family
    };
    let mut files = having(view, name, &[Field::Body, Field::Signature], is_other);
    // Of a word that all have, those that have what stands beside it as well.
    if let Some(beside) = beside.filter(|_| files.len() > MAX_FILES) {
        let both = having(view, beside, &[Field::Body, Field::Signature], is_other);
        files.retain(|file| both.binary_search(file).is_ok());
    }
    files.truncate(MAX_FILES);
    files
}

fn having(
    view: &View,
    name: &[u8],
    fields: &[Field],
    admits: impl Fn(Grammar) -> bool,
) -> Vec<FileId> {
    let mut files = Vec::new();
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        for doc in holding::documents(live, name, fields) {
            if !admits(live.segment.doc(doc).lang) {
                continue;
            }
            let fits = |file: &FileId| {
                let file = view.file(*file);
                file.role != FileRole::Documentation
                    && file.doc == Some(DocAddress { segment: ord, doc })
            };
            files.extend(live.files_of(doc).filter(fits));
        }
    }
    files.sort_unstable();
    files.dedup();
    files
}

/// What stands on its line before a name and behind it; `None` where the line is a comment there.
fn around<'t>(text: &'t Text, at: u32, name: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let (line, col) = text.place(at);
    let line = text.line(line);
    let before = line.get(..col as usize)?;
    let after = line.get(col as usize + name.len()..)?;
    let before = &before[before.len().saturating_sub(MAX_BESIDE)..];
    let after = &after[..after.len().min(MAX_BESIDE)];
    let holds = |mark: &[u8]| memchr::memmem::find(before, mark).is_some();
    let is_told = is_remark(line) || holds(b" // ") || holds(b" # ") || holds(b"/*");
    (!is_told).then_some((before, after))
}

fn is_quote(b: &u8) -> bool {
    matches!(b, b'"' | b'\'' | b'`')
}

/// A name that is looked for in texts of other languages.
#[derive(Clone, Copy)]
struct Sought<'n> {
    name: &'n [u8],
    /// Whether it is one of a script, which pages of other languages are full of.
    is_script: bool,
}

impl Sought<'_> {
    fn is_used(&self, text: &Text, at: u32) -> bool {
        is_used(text, at, self.name) || self.is_script && is_used_by_page(text, at, self.name)
    }
}

/// Whether the name of a function of a script is all that a text holds, the last member of that, or a value as scripts
/// write it.
fn is_used_by_page(text: &Text, at: u32, name: &[u8]) -> bool {
    let Some((before, after)) = around(text, at, name) else {
        return false;
    };
    let ends = before.last().zip(after.first());
    let is_whole = ends.is_some_and(|(before, after)| is_quote(before) && before == after);
    let is_member = ends.is_some_and(|(before, after)| *before == b'.' && is_quote(after));
    let is_member = is_member && before.iter().any(is_quote);
    let last = before.trim_ascii_end().last();
    let next = after.trim_ascii_start().first();
    let is_value = last.is_some_and(|b| b"=(,:[?|&".contains(b))
        && next.is_none_or(|b| b",;)}]:|&\"'".contains(b));
    is_whole && name.len() >= MIN_WORD_BYTES || is_telling(name) && (is_member || is_value)
}

/// Whether a name stands as what is called, or is all that a text holds.
fn is_used(text: &Text, at: u32, name: &[u8]) -> bool {
    let Some((before, after)) = around(text, at, name) else {
        return false;
    };
    let quote = before.last().filter(|b| is_quote(b));
    let is_called = after.first() == Some(&b'(');
    let is_whole = quote.is_some() && after.first() == quote;
    // `"beforeShow: pickDate};"`.
    let is_value = before.iter().any(is_quote)
        && before.last().is_some_and(|b| b" :=(".contains(b))
        && after.first().is_some_and(|b| b";})".contains(b));
    is_called && quote.is_some() || is_telling(name) && (is_called || is_whole || is_value)
}

/// Whether a name is put together of words: one that is not may be any word.
fn is_telling(name: &[u8]) -> bool {
    let pairs = || name.windows(2);
    pairs().any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
        || pairs().any(|two| two[1] == b'_' && two[0] != b'_')
}

/// The first line of an example in a comment that has a name.
pub fn prompted(
    view: &View,
    texts: &mut Texts,
    (lang, name): (Grammar, &[u8]),
    own: &(FileId, RangeInclusive<u32>),
) -> Option<(FileId, u32)> {
    let prompts = lang::of(lang).liveness.example_prompts;
    if prompts.is_empty() || name.len() < MIN_NAME_BYTES {
        return None;
    }
    let files = having(view, name, &[Field::Comment], |of| of == lang);
    files.into_iter().take(MAX_FILES).find_map(|file| {
        let text = texts.if_here(view, file)?;
        let lines = text.words(name).map(|at| text.place(at).0);
        let mut lines = lines.filter(|line| !(file == own.0 && own.1.contains(line)));
        let is_example = |line: &u32| {
            let line = text.line(*line).trim_ascii_start();
            prompts.iter().any(|prompt| line.starts_with(prompt))
        };
        lines.find(is_example).map(|line| (file, line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_line_what_stands_near_counts() {
        for (between, is) in [(MAX_BESIDE / 8, true), (MAX_BESIDE, false)] {
            let line = format!("'{}=showTab;'", "a ".repeat(between / 2));
            let text = Text::new(line.into_bytes());
            let at = text.words(b"showTab").next().unwrap();
            assert_eq!(is_used(&text, at, b"showTab"), is, "{between}");
        }
    }

    #[test]
    fn pages_use_functions_of_scripts_as_values() {
        let is = |line: &str, name: &str| {
            let text = Text::new(line.as_bytes().to_vec());
            let at = text.words(name.as_bytes()).next().unwrap();
            is_used_by_page(&text, at, name.as_bytes())
        };
        assert!(is("document.onmove = dragItem;", "dragItem"));
        assert!(is(
            "echo \"onload = partial(checkVersion, '1')\"",
            "checkVersion"
        ));
        assert!(is("on('input', 'whisper', 1)", "whisper"));
        assert!(is("Comet.string(\"parent.clockChanged\")", "clockChanged"));
        for (line, name) in [
            ("\"to dragItem or not\"", "dragItem"),
            ("// onmove = dragItem;", "dragItem"),
            ("f(\"next\")", "next"),
            ("whisper = 1", "whisper"),
            ("f(whisper)", "whisper"),
        ] {
            assert!(!is(line, name), "{line}");
        }
    }

    #[test]
    fn what_a_text_calls_or_is_is_used() {
        let is = |line: &str, name: &str| {
            let text = Text::new(line.as_bytes().to_vec());
            let at = text.words(name.as_bytes()).next().unwrap();
            is_used(&text, at, name.as_bytes())
        };
        assert!(is("  :onclick => 'showTab(1)'", "showTab"));
        assert!(is("  \"before: showDate();\"", "showDate"));
        assert!(is("let names = [\"main_mac\"]", "main_mac"));
        assert!(is("  \"beforeShow: pickDate};\"", "pickDate"));
        assert!(is("run(\"next(1)\")", "next"));
        for (line, name) in [
            ("say(\"and next (page)\")", "next"),
            ("x = \"next\"", "next"),
            ("  # calls showTab(1)", "showTab"),
            ("f() // showTab(1)", "showTab"),
            ("\"to showTab or not\"", "showTab"),
            ("\"NEXT\"", "NEXT"),
        ] {
            assert!(!is(line, name), "{line}");
        }
    }
}
