//! Renders ways into programs, as `map` lists them and as cards and uses name them.

use super::footer::Footer;
use super::layout::{Item, Layout, lay_out};
use super::nothing::{self, Tool};
use super::{Rendered, Style, clean, memory, wire};
use crate::query::map::{Entries, MapAnswer};
use crate::query::ways::Shown;

/// Renders an answer of `map` about entries.
pub fn render(answer: &MapAnswer, entries: &Entries, style: &Style) -> Rendered<wire::Map> {
    let core = answer.memories.iter().take_while(|note| note.core).count();
    let (core, _) = answer.memories.split_at(core);
    let mut items: Vec<Item> = memory::notes(core, 1).collect();
    let first = items.len();
    items.extend(entries.ways.iter().map(|way| Item::main(line(way))));
    if let Some(nothing) = &answer.nothing {
        items.extend(nothing::items(nothing, 0, true));
    } else if entries.ways.is_empty() {
        let said = "no routes, commands or jobs of a framework that is known here\n";
        items.push(Item::remark(0, said.to_owned()));
    }
    let total = entries.ways.len();
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
    let shown = entries.ways.iter().enumerate();
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
        entries: shown.map(|(_, way)| wire::Entry::new(way)).collect(),
        skipped: Vec::new(),
        memories: memory::wire_notes(core, 0, &layout),
        nothing: nothing::Wire::of(answer.nothing.as_deref()),
        store: None,
        next: footer.advice(),
    };
    Rendered::of(text, wire).found(total > 0)
}

/// One way on a line: `GET /users/:id  users.show  src/routes.js:12`.
fn line(way: &Shown) -> String {
    let handler = match &way.handler {
        Some(handler) => clean::whole(handler),
        None => "(in place)".to_owned(),
    };
    format!("{}  {handler}  {}\n", clean::whole(&way.title), at(way))
}

fn at(way: &Shown) -> String {
    format!("{}:{}", clean::path(&way.path), way.line)
}

/// A way in a few words, to stand beside a definition that it leads to.
pub(super) fn beside(way: &Shown) -> String {
    format!("{} at {}", clean::whole(&way.title), at(way))
}
