//! Modules that go to somebody as a whole: `bindActionCreators(actions, dispatch)` after `import * as actions`. Who gets one may
//! use all that it gives out, and no reference says which of it.
//!
//! Asked from what is given out towards those who take it: through files that hand it on (`export * from './a'`), and
//! through names of whole modules (`export * as a from './a'`). Read are the imports of the files on that way, and the texts
//! of those that have a name for the module, each once.
//!
//! `from package import module` (Python) counts as `* as module`.
//!
//! Guarantee: a module of which a file names nothing but members (`actions.load()`, `const { load } = actions`) does not count.
//! Deliberately absent: which of its members are used then, and modules that are kept in a member of something.

use super::exposure::language;
use super::handing;
use crate::extract::record::{ImportKind, Occurrence, OccurrenceKind, Symbol, SymbolKind};
use crate::graph::edges::{Graph, Target};
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::{Text, Texts};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Files that hand a module on, and names for it, that are followed.
const MAX_WAYS: usize = 256;
/// Importers of one file that are looked at.
const MAX_IMPORTERS: usize = 1024;
/// Places of one name in a file that are looked at.
const MAX_PLACES: usize = 256;
/// Bytes of a pattern that takes a module apart.
const MAX_PATTERN_BYTES: usize = 4096;

/// One name that a file takes from another, or gives out of its own.
struct Taken {
    kind: ImportKind,
    /// `None` is all of the module.
    imported: Option<Vec<u8>>,
    /// `None` is all of its names.
    local: Option<Vec<u8>>,
    from: Rc<[FileId]>,
}

impl Taken {
    fn is_of(&self, file: FileId) -> bool {
        self.from.contains(&file)
    }

    /// The name in this file of a module that has what is given, and the name of that in it: of `* as name`, of the same in
    /// CommonJS, and of a module that came under a name.
    fn module<'a>(&'a self, way: &'a Given) -> Option<(&'a [u8], &'a [u8])> {
        let local = self.local.as_deref()?;
        match (&self.imported, &way.part) {
            (None, None) => Some((local, &way.name)),
            (Some(name), Some(part)) if *name == way.name => Some((local, part)),
            _ => None,
        }
    }

    /// Under which names the file gives out what it takes so.
    fn further(&self, way: &Given, file: FileId, all: &[Self]) -> Vec<Given> {
        let is_out = self.kind == ImportKind::Reexport;
        let given = |name: &[u8], part: Option<&[u8]>| Given {
            file,
            name: name.to_vec(),
            part: part.map(<[u8]>::to_vec),
        };
        if let Some((local, part)) = self.module(way) {
            return match is_out {
                true => vec![given(local, Some(part))],
                false => {
                    let names = names_for(all, local).into_iter();
                    names.map(|name| given(&name, Some(part))).collect()
                }
            };
        }
        match (&self.imported, &self.local) {
            _ if !is_out => Vec::new(),
            (None, None) => vec![given(&way.name, way.part.as_deref())],
            (Some(name), Some(local)) if *name == way.name => {
                vec![given(local, way.part.as_deref())]
            }
            _ => Vec::new(),
        }
    }
}

/// What a file gives out under a name: something, or all of a module that has it under a name.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Given {
    file: FileId,
    name: Vec<u8>,
    part: Option<Vec<u8>>,
}

impl Given {
    fn part(file: FileId, name: Vec<u8>) -> Self {
        let part = None;
        Self { file, name, part }
    }
}

/// What a file does with a module that it has a name for, beside naming its members.
#[derive(Default)]
struct Uses {
    /// The first line on which it goes to somebody.
    whole: Option<u32>,
    /// Parts of it that get names of their own, and the lines of those: `const { load } = actions`.
    apart: Vec<(Vec<u8>, u32)>,
}

impl Uses {
    fn of(&self, part: &[u8]) -> Option<u32> {
        let named = self.apart.iter().find(|(name, _)| name == part);
        self.whole.or(named.map(|(_, line)| *line))
    }
}

/// A definition that is asked about, at the top of its file and seen by others.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Its file.
    pub file: FileId,
    /// Its name.
    pub name: &'a [u8],
}

/// What is known of files that were asked for.
#[derive(Default)]
pub struct Wholes {
    taken: FxHashMap<FileId, Rc<[Taken]>>,
    uses: FxHashMap<(FileId, Vec<u8>), Rc<Uses>>,
}

