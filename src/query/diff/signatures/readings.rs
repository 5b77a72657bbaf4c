//! What was read of definitions and calls, kept by content between questions: an agent asks about one branch again
//! after each edit, and to parse the files of callers takes longer than all else that is done with them.
//!
//! Guarantees: an answer is that of the same bytes in the same language; a text that is not at hand answers nothing that is
//! kept; no more is kept than [`MAX_KEPT`] of a kind. Deliberately absent: anything that outlasts the process.

use super::{Signatures, State};
use crate::extract::calls::{Arguments, Parameters, Parsed};
use crate::id::BlobId;
use crate::record::Grammar;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::ops::Range;

/// Answers of one kind kept between questions. Some 200 bytes each, so some megabytes.
const MAX_KEPT: usize = 20_000;

/// A document: its content, and the language that it is read as.
type Document = (BlobId, Grammar);

/// Answers of one kind, `None` where it cannot be told.
type Kept<A> = FxHashMap<(Document, A), Option<<A as Ask>::Answer>>;

/// What is asked of a document.
pub(super) trait Ask: Copy + Eq + Hash {
    type Answer: Clone;

    /// What a document answers that is parsed; `None` where it cannot be told.
    fn of(self, parsed: &Parsed) -> Option<Self::Answer>;

    /// Where the answers are kept.
    fn kept(readings: &mut Readings) -> &mut Kept<Self>;
}

/// What does the definition in these bytes take?
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TakenIn(u32, u32);

/// What do the constructors take of the type in these bytes?
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MadeIn(u32, u32);

/// What is given to the call whose callee's name stands at this line and column?
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct GivenAt(pub u32, pub u32);

impl From<Range<u32>> for TakenIn {
    fn from(bytes: Range<u32>) -> Self {
        Self(bytes.start, bytes.end)
    }
}

impl From<Range<u32>> for MadeIn {
    fn from(bytes: Range<u32>) -> Self {
        Self(bytes.start, bytes.end)
    }
}

impl Ask for TakenIn {
    type Answer = Parameters;

    fn of(self, parsed: &Parsed) -> Option<Parameters> {
        parsed.parameters(self.0..self.1)
    }

    fn kept(readings: &mut Readings) -> &mut Kept<Self> {
        &mut readings.taken
    }
}

impl Ask for MadeIn {
    type Answer = Vec<Parameters>;

    fn of(self, parsed: &Parsed) -> Option<Vec<Parameters>> {
        parsed.constructors(self.0..self.1)
    }

    fn kept(readings: &mut Readings) -> &mut Kept<Self> {
        &mut readings.made
    }
}

impl Ask for GivenAt {
    type Answer = Arguments;

    fn of(self, parsed: &Parsed) -> Option<Arguments> {
        parsed.arguments(self.0, self.1)
    }

    fn kept(readings: &mut Readings) -> &mut Kept<Self> {
        &mut readings.given
    }
}

/// What documents answered.
#[derive(Default)]
pub(super) struct Readings {
    taken: Kept<TakenIn>,
    made: Kept<MadeIn>,
    given: Kept<GivenAt>,
}

impl Signatures<'_> {
    fn document(&self, state: State, file: FileId) -> Option<Document> {
        let view = self.side(state).view;
        let file = view.file(file);
        let doc = file.doc?;
        let segment = &view.segment(doc.segment).segment;
        Some((file.blob, segment.doc(doc.doc).lang))
    }

    /// What a document answered before; `None` where it has to be parsed first.
    pub(super) fn known<A: Ask>(
        &self,
        texts: &mut Texts,
        (state, file): (State, FileId),
        asked: A,
    ) -> Option<Option<A::Answer>> {
        let Some(document) = self.document(state, file) else {
            return Some(None);
        };
        let known = A::kept(texts.kept()).get(&(document, asked));
        known.cloned()
    }

    /// Keeps what a document answered.
    pub(super) fn keep<A: Ask>(
        &self,
        texts: &mut Texts,
        (state, file): (State, FileId),
        asked: A,
        answer: Option<A::Answer>,
    ) {
        let known = A::kept(texts.kept());
        if known.len() >= MAX_KEPT {
            *known = FxHashMap::default();
        }
        let document = self.document(state, file);
        known.extend(document.map(|document| ((document, asked), answer)));
    }

    /// What a document answers, which is parsed if it was not asked this before; `None` where it cannot be told.
    pub(super) fn read<A: Ask>(
        &mut self,
        texts: &mut Texts,
        (state, file): (State, FileId),
        asked: A,
    ) -> Option<A::Answer> {
        if let Some(known) = self.known(texts, (state, file), asked) {
            return known;
        }
        // A text that is missing may come yet.
        let answer = asked.of(self.parsed(texts, state, file)?);
        self.keep(texts, (state, file), asked, answer.clone());
        answer
    }
}
