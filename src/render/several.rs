//! Renders the answers to several targets as one: each under a head of its own, with its part of the
//! budget, and one footer for all. What a part does not need the parts after it may take.

use super::footer::{Footer, state};
use super::outline::call;
use super::{Budgeted, Rendered, Style, tokens};
use crate::query::state::Stamp;
use serde::Serialize;

/// Tokens kept for the footer of all.
const FOOTER: usize = 60;

/// The answer to a question about one target, which may be one of several.
pub trait Targeted {
    /// Its JSON: the items that are shown.
    type Wire: Serialize;

    /// Most tokens that the answers take together, unless the asker says otherwise.
    const BUDGET: usize;
    /// What is called to ask about one of the targets alone.
    const TOOL: &str;

    /// The target, and the state spoken from.
    fn target(&self) -> (&str, &Stamp);

    /// Lays it out, and hands back its footer.
    fn part(&self, style: &Style) -> (Rendered<Self::Wire>, Footer);
}

/// The JSON of one answer, or of several.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Answers<W> {
    /// To one target.
    One(W),
    /// To several.
    Several(Several<W>),
}

impl<A: Targeted> Budgeted for Vec<A> {
    type Wire<'a>
        = Answers<A::Wire>
    where
        A: 'a;

    const BUDGET: usize = A::BUDGET;

    fn render(&self, style: &Style) -> Rendered<Answers<A::Wire>> {
        match &self[..] {
            [one] => one.part(style).0.map(Answers::One),
            all => render(all, style).map(Answers::Several),
        }
    }
}

/// Answers to several targets.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Several<W> {
    /// The targets.
    pub targets: Vec<String>,
    /// The answers, in their order.
    pub answers: Vec<W>,
}

/// Renders parts one after the other; those that find no room any more are counted only.
fn render<A: Targeted>(parts: &[A], style: &Style) -> Rendered<Several<A::Wire>> {
    let none = Stamp::default();
    let of_all = parts.first().map_or(&none, |part| part.target().1);
    let mut left = style.budget - FOOTER.min(style.budget / 3);
    let (mut text, mut found, mut cut) = (String::new(), false, None);
    let (mut shown, mut total) = (0, 0);
    let (mut targets, mut answers) = (Vec::new(), Vec::new());
    for (i, part) in parts.iter().enumerate() {
        let share = left / (parts.len() - i);
        // A head costs about as much as the footer that is cut off.
        let own = Style {
            budget: share,
            ..*style
        };
        let (rendered, footer) = part.part(&own);
        let (target, _) = part.target();
        let head = footer.head(target, &state(of_all));
        let body = body(&rendered.text);
        let counts = footer.counts;
        let cost = |text: &str| tokens::estimate(text);
        let of_part = match cost(&head) + cost(body) {
            whole if whole <= left => Some((format!("{head}{body}"), whole, counts.0)),
            _ if cost(&head) <= left => Some((head.clone(), cost(&head), 0)),
            _ => None,
        };
        total += counts.1;
        found |= rendered.found;
        let here = of_part.as_ref().map_or(0, |(.., shown)| *shown);
        shown += here;
        if cut.is_none() && (here < counts.1 || footer.advice().is_some()) {
            let advice = footer.advice().unwrap_or_default();
            let whole = call(A::TOOL, target, style.voice);
            cut = Some(format!("{whole} {advice}").trim_end().to_owned());
        }
        if let Some((said, cost, _)) = of_part {
            text.push_str(&said);
            left -= cost;
        }
        targets.push(target.to_owned());
        answers.push(rendered.wire);
    }
    let footer = Footer::new(of_all, shown, total).next(cut);
    let spent = tokens::cost(&text);
    text.push_str(&footer.line(tokens::allowance(style.budget).saturating_sub(spent)));
    Rendered::of(text, Several { targets, answers }).found(found)
}

/// A text without its last line, the footer.
fn body(text: &str) -> &str {
    let end = text
        .trim_end_matches('\n')
        .rfind('\n')
        .map_or(0, |at| at + 1);
    &text[..end]
}