impl Wholes {
    /// The first place of product code found at which a module that gives out a definition goes to somebody as a whole, or
    /// is taken apart to have it.
    pub fn find(
        &mut self,
        view: &View,
        graph: &Graph,
        texts: &mut Texts,
        of: Asked<'_>,
    ) -> Option<(FileId, u32)> {
        if !language(view, of.file).liveness.hands_on_modules {
            return None;
        }
        let own = Given::part(of.file, of.name.to_vec());
        let mut ways = vec![own.clone()];
        let mut seen = FxHashSet::from_iter([own]);
        for name in names_for(&self.taken(view, graph, of.file), of.name) {
            let way = Given::part(of.file, name);
            ways.extend(seen.insert(way.clone()).then_some(way));
        }
        let mut next = 0;
        while let Some(way) = ways.get(next).cloned() {
            next += 1;
            let importers: Vec<FileId> = graph.importers(way.file).take(MAX_IMPORTERS).collect();
            for file in importers {
                let is_product = view.file(file).role == FileRole::Product;
                if !is_product || !language(view, file).liveness.hands_on_modules {
                    continue;
                }
                let taken = self.taken(view, graph, file);
                for one in taken.iter().filter(|one| one.is_of(way.file)) {
                    if let Some((local, part)) = one.module(&way)
                        && let Some(line) = self.uses((view, graph), texts, file, local).of(part)
                    {
                        return Some((file, line));
                    }
                    for further in one.further(&way, file, &taken) {
                        if ways.len() < MAX_WAYS && seen.insert(further.clone()) {
                            ways.push(further);
                        }
                    }
                }
            }
        }
        None
    }

    /// What a file takes from others of the repository, and gives out of its own by a name.
    fn taken(&mut self, view: &View, graph: &Graph, file: FileId) -> Rc<[Taken]> {
        let known = self.taken.entry(file);
        Rc::clone(known.or_insert_with(|| taken(view, graph, file).into()))
    }

    /// What a file does with a module that it has a name for.
    fn uses(
        &mut self,
        (view, graph): (&View, &Graph),
        texts: &mut Texts,
        file: FileId,
        local: &[u8],
    ) -> Rc<Uses> {
        let known = self.uses.entry((file, local.to_vec()));
        let uses = known.or_insert_with(|| Rc::new(uses((view, graph), texts, file, local)));
        Rc::clone(uses)
    }
}

/// The names under which a file gives out what it has a name for.
fn names_for(taken: &[Taken], local: &[u8]) -> Vec<Vec<u8>> {
    let out = taken
        .iter()
        .filter(|one| one.kind == ImportKind::Export && one.local.as_deref() == Some(local));
    out.filter_map(|one| one.imported.clone()).collect()
}

fn taken(view: &View, graph: &Graph, file: FileId) -> Vec<Taken> {
    let Some(doc) = view.file(file).doc else {
        return Vec::new();
    };
    let segment = &view.segment(doc.segment).segment;
    let mut from: FxHashMap<u32, Rc<[FileId]>> = FxHashMap::default();
    for one in graph.dependencies(file) {
        if one.target == Target::Found {
            from.insert(one.import, one.files().collect());
        }
    }
    let spelt = |id| {
        let mut name = Vec::new();
        segment.name(id, &mut name);
        name
    };
    let mut all = Vec::new();
    // `from package import module`.
    let are_named = language(view, file).liveness.chooses_of_modules;
    for (at, import) in (0..).zip(segment.imports(doc.doc)) {
        let from = match (from.get(&at), import.kind) {
            (Some(from), _) => Rc::clone(from),
            (None, ImportKind::Export) => Rc::from([]),
            (None, _) => continue,
        };
        for binding in import.bindings {
            let (imported, local) = (binding.imported.map(spelt), binding.local.map(spelt));
            let first = import.specifier.split(|b| *b == b'.').next();
            // `import a.b` gives a name to `a`.
            let is_further = are_named && import.specifier.contains(&b'.');
            if is_further && imported.is_none() && local.as_deref() == first {
                continue;
            }
            let is_named = |file: &&FileId| {
                let name = view.file(**file).path.file_name();
                let stem = name.split(|b| *b == b'.').next();
                are_named && imported.as_deref() == stem
            };
            let modules: Rc<[FileId]> = from.iter().filter(is_named).copied().collect();
            let kind = import.kind;
            if !modules.is_empty() {
                all.push(Taken {
                    kind,
                    imported: None,
                    local: local.clone(),
                    from: modules,
                });
            }
            let from = Rc::clone(&from);
            all.push(Taken {
                kind,
                imported,
                local,
                from,
            });
        }
    }
    all
}

