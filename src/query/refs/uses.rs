//! The uses of a symbol, grouped by file, each with how it was resolved; apart from them ambiguous uses,
//! and lines where only the text matches.

use super::{RefsContext, words};
use crate::extract::record::{OccurrenceKind, Qualifier};
use crate::graph::edges::{Edge, Target};
use crate::graph::rule::{Certainty, Rule};
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::query::receivers::stand_before;
use crate::query::refs::answer::{FileReferences, Reference, RefsAnswer};
use crate::query::use_lines;
use crate::query::verified::VerifiedSymbols;
use crate::view::live::FileId;
use crate::view::text::{Text, Texts, fold_line};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Longest line text shown, in bytes.
const LINE_BYTES: usize = 200;

/// Modules named that a name comes from when it is defined nowhere here.
const MAX_OUTSIDE: usize = 20;

/// For so many uses asked for, one file with the mere word is listed.
const USES_PER_WORD_FILE: usize = 3;

/// One use, before its text is cut.
struct Found {
    line: u32,
    col: u32,
    kind: OccurrenceKind,
    certainty: Certainty,
    rule: Option<&'static str>,
    candidates: usize,
}

/// Modules outside the repository, each with the first file that imports it.
type Modules = BTreeMap<Vec<u8>, FileId>;

/// Uses by file.
type ByFile = FxHashMap<FileId, Vec<Found>>;

/// Fills in the uses of some symbols: those that are sure, those that may mean another, and the lines
/// where only the letters agree. When no use was resolved, other occurrences of the name take the place of
/// uses: those after the names that are `written` before it, where there are any. Lines count that have all of `chain`.
pub(super) fn answer(
    asked: &RefsContext<'_>,
    texts: &mut Texts,
    (symbols, chain, written): (&[SymbolId], &[String], &[String]),
    answer: &mut RefsAnswer,
) {
    let defining: Vec<(FileId, usize)> = symbols.iter().map(|id| asked.graph.place(*id)).collect();
    let mut known = use_lines::name_lines(asked.view, asked.graph, symbols.iter().copied());
    let (mut sure, mut ambiguous) = resolved(asked, symbols, &known);
    if sure.is_empty() && ambiguous.is_empty() {
        let mut modules = Modules::default();
        let outside = symbols.is_empty().then_some(&mut modules);
        sure = by_name(asked, answer.name.as_bytes(), outside, !written.is_empty());
        after_chain(asked, texts, written, &mut sure);
        let modules = modules.iter().take(MAX_OUTSIDE);
        let said = modules.filter_map(|(path, file)| texts.verified(asked.view, *file, path, None));
        answer.outside = said.collect();
    }
    one_per_line(&mut sure);
    one_per_line(&mut ambiguous);
    let mut files: FxHashSet<FileId> = FxHashSet::default();
    for (file, found) in sure.iter().chain(&ambiguous) {
        files.insert(*file);
        known.extend(found.iter().map(|f| (*file, f.line)));
        for f in found {
            answer.certainty[f.certainty as usize] += 1;
            answer.compiled += u64::from(f.rule == Some(Rule::Compiler.label()));
        }
        answer.total += found.len() as u64;
    }
    answer.files_total = files.len();
    if asked.kinds.is_empty() || asked.kinds.contains(&OccurrenceKind::Mention) {
        answer.words = words::find(asked, texts, (&answer.name, chain), &known);
        let limit = asked.request.limit.div_ceil(USES_PER_WORD_FILE);
        answer.words.hidden = answer.words.files.len().saturating_sub(limit);
        answer.words.files.truncate(limit);
    }
    answer.certainty[Certainty::Text as usize] += answer.words.total;
    let defining: FxHashSet<FileId> = defining.iter().map(|(file, _)| *file).collect();
    let mut page = (asked.request.offset, asked.request.limit);
    answer.files = shown(asked, texts, sure, &defining, &mut page);
    answer.ambiguous = shown(asked, texts, ambiguous, &defining, &mut page);
}

/// Keeps one use of each line: the surest, and of these the one that says most.
fn one_per_line(files: &mut ByFile) {
    for found in files.values_mut() {
        found.sort_by_key(|f| (f.line, f.certainty, kind_priority(f.kind), f.col));
        found.dedup_by_key(|f| f.line);
    }
}

