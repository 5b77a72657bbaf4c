//! Renders answers of `diff`: what is broken, then what was left out, then what changed, then where.

use super::footer::{self, Footer};
use super::layout::{Item, Tally, lay_out};
use super::symbol::place;
use super::upkeep::skip_list;
use super::wire::diff as wire;
use super::{Budgeted, Page, Rendered, Style, audit, clean, count, memory, outlook, refs};
use crate::graph::rule::Certainty;
use crate::query::answer::SymbolRef;
use crate::query::diff::answer::{
    Broken, ChangedFile, ChangedSymbol, Compatibility, DiffAnswer, FileFate, LeftBehind, NearCopy,
    Reach, Unmet,
};
use crate::query::diff::dangling::Fault;
use crate::query::nothing::Few;

/// Ranks of the sections: what is broken is given room before all else.
const BROKEN: usize = 1;
const MEMORIES: usize = 2;
const OMISSIONS: usize = 2;
const SYMBOLS: usize = 3;
const FILES: usize = 4;
const REACH: usize = 5;

/// Places that may be left behind and are named for each reason.
const MAX_PLACES: usize = 3;
/// Lines of one definition that expect the same and are named, and that are quoted.
const MAX_LINES: usize = 12;
const MAX_QUOTED: usize = 2;
/// New imports of a file that too many import that are named.
const MAX_IMPORTS: usize = 10;

impl Budgeted for DiffAnswer {
    type Wire<'a> = wire::Diff;

    const BUDGET: usize = super::DIFF_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::Diff> {
        render(self, style)
    }
}

/// Renders an answer of `diff`.
pub fn render(answer: &DiffAnswer, style: &Style) -> Rendered<wire::Diff> {
    let mut items = vec![Item::remark(0, head(answer))];
    if !answer.files.is_empty() {
        items.push(Item::remark(0, outlook::risk_line(&answer.outlook.risk)));
    }
    let mut places = wire::Places {
        unknown: items.len(),
        ..wire::Places::default()
    };
    let unknown = unknown(answer).into_iter();
    items.extend(unknown.map(|line| Item::remark(0, line)));
    for (i, broken) in answer.broken.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| &answer.broken[i]);
        if before.is_none_or(|before| !is_same(before, broken)) {
            items.push(Item::remark(BROKEN, expected(broken)));
        }
        if before.is_none_or(|before| !is_beside(before, broken)) {
            let alike = answer.broken[i..].iter();
            let alike = alike.take_while(|other| is_beside(broken, other));
            let all: Vec<&Unmet> = alike.map(|other| &other.unmet).collect();
            items.push(item(BROKEN, unmet_levels(&all, "  ")));
        }
        places.broken.push(items.len() - 1);
    }
    for cycle in &answer.cycles {
        let mut text = format!(
            "new import cycle: {}:{} imports {}\n",
            clean::path(&cycle.import.from.path),
            cycle.import.from.line,
            clean::path(&cycle.import.to)
        );
        let short = text.clone();
        for edge in &cycle.cycle {
            text.push_str(&format!("  {}\n", audit::arrow(edge)));
        }
        places.cycles.push(items.len());
        items.push(item(BROKEN, vec![short, text]));
    }
    for hub in &answer.hubs {
        let short = format!(
            "too many import {}: {}, {} before, limit {}\n",
            clean::path(&hub.path),
            count(hub.now, "file"),
            hub.before,
            answer.max_fan_in.unwrap_or_default()
        );
        let mut text = short.clone();
        for edge in hub.imports.iter().take(MAX_IMPORTS) {
            text.push_str(&format!("  {}\n", audit::arrow(edge)));
        }
        if let Some(more) = hub.imports.len().checked_sub(MAX_IMPORTS + 1) {
            text.push_str(&format!("  and {} more\n", more + 1));
        }
        places.hubs.push(items.len());
        items.push(item(BROKEN, vec![short, text]));
    }
    places.noted = items.len();
    items.extend(memory::notes(&answer.memories, MEMORIES));
    for omission in &answer.outlook.omissions {
        places.omissions.push(items.len());
        items.push(item(OMISSIONS, outlook::omission_levels(omission)));
    }
    for symbol in &answer.symbols {
        places.symbols.push(items.len());
        items.push(item(SYMBOLS, symbol_levels(symbol)));
    }
    for file in &answer.files {
        places.files.push(items.len());
        items.push(item(FILES, vec![file_line(file)]));
    }
    if answer.reach.total > 0 {
        items.push(Item::remark(REACH, reach_head(&answer.reach)));
    }
    for reached in &answer.reach.nearest {
        places.reach.push(items.len());
        items.push(Item {
            rank: REACH,
            tally: Tally::Minor,
            ..refs::reached_item(reached)
        });
    }
    let total = items
        .iter()
        .filter(|item| item.tally == Tally::Main)
        .count();
    let (text, layout, footer) = lay_out(&items, 2, style.budget, |layout| {
        let mut footer = Footer::new(&answer.stamp, layout.main, total);
        if let Some(remark) = &answer.outlook.remark {
            footer = footer.remark(remark);
        }
        let page = Page {
            offset: 0,
            listed: total,
            total,
        };
        let room = || (!layout.full).then(|| style.voice.set("budget", super::fitting(layout)));
        footer.next(match layout.main < page.total {
            true => Some(style.voice.set("budget", super::fitting(layout))),
            false => room(),
        })
    });
    let wire = wire::Diff::new(answer, &layout, &places, footer.advice());
    Rendered::of(text, wire).found(!answer.files.is_empty())
}

