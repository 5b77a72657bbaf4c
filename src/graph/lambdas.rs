//! What functions take that are handed to calls, in languages where a parameter says so itself (Scala, Kotlin):
//! `xs.map(x => x.name)`; what they are called on (see [`super::within`]); and what calling a value gives where that is a method of a name (`apply`). Of TypeScript, where the types of functions have
//! names for what they take, see [`super::callbacks`].
//!
//! A parameter of such a function says which one it is and what is called ([`HintKind::First`] and its like), a parameter
//! that is a function says what that takes first, in the same words, of the name of a type. Guarantees: where several
//! functions may be called, or one takes several functions, they have to agree. Deliberately absent: what functions give that are
//! handed over, and which of several arguments one is.

use super::documents::{DocOccurrence, Document};
use super::generics::Object;
use super::hops::{Hops, Search};
use super::resolve::{Meaning, Resolver};
use super::semantics;
use super::table::SymbolId;
use super::value::Value;
use super::values::is_sure;
use super::within::On;
use crate::extract::record::{HintKind, Local, OccurrenceKind, Qualifier, SymbolKind, TypeHint};
use crate::lang::{
    self,
    naming::{Extensions, Handing, Holder},
};
use crate::view::live::FileId;

/// Functions that one call may mean, and parameters of one, that are looked at.
pub(super) const MAX_TAKEN: usize = 16;

/// What is asked of a function that is handed to a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// What its parameter at this place is.
    At(usize),
    /// What it is called on.
    On,
}

/// Whether a hint is one of a parameter that is a function: it names the type of what that takes first, or is called on,
/// or, where that is not known, the parameter itself.
fn is_function(doc: &Document, hint: TypeHint) -> bool {
    use HintKind::{First, FirstElement, WithinType};
    let named = doc.occurrences().get(hint.occurrence as usize);
    matches!(hint.kind, First | FirstElement | WithinType)
        && named
            .is_some_and(|named| matches!(named.kind, OccurrenceKind::Type | OccurrenceKind::Write))
}

/// Whether what an occurrence names is called on an object.
fn is_member(found: &DocOccurrence) -> bool {
    matches!(found.qualifier, Qualifier::Previous | Qualifier::Expression)
}

/// The parameters of a definition: the names that it binds for all of itself.
pub(super) fn own_parameters(doc: &Document, own: u32) -> impl Iterator<Item = &Local> {
    let found = doc.locals_from(own).into_iter();
    found.flat_map(move |(first, locals)| {
        locals.iter().take(MAX_TAKEN).filter(move |local| {
            let declared = doc.occurrences().get(local.declared as usize);
            let is_type = || {
                let said = doc.receiver(local.declared);
                said.is_some_and(|hint| hint.kind == HintKind::TypeParameter)
            };
            local.scope.start <= first
                && !local.scope.is_empty()
                && declared.and_then(DocOccurrence::owner) == Some(own)
                && !is_type()
        })
    })
}

