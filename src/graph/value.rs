//! What a value is, as far as its members go: enough to know which `name` is meant by `x.name`.

use super::callbacks::Callback;
use super::generics::Parameter;
use super::modules::Place;
use super::rounds::{Places, Round, Rounds};
use super::shapes::Shape;
use super::table::SymbolId;
use super::type_arguments::Generic;
use super::values::What;
use crate::lang::naming::Holder;
use std::ops::Range;
use std::sync::Arc;

/// What a value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// An instance of a type.
    Instance(SymbolId),
    /// A collection of instances of a type.
    Elements(SymbolId),
    /// What else of a library holds instances of a type; never a list.
    Held(Holder, SymbolId),
    /// The type itself, or an object that members were assigned to.
    Type(SymbolId),
    /// A function.
    Function(SymbolId),
    /// A module of the repository.
    Module(Place),
    /// Something from outside the repository.
    External,
    /// A literal, or of a type of the language itself.
    Literal,
    /// One of several, or all at once: a union or intersection of types. Two or more, none of them
    /// unknown or such a list itself.
    Several(Arc<[Value]>),
    /// An instance of what a type parameter of a type stands for.
    Parameter(Arc<Parameter>),
    /// An instance of a generic type, with what its parameters stand for.
    Generic(Arc<Generic>),
    /// A function of which its type is known.
    Callback(Arc<Callback>),
    /// An object whose members are written where its type is.
    Shape(Arc<Shape>),
    /// An object that a decorator has made of a function.
    Made(Arc<Value>),
    /// Whether something holds; if so, what was asked is of this type.
    Proof(Arc<Value>),
    /// There is none.
    Never,
    /// Not known.
    Unknown,
}

/// Types of one union that are looked at. Generated ones list thousands of literals.
pub(super) const MAX_SEVERAL: usize = 128;

impl Value {
    /// What is one of several values; those that are not known are passed over.
    pub(super) fn several(values: Vec<Self>) -> Self {
        let mut all: Vec<Self> = Vec::new();
        let mut add = |value: &Self| {
            let none = matches!(value, Self::Unknown | Self::Never);
            if !none && all.len() < MAX_SEVERAL && !all.contains(value) {
                all.push(value.clone());
            }
        };
        for value in &values {
            match value {
                Self::Several(inner) => inner.iter().for_each(&mut add),
                value => add(value),
            }
        }
        match all.len() {
            0 => Self::Unknown,
            1 => all.swap_remove(0),
            _ => Self::Several(all.into()),
        }
    }

    /// What a type parameter is bounded by; any other value as it is.
    pub(super) fn bounded(self) -> Self {
        match self {
            Self::Parameter(parameter) => parameter.bounded(),
            other => other,
        }
    }

    /// The type that it is an instance of.
    pub(super) fn class(&self) -> Option<SymbolId> {
        match self {
            Self::Instance(class) => Some(*class),
            Self::Generic(generic) => Some(generic.of),
            _ => None,
        }
    }

    /// What holds instances of a type.
    pub(super) fn held(holder: Holder, class: SymbolId) -> Self {
        match holder {
            Holder::List => Self::Elements(class),
            other => Self::Held(other, class),
        }
    }

    /// What holds instances of a type, where it is that, and of which.
    pub(super) fn holds(&self) -> Option<(Holder, SymbolId)> {
        match self {
            Self::Elements(class) => Some((Holder::List, *class)),
            Self::Held(holder, class) => Some((*holder, *class)),
            _ => None,
        }
    }

    /// Whether it is a list, whatever of.
    pub(super) fn is_list(&self) -> bool {
        match self {
            Self::Elements(_) => true,
            Self::Parameter(parameter) => parameter.is_list,
            _ => false,
        }
    }

    /// Applies `f` to the value, or to each of several.
    pub(super) fn each(self, f: &dyn Fn(Self) -> Self) -> Self {
        match self {
            Self::Several(all) => Self::several(all.iter().cloned().map(f).collect()),
            value => f(value),
        }
    }
}

/// The values of symbols: of fields, variables and constants; what functions return.
#[derive(Default)]
pub struct Values {
    places: Places,
    /// What was found in each round.
    rounds: Rounds,
    /// The rounds that the places are of as far as they were known before.
    before: Rounds,
    /// The round that is on its way, from 1; 0 when there is none.
    pub(super) round: u64,
}

/// Rounds in which what is not known yet is waited for, where something else stands in for it.
pub(super) const PATIENT: u64 = 3;

/// What is known of the value of a symbol.
struct Known<'a> {
    value: &'a Value,
    /// In which it was found, from 1.
    round: u64,
    is_guess: bool,
}

impl Values {
    /// Of so many symbols, none of them known yet.
    pub(super) fn of_symbols(count: usize) -> Self {
        Self {
            places: Places::new(count),
            ..Self::default()
        }
    }

    /// Of the definitions of an earlier tree, where all have the number that they had: where its rounds have values, those of
    /// some definitions left out.
    pub(super) fn after(known: &Places, rounds: &Rounds, gone: &[Range<u32>]) -> Self {
        let before = rounds.iter().take(known.rounds()).cloned().collect();
        let mut places = known.clone();
        places.forget(gone);
        Self {
            places,
            before,
            ..Self::default()
        }
    }

    /// Takes in what was found in the next round. What a symbol is known to be takes the place of what it was before.
    pub(super) fn add(&mut self, round: Round) {
        self.places.add(&round, self.before.get(self.rounds.len()));
        self.rounds.push(round);
    }

    /// Takes in rounds that nobody looks at: nothing was found in the one before.
    pub(super) fn add_unseen(&mut self, rounds: impl Iterator<Item = Round>) {
        self.rounds.extend(rounds);
    }

    /// Whether the rounds say the same of the bases of types as others.
    pub(super) fn have_bases_of(&self, rounds: &Rounds) -> bool {
        let all = self.rounds.iter().zip(rounds);
        self.rounds.len() == rounds.len()
            && all.into_iter().all(|(is, was)| is.bases().eq(was.bases()))
    }

    /// What was found in each round, and where.
    pub(super) fn into_rounds(self) -> (Rounds, Places) {
        (self.rounds, self.places)
    }

    fn get(&self, id: SymbolId) -> Option<Known<'_>> {
        let (round, place) = self.places.get(id)?;
        let found = self.rounds.get(round - 1)?.get(id, place)?;
        match &found.what {
            What::Is(value) => Some(Known {
                value,
                round: round as u64,
                is_guess: found.is_guess,
            }),
            What::Has(_) => None,
        }
    }

    /// Whether what is not known yet is waited for.
    pub(super) fn may_come(&self) -> bool {
        (1..=PATIENT).contains(&self.round)
    }

    /// The value of a symbol, or what it returns.
    pub fn of(&self, id: SymbolId) -> Option<&Value> {
        self.get(id).map(|known| known.value)
    }

    /// Whether a guess was on the way to the value of a symbol.
    pub(super) fn is_guess(&self, id: SymbolId) -> bool {
        self.get(id).is_some_and(|known| known.is_guess)
    }

    /// In which round the value of a symbol was found, and whether by a guess, as one number; 0 for no value.
    pub(super) fn stamp(&self, id: SymbolId) -> u64 {
        let stamp = |known: Known<'_>| known.round << 1 | u64::from(known.is_guess);
        self.get(id).map_or(0, stamp)
    }
}
