//! Renders answers of `refs`: uses by file, what chains of references lead to, dependencies of files.

use super::footer::Footer;
use super::layout::{Item, Layout, Tally, lay_out};
use super::nothing::{self, Tool};
use super::several::Targeted;
use super::symbol::place;
use super::wire::refs as wire;
use super::{Page, Rendered, Style, Voice, clean, count, entries, outline, verdict};
use crate::graph::rule::{Certainty, Rule};
use crate::query::refs::answer::{
    DependencyKind, FileDependency, FileReferences, Reached, Reference, RefsAnswer, WordLines,
};
use crate::query::request::Direction;
use crate::query::state::Stamp;
use crate::trace::lines::Ran;
use std::borrow::Borrow;

/// Level of a use at which its line is quoted.
const QUOTED: usize = 1;

/// Entry points named of one definition.
const MAX_ENTRY_POINTS: usize = 20;
/// Lines of one file that are named when only the letters agree.
const LINES_NAMED: usize = 12;

/// Renders an answer of `refs`.
pub fn render(answer: &RefsAnswer, style: &Style) -> Rendered<wire::Refs> {
    part(answer, style).0
}

impl Targeted for RefsAnswer {
    type Wire = wire::Refs;

    const BUDGET: usize = super::REFS_BUDGET;
    const TOOL: &str = "refs";

    fn target(&self) -> (&str, &Stamp) {
        (&self.target, &self.stamp)
    }

    fn part(&self, style: &Style) -> (Rendered<wire::Refs>, Footer) {
        part(self, style)
    }
}

/// Renders an answer, and hands back its footer.
fn part(answer: &RefsAnswer, style: &Style) -> (Rendered<wire::Refs>, Footer) {
    let found = answer.total > 0
        || answer.words.total > 0
        || answer.definitions_total > 0
        || answer.file.is_some();
    let mut items = Vec::new();
    if found || answer.elsewhere_total > 0 {
        items.push(Item::remark(0, head(answer)));
    }
    if let Some(nothing) = &answer.nothing {
        items.extend(nothing::items(nothing, 1, !found));
    }
    let definitions = items.len();
    for (i, symbol) in answer.definitions.iter().enumerate() {
        let (start, end) = (symbol.start_line, symbol.end_line);
        let at = place(&symbol.path, start, end, Some(symbol));
        let verdict = answer.verdicts.get(i).and_then(Option::as_ref);
        let verdict = verdict.map(|verdict| format!(": {}", verdict::said(verdict)));
        let verdict = verdict.unwrap_or_default();
        items.push(Item::remark(1, format!("def {at}{verdict}\n")));
    }
    for entry_points in &answer.entry_points {
        let entry_points = entry_points.iter().take(MAX_ENTRY_POINTS);
        items.extend(
            entry_points
                .map(|point| Item::remark(1, format!("entry {}\n", entries::beside(point)))),
        );
    }
    for symbol in &answer.elsewhere {
        let (start, end) = (symbol.start_line, symbol.end_line);
        let at = place(&symbol.path, start, end, Some(symbol));
        items.push(Item::remark(1, format!("other container {at}\n")));
    }
    for (directory, n) in &answer.directories {
        let directory = match directory.as_str() {
            "" => "(top)".to_owned(),
            directory => clean::path(directory),
        };
        items.push(Item::remark(1, format!("{directory} {n}\n")));
    }
    let uses = items.len();
    items.extend(answer.files.iter().flat_map(|file| file_items(file, 2)));
    let ambiguous = items.len();
    items.extend(answer.ambiguous.iter().flat_map(|file| file_items(file, 3)));
    headed(&mut items[ambiguous..], "may mean another:\n");
    let sides = items.len();
    for side in &answer.sides {
        let first = items.len();
        items.extend(
            side.shown
                .iter()
                .map(|of| dependency_item(side.direction, of)),
        );
        if answer.sides.len() > 1 {
            headed(&mut items[first..], verb(side.direction));
        }
    }
    let reached = items.len();
    items.extend(answer.reached.iter().map(reached_item));
    let uses_too = answer.files.len() + answer.ambiguous.len() > 0;
    if answer.reached_by.is_some() && uses_too {
        headed(&mut items[reached..], "uses:\n");
    }
    let words = items.len();
    items.extend(answer.words.files.iter().map(words_item));
    headed(&mut items[words..], "by name alone:\n");
    let listed = used(answer)
        + answer
            .sides
            .iter()
            .map(|side| side.shown.len())
            .sum::<usize>()
        + answer.reached.len();
    let total = usize::try_from(answer.total).unwrap_or(usize::MAX);
    let (text, layout, footer) = lay_out(&items, QUOTED + 1, style.budget, |layout| {
        let mut footer = Footer::new(&answer.stamp, layout.main, total)
            .after(answer.offset)
            .within(answer.within.as_ref());
        if let Some(remark) = apart(answer) {
            footer = footer.remark(remark);
        }
        for aside in &answer.asides {
            footer = footer.remark(outline::aside(aside, "refs", style.voice));
        }
        let nothing = answer.nothing.as_ref();
        let nothing = nothing.and_then(|nothing| nothing::advice(nothing, Tool::Refs, style.voice));
        let rest = || advice(answer, layout, (listed, total), style.voice);
        footer.next(nothing.or_else(rest))
    });
    let wire = wire::Refs::new(
        answer,
        &layout,
        &wire::Parts {
            definitions,
            uses,
            ambiguous,
            sides,
            reached,
            words,
            quoted: QUOTED,
        },
        footer.advice(),
    );
    // A name that is defined but never used was found all the same.
    (Rendered { text, wire, found }, footer)
}

