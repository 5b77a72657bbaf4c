//! Names that nothing connects with a definition: the only definition that fits, or all of them.
//!
//! What fits depends on the name and on a few facts about the place, so each list is made once
//! however often the name occurs: `name` and `get` occur ten thousand times in large repositories.

use super::documents::{DocOccurrence, Document};
use super::names::Name;
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::semantics;
use super::table::SymbolId;
use crate::extract::record::{Grammar, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::lang::{self, naming::Naming};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Maps that the lists are spread over, so that threads seldom wait for each other.
const SHARDS: usize = 16;

/// What a list depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    name: Name,
    /// `None` for mentions in prose, which may be of any language.
    family: Option<Grammar>,
    way: Way,
}

/// How a name stands where it occurs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    Mention,
    Bare {
        kind: Use,
        members: bool,
    },
    Member(Use),
    /// What a literal gives its object: a member of a new one.
    Key,
    /// A member in a language whose objects have fields only (C).
    Field,
}

/// Kinds of use that ask for different definitions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    Type,
    Call,
    Value,
}

impl Use {
    fn of(kind: OccurrenceKind) -> Self {
        match kind {
            OccurrenceKind::Type | OccurrenceKind::Inherit => Self::Type,
            OccurrenceKind::Call => Self::Call,
            _ => Self::Value,
        }
    }

    /// An occurrence kind that stands for all of its like.
    fn kind(self) -> OccurrenceKind {
        match self {
            Self::Type => OccurrenceKind::Type,
            Self::Call => OccurrenceKind::Call,
            Self::Value => OccurrenceKind::Read,
        }
    }
}

/// The lists made so far.
#[derive(Default)]
pub struct Guesses {
    shards: [Mutex<FxHashMap<Key, Arc<[SymbolId]>>>; SHARDS],
}

impl Guesses {
    fn get(&self, key: Key, make: impl FnOnce() -> Vec<SymbolId>) -> Arc<[SymbolId]> {
        let shard = &self.shards[key.name.0 as usize % SHARDS];
        let known = |shard: &Mutex<FxHashMap<_, _>>| {
            let lists = shard.lock().unwrap_or_else(PoisonError::into_inner);
            lists.get(&key).cloned()
        };
        if let Some(list) = known(shard) {
            return list;
        }
        let list: Arc<[SymbolId]> = make().into();
        let mut lists = shard.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever came first counts, so that one list has one address.
        lists.entry(key).or_insert(list).clone()
    }
}