/// Kinds in order of what they say: a line that imports a name also writes and reads it.
fn kind_priority(kind: OccurrenceKind) -> u8 {
    match kind {
        OccurrenceKind::Import => 0,
        OccurrenceKind::Inherit => 1,
        OccurrenceKind::Call | OccurrenceKind::Expand => 2,
        OccurrenceKind::Type => 3,
        OccurrenceKind::Write => 4,
        OccurrenceKind::Read => 5,
        OccurrenceKind::Mention => 6,
    }
}

/// The first `left` uses after `skip` others: product code first, then the surest, then files that define
/// the symbol.
fn shown(
    asked: &RefsContext<'_>,
    texts: &mut Texts,
    files: ByFile,
    defining: &FxHashSet<FileId>,
    (skip, left): &mut (usize, usize),
) -> Vec<FileReferences> {
    let mut ordered: Vec<(FileId, Vec<Found>)> = files.into_iter().collect();
    ordered.sort_by_cached_key(|(file, found)| {
        let surest = found.iter().map(|f| f.certainty).min();
        let role = asked.view.file(*file).role;
        (role, surest, !defining.contains(file), *file)
    });
    let mut groups = Vec::new();
    for (file, found) in ordered {
        if *left == 0 {
            break;
        }
        let skipped = found.len().min(*skip);
        *skip -= skipped;
        if skipped == found.len() {
            continue;
        }
        let group = group(asked, texts, file, found, (skipped, *left));
        *left -= group.references.len();
        groups.push(group);
    }
    groups
}

/// The edges that arrive at some symbols, by the file they start in: those that are sure, and those
/// that may lead elsewhere. `named` are the lines of their names.
fn resolved(
    asked: &RefsContext<'_>,
    symbols: &[SymbolId],
    named: &FxHashSet<(FileId, u32)>,
) -> (ByFile, ByFile) {
    let graph = asked.graph;
    let symbols = use_lines::with_wholes(graph, symbols);
    let edges = graph.incoming_of(&symbols);
    // The definitions that are not asked about: of each set once.
    let others = |ids: &mut dyn Iterator<Item = SymbolId>| {
        ids.filter(|id| symbols.binary_search(id).is_err()).count()
    };
    let mut of_sets: FxHashMap<u32, usize> = FxHashMap::default();
    let (mut sure, mut ambiguous) = (ByFile::default(), ByFile::default());
    for number in edges {
        let edge = graph.edge(number);
        if use_lines::defines(&edge, named) || !admits(asked, &edge) {
            continue;
        }
        let certainty = edge.rule.certainty();
        let files = match certainty {
            Certainty::Resolved | Certainty::Inferred => &mut sure,
            Certainty::Ambiguous => &mut ambiguous,
            Certainty::Text => continue,
        };
        let outside = match graph.set_of(number) {
            Some(set) => *of_sets
                .entry(set)
                .or_insert_with(|| others(&mut graph.of_set(set))),
            None => others(&mut graph.targets(number)),
        };
        files.entry(edge.file).or_default().push(Found {
            line: edge.line,
            col: edge.col,
            kind: edge.kind,
            certainty,
            rule: Some(edge.rule.label()),
            candidates: outside,
        });
    }
    (sure, ambiguous)
}

fn admits(asked: &RefsContext<'_>, edge: &Edge) -> bool {
    (asked.kinds.is_empty() || asked.kinds.contains(&edge.kind))
        && asked.filter.admits(asked.view, asked.view.file(edge.file))
}

/// Keeps the uses that follow the names of a chain, and those that an import explains.
fn after_chain(asked: &RefsContext<'_>, texts: &mut Texts, chain: &[String], files: &mut ByFile) {
    if chain.is_empty() {
        return;
    }
    files.retain(|file, found| {
        let text = texts.get(asked.view, *file);
        found.retain(|found| {
            let follows = |text: &Arc<Text>| stand_before(text, (found.line, found.col), chain);
            found.certainty == Certainty::Resolved || text.as_ref().is_some_and(follows)
        });
        !found.is_empty()
    });
}

