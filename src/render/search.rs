//! Renders answers of `search`.

use super::footer::Footer;
use super::layout::{Item, Layout, Tally, lay_out};
use super::nothing::Tool;
use super::symbol::place;
use super::{Budgeted, Page, Rendered, Style, Voice, clean, count, memory, nothing, wire};
use crate::query::search::answer::{Cost, SearchAnswer, SearchHit};
use crate::query::search::confidence::{Confidence, Narrower};

/// Longest text of a hit that is shown whole, in lines. Longer ones are left to `symbol`, which
/// shows bodies on request: ten bodies nobody asked for would fill any budget.
const SHORT_TEXT: usize = 5;

/// Levels of a hit: its place; with its headline; with its telling lines; with its whole text,
/// if that is short.
const PLACE: usize = 0;
const LINES: usize = 2;
const TEXT: usize = 3;
/// Longest argument of a proposed call, in characters.
const MAX_CALL_CHARS: usize = 100;
/// Channels that are named as the reason of a hit.
const REASONS: usize = 3;

impl Budgeted for SearchAnswer {
    type Wire<'a> = wire::Search;

    const BUDGET: usize = super::SEARCH_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::Search> {
        render(self, style)
    }
}

/// An answer of `search` of which it is said how each score came about.
pub struct Explained(pub SearchAnswer);

impl Budgeted for Explained {
    type Wire<'a> = wire::Search;

    const BUDGET: usize = super::SEARCH_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::Search> {
        lay_out_hits(&self.0, style, true)
    }
}

/// Renders an answer of `search`.
pub fn render(answer: &SearchAnswer, style: &Style) -> Rendered<wire::Search> {
    lay_out_hits(answer, style, false)
}

fn lay_out_hits(answer: &SearchAnswer, style: &Style, explain: bool) -> Rendered<wire::Search> {
    let items = answer.hits.iter().map(|hit| match answer.exact {
        Some(_) => passage(hit),
        None => item(hit, explain),
    });
    // What is remembered comes after the hits, in what room their places leave.
    let notes = memory::notes(&answer.memories, 1);
    let mut items: Vec<Item> = items.chain(notes).collect();
    if let Some(nothing) = &answer.nothing {
        items.extend(nothing::items(nothing, 0, true));
    }
    let (text, layout, footer) = lay_out(&items, TEXT, style.budget, |layout| {
        let footer = Footer::new(&answer.stamp, layout.main, answer.total).after(answer.offset);
        let footer = match answer.exact {
            Some(exact) if exact.lines > 0 => footer.remark(format!(
                "{} in {}",
                count(exact.lines as u64, "line"),
                count(exact.files as u64, "file")
            )),
            _ => footer,
        };
        let remarks = [&answer.history, &answer.vectors].into_iter().flatten();
        let footer = remarks.fold(footer, |footer, remark| footer.remark(remark.as_str()));
        let footer = match explain && answer.exact.is_none() {
            true => footer.remark(cost(&answer.cost)),
            false => footer,
        };
        let footer = footer.within(answer.within.as_ref());
        let footer = footer.list("unknown words", &answer.unknown_words);
        let footer = match &answer.confidence {
            Some(judged) => footer.remark(format!("confidence {}", confidence(judged))),
            None => footer,
        };
        footer.next(advice(answer, layout, style.voice))
    });
    let hits = answer.hits.iter().enumerate();
    let hits = hits
        .filter_map(|(i, hit)| {
            Some(wire_hit(
                hit,
                layout.level(i)?,
                answer.exact.is_some(),
                explain,
            ))
        })
        .collect();
    let wire = wire::Search {
        index: answer.stamp.clone(),
        shown: layout.main,
        total: answer.total,
        files: answer.files,
        within: answer.within.clone(),
        hits,
        unknown_words: answer.unknown_words.clone(),
        history: answer.history.clone(),
        confidence: answer.confidence.as_ref().map(confidence),
        vectors: answer.vectors.clone(),
        cost: (explain && answer.exact.is_none()).then_some(answer.cost),
        memories: memory::wire_notes(&answer.memories, answer.hits.len(), &layout),
        nothing: nothing::Wire::of(answer.nothing.as_deref()),
        next: footer.advice(),
    };
    Rendered::of(text, wire).found(!answer.hits.is_empty())
}

/// `looked at 5120 impacts, 300 of 1200 chunks with a word, 14 names, 3 paths, 4000 vectors, 12 texts`.
fn cost(cost: &Cost) -> String {
    let Cost {
        impacts,
        matching,
        scored,
        names,
        paths,
        vectors,
        read,
    } = cost;
    format!(
        "looked at {impacts} impacts, {scored} of {matching} chunks with a word, {names} names, {paths} paths, \
         {vectors} vectors, {read} texts"
    )
}

/// `low: several files match alike`.
pub(super) fn confidence(judged: &Confidence) -> String {
    format!("{}: {}", judged.level.label(), judged.reason)
}

/// Spells a call that may say more.
fn call(narrower: &Narrower, voice: Voice) -> String {
    let short = |text: &str| clean::line(text, MAX_CALL_CHARS);
    let name = |text: &str| voice.last(&short(text));
    match (narrower, voice) {
        (Narrower::Symbol(of), Voice::Tool) => format!("symbol name={}", name(of)),
        (Narrower::Symbol(of), Voice::Command) => format!("git sverklo symbol {}", name(of)),
        (Narrower::Below(folder), _) => voice.set("scope", voice.path(&short(folder))),
        (Narrower::Words(words), Voice::Tool) => format!("query=\"{}\"", short(words)),
        (Narrower::Words(words), Voice::Command) => format!("git sverklo search {}", name(words)),
    }
}

