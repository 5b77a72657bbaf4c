//! What a value is, as far as its members go: enough to know which `name` is meant by `x.name`.
//!
//! Values of symbols are found in rounds, each from what the round before knew, so the result does
//! not depend on the order of symbols or on threads, and circles end.

use super::documents::Document;
use super::modules::{Place, Resolution, Site};
use super::parallel;
use super::resolve::{MAX_HOPS, Meaning, Resolver};
use super::rule::Rule;
use super::semantics;
use super::table::SymbolId;
use crate::extract::record::{Flow, Grammar, Hint, ImportKind, Qualifier, SymbolKind};
use crate::view::live::FileId;
use rustc_hash::FxHashMap;

/// Rounds in which values of symbols are found: the longest chain of symbols, each known only from
/// the one before. A longer chain stays unknown; the rounds end
/// sooner when one finds nothing.
const ROUNDS: usize = 5;

/// What a value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// An instance of a type.
    Instance(SymbolId),
    /// A collection of instances of a type.
    Elements(SymbolId),
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
    /// Not known.
    Unknown,
}

/// The values of symbols: of fields, variables and constants; what functions return.
#[derive(Default)]
pub struct Values {
    known: FxHashMap<SymbolId, Value>,
}

impl Values {
    /// The value of a symbol, or what it returns.
    pub fn of(&self, id: SymbolId) -> Option<&Value> {
        self.known.get(&id)
    }
}

