//! Bare names in functions that are called on something (Kotlin): `request.apply { url = x }`, `with(page) { title }`,
//! `build { add(x) }` where `build` takes a `Builder.() -> Unit`; and behind imports of values (Scala): `import parser._`.
//!
//! Such a name means a member of that before it means one of the class around; local names are nearer than both.
//! Guarantee: what the function is called on is followed only for names that some type has. Deliberately absent: `this` in
//! such a function, and extensions of what it is called on.

use super::documents::{DocOccurrence, Document};
use super::hops::Hops;
use super::names::Name;
use super::resolve::{Meaning, Resolver};
use super::value::Value;
use crate::extract::record::{HintKind, Local, OccurrenceKind, TypeHint};
use crate::view::live::FileId;

/// Functions around a name that are looked at.
const MAX_AROUND: usize = 4;

/// Names of one import that are looked at.
const MAX_LISTED: usize = 16;

/// Definitions of a name among which a member is looked for.
const MAX_NAMED: usize = 64;

impl Resolver<'_> {
    /// The members that a bare name means of what the functions around it are called on: of those that lie in the
    /// definition around it, or of all further out.
    pub(super) fn of_within(
        &self,
        file: FileId,
        doc: &Document,
        (at, found): (u32, &DocOccurrence),
        is_inner: bool,
        hops: Hops<'_>,
    ) -> Option<Meaning> {
        // Most names lie in no such function, and this is asked for each of them.
        doc.within(at).next()?;
        let first = match found.owner() {
            Some(owner) => doc.locals_from(owner)?.0,
            None => 0,
        };
        let is_type = matches!(found.kind, OccurrenceKind::Type | OccurrenceKind::Inherit);
        let around = doc.within(at).take(MAX_AROUND);
        let mut around = around
            .filter(|local| (local.scope.start >= first) == is_inner)
            .filter(|local| brings(doc, local, found.name))
            .filter(|local| !is_type || is_import(doc, local));
        let mut next = around.next()?;
        let is_value = matches!(
            found.kind,
            OccurrenceKind::Read | OccurrenceKind::Write | OccurrenceKind::Call
        );
        if !(is_value || is_type) || !self.may_be_member(found) {
            return None;
        }
        let hops = hops.next()?;
        // What is called out of sight may call the function on something that has the member.
        let mut is_unsure = false;
        loop {
            let (on, is_guess) = hops.watch(|| self.called_on(file, doc, next, hops));
            match on {
                On::Value(object) => {
                    let meaning = self.member_of(doc, found, object.clone());
                    if let Meaning::Symbols(..) = meaning {
                        return Some(meaning.found_on(is_guess || is_unsure));
                    }
                    if matches!(meaning, Meaning::External) || object == Value::Unknown {
                        return None;
                    }
                }
                On::Perhaps => is_unsure = true,
                On::Nothing => {}
            }
            next = around.next()?;
        }
    }

    /// Whether a type has something of this name.
    fn may_be_member(&self, found: &DocOccurrence) -> bool {
        let mut named = self.table.named(found.name).take(MAX_NAMED);
        named.any(|id| {
            self.table.container(id).is_some() || self.table.symbol(id).receiver.is_some()
        })
    }

    /// What a function is called on.
    fn called_on(&self, file: FileId, doc: &Document, local: &Local, hops: Hops<'_>) -> On {
        let Some(hint) = local.hint else {
            return On::Nothing;
        };
        let kind = match hint.kind {
            HintKind::WithinValue => HintKind::Value,
            HintKind::WithinResult => HintKind::Result,
            _ => return self.handed_on(file, doc, hint.occurrence, hops),
        };
        let owner = doc.occurrences().get(hint.occurrence as usize);
        let owner = owner.and_then(DocOccurrence::owner);
        On::Value(self.follow(file, doc, TypeHint { kind, ..hint }, owner, hops))
    }
}

/// Whether an import brings the members of a value: types are members, too.
fn is_import(doc: &Document, local: &Local) -> bool {
    let object = doc.occurrences().get(local.declared as usize);
    object.is_some_and(|object| object.kind == OccurrenceKind::Import)
}

/// Whether bare names may be members of a value, or this one may that an import takes of it: `import automaton.labels`.
fn brings(doc: &Document, local: &Local, name: Name) -> bool {
    let uses = doc.occurrences();
    let is_import = |found: &DocOccurrence| found.kind == OccurrenceKind::Import;
    let Some(object) = uses.get(local.declared as usize).filter(|of| is_import(of)) else {
        return true;
    };
    let listed = uses.iter().skip(local.declared as usize + 1);
    let listed = listed.take_while(|of| is_import(of) && of.line == object.line);
    let mut listed = listed.take(MAX_LISTED).peekable();
    listed.peek().is_none() || listed.any(|of| of.name == name)
}

/// What a function is called on.
pub(super) enum On {
    Nothing,
    /// Something or nothing, which is not known.
    Perhaps,
    Value(Value),
}
