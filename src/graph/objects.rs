//! Members of values: what `name` means in `x.name`, by what `x` is.

use super::documents::{DocOccurrence, Document};
use super::guess::names_argument;
use super::hops::Hops;
use super::names::Name;
use super::resolve::{Meaning, Resolver};
use super::rule::{Certainty, Rule};
use super::table::SymbolId;
use super::value::{MAX_SEVERAL, Value};
use super::values::is_sure;
use crate::extract::record::{HintKind, OccurrenceKind, Qualifier, SymbolKind, TypeHint};
use crate::lang;
use crate::view::live::FileId;

/// Definitions of one name among which the one is looked for that a literal may be turned into something for.
const MAX_CONVERTED: usize = 32;
/// Definitions of one name among which those are looked for that override another.
const MAX_NAMED: usize = 256;

impl Resolver<'_> {
    /// The value whose member an occurrence names.
    pub(super) fn object_of(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Value {
        let Some(found) = doc.occurrences().get(at as usize) else {
            return Value::Unknown;
        };
        match (found.qualifier, at.checked_sub(1)) {
            (Qualifier::Previous, Some(object)) => self.value_of(file, doc, object, hops),
            (Qualifier::Expression, _) => match doc.receiver(at) {
                Some(hint) if hint.kind == HintKind::Named && self.handing(doc).is_some() => {
                    self.copied(file, doc, hint.occurrence, hops)
                }
                Some(hint) if hint.kind == HintKind::Named => {
                    self.labelled(file, doc, (found.name, hint.occurrence), hops)
                }
                Some(hint) => self.follow(file, doc, hint, found.owner(), hops),
                None => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    /// What the name of an occurrence means that is a member of what stands before it. `found` is that, or how it is
    /// called.
    pub(super) fn member(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        found: &DocOccurrence,
        hops: Hops<'_>,
    ) -> Meaning {
        let (object, is_guess) = hops.watch(|| self.object_of(file, doc, at, hops));
        let meaning = self.on_object(file, doc, at, found, object, hops);
        let meaning = meaning.found_on(is_guess);
        // `{ run() {} }` is a member of what is expected there, or else no use of anything.
        if doc.is_defined(at) {
            return match meaning {
                Meaning::Symbols(_, rule) if rule < Rule::Unique => meaning,
                _ => Meaning::External,
            };
        }
        match lang::of(doc.lang).naming.names_are_calls {
            true => self.or_overriding(found.name, meaning, is_guess),
            false => meaning,
        }
    }

    /// What a member may be of an object that is known by a guess alone, where nothing declares of what type it is: that
    /// may be one that has a member of its own under the name.
    fn or_overriding(&self, name: Name, meaning: Meaning, is_guess: bool) -> Meaning {
        let Meaning::Symbols(mut symbols, rule) = meaning else {
            return meaning;
        };
        let class_of = |id: SymbolId| {
            let around = || Some(self.members.canonical(self.table.container(id)?));
            self.members.owner(id).or_else(around)
        };
        let of = symbols.first().and_then(|id| class_of(*id));
        let Some(of) = of.filter(|_| is_guess && is_sure(rule)) else {
            return Meaning::Symbols(symbols, rule);
        };
        let is_narrower = |id: &SymbolId| {
            let class = class_of(*id).filter(|class| *class != of);
            class.is_some_and(|class| self.members.with_bases(class).any(|base| base == of))
        };
        let named = self.table.named(name).take(MAX_NAMED);
        let narrower: Vec<SymbolId> = named.filter(is_narrower).collect();
        match narrower.is_empty() {
            true => Meaning::Symbols(symbols, rule),
            false => {
                symbols.extend(narrower);
                symbols.sort_unstable();
                symbols.dedup();
                Meaning::Symbols(symbols, Rule::Ambiguous)
            }
        }
    }

    /// What a name means that is a member of what a hint leads to.
    pub(super) fn member_by_hint(
        &self,
        file: FileId,
        doc: &Document,
        found: &DocOccurrence,
        hint: TypeHint,
        hops: Hops<'_>,
    ) -> Meaning {
        let (value, is_guess) = hops.watch(|| self.follow(file, doc, hint, found.owner(), hops));
        self.member_of(doc, found, value).found_on(is_guess)
    }

    /// What a name in quotes means: a member of what it is taken out of (`a["name"]`), if that has one for sure; else its
    /// text alone is known.
    pub(super) fn in_quotes(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        found: &DocOccurrence,
        hops: Hops<'_>,
    ) -> Meaning {
        let of = doc.taken_from(at);
        let member = of.map(|of| self.member_by_hint(file, doc, found, of, hops));
        match member {
            Some(Meaning::Symbols(symbols, rule)) if rule.certainty() == Certainty::Resolved => {
                Meaning::Symbols(symbols, rule)
            }
            _ => self.mention(doc.lang, found.name),
        }
    }

    /// What the name of an occurrence means that is a member of a value. `found` is that, or how it is called.
    pub(super) fn on_object(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        found: &DocOccurrence,
        object: Value,
        hops: Hops<'_>,
    ) -> Meaning {
        if found.kind == OccurrenceKind::Expand {
            return self.expanded_of(doc, found, object);
        }
        // What is called is the object: its class has the parameters of the method that is called so.
        let is_called = names_argument(&lang::of(doc.lang).naming, found)
            && object.class().is_some()
            && !matches!(object, Value::Type(_))
            && doc.receiver(at).is_some_and(|hint| {
                let of = doc.occurrences().get(hint.occurrence as usize);
                hint.kind == HintKind::Value && of.is_some_and(|of| of.kind == OccurrenceKind::Call)
            });
        let meaning = match is_called {
            true => Meaning::External,
            false => self.member_of(doc, found, object.clone()),
        };
        let meaning = self.that_takes(file, doc, (at, found), Some(&object), meaning);
        let mut meaning = self.without_unseen(file, doc, (at, found), meaning);
        // Which of several functions is called decides what is meant.
        if matches!(object, Value::Several(_))
            && let Meaning::Symbols(symbols, rule) = &mut meaning
            && self.is_expected(doc, at)
            && !self.is_one(symbols)
        {
            *rule = Rule::Ambiguous;
        }
        if matches!(meaning, Meaning::External | Meaning::Unknown)
            && let Some(method) = self.of_trait(file, doc, found, &object, hops)
        {
            return self.meaning_of_trait(method);
        }
        let meaning = self.or_extension(file, doc, at, (&object, meaning), hops);
        let meaning = self.or_fitting_extension(file, doc, at, (&object, meaning), hops);
        if !matches!(meaning, Meaning::Symbols(..) | Meaning::Module(..))
            && let Some(named) = self.by_its_path(file, doc, at, found)
        {
            return named;
        }
        if meaning == Meaning::External
            && lang::of(doc.lang).naming.converts_literals
            && (object == Value::Literal
                || object == Value::External && self.is_operator(found.name))
        {
            return self.converted(doc, found).unwrap_or(meaning);
        }
        let meaning = self.settled(doc, found, meaning);
        let meaning = self.unless_unfit(doc, (at, found), Some(&object), meaning);
        let of = match &object {
            Value::Type(class) => Some(*class),
            object => object.class(),
        };
        self.by_labels(doc, at, (found, of), meaning)
    }

    /// The member of what a literal may be turned into: the only one of that name, those that override it not counted.
    fn converted(&self, doc: &Document, found: &DocOccurrence) -> Option<Meaning> {
        use SymbolKind::{Field, Method};
        let all = match self.guess(doc, found) {
            guess @ Meaning::Symbols(..) => return Some(guess),
            Meaning::Candidates(all, _) if all.len() <= MAX_CONVERTED => all,
            _ => return None,
        };
        let is_first = |id: &SymbolId| {
            let symbol = self.table.symbol(*id);
            let class = self.table.container(*id);
            let mut bases = class.into_iter().flat_map(|class| {
                self.members
                    .with_bases(self.members.canonical(class))
                    .skip(1)
            });
            matches!(symbol.kind, Field | Method)
                && bases.all(|base| self.members.direct(base, found.name).next().is_none())
        };
        let first: Vec<SymbolId> = all.iter().copied().filter(is_first).collect();
        self.is_only(doc, found, &first)
            .then_some(Meaning::Symbols(first, Rule::Unique))
    }

    fn is_operator(&self, name: Name) -> bool {
        let is_sign = |byte: &u8| byte.is_ascii_punctuation() && *byte != b'_' && *byte != b'$';
        self.names.bytes(name).iter().all(is_sign)
    }

    /// A member of a value.
    pub(super) fn member_of(&self, doc: &Document, found: &DocOccurrence, value: Value) -> Meaning {
        let is_argument = names_argument(&lang::of(doc.lang).naming, found);
        let (class, rule) = match self.unaliased(value) {
            Value::Several(all) => return self.member_of_several(doc, found, &all),
            Value::Module(place) => {
                let given = self.exported_from(&place, found.name);
                let given = self.called_past_module(given, found.kind, |trail| {
                    self.given_by(&place, found.name, trail)
                });
                return match given {
                    Meaning::Symbols(symbols, _) => Meaning::Symbols(symbols, Rule::Qualified),
                    Meaning::Module(place, _) => Meaning::Module(place, Rule::Qualified),
                    other => other,
                };
            }
            Value::Type(class) => (class, Rule::Qualified),
            Value::Instance(class) => (class, Rule::Receiver),
            Value::Generic(generic) => (generic.of, Rule::Receiver),
            Value::Shape(shape) if let Some(id) = shape.defined(self.names.hash(found.name)) => {
                return Meaning::Symbols(vec![id], Rule::Receiver);
            }
            Value::Shape(shape) if shape.may_have(self.names.hash(found.name)) => {
                return Meaning::Unknown;
            }
            Value::External
            | Value::Literal
            | Value::Elements(_)
            | Value::Held(..)
            | Value::Callback(_)
            | Value::Shape(_)
            | Value::Proof(_)
            | Value::Made(_)
            | Value::Never => {
                return Meaning::External;
            }
            Value::Parameter(_) => return Meaning::Unknown,
            // The name of an argument of a function is a parameter's.
            Value::Function(_) if is_argument => return Meaning::External,
            Value::Function(function) if let Some(found) = self.beside(function, found.name) => {
                return found;
            }
            Value::Function(function) => match self.members.has_any(function) {
                true => (function, Rule::Qualified),
                // A method that is read, not called, may be a property.
                false => match self.values.of(function) {
                    Some(Value::Instance(class)) => {
                        let is_guess = self.values.is_guess(function);
                        (*class, Rule::Receiver.or_presumed(is_guess))
                    }
                    Some(Value::Generic(generic)) => {
                        let is_guess = self.values.is_guess(function);
                        (generic.of, Rule::Receiver.or_presumed(is_guess))
                    }
                    Some(Value::External | Value::Literal) => return Meaning::External,
                    _ => return Meaning::Unknown,
                },
            },
            Value::Unknown => return Meaning::Unknown,
        };
        // A keyword argument is a parameter of the constructor, where one is written.
        if is_argument && self.has_constructor(class) {
            return Meaning::External;
        }
        let (symbols, inherited) = self.members_used(class, found.name, found.kind);
        if !symbols.is_empty() {
            let rule = rule.or_inherited(inherited);
            return Meaning::Symbols(symbols, rule);
        }
        // A base that is not here may have the method.
        let may_be = |(field, _): &(SymbolId, bool)| {
            !self.members.has_external_base(class) || self.has_written_accessors(*field)
        };
        let accessed = self.field_accessed(class, found.name).filter(may_be);
        let accessed = accessed.or_else(|| self.property_accessed(class, found));
        let accessed = accessed.or_else(|| self.scope_called(class, found));
        if let Some((symbol, inherited)) = accessed {
            return Meaning::Symbols(vec![symbol], rule.or_inherited(inherited));
        }
        // What a type was made of has members of its own.
        let made_of = self.values.of(class).filter(|_| rule == Rule::Receiver);
        let is_outside = matches!(
            made_of,
            Some(Value::External | Value::Literal | Value::Elements(_) | Value::Held(..))
        );
        if rule == Rule::Receiver
            && lang::of(doc.lang).naming.traits_extend
            && let Some(narrower) = self.of_narrower_trait(class, found)
        {
            return Meaning::Symbols(vec![narrower], Rule::Unique);
        }
        let is_outside = is_outside
            || self.members.has_external_base(class)
            // What a library's type has of its own is nowhere here.
            || lang::of(doc.lang).naming.names_are_calls && self.is_opened(class);
        match is_outside {
            true => Meaning::External,
            false => Meaning::Unknown,
        }
    }

    /// A member of one of several values.
    ///
    /// Languages want each type of a union to have it. Where only some do, the code around has narrowed
    /// the union in a way not seen here: several definitions are then ambiguous.
    fn member_of_several(&self, doc: &Document, found: &DocOccurrence, all: &[Value]) -> Meaning {
        let mut symbols: Vec<SymbolId> = Vec::new();
        let mut rule = Rule::Scope;
        let (mut external, mut without) = (false, false);
        let mut open: Vec<Value> = all.to_vec();
        for _ in 0..MAX_SEVERAL {
            let Some(value) = open.pop() else {
                break;
            };
            match self.unaliased(value) {
                Value::Several(inner) => open.extend(inner.iter().cloned()),
                value => match self.member_of(doc, found, value) {
                    Meaning::Symbols(of_one, how) => {
                        symbols.extend(of_one);
                        rule = rule.max(how);
                    }
                    Meaning::External => external = true,
                    _ => without = true,
                },
            }
        }
        symbols.sort_unstable();
        symbols.dedup();
        // `error?: never` says that this one has none.
        let is_there = |id: &SymbolId| self.values.of(*id) != Some(&Value::Never);
        if symbols.iter().any(is_there) {
            symbols.retain(is_there);
        }
        match *symbols {
            [] if external => Meaning::External,
            [] => Meaning::Unknown,
            [_, _, ..] if without => Meaning::Symbols(symbols, Rule::Ambiguous),
            _ => Meaning::Symbols(symbols, rule),
        }
    }

    pub(super) fn has_constructor(&self, class: SymbolId) -> bool {
        let mut types = self.members.with_bases(class);
        types.any(|class| {
            let mut members = self.members.all(class);
            members.any(|(_, id)| self.table.symbol(id).kind == SymbolKind::Constructor)
        })
    }
}