/// Puts a heading before the first of some items, shown with it or not at all.
fn headed(items: &mut [Item], heading: &str) {
    if let Some(first) = items.first_mut() {
        for level in &mut first.levels {
            level.insert_str(0, heading);
        }
    }
}

fn advice(
    answer: &RefsAnswer,
    layout: &Layout,
    (listed, total): (usize, usize),
    voice: Voice,
) -> Option<String> {
    let room = || voice.set("budget", super::fitting(layout));
    let offset = answer.offset;
    // Several lists share one offset, so it moves on only when all that is listed of each is shown.
    let uses = answer.files.len() + answer.ambiguous.len();
    let lists =
        answer.sides.len() + usize::from(uses > 0) + usize::from(!answer.reached.is_empty());
    if lists > 1 {
        if layout.main < listed {
            return Some(room());
        }
        let longest = answer.sides.iter().map(|side| side.shown.len());
        let longest = longest.chain([answer.reached.len(), used(answer)]).max();
        let next = offset + longest.unwrap_or(0);
        let before = lists * offset;
        return match total > before.min(total) + listed {
            true => Some(voice.set("offset", next)),
            false => (!layout.full).then(room),
        };
    }
    let page = Page {
        offset,
        listed,
        total,
    };
    super::rest(layout, page, voice).or_else(|| (!layout.full).then(room))
}

/// Uses that are listed.
fn used(answer: &RefsAnswer) -> usize {
    let files = answer.files.iter().chain(&answer.ambiguous);
    files.map(|file| file.references.len()).sum()
}

/// What is not in the list: files that hold the word and were not read, or not listed.
fn apart(answer: &RefsAnswer) -> Option<String> {
    let more = (answer.words.unread + answer.words.hidden) as u64;
    (more > 0).then(|| format!("the word is in {}", count(more, "more file")))
}

fn verb(direction: Direction) -> &'static str {
    match direction {
        Direction::In => "depended on by:\n",
        Direction::Out => "depends on:\n",
    }
}

