//! Members that the repository gives to types from outside: `fun Source.skipAll()`, `extension String { ... }`,
//! `static bool IsEmpty(this string text)`.
//!
//! Nobody here knows which members such a type has of its own. Guarantees: what is found so is never more than
//! inferred, and a member of a type that is in the repository is none of a value from outside. Which classes are opened
//! again (Ruby) nothing marks, so those are a list of usual ones. Deliberately absent: prototypes that are written to
//! (JavaScript).

use super::documents::{DocOccurrence, Document};
use super::hops::Hops;
use super::members::Owned;
use super::names::Name;
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::table::SymbolId;
use super::value::Value;
use crate::extract::record::{
    Grammar, HintKind, Local, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind, TypeHint,
};
use crate::lang::{self, naming::Extensions};
use crate::view::live::FileId;
use rustc_hash::FxHashMap;

/// Definitions of one name that are looked at.
const MAX_NAMESAKES: usize = 128;
/// Definitions of a library's module in a repository that only adds to it.
const MAX_OPENED: usize = 8;

/// Whether a type is one of a library that the repository opens again, by the names it lies in, outermost first. `parts`
/// counts the definitions of the outermost: where much lies in that, the repository is the library.
pub fn opens_library(lang: Grammar, names: &[&[u8]], parts: impl FnOnce() -> usize) -> bool {
    (lang::of(lang).naming.opened_types)(&names.join(&b"::"[..]))
        && (names.len() == 1 || parts() <= MAX_OPENED)
}