fn item(rank: usize, levels: Vec<String>) -> Item {
    Item {
        rank,
        tally: Tally::Main,
        levels,
    }
}

/// The first line: what is compared, and how much differs.
fn head(answer: &DiffAnswer) -> String {
    let base = versus(answer);
    let mut parts = vec![
        format!("{base} .. {}", footer::state(&answer.stamp)),
        count(answer.files.len() as u64, "file"),
        count(answer.symbols.len() as u64, "definition"),
    ];
    let breaking = answer.symbols.iter();
    let breaking = breaking.filter(|symbol| symbol.compatibility == Compatibility::Breaking);
    match breaking.count() {
        0 => {}
        n => parts.push(format!("{n} breaking for others")),
    }
    if !answer.files.is_empty() {
        let broken = answer.places_behind() as u64;
        parts.push(match answer.left_behind() {
            LeftBehind::Proven => format!("{} left behind", count(broken, "place")),
            LeftBehind::Possible => match answer.unknown.total() {
                0 => "no use left behind as far as was looked".to_owned(),
                n => format!("{} may be left behind", count(n as u64, "place")),
            },
            LeftBehind::Nothing => "no use left behind".to_owned(),
        });
        match answer.new_calls() {
            0 => {}
            1 => parts.push("1 new call does not fit".to_owned()),
            n => parts.push(format!("{n} new calls do not fit")),
        }
        match answer.nowhere() {
            0 => {}
            1 => parts.push("1 new name leads nowhere".to_owned()),
            n => parts.push(format!("{n} new names lead nowhere")),
        }
    }
    parts.join(" | ") + "\n"
}

