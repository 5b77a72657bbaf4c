//! Renders what came between two revisions: what breaks others, then what is new, each by its folder.

use super::diff::{of_symbol, versus_commit};
use super::footer::{self, Footer};
use super::layout::{Item, Tally, lay_out};
use super::wire::release as wire;
use super::{Budgeted, Rendered, Style, audit, clean, count, entries};
use crate::query::diff::answer::SymbolFate;
use crate::query::release::answer::{Folder, ReleaseAnswer, Section, Told};

/// Ranks: what breaks has room before all else, and what is new the last.
const HEAD: usize = 0;
const BREAKING: usize = 1;
const FOLDERS: usize = 2;
const UNKNOWN: usize = 3;
const ADDED: usize = 4;

/// Longest cycle that is written out.
const MAX_ROUND: usize = 4;

impl Budgeted for ReleaseAnswer {
    type Wire<'a> = wire::Release;

    const BUDGET: usize = super::MAP_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::Release> {
        render(self, style)
    }
}

/// Renders what came between two revisions.
pub fn render(answer: &ReleaseAnswer, style: &Style) -> Rendered<wire::Release> {
    let mut items = vec![Item::remark(HEAD, head(answer))];
    let mut places = wire::Places::default();
    if answer.is_program && !answer.is_same {
        let said = "a program: nothing is offered to others; what its files give each other:\n";
        items.push(Item::remark(HEAD, said.to_owned()));
    }
    for (i, told) in answer.told.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| &answer.told[i]);
        let key = |told: &Told| (told.section, told.folder().to_owned());
        if before.is_none_or(|before| key(before) != key(told)) {
            let folder = match told.folder() {
                "" => "./".to_owned(),
                folder => clean::path(folder),
            };
            let said = format!("{} in {folder}\n", heading(told.section, answer.is_program));
            items.push(Item::remark(rank(told.section), said));
        }
        places.told.push(items.len());
        items.push(item(rank(told.section), told_levels(told)));
    }
    for folder in &answer.folders {
        places.folders.push(items.len());
        items.push(item(FOLDERS, folder_levels(folder)));
    }
    for entry in &answer.entries {
        let point = &entry.point;
        let said = format!(
            "{} {} at {}:{}\n",
            if entry.is_added { "new" } else { "gone" },
            entries::title(&point.title),
            clean::path(&point.path),
            point.line
        );
        places.entries.push(items.len());
        items.push(item(FOLDERS, vec![said]));
    }
    for cycle in &answer.cycles {
        let (from, to) = (&cycle.import.from, &cycle.import.to);
        let (from, line, to) = (clean::path(&from.path), from.line, clean::path(to));
        let round = count(cycle.cycle.len() as u64, "import");
        let short = format!("new import cycle: {from}:{line} imports {to}, {round} round\n");
        let mut levels = vec![short];
        if cycle.cycle.len() <= MAX_ROUND {
            let edges = cycle
                .cycle
                .iter()
                .map(|edge| format!("  {}\n", audit::arrow(edge)));
            levels.push(levels[0].clone() + &edges.collect::<String>());
        }
        places.cycles.push(items.len());
        items.push(item(FOLDERS, levels));
    }
    let (text, layout, footer) = lay_out(&items, 2, style.budget, |layout| {
        let mut footer = Footer::new(&answer.stamp, layout.main, answer.total());
        if answer.unread > 0 {
            let files = count(answer.unread as u64, "file");
            footer = footer.remark(format!("{files} of code not read"));
        }
        let more = || style.voice.set("budget", super::fitting(layout));
        footer.next((layout.main < answer.total() || !layout.full).then(more))
    });
    let wire = wire::Release::new(answer, &layout, &places, footer.advice());
    Rendered::of(text, wire).found(answer.total() > 0)
}

fn item(rank: usize, levels: Vec<String>) -> Item {
    Item {
        rank,
        tally: Tally::Main,
        levels,
    }
}

