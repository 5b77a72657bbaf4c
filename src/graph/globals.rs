//! What TypeScript files declare for others: for all of them, in `declare global` or in a file of declarations that is no
//! module, and for one module, in `declare module "./a"`.
//!
//! A type may be declared so in many places; what one of them says of it is true of all (declaration merging,
//! TypeScript handbook). The first stands for the others, and of a module's own type that type. Deliberately absent: what
//! scripts that are no declarations share, since tests and examples are often such, and nobody loads two of them.

use super::documents::{DocSymbol, Document, Documents};
use super::members::Owned;
use super::modules::{Place, Resolution};
use super::names::{Name, Names};
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::semantics;
use super::table::{SymbolId, SymbolTable};
use crate::extract::record::{ImportKind, SymbolFlags, SymbolKind};
use crate::lang;
use crate::view::live::{FileId, View};
use rustc_hash::FxHashMap;

/// What a block is called whose names are for all files.
const BLOCK: &[u8] = b"global";

/// Names that are declared for all files.
#[derive(Default, PartialEq)]
pub(super) struct Globals {
    named: FxHashMap<Name, Vec<SymbolId>>,
    /// Files that may declare some; sorted.
    files: Vec<FileId>,
    block: Option<Name>,
}

impl Globals {
    /// Finds what all files declare.
    pub(super) fn of(
        view: &View,
        names: &Names,
        docs: &Documents,
        table: &SymbolTable<'_>,
    ) -> Self {
        let mut globals = Self {
            block: names.find(BLOCK),
            ..Self::default()
        };
        for (file, doc) in docs.iter().filter(|(_, doc)| has_globals(doc)) {
            let all_are = is_script_of_declarations(view, file, doc);
            let mut blocks = globals
                .block
                .into_iter()
                .flat_map(|name| table.top(file, name));
            if !all_are && blocks.next().is_none() {
                continue;
            }
            for (symbol, i) in doc.symbols.iter().zip(0..) {
                let is_global = match symbol.container {
                    None => all_are,
                    Some(around) => globals.is_block(doc, around),
                };
                if is_global {
                    let id = table.id(file, i);
                    globals.named.entry(symbol.name).or_default().push(id);
                }
            }
            globals.files.push(file);
        }
        globals
    }

    /// The definitions of a name for all files, in order.
    pub(super) fn named(&self, name: Name) -> &[SymbolId] {
        self.named.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Whether a definition is for all files.
    pub(super) fn holds(&self, name: Name, id: SymbolId) -> bool {
        self.named(name).binary_search(&id).is_ok()
    }

    fn is_block(&self, doc: &Document, i: u32) -> bool {
        let symbol = doc.symbols.get(i as usize);
        symbol.is_some_and(|symbol| {
            symbol.kind == SymbolKind::Module
                && symbol.container.is_none()
                && Some(symbol.name) == self.block
        })
    }
}

fn has_globals(doc: &Document) -> bool {
    lang::of(doc.lang).naming.declares_globals
}

/// Whether a file of declarations neither takes anything from others nor gives them any.
fn is_script_of_declarations(view: &View, file: FileId, doc: &Document) -> bool {
    let path = &view.file(file).path;
    let mut endings = lang::of(doc.lang).roles.declarations.iter();
    endings.any(|ending| path.as_bytes().ends_with(ending.as_bytes()))
        && doc
            .imports
            .iter()
            .all(|import| import.kind == ImportKind::Dynamic)
        && doc.symbols.iter().all(|symbol| {
            symbol.container.is_some() || !symbol.flags.contains(SymbolFlags::EXPORTED)
        })
}

impl Resolver<'_> {
    /// What a name that nothing else explains is declared as for all files: of several, those in the nearest folder
    /// around the file, since packages of one repository declare for themselves.
    pub(super) fn declared_for_all(&self, file: FileId, name: Name) -> Option<Meaning> {
        let all = self.globals.named(name);
        let own = self.view.file(file).path.as_bytes();
        let shared = |id: &SymbolId| {
            let other = self.view.file(self.table.file(*id)).path.as_bytes();
            let same = own.iter().zip(other).take_while(|(a, b)| a == b);
            same.filter(|(byte, _)| **byte == b'/').count()
        };
        let nearest = all.iter().map(shared).max()?;
        let found = all.iter().filter(|id| shared(id) == nearest).copied();
        Some(Meaning::Symbols(found.collect(), Rule::Package))
    }

