//! Functions of which a decorator makes an object (Python): `@click.group() def cli(): ..` is a `Group` from then on, and
//! `cli.command` a method of that.
//!
//! Guarantee: only what the decorator says it gives counts, an object of a class of the repository; whatever else decorates
//! a function leaves it what it is. Deliberately absent: all decorators but the first, and classes that are decorated.

use super::documents::Document;
use super::hops::Hops;
use super::resolve::{Meaning, Resolver};
use super::table::SymbolId;
use super::value::Value;
use super::values::is_sure;
use crate::extract::record::{HintKind, Qualifier, SymbolFlags, TypeHint};
use crate::view::live::FileId;
use std::sync::Arc;

/// What a class has whose objects are asked for a value where they are read.
const DESCRIPTOR: &[u8] = b"__get__";

/// What a decorator makes.
enum Making {
    Object(Value),
    /// What it had before, as far as anybody knows.
    Itself,
    /// What it gives may come to light.
    Open,
}

impl Resolver<'_> {
    /// What a decorated function is: the object that the decorator makes of it, else what is said of it.
    pub(super) fn decorated(
        &self,
        file: FileId,
        doc: &Document,
        hint: TypeHint,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Value {
        let (making, is_guess) = hops.watch(|| self.making(file, doc, hint, hops));
        match making {
            Making::Object(object) => {
                if is_guess {
                    hops.note_guess();
                }
                Value::Made(Arc::new(object))
            }
            Making::Open if self.values.may_come() => Value::Unknown,
            Making::Open | Making::Itself => match doc.receiver(hint.occurrence) {
                Some(said) => self.follow(file, doc, said, owner, hops),
                None => Value::Unknown,
            },
        }
    }

    fn making(&self, file: FileId, doc: &Document, hint: TypeHint, hops: Hops<'_>) -> Making {
        let at = hint.occurrence;
        let found = doc.occurrences().get(at as usize);
        let object = match found.map(|found| found.qualifier) {
            Some(Qualifier::Previous) => self.object_of(file, doc, at, hops),
            _ => Value::External,
        };
        let symbols = match self.meaning(file, doc, at, hops) {
            Meaning::Symbols(symbols, rule) if is_sure(rule) => {
                self.note_guess(&symbols, rule, hops);
                symbols
            }
            _ if object == Value::Unknown => return Making::Open,
            _ => return Making::Itself,
        };
        // Of several ways to call a decorator those count that the function is handed to.
        let is_called = hint.kind == HintKind::DecoratedByResult;
        let mut made: Option<Value> = None;
        let mut is_open = false;
        for id in symbols {
            let given = match (self.result_on(id, &object), is_called) {
                (Value::Callback(decorator), true) => decorator.gives.clone(),
                (Value::Unknown, _) => {
                    is_open |= self.may_give(id);
                    continue;
                }
                (given, false) => given,
                _ => continue,
            };
            match (&made, given.class()) {
                (_, None) => {}
                (Some(other), of) if other.class() != of => return Making::Itself,
                _ => made = Some(given),
            }
        }
        match made {
            _ if is_open => Making::Open,
            Some(object)
                if !object
                    .class()
                    .is_some_and(|class| self.is_descriptor(class)) =>
            {
                Making::Object(object)
            }
            _ => Making::Itself,
        }
    }

    /// Whether a decorator may make something else of a function.
    pub(super) fn is_remade(&self, id: SymbolId) -> bool {
        let symbol = self.table.symbol(id);
        symbol.flags.contains(SymbolFlags::DECORATED)
            && self.docs.get(self.table.file(id)).is_some_and(|doc| {
                let hint = doc.told(self.table.position(id));
                hint.is_some_and(|hint| hint.kind.is_of_decorator())
            })
    }

    /// Whether something is said of what a definition gives.
    fn may_give(&self, id: SymbolId) -> bool {
        let doc = self.docs.get(self.table.file(id));
        doc.is_some_and(|doc| doc.value(self.table.position(id)).is_some())
    }

    /// Whether reading an object of a class gives something else.
    pub(super) fn is_descriptor(&self, class: SymbolId) -> bool {
        let name = self.names.find(DESCRIPTOR);
        name.is_some_and(|name| !self.members_named(class, name).0.is_empty())
    }
}
