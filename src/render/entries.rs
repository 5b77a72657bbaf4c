//! Renders entry points, as `map` lists them and as cards and uses name them.

use super::footer::Footer;
use super::layout::{Item, Layout, lay_out};
use super::nothing::{self, Tool};
use super::{Rendered, Style, clean, memory, wire};
use crate::query::entry_points::Shown;
use crate::query::map::{Entries, MapAnswer};

/// Renders an answer of `map` about entries.
pub fn render(answer: &MapAnswer, entries: &Entries, style: &Style) -> Rendered<wire::Map> {
    let core = answer.memories.iter().take_while(|note| note.core).count();
    let (core, _) = answer.memories.split_at(core);
    let mut items: Vec<Item> = memory::notes(core, 1).collect();
    let first = items.len();
    items.extend(
        entries
            .entry_points
            .iter()
            .map(|point| Item::main(line(point))),
    );
    if let Some(nothing) = &answer.nothing {
        items.extend(nothing::items(nothing, 0, true));
    } else if entries.entry_points.is_empty() {
        let said = "no routes, commands or jobs of a framework that is known here\n";
        items.push(Item::remark(0, said.to_owned()));
    }
    let total = entries.entry_points.len();
    let (text, layout, footer) = lay_out(&items, 1, style.budget, |layout: &Layout| {
        let mut footer = Footer::new(&answer.stamp, layout.main, total);
        if entries.of_tests > 0 {
            footer = footer.remark(format!("{} more in tests", entries.of_tests));
        }
        let more = (layout.main < total).then(|| style.voice.set("budget", super::fitting(layout)));
        footer.next(match &answer.nothing {
            Some(nothing) => nothing::advice(nothing, Tool::Other, style.voice),
            None => more,
        })
    });
    let shown = entries.entry_points.iter().enumerate();
    let shown = shown.filter(|(i, _)| layout.level(first + i).is_some());
    let wire = wire::Map {
        index: answer.stamp.clone(),
        shown: layout.main,
        total,
        files: answer.files,
        languages: Vec::new(),
        directories: Vec::new(),
        hubs: Vec::new(),
        symbols: Vec::new(),
        task: Vec::new(),
        entries: shown.map(|(_, point)| wire::Entry::new(point)).collect(),
        skipped: Vec::new(),
        memories: memory::wire_notes(core, 0, &layout),
        nothing: nothing::Wire::of(answer.nothing.as_deref()),
        store: None,
        next: footer.advice(),
    };
    Rendered::of(text, wire).found(total > 0)
}

/// One entry point on a line: `GET /users/:id  users.show  src/routes.js:12`.
fn line(point: &Shown) -> String {
    let handler = match &point.handler {
        Some(handler) => clean::word(handler),
        None => "(in place)".to_owned(),
    };
    format!("{}  {handler}  {}\n", title(&point.title), at(point))
}

fn at(point: &Shown) -> String {
    format!("{}:{}", clean::path(&point.path), point.line)
}

/// An entry point in a few words, to stand beside a definition that it leads to.
pub(super) fn beside(point: &Shown) -> String {
    format!("{} at {}", title(&point.title), at(point))
}

/// A title: its first word is ours, the rest a repository's, in quotes where it has what divides our lines.
pub(super) fn title(title: &str) -> String {
    let shown = clean::whole(title);
    let divides = |rest: &str| rest.contains(['|', '"', ';']) || rest.contains("  ");
    match shown.split_once(' ') {
        Some((first, rest)) if divides(rest) => format!("{first} \"{}\"", rest.replace('"', "'")),
        _ => shown,
    }
}
