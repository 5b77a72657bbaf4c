//! What each router is mounted on, over the files of a view.

use super::spelling::cut;
use super::{At, Stated};
use crate::extract::record::{Entry, EntryKind, Reached};
use crate::graph::edges::Target;
use crate::graph::table::SymbolId;
use crate::view::live::FileId;
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::FxHashMap;

/// Definitions that a mount may mean; one of more candidates means nobody.
const MAX_MEANT: usize = 4;

/// Where the build tools of Java and Kotlin look for a program. What is said of all of it is said anywhere in it.
const PROGRAM_FOLDER: &str = "src/main";

/// The folder of the program that a file says something of all of: of a known layout, else the file's own.
fn program_folder(path: &str) -> &str {
    let own = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_whole = |at: &usize| {
        let rest = &own[at + PROGRAM_FOLDER.len()..];
        (*at == 0 || own[..*at].ends_with('/')) && (rest.is_empty() || rest.starts_with('/'))
    };
    let known = own.find(PROGRAM_FOLDER).filter(is_whole);
    known.map_or(own, |at| &own[..at + PROGRAM_FOLDER.len()])
}

/// Mounts by what they put under their path.
#[derive(Default)]
pub(super) struct Mounts {
    of_symbols: FxHashMap<SymbolId, Vec<At>>,
    of_files: FxHashMap<FileId, Vec<At>>,
    /// Routers that are definitions of their own files.
    routers: FxHashMap<SymbolId, Vec<At>>,
    /// Mounts of all controllers of a program, with the folder that it lies in.
    global: Vec<(String, At)>,
    /// What names lead to that routers of other files are called by.
    aliases: FxHashMap<At, Meant>,
}

/// What a mount puts under its path.
#[derive(Clone, Default)]
struct Meant {
    symbols: Vec<SymbolId>,
    files: Vec<FileId>,
}

impl Mounts {
    pub(super) fn of(stated: &Stated<'_>, texts: &mut Texts) -> Self {
        let mut mounts = Self::default();
        for at in stated.all() {
            if stated.get(at).is_some_and(|of| of.kind.is_router())
                && let Some(symbol) = stated.own_symbol(at)
            {
                mounts.routers.entry(symbol).or_default().push(at);
            }
        }
        for at in stated.all() {
            let Some(entry) = stated.get(at) else {
                continue;
            };
            match (entry.kind, &entry.reached) {
                (EntryKind::Mount, Reached::Nothing) => {
                    let path = stated.view.file(at.file).path.to_string();
                    mounts.global.push((program_folder(&path).to_owned(), at));
                }
                (EntryKind::Mount, _) => {
                    let meant = mounts.meant(stated, texts, at, entry);
                    for symbol in meant.symbols {
                        mounts.of_symbols.entry(symbol).or_default().push(at);
                    }
                    for file in meant.files {
                        mounts.of_files.entry(file).or_default().push(at);
                    }
                }
                (kind, Reached::Place(..)) if kind.is_router() => {
                    let meant = mounts.meant(stated, texts, at, entry);
                    mounts.aliases.insert(at, meant);
                }
                _ => {}
            }
        }
        mounts
    }

