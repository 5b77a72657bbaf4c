//! What collections hold: elements of a language's own lists and maps, and what their methods give.
//!
//! Nothing here is a definition of the repository: `list.first()` is no use of anything, but what it gives has members.
//! Guarantee: what is not known to hold one type gives something from outside, or nothing known. Deliberately absent: keys of
//! maps, and what is made of elements where the call itself does not say it.

use super::documents::{DocOccurrence, Document};
use super::hops::Hops;
use super::resolve::{Meaning, Resolver};
use super::table::SymbolId;
use super::value::Value;
use crate::extract::record::{OccurrenceKind, Qualifier, SymbolKind};
use crate::lang::{
    self,
    naming::{Given, Holder, MapGives},
};
use crate::view::live::FileId;

/// Definitions of a name among which one of a trait is looked for.
const MAX_NAMED: usize = 64;

/// Places of a tuple that are told apart where it is taken apart.
const MAX_PLACES: u64 = 128;

impl Resolver<'_> {
    /// What a member of a collection gives that is the language's own: an element, or a collection
    /// of the same.
    pub(super) fn of_collection(
        &self,
        doc: &Document,
        found: &DocOccurrence,
        object: Value,
        hops: Hops<'_>,
    ) -> Value {
        let collections = &lang::of(doc.lang).naming.collections;
        let name = self.names.bytes(found.name);
        // A trait may give collections another one of this name.
        let is_of_trait = |id: SymbolId| {
            let around = self.table.container(id);
            around.is_some_and(|around| self.table.symbol(around).kind == SymbolKind::Trait)
        };
        if lang::of(doc.lang).naming.traits_extend
            && self
                .table
                .named(found.name)
                .take(MAX_NAMED)
                .any(is_of_trait)
        {
            return Value::Unknown;
        }
        let is_outside = object == Value::External && collections.outside_stays;
        let other = match collections.other.contains(&name) && !is_outside {
            true => Value::Unknown,
            false => Value::External,
        };
        if !collections.knows(name) {
            return other;
        }
        self.unaliased(object).each(&|value| {
            let held = match value {
                Value::Instance(class) => {
                    let held = self.held_by_base(class, hops);
                    held.map(|held| (Holder::List, held))
                }
                value => value.holds(),
            };
            let Some((holder, class)) = held else {
                return Value::External;
            };
            match collections.given(holder, name) {
                Some(Given::Held(holder)) => Value::held(holder, class),
                Some(Given::Element) => Value::Instance(class),
                None => other.clone(),
            }
        })
    }

    /// What an occurrence reads that is a member of something from outside.
    pub(super) fn read_outside(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        hops: Hops<'_>,
    ) -> Value {
        let collections = &lang::of(doc.lang).naming.collections;
        match doc.occurrences().get(at as usize) {
            Some(found)
                if collections.are_read
                    && found.qualifier != Qualifier::None
                    && collections.knows(self.names.bytes(found.name)) =>
            {
                let object = self.object_of(file, doc, at, hops);
                self.of_collection(doc, found, object, hops)
            }
            _ => Value::External,
        }
    }

    /// What an occurrence means that is read. Where a name may be a key of what stands before it, that too, and whether
    /// it was guessed: it is followed once.
    pub(super) fn read(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        hops: Hops<'_>,
    ) -> (Option<(Value, bool)>, Meaning) {
        let found = doc.occurrences().get(at as usize);
        let has_keys = lang::of(doc.lang).naming.besides_keys.is_some();
        match found.map(|found| (found, found.kind, found.qualifier)) {
            // `a["name"]`, `T["name"]`
            Some((found, OccurrenceKind::Mention, _)) if let Some(hint) = doc.receiver(at) => {
                let (object, is_guess) =
                    hops.watch(|| self.follow(file, doc, hint, found.owner(), hops));
                let meaning = self.member_of(doc, found, object.clone());
                (Some((object, is_guess)), meaning.found_on(is_guess))
            }
            // `{ name }` of what is taken apart.
            Some((found, OccurrenceKind::Write, Qualifier::None))
                if has_keys && let Some(hint) = doc.taken_from(at) =>
            {
                let (object, is_guess) =
                    hops.watch(|| self.follow(file, doc, hint, found.owner(), hops));
                let of_it = self.member_of(doc, found, object.clone());
                let is_written = self.written_member(&object, found.name).is_some();
                let meaning = match of_it {
                    Meaning::Symbols(..) => of_it.found_on(is_guess),
                    Meaning::External if is_written => of_it,
                    _ => self.bare(file, doc, at, found, hops),
                };
                (Some((object, is_guess)), meaning)
            }
            Some((found, kind, Qualifier::Previous | Qualifier::Expression))
                if has_keys
                    && !matches!(kind, OccurrenceKind::Import | OccurrenceKind::Mention) =>
            {
                let (object, is_guess) = hops.watch(|| self.object_of(file, doc, at, hops));
                let meaning = self.on_object(file, doc, at, found, object.clone(), hops);
                (Some((object, is_guess)), meaning.found_on(is_guess))
            }
            _ => (None, self.meaning(file, doc, at, hops)),
        }
    }

    /// What stands at a place of a tuple or list, where an occurrence is the number of that place, or the sign before it
    /// in what takes the whole apart.
    pub(super) fn part(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        hops: Hops<'_>,
    ) -> Option<Value> {
        let found = doc.occurrences().get(at as usize)?;
        if found.kind != OccurrenceKind::Mention {
            return None;
        }
        let name = |at: u32| Some(self.names.bytes(doc.occurrences().get(at as usize)?.name));
        let (mut place, mut first) = (0, at);
        match name(at)? {
            b"[" | b"," => {
                while name(first)? == b"," && place < MAX_PLACES {
                    (place, first) = (place + 1, doc.receiver(first)?.occurrence);
                }
            }
            number if number.iter().all(u8::is_ascii_digit) => {
                place = std::str::from_utf8(number).ok()?.parse().ok()?;
            }
            _ => return None,
        }
        let is_taken_apart = matches!(name(at)?, b"[" | b",");
        let of = self.follow(file, doc, doc.receiver(first)?, found.owner(), hops);
        let of = self.unaliased(of);
        Some(match self.written_part(&of, place) {
            Some(part) => part,
            // What is from outside may give a list of different things.
            None if is_taken_apart && of == Value::External => Value::Unknown,
            None => self.element(doc, of, hops),
        })
    }

    /// What is kept in an object under the name of an occurrence, which is no member of it: an element, where names may be
    /// keys. `object` is that, and whether it is a guess.
    pub(super) fn kept_under(
        &self,
        doc: &Document,
        at: u32,
        (object, is_guess): (Value, bool),
        hops: Hops<'_>,
    ) -> Value {
        let own = lang::of(doc.lang).naming.besides_keys;
        let name = doc.occurrences().get(at as usize).map(|found| found.name);
        if let Some(written) = name.and_then(|name| self.written_member(&object, name)) {
            if is_guess {
                hops.note_guess();
            }
            return written;
        }
        let is_key = own
            .zip(name)
            .is_some_and(|(own, name)| !own.contains(&self.names.bytes(name)));
        if !is_key {
            return Value::External;
        }
        if is_guess {
            hops.note_guess();
        }
        self.unaliased(object).each(&|value| match value {
            Value::Elements(of) => Value::Instance(of),
            Value::Instance(class) => match self.values.of(class) {
                Some(Value::Elements(of)) => Value::Instance(*of),
                _ => Value::External,
            },
            _ => Value::External,
        })
    }

    /// A list of the elements of a value: one of its own, whatever these are.
    pub(super) fn listed(&self, doc: &Document, of: Value) -> Value {
        let step = lang::of(doc.lang).naming.collections.step;
        self.unaliased(of).each(&|value| match value {
            Value::Elements(class) => Value::Elements(class),
            Value::Held(Holder::Entries, class) => Value::held(Holder::Entries, class),
            Value::Held(Holder::Map, class) => match step {
                MapGives::Values => Value::Elements(class),
                MapGives::Entries => Value::held(Holder::Entries, class),
                MapGives::Keys => Value::Unknown,
            },
            Value::Instance(class) => match self.values.of(class) {
                Some(Value::Elements(of)) => Value::Elements(*of),
                _ => Value::Literal,
            },
            _ => Value::Literal,
        })
    }

    /// A list of such values.
    pub(super) fn list_of(one: Value) -> Value {
        Self::list_of_known(one.bounded())
    }

    /// The same where no type parameter is among them.
    pub(super) fn list_of_known(one: Value) -> Value {
        one.each(&|value| match value {
            Value::Instance(class) => Value::Elements(class),
            Value::Generic(generic) => Value::Elements(generic.of),
            Value::External | Value::Literal => Value::Literal,
            _ => Value::Unknown,
        })
    }

    /// A map to such values.
    pub(super) fn map_to(one: Value) -> Value {
        Self::mapped(Self::list_of(one))
    }

    /// A map to the elements of a list.
    pub(super) fn mapped(list: Value) -> Value {
        list.each(&|value| match value {
            Value::Elements(class) => Value::held(Holder::Map, class),
            other => other,
        })
    }

    /// What going over a value gives one after the other.
    pub(super) fn each(&self, doc: &Document, of: Value, hops: Hops<'_>) -> Value {
        let step = lang::of(doc.lang).naming.collections.step;
        self.unaliased(of).each(&|value| match (&value, step) {
            (Value::Held(Holder::Map, _), MapGives::Keys) => Value::Unknown,
            (Value::Held(Holder::Map, class), MapGives::Entries) => {
                Value::held(Holder::Entry, *class)
            }
            _ => self.element(doc, value, hops),
        })
    }

    /// The value of each entry that going over a value gives.
    pub(super) fn each_value(&self, of: Value) -> Value {
        self.unaliased(of).each(&|value| match value {
            Value::Held(Holder::Map | Holder::Entries, class) => Value::Instance(class),
            Value::External => Value::External,
            _ => Value::Unknown,
        })
    }

    /// One of the elements of a value, as an index takes it.
    pub(super) fn element(&self, doc: &Document, of: Value, hops: Hops<'_>) -> Value {
        self.unaliased(of).each(&|value| match value {
            Value::Elements(class) | Value::Held(Holder::Map | Holder::Cell, class) => {
                Value::Instance(class)
            }
            Value::Held(Holder::Entries, class) => Value::held(Holder::Entry, class),
            Value::Instance(class) if let Some(Value::Elements(of)) = self.values.of(class) => {
                Value::Instance(*of)
            }
            Value::Instance(class) if let Some(held) = self.in_literal(doc, class, hops) => held,
            // In C a pointer is also the array it points into.
            Value::Instance(class) if lang::of(doc.lang).naming.pointers_are_arrays => {
                Value::Instance(class)
            }
            Value::Instance(class) if let Some(held) = self.held_by_base(class, hops) => {
                Value::Instance(held)
            }
            Value::External => Value::External,
            Value::Shape(shape) => shape.any(),
            Value::Literal if lang::of(doc.lang).naming.literals_all_through => Value::Literal,
            _ => Value::Unknown,
        })
    }

    /// What the case of an enum holds that an occurrence names, where it is taken apart.
    pub(super) fn held_by_case(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        hops: Hops<'_>,
    ) -> Option<Value> {
        if !lang::of(doc.lang).naming.cases_hold {
            return None;
        }
        let Meaning::Symbols(symbols, rule) = self.meaning(file, doc, at, hops.next()?) else {
            return None;
        };
        let is_case = |id: &SymbolId| self.table.symbol(*id).kind == SymbolKind::Variant;
        let [case] = symbols[..] else { return None };
        let held = self.values.of(case).filter(|_| is_case(&case))?;
        self.note_guess(&symbols, rule, hops);
        Some(held.clone())
    }

    /// What a type may hold that hands one type to a base from outside: `class Errors extends ArrayList<Fault>`.
    fn held_by_base(&self, class: SymbolId, hops: Hops<'_>) -> Option<SymbolId> {
        if !self.members.has_external_base(class) {
            return None;
        }
        match *self.handed_to_bases(class) {
            [Value::Instance(held)] => {
                hops.note_guess();
                Some(held)
            }
            _ => None,
        }
    }
}
