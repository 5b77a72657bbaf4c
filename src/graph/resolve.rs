//! What an occurrence means: the definitions, and the rule that led there.

use super::compiled::Compiled;
use super::documents::{DocOccurrence, DocSymbol, Document, Documents};
use super::guess::Guesses;
use super::hops::{Hops, looks};
use super::imports::Imports;
use super::includes::Includes;
use super::members::Members;
use super::modules::{Modules, Place, Resolution, Site};
use super::names::{Name, Names};
use super::rule::Rule;
use super::semantics::{self, CommonNames};
use super::table::{SymbolId, SymbolTable};
use super::values::{MAX_SEVERAL, Value, Values};
use crate::extract::record::{
    Grammar, HintKind, ImportKind, Local, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind,
    TypeHint,
};
use crate::lang;
use crate::view::live::{FileId, View};
use std::sync::{Arc, OnceLock};

/// What an occurrence means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A name bound inside a function or block of the same document, by its position there.
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

impl Meaning {
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
    pub(super) common: &'a CommonNames,
    pub(super) guesses: Guesses,
    /// What compilers say, which outranks all of it.
    pub(super) compiled: Compiled,
    /// By file, by bound name: what imports bind it to, once it was asked for.
    pub(super) imported: Vec<OnceLock<Box<[OnceLock<Meaning>]>>>,
    pub(super) members: Members,
    pub(super) values: Values,
}

/// Definitions in several files that one use may mean: the first ones. A name that more files define than
/// this is told apart by nothing that is looked at here.
pub(super) const MAX_MEANT: usize = 1024;

