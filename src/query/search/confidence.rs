//! How sure an answer of `search` is, and what to ask instead when it is not.
//!
//! Measured on 516 annotated questions about 26 repositories: where the best file is ahead of the next by
//! a fifth of its score, it is right nine times in ten; where it is ahead by less than a tenth, or
//! has less than .55 of what it could have, it is right every other time, and among the first three
//! four times in five.

use crate::query::definitions;
use crate::query::search::answer::SearchHit;
use crate::query::target::Name;
use crate::view::live::View;
use crate::view::text::Texts;
use crate::view::written::Written;

/// By how much of its score the best file is ahead of the next in a sure answer.
const AHEAD: f64 = 0.2;
/// The same, below which the next is as good.
const ALIKE: f64 = 0.1;
/// Score of the best file below which it is not sure.
const LOW_SCORE: f64 = 0.55;
/// Share of the question's words, by weight, that the best hit holds in a sure answer.
const COVERED: f64 = 0.5;
/// Most calls that are proposed.
const MAX_CALLS: usize = 3;

labelled! {
    /// How sure an answer is.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Level {
        /// Every other time the best hit is not the one.
        Low = "low",
        /// Two times in three it is.
        Medium = "medium",
        /// Nine times in ten it is.
        High = "high",
    }
}

/// How sure an answer is, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Confidence {
    /// How sure.
    pub level: Level,
    /// Why, in a few words.
    pub reason: &'static str,
}

/// A call that may say more than the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Narrower {
    /// Look this name up.
    Symbol(Written),
    /// Ask the same below this folder.
    Below(String),
    /// Ask with these words.
    Words(String),
}

/// What a judgement needs to know beside the hits.
pub struct Evidence<'a> {
    /// The words of the question.
    pub words: &'a [String],
    /// Those that occur nowhere.
    pub unknown: &'a [String],
    /// The first of these that may be meant as a name.
    pub slip: Option<&'a str>,
    /// Share of the question's words, by weight, that the best hit holds.
    pub covered: f64,
    /// Whether the question is the name of something that is defined.
    pub is_defined: bool,
}

/// Judges an answer by its hits, best first.
pub fn judge(hits: &[SearchHit], evidence: &Evidence<'_>) -> Option<Confidence> {
    let best = hits.first()?;
    let next = hits.iter().find(|hit| hit.path != best.path);
    let ahead = next.map_or(1.0, |next| {
        1.0 - next.score / best.score.max(f64::MIN_POSITIVE)
    });
    let sure = |level, reason| Some(Confidence { level, reason });
    if 2 * evidence.unknown.len() >= evidence.words.len().max(1) {
        return sure(Level::Low, "most of the words occur nowhere");
    }
    if evidence.is_defined {
        return match ahead >= ALIKE {
            true => sure(Level::High, "the name is defined"),
            false => sure(Level::Medium, "defined in several files"),
        };
    }
    if evidence.covered < COVERED {
        return sure(Level::Low, "the best hit lacks words of the question");
    }
    if best.score < LOW_SCORE {
        return sure(Level::Low, "few channels agree");
    }
    if ahead < ALIKE {
        return sure(Level::Low, "several files match alike");
    }
    if ahead < AHEAD {
        return sure(Level::Medium, "another file is close");
    }
    sure(Level::High, "one file is well ahead")
}

/// Calls that may say more than an answer that is not sure, at most three: a name like the one that is
/// not known, the words that are known, the first definition found, the folder that at least half of
/// the hits are in.
pub fn narrower(
    view: &View,
    texts: &mut Texts,
    hits: &[SearchHit],
    evidence: &Evidence<'_>,
) -> Vec<Narrower> {
    let mut calls = Vec::new();
    // One word only, and no word of a sentence: to look through all names takes as long as the search.
    if let Some(word) = evidence.slip
        && let Some(name) = definitions::similar_names(view, texts, &Name::bare(word), 1).pop()
    {
        calls.push(Narrower::Symbol(name));
    }
    let known: Vec<&str> = evidence
        .words
        .iter()
        .filter(|word| !evidence.unknown.contains(word))
        .map(String::as_str)
        .collect();
    if !evidence.unknown.is_empty() && !known.is_empty() {
        calls.push(Narrower::Words(known.join(" ")));
    }
    if let Some(symbol) = hits.iter().find_map(|hit| hit.symbol.as_ref()) {
        let definition = Narrower::Symbol(symbol.qualified.clone());
        if !calls.contains(&definition) {
            calls.push(definition);
        }
    }
    if let Some(folder) = crowded(hits) {
        calls.push(Narrower::Below(folder));
    }
    calls.truncate(MAX_CALLS);
    calls
}

