//! The module tree: which file is a module of which, by the `mod` declarations of files.

use super::cargo::{Crates, is_folders_own};
use crate::modules::paths::{parent, stem};
use crate::modules::prelude::*;
use rustc_hash::FxHashMap;

/// How deep inline modules are followed.
const MAX_INLINE: usize = 16;

/// An inline module: its lines and its names from the outside in.
struct Inline {
    lines: (u32, u32),
    names: Vec<Vec<u8>>,
}

/// Where a file is in the tree.
struct Row {
    root: FileId,
    /// The file whose module it is right below; `None` for a root.
    above: Option<FileId>,
    /// Inline modules, outer ones before inner ones.
    inline: Vec<Inline>,
}

/// The modules of a view.
pub(super) struct ModuleTree {
    rows: FxHashMap<FileId, Row>,
}

/// A place in the source: a file and the inline module in it.
#[derive(Clone)]
pub(super) struct Standing {
    pub(super) file: FileId,
    pub(super) inline: Vec<Vec<u8>>,
}

impl Standing {
    pub(super) fn place(&self) -> Place {
        Place {
            inner: self.inline.clone(),
            ..Place::file(self.file)
        }
    }
}

impl ModuleTree {
    pub(super) fn new(layout: Layout<'_>, crates: &Crates) -> Self {
        let mut tree = Self {
            rows: FxHashMap::default(),
        };
        let mut declared: FxHashMap<FileId, Vec<(u32, Vec<u8>)>> = FxHashMap::default();
        for (id, doc) in layout.documents(Grammar::Rust) {
            let mut needs_lines = false;
            for import in doc.imports() {
                if import.kind == ImportKind::Module {
                    let list = declared.entry(id).or_default();
                    list.push((import.line, super::raw(&import.specifier).to_vec()));
                }
                needs_lines |= !import.specifier.starts_with(b"crate");
            }
            let inline = match needs_lines {
                true => inline_modules(layout, id),
                false => Vec::new(),
            };
            tree.rows.insert(
                id,
                Row {
                    root: id,
                    above: None,
                    inline,
                },
            );
        }
        // From the roots down: a file belongs to the first one that declares it.
        let mut placed: rustc_hash::FxHashSet<FileId> = crates.roots().collect();
        let mut open: Vec<FileId> = crates.roots().collect();
        open.reverse();
        while let Some(file) = open.pop() {
            for (line, name) in declared.get(&file).into_iter().flatten() {
                let standing = tree.standing(layout, file, *line);
                let root = tree.root(file);
                let child = tree.beside(layout, file, root == file, &standing.inline, name);
                if let Some(child) = child
                    && let Some(row) = tree.rows.get_mut(&child)
                    && placed.insert(child)
                {
                    row.root = root;
                    row.above = Some(file);
                    open.push(child);
                }
            }
        }
        // Files that nothing declares (`#[path]`, macros) are taken to be where their paths say.
        let stray: Vec<FileId> = tree
            .rows
            .keys()
            .copied()
            .filter(|f| !placed.contains(f))
            .collect();
        for file in stray {
            let above = tree.above_by_path(layout, file);
            let root = crates.around(layout, file).or(above);
            if let Some(row) = tree.rows.get_mut(&file) {
                row.above = above.or(root).filter(|above| *above != file);
                row.root = root.unwrap_or(file);
            }
        }
        tree
    }

    /// Root of the crate that a file is in.
    pub(super) fn root(&self, file: FileId) -> FileId {
        self.rows.get(&file).map_or(file, |row| row.root)
    }

    /// Where a line of a file is.
    pub(super) fn standing(&self, _: Layout<'_>, file: FileId, line: u32) -> Standing {
        let inline = self.rows.get(&file).map_or(&[][..], |row| &row.inline);
        let around = inline
            .iter()
            .filter(|inline| inline.lines.0 <= line && line <= inline.lines.1);
        let inner = around.max_by_key(|inline| inline.names.len());
        Standing {
            file,
            inline: inner.map(|inline| inline.names.clone()).unwrap_or_default(),
        }
    }

    /// The module around a module.
    pub(super) fn above(&self, mut standing: Standing) -> Option<Standing> {
        if standing.inline.pop().is_some() {
            return Some(standing);
        }
        let above = self.rows.get(&standing.file)?.above?;
        Some(Standing {
            file: above,
            inline: Vec::new(),
        })
    }

    /// The file of the module `name` below the module at `inline` in a file.
    pub(super) fn child(
        &self,
        layout: Layout<'_>,
        file: FileId,
        inline: &[Vec<u8>],
        name: &[u8],
    ) -> Option<FileId> {
        let is_root = self.root(file) == file;
        self.beside(layout, file, is_root, inline, name)
            .filter(|found| *found != file)
    }

    fn beside(
        &self,
        layout: Layout<'_>,
        file: FileId,
        is_root: bool,
        inline: &[Vec<u8>],
        name: &[u8],
    ) -> Option<FileId> {
        let path = layout.path_of(file);
        let mut folder = parent(path).to_vec();
        if !is_root && !is_folders_own(path) {
            folder = join(&folder, stem(path))?;
        }
        for part in inline {
            folder = join(&folder, part)?;
        }
        if name.is_empty() || name.contains(&b'/') {
            return None;
        }
        let mut trial = join(&folder, name)?;
        let len = trial.len();
        trial.extend_from_slice(b".rs");
        layout.file(&trial).or_else(|| {
            trial.truncate(len);
            trial.extend_from_slice(b"/mod.rs");
            layout.file(&trial)
        })
    }

    /// The file that a file's path says it is a module of.
    fn above_by_path(&self, layout: Layout<'_>, file: FileId) -> Option<FileId> {
        let path = layout.path_of(file);
        let folder = match is_folders_own(path) {
            true => parent(parent(path)),
            false => parent(path),
        };
        let at = |path: Vec<u8>| layout.file(&path).filter(|found| *found != file);
        let inside = |name: &[u8]| at(join(folder, name)?);
        inside(b"mod.rs")
            .or_else(|| at([folder, b".rs"].concat()))
            .or_else(|| inside(b"lib.rs"))
            .or_else(|| inside(b"main.rs"))
    }
}

fn inline_modules(layout: Layout<'_>, file: FileId) -> Vec<Inline> {
    let Some(doc) = layout.tree.document(file) else {
        return Vec::new();
    };
    let mut found: FxHashMap<u32, Vec<Vec<u8>>> = FxHashMap::default();
    let mut inline = Vec::new();
    for (symbol, at) in doc.symbols().zip(0u32..) {
        if symbol.kind != SymbolKind::Module {
            continue;
        }
        let mut names = symbol
            .container
            .and_then(|at| found.get(&at).cloned())
            .unwrap_or_default();
        if names.len() >= MAX_INLINE {
            continue;
        }
        let mut name = Vec::new();
        doc.name(symbol.name, &mut name);
        names.push(super::raw(&name).to_vec());
        found.insert(at, names.clone());
        if symbol.start_line < symbol.end_line {
            let lines = (symbol.start_line, symbol.end_line);
            inline.push(Inline { lines, names });
        }
    }
    inline
}
