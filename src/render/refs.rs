//! Renders answers of `refs`: uses by file, what chains of references lead to, dependencies of files.

use super::footer::Footer;
use super::layout::{Item, Layout, Tally, lay_out};
use super::symbol::place;
use super::wire::refs as wire;
use super::{Rendered, Style, Voice, clean, count};
use crate::graph::rule::Certainty;
use crate::query::answer::{FileDependency, FileReferences, Reached, Reference, RefsAnswer, Tie};
use crate::query::request::Direction;
use crate::trace::lines::Ran;

/// Level of a use at which its line is quoted.
const QUOTED: usize = 1;

/// Renders an answer of `refs`.
pub fn render(answer: &RefsAnswer, style: &Style) -> Rendered<wire::Refs> {
    let found = answer.total > 0 || answer.definitions_total > 0 || answer.file.is_some();
    let mut items = Vec::new();
    if found {
        items.push(Item::remark(0, head(answer)));
    }
    let definitions = items.len();
    for symbol in &answer.definitions {
        let (start, end) = (symbol.start_line, symbol.end_line);
        let at = place(&symbol.path, start, end, Some(symbol));
        items.push(Item::remark(1, format!("def {at}\n")));
    }
    for (directory, n) in &answer.directories {
        let directory = match directory.as_str() {
            "" => "(top)".to_owned(),
            directory => clean::whole(directory),
        };
        items.push(Item::remark(1, format!("{directory} {n}\n")));
    }
    let uses = items.len();
    items.extend(answer.files.iter().flat_map(file_items));
    let dependencies = items.len();
    items.extend(
        answer
            .dependencies
            .iter()
            .map(|of| dependency_item(answer, of)),
    );
    let reached = items.len();
    items.extend(answer.reached.iter().map(reached_item));
    let used: usize = answer.files.iter().map(|f| f.references.len()).sum();
    let listed = used + answer.dependencies.len() + answer.reached.len();
    let total = usize::try_from(answer.total).unwrap_or(usize::MAX);
    let (text, layout, footer) = lay_out(&items, QUOTED + 1, style.budget, |layout| {
        let mut footer = Footer::new(&answer.stamp, layout.main, total);
        if let Some(remark) = apart(answer) {
            footer = footer.remark(remark);
        }
        footer
            .list("similar", &answer.similar)
            .next(advice(layout, listed, total, style.voice))
    });
    let mut at = uses;
    let files = answer.files.iter().filter_map(|file| {
        let levels = at..at + file.references.len();
        at = levels.end;
        wire::file(file, &layout.levels[levels], QUOTED)
    });
    let files = files.collect();
    let wire = wire::Refs::new(
        answer,
        &layout,
        wire::Parts {
            definitions: definitions..definitions + answer.definitions.len(),
            dependencies: dependencies..reached,
            reached: reached..items.len(),
        },
        files,
        footer.advice(),
    );
    // A name that is defined but never used was found all the same.
    Rendered { text, wire, found }
}

fn advice(layout: &Layout, listed: usize, total: usize, voice: Voice) -> Option<String> {
    super::rest(layout, listed, total, voice)
        .or_else(|| (!layout.full).then(|| voice.set("budget", super::fitting(layout))))
}

/// What is not in the list: letters that agree, or what was searched in vain.
fn apart(answer: &RefsAnswer) -> Option<String> {
    let text = answer.certainty[Certainty::Text as usize];
    let listed = answer
        .files
        .iter()
        .flat_map(|file| &file.references)
        .any(|reference| reference.certainty == Certainty::Text);
    if text > 0 && !listed {
        return Some(format!("{text} more by name alone"));
    }
    (answer.total == 0).then(|| {
        let files = count(answer.files_searched as u64, "file");
        format!("searched {files} by name")
    })
}

