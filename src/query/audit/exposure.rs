//! Who can see what a file gives out: only the repository, or whoever uses it as a library.
//!
//! Judged by manifests. Where nothing tells, what is exported counts as used elsewhere: it is worse
//! to call an interface dead than to miss dead code.

use crate::extract::record::{Grammar, ImportKind, SymbolKind};
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
        let c_library = is_c_library(inventory);
        let of = |file| match inventory.lang(file) {
            Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx => {
                below(inventory, &manifests, "package.json", file) == Some(Kind::Library)
            }
            Grammar::Python => {
                below(inventory, &manifests, "pyproject.toml", file) == Some(Kind::Library)
            }
            Grammar::Rust => {
                below(inventory, &manifests, "Cargo.toml", file) == Some(Kind::Library)
            }
            Grammar::Go => !is_inside_go_program(inventory, file),
            Grammar::Bash | Grammar::Lua => false,
            Grammar::C | Grammar::Cpp => c_library,
            _ => true,
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

/// Manifests by family (its main file name) and folder.
type Manifests = FxHashMap<(&'static str, Vec<u8>), Kind>;

fn manifests(inventory: &Inventory<'_>, texts: &mut Texts) -> Manifests {
    let view = inventory.view;
    let mut found = Manifests::default();
    for (file, id) in view.files().iter().zip((0..).map(FileId)) {
        let path = file.path.as_bytes();
        let name: &[u8] = file.path.file_name();
        let family = match name {
            b"package.json" => "package.json",
            b"pyproject.toml" | b"setup.py" | b"setup.cfg" => "pyproject.toml",
            b"Cargo.toml" => "Cargo.toml",
            _ => continue,
        };
        let folder = path[..path.len() - name.len()].to_vec();
        let Some(text) = texts.get(view, id) else {
            continue;
        };
        let has = |word: &str| memchr::memmem::find(text.bytes(), word.as_bytes()).is_some();
        let library = match name {
            b"package.json" => {
                let keys = ["\"main\"", "\"exports\"", "\"module\"", "\"types\""];
                // Without any of them `index.js` is what a package gives out.
                let beside = [&folder[..], b"index.js"].concat();
                let by_default = || view.file_at(&beside).is_some() && !has("\"private\": true");
                keys.iter().any(|key| has(key)) || by_default()
            }
            b"pyproject.toml" => has("[project]") || has("[tool.poetry]") || has("[build-system]"),
            b"setup.py" => has("setup("),
            b"setup.cfg" => has("[metadata]"),
            _ => {
                let lib = [&folder[..], b"src/lib.rs"].concat();
                has("[lib]") || view.file_at(&lib).is_some()
            }
        };
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

/// Whether C code is made for others to link: it has headers in a folder for them, or no program.
fn is_c_library(inventory: &Inventory<'_>) -> bool {
    let is_c = |file: FileId| {
        matches!(inventory.lang(file), Grammar::C | Grammar::Cpp) && inventory.is_product(file)
    };
    let offers = |file: FileId| {
        let path = inventory.view.file(file).path.as_bytes();
        let mut folders = path.split(|b| *b == b'/');
        is_c(file) && folders.any(|folder| folder == b"include")
    };
    let begins = |id| {
        let entry = inventory.get(id);
        entry.kind == SymbolKind::Function && inventory.name(id) == b"main" && is_c(entry.file)
    };
    inventory.files().any(offers) || !inventory.ids().any(begins)
}

/// What the nearest manifest of a family above a file says.
fn below(
    inventory: &Inventory<'_>,
    manifests: &Manifests,
    family: &'static str,
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

/// Whether a Go file belongs to a program, or to a package that only the module itself may import.
fn is_inside_go_program(inventory: &Inventory<'_>, file: FileId) -> bool {
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