fn rank(section: Section) -> usize {
    match section {
        Section::Breaking => BREAKING,
        Section::Unknown | Section::Deprecated => UNKNOWN,
        Section::Added => ADDED,
    }
}

/// A section, in the words for a library or for a program, of which nothing is promised.
fn heading(section: Section, is_program: bool) -> &'static str {
    match (section, is_program) {
        (Section::Breaking, true) => "gone or otherwise",
        (Section::Unknown, true) => "may be otherwise",
        (section, _) => section.label(),
    }
}

fn head(answer: &ReleaseAnswer) -> String {
    let base = versus_commit(answer.base.as_deref(), &answer.chosen);
    let head = match answer.head.as_str() {
        "" => String::new(),
        head => format!("{} = ", clean::whole(head)),
    };
    let state = footer::state(&answer.stamp);
    let mut parts = vec![format!("{base} .. {head}{state}")];
    if answer.is_same {
        parts.push("nothing changed: both are the same commit".to_owned());
        return parts.join(" | ") + "\n";
    }
    parts.push(count(answer.files as u64, "file"));
    let sections = Section::ALL.iter().filter_map(|section| {
        let n = answer.count(*section);
        (n > 0).then(|| format!("{n} {}", heading(*section, answer.is_program)))
    });
    let sections: Vec<String> = sections.collect();
    let seen = match answer.is_program {
        true => "no definition that files give each other is another",
        false => "nothing that others can reach is another",
    };
    parts.push(match sections.is_empty() {
        true => seen.to_owned(),
        false => sections.join(", "),
    });
    if answer.inside > 0 {
        parts.push(format!("{} changed inside alone", answer.inside));
    }
    parts.join(" | ") + "\n"
}

/// A definition, without and with its signature.
fn told_levels(told: &Told) -> Vec<String> {
    let changed = &told.changed;
    let words = changed.fate.words().into_iter();
    // What is inside is nobody else's.
    let words = words.filter(|word| !matches!(*word, "body" | "comments"));
    let mut words: Vec<&str> = words.collect();
    if words.is_empty() {
        words.push("changed");
    }
    let mut parts = vec![format!(
        "  {} {}",
        words.join(", "),
        of_symbol(&changed.symbol)
    )];
    if let Some(was) = &changed.was {
        parts.push(format!("was {}", of_symbol(was)));
    }
    parts.extend(changed.because.map(|because| because.label().to_owned()));
    let line = parts.join(" | ") + "\n";
    let quoted: Vec<String> = match (&changed.signatures, &told.signature) {
        (Some((before, after)), _) => vec![
            format!("- {}", clean::whole(before)),
            format!("+ {}", clean::whole(after)),
        ],
        (None, Some(signature)) => vec![match changed.fate {
            SymbolFate::Removed => format!("- {}", clean::whole(signature)),
            _ => clean::whole(signature),
        }],
        (None, None) => return vec![line],
    };
    let mut signed = line.clone();
    clean::block(&mut signed, quoted.iter().map(String::as_str));
    vec![line, signed]
}

/// A folder, without and with what it has for others.
fn folder_levels(folder: &Folder) -> Vec<String> {
    let what = if folder.is_added { "new" } else { "gone" };
    let files = count(folder.files as u64, "file");
    let mut line = format!("{what} folder {}, {files}", clean::path(&folder.path));
    match folder.moved {
        0 => {}
        n if n == folder.files => line.push_str(", all moved"),
        n => line.push_str(&format!(", {n} moved")),
    }
    if folder.definitions == 0 {
        return vec![line + "\n"];
    }
    let definitions = count(folder.definitions as u64, "definition");
    line.push_str(&format!(", {definitions} for others"));
    let mut names: Vec<String> = folder.names.iter().map(|name| clean::word(name)).collect();
    if folder.definitions > names.len() {
        names.push("…".to_owned());
    }
    let named = format!("{line}: {}\n", names.join(", "));
    vec![line + "\n", named]
}
