//! Members of types that are several at once: `type A = B & { name: string }`. Where `B` has a `name` too, either is meant, as
//! the compiler sees it; not where `B` is taken without it (`Omit<B, "name"> & { name: string }`).
//!
//! Guarantee: where it is not known which members a type is taken without, it has its own in place of those of its bases.

use super::names::Name;
use super::resolve::Resolver;
use super::table::SymbolId;
use crate::extract::record::{HintKind, OccurrenceKind, SymbolKind};
use crate::lang;

/// Names of members that are looked at in one type: fewer than are recorded of one union, so that where some are not, it is
/// known.
const MAX_KEYS: usize = 127;

impl Resolver<'_> {
    /// Adds to a type's own members under a name those of its bases, where the type is all of them at once.
    pub(super) fn add_beside(&self, class: SymbolId, name: Name, found: &mut Vec<SymbolId>) {
        if !self.lies_beside_bases(class, name) {
            return;
        }
        for base in self.members.bases(class) {
            let mut with_bases = self.members.with_bases(*base);
            let has = |of: &SymbolId| self.members.direct(*of, name).next().is_some();
            let first = with_bases.find(has);
            let all = first
                .into_iter()
                .flat_map(|of| self.members.direct(of, name));
            for member in all {
                if !found.contains(&member) {
                    found.push(member);
                }
            }
        }
    }

    /// Whether a type's own member lies beside those that its bases have under its name.
    pub(super) fn lies_beside_bases(&self, class: SymbolId, name: Name) -> bool {
        let kind = self.table.symbol(class).kind;
        if !lang::of(self.table.lang(class)).naming.types_add_up
            || !matches!(kind, SymbolKind::Type | SymbolKind::Interface)
            || self.members.bases(class).is_empty()
        {
            return false;
        }
        let Some(doc) = self.docs.get(self.table.file(class)) else {
            return false;
        };
        // Of an interface, members in its braces stand in place of others; what it extends may add some.
        let mut adds_up = kind == SymbolKind::Type;
        let (mut picks, mut is_picked) = (false, false);
        for (count, (found, hint)) in doc.keys_in(self.table.position(class)).enumerate() {
            adds_up = true;
            let is_name = found.kind == OccurrenceKind::Mention;
            let is_omitted = hint.kind == HintKind::Omitted;
            if !is_name || count == MAX_KEYS || is_omitted && found.name == name {
                return false;
            }
            picks |= !is_omitted;
            is_picked |= !is_omitted && found.name == name;
        }
        adds_up && (is_picked || !picks)
    }
}