    /// What an entry is registered on: a router of its document, or whatever mounts it.
    pub(super) fn above(&self, stated: &Stated<'_>, at: At) -> Vec<At> {
        let Some(entry) = stated.get(at) else {
            return Vec::new();
        };
        if let Some(on) = entry.on {
            return vec![At { index: on, ..at }];
        }
        let mut found = Vec::new();
        // What mounts something is itself under what mounts its file.
        let is_own = entry.kind.is_router() || entry.kind == EntryKind::Command;
        if let Some(symbol) = stated.own_symbol(at).filter(|_| is_own) {
            found.extend(self.of_symbols.get(&symbol).into_iter().flatten());
        }
        if let Some(meant) = self.aliases.get(&at) {
            for symbol in &meant.symbols {
                match self.routers.get(symbol) {
                    Some(routers) => found.extend(routers),
                    None => found.extend(self.of_symbols.get(symbol).into_iter().flatten()),
                }
            }
            for file in &meant.files {
                found.extend(self.main(stated, *file));
            }
        }
        found.retain(|up| *up != at);
        if found.is_empty() && entry.kind == EntryKind::Router && stated.is_class(at) {
            let path = stated.view.file(at.file).path.to_string();
            let is_below = |folder: &str| {
                let rest = path.strip_prefix(folder);
                folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
            };
            let global = self.global.iter().filter(|(folder, _)| is_below(folder));
            let nearest = global.max_by_key(|(folder, at)| (folder.len(), std::cmp::Reverse(*at)));
            found.extend(nearest.map(|(_, at)| *at));
        }
        if found.is_empty() {
            let of_file = self.of_files.get(&at.file).into_iter().flatten();
            found.extend(of_file.filter(|up| up.file != at.file));
        }
        // What tests mount is mounted elsewhere too, or it is theirs.
        let is_test = |at: &At| stated.view.file(at.file).role == FileRole::Test;
        if !is_test(&at) && found.iter().any(|up| !is_test(up)) {
            found.retain(|up| !is_test(up));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The routers of a file that nothing in it mounts.
    fn main(&self, stated: &Stated<'_>, file: FileId) -> Vec<At> {
        let entries = stated.files.get(&file).into_iter().flatten();
        let all = (0u32..).zip(entries);
        let routers = all.filter(|(_, entry)| entry.kind.is_router() && entry.on.is_none());
        routers.map(|(index, _)| At { file, index }).collect()
    }

    /// What a mount, or a router of another file, means.
    fn meant(&self, stated: &Stated<'_>, texts: &mut Texts, at: At, entry: &Entry) -> Meant {
        let mut meant = Meant::default();
        match &entry.reached {
            Reached::Place(line, col) => {
                let graph = stated.graph;
                let edge = graph.edge_at(at.file, *line, *col);
                let symbols: Vec<SymbolId> = edge
                    .map(|edge| graph.targets(edge).take(MAX_MEANT + 1).collect())
                    .unwrap_or_default();
                if symbols.len() <= MAX_MEANT {
                    meant.symbols = symbols.clone();
                }
                meant.symbols.retain(|id| {
                    let is_command = || {
                        let (file, _) = graph.place(*id);
                        let entries = stated.files.get(&file).map_or(0, Vec::len) as u32;
                        let mut all = (0..entries).map(|index| At { file, index });
                        all.any(|at| {
                            let kind = stated.get(at).map(|of| of.kind);
                            kind == Some(EntryKind::Command) && stated.own_symbol(at) == Some(*id)
                        })
                    };
                    self.routers.contains_key(id) || is_command()
                });
                if meant.symbols.is_empty() {
                    let files = symbols.iter().map(|id| graph.place(*id).0);
                    meant.files = files.filter(|file| *file != at.file).collect();
                }
                if meant.symbols.is_empty() && meant.files.is_empty() {
                    meant.files = imported(stated, texts, at.file, (*line, *col));
                }
            }
            Reached::Text(range) => {
                if let Some(name) = cut(stated.view, texts, at.file, range) {
                    meant.files = module(stated, at.file, entry.line, &name);
                }
            }
            Reached::Symbol(_) => meant.symbols.extend(stated.own_symbol(at)),
            Reached::Nothing | Reached::Inline(_) => {}
        }
        meant.files.sort_unstable();
        meant.files.dedup();
        meant
    }
}

/// The files of the import that binds the name that stands at a place.
fn imported(
    stated: &Stated<'_>,
    texts: &mut Texts,
    file: FileId,
    (line, col): (u32, u32),
) -> Vec<FileId> {
    let view = stated.view;
    let (Some(text), Some(doc)) = (texts.get(view, file), view.file(file).doc) else {
        return Vec::new();
    };
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || *b >= 0x80;
    let rest = text.line(line).get(col as usize..).unwrap_or(b"");
    let name: Vec<u8> = rest.iter().copied().take_while(|b| is_name(b)).collect();
    // `users.router` is looked for by the module too.
    let before = &text.line(line)[..(col as usize).min(text.line(line).len())];
    let before = before.strip_suffix(b".").unwrap_or(b"");
    let start = before
        .iter()
        .rposition(|b| !is_name(b))
        .map_or(0, |at| at + 1);
    let object = before[start..].to_vec();
    let segment = &view.segment(doc.segment).segment;
    let mut found = Vec::new();
    for (position, import) in segment.imports(doc.doc).enumerate() {
        let binds = import.bindings.iter().any(|binding| {
            let mut bound = Vec::new();
            if let Some(local) = binding.local {
                segment.name(local, &mut bound);
            }
            !bound.is_empty() && (bound == name || bound == object)
        });
        if binds {
            let mut of = stated.graph.dependencies(file);
            let of = of.find(|of| of.import as usize == position);
            let of = of.filter(|of| of.target == Target::Found);
            found.extend(of.iter().flat_map(|of| of.files().collect::<Vec<_>>()));
        }
    }
    found.retain(|to| *to != file);
    found
}

/// The files that the name of a module or of a file means: what an import on that line leads to, else whose path
/// ends so.
fn module(stated: &Stated<'_>, file: FileId, line: u32, name: &str) -> Vec<FileId> {
    let is_path = name.contains('/') || name.starts_with('.');
    if is_path {
        let imports = stated.graph.dependencies(file);
        let of_line = imports.filter(|of| of.line == line && of.target == Target::Found);
        let found: Vec<FileId> = of_line
            .flat_map(|of| of.files().collect::<Vec<_>>())
            .collect();
        let stem = name.rsplit('/').next().unwrap_or(name);
        let stem = stem.split('.').next().unwrap_or(stem);
        let is_named = |id: &FileId| {
            let path = stated.view.file(*id).path.to_string();
            stem.is_empty() || path.contains(stem)
        };
        let named: Vec<FileId> = found.iter().copied().filter(is_named).collect();
        if !named.is_empty() {
            return named;
        }
        if !found.is_empty() {
            return found;
        }
    }
    let endings: Vec<String> = match is_path {
        true => {
            let path = name.trim_start_matches(['.', '/']);
            vec![path.to_owned()]
        }
        false => {
            let path = name.trim_start_matches('.').replace('.', "/");
            vec![format!("{path}.py"), format!("{path}/__init__.py")]
        }
    };
    let is_it = |path: &str| {
        endings.iter().any(|end| {
            let rest = path.strip_suffix(end.as_str());
            !end.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
    };
    let files = stated.files.keys().copied();
    let mut found: Vec<FileId> = files
        .filter(|id| is_it(&stated.view.file(*id).path.to_string()))
        .collect();
    // Of several the nearest to the root, where most programs begin.
    found.sort_by_key(|id| (stated.view.file(*id).path.to_string().len(), *id));
    found.truncate(1);
    found
}

#[cfg(test)]
mod tests {
    use super::program_folder;

    #[test]
    fn a_program_is_what_its_build_tool_takes_for_one() {
        assert_eq!(program_folder("src/main/java/a/b/Rest.java"), "src/main");
        assert_eq!(
            program_folder("web/src/main/kotlin/Rest.kt"),
            "web/src/main"
        );
        assert_eq!(program_folder("src/main.ts"), "src");
        assert_eq!(program_folder("src/maintenance/main.ts"), "src/maintenance");
        assert_eq!(program_folder("main.ts"), "");
    }
}
