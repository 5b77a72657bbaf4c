//! What definitions that are judged one after the other have in common: those of one name are looked for in the same
//! files. Each word is looked up, and each file read for a name, once.
//!
//! Guarantee: what is kept is what would be found anew, of one view and its graph. It lives as long as one answer is made.

use super::definitions::{self, Definition};
use super::holders::{Among, holders};
use super::openings::Openings;
use super::scope::Filter;
use super::texted;
use super::unexplained::{Rank, ReadFile};
use crate::extract::record::Grammar;
use crate::graph::edges::Graph;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Lines, those first that say most.
type Telling = Option<Rc<[(Rank, u32)]>>;

/// A word, and what names a definition by it.
type Word = (Grammar, Box<[u8]>);

/// What is known of one view from definitions that were judged before.
#[derive(Default)]
pub struct Shared {
    /// Texts that something is put behind.
    pub(super) openings: Openings,
    holders: FxHashMap<(Word, Among), Rc<[FileId]>>,
    others: FxHashMap<Word, Rc<[FileId]>>,
    telling: FxHashMap<Box<[u8]>, FxHashMap<FileId, Telling>>,
    exact: FxHashMap<Box<[u8]>, Rc<[Definition]>>,
}

impl Shared {
    /// See [`holders`].
    pub(super) fn holders(
        &mut self,
        view: &View,
        (lang, name): (Grammar, &[u8]),
        among: Among,
    ) -> Rc<[FileId]> {
        let known = self.holders.entry(((lang, name.into()), among));
        let known = known.or_insert_with(|| holders(view, lang, name, among).into());
        known.clone()
    }

    /// See [`texted::code_of_others`], of what stands beside nothing.
    pub(super) fn code_of_others(
        &mut self,
        view: &View,
        (lang, name): (Grammar, &[u8]),
    ) -> Rc<[FileId]> {
        let known = self.others.entry((lang, name.into()));
        let known =
            known.or_insert_with(|| texted::code_of_others(view, lang, (name, None)).into());
        known.clone()
    }

    /// See [`ReadFile::telling`]. `None` where the text of a file is not at hand; nothing is fetched to say that nothing
    /// is there.
    pub(super) fn telling(
        &mut self,
        view: &View,
        graph: &Graph,
        texts: &mut Texts,
        (name, file): (&[u8], FileId),
    ) -> Telling {
        let of_name = self.telling.entry(name.into()).or_default();
        let known = of_name.entry(file).or_insert_with(|| {
            texts.if_here(view, file)?;
            let read = ReadFile::of(view, graph, texts, file)?;
            Some(read.telling(name).into())
        });
        known.clone()
    }

    /// All definitions of exactly this name.
    pub(super) fn exact(&mut self, view: &View, name: &[u8]) -> Rc<[Definition]> {
        let known = self.exact.entry(name.into());
        let known =
            known.or_insert_with(|| definitions::find_exact(view, &Filter::open(), name).into());
        known.clone()
    }
}
