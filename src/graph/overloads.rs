//! Functions of one name in several places, told apart by how many arguments they take: `fun md5()` of a class is not what
//! `md5(source)` calls, nor is the `encode` of four arguments that `Base64` writes what `base64.encode(bytes)` calls.
//!
//! A call says how many arguments it has (see [`HintKind::Count0`]); where it says nothing, a name right behind its
//! parenthesis is one. A parameter says whether it may be left out or takes any number. Guarantees: a function is given up
//! only for another of its name that the call fits and that can be seen; what is not known fits. Deliberately absent: what
//! else tells overloads apart.

use super::documents::{DocOccurrence, Document};
use super::lambdas::{MAX_TAKEN, own_parameters};
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::table::SymbolId;
use super::value::Value;
use crate::extract::record::{HintKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::lang::{self, naming::Counts};
use crate::view::live::FileId;

/// Definitions of one name in one place that are looked at.
const MAX_OVERLOADS: usize = 32;

/// Types on the way to a base that are looked at for what a call fits, and for what gives values to parameters.
const MAX_BASES: usize = 12;
const MAX_OVERRIDDEN: usize = 8;

/// How many arguments a call has, at least and at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    least: usize,
    most: usize,
    /// Whether it is called on an object, which an extension has as its first parameter.
    on_object: bool,
}

