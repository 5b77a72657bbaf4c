//! Parameters and arguments: what a definition takes, what a call gives, and whether they fit.
//!
//! Guarantees: an answer says no only where the language leaves no doubt about the numbers and names that
//! are written; anything else that could take part (an unknown decorator, a macro, a syntax error) makes
//! it unknown. Every look-up takes a bounded number of steps from one position; nothing recurses.
//! Deliberately absent: types of arguments, and which definition a call means, which the graph says.

pub(crate) mod arguments;
mod changes;
pub(crate) mod doubts;
mod fit;
pub(crate) mod parameters;
pub(crate) mod rows;
pub(crate) mod variables;

pub use changes::Change;
pub use fit::{Fit, Misfit, Takes, displaced, fit, fit_any};

/// How an argument may reach a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// By its place only.
    Position,
    /// By its name only: keyword-only parameters, labels.
    Name,
    /// By its place or by its name.
    Either,
}

/// How many arguments a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// One.
    Required,
    /// One or none.
    Optional,
    /// Any number.
    Rest,
}

/// A parameter, apart from the one that an object is bound to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The name that calls may use, without sigils; empty where it has none, as a pattern.
    pub name: String,
    /// How an argument reaches it.
    pub by: By,
    /// How many arguments it takes.
    pub need: Need,
    /// Its type as it is written, blanks made one.
    pub written_type: Option<String>,
}

/// What becomes of the object that a method belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receiver {
    /// It is no parameter.
    None,
    /// It is the first parameter, which a call through an object does not give: `self`.
    Object,
    /// It is the first parameter, which no call gives: `cls` of a class method, a constructor's `self`.
    Implied,
}

/// How much of a misfit a language lets pass when the program is built or run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strictness {
    /// None.
    Checked,
    /// More arguments than there are parameters are ignored; missing ones are an error (PHP).
    Surplus,
    /// Arguments that seem to be missing may have a value that is declared elsewhere (C++).
    ValuesElsewhere,
    /// Missing arguments are some empty value, too many are ignored (JavaScript, Lua).
    Loose,
}

/// What a definition takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// In order of declaration.
    pub list: Vec<Parameter>,
    /// What becomes of the object.
    pub receiver: Receiver,
    /// What the language does about misfits.
    pub strictness: Strictness,
    /// The type of what it returns as it is written, blanks made one.
    pub result: Option<String>,
    /// Whether callers have to wait for it: `async`, `suspend`.
    pub asynchronous: bool,
}

impl Parameters {
    /// Those of one need that an argument may reach so.
    fn that_are(&self, need: Need, by: &[By]) -> impl Iterator<Item = &Parameter> {
        let are = move |one: &&Parameter| one.need == need && by.contains(&one.by);
        self.list.iter().filter(are)
    }

    /// The parameter that takes an argument that is given in this place.
    pub fn at(&self, place: usize) -> Option<&Parameter> {
        let mut placed = self.list.iter().filter(|one| one.by != By::Name);
        let rest = || {
            let mut placed = self.list.iter().filter(|one| one.by != By::Name);
            placed.find(|one| one.need == Need::Rest)
        };
        let first_rest = placed.clone().position(|one| one.need == Need::Rest);
        match first_rest {
            Some(rest_at) if place >= rest_at => rest(),
            _ => placed.nth(place),
        }
    }

    /// Whether every call that fits one of two fits the other, and gives the same for the same: they differ in nothing
    /// but types and results.
    pub fn takes_as(&self, other: &Self) -> bool {
        let taken = |of: &Parameter| (of.by, of.need);
        let is_same = |(one, other): (&Parameter, &Parameter)| {
            one.name == other.name && taken(one) == taken(other)
        };
        self.receiver == other.receiver
            && self.strictness == other.strictness
            && self.list.len() == other.list.len()
            && self.list.iter().zip(&other.list).all(is_same)
    }

    /// How many values it gives, where that is declared as a list or as one: `(int, error)`, `error`. `None` where
    /// nothing is written.
    pub fn gives(&self) -> Option<usize> {
        let result = self.result.as_deref()?.trim();
        let list = result
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let Some(list) = list.map(|list| list.trim().trim_end_matches(',')) else {
            return Some(1);
        };
        let mut depth = 0usize;
        let commas = list.bytes().filter(|byte| {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            *byte == b',' && depth == 0
        });
        Some(commas.count() + usize::from(!list.is_empty()))
    }

    /// How many arguments a call has to give by place, if it names none.
    pub fn required(&self) -> usize {
        self.that_are(Need::Required, &[By::Position, By::Either])
            .count()
    }

    /// How many more it may give.
    pub fn optional(&self) -> usize {
        self.that_are(Need::Optional, &[By::Position, By::Either])
            .count()
    }

    /// Whether it takes any number of arguments by place.
    pub fn is_variadic(&self) -> bool {
        let by = &[By::Position, By::Either];
        self.that_are(Need::Rest, by).next().is_some()
    }

    /// Whether it takes arguments of any name.
    pub fn takes_any_name(&self) -> bool {
        self.that_are(Need::Rest, &[By::Name]).next().is_some()
    }
}

/// What stands before the name that is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Through {
    /// Nothing.
    Nothing,
    /// An object: it is bound to the first parameter of a method.
    Object,
    /// A type or module: the object, if the method has one, is an argument.
    Path,
    /// An object or a type, which the words do not say.
    Either,
}

/// What a call gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// How many by their place, spread ones not counted.
    pub positional: usize,
    /// Names of those that are given by name.
    pub named: Vec<String>,
    /// Whether a list of unknown length is spread over places: `*args`, `...xs`.
    pub spreads: bool,
    /// Whether a list is handed on as all that a parameter takes which takes any number: `f(a, xs...)` of Go.
    pub gives_rest: bool,
    /// Whether a map of unknown names is spread over names: `**options`.
    pub spreads_names: bool,
    /// How many functions stand behind the parentheses and are arguments too (Kotlin, Swift).
    pub trailing: usize,
    /// What stands before the name.
    pub through: Through,
    /// Whether the last argument is a call that may give several values or none (Go, Lua).
    pub may_be_several: bool,
    /// Line and column of the name that this call calls, where a language says what a function gives (Go).
    pub several_of: Option<(u32, u32)>,
    /// Whether named ones are one more by place where the definition takes no names (Ruby).
    pub names_are_a_hash: bool,
    /// The line it ends in, from 1.
    pub end_line: u32,
}
