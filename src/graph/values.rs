//! What values are, found by following hints.
//!
//! Values of symbols are found in rounds, each from what the round before knew, so the result does
//! not depend on the order of symbols or on threads, and circles end.

use super::arguments::Argument;
use super::documents::Document;
use super::generics::Object;
use super::hops::{Hops, Search};
use super::memo::{Key, Memo};
use super::parallel;
use super::resolve::{BOUND_ELSEWHERE, Meaning, Resolver};
use super::rounds::Rounds;
use super::rule::{Certainty, Rule};
use super::semantics;
use super::table::SymbolId;
use super::value::{PATIENT, Value, Values};
use crate::extract::record::{HintKind, Local, OccurrenceKind, Qualifier, SymbolKind, TypeHint};
use crate::lang::{self, naming::Holder};
use crate::view::live::FileId;

/// Rounds towards the fixed point: the longest chain of symbols, each known only from the one before. A
/// longer chain stays unknown; the rounds end sooner when one finds nothing.
const ROUNDS: u64 = 5;

/// Names that are followed from alias to alias. Real code has two or three; the bound is for circles.
const MAX_ALIASES: usize = 16;

/// What following a hint has found.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Found {
    pub(super) file: FileId,
    pub(super) id: SymbolId,
    pub(super) what: What,
    /// Whether a guess was on the way.
    pub(super) is_guess: bool,
}

/// What a symbol was found to be.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum What {
    Is(Value),
    /// A type with members of its own that has those of others, too.
    Has(Vec<SymbolId>),
}

impl Found {
    /// The highest number of the definitions that it speaks of.
    pub(super) fn most(&self) -> u32 {
        let said = match &self.what {
            What::Is(value) => value.most(),
            What::Has(bases) => bases.iter().map(|base| base.0).max().unwrap_or(0),
        };
        said.max(self.id.0)
    }
}

