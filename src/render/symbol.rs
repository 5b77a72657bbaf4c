//! Renders answers of `symbol`: cards, bodies and outlines.

use super::footer::Footer;
use super::layout::{Item, Layout, Tally, is_too_long, lay_out};
use super::nothing::Tool;
use super::several::Targeted;
use super::{
    Page, Rendered, Style, Voice, clean, count, entries, lines, memory, nothing, outline, verdict,
    wire,
};
use crate::query::answer::{MatchKind, SymbolRef};
use crate::query::cards::{
    FileOutline, MAX_ALIKE, OutlineItem, Related, Relations, SymbolAnswer, SymbolCard,
};
use crate::query::state::Stamp;

/// Levels of a card below which no body is shown: its place; with its signature; with its facts.
const SIGNATURE: usize = 1;
const FACTS: usize = 2;
const WIDE: usize = 3;
/// Entry points named on a card.
const MAX_ENTRY_POINTS: usize = 5;
/// Shortest cut of a body that is shown, in lines; each further level doubles it.
const SHORTEST_CUT: usize = 8;

/// Renders an answer of `symbol`.
pub fn render(answer: &SymbolAnswer, style: &Style) -> Rendered<wire::Symbols> {
    part(answer, style).0
}

impl Targeted for SymbolAnswer {
    type Wire = wire::Symbols;

    const BUDGET: usize = super::SYMBOL_BUDGET;
    const TOOL: &str = "symbol";

    fn target(&self) -> (&str, &Stamp) {
        (&self.target, &self.stamp)
    }

    fn part(&self, style: &Style) -> (Rendered<wire::Symbols>, Footer) {
        part(self, style)
    }
}

/// Renders an answer, and hands back its footer.
fn part(answer: &SymbolAnswer, style: &Style) -> (Rendered<wire::Symbols>, Footer) {
    let mut items = Vec::new();
    if let Some(nothing) = &answer.nothing {
        items.extend(nothing::items(nothing, 0, true));
    }
    let first = items.len();
    let is_exact = |card: &&SymbolCard| card.matched.is_exact();
    let exact = answer.cards.iter().filter(is_exact).count();
    for (i, card) in answer.cards.iter().enumerate() {
        let mut item = card_item(card);
        if i >= exact {
            near_item(&mut item, card, answer.near > 1 || exact > 0, i == exact);
        }
        items.push(item);
        items.extend(members(&card.members, Some(&card.symbol), Tally::Minor));
    }
    for outline in &answer.outlines {
        items.extend(outline_heads(outline));
        items.extend(members(&outline.items, None, Tally::Main));
    }
    let is_paged = answer.lines.is_some() && (answer.offset > 0 || is_too_long(&items));
    if is_paged {
        items.iter_mut().for_each(outline::in_order);
    }
    items.extend(answer.folder.iter().flat_map(outline::folder));
    items.extend(answer.passage.iter().map(outline::passage));
    let noted = items.len();
    items.extend(memory::notes(&answer.memories, 1));
    let listed: usize = answer.outlines.iter().map(|o| o.items.len()).sum();
    let minor: usize = answer.cards.iter().map(|c| c.members.len()).sum();
    let total = match answer.lines {
        Some(lines) => lines,
        None if answer.outlines.is_empty() => answer.total,
        None => listed,
    };
    let (text, layout, footer) = lay_out(&items, WIDE, style.budget, |layout| {
        let mut footer = Footer::new(&answer.stamp, layout.main, total).after(answer.offset);
        if layout.minor < minor {
            footer = footer.remark(format!("members {} of {minor}", layout.minor));
        }
        if answer.near > 0 {
            let more = if answer.near >= MAX_ALIKE {
                " or more"
            } else {
                ""
            };
            footer = footer.remark(format!("{}{more} named alike", answer.near));
        }
        for aside in &answer.asides {
            footer = footer.remark(outline::aside(aside, "symbol", style.voice));
        }
        footer.next(match is_paged {
            true => {
                let offset = answer.offset;
                let page = Page {
                    offset,
                    listed,
                    total,
                };
                super::rest(layout, page, style.voice)
            }
            false => advice(answer, layout, (exact, total), style.voice),
        })
    });
    let mut levels = layout.levels.iter().copied().skip(first);
    let mut next = || levels.next().flatten();
    let (mut cards, mut near) = (Vec::new(), Vec::new());
    for card in &answer.cards {
        let level = next();
        let members = wire_members(&card.members, &mut next);
        let card = level.map(|level| wire_card(card, level, members));
        let list = if cards.len() < exact {
            &mut cards
        } else {
            &mut near
        };
        list.extend(card);
    }
    let mut outlines = Vec::new();
    for outline in &answer.outlines {
        let head = next();
        let gaps = !outline.gaps.is_empty() && next().is_some();
        let imports = !outline.imports.is_empty() && next().is_some();
        let members = wire_members(&outline.items, &mut next);
        outlines.extend(head.map(|_| wire_outline(outline, (gaps, imports), members)));
    }
    if let Some(folder) = &answer.folder {
        outlines.extend(outline::wire_folder(folder, &mut next));
    }
    let wire = wire::Symbols {
        index: answer.stamp.clone(),
        shown: layout.main,
        total,
        files: answer.files,
        cards,
        near,
        outlines,
        passage: answer.passage.as_ref().and_then(wire::Passage::new),
        memories: memory::wire_notes(&answer.memories, noted, &layout),
        nothing: nothing::Wire::of(answer.nothing.as_deref()),
        next: footer.advice(),
    };
    let found = found(answer);
    (Rendered { text, wire, found }, footer)
}

