//! Renders answers of `history --tags`: a line for releases that follow each other and have the same, newest first.

use super::footer::Footer;
use super::history::commit_parts;
use super::layout::{Item, Tally as Counted, lay_out};
use super::wire::tags as wire;
use super::{Budgeted, Page, Rendered, Style, clean, count};
use crate::query::answer::SymbolRef;
use crate::query::history::tags::answer::{Place, Range, Reach, Standing, Subject, TagsAnswer};

/// Definitions that are named as looked for.
const MAX_JUDGED: usize = 6;
/// Branches that are named in a line.
const MAX_BRANCHES: usize = 4;

impl Budgeted for TagsAnswer {
    type Wire<'a> = wire::Tags;

    const BUDGET: usize = super::HISTORY_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::Tags> {
        render(self, style)
    }
}

/// Renders an answer of `history --tags`.
pub fn render(answer: &TagsAnswer, style: &Style) -> Rendered<wire::Tags> {
    let mut items = vec![Item::remark(0, head(answer))];
    if let Some(Subject::Fix(..)) = answer.subject {
        items.push(Item::remark(1, judged(answer)));
    }
    let first = items.len();
    let mut last: Option<&Place> = None;
    for range in &answer.ranges {
        let is_news = range.place.as_ref().map(path_of) != last.map(path_of);
        let levels = levels(range, is_news);
        items.push(Item {
            rank: 2,
            tally: Counted::Main,
            levels,
        });
        last = range.place.as_ref().or(last);
    }
    let (text, layout, footer) = lay_out(&items, 2, style.budget, |layout| {
        let mut footer = Footer::new(&answer.stamp, layout.main, answer.total).after(answer.offset);
        for remark in &answer.remarks {
            footer = footer.remark(clean::whole(remark));
        }
        let page = Page {
            offset: answer.offset,
            listed: answer.ranges.len(),
            total: answer.total,
        };
        footer.next(super::rest(layout, page, style.voice).or_else(|| {
            let room = super::fitting(layout);
            (!layout.full).then(|| style.voice.set("budget", room))
        }))
    });
    let shown = answer.ranges.iter().enumerate();
    let shown = shown.filter(|(at, _)| layout.level(first + at).is_some());
    let shown = shown.map(|(_, range)| wire::Range::new(range)).collect();
    let wire = wire::Tags::new(answer, shown, footer.advice());
    Rendered::of(text, wire).found(answer.total > 0)
}

/// The first line: what was looked for, and how many releases stand how.
fn head(answer: &TagsAnswer) -> String {
    let mut parts = match &answer.subject {
        None => vec![format!("nothing found of {}", clean::word(&answer.target))],
        Some(Subject::Body(id)) => vec![clean::path(&clean::whole(id))],
        Some(Subject::Fix(commit, from)) => {
            let mut parts = commit_parts(commit);
            let from = from.as_ref().map(|from| format!("{from}.."));
            parts[0] = format!("fix {}{}", from.unwrap_or_default(), parts[0]);
            parts
        }
    };
    for tally in &answer.tallies {
        let tags = count(tally.tags as u64, "tag");
        let branches = match tally.branches {
            0 => String::new(),
            some => format!(" and {}", count_branches(some)),
        };
        let said = match tally.tags {
            0 => count_branches(tally.branches),
            _ => format!("{tags}{branches}"),
        };
        parts.push(format!("{} in {said}", tally.standing.label()));
    }
    if answer.subject.is_some() && answer.tallies.is_empty() {
        parts.push("no tags".to_owned());
    }
    parts.join(" | ") + "\n"
}

fn count_branches(number: usize) -> String {
    match number {
        1 => "1 branch".to_owned(),
        more => format!("{more} branches"),
    }
}

/// What was looked for of a change.
fn judged(answer: &TagsAnswer) -> String {
    let all = answer.judged.iter().take(MAX_JUDGED);
    let mut said: Vec<String> = all
        .map(|judged| match &judged.symbol {
            Some(symbol) => full(symbol),
            None => clean::path(&judged.path),
        })
        .collect();
    let more = answer.judged.len().saturating_sub(MAX_JUDGED);
    if more > 0 {
        said.push(format!("{more} more"));
    }
    match said.is_empty() {
        true => "judged by nothing\n".to_owned(),
        false => format!("judged by {}\n", said.join(", ")),
    }
}

