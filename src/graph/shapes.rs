//! Objects whose types are written where they are used (`{ user: User }`), or that are put together there: what their members
//! are.
//!
//! The members are no definitions. Their names are bound in empty scopes that begin at the first of them. Of a tuple they
//! are its parts, in their order, each named by the sign before it. Guarantee: who
//! asks for a member that such a type does not write gets none of the repository, but where an object may have more: of that
//! nothing is known. Deliberately absent: members of more than a
//! few levels, and of shapes with very many.

use super::documents::Document;
use super::hops::Hops;
use super::names::Name;
use super::resolve::Resolver;
use super::table::SymbolId;
use super::value::Value;
use crate::extract::record::{HintKind, OccurrenceKind, Qualifier, SymbolKind};
use crate::view::live::FileId;
use std::sync::Arc;

/// Members of one shape whose types are followed.
const MAX_MEMBERS: usize = 32;

/// Local names that are passed on the way to them.
const MAX_PASSED: usize = 128;

/// Shapes of one union.
const MAX_SHAPES: usize = 16;

/// Shapes in shapes.
const MAX_LEVELS: usize = 3;

/// An object whose members are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// What its members are, by hashes of their names, of those whose type says anything; of a tuple by their places.
    pub(super) members: Vec<(u64, Value)>,
    /// Whether there are more.
    pub(super) is_partial: bool,
}

impl Shape {
    /// What a member is, by the hash of its name.
    fn member(&self, name: u64) -> Value {
        match self.members.iter().find(|(of, _)| *of == name) {
            Some((_, value)) => value.clone(),
            None if self.is_partial => Value::Unknown,
            None => Value::External,
        }
    }

    /// What its member means that is a function or a class: `{ load }`.
    pub(super) fn defined(&self, name: u64) -> Option<SymbolId> {
        match self.members.iter().find(|(of, _)| *of == name)?.1 {
            Value::Function(id) | Value::Type(id) => Some(id),
            _ => None,
        }
    }

    /// Whether it may have a member that is not known.
    pub(super) fn may_have(&self, name: u64) -> bool {
        self.is_partial && !self.members.iter().any(|(of, _)| *of == name)
    }

    /// What a loop over it gives, which is then a tuple: any of its parts.
    pub(super) fn any(&self) -> Value {
        let members = self.members.iter().map(|(_, value)| value.clone());
        let members: Vec<Value> = members.collect();
        match self.is_partial || members.contains(&Value::Unknown) {
            true => Value::Unknown,
            false => Value::several(members),
        }
    }

    /// The same with another value for each member.
    pub(super) fn with(&self, value: impl Fn(&Value) -> Value) -> Self {
        let members = self.members.iter().map(|(name, of)| (*name, value(of)));
        Self {
            members: members.collect(),
            is_partial: self.is_partial,
        }
    }
}

impl Document {
    /// Whether the name of a function in an object stands there, which is a definition.
    pub(super) fn is_defined(&self, at: u32) -> bool {
        let found = self.occurrences().get(at as usize);
        let Some(found) = found.filter(|found| {
            found.kind == OccurrenceKind::Write && found.qualifier == Qualifier::Expression
        }) else {
            return false;
        };
        found.owner().is_some_and(|owner| {
            let of = self.symbols.get(owner as usize);
            of.is_some_and(|of| of.name == found.name && of.kind == SymbolKind::Method)
                && self.lying_in(owner).start == at as usize
        })
    }
}

impl Resolver<'_> {
    /// The object whose first member that says anything is named at a place.
    pub(super) fn shape(
        &self,
        file: FileId,
        doc: &Document,
        first: u32,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Value {
        self.shape_within(MAX_LEVELS, (file, doc), first, owner, hops)
    }

    fn shape_within(
        &self,
        levels: usize,
        (file, doc): (FileId, &Document),
        first: u32,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Value {
        let Some(levels) = levels.checked_sub(1) else {
            return Value::Unknown;
        };
        let mut all = Vec::new();
        let mut next = Some(first);
        while let Some(first) = next {
            let mut shape = self.one_shape(levels, (file, doc), first, owner, hops);
            // The next of a union.
            let beside = doc.receiver(first).filter(|of| of.kind == HintKind::Shape);
            next = beside.map(|of| of.occurrence).filter(|next| *next > first);
            if all.len() + 1 == MAX_SHAPES {
                shape.is_partial |= next.take().is_some();
            }
            // Of an object that stands elsewhere nothing is recorded.
            all.push(match shape.members.is_empty() {
                true => Value::Unknown,
                false => Value::Shape(Arc::new(shape)),
            });
        }
        Value::several(all)
    }

    fn one_shape(
        &self,
        levels: usize,
        (file, doc): (FileId, &Document),
        first: u32,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Shape {
        let locals = &doc.hints().locals;
        let from = locals.partition_point(|local| local.declared < first);
        let near = locals[from..].iter().take(MAX_PASSED);
        let own = near.filter(|local| local.scope == (first..first));
        let mut members: Vec<(u64, Value)> = Vec::new();
        let mut is_partial = locals.len() - from > MAX_PASSED;
        let mut last = None;
        for local in own {
            let named = doc.occurrences().get(local.declared as usize);
            let Some(named) = named else { continue };
            // Who is bound twice is not alone.
            if last.replace(local.declared) == Some(local.declared) {
                is_partial = true;
                continue;
            }
            let Some(hops) = hops.next().filter(|_| members.len() < MAX_MEMBERS) else {
                is_partial = true;
                break;
            };
            let value = match local.hint {
                Some(hint) if hint.kind == HintKind::Shape => {
                    self.shape_within(levels, (file, doc), hint.occurrence, owner, hops)
                }
                Some(hint) => self.follow(file, doc, hint, owner, hops),
                None => Value::Unknown,
            };
            let key = match self.names.bytes(named.name) {
                b"[" | b"," => members.len() as u64,
                _ => self.names.hash(named.name),
            };
            members.push((key, value));
        }
        Shape {
            members,
            is_partial,
        }
    }

    /// What a member is that a definition is one of and that may be one that is written in place: `Foo | { user: User }`.
    pub(super) fn or_written(
        &self,
        doc: &Document,
        at: u32,
        object: &Value,
        value: Value,
    ) -> Value {
        let named = doc.occurrences().get(at as usize);
        match named.and_then(|named| self.written_member(object, named.name)) {
            None | Some(Value::External) => value,
            Some(Value::Unknown) => Value::Unknown,
            Some(other) => Value::several(vec![value, other]),
        }
    }

    /// What is written of the member of a value; `None` where it is not written so.
    pub(super) fn written_member(&self, value: &Value, name: Name) -> Option<Value> {
        self.written(value, self.names.hash(name))
    }

    /// The same of the part of a tuple at a place.
    pub(super) fn written_part(&self, value: &Value, place: u64) -> Option<Value> {
        self.written(value, place)
    }

    fn written(&self, value: &Value, name: u64) -> Option<Value> {
        match value {
            Value::Shape(shape) => Some(shape.member(name)),
            Value::Several(all) => {
                let found = all.iter().filter_map(|value| match value {
                    Value::Shape(shape) => Some(shape.member(name)),
                    _ => None,
                });
                let mut found = found.filter(|value| *value != Value::External);
                let first = found.next()?;
                // Which of several is there was asked before, as a rule.
                Some(match found.all(|other| other == first) {
                    true => first,
                    false => Value::Unknown,
                })
            }
            _ => None,
        }
    }
}
