//! Compares answers with truths. Pure functions; the published rules are named where they are used.

use crate::contender::{Found, Span, is_of_language};
use crate::task::{Place, Question, Target, Task};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Lines a definition may be off: parsers differ in where one begins (bench:primitives, P1).
const DEFINITION_LINES: u32 = 3;
/// Lines a reference may be off (bench:primitives, P2).
const REFERENCE_LINES: u32 = 2;
/// Results that count for NDCG.
const NDCG_DEPTH: usize = 10;

/// The figures of one answer. Which there are depends on the kind of question.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// The figure its set is judged by: F1, or NDCG@10 of a `Locate`.
    pub score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub f1: Option<f64>,
    /// Definitions: 1 when the place answered first is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<f64>,
    /// Share of the targets among the first 5, 10 and 20 distinct files, and among the first 50
    /// results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall_at: Option<BTreeMap<usize, f64>>,
    /// One over the rank of the first result that is a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mrr: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ndcg10: Option<f64>,
}

/// Takes what is neither right nor wrong out of an answer; what is right stays. Whoever asks knows the
/// language too: a contender that cannot be told it has its results in others passed over.
pub fn without_neutral(task: &Task, found: &Found) -> Found {
    let is_neutral = |path: &str, line: Option<u32>, lines: u32| {
        task.neutral.iter().any(|target| {
            target.path == path
                && match (line, target.span) {
                    (Some(line), Some((first, _))) => line.abs_diff(first) <= lines,
                    _ => true,
                }
        })
    };
    match (&task.question, found) {
        (
            Question::Definition { truth, .. } | Question::References { truth, .. },
            Found::Places(found),
        ) => {
            let lines = match task.question {
                Question::Definition { .. } => DEFINITION_LINES,
                _ => REFERENCE_LINES,
            };
            let stays = |place: &&Place| {
                near(place, truth, lines) || !is_neutral(&place.path, Some(place.line), lines)
            };
            Found::Places(found.iter().filter(stays).cloned().collect())
        }
        (Question::Locate { truth, .. }, Found::Spans(found)) => {
            let stays = |span: &&Span| {
                truth.iter().any(|target| is_target(span, target))
                    || !is_neutral(&span.path, None, 0) && is_of_language(&span.path, &task.lang)
            };
            Found::Spans(found.iter().filter(stays).cloned().collect())
        }
        _ => found.clone(),
    }
}

/// Scores what was found against what was asked. An answer of the wrong shape says nothing.
pub fn score(question: &Question, found: &Found) -> Score {
    match (question, found) {
        (Question::Definition { truth, .. }, Found::Places(found)) => definition(truth, found),
        (Question::References { truth, .. }, Found::Places(found)) => {
            of_overlap(places(truth, found, REFERENCE_LINES))
        }
        (
            Question::Dependencies {
                imports, importers, ..
            },
            Found::Dependencies {
                imports: found_imports,
                importers: found_importers,
            },
        ) => dependencies((imports, importers), (found_imports, found_importers)),
        (Question::Unused { truth }, Found::Names(found)) => {
            of_overlap(overlap(&set(truth), &set(found)))
        }
        (Question::Locate { truth, .. }, Found::Spans(found)) => locate(truth, found),
        (Question::Locate { truth, .. }, _) => locate(truth, &[]),
        (Question::Definition { truth, .. }, _) => definition(truth, &[]),
        (Question::References { truth, .. }, _) => of_overlap(places(truth, &[], 0)),
        (
            Question::Dependencies {
                imports, importers, ..
            },
            _,
        ) => dependencies((imports, importers), (&[], &[])),
        (Question::Unused { truth }, _) => of_overlap(overlap(&set(truth), &BTreeSet::new())),
    }
}

/// How much of the truth was found, and how much of what was found is true.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Overlap {
    precision: f64,
    recall: f64,
}

impl Overlap {
    /// From counts. Where nothing was to be found, finding nothing is perfect and anything else
    /// is all wrong (bench:primitives: recall is then 1, precision the only signal).
    fn of(true_found: usize, found: usize, truth_found: usize, truth: usize) -> Self {
        let ratio = |part: usize, whole: usize| part as f64 / whole as f64;
        Self {
            precision: match (found, truth) {
                (0, 0) => 1.0,
                (0, _) => 0.0,
                _ => ratio(true_found, found),
            },
            recall: if truth == 0 {
                1.0
            } else {
                ratio(truth_found, truth)
            },
        }
    }

    fn f1(self) -> f64 {
        harmonic(self.precision, self.recall)
    }
}

fn harmonic(a: f64, b: f64) -> f64 {
    if a + b == 0.0 {
        0.0
    } else {
        2.0 * a * b / (a + b)
    }
}

