//! What a local name is where a check of it is known to hold, or not to: `x instanceof Foo`, and functions whose type
//! says what they prove (`x is Foo`).
//!
//! As the compiler does it: of a union those types are left that are of the proved type, or all others. Guarantee: a
//! check that proves nothing changes nothing. Deliberately absent: types that fit by their members alone, without being
//! declared to (a structural subtype counts as another type).

use super::documents::Document;
use super::hops::Hops;
use super::names::Name;
use super::resolve::{Meaning, Resolver};
use super::table::SymbolId;
use super::value::{MAX_SEVERAL, Value};
use super::values::is_sure;
use crate::extract::record::{HintKind, Local, TypeHint};
use crate::view::live::FileId;
use std::sync::Arc;

/// Checks of one name, one behind the other, that are passed on the way to where it is bound.
const MAX_CHECKED: usize = 64;

/// Checks of which one has to hold that are looked at.
const MAX_CHECKS: usize = 16;

impl Resolver<'_> {
    /// What calling a function gives that proves something of its first argument: an instance of the type that an
    /// occurrence names.
    pub(super) fn proof(
        &self,
        file: FileId,
        doc: &Document,
        named: u32,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Value {
        match self.given(file, doc, named, owner, hops) {
            // What a type parameter stands for in one call is not known.
            Value::Unknown | Value::Parameter(_) => Value::Literal,
            of => Value::Proof(Arc::new(of)),
        }
    }

    /// What a local name is whose binding is a check of it. Checks before are gone through one by one, so that many of them
    /// are no long way.
    pub(super) fn narrowed(
        &self,
        file: FileId,
        doc: &Document,
        (local, binding): (u32, &Local),
        hops: Hops<'_>,
    ) -> Value {
        let Some(declared) = doc.unchecked(local) else {
            return Value::Unknown;
        };
        let mut value = self.value_of(file, doc, declared, hops);
        for hint in checks(doc, binding).into_iter().rev() {
            value = self.checked(file, doc, hint, value, hops);
        }
        value
    }

    /// What a value is behind one check of it.
    fn checked(
        &self,
        file: FileId,
        doc: &Document,
        hint: TypeHint,
        before: Value,
        hops: Hops<'_>,
    ) -> Value {
        if matches!(hint.kind, HintKind::Matched | HintKind::Unmatched) {
            return self.told_apart(doc, hint, before);
        }
        let (proved, is_guess) = hops.watch(|| match hint.kind {
            HintKind::Proved => self.proved_by_any(file, doc, hint.occurrence, hops),
            _ => self.proved_by(file, doc, hint.occurrence, hops),
        });
        let Some(proved) = proved else {
            return before;
        };
        if is_guess {
            hops.note_guess();
        }
        let proved = self.alternatives(proved);
        let all = self.alternatives(before.clone());
        let (within, others): (Vec<Value>, Vec<Value>) = all
            .into_iter()
            .partition(|one| self.is_one_of(one, &proved));
        if hint.kind == HintKind::Disproved {
            return match others.is_empty() || within.is_empty() {
                true => before,
                false => Value::several(others),
            };
        }
        match (&*within, &*others) {
            ([], [one @ Value::Instance(class)]) if !self.is_base_of_any(*class, &proved) => {
                // It is both.
                Value::several(proved.iter().chain([one]).cloned().collect())
            }
            ([], _) => Value::several(proved),
            _ => Value::several(within),
        }
    }

    /// Whether what a check says of a name is said of a local one: a variable of a module is no more local for it.
    pub(super) fn is_local_checked(doc: &Document, name: Name, binding: &Local) -> bool {
        let is_check = |local: &Local| local.hint.is_some_and(|hint| hint.kind.is_of_check());
        let mut binding = binding;
        for _ in 0..MAX_CHECKED {
            if !is_check(binding) {
                return true;
            }
            match doc.local_at(name, binding.declared) {
                Some((_, before)) => binding = before,
                None => return false,
            }
        }
        true
    }

    /// What one of the checks proves that are chained from one on, if each proves something.
    fn proved_by_any(
        &self,
        file: FileId,
        doc: &Document,
        first: u32,
        hops: Hops<'_>,
    ) -> Option<Value> {
        let mut all = Vec::new();
        let mut next = Some(first);
        while let Some(at) = next {
            if all.len() == MAX_CHECKS {
                return None;
            }
            all.push(self.proved_by(file, doc, at, hops.next()?)?);
            let beside = doc.receiver(at);
            let other = beside.filter(|hint| hint.kind == HintKind::Proved && hint.occurrence > at);
            next = other.map(|hint| hint.occurrence);
        }
        Some(Value::several(all))
    }

    /// What a check proves that an occurrence names: a class, or a function that is called.
    fn proved_by(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Option<Value> {
        let found = doc.occurrences().get(at as usize)?;
        if !found.kind.is_call() {
            let of = self.instance_of(file, doc, at, hops);
            return (of != Value::Unknown).then_some(of);
        }
        let Meaning::Symbols(symbols, rule) = self.meaning(file, doc, at, hops) else {
            return None;
        };
        if !is_sure(rule) {
            return None;
        }
        self.note_guess(&symbols, rule, hops);
        let mut proofs = symbols.iter().filter_map(|id| match self.values.of(*id) {
            Some(Value::Proof(of)) => Some(&**of),
            _ => None,
        });
        let first = proofs.next()?;
        // Those of one name may prove different things.
        proofs.all(|other| other == first).then(|| first.clone())
    }

    /// Each of the types that a value may be of, names that stand for others followed.
    pub(super) fn alternatives(&self, value: Value) -> Vec<Value> {
        let mut open = vec![value];
        let mut found: Vec<Value> = Vec::new();
        for _ in 0..MAX_SEVERAL {
            let Some(value) = open.pop() else {
                break;
            };
            match self.unaliased(value) {
                Value::Several(all) => open.extend(all.iter().rev().cloned()),
                Value::Unknown | Value::Never => {}
                one if found.contains(&one) => {}
                one => found.push(one),
            }
        }
        found
    }

    /// Whether a value is of one of these types.
    fn is_one_of(&self, value: &Value, types: &[Value]) -> bool {
        let is_among = |of: SymbolId| types.contains(&Value::Instance(of));
        let is_based = |class| self.members.with_bases(class).any(is_among);
        types.contains(value) || value.class().is_some_and(is_based)
    }

    /// Whether one of these types is based on a class.
    fn is_base_of_any(&self, class: SymbolId, types: &[Value]) -> bool {
        types.iter().any(|value| match value {
            Value::Instance(of) => self.members.with_bases(*of).any(|base| base == class),
            _ => false,
        })
    }
}

/// What a binding and those before it say of a name that they check, the last first. What was known long before is the first
/// that is given up.
fn checks(doc: &Document, binding: &Local) -> Vec<TypeHint> {
    let mut found = Vec::new();
    let mut next = Some(binding);
    while let Some(local) = next
        && let Some(hint) = local.hint.filter(|hint| hint.kind.is_of_check())
        && found.len() < MAX_CHECKED
    {
        found.push(hint);
        let named = doc.occurrences().get(local.declared as usize);
        let before = named.and_then(|named| doc.local_at(named.name, local.declared));
        next = before
            .map(|(_, before)| before)
            .filter(|before| before.declared < local.declared);
    }
    found
}
