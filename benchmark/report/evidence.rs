//! What an answer did wrong, as far as the raw line shows it.

use super::read::Answered;
use super::table::prose;

/// The ways of falling short, told from the figures alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    NotOffered,
    Failed,
    NoTruth,
    Silent,
    Missing,
    OneSide,
    Deep,
    NotFirst,
    Partial,
    PartialAndExtra,
    Extra,
}

impl Class {
    pub const ALL: [Self; 11] = [
        Self::NotOffered,
        Self::Failed,
        Self::NoTruth,
        Self::Silent,
        Self::Missing,
        Self::OneSide,
        Self::Deep,
        Self::NotFirst,
        Self::Partial,
        Self::PartialAndExtra,
        Self::Extra,
    ];

    /// Its name in `losses.jsonl`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotOffered => "not offered",
            Self::Failed => "failed",
            Self::NoTruth => "no truth",
            Self::Silent => "no answer",
            Self::Missing => "missing",
            Self::OneSide => "one side",
            Self::Deep => "below rank 10",
            Self::NotFirst => "not first",
            Self::Partial => "partial",
            Self::PartialAndExtra => "partial and extra",
            Self::Extra => "extra",
        }
    }

    /// Why a task of this class is lost, where nobody has looked closer.
    pub fn why(self) -> &'static str {
        match self {
            Self::NotOffered => "git-sverklo has nothing for this kind of question",
            Self::Failed => "the answer was an error",
            Self::NoTruth => "the task's truth is empty, so whatever is answered is wrong",
            Self::Silent => "nothing was answered",
            Self::Missing => "the truth is not in the answer",
            Self::OneSide => {
                "either the imports or the importers are missed altogether, which scores 0"
            }
            Self::Deep => "the truth is in the answer, below rank 10",
            Self::NotFirst => "the truth is in the answer, but something else comes first",
            Self::Partial => "some of the truth is not in the answer, or low in it",
            Self::PartialAndExtra => {
                "some of the truth is missing and other places are in its stead"
            }
            Self::Extra => "all of the truth is there, but extra places lower the precision",
        }
    }
}

/// Tells the class of an answer that scores below 1.
pub fn classify(answer: &Answered) -> Class {
    if !answer.offered {
        return Class::NotOffered;
    }
    if answer.error.is_some() {
        return Class::Failed;
    }
    if answer.truth.is_empty() {
        return Class::NoTruth;
    }
    if answer.found.is_empty() {
        return Class::Silent;
    }
    if answer.kind == "locate" {
        return match rank(answer) {
            None => Class::Missing,
            Some(rank) if rank > 10 => Class::Deep,
            Some(1) => Class::Partial,
            Some(_) => Class::NotFirst,
        };
    }
    let full = |figure: Option<f64>| figure.is_none_or(|figure| figure >= 1.0);
    match (answer.recall, full(answer.recall), full(answer.precision)) {
        (Some(0.0), ..) => Class::Missing,
        _ if answer.kind == "dependencies" && answer.score == 0.0 => Class::OneSide,
        // Of a definition the first place is what an agent opens.
        _ if answer.kind == "definition" && answer.first == Some(0.0) => Class::NotFirst,
        (_, false, true) => Class::Partial,
        (_, false, false) => Class::PartialAndExtra,
        (_, true, _) => Class::Extra,
    }
}

/// The first rank, from 1, at which the answer has something of the truth, if the line tells.
pub fn rank(answer: &Answered) -> Option<usize> {
    if let Some(mrr) = answer.mrr {
        return (mrr > 0.0).then(|| (1.0 / mrr).round() as usize);
    }
    let right = |found: &String| answer.truth.iter().any(|truth| same(found, truth));
    answer.found.iter().position(right).map(|at| at + 1)
}

/// The evidence in a few words.
pub fn describe(answer: &Answered) -> String {
    match classify(answer) {
        Class::NotOffered => "not offered".to_owned(),
        Class::Failed => prose(answer.error.as_deref().unwrap_or_default()),
        Class::NoTruth => format!("{} answered", listed(answer)),
        Class::Silent => "nothing answered".to_owned(),
        Class::Missing => format!("not among the {} answered", listed(answer)),
        _ => {
            let mut parts = Vec::new();
            match rank(answer) {
                Some(rank) => parts.push(format!("truth at rank {rank}")),
                // The line holds the first places only.
                None => parts.push(format!("truth not among the first {}", answer.found.len())),
            }
            if answer.kind == "locate" {
                if let Some(recall) = answer.recall_at.get("10") {
                    parts.push(format!("recall@10 {recall:.2}"));
                }
            } else if answer.kind != "definition"
                && let (Some(precision), Some(recall)) = (answer.precision, answer.recall)
            {
                parts.push(format!("precision {precision:.2}, recall {recall:.2}"));
            }
            parts.join(", ")
        }
    }
}

