//! Functions that are handed on: what their parameters are where nobody writes it, because a type says with what they are
//! called (TypeScript). And, by the same way, what an argument may be, and what calling such a value gives. Where a parameter
//! says itself what a function takes that is handed to it (Scala), see [`super::lambdas`].
//!
//! The parameters of a definition are not recorded as such: they are the local names up to the one that is said to be the
//! last. Those of the type of a function are the names that are bound as far as it goes. Guarantees: of several ways to
//! call something those count that agree; what a type parameter stands for in one call is not looked for, and what it is
//! bounded by is a guess. Deliberately absent: how many arguments there are, and of which types.

use super::documents::{DocOccurrence, DocSymbol, Document};
use super::hops::{Hops, Search};
use super::memo::Key;
use super::resolve::{Meaning, Resolver};
use super::semantics;
use super::table::SymbolId;
use super::value::{MAX_SEVERAL, Value};
use super::values::is_sure;
use crate::extract::record::{HintKind, Local, Qualifier, Standing, SymbolKind, TypeHint};
use crate::lang;
use crate::view::live::FileId;
use std::sync::Arc;

/// Parameters of one function, and names that they bind, that are looked at.
const MAX_PARAMETERS: usize = 16;
const MAX_LOCALS: usize = 64;

/// Ways to call one thing that are looked at.
const MAX_WAYS: usize = 48;

/// Definitions of one name that one call may mean.
const MAX_OVERLOADS: usize = 16;

/// What the function is called that makes an instance of a class.
const CONSTRUCTOR: &[u8] = b"constructor";

/// Values that stand for others, one behind the other.
const MAX_LEVELS: usize = 4;

/// A function whose type is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callback {
    /// With what it is called, each with whether that is a guess.
    pub(super) takes: Vec<(Value, bool)>,
    /// What it gives.
    pub(super) gives: Value,
}

impl Callback {
    /// The same with another value for each that it takes or gives; what takes the place of a type parameter is no guess.
    pub(super) fn with(&self, value: impl Fn(&Value) -> Value) -> Self {
        let takes = self.takes.iter().map(|(of, is_guess)| {
            let now = value(of);
            let is_told =
                matches!(of, Value::Parameter(_)) && now != *of && now != of.clone().bounded();
            (now, *is_guess && !is_told)
        });
        Self {
            takes: takes.collect(),
            gives: value(&self.gives),
        }
    }
}

