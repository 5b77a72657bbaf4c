//! What a module gives out under a name, and what a file's imports bind.

use super::bindings::Seen;
use super::documents::{DocBinding, DocImport, DocOccurrence, Document};
use super::modules::{Place, Resolution, Site};
use super::names::Name;
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::table::SymbolId;
use super::trail::{Asked, Barren, MAX_MODULES, Trail, asked};
use crate::extract::record::{Grammar, ImportKind, OccurrenceKind, SymbolFlags, SymbolKind};
use crate::lang;
use crate::view::live::FileId;
use std::sync::OnceLock;

/// CommonJS modules that only pass another one on, followed in a row.
const MAX_PASSED_ON: usize = 8;

impl Resolver<'_> {
    /// What a module gives out under a name.
    pub(super) fn exported_from(&self, place: &Place, name: Name) -> Meaning {
        self.given_by(place, name, &mut Trail::default())
    }

    /// What a name means that is called and that seems to be a module, which nobody can call: a function of that name,
    /// if the same place has one.
    pub(super) fn called_past_module(
        &self,
        meaning: Meaning,
        kind: OccurrenceKind,
        find: impl FnOnce(&mut Trail) -> Meaning,
    ) -> Meaning {
        if kind != OccurrenceKind::Call || !matches!(meaning, Meaning::Module(..)) {
            return meaning;
        }
        match find(&mut Trail::past_modules()) {
            found @ Meaning::Symbols(..) => found,
            _ => meaning,
        }
    }

    pub(super) fn given_by(&self, place: &Place, name: Name, trail: &mut Trail) -> Meaning {
        if !place.inner.is_empty() {
            let found = self.inner(place, trail);
            if let Some(members) = self.members_of_all(&found, name) {
                return members;
            }
            let space = self.namesake(place).filter(|space| space.inner.is_empty());
            return match space {
                Some(space) => self.given_by_files(&space, name, trail),
                None => self.child(place, name),
            };
        }
        self.given_by_files(place, name, trail)
    }

    /// The same of a place that is files.
    fn given_by_files(&self, place: &Place, name: Name, trail: &mut Trail) -> Meaning {
        let mut all: Vec<SymbolId> = Vec::new();
        let mut rule = Rule::Import;
        let mut other = Meaning::Unknown;
        // More than a trail follows: the files of a namespace, which give out what stands in them.
        let (few, many) = match place.files.len() > MAX_MODULES {
            true => (&[][..], &place.files[..]),
            false => (&place.files[..], &[][..]),
        };
        all.extend(self.top_in(name, many));
        for file in few {
            match self.exported(*file, name, trail) {
                Meaning::Symbols(symbols, how) => {
                    all.extend(symbols);
                    rule = rule.max(how);
                }
                Meaning::Unknown => {}
                found if other.is_unknown() => other = found,
                _ => {}
            }
        }
        // A block of a namespace is a part of that, not a thing in the one around it.
        if !all.is_empty()
            && all.iter().all(|id| self.is_block_of_namespace(*id))
            && let child @ Meaning::Module(..) = self.child(place, name)
        {
            return child;
        }
        if !all.is_empty() {
            all.sort_unstable();
            all.dedup();
            return Meaning::Symbols(all, rule);
        }
        if trail.past_modules {
            return other;
        }
        if let Meaning::Module(..) = other {
            return other;
        }
        match trail.child(asked(place, name), || self.child(place, name)) {
            Meaning::Unknown => other,
            child => child,
        }
    }

    fn is_block_of_namespace(&self, id: SymbolId) -> bool {
        self.table.symbol(id).kind == SymbolKind::Module
            && lang::of(self.table.lang(id)).naming.open_namespaces
    }

    fn child(&self, place: &Place, name: Name) -> Meaning {
        let child = self.modules.below(self.view, place, self.names.bytes(name));
        child.map_or(Meaning::Unknown, |place| {
            Meaning::Module(place, Rule::Import)
        })
    }

    /// The symbols that the inner path of a place leads to.
    pub(super) fn inner(&self, place: &Place, trail: &mut Trail) -> Vec<SymbolId> {
        let mut parts = place.inner.iter();
        let Some(first) = parts.next().and_then(|part| self.names.find(part)) else {
            return Vec::new();
        };
        let mut found: Vec<SymbolId> = Vec::new();
        for file in &place.files {
            if let Meaning::Symbols(symbols, _) = self.exported(*file, first, trail) {
                found.extend(symbols);
            }
        }
        let of = place.files.first().and_then(|file| self.docs.get(*file));
        let unnamed = of.and_then(|doc| lang::of(doc.lang).naming.unnamed_object);
        for part in parts {
            if unnamed.is_some_and(|unnamed| unnamed.as_bytes() == &**part) {
                continue;
            }
            let Some(name) = self.names.find(part) else {
                return Vec::new();
            };
            found = found
                .iter()
                .flat_map(|id| self.members_named(*id, name).0)
                .collect();
        }
        found
    }

    fn exported(&self, file: FileId, name: Name, trail: &mut Trail) -> Meaning {
        if !trail.may_ask(file, name) {
            return Meaning::Unknown;
        }
        let found = self.exported_once(file, name, trail);
        trail.heard(&found);
        found
    }

    fn exported_once(&self, file: FileId, name: Name, trail: &mut Trail) -> Meaning {
        let Some(doc) = self.docs.get(file) else {
            return Meaning::Unknown;
        };
        let default = self.names.is_default(name);
        for binding in doc.exports() {
            let names_it =
                binding.imported == Some(name) || (default && binding.imported.is_none());
            if names_it && let Some(local) = binding.local {
                let found = self.exported_local(file, doc, local, trail);
                if !found.is_unknown() {
                    return found;
                }
            }
        }
        let top: Vec<SymbolId> = self.table.top(file, name).collect();
        if !top.is_empty() {
            return Meaning::Symbols(top, Rule::Import);
        }
        if default {
            let base = self.table.offsets()[file.0 as usize];
            let flagged = doc.symbols.iter().zip(base..);
            let flagged = flagged.filter(|(s, _)| s.flags.contains(SymbolFlags::DEFAULT));
            let found: Vec<SymbolId> = flagged.map(|(_, id)| SymbolId(id)).collect();
            if !found.is_empty() {
                return Meaning::Symbols(found, Rule::Import);
            }
        }
        if let Some(found) = self.through_reexports(file, doc, name, trail) {
            return found;
        }
        // `module.exports = thing`: the names of the thing are those of the module.
        if lang::of(doc.lang).naming.object_modules && !default {
            return self.member_of_default(file, doc, name, trail);
        }
        Meaning::Unknown
    }

    /// A name of the file itself that an export gives out: defined or imported there.
    fn exported_local(
        &self,
        file: FileId,
        doc: &Document,
        local: Name,
        trail: &mut Trail,
    ) -> Meaning {
        let top: Vec<SymbolId> = self.table.top(file, local).collect();
        if !top.is_empty() {
            return Meaning::Symbols(top, Rule::Import);
        }
        let found = self.imported_with(file, doc, local, Seen::Everywhere, trail);
        reexported(match found {
            Meaning::Unknown => self.imported_with(file, doc, local, Seen::Somewhere, trail),
            found => found,
        })
    }

    /// Re-exports: by name, then of whole modules.
    fn through_reexports(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        trail: &mut Trail,
    ) -> Option<Meaning> {
        let mut external = false;
        let resolutions = self.resolutions(file);
        for whole in [false, true] {
            for i in &doc.reexports {
                let (import, resolution) = (&doc.imports[*i as usize], &resolutions[*i as usize]);
                for binding in &import.bindings {
                    let takes_all = binding.local.is_none() && binding.imported.is_none();
                    if takes_all != whole || (!whole && binding.local != Some(name)) {
                        continue;
                    }
                    let found = match (whole, resolution) {
                        // Where each of many modules passes on all others, most lead to what was asked.
                        (true, Resolution::Found(place)) if trail.was_at(asked(place, name)) => {
                            Meaning::Unknown
                        }
                        (true, Resolution::Found(place)) => self.given_by(place, name, trail),
                        (false, _) => self.bound(doc, import, resolution, binding, trail),
                        (true, Resolution::External) => Meaning::External,
                        (true, Resolution::Unresolved) => Meaning::Unknown,
                    };
                    match found {
                        Meaning::Unknown => {}
                        Meaning::Module(..) if trail.past_modules => {}
                        Meaning::External => external = true,
                        found => return Some(reexported(found)),
                    }
                }
            }
        }
        external.then_some(Meaning::External)
    }

    fn member_of_default(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        trail: &mut Trail,
    ) -> Meaning {
        let whole = doc.exports().filter(|binding| binding.imported.is_none());
        for local in whole.filter_map(|binding| binding.local) {
            if let Meaning::Symbols(owners, _) = self.exported_local(file, doc, local, trail)
                && let Some(members) = self.members_of_all(&owners, name)
            {
                return members;
            }
        }
        Meaning::Unknown
    }

    /// What a name means that imported symbols have as a member, if any does.
    fn members_of_all(&self, owners: &[SymbolId], name: Name) -> Option<Meaning> {
        let members = owners.iter().flat_map(|id| self.members_named(*id, name).0);
        let members: Vec<SymbolId> = members.collect();
        (!members.is_empty()).then_some(Meaning::Symbols(members, Rule::Import))
    }

    /// What imports that are seen somewhere bind a name to that is used so.
    pub(super) fn imported_called(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        (seen, kind): (Seen, OccurrenceKind),
    ) -> Meaning {
        let imported = self.imported(file, doc, name, seen);
        self.called_past_module(imported, kind, |trail| {
            self.imported_with(file, doc, name, seen, trail)
        })
    }

    /// What a file's imports bind a name to as seen from inside a symbol: those of the functions around it come before
    /// those of the file, and those of other functions last, which may have made it the file's (`global`).
    pub(super) fn imported_around(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        owner: Option<u32>,
    ) -> Meaning {
        let outwards = std::iter::successors(owner, |i| doc.around(*i));
        let all = outwards
            .map(Seen::In)
            .chain([Seen::Everywhere, Seen::Somewhere]);
        let mut found = all.map(|seen| self.imported(file, doc, name, seen));
        found
            .find(|found| !found.is_unknown())
            .unwrap_or(Meaning::Unknown)
    }

    /// What a file's imports bind a name to that is seen there.
    pub(super) fn imported(&self, file: FileId, doc: &Document, name: Name, seen: Seen) -> Meaning {
        let Some(first) = doc.bindings.first(name, seen) else {
            return Meaning::Unknown;
        };
        let find = || self.imported_with(file, doc, name, seen, &mut Trail::default());
        if seen == Seen::Somewhere {
            return find();
        }
        let known = self.imported.get(file.0 as usize);
        let known =
            known.map(|of| of.get_or_init(|| vec![OnceLock::new(); doc.bindings.count()].into()));
        match known.and_then(|known| known.get(first)) {
            Some(known) => known.get_or_init(find).clone(),
            None => find(),
        }
    }

    /// An empty cache for [`Self::imported()`]. It is made when members are known, since what is found
    /// before is not the last word.
    pub(super) fn empty_import_cache(&self) -> Vec<OnceLock<Box<[OnceLock<Meaning>]>>> {
        vec![OnceLock::new(); self.docs.len()]
    }

    pub(super) fn imported_with(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        seen: Seen,
        trail: &mut Trail,
    ) -> Meaning {
        let mut seen_external = false;
        let mut unresolved = false;
        let resolutions = self.resolutions(file);
        for (i, binding) in doc.bound(name, seen) {
            let (import, resolution) = (&doc.imports[i as usize], &resolutions[i as usize]);
            match self.bound(doc, import, resolution, binding, trail) {
                Meaning::External => seen_external = true,
                Meaning::Unknown => unresolved = true,
                Meaning::Module(..) if trail.past_modules => {}
                found => return found,
            }
        }
        // A name that an import binds is that import's, found or not.
        match seen_external || unresolved {
            true => Meaning::External,
            false => Meaning::Unknown,
        }
    }

    /// What one binding of an import stands for.
    fn bound(
        &self,
        doc: &Document,
        import: &DocImport,
        resolution: &Resolution,
        binding: &DocBinding,
        trail: &mut Trail,
    ) -> Meaning {
        let place = match resolution {
            Resolution::Found(place) => place,
            Resolution::External => return Meaning::External,
            Resolution::Unresolved => return Meaning::Unknown,
        };
        let Some(imported) = binding.imported else {
            return self.whole(doc.lang, import, place, binding, trail);
        };
        let found = self.given_by(place, imported, trail);
        if found.is_unknown()
            && lang::of(doc.lang).naming.object_modules
            && self.names.is_default(imported)
        {
            return Meaning::Module(place.clone(), Rule::Import);
        }
        found
    }

    /// An import of a whole module: the module, or the type of that name in it.
    fn whole(
        &self,
        lang: Grammar,
        import: &DocImport,
        place: &Place,
        binding: &DocBinding,
        trail: &mut Trail,
    ) -> Meaning {
        if !place.inner.is_empty() {
            let found = self.inner(place, trail);
            if !found.is_empty() {
                return Meaning::Symbols(found, Rule::Import);
            }
        }
        let naming = &lang::of(lang).naming;
        let specifier = &import.specifier;
        if naming.imports_types {
            let last = specifier
                .rsplit(|b| matches!(b, b'.' | b'\\' | b':'))
                .next()
                .and_then(|last| self.names.find(last));
            if let Some(last) = last
                && let Meaning::Symbols(found, _) = self.given_by(place, last, trail)
            {
                return Meaning::Symbols(found, Rule::Import);
            }
        }
        // `import a.b.c` binds `a` alone.
        if naming.import_binds_root
            && let Some(local) = binding.local
            && let Some(dot) = specifier
                .iter()
                .position(|b| *b == b'.')
                .filter(|dot| *dot > 0)
            && specifier[..dot] == *self.names.bytes(local)
            && !specifier.ends_with(self.names.bytes(local))
            && let Some(file) = place.files.first()
        {
            let site = Site {
                from: *file,
                kind: ImportKind::Import,
                line: import.line,
            };
            let root = self.modules.resolve(self.view, site, &specifier[..dot]);
            if let Resolution::Found(root) = root {
                return Meaning::Module(root, Rule::Import);
            }
        }
        if naming.object_modules
            && matches!(import.kind, ImportKind::Require | ImportKind::Reexport)
        {
            return self.required(place, trail);
        }
        Meaning::Module(place.clone(), Rule::Import)
    }

    /// What a module gives out under a name beside the function that it is: `module.exports = f`, and then
    /// `exports.name = thing`.
    pub(super) fn beside(&self, function: SymbolId, name: Name) -> Option<Meaning> {
        let file = self.table.file(function);
        let doc = self.docs.get(file)?;
        let symbol = self.table.symbol(function);
        let is_module =
            |binding: &DocBinding| binding.imported.is_none() && binding.local == Some(symbol.name);
        if !lang::of(doc.lang).naming.object_modules
            || symbol.container.is_some()
            || !doc.exports().any(is_module)
        {
            return None;
        }
        let found = self.exported(file, name, &mut Trail::default());
        (!found.is_unknown()).then_some(found)
    }

    /// What `require` gives: the thing that a CommonJS module is (`module.exports = thing`), through
    /// modules that only pass another one on (`module.exports = require("./lib")`); else the module.
    fn required(&self, place: &Place, trail: &mut Trail) -> Meaning {
        let mut place = place;
        for _ in 0..MAX_PASSED_ON {
            let [file] = *place.files else {
                break;
            };
            let Some(doc) = self.docs.get(file) else {
                break;
            };
            let thing = doc
                .exports()
                .filter(|binding| binding.imported.is_none())
                .find_map(|binding| binding.local);
            if let Some(local) = thing
                && trail.may_require(file)
                && let found @ Meaning::Symbols(..) = self.exported_local(file, doc, local, trail)
            {
                return found;
            }
            let passed = doc.only_passes_on().map(|at| &self.resolutions(file)[at]);
            match passed {
                Some(Resolution::Found(next)) => place = next,
                _ => break,
            }
        }
        Meaning::Module(place.clone(), Rule::Import)
    }

    /// A name among all those of the modules that a file takes whole.
    pub(super) fn in_whole_imports(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        kind: OccurrenceKind,
    ) -> Meaning {
        if doc.wildcard_imports.is_empty() {
            return Meaning::Unknown;
        }
        let mut external = false;
        let resolutions = self.resolutions(file);
        let own;
        let barren = match &self.barren {
            Some(barren) => barren,
            None => {
                own = Barren::of(1);
                &own
            }
        };
        for i in &doc.wildcard_imports {
            let Resolution::Found(place) = &resolutions[*i as usize] else {
                continue;
            };
            let given = self.passed_on_from(place, name, barren);
            match self.called_past_module(given, kind, |trail| self.given_by(place, name, trail)) {
                Meaning::Unknown => {}
                Meaning::External => external = true,
                found => return found,
            }
        }
        match external {
            true => Meaning::External,
            false => Meaning::Unknown,
        }
    }

    /// What a module gives out under a name. Where it gives out all that others do, what is found to give nothing is
    /// noted.
    fn passed_on_from(&self, place: &Place, name: Name, barren: &Barren) -> Meaning {
        let passes_on = |(file, ..): &Asked| self.docs.get(*file).is_some_and(|doc| doc.passes_all);
        let Some(asked) = asked(place, name).filter(passes_on) else {
            return self.exported_from(place, name);
        };
        barren.known(asked).unwrap_or_else(|| {
            let mut trail = Trail::default();
            let given = self.given_by(place, name, &mut trail);
            barren.note(asked, &given, trail);
            given
        })
    }

    /// The definition that a name inside an import statement stands for.
    pub(super) fn in_import(&self, file: FileId, doc: &Document, found: &DocOccurrence) -> Meaning {
        let mut best = Meaning::Unknown;
        // A statement runs over lines: the last one that begins at or above the name.
        let end = doc
            .imports
            .partition_point(|import| import.line <= found.line);
        let Some(line) = end.checked_sub(1).map(|i| doc.imports[i].line) else {
            return best;
        };
        let all = doc.imports.iter().zip(self.resolutions(file));
        let there = all.filter(|(import, _)| import.line == line || import.line == found.line);
        for (import, resolution) in there {
            let named = |b: &&DocBinding| {
                b.imported == Some(found.name)
                    || (b.imported.is_none() && b.local == Some(found.name))
            };
            for binding in import.bindings.iter().filter(named) {
                if import.kind == ImportKind::Export {
                    continue;
                }
                match self.bound(doc, import, resolution, binding, &mut Trail::default()) {
                    Meaning::Unknown => {}
                    meaning => {
                        if best.is_unknown() || best == Meaning::External {
                            best = meaning;
                        }
                    }
                }
            }
            if best.is_unknown() && import.kind == ImportKind::Import {
                best = self.on_the_way(file, doc, import, found.name);
            }
        }
        best
    }

    /// The type that an import names before what it takes from it: `A` of `import p.A.Inner`.
    fn on_the_way(&self, file: FileId, doc: &Document, import: &DocImport, name: Name) -> Meaning {
        if !lang::of(doc.lang).naming.imports_types {
            return Meaning::Unknown;
        }
        let (specifier, bytes) = (&import.specifier, self.names.bytes(name));
        let mut ends = memchr::memmem::find_iter(specifier, bytes).map(|at| (at, at + bytes.len()));
        let is_part = |(start, end): &(usize, usize)| {
            let dot = |at: Option<usize>| {
                at.is_none_or(|at| specifier.get(at).is_none_or(|b| *b == b'.'))
            };
            dot(start.checked_sub(1)) && dot(Some(*end))
        };
        let Some((_, end)) = ends.find(is_part) else {
            return Meaning::Unknown;
        };
        let site = Site {
            from: file,
            kind: ImportKind::Import,
            line: import.line,
        };
        match self.modules.resolve(self.view, site, &specifier[..end]) {
            Resolution::Found(place) if place.inner.is_empty() => {
                self.given_by(&place, name, &mut Trail::default())
            }
            Resolution::Found(place) => {
                let found = self.inner(&place, &mut Trail::default());
                match found.is_empty() {
                    true => Meaning::Unknown,
                    false => Meaning::Symbols(found, Rule::Import),
                }
            }
            _ => Meaning::Unknown,
        }
    }

    /// What the imports of a file lead to.
    pub(super) fn resolutions(&self, file: FileId) -> &[Resolution] {
        self.imports.of(self.view, self.modules, self.docs, file)
    }
}