impl Resolver<'_> {
    /// Forgets what is known of values, and of the bases of types.
    pub(super) fn forget_values(&mut self) {
        self.values = Values::default();
        self.members.set_bases(self.table, &[]);
    }

    /// Finds the values of the symbols of these files, which are in path order. Those of all others are `known`;
    /// they come to light in the rounds in which they were found, so that nothing sees more than if all had been
    /// followed again. `values` has none of these rounds.
    pub(super) fn collect_values(
        &mut self,
        files: &[FileId],
        (values, known): (Values, Rounds),
        threads: usize,
    ) {
        self.values = values;
        let mut open: Vec<(FileId, u32, TypeHint)> = Vec::new();
        for file in files {
            let Some(doc) = self.docs.get(*file) else {
                continue;
            };
            let symbols = doc.symbols.len();
            let values = doc.hints().values.iter();
            let values = values.filter(|(symbol, _)| (*symbol as usize) < symbols);
            open.extend(values.map(|(symbol, hint)| (*file, *symbol, *hint)));
        }
        let mut known_rounds = known.into_iter();
        for round in 1..=ROUNDS {
            let known = known_rounds.next().unwrap_or_default();
            let mut all = Vec::new();
            self.values.round = round;
            let of_thread = Memo::default;
            let values = parallel::map_with(&open, threads, of_thread, |memo, of| {
                let (file, symbol, hint) = of;
                let doc = self.docs.get(*file);
                let doc = doc.expect("only files with a document have values");
                memo.enter(*file);
                let search = Search::with(memo);
                let value = self.follow(*file, doc, *hint, Some(*symbol), Hops::new(&search));
                (value, search.was_guessed())
            });
            let mut rest = Vec::new();
            for (entry, (value, is_guess)) in open.into_iter().zip(values) {
                let id = self.table.id(entry.0, entry.1);
                match self.found(id, value) {
                    Some(what) => all.push(Found {
                        file: entry.0,
                        id,
                        what,
                        is_guess,
                    }),
                    None => rest.push(entry),
                }
            }
            open = rest;
            // As if all had been followed in order.
            let all = known.with(all);
            for (id, bases) in all.bases() {
                for base in bases {
                    self.members.add_found(self.table, id, *base, round);
                }
            }
            let is_empty = all.is_empty();
            self.values.add(all);
            let waits = |(_, _, hint): &(_, _, TypeHint)| hint.kind.is_of_decorator();
            if is_empty && !(round <= PATIENT && open.iter().any(waits)) {
                break;
            }
        }
        self.values.round = 0;
        self.values.add_unseen(known_rounds);
    }

    /// What a value says of its symbol; `None` when it is not known.
    fn found(&self, id: SymbolId, value: Value) -> Option<What> {
        let kind = self.table.symbol(id).kind;
        let alias = kind == SymbolKind::Type;
        Some(match value {
            Value::Unknown => return None,
            // What an interface extends may stand for another type.
            Value::Instance(_) | Value::Generic(_) | Value::Several(_)
                if kind == SymbolKind::Interface && !self.classes_of(&value).is_empty() =>
            {
                What::Has(self.further_bases(id, &value)?)
            }
            // `type A = B & { .. }`: of B, with members of its own.
            Value::Instance(_) | Value::Generic(_) | Value::Several(_)
                if alias && self.members.has_any(id) =>
            {
                let mut bases = self.classes_of(&value);
                bases.retain(|base| *base != id);
                What::Has(bases)
            }
            value => What::Is(value),
        })
    }

    /// The types that a value may be of which a type has no base of.
    fn further_bases(&self, id: SymbolId, value: &Value) -> Option<Vec<SymbolId>> {
        let mut bases = self.classes_of(value);
        bases.retain(|base| *base != id && !self.members.bases(id).contains(base));
        (!bases.is_empty()).then_some(bases)
    }

    /// The types that a value is an instance of.
    fn classes_of(&self, value: &Value) -> Vec<SymbolId> {
        let all = match value {
            Value::Several(all) => all,
            one => std::slice::from_ref(one),
        };
        let classes = all.iter().filter_map(|value| match value {
            Value::Instance(class) => Some(*class),
            Value::Generic(generic) => Some(generic.of),
            _ => None,
        });
        classes.collect()
    }

    /// The value that an occurrence names.
    pub(super) fn value_of(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Value {
        let find = |hops: Hops<'_>| self.value_found(file, doc, at, hops);
        hops.once(Key::value(file, at), find)
    }

    fn value_found(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Value {
        let Some(hops) = hops.next() else {
            return Value::Unknown;
        };
        if let Some(hint) = doc.receiver(at).filter(|hint| hint.kind == HintKind::Named)
            && let Some(label) = doc.occurrences().get(at as usize)
        {
            let which = Argument::Named(label.name);
            return self.argument(file, doc, hint.occurrence, which, hops);
        }
        if self.is_call_of_member(doc, at) {
            return self.result_of(file, doc, at, hops);
        }
        if let Some(part) = self.part(file, doc, at, hops) {
            return part;
        }
        let (object, meaning) = self.read(file, doc, at, hops);
        match meaning {
            Meaning::Local(BOUND_ELSEWHERE) => self.bound_elsewhere(file, doc, at, hops),
            Meaning::Local(position) => {
                let local = doc.hints().locals.get(position as usize);
                let taken = local.filter(|local| doc.taken_from(local.declared).is_some());
                if let Some(local) = taken.filter(|local| local.declared != at) {
                    return self.value_of(file, doc, local.declared, hops);
                }
                match local.and_then(|local| Some((local.hint?, local))) {
                    Some((hint, local)) if hint.kind.is_of_check() => {
                        self.narrowed(file, doc, (position, local), hops)
                    }
                    Some((hint, Local { declared, .. })) => {
                        let owner = doc.occurrences().get(*declared as usize);
                        let owner = owner.and_then(|declared| declared.owner());
                        self.follow(file, doc, hint, owner, hops)
                    }
                    None => Value::Unknown,
                }
            }
            Meaning::Symbols(symbols, rule) if is_sure(rule) => {
                self.note_guess(&symbols, rule, hops);
                let value = match self.value_of_symbols(&symbols) {
                    Value::Function(called) if lang::of(doc.lang).naming.names_are_calls => {
                        let value = self.result_of_symbol(called);
                        match doc.occurrences().get(at as usize) {
                            Some(found) => self.or_overriding_result(
                                (file, doc),
                                found,
                                (&symbols, value),
                                hops,
                            ),
                            None => value,
                        }
                    }
                    value => value,
                };
                let value = self.put_in_at(file, doc, value, at, hops);
                match object {
                    Some((object, _)) => self.or_written(doc, at, &object, value),
                    None => value,
                }
            }
            Meaning::Unknown | Meaning::External | Meaning::Candidates(..)
                if let Some(value) = self.read_of_library(file, doc, at, hops) =>
            {
                value
            }
            // A name in quotes is that of a member, and no global.
            Meaning::Unknown if object.is_some() && is_mention(doc, at) => Value::Unknown,
            Meaning::Unknown => match self.unbound(file, doc, at, hops) {
                // What the repository adds to a foreign type lies in it as well.
                Value::Unknown
                    if self.is_type_elsewhere(doc, at)
                        && doc
                            .occurrences()
                            .get(at as usize)
                            .is_some_and(|found| !self.members.adds_to_foreign(found.name)) =>
                {
                    Value::External
                }
                known => known,
            },
            Meaning::Symbols(..) | Meaning::Candidates(..) => {
                self.namespace_named(file, doc, at, hops)
            }
            Meaning::Module(place, rule) => {
                self.note_guess(&[], rule, hops);
                Value::Module(place)
            }
            Meaning::External => match object {
                Some(object) => self.kept_under(doc, at, object, hops),
                None => self.read_outside(file, doc, at, hops),
            },
        }
    }

    /// What a member is that is of a type parameter, where an occurrence names it on an object.
    pub(super) fn put_in_at(
        &self,
        file: FileId,
        doc: &Document,
        value: Value,
        at: u32,
        hops: Hops<'_>,
    ) -> Value {
        if !value.may_be_open() {
            return value;
        }
        let object = &self.object_of(file, doc, at, hops);
        let object = Object {
            value: object,
            member: at,
        };
        self.put_in(file, doc, value, Some(object), hops)
    }

    /// Notes whether definitions that are built on were guessed, or what is known of them was.
    pub(super) fn note_guess(&self, symbols: &[SymbolId], rule: Rule, hops: Hops<'_>) {
        if rule.certainty() != Certainty::Resolved
            || symbols.iter().any(|id| self.values.is_guess(*id))
        {
            hops.note_guess();
        }
    }

    fn value_of_symbols(&self, symbols: &[SymbolId]) -> Value {
        // The same field of several types.
        let is_field = |id: &SymbolId| self.table.symbol(*id).kind == SymbolKind::Field;
        if symbols.len() > 1 && symbols.iter().all(is_field) {
            return Value::several(symbols.iter().map(|id| self.value_of_symbol(*id)).collect());
        }
        // `interface A` and `const A`: as a value it is the constant.
        let is_value = |id: &&SymbolId| {
            let kind = self.table.symbol(**id).kind;
            !matches!(kind, SymbolKind::Interface | SymbolKind::Type)
        };
        let types = symbols.iter().filter(|id| !is_value(id));
        let values = symbols.iter().filter(is_value).chain(types);
        let values = values.map(|id| self.value_of_symbol(*id));
        let mut known = values.filter(|value| *value != Value::Unknown);
        known.next().unwrap_or(Value::Unknown)
    }

    /// What an alias stands for, and what that one stands for.
    pub(super) fn unaliased(&self, mut value: Value) -> Value {
        for _ in 0..MAX_ALIASES {
            value = match &value {
                Value::Parameter(parameter) => parameter.bounded(),
                Value::Generic(generic) => Value::Instance(generic.of),
                Value::Instance(id) => match self.values.of(*id) {
                    Some(known) if self.is_alias(*id) => known.clone(),
                    _ => break,
                },
                _ => break,
            };
        }
        value
    }

    /// Whether a name stands for another type. A type that was made of a list, of a function or of something
    /// from outside and has members of its own (`type Params []Param` in Go) is one of its own.
    fn is_alias(&self, id: SymbolId) -> bool {
        let is_class = |value: &Value| {
            matches!(
                value,
                Value::Instance(_) | Value::Generic(_) | Value::Several(_)
            )
        };
        self.table.symbol(id).kind == SymbolKind::Type
            && (!self.members.has_any(id) || self.values.of(id).is_some_and(is_class))
    }

    pub(super) fn value_of_symbol(&self, id: SymbolId) -> Value {
        let symbol = self.table.symbol(id);
        match symbol.kind {
            SymbolKind::Type => match self.values.of(id) {
                Some(Value::Instance(class)) => Value::Type(*class),
                Some(Value::Generic(generic)) => Value::Type(generic.of),
                _ => Value::Type(self.members.canonical(id)),
            },
            kind if semantics::is_type(kind) => Value::Type(self.members.canonical(id)),
            SymbolKind::Variant => match self.table.container(id) {
                Some(container) => Value::Instance(self.members.canonical(container)),
                None => Value::Unknown,
            },
            SymbolKind::Function | SymbolKind::Method => match self.values.of(id) {
                Some(Value::Made(object)) => (**object).clone(),
                None if self.values.may_come() && self.is_remade(id) => Value::Unknown,
                _ => Value::Function(id),
            },
            _ => match self.values.of(id) {
                Some(Value::Literal | Value::Unknown) | None if self.members.has_any(id) => {
                    Value::Type(id)
                }
                Some(value) => value.clone(),
                None => Value::Unknown,
            },
        }
    }

    /// What a hint of a document comes to. `owner` is the symbol that the hint is about or lies in.
    pub(super) fn follow(
        &self,
        file: FileId,
        doc: &Document,
        hint: TypeHint,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Value {
        if hint.kind.is_alone() {
            return self.followed(file, doc, hint, owner, hops);
        }
        let find = |hops: Hops<'_>| self.followed(file, doc, hint, owner, hops);
        hops.once(Key::hint(file, hint, owner), find)
    }

    fn followed(
        &self,
        file: FileId,
        doc: &Document,
        hint: TypeHint,
        owner: Option<u32>,
        hops: Hops<'_>,
    ) -> Value {
        let Some(hops) = hops.next() else {
            return Value::Unknown;
        };
        let at = hint.occurrence;
        if hint.kind.is_of_type()
            && let Some(own) = self.own_holder(file, doc, at, hops)
        {
            return own;
        }
        let value = match hint.kind {
            HintKind::Literal | HintKind::Names => return Value::Literal,
            HintKind::Never => return Value::Never,
            // Of a local name: these are asked for with it.
            kind if kind.is_of_check() => return Value::Unknown,
            HintKind::Proof => return self.proof(file, doc, at, owner, hops),
            HintKind::Preset | HintKind::Last | HintKind::TypeParameter | HintKind::Rest => {
                return Value::Unknown;
            }
            kind if kind.is_of_call() => return Value::Unknown,
            HintKind::Omitted | HintKind::Picked => return self.instance_of(file, doc, at, hops),
            kind if kind.is_of_comparison() => return Value::Unknown,
            HintKind::Decorated | HintKind::DecoratedByResult => {
                return self.decorated(file, doc, hint, owner, hops);
            }
            HintKind::Shape => return self.shape(file, doc, at, owner, hops),
            HintKind::Callback => return self.callback(file, doc, at, owner, hops),
            HintKind::Gives => return self.giver(file, doc, at, owner, hops),
            HintKind::This => match self.this_type(file, doc, owner) {
                Some(class) => return Value::Instance(class),
                None => return Value::Unknown,
            },
            HintKind::Super => {
                let class = self.this_type(file, doc, owner);
                let base = class.and_then(|class| self.members.bases(class).first());
                return base.map_or(Value::Unknown, |base| Value::Instance(*base));
            }
            HintKind::Type => self.instance_of(file, doc, at, hops),
            HintKind::Elements => match self.instance_of(file, doc, at, hops) {
                Value::Parameter(parameter) if !parameter.is_list => parameter.as_list(true),
                one => {
                    let one = one.bounded();
                    match self.named_callback(file, doc, at, &one, hops) {
                        Some(alias) => Value::Elements(alias),
                        None => Self::list_of(one),
                    }
                }
            },
            // Who passes on what another one says proves nothing of its own argument.
            HintKind::Result | HintKind::Value => {
                let value = match hint.kind {
                    HintKind::Result => self.result_of(file, doc, at, hops),
                    _ => self.value_of(file, doc, at, hops),
                };
                match value {
                    Value::Proof(_) => Value::Literal,
                    other => other,
                }
            }
            HintKind::Map => Self::map_to(self.instance_of(file, doc, at, hops)),
            HintKind::MapOf => Self::map_to(self.value_of(file, doc, at, hops)),
            HintKind::MapOfResults => Self::map_to(self.result_of(file, doc, at, hops)),
            HintKind::MapFrom => Self::mapped(self.listed(doc, self.value_of(file, doc, at, hops))),
            HintKind::ResultMapFrom => {
                Self::mapped(self.listed(doc, self.result_of(file, doc, at, hops)))
            }
            HintKind::Entry | HintKind::Cell => {
                let holder = match hint.kind {
                    HintKind::Entry => Holder::Entry,
                    _ => Holder::Cell,
                };
                let one = self.instance_of(file, doc, at, hops);
                if let Value::Parameter(_) = one {
                    return one;
                }
                one.each(&|value| match value.class() {
                    Some(class) => Value::held(holder, class),
                    None => Value::Unknown,
                })
            }
            HintKind::Each => self.each(doc, self.value_of(file, doc, at, hops), hops),
            HintKind::ResultEach => self.each(doc, self.result_of(file, doc, at, hops), hops),
            HintKind::EachValue => self.each_value(self.value_of(file, doc, at, hops)),
            HintKind::ResultEachValue => self.each_value(self.result_of(file, doc, at, hops)),
            HintKind::List => self.listed(doc, self.value_of(file, doc, at, hops)),
            HintKind::ResultList => self.listed(doc, self.result_of(file, doc, at, hops)),
            HintKind::ListOf | HintKind::ListOfResults => {
                if lang::of(doc.lang).naming.lists_are_guesses {
                    hops.note_guess();
                }
                Self::list_of(match hint.kind {
                    HintKind::ListOf => self.value_of(file, doc, at, hops),
                    _ => self.result_of(file, doc, at, hops),
                })
            }
            HintKind::Element if let Some(held) = self.held_by_case(file, doc, at, hops) => held,
            HintKind::Element => match self.value_of(file, doc, at, hops) {
                Value::Type(class) if lang::of(doc.lang).naming.names_are_calls => {
                    self.made_by_index(class, hops)
                }
                all => self.element(doc, all, hops),
            },
            HintKind::ResultElement => self.element(doc, self.result_of(file, doc, at, hops), hops),
            HintKind::TypeElement => self.element(doc, self.instance_of(file, doc, at, hops), hops),
            HintKind::Given => {
                hops.note_guess();
                self.instance_of(file, doc, at, hops)
            }
            // Of the name of an argument: it is what that is a member of.
            HintKind::Named => return Value::Unknown,
            kind if let Some((standing, place)) = kind.called_with() => {
                return self.called_with(file, doc, (at, standing, place), hops);
            }
            _ if self.handing(doc).is_some() => self.of_function(file, doc, hint, hops),
            kind => {
                let (place, is_element) = place_of(kind);
                let value = self.argument(file, doc, at, Argument::At(place), hops);
                return match is_element {
                    true => self.element(doc, value, hops),
                    false => Self::one_handed(doc, value),
                };
            }
        };
        match next_of_union(doc, at) {
            Some(next) => Value::several(vec![value, self.follow(file, doc, next, owner, hops)]),
            None => value,
        }
    }

    /// An instance of the type that an occurrence names.
    pub(super) fn instance_of(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        hops: Hops<'_>,
    ) -> Value {
        let Some(hops) = hops.next() else {
            return Value::Unknown;
        };
        let at = self.past_wrappers(doc, at);
        match self.meaning(file, doc, at, hops) {
            Meaning::Symbols(symbols, rule) if is_sure(rule) => {
                self.note_guess(&symbols, rule, hops);
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
                match self.values.of(*id).filter(|_| self.is_alias(*id)) {
                    Some(value) => self.alias_with_arguments(file, doc, (at, *id), value, hops),
                    None => {
                        let class = self.members.canonical(*id);
                        self.instance_with_arguments(file, doc, (at, class), hops)
                    }
                }
            }
            Meaning::External => Value::External,
            Meaning::Local(BOUND_ELSEWHERE) => self.bound_elsewhere(file, doc, at, hops),
            // A type parameter stands for the type that bounds it.
            Meaning::Local(local) => {
                let local = doc.hints().locals.get(local as usize);
                let hint = local.and_then(|local| local.hint).filter(|hint| {
                    !matches!(hint.kind, HintKind::Literal | HintKind::Never)
                        && hint.occurrence != at
                });
                let bound = match hint {
                    Some(hint) => self.follow(file, doc, hint, None, hops),
                    None => Value::Unknown,
                };
                match local {
                    Some(local) => self.parameter(file, doc, local.declared, bound),
                    None => bound,
                }
            }
            // Where hops have run out, nothing was looked up.
            Meaning::Unknown if hops.next().is_some() => match self.unbound(file, doc, at, hops) {
                Value::External => Value::External,
                _ if self.is_from_outside(doc, at) => Value::External,
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }
}

fn is_mention(doc: &Document, at: u32) -> bool {
    let found = doc.occurrences().get(at as usize);
    found.is_some_and(|found| found.kind == OccurrenceKind::Mention)
}

/// The type that comes next in a union or intersection.
fn next_of_union(doc: &Document, at: u32) -> Option<TypeHint> {
    let hint = doc.receiver(at)?;
    let found = doc.occurrences().get(at as usize)?;
    let named = matches!(found.qualifier, Qualifier::None | Qualifier::Previous);
    let other = matches!(found.kind, OccurrenceKind::Write | OccurrenceKind::Mention);
    let is_next = hint.kind.given().is_none() && !hint.kind.is_of_name();
    (named && !other && is_next).then_some(hint)
}

/// Which argument without a name a hint speaks of, and whether of one of its elements.
fn place_of(kind: HintKind) -> (usize, bool) {
    match kind {
        HintKind::Second => (1, false),
        HintKind::Third => (2, false),
        HintKind::FirstElement => (0, true),
        HintKind::SecondElement => (1, true),
        HintKind::ThirdElement => (2, true),
        _ => (0, false),
    }
}

/// Whether what a rule found can be built on.
pub(super) fn is_sure(rule: Rule) -> bool {
    !matches!(rule, Rule::Ambiguous | Rule::Mention)
}
