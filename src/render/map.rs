//! Renders answers of `map`: languages, directories, main files and symbols, state of the index.

use super::footer::Footer;
use super::layout::{Item, Layout, Tally, lay_out};
use super::nothing::{self, Tool};
use super::symbol::place;
use super::task;
use super::upkeep::{bytes, skip_list, store_line};
use super::{Budgeted, Rendered, Style, Voice, clean, count, entries, memory, wire};
use crate::query::audit::answer::HubFile;
use crate::query::map::{DirectoryShare, LanguageShare, MapAnswer};

/// Ranks: what it is written in, then directories by depth with the main symbols among them.
const HEAD: usize = 0;
const NOTES: usize = 1;
const SYMBOLS: usize = 2;
const ASIDE: usize = 3;

impl Budgeted for MapAnswer {
    type Wire<'a> = wire::Map;

    const BUDGET: usize = super::MAP_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::Map> {
        render(self, style)
    }
}

/// Renders an answer of `map`.
pub fn render(answer: &MapAnswer, style: &Style) -> Rendered<wire::Map> {
    if let Some((context, found)) = &answer.task {
        return task::render(answer, context, found, style);
    }
    if let Some(entries) = &answer.entries {
        return entries::render(answer, entries, style);
    }
    // Core memories are read first, but what the repository is has room before them.
    let core = answer.memories.iter().take_while(|note| note.core).count();
    let (core, aside) = answer.memories.split_at(core);
    let mut items: Vec<Item> = memory::notes(core, NOTES).collect();
    let first = items.len();
    items.push(head(answer));
    if let Some(nothing) = &answer.nothing {
        items.extend(nothing::items(nothing, HEAD, true));
        // There is nothing else but the index.
        items.remove(first);
    }
    items.extend(answer.directories.iter().map(directory));
    let hubs = items.len();
    items.extend(answer.hubs.iter().map(hub));
    let symbols = items.len();
    items.extend(answer.symbols.iter().map(|symbol| {
        let at = place(
            &symbol.path,
            symbol.start_line,
            symbol.end_line,
            Some(symbol),
        );
        Item {
            rank: SYMBOLS,
            tally: Tally::Minor,
            levels: vec![format!("{at}\n")],
        }
    }));
    let noted = items.len();
    items.extend(memory::notes(aside, SYMBOLS));
    let skipped = items.len();
    if !answer.skipped.is_empty() {
        items.push(Item::remark(
            ASIDE,
            format!("not extracted: {}\n", skip_list(&answer.skipped)),
        ));
    }
    let store = items.len();
    items.push(Item::remark(ASIDE, store_line(&answer.index)));
    let (text, layout, footer) = lay_out(&items, 2, style.budget, |layout| {
        let mut footer = Footer::new(&answer.stamp, layout.main, answer.directories.len());
        if layout.minor < answer.symbols.len() {
            let all = answer.symbols.len();
            footer = footer.remark(format!("symbols {} of {all}", layout.minor));
        }
        footer.next(advice(answer, layout, style.voice))
    });
    let has = |i: usize| layout.level(i).is_some();
    let directories = answer.directories.iter().enumerate();
    let main = answer.symbols.iter().enumerate();
    let wire = wire::Map {
        index: answer.stamp.clone(),
        shown: layout.main,
        total: answer.directories.len(),
        files: answer.files,
        languages: match layout.level(first) {
            Some(1) => answer.languages.iter().map(wire_language).collect(),
            _ => Vec::new(),
        },
        directories: directories
            .filter_map(|(i, dir)| Some(wire_directory(dir, layout.level(first + 1 + i)?)))
            .collect(),
        hubs: (answer.hubs.iter().enumerate())
            .filter(|(i, _)| has(hubs + i))
            .map(|(_, hub)| wire_hub(hub))
            .collect(),
        symbols: main
            .filter(|(i, _)| has(symbols + i))
            .map(|(_, s)| wire::Symbol::new(s))
            .collect(),
        entries: Vec::new(),
        task: Vec::new(),
        skipped: if has(skipped) {
            answer.skipped.clone()
        } else {
            Vec::new()
        },
        memories: [
            memory::wire_notes(core, 0, &layout),
            memory::wire_notes(aside, noted, &layout),
        ]
        .concat(),
        nothing: nothing::Wire::of(answer.nothing.as_deref()),
        store: has(store).then(|| answer.index.clone()),
        next: footer.advice(),
    };
    Rendered::of(text, wire).found(answer.files > 0)
}