/// Notes that a module in between passed a name on.
fn reexported(meaning: Meaning) -> Meaning {
    match meaning {
        Meaning::Symbols(symbols, _) => Meaning::Symbols(symbols, Rule::Reexport),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::build;
    use super::super::modules::testing::Tree;
    use super::MAX_MODULES;

    /// How many edges a tree of CommonJS modules has in which each passes the next one on, and the
    /// last one `last`.
    fn edges(modules: usize, last: &str) -> usize {
        let files: Vec<(String, String)> = (0..modules)
            .map(|n| {
                let next = format!(
                    "const next = require('./{}');\nmodule.exports = next;\n",
                    n + 1
                );
                (format!("{n}.js"), next)
            })
            .chain([(format!("{modules}.js"), last.to_owned())])
            .collect();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(p, t)| (p.as_str(), t.as_str()))
            .collect();
        let tree = Tree::new(&files);
        let made = build(tree.view(), 1, &mut |file| tree.content(file));
        made.graph.edge_count()
    }

    #[test]
    fn circles_of_modules_that_pass_each_other_on_end() {
        for modules in [0, 1, 2, 3 * MAX_MODULES] {
            let circle = "const next = require('./0');\nmodule.exports = next;\n";
            assert_eq!(edges(modules, circle), 0, "{modules}");
        }
    }

    #[test]
    fn modules_that_pass_on_what_the_last_one_is_are_followed_to_a_bound() {
        let thing = "function thing() {}\nmodule.exports = thing;\n";
        // Each names it where it is required and where it is passed on.
        let followed = |modules: usize| 1 + 2 * modules;
        assert_eq!(edges(10, thing), followed(10));
        assert_eq!(edges(MAX_MODULES, thing), followed(MAX_MODULES));
        assert_eq!(edges(20 * MAX_MODULES, thing), followed(MAX_MODULES));
    }
}
