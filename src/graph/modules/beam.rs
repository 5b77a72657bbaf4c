//! Elixir: modules by the files that define them.

use super::paths::Layout;
use super::{Place, Resolution};
use crate::extract::record::{Grammar, SymbolKind};
use crate::view::live::FileId;
use rustc_hash::FxHashMap;

/// A definition: its file and the symbols to be walked to it.
type Defined = (FileId, Vec<Vec<u8>>);

/// Modules of a view.
pub(super) struct Beam {
    modules: FxHashMap<Vec<u8>, Vec<Defined>>,
    /// First parts of names with how many modules have them.
    first: FxHashMap<Vec<u8>, u32>,
}

impl Beam {
    pub(super) fn new(layout: Layout<'_>) -> Self {
        let mut modules: FxHashMap<Vec<u8>, Vec<Defined>> = FxHashMap::default();
        let mut first: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
        for (file, id) in layout.view.files().iter().zip(0u32..) {
            let Some(live) = file.doc else { continue };
            let segment = &layout.view.segment(live.segment).segment;
            if segment.doc(live.doc).lang != Grammar::Elixir {
                continue;
            }
            let mut names: FxHashMap<u32, Vec<Vec<u8>>> = FxHashMap::default();
            for (symbol, at) in segment.symbols(live.doc).zip(0u32..) {
                if !matches!(
                    symbol.kind,
                    SymbolKind::Module | SymbolKind::Trait | SymbolKind::Interface
                ) {
                    continue;
                }
                let above = symbol.container.and_then(|at| names.get(&at));
                let mut path = above.cloned().unwrap_or_default();
                let mut name = Vec::new();
                segment.name(symbol.name, &mut name);
                path.push(name);
                names.insert(at, path.clone());
                let whole = path.join(&b'.');
                let start = whole.split(|b| *b == b'.').next().unwrap_or_default();
                *first.entry(start.to_vec()).or_default() += 1;
                modules.entry(whole).or_default().push((FileId(id), path));
            }
        }
        Self { modules, first }
    }

    pub(super) fn resolve(&self, specifier: &[u8]) -> Resolution {
        let specifier = specifier.strip_prefix(b"Elixir.").unwrap_or(specifier);
        let mut outer = specifier;
        loop {
            if let Some(place) = self.place(outer, &specifier[outer.len()..]) {
                return Resolution::Found(place);
            }
            match memchr::memrchr(b'.', outer) {
                Some(end) => outer = &outer[..end],
                None => break,
            }
        }
        let first = specifier.split(|b| *b == b'.').next().unwrap_or_default();
        match self.first.contains_key(first) {
            true => Resolution::Unresolved,
            false => Resolution::External,
        }
    }

    /// A module, and what of a name is left below it: a nested module made by a macro.
    fn place(&self, name: &[u8], rest: &[u8]) -> Option<Place> {
        // What lies below the outermost part alone need not be ours.
        if !rest.is_empty() {
            return None;
        }
        let defined = self.modules.get(name)?;
        let mut files: Vec<FileId> = defined.iter().map(|(file, _)| *file).collect();
        files.sort_unstable();
        files.dedup();
        Some(Place {
            files,
            inner: defined.first()?.1.clone(),
            whole: None,
        })
    }

    /// The module `name` below the one that a place is.
    pub(super) fn child(&self, place: &Place, name: &[u8]) -> Option<Place> {
        let whole = [&place.inner.join(&b'.')[..], b".", name].concat();
        self.place(&whole, b"")
    }
}
