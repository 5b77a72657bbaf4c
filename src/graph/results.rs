//! What calls give: of functions and methods what they return, of types an instance, of values what their types say.

use super::documents::{DocOccurrence, Document};
use super::generics::Object;
use super::hops::Hops;
use super::resolve::{Meaning, Resolver, is_injected};
use super::semantics;
use super::table::SymbolId;
use super::value::Value;
use super::values::is_sure;
use crate::extract::record::{HintKind, OccurrenceKind, Qualifier, SymbolKind, TypeHint};
use crate::lang;
use crate::view::live::FileId;

impl Document {
    /// What a call gives by what it is handed, unless the repository defines what is called.
    fn given_by(&self, called: u32) -> Option<TypeHint> {
        let locals = &self.hints().locals;
        let from = locals.partition_point(|local| local.declared < called);
        let said = locals[from..].iter();
        let mut said = said.take_while(|local| local.declared == called);
        said.find(|local| local.scope == (called..called))?.hint
    }
}

impl Resolver<'_> {
    /// The value of a call of what an occurrence names.
    pub(super) fn result_of(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Value {
        let (Some(hops), Some(found)) = (hops.next(), doc.occurrences().get(at as usize)) else {
            return Value::Unknown;
        };
        if let Some(part) = self.part(file, doc, at, hops) {
            return self.result_of_held(doc, part, hops);
        }
        // The object is followed once: chains of calls are long.
        let member = matches!(found.qualifier, Qualifier::Previous | Qualifier::Expression)
            && found.kind != OccurrenceKind::Import;
        let (object, is_guess, meaning) = match member {
            true => {
                let (object, is_guess) = hops.watch(|| self.object_of(file, doc, at, hops));
                let meaning = self.on_object(file, doc, at, found, object.clone(), hops);
                (object, is_guess, meaning.found_on(is_guess))
            }
            false => (Value::Unknown, false, self.meaning(file, doc, at, hops)),
        };
        match meaning {
            Meaning::Symbols(symbols, rule) if is_sure(rule) => {
                self.note_guess(&symbols, rule, hops);
                let results = symbols.iter().map(|id| {
                    let result = self.result_on(*id, &object);
                    self.or_applied(doc, at, *id, result)
                });
                let mut known = results.filter(|value| *value != Value::Unknown);
                let value = known.next().unwrap_or(Value::Unknown);
                let value = self.or_overriding_result((file, doc), found, (&symbols, value), hops);
                let value = self.handed_type(file, doc, (at, &symbols), value, hops);
                let value = match value {
                    Value::Unknown => self.given_by_type(file, doc, at, hops).unwrap_or(value),
                    known => known,
                };
                let value = match value {
                    Value::Instance(class) if symbols.iter().any(|id| self.makes(*id, class)) => {
                        self.instance_with_arguments(file, doc, (at, class), hops)
                    }
                    other => other,
                };
                let object = Object {
                    value: &object,
                    member: at,
                };
                self.put_in(file, doc, value, Some(object), hops)
            }
            // Whichever implementation is meant, it gives what the trait says.
            Meaning::Candidates(..)
                if member && let Some(method) = self.of_trait(file, doc, found, &object, hops) =>
            {
                hops.note_guess();
                self.result_of_symbol(method.declared)
            }
            // No function gives what it is.
            Meaning::Local(local)
                if doc
                    .hints()
                    .locals
                    .get(local as usize)
                    .is_some_and(is_injected) =>
            {
                Value::Unknown
            }
            Meaning::Local(local) if let Some(gives) = Self::gives_of(doc, local) => {
                self.given(file, doc, gives, found.owner(), hops)
            }
            Meaning::Local(_) => {
                let held = self.value_of(file, doc, at, hops);
                self.result_of_held(doc, held, hops)
            }
            Meaning::External | Meaning::Unknown
                if let Some(value) = self.given_by_handed(file, doc, (at, found), hops) =>
            {
                value
            }
            Meaning::External | Meaning::Unknown | Meaning::Candidates(..)
                if let Some(value) =
                    self.given_by_library(doc, (at, found), (&object, is_guess), hops) =>
            {
                value
            }
            Meaning::External | Meaning::Unknown
                if let Some(value) = self.given_by_type(file, doc, at, hops) =>
            {
                value
            }
            Meaning::External => {
                if is_guess {
                    hops.note_guess();
                }
                if let Some(written) = self.written_member(&object, found.name) {
                    return self.result_of_value(written);
                }
                self.of_collection(doc, found, object, hops)
            }
            // A module that is called is what it gives out by default, which nothing says.
            _ => Value::Unknown,
        }
    }

    /// The type of what a parameter gives that is a function, where that is said beside what it takes.
    fn gives_of(doc: &Document, local: u32) -> Option<u32> {
        let declared = doc.hints().locals.get(local as usize)?.declared;
        let said = doc.receiver(declared)?;
        (said.kind == HintKind::Gives).then_some(said.occurrence)
    }

    /// What a call gives by what it is handed: `xs.map { it.owner }`.
    fn given_by_handed(
        &self,
        file: FileId,
        doc: &Document,
        (at, found): (u32, &DocOccurrence),
        hops: Hops<'_>,
    ) -> Option<Value> {
        let given = doc.given_by(at)?;
        let value = self.follow(file, doc, given, found.owner(), hops);
        (value != Value::Unknown).then_some(value)
    }

    /// What a member gives that the repository does not define for this object: `new` of a class makes one of it, others
    /// give the object itself, or what is known by what holds it.
    fn given_by_library(
        &self,
        doc: &Document,
        (at, found): (u32, &DocOccurrence),
        (object, is_guess): (&Value, bool),
        hops: Hops<'_>,
    ) -> Option<Value> {
        let (naming, name) = (&lang::of(doc.lang).naming, self.names.bytes(found.name));
        let (given, is_guess) = match object {
            Value::Type(class) if name == b"new" && naming.names_are_calls => {
                // What a variable holds may be another class.
                let of = at.checked_sub(1);
                let of = of.and_then(|of| doc.occurrences().get(of as usize));
                let is_named = found.qualifier == Qualifier::Previous
                    && of.is_some_and(|of| self.is_constant(doc, of.name));
                (is_named.then_some(Value::Instance(*class))?, is_guess)
            }
            _ if let Some(class) = object.class().filter(|_| naming.unwraps.contains(&name)) => {
                if !naming.names_are_calls && self.members.has_external_base(class) {
                    return None;
                }
                // Nothing names what a conversion adds.
                (object.clone(), is_guess || naming.converts_literals)
            }
            _ => return None,
        };
        if is_guess {
            hops.note_guess();
        }
        Some(given)
    }

    /// What an occurrence gives by being read that a library defines: `option.get`, `task.Result`.
    pub(super) fn read_of_library(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        hops: Hops<'_>,
    ) -> Option<Value> {
        let found = doc.occurrences().get(at as usize)?;
        let is_member = matches!(found.qualifier, Qualifier::Previous | Qualifier::Expression);
        let unwraps = lang::of(doc.lang).naming.unwraps;
        if !is_member || !unwraps.contains(&self.names.bytes(found.name)) {
            return None;
        }
        let (object, is_guess) = hops.watch(|| self.object_of(file, doc, at, hops));
        self.given_by_library(doc, (at, found), (&object, is_guess), hops)
    }

    /// What calling what a name or place holds gives.
    pub(super) fn result_of_held(&self, doc: &Document, held: Value, hops: Hops<'_>) -> Value {
        match held {
            Value::Type(class) => Value::Instance(class),
            Value::Function(function) => {
                if self.values.is_guess(function) {
                    hops.note_guess();
                }
                self.result_of_symbol(function)
            }
            Value::External => Value::External,
            value => match value.class().filter(|_| Self::is_applied(doc)) {
                Some(class) => self.applied(doc, class),
                None => self.result_of_value(value),
            },
        }
    }

    /// What calling a symbol on a value gives: where it gives `this`, that is the value itself, which
    /// may be of a type that inherits the symbol.
    pub(super) fn result_on(&self, id: SymbolId, object: &Value) -> Value {
        // What a method of the class makes is of the class that it is called on.
        let makes = |class: SymbolId| lang::of(self.table.lang(class)).naming.names_are_calls;
        let itself = match object {
            Value::Instance(_) | Value::Generic(_) => Some(object.clone()),
            Value::Type(class) if makes(*class) => Some(Value::Instance(*class)),
            _ => None,
        };
        if let Some(itself) = itself {
            let doc = self.docs.get(self.table.file(id));
            let gives = doc.and_then(|doc| doc.value(self.table.position(id)));
            let kind = self.table.symbol(id).kind;
            if kind == SymbolKind::Method && gives.is_some_and(|hint| hint.kind == HintKind::This) {
                return itself;
            }
        }
        self.result_of_symbol(id)
    }

    /// Whether calling a symbol makes an instance of a class.
    pub(super) fn makes(&self, id: SymbolId, class: SymbolId) -> bool {
        let symbol = self.table.symbol(id);
        let is_class = semantics::is_type(symbol.kind) && self.members.canonical(id) == class;
        is_class || symbol.kind == SymbolKind::Constructor
    }

    /// What calling a function gives.
    fn result_of_function(&self, id: SymbolId) -> Value {
        match self.values.of(id) {
            // What calling an object gives is not looked for.
            Some(Value::Made(_)) | None => Value::Unknown,
            Some(known) => known.clone(),
        }
    }

    pub(super) fn result_of_symbol(&self, id: SymbolId) -> Value {
        let symbol = self.table.symbol(id);
        match symbol.kind {
            SymbolKind::Function | SymbolKind::Method => self.result_of_function(id),
            SymbolKind::Constructor => match self.table.container(id) {
                Some(class) => Value::Instance(self.members.canonical(class)),
                None => Value::Unknown,
            },
            _ if self.is_method_too(id) => self.value_of_symbol(id),
            _ => match self.value_of_symbol(id) {
                Value::Type(class) if class != id || semantics::is_type(symbol.kind) => {
                    Value::Instance(class)
                }
                Value::Function(function) if function != id => self.result_of_function(function),
                Value::Instance(class) if symbol.kind == SymbolKind::Variant => {
                    Value::Instance(class)
                }
                Value::External => Value::External,
                // What is called is its accessor.
                value if self.has_accessors(id) => value,
                value => self.result_of_value(value),
            },
        }
    }
}
