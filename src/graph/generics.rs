//! Type parameters: what a member of a generic type gives where the type's arguments are written.
//!
//! Arguments are not recorded as such: they are read from where names stand, so only those count that are plain names,
//! one behind the other (`Base<A, B>`). Guarantees: what cannot be told so stays what the parameter is bounded by.
//! Deliberately absent: arguments of functions, and of types in types.

use super::documents::{DocOccurrence, Document};
use super::hops::{Hops, Search};
use super::names::Names;
use super::resolve::{Meaning, Resolver};
use super::semantics;
use super::table::SymbolId;
use super::type_arguments::Generic;
use super::value::Value;
use crate::extract::record::{Local, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::lang;
use crate::view::live::FileId;
use std::sync::Arc;

/// Uses that are looked at from where a definition begins: its head, as people write it, has fewer.
const MAX_HEAD: usize = 64;

/// Types on the way from one to a base of it.
const MAX_WAY: usize = 16;

/// A type parameter of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The type.
    pub(super) of: SymbolId,
    /// Which of its parameters.
    pub(super) at: u32,
    /// What it is bounded by.
    pub(super) bound: Value,
    /// A list of such is meant: `T[]`, `List<T>`.
    pub(super) is_list: bool,
}

impl Parameter {
    /// What it is, where it stands for this.
    fn standing_for(&self, one: Value) -> Value {
        match one {
            one if !self.is_list => one,
            Value::Parameter(other) => other.as_list(true),
            one => Resolver::list_of_known(one),
        }
    }

    /// What it is at least.
    pub(super) fn bounded(&self) -> Value {
        self.standing_for(self.bound.clone())
    }

    /// What it is where the parameters of its type stand for these.
    pub(super) fn with_given(&self, given: &[Value]) -> Value {
        let told = given.get(self.at as usize);
        self.standing_for(told.unwrap_or(&self.bound).clone())
    }

    /// A list of such, or one of a list of such.
    pub(super) fn as_list(&self, is_list: bool) -> Value {
        Value::Parameter(Arc::new(Self {
            is_list,
            ..self.clone()
        }))
    }
}

/// Definitions of a name among which a type is looked for.
const MAX_NAMED: usize = 64;

/// The type right before an occurrence whose first or second argument that is: `Optional<User>`, `Map<Key, User>`.
fn holder(names: &Names, doc: &Document, at: u32) -> Option<u32> {
    let uses = doc.occurrences();
    let is_open = |of: &DocOccurrence, next: &DocOccurrence, gap: u32| {
        let length = names.bytes(of.name).len() as u32 + gap;
        of.kind == OccurrenceKind::Type
            && of.line == next.line
            && of.col.checked_add(length) == Some(next.col)
    };
    let found = uses.get(at as usize)?;
    if found.qualifier != Qualifier::None {
        return None;
    }
    let before = uses.get(at.checked_sub(1)? as usize)?;
    if is_open(before, found, 1) {
        return Some(at - 1);
    }
    let first = uses.get(at.checked_sub(2)? as usize)?;
    let is_second = is_open(before, found, 2) && is_open(first, before, 1);
    is_second.then(|| at - 2)
}

/// The object whose member was found, as it is written.
#[derive(Clone, Copy)]
pub(super) struct Object<'o> {
    /// What it is.
    pub(super) value: &'o Value,
    /// The occurrence that names the member.
    pub(super) member: u32,
}