impl Resolver<'_> {
    /// Resolves one occurrence of a file.
    pub fn resolve(&self, file: FileId, occurrence: u32) -> Meaning {
        match self.docs.get(file) {
            Some(doc) => self.meaning(file, doc, occurrence, Hops::new(&looks())),
            None => Meaning::Unknown,
        }
    }

    pub(super) fn meaning(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Meaning {
        let Some(found) = doc.occurrences().get(at as usize) else {
            return Meaning::Unknown;
        };
        let Some(hops) = hops.next() else {
            return Meaning::Unknown;
        };
        if found.kind == OccurrenceKind::Mention {
            return self.mention(doc.lang, found.name);
        }
        if found.kind == OccurrenceKind::Import {
            let imported = self.in_import(file, doc, found);
            if !imported.is_unknown() {
                return imported;
            }
        }
        if let Some(called) = self.setter(doc, found) {
            let meaning = match found.qualifier {
                Qualifier::This => self.of_this(file, doc, at, &called),
                _ => self.on_object(doc, &called, self.object_of(file, doc, at, hops)),
            };
            if let Meaning::Symbols(..) | Meaning::Candidates(..) = meaning {
                return meaning;
            }
        }
        let meaning = match found.qualifier {
            Qualifier::None => match doc.receiver(at) {
                // A local name that is taken out of an object is a member of it, too.
                Some(hint) if found.kind == OccurrenceKind::Write => {
                    let value = self.follow(file, doc, hint, found.owner(), hops);
                    match self.member_of(doc, found, value) {
                        Meaning::Symbols(symbols, rule) => Meaning::Symbols(symbols, rule),
                        _ => self.bare(file, doc, at, found),
                    }
                }
                _ => self.bare(file, doc, at, found),
            },
            Qualifier::This => self.of_this(file, doc, at, found),
            Qualifier::Previous | Qualifier::Expression => {
                let object = self.object_of(file, doc, at, hops);
                return self.on_object(doc, found, object);
            }
        };
        self.settled(doc, found, meaning)
    }

    /// The call of a method that the writing of a member is, where something is called so.
    fn setter(&self, doc: &Document, found: &DocOccurrence) -> Option<DocOccurrence> {
        let ending = lang::of(doc.lang).naming.setter_ending;
        if ending.is_empty()
            || found.kind != OccurrenceKind::Write
            || found.qualifier == Qualifier::None
        {
            return None;
        }
        let setter = [self.names.bytes(found.name), ending].concat();
        let mut called = *found;
        (called.name, called.kind) = (self.names.find(&setter)?, OccurrenceKind::Call);
        Some(called)
    }

    /// The value whose member an occurrence names.
    pub(super) fn object_of(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Value {
        let Some(found) = doc.occurrences().get(at as usize) else {
            return Value::Unknown;
        };
        match (found.qualifier, at.checked_sub(1)) {
            (Qualifier::Previous, Some(object)) => self.value_of(file, doc, object, hops),
            (Qualifier::Expression, _) => match doc.receiver(at) {
                Some(hint) => self.follow(file, doc, hint, found.owner(), hops),
                None => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    /// What a name means that is a member of a value.
    pub(super) fn on_object(
        &self,
        doc: &Document,
        found: &DocOccurrence,
        object: Value,
    ) -> Meaning {
        if found.kind == OccurrenceKind::Expand {
            return self.expanded_of(doc, found, object);
        }
        let meaning = self.member_of(doc, found, object);
        self.settled(doc, found, meaning)
    }

    /// The last word on an occurrence: a guess where nothing was found, and of several definitions
    /// those that can be used so.
    fn settled(&self, doc: &Document, found: &DocOccurrence, meaning: Meaning) -> Meaning {
        match meaning {
            Meaning::Unknown => self.guess(doc, found),
            Meaning::Symbols(symbols, rule) => {
                let member = found.qualifier != Qualifier::None;
                Meaning::Symbols(self.fitting(found.kind, member, symbols), rule)
            }
            known => known,
        }
    }

    /// A bare name: local, in an enclosing scope, in the file, imported, of the package.
    fn bare(&self, file: FileId, doc: &Document, at: u32, found: &DocOccurrence) -> Meaning {
        if let Some((local, binding)) = doc.local_at(found.name, at) {
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
        self.bare_name(file, doc, found.name, found.owner(), found.kind)
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
        self.bare_name_past(file, doc, name, owner, kind, true)
    }

    /// As [`Self::bare_name`]. With `may_ask`, the type of a method that is written outside of it (`A::f`)
    /// may be looked up by name, once; that lookup may not, or each method in a method doubles the work.
    fn bare_name_past(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        owner: Option<u32>,
        kind: OccurrenceKind,
        mut may_ask: bool,
    ) -> Meaning {
        if kind == OccurrenceKind::Expand {
            return self.expanded(file, doc, name);
        }
        let naming = &lang::of(doc.lang).naming;
        let may_mean = |id: &SymbolId| self.may_mean(doc.lang, kind, *id);
        let mut inside = owner;
        while let Some(i) = inside {
            let id = self.table.id(file, i);
            let symbol = &doc.symbols[i as usize];
            let class = semantics::has_members(symbol.kind);
            // A class body sees its own names in every language; what is nested in it may not.
            let visible = !class
                || symbol.kind == SymbolKind::Module
                || naming.implicit_members
                || (owner == Some(i) && naming.sees_class_body);
            if visible {
                let found: Vec<SymbolId> = self
                    .table
                    .inside(id, name)
                    .filter(|id| self.table.symbol(*id).kind != SymbolKind::Constructor)
                    .filter(may_mean)
                    .collect();
                if !found.is_empty() {
                    return Meaning::Symbols(found, Rule::Scope);
                }
                if class
                    && naming.implicit_members
                    && let Some(meaning) = self.visible_members(id, name)
                {
                    return meaning;
                }
            }
            // The class that a method written elsewhere belongs to.
            if let Some(receiver) = symbol.receiver
                && naming.implicit_members
                && let Some(owner) = self.members.owner(id).or_else(|| {
                    if !std::mem::take(&mut may_ask) {
                        return None;
                    }
                    let (kind, around) = (OccurrenceKind::Type, symbol.container);
                    self.type_of(self.bare_name_past(file, doc, receiver, around, kind, false))
                })
                && let Some(meaning) = self.visible_members(owner, name)
            {
                return meaning;
            }
            inside = symbol.container;
        }
        let top: Vec<SymbolId> = self.table.top(file, name).filter(may_mean).collect();
        let fits = |id: &SymbolId| {
            kind != OccurrenceKind::Type || semantics::is_type(self.table.symbol(*id).kind)
        };
        // `const x = require("x").x` defines and imports at once: the import says more.
        let imported = self.imported(file, doc, name);
        if !top.is_empty() && (imported.is_unknown() || top.iter().any(fits)) {
            return self.with_declared(doc.lang, file, name, top);
        }
        if !imported.is_unknown() {
            return imported;
        }
        self.around(file, doc, name)
    }

    /// Members that a bare name may mean: a constructor is called by the name of its type.
    fn visible_members(&self, class: SymbolId, name: Name) -> Option<Meaning> {
        let (mut found, inherited) = self.members_named(class, name);
        found.retain(|id| self.table.symbol(*id).kind != SymbolKind::Constructor);
        let rule = if inherited {
            Rule::Inherited
        } else {
            Rule::This
        };
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
        Meaning::Symbols(found, Rule::Scope)
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
    fn around(&self, file: FileId, doc: &Document, name: Name) -> Meaning {
        let package = self.modules.package_of(file);
        let found = self.top_in(name, package);
        if !found.is_empty() {
            return Meaning::Symbols(found, Rule::Package);
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
        self.in_whole_imports(file, doc, name)
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
    fn top_in(&self, name: Name, files: &[FileId]) -> Vec<SymbolId> {
        self.table
            .named_top_in(name, files)
            .take(MAX_MEANT)
            .collect()
    }

    /// `this.name`, `self.name`: a member of the class around it.
    fn of_this(&self, file: FileId, doc: &Document, at: u32, found: &DocOccurrence) -> Meaning {
        let Some(class) = self.this_type(file, doc, found.owner()) else {
            return self.of_this_module(file, doc, found);
        };
        let of_base = doc
            .receiver(at)
            .is_some_and(|hint| hint.kind == HintKind::Super);
        let (symbols, inherited) = match of_base {
            true => (self.base_members_named(class, found.name), true),
            false => self.members_named(class, found.name),
        };
        if !symbols.is_empty() {
            let rule = if inherited {
                Rule::Inherited
            } else {
                Rule::This
            };
            return Meaning::Symbols(symbols, rule);
        }
        let in_module = self.of_this_module(file, doc, found);
        if !in_module.is_unknown() {
            return in_module;
        }
        match self.members.has_external_base(class) {
            true => Meaning::External,
            false => Meaning::Unknown,
        }
    }

    /// `self::name`, `crate::name`, `super::name` (Rust): a path that begins at a module.
    fn of_this_module(&self, file: FileId, doc: &Document, found: &DocOccurrence) -> Meaning {
        let roots = lang::of(doc.lang).naming.path_roots;
        if roots.is_empty() {
            return Meaning::Unknown;
        }
        let own = self.bare_name(file, doc, found.name, None, found.kind);
        if let Meaning::Symbols(_, Rule::Scope) = own {
            return own;
        }
        for root in roots {
            let site = Site {
                from: file,
                kind: ImportKind::Import,
                line: found.line,
            };
            if let Resolution::Found(place) = self.modules.resolve(self.view, site, root) {
                let meaning = self.exported_from(&place, found.name);
                if !meaning.is_unknown() {
                    return meaning;
                }
            }
        }
        own
    }

    /// The type that `this` is an instance of inside a symbol.
    pub(super) fn this_type(
        &self,
        file: FileId,
        doc: &Document,
        owner: Option<u32>,
    ) -> Option<SymbolId> {
        let naming = &lang::of(doc.lang).naming;
        let mut inside = owner;
        while let Some(i) = inside {
            let symbol = &doc.symbols[i as usize];
            let id = self.table.id(file, i);
            if semantics::has_members(symbol.kind) && symbol.kind != SymbolKind::Module
                || (symbol.kind == SymbolKind::Module
                    && !naming.open_namespaces
                    && naming.modules_are_objects)
            {
                return Some(self.members.canonical(id));
            }
            if let Some(owner) = self.members.owner(id) {
                return Some(owner);
            }
            // Constructor functions and objects: members were assigned to them.
            if self.members.has_any(id) && symbol.container.is_none() {
                return Some(id);
            }
            inside = symbol.container;
        }
        None
    }

    /// A member of a value.
    pub(super) fn member_of(&self, doc: &Document, found: &DocOccurrence, value: Value) -> Meaning {
        let (class, rule) = match self.unaliased(value) {
            Value::Several(all) => return self.member_of_several(doc, found, &all),
            Value::Module(place) => {
                return match self.exported_from(&place, found.name) {
                    Meaning::Symbols(symbols, _) => Meaning::Symbols(symbols, Rule::Qualified),
                    Meaning::Module(place, _) => Meaning::Module(place, Rule::Qualified),
                    other => other,
                };
            }
            Value::Type(class) => (class, Rule::Qualified),
            Value::Instance(class) => (class, Rule::Receiver),
            Value::External | Value::Literal | Value::Elements(_) | Value::Never => {
                return Meaning::External;
            }
            Value::Function(function) if let Some(found) = self.beside(function, found.name) => {
                return found;
            }
            Value::Function(function) => match self.members.has_any(function) {
                true => (function, Rule::Qualified),
                // A method that is read, not called, may be a property.
                false => match self.values.of(function) {
                    Some(Value::Instance(class)) => (*class, Rule::Receiver),
                    Some(Value::External | Value::Literal) => return Meaning::External,
                    _ => return Meaning::Unknown,
                },
            },
            Value::Unknown => return Meaning::Unknown,
        };
        // A keyword argument is a parameter of the constructor, where one is written.
        if lang::of(doc.lang).naming.keyword_arguments
            && found.kind == OccurrenceKind::Write
            && found.qualifier == Qualifier::Expression
            && self.has_constructor(class)
        {
            return Meaning::External;
        }
        let (symbols, inherited) = self.members_named(class, found.name);
        if !symbols.is_empty() {
            let rule = if inherited { Rule::Inherited } else { rule };
            return Meaning::Symbols(symbols, rule);
        }
        // What a type was made of has members of its own.
        let made_of = self.values.of(class).filter(|_| rule == Rule::Receiver);
        let is_outside = matches!(
            made_of,
            Some(Value::External | Value::Literal | Value::Elements(_))
        );
        match is_outside || self.members.has_external_base(class) {
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

/// Whether the value of a local name is what a function of that name gives: it says so of itself.
pub(super) fn is_injected(local: &Local) -> bool {
    let own = |hint: &TypeHint| hint.kind == HintKind::Result && hint.occurrence == local.declared;
    local.hint.as_ref().is_some_and(own)
}

/// Whether other C files may mean a symbol by its name.
fn is_linked(symbol: &DocSymbol) -> bool {
    symbol.receiver.is_none()
        && matches!(symbol.kind, SymbolKind::Function | SymbolKind::Variable)
        && (symbol.flags.contains(SymbolFlags::EXPORTED)
            || symbol.flags.contains(SymbolFlags::DECLARATION))
}
