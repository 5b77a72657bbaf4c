//! Renders answers of `symbol --diff`: the statements that differ, with one that is the same on each side.

use super::footer::Footer;
use super::layout::{Item, Tally, lay_out};
use super::wire::one as wire;
use super::{Budgeted, Rendered, Style, clean, count};
use crate::query::answer::SymbolRef;
use crate::query::diff::one::{Fate, SymbolDiffAnswer};
use crate::query::diff::statements::{Statement, Step};

impl Budgeted for SymbolDiffAnswer {
    type Wire<'a> = wire::SymbolDiff;

    const BUDGET: usize = super::SYMBOL_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::SymbolDiff> {
        render(self, style)
    }
}

/// Renders an answer of `symbol --diff`.
pub fn render(answer: &SymbolDiffAnswer, style: &Style) -> Rendered<wire::SymbolDiff> {
    let steps: &[Step] = match &answer.fate {
        Some(Fate::Kept { steps, .. }) => steps,
        _ => &[],
    };
    let mut items = vec![Item::remark(0, head(answer, steps))];
    let first = items.len();
    let mut changes = Vec::new();
    let mut shown_to = 0;
    for (at, step) in steps.iter().enumerate() {
        let Some(change) = wire::Change::new(step) else {
            continue;
        };
        changes.push(change);
        let mut text = String::new();
        // One statement that is the same before and behind what differs, each once.
        if let Some(before) = at.checked_sub(1).filter(|before| *before >= shown_to) {
            if before > shown_to {
                text.push_str("\t...\n");
            }
            unchanged(&mut text, &steps[before]);
        }
        match step {
            Step::Changed(was, is) => {
                marked(&mut text, '-', was);
                marked(&mut text, '+', is);
            }
            Step::Removed(was) => marked(&mut text, '-', was),
            Step::Added(is) => marked(&mut text, '+', is),
            Step::Same(..) | Step::Spaced(..) => {}
        }
        shown_to = at + 1;
        if let Some(next) = steps.get(at + 1).filter(|next| !next.is_different()) {
            unchanged(&mut text, next);
            shown_to = at + 2;
        }
        items.push(Item {
            rank: 1,
            tally: Tally::Main,
            levels: vec![text],
        });
    }
    let total = changes.len();
    let (text, layout, footer) = lay_out(&items, 1, style.budget, |layout| {
        let footer = Footer::new(&answer.stamp, layout.main, total);
        let room = super::fitting(layout);
        footer.next((!layout.full).then(|| style.voice.set("budget", room)))
    });
    let changes = changes.into_iter().enumerate();
    let changes = changes.filter(|(at, _)| layout.level(first + at).is_some());
    let changes = changes.map(|(_, change)| change).collect();
    let wire = wire::SymbolDiff::new(answer, changes, footer.advice());
    Rendered::of(text, wire).found(answer.fate.is_some())
}

fn head(answer: &SymbolDiffAnswer, steps: &[Step]) -> String {
    let since = match &answer.base {
        Some(base) => format!("since {base}"),
        None => "since nothing".to_owned(),
    };
    let parts = match &answer.fate {
        None => vec![
            format!("neither state has {}", clean::word(&answer.target)),
            since,
        ],
        Some(Fate::Added(new)) => vec![full(new), format!("added {since}")],
        Some(Fate::Removed(old)) => vec![full(old), format!("removed {since}")],
        Some(Fate::Kept { old, new, did, .. }) => {
            let mut parts = vec![full(new)];
            parts.push(match did.is_empty() {
                true => format!("unchanged {since}"),
                false => format!("{} {since}", did.join(", ")),
            });
            if old.path != new.path || old.qualified != new.qualified {
                parts.push(format!("was {}", full(old)));
            }
            let number = |of: &dyn Fn(&Step) -> bool| steps.iter().filter(|step| of(step)).count();
            for (found, word) in [
                (number(&|step| matches!(step, Step::Changed(..))), "changed"),
                (number(&|step| matches!(step, Step::Added(_))), "added"),
                (number(&|step| matches!(step, Step::Removed(_))), "removed"),
                (
                    number(&|step| matches!(step, Step::Spaced(..))),
                    "in white space only",
                ),
                (number(&|step| matches!(step, Step::Same(..))), "the same"),
            ] {
                if found > 0 {
                    parts.push(format!("{} {word}", count(found as u64, "statement")));
                }
            }
            parts
        }
    };
    parts.join(" | ") + "\n"
}

fn full(symbol: &SymbolRef) -> String {
    let (start, end) = (symbol.start_line, symbol.end_line);
    let name = clean::word(&symbol.qualified);
    format!("{}:{start}-{end} {name}", clean::path(&symbol.path))
}

fn unchanged(text: &mut String, step: &Step) {
    if let Step::Same(_, is) | Step::Spaced(_, is) = step {
        marked(text, ' ', is);
    }
}

/// The lines of a statement, each with its number.
fn marked(text: &mut String, mark: char, statement: &Statement) {
    let numbered = (statement.first..).zip(&statement.lines);
    let lines: Vec<String> = numbered
        .map(|(number, line)| format!("{mark}{number:>5} {line}"))
        .collect();
    clean::block(text, lines.iter().map(String::as_str));
}