/// The calls that may say more than an answer that is not sure.
pub(super) fn proposals(answer: &SearchAnswer, voice: Voice) -> Option<String> {
    let calls = answer.narrower.iter().map(|narrower| call(narrower, voice));
    let calls: Vec<String> = calls.collect();
    (!calls.is_empty()).then(|| calls.join(" or "))
}

fn advice(answer: &SearchAnswer, layout: &Layout, voice: Voice) -> Option<String> {
    if let Some(nothing) = &answer.nothing {
        return nothing::advice(nothing, Tool::Other, voice);
    }
    let page = Page {
        offset: answer.offset,
        listed: answer.hits.len(),
        total: answer.total,
    };
    let rest = super::rest(layout, page, voice);
    match (proposals(answer, voice), rest) {
        (Some(proposals), Some(rest)) => return Some(format!("{proposals} or {rest}")),
        (None, None) => {}
        (proposals, rest) => return proposals.or(rest),
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

fn item(hit: &SearchHit, explain: bool) -> Item {
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
    lines.insert_str(titled.len() - 1, &format!("  [{}]", why(hit)));
    let also_in = match hit.copies.is_empty() {
        true => String::new(),
        false => format!("  also in {}\n", also(hit).join(", ")),
    };
    lines += &also_in;
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
        text += &also_in;
        levels.push(text);
    }
    if explain {
        let because = because(hit);
        levels.iter_mut().for_each(|level| level.push_str(&because));
    }
    Item {
        rank: 0,
        tally: Tally::Main,
        levels,
    }
}

/// Why a hit is one, in a few words: the channels that said most, and who uses what it defines.
fn why(hit: &SearchHit) -> String {
    let mut reasons: Vec<String> = Vec::new();
    let channels = hit.found_by.iter().take(REASONS);
    reasons.extend(channels.map(|found| found.channel.to_owned()));
    if let Some(marks) = hit.marks {
        if marks.callers > 0 {
            reasons.push(count(marks.callers as u64, "caller"));
        }
        if marks.tests > 0 {
            reasons.push(count(marks.tests as u64, "test"));
        }
    }
    reasons.join(", ")
}

/// Where copies of a hit are.
fn also(hit: &SearchHit) -> Vec<String> {
    let copies = hit.copies.iter();
    copies
        .map(|copy| place(&copy.path, copy.start_line, copy.end_line, None))
        .collect()
}

/// How the score came about, in a line: each channel's rank, its share of the best for the hit and for
/// the file, and its weight.
fn because(hit: &SearchHit) -> String {
    let told = hit.found_by.iter().map(|found| {
        let rank = found
            .rank
            .map_or("file".to_owned(), |rank| format!("#{rank}"));
        let (share, of_file, weight) = (found.share, found.of_file, found.weight);
        format!(
            "{} {rank} {share:.2}/{of_file:.2} x {weight:.2}",
            found.channel
        )
    });
    let told: Vec<String> = told.collect();
    format!(
        "  = {:.3}: {}; role {:.2}\n",
        hit.score,
        told.join(", "),
        hit.role
    )
}

/// A passage: its place, then its lines, those that match with a colon.
fn passage(hit: &SearchHit) -> Item {
    let path = clean::path(&hit.path);
    let within = hit.symbol.as_ref();
    let within = within.map_or(String::new(), |s| {
        format!("  in {}", clean::word(&s.qualified))
    });
    let (start, end) = (hit.start_line, hit.end_line);
    let at = match start == end {
        true => format!("{path}:{start}"),
        false => format!("{path}:{start}-{end}"),
    };
    let mut lines = format!("{at}{within}\n");
    for (line, text) in (start..).zip(hit.text.lines()) {
        let mark = if hit.telling_lines.contains(&line) {
            ':'
        } else {
            '-'
        };
        let text = clean::line(text, clean::MAX_LINE_CHARS);
        lines += &format!("  {line}{mark} {text}\n");
    }
    Item {
        rank: 0,
        tally: Tally::Main,
        levels: vec![format!("{at}\n"), lines],
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

fn wire_hit(hit: &SearchHit, level: usize, exact: bool, explain: bool) -> wire::Hit {
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
        lines: if level == LINES || exact && level > PLACE {
            telling(hit)
        } else {
            Vec::new()
        },
        copies: match level {
            LINES | TEXT => also(hit),
            _ => Vec::new(),
        },
        text: (level == TEXT).then(|| hit.text.clone()),
        found_by: hit
            .found_by
            .iter()
            .filter_map(|f| Some(format!("{}#{}", f.channel, f.rank?)))
            .collect(),
        callers: hit.marks.map(|marks| marks.callers),
        tests: hit.marks.map(|marks| marks.tests),
        explain: explain.then(|| explanation(hit)),
    }
}

fn explanation(hit: &SearchHit) -> wire::Explanation {
    let channels = hit.found_by.iter().map(|found| wire::ChannelScore {
        channel: found.channel,
        rank: found.rank,
        share: found.share,
        of_file: found.of_file,
        weight: found.weight,
    });
    wire::Explanation {
        score: hit.score,
        role: hit.role,
        channels: channels.collect(),
    }
}