/// What is not known of places that are left behind: those that may be, by the reason, and what was not looked at.
pub(super) fn unknown(answer: &DiffAnswer) -> Vec<String> {
    let unknown = &answer.unknown;
    let mut lines = Vec::new();
    let reasons = unknown.counts.iter().map(|(why, total)| {
        let places = unknown.possible.iter().filter(|one| one.why == *why);
        let places = places.map(|one| {
            let name = clean::word(&one.expected);
            format!("{}:{} {name}", clean::path(&one.path), one.line)
        });
        let mut places: Vec<String> = places.take(MAX_PLACES).collect();
        if *total > places.len() {
            places.push("…".to_owned());
        }
        format!("{total} {} ({})", why.label(), places.join(", "))
    });
    let reasons: Vec<String> = reasons.collect();
    if !reasons.is_empty() {
        let more = if answer.places_behind() == 0 {
            ""
        } else {
            " more"
        };
        let total = unknown.total();
        lines.push(format!(
            "{total}{more} may be left behind: {}\n",
            reasons.join("; ")
        ));
    }
    let mut unseen = Vec::new();
    let Few { total, first } = &unknown.unseen.files;
    if *total > 0 {
        let named: Vec<String> = first.iter().map(|path| clean::path(path)).collect();
        let more = if *total > named.len() { ", …" } else { "" };
        let why = skip_list(&unknown.unseen.reasons);
        unseen.push(match named.is_empty() {
            true => format!("not read {why}"),
            false => format!("not read {why} ({}{more})", named.join(", ")),
        });
    }
    if unknown.unseen.uncovered > 0 {
        let files = count(unknown.unseen.uncovered as u64, "file");
        unseen.push(format!("{files} not covered"));
    }
    if unknown.unseen.names > 0 {
        let names = count(unknown.unseen.names as u64, "name");
        unseen.push(format!("{names} not looked for in all texts"));
    }
    let Few { total, first } = &unknown.unseen.uncompared;
    if *total > 0 {
        let named: Vec<String> = first.iter().map(|name| clean::word(name)).collect();
        let more = if *total > named.len() { ", …" } else { "" };
        let uses = format!("uses of {}{more}", named.join(", "));
        unseen.push(format!("{uses}, not compared"));
    }
    if !unseen.is_empty() {
        lines.push(format!("not looked at: {}\n", unseen.join("; ")));
    }
    lines
}

/// What is compared with.
pub(super) fn versus(answer: &DiffAnswer) -> String {
    versus_commit(answer.base.as_deref(), &answer.chosen)
}

/// An abbreviated commit, and how it was chosen.
pub(super) fn versus_commit(base: Option<&str>, chosen: &str) -> String {
    let chosen = clean::whole(chosen);
    match base {
        Some(base) if *base == chosen => chosen,
        Some(base) => format!("{base} ({chosen})"),
        None => format!("nothing ({chosen})"),
    }
}

/// Whether two places expect one thing.
fn is_same(a: &Broken, b: &Broken) -> bool {
    let (of_a, of_b) = (&a.unmet, &b.unmet);
    (a.fault, &of_a.expected, &of_a.at) == (b.fault, &of_b.expected, &of_b.at)
}

/// Whether two places expect one thing for one reason and lie in one definition: they are told in one line.
fn is_beside(a: &Broken, b: &Broken) -> bool {
    let place = |one: &Unmet| (one.path.clone(), one.certainty, one.reason.clone());
    is_same(a, b) && place(&a.unmet) == place(&b.unmet) && a.unmet.inside == b.unmet.inside
}

/// What some places expect, and what there is instead.
fn expected(broken: &Broken) -> String {
    let name = clean::word(&broken.unmet.expected);
    let at = clean::place(&broken.unmet.at);
    let now = match (&broken.unmet.now, broken.fault) {
        (
            _,
            Fault::Hidden
            | Fault::Unbound
            | Fault::Missing
            | Fault::Unfit
            | Fault::Absent
            | Fault::Nowhere,
        ) => String::new(),
        (None, _) => ", gone".to_owned(),
        (Some(now), _) => format!(", now {}", of_symbol(now)),
    };
    match broken.fault {
        Fault::Dangling => format!("still expect {name} ({at}{now}):\n"),
        Fault::Hidden => format!("cannot see {name} any more ({at}):\n"),
        Fault::Unbound => format!("use {name}, which nothing binds any more ({at}):\n"),
        Fault::Misfit => format!("no longer fit {name} ({at}{now}):\n"),
        Fault::Unfit => format!("do not fit {name} ({at}):\n"),
        Fault::LeftBehind => format!("still override {name} ({at}{now}):\n"),
        Fault::Declared => format!("still declare {name} as it was ({at}{now}):\n"),
        Fault::Missing => format!("lack {name} (wanted by {at}):\n"),
        Fault::Absent if *broken.unmet.expected == *broken.unmet.at => {
            format!("not in {name}:\n")
        }
        Fault::Absent => format!("not in {name} ({at}):\n"),
        Fault::Nowhere => format!("nowhere: {name}\n"),
    }
}