fn uses((view, graph): (&View, &Graph), texts: &mut Texts, file: FileId, local: &[u8]) -> Uses {
    let mut uses = Uses::default();
    let Some(doc) = view.file(file).doc else {
        return uses;
    };
    let segment = &view.segment(doc.segment).segment;
    let Some(name) = segment.name_id(local) else {
        return uses;
    };
    let occurrences: Vec<_> = segment.occurrences(doc.doc).collect();
    // Other values may have its name in a function.
    let mut locals = segment.hints(doc.doc).locals;
    locals.retain(|one| {
        let declared = occurrences.get(one.declared as usize);
        declared.is_some_and(|of| of.name == name)
    });
    let is_other = |at: u32| locals.iter().any(|one| one.scope.contains(&at));
    let reads = (0..).zip(&occurrences).filter(|(at, found)| {
        found.name == name && found.kind == OccurrenceKind::Read && !is_other(*at)
    });
    let mut reads = reads.take(MAX_PLACES).peekable();
    let text = reads.peek().and_then(|_| texts.if_here(view, file));
    let Some(text) = text else {
        return uses;
    };
    for (_, found) in reads {
        match used(&text, (found.line, found.col as usize), local.len()) {
            Use::Whole if has_shape((view, graph), texts, &text, found, file) => {}
            Use::Whole => {
                uses.whole = Some(found.line);
                return uses;
            }
            Use::Apart(names) => {
                uses.apart
                    .extend(names.into_iter().map(|name| (name, found.line)));
            }
            Use::Other => {}
        }
    }
    uses
}

/// Whether what gets a module is a function of the repository that says by the type of a parameter what it uses of that:
/// [`crate::query::verdict::Verdict::Satisfies`] tells more of it.
fn has_shape(
    (view, graph): (&View, &Graph),
    texts: &mut Texts,
    text: &Text,
    found: &Occurrence<NameId>,
    file: FileId,
) -> bool {
    let before = text.line(found.line).get(..found.col as usize);
    let Some((taker, _)) = before.and_then(handing::taker) else {
        return false;
    };
    let Some(edge) = graph.edge_at(file, found.line, taker.start as u32) else {
        return false;
    };
    graph.targets(edge).any(|target| {
        let (of, position) = graph.place(target);
        let taker = symbol(view, graph, target);
        let Some((taker, text)) = taker.zip(texts.if_here(view, of)) else {
            return false;
        };
        let (end, _) = text.place(taker.signature.end);
        let lines = taker.start_line..=end.max(taker.start_line);
        let own = graph.symbol(of, position);
        let types = graph
            .edges_of(of)
            .map(|number| (number, graph.edge(number)));
        let mut types = types.filter(|(_, edge)| {
            edge.kind == OccurrenceKind::Type && lines.contains(&edge.line) && edge.from == own
        });
        types.any(|(number, _)| {
            let mut shapes = graph
                .targets(number)
                .filter_map(|id| symbol(view, graph, id));
            shapes.any(|of| matches!(of.kind, SymbolKind::Interface | SymbolKind::Type))
        })
    })
}

fn symbol(view: &View, graph: &Graph, id: SymbolId) -> Option<Symbol<NameId>> {
    let (file, position) = graph.place(id);
    let doc = view.file(file).doc?;
    let segment = &view.segment(doc.segment).segment;
    segment.symbols(doc.doc).nth(position)
}

/// What is done with a module where its name stands.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Use {
    /// It goes to somebody.
    Whole,
    /// These parts of it get names.
    Apart(Vec<Vec<u8>>),
    /// A member of it is named, its type is, it is asked whether there is one, or it is given out, which leads to others.
    Other,
}

