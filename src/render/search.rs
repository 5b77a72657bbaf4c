//! Renders answers of `search`.

use super::footer::Footer;
use super::layout::{Item, Layout, Tally, lay_out};
use super::symbol::place;
use super::{Rendered, Style, Voice, clean, count, wire};
use crate::query::answer::{SearchAnswer, SearchHit};

/// Longest text of a hit that is shown whole, in lines. Longer ones are left to `symbol`, which
/// shows bodies on request: ten bodies nobody asked for would fill any budget.
const SHORT_TEXT: usize = 5;

/// Levels of a hit: its place; with its headline; with its telling lines; with its whole text,
/// if that is short.
const PLACE: usize = 0;
const LINES: usize = 2;
const TEXT: usize = 3;

/// Renders an answer of `search`.
pub fn render(answer: &SearchAnswer, style: &Style) -> Rendered<wire::Search> {
    let items: Vec<Item> = answer.hits.iter().map(item).collect();
    let (text, layout, footer) = lay_out(&items, TEXT, style.budget, |layout| {
        let footer = Footer::new(&answer.stamp, layout.main, answer.total);
        let footer = match answer.total {
            0 => footer.remark(format!("searched {}", count(answer.files as u64, "file"))),
            _ => footer,
        };
        let remarks = [&answer.history, &answer.vectors].into_iter().flatten();
        let footer = remarks.fold(footer, |footer, remark| footer.remark(remark.as_str()));
        footer
            .list("unknown words", &answer.unknown_words)
            .next(advice(answer, layout, style.voice))
    });
    let hits = answer.hits.iter().enumerate();
    let hits = hits
        .filter_map(|(i, hit)| Some(wire_hit(hit, layout.level(i)?)))
        .collect();
    let wire = wire::Search {
        index: wire::Index::new(&answer.stamp),
        shown: layout.main,
        total: answer.total,
        files: answer.files,
        hits,
        unknown_words: answer.unknown_words.clone(),
        history: answer.history.clone(),
        vectors: answer.vectors.clone(),
        next: footer.advice(),
    };
    Rendered {
        text,
        wire,
        found: !answer.hits.is_empty(),
    }
}

fn advice(answer: &SearchAnswer, layout: &Layout, voice: Voice) -> Option<String> {
    if let Some(rest) = super::rest(layout, answer.hits.len(), answer.total, voice) {
        return Some(rest);
    }
    // Everything is listed; say how to read on in the best hit that is not shown whole.
    let cut = answer
        .hits
        .iter()
        .enumerate()
        .find(|(i, _)| layout.level(*i) != Some(TEXT))?;
    let symbol = cut.1.symbol.as_ref()?;
    Some(super::body_of(&symbol.qualified, voice))
}

fn item(hit: &SearchHit) -> Item {
    // The hit may be a part of the symbol; its own lines are the ones to cite.
    let mut at = place(&hit.path, hit.start_line, hit.end_line, hit.symbol.as_ref());
    let headline = clean::line(&hit.headline, clean::MAX_LINE_CHARS);
    let titled = if headline.is_empty() {
        at.clone()
    } else {
        format!("{at}  {headline}")
    } + "\n";
    at.push('\n');
    let mut lines = titled.clone();
    for line in telling(hit) {
        lines += &format!(
            "  {}: {}\n",
            line.line,
            clean::line(&line.text, clean::MAX_LINE_CHARS)
        );
    }
    let mut levels = vec![at, titled, lines];
    if hit.text.lines().count() <= SHORT_TEXT {
        let mut text = levels[PLACE].clone();
        clean::block(&mut text, hit.text.lines());
        levels.push(text);
    }
    Item {
        rank: 0,
        tally: Tally::Main,
        levels,
    }
}

/// Returns the telling lines that say something the headline does not.
fn telling(hit: &SearchHit) -> Vec<wire::Line> {
    let text = |line: u32| {
        hit.text
            .lines()
            .nth(line.checked_sub(hit.start_line)? as usize)
    };
    hit.telling_lines
        .iter()
        .filter_map(|&line| {
            Some(wire::Line {
                line,
                text: text(line)?.to_owned(),
            })
        })
        .filter(|line| !says_the_same(&line.text, &hit.headline))
        .collect()
}

/// Whether a line is the headline, give or take an opening bracket.
fn says_the_same(line: &str, headline: &str) -> bool {
    let bare = |text: &str| {
        text.trim()
            .trim_end_matches(['{', '(', ':'])
            .trim_end()
            .to_owned()
    };
    bare(line) == bare(headline)
}

fn wire_hit(hit: &SearchHit, level: usize) -> wire::Hit {
    let symbol = hit.symbol.as_ref().map(wire::Symbol::new);
    let (kind, name, id) = match symbol {
        Some(symbol) => (Some(symbol.kind), Some(symbol.name), symbol.id),
        None => (None, None, None),
    };
    wire::Hit {
        path: hit.path.clone(),
        start: hit.start_line,
        end: hit.end_line,
        kind,
        name,
        id,
        headline: (level != PLACE && level != TEXT).then(|| hit.headline.clone()),
        lines: if level == LINES {
            telling(hit)
        } else {
            Vec::new()
        },
        text: (level == TEXT).then(|| hit.text.clone()),
        found_by: hit
            .found_by
            .iter()
            .map(|f| format!("{}#{}", f.channel, f.rank))
            .collect(),
    }
}
