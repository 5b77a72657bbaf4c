//! The JSON shapes of memories.

use crate::query::recall::{Memory, RecallAnswer};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;

/// A memory that comes up beside an answer. The text is a quotation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Note {
    /// The fact's id.
    pub id: String,
    /// What sort of thing.
    pub kind: &'static str,
    /// `core`, `contested`, `code changed since`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<&'static str>,
    /// Who said it.
    pub author: String,
    /// What it says, cut.
    pub text: String,
}

/// Answer of `recall`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Recalled<'a> {
    /// Commit it speaks of.
    pub at: &'a str,
    /// Commit of the memory log it speaks from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_at: Option<&'a str>,
    /// Memories shown, best first.
    pub memories: Vec<Cow<'a, Memory>>,
    /// Number of memories found.
    pub total: usize,
    /// What went wrong on the way.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub warnings: &'a [String],
    /// Memories that were looked at, when none was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<usize>,
    /// Targets of others that end like those asked for.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub near: &'a [String],
}

impl<'a> Recalled<'a> {
    /// Returns the wire form of an answer with the memories that are shown of it.
    pub fn new(answer: &'a RecallAnswer, memories: Vec<Cow<'a, Memory>>) -> Self {
        Self {
            at: &answer.at,
            known_at: answer.known_at.as_deref(),
            memories,
            total: answer.total,
            warnings: &answer.warnings,
            known: answer.unmet.as_ref().map(|unmet| unmet.known),
            near: answer.unmet.as_ref().map_or(&[], |unmet| &unmet.near),
        }
    }
}