impl Resolver<'_> {
    /// How many arguments a call has, if that says anything. `object` is what it is called on.
    pub(super) fn count_given(
        &self,
        doc: &Document,
        (at, found): (u32, &DocOccurrence),
        object: Option<&Value>,
    ) -> Option<Count> {
        let naming = &lang::of(doc.lang).naming;
        if found.kind != OccurrenceKind::Call || !naming.overloads {
            return None;
        }
        let (least, most) = match (doc.counted(at), naming.counts) {
            (Some(said), _) => said,
            (None, Counts::Nothing) if self.is_handed_name(doc, at) => (1, usize::MAX),
            (None, _) if self.is_handed_name(doc, at) => (1, 1),
            (None, Counts::All) => (0, 0),
            (None, Counts::Nothing | Counts::Lists) => return None,
        };
        let is_of_type = matches!(object, Some(Value::Type(_)));
        let on_object = found.qualifier != Qualifier::None && !is_of_type;
        Some(Count {
            least,
            most,
            on_object,
        })
        .filter(|given| (given.least, given.most) != (0, usize::MAX))
    }

    /// What a call means that gives so many arguments: of what was found those that take so many, else what a base has
    /// or what is seen beyond it.
    pub(super) fn that_takes(
        &self,
        file: FileId,
        doc: &Document,
        (at, found): (u32, &DocOccurrence),
        object: Option<&Value>,
        meaning: Meaning,
    ) -> Meaning {
        let Meaning::Symbols(symbols, rule) = &meaning else {
            return meaning;
        };
        let Some(given) = self.count_given(doc, (at, found), object) else {
            return meaning;
        };
        if symbols.len() > MAX_OVERLOADS || !self.has_others(found, symbols) {
            return meaning;
        }
        let fits = |id: &SymbolId| self.fits(*id, given);
        if symbols.iter().any(fits) {
            // Where nothing is said of calls, a function may take what binds no name.
            if !counts(doc) {
                return meaning;
            }
            let fitting = symbols.iter().copied().filter(fits).collect();
            return Meaning::Symbols(fitting, *rule);
        }
        let of = |all: Vec<SymbolId>, rule: Rule| {
            let mut all: Vec<SymbolId> = all.into_iter().take(MAX_OVERLOADS).collect();
            all.retain(|id| self.is_function(*id) && self.fits(*id, given));
            (!all.is_empty()).then_some(Meaning::Symbols(all, rule))
        };
        let class = symbols.first().and_then(|id| {
            let around = || Some(self.members.canonical(self.table.container(*id)?));
            self.members.owner(*id).or_else(around)
        });
        let bases = class
            .into_iter()
            .flat_map(|class| self.members.with_bases(class).skip(1).take(MAX_BASES));
        let mut inherited = bases.filter_map(|base| {
            let members = self.members.direct(base, found.name).collect();
            of(members, Rule::Inherited)
        });
        if let Some(inherited) = inherited.next() {
            return inherited;
        }
        if found.qualifier != Qualifier::None {
            return meaning;
        }
        let imported = match self.imported_around(file, doc, found.name, found.owner()) {
            Meaning::Symbols(all, rule) => of(all, rule),
            _ => None,
        };
        let package = || self.top_in(found.name, self.modules.package_of(file));
        imported
            .or_else(|| of(self.table.top(file, found.name).collect(), Rule::Scope))
            .or_else(|| of(package(), Rule::Package))
            .unwrap_or(meaning)
    }

    /// Whether there is anything beside what a name was found to mean that it may mean in its place.
    fn has_others(&self, found: &DocOccurrence, symbols: &[SymbolId]) -> bool {
        let named = self.table.named(found.name).take(symbols.len() + 1);
        symbols.len() > 1 || named.count() > symbols.len()
    }

    /// Whether no function among some takes as many arguments as a call gives.
    pub(super) fn none_fits(&self, symbols: &[SymbolId], given: Option<Count>) -> bool {
        let Some(given) = given else {
            return false;
        };
        symbols.len() <= MAX_OVERLOADS && symbols.iter().all(|id| !self.fits(*id, given))
    }

    /// What a call means, unless it is no more than the only definition of its name and does not take as many arguments.
    pub(super) fn unless_unfit(
        &self,
        doc: &Document,
        (at, found): (u32, &DocOccurrence),
        object: Option<&Value>,
        meaning: Meaning,
    ) -> Meaning {
        match &meaning {
            Meaning::Symbols(symbols, Rule::Unique)
                if counts(doc)
                    && self.none_fits(symbols, self.count_given(doc, (at, found), object)) =>
            {
                Meaning::Unknown
            }
            _ => meaning,
        }
    }

    /// Whether a function takes as many arguments as a call gives, as far as it says.
    pub(super) fn fits(&self, id: SymbolId, given: Count) -> bool {
        if !self.is_function(id) {
            return true;
        }
        let Some((mut least, mut most)) = self.takes_so_many(id) else {
            return true;
        };
        if given.on_object && self.takes_its_object(id) {
            (least, most) = (least.saturating_sub(1), most.saturating_sub(1));
        }
        given.least <= most && (least <= given.most || self.may_lack(id, most, given))
    }

    /// Whether what a function overrides, or is declared as elsewhere, gives values to the parameters that a call leaves
    /// out: those are not written again.
    fn may_lack(&self, id: SymbolId, parameters: usize, given: Count) -> bool {
        let (file, name) = (self.table.file(id), self.table.symbol(id).name);
        let of_own = |other: &SymbolId| {
            self.table.file(*other) == file
                && self.table.container(*other) == self.table.container(id)
        };
        let may_be_less = |other: SymbolId| {
            let takes = self.takes_so_many(other);
            takes.is_some_and(|(least, most)| most == parameters && least <= given.most)
        };
        let class = self.members.owner(id).or_else(|| {
            let around = self.table.container(id)?;
            Some(self.members.canonical(around))
        });
        let all: Vec<SymbolId> = match class {
            Some(class) => {
                let levels = self.members.with_bases(class).take(MAX_OVERRIDDEN);
                let named = levels.flat_map(|level| self.members.direct(level, name));
                named.take(MAX_OVERLOADS).collect()
            }
            None => self.top_in(name, self.modules.package_of(file)),
        };
        let mut others = all
            .iter()
            .take(MAX_OVERLOADS)
            .filter(|other| !of_own(other));
        others.any(|other| self.is_function(*other) && may_be_less(*other))
    }

    /// Whether the first parameter of a function is what it is called on.
    fn takes_its_object(&self, id: SymbolId) -> bool {
        let is_extension = |id| {
            let flags = self.table.symbol(id).flags;
            flags.contains(SymbolFlags::EXTENSION)
        };
        is_extension(id) && !self.table.container(id).is_some_and(is_extension)
    }

    /// How many arguments a function takes, at least and at most; `None` where that is not known.
    fn takes_so_many(&self, id: SymbolId) -> Option<(usize, usize)> {
        let doc = self.docs.get(self.table.file(id))?;
        let (mut least, mut most) = (0, 0usize);
        for parameter in own_parameters(doc, self.table.position(id)) {
            let said = doc.receiver(parameter.declared).map(|hint| hint.kind);
            match said {
                Some(HintKind::Rest) => most = usize::MAX,
                Some(HintKind::Preset) => most = most.saturating_add(1),
                _ => (least, most) = (least + 1, most.saturating_add(1)),
            }
        }
        match counts(doc) || most == 0 {
            _ if most >= MAX_TAKEN && most != usize::MAX => None,
            true => Some((least, most)),
            false => Some((0, usize::MAX)),
        }
    }

    /// What callers see of how many arguments a function takes.
    pub(super) fn takes_seen(&self, id: SymbolId) -> Vec<Value> {
        let Some((least, most)) = self.takes_so_many(id).filter(|_| self.is_function(id)) else {
            return Vec::new();
        };
        let given = std::iter::repeat_n(Value::Never, least);
        let open = std::iter::repeat_n(
            Value::Literal,
            most.min(MAX_TAKEN + 1).saturating_sub(least),
        );
        given.chain(open).chain([Value::Unknown]).collect()
    }

    fn is_function(&self, id: SymbolId) -> bool {
        matches!(
            self.table.symbol(id).kind,
            SymbolKind::Function | SymbolKind::Method
        )
    }

    /// Whether a name stands right behind the parenthesis of a call.
    pub(super) fn is_handed_name(&self, doc: &Document, at: u32) -> bool {
        let uses = doc.occurrences();
        let (Some(called), Some(next)) = (uses.get(at as usize), uses.get(at as usize + 1)) else {
            return false;
        };
        let end = called.col + self.names.bytes(called.name).len() as u32;
        (next.line, next.col) == (called.line, end + 1)
            && matches!(next.kind, OccurrenceKind::Read | OccurrenceKind::Call)
            && next.qualifier == Qualifier::None
    }

    /// Whether a function has parameters.
    pub(super) fn takes_any(&self, id: SymbolId) -> bool {
        let Some(doc) = self.docs.get(self.table.file(id)) else {
            return true;
        };
        own_parameters(doc, self.table.position(id))
            .next()
            .is_some()
    }
}

/// Whether calls of a document say how many arguments they have, and parameters whether they have to be given.
fn counts(doc: &Document) -> bool {
    lang::of(doc.lang).naming.counts != Counts::Nothing
}