fn found(answer: &SymbolAnswer) -> bool {
    let passage = answer.passage.as_ref();
    let is_past_the_end = passage.is_some_and(|passage| passage.start > passage.lines);
    answer.total > 0 && !is_past_the_end
}

/// Puts what is named alike under a heading of its own. It takes a line, unless it is all there is.
fn near_item(item: &mut Item, card: &SymbolCard, is_short: bool, is_first: bool) {
    item.rank = 1;
    item.tally = Tally::Nothing;
    if is_short {
        item.levels.truncate(FACTS);
        let label = format!("  [{}]\n", card.matched.label());
        for level in &mut item.levels {
            level.truncate(level.trim_end().len());
            level.push_str(&label);
        }
    }
    if is_first {
        for level in &mut item.levels {
            level.insert_str(0, "near:\n");
        }
    }
}

fn advice(
    answer: &SymbolAnswer,
    layout: &Layout,
    (exact, total): (usize, usize),
    voice: Voice,
) -> Option<String> {
    if let Some(nothing) = &answer.nothing {
        return nothing::advice(nothing, Tool::Other, voice);
    }
    let more = || voice.set("budget", super::fitting(layout));
    // Of an outline the innermost lines are left out, not the last.
    if !answer.outlines.is_empty() {
        return (!layout.full).then(more);
    }
    let listed = match &answer.folder {
        Some(folder) => folder.files.len(),
        None => exact + usize::from(answer.passage.is_some()),
    };
    let page = Page {
        offset: answer.offset,
        listed,
        total,
    };
    super::rest(layout, page, voice)
        .or_else(|| (!layout.full).then(|| voice.set("budget", super::fitting(layout))))
}

/// Returns `path:start-end`, with kind and name when a symbol is shown there.
pub(super) fn place(path: &str, start: u32, end: u32, symbol: Option<&SymbolRef>) -> String {
    let at = format!("{}:{start}-{end}", clean::path(path));
    match symbol {
        Some(symbol) => {
            let name = clean::word(&symbol.qualified);
            format!("{at} {} {name}{}", symbol.kind.label(), ordinal(symbol))
        }
        None => at,
    }
}

/// Returns the `~n` of a symbol id that has one.
fn ordinal(symbol: &SymbolRef) -> &str {
    let tail = symbol.id.rsplit_once('#').map_or("", |(_, tail)| tail);
    match tail.find('~') {
        Some(at) if tail[at + 1..].bytes().all(|b| b.is_ascii_digit()) => &tail[at..],
        _ => "",
    }
}

fn card_item(card: &SymbolCard) -> Item {
    let symbol = &card.symbol;
    let at = place(
        &symbol.path,
        symbol.start_line,
        symbol.end_line,
        Some(symbol),
    );
    let signature = clean::line(&card.signature, 2 * clean::MAX_LINE_CHARS);
    let titled = if signature.is_empty() {
        at.clone()
    } else {
        format!("{at}  {signature}")
    };
    let facts = facts(card);
    let mut levels = vec![
        format!("{at}\n"),
        format!("{titled}\n"),
        format!("{titled}\n{facts}"),
    ];
    if let Some(body) = &card.body {
        let lines: Vec<&str> = body.lines().collect();
        for cut in cuts(lines.len()) {
            let mut text = format!("{at}\n{facts}");
            clean::block(&mut text, lines[..cut].iter().copied());
            if cut < lines.len() {
                let from = symbol.start_line as usize + cut;
                let path = clean::path(&symbol.path);
                text += &format!(
                    "  … {} more lines: {path}:{from}-{}\n",
                    lines.len() - cut,
                    symbol.end_line
                );
            }
            levels.push(text);
        }
    }
    Item {
        rank: 0,
        tally: Tally::Main,
        levels,
    }
}