fn head(answer: &RefsAnswer) -> String {
    let files = |n: usize| count(n as u64, "file");
    let steps = match answer.depth {
        0 | 1 => String::new(),
        depth => format!(" within {depth} steps"),
    };
    if let Some(path) = &answer.file {
        let sides: Vec<String> = answer
            .sides
            .iter()
            .map(|side| {
                let further = match answer.depth {
                    0 | 1 => 0,
                    _ => answer.files_total - side.files,
                };
                let files = files(side.files + further);
                match side.direction {
                    Direction::In => format!("depended on by {files}"),
                    Direction::Out => format!("depends on {files}"),
                }
            })
            .collect();
        return format!("{} {}{steps}\n", clean::path(path), sides.join(", "));
    }
    let name = clean::word(&answer.title);
    let listed = answer.definitions.len();
    let definitions = count(answer.definitions_total as u64, "definition");
    let of = match listed < answer.definitions_total {
        true => format!("{listed} of "),
        false => String::new(),
    };
    let (reached, places) = match answer.reached_by {
        Some((Direction::In, n)) => (n, format!("reached from {}", count(n as u64, "place"))),
        Some((Direction::Out, n)) => (n, format!("uses {}", count(n as u64, "symbol"))),
        None => (0, String::new()),
    };
    let used = answer.total - reached as u64;
    let uses = count(used, "use");
    let what = match (places.as_str(), used) {
        ("", _) => uses,
        (_, 0) => places,
        (_, _) => format!("{uses}, {places}"),
    };
    let sure: Vec<String> = Certainty::ALL
        .iter()
        .filter(|certainty| **certainty != Certainty::Text)
        .map(|certainty| (answer.certainty[*certainty as usize], certainty.label()))
        .filter(|(n, _)| *n > 0)
        .map(|(n, label)| format!("{n} {label}"))
        .collect();
    let sure = match (sure.is_empty(), answer.total) {
        (true, 0) => String::new(),
        (true, _) => ", by name".to_owned(),
        (false, _) => format!(", {}", sure.join(", ")),
    };
    let sure = match answer.compiled {
        0 => sure,
        n if n == answer.total => format!("{sure} by a compiler"),
        n => format!("{sure} ({n} by a compiler)"),
    };
    let words = match answer.words.total {
        0 => String::new(),
        n if answer.words.unread > 0 => format!(", {} or more by name alone", count(n, "line")),
        n => format!(", {} by name alone", count(n, "line")),
    };
    let ran = match answer.ran {
        Ran::Yes => ", seen running in tests",
        Ran::No => ", not run by the tests that were traced",
        Ran::Unknown => "",
    };
    let elsewhere = count(answer.elsewhere_total as u64, "definition");
    let definitions = match answer.outside.as_slice() {
        [] if answer.elsewhere_total > 0 => format!("not defined; {elsewhere} in other containers"),
        [] => format!("{of}{definitions}{ran}"),
        modules => format!("imported from {}", listed_words(modules)),
    };
    let files = files(answer.files_total);
    format!("{name}: {what} in {files}{steps}{sure}{words}; {definitions}\n")
}

/// Returns an item for each use; the first of a file carries the file's own line.
fn file_items(file: &FileReferences, rank: usize) -> impl Iterator<Item = Item> + '_ {
    let references = file.references.iter().enumerate();
    references.map(move |(i, reference)| {
        let head = if i == 0 {
            file_head(file)
        } else {
            String::new()
        };
        let levels = vec![head.clone() + &bare(reference), head + &quoted(reference)];
        Item {
            rank,
            tally: Tally::Main,
            levels,
        }
    })
}

/// A file with the lines that hold the word; many are cut short.
fn words_item(words: &WordLines) -> Item {
    let named: Vec<String> = words
        .lines
        .iter()
        .take(LINES_NAMED)
        .map(u32::to_string)
        .collect();
    let more = match words.lines.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let path = clean::path(&words.path);
    Item::remark(5, format!("{path} {}{more}\n", named.join(" ")))
}

fn file_head(file: &FileReferences) -> String {
    let path = clean::path(&file.path);
    if file.total > file.references.len() as u64 {
        format!("{path} ({})\n", count(file.total, "use"))
    } else {
        format!("{path}\n")
    }
}