/// Places of one definition that expect something for one reason, without and with their text.
pub(super) fn unmet_levels(all: &[&Unmet], indent: &str) -> Vec<String> {
    let Some(first) = all.first() else {
        return Vec::new();
    };
    let mark = match first.certainty {
        Certainty::Resolved => "",
        _ => " ~",
    };
    let inside = first.inside.as_ref();
    let inside = inside.map(|inside| format!(" in {}", clean::word(&inside.qualified)));
    let reason = first.reason.as_ref();
    let reason = reason.map(|reason| format!(" | {}", clean::whole(reason)));
    let mut numbers: Vec<String> = all.iter().map(|one| one.line.to_string()).collect();
    numbers.dedup();
    let more = numbers.len().saturating_sub(MAX_LINES);
    numbers.truncate(MAX_LINES);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let line = format!(
        "{indent}{}:{}{more}{mark}{}{}\n",
        clean::path(&first.path),
        numbers.join(","),
        inside.unwrap_or_default(),
        reason.unwrap_or_default()
    );
    let mut quoted = line.clone();
    let texts = all.iter().take(MAX_QUOTED);
    let texts: Vec<String> = texts.map(|one| clean::whole(&one.text)).collect();
    clean::block(&mut quoted, texts.iter().map(String::as_str));
    vec![line, quoted]
}

pub(super) fn of_symbol(symbol: &SymbolRef) -> String {
    place(
        &symbol.path,
        symbol.start_line,
        symbol.end_line,
        Some(symbol),
    )
}

/// What an added definition is like.
fn near_copy(copy: &NearCopy) -> String {
    let part = copy.part.as_ref();
    let part = part.map(|part| format!("{} ", clean::word(part)));
    let how = if copy.is_same { "same as" } else { "much like" };
    format!("{}{how} {}", part.unwrap_or_default(), of_symbol(&copy.of))
}

fn symbol_levels(changed: &ChangedSymbol) -> Vec<String> {
    let mut parts = vec![of_symbol(&changed.symbol), changed.fate.words().join(", ")];
    if let Some(was) = &changed.was {
        parts.push(format!("was {}", of_symbol(was)));
    }
    if changed.is_test {
        parts.push("test".to_owned());
    } else if changed.compatibility != Compatibility::Internal {
        let label = match changed.compatibility {
            Compatibility::Unknown => "may be breaking",
            known => known.label(),
        };
        parts.push(match changed.because {
            Some(because) => format!("{label}: {}", because.label()),
            None => label.to_owned(),
        });
    }
    if changed.uses > 0 {
        parts.push(count(changed.uses as u64, "use"));
    }
    parts.extend(changed.copies.iter().map(near_copy));
    let line = parts.join(" | ") + "\n";
    let Some((before, after)) = &changed.signatures else {
        return vec![line];
    };
    let mut signed = line.clone();
    let (before, after) = (clean::whole(before), clean::whole(after));
    let lines = [format!("- {before}"), format!("+ {after}")];
    clean::block(&mut signed, lines.iter().map(String::as_str));
    vec![line, signed]
}

fn reach_head(reach: &Reach) -> String {
    format!(
        "depend on what changed ({} in {}), by steps:\n",
        count(reach.total as u64, "definition"),
        count(reach.files as u64, "file")
    )
}

fn file_line(file: &ChangedFile) -> String {
    let mut parts = vec![format!("file {}", clean::path(&file.path))];
    if file.fate != FileFate::Modified {
        parts.push(file.fate.label().to_owned());
    }
    if let Some(was) = &file.was {
        parts.push(format!("was {}", clean::path(was)));
    }
    if let Some((added, removed)) = file.lines {
        parts.push(format!("+{added} -{removed}"));
    }
    if file.symbols > 0 {
        parts.push(count(file.symbols as u64, "definition"));
    }
    if file.top {
        parts.push("top level".to_owned());
    }
    parts.join(" | ") + "\n"
}
