//! Calls of members that the object does not have: of which type it is is known, and neither that nor a base has one of
//! the name, nor does anything else in the repository.
//!
//! Guarantees: the object is known without a guess, and none of its bases lies outside. Whether a type makes members up
//! when they are called (`__getattr__`) is not asked here: who tells of such calls asks.

use super::documents::Document;
use super::edges::LackingAt;
use super::hops::{Hops, Search};
use super::memo::Memo;
use super::resolve::{Meaning, Resolver};
use super::table::SymbolId;
use super::value::Value;
use crate::extract::record::{OccurrenceKind, Qualifier, SymbolKind};
use crate::lang;
use crate::view::live::FileId;

/// What does not have the member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lacking {
    /// A type, with all of its bases.
    Type(SymbolId),
    /// A module that is this file.
    Module(FileId),
}

impl Lacking {
    /// The same of a place, as a graph keeps it.
    pub(super) fn at(self, file: FileId, (line, col): (u32, u32)) -> LackingAt {
        let (is_module, of) = match self {
            Self::Type(class) => (0, class.0),
            Self::Module(module) => (1, module.0),
        };
        (file.0, line, col, is_module, of)
    }
}

impl Resolver<'_> {
    /// What an occurrence takes a member of that it does not have. It is asked of what has no meaning.
    pub(super) fn lacking(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        memo: &Memo,
    ) -> Option<Lacking> {
        let found = doc.occurrences().get(at as usize)?;
        let naming = &lang::of(doc.lang).naming;
        if found.kind != OccurrenceKind::Call
            || found.qualifier == Qualifier::None
            || !naming.members_are_written
            || self.table.named(found.name).next().is_some()
            || (naming.library_members)(self.names.bytes(found.name))
            || (naming.object_members)(self.names.bytes(found.name))
        {
            return None;
        }
        let class = match found.qualifier {
            Qualifier::This => self.this_type(file, doc, found.owner())?,
            _ => {
                let search = Search::with(memo);
                let hops = Hops::new(&search);
                let (object, is_guess) = hops.watch(|| self.object_of(file, doc, at, hops));
                let known = self.member_of(doc, found, object.clone());
                if is_guess || known != Meaning::Unknown {
                    return None;
                }
                match object {
                    Value::Instance(class) | Value::Type(class) => class,
                    Value::Generic(generic) => generic.of,
                    Value::Module(place) => {
                        let (files, inner) = place.parts()?;
                        return match (files, inner) {
                            ([file], []) => Some(Lacking::Module(*file)),
                            _ => None,
                        };
                    }
                    _ => return None,
                }
            }
        };
        let class = self.members.canonical(class);
        let kind = self.table.symbol(class).kind;
        let lists = matches!(
            kind,
            SymbolKind::Class | SymbolKind::Struct | SymbolKind::Interface
        ) || (kind == SymbolKind::Enum && !naming.heirs_answer);
        let is_whole = lists && self.values.of(class).is_none();
        (is_whole && !self.members.has_external_base(class)).then_some(Lacking::Type(class))
    }
}
