//! Renders answers of `audit`: one place a finding, with what it is judged by.

use super::footer::Footer;
use super::layout::{Item, Layout, Tally, lay_out};
use super::nothing::{self, Tool};
use super::symbol::place;
use super::wire::Symbol;
use super::wire::audit::{Audit, Finding, Heat, Worst};
use super::{Budgeted, Page, Rendered, Style, clean, count};
use crate::query::answer::SymbolRef;
use crate::query::audit::answer::{
    AuditAnswer, Counts, Dead, Doubt, Findings, Hotspot, HubFile, HubSymbol, ImportCycle,
    ImportEdge, Offered, Place, Untested, Unused, Verdict,
};
use crate::query::request::AuditView;

impl Budgeted for AuditAnswer {
    type Wire<'a> = Audit;

    const BUDGET: usize = super::AUDIT_BUDGET;

    fn render(&self, style: &Style) -> Rendered<Audit> {
        render(self, style)
    }
}

/// Renders an answer of `audit`.
pub fn render(answer: &AuditAnswer, style: &Style) -> Rendered<Audit> {
    let (mut items, findings): (Vec<Item>, Vec<Finding>) = match &answer.findings {
        Findings::Unused { items, .. } => items.iter().map(unused).unzip(),
        Findings::Cycles(cycles) => cycles.iter().map(cycle).unzip(),
        Findings::Hubs { files, symbols } => {
            let files = files.iter().map(hub_file);
            files.chain(symbols.iter().map(hub_symbol)).unzip()
        }
        Findings::Untested { items, .. } => items.iter().map(untested).unzip(),
        Findings::Hotspots { items, .. } => items.iter().map(hotspot).unzip(),
    };
    if let Some(nothing) = &answer.nothing {
        items.extend(nothing::items(nothing, 0, true));
    }
    let (text, layout, footer) = lay_out(&items, 2, style.budget, |layout| {
        let footer = remarks(
            answer,
            Footer::new(&answer.stamp, layout.main, answer.total).after(answer.offset),
        );
        footer.next(advice(answer, &items, layout, style))
    });
    let shown = findings.into_iter().enumerate();
    let shown = shown.filter_map(|(i, finding)| Some(at_level(finding, layout.level(i)?)));
    let wire = Audit {
        index: answer.stamp.clone(),
        view: answer.view.label(),
        shown: layout.main,
        total: answer.total,
        findings: shown.collect(),
        ambiguous: answer.unresolved.ambiguous,
        unresolved_imports: answer.unresolved.imports,
        external_imports: answer.unresolved.external,
        history: match &answer.findings {
            Findings::Hotspots { extent, .. } => extent.remark(),
            _ => None,
        },
        nothing: nothing::Wire::of(answer.nothing.as_deref()),
        next: footer.advice(),
    };
    Rendered::of(text, wire).found(answer.total > 0)
}

/// What the findings were chosen from, and what was not resolved.
fn remarks(answer: &AuditAnswer, mut footer: Footer) -> Footer {
    match &answer.findings {
        Findings::Unused { counts, .. } => {
            let exports = answer.view == AuditView::Exported;
            if answer.total > 0 && !exports {
                let Counts {
                    dead,
                    unreached,
                    uncertain,
                    ..
                } = *counts;
                let told = format!("{dead} dead, {unreached} unreached, {uncertain} uncertain");
                footer = footer.remark(told);
            }
            let of_other_view = match exports {
                true => vec![
                    (counts.dead, "dead"),
                    (counts.unreached, "unreached"),
                    (counts.uncertain, "uncertain"),
                ],
                false => vec![
                    (counts.exported, "exported"),
                    (counts.undecided, "with uses that may mean them"),
                ],
            };
            let kept: Vec<String> = of_other_view
                .into_iter()
                .filter(|(n, _)| *n > 0)
                .map(|(n, what)| format!("{n} {what}"))
                .collect();
            if !kept.is_empty() {
                footer = footer.remark(format!("not listed: {}", kept.join(", ")));
            }
        }
        Findings::Untested {
            candidates, tests, ..
        } => {
            footer = footer.remark(match tests {
                0 => "no tests found".to_owned(),
                _ => format!(
                    "of {candidates} looked at, {}",
                    count(*tests as u64, "test")
                ),
            });
        }
        Findings::Hotspots {
            extent, is_young, ..
        } => {
            if let Some(remark) = extent.remark() {
                footer = footer.remark(remark);
            }
            let commits = count(extent.commits as u64, "commit");
            footer = footer.remark(match is_young {
                true => format!("changes in {commits}, less than a year of them"),
                false => format!("changes in {commits}"),
            });
        }
        _ => {}
    }
    let files = count(answer.files as u64, "file");
    footer = footer.remark(match answer.nothing {
        Some(_) => format!("{files} of code"),
        None => format!("searched {files}"),
    });
    // What hotspots are ranked by needs no name resolved.
    if answer.view == AuditView::Hotspots {
        return footer;
    }
    let unresolved = answer.unresolved;
    let parts: Vec<String> = [
        (unresolved.ambiguous, "ambiguous use"),
        (unresolved.imports, "unresolved import"),
        (unresolved.external, "external import"),
    ]
    .into_iter()
    .filter(|(n, _)| *n > 0)
    .map(|(n, what)| count(n as u64, what))
    .collect();
    match parts.is_empty() {
        true => footer,
        false => footer.remark(parts.join(", ")),
    }
}

