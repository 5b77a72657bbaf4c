//! What an occurrence means: the definitions, and the rule that led there.

use super::bindings::Seen;
use super::compiled::Compiled;
use super::documents::{DocOccurrence, DocSymbol, Document, Documents};
use super::globals::Globals;
use super::guess::Guesses;
use super::hops::{Hops, Search};
use super::imports::Imports;
use super::includes::Includes;
use super::members::Members;
use super::memo::Memo;
use super::modules::{Modules, Place};
use super::names::{Name, Names};
use super::rule::Rule;
use super::semantics::{self, CommonNames};
use super::table::{SymbolId, SymbolTable};
use super::trail::Barren;
use super::value::{Value, Values};
use crate::extract::record::{
    Grammar, HintKind, Local, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind, TypeHint,
};
use crate::lang;
use crate::lang::naming::Accessors;
use crate::view::live::{FileId, View};
use std::sync::{Arc, OnceLock};

/// What an occurrence means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A name bound inside a function or block of the same document, by its position there; [`BOUND_ELSEWHERE`] for a
    /// type parameter of a type that a block adds to.
    Local(u32),
    /// Definitions, sorted. Several when a name is defined several times in one place (overloads,
    /// a prototype and its body, both branches of a condition), or when the rule is unsure.
    Symbols(Vec<SymbolId>, Rule),
    /// One of these definitions, or none: only the name connects them. Sorted.
    Candidates(Arc<[SymbolId]>, Rule),
    /// A module of the repository.
    Module(Place, Rule),
    /// Something outside the repository, or of the language itself.
    External,
    /// Nothing in the repository has this name, or nothing that fits.
    Unknown,
}

/// Stands for a local name of another document.
pub(super) const BOUND_ELSEWHERE: u32 = u32::MAX;

impl Meaning {
    /// The same, found on an object that may have been a guess.
    pub(super) fn found_on(self, is_guess: bool) -> Self {
        match self {
            Self::Symbols(symbols, rule) => Self::Symbols(symbols, rule.or_presumed(is_guess)),
            Self::Candidates(all, rule) => Self::Candidates(all, rule.or_presumed(is_guess)),
            Self::Module(place, rule) => Self::Module(place, rule.or_presumed(is_guess)),
            other => other,
        }
    }

    /// Whether nothing was found.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }
}

/// Everything that resolution looks at.
pub struct Resolver<'a> {
    pub(super) view: &'a View,
    pub(super) names: &'a Names,
    pub(super) docs: &'a Documents,
    pub(super) table: &'a SymbolTable<'a>,
    pub(super) modules: &'a Modules,
    /// By file, by import: what the specifier stands for.
    pub(super) imports: &'a Imports,
    /// By C file: the headers it sees.
    pub(super) includes: &'a Includes,
    /// Names that are declared for all files.
    pub(super) globals: Arc<Globals>,
    pub(super) common: &'a CommonNames,
    pub(super) guesses: Guesses,
    /// What compilers say, which outranks all of it.
    pub(super) compiled: Compiled,
    /// By file, by bound name: what imports bind it to, once it was asked for.
    pub(super) imported: Vec<OnceLock<Box<[OnceLock<Meaning>]>>>,
    /// Modules that give nothing out under a name, kept once members are known.
    pub(super) barren: Option<Barren>,
    pub(super) members: Members,
    pub(super) values: Values,
}

/// What a bare name is looked up for.
#[derive(Clone, Copy)]
pub(super) struct Sought {
    pub(super) kind: OccurrenceKind,
    /// What is no type is passed over.
    pub(super) only_types: bool,
    /// Methods are passed over.
    pub(super) no_methods: bool,
    /// The type of a method that is written outside of it (`A::f`) may be looked up by name, once; that lookup may
    /// not, or each method in a method doubles the work.
    pub(super) may_ask: bool,
}

impl Sought {
    fn takes(self, kind: SymbolKind) -> bool {
        let is_method = matches!(kind, SymbolKind::Method | SymbolKind::Function);
        (!self.only_types || semantics::is_type(kind)) && !(self.no_methods && is_method)
    }
}

/// Definitions in several files that one use may mean: the first ones. A name that more files define than
/// this is told apart by nothing that is looked at here.
pub(super) const MAX_MEANT: usize = 1024;

