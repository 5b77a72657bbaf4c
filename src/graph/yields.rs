//! Calls in a language whose names are calls (Ruby), and what a block is given that is handed to one: the first value that
//! the method yields (`open { |file| .. }`).
//!
//! Guarantee: only what a method yields itself counts. Deliberately absent: blocks that are passed on or called by name.

use super::documents::Document;
use super::hops::{Hops, Search};
use super::resolve::{Meaning, Resolver};
use super::semantics;
use super::table::SymbolId;
use super::value::Value;
use super::values::is_sure;
use crate::extract::record::{HintKind, OccurrenceKind, Qualifier, SymbolKind};
use crate::lang;
use crate::view::live::FileId;

/// Methods that may be called in one place that are looked at.
const MAX_CALLED: usize = 64;

/// Values that one method may yield of which it is known what it yields.
const MAX_YIELDS: usize = 16;

impl Resolver<'_> {
    /// What the block of a call of what an occurrence names is given.
    pub(super) fn yielded(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Value {
        let naming = &lang::of(doc.lang).naming;
        let (Some(hops), Some(found)) = (hops.next(), doc.occurrences().get(at as usize)) else {
            return Value::Unknown;
        };
        if !naming.names_are_calls {
            return Value::Unknown;
        }
        let called = match self.meaning(file, doc, at, hops) {
            Meaning::Symbols(called, rule) if is_sure(rule) => {
                self.note_guess(&called, rule, hops);
                called
            }
            // What makes an object hands the block to its constructor.
            _ if self.names.bytes(found.name) == b"new"
                && found.qualifier == Qualifier::Previous =>
            {
                let made = at
                    .checked_sub(1)
                    .and_then(|before| doc.occurrences().get(before as usize));
                match self.object_of(file, doc, at, hops) {
                    // Who does not name the class would not see that its constructor is another.
                    Value::Type(class)
                        if made.is_some_and(|made| made.name == self.table.symbol(class).name) =>
                    {
                        self.makers(class)
                    }
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        };
        let called = called.iter().take(MAX_CALLED);
        Value::several(called.map(|id| self.yielded_by(*id, hops)).collect())
    }

    /// What yields to the blocks of those who make a type.
    fn makers(&self, class: SymbolId) -> Vec<SymbolId> {
        let name = self.names.find(b"initialize");
        let own = name.map(|name| {
            self.members
                .direct(self.members.canonical(class), name)
                .collect()
        });
        own.unwrap_or_default()
    }

    /// What blocks are given that are handed to a method, or to what makes a type.
    pub(super) fn seen_yielded(&self, id: SymbolId) -> Value {
        let called = match semantics::is_type(self.table.symbol(id).kind) {
            true => self.makers(id),
            false => vec![id],
        };
        let search = Search::new();
        let called = called.iter().take(MAX_CALLED);
        Value::several(
            called
                .map(|id| self.yielded_by(*id, Hops::new(&search)))
                .collect(),
        )
    }

    /// What a method yields, when that is known of all that it yields.
    pub(super) fn yielded_by(&self, id: SymbolId, hops: Hops<'_>) -> Value {
        let (file, own) = (self.table.file(id), self.table.position(id));
        let (Some(doc), Some(name)) = (self.docs.get(file), self.names.find(b"yield")) else {
            return Value::Unknown;
        };
        let uses = doc.occurrences();
        let Some(symbol) = doc.symbols.get(own as usize) else {
            return Value::Unknown;
        };
        let first = uses.partition_point(|found| (found.line, found.col) < symbol.start) as u32;
        let receivers = &doc.hints().receivers;
        let from = receivers.partition_point(|(at, _)| *at < first);
        let inside = receivers[from..].iter().map_while(|(at, hint)| {
            let found = uses.get(*at as usize)?;
            ((found.line, found.col) < symbol.end).then_some((found, hint))
        });
        let yields = inside.filter(|(found, _)| found.name == name && found.owner() == Some(own));
        let mut values = Vec::new();
        for (_, hint) in yields {
            if values.len() == MAX_YIELDS || hint.kind == HintKind::Never {
                return Value::Unknown;
            }
            match self.follow(file, doc, *hint, Some(own), hops) {
                Value::Unknown => return Value::Unknown,
                known => values.push(known),
            }
        }
        Value::several(values)
    }

    /// What a type gives in brackets: `Response[200, {}, []]`. That is what its methods say, if they do, else one of its
    /// own: a guess.
    pub(super) fn made_by_index(&self, class: SymbolId, hops: Hops<'_>) -> Value {
        let known = self.index_methods(class);
        let known = known.filter_map(|id| self.values.of(id).cloned());
        let mut known = known.filter(|value| *value != Value::Unknown);
        known.next().unwrap_or_else(|| {
            hops.note_guess();
            Value::Instance(class)
        })
    }

    /// The methods of a type that say what it gives in brackets.
    fn index_methods(&self, class: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        let name = self.names.find(b"[]");
        let methods = name.map(|name| self.members.direct(class, name).take(MAX_YIELDS));
        methods.into_iter().flatten()
    }

    /// What a type gives in brackets, as far as its methods say, each with when that came to light. Who writes `Type[1]`
    /// does not name the method.
    pub(super) fn seen_in_brackets(&self, id: SymbolId) -> Vec<(u64, Value)> {
        let is_asked = semantics::is_type(self.table.symbol(id).kind)
            && lang::of(self.table.lang(id)).naming.names_are_calls;
        if !is_asked {
            return Vec::new();
        }
        let methods = self.index_methods(self.members.canonical(id));
        let said =
            methods.filter_map(|id| Some((self.values.stamp(id), self.values.of(id)?.clone())));
        said.filter(|(_, value)| *value != Value::Unknown).collect()
    }

    /// Whether an occurrence is a member that is called by being named; constants are not.
    pub(super) fn is_call_of_member(&self, doc: &Document, at: u32) -> bool {
        let Some(found) = doc.occurrences().get(at as usize) else {
            return false;
        };
        let first = self.names.bytes(found.name).first();
        found.kind == OccurrenceKind::Call
            && found.qualifier != Qualifier::None
            && lang::of(doc.lang).naming.names_are_calls
            && !first.is_some_and(u8::is_ascii_uppercase)
    }

    /// Whether a symbol is a field where fields are methods.
    pub(super) fn is_method_too(&self, id: SymbolId) -> bool {
        self.table.symbol(id).kind == SymbolKind::Field
            && lang::of(self.table.lang(id)).naming.names_are_calls
    }
}
