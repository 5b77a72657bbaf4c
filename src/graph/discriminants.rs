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

/// Occurrences in the type of a member, of which two make the name of a member of an enumeration.
const MAX_NAMES: usize = 32;

/// A name that a member is compared with, or may be: what it is a member of, if anything, and itself.
type Written = (Option<Name>, Name);

/// With what a member is compared.
struct Comparison {
    /// The member's name; `None` where it is asked whether there is one.
    member: Option<Name>,
    with: Vec<Written>,
}

/// Whether two written names are the same. The value of an enumeration's member is not known.
fn is_same(a: Written, b: Written) -> Option<bool> {
    (a.0 == b.0).then_some(a.1 == b.1)
}

impl Resolver<'_> {
    /// What a value is where a comparison holds, or where it does not.
    pub(super) fn told_apart(&self, doc: &Document, hint: TypeHint, before: Value) -> Value {
        let all = self.alternatives(before.clone());
        // Of one nothing is left out.
        let [_, _, ..] = *all else { return before };
        let Some(comparison) = compared(doc, hint) else {
            return before;
        };
        let holds = hint.kind == HintKind::Matched;
        let fits: Vec<Option<bool>> = all
            .iter()
            .map(|value| self.may_be(value, &comparison, holds))
            .collect();
        // A type that may be anything rules out none of the others.
        let is_known = holds || fits.iter().all(Option::is_some);
        let left = all
            .iter()
            .zip(&fits)
            .filter(|(_, fits)| **fits != Some(false));
        let left: Vec<Value> = left.map(|(value, _)| value.clone()).collect();
        match !is_known || left.is_empty() || left.len() == all.len() {
            true => before,
            false => Value::several(left),
        }
    }

    /// Whether a value may be there where a comparison holds, or does not; `None` where that is not known.
    fn may_be(&self, value: &Value, comparison: &Comparison, holds: bool) -> Option<bool> {
        let class = match value {
            Value::Instance(class) => *class,
            Value::Generic(generic) => generic.of,
            Value::Literal | Value::Never => return Some(true),
            _ => return None,
        };
        let Some(member) = comparison.member else {
            return self.may_have(class, comparison, holds);
        };
        let (members, _) = self.members_named(class, member);
        let [field] = *members else { return None };
        let names = self.literal_names(field)?;
        let with = &comparison.with;
        let is_one = |name: &Written| with.iter().any(|of| is_same(*of, *name) == Some(true));
        let is_none = |name: &Written| with.iter().all(|of| is_same(*of, *name) == Some(false));
        Some(match holds {
            true => !names.iter().all(is_none),
            false => !names.iter().all(is_one),
        })
    }

    /// Whether an object may be there that has a member, or that has none.
    fn may_have(&self, class: SymbolId, comparison: &Comparison, holds: bool) -> Option<bool> {
        let [(_, name)] = *comparison.with else {
            return None;
        };
        let is_there = !self.members_named(class, name).0.is_empty();
        let keeps_any = self.values.of(class).is_some();
        let is_class = self.table.symbol(class).kind == SymbolKind::Class;
        match is_there {
            // Where it is not there it may still be one that can be left out.
            true => Some(true),
            false if keeps_any || is_class || self.members.has_external_base(class) => None,
            false => Some(!holds),
        }
    }

    /// The names that a field may be, where its type is nothing but such.
    pub(super) fn literal_names(&self, field: SymbolId) -> Option<Vec<Written>> {
        if self.table.symbol(field).kind != SymbolKind::Field
            || !lang::of(self.table.lang(field)).naming.types_add_up
        {
            return None;
        }
        let doc = self.docs.get(self.table.file(field))?;
        let position = self.table.position(field);
        doc.value(position)
            .filter(|says| says.kind == HintKind::Names)?;
        let all = doc.occurrences_in(position);
        if all.len() > MAX_NAMES {
            return None;
        }
        let mut names = Vec::new();
        for (i, found) in all.iter().enumerate() {
            let next = all.get(i + 1);
            let is_object = next.is_some_and(|next| next.qualifier == Qualifier::Previous);
            let of = i.checked_sub(1).map(|before| all[before].name);
            match found.kind {
                _ if is_object => {}
                OccurrenceKind::Mention => names.push((None, found.name)),
                _ => names.push((of, found.name)),
            }
        }
        (!names.is_empty()).then_some(names)
    }
}

/// With what a member is compared, by what a check says.
fn compared(doc: &Document, hint: TypeHint) -> Option<Comparison> {
    let uses = doc.occurrences();
    let link = |at: u32| doc.receiver(at).filter(|hint| hint.kind.is_of_comparison());
    let written = |at: u32| {
        let found = uses.get(at as usize)?;
        let of = match found.qualifier {
            Qualifier::Previous => Some(uses.get(at.checked_sub(1)? as usize)?.name),
            _ => None,
        };
        Some((of, found.name))
    };
    let mut at = hint.occurrence;
    let mut with = vec![written(at)?];
    // In a branch of its own only what leads to it counts; where none is taken, all do.
    let mut is_branch = true;
    for _ in 0..MAX_COMPARED {
        let Some(before) = link(at) else {
            // A name that a value has as a member.
            return Some(Comparison { member: None, with });
        };
        if link(before.occurrence).is_none() {
            let member = Some(uses.get(before.occurrence as usize)?.name);
            return Some(Comparison { member, with });
        }
        is_branch &= before.kind == HintKind::Compared;
        if is_branch || hint.kind == HintKind::Unmatched {
            with.push(written(before.occurrence)?);
        }
        at = before.occurrence;
    }
    None
}
