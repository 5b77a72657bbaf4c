//! Groups of tests that calls declare (`describe Thing do`): each is a class below one of the library, and has what the
//! repository adds to that (`class Minitest::Spec`).
//!
//! Guarantee: only what bears all of the name of such a class counts. Deliberately absent: groups of other libraries, and what
//! is included by a call (`RSpec.configure`).

use super::documents::Document;
use super::names::Name;
use super::resolve::{Meaning, Resolver, Sought};
use super::semantics;
use super::table::SymbolId;
use crate::lang;

/// Types of one name among which those are looked for that groups are types below.
const MAX_NAMED: usize = 64;

impl Resolver<'_> {
    /// What a bare name in a group of tests means that the type has which the group is a type below.
    pub(super) fn of_base_of_tests(
        &self,
        doc: &Document,
        name: Name,
        sought: Sought,
    ) -> Option<Meaning> {
        let bases = lang::of(doc.lang).naming.bases_of_tests.iter();
        bases
            .flat_map(|path| self.opened_by_path(doc, *path))
            .find_map(|class| self.visible_members(class, name, sought))
    }

    /// The parts of a type that stands in another one, wherever it is opened.
    fn opened_by_path(&self, doc: &Document, [outer, own]: [&str; 2]) -> Vec<SymbolId> {
        let names = (
            self.names.find(outer.as_bytes()),
            self.names.find(own.as_bytes()),
        );
        let (Some(outer), Some(own)) = names else {
            return Vec::new();
        };
        let family = lang::of(doc.lang).family;
        let is_it = |id: &SymbolId| {
            let symbol = self.table.symbol(*id);
            let around = || Some(self.table.symbol(self.table.container(*id)?).name);
            self.table.family(*id) == family
                && semantics::is_type(symbol.kind)
                && symbol.receiver.or_else(around) == Some(outer)
        };
        self.table
            .named(own)
            .take(MAX_NAMED)
            .filter(is_it)
            .collect()
    }
}
