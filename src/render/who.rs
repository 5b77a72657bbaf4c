//! Renders answers of `history --who`: how often something changes, who knows it, what it changes with.

use super::footer::Footer;
use super::layout::{Item, Tally, lay_out};
use super::wire::who as wire;
use super::{Budgeted, Page, Rendered, Style, clean, count, memory};
use crate::query::history::who::{Companion, Person, WhoAnswer};

/// Longest name of a person, in characters.
const MAX_NAME: usize = 40;

impl Budgeted for WhoAnswer {
    type Wire<'a> = wire::Who;

    const BUDGET: usize = super::HISTORY_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::Who> {
        render(self, style)
    }
}

/// Renders an answer of `history --who`.
pub fn render(answer: &WhoAnswer, style: &Style) -> Rendered<wire::Who> {
    let mut items = vec![Item::remark(0, head(answer))];
    let people = items.len();
    let all = answer.lines;
    items.extend(answer.people.iter().map(|one| item(1, person(one, all))));
    let with = items.len();
    items.extend(answer.companions.iter().map(|one| item(2, companion(one))));
    let total = answer.total + answer.companions.len();
    let (text, layout, footer) = lay_out(&items, 1, style.budget, |layout| {
        let mut footer = Footer::new(&answer.stamp, layout.main, total).after(answer.offset);
        if let Some(end) = &answer.end {
            footer = footer.remark(clean::whole(end));
        }
        let page = Page {
            offset: answer.offset,
            listed: answer.people.len(),
            total: answer.total,
        };
        footer.next(super::rest(layout, page, style.voice))
    });
    let shown = |at: usize| layout.level(at).is_some();
    let wire = wire::Who::new(
        answer,
        (layout.main, total),
        (
            (answer.people.iter().enumerate())
                .filter(|(at, _)| shown(people + at))
                .map(|(_, one)| wire::Author::new(one))
                .collect(),
            (answer.companions.iter().enumerate())
                .filter(|(at, _)| shown(with + at))
                .map(|(_, one)| wire::With::new(one))
                .collect(),
        ),
        footer.advice(),
    );
    Rendered::of(text, wire).found(answer.total > 0)
}

fn item(rank: usize, line: String) -> Item {
    Item {
        rank,
        tally: Tally::Main,
        levels: vec![line],
    }
}

fn head(answer: &WhoAnswer) -> String {
    if answer.subject.is_empty() {
        return format!(
            "nothing is called {}\n",
            memory::quotation(&answer.target, 80)
        );
    }
    let mut parts = vec![clean::path(&answer.subject)];
    match answer.lines {
        Some(lines) => {
            let mut said = count(lines as u64, "line");
            if answer.uncommitted > 0 {
                said.push_str(&format!(", {} not committed", answer.uncommitted));
            }
            if answer.unknown > 0 {
                said.push_str(&format!(", {} older than what was read", answer.unknown));
            }
            parts.push(said);
        }
        None => parts.push("lines not counted".to_owned()),
    }
    let before = match answer.before {
        Some(before) => before.to_string(),
        None => "unknown".to_owned(),
    };
    parts.push(format!(
        "{}, {}, {} in the last year, {before} in the one before",
        count(answer.changes as u64, "change"),
        super::fixes(answer.fixes),
        answer.lately,
    ));
    if !answer.also.is_empty() {
        let also: Vec<String> = answer.also.iter().map(|id| clean::word(id)).collect();
        parts.push(format!("also {}", also.join(", ")));
    }
    parts.join(" | ") + "\n"
}

fn person(person: &Person, all: Option<usize>) -> String {
    let said = |text: &str| match text.contains(['|', '"']) {
        true => memory::quotation(text, MAX_NAME),
        false => clean::line(text, MAX_NAME),
    };
    let mut name = clean::person(&person.name, MAX_NAME);
    for mail in &person.mails {
        name.push_str(&format!(" <{}>", said(mail)));
    }
    let mut parts = vec![format!("  {name}")];
    if let (Some(lines), Some(all)) = (person.lines, all) {
        let share = 100.0 * lines as f64 / all.max(1) as f64;
        parts.push(format!("{} ({share:.0}%)", count(lines as u64, "line")));
    }
    let changes = count(person.changes as u64, "change");
    parts.push(format!("{changes}, {}", super::fixes(person.fixes)));
    parts.push(match person.days.0 == person.days.1 {
        true => person.days.1.clone(),
        false => format!("{} to {}", person.days.0, person.days.1),
    });
    parts.join(" | ") + "\n"
}

fn companion(companion: &Companion) -> String {
    format!(
        "changes with {} | {} of {}\n",
        clean::path(&companion.path),
        companion.times,
        count(companion.of as u64, "change")
    )
}