/// How a use is tied to the target, when that is less than sure.
fn doubt(reference: &Reference) -> String {
    match reference.certainty {
        Certainty::Resolved => String::new(),
        Certainty::Ambiguous if reference.candidates == 0 => " ?".to_owned(),
        Certainty::Ambiguous => format!(" ?1 of {}", reference.candidates + 1),
        Certainty::Inferred => " ~".to_owned(),
        Certainty::Text => " text".to_owned(),
    }
}

/// How the target is used, by the mark of what connects them where that is no code of the program.
fn kind(reference: &Reference) -> &'static str {
    match reference.rule {
        Some(rule) if rule == Rule::Fixture.label() => rule,
        _ => reference.kind.label(),
    }
}

fn bare(reference: &Reference) -> String {
    let kind = kind(reference);
    format!("  {} {kind}{}\n", reference.line, doubt(reference))
}

fn quoted(reference: &Reference) -> String {
    let text = clean::line(&reference.text, clean::MAX_LINE_CHARS);
    let (line, kind) = (reference.line, kind(reference));
    let doubt = doubt(reference);
    match &reference.enclosing {
        Some(outer) => format!("  {line} {kind}{doubt} in {}: {text}\n", clean::word(outer)),
        None => format!("  {line} {kind}{doubt}: {text}\n"),
    }
}

/// Names with commas between them; what is renamed as it is imported is two (`init as start`).
fn listed_words<S: Borrow<str>>(names: &[S]) -> String {
    let words = |name: &S| match name.borrow().split_once(" as ") {
        Some((name, here)) => format!("{} as {}", clean::word(name), clean::word(here)),
        None => clean::word(name.borrow()),
    };
    let names: Vec<String> = names.iter().map(words).collect();
    names.join(", ")
}

fn dependency_item(direction: Direction, of: &FileDependency) -> Item {
    let names = match of.names.is_empty() {
        true => String::new(),
        false => format!(" {{{}}}", listed_words(&of.names)),
    };
    let line = match of.line {
        0 => String::new(),
        line => format!(":{line}"),
    };
    let (bare, full) = match (direction, of.kind) {
        (_, DependencyKind::External | DependencyKind::Unresolved) => {
            let text = format!("{} {}", of.kind.label(), clean::word(&of.specifier));
            (text.clone(), format!("{text}{names}"))
        }
        (Direction::In, kind) => {
            let path = clean::path(&of.path);
            (
                format!("{path}{line}"),
                format!("{path}{line} {}{names}", kind.label()),
            )
        }
        (Direction::Out, kind) => {
            let path = clean::path(&of.path);
            (
                path.clone(),
                format!("{path} {}{line}{names}", kind.label()),
            )
        }
    };
    Item {
        rank: match of.kind {
            DependencyKind::External | DependencyKind::Unresolved => 4,
            _ => 2,
        },
        tally: Tally::Main,
        levels: vec![format!("{bare}\n"), format!("{full}\n")],
    }
}

pub(super) fn reached_item(reached: &Reached) -> Item {
    let at = match &reached.symbol {
        Some(symbol) => place(
            &symbol.path,
            symbol.start_line,
            symbol.end_line,
            Some(symbol),
        ),
        None => clean::path(&reached.path),
    };
    let doubt = match reached.certainty {
        Certainty::Resolved => "",
        Certainty::Inferred => " ~",
        Certainty::Ambiguous | Certainty::Text => " ?",
    };
    let bare = format!("{} {at}{doubt}", reached.depth);
    let full = match reached.via.is_empty() {
        true => bare.clone(),
        false => {
            let via: Vec<String> = reached.via.iter().map(|name| clean::word(name)).collect();
            format!("{bare} via {}", via.join(" > "))
        }
    };
    Item {
        rank: 1 + reached.depth,
        tally: Tally::Main,
        levels: vec![format!("{bare}\n"), format!("{full}\n")],
    }
}
