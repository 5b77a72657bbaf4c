//! The JSON shapes of `verify`.

use super::history::Commit;
use crate::clean;
use crate::extract::record::Lines;
use crate::query::state::Stamp;
use crate::query::verify::answer::{Fate, Place, Removal, Verdict, VerifyAnswer};
use crate::render::layout::Layout;
use serde::Serialize;

/// Answer of `verify`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verify {
    /// What the citations were held against.
    pub index: Stamp,
    /// Whether all of them still say what they said, here or elsewhere.
    pub stands: bool,
    /// The citations, in their order.
    pub citations: Vec<Checked>,
    /// How many are shown.
    pub shown: usize,
    /// Number of citations.
    pub total: usize,
    /// Places in the text that name no commit, and were passed over.
    pub plain: usize,
    /// Whether lines that left their file were looked for in some of the files only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What became of a citation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Checked {
    /// As it was written.
    pub citation: String,
    /// `unchanged`, `moved`, `modified`, `deleted`, `never was` or `unknown`.
    pub fate: &'static str,
    /// The commit that it is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Whether that is what the cited commit became, which is no longer here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rewritten: bool,
    /// Where it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// First line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<u32>,
    /// Last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<u32>,
    /// Whether that is uncommitted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dirty: bool,
    /// Of what was modified: cited lines that are still there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<u32>,
    /// Of what was modified: cited lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u32>,
    /// Of what was modified: runs of lines that are new, first and last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<(u32, u32)>,
    /// The commit that deleted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<Commit>,
    /// Why it never was, is not known, or no commit can be named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Verify {
    /// The citations that a layout shows; they are its last items.
    pub(in crate::render) fn new(
        answer: &VerifyAnswer,
        layout: &Layout,
        next: Option<String>,
    ) -> Self {
        let before = layout.levels.len() - answer.verdicts.len();
        let shown = answer.verdicts.iter().enumerate();
        let shown = shown.filter(|(at, _)| layout.level(before + at).is_some());
        let citations: Vec<Checked> = shown.map(|(_, verdict)| Checked::of(verdict)).collect();
        Self {
            index: answer.stamp.clone(),
            stands: answer.stands(),
            shown: citations.len(),
            citations,
            total: answer.verdicts.len(),
            plain: answer.plain,
            partial: answer.is_partial,
            next,
        }
    }
}

impl Checked {
    fn of(verdict: &Verdict) -> Self {
        let place: Option<&Place> = verdict.fate.place();
        let lines = place.and_then(|place| place.lines);
        let modified = match &verdict.fate {
            Fate::Modified(modified) => Some(modified),
            _ => None,
        };
        let runs = modified.map(|modified| modified.changed.iter());
        let pair = |lines: &Lines| (lines.first, lines.last);
        Self {
            citation: clean::whole(&verdict.text),
            fate: verdict.fate.label(),
            from: verdict.from.map(|commit| commit.to_string()),
            rewritten: verdict.is_rewritten,
            path: place.map(|place| place.path.to_string()),
            start: lines.map(|lines| lines.first),
            end: lines.map(|lines| lines.last),
            dirty: place.is_some_and(|place| place.is_dirty),
            kept: modified.map(|modified| modified.kept),
            of: modified.map(|modified| modified.of),
            changed: runs.into_iter().flatten().map(pair).collect(),
            by: match &verdict.fate {
                Fate::Deleted(Removal::By(by)) => Some(Commit::new(by)),
                _ => None,
            },
            reason: reason(&verdict.fate),
        }
    }
}

/// Why something never was, is not known, or why no commit can be named.
pub(in crate::render) fn reason(fate: &Fate) -> Option<String> {
    match fate {
        Fate::NeverWas(why) | Fate::Unknown(why) => Some(clean::whole(why)),
        Fate::Deleted(Removal::Untold(why)) => Some((*why).to_owned()),
        Fate::Deleted(Removal::By(_)) | Fate::Unchanged(_) | Fate::Moved(_) | Fate::Modified(_) => {
            None
        }
    }
}
