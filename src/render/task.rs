//! Renders the context of a task, as `map` answers it.

use super::footer::Footer;
use super::layout::{Item, Layout, Tally, lay_out};
use super::nothing::{self, Tool};
use super::search::{confidence, proposals};
use super::symbol::place;
use super::{Rendered, Style, clean, memory, wire};
use crate::query::answer::SymbolRef;
use crate::query::context::{RelatedFile, TaskContext, TaskFile};
use crate::query::map::MapAnswer;
use crate::query::search::answer::SearchAnswer;

/// Ranks: the files of the task, the tests, what hangs together with them.
const FILES: usize = 0;
const TESTS: usize = 1;
const RELATED: usize = 2;

/// Renders the context of a task with what the search for it found.
pub fn render(
    answer: &MapAnswer,
    context: &TaskContext,
    found: &SearchAnswer,
    style: &Style,
) -> Rendered<wire::Map> {
    let mut items: Vec<(Item, wire::TaskPart)> = Vec::new();
    items.extend(context.files.iter().map(file));
    items.extend(context.tests.iter().map(test));
    items.extend(context.test_files.iter().map(|path| test_file(path)));
    items.extend(context.related.iter().map(related));
    let (items, parts): (Vec<Item>, Vec<wire::TaskPart>) = items.into_iter().unzip();
    let total = items.len();
    let core = answer.memories.iter().take_while(|note| note.core).count();
    let (core, aside) = answer.memories.split_at(core);
    let mut items: Vec<Item> = memory::notes(core, FILES).chain(items).collect();
    let noted = items.len();
    items.extend(memory::notes(aside, TESTS));
    if let Some(nothing) = &answer.nothing {
        items.extend(nothing::items(nothing, FILES, true));
    }
    let (text, layout, footer) = lay_out(&items, 2, style.budget, |layout: &Layout| {
        let footer = Footer::new(&answer.stamp, layout.main, total);
        let footer = footer.list("unknown words", &found.unknown_words);
        let footer = match &found.confidence {
            Some(judged) => footer.remark(format!("confidence {}", confidence(judged))),
            None => footer,
        };
        let more = (layout.main < total).then(|| style.voice.set("budget", super::fitting(layout)));
        footer.next(match &answer.nothing {
            Some(nothing) => nothing::advice(nothing, Tool::Other, style.voice),
            None => proposals(found, style.voice).or(more),
        })
    });
    let shown = parts.into_iter().enumerate();
    let shown = shown.filter(|(i, _)| layout.level(core.len() + i).is_some());
    let wire = wire::Map {
        index: answer.stamp.clone(),
        shown: layout.main,
        total,
        files: answer.files,
        languages: Vec::new(),
        directories: Vec::new(),
        hubs: Vec::new(),
        symbols: Vec::new(),
        entries: Vec::new(),
        task: shown.map(|(_, part)| part).collect(),
        skipped: Vec::new(),
        memories: [
            memory::wire_notes(core, 0, &layout),
            memory::wire_notes(aside, noted, &layout),
        ]
        .concat(),
        nothing: nothing::Wire::of(answer.nothing.as_deref()),
        store: None,
        next: footer.advice(),
    };
    Rendered::of(text, wire).found(!context.files.is_empty())
}

fn item(rank: usize, levels: Vec<String>) -> Item {
    Item {
        rank,
        tally: Tally::Main,
        levels,
    }
}

/// A file that speaks of the task, with its definitions on lines of their own.
fn file(file: &TaskFile) -> (Item, wire::TaskPart) {
    let path = clean::path(&file.path);
    let mut symbols = format!("{path}\n");
    for symbol in &file.symbols {
        let lines = format!("{}-{}", symbol.start_line, symbol.end_line);
        let (kind, name) = (symbol.kind.label(), clean::word(&symbol.qualified));
        symbols += &format!("  {lines} {kind} {name}\n");
    }
    let part = wire::TaskPart {
        path: file.path.clone(),
        part: "file",
        symbols: file
            .symbols
            .iter()
            .map(|symbol| symbol.id.to_string())
            .collect(),
    };
    (item(FILES, vec![format!("{path}\n"), symbols]), part)
}

fn test(test: &SymbolRef) -> (Item, wire::TaskPart) {
    let at = place(&test.path, test.start_line, test.end_line, Some(test));
    let part = wire::TaskPart {
        path: test.path.clone(),
        part: "test",
        symbols: vec![test.id.to_string()],
    };
    (item(TESTS, vec![format!("test {at}\n")]), part)
}

fn test_file(path: &str) -> (Item, wire::TaskPart) {
    let part = wire::TaskPart {
        path: path.to_owned(),
        part: "test",
        symbols: Vec::new(),
    };
    (
        item(TESTS, vec![format!("test {}\n", clean::path(path))]),
        part,
    )
}

fn related(file: &RelatedFile) -> (Item, wire::TaskPart) {
    let path = clean::path(&file.path);
    let with = clean::path(&file.with);
    let line = format!("related {path} | {} {with}\n", file.relation.label());
    let part = wire::TaskPart {
        path: file.path.clone(),
        part: "related",
        symbols: Vec::new(),
    };
    (item(RELATED, vec![line]), part)
}