/// Returns the numbers of lines a body of `lines` lines may be cut to, ending in all of them.
fn cuts(lines: usize) -> Vec<usize> {
    let steps = std::iter::successors(Some(SHORTEST_CUT), |n| n.checked_mul(2));
    steps.take_while(|&n| n < lines).chain([lines]).collect()
}

fn facts(card: &SymbolCard) -> String {
    let mut facts: Vec<String> = card.flags.iter().map(|f| (*f).to_owned()).collect();
    if let Some(container) = &card.container {
        facts.push(format!(
            "in {}",
            clean::whole(within(container, &card.symbol.path))
        ));
    }
    facts.extend(relations(card));
    if !matches!(
        card.matched,
        MatchKind::Id | MatchKind::Exact | MatchKind::Pattern
    ) {
        facts.push(format!("{} match", card.matched.label()));
    }
    let facts = facts.join("; ");
    match clean::line(&card.doc, 2 * clean::MAX_LINE_CHARS) {
        doc if doc.is_empty() => format!("  {facts}\n"),
        doc => format!("  {doc}\n  {facts}\n"),
    }
}

/// Returns what a definition has to do with others, in a few words each.
fn relations(card: &SymbolCard) -> Vec<String> {
    let Some(of) = &card.relations else {
        return Vec::new();
    };
    let mut uses = count(of.uses, "use");
    if of.ambiguous > 0 {
        uses += &format!(" and {} ambiguous", of.ambiguous);
    }
    if let Some(verdict) = &of.verdict {
        uses += &format!(", {}", verdict::said(verdict));
    }
    let sorts = [
        ("callers", &of.callers),
        ("calls", &of.callees),
        ("tests", &of.tests),
        ("implemented by", &of.derived),
        ("overridden by", &of.overrides),
        ("overrides", &of.overridden),
    ];
    let named = sorts.into_iter().filter(|(_, related)| related.total > 0);
    let named = named.map(|(label, related)| {
        let names: Vec<String> = related
            .first
            .iter()
            .map(|symbol| clean::word(&symbol.qualified))
            .collect();
        let more = match related.total - related.first.len() {
            0 => String::new(),
            more => format!(" +{more}"),
        };
        format!("{label} {}{more}", names.join(", "))
    });
    let entry_points = card
        .entry_points
        .iter()
        .take(MAX_ENTRY_POINTS)
        .map(entries::beside);
    let more = card.entry_points.len().saturating_sub(MAX_ENTRY_POINTS);
    let more = (more > 0).then(|| format!("+{more} more entry points"));
    std::iter::once(uses)
        .chain(entry_points)
        .chain(more)
        .chain(named)
        .collect()
}

/// Returns the part of a symbol id after its path, when the path is `path`.
fn within<'a>(id: &'a str, path: &str) -> &'a str {
    id.strip_prefix(path)
        .and_then(|rest| rest.strip_prefix("::"))
        .unwrap_or(id)
}

fn outline_heads(outline: &FileOutline) -> Vec<Item> {
    let path = clean::path(&outline.path);
    let mut head = format!(
        "{path} {}, {}, {}",
        outline.lang.label(),
        count(outline.lines, "line"),
        count(outline.bytes, "byte")
    );
    if let Some(skip) = outline.skip {
        head += &format!(", not extracted: {}", skip);
    }
    let mut items = vec![Item::remark(0, head + "\n")];
    if !outline.gaps.is_empty() {
        let gaps = lines(&outline.gaps);
        items.push(Item::remark(2, format!("  not understood: lines {gaps}\n")));
    }
    if !outline.imports.is_empty() {
        let imports: Vec<String> = outline.imports.iter().map(|i| clean::word(i)).collect();
        items.push(Item::remark(
            2,
            format!("  imports {}\n", imports.join(", ")),
        ));
    }
    items
}

/// Returns an item for each line of an outline; deeper ones matter less.
pub(super) fn members(list: &[OutlineItem], parent: Option<&SymbolRef>, tally: Tally) -> Vec<Item> {
    let mut around: Vec<&str> = Vec::new();
    list.iter()
        .map(|member| {
            around.truncate(member.depth);
            let outer = around.last().copied().or(parent.map(|p| &*p.qualified));
            around.resize(member.depth, "");
            around.push(&member.symbol.qualified);
            member_item(member, outer, tally)
        })
        .collect()
}