impl Resolver<'_> {
    /// Whether a language writes for functions with what they are called.
    pub(super) fn has_typed_callbacks(doc: &Document) -> bool {
        lang::of(doc.lang).naming.typed_callbacks
    }

    /// The function that a type or signature writes whose first parameter is bound at a place, and the others beside it.
    pub(super) fn callback(
        &self,
        file: FileId,
        doc: &Document,
        first: u32,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Value {
        let mut found = Vec::new();
        let mut next = Some(first);
        while let Some(first) = next.filter(|_| found.len() < MAX_WAYS) {
            let Some(hops) = hops.next() else { break };
            let locals = &doc.hints().locals;
            let from = locals.partition_point(|local| local.declared < first);
            let end = locals.get(from).map_or(0, |local| local.scope.end);
            let hints = parameters(doc, &locals[from..], end, false);
            let values = hints.into_iter().map(|hint| match hint {
                Some(hint) => hops.watch(|| self.parameter_by(file, doc, hint, owner, hops)),
                None => (Value::Unknown, false),
            });
            let takes = values.collect();
            let beside = doc.receiver(first);
            let result = beside.filter(|hint| hint.kind == HintKind::Gives);
            let gives = match result {
                Some(result) => self.given(file, doc, result.occurrence, owner, hops),
                None => Value::Unknown,
            };
            found.push(Value::Callback(Arc::new(Callback { takes, gives })));
            let other = beside.filter(|hint| hint.kind == HintKind::Callback);
            next = other
                .map(|hint| hint.occurrence)
                .filter(|next| *next > first);
        }
        Value::several(found)
    }

    /// A function that takes nothing and gives an instance of the type that an occurrence names.
    pub(super) fn giver(
        &self,
        file: FileId,
        doc: &Document,
        named: u32,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Value {
        let (takes, gives) = (Vec::new(), self.given(file, doc, named, owner, hops));
        Value::Callback(Arc::new(Callback { takes, gives }))
    }

    /// An instance of the type that an occurrence names.
    pub(super) fn given(
        &self,
        file: FileId,
        doc: &Document,
        named: u32,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Value {
        let result = TypeHint {
            kind: HintKind::Type,
            occurrence: named,
        };
        self.follow(file, doc, result, owner, hops)
    }

    /// What calling a value gives whose type says it, as far as all ways to call it agree.
    pub(super) fn result_of_value(&self, value: Value) -> Value {
        let mut open = vec![value];
        let mut found: Vec<Value> = Vec::new();
        for _ in 0..MAX_WAYS {
            let Some(value) = open.pop() else {
                break;
            };
            match self.unaliased(value) {
                Value::Callback(callback) => {
                    let is_known = |one: &Value| one.plain() == callback.gives.plain();
                    if !found.iter().any(is_known) {
                        found.push(callback.gives.clone());
                    }
                }
                Value::Several(all) => open.extend(all.iter().cloned()),
                Value::Instance(class) => {
                    let called = self.values.of(class).cloned();
                    open.extend(called.filter(|value| matches!(value, Value::Callback(_))));
                }
                _ => {}
            }
        }
        match found.len() {
            1 => found.swap_remove(0),
            _ => Value::Unknown,
        }
    }

    /// The name that stands for a function, or for one of several things of which one is, where it has one.
    pub(super) fn named_callback(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        value: &Value,
        hops: Hops<'_>,
    ) -> Option<SymbolId> {
        let is_callback = |value: &Value| matches!(value, Value::Callback(_));
        let is_one = match value {
            Value::Several(all) => all.iter().any(is_callback),
            value => is_callback(value),
        };
        match self.meaning(file, doc, at, hops.next().filter(|_| is_one)?) {
            Meaning::Symbols(symbols, _) => {
                let is_type = |id: &SymbolId| self.table.symbol(*id).kind == SymbolKind::Type;
                symbols.into_iter().find(is_type)
            }
            _ => None,
        }
    }

    /// What an argument may be that is no list: where a list is taken, all further arguments are.
    pub(super) fn one_handed(doc: &Document, value: Value) -> Value {
        match value {
            Value::Elements(class) if Self::has_typed_callbacks(doc) => Value::Instance(class),
            Value::Parameter(parameter) if parameter.is_list => parameter.as_list(false),
            value => value,
        }
    }

    /// The one value that several ways to call something agree in: one of them may take a list of what another takes one
    /// of. Where a function or an object stands, none is meant that takes a literal.
    fn agreed(&self, mut found: Vec<Value>) -> Option<Value> {
        found.retain(|value| *value != Value::Unknown);
        if found.len() < 2 {
            return found.pop();
        }
        let all = found.into_iter().map(|value| self.parts(value));
        let mut all = all.filter(|parts| !parts.is_empty());
        let Some(first) = all.next() else {
            return Some(Value::Literal);
        };
        let is_same = |parts: Vec<Value>| {
            parts.len() == first.len() && parts.iter().all(|part| first.contains(part))
        };
        match all.all(is_same) {
            true => Some(Value::several(first)),
            false => Some(Value::Unknown),
        }
    }

    /// What a value may be, names that stand for others followed, of a list one of its elements, literals left out.
    fn parts(&self, value: Value) -> Vec<Value> {
        let mut open = vec![value];
        let mut parts: Vec<Value> = Vec::new();
        for _ in 0..MAX_SEVERAL {
            let Some(value) = open.pop() else {
                break;
            };
            match self.unaliased(value) {
                Value::Several(all) => open.extend(all.iter().cloned()),
                Value::Elements(class) => open.push(Value::Instance(class)),
                Value::Literal | Value::Unknown | Value::Never => {}
                part => {
                    let part = part.plain();
                    if !parts.contains(&part) {
                        parts.push(part);
                    }
                }
            }
        }
        parts
    }

    /// What a parameter is that has this hint. What a type parameter is bounded by is a guess: who calls may mean something
    /// narrower.
    fn parameter_by(
        &self,
        file: FileId,
        doc: &Document,
        hint: TypeHint,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Value {
        let value = self.follow(file, doc, hint, owner, hops);
        let named = doc.occurrences().get(hint.occurrence as usize);
        let is_bound = |named: &DocOccurrence| doc.local_at(named.name, hint.occurrence).is_some();
        if hint.kind == HintKind::Type && value != Value::Unknown && named.is_some_and(is_bound) {
            hops.note_guess();
        }
        value
    }

    /// What the parameter of a definition is; unknown where it has none there.
    fn parameter_of(&self, id: SymbolId, place: usize, hops: Hops<'_>) -> Value {
        let find = |hops: Hops<'_>| self.parameter_found(id, place, hops);
        let found = |hops: Hops<'_>| find(hops).unwrap_or(Value::Unknown);
        hops.once(Key::parameter(id, place), found)
    }

    fn parameter_found(&self, id: SymbolId, place: usize, hops: Hops<'_>) -> Option<Value> {
        let (file, own) = (self.table.file(id), self.table.position(id));
        let doc = self
            .docs
            .get(file)
            .filter(|doc| Self::has_typed_callbacks(doc))?;
        let hints = own_parameters(doc, own);
        let hint = (*hints.get(place).or(hints.last())?)?;
        let value = self.parameter_by(file, doc, hint, Some(own), hops);
        // What stands behind the last parameter is one of those that it takes.
        (place < hints.len() || value.is_list()).then_some(value)
    }

    /// What a value is called with at a place; `None` where it says nothing of it.
    fn taken_by_value(&self, value: Value, place: usize, hops: Hops<'_>) -> Option<Value> {
        let mut open = vec![(value, 0)];
        let mut found: Vec<Value> = Vec::new();
        for _ in 0..MAX_WAYS {
            let Some((value, level)) = open.pop() else {
                break;
            };
            let of = match self.unaliased(value) {
                Value::Callback(callback) => {
                    let taken = &callback.takes;
                    let is_list = |(last, _): &&(Value, bool)| last.is_list();
                    let of = taken.get(place).or(taken.last().filter(is_list));
                    if of.is_some_and(|(_, is_guess)| *is_guess) {
                        hops.note_guess();
                    }
                    of.map(|(value, _)| value.clone())
                }
                Value::Several(all) => {
                    open.extend(all.iter().cloned().map(|value| (value, level)));
                    continue;
                }
                Value::Function(id) => Some(self.parameter_of(id, place, hops)),
                Value::Instance(class) if level < MAX_LEVELS => {
                    open.extend(
                        self.values
                            .of(class)
                            .cloned()
                            .map(|value| (value, level + 1)),
                    );
                    continue;
                }
                // A list of functions where one of them may stand.
                Value::Elements(class) if level < MAX_LEVELS => {
                    open.push((Value::Instance(class), level + 1));
                    continue;
                }
                Value::External => Some(Value::External),
                _ => continue,
            };
            found.extend(of.filter(|of| !found.contains(of)));
        }
        self.agreed(found)
    }

    /// What an argument may be of what an occurrence calls, in a language that writes the types of parameters.
    pub(super) fn typed_argument(
        &self,
        file: FileId,
        doc: &Document,
        (called, place): (u32, usize),
        hops: Hops<'_>,
    ) -> Value {
        let (Some(hops), true) = (hops.next(), Self::has_typed_callbacks(doc)) else {
            return Value::Unknown;
        };
        let value = match self.meaning(file, doc, called, hops) {
            Meaning::Symbols(symbols, rule) if is_sure(rule) => {
                self.note_guess(&symbols, rule, hops);
                let mut found: Vec<Value> = Vec::new();
                for id in symbols.into_iter().take(MAX_OVERLOADS) {
                    let of = self.taken_by_symbol(id, place, hops);
                    found.extend(of.filter(|of| !found.contains(of)));
                }
                self.agreed(found)
            }
            Meaning::Local(_) => {
                let value = self.value_of(file, doc, called, hops);
                self.taken_by_value(value, place, hops)
            }
            Meaning::External => Some(Value::External),
            _ => None,
        };
        self.put_in_call(file, doc, value.unwrap_or(Value::Unknown), called, hops)
    }

    fn taken_by_symbol(&self, id: SymbolId, place: usize, hops: Hops<'_>) -> Option<Value> {
        let kind = self.table.symbol(id).kind;
        match kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor => {
                Some(self.parameter_of(id, place, hops))
            }
            SymbolKind::Class => {
                let made_by = self.made_by(id)?;
                Some(self.parameter_of(made_by, place, hops))
            }
            _ if semantics::is_type(kind) => None,
            _ => match self.values.of(id)? {
                Value::Type(class) => {
                    let made_by = self.made_by(*class)?;
                    Some(self.parameter_of(made_by, place, hops))
                }
                value => self.taken_by_value(value.clone(), place, hops),
            },
        }
    }

    /// The constructor of a class, its own or that of the nearest base that has one.
    fn made_by(&self, class: SymbolId) -> Option<SymbolId> {
        let name = self.names.find(CONSTRUCTOR)?;
        let mut types = self.members.with_bases(self.members.canonical(class));
        types.find_map(|class| self.members.direct(class, name).next())
    }

    /// What a type parameter stands for in the object whose member is called; elsewhere what it is bounded by, which whoever
    /// calls may have made narrower.
    fn put_in_call(
        &self,
        file: FileId,
        doc: &Document,
        value: Value,
        called: u32,
        hops: Hops<'_>,
    ) -> Value {
        if !value.may_be_open() {
            return value;
        }
        if matches!(value, Value::Parameter(_)) {
            hops.note_guess();
        }
        let found = doc.occurrences().get(called as usize);
        if found.is_none_or(|found| found.qualifier == Qualifier::None) {
            return value;
        }
        self.put_in_at(file, doc, value, called, hops)
    }

    /// What a function is called with, at a place among its parameters, that stands where an occurrence says.
    pub(super) fn called_with(
        &self,
        file: FileId,
        doc: &Document,
        (at, standing, place): (u32, Standing, usize),
        hops: Hops<'_>,
    ) -> Value {
        let Some(hops) = hops.next().filter(|_| Self::has_typed_callbacks(doc)) else {
            return Value::Unknown;
        };
        let function = match standing {
            Standing::Value => self.value_of(file, doc, at, hops),
            Standing::Type => self.instance_of(file, doc, at, hops),
            Standing::Argument(argument) => self.typed_argument(file, doc, (at, argument), hops),
        };
        let taken = self.taken_by_value(function, place, hops);
        self.put_in_call(file, doc, taken.unwrap_or(Value::Unknown), at, hops)
    }

    /// What callers see of the parameters of a definition, or of the constructor of a class, each with whether it is a
    /// guess.
    pub(super) fn parameters_seen(&self, id: SymbolId) -> Vec<(Value, bool)> {
        let doc = self.docs.get(self.table.file(id));
        let is_typed = doc.is_some_and(|doc| Self::has_typed_callbacks(doc));
        let of = match self.table.symbol(id).kind {
            _ if !is_typed => None,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor => Some(id),
            SymbolKind::Class => self.made_by(id),
            _ => None,
        };
        let of = of.and_then(|id| Some((id, self.docs.get(self.table.file(id))?)));
        let Some((id, doc)) = of else {
            return Vec::new();
        };
        let (file, own) = (self.table.file(id), self.table.position(id));
        let values = own_parameters(doc, own).into_iter().map(|hint| match hint {
            Some(hint) => {
                let search = Search::new();
                let hops = Hops::new(&search);
                hops.watch(|| self.parameter_by(file, doc, hint, Some(own), hops))
            }
            None => (Value::Unknown, false),
        });
        values.collect()
    }
}

/// What is known of the parameters of a definition, in their order.
fn own_parameters(doc: &Document, function: u32) -> Vec<Option<TypeHint>> {
    let uses = doc.occurrences();
    let own = doc.symbols.get(function as usize);
    let Some((symbol, (_, locals))) = own.zip(doc.locals_from(function)) else {
        return Vec::new();
    };
    // `constructor(private store: Store)` declares a field there.
    let is_inside = |owner: u32| {
        let of = doc.symbols.get(owner as usize);
        let is_field = |of: &DocSymbol| of.kind == SymbolKind::Field;
        of.is_some_and(|of| is_field(of) && symbol.start <= of.start && of.end <= symbol.end)
    };
    let is_own = |local: &Local| {
        let declared = uses.get(local.declared as usize);
        let of_type = doc.receiver(local.declared);
        let owner = declared.and_then(DocOccurrence::owner);
        !local.scope.is_empty()
            && owner.is_some_and(|owner| owner == function || is_inside(owner))
            && of_type.is_none_or(|hint| hint.kind != HintKind::TypeParameter)
    };
    match locals.iter().take(MAX_LOCALS).position(is_own) {
        Some(from) => parameters(doc, &locals[from..], locals[from].scope.end, true),
        None => Vec::new(),
    }
}

/// What is known of parameters, from the first on: of the names that are bound to one end, up to that which is said to be
/// the last. Names of one pattern are bound from one place on.
fn parameters(
    doc: &Document,
    locals: &[Local],
    end: u32,
    until_last: bool,
) -> Vec<Option<TypeHint>> {
    let mut found: Vec<Option<TypeHint>> = Vec::new();
    let mut pattern = None;
    let mut is_last = false;
    let bound = locals
        .iter()
        // Members of shapes are bound nowhere.
        .filter(|local| !local.scope.is_empty())
        .take(MAX_LOCALS)
        .take_while(|local| local.declared < end);
    for local in bound.filter(|local| local.scope.end == end) {
        if pattern != Some(local.scope.start) {
            if is_last || found.len() == MAX_PARAMETERS {
                break;
            }
            found.push(None);
            pattern = Some(local.scope.start);
        }
        let known = found
            .last_mut()
            .expect("one was pushed for the first name of a pattern");
        let is_mark = |hint: &TypeHint| hint.kind == HintKind::Last;
        let taken = doc.taken_from(local.declared);
        let own = local
            .hint
            .filter(|hint| local.declared == local.scope.start && !is_mark(hint));
        *known = taken.or(*known).or(own);
        let receiver = doc.receiver(local.declared);
        is_last |= receiver.iter().chain(&local.hint).any(is_mark);
    }
    match until_last && !is_last {
        true => Vec::new(),
        false => found,
    }
}