fn advice(answer: &AuditAnswer, items: &[Item], layout: &Layout, style: &Style) -> Option<String> {
    if let Some(nothing) = &answer.nothing {
        return nothing::advice(nothing, Tool::Other, style.voice);
    }
    let page = Page {
        offset: answer.offset,
        listed: items.len(),
        total: answer.total,
    };
    super::rest(layout, page, style.voice).or_else(|| {
        let room = super::fitting(layout);
        (!layout.full).then(|| style.voice.set("budget", room))
    })
}

/// Leaves out what the text leaves out at a level of detail.
fn at_level(finding: Finding, level: usize) -> Finding {
    match level {
        0 => Finding {
            doubts: Vec::new(),
            cut: Vec::new(),
            heat: finding.heat.map(|heat| Heat {
                worst: None,
                ..heat
            }),
            ..finding
        },
        _ => finding,
    }
}

fn item(levels: Vec<String>) -> Item {
    Item {
        rank: 0,
        tally: Tally::Main,
        levels,
    }
}

/// A line, and the same line with more.
fn with_more(line: String, more: &str) -> Vec<String> {
    match more.is_empty() {
        true => vec![format!("{line}\n")],
        false => vec![format!("{line}\n"), format!("{line}{more}\n")],
    }
}

fn symbol_place(symbol: &SymbolRef) -> String {
    place(
        &symbol.path,
        symbol.start_line,
        symbol.end_line,
        Some(symbol),
    )
}

fn of_symbol(symbol: &SymbolRef) -> Finding {
    Finding {
        path: Some(symbol.path.clone()),
        start: Some(symbol.start_line),
        end: Some(symbol.end_line),
        kind: Some(symbol.kind.label()),
        name: Some(symbol.qualified.to_string()),
        ..Finding::default()
    }
}

fn unused(found: &Unused) -> (Item, Finding) {
    let verdict = match found.verdict {
        Verdict::Dead => "dead",
        Verdict::Unreached => "unreached",
        Verdict::Uncertain => "uncertain",
        Verdict::Undecided => "undecided",
        Verdict::Exported => "exported",
    };
    let doubts: Vec<String> = found.doubts.iter().map(doubt).collect();
    let (at, finding) = match &found.what {
        Dead::Symbol(symbol) => (symbol_place(symbol), of_symbol(symbol)),
        Dead::File {
            path,
            lines,
            definitions,
        } => of_file(path, *lines, *definitions),
    };
    let line = format!("{at} | {:.2} {verdict}", found.confidence);
    let more = match doubts.is_empty() {
        true => String::new(),
        false => format!(": {}", doubts.join("; ")),
    };
    let finding = Finding {
        verdict: Some(verdict),
        confidence: Some(rounded(f64::from(found.confidence), 100.0)),
        doubts,
        ..finding
    };
    (item(with_more(line, &more)), finding)
}

/// A file that nothing loads.
fn of_file(path: &str, lines: u32, definitions: usize) -> (String, Finding) {
    let within = count(definitions as u64, "definition");
    let at = format!("{}:1-{lines} file, {within}", clean::path(path));
    let finding = Finding {
        path: Some(path.to_owned()),
        start: Some(1),
        end: Some(lines),
        kind: Some("file"),
        ..Finding::default()
    };
    (at, finding)
}

fn doubt(doubt: &Doubt) -> String {
    let first = |place: &Place, count: u32| match count {
        1 => at(place),
        more => format!("{} and {} more", at(place), more - 1),
    };
    match doubt {
        Doubt::Mentioned {
            count,
            first: place,
        } => {
            format!("named in a string at {}", first(place, *count))
        }
        Doubt::Word {
            files,
            first: place,
        } => format!(
            "unresolved word at {}",
            match files {
                1 => at(place),
                more => format!("{} and in {} more", at(place), count(more - 1, "file")),
            }
        ),
        Doubt::Documented { count: n } => format!("named in documentation {}", count(*n, "time")),
        Doubt::Whole { first } => format!("who gets the module may use it, {}", at(first)),
        Doubt::Namesake { first } => format!("its name means something else at {}", at(first)),
        Doubt::Shape { first } => format!("may be called through {}", at(first)),
        Doubt::Crowd { others } => {
            format!(
                "{} of its language are unreached, too",
                count(*others, "other")
            )
        }
        Doubt::SyntaxErrors => "its file has syntax errors".to_owned(),
        Doubt::Unloaded => "nothing names it, but a pattern may take it".to_owned(),
        Doubt::Ambiguous {
            count,
            first: place,
        } => format!("perhaps used at {}", first(place, *count)),
        Doubt::Offered(offered) => match offered {
            Offered::By(manifest) => format!("a library by {}", clean::path(manifest)),
            Offered::Headers => "made for others to link".to_owned(),
            Offered::Package => "a package for other modules".to_owned(),
            Offered::Untold => "nothing tells who may use it".to_owned(),
            Offered::Outside => "not all is checked out".to_owned(),
        },
    }
}