impl Resolver<'_> {
    /// How the language hands functions over, if anything is known of it.
    pub(super) fn handing(&self, doc: &Document) -> Option<&'static Handing> {
        lang::of(doc.lang).naming.handing
    }

    /// What a parameter is that a hint speaks of: of a function that is handed to what the hint names, or a function itself.
    pub(super) fn of_function(
        &self,
        file: FileId,
        doc: &Document,
        hint: TypeHint,
        hops: Hops<'_>,
    ) -> Value {
        match hint.kind {
            _ if is_function(doc, hint) => Value::Unknown,
            HintKind::First => self.taken_from_call(file, doc, hint.occurrence, 0, hops),
            HintKind::Second => self.taken_from_call(file, doc, hint.occurrence, 1, hops),
            _ => Value::Unknown,
        }
    }

    /// What a function takes at a place that is handed to what an occurrence calls.
    fn taken_from_call(
        &self,
        file: FileId,
        doc: &Document,
        called: u32,
        place: usize,
        hops: Hops<'_>,
    ) -> Value {
        let (Some(handing), Some(hops), Some(found)) = (
            self.handing(doc),
            hops.next(),
            doc.occurrences().get(called as usize),
        ) else {
            return Value::Unknown;
        };
        let (object, meaning) = self.handed_to(file, doc, (called, found), hops);
        match meaning {
            Meaning::Symbols(symbols, rule) if is_sure(rule) => {
                self.note_guess(&symbols, rule, hops);
                self.taken_of(
                    file,
                    doc,
                    (called, &symbols, object),
                    Taken::At(place),
                    hops,
                )
            }
            _ if is_member(found) => {
                let name = self.names.bytes(found.name);
                if handing.itself.contains(&name) && place == 0 {
                    return object;
                }
                let each = [handing.each, handing.each_second];
                if !each.get(place).is_some_and(|each| each.contains(&name)) {
                    return Value::Unknown;
                }
                // `all.forEach { key, value -> ... }`
                match (place, object.holds()) {
                    (1, Some((Holder::Map, class))) => Value::Instance(class),
                    _ => self.handed_each(doc, object, hops),
                }
            }
            _ => Value::Unknown,
        }
    }

    /// What a function is called on that is handed to what an occurrence calls.
    pub(super) fn handed_on(
        &self,
        file: FileId,
        doc: &Document,
        called: u32,
        hops: Hops<'_>,
    ) -> On {
        let (Some(handing), Some(hops), Some(found)) = (
            self.handing(doc),
            hops.next(),
            doc.occurrences().get(called as usize),
        ) else {
            return On::Perhaps;
        };
        let (object, meaning) = self.handed_to(file, doc, (called, found), hops);
        match meaning {
            Meaning::Symbols(symbols, rule) if is_sure(rule) => {
                self.note_guess(&symbols, rule, hops);
                let takes = |id: &SymbolId| !self.taken_functions(*id, Taken::On, hops).is_empty();
                if !symbols.iter().take(MAX_TAKEN).any(takes) {
                    return On::Nothing;
                }
                On::Value(self.taken_of(file, doc, (called, &symbols, object), Taken::On, hops))
            }
            _ if is_member(found) && handing.within.contains(&self.names.bytes(found.name)) => {
                On::Value(object)
            }
            _ => On::Perhaps,
        }
    }

    /// What a function is handed to, and on which object that is a member.
    fn handed_to(
        &self,
        file: FileId,
        doc: &Document,
        (called, found): (u32, &DocOccurrence),
        hops: Hops<'_>,
    ) -> (Value, Meaning) {
        if !is_member(found) {
            return (Value::Unknown, self.meaning(file, doc, called, hops));
        }
        let object = self.object_of(file, doc, called, hops);
        let is_extended = lang::of(doc.lang).naming.extensions == Extensions::Named;
        let meaning = match is_extended {
            true => self.on_object(file, doc, called, found, object.clone(), hops),
            false => self.member_of(doc, found, object.clone()),
        };
        (object, meaning)
    }

    /// What the function takes, or is called on, that some definitions take which are called on an object.
    fn taken_of(
        &self,
        file: FileId,
        doc: &Document,
        (called, symbols, object): (u32, &[SymbolId], Value),
        of: Taken,
        hops: Hops<'_>,
    ) -> Value {
        if symbols.iter().any(|id| self.hands_itself(*id, of)) {
            return object;
        }
        let value = self.taken_by(symbols, of, hops);
        let object = Object {
            value: &object,
            member: called,
        };
        match self.put_in(file, doc, value, Some(object), hops) {
            Value::Parameter(_) => Value::Unknown,
            known => known,
        }
    }

    /// What a value hands to a function: what it holds, or what there may be one of. A type that is wrapped once
    /// (`Option[A]`) is noted as what is in it.
    fn handed_each(&self, doc: &Document, object: Value, hops: Hops<'_>) -> Value {
        match self.each(doc, object.clone(), hops) {
            Value::Unknown if let Value::Instance(class) = self.unaliased(object) => {
                match self.members.has_external_base(class) {
                    true => Value::Unknown,
                    false => {
                        hops.note_guess();
                        Value::Instance(class)
                    }
                }
            }
            // Collections that are not told apart from other things from outside hold what is of the repository, too.
            Value::External | Value::Literal => Value::Unknown,
            known => known,
        }
    }

    /// What the function takes that some definitions take, where all agree.
    fn taken_by(&self, symbols: &[SymbolId], of: Taken, hops: Hops<'_>) -> Value {
        let mut known: Option<Value> = None;
        for id in symbols.iter().take(MAX_TAKEN) {
            for value in self.taken_functions(*id, of, hops) {
                match &known {
                    Some(other) if *other != value => return Value::Unknown,
                    _ => known = Some(value),
                }
            }
        }
        known.unwrap_or(Value::Unknown)
    }

    /// Whether an extension hands what it is called on to the function that it takes, of whatever type that is:
    /// `fun <T> T.also(block: (T) -> Unit)`.
    fn hands_itself(&self, id: SymbolId, of: Taken) -> bool {
        let doc = self.docs.get(self.table.file(id));
        let (Some(doc), Some(extended)) = (doc, self.table.symbol(id).receiver) else {
            return false;
        };
        let is_same = |hint: TypeHint| {
            let named = doc.occurrences().get(hint.occurrence as usize);
            let is_extended = named.is_some_and(|named| named.name == extended);
            is_extended && doc.local_at(extended, hint.occurrence).is_some()
        };
        let mut hints = own_parameters(doc, self.table.position(id)).filter_map(|local| local.hint);
        hints.any(|hint| match hint.kind {
            HintKind::First => of == Taken::At(0) && is_same(hint),
            HintKind::WithinType => of == Taken::On && is_same(hint),
            _ => false,
        })
    }

    /// What the functions take, or are called on, that are parameters of a definition.
    fn taken_functions(&self, id: SymbolId, of: Taken, hops: Hops<'_>) -> Vec<Value> {
        use SymbolKind::{Constructor, Function, Method};
        let (file, own) = (self.table.file(id), self.table.position(id));
        let Some(doc) = self.docs.get(file) else {
            return Vec::new();
        };
        let symbol = self.table.symbol(id);
        if !matches!(symbol.kind, Function | Method | Constructor) || self.handing(doc).is_none() {
            return Vec::new();
        }
        let hints = own_parameters(doc, own)
            .filter_map(|local| local.hint.filter(|hint| is_function(doc, *hint)))
            .filter(|hint| (hint.kind == HintKind::WithinType) == (of == Taken::On));
        hints
            .map(|hint| match of {
                Taken::At(place) => self.taken_at(file, doc, hint, place, hops),
                Taken::On => self.taken_at(file, doc, hint, 0, hops),
            })
            .collect()
    }

    /// What a function takes that says what it takes first.
    fn taken_at(
        &self,
        file: FileId,
        doc: &Document,
        hint: TypeHint,
        place: usize,
        hops: Hops<'_>,
    ) -> Value {
        let named = doc.occurrences().get(hint.occurrence as usize);
        if named.is_none_or(|named| named.kind == OccurrenceKind::Write) {
            return Value::Unknown;
        }
        if place == 0 {
            let value = self.instance_of(file, doc, hint.occurrence, hops);
            return match (hint.kind, value) {
                (HintKind::FirstElement, Value::Instance(class)) => Value::Elements(class),
                (HintKind::FirstElement, _) => Value::Unknown,
                (_, value) => value,
            };
        }
        let second = hint.occurrence + 1;
        let uses = doc.occurrences();
        let names = (
            uses.get(hint.occurrence as usize),
            uses.get(second as usize),
        );
        let (Some(before), Some(next)) = names else {
            return Value::Unknown;
        };
        let end = before.col + self.names.bytes(before.name).len() as u32;
        let is_next = (next.line, next.col) == (before.line, end + 2)
            && next.kind == OccurrenceKind::Type
            && next.qualifier == Qualifier::None;
        match is_next && place == 1 {
            true => self.instance_of(file, doc, second, hops),
            false => Value::Unknown,
        }
    }

    /// The value of which the name of an argument is a member where a copy of it is made, by no method of its own:
    /// `account.copy(owner = other)`.
    pub(super) fn copied(
        &self,
        file: FileId,
        doc: &Document,
        called: u32,
        hops: Hops<'_>,
    ) -> Value {
        let (Some(hops), Some(found)) = (hops.next(), doc.occurrences().get(called as usize))
        else {
            return Value::Never;
        };
        let object = match found.qualifier {
            Qualifier::None => return Value::Never,
            Qualifier::This => match self.this_type(file, doc, found.owner()) {
                Some(class) => Value::Instance(class),
                None => return Value::Never,
            },
            _ => self.object_of(file, doc, called, hops),
        };
        match self.member_of(doc, found, object.clone()) {
            Meaning::Symbols(..) | Meaning::Candidates(..) => Value::Never,
            _ if object.class().is_some() => object,
            _ => Value::Never,
        }
    }

    /// Whether values are called by a method.
    pub(super) fn is_applied(doc: &Document) -> bool {
        !lang::of(doc.lang).naming.applied.is_empty()
    }

    /// What calling an instance of a type gives, in a language where that is a method of a name.
    pub(super) fn applied(&self, doc: &Document, class: SymbolId) -> Value {
        let name = lang::of(doc.lang).naming.applied;
        let Some(name) = self.names.find(name).filter(|_| !name.is_empty()) else {
            return Value::Unknown;
        };
        let (methods, _) = self.members_used(class, name, OccurrenceKind::Call);
        let results = methods.iter().take(MAX_TAKEN);
        let mut known = results.filter_map(|id| match self.values.of(*id)? {
            Value::Unknown | Value::Parameter(_) => None,
            known => Some(known.clone()),
        });
        known.next().unwrap_or(Value::Unknown)
    }

    /// What a call gives of what takes nothing, where a name is handed to it: what it gives is called
    /// (`def csv: Parser`, `csv(input)`).
    pub(super) fn or_applied(&self, doc: &Document, at: u32, id: SymbolId, result: Value) -> Value {
        use SymbolKind::{Constant, Field, Function, Method, Variable};
        if !Self::is_applied(doc) {
            return result;
        }
        let held = match self.table.symbol(id).kind {
            Field | Constant | Variable => self.values.of(id).cloned(),
            Method | Function if self.is_handed_name(doc, at) && !self.takes_any(id) => {
                Some(result.clone())
            }
            _ => None,
        };
        match held.and_then(|held| held.class()) {
            Some(class) => match self.applied(doc, class) {
                Value::Unknown => result,
                known => known,
            },
            None => result,
        }
    }

    /// What callers see of a definition beside its value: what the functions take that it takes, how many arguments it
    /// takes where that decides what is called, and what calling its value gives.
    pub(super) fn functions_seen(&self, id: SymbolId) -> Vec<Value> {
        let search = Search::new();
        let hops = Hops::new(&search);
        let is_applied = !lang::of(self.table.lang(id)).naming.applied.is_empty();
        let mut seen = self.taken_functions(id, Taken::At(0), hops);
        if lang::of(self.table.lang(id)).naming.overloads {
            seen.extend(self.takes_seen(id));
        }
        if is_applied && let Some(doc) = self.docs.get(self.table.file(id)) {
            let class = match self.values.of(id) {
                Some(Value::Instance(class) | Value::Elements(class) | Value::Held(_, class)) => {
                    Some(*class)
                }
                Some(Value::Generic(generic)) => Some(generic.of),
                _ if semantics::is_type(self.table.symbol(id).kind) => {
                    Some(self.members.canonical(id))
                }
                _ => None,
            };
            seen.extend(class.map(|class| self.applied(doc, class)));
        }
        if !seen.is_empty() {
            seen.extend(self.taken_functions(id, Taken::At(1), hops));
        }
        let on = self.taken_functions(id, Taken::On, hops);
        let itself = [Taken::At(0), Taken::On].map(|of| self.hands_itself(id, of));
        if !on.is_empty() || itself.contains(&true) {
            let itself = itself.map(|hands| match hands {
                true => Value::Never,
                false => Value::Literal,
            });
            seen.extend(itself);
            seen.extend(on);
        }
        seen
    }
}