fn advice(answer: &MapAnswer, layout: &Layout, voice: Voice) -> Option<String> {
    if let Some(nothing) = &answer.nothing {
        return nothing::advice(nothing, Tool::Other, voice);
    }
    let all = answer.directories.len();
    if layout.main < all || layout.minor < answer.symbols.len() {
        return Some(voice.set("budget", super::fitting(layout)));
    }
    // All is shown; the most used symbol is a good place to go on from.
    let (folder, _) = answer.symbols.first()?.path.rsplit_once('/')?;
    Some(voice.set("scope", voice.path(&format!("{folder}/"))))
}

fn head(answer: &MapAnswer) -> Item {
    let files = count(answer.files as u64, "file");
    let mut levels = vec![format!("{files}\n")];
    if !answer.languages.is_empty() {
        let shares: Vec<String> = answer.languages.iter().map(share).collect();
        levels.push(format!("{files}: {}\n", shares.join("; ")));
    }
    Item {
        rank: HEAD,
        tally: Tally::Nothing,
        levels,
    }
}

fn share(share: &LanguageShare) -> String {
    format!(
        "{} {}, {}, {}, {}",
        share.lang.label(),
        count(share.files as u64, "file"),
        count(share.lines, "line"),
        count(share.symbols as u64, "symbol"),
        bytes(share.bytes)
    )
}

fn directory(dir: &DirectoryShare) -> Item {
    let path = match dir.path.trim_end_matches('/') {
        "" => "./".to_owned(),
        path => clean::path(&format!("{path}/")),
    };
    let plain = format!(
        "{}{path} {}, {}",
        "  ".repeat(dir.depth),
        count(dir.files as u64, "file"),
        count(dir.lines, "line")
    );
    let mut levels = vec![format!("{plain}\n")];
    if !dir.symbols.is_empty() {
        let names: Vec<String> = dir
            .symbols
            .iter()
            .map(|s| clean::word(&s.qualified))
            .collect();
        levels.push(format!("{plain}: {}\n", names.join(", ")));
    }
    Item {
        rank: 1 + dir.depth,
        tally: Tally::Main,
        levels,
    }
}

/// A file that much depends on.
fn hub(hub: &HubFile) -> Item {
    let share = hub.rank * 100.0;
    let files = count(hub.fan_in as u64, "file");
    let path = clean::path(&hub.path);
    Item::remark(
        SYMBOLS,
        format!("{path} | rank {share:.1}%, used by {files}\n"),
    )
}

fn wire_hub(hub: &HubFile) -> wire::Hub {
    wire::Hub {
        path: hub.path.clone(),
        rank: (hub.rank * 10_000.0).round() / 10_000.0,
        fan_in: hub.fan_in,
    }
}

fn wire_language(share: &LanguageShare) -> wire::Language {
    wire::Language {
        lang: share.lang.label(),
        files: share.files,
        lines: share.lines,
        symbols: share.symbols,
    }
}

fn wire_directory(dir: &DirectoryShare, level: usize) -> wire::Directory {
    let named = if level > 0 {
        dir.symbols.as_slice()
    } else {
        &[]
    };
    wire::Directory {
        path: dir.path.clone(),
        files: dir.files,
        lines: dir.lines,
        symbols: named.iter().map(|s| s.qualified.to_string()).collect(),
    }
}
