//! Packages and namespaces that files declare: which files are of each, and which of them has a
//! top-level name.

use super::paths::Layout;
use super::place::{Place, Resolution, Whole};
use crate::id::FileId;
use crate::record::{Grammar, ImportKind, SymbolKind};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The namespaces of one family of languages.
pub(crate) struct Namespaces {
    separator: u8,
    ids: FxHashMap<Vec<u8>, u32>,
    rows: Vec<Row>,
    /// Files by namespace and top-level name, hashed together; sorted.
    names: Vec<(u64, FileId)>,
    of_file: FxHashMap<FileId, u32>,
    /// Of files that declare several namespaces: the files whose names are visible in any of them. Sorted.
    of_several: FxHashMap<FileId, Vec<FileId>>,
}

struct Row {
    name: Vec<u8>,
    /// Sorted.
    files: Vec<FileId>,
    /// The files whose names are visible inside without an import. Sorted.
    visible: Vec<FileId>,
}

impl Namespaces {
    /// Collects the namespaces of the files of a family of languages. With `nested`, names of outer
    /// namespaces are visible in inner ones.
    pub(crate) fn new(layout: Layout<'_>, family: Grammar, separator: u8, nested: bool) -> Self {
        let mut all = Self {
            separator,
            ids: FxHashMap::default(),
            rows: Vec::new(),
            names: Vec::new(),
            of_file: FxHashMap::default(),
            of_several: FxHashMap::default(),
        };
        let mut several: Vec<(FileId, Vec<u32>)> = Vec::new();
        let mut name = Vec::new();
        for (id, doc) in layout.documents(family) {
            let mut declared: Vec<u32> = Vec::new();
            for import in doc.imports() {
                if import.kind == ImportKind::Package {
                    let row = all.intern(all.trimmed(&import.specifier));
                    if !declared.contains(&row) {
                        declared.push(row);
                    }
                }
            }
            if declared.is_empty() {
                declared.push(all.intern(b""));
            }
            all.of_file.insert(id, all.innermost(&declared));
            for row in &declared {
                all.rows[*row as usize].files.push(id);
            }
            // A namespace's block may be a symbol itself: what it holds is at the top level.
            let mut blocks: Vec<u32> = Vec::new();
            for (symbol, at) in doc.symbols().zip(0u32..) {
                if symbol
                    .container
                    .is_some_and(|above| !blocks.contains(&above))
                {
                    continue;
                }
                if symbol.kind == SymbolKind::Module {
                    blocks.push(at);
                }
                name.clear();
                doc.name(symbol.name, &mut name);
                for row in &declared {
                    all.names.push((key(*row, &name), id));
                }
            }
            // Where names of outer namespaces are visible, one of them stands for the file.
            if declared.len() > 1 && !nested {
                several.push((id, declared));
            }
        }
        all.names.sort_unstable();
        all.names.dedup();
        all.see(nested);
        for (id, declared) in several {
            let rows = declared.iter().map(|row| &all.rows[*row as usize]);
            let mut visible: Vec<FileId> = rows.flat_map(|row| &row.visible).copied().collect();
            visible.sort_unstable();
            visible.dedup();
            all.of_several.insert(id, visible);
        }
        all
    }

    fn see(&mut self, nested: bool) {
        for at in 0..self.rows.len() {
            let mut visible = self.rows[at].files.clone();
            let name = self.rows[at].name.clone();
            let mut outer = &name[..];
            while nested && let Some(end) = memchr::memrchr(self.separator, outer) {
                outer = &outer[..end];
                if let Some(id) = self.ids.get(outer) {
                    visible.extend(&self.rows[*id as usize].files);
                }
            }
            visible.sort_unstable();
            visible.dedup();
            self.rows[at].visible = visible;
        }
    }

    /// The namespace that a file's names are looked for in first: the last one where each stands in the one before.
    fn innermost(&self, declared: &[u32]) -> u32 {
        let name = |row: &u32| &self.rows[*row as usize].name;
        let stands_in = |pair: &[u32]| {
            let rest = name(&pair[1]).strip_prefix(&name(&pair[0])[..]);
            rest.is_some_and(|rest| rest.first() == Some(&self.separator))
        };
        match declared.windows(2).all(stands_in) {
            true => declared.last().copied().unwrap_or_default(),
            false => declared[0],
        }
    }