fn at(place: &Place) -> String {
    format!("{}:{}", clean::path(&place.path), place.line)
}

/// `path:line -> path`.
pub(super) fn arrow(edge: &ImportEdge) -> String {
    format!("{} -> {}", at(&edge.from), clean::path(&edge.to))
}

fn cycle(found: &ImportCycle) -> (Item, Finding) {
    let mut text = format!(
        "{} in a cycle, {}\n",
        count(found.files as u64, "file"),
        count(found.imports as u64, "import")
    );
    for edge in &found.path {
        text.push_str(&format!("  {}\n", arrow(edge)));
    }
    let mut full = text.clone();
    for edge in &found.cut {
        let names = count(edge.names, "name");
        full.push_str(&format!("  cut {} ({names})\n", arrow(edge)));
    }
    if found.more > 0 {
        full.push_str(&format!("  cut {} more\n", found.more));
    }
    let finding = Finding {
        files: Some(found.files),
        cycle: found.path.clone(),
        cut: found.cut.clone(),
        ..Finding::default()
    };
    (item(vec![text, full]), finding)
}

fn hub_file(found: &HubFile) -> (Item, Finding) {
    let line = format!(
        "{} | rank {:.1}%, used by {}, uses {}\n",
        clean::path(&found.path),
        found.rank * 100.0,
        count(found.fan_in as u64, "file"),
        found.fan_out
    );
    let finding = Finding {
        path: Some(found.path.clone()),
        rank: Some(rounded(found.rank, 10_000.0)),
        fan_in: Some(found.fan_in),
        fan_out: Some(found.fan_out),
        ..Finding::default()
    };
    (item(vec![line]), finding)
}

fn hub_symbol(found: &HubSymbol) -> (Item, Finding) {
    let line = format!(
        "{} | used by {}, {}, uses {}\n",
        symbol_place(&found.symbol),
        count(found.files as u64, "file"),
        count(found.uses as u64, "time"),
        found.fan_out
    );
    let finding = Finding {
        uses: Some(found.uses),
        fan_in: Some(found.files),
        fan_out: Some(found.fan_out),
        ..of_symbol(&found.symbol)
    };
    (item(vec![line]), finding)
}

fn untested(found: &Untested) -> (Item, Finding) {
    let line = format!(
        "{} | used {}",
        symbol_place(&found.symbol),
        count(found.callers as u64, "time")
    );
    let mut doubts = Vec::new();
    let mut more = String::new();
    if found.perhaps {
        let said = "reached by tests only through ambiguous uses";
        more = format!("; {said}");
        doubts.push(said.to_owned());
    }
    let finding = Finding {
        rank: Some(rounded(found.rank, 10_000.0)),
        uses: Some(found.callers),
        doubts,
        ..of_symbol(&found.symbol)
    };
    (item(with_more(line, &more)), finding)
}

/// A hotspot: its figures, then where in it to look.
fn hotspot(found: &Hotspot) -> (Item, Finding) {
    let known = |figure: Option<String>| figure.unwrap_or_else(|| "unknown".to_owned());
    let line = format!(
        "{} | {:.1}% | complexity {} in {}, {} a year ago | {}, {}, {} in the last year, {} in the one before",
        clean::path(&found.path),
        found.share * 100.0,
        found.complexity,
        count(found.lines, "line"),
        known(found.complexity_before.map(|levels| levels.to_string())),
        count(found.changes as u64, "change"),
        super::fixes(found.fixes),
        found.lately,
        known(found.before.map(|changes| changes.to_string())),
    );
    let more = found
        .worst
        .as_ref()
        .map(|(symbol, levels)| format!(" | most in {} ({levels})", symbol_place(symbol)));
    let worst = found.worst.as_ref().map(|(symbol, levels)| Worst {
        symbol: Symbol::new(symbol),
        complexity: *levels,
    });
    let finding = Finding {
        path: Some(found.path.clone()),
        heat: Some(Heat {
            share: rounded(found.share, 10_000.0),
            lines: found.lines,
            complexity: found.complexity,
            complexity_year_ago: found.complexity_before,
            changes: found.changes,
            fixes: found.fixes,
            last_year: found.lately,
            year_before: found.before,
            worst,
        }),
        ..Finding::default()
    };
    (item(with_more(line, &more.unwrap_or_default())), finding)
}

/// A number cut to what is worth showing: `scale` is ten to the power of its decimals.
fn rounded(number: f64, scale: f64) -> f64 {
    (number * scale).round() / scale
}