/// Occurrences of a name that were resolved to nothing; when it `is_qualified`, all of them. With `outside`
/// (nothing here defines the name), those in files that import the name from outside count as resolved, and
/// the modules are put there.
fn by_name(
    asked: &RefsContext<'_>,
    name: &[u8],
    mut outside: Option<&mut Modules>,
    is_qualified: bool,
) -> ByFile {
    let mut files = ByFile::default();
    for live in asked.view.segments() {
        let Some(id) = live.segment.name_id(name) else {
            continue;
        };
        let docs = live.segment.occurring_docs(id);
        for (doc, _) in docs.filter(|(doc, _)| live.is_live(*doc)) {
            let admitted = live
                .files_of(doc)
                .filter(|file| asked.filter.admits(asked.view, asked.view.file(*file)));
            for file in admitted {
                let found = unresolved(asked, file, (id, is_qualified), outside.as_deref_mut());
                if !found.is_empty() {
                    files.insert(file, found);
                }
            }
        }
    }
    files
}

fn unresolved(
    asked: &RefsContext<'_>,
    file: FileId,
    (name, is_qualified): (NameId, bool),
    outside: Option<&mut Modules>,
) -> Vec<Found> {
    let Some(doc) = asked.view.file(file).doc else {
        return Vec::new();
    };
    let segment = &asked.view.segment(doc.segment).segment;
    let imported = outside.as_ref().and_then(|_| imported(asked, file, name));
    let occurrences = segment.occurrences_of(doc.doc, name);
    let found: Vec<Found> = occurrences
        .filter(|o| asked.kinds.is_empty() || asked.kinds.contains(&o.kind))
        .filter(|o| is_qualified || !words::is_resolved(asked, file, o.line, o.col))
        .map(|o| {
            let means_it = imported.is_some()
                && o.kind != OccurrenceKind::Mention
                && o.qualifier == Qualifier::None;
            Found {
                line: o.line,
                col: o.col,
                kind: o.kind,
                certainty: match means_it {
                    true => Certainty::Resolved,
                    false => Certainty::Text,
                },
                rule: means_it.then_some(Rule::Import.label()),
                candidates: 0,
            }
        })
        .collect();
    if let (Some(outside), Some(module)) = (outside, imported)
        && found.iter().any(|f| f.certainty == Certainty::Resolved)
    {
        outside.entry(module).or_insert(file);
    }
    found
}

/// The module outside the repository that a file imports a name from.
fn imported(asked: &RefsContext<'_>, file: FileId, name: NameId) -> Option<Vec<u8>> {
    let doc = asked.view.file(file).doc?;
    let segment = &asked.view.segment(doc.segment).segment;
    let outside: Vec<u32> = asked
        .graph
        .dependencies(file)
        .filter(|of| of.target == Target::External)
        .map(|of| of.import)
        .collect();
    if outside.is_empty() {
        return None;
    }
    let records = segment.imports(doc.doc).zip(0u32..);
    let mut bound = records.filter(|(record, at)| {
        outside.contains(at) && record.bindings.iter().any(|b| b.local == Some(name))
    });
    let (record, _) = bound.next()?;
    Some(record.specifier)
}

fn group(
    asked: &RefsContext<'_>,
    texts: &mut Texts,
    file: FileId,
    found: Vec<Found>,
    (skip, limit): (usize, usize),
) -> FileReferences {
    let of = asked.view.file(file);
    let total = found.len() as u64;
    let text = texts.get(asked.view, file);
    let verified = VerifiedSymbols::of(asked.view, file);
    let reference = |found: Found| Reference {
        line: found.line,
        col: found.col + 1,
        kind: found.kind,
        certainty: found.certainty,
        rule: found.rule,
        candidates: found.candidates,
        enclosing: verified.as_ref().and_then(|verified| {
            let enclosing = verified.symbols().enclosing(found.line, found.col)?;
            verified.qualified(texts, enclosing)
        }),
        text: text
            .as_deref()
            .map(|text| fold_line(text.line(found.line), LINE_BYTES))
            .unwrap_or_default(),
    };
    FileReferences {
        path: of.path.to_string(),
        references: found
            .into_iter()
            .skip(skip)
            .take(limit)
            .map(reference)
            .collect(),
        total,
        blob: of.blob,
    }
}