impl Resolver<'_> {
    /// A string or documentation that holds exactly a name.
    pub(super) fn mention(&self, lang: Grammar, name: Name) -> Meaning {
        let family = (!lang::of(lang).genre.speaks_of_code()).then(|| lang::of(lang).family);
        let way = Way::Mention;
        let found = self.guesses.get(Key { name, family, way }, || {
            let fits = |id: &SymbolId| family.is_none_or(|family| self.table.family(*id) == family);
            self.table.named(name).filter(fits).collect()
        });
        match found.is_empty() {
            true => Meaning::Unknown,
            false => Meaning::Candidates(found, Rule::Mention),
        }
    }

    /// Nothing connects the name with a definition.
    pub(super) fn guess(&self, doc: &Document, found: &DocOccurrence) -> Meaning {
        let bare = found.qualifier == Qualifier::None;
        let naming = &lang::of(doc.lang).naming;
        let tells_globals = naming.types_are_declared || naming.names_are_calls;
        let is_global = bare && tells_globals && self.is_global(doc, found.name);
        if found.kind == OccurrenceKind::Import || (bare && !naming.loose_names) || is_global {
            return Meaning::Unknown;
        }
        let (name, kind) = (found.name, Use::of(found.kind));
        let way = match bare {
            true => Way::Bare {
                kind,
                members: naming.implicit_members,
            },
            false if naming.members_are_fields => Way::Field,
            false => Way::Member(kind),
        };
        let of = lang::of(doc.lang).family;
        let family = Some(of);
        let all = self
            .guesses
            .get(Key { name, family, way }, || self.candidates(name, of, way));
        // The name of an argument is a parameter's, but for a class that is made under another name.
        let is_argument = names_argument(naming, found);
        match &*all {
            [] => Meaning::Unknown,
            one if self.is_one(one) && !is_argument && !self.is_usual(naming, found) => {
                // Names of types that lie in nothing are one namespace for all files.
                let is_path = naming.types_need_paths && bare;
                let rule = match is_path && one.iter().all(|id| self.is_outer_type(*id)) {
                    true => Rule::Package,
                    false => Rule::Unique,
                };
                Meaning::Symbols(one.to_vec(), rule)
            }
            _ if way == Way::Member(Use::Value) && is_key(found) => {
                let way = Way::Key;
                let made = || self.candidates(name, of, way);
                let all = self.guesses.get(Key { name, family, way }, made);
                match all.is_empty() {
                    true => Meaning::Unknown,
                    false => Meaning::Candidates(all, Rule::Ambiguous),
                }
            }
            _ => Meaning::Candidates(all, Rule::Ambiguous),
        }
    }

    /// Whether some definitions are one to who does not know of which type they are: overloads in one type, or what a
    /// type that is elsewhere is declared and defined to have.
    pub(super) fn is_one(&self, all: &[SymbolId]) -> bool {
        let [first, others @ ..] = all else {
            return false;
        };
        if others.is_empty() {
            return true;
        }
        let class = |id: SymbolId| {
            let around = || Some(self.members.canonical(self.table.container(id)?));
            self.members.owner(id).or_else(around)
        };
        let of = class(*first);
        if of.is_some() && others.iter().all(|id| class(*id) == of) {
            return true;
        }
        if self.is_ahead(all) {
            return true;
        }
        let name = |id: SymbolId| {
            let around = || Some(self.table.symbol(self.table.container(id)?).name);
            self.table.symbol(id).receiver.or_else(around)
        };
        let is_open = |id: &&SymbolId| {
            let flags = self.table.symbol(**id).flags;
            flags.contains(SymbolFlags::DECLARATION)
        };
        let of = name(*first);
        let is_linked = || lang::of(self.table.lang(*first)).naming.linked;
        of.is_some()
            && is_linked()
            && others.iter().all(|id| name(*id) == of)
            && all.iter().filter(|id| !is_open(id)).count() <= 1
    }

    /// Whether some definitions are what a package declares and what it defines of it, all for one type.
    fn is_ahead(&self, all: &[SymbolId]) -> bool {
        let symbol = |id: &SymbolId| self.table.symbol(*id);
        let is_open = |id: &SymbolId| symbol(id).flags.contains(SymbolFlags::DECLARATION);
        let [first, others @ ..] = all else {
            return false;
        };
        if !lang::of(self.table.lang(*first)).naming.declares_ahead || !all.iter().any(is_open) {
            return false;
        }
        let package = self.modules.package_of(self.table.file(*first));
        let is_same = |id: &SymbolId| {
            symbol(id).receiver == symbol(first).receiver && package.contains(&self.table.file(*id))
        };
        all.iter().all(|id| symbol(id).container.is_none()) && others.iter().all(is_same)
    }

    /// Whether some definitions are one, by a name that says enough.
    pub(super) fn is_only(&self, doc: &Document, found: &DocOccurrence, all: &[SymbolId]) -> bool {
        self.is_one(all) && !self.is_usual(&lang::of(doc.lang).naming, found)
    }

    /// Whether a name says little: many things from outside have it.
    fn is_usual(&self, naming: &Naming, found: &DocOccurrence) -> bool {
        let is_called = found.kind == OccurrenceKind::Call || naming.collections.are_read;
        let is_method = is_called && found.qualifier != Qualifier::None;
        let of_library = || is_method && (naming.library_members)(self.names.bytes(found.name));
        self.common.contains(found.name) || of_library()
    }

    /// Whether types of libraries have members of this name, in whatever case.
    pub(super) fn is_usual_member(&self, naming: &Naming, found: &DocOccurrence) -> bool {
        let name = self.names.bytes(found.name);
        (naming.library_members)(name) || semantics::is_common(name)
    }

    fn candidates(&self, name: Name, family: Grammar, way: Way) -> Vec<SymbolId> {
        let fits = |id: &SymbolId| {
            if self.table.family(*id) != family {
                return false;
            }
            let symbol = self.table.symbol(*id);
            match way {
                // What lies in a function was asked for where it can be seen.
                Way::Bare { members: true, .. } if self.is_in_function(*id) => false,
                // A bare name cannot mean a member of a class, but for languages without `this`.
                Way::Bare { members, .. } => members || !self.is_member(*id),
                Way::Field => symbol.kind == SymbolKind::Field,
                // Nobody gets at a function in a function as a member.
                _ if symbol.kind == SymbolKind::Function => !self.is_in_function(*id),
                _ => symbol.container.is_some() || symbol.receiver.is_some(),
            }
        };
        let mut all: Vec<SymbolId> = self.table.named(name).filter(fits).collect();
        let kind = match way {
            Way::Bare { kind, .. } | Way::Member(kind) => Some(kind),
            Way::Key => Some(Use::Value),
            Way::Mention | Way::Field => None,
        };
        if let Some(kind) = kind {
            all.retain(|id| self.may_be_type(kind.kind(), *id));
        }
        let is_type_alone = matches!(
            way,
            Way::Bare {
                kind: Use::Type,
                ..
            }
        );
        if is_type_alone && lang::of(family).naming.types_are_declared {
            all.retain(|id| semantics::is_type(self.table.symbol(*id).kind));
        }
        // What is open around the name was asked before, so it means what is in nothing, if there is that.
        let is_outer = |id: &SymbolId| self.is_outer_type(*id);
        if matches!(way, Way::Bare { .. })
            && lang::of(family).naming.types_need_paths
            && all.iter().any(is_outer)
        {
            all.retain(is_outer);
        }
        // Of a type in many parts each use would mean them all.
        if let [first, _, ..] = *all {
            let whole = self.members.canonical(first);
            if all.iter().all(|id| self.members.canonical(*id) == whole) {
                return vec![whole];
            }
        }
        match way {
            Way::Bare { kind, .. } => self.fitting(kind.kind(), false, all),
            Way::Member(kind) => self.fitting(kind.kind(), true, all),
            // No object that has a name already.
            Way::Key => {
                all.retain(|id| !self.is_of_object(*id));
                self.fitting(Use::Value.kind(), true, all)
            }
            Way::Mention | Way::Field => all,
        }
    }

    fn is_in_function(&self, id: SymbolId) -> bool {
        let container = self.table.container(id);
        let inside = container.map(|container| self.table.symbol(container).kind);
        matches!(inside, Some(SymbolKind::Function | SymbolKind::Method))
    }

    /// Whether a definition lies in an object that is written: one that a variable holds or a function returns.
    fn is_of_object(&self, id: SymbolId) -> bool {
        use SymbolKind::{Constant, Field, Function, Method, Variable};
        let mut around =
            std::iter::successors(self.table.container(id), |id| self.table.container(*id));
        let holder = around.find_map(|id| {
            let kind = self.table.symbol(id).kind;
            (kind != Field).then_some(kind)
        });
        matches!(holder, Some(Constant | Function | Method | Variable))
    }

    fn is_outer_type(&self, id: SymbolId) -> bool {
        let symbol = self.table.symbol(id);
        // `class Page::Title` lies in what is named before it.
        let lies_in_nothing = symbol.container.is_none() && symbol.receiver.is_none();
        lies_in_nothing && semantics::is_type(symbol.kind)
    }

    fn is_member(&self, id: SymbolId) -> bool {
        let in_class = self
            .table
            .container(id)
            .is_some_and(|c| semantics::has_members(self.table.symbol(c).kind));
        in_class || self.table.symbol(id).receiver.is_some()
    }
}

/// Whether a name may be that of an argument, in a language that writes it as a member of what is called.
pub(super) fn names_argument(naming: &Naming, found: &DocOccurrence) -> bool {
    naming.keyword_arguments && is_key(found)
}

/// Whether a name is what a literal gives its object: those of patterns are read.
fn is_key(found: &DocOccurrence) -> bool {
    found.kind == OccurrenceKind::Write && found.qualifier == Qualifier::Expression
}
