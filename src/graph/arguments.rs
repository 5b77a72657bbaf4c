//! What an argument may be: the parameters of what is called, where the argument's name or place tells which it is.
//!
//! Parameters are not recorded as such: they are the local names whose scope is all of a function, and what stands before
//! one is the name that callers use. Guarantees: where several functions may be called, those count that take all names
//! of the call; what is not known of any stays unknown. Deliberately absent: types of arguments.

use super::documents::{DocOccurrence, Document};
use super::hops::{Hops, Search};
use super::names::Name;
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::semantics;
use super::table::SymbolId;
use super::value::Value;
use super::values::is_sure;
use crate::extract::record::{HintKind, OccurrenceKind, Qualifier, SymbolKind, TypeHint};
use crate::lang::{self, naming::Labels};
use crate::view::live::FileId;

/// Parameters of one function, and names of one call, that are looked at.
const MAX_PARAMETERS: usize = 64;

/// Uses behind the name of what is called among which the names of its arguments are looked for.
const MAX_CALL: u32 = 512;

/// Definitions that may be called in one place.
const MAX_CALLED: usize = 64;

/// A parameter of a function.
struct Taken {
    /// What callers name it by.
    label: Option<Name>,
    hint: Option<TypeHint>,
    /// Whether callers may leave it out.
    preset: bool,
}

/// Which argument of a call.
#[derive(Clone, Copy)]
pub(super) enum Argument {
    Named(Name),
    /// Among those without a name.
    At(usize),
}

/// What is called.
enum Called {
    /// A type: one of its constructors.
    Class(SymbolId),
    /// One of these.
    Functions(Vec<SymbolId>),
    /// A member of a collection of such things.
    OfElements(SymbolId),
    /// One of several, some of which may be types.
    Ambiguous,
    Unknown,
}