fn of_overlap(overlap: Overlap) -> Score {
    Score {
        score: overlap.f1(),
        precision: Some(overlap.precision),
        recall: Some(overlap.recall),
        f1: Some(overlap.f1()),
        ..Score::default()
    }
}

/// A definition is found or it is not: one right place among those answered is all that is asked
/// (bench:primitives, P1). Whether it was the first is told apart, because an agent goes there.
fn definition(truth: &[Place], found: &[Place]) -> Score {
    let right = |place: &Place| near(place, truth, DEFINITION_LINES);
    let any = if truth.is_empty() {
        found.is_empty()
    } else {
        found.iter().any(right)
    };
    let any = f64::from(any);
    Score {
        score: any,
        precision: Some(any),
        recall: Some(any),
        f1: Some(any),
        first: Some(f64::from(match found.first() {
            Some(place) => right(place),
            None => truth.is_empty(),
        })),
        mrr: Some(reciprocal_rank(found.iter().position(right))),
        ..Score::default()
    }
}

/// Places as sets of lines with a tolerance (bench:primitives, P2): a found place is right when some
/// true one is near, a true one is found when some found one is near.
fn places(truth: &[Place], found: &[Place], lines: u32) -> Overlap {
    let truth: Vec<Place> = unique(truth);
    let found: Vec<Place> = unique(found);
    Overlap::of(
        found
            .iter()
            .filter(|place| near(place, &truth, lines))
            .count(),
        found.len(),
        truth
            .iter()
            .filter(|place| near(place, &found, lines))
            .count(),
        truth.len(),
    )
}

