//! What others than the repository see of a definition, by what its document and its language say
//! ([`crate::lang::liveness`]). Whether they get the file at all is for [`super::exposure`] to say.
//!
//! `diff`, release notes, verdicts and `audit` all ask here: what one of them calls an export is none to another
//! only where the file is not given to others.

use super::exposure;
use super::ids::DocSymbols;
use super::inventory::is_callable;
use crate::extract::record::{Symbol, SymbolFlags, SymbolKind};
use crate::graph::semantics;
use crate::id::NameId;
use crate::lang::liveness::Liveness;
use crate::view::live::{FileId, View};
use crate::view::text::{Text, Texts};

/// Uses of a type that are looked at for objects which are given out.
pub const MAX_OBJECTS: usize = 64;

/// Definitions that are followed outwards. Code people write stays under ten.
const MAX_AROUND: usize = 64;

/// The definitions of one file, and what they are written in.
#[derive(Clone, Copy)]
pub struct Written<'a> {
    /// What is usual in its language.
    pub liveness: &'a Liveness,
    /// Its text.
    pub text: &'a Text,
    /// Its definitions.
    pub symbols: &'a DocSymbols<'a>,
}

impl<'a> Written<'a> {
    /// Whether others see a definition: it and all around it is exported, and nothing says that it is the library's
    /// own.
    pub fn is_given_out(self, position: usize) -> bool {
        is_exported(self.symbols, position) && !self.is_own(position)
    }

    /// Whether a definition, or something around it, is for the library alone although it counts as exported:
    /// `pub(crate)`, `internal`, what Java shows to a package.
    pub fn is_own(self, position: usize) -> bool {
        let (own, given) = (self.liveness.own_marks, self.liveness.given_marks);
        if own.is_empty() && given.is_empty() {
            return false;
        }
        // What stands in a constructor and counts as exported stands in a block of extensions (C#), which has no mark.
        let is_block = |at: &Symbol<NameId>| at.kind == SymbolKind::Constructor;
        let mut around = around(self.symbols, position).enumerate();
        around.any(|(depth, at)| {
            if depth > 0 && is_block(at) {
                return false;
            }
            let before = self.before_name(at);
            let has = |marks: &[&str]| {
                let mut marks = marks.iter();
                marks.any(|mark| memchr::memmem::find(&before, mark.as_bytes()).is_some())
            };
            !has(given) && (has(own) || !given.is_empty() && self.needs_mark(at, &before))
        })
    }

    /// Whether a definition is one of those that others see only where a word says so: types and what is called. What
    /// interfaces, enums and extensions hold is as these are, and so is a part of a type whose other parts may say it.
    fn needs_mark(self, of: &Symbol<NameId>, before: &[u8]) -> bool {
        let outer = of.container.and_then(|at| self.symbols.get(at as usize));
        let is_as_outer = matches!(
            outer.map(|outer| outer.kind),
            Some(SymbolKind::Interface | SymbolKind::Trait | SymbolKind::Enum | SymbolKind::Impl)
        );
        let is_part = memchr::memmem::find(before, b"partial ").is_some();
        // A namespace is open to all.
        let takes_mark =
            of.kind != SymbolKind::Module && (semantics::is_type(of.kind) || is_callable(of.kind));
        takes_mark && !is_as_outer && !is_part
    }

    /// What stands before a definition's name: on its line, and all of a head that begins before.
    fn before_name(self, of: &Symbol<NameId>) -> Vec<u8> {
        let line = self.text.line(of.name_line);
        let head = self.text.slice(of.signature.clone());
        let upto = line.get(..of.name_col as usize).unwrap_or_default();
        let begins = of.start_line < of.name_line;
        [upto, if begins { head } else { b"" }].concat()
    }
}

/// Whether others see a definition of a file, if they get that.
pub fn is_given_out(
    view: &View,
    texts: &mut Texts,
    file: FileId,
    (symbols, position): (&DocSymbols<'_>, usize),
) -> bool {
    if !is_exported(symbols, position) {
        return false;
    }
    let liveness = &exposure::language(view, file).liveness;
    if liveness.own_marks.is_empty() && liveness.given_marks.is_empty() {
        return true;
    }
    // What cannot be read says nothing against it.
    texts.get(view, file).is_none_or(|text| {
        let written = Written {
            liveness,
            text: &text,
            symbols,
        };
        !written.is_own(position)
    })
}

/// Whether a definition and all around it counts as exported. A block that implements or extends a type that stands
/// elsewhere has no say: what it holds is seen by who sees the type.
pub fn is_exported(symbols: &DocSymbols<'_>, position: usize) -> bool {
    let mut around = around(symbols, position).peekable();
    around.peek().is_some()
        && around.all(|of| of.kind == SymbolKind::Impl || of.flags.contains(SymbolFlags::EXPORTED))
}

/// A definition and what it is nested in, outwards. A block that implements or extends a type of its file is followed
/// by that.
fn around<'s>(
    symbols: &'s DocSymbols<'_>,
    position: usize,
) -> impl Iterator<Item = &'s Symbol<NameId>> {
    let outwards = std::iter::successors(symbols.get(position), |of| {
        let is_its = |other: &&Symbol<NameId>| {
            other.name == of.name
                && other.kind != SymbolKind::Impl
                && semantics::is_type(other.kind)
        };
        let extended = match of.kind {
            SymbolKind::Impl => symbols.all().iter().find(is_its),
            _ => None,
        };
        extended.or_else(|| symbols.get(of.container? as usize))
    });
    outwards.take(MAX_AROUND)
}