impl Resolver<'_> {
    /// Finds the values of all symbols.
    pub(super) fn collect_values(&mut self, threads: usize) {
        let mut open: Vec<(FileId, u32, Hint)> = Vec::new();
        for (file, doc) in self.docs.iter() {
            let values = doc.flows.values.iter();
            let symbols = doc.symbols.len();
            open.extend(
                values
                    .filter(|(symbol, _)| (*symbol as usize) < symbols)
                    .map(|(symbol, hint)| (file, *symbol, *hint)),
            );
        }
        for _ in 0..ROUNDS {
            let found = parallel::map(&open, threads, |(file, symbol, hint)| {
                let doc = self.docs.get(*file);
                let doc = doc.expect("only files with a document have values");
                self.follow(*file, doc, *hint, Some(*symbol), MAX_HOPS)
            });
            let (mut rest, mut bases) = (Vec::new(), Vec::new());
            let before = open.len();
            for (entry, value) in open.into_iter().zip(found) {
                match value {
                    Value::Unknown => rest.push(entry),
                    value => {
                        let id = self.table.id(entry.0, entry.1);
                        let alias = self.table.symbol(id).kind == SymbolKind::Type;
                        match value {
                            // `type A = B & { .. }`: of B, with members of its own.
                            Value::Instance(base) if alias && self.members.has_any(id) => {
                                bases.push((id, Some(base)));
                            }
                            value => {
                                self.values.known.insert(id, value);
                            }
                        }
                    }
                }
            }
            self.members.add_bases(bases);
            open = rest;
            if open.len() == before {
                break;
            }
        }
    }

    /// The value that an occurrence names.
    pub(super) fn value_of(&self, file: FileId, doc: &Document, at: u32, hops: u32) -> Value {
        let Some(hops) = hops.checked_sub(1) else {
            return Value::Unknown;
        };
        match self.meaning(file, doc, at, hops) {
            Meaning::Local(local) => {
                let local = doc.flows.locals.get(local as usize);
                let taken = local.filter(|local| doc.receiver(local.declared).is_some());
                if let Some(local) = taken.filter(|local| local.declared != at) {
                    return self.value_of(file, doc, local.declared, hops);
                }
                match local.and_then(|local| Some((local.hint?, local.declared))) {
                    Some((hint, declared)) => {
                        let owner = doc.occurrences.get(declared as usize);
                        let owner = owner.and_then(|declared| declared.owner());
                        self.follow(file, doc, hint, owner, hops)
                    }
                    None => Value::Unknown,
                }
            }
            Meaning::Symbols(symbols, rule) if is_sure(rule) => self.value_of_symbols(&symbols),
            Meaning::Unknown => self.crate_named(file, doc, at),
            Meaning::Symbols(..) | Meaning::Candidates(..) => Value::Unknown,
            Meaning::Module(place, _) => Value::Module(place),
            Meaning::External => Value::External,
        }
    }

    /// In Rust a path may begin with the name of a crate that nothing imports.
    fn crate_named(&self, file: FileId, doc: &Document, at: u32) -> Value {
        let Some(found) = doc.occurrences.get(at as usize) else {
            return Value::Unknown;
        };
        if doc.lang != Grammar::Rust || found.qualifier != Qualifier::None {
            return Value::Unknown;
        }
        let site = Site {
            kind: ImportKind::Import,
            line: found.line,
        };
        let name = self.names.bytes(found.name);
        match self.modules.resolve(self.view, file, site, name) {
            Resolution::Found(place) => Value::Module(place),
            Resolution::External => Value::External,
            Resolution::Unresolved => Value::Unknown,
        }
    }

    fn value_of_symbols(&self, symbols: &[SymbolId]) -> Value {
        let values = symbols.iter().map(|id| self.value_of_symbol(*id));
        let mut known = values.filter(|value| *value != Value::Unknown);
        known.next().unwrap_or(Value::Unknown)
    }

    fn value_of_symbol(&self, id: SymbolId) -> Value {
        let symbol = self.table.symbol(id);
        match symbol.kind {
            SymbolKind::Type => match self.values.of(id) {
                Some(Value::Instance(class)) => Value::Type(*class),
                _ => Value::Type(self.members.canonical(id)),
            },
            kind if semantics::is_type(kind) => Value::Type(self.members.canonical(id)),
            SymbolKind::Variant => match self.table.container(id) {
                Some(container) => Value::Instance(self.members.canonical(container)),
                None => Value::Unknown,
            },
            SymbolKind::Function | SymbolKind::Method => Value::Function(id),
            _ => match self.values.of(id) {
                Some(Value::Literal | Value::Unknown) | None if self.members.has_any(id) => {
                    Value::Type(id)
                }
                Some(value) => value.clone(),
                None => Value::Unknown,
            },
        }
    }

    /// What calling what an occurrence names gives.
    fn result_of(&self, file: FileId, doc: &Document, at: u32, hops: u32) -> Value {
        let Some(hops) = hops.checked_sub(1) else {
            return Value::Unknown;
        };
        match self.meaning(file, doc, at, hops) {
            Meaning::Symbols(symbols, rule) if is_sure(rule) => {
                let results = symbols.iter().map(|id| self.result_of_symbol(*id));
                let mut known = results.filter(|value| *value != Value::Unknown);
                known.next().unwrap_or(Value::Unknown)
            }
            Meaning::Local(_) => match self.value_of(file, doc, at, hops) {
                Value::Type(class) => Value::Instance(class),
                Value::Function(function) => self.result_of_symbol(function),
                Value::External => Value::External,
                _ => Value::Unknown,
            },
            Meaning::External => Value::External,
            // A module that is called is what it gives out by default, which nothing says.
            _ => Value::Unknown,
        }
    }

    fn result_of_symbol(&self, id: SymbolId) -> Value {
        let symbol = self.table.symbol(id);
        match symbol.kind {
            SymbolKind::Function | SymbolKind::Method => {
                self.values.of(id).cloned().unwrap_or(Value::Unknown)
            }
            SymbolKind::Constructor => match self.table.container(id) {
                Some(class) => Value::Instance(self.members.canonical(class)),
                None => Value::Unknown,
            },
            _ => match self.value_of_symbol(id) {
                Value::Type(class) if class != id || semantics::is_type(symbol.kind) => {
                    Value::Instance(class)
                }
                Value::Function(function) if function != id => {
                    self.values.of(function).cloned().unwrap_or(Value::Unknown)
                }
                Value::Instance(class) if symbol.kind == SymbolKind::Variant => {
                    Value::Instance(class)
                }
                Value::External => Value::External,
                _ => Value::Unknown,
            },
        }
    }

    /// What a hint of a document comes to. `owner` is the symbol that the hint is about or lies in.
    pub(super) fn follow(
        &self,
        file: FileId,
        doc: &Document,
        hint: Hint,
        owner: Option<u32>,
        hops: u32,
    ) -> Value {
        let Some(hops) = hops.checked_sub(1) else {
            return Value::Unknown;
        };
        let at = hint.occurrence;
        match hint.flow {
            Flow::Literal => Value::Literal,
            Flow::This => match self.this_type(file, doc, owner) {
                Some(class) => Value::Instance(class),
                None => Value::Unknown,
            },
            Flow::Super => match self.this_type(file, doc, owner) {
                Some(class) => match self.members.bases(class).first() {
                    Some(base) => Value::Instance(*base),
                    None => Value::Unknown,
                },
                None => Value::Unknown,
            },
            Flow::Type => self.instance_of(file, doc, at, hops),
            Flow::Elements => match self.instance_of(file, doc, at, hops) {
                Value::Instance(class) => Value::Elements(class),
                Value::External | Value::Literal => Value::Literal,
                _ => Value::Unknown,
            },
            Flow::Result => self.result_of(file, doc, at, hops),
            Flow::Value => self.value_of(file, doc, at, hops),
            Flow::Element => element(self.value_of(file, doc, at, hops)),
            Flow::ResultElement => element(self.result_of(file, doc, at, hops)),
        }
    }

    /// An instance of the type that an occurrence names.
    fn instance_of(&self, file: FileId, doc: &Document, at: u32, hops: u32) -> Value {
        let Some(hops) = hops.checked_sub(1) else {
            return Value::Unknown;
        };
        let at = self.past_wrappers(doc, at);
        match self.meaning(file, doc, at, hops) {
            Meaning::Symbols(symbols, rule) if is_sure(rule) => {
                let kind = |id: &SymbolId| self.table.symbol(*id).kind;
                let mut types = symbols.iter().filter(|id| semantics::is_type(kind(id)));
                let first = types.clone().next();
                // `typedef struct a a;` stands beside the struct, which has the members.
                let Some(id) = types.find(|id| kind(id) != SymbolKind::Type).or(first) else {
                    return match symbols.first() {
                        Some(id) if self.members.has_any(*id) => Value::Instance(*id),
                        _ => Value::Unknown,
                    };
                };
                let alias = self.table.symbol(*id).kind == SymbolKind::Type;
                match self.values.of(*id).filter(|_| alias) {
                    Some(value) => value.clone(),
                    None => Value::Instance(self.members.canonical(*id)),
                }
            }
            Meaning::External => Value::External,
            // A type parameter stands for the type that bounds it.
            Meaning::Local(local) => {
                let hint = doc.flows.locals.get(local as usize).and_then(|l| l.hint);
                match hint.filter(|hint| hint.flow == Flow::Type && hint.occurrence != at) {
                    Some(hint) => self.instance_of(file, doc, hint.occurrence, hops),
                    None => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }
}

fn element(value: Value) -> Value {
    match value {
        Value::Elements(class) => Value::Instance(class),
        Value::External => Value::External,
        _ => Value::Unknown,
    }
}

/// Whether what a rule found can be built on.
fn is_sure(rule: Rule) -> bool {
    !matches!(rule, Rule::Ambiguous | Rule::Mention)
}