fn used(text: &Text, (line, col): (u32, usize), length: usize) -> Use {
    let bytes = text.bytes();
    let Some(begin) = text.start(line) else {
        return Use::Other;
    };
    let before = bytes.get(..begin + col);
    let behind = bytes.get(begin + col + length..);
    let (Some(before), Some(behind)) = (before, behind) else {
        return Use::Other;
    };
    let (before, behind) = (before.trim_ascii_end(), behind.trim_ascii_start());
    let before = &before[before.len().saturating_sub(MAX_PATTERN_BYTES)..];
    let chosen = behind.strip_prefix(b"?.").unwrap_or(behind);
    let chosen = chosen.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    let by_text = chosen.is_some_and(|key| key.starts_with(b"'") || key.starts_with(b"\""));
    let is_member = chosen.is_none() && (behind.starts_with(b".") || behind.starts_with(b"?."));
    let is_asked = behind.starts_with(b"&&") || before.ends_with(b"!");
    let is_type = before.ends_with(b"typeof");
    // `getattr(all, "run")`, `all is None`.
    let after = behind.strip_prefix(b",").map(<[u8]>::trim_ascii_start);
    let is_text = after.is_some_and(|key| key.starts_with(b"'") || key.starts_with(b"\""));
    let by_text = by_text || is_text && before.ends_with(b"attr(");
    let is_asked = is_asked || behind.starts_with(b"is ");
    if is_member || by_text || is_asked || is_type || is_given_out(before) {
        return Use::Other;
    }
    // Of the rest anything may be used.
    match pattern(before) {
        Some(pattern) if memchr::memmem::find(pattern, b"...").is_none() => {
            Use::Apart(parts(pattern))
        }
        _ => Use::Whole,
    }
}

/// What stands in the braces that a text ends with before it assigns something to them.
fn pattern(before: &[u8]) -> Option<&[u8]> {
    let pattern = before.strip_suffix(b"=")?.trim_ascii_end();
    let pattern = pattern.strip_suffix(b"}")?;
    let mut depth = 0_u32;
    let begin = pattern.iter().rposition(|b| match b {
        b'}' => {
            depth += 1;
            false
        }
        b'{' if depth == 0 => true,
        b'{' => {
            depth -= 1;
            false
        }
        _ => false,
    })?;
    Some(&pattern[begin + 1..])
}

/// The names with which the parts of a pattern begin.
fn parts(pattern: &[u8]) -> Vec<Vec<u8>> {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || *b >= 0x80;
    let parts = pattern.split(|b| matches!(b, b',' | b'{'));
    let names = parts.map(|part| {
        let part = part.trim_ascii_start();
        part.iter().copied().take_while(|b| is_name(b)).collect()
    });
    names.filter(|name: &Vec<u8>| !name.is_empty()).collect()
}

/// Whether a text ends in `export { a, `.
fn is_given_out(before: &[u8]) -> bool {
    let begin = before
        .iter()
        .rposition(|b| matches!(b, b'{' | b'}' | b';' | b'('));
    begin.is_some_and(|begin| {
        before[begin] == b'{' && before[..begin].trim_ascii_end().ends_with(b"export")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Use {
        let text = Text::new(source.as_bytes().to_vec());
        let at = text.words(b"all").next().unwrap();
        let (line, col) = text.place(at);
        used(&text, (line, col as usize), 3)
    }

    #[test]
    fn a_module_is_handed_on_where_no_member_is_named() {
        for whole in [
            "bind(all, run)",
            "x = { ...all }",
            "return all;",
            "Object.values(all)",
            "const { a, ...rest } = all",
            "x = all[name]",
            "x = all?.[name]",
            "x = { all }",
            "export default all",
            "f({ a }, x == all)",
        ] {
            assert_eq!(of(whole), Use::Whole, "{whole}");
        }
        for other in [
            "all.run()",
            "all\n  .run()",
            "all?.run()",
            "all['run']",
            "let x: typeof all",
            "all && all.run()",
            "if (!all) return",
            "export { a, all }",
            "getattr(all, 'run')",
            "if all is None: pass",
        ] {
            assert_eq!(of(other), Use::Other, "{other}");
        }
    }

    #[test]
    fn a_pattern_names_parts_of_a_module() {
        let apart = |names: &[&str]| {
            let names = names.iter().map(|name| name.as_bytes().to_vec());
            Use::Apart(names.collect())
        };
        assert_eq!(of("const { a, b: c } = all"), apart(&["a", "b"]));
        assert_eq!(of("const {\n  a = 1,\n} =\n  all"), apart(&["a"]));
        assert_eq!(of("} = all"), Use::Whole);
    }
}
