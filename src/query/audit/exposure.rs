//! Who can see what a file gives out: only the repository, or whoever uses it as a library.
//!
//! Judged by manifests. Where nothing tells, what is exported counts as used elsewhere: it is worse
//! to call an interface dead than to miss dead code.

use crate::extract::record::{Grammar, ImportKind, SymbolKind};
use crate::lang::{
    LANGUAGES,
    liveness::{Manifest, Published},
};
use crate::query::inventory::Inventory;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashMap;

/// What a manifest says of the files below its folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Library,
    Program,
}

/// Which files belong to libraries.
pub struct Exposure {
    published: Vec<bool>,
}

impl Exposure {
    /// Reads the manifests of a view.
    pub fn of(inventory: &Inventory<'_>, texts: &mut Texts) -> Self {
        let manifests = manifests(inventory, texts);
        let has_headers = is_linked_library(inventory);
        let of = |file| {
            let language = inventory.language(file);
            match language.liveness.published {
                Published::Always => true,
                Published::Never => false,
                Published::Manifest(_) => {
                    below(inventory, &manifests, language.family, file) == Some(Kind::Library)
                }
                Published::Headers => has_headers,
                Published::Packages => !is_inside_program(inventory, file),
            }
        };
        Self {
            published: inventory.files().map(of).collect(),
        }
    }

    /// Whether others than the repository may use what a file exports.
    pub fn is_published(&self, file: FileId) -> bool {
        self.published[file.0 as usize]
    }
}

/// Manifests by the family of their language and their folder.
type Manifests = FxHashMap<(Grammar, Vec<u8>), Kind>;

fn manifests(inventory: &Inventory<'_>, texts: &mut Texts) -> Manifests {
    let view = inventory.view;
    let mut known: FxHashMap<&[u8], (Grammar, &Manifest)> = FxHashMap::default();
    for language in LANGUAGES {
        if let Published::Manifest(manifests) = language.liveness.published {
            let named = manifests
                .iter()
                .map(|one| (one.name.as_bytes(), (language.family, one)));
            known.extend(named);
        }
    }
    let mut found = Manifests::default();
    for (file, id) in view.files().iter().zip((0..).map(FileId)) {
        let path = file.path.as_bytes();
        let name: &[u8] = file.path.file_name();
        let Some((family, manifest)) = known.get(name).copied() else {
            continue;
        };
        let folder = path[..path.len() - name.len()].to_vec();
        let Some(text) = texts.get(view, id) else {
            continue;
        };
        let has_file = |below: &str| {
            let path = [&folder[..], below.as_bytes()].concat();
            view.file_at(&path).is_some()
        };
        let library = (manifest.is_library)(text.bytes(), &has_file);
        // A folder may have several of the same family; one that says library is enough.
        let kind = if library {
            Kind::Library
        } else {
            Kind::Program
        };
        let known = found.entry((family, folder)).or_insert(kind);
        if library {
            *known = kind;
        }
    }
    found
}

/// Whether code is made for others to link, as in C: it has headers in a folder for them, or no program.
fn is_linked_library(inventory: &Inventory<'_>) -> bool {
    let is_linked = |file: FileId| {
        let published = inventory.language(file).liveness.published;
        matches!(published, Published::Headers) && inventory.is_product(file)
    };
    let offers = |file: FileId| {
        let path = inventory.view.file(file).path.as_bytes();
        let mut folders = path.split(|b| *b == b'/');
        is_linked(file) && folders.any(|folder| folder == b"include")
    };
    let begins = |id| {
        let entry = inventory.get(id);
        entry.kind == SymbolKind::Function && inventory.name(id) == b"main" && is_linked(entry.file)
    };
    inventory.files().any(offers) || !inventory.ids().any(begins)
}

/// What the nearest manifest of a family above a file says.
fn below(
    inventory: &Inventory<'_>,
    manifests: &Manifests,
    family: Grammar,
    file: FileId,
) -> Option<Kind> {
    let mut folder = inventory.view.file(file).path.as_bytes();
    loop {
        let end = folder.iter().rposition(|b| *b == b'/').map(|at| at + 1);
        folder = &folder[..end.unwrap_or(0)];
        if let Some(kind) = manifests.get(&(family, folder.to_vec())) {
            return Some(*kind);
        }
        folder = folder.strip_suffix(b"/")?;
    }
}

/// Whether a file belongs to a program, or to a package that only the module itself may import.
fn is_inside_program(inventory: &Inventory<'_>, file: FileId) -> bool {
    let file = inventory.view.file(file);
    let internal = file
        .path
        .as_bytes()
        .split(|b| *b == b'/')
        .any(|part| part == b"internal");
    let Some(doc) = file.doc.filter(|_| !internal) else {
        return true;
    };
    let segment = &inventory.view.segment(doc.segment).segment;
    segment
        .imports(doc.doc)
        .any(|import| import.kind == ImportKind::Package && import.specifier == b"main")
}