impl Resolver<'_> {
    /// The words of the language for arguments with names, if these tell parameters.
    fn labels_of(&self, doc: &Document) -> Option<&'static Labels> {
        lang::of(doc.lang).naming.labels
    }

    /// The parameters of a function of a document.
    fn taken(&self, doc: &Document, function: u32) -> Vec<Taken> {
        let uses = doc.occurrences();
        let Some((first, locals)) = doc.locals_from(function) else {
            return Vec::new();
        };
        let own = locals.iter().take(MAX_PARAMETERS).filter(|local| {
            let declared = uses.get(local.declared as usize);
            local.scope.start == first
                && declared.is_some_and(|declared| {
                    declared.owner() == Some(function) && declared.kind == OccurrenceKind::Write
                })
        });
        own.map(|local| {
            let before = local.declared.checked_sub(1);
            let named = &uses[local.declared as usize];
            let label = before.and_then(|at| {
                let label = uses.get(at as usize)?;
                let end = label.col + self.names.bytes(label.name).len() as u32;
                let is_label = label.kind == OccurrenceKind::Write
                    && (label.line, end + 1) == (named.line, named.col)
                    && doc.local_bound_at(at).is_none();
                is_label.then_some(label.name)
            });
            let label = label.unwrap_or(named.name);
            Taken {
                label: (self.names.bytes(label) != b"_").then_some(label),
                hint: local.hint,
                preset: doc
                    .receiver(local.declared)
                    .is_some_and(|hint| hint.kind == HintKind::Preset),
            }
        })
        .collect()
    }

    /// The names of the arguments of a call.
    fn labels(&self, doc: &Document, called: u32) -> Vec<Name> {
        let receivers = &doc.hints().receivers;
        let from = receivers.partition_point(|(at, _)| *at <= called);
        let of_call = receivers[from..]
            .iter()
            .take_while(|(at, _)| at - called < MAX_CALL)
            .filter(|(_, hint)| hint.kind == HintKind::Named && hint.occurrence == called);
        let uses = doc.occurrences();
        let names = of_call.filter_map(|(at, _)| Some(uses.get(*at as usize)?.name));
        names.take(MAX_PARAMETERS).collect()
    }

    /// Whether a definition takes arguments of these names, and no others that have to be given, as far as it says what it
    /// takes. The last may be a closure behind the call.
    fn takes(&self, id: SymbolId, labels: &[Name]) -> bool {
        use SymbolKind::{Constructor, Function, Method};
        if !matches!(self.table.symbol(id).kind, Function | Method | Constructor) {
            return true;
        }
        let doc = self.docs.get(self.table.file(id));
        let taken = doc.map(|doc| self.taken(doc, self.table.position(id)));
        let taken = taken.unwrap_or_default();
        let has = |name: &Name| taken.iter().any(|one| one.label == Some(*name));
        let may_lack =
            |one: &Taken| one.preset || one.label.is_none_or(|one| labels.contains(&one));
        let before_last = &taken[..taken.len().saturating_sub(1)];
        labels.iter().all(has) && before_last.iter().all(may_lack)
    }

    /// Of what a call may mean that which takes the names of its arguments. Where no member of a type does, a base of it
    /// may have one that does: `of` is the type of the object.
    pub(super) fn by_labels(
        &self,
        doc: &Document,
        at: u32,
        (found, of): (&DocOccurrence, Option<SymbolId>),
        meaning: Meaning,
    ) -> Meaning {
        if found.kind != OccurrenceKind::Call || self.labels_of(doc).is_none() {
            return meaning;
        }
        let labels = self.labels(doc, at);
        let fits = |id: &SymbolId| self.takes(*id, &labels);
        match meaning {
            Meaning::Symbols(symbols, rule) if symbols.iter().any(fits) => {
                Meaning::Symbols(symbols.into_iter().filter(fits).collect(), rule)
            }
            Meaning::Symbols(_, Rule::Unique) => Meaning::Unknown,
            Meaning::Symbols(symbols, rule) => {
                let class = of.or_else(|| self.table.container(*symbols.first()?));
                let class = class.map(|class| self.members.canonical(class));
                let levels = class.into_iter().flat_map(|of| self.members.with_bases(of));
                for level in levels {
                    let named = self.members.direct(level, found.name);
                    let fitting: Vec<SymbolId> = named.filter(fits).collect();
                    if !fitting.is_empty() {
                        let rule = rule.or_inherited(Some(level) != class);
                        return Meaning::Symbols(fitting, rule);
                    }
                }
                Meaning::Symbols(symbols, rule)
            }
            Meaning::Candidates(all, Rule::Ambiguous) if all.len() <= MAX_CALLED => {
                let fitting: Vec<SymbolId> = all.iter().copied().filter(fits).collect();
                match fitting.len() {
                    0 => Meaning::Unknown,
                    same if same == all.len() => Meaning::Candidates(all, Rule::Ambiguous),
                    _ => {
                        let rule = match self.is_only(doc, found, &fitting) {
                            true => Rule::Unique,
                            false => Rule::Ambiguous,
                        };
                        Meaning::Symbols(fitting, rule)
                    }
                }
            }
            other => other,
        }
    }

    /// The constructors of a type, those of its bases behind its own.
    fn constructors(&self, labels: &Labels, class: SymbolId) -> Vec<SymbolId> {
        let Some(name) = self.names.find(labels.constructor) else {
            return Vec::new();
        };
        let class = self.members.canonical(class);
        let all = self.members.with_bases(class);
        let named = all.flat_map(|of| self.members.direct(of, name));
        let is_one = |id: &SymbolId| self.table.symbol(*id).kind == SymbolKind::Constructor;
        named.filter(is_one).take(MAX_CALLED).collect()
    }

    /// What an occurrence that is called means.
    fn called(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Called {
        let (Some(labels), Some(found)) = (self.labels_of(doc), doc.occurrences().get(at as usize))
        else {
            return Called::Unknown;
        };
        let class_of = |value: Value| match self.unaliased(value) {
            Value::Instance(class) | Value::Type(class) => Called::Class(class),
            _ => Called::Unknown,
        };
        let is_member = found.qualifier != Qualifier::None;
        if is_member && self.names.bytes(found.name) == labels.constructor {
            if found.qualifier != Qualifier::This {
                return class_of(self.object_of(file, doc, at, hops));
            }
            let class = self.this_type(file, doc, found.owner());
            let hint = doc.receiver(at);
            let of_base = hint.is_some_and(|hint| hint.kind == HintKind::Super);
            let class = class.and_then(|class| match of_base {
                true => self.members.bases(class).first().copied(),
                false => Some(class),
            });
            return class.map_or(Called::Unknown, Called::Class);
        }
        match self.meaning(file, doc, at, hops) {
            Meaning::Symbols(symbols, rule) if is_sure(rule) => {
                self.note_guess(&symbols, rule, hops);
                let is_type = |id: &&SymbolId| semantics::is_type(self.table.symbol(**id).kind);
                match symbols.iter().find(is_type) {
                    Some(class) => class_of(self.value_of_symbol(*class)),
                    None => Called::Functions(symbols),
                }
            }
            Meaning::Symbols(..) | Meaning::Candidates(..) => Called::Ambiguous,
            Meaning::External | Meaning::Unknown if is_member => {
                match self.unaliased(self.object_of(file, doc, at, hops)) {
                    Value::Elements(class) => Called::OfElements(class),
                    _ => Called::Unknown,
                }
            }
            _ => Called::Unknown,
        }
    }

    /// What an argument of a call of what an occurrence names may be.
    pub(super) fn argument(
        &self,
        file: FileId,
        doc: &Document,
        called: u32,
        which: Argument,
        hops: Hops<'_>,
    ) -> Value {
        let (Some(hops), Some(words)) = (hops.next(), self.labels_of(doc)) else {
            return match which {
                Argument::At(place) if Self::has_typed_callbacks(doc) => {
                    self.typed_argument(file, doc, (called, place), hops)
                }
                Argument::At(0) => self.yielded(file, doc, called, hops),
                _ => Value::Unknown,
            };
        };
        let functions = match self.called(file, doc, called, hops) {
            Called::Class(class) => {
                let constructors = self.constructors(words, class);
                let of = self.of_functions(&constructors, (doc, called), which, hops);
                return match (of, which) {
                    (None, Argument::Named(name)) => self.of_field(class, name),
                    (of, _) => of.unwrap_or(Value::Unknown),
                };
            }
            Called::OfElements(class) => {
                return match which {
                    Argument::At(_) => Value::Instance(class),
                    Argument::Named(_) => Value::Unknown,
                };
            }
            Called::Functions(functions) => functions,
            Called::Ambiguous | Called::Unknown => return Value::Unknown,
        };
        let of = self.of_functions(&functions, (doc, called), which, hops);
        of.unwrap_or(Value::Unknown)
    }

    /// What some functions say of an argument of a call; `None` when none of them takes it.
    fn of_functions(
        &self,
        all: &[SymbolId],
        (doc, called): (&Document, u32),
        which: Argument,
        hops: Hops<'_>,
    ) -> Option<Value> {
        let labels = self.labels(doc, called);
        let mut found: Vec<(bool, Value)> = Vec::new();
        for id in all.iter().take(MAX_CALLED) {
            let (file, own) = (self.table.file(*id), self.table.position(*id));
            let Some(doc) = self.docs.get(file) else {
                continue;
            };
            let taken = self.taken(doc, own);
            let parameter = match which {
                Argument::Named(name) => taken.iter().find(|one| one.label == Some(name)),
                // The last may be a rest.
                Argument::At(place) => {
                    let mut bare = taken.iter().filter(|one| one.label.is_none());
                    bare.clone().nth(place).or_else(|| bare.next_back())
                }
            };
            let Some(parameter) = parameter else {
                continue;
            };
            let value = match parameter.hint {
                Some(hint) => self.follow(file, doc, hint, Some(own), hops),
                None => Value::Unknown,
            };
            found.push((self.takes(*id, &labels), value));
        }
        if found.iter().any(|(takes_all, _)| *takes_all) {
            found.retain(|(takes_all, _)| *takes_all);
        }
        let values: Vec<Value> = found.into_iter().map(|(_, value)| value).collect();
        (!values.is_empty()).then(|| Value::several(values))
    }

    /// What a field holds that a type is made with.
    fn of_field(&self, class: SymbolId, name: Name) -> Value {
        let (members, _) = self.members_named(class, name);
        let is_field = |id: &&SymbolId| self.table.symbol(**id).kind == SymbolKind::Field;
        let value = members.iter().find(is_field).map(|id| self.values.of(*id));
        value.flatten().cloned().unwrap_or(Value::Unknown)
    }

    /// The value of which the name of an argument is a member: what is made, where no constructor is written that takes
    /// it.
    pub(super) fn labelled(
        &self,
        file: FileId,
        doc: &Document,
        (label, called): (Name, u32),
        hops: Hops<'_>,
    ) -> Value {
        let (Some(hops), Some(words)) = (hops.next(), self.labels_of(doc)) else {
            return Value::Unknown;
        };
        let class = match self.called(file, doc, called, hops) {
            Called::Class(class) => class,
            Called::Ambiguous => return Value::Unknown,
            _ => return Value::Never,
        };
        let labels = self.labels(doc, called);
        let takes = |id: &SymbolId| self.takes(*id, &labels);
        let (members, _) = self.members_named(class, label);
        let is_field = |id: &SymbolId| self.table.symbol(*id).kind == SymbolKind::Field;
        match members.iter().any(is_field) && !self.constructors(words, class).iter().any(takes) {
            true => Value::Instance(class),
            false => Value::Never,
        }
    }

    /// How functions give what one of their own type parameters stands for, where they do.
    fn given_parameter(&self, all: &[SymbolId]) -> Option<HintKind> {
        all.iter().find_map(|id| {
            let of = self.docs.get(self.table.file(*id))?;
            self.labels_of(of)?;
            let own = self.table.position(*id);
            let hint = of.value(own)?;
            let result = of.occurrences().get(hint.occurrence as usize)?;
            let (_, local) = of.local_at(result.name, hint.occurrence)?;
            let declared = of.occurrences().get(local.declared as usize)?;
            let is_own = declared.owner() == Some(own);
            (is_own && matches!(hint.kind, HintKind::Type | HintKind::Elements))
                .then_some(hint.kind)
        })
    }

    /// What a call of such functions gives: of the type that is the first argument (`make(A.self)`), else what is not known,
    /// unless a type of the repository bounds it. `given` is what they say they give.
    pub(super) fn handed_type(
        &self,
        file: FileId,
        doc: &Document,
        (called, all): (u32, &[SymbolId]),
        given: Value,
        hops: Hops<'_>,
    ) -> Value {
        let Some(kind) = self.given_parameter(all) else {
            return given;
        };
        let uses = doc.occurrences();
        let names = (uses.get(called as usize), uses.get(called as usize + 1));
        if let (Some(name), Some(next)) = names {
            let end = name.col + self.names.bytes(name.name).len() as u32;
            let is_next = (next.line, next.col) == (name.line, end + 1);
            if is_next
                && next.kind == OccurrenceKind::Read
                && let Value::Type(class) = self.value_of(file, doc, called + 1, hops)
            {
                return match kind {
                    HintKind::Elements => Value::Elements(class),
                    _ => Value::Instance(class),
                };
            }
        }
        match given {
            Value::External | Value::Literal => Value::Unknown,
            known => known,
        }
    }

    /// What a list holds that is written where an instance of a type is expected.
    pub(super) fn in_literal(
        &self,
        doc: &Document,
        class: SymbolId,
        hops: Hops<'_>,
    ) -> Option<Value> {
        let words = self.labels_of(doc)?;
        let hops = hops.next()?;
        let label = self.names.find(words.list)?;
        let made = self.constructors(words, class).into_iter().find_map(|id| {
            let (file, own) = (self.table.file(id), self.table.position(id));
            let doc = self.docs.get(file)?;
            let taken = self.taken(doc, own);
            let hint = taken.iter().find(|one| one.label == Some(label))?.hint?;
            Some(self.follow(file, doc, hint, Some(own), hops))
        });
        made.filter(|value| *value != Value::Unknown)
    }

    /// Whether the object of an occurrence is what is expected where it stands, of one of several functions.
    pub(super) fn is_expected(&self, doc: &Document, at: u32) -> bool {
        use HintKind::{First, FirstElement, Second, SecondElement, Third, ThirdElement};
        let hint = doc.receiver(at);
        hint.is_some_and(|hint| match hint.kind {
            First | Second | Third | FirstElement | SecondElement | ThirdElement => true,
            _ => doc
                .receiver(hint.occurrence)
                .is_some_and(|hint| hint.kind == HintKind::Named),
        })
    }

    /// What callers see of the parameters of a definition, or of the constructors of a type: each name, what it may be,
    /// and what a list may hold that is handed to it.
    pub(super) fn seen_by_callers(&self, id: SymbolId) -> Vec<(Option<Name>, Value, Value)> {
        let Some(doc) = self.docs.get(self.table.file(id)) else {
            return Vec::new();
        };
        let symbol = self.table.symbol(id);
        let Some(words) = self.labels_of(doc) else {
            if !lang::of(doc.lang).naming.names_are_calls || !semantics::is_callable(symbol.kind) {
                return Vec::new();
            }
            return match self.seen_yielded(id) {
                Value::Unknown => Vec::new(),
                yielded => vec![(None, yielded, Value::Unknown)],
            };
        };
        let functions = match symbol.kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor => vec![id],
            SymbolKind::Type => match self.values.of(id) {
                Some(Value::Instance(class)) => self.constructors(words, *class),
                _ => return Vec::new(),
            },
            SymbolKind::Impl => {
                let name = self.names.find(words.constructor);
                let inside = name.map(|name| self.table.inside(id, name).collect());
                inside.unwrap_or_default()
            }
            kind if semantics::is_type(kind) => self.constructors(words, id),
            _ => return Vec::new(),
        };
        let mut seen = Vec::new();
        if semantics::is_type(symbol.kind) {
            let bounds = self.bounds_of(id).into_iter();
            seen.extend(bounds.map(|(name, bound)| (Some(name), bound, Value::Unknown)));
        }
        for id in functions {
            let (file, own) = (self.table.file(id), self.table.position(id));
            let Some(doc) = self.docs.get(file) else {
                continue;
            };
            for Taken {
                label,
                hint,
                preset,
            } in self.taken(doc, own)
            {
                let search = Search::new();
                let hops = Hops::new(&search);
                let value = match hint {
                    Some(hint) => self.follow(file, doc, hint, Some(own), hops),
                    None => Value::Unknown,
                };
                let held = self.element(doc, value.clone(), hops);
                seen.push((label, value, held));
                if preset {
                    seen.push((None, Value::Never, Value::Never));
                }
            }
        }
        seen
    }
}