/// The deepest folder that holds at least half of the hits, and not all of them.
fn crowded(hits: &[SearchHit]) -> Option<String> {
    let folders = |path: &str| -> Vec<String> {
        let slashes = path.match_indices('/');
        slashes.map(|(at, _)| path[..=at].to_owned()).collect()
    };
    let mut candidates: Vec<String> = hits.iter().flat_map(|hit| folders(&hit.path)).collect();
    candidates.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    candidates.dedup();
    let held = |folder: &String| {
        let below = hits.iter().filter(|hit| hit.path.starts_with(folder));
        below.count()
    };
    let is_crowded = |folder: &String| 2 * held(folder) >= hits.len() && held(folder) < hits.len();
    candidates.into_iter().find(is_crowded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::BlobId;

    fn hits(scores: &[(&str, f64)]) -> Vec<SearchHit> {
        let blob = BlobId::new(gix::hash::Kind::Sha1.null());
        let hits = scores.iter().map(|(path, score)| SearchHit {
            path: (*path).to_owned(),
            start_line: 1,
            end_line: 2,
            symbol: None,
            headline: String::new(),
            text: String::new(),
            telling_lines: Vec::new(),
            found_by: Vec::new(),
            role: 1.0,
            marks: None,
            score: *score,
            blob,
            copies: Vec::new(),
        });
        hits.collect()
    }

    fn level(scores: &[(&str, f64)], change: impl Fn(&mut Evidence<'_>)) -> Level {
        let words = ["retry".to_owned(), "limit".to_owned()];
        let mut evidence = Evidence {
            words: &words,
            unknown: &[],
            slip: None,
            covered: 1.0,
            is_defined: false,
        };
        change(&mut evidence);
        judge(&hits(scores), &evidence).unwrap().level
    }

    #[test]
    fn a_file_that_is_ahead_makes_an_answer_sure() {
        assert_eq!(
            level(&[("a", 0.8), ("a", 0.79), ("b", 0.5)], |_| {}),
            Level::High
        );
        assert_eq!(level(&[("a", 0.8), ("b", 0.7)], |_| {}), Level::Medium);
        assert_eq!(level(&[("a", 0.8), ("b", 0.79)], |_| {}), Level::Low);
        assert_eq!(level(&[("a", 0.4), ("b", 0.1)], |_| {}), Level::Low);
        assert_eq!(level(&[("a", 0.8)], |e| e.covered = 0.2), Level::Low);
        assert_eq!(
            level(&[("a", 0.8), ("b", 0.6)], |e| e.is_defined = true),
            Level::High
        );
    }

    #[test]
    fn words_that_occur_nowhere_make_it_unsure() {
        let unknown = ["limit".to_owned()];
        let words = ["retry".to_owned(), "limit".to_owned()];
        let evidence = Evidence {
            words: &words,
            unknown: &unknown,
            slip: None,
            covered: 1.0,
            is_defined: true,
        };
        let judged = judge(&hits(&[("a", 0.9)]), &evidence).unwrap();
        assert_eq!(judged.level, Level::Low);
        assert_eq!(judge(&[], &evidence), None);
    }

    #[test]
    fn a_folder_that_holds_half_of_the_hits_is_proposed() {
        let found = hits(&[
            ("src/http/a.rs", 1.0),
            ("src/http/b.rs", 0.9),
            ("src/c.rs", 0.8),
        ]);
        assert_eq!(crowded(&found).as_deref(), Some("src/http/"));
        assert_eq!(
            crowded(&hits(&[("src/a.rs", 1.0), ("src/b.rs", 0.9)])),
            None
        );
        assert_eq!(crowded(&hits(&[("a.rs", 1.0)])), None);
    }
}