    /// Whether a definition is for all files.
    pub(super) fn is_for_all(&self, id: SymbolId) -> bool {
        self.globals.holds(self.table.symbol(id).name, id)
    }

    /// Makes one of the types that are declared for all files in several places.
    pub(super) fn unite_globals(&self, members: &mut Owned) {
        let mut first: FxHashMap<Vec<Name>, SymbolId> = FxHashMap::default();
        for file in &self.globals.files {
            let Some(doc) = self.docs.get(*file) else {
                continue;
            };
            for (symbol, i) in doc.symbols.iter().zip(0..) {
                let path = match semantics::is_type(symbol.kind) {
                    true => self.path_of_global(*file, doc, i),
                    false => None,
                };
                let Some(path) = path else { continue };
                let id = self.table.id(*file, i);
                let known = *first.entry(path).or_insert(id);
                if known != id {
                    members.join(id, known);
                }
            }
        }
    }

    /// Names of a symbol and of what it lies in, if the outermost of these is declared for all files.
    fn path_of_global(&self, file: FileId, doc: &Document, i: u32) -> Option<Vec<Name>> {
        let mut path = Vec::new();
        let mut at = i;
        loop {
            let symbol = doc.symbols.get(at as usize)?;
            path.push(symbol.name);
            if self.is_for_all(self.table.id(file, at)) {
                return Some(path);
            }
            at = symbol.container?;
        }
    }

    /// What is meant, with what other files add to it.
    pub(super) fn with_added(&self, meaning: Meaning) -> Meaning {
        match meaning {
            Meaning::Symbols(mut symbols, rule) => {
                for i in 0..symbols.len() {
                    symbols.extend_from_slice(self.members.added_to(symbols[i]));
                }
                Meaning::Symbols(symbols, rule)
            }
            other => other,
        }
    }

    /// Adds what `declare module "./a" { interface B {} }` says of `B` to the `B` that the module gives out.
    pub(super) fn add_to_modules(&self, members: &mut Owned) {
        for (file, doc) in self.docs.iter().filter(|(_, doc)| has_globals(doc)) {
            // Most files have none, and what their imports lead to may not be known yet.
            let is_block = |symbol: &DocSymbol| {
                symbol.kind == SymbolKind::Module
                    && symbol.container.is_none()
                    && self.names.bytes(symbol.name).starts_with(b".")
            };
            if !doc.symbols.iter().any(is_block) {
                continue;
            }
            let imports = doc.imports.iter().zip(self.resolutions(file));
            let places: FxHashMap<&[u8], &Place> = imports
                .filter_map(|(import, resolution)| match resolution {
                    Resolution::Found(place) => Some((&import.specifier[..], place)),
                    _ => None,
                })
                .collect();
            for (symbol, i) in doc.symbols.iter().zip(0..) {
                let block = symbol.container.and_then(|at| doc.symbols.get(at as usize));
                let block = block.filter(|block| is_block(block));
                let place = block.and_then(|block| places.get(self.names.bytes(block.name)));
                let Some(place) = place.filter(|_| semantics::is_type(symbol.kind)) else {
                    continue;
                };
                let Meaning::Symbols(given, _) = self.exported_from(place, symbol.name) else {
                    continue;
                };
                let is_type = |id: &&SymbolId| semantics::is_type(self.table.symbol(**id).kind);
                let id = self.table.id(file, i);
                if let Some(given) = given.iter().find(is_type).filter(|given| **given != id) {
                    members.join(id, members.canonical(*given));
                    members.add_part(*given, id);
                }
            }
        }
    }
}