impl Resolver<'_> {
    /// Whether a definition is a member of a type that is not in the repository.
    pub(super) fn is_extension(&self, id: SymbolId) -> bool {
        self.extends_foreign(&self.members, id)
    }

    /// All such definitions by name, each name's in order.
    pub(super) fn collect_extensions(&self, members: &Owned) -> FxHashMap<Name, Vec<SymbolId>> {
        let mut all: FxHashMap<Name, Vec<SymbolId>> = FxHashMap::default();
        for (file, doc) in self.docs.iter() {
            if lang::of(doc.lang).naming.extensions == Extensions::None {
                continue;
            }
            for (symbol, i) in doc.symbols.iter().zip(0..) {
                let id = self.table.id(file, i);
                if self.extends_foreign(members, id) {
                    all.entry(symbol.name).or_default().push(id);
                }
            }
        }
        all
    }

    fn extends_foreign(&self, members: &Owned, id: SymbolId) -> bool {
        use SymbolKind::{Constant, Field, Method, Variable};
        let symbol = self.table.symbol(id);
        let is_member = matches!(symbol.kind, Method | Field | Variable | Constant);
        let naming = &lang::of(self.table.lang(id)).naming;
        if !is_member || naming.extensions == Extensions::None {
            return false;
        }
        if naming.extensions == Extensions::Opened {
            let container = self.table.container(id);
            return symbol.kind == Method && container.is_some_and(|of| self.is_opened(of));
        }
        let is_in_block = || {
            let container = self.table.container(id);
            container.is_some_and(|block| {
                self.table.symbol(block).kind == SymbolKind::Impl
                    && members.canonical(block) == block
            })
        };
        symbol.flags.contains(SymbolFlags::EXTENSION)
            || (symbol.receiver.is_some() && members.owner(id).is_none())
            || is_in_block()
    }

    /// Whether a type is one of a library, opened again.
    pub(super) fn is_opened(&self, class: SymbolId) -> bool {
        let outwards = std::iter::successors(Some(class), |id| self.table.container(*id));
        let names = outwards.flat_map(|id| {
            let symbol = self.table.symbol(id);
            [Some(symbol.name), symbol.receiver]
        });
        let mut chain: Vec<Name> = names.flatten().collect();
        chain.reverse();
        let words: Vec<&[u8]> = chain.iter().map(|name| self.names.bytes(*name)).collect();
        let parts = || self.table.named(chain[0]).take(MAX_OPENED + 1).count();
        opens_library(self.table.lang(class), &words, parts)
    }

    /// What a name means that is used as a member of an object: where that is from outside, or lacks it, the extension
    /// of that name, if one is in sight.
    pub(super) fn or_extension(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        (object, meaning): (&Value, Meaning),
        hops: Hops<'_>,
    ) -> Meaning {
        match meaning {
            Meaning::External | Meaning::Unknown => {
                let found = self.extension(file, doc, at, object, hops);
                found.unwrap_or(meaning)
            }
            known => known,
        }
    }

    /// What a call means whose object has members of the name that do not take as many arguments: an extension that does.
    pub(super) fn or_fitting_extension(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        (object, meaning): (&Value, Meaning),
        hops: Hops<'_>,
    ) -> Meaning {
        let (Meaning::Symbols(symbols, _), Some(found)) =
            (&meaning, doc.occurrences().get(at as usize))
        else {
            return meaning;
        };
        let is_usual = self.members.extensions(found.name).is_empty();
        let given = self.count_given(doc, (at, found), Some(object));
        if is_usual || !self.none_fits(symbols, given) {
            return meaning;
        }
        match self.extension(file, doc, at, object, hops) {
            Some(Meaning::Symbols(all, rule)) if !self.none_fits(&all, given) => {
                Meaning::Symbols(all, rule)
            }
            // Nothing else of the type takes as many.
            Some(Meaning::Candidates(all, _))
                if self.is_one(&all) && !self.none_fits(&all, given) =>
            {
                Meaning::Symbols(all.to_vec(), Rule::Unique)
            }
            _ => meaning,
        }
    }

    fn extension(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        object: &Value,
        hops: Hops<'_>,
    ) -> Option<Meaning> {
        use OccurrenceKind::{Call, Read, Write};
        let found = doc.occurrences().get(at as usize)?;
        let naming = &lang::of(doc.lang).naming;
        let is_foreign = matches!(
            object,
            Value::External
                | Value::Literal
                | Value::Elements(_)
                | Value::Held(..)
                | Value::Instance(_)
                | Value::Generic(_)
        );
        if !is_foreign || !matches!(found.kind, Call | Read | Write) {
            return None;
        }
        // Behind a type of a library stands what belongs to none of its values.
        let before = at.checked_sub(1);
        if found.qualifier == Qualifier::Previous
            && before.is_some_and(|before| self.is_foreign_type(doc, before))
        {
            return None;
        }
        let named = self.members.extensions(found.name).iter().copied();
        let of_language = named.filter(|id| self.table.lang(*id) == doc.lang);
        let mut all: Vec<SymbolId> = of_language.take(MAX_NAMESAKES).collect();
        if all.is_empty() {
            return None;
        }
        let sight = self.sight(file, doc, found, object, &mut all);
        let mut all = self.fitting(found.kind, true, all);
        if let Some(given) = self.count_given(doc, (at, found), Some(object))
            && all.len() > 1
            && all.iter().any(|id| self.fits(*id, given))
        {
            all.retain(|id| self.fits(*id, given));
        }
        // What many types of libraries have is theirs, unless an import brings it or the type is the one that is extended.
        let is_usual = sight != Sight::Imported && self.is_usual_member(naming, found);
        // Chains are long: what their beginning is was followed once, and is not again where it tells nothing.
        let exact = match is_usual || all.len() > 1 {
            true => self.of_receiver(file, doc, at, &all, hops),
            false => None,
        };
        if is_usual && exact.is_none() {
            return None;
        }
        let all = exact.unwrap_or(all);
        let is_sure = || {
            let named = self.table.named(found.name).take(all.len() + 1);
            sight != Sight::No || named.count() == all.len()
        };
        match &*all {
            [] => None,
            one if self.is_one(one) && !is_usual && is_sure() => {
                Some(Meaning::Symbols(all, Rule::Unique))
            }
            _ => Some(Meaning::Candidates(all.into(), Rule::Ambiguous)),
        }
    }

    /// Keeps of some extensions those that can be seen at a place. Where a language opens namespaces for all of a
    /// project, those that nothing here shows may be seen, too.
    fn sight(
        &self,
        file: FileId,
        doc: &Document,
        found: &DocOccurrence,
        object: &Value,
        all: &mut Vec<SymbolId>,
    ) -> Sight {
        let (owner, kind) = (found.owner(), found.kind);
        let extensions = lang::of(doc.lang).naming.extensions;
        if extensions == Extensions::Named {
            if *object == Value::Literal {
                all.retain(|id| self.extends_literals(*id));
            }
            // What is nearer hides only extensions of the same type.
            let seen = [
                self.bare_name(file, doc, found.name, owner, kind),
                self.imported_around(file, doc, found.name, found.owner()),
                Meaning::Symbols(self.table.top(file, found.name).collect(), Rule::Scope),
                Meaning::Symbols(
                    self.top_in(found.name, self.modules.package_of(file)),
                    Rule::Package,
                ),
            ];
            for seen in &seen {
                if let Meaning::Symbols(seen, rule) = seen
                    && all.iter().any(|id| seen.contains(id))
                {
                    all.retain(|id| seen.contains(id));
                    return match rule {
                        Rule::Import => Sight::Imported,
                        _ => Sight::Yes,
                    };
                }
            }
            all.clear();
            return Sight::No;
        }
        if matches!(extensions, Extensions::Everywhere | Extensions::Opened) {
            return Sight::Yes;
        }
        let is_seen = |id: &SymbolId| {
            let Some(around) = self.table.container(*id) else {
                return true;
            };
            let name = self.table.symbol(around).name;
            let seen = self.bare_name(file, doc, name, owner, OccurrenceKind::Read);
            matches!(seen, Meaning::Symbols(seen, _) if seen.contains(&around))
        };
        let seen: Vec<SymbolId> = all.iter().copied().filter(is_seen).collect();
        if seen.is_empty() {
            return Sight::No;
        }
        *all = seen;
        Sight::Yes
    }

    /// Whether an extension may be one of what literals are: of a type of the language, or of any.
    fn extends_literals(&self, id: SymbolId) -> bool {
        let types = lang::of(self.table.lang(id)).naming.literal_types;
        let name = self.extended(id).map(|name| self.names.bytes(name));
        // One letter is a type parameter.
        types.is_empty() || name.is_none_or(|name| name.len() == 1 || types.contains(&name))
    }

    /// Keeps of the members that were found those that can be seen: what a class writes for another type (`fun Order.total()`
    /// inside of `Shop`) is seen in it alone, or by an import.
    pub(super) fn without_unseen(
        &self,
        file: FileId,
        doc: &Document,
        (at, found): (u32, &DocOccurrence),
        meaning: Meaning,
    ) -> Meaning {
        let naming = &lang::of(doc.lang).naming;
        let Meaning::Symbols(mut symbols, rule) = meaning else {
            return meaning;
        };
        let writer = |id: &SymbolId| {
            let around = self.table.container(*id);
            around.filter(|_| self.table.symbol(*id).receiver.is_some())
        };
        if naming.extensions != Extensions::Named || symbols.iter().all(|id| writer(id).is_none()) {
            return Meaning::Symbols(symbols, rule);
        }
        let outwards = std::iter::successors(found.owner(), |i| {
            doc.symbols.get(*i as usize).and_then(|of| of.container)
        });
        let around: Vec<SymbolId> = outwards
            .map(|i| self.members.canonical(self.table.id(file, i)))
            .collect();
        let imported = self.imported_around(file, doc, found.name, found.owner());
        // What a function is called on may have it.
        let is_within = doc.within(at).next().is_some();
        let is_seen = |id: &SymbolId| {
            let Some(writer) = writer(id) else {
                return true;
            };
            let writer = self.members.canonical(writer);
            let is_of = |class: &SymbolId| self.members.with_bases(*class).any(|of| of == writer);
            around.iter().any(is_of)
                || matches!(&imported, Meaning::Symbols(all, _) if all.contains(id))
        };
        let is_any_seen = symbols.iter().any(is_seen);
        if is_any_seen || !is_within {
            symbols.retain(is_seen);
        }
        match symbols.is_empty() {
            true => Meaning::Unknown,
            false => Meaning::Symbols(symbols, rule),
        }
    }

    /// What a bare name means that is found as the name of extensions, and not by what `this` is: on whose value it is
    /// called stands nowhere.
    pub(super) fn of_implied_object(
        &self,
        doc: &Document,
        found: &DocOccurrence,
        meaning: Meaning,
    ) -> Meaning {
        let naming = &lang::of(doc.lang).naming;
        let is_extension = |id: &SymbolId| self.table.symbol(*id).receiver.is_some();
        match meaning {
            Meaning::Symbols(symbols, rule)
                if naming.extensions == Extensions::Named
                    && rule <= Rule::Package
                    && symbols.iter().all(is_extension) =>
            {
                let exact = self.with_receiver(doc, found.owner(), &symbols);
                let is_usual = rule != Rule::Import && self.is_usual_member(naming, found);
                if is_usual && exact.is_none() {
                    return Meaning::External;
                }
                let of = exact.unwrap_or(symbols);
                match self.is_one(&of) {
                    true => Meaning::Symbols(of, rule.max(Rule::Unique)),
                    false => Meaning::Candidates(of.into(), Rule::Ambiguous),
                }
            }
            other => other,
        }
    }

    /// Of some extensions those of the type that the object is said to be of. `None` where there are none, since it may
    /// be a base that is extended.
    fn of_receiver(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        all: &[SymbolId],
        hops: Hops<'_>,
    ) -> Option<Vec<SymbolId>> {
        let found = doc.occurrences().get(at as usize)?;
        match found.qualifier {
            Qualifier::None | Qualifier::This => self.with_receiver(doc, found.owner(), all),
            _ => self.extending(self.type_written(file, doc, at, hops)?, all),
        }
    }

    /// Those of the type that the definition around extends.
    fn with_receiver(
        &self,
        doc: &Document,
        owner: Option<u32>,
        all: &[SymbolId],
    ) -> Option<Vec<SymbolId>> {
        let mut inside = owner;
        loop {
            let symbol = doc.symbols.get(inside? as usize)?;
            match (symbol.receiver, symbol.kind) {
                (Some(name), _) => return self.extending(name, all),
                (None, SymbolKind::Impl) => return self.extending(symbol.name, all),
                _ => inside = symbol.container,
            }
        }
    }

    /// Those that extend a type of this name.
    fn extending(&self, name: Name, all: &[SymbolId]) -> Option<Vec<SymbolId>> {
        let extends = |id: &&SymbolId| self.extended(**id) == Some(name);
        let found: Vec<SymbolId> = all.iter().filter(extends).copied().collect();
        (!found.is_empty()).then_some(found)
    }

    /// The name of the type that an extension extends.
    pub(super) fn extended(&self, id: SymbolId) -> Option<Name> {
        let symbol = self.table.symbol(id);
        if symbol.receiver.is_some() {
            return symbol.receiver;
        }
        if !symbol.flags.contains(SymbolFlags::EXTENSION) {
            let block = self.table.container(id)?;
            return Some(self.table.symbol(block).name);
        }
        // The type of the first parameter.
        let doc = self.docs.get(self.table.file(id))?;
        let position = self.table.position(id);
        let owner = |local: &&Local| {
            let declared = doc.occurrences().get(local.declared as usize);
            declared.and_then(DocOccurrence::owner) == Some(position)
        };
        let (_, locals) = doc.locals_from(position)?;
        let hint = locals.iter().find(owner)?.hint?;
        type_named_by(doc, hint)
    }

    /// The name of the type that the object of an occurrence is said to be of, where its declaration or the call that
    /// made it says so.
    fn type_written(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Option<Name> {
        let found: &DocOccurrence = doc.occurrences().get(at as usize)?;
        if found.qualifier == Qualifier::Expression {
            return type_named_by(doc, doc.receiver(at)?);
        }
        let object_at = at.checked_sub(1)?;
        let object = doc.occurrences().get(object_at as usize)?;
        if object.qualifier == Qualifier::None
            && let Some((_, local)) = doc.local_at(object.name, object_at)
        {
            return type_named_by(doc, local.hint?);
        }
        if self.is_type_elsewhere(doc, object_at) {
            return Some(object.name);
        }
        let Meaning::Symbols(symbols, _) = self.meaning(file, doc, object_at, hops) else {
            return None;
        };
        let [only] = *symbols else {
            return None;
        };
        let of = self.docs.get(self.table.file(only))?;
        type_named_by(of, of.value(self.table.position(only))?)
    }
}

/// Whether an extension can be seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sight {
    /// Nothing here shows it.
    No,
    Yes,
    /// An import names it, which wants it of what it is used on.
    Imported,
}

/// The name of the type that a hint names.
fn type_named_by(doc: &Document, hint: TypeHint) -> Option<Name> {
    let is_named = matches!(hint.kind, HintKind::Type | HintKind::Result);
    let named = doc.occurrences().get(hint.occurrence as usize);
    named.filter(|_| is_named).map(|named| named.name)
}
