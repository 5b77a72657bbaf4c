//! Type arguments: what the parameters of a generic type stand for where its name is used (`Box<Item>`), and what that
//! makes of its members and of names that stand for other types (`type Maybe<T> = T | null`).
//!
//! Guarantee: what is not told stays what the parameter is bounded by. Deliberately absent: type parameters of functions,
//! and what the arguments of a call say of them.

use super::documents::Document;
use super::hops::Hops;
use super::resolve::Resolver;
use super::table::SymbolId;
use super::value::Value;
use crate::extract::record::{HintKind, TypeHint};
use crate::view::live::FileId;
use std::sync::Arc;

/// An instance of a generic type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generic {
    /// The type.
    pub(super) of: SymbolId,
    /// What its parameters stand for, as far as it is told.
    pub(super) given: Vec<Value>,
}

/// Types in types that are kept apart: `Box<Box<Item>>` are two.
const MAX_NESTED: usize = 2;

/// How deep values are looked into for parameters.
const MAX_LEVELS: usize = 6;

impl Value {
    /// How many generic types lie in one another, as far as it matters.
    fn nested(&self, levels: usize) -> usize {
        let Some(levels) = levels.checked_sub(1) else {
            return MAX_NESTED;
        };
        let most = |all: &[Self]| all.iter().map(|of| of.nested(levels)).max().unwrap_or(0);
        match self {
            Self::Generic(generic) => 1 + most(&generic.given),
            Self::Several(all) => most(all),
            // What these are made of is not looked at.
            Self::Callback(_) | Self::Shape(_) | Self::Proof(_) => MAX_NESTED,
            _ => 0,
        }
    }

    /// An instance of a type whose parameters stand for these, as far as it is kept.
    pub(super) fn generic(of: SymbolId, mut given: Vec<Self>) -> Self {
        for one in &mut given {
            if one.nested(MAX_LEVELS) >= MAX_NESTED {
                *one = one.clone().erased();
            }
        }
        match given.iter().all(|one| *one == Self::Unknown) {
            true => Self::Instance(of),
            false => Self::Generic(Arc::new(Generic { of, given })),
        }
    }

    /// The same without type arguments; of several, and of functions, nothing.
    pub(super) fn erased(self) -> Self {
        match self {
            Self::Generic(generic) => Self::Instance(generic.of),
            Self::Several(_) | Self::Callback(_) | Self::Shape(_) | Self::Proof(_) => Self::Unknown,
            other => other,
        }
    }

    /// The same without type arguments, those of what functions take and give among them: of several ways to call
    /// something that differ in these alone any is meant.
    pub(super) fn plain(&self) -> Self {
        self.plain_within(MAX_LEVELS)
    }

    fn plain_within(&self, levels: usize) -> Self {
        let Some(levels) = levels.checked_sub(1) else {
            return Self::Unknown;
        };
        let inner = |value: &Self| value.plain_within(levels);
        match self {
            Self::Generic(generic) => Self::Instance(generic.of),
            Self::Several(all) => Self::several(all.iter().map(inner).collect()),
            Self::Callback(callback) => Self::Callback(Arc::new(callback.with(inner))),
            Self::Shape(shape) => Self::Shape(Arc::new(shape.with(inner))),
            other => other.clone(),
        }
    }

    /// Whether type parameters may be in it.
    pub(super) fn may_be_open(&self) -> bool {
        matches!(
            self,
            Self::Parameter(_)
                | Self::Several(_)
                | Self::Generic(_)
                | Self::Callback(_)
                | Self::Shape(_)
        )
    }

    /// The same with what the parameters of a type stand for put in.
    pub(super) fn with_given(&self, of: SymbolId, given: &[Self]) -> Self {
        self.with_given_within(MAX_LEVELS, of, given)
    }

    fn with_given_within(&self, levels: usize, of: SymbolId, given: &[Self]) -> Self {
        let Some(levels) = levels.checked_sub(1) else {
            return Self::Unknown;
        };
        let inner = |value: &Self| value.with_given_within(levels, of, given);
        match self {
            Self::Parameter(parameter) if parameter.of == of => parameter.with_given(given),
            Self::Several(all) => Self::several(all.iter().map(inner).collect()),
            Self::Generic(generic) => {
                Self::generic(generic.of, generic.given.iter().map(inner).collect())
            }
            Self::Callback(callback) => Self::Callback(Arc::new(callback.with(inner))),
            Self::Shape(shape) => Self::Shape(Arc::new(shape.with(inner))),
            other => other.clone(),
        }
    }
}

impl Resolver<'_> {
    /// What is written as arguments of the type that an occurrence names.
    pub(super) fn type_arguments(
        &self,
        file: FileId,
        doc: &Document,
        named: u32,
        hops: Hops<'_>,
    ) -> Vec<Value> {
        let mut given = Vec::new();
        if !Self::has_typed_callbacks(doc) {
            return given;
        }
        for (place, hint) in doc.type_arguments(named) {
            let Some(hops) = hops.next() else { break };
            if given.len() <= place {
                given.resize(place + 1, Value::Unknown);
            }
            given[place] = match hint.kind {
                HintKind::Type => self.instance_of(file, doc, hint.occurrence, hops),
                _ => self.follow(file, doc, hint, None, hops),
            };
        }
        given
    }

    /// What a name that stands for another type means where it is used with arguments.
    pub(super) fn alias_with_arguments(
        &self,
        file: FileId,
        doc: &Document,
        (named, alias): (u32, SymbolId),
        value: &Value,
        hops: Hops<'_>,
    ) -> Value {
        if !value.may_be_open() {
            return value.clone();
        }
        let given = self.type_arguments(file, doc, named, hops);
        value.with_given(alias, &given)
    }

    /// What stands as arguments of the type that an occurrence names, where these are not recorded: plain names.
    fn plain_arguments(
        &self,
        file: FileId,
        doc: &Document,
        (named, class): (u32, SymbolId),
        hops: Hops<'_>,
    ) -> Vec<Value> {
        let Some(hops) = hops.next() else {
            return Vec::new();
        };
        let written = self.arguments(doc, named);
        if written.is_empty() {
            return Vec::new();
        }
        let taken = self.parameters_of(class).len();
        let written = written.into_iter().take(taken);
        written
            .map(|at| self.instance_of(file, doc, at, hops))
            .collect()
    }

    /// An instance of a class whose name an occurrence is, with the arguments that are written there.
    pub(super) fn instance_with_arguments(
        &self,
        file: FileId,
        doc: &Document,
        (named, class): (u32, SymbolId),
        hops: Hops<'_>,
    ) -> Value {
        let given = match Self::has_typed_callbacks(doc) {
            true => self.type_arguments(file, doc, named, hops),
            false => self.plain_arguments(file, doc, (named, class), hops),
        };
        match given.is_empty() {
            true => Value::Instance(class),
            false => Value::generic(class, given),
        }
    }
}

/// How a hint that names an argument of a type says what that is.
pub(super) fn argument_hint(at: u32, kind: HintKind) -> Option<(usize, TypeHint)> {
    let (place, is_list) = kind.given()?;
    let kind = match is_list {
        true => HintKind::Elements,
        false => HintKind::Type,
    };
    let occurrence = at;
    Some((place, TypeHint { kind, occurrence }))
}
