//! What is asked of the new state where a name may lead nowhere: whether something has it, and whether what is written around
//! it leaves that open.

use super::super::dangling::document;
use super::super::signatures::Place;
use super::super::units::Side;
use super::{free, whole};
use crate::extract::calls::Parsed;
use crate::graph::lacking::Lacking;
use crate::query::exposure;
use crate::view::live::FileId;
use crate::view::text::Texts;

/// Comments of who knows that a checker does not find what is there, or that nothing is.
const EXPECTED: &[&[u8]] = &[
    b"@ts-expect-error",
    b"@ts-ignore",
    b"type: ignore",
    b"noqa",
    b"no-member",
    b"no-undef",
    b"pyright: ignore",
];

/// The texts of the new state, and how many names may still be looked for in them.
pub(super) struct Asked<'q, 'a> {
    pub(super) new: &'q Side<'a>,
    pub(super) texts: &'q mut Texts,
    left: &'q mut usize,
    /// How many more may be looked at in the code around them.
    looks: &'q mut usize,
    /// The file that was parsed last.
    parsed: Option<(FileId, Option<Parsed>)>,
}

impl<'q, 'a> Asked<'q, 'a> {
    pub(super) fn new(
        new: &'q Side<'a>,
        texts: &'q mut Texts,
        (left, looks): (&'q mut usize, &'q mut usize),
    ) -> Self {
        Self {
            new,
            texts,
            left,
            looks,
            parsed: None,
        }
    }

    /// Whether what should have a name does not.
    pub(super) fn lacks(&mut self, of: Lacking, name: &[u8]) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        *self.left = left;
        let (new, texts) = (self.new, &mut *self.texts);
        let place = match of {
            Lacking::Type(class) => new.graph.place(class).0,
            Lacking::Module(module) => module,
        };
        let is_go = exposure::language(new.view, place).naming.embeds_types;
        if is_go && free::is_made_package(new.view, place, texts) {
            return false;
        }
        match of {
            Lacking::Type(class) => whole::has_no(new, class, name, texts),
            Lacking::Module(module) => whole::gives_out_no(new, module, name, texts),
        }
    }

    /// Whether one more name may be looked at: each takes a walk over the files of the tree or over code.
    pub(super) fn may_look(&mut self) -> bool {
        let looks = self.looks.checked_sub(1);
        *self.looks = looks.unwrap_or_default();
        looks.is_some()
    }

    /// Whether what is written around a name leaves it open what it means, or says that it is not there.
    pub(super) fn is_doubtful(&mut self, (file, line, col): Place) -> bool {
        if !self.may_look() {
            return true;
        }
        let Some(text) = self.texts.if_here(self.new.view, file) else {
            return true;
        };
        let says = |line: u32| {
            let line = text.line(line);
            EXPECTED
                .iter()
                .any(|words| memchr::memmem::find(line, words).is_some())
        };
        if says(line) || (line > 1 && says(line - 1)) {
            return true;
        }
        let known = self.parsed.take().filter(|(known, _)| *known == file);
        let grammar = document(self.new, file).map(|(segment, doc)| segment.doc(doc).lang);
        let (_, parsed) = self.parsed.insert(known.unwrap_or_else(|| {
            let parsed = grammar.and_then(|grammar| Parsed::of(grammar, text.bytes()));
            (file, parsed)
        }));
        parsed.as_ref().is_none_or(|of| of.is_doubtful(line, col))
    }
}