fn path_of(place: &Place) -> &str {
    match place {
        Place::Symbol(symbol) => &symbol.path,
        Place::Path(path) => path,
    }
}

fn full(symbol: &SymbolRef) -> String {
    let (start, end) = (symbol.start_line, symbol.end_line);
    let name = clean::word(&symbol.qualified);
    format!("{}:{start}-{end} {name}", clean::path(&symbol.path))
}

fn levels(range: &Range, is_news: bool) -> Vec<String> {
    let mut parts = vec![range.standing.label().to_owned()];
    parts.push(names(range));
    match &range.place {
        None => {}
        Some(Place::Symbol(symbol)) if is_news => parts.push(full(symbol)),
        Some(Place::Symbol(symbol)) => {
            parts.push(format!("{}-{}", symbol.start_line, symbol.end_line));
        }
        Some(Place::Path(path)) => parts.extend(is_news.then(|| clean::path(path))),
    }
    parts.extend(range.likeness.and_then(|likeness| alike(range, likeness)));
    parts.extend(held(range).map(str::to_owned));
    if let Some(since) = &range.since {
        let by = commit_parts(since);
        parts.push(format!("since {}", by.join(" ")));
    }
    let line = parts.join(" | ") + "\n";
    if range.reach.is_empty() {
        return vec![line];
    }
    let reach: Vec<String> = range.reach.iter().map(said).collect();
    let full = format!("{}  reached: {}\n", line, reach.join("; "));
    vec![line, full]
}

/// The tags, from the oldest to the newest, and the branches.
fn names(range: &Range) -> String {
    let mut parts = Vec::new();
    match &range.tags[..] {
        [] => {}
        [one] => parts.push(clean::word(one)),
        [oldest, .., newest] => parts.push(format!(
            "{}..{} ({} tags)",
            clean::word(oldest),
            clean::word(newest),
            range.tags.len()
        )),
    }
    if !range.branches.is_empty() {
        let shown = range.branches.iter().take(MAX_BRANCHES);
        let shown: Vec<String> = shown.map(|name| clean::word(name)).collect();
        let more = match range.branches.len().saturating_sub(MAX_BRANCHES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let noun = if range.branches.len() == 1 {
            "branch"
        } else {
            "branches"
        };
        parts.push(format!("{noun} {}{more}", shown.join(", ")));
    }
    parts.join(", ")
}

/// How alike what is there is to what was asked about, where it is not that.
fn alike(range: &Range, (least, most): (f64, f64)) -> Option<String> {
    let said = |likeness: f64| format!("{:.0}%", (likeness * 100.0).floor());
    let whole = least >= 1.0;
    let side = match range.standing {
        Standing::Affected | Standing::Partly => "as before the change",
        Standing::Fixed => "as after it",
        Standing::Same => return None,
        _ => "alike",
    };
    match (whole, said(least) == said(most)) {
        (true, _) => (side != "alike").then(|| side.to_owned()),
        (false, true) => Some(format!("{} alike", said(least))),
        (false, false) => Some(format!("{} to {} alike", said(least), said(most))),
    }
}

/// What history says of a change, where that is not what the code says.
fn held(range: &Range) -> Option<&'static str> {
    match (range.standing, range.holds) {
        (Standing::Affected | Standing::Perhaps | Standing::Partly, Some(false))
            if range.holds_other =>
        {
            Some("although another commit brought it")
        }
        (Standing::Absent, Some(false)) if range.holds_other => {
            Some("no more, behind another commit of it")
        }
        (Standing::Fixed, Some(true)) => Some("holds the commit"),
        (Standing::Fixed, Some(false)) => Some("by another commit"),
        (Standing::Affected | Standing::Partly, Some(true)) => Some("although it holds the commit"),
        (Standing::Absent, Some(true)) => Some("no more, behind the commit"),
        _ => None,
    }
}

fn said(reach: &Reach) -> String {
    let word = wire::reached(reach.is_reached);
    format!(
        "in {} {word}, {}",
        clean::word(&reach.name),
        clean::whole(&reach.how)
    )
}
