//! Which types of a union are meant where a member of it is compared: `x.kind === "circle"`, `"radius" in x`.
//!
//! A type is told from others by what its member may be, as far as that is written out as names: `kind: "circle" | "oval"`,
//! `kind: Kind.Circle`. Guarantee: a type whose member is not written so is never ruled out.

use super::documents::Document;
use super::names::Name;
use super::resolve::Resolver;
use super::table::SymbolId;
use super::value::Value;
use crate::extract::record::{HintKind, OccurrenceKind, Qualifier, SymbolKind, TypeHint};
use crate::lang;

/// What a member is compared with: branches of one `switch` that are looked at.
const MAX_COMPARED: usize = 128;

/// Names that a member may be.
const MAX_NAMES: usize = 16;

/// With what a member is compared.
struct Comparison {
    /// The member's name; `None` where it is asked whether there is one.
    member: Option<Name>,
    with: Vec<Name>,
}

impl Resolver<'_> {
    /// What a value is where a comparison holds, or where it does not.
    pub(super) fn told_apart(&self, doc: &Document, hint: TypeHint, before: Value) -> Value {
        let Some(comparison) = compared(doc, hint) else {
            return before;
        };
        let all = self.alternatives(before.clone());
        let holds = hint.kind == HintKind::Matched;
        let fits = |value: &Value| self.may_be(value, &comparison, holds);
        let left: Vec<Value> = all.iter().filter(|value| fits(value)).cloned().collect();
        match left.is_empty() || left.len() == all.len() {
            true => before,
            false => Value::several(left),
        }
    }

    /// Whether a value may be there where a comparison holds, or does not.
    fn may_be(&self, value: &Value, comparison: &Comparison, holds: bool) -> bool {
        let class = match value {
            Value::Instance(class) => *class,
            Value::Generic(generic) => generic.of,
            _ => return true,
        };
        let named = match (comparison.member, &*comparison.with) {
            (Some(member), _) => member,
            // Where it is not there it may still be one that can be left out.
            (None, [name]) if holds => *name,
            (None, _) => return true,
        };
        let (members, _) = self.members_named(class, named);
        match &*members {
            [] => self.members.has_external_base(class),
            _ if comparison.member.is_none() => true,
            [field] => match self.literal_names(*field) {
                Some(names) if holds => names.iter().any(|name| comparison.with.contains(name)),
                Some(names) => names.iter().any(|name| !comparison.with.contains(name)),
                None => true,
            },
            _ => true,
        }
    }

    /// The names that a field may be, where its type is nothing but such.
    pub(super) fn literal_names(&self, field: SymbolId) -> Option<Vec<Name>> {
        let symbol = self.table.symbol(field);
        if symbol.kind != SymbolKind::Field || !lang::of(self.table.lang(field)).naming.types_add_up
        {
            return None;
        }
        let doc = self.docs.get(self.table.file(field))?;
        let all = doc.occurrences_in(self.table.position(field));
        if all.len() > MAX_NAMES {
            return None;
        }
        let mut names = Vec::new();
        for (found, i) in all.iter().zip(1..) {
            let is_object = all
                .get(i)
                .is_some_and(|next| next.qualifier == Qualifier::Previous);
            match (found.kind, found.qualifier) {
                (OccurrenceKind::Mention, _) | (_, Qualifier::Previous) if !is_object => {
                    names.push(found.name);
                }
                _ if is_object => {}
                _ => return None,
            }
        }
        (!names.is_empty()).then_some(names)
    }
}

/// With what a member is compared, by what a check says.
fn compared(doc: &Document, hint: TypeHint) -> Option<Comparison> {
    let uses = doc.occurrences();
    let link = |at: u32| doc.receiver(at).filter(|hint| hint.kind.is_of_comparison());
    let mut at = hint.occurrence;
    let mut with = vec![uses.get(at as usize)?.name];
    // In a branch of its own only what leads to it counts; where none is taken, all do.
    let mut is_branch = true;
    for _ in 0..MAX_COMPARED {
        let Some(before) = link(at) else {
            // A name that a value has as a member.
            return Some(Comparison { member: None, with });
        };
        let named = uses.get(before.occurrence as usize)?.name;
        if link(before.occurrence).is_none() {
            let member = Some(named);
            return Some(Comparison { member, with });
        }
        is_branch &= before.kind == HintKind::Compared;
        if is_branch || hint.kind == HintKind::Unmatched {
            with.push(named);
        }
        at = before.occurrence;
    }
    None
}
