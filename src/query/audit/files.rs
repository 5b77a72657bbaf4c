//! Files that nothing loads: no other file imports them, and nothing says that they are a way into
//! the program.
//!
//! Only where imports are the one way to a file: in JavaScript, TypeScript and Python, outside of
//! libraries, whose users may import any file. Whoever loads files by their place, as frameworks do, or by
//! names made at run time leaves no import, so the customary places and names are passed over.

use super::Seen;
use super::standing::{Standing, Standings};
use super::words;
use crate::graph::table::SymbolId;
use crate::query::exposure::Exposure;
use crate::query::inventory::{Inventory, is_callable, is_type};
use crate::query::shared::Shared;
use crate::query::{loaded, paths};
use crate::trace::lines::Ran;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Names, without endings, that programs begin at or tools look for.
const ENTRY_STEMS: &[&str] = words!(
    "__init__ __main__ app asgi background bootstrap cli conftest fabfile gruntfile gulpfile index
     main manage mod noxfile preload run server setup start tasks worker wsgi"
);

/// Which files nothing loads.
pub struct DeadFiles {
    dead: FxHashSet<FileId>,
}

impl DeadFiles {
    /// Finds them: files that only such files import, and that nothing else speaks for.
    pub fn of(
        inventory: &Inventory<'_>,
        standings: &Standings,
        exposure: &Exposure,
        texts: &mut Texts,
        seen: Seen<'_>,
    ) -> Self {
        let fits = |file: &FileId| {
            is_candidate(inventory, *file)
                && !exposure.is_published(*file)
                && has_only_definitions(inventory, *file)
        };
        let mut dead: FxHashSet<FileId> = inventory.files().filter(fits).collect();
        // A way into the program in it keeps a file.
        for id in inventory.ids() {
            let entry = inventory.get(id);
            let code = is_callable(entry.kind) || is_type(entry.kind);
            let way_in = code && standings.get(id) == Standing::Root;
            if dead.contains(&entry.file) && (way_in || seen(id) == Ran::Yes) {
                dead.remove(&entry.file);
            }
        }
        loop {
            let mut imported: Vec<FileId> = dead
                .iter()
                .copied()
                .filter(|file| {
                    let mut users = inventory.graph.dependents(*file);
                    users.any(|user| user != *file && !dead.contains(&user))
                })
                .collect();
            if imported.is_empty() {
                imported = named_elsewhere(inventory, texts, &dead);
            }
            if imported.is_empty() {
                return Self { dead };
            }
            for file in imported {
                dead.remove(&file);
            }
        }
    }

    /// Whether nothing loads a file.
    pub fn contains(&self, file: FileId) -> bool {
        self.dead.contains(&file)
    }

    /// All of them, in path order.
    pub fn iter(&self) -> impl Iterator<Item = FileId> {
        let mut files: Vec<FileId> = self.dead.iter().copied().collect();
        files.sort_unstable();
        files.into_iter()
    }
}

/// Files whose name stands as part of a path or module in a file that is not dead.
fn named_elsewhere(
    inventory: &Inventory<'_>,
    texts: &mut Texts,
    dead: &FxHashSet<FileId>,
) -> Vec<FileId> {
    let mut taken: FxHashMap<Vec<u8>, bool> = FxHashMap::default();
    let mut shared = Shared::default();
    let named = |file: &FileId| {
        let name = inventory.view.file(*file).path.file_name();
        let stem = name.split(|b| *b == b'.').next().unwrap_or(name);
        let folder = inventory.view.file(*file).path.as_bytes();
        let folder = folder[..folder.len() - name.len()].to_vec();
        words::names_file(inventory, texts, inventory.lang(*file), stem, dead)
            || *taken.entry(folder).or_insert_with(|| {
                let admits = |of| !dead.contains(&of);
                paths::takes_folder(inventory.view, texts, *file, admits, &mut shared).is_some()
            })
    };
    let mut files: Vec<FileId> = dead.iter().copied().collect();
    files.sort_unstable();
    files.into_iter().filter(named).collect()
}

fn is_candidate(inventory: &Inventory<'_>, file: FileId) -> bool {
    let Some(is_loaded) = inventory.language(file).liveness.loaded_stem else {
        return false;
    };
    if !inventory.is_product(file) {
        return false;
    }
    let path = String::from_utf8_lossy(inventory.view.file(file).path.as_bytes()).to_lowercase();
    let Some((_, name)) = path.rsplit_once('/') else {
        // What lies at the top is run by hand as often as not.
        return false;
    };
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    // `vite.config.ts`, `types.d.ts`, `+page.ts`, `[id].ts`.
    let plain = stem
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    plain && !is_loaded(stem) && !ENTRY_STEMS.contains(&stem) && !loaded::is_placed(&path)
}

/// Whether a file does nothing when it is loaded, but define what others could use.
fn has_only_definitions(inventory: &Inventory<'_>, file: FileId) -> bool {
    let Some(doc) = inventory.view.file(file).doc else {
        return false;
    };
    let segment = &inventory.view.segment(doc.segment).segment;
    // An import that is written as a call does nothing else.
    let require = segment.name_id(b"require");
    let acts = segment.occurrences(doc.doc).any(|found| {
        found.kind.is_call()
            && Some(found.name) != require
            && inventory.around(file, (found.line, found.col)).is_none()
    });
    let defines = inventory.graph.symbol(file, 0).is_some();
    defines && !acts
}

/// Number of definitions in a file, and of its lines as far as they reach.
pub fn extent(inventory: &Inventory<'_>, file: FileId) -> (usize, u32) {
    let count = |position: &usize| inventory.graph.symbol(file, *position);
    let ids: Vec<SymbolId> = (0..).map_while(|position| count(&position)).collect();
    let last = ids.iter().map(|id| inventory.get(*id).end.0).max();
    (ids.len(), last.unwrap_or(1))
}
