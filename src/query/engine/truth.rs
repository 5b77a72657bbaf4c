//! Answers without segments that were caught lying.

use super::{Engine, wait_for};
use crate::id::SegmentId;
use crate::query::Error;
use crate::query::question::{Question, Warned};
use crate::store::{self, OpenSegment, PartRef, Progress, Segments, Warning};
use crate::view::text::Texts;
use crate::view::written::Caught;
use std::sync::{Arc, MutexGuard, PoisonError};

/// How often a question is answered again. What lies after that is left out without a warning.
const ROUNDS: usize = 3;

impl Engine {
    /// Pins the state that a question is about and answers it from there. Where a segment is caught saying words that its
    /// files do not have, it is set aside, its documents are extracted again, and the question is asked
    /// again; the answer says so once.
    pub(super) fn pin_and_answer<Q: Question>(
        &self,
        question: &Q,
        progress: &dyn Progress,
    ) -> Result<(Q::Pin, Q::Answer), Error> {
        let mut wrong: Vec<Warning> = Vec::new();
        let mut rounds = ROUNDS;
        loop {
            let pinned = question.pin(self, progress)?;
            let mut answer = question.answer(self, &pinned, progress)?;
            let caught = self.texts().take_lies();
            if caught.is_empty() || rounds == 0 {
                say(&mut answer, &wrong);
                return Ok((pinned, answer));
            }
            rounds -= 1;
            wrong.extend(self.disown(caught));
        }
    }

    /// Sets segments aside, with all that was made from them.
    fn disown(&self, caught: Vec<Caught>) -> Vec<Warning> {
        let snapshot = self.state().snapshot.clone();
        let stored = |caught: &Caught| {
            let mut segments = snapshot.segments().iter();
            let found = segments.find(|open| Arc::ptr_eq(open.segment(), &caught.segment));
            found.map(OpenSegment::id)
        };
        let mut wrong: Vec<(SegmentId, String)> = Vec::new();
        for caught in &caught {
            match stored(caught) {
                Some(id) if wrong.iter().any(|(known, _)| *known == id) => {}
                Some(id) => wrong.push((id, caught.lie.to_string())),
                // In no index, so it is the saved overlay of uncommitted files.
                None => self.overlay.clear(),
            }
        }
        let ids: Vec<SegmentId> = wrong.iter().map(|(id, _)| *id).collect();
        store::disown(&self.repo, &ids);
        let saving = self.saving.lock();
        let saving = std::mem::take(&mut *saving.unwrap_or_else(PoisonError::into_inner));
        wait_for(saving.now);
        self.graphs.clear();
        self.learnt.clear();
        let mut state = self.state();
        state.tree_views.clear();
        state.work_tree = None;
        state.graph = super::Last::default();
        let wrong = wrong.into_iter();
        wrong
            .map(|(id, reason)| Warning::Wrong {
                part: PartRef::of::<Segments>(id),
                reason,
            })
            .collect()
    }

    pub(in crate::query) fn texts(&self) -> MutexGuard<'_, Texts> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says which segments were wrong, each once.
fn say(answer: &mut impl Warned, wrong: &[Warning]) {
    let warnings = answer.warnings_mut();
    for warning in wrong {
        let Warning::Wrong { part, .. } = warning else {
            continue;
        };
        let is_same = |said: &String| said.starts_with(&format!("{part} "));
        warnings.retain(|said| !is_same(said));
        warnings.insert(0, warning.to_string());
    }
}
