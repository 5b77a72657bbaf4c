//! Import statements as a graph keeps them, and which file depends on which.

use super::csr::Csr;
use super::edges::{Graph, Lists};
use super::modules::Resolution;
use super::numbers::Numbers;
use super::rank;
use super::resolve::{Meaning, Resolver};
use super::reuse::Reused;
use super::rule::{Certainty, Rule};
use crate::extract::record::ImportKind;
use crate::lang;
use crate::view::live::FileId;
use std::borrow::Cow;
use std::sync::Arc;

/// Files of which one surely uses what they define, sorted; itself is none of them.
fn used_by(resolver: &Resolver<'_>, graph: &Graph, file: FileId) -> Vec<u32> {
    let mut used: Vec<u32> = Vec::new();
    for edge in graph.edges_of(file) {
        let rule = Rule::from_code(graph.rule[edge as usize]);
        if rule.is_some_and(|rule| rule.certainty() == Certainty::Resolved) {
            used.extend(graph.targets(edge).map(|id| resolver.table.file(id).0));
        }
    }
    used.sort_unstable();
    used.dedup();
    used.retain(|to| *to != file.0);
    used
}

/// Import statements and what depends on what; see the fields of [`Graph`].
#[derive(Default)]
pub(super) struct Depends {
    pub(super) imports: Numbers<u32>,
    pub(super) import_at: Arc<Vec<ImportAt>>,
    pub(super) import_files: Lists,
    pub(super) importers: Lists,
    pub(super) depends: Lists,
    pub(super) dependents: Lists,
    pub(super) rank: Numbers<f64>,
}

/// An import statement as the columns have it: position in the document, line, kind, target.
pub(super) type ImportAt = (u32, u32, u8, u8);

/// What one file imports and depends on.
#[derive(Default)]
struct OfFile {
    /// Import statements, and the files that each leads to.
    imports: Vec<(ImportAt, Vec<u32>)>,
    /// Files that it depends on, sorted; itself is none of them.
    depends: Vec<u32>,
}

impl OfFile {
    /// Of a file of which `graph` has the edges.
    fn of(resolver: &Resolver<'_>, graph: &Graph, file: FileId) -> Self {
        let used = used_by(resolver, graph, file);
        let Some(doc) = resolver.docs.get(file) else {
            return Self::default();
        };
        let mut imports = Vec::new();
        let mut depends = used.clone();
        for ((import, resolution), at) in
            doc.imports.iter().zip(resolver.resolutions(file)).zip(0..)
        {
            if matches!(import.kind, ImportKind::Export | ImportKind::Package) {
                continue;
            }
            let (target, reached) = match resolution {
                Resolution::Found(_) => (0, resolver.files_of_import(file, at, &used)),
                Resolution::External => (1, Vec::new()),
                Resolution::Unresolved => (2, Vec::new()),
            };
            // `mod x;` says where a part of the program lies, not that this file needs it.
            if import.kind != ImportKind::Module {
                let others = reached.iter().filter(|to| **to != file);
                depends.extend(others.map(|to| to.0));
            }
            let import = (at as u32, import.line, import.kind.code(), target);
            imports.push((import, reached.iter().map(|to| to.0).collect()));
        }
        depends.sort_unstable();
        depends.dedup();
        Self { imports, depends }
    }
}

/// What an earlier graph says of a file's imports and of what it depends on, in numbers of files of now.
struct Same<'a> {
    imports: Vec<(ImportAt, Cow<'a, [u32]>)>,
    depends: Cow<'a, [u32]>,
}

impl<'a> Same<'a> {
    /// `None` when it leads to a file that is no more.
    fn of(reused: &Reused<'a>, file: FileId) -> Option<Self> {
        let (old, was) = (reused.graph, reused.was(file)?.0 as usize);
        let (first, end) = (*old.imports.get(was)?, *old.imports.get(was + 1)?);
        let import = |i: u32| {
            let reached = reused.now(old.import_files.get(i as usize))?;
            Some((*old.import_at.get(i as usize)?, reached))
        };
        Some(Self {
            imports: (first..end).map(import).collect::<Option<_>>()?,
            depends: reused.now(old.depends.get(was))?,
        })
    }
}