impl Resolver<'_> {
    /// An instance of what a type parameter stands for: of itself where it is one of a type, else of its bound.
    pub(super) fn parameter(
        &self,
        file: FileId,
        doc: &Document,
        declared: u32,
        bound: Value,
    ) -> Value {
        let uses = doc.occurrences();
        let owner = uses.get(declared as usize).and_then(DocOccurrence::owner);
        let Some((owner, symbol)) = owner.and_then(|i| Some((i, doc.symbols.get(i as usize)?)))
        else {
            return bound;
        };
        let is_alias = symbol.kind == SymbolKind::Type && !Self::has_typed_callbacks(doc);
        if !semantics::has_members(symbol.kind) || is_alias {
            return bound;
        }
        // What bounds one parameter by another is bounded by that one's bound.
        let bound = bound.each(&|value| match value {
            Value::Parameter(parameter) => parameter.bounded(),
            other => other,
        });
        let at = match symbol.kind {
            SymbolKind::Impl => self.place_of_block(doc, owner, declared),
            _ => {
                let mut written =
                    head(doc, owner).filter(|(_, found)| found.kind == OccurrenceKind::Write);
                written.position(|(at, _)| at == declared)
            }
        };
        match at {
            Some(at) => Value::Parameter(Arc::new(Parameter {
                of: self.members.canonical(self.table.id(file, owner)),
                at: at as u32,
                bound,
                is_list: false,
            })),
            None => bound,
        }
    }

    /// Which argument of the type that a block of members is for a parameter of the block is: `impl<T> Holder<T>`.
    fn place_of_block(&self, doc: &Document, block: u32, declared: u32) -> Option<usize> {
        let of = doc.symbols.get(block as usize)?.name;
        let name = doc.occurrences().get(declared as usize)?.name;
        let heads = head(doc, block)
            .filter(|(_, found)| found.name == of && found.kind == OccurrenceKind::Type);
        let (named, _) = heads.last()?;
        let mut arguments = self.arguments(doc, named).into_iter();
        arguments.position(|at| {
            let found = doc.occurrences().get(at as usize);
            found.is_some_and(|found| found.name == name)
        })
    }

    /// What a value is that is a type parameter, or several of which some are (`T & Named`), where a member of an
    /// object gave it.
    pub(super) fn put_in(
        &self,
        file: FileId,
        doc: &Document,
        value: Value,
        object: Option<Object<'_>>,
        hops: Hops<'_>,
    ) -> Value {
        match value {
            Value::Several(all) => {
                let all = all.iter().cloned();
                let all = all.map(|one| self.put_in_one(file, doc, one, object, hops));
                Value::several(all.collect())
            }
            one => self.put_in_one(file, doc, one, object, hops),
        }
    }

    fn put_in_one(
        &self,
        file: FileId,
        doc: &Document,
        value: Value,
        object: Option<Object<'_>>,
        hops: Hops<'_>,
    ) -> Value {
        if let Some(Value::Generic(generic)) = object.map(|object| object.value)
            && value.may_be_open()
        {
            return self.put_in_given(value, generic, hops);
        }
        let Value::Parameter(parameter) = &value else {
            return value;
        };
        let Some(hops) = hops.next() else {
            return value;
        };
        let Some(found) = object.and_then(|object| doc.occurrences().get(object.member as usize))
        else {
            return value;
        };
        let of_itself = matches!(found.qualifier, Qualifier::None | Qualifier::This);
        let class = match object.map(|object| object.value) {
            _ if of_itself => self.this_type(file, doc, found.owner()),
            Some(value) => match self.unaliased(value.clone()) {
                Value::Instance(class) | Value::Type(class) => Some(class),
                _ => None,
            },
            None => None,
        };
        let Some(class) = class else {
            return value;
        };
        let given = match class == parameter.of {
            true if of_itself => self.of_block(file, doc, found.owner(), parameter, hops),
            true => None,
            false => self.by_base(class, parameter, hops),
        };
        // Where whoever made the object wrote what the parameter is, its bound says too little.
        let is_open = lang::of(doc.lang).naming.labels.is_some() && !of_itself;
        match (given, &parameter.bound) {
            (Some(given), _) => parameter.standing_for(given),
            (None, Value::External | Value::Literal) if is_open => Value::Unknown,
            _ => value,
        }
    }

    /// The same where it is written what the parameters of the object's own type stand for.
    fn put_in_given(&self, value: Value, object: &Generic, hops: Hops<'_>) -> Value {
        let value = match &value {
            Value::Parameter(parameter) if parameter.of != object.of => {
                let handed = hops
                    .next()
                    .and_then(|hops| self.by_base(object.of, parameter, hops));
                match handed {
                    Some(handed) => parameter.standing_for(handed),
                    None => value,
                }
            }
            _ => value,
        };
        value.with_given(object.of, &object.given)
    }

    /// What a type that is based on a generic one hands to that.
    fn by_base(&self, class: SymbolId, parameter: &Parameter, hops: Hops<'_>) -> Option<Value> {
        // Backwards from the base: which type has it, and which type has that.
        let mut seen: Vec<(SymbolId, Option<usize>)> = vec![(class, None)];
        let mut next = 0;
        let end = loop {
            let (of, _) = *seen.get(next)?;
            if of == parameter.of {
                break next;
            }
            for base in self.members.bases(of) {
                if seen.len() < MAX_WAY && !seen.iter().any(|(known, _)| known == base) {
                    seen.push((*base, Some(next)));
                }
            }
            next += 1;
        };
        let (mut at, mut base) = (parameter.at, end);
        while let Some(from) = seen[base].1 {
            let value = self.handed(seen[from].0, seen[base].0, at, hops)?;
            match &value {
                Value::Parameter(own) if own.of == seen[from].0 && from != 0 => at = own.at,
                _ => return Some(value),
            }
            base = from;
        }
        None
    }

    /// The argument that a type writes behind the name of its base.
    pub(super) fn handed(
        &self,
        class: SymbolId,
        base: SymbolId,
        at: u32,
        hops: Hops<'_>,
    ) -> Option<Value> {
        let file = self.table.file(class);
        let doc = self.docs.get(file)?;
        let inherits = |found: &DocOccurrence| found.kind == OccurrenceKind::Inherit;
        let written = head(doc, self.table.position(class)).filter(|(_, found)| inherits(found));
        for (named, _) in written {
            let Meaning::Symbols(symbols, _) = self.meaning(file, doc, named, hops) else {
                continue;
            };
            if symbols.iter().any(|id| self.members.canonical(*id) == base) {
                let value = match Self::has_typed_callbacks(doc) {
                    true => {
                        let mut given = self.type_arguments(file, doc, named, hops);
                        given.drain(..).nth(at as usize)?.erased()
                    }
                    false => {
                        let argument = *self.arguments(doc, named).get(at as usize)?;
                        self.instance_of(file, doc, argument, hops)
                    }
                };
                return (value != Value::Unknown).then_some(value);
            }
        }
        None
    }

    /// What a type writes as arguments of its bases.
    pub(super) fn handed_to_bases(&self, class: SymbolId) -> Vec<Value> {
        let file = self.table.file(class);
        let Some(doc) = self.docs.get(file) else {
            return Vec::new();
        };
        let inherits = |found: &DocOccurrence| found.kind == OccurrenceKind::Inherit;
        let written = head(doc, self.table.position(class)).filter(|(_, found)| inherits(found));
        if Self::has_typed_callbacks(doc) {
            let search = Search::new();
            let hops = Hops::new(&search);
            let given = written.flat_map(|(named, _)| self.type_arguments(file, doc, named, hops));
            return given.map(Value::erased).collect();
        }
        let arguments = written.flat_map(|(named, _)| self.arguments(doc, named));
        let values = arguments.map(|at| self.instance_of(file, doc, at, Hops::new(&Search::new())));
        values.collect()
    }

    /// What a block of members (`impl<T: Bound> Trait for Type<T>`) calls a parameter of the type it is for.
    fn of_block(
        &self,
        file: FileId,
        doc: &Document,
        owner: Option<u32>,
        parameter: &Parameter,
        hops: Hops<'_>,
    ) -> Option<Value> {
        let block = block_around(doc, owner)?;
        let name = doc.symbols.get(block as usize)?.name;
        let own: Vec<_> = self.parameters_of(parameter.of);
        // `extension Box where Value: P`
        let said = own.get(parameter.at as usize).and_then(|name| {
            let mut uses = head(doc, block);
            uses.find(|(at, found)| found.name == *name && doc.local_bound_at(*at).is_some())
        });
        if let Some((at, _)) = said {
            let value = self.instance_of(file, doc, at, hops);
            return (value != Value::Unknown).then_some(value);
        }
        let uses = doc.occurrences();
        let heads = head(doc, block)
            .filter(|(_, found)| found.name == name && matches!(found.kind, OccurrenceKind::Type));
        for (named, _) in heads {
            let after = uses.get(named as usize + 1..)?;
            let same = after
                .iter()
                .zip(&own)
                .take_while(|(a, b)| a.name == **b)
                .count();
            let argument = match same == own.len() && !own.is_empty() {
                true => Some(named + 1 + parameter.at),
                false => self
                    .arguments(doc, named)
                    .get(parameter.at as usize)
                    .copied(),
            };
            if let Some(argument) = argument {
                let value = self.instance_of(file, doc, argument, hops);
                return (value != Value::Unknown).then_some(value);
            }
        }
        None
    }

    /// Whether a name that is bound at a place is that: what a block says of a type parameter binds it only where there
    /// is such a parameter.
    pub(super) fn is_bound_here(
        &self,
        file: FileId,
        doc: &Document,
        found: &DocOccurrence,
        local: &Local,
    ) -> bool {
        if lang::of(doc.lang).naming.labels.is_none() {
            return true;
        }
        let declared = doc.occurrences().get(local.declared as usize);
        declared.is_none_or(|declared| declared.kind != OccurrenceKind::Type)
            || self.parameter_around(file, doc, found, true).is_some()
    }

    /// The type parameter that a bare name means in a block that adds to a type: the type, and where it is declared.
    pub(super) fn parameter_of_block(
        &self,
        file: FileId,
        doc: &Document,
        found: &DocOccurrence,
    ) -> Option<(SymbolId, u32)> {
        lang::of(doc.lang).naming.labels?;
        let first = self.names.bytes(found.name).first()?;
        (found.qualifier == Qualifier::None && first.is_ascii_uppercase()).then_some(())?;
        self.parameter_around(file, doc, found, false)
    }

    /// The type parameter of this name of a type around; with `own` also of one that is no block that adds to another.
    fn parameter_around(
        &self,
        file: FileId,
        doc: &Document,
        found: &DocOccurrence,
        own: bool,
    ) -> Option<(SymbolId, u32)> {
        let mut inside = found.owner();
        while let Some(i) = inside {
            let symbol = doc.symbols.get(i as usize)?;
            if symbol.kind == SymbolKind::Impl || (own && semantics::is_type(symbol.kind)) {
                let class = self.members.canonical(self.table.id(file, i));
                let of = self.docs.get(self.table.file(class));
                let mut uses = of
                    .into_iter()
                    .flat_map(|of| head(of, self.table.position(class)));
                let declared = uses.find(|(_, one)| {
                    one.kind == OccurrenceKind::Write
                        && one.qualifier == Qualifier::None
                        && one.name == found.name
                });
                if let Some((at, _)) = declared {
                    return Some((class, at));
                }
            }
            inside = symbol.container;
        }
        None
    }

    /// An instance of the type parameter that an occurrence names, which a type declares that is elsewhere.
    pub(super) fn bound_elsewhere(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        hops: Hops<'_>,
    ) -> Value {
        let found = doc.occurrences().get(at as usize);
        let of = found.and_then(|found| self.parameter_of_block(file, doc, found));
        match of {
            Some((class, declared)) => self.declared_parameter(class, declared, hops),
            None => Value::Unknown,
        }
    }

    /// An instance of a type parameter that a type declares at a place.
    fn declared_parameter(&self, class: SymbolId, declared: u32, hops: Hops<'_>) -> Value {
        let file = self.table.file(class);
        let Some(doc) = self.docs.get(file) else {
            return Value::Unknown;
        };
        let local = doc.local_bound_at(declared);
        let local = local.and_then(|local| doc.hints().locals.get(local as usize));
        let bound = match local.and_then(|local| local.hint) {
            Some(hint) => self.follow(file, doc, hint, None, hops),
            None => Value::Unknown,
        };
        self.parameter(file, doc, declared, bound)
    }

    /// The type parameters of a type, each with what bounds it.
    pub(super) fn bounds_of(&self, class: SymbolId) -> Vec<(super::names::Name, Value)> {
        let Some(doc) = self.docs.get(self.table.file(class)) else {
            return Vec::new();
        };
        let uses = head(doc, self.table.position(class));
        let declared = uses.filter(|(_, found)| {
            found.kind == OccurrenceKind::Write && found.qualifier == Qualifier::None
        });
        let all = declared.map(|(at, found)| {
            let search = Search::new();
            let value = self.declared_parameter(class, at, Hops::new(&search));
            (found.name, value)
        });
        all.collect()
    }

    /// The names of a type's parameters.
    pub(super) fn parameters_of(&self, class: SymbolId) -> Vec<super::names::Name> {
        let Some(doc) = self.docs.get(self.table.file(class)) else {
            return Vec::new();
        };
        head(doc, self.table.position(class))
            .filter(|(_, found)| found.kind == OccurrenceKind::Write)
            .map(|(_, found)| found.name)
            .collect()
    }

    /// The trait that the block around a place is an implementation of.
    pub(super) fn trait_around(
        &self,
        file: FileId,
        doc: &Document,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Option<SymbolId> {
        self.trait_of_block(file, doc, block_around(doc, owner)?, hops)
    }

    /// Of several types of one name those that have type parameters where arguments are written, or those that have none
    /// where none are: in some languages both may stand in one place.
    pub(super) fn of_arity(&self, doc: &Document, at: u32, meaning: Meaning) -> Meaning {
        let Meaning::Symbols(symbols, rule) = meaning else {
            return meaning;
        };
        let is_of = |id: &SymbolId, has_arguments: bool| {
            let flags = self.table.symbol(*id).flags;
            flags.contains(SymbolFlags::GENERIC) == has_arguments
        };
        let is_type = |id: &SymbolId| semantics::is_type(self.table.symbol(*id).kind);
        let mut generic = symbols.iter().filter(|id| is_of(id, true));
        if symbols.len() < 2 || generic.next().is_none() || !symbols.iter().all(is_type) {
            return Meaning::Symbols(symbols, rule);
        }
        let of = match self.has_arguments(doc, at) {
            Some(has) if symbols.iter().any(|id| is_of(id, has)) => {
                symbols.into_iter().filter(|id| is_of(id, has)).collect()
            }
            _ => symbols,
        };
        Meaning::Symbols(of, rule)
    }

    /// Whether a type that an occurrence names is written with arguments, as far as the next name tells: between a name
    /// and its first argument stands one byte, and an argument that is a keyword is no occurrence.
    fn has_arguments(&self, doc: &Document, at: u32) -> Option<bool> {
        let named = doc.occurrences().get(at as usize)?;
        let next = doc.occurrences().get(at as usize + 1)?;
        let end = named.col + self.names.bytes(named.name).len() as u32;
        let is_next = next.line == named.line && next.col == end + 1;
        let is_argument = next.kind == OccurrenceKind::Type && next.qualifier == Qualifier::None;
        is_next.then_some(is_argument)
    }

    /// The trait that a block of members is an implementation of.
    pub(super) fn trait_of_block(
        &self,
        file: FileId,
        doc: &Document,
        block: u32,
        hops: Hops<'_>,
    ) -> Option<SymbolId> {
        let inherits = |found: &DocOccurrence| found.kind == OccurrenceKind::Inherit;
        let (named, _) = head(doc, block)
            .skip_while(|(_, found)| !inherits(found))
            .take_while(|(_, found)| inherits(found))
            .last()?;
        match self.meaning(file, doc, named, hops) {
            Meaning::Symbols(symbols, _) => {
                let is_trait = |id: &SymbolId| self.table.symbol(*id).kind == SymbolKind::Trait;
                symbols.into_iter().find(is_trait)
            }
            _ => None,
        }
    }

    /// What a call may give that is handed one type, if nothing else is known of it: an instance of that type, as
    /// `container.GetInstance<Mediator>()` does. That is a guess.
    pub(super) fn given_by_type(
        &self,
        file: FileId,
        doc: &Document,
        called: u32,
        hops: Hops<'_>,
    ) -> Option<Value> {
        let words = lang::of(doc.lang).naming.giving_words;
        let name = self
            .names
            .bytes(doc.occurrences().get(called as usize)?.name);
        if !words.iter().any(|word| name.starts_with(word)) {
            return None;
        }
        let [of] = *self.arguments(doc, called) else {
            return None;
        };
        let value = self.instance_of(file, doc, of, hops);
        matches!(value, Value::Instance(_)).then(|| {
            hops.note_guess();
            value
        })
    }

    /// An instance of the type whose argument an occurrence is, where that is one of the repository which only has the
    /// name of the library's that holds its arguments: `Optional<User>`.
    pub(super) fn own_holder(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        hops: Hops<'_>,
    ) -> Option<Value> {
        let of = holder(self.names, doc, at)?;
        let name = doc.occurrences().get(of as usize)?.name;
        let family = lang::of(doc.lang).family;
        let is_own = |id: SymbolId| {
            let kind = self.table.symbol(id).kind;
            let is_type = semantics::is_type(kind) && kind != SymbolKind::Type;
            is_type && self.table.family(id) == family
        };
        if Self::has_typed_callbacks(doc) || !self.table.named(name).take(MAX_NAMED).any(is_own) {
            return None;
        }
        let Meaning::Symbols(symbols, _) = self.meaning(file, doc, of, hops.next()?) else {
            return None;
        };
        let is_meant = symbols.iter().any(|id| is_own(*id));
        is_meant.then(|| self.instance_of(file, doc, of, hops))
    }

    /// The arguments of the type that an occurrence names, up to the first that is no plain name.
    pub(super) fn arguments(&self, doc: &Document, of: u32) -> Vec<u32> {
        let uses = doc.occurrences();
        let mut found = Vec::new();
        let Some(mut before) = uses.get(of as usize) else {
            return found;
        };
        let after = (of + 1..).zip(uses.iter().skip(of as usize + 1));
        for (at, next) in after.take(MAX_HEAD) {
            let gap = if found.is_empty() { 1 } else { 2 };
            let end = before.col + self.names.bytes(before.name).len() as u32;
            if next.line != before.line
                || next.col != end + gap
                || next.kind != OccurrenceKind::Type
                || next.qualifier != Qualifier::None
            {
                // What follows the last name may be an argument of it.
                if next.line == before.line && next.col == end + 1 {
                    found.pop();
                }
                break;
            }
            found.push(at);
            before = next;
        }
        found
    }
}

/// The block of members that a place lies in.
fn block_around(doc: &Document, owner: Option<u32>) -> Option<u32> {
    let mut inside = owner;
    while let Some(i) = inside {
        let symbol = doc.symbols.get(i as usize)?;
        if symbol.kind == SymbolKind::Impl {
            return Some(i);
        }
        if semantics::has_members(symbol.kind) {
            return None;
        }
        inside = symbol.container;
    }
    None
}

/// The uses that lie in a definition itself, from its beginning: those of its head.
fn head(doc: &Document, symbol: u32) -> impl Iterator<Item = (u32, &DocOccurrence)> {
    let uses = doc.occurrences();
    let start = doc.symbols.get(symbol as usize).map(|symbol| symbol.start);
    let start = start.unwrap_or((u32::MAX, 0));
    let first = uses.partition_point(|found| (found.line, found.col) < start);
    let all = (first as u32..).zip(&uses[first..]).take(MAX_HEAD);
    all.take_while(move |(_, found)| found.owner() == Some(symbol))
}
