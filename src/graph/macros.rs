//! Macros of languages that mark where one is expanded (`name!(...)`): they have names of their own, which
//! nothing else means, and are often seen where no import says so.

use super::documents::{DocOccurrence, Document};
use super::modules::Place;
use super::names::Name;
use super::resolve::{MAX_MEANT, Meaning, Resolver};
use super::rule::Rule;
use super::table::SymbolId;
use super::value::Value;
use crate::extract::record::{Grammar, OccurrenceKind, SymbolFlags, SymbolKind};
use crate::lang;
use crate::view::live::FileId;

impl Resolver<'_> {
    /// Whether a use of this kind may mean a symbol, as far as macros are concerned. An import may bring a
    /// macro and a function of one name.
    pub(super) fn may_mean(&self, lang: Grammar, kind: OccurrenceKind, id: SymbolId) -> bool {
        let is_marked = lang::of(lang).naming.macro_package.is_some();
        let is_macro = self.table.symbol(id).kind == SymbolKind::Macro;
        match kind {
            OccurrenceKind::Expand => is_macro,
            OccurrenceKind::Import | OccurrenceKind::Mention => true,
            _ => !(is_marked && is_macro),
        }
    }

    /// A bare macro: of the file, imported, or seen in all of its package, as by `#[macro_use]`; else one
    /// that another package gives out under its root.
    pub(super) fn expanded(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        owner: Option<u32>,
    ) -> Meaning {
        let all = self.macros(doc.lang, name);
        let own: Vec<SymbolId> = of_file(self, &all, file);
        if !own.is_empty() {
            return Meaning::Symbols(own, Rule::Scope);
        }
        let imported = match self.imported_around(file, doc, name, owner) {
            Meaning::Unknown => self.in_whole_imports(file, doc, name, OccurrenceKind::Expand),
            found => found,
        };
        match self.only_macros(imported) {
            Meaning::Unknown => {}
            found => return found,
        }
        let package = self.package_around(doc.lang, file);
        let there = |id: &SymbolId| self.package_around(doc.lang, self.table.file(*id)) == package;
        let (here, elsewhere): (Vec<_>, Vec<_>) = all.into_iter().partition(there);
        match self.of_one_file(here, Rule::Package) {
            Meaning::Unknown => self.of_one_file(self.seen_elsewhere(elsewhere), Rule::Unique),
            found => found,
        }
    }

    /// A macro named with its module: what that gives out, or what its package gives out under its root.
    pub(super) fn expanded_of(
        &self,
        doc: &Document,
        found: &DocOccurrence,
        object: Value,
    ) -> Meaning {
        let place = match &object {
            Value::Module(place) => Some(place.clone()),
            _ => None,
        };
        match (self.only_macros(self.member_of(doc, found, object)), place) {
            (Meaning::Unknown, Some(Place { files, inner, .. })) if inner.is_empty() => {
                let Some(root) = files.first() else {
                    return Meaning::Unknown;
                };
                let package = self.package_around(doc.lang, *root);
                let mut all = self.seen_elsewhere(self.macros(doc.lang, found.name));
                all.retain(|id| self.package_around(doc.lang, self.table.file(*id)) == package);
                self.of_one_file(all, Rule::Qualified)
            }
            (meaning, _) => meaning,
        }
    }

    /// Every macro of a name.
    fn macros(&self, lang: Grammar, name: Name) -> Vec<SymbolId> {
        let family = lang::of(lang).family;
        let is_macro = |id: &SymbolId| {
            self.table.symbol(*id).kind == SymbolKind::Macro && self.table.family(*id) == family
        };
        let all = self.table.named(name).filter(is_macro);
        all.take(MAX_MEANT).collect()
    }

    /// Those of some macros that other packages see.
    fn seen_elsewhere(&self, mut all: Vec<SymbolId>) -> Vec<SymbolId> {
        all.retain(|id| {
            let flags = self.table.symbol(*id).flags;
            flags.contains(SymbolFlags::EXPORTED)
        });
        all
    }

    /// Definitions under several conditions stand in one file; those of several files are candidates.
    fn of_one_file(&self, all: Vec<SymbolId>, rule: Rule) -> Meaning {
        match all.first() {
            None => Meaning::Unknown,
            Some(first) if of_file(self, &all, self.table.file(*first)).len() == all.len() => {
                Meaning::Symbols(all, rule)
            }
            Some(_) => Meaning::Candidates(all.into(), Rule::Ambiguous),
        }
    }

    /// A meaning without what is no macro; [`Meaning::External`] stays, and a module is none.
    fn only_macros(&self, meaning: Meaning) -> Meaning {
        match meaning {
            Meaning::Symbols(mut all, rule) => {
                all.retain(|id| self.table.symbol(*id).kind == SymbolKind::Macro);
                match all.is_empty() {
                    true => Meaning::Unknown,
                    false => Meaning::Symbols(all, rule),
                }
            }
            Meaning::External => Meaning::External,
            _ => Meaning::Unknown,
        }
    }

    /// The folder of the nearest manifest above a file.
    fn package_around(&self, lang: Grammar, file: FileId) -> &[u8] {
        let manifest = lang::of(lang).naming.macro_package.unwrap_or_default();
        let mut folder = self.view.file(file).path.as_bytes();
        loop {
            let end = folder.iter().rposition(|b| *b == b'/').map(|at| at + 1);
            folder = &folder[..end.unwrap_or(0)];
            let path = [folder, manifest.as_bytes()].concat();
            if self.view.file_at(&path).is_some() {
                return folder;
            }
            match folder.strip_suffix(b"/") {
                Some(above) => folder = above,
                None => return folder,
            }
        }
    }
}

fn of_file(resolver: &Resolver<'_>, all: &[SymbolId], file: FileId) -> Vec<SymbolId> {
    let here = |id: &&SymbolId| resolver.table.file(**id) == file;
    all.iter().filter(here).copied().collect()
}