    fn trimmed<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        name.strip_prefix(&[self.separator]).unwrap_or(name)
    }

    fn intern(&mut self, name: &[u8]) -> u32 {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = self.rows.len() as u32;
        self.rows.push(Row {
            name: name.to_vec(),
            files: Vec::new(),
            visible: Vec::new(),
        });
        self.ids.insert(name.to_vec(), id);
        id
    }

    /// The namespace a file declares first.
    pub(crate) fn of(&self, file: FileId) -> Option<&[u8]> {
        Some(&self.rows[*self.of_file.get(&file)? as usize].name)
    }

    /// The files whose top-level names are visible in a file without an import.
    pub(crate) fn package_of(&self, file: FileId) -> Option<&[FileId]> {
        if let Some(visible) = self.of_several.get(&file) {
            return Some(visible);
        }
        let row = &self.rows[*self.of_file.get(&file)? as usize];
        // What is in no namespace need not know of one another.
        (!row.name.is_empty()).then_some(&row.visible)
    }

    /// The files that declare a name outside of any namespace.
    pub(crate) fn at_top(&self, name: &[u8]) -> Option<Place> {
        let files = self.declaring(*self.ids.get(&b""[..])?, name);
        (!files.is_empty()).then(|| Place {
            files,
            inner: vec![name.to_vec()],
            whole: None,
        })
    }

    fn place(&self, id: u32) -> Place {
        Place {
            files: self.rows[id as usize].files.clone(),
            whole: Some(Whole::Namespace(id)),
            ..Place::default()
        }
    }

    /// The namespace of a full name, part by part: as it stands, or else from the namespaces around a file, the
    /// nearest first.
    pub(crate) fn named(&self, from: FileId, parts: &[&[u8]]) -> Option<Place> {
        let name = parts.join(&self.separator);
        if let Some(id) = self.ids.get(&name) {
            return Some(self.place(*id));
        }
        let mut around = self.of(from).unwrap_or_default();
        while !around.is_empty() {
            let inner = [around, &[self.separator], &name].concat();
            if let Some(id) = self.ids.get(&inner) {
                return Some(self.place(*id));
            }
            around = memchr::memrchr(self.separator, around).map_or(b"", |at| &around[..at]);
        }
        None
    }

    /// The files of a namespace that have a top-level name.
    fn declaring(&self, id: u32, name: &[u8]) -> Vec<FileId> {
        let key = key(id, name);
        let start = self.names.partition_point(|(other, _)| *other < key);
        let same = self.names[start..]
            .iter()
            .take_while(|(other, _)| *other == key);
        same.map(|(_, file)| *file).collect()
    }

    /// The top-level name that a full name ends in, where its namespace has it: a namespace may have the same name.
    pub(crate) fn declared(&self, full: &[u8]) -> Option<Place> {
        let full = self.trimmed(full);
        let end = memchr::memrchr(self.separator, full)?;
        let files = self.declaring(*self.ids.get(&full[..end])?, &full[end + 1..]);
        (!files.is_empty()).then(|| Place {
            files,
            inner: vec![full[end + 1..].to_vec()],
            whole: None,
        })
    }

    /// What a dotted name means: a namespace, or a name in the innermost one that has it, with
    /// what is nested in that.
    pub(crate) fn find(&self, dotted: &[u8]) -> Lookup {
        self.find_below(0, dotted)
    }

    /// As [`Self::find`], where the first bytes of the name are those of a namespace that it is looked for in.
    fn find_below(&self, base: usize, dotted: &[u8]) -> Lookup {
        let dotted = self.trimmed(dotted);
        if dotted.is_empty() {
            return Lookup::Unknown;
        }
        if let Some(id) = self.ids.get(dotted) {
            return Lookup::Found(self.place(*id));
        }
        let mut known = false;
        let mut outer = dotted;
        while let Some(end) = memchr::memrchr(self.separator, outer) {
            outer = &outer[..end];
            if end < base {
                break;
            }
            let Some(id) = self.ids.get(outer) else {
                continue;
            };
            // One part alone (`com`, `System`) is shared with the rest of the world.
            known |= outer.contains(&self.separator) || !self.is_common(outer);
            let rest = &dotted[end + 1..];
            let inner: Vec<Vec<u8>> = rest
                .split(|b| *b == self.separator)
                .map(<[u8]>::to_vec)
                .collect();
            let files = inner
                .first()
                .map(|first| self.declaring(*id, first))
                .unwrap_or_default();
            if !files.is_empty() {
                return Lookup::Found(Place {
                    files,
                    inner,
                    whole: None,
                });
            }
        }
        match known {
            true => Lookup::Missing,
            false => Lookup::Unknown,
        }
    }

    fn is_common(&self, name: &[u8]) -> bool {
        matches!(
            name,
            b"System" | b"Microsoft" | b"com" | b"org" | b"java" | b"scala" | b"kotlin"
        )
    }

    /// What a dotted name means in a file: as it stands, or else from the package that the file is of
    /// and those around it, the nearest first.
    pub(crate) fn resolve(&self, from: FileId, dotted: &[u8]) -> Resolution {
        let missing = match self.find(dotted) {
            Lookup::Found(place) => return Resolution::Found(place),
            Lookup::Missing => true,
            Lookup::Unknown => false,
        };
        let mut around = self.of(from).unwrap_or_default();
        while !around.is_empty() {
            let name = [around, b".", dotted].concat();
            if let Lookup::Found(place) = self.find_below(around.len(), &name) {
                return Resolution::Found(place);
            }
            around = memchr::memrchr(b'.', around).map_or(b"", |at| &around[..at]);
        }
        match missing {
            true => Resolution::Unresolved,
            false => Resolution::External,
        }
    }

    /// The namespace or top-level name `name` below a place that is a namespace.
    pub(crate) fn child(&self, place: &Place, name: &[u8]) -> Option<Place> {
        let (Some(Whole::Namespace(id)), []) = (place.whole, &place.inner[..]) else {
            return None;
        };
        let row = &self.rows[id as usize];
        let mut whole = row.name.clone();
        if !whole.is_empty() {
            whole.push(self.separator);
        }
        whole.extend_from_slice(name);
        if let Some(found) = self.ids.get(&whole) {
            return Some(self.place(*found));
        }
        let files = self.declaring(id, name);
        (!files.is_empty()).then(|| Place {
            files,
            inner: vec![name.to_vec()],
            whole: None,
        })
    }
}

/// What looking a dotted name up gives.
pub(crate) enum Lookup {
    /// It is there.
    Found(Place),
    /// A namespace around it is there, it is not.
    Missing,
    /// Nothing of it is there.
    Unknown,
}

fn key(namespace: u32, name: &[u8]) -> u64 {
    xxh3_64_with_seed(name, u64::from(namespace))
}