fn unique(places: &[Place]) -> Vec<Place> {
    places
        .iter()
        .cloned()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

fn near(place: &Place, others: &[Place], lines: u32) -> bool {
    others
        .iter()
        .any(|other| other.path == place.path && other.line.abs_diff(place.line) <= lines)
}

/// Imports and importers as sets; F1 is the harmonic mean of the two sides' F1 (bench:primitives,
/// P4). Precision and recall are means of the sides.
fn dependencies(truth: (&[String], &[String]), found: (&[String], &[String])) -> Score {
    let side = |truth: &[String], found: &[String]| overlap(&modules(truth), &modules(found));
    let (imports, importers) = (side(truth.0, found.0), side(truth.1, found.1));
    let f1 = harmonic(imports.f1(), importers.f1());
    Score {
        score: f1,
        precision: Some((imports.precision + importers.precision) / 2.0),
        recall: Some((imports.recall + importers.recall) / 2.0),
        f1: Some(f1),
        ..Score::default()
    }
}

/// Paths as what an import says: without `./`, without the extensions that are left out, and a
/// folder's index file as the folder. (The published rule has no such word for index files; with it
/// both the path that is written and the file that it means are right.)
fn modules(paths: &[String]) -> BTreeSet<String> {
    let module = |path: &String| {
        let mut path = path.trim_start_matches("./");
        for extension in [".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"] {
            path = path.strip_suffix(extension).unwrap_or(path);
        }
        path.strip_suffix("/index").unwrap_or(path).to_owned()
    };
    paths.iter().map(module).collect()
}

fn set(names: &[String]) -> BTreeSet<String> {
    names.iter().cloned().collect()
}

fn overlap(truth: &BTreeSet<String>, found: &BTreeSet<String>) -> Overlap {
    let common = truth.intersection(found).count();
    Overlap::of(common, found.len(), common, truth.len())
}

/// Ranked results against targets of equal worth. NDCG@10 as the public annotations are scored
/// (semble, `benchmarks/`): a target's rank is that of the first result that is it, results are not
/// made unique, and the ideal has every target at the top.
fn locate(truth: &[Target], found: &[Span]) -> Score {
    let ranks: Vec<Option<usize>> = truth
        .iter()
        .map(|target| found.iter().position(|span| is_target(span, target)))
        .collect();
    let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
    let dcg: f64 = ranks
        .iter()
        .flatten()
        .filter(|rank| **rank < NDCG_DEPTH)
        .map(|rank| gain(*rank))
        .sum();
    let ideal: f64 = (0..truth.len().min(NDCG_DEPTH)).map(gain).sum();
    let ndcg = if truth.is_empty() { 0.0 } else { dcg / ideal };

    let mut files = BTreeSet::new();
    let distinct: Vec<&Span> = found
        .iter()
        .filter(|span| files.insert(&span.path))
        .collect();
    let within = |results: &mut dyn Iterator<Item = &Span>, k: usize| {
        let seen: Vec<&Span> = results.take(k).collect();
        let hit = truth
            .iter()
            .filter(|target| seen.iter().any(|span| same_file(span, target)));
        if truth.is_empty() {
            0.0
        } else {
            hit.count() as f64 / truth.len() as f64
        }
    };
    let mut recall_at: BTreeMap<usize, f64> = [5, 10, 20]
        .into_iter()
        .map(|k| (k, within(&mut distinct.iter().copied(), k)))
        .collect();
    recall_at.insert(50, within(&mut found.iter(), 50));
    Score {
        score: ndcg,
        recall_at: Some(recall_at),
        mrr: Some(reciprocal_rank(ranks.iter().flatten().min().copied())),
        ndcg10: Some(ndcg),
        ..Score::default()
    }
}

/// The same file, and overlapping lines where both sides say lines.
pub fn is_target(span: &Span, target: &Target) -> bool {
    let lines = match (span.lines, target.span) {
        (Some((start, end)), Some((first, last))) => start <= last && end >= first,
        _ => true,
    };
    lines && same_file(span, target)
}

/// Annotations may name only the last components of a path.
pub fn same_file(span: &Span, target: &Target) -> bool {
    span.path
        .strip_suffix(target.path.as_str())
        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

fn reciprocal_rank(rank: Option<usize>) -> f64 {
    rank.map_or(0.0, |rank| 1.0 / (rank as f64 + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Sense;

    fn at(path: &str, line: u32) -> Place {
        Place {
            path: path.to_owned(),
            line,
        }
    }

    fn span(path: &str, lines: Option<(u32, u32)>) -> Span {
        Span {
            path: path.to_owned(),
            lines,
        }
    }

    fn target(path: &str, span: Option<(u32, u32)>) -> Target {
        Target {
            path: path.to_owned(),
            span,
        }
    }

    fn strings(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn a_definition_may_be_three_lines_off_and_not_four() {
        let question = Question::Definition {
            name: "f".to_owned(),
            truth: vec![at("a.js", 10)],
        };
        let places = |lines: &[u32]| Found::Places(lines.iter().map(|l| at("a.js", *l)).collect());
        let off = score(&question, &places(&[13]));
        assert_eq!((off.score, off.first, off.mrr), (1.0, Some(1.0), Some(1.0)));
        assert_eq!(score(&question, &places(&[14])).score, 0.0);
        assert_eq!(score(&question, &places(&[6])).score, 0.0);
        // Found, but not first: right by the published rule, and told apart.
        let second = score(&question, &places(&[99, 9]));
        assert_eq!(
            (second.score, second.first, second.mrr),
            (1.0, Some(0.0), Some(0.5))
        );
        assert_eq!(
            score(&question, &Found::Places(vec![at("b.js", 10)])).score,
            0.0
        );
        assert_eq!(score(&question, &places(&[])).first, Some(0.0));
    }

    #[test]
    fn what_is_neither_right_nor_wrong_does_not_count() {
        let mut task = Task {
            id: String::new(),
            set: String::new(),
            lang: String::new(),
            category: String::new(),
            scope: Vec::new(),
            question: Question::Definition {
                name: "f".to_owned(),
                truth: vec![at("a.c", 10)],
            },
            neutral: vec![target("a.h", Some((4, 4)))],
        };
        let found = Found::Places(vec![at("a.h", 4), at("a.c", 10), at("a.h", 90)]);
        let left = Found::Places(vec![at("a.c", 10), at("a.h", 90)]);
        assert_eq!(without_neutral(&task, &found), left);
        task.question = Question::Locate {
            query: "q".to_owned(),
            truth: vec![target("a.c", None)],
            depth: 10,
        };
        task.neutral = vec![target("a.h", None)];
        let found = Found::Spans(vec![
            span("a.h", None),
            span("b.c", None),
            span("a.c", None),
        ]);
        let mrr = |task: &Task| {
            score(&task.question, &without_neutral(task, &found))
                .mrr
                .unwrap()
        };
        close(mrr(&task), 0.5);
        task.lang = "c".to_owned();
        task.neutral.clear();
        let found = Found::Spans(vec![
            span("x.py", None),
            span("b.c", None),
            span("a.c", None),
        ]);
        let left = Found::Spans(vec![span("b.c", None), span("a.c", None)]);
        assert_eq!(without_neutral(&task, &found), left);
    }

    #[test]
    fn references_are_scored_by_lines_with_a_tolerance() {
        let question = Question::References {
            name: "f".to_owned(),
            truth: vec![
                at("a.js", 10),
                at("a.js", 20),
                at("b.js", 5),
                at("b.js", 50),
            ],
            sense: Sense::Meaning,
        };
        // Three right (one of them two lines off), one said twice, two wrong; three of four found.
        let found = [
            ("a.js", 10),
            ("a.js", 22),
            ("b.js", 5),
            ("b.js", 5),
            ("b.js", 53),
            ("c.js", 1),
        ];
        let found = Found::Places(found.iter().map(|(path, line)| at(path, *line)).collect());
        let figures = score(&question, &found);
        close(figures.precision.unwrap(), 3.0 / 5.0);
        close(figures.recall.unwrap(), 3.0 / 4.0);
        close(figures.f1.unwrap(), 2.0 / 3.0);
        close(score(&question, &Found::Places(Vec::new())).score, 0.0);
    }

    #[test]
    fn where_nothing_is_to_be_found_nothing_is_perfect() {
        let question = Question::Unused { truth: Vec::new() };
        assert_eq!(score(&question, &Found::Names(Vec::new())).score, 1.0);
        let flood = score(&question, &Found::Names(strings(&["alive"])));
        assert_eq!((flood.score, flood.recall), (0.0, Some(1.0)));
        let question = Question::Unused {
            truth: strings(&["a", "b"]),
        };
        // One of two found, one of three right: p 1/3, r 1/2.
        let some = score(&question, &Found::Names(strings(&["a", "x", "y"])));
        close(some.score, 0.4);
    }

    #[test]
    fn dependencies_are_the_harmonic_mean_of_both_sides() {
        let question = Question::Dependencies {
            path: "lib/a.js".to_owned(),
            imports: strings(&["lib/router", "lib/view"]),
            importers: strings(&["index.js"]),
        };
        // Imports: one of two, nothing wrong: p 1, r 1/2, F1 2/3. Importers: perfect.
        let found = Found::Dependencies {
            imports: strings(&["./lib/router/index.js"]),
            importers: strings(&["index.js"]),
        };
        let figures = score(&question, &found);
        close(figures.score, 2.0 * (2.0 / 3.0) / (1.0 + 2.0 / 3.0));
        close(figures.precision.unwrap(), 1.0);
        close(figures.recall.unwrap(), 0.75);
        // One side missed altogether is a miss, as published.
        let found = Found::Dependencies {
            imports: strings(&["lib/router", "lib/view"]),
            importers: Vec::new(),
        };
        assert_eq!(score(&question, &found).score, 0.0);
    }

    #[test]
    fn ranks_are_scored_as_the_annotations_are() {
        let question = Question::Locate {
            query: "q".to_owned(),
            truth: vec![target("src/tree.go", None), target("gin.go", None)],
            depth: 10,
        };
        // tree.go at rank 2, gin.go at rank 4 (as the suffix of a path), a repeated file uses a rank.
        let found = ["a.go", "src/tree.go", "a.go", "lib/gin.go"];
        let found = Found::Spans(found.iter().map(|path| span(path, None)).collect());
        let figures = score(&question, &found);
        let dcg = 1.0 / 3f64.log2() + 1.0 / 5f64.log2();
        close(figures.ndcg10.unwrap(), dcg / (1.0 + 1.0 / 3f64.log2()));
        close(figures.mrr.unwrap(), 0.5);
        close(figures.recall_at.unwrap()[&5], 1.0);
        // "in.go" is no component of "gin.go".
        let found = Found::Spans(vec![span("begin.go", None)]);
        assert_eq!(score(&question, &found).score, 0.0);
    }

    #[test]
    fn a_target_with_lines_wants_them_met() {
        let question = Question::Locate {
            query: "q".to_owned(),
            truth: vec![target("a.go", Some((10, 20)))],
            depth: 10,
        };
        let ndcg = |spans: Vec<Span>| score(&question, &Found::Spans(spans)).score;
        close(ndcg(vec![span("a.go", Some((20, 30)))]), 1.0);
        close(ndcg(vec![span("a.go", Some((21, 30)))]), 0.0);
        close(
            ndcg(vec![
                span("a.go", Some((1, 5))),
                span("a.go", Some((15, 16))),
            ]),
            1.0 / 3f64.log2(),
        );
    }

    #[test]
    fn beyond_the_tenth_result_ndcg_sees_nothing_and_recall_does() {
        let question = Question::Locate {
            query: "q".to_owned(),
            truth: vec![target("t", None)],
            depth: 20,
        };
        let mut spans: Vec<Span> = (0..10).map(|i| span(&format!("f{i}"), None)).collect();
        spans.push(span("t", None));
        let figures = score(&question, &Found::Spans(spans));
        assert_eq!(figures.ndcg10, Some(0.0));
        let recall = figures.recall_at.unwrap();
        assert_eq!(
            (recall[&5], recall[&10], recall[&20], recall[&50]),
            (0.0, 0.0, 1.0, 1.0)
        );
        close(figures.mrr.unwrap(), 1.0 / 11.0);
    }
}