impl Depends {
    /// Of the files of a graph of which the edges are known.
    pub(super) fn of(resolver: &Resolver<'_>, graph: &Graph, reused: Option<&Reused<'_>>) -> Self {
        let files = resolver.docs.len();
        let mut uses: Vec<(u32, u32)> = Vec::new();
        let mut importing: Vec<(u32, u32)> = Vec::new();
        let (mut imports, mut import_at) = (Vec::with_capacity(files + 1), Vec::new());
        let mut import_files = Lists::default();
        for file in (0..files as u32).map(FileId) {
            imports.push(import_at.len() as u32);
            let same = reused.filter(|reused| reused.holds(file));
            let same = same.and_then(|reused| Same::of(reused, file));
            let mut add = |import: ImportAt, reached: &[u32]| {
                import_at.push(import);
                importing.extend(reached.iter().map(|to| (*to, file.0)));
                import_files.push(reached.iter().copied());
            };
            match same {
                Some(same) => {
                    uses.extend(same.depends.iter().map(|to| (file.0, *to)));
                    for (import, reached) in &same.imports {
                        add(*import, reached);
                    }
                }
                None => {
                    let found = OfFile::of(resolver, graph, file);
                    uses.extend(found.depends.iter().map(|to| (file.0, *to)));
                    for (import, reached) in &found.imports {
                        add(*import, reached);
                    }
                }
            }
        }
        imports.push(import_at.len() as u32);
        importing.sort_unstable();
        importing.dedup();
        let importers = Lists::from_pairs(files, importing.iter().copied());
        let depends = Lists::from_pairs(files, uses.iter().copied());
        let reversed = uses.iter().map(|(from, to)| (*to, *from));
        let dependents = Lists::from_pairs(files, reversed);
        let rank = match reused {
            // Ranks are a function of these pairs alone.
            Some(reused) if reused.graph.depends == depends => reused.graph.rank.clone(),
            _ => rank::pagerank(&Csr::of_edges(files as u32, &uses), None).into(),
        };
        Self {
            imports: imports.into(),
            import_at: Arc::new(import_at),
            import_files,
            importers,
            depends,
            dependents,
            rank,
        }
    }

    /// The same where a few files of an earlier graph were resolved again and all files have the numbers that they had; `None`
    /// when one of them depends on something else. Only the lines of import statements may differ.
    pub(super) fn same(
        resolver: &Resolver<'_>,
        graph: &Graph,
        old: &Graph,
        files: &[FileId],
    ) -> Option<Self> {
        let mut moved: Vec<(usize, u32)> = Vec::new();
        for file in files {
            let found = OfFile::of(resolver, graph, *file);
            let at = file.0 as usize;
            let (first, end) = (*old.imports.get(at)?, *old.imports.get(at + 1)?);
            let is_same = found.depends == old.depends.get(at)
                && found.imports.len() == (end - first) as usize;
            if !is_same {
                return None;
            }
            for ((import, reached), place) in found.imports.iter().zip(first as usize..) {
                let (position, line, kind, target) = *import;
                let (was_position, was_line, was_kind, was_target) = old.import_at[place];
                if (position, kind, target) != (was_position, was_kind, was_target)
                    || *reached != old.import_files.get(place)
                {
                    return None;
                }
                if line != was_line {
                    moved.push((place, line));
                }
            }
        }
        let mut import_at = old.import_at.clone();
        if !moved.is_empty() {
            let lines = Arc::make_mut(&mut import_at);
            moved
                .iter()
                .for_each(|(place, line)| lines[*place].1 = *line);
        }
        Some(Self {
            imports: old.imports.clone(),
            import_at,
            import_files: old.import_files.clone(),
            importers: old.importers.clone(),
            depends: old.depends.clone(),
            dependents: old.dependents.clone(),
            rank: old.rank.clone(),
        })
    }
}

impl Resolver<'_> {
    /// The files that an import statement leads to: those of the submodules that it names, those of
    /// a package that are used, else all of the module.
    fn files_of_import(&self, file: FileId, at: usize, used: &[u32]) -> Vec<FileId> {
        let (Some(Resolution::Found(place)), Some(doc)) =
            (self.resolutions(file).get(at), self.docs.get(file))
        else {
            return Vec::new();
        };
        let import = &doc.imports[at];
        // A namespace that a JavaScript module gives out is no part of the file that is imported.
        let submodules = lang::of(doc.lang).naming.imports_submodules;
        let mut own = import.bindings.is_empty();
        let mut reached: Vec<FileId> = Vec::new();
        for binding in &import.bindings {
            let Some(imported) = binding.imported.filter(|_| submodules) else {
                own = true;
                continue;
            };
            match self.exported_from(place, imported) {
                Meaning::Module(module, _) if module.files != place.files => {
                    reached.extend(module.files);
                }
                _ => own = true,
            }
        }
        if own || reached.is_empty() {
            // A package of many files: those that define what is used here, when any is.
            let is_used = |to: &&FileId| used.binary_search(&to.0).is_ok();
            let needed: Vec<FileId> = match place.files.len() {
                0 | 1 => Vec::new(),
                _ => place.files.iter().filter(is_used).copied().collect(),
            };
            match needed.is_empty() {
                true => reached.extend_from_slice(&place.files),
                false => reached.extend(needed),
            }
        }
        reached.sort_unstable();
        reached.dedup();
        reached
    }
}
