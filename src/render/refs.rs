//! Renders answers of `refs`: uses of a name, grouped by file.

use super::footer::Footer;
use super::layout::{Item, Layout, Tally, lay_out};
use super::symbol::place;
use super::{Rendered, Style, Voice, clean, count, wire};
use crate::query::answer::{FileReferences, Reference, RefsAnswer};

/// How uses are tied to the name, in the words of every answer.
const RESOLUTION: &str = "by name";
/// Level of a use at which its line is quoted.
const QUOTED: usize = 1;

/// Renders an answer of `refs`.
pub fn render(answer: &RefsAnswer, style: &Style) -> Rendered<wire::Refs> {
    let found = answer.total > 0 || answer.definitions_total > 0;
    let mut items = Vec::new();
    if found {
        items.push(Item::remark(0, head(answer)));
    }
    let definitions = items.len();
    for symbol in &answer.definitions {
        let at = place(
            &symbol.path,
            symbol.start_line,
            symbol.end_line,
            Some(symbol),
        );
        items.push(Item::remark(1, format!("def {at}\n")));
    }
    let uses = items.len();
    items.extend(answer.files.iter().flat_map(file_items));
    let listed: usize = answer.files.iter().map(|f| f.references.len()).sum();
    let total = usize::try_from(answer.total).unwrap_or(usize::MAX);
    let (text, layout, footer) = lay_out(&items, QUOTED + 1, style.budget, |layout| {
        let mut footer = Footer::new(&answer.stamp, layout.main, total);
        if total == 0 {
            footer = footer.remark(format!(
                "searched {} by name",
                count(answer.files_searched as u64, "file")
            ));
        }
        footer
            .list("similar", &answer.similar)
            .next(advice(layout, listed, total, style.voice))
    });
    let mut at = uses;
    let files = answer.files.iter().filter_map(|file| {
        let levels = at..at + file.references.len();
        at = levels.end;
        wire_file(file, &layout.levels[levels])
    });
    let files = files.collect();
    let shown = answer
        .definitions
        .iter()
        .zip(&layout.levels[definitions..uses]);
    let wire = wire::Refs {
        index: wire::Index::new(&answer.stamp),
        name: answer.name.clone(),
        resolution: RESOLUTION,
        shown: layout.main,
        total: answer.total,
        files_total: answer.files_total,
        files_searched: answer.files_searched,
        definitions: shown
            .filter(|(_, l)| l.is_some())
            .map(|(s, _)| wire::Symbol::new(s))
            .collect(),
        definitions_total: answer.definitions_total,
        files,
        similar: answer.similar.clone(),
        next: footer.advice(),
    };
    // A name that is defined but never used was found all the same.
    Rendered { text, wire, found }
}

fn advice(layout: &Layout, listed: usize, total: usize, voice: Voice) -> Option<String> {
    super::rest(layout, listed, total, voice)
        .or_else(|| (!layout.full).then(|| voice.set("budget", super::fitting(layout))))
}

fn head(answer: &RefsAnswer) -> String {
    let name = clean::whole(&answer.name);
    let uses = count(answer.total, "use");
    let files = count(answer.files_total as u64, "file");
    let listed = answer.definitions.len();
    let definitions = count(answer.definitions_total as u64, "definition");
    let of = match listed < answer.definitions_total {
        true => format!("{listed} of "),
        false => String::new(),
    };
    format!("{name}: {uses} in {files}, {RESOLUTION}; {of}{definitions}\n")
}

/// Returns an item for each use; the first of a file carries the file's own line.
fn file_items(file: &FileReferences) -> impl Iterator<Item = Item> + '_ {
    file.references.iter().enumerate().map(|(i, reference)| {
        let head = if i == 0 {
            file_head(file)
        } else {
            String::new()
        };
        let levels = vec![head.clone() + &bare(reference), head + &quoted(reference)];
        Item {
            rank: 2,
            tally: Tally::Main,
            levels,
        }
    })
}

fn file_head(file: &FileReferences) -> String {
    let path = clean::whole(&file.path);
    if file.total > file.references.len() as u64 {
        format!("{path} ({})\n", count(file.total, "use"))
    } else {
        format!("{path}\n")
    }
}

fn bare(reference: &Reference) -> String {
    format!("  {} {}\n", reference.line, reference.kind.label())
}

fn quoted(reference: &Reference) -> String {
    let text = clean::line(&reference.text, clean::MAX_LINE_CHARS);
    let (line, kind) = (reference.line, reference.kind.label());
    match &reference.enclosing {
        Some(outer) => format!("  {line} {kind} in {}: {text}\n", clean::whole(outer)),
        None => format!("  {line} {kind}: {text}\n"),
    }
}

fn wire_file(file: &FileReferences, levels: &[Option<usize>]) -> Option<wire::FileUses> {
    let shown = file.references.iter().zip(levels);
    let uses: Vec<wire::Use> = shown
        .filter_map(|(reference, level)| {
            let quoted = (*level)? >= QUOTED;
            Some(wire::Use {
                line: reference.line,
                col: reference.col,
                kind: reference.kind.label(),
                within: reference.enclosing.clone().filter(|_| quoted),
                text: quoted.then(|| reference.text.clone()),
            })
        })
        .collect();
    let file = wire::FileUses {
        path: file.path.clone(),
        total: file.total,
        uses,
    };
    (!file.uses.is_empty()).then_some(file)
}