fn head(answer: &RefsAnswer) -> String {
    let files = count(answer.files_total as u64, "file");
    let steps = match answer.depth {
        0 | 1 => String::new(),
        depth => format!(" within {depth} steps"),
    };
    if let Some(path) = &answer.file {
        let verb = match answer.direction {
            Direction::In => "depended on by",
            Direction::Out => "depends on",
        };
        return format!("{} {verb} {files}{steps}\n", clean::whole(path));
    }
    let name = clean::whole(&answer.name);
    let listed = answer.definitions.len();
    let definitions = count(answer.definitions_total as u64, "definition");
    let of = match listed < answer.definitions_total {
        true => format!("{listed} of "),
        false => String::new(),
    };
    let what = match (answer.direction, answer.depth) {
        (Direction::In, 0 | 1) => count(answer.total, "use"),
        (Direction::In, _) => format!("reached from {}", count(answer.total, "place")),
        (Direction::Out, _) => format!("uses {}", count(answer.total, "symbol")),
    };
    let sure: Vec<String> = Certainty::ALL
        .iter()
        .filter(|certainty| **certainty != Certainty::Text)
        .map(|certainty| (answer.certainty[*certainty as usize], certainty.label()))
        .filter(|(n, _)| *n > 0)
        .map(|(n, label)| format!("{n} {label}"))
        .collect();
    let sure = match sure.is_empty() {
        true => "by name".to_owned(),
        false => sure.join(", "),
    };
    let ran = match answer.ran {
        Ran::Yes => ", seen running in tests",
        Ran::No => ", not run by the tests that were traced",
        Ran::Unknown => "",
    };
    format!("{name}: {what} in {files}{steps}, {sure}; {of}{definitions}{ran}\n")
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

/// How a use is tied to the target, when that is less than sure.
fn doubt(reference: &Reference) -> String {
    match reference.certainty {
        Certainty::Resolved => String::new(),
        Certainty::Ambiguous => format!(" ?1 of {}", reference.candidates + 1),
        Certainty::Inferred => " ~".to_owned(),
        Certainty::Text => " text".to_owned(),
    }
}

fn bare(reference: &Reference) -> String {
    let kind = reference.kind.label();
    format!("  {} {kind}{}\n", reference.line, doubt(reference))
}

fn quoted(reference: &Reference) -> String {
    let text = clean::line(&reference.text, clean::MAX_LINE_CHARS);
    let (line, kind) = (reference.line, reference.kind.label());
    let doubt = doubt(reference);
    match &reference.enclosing {
        Some(outer) => format!(
            "  {line} {kind}{doubt} in {}: {text}\n",
            clean::whole(outer)
        ),
        None => format!("  {line} {kind}{doubt}: {text}\n"),
    }
}

fn dependency_item(answer: &RefsAnswer, of: &FileDependency) -> Item {
    let names = match of.names.is_empty() {
        true => String::new(),
        false => format!(" {{{}}}", clean::whole(&of.names.join(", "))),
    };
    let line = match of.line {
        0 => String::new(),
        line => format!(":{line}"),
    };
    let (bare, full) = match (&answer.file, answer.direction, of.tie) {
        (_, _, Tie::External | Tie::Unresolved) => {
            let text = format!("{} {}", of.tie.label(), clean::whole(&of.specifier));
            (text.clone(), format!("{text}{names}"))
        }
        (_, Direction::In, tie) => {
            let path = clean::whole(&of.path);
            (
                format!("{path}{line}"),
                format!("{path}{line} {}{names}", tie.label()),
            )
        }
        (_, Direction::Out, tie) => {
            let path = clean::whole(&of.path);
            (path.clone(), format!("{path} {}{line}{names}", tie.label()))
        }
    };
    Item {
        rank: match of.tie {
            Tie::External | Tie::Unresolved => 4,
            _ => 2,
        },
        tally: Tally::Main,
        levels: vec![format!("{bare}\n"), format!("{full}\n")],
    }
}

fn reached_item(reached: &Reached) -> Item {
    let at = match &reached.symbol {
        Some(symbol) => place(
            &symbol.path,
            symbol.start_line,
            symbol.end_line,
            Some(symbol),
        ),
        None => clean::whole(&reached.path),
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
            let via: Vec<String> = reached.via.iter().map(|name| clean::whole(name)).collect();
            format!("{bare} via {}", via.join(" > "))
        }
    };
    Item {
        rank: 1 + reached.depth,
        tally: Tally::Main,
        levels: vec![format!("{bare}\n"), format!("{full}\n")],
    }
}