/// How many places the line lists; it holds no more than ten.
fn listed(answer: &Answered) -> String {
    match answer.found.len() {
        count @ 0..10 => count.to_string(),
        _ => "10 or more".to_owned(),
    }
}

/// Whether two places are one: the path or its end, and lines that are near each other or meet.
/// Three lines is the widest tolerance that any of the sets allows.
fn same(found: &str, truth: &str) -> bool {
    const NEAR: u32 = 3;
    let ((path, lines), (wanted, span)) = (split(found), split(truth));
    let ends = path
        .strip_suffix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    ends && match (lines, span) {
        (Some((from, to)), Some((first, last))) => from <= last + NEAR && first <= to + NEAR,
        _ => true,
    }
}

/// Path and lines of `path:12` or `path:12-34`.
fn split(place: &str) -> (&str, Option<(u32, u32)>) {
    let Some((path, lines)) = place.rsplit_once(':') else {
        return (place, None);
    };
    let (from, to) = lines.split_once('-').unwrap_or((lines, lines));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) => (path, Some((from, to))),
        _ => (place, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn listing(found: &[&str], truth: &[&str], precision: f64, recall: f64) -> Answered {
        let own = |places: &[&str]| places.iter().map(|place| (*place).to_owned()).collect();
        Answered {
            kind: "references".to_owned(),
            offered: true,
            found: own(found),
            truth: own(truth),
            precision: Some(precision),
            recall: Some(recall),
            ..Answered::default()
        }
    }

    #[test]
    fn a_list_is_told_by_precision_and_recall() {
        let truth = &["a.rs:1", "b.rs:9"];
        let class =
            |found: &[&str], precision, recall| classify(&listing(found, truth, precision, recall));
        assert_eq!(class(&[], 0.0, 0.0), Class::Silent);
        assert_eq!(class(&["c.rs:1"], 0.0, 0.0), Class::Missing);
        assert_eq!(class(&["a.rs:1"], 1.0, 0.5), Class::Partial);
        assert_eq!(
            class(&["a.rs:1", "c.rs:1"], 0.5, 0.5),
            Class::PartialAndExtra
        );
        assert_eq!(
            class(&["c.rs:1", "a.rs:1", "b.rs:9"], 0.67, 1.0),
            Class::Extra
        );
        assert_eq!(
            classify(&listing(&["a.rs:1"], &[], 0.0, 0.0)),
            Class::NoTruth
        );
    }

    #[test]
    fn a_definition_is_told_by_its_first_place() {
        let mut answer = listing(&["x.rs:5", "src/a.rs:4"], &["a.rs:1"], 0.5, 1.0);
        answer.kind = "definition".to_owned();
        answer.first = Some(0.0);
        assert_eq!(classify(&answer), Class::NotFirst);
        assert_eq!(describe(&answer), "truth at rank 2");
        answer.first = Some(1.0);
        assert_eq!(classify(&answer), Class::Extra);
    }

    #[test]
    fn dependencies_that_score_nothing_miss_a_side_or_all() {
        let mut answer = listing(&["imports a"], &["imports a", "imported by b"], 0.5, 0.5);
        answer.kind = "dependencies".to_owned();
        assert_eq!(classify(&answer), Class::OneSide);
        answer.score = 0.4;
        assert_eq!(classify(&answer), Class::PartialAndExtra);
        answer.score = 0.0;
        answer.recall = Some(0.0);
        assert_eq!(classify(&answer), Class::Missing);
    }

    #[test]
    fn a_locate_is_told_by_its_rank() {
        let mut answer = listing(&["x.rs"], &["a.rs"], 0.0, 0.0);
        answer.kind = "locate".to_owned();
        answer.recall_at = BTreeMap::from([("10".to_owned(), 0.0)]);
        for (mrr, class) in [
            (0.0, Class::Missing),
            (1.0 / 11.0, Class::Deep),
            (1.0 / 3.0, Class::NotFirst),
            (1.0, Class::Partial),
        ] {
            answer.mrr = Some(mrr);
            assert_eq!(classify(&answer), class, "{mrr}");
        }
        answer.mrr = Some(1.0 / 11.0);
        assert_eq!(describe(&answer), "truth at rank 11, recall@10 0.00");
    }

    #[test]
    fn places_are_the_same_by_the_end_of_the_path_and_by_near_lines() {
        assert!(same("lib/a.js:12", "lib/a.js:15"));
        assert!(!same("lib/a.js:12", "lib/a.js:16"));
        assert!(same("src/lib/a.js:1-30", "lib/a.js:20-40"));
        assert!(!same("mylib/a.js", "lib/a.js"));
        assert!(same("lib/a.js:3", "lib/a.js"));
        assert!(same("std::mem", "std::mem"));
    }
}
