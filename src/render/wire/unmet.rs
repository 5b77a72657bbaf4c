//! The JSON shape of a place that expects what is not there, or not so.

use super::Symbol;
use crate::query::diff::answer;
use serde::Serialize;

/// A place that expects what is not there, or not so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unmet {
    /// File.
    pub path: String,
    /// Line.
    pub line: u32,
    /// Text of the line.
    pub text: String,
    /// Definition that it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<Symbol>,
    /// How sure it is.
    pub certainty: &'static str,
    /// What was expected.
    pub expected: String,
    /// Where that was.
    pub at: String,
    /// What it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<Symbol>,
    /// What does not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Unmet {
    pub(super) fn new(of: &answer::Unmet) -> Self {
        Self {
            path: of.path.clone(),
            line: of.line,
            text: of.text.clone(),
            inside: of.inside.as_ref().map(Symbol::new),
            certainty: of.certainty.label(),
            expected: of.expected.to_string(),
            at: of.at.clone(),
            now: of.now.as_ref().map(Symbol::new),
            reason: of.reason.clone(),
        }
    }
}