impl Resolver<'_> {
    /// Resolves one occurrence of a file.
    pub(super) fn resolve(&self, file: FileId, occurrence: u32, memo: &Memo) -> Meaning {
        match self.docs.get(file) {
            Some(doc) => {
                let search = Search::with(memo);
                self.meaning(file, doc, occurrence, Hops::new(&search))
            }
            None => Meaning::Unknown,
        }
    }

    pub(super) fn meaning(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Meaning {
        let meaning = self.first_meaning(file, doc, at, hops);
        self.or_its_namespace(doc, at, meaning)
    }

    fn first_meaning(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Meaning {
        let Some(found) = doc.occurrences().get(at as usize) else {
            return Meaning::Unknown;
        };
        let Some(hops) = hops.next() else {
            return Meaning::Unknown;
        };
        if found.kind == OccurrenceKind::Mention {
            return self.in_quotes(file, doc, at, found, hops);
        }
        if found.kind == OccurrenceKind::Import
            && let Some(of) = doc.taken_from(at)
            && let chosen @ Meaning::Symbols(..) = self.member_by_hint(file, doc, found, of, hops)
        {
            return chosen;
        }
        if found.kind == OccurrenceKind::Import {
            let imported = self.in_import(file, doc, found);
            if !imported.is_unknown() {
                return self.with_added(imported);
            }
        }
        if let Some(called) = self.setter(doc, at, found) {
            let meaning = match found.qualifier {
                Qualifier::This => self.of_this(file, doc, at, &called, hops),
                _ => self.member(file, doc, at, &called, hops),
            };
            if let Meaning::Symbols(..) | Meaning::Candidates(..) = meaning {
                return meaning;
            }
        }
        let meaning = match found.qualifier {
            // A local name that is taken out of an object is a member of it, too.
            Qualifier::None
                if found.kind == OccurrenceKind::Write
                    && let Some(hint) = doc.taken_from(at) =>
            {
                match self.member_by_hint(file, doc, found, hint, hops) {
                    Meaning::Symbols(symbols, rule) => Meaning::Symbols(symbols, rule),
                    _ => self.bare(file, doc, at, found, hops),
                }
            }
            Qualifier::None => self.bare(file, doc, at, found, hops),
            Qualifier::This => {
                let meaning = self.of_this(file, doc, at, found, hops);
                let meaning = self.that_takes(file, doc, (at, found), None, meaning);
                self.or_extension(file, doc, at, (&Value::External, meaning), hops)
            }
            Qualifier::Previous if let Some(module) = self.module_in_full(file, doc, at) => {
                return Meaning::Symbols(module, Rule::Qualified);
            }
            Qualifier::Previous | Qualifier::Expression => {
                return self.member(file, doc, at, found, hops);
            }
        };
        let meaning = self.or_of_heirs(file, doc, found, meaning);
        let of = match found.qualifier {
            Qualifier::This => self.this_type(file, doc, found.owner()),
            _ => None,
        };
        let meaning = self.settled(doc, found, meaning);
        let meaning = self.unless_unfit(doc, (at, found), None, meaning);
        self.by_labels(doc, at, (found, of), meaning)
    }

    /// The last word on an occurrence: a guess where nothing was found, and of several definitions
    /// those that can be used so.
    pub(super) fn settled(
        &self,
        doc: &Document,
        found: &DocOccurrence,
        meaning: Meaning,
    ) -> Meaning {
        match meaning {
            Meaning::Unknown => self.guess(doc, found),
            Meaning::Symbols(symbols, rule) => {
                let member = found.qualifier != Qualifier::None;
                let fitting = self.fitting(found.kind, member, symbols);
                self.with_added(Meaning::Symbols(fitting, rule))
            }
            known => known,
        }
    }

    /// A bare name: local, in an enclosing scope, in the file, imported, of the package.
    pub(super) fn bare(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        found: &DocOccurrence,
        hops: Hops<'_>,
    ) -> Meaning {
        if found.kind == OccurrenceKind::Type
            && let Some(types) = self.types_beside_local(file, doc, at, found)
        {
            return Meaning::Symbols(types, Rule::Scope);
        }
        if let Some((local, binding)) = doc.local_at(found.name, at)
            && self.is_bound_here(file, doc, found, binding)
            && !is_called_by_name(doc, found)
            && Self::is_local_checked(doc, found.name, binding)
        {
            let given = binding.declared == at && is_injected(binding);
            let fixture = given.then(|| self.fixture(file, doc, found.name));
            return fixture.flatten().unwrap_or(Meaning::Local(local));
        }
        // Where a name is bound it means nothing else, although it may be seen only behind its statement.
        if found.kind == OccurrenceKind::Write
            && let Some(local) = doc.local_bound_at(at)
        {
            return Meaning::Local(local);
        }
        if self.parameter_of_block(file, doc, found).is_some() {
            return Meaning::Local(BOUND_ELSEWHERE);
        }
        if let Some(member) = self.of_within(file, doc, (at, found), true, hops) {
            return member;
        }
        let meaning = self.bare_name(file, doc, found.name, found.owner(), found.kind);
        if !matches!(
            meaning,
            Meaning::Symbols(_, Rule::Scope | Rule::This | Rule::Inherited)
        ) && let Some(member) = self.of_within(file, doc, (at, found), false, hops)
        {
            return member;
        }
        let meaning = self.that_takes(file, doc, (at, found), None, meaning);
        let meaning = self.of_arity(doc, at, meaning);
        let meaning = self.or_its_type(file, doc, at, meaning);
        self.of_implied_object(doc, found, meaning)
    }

    /// The function that gives a parameter of its name its value: of the file, or of the nearest file of
    /// fixtures in a folder around it.
    fn fixture(&self, file: FileId, doc: &Document, name: Name) -> Option<Meaning> {
        let fixtures = lang::of(doc.lang).naming.fixture_file?;
        let of = |file: FileId| {
            let doc = self.docs.get(file)?;
            let meant = self.bare_name(file, doc, name, None, OccurrenceKind::Read);
            let Meaning::Symbols(mut symbols, _) = meant else {
                return None;
            };
            symbols.retain(|id| {
                let symbol = self.table.symbol(*id);
                semantics::is_callable(symbol.kind) && symbol.flags.contains(SymbolFlags::DECORATED)
            });
            (!symbols.is_empty()).then_some(Meaning::Symbols(symbols, Rule::Fixture))
        };
        let mut folder = self.view.file(file).path.as_bytes();
        let mut found = of(file);
        while found.is_none() {
            let end = folder.iter().rposition(|b| *b == b'/').map(|at| at + 1);
            folder = &folder[..end.unwrap_or(0)];
            let path = [folder, fixtures.as_bytes()].concat();
            found = self.view.file_at(&path).and_then(of);
            folder = match folder.strip_suffix(b"/") {
                Some(above) => above,
                None => break,
            };
        }
        found
    }

    /// A bare name that is no local one, as seen from inside a symbol.
    pub(super) fn bare_name(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        owner: Option<u32>,
        kind: OccurrenceKind,
    ) -> Meaning {
        let of = Sought {
            kind,
            only_types: false,
            no_methods: self.is_constant(doc, name) && !kind.is_call(),
            may_ask: true,
        };
        match self.bare_name_past(file, doc, name, owner, of) {
            Meaning::Symbols(symbols, _)
                if let Some(types) =
                    self.types_behind(file, doc, name, owner, (kind, &symbols)) =>
            {
                types
            }
            Meaning::Symbols(mut symbols, rule) => {
                symbols.retain(|id| self.may_be_type(kind, *id));
                match symbols.is_empty() {
                    true => Meaning::Unknown,
                    false => Meaning::Symbols(symbols, rule),
                }
            }
            other => other,
        }
    }

    /// Whether a symbol may be what is meant where a type is wanted; of other uses nothing is said.
    pub(super) fn may_be_type(&self, kind: OccurrenceKind, id: SymbolId) -> bool {
        use SymbolKind::{Constructor, Function, Method};
        let is_function = matches!(self.table.symbol(id).kind, Function | Method | Constructor);
        let is_apart = || lang::of(self.table.lang(id)).naming.types_are_declared;
        kind != OccurrenceKind::Type || !is_function || !is_apart()
    }

    /// As [`Self::bare_name`], of what is sought.
    pub(super) fn bare_name_past(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        owner: Option<u32>,
        sought: Sought,
    ) -> Meaning {
        let kind = sought.kind;
        let mut may_ask = sought.may_ask;
        let mut in_test = false;
        if kind == OccurrenceKind::Expand {
            return self.expanded(file, doc, name, owner);
        }
        let naming = &lang::of(doc.lang).naming;
        let may_mean = |id: &SymbolId| {
            self.may_mean(doc.lang, kind, *id) && sought.takes(self.table.symbol(*id).kind)
        };
        let mut inside = owner;
        // What is given to a name of a class stands in the body of that, as does what stands there by itself.
        let mut in_body = true;
        while let Some(i) = inside {
            let id = self.table.id(file, i);
            let symbol = &doc.symbols[i as usize];
            let class = semantics::has_members(symbol.kind);
            in_test |= symbol.kind == SymbolKind::Test;
            // A class body sees its own names in every language; what is nested in it may not.
            let visible = !class
                || symbol.kind == SymbolKind::Module
                || naming.implicit_members
                || (in_body && naming.sees_class_body);
            in_body &= semantics::is_value(symbol.kind);
            if visible {
                let found: Vec<SymbolId> = self
                    .table
                    .inside(id, name)
                    .filter(|id| self.table.symbol(*id).kind != SymbolKind::Constructor)
                    .filter(|id| class || !is_of_object(doc, *id, self.table))
                    .filter(may_mean)
                    .collect();
                let is_other =
                    class && naming.implicit_members && self.is_another_sort(&found, kind);
                if !found.is_empty() && !is_other {
                    let found = match class {
                        true => self.with_declared_members(id, name, found),
                        false => found,
                    };
                    let found = match naming.linked {
                        true => self.with_defined(found),
                        false => found,
                    };
                    return Meaning::Symbols(found, Rule::Scope);
                }
                if class
                    && naming.implicit_members
                    && let Some(meaning) = self.visible_members(id, name, sought)
                {
                    return meaning;
                }
            }
            let imported = self.imported_called(file, doc, name, (Seen::In(i), kind));
            if !imported.is_unknown() {
                return imported;
            }
            // The class that a method written elsewhere belongs to.
            if let Some(receiver) = symbol.receiver
                && naming.implicit_members
                && let Some(owner) = self.members.owner(id).or_else(|| {
                    if !std::mem::take(&mut may_ask) {
                        return None;
                    }
                    let of = Sought {
                        kind: OccurrenceKind::Type,
                        only_types: false,
                        no_methods: false,
                        may_ask: false,
                    };
                    self.type_of(self.bare_name_past(file, doc, receiver, symbol.container, of))
                })
                && let Some(meaning) = self.visible_members(owner, name, sought)
            {
                return meaning;
            }
            inside = doc.around(i);
        }
        if in_test && let Some(meaning) = self.of_base_of_tests(doc, name, sought) {
            return meaning;
        }
        let top: Vec<SymbolId> = self.table.top(file, name).filter(may_mean).collect();
        let fits = |id: &SymbolId| {
            kind != OccurrenceKind::Type || semantics::is_type(self.table.symbol(*id).kind)
        };
        // `const x = require("x").x` defines and imports at once: the import says more.
        let imported = self.imported_called(file, doc, name, (Seen::Everywhere, kind));
        if !top.is_empty() && (imported.is_unknown() || top.iter().any(fits)) {
            return self.with_declared(doc.lang, file, name, top);
        }
        if !imported.is_unknown() {
            return imported;
        }
        match self.around(file, doc, name, kind) {
            // Another function may have made it the file's: `global name`.
            Meaning::Unknown => self.imported_called(file, doc, name, (Seen::Somewhere, kind)),
            found => found,
        }
    }

    /// Members that a bare name may mean: a constructor is called by the name of its type.
    pub(super) fn visible_members(
        &self,
        class: SymbolId,
        name: Name,
        sought: Sought,
    ) -> Option<Meaning> {
        let kind = sought.kind;
        let (mut found, inherited) = self.members_used(class, name, kind);
        found.retain(|id| {
            let of = self.table.symbol(*id).kind;
            of != SymbolKind::Constructor && sought.takes(of)
        });
        // What makes accessors of properties calls them from elsewhere alone: `val key = getKey(a)` calls a function (Kotlin).
        if found.is_empty()
            && kind.is_call()
            && self.accessors(class) != Accessors::Properties
            && let Some((field, inherited)) = self.field_accessed(class, name)
            && self.has_written_accessors(field)
        {
            let rule = Rule::This.or_inherited(inherited);
            return Some(Meaning::Symbols(vec![field], rule));
        }
        let rule = Rule::This.or_inherited(inherited);
        (!found.is_empty()).then_some(Meaning::Symbols(found, rule))
    }

    /// In C a name of the file may be defined in one file and declared in another.
    fn with_declared(
        &self,
        lang: Grammar,
        file: FileId,
        name: Name,
        mut found: Vec<SymbolId>,
    ) -> Meaning {
        if lang::of(lang).naming.linked {
            let hidden = |id: &SymbolId| {
                let symbol = self.table.symbol(*id);
                self.table.file(*id) == file
                    && !symbol.flags.contains(SymbolFlags::EXPORTED)
                    && !symbol.flags.contains(SymbolFlags::DECLARATION)
            };
            if !found.iter().any(hidden) {
                found.extend(self.linked(lang, name));
            }
            // A header may give the struct of this file a name.
            let kind = |id: &SymbolId| self.table.symbol(*id).kind;
            if found.iter().all(|id| semantics::is_type(kind(id))) {
                let mut seen = self.top_in(name, self.includes.headers(file));
                seen.retain(|id| kind(id) == SymbolKind::Type);
                found.extend(seen);
            }
            found.sort_unstable();
            found.dedup();
        }
        if lang::of(lang).naming.declares_ahead {
            found = self.with_ahead(file, name, found);
        }
        Meaning::Symbols(found, Rule::Scope)
    }

    /// Members of a part of a type, and what they are declared as in others, where one part declares what others define.
    fn with_declared_members(
        &self,
        class: SymbolId,
        name: Name,
        found: Vec<SymbolId>,
    ) -> Vec<SymbolId> {
        if !lang::of(self.table.lang(class)).naming.declares_ahead {
            return found;
        }
        let whole = self.members.canonical(class);
        let all: Vec<SymbolId> = self.members.direct(whole, name).collect();
        match found.iter().all(|id| all.contains(id)) {
            true => all,
            false => found,
        }
    }

    /// What a file defines at its top, and what the other files of its package have of it, where one of them only
    /// declares it.
    fn with_ahead(&self, file: FileId, name: Name, found: Vec<SymbolId>) -> Vec<SymbolId> {
        let symbol = |id: &SymbolId| self.table.symbol(*id);
        let is_open = |id: &SymbolId| symbol(id).flags.contains(SymbolFlags::DECLARATION);
        let mut all = self.top_in(name, self.modules.package_of(file));
        all.retain(|id| {
            found
                .iter()
                .any(|own| symbol(own).receiver == symbol(id).receiver)
        });
        match all.iter().any(is_open) && found.iter().all(|id| all.contains(id)) {
            true => all,
            false => found,
        }
    }

    /// The definitions of a name that a C linker would see, with their declarations.
    fn linked(&self, lang: Grammar, name: Name) -> impl Iterator<Item = SymbolId> + '_ {
        let family = lang::of(lang).family;
        let linked = self.table.named_top(name).filter(move |id| {
            is_linked(self.table.symbol(*id)) && self.table.family(*id) == family
        });
        linked.take(MAX_MEANT)
    }

    /// A name that the file neither defines nor imports by name: of its package, or among all the
    /// names of a module that it takes whole.
    fn around(&self, file: FileId, doc: &Document, name: Name, kind: OccurrenceKind) -> Meaning {
        if lang::of(doc.lang).naming.imports_before_package
            && let found @ (Meaning::Symbols(..) | Meaning::Module(..)) =
                self.in_whole_imports(file, doc, name, kind)
        {
            return found;
        }
        let package = self.modules.package_of(file);
        let found = self.top_in(name, package);
        if !found.is_empty() {
            return Meaning::Symbols(found, Rule::Package);
        }
        if lang::of(doc.lang).naming.declares_globals
            && let Some(declared) = self.declared_for_all(file, name)
        {
            return declared;
        }
        if lang::of(doc.lang).naming.linked {
            let mut found = self.top_in(name, self.includes.headers(file));
            if found.is_empty() {
                found = self.before_include(file, name);
            }
            if !found.is_empty() {
                if found.iter().any(|id| is_linked(self.table.symbol(*id))) {
                    found.extend(self.linked(doc.lang, name));
                    found.sort_unstable();
                    found.dedup();
                }
                return Meaning::Symbols(found, Rule::Package);
            }
        }
        self.in_whole_imports(file, doc, name, kind)
    }

    /// What a header does not include itself, those that include it have read before.
    fn before_include(&self, file: FileId, name: Name) -> Vec<SymbolId> {
        let includers = self.includes.includers(file).iter();
        let mut found = includers.map(|includer| {
            let mut found = self.top_in(name, self.includes.headers(*includer));
            found.extend(self.table.top(*includer, name));
            found.sort_unstable();
            found.dedup();
            found
        });
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The first top-level definitions of a name in some files, which are sorted.
    pub(super) fn top_in(&self, name: Name, files: &[FileId]) -> Vec<SymbolId> {
        self.table
            .named_top_in(name, files)
            .take(MAX_MEANT)
            .collect()
    }

    /// Of several definitions, those that can be used like this; all when none can.
    pub(super) fn fitting(
        &self,
        kind: OccurrenceKind,
        member: bool,
        symbols: Vec<SymbolId>,
    ) -> Vec<SymbolId> {
        if symbols.len() < 2 {
            return symbols;
        }
        let fits = |id: &SymbolId| {
            let of = self.table.symbol(*id).kind;
            match kind {
                // In C a macro may stand for a type.
                OccurrenceKind::Type | OccurrenceKind::Inherit => {
                    semantics::is_type(of)
                        || (of == SymbolKind::Macro && lang::of(self.table.lang(*id)).naming.linked)
                }
                OccurrenceKind::Call => {
                    semantics::is_callable(of)
                        || matches!(of, SymbolKind::Variable | SymbolKind::Constant)
                        // What one file expects to be a class another may only name.
                        || (of == SymbolKind::Type
                            && lang::of(self.table.lang(*id)).naming.declares_ahead)
                        || (of == SymbolKind::Field
                            && lang::of(self.table.lang(*id)).naming.names_are_calls)
                }
                // A field and the method that reads it often share a name.
                OccurrenceKind::Read | OccurrenceKind::Write if member => {
                    !matches!(of, SymbolKind::Method | SymbolKind::Function)
                }
                _ => true,
            }
        };
        if symbols.iter().all(fits) || !symbols.iter().any(fits) {
            return symbols;
        }
        symbols.into_iter().filter(fits).collect()
    }

    /// The type that a name means at a place; the first one where there are several.
    pub(super) fn type_named(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        owner: Option<u32>,
    ) -> Option<SymbolId> {
        self.type_of(self.bare_name(file, doc, name, owner, OccurrenceKind::Type))
    }

    /// The type among what a name means; the first one where there are several.
    fn type_of(&self, meaning: Meaning) -> Option<SymbolId> {
        match meaning {
            Meaning::Symbols(symbols, _) => {
                let kind = |id: &SymbolId| self.table.symbol(*id).kind;
                let mut types = symbols.iter().filter(|id| semantics::is_type(kind(id)));
                let first = types.clone().next();
                let whole = types.find(|id| kind(id) != SymbolKind::Type);
                whole.or(first).copied()
            }
            _ => None,
        }
    }
}

/// Whether what stands in a function is a member of an object that is made there: no bare name means that.
fn is_of_object(doc: &Document, id: SymbolId, table: &SymbolTable<'_>) -> bool {
    let kind = table.symbol(id).kind;
    lang::of(doc.lang).naming.object_modules
        && matches!(kind, SymbolKind::Method | SymbolKind::Field)
}

/// Whether the value of a local name is what a function of that name gives: it says so of itself.
pub(super) fn is_injected(local: &Local) -> bool {
    let own = |hint: &TypeHint| hint.kind == HintKind::Result && hint.occurrence == local.declared;
    local.hint.as_ref().is_some_and(own)
}

/// Whether a bare name is a call of a method, whatever is bound under it: `title = title(page)`.
fn is_called_by_name(doc: &Document, found: &DocOccurrence) -> bool {
    found.kind == OccurrenceKind::Call && lang::of(doc.lang).naming.names_are_calls
}

/// Whether other C files may mean a symbol by its name.
fn is_linked(symbol: &DocSymbol) -> bool {
    symbol.receiver.is_none()
        && matches!(symbol.kind, SymbolKind::Function | SymbolKind::Variable)
        && (symbol.flags.contains(SymbolFlags::EXPORTED)
            || symbol.flags.contains(SymbolFlags::DECLARATION))
}