fn member_item(member: &OutlineItem, outer: Option<&str>, tally: Tally) -> Item {
    let symbol = &member.symbol;
    let name = outer
        .and_then(|outer| symbol.qualified.strip_prefix(outer)?.strip_prefix('.'))
        .unwrap_or(&symbol.qualified);
    let (name, start, end) = (clean::word(name), symbol.start_line, symbol.end_line);
    let lines = if start == end {
        start.to_string()
    } else {
        format!("{start}-{end}")
    };
    let indent = "  ".repeat(member.depth + 1);
    let head = format!("{indent}{lines} {}", symbol.kind.label());
    let signature = clean::line(&member.signature, clean::MAX_LINE_CHARS);
    let full = match (signature.contains(&name), declares(&signature)) {
        (true, true) => format!("{indent}{lines} {signature}\n"),
        (true, false) => format!("{head} {signature}\n"),
        (false, _) if signature.is_empty() => format!("{head} {name}\n"),
        (false, _) => format!("{head} {name}  {signature}\n"),
    };
    Item {
        rank: 1 + member.depth,
        tally,
        levels: vec![format!("{head} {name}\n"), full],
    }
}

/// Whether a signature says itself what kind of thing it declares.
fn declares(signature: &str) -> bool {
    const KEYWORDS: &[&str] = words!(
        "class const def enum fn func function impl interface let macro_rules! mod module
         namespace package static struct trait type union val var"
    );
    // Modifiers (`export default async`, `pub(crate) unsafe`) come before it.
    signature
        .split([' ', '(', '*'])
        .take(5)
        .any(|word| KEYWORDS.contains(&word))
}

pub(super) fn wire_members(
    list: &[OutlineItem],
    level: &mut impl FnMut() -> Option<usize>,
) -> Vec<wire::Member> {
    let shown = list
        .iter()
        .map(|member| (member, level()))
        .collect::<Vec<_>>();
    shown
        .into_iter()
        .filter_map(|(member, level)| {
            let (level, symbol) = (level?, &member.symbol);
            let signed = level >= SIGNATURE && !member.signature.is_empty();
            Some(wire::Member {
                start: symbol.start_line,
                end: symbol.end_line,
                kind: symbol.kind.label(),
                name: symbol.qualified.to_string(),
                signature: signed.then(|| member.signature.clone()),
            })
        })
        .collect()
}

/// Ids of related definitions, where facts are shown.
fn ids(related: &Related, facts: bool) -> Vec<String> {
    let shown = related.first.iter().filter(|_| facts);
    shown.map(|symbol| symbol.id.to_string()).collect()
}

fn wire_card(card: &SymbolCard, level: usize, members: Vec<wire::Member>) -> wire::Card {
    let facts = level >= FACTS;
    let of = card.relations.as_ref();
    let shown = |related: fn(&Relations) -> &Related| {
        of.map_or_else(Vec::new, |of| ids(related(of), facts))
    };
    let mut body = None;
    let mut body_end = None;
    if let (Some(whole), Some(step)) = (&card.body, level.checked_sub(WIDE)) {
        let lines = whole.lines().count();
        let cut = cuts(lines).get(step).copied().unwrap_or(lines);
        if cut < lines {
            body_end = Some(card.symbol.start_line + cut as u32 - 1);
            body = Some(whole.split_inclusive('\n').take(cut).collect());
        } else {
            body = Some(whole.clone());
        }
    }
    wire::Card {
        symbol: wire::Symbol::new(&card.symbol),
        matched: card.matched.label(),
        lang: card.lang.label(),
        signature: (level >= SIGNATURE && body.is_none()).then(|| card.signature.clone()),
        doc: (facts && !card.doc.is_empty()).then(|| card.doc.clone()),
        flags: if facts {
            card.flags.clone()
        } else {
            Vec::new()
        },
        container: facts
            .then(|| card.container.as_ref().map(ToString::to_string))
            .flatten(),
        references: card.references,
        uses: of.map(|of| of.uses),
        verdict: of.and_then(|of| of.verdict.as_ref()).map(verdict::said),
        entry_points: match facts {
            true => card.entry_points.iter().map(wire::Entry::new).collect(),
            false => Vec::new(),
        },
        callers: shown(|of| &of.callers),
        callees: shown(|of| &of.callees),
        tests: shown(|of| &of.tests),
        derived: [shown(|of| &of.derived), shown(|of| &of.overrides)].concat(),
        members,
        body,
        body_end,
    }
}

pub(super) fn wire_outline(
    outline: &FileOutline,
    (gaps, imports): (bool, bool),
    members: Vec<wire::Member>,
) -> wire::Outline {
    wire::Outline {
        path: outline.path.clone(),
        lang: outline.lang.label(),
        lines: outline.lines,
        skip: outline.skip,
        imports: if imports {
            wire::texts(&outline.imports)
        } else {
            Vec::new()
        },
        not_understood: match gaps {
            true => outline
                .gaps
                .iter()
                .map(|gap| [gap.first, gap.last])
                .collect(),
            false => Vec::new(),
        },
        members,
    }
}
