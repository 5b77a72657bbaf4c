//! Renders what `symbol` says of paths besides the outline of a file: directories, and lines that no
//! symbol stands in; and what answers say of their target.

use super::layout::{Item, Tally};
use super::symbol::members;
use super::{Voice, clean, count, entries, wire};
use crate::query::answer::TargetNote;
use crate::query::cards::{FileOutline, FolderOutline, Passage};

/// Names of a file's symbols in one line of a directory's outline.
const NAMED: usize = 8;
/// Rank of the lines of an outline that is told page by page.
const PAGED: usize = 2;
/// Level at which the symbols of a file have a line each.
const LINED: usize = 2;

/// Makes an item one of an outline that is told page by page: with all that is said of it, and left out only where
/// those before it fill the page. What an answer remembers comes before the lines, and imports after.
pub(super) fn in_order(item: &mut Item) {
    if item.tally == Tally::Main {
        item.rank = PAGED;
        if let Some(whole) = item.levels.last().cloned() {
            item.levels
                .iter_mut()
                .for_each(|level| level.clone_from(&whole));
        }
    } else if item.rank > 0 {
        item.rank = PAGED + 1;
    }
}

/// The head of a directory's outline, then an item for each file: its path; with names; with lines.
pub(super) fn folder(outline: &FolderOutline) -> Vec<Item> {
    let files = count(outline.total as u64, "file");
    let head = format!("{} {files}\n", clean::path(&outline.path));
    let files = outline.files.iter().map(file);
    std::iter::once(Item::remark(0, head))
        .chain(files)
        .collect()
}

fn file(outline: &FileOutline) -> Item {
    let path = clean::path(&outline.path);
    let said = match outline.skip {
        Some(skip) => format!("not extracted: {skip}"),
        None => count(outline.lines, "line"),
    };
    let head = format!("{path} {said}");
    let bare = format!("{head}\n");
    if outline.items.is_empty() {
        return Item {
            rank: 1,
            tally: Tally::Main,
            levels: vec![bare],
        };
    }
    let names = outline.items.iter().take(NAMED);
    let names: Vec<String> = names
        .map(|item| clean::word(&item.symbol.qualified))
        .collect();
    let more = match outline.items.len() - names.len() {
        0 => String::new(),
        more => format!(" +{more}"),
    };
    let mut lined = bare.clone();
    for item in members(&outline.items, None, Tally::Nothing) {
        lined += item.levels.first().map_or("", String::as_str);
    }
    Item {
        rank: 1,
        tally: Tally::Main,
        levels: vec![bare, format!("{head}: {}{more}\n", names.join(", ")), lined],
    }
}

/// The files of a directory that are shown, with the symbols of those that have lines for them.
pub(super) fn wire_folder(
    outline: &FolderOutline,
    next: &mut impl FnMut() -> Option<usize>,
) -> Vec<wire::Outline> {
    next();
    let levels: Vec<Option<usize>> = outline.files.iter().map(|_| next()).collect();
    let shown = outline.files.iter().zip(levels);
    let shown = shown.filter_map(|(file, level)| {
        let every = &mut || level.filter(|level| *level >= LINED).map(|_| 0);
        level?;
        let members = super::symbol::wire_members(&file.items, every);
        Some(super::symbol::wire_outline(file, (true, false), members))
    });
    shown.collect()
}

/// Lines that no symbol stands in, with their text where there is room.
pub(super) fn passage(passage: &Passage) -> Item {
    let at = format!(
        "{}:{}-{}",
        clean::path(&passage.path),
        passage.start,
        passage.end
    );
    if passage.start > passage.lines {
        let lines = count(passage.lines, "line");
        let bare = format!("{at} is past the end: the file has {lines}\n");
        return Item {
            rank: 0,
            tally: Tally::Main,
            levels: vec![bare],
        };
    }
    let bare = format!("{at} in no symbol\n");
    let mut quoted = bare.clone();
    clean::block(&mut quoted, passage.text.lines());
    Item {
        rank: 0,
        tally: Tally::Main,
        levels: vec![bare, quoted],
    }
}

/// Says what there is to say of a target, with the call that asks for what else it names.
pub(super) fn aside(aside: &TargetNote, tool: &str, voice: Voice) -> String {
    let call = |target: &str| call(tool, target, voice);
    match aside {
        TargetNote::Path(path) => format!("also a path: {}", call(path)),
        TargetNote::Symbol(id) => format!("also a name: {}", call(id)),
        TargetNote::Receiver(variable, of) => {
            let of = of.iter().map(|(of, uses)| {
                let uses = count(*uses as u64, "use");
                format!("{} ({uses})", clean::word(of))
            });
            let of: Vec<String> = of.collect();
            format!("{} is {}", clean::word(variable), of.join(" or "))
        }
        TargetNote::Inherited(name, of) => {
            format!(
                "{} is inherited from {}",
                clean::word(name),
                clean::word(of)
            )
        }
        TargetNote::Route(title, place) => {
            format!("{} at {}", entries::title(title), clean::place(place))
        }
        TargetNote::ManyNames(names, most) => {
            format!("it matches {names} names; the first {most} of them were looked at")
        }
        TargetNote::NoSymbol(place) => format!("no symbol at {}", clean::place(place)),
    }
}

/// The call of `symbol` or `refs` that asks for a target.
pub(super) fn call(tool: &str, target: &str, voice: Voice) -> String {
    let target = voice.last(target);
    match (voice, tool) {
        (Voice::Command, _) => format!("git sverklo {tool} {target}"),
        (Voice::Tool, "symbol") => format!("symbol name={target}"),
        (Voice::Tool, _) => format!("{tool} target={target}"),
    }
}
