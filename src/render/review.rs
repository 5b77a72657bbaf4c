//! Renders what is found in a change for a pull request: as text, as JSON, as commands of GitHub's runners
//! (`github`) and as SARIF (`sarif`). Everything is shown: somebody has to mend it.

mod github;
mod sarif;

use super::diff::{of_symbol, versus};
use super::{Rendered, audit, clean, count, footer, outlook};
use crate::query::answer::SymbolRef;
use crate::query::diff::answer::{Broken, ChangedSymbol, SymbolFate};
use crate::query::diff::dangling::Fault;
use crate::query::gate::{NewCycle, NewHub};
use crate::query::review::{Finding, Level, Review, Rule};
use crate::query::state::Stamp;
use serde::Serialize;

pub use github::render as github;
pub use sarif::{Sarif, render as sarif};

/// Imports of a cycle that are named.
const MAX_IMPORTS: usize = 10;
/// What a risk over the limit is called among rules.
const RISK: &str = "risk";

/// A review as JSON has it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Wire {
    /// The new state.
    pub index: Stamp,
    /// Abbreviated commit it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// How that commit was chosen.
    pub chosen: String,
    /// Whether it may pass.
    pub passes: bool,
    /// The rules that it is refused by.
    pub refused_by: Vec<&'static str>,
    /// Its risk, where it is refused for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub too_risky: Option<f64>,
    /// What was found.
    pub findings: Vec<Found>,
    /// Whether anything is left behind: `proven`, `possible`, or `nothing` where all of the tree is known.
    pub left_behind: &'static str,
    /// Places that may be left behind, for which nothing is refused.
    #[serde(skip_serializing_if = "crate::query::serialize::is_zero")]
    pub possible: usize,
    /// Files that differ.
    pub files: usize,
    /// Definitions that changed.
    pub symbols: usize,
}

/// A finding as JSON has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Found {
    /// The rule that it goes by.
    pub rule: &'static str,
    /// `error` where the change is refused for it, else `warning`, or `note` for a guess.
    pub level: &'static str,
    /// File.
    pub path: String,
    /// First line; absent of what is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What is wrong.
    pub message: String,
}

/// Renders a review as text, a finding a line.
pub fn render(review: &Review<'_>) -> Rendered<Wire> {
    let mut text = String::new();
    let mut findings = Vec::new();
    for (level, finding) in &review.findings {
        let place = Place::of(*finding);
        let found = Found {
            rule: finding.rule().label(),
            level: level.label(),
            path: place.path.to_owned(),
            line: place.lines.map(|(first, _)| first),
            message: message(*finding),
        };
        text.push_str(&format!(
            "{} {} {}: {}\n",
            found.level,
            found.rule,
            place.shown(),
            found.message
        ));
        findings.push(found);
    }
    text.push_str(&summary(review));
    text.push('\n');
    let answer = review.answer;
    let wire = Wire {
        index: answer.stamp.clone(),
        base: answer.base.clone(),
        chosen: answer.chosen.clone(),
        passes: review.passes(),
        refused_by: review.refused_by.iter().map(|rule| rule.label()).collect(),
        too_risky: review.too_risky.map(|(risk, _)| risk),
        findings,
        left_behind: answer.left_behind().label(),
        possible: answer.unknown.total(),
        files: answer.files.len(),
        symbols: answer.symbols.len(),
    };
    Rendered::of(clean::defused(&text), wire).found(review.passes())
}

/// Where a finding is shown.
struct Place<'a> {
    path: &'a str,
    /// First and last; none where the file of the new state has no such lines.
    lines: Option<(u32, u32)>,
}

impl<'a> Place<'a> {
    fn of(finding: Finding<'a>) -> Self {
        match finding {
            Finding::Broken(broken) => Self {
                path: &broken.unmet.path,
                lines: Some((broken.unmet.line, broken.unmet.line)),
            },
            Finding::Breaking(changed) => Self {
                path: &changed.symbol.path,
                lines: match changed.fate {
                    SymbolFate::Removed => None,
                    _ => Some((changed.symbol.start_line, changed.symbol.start_line)),
                },
            },
            Finding::Cycle(new) => Self {
                path: &new.import.from.path,
                lines: Some((new.import.from.line, new.import.from.line)),
            },
            Finding::Hub(hub) => Self {
                path: &hub.path,
                lines: None,
            },
        }
    }

    fn shown(&self) -> String {
        let path = clean::path(self.path);
        match self.lines {
            Some((first, _)) => format!("{path}:{first}"),
            None => path,
        }
    }
}

/// What is wrong, on one line.
fn message(finding: Finding<'_>) -> String {
    match finding {
        Finding::Broken(broken) => of_broken(broken),
        Finding::Breaking(changed) => of_breaking(changed),
        Finding::Cycle(new) => of_cycle(new),
        Finding::Hub(hub) => of_hub(hub),
    }
}

fn of_broken(broken: &Broken) -> String {
    let name = clean::word(&broken.unmet.expected);
    let at = clean::place(&broken.unmet.at);
    let now = |now: &Option<SymbolRef>| match now {
        None => "gone".to_owned(),
        Some(now) => format!("now {}", of_symbol(now)),
    };
    let said = match broken.fault {
        Fault::Dangling => format!("still expects {name} ({at}), {}", now(&broken.unmet.now)),
        Fault::Hidden => format!("cannot see {name} any more ({at})"),
        Fault::Unbound => format!("uses {name}, which nothing binds any more ({at})"),
        Fault::Misfit => format!("no longer fits {name} ({at}), {}", now(&broken.unmet.now)),
        Fault::Unfit => format!("does not fit {name} ({at})"),
        Fault::LeftBehind => format!("still overrides {name} ({at}), {}", now(&broken.unmet.now)),
        Fault::Declared => format!("still declares {name} ({at}), {}", now(&broken.unmet.now)),
        Fault::Missing => format!("lacks {name}, wanted by {at}"),
        Fault::Absent if *broken.unmet.expected == *broken.unmet.at => {
            format!("leads nowhere: {name} does not have it")
        }
        Fault::Absent => format!("leads nowhere: {name} ({at}) does not have it"),
        Fault::Nowhere => format!("leads nowhere: {name}"),
    };
    match &broken.unmet.reason {
        Some(reason) => format!("{said}: {}", clean::whole(reason)),
        None => said,
    }
}

fn of_breaking(changed: &ChangedSymbol) -> String {
    let name = clean::word(&changed.symbol.qualified);
    let kind = changed.symbol.kind.label();
    let mut said = format!("{kind} {name}: {}", changed.fate.words().join(", "));
    if let Some(was) = &changed.was {
        said.push_str(&format!("; was {}", of_symbol(was)));
    }
    if let Some((before, after)) = &changed.signatures {
        let (before, after) = (clean::whole(before), clean::whole(after));
        said.push_str(&format!("; before: {before}; after: {after}"));
    }
    if let Some(because) = changed.because {
        said.push_str(&format!("; {}", because.label()));
    }
    said + "; who uses it as before may fail"
}

fn of_hub(hub: &NewHub) -> String {
    let shown = hub.imports.iter().take(MAX_IMPORTS).map(audit::arrow);
    let mut shown: Vec<String> = shown.collect();
    if let Some(more) = hub.imports.len().checked_sub(MAX_IMPORTS + 1) {
        shown.push(format!("and {} more", more + 1));
    }
    let (now, before) = (count(hub.now, "file"), hub.before);
    let new = shown.join(", ");
    format!("imported by {now}, which is over the limit, {before} before; new: {new}")
}

fn of_cycle(new: &NewCycle) -> String {
    let shown = new.cycle.iter().take(MAX_IMPORTS).map(audit::arrow);
    let mut shown: Vec<String> = shown.collect();
    if let Some(more) = new.cycle.len().checked_sub(MAX_IMPORTS + 1) {
        shown.push(format!("and {} more", more + 1));
    }
    format!(
        "importing {} closes a cycle: {}",
        clean::path(&new.import.to),
        shown.join(", ")
    )
}

/// A risk over the limit, on one line, with its terms.
fn of_risk(review: &Review<'_>, (_, limit): (f64, f64)) -> String {
    let terms = outlook::risk_line(&review.answer.outlook.risk);
    format!("limit {limit:.2}; {}", terms.trim_end())
}

/// What was judged, against what, and the outcome, without an end of line.
fn summary(review: &Review<'_>) -> String {
    let answer = review.answer;
    let mut parts = vec![
        footer::state(&answer.stamp),
        format!("against {}", versus(answer)),
        count(answer.files.len() as u64, "file"),
        count(answer.symbols.len() as u64, "definition"),
    ];
    for rule in Rule::ALL {
        let of_rule = review.findings.iter();
        match of_rule.filter(|(_, found)| found.rule() == rule).count() {
            0 => {}
            n => parts.push(format!("{n} {}", rule.label())),
        }
    }
    let unseen = &answer.unknown.unseen;
    match answer.unknown.total() {
        0 if unseen.is_nothing() => {}
        0 => parts.push("not all looked at".to_owned()),
        n => parts.push(format!("{n} may be left behind")),
    }
    if answer.stamp.uncovered > 0 {
        let files = count(answer.stamp.uncovered as u64, "file");
        parts.push(format!("{files} not covered"));
    }
    for warning in &answer.stamp.warnings {
        let warning = clean::line(warning, clean::MAX_LINE_CHARS);
        parts.push(format!("warning: {warning}"));
    }
    let rules = review.refused_by.iter().map(|rule| rule.label().to_owned());
    let risk = review.too_risky.iter();
    let risk = risk.map(|(risk, limit)| format!("a risk of {risk:.2}, limit {limit:.2}"));
    let refused: Vec<String> = rules.chain(risk).collect();
    let is_all = unseen.is_nothing() && answer.stamp.uncovered == 0;
    let passes = match is_all {
        true => "passes",
        false => "passes as far as was looked",
    };
    let mut allowed = review.findings.iter();
    let allowed = allowed.find(|(level, _)| *level == Level::Warning);
    parts.push(match (refused.is_empty(), allowed) {
        (true, None) => passes.to_owned(),
        // What passes with findings passes since nobody said that these refuse it.
        (true, Some((_, finding))) => {
            let rule = finding.rule().label();
            format!("{passes}; --fail-on {rule} would refuse it")
        }
        (false, _) => format!("refused for {}", refused.join(", ")),
    });
    parts.join(" | ")
}

#[cfg(test)]
pub(crate) mod samples {
    use crate::extract::record::SymbolKind;
    use crate::graph::rule::Certainty;
    use crate::query::answer::SymbolRef;
    use crate::query::audit::answer::{ImportEdge, Place};
    use crate::query::diff::answer::{
        Broken, ChangedSymbol, Compatibility, DiffAnswer, SymbolFate, Unmet,
    };
    use crate::query::diff::changes::Aspects;
    use crate::query::diff::dangling::Fault;
    use crate::query::diff::risk::{Calibration, Factor, Risk, Term};
    use crate::query::gate::{NewCycle, NewHub};

    /// The same change, three of four such were fixed soon after.
    pub(crate) fn risky(path: &str, name: &str) -> DiffAnswer {
        let mut answer = answer(path, name);
        let term = |factor, adds| Term { factor, adds };
        answer.outlook.risk = Risk::Known {
            score: 0.75,
            terms: vec![term(Factor::Usual, 0.3), term(Factor::Churn, 0.45)],
            calibration: Calibration {
                cases: 100,
                fixed: 30,
                held_out: 30,
                auc: 0.7,
                brier: 0.1,
                brier_of_usual: 0.2,
            },
        };
        answer
    }

    /// A change with a finding of each sort, whose names and paths are a text and a path as they are shown.
    pub(crate) fn answer(path: &str, name: &str) -> DiffAnswer {
        let symbol = SymbolRef {
            id: name.into(),
            qualified: name.into(),
            kind: SymbolKind::Function,
            path: path.to_owned(),
            start_line: 3,
            end_line: 9,
        };
        let edge = |from: &str, to: &str| ImportEdge {
            from: Place {
                path: from.to_owned(),
                line: 1,
            },
            to: to.to_owned(),
            names: 1,
        };
        let broken = |fault, certainty| Broken {
            fault,
            unmet: Unmet {
                path: path.to_owned(),
                line: 7,
                text: name.to_owned(),
                inside: Some(symbol.clone()),
                certainty,
                expected: name.into(),
                at: format!("{path}:1-2"),
                now: Some(symbol.clone()),
                reason: Some(name.to_owned()),
            },
        };
        let changed = |fate| ChangedSymbol {
            symbol: symbol.clone(),
            was: Some(symbol.clone()),
            fate,
            signatures: Some((name.to_owned(), name.to_owned())),
            compatibility: Compatibility::Breaking,
            because: None,
            is_test: false,
            uses: 1,
            copies: Vec::new(),
        };
        let how = Aspects {
            signature: true,
            ..Aspects::default()
        };
        DiffAnswer {
            base: Some("0123456789".into()),
            chosen: name.to_owned(),
            broken: vec![
                broken(Fault::Dangling, Certainty::Resolved),
                broken(Fault::LeftBehind, Certainty::Inferred),
                broken(Fault::Missing, Certainty::Ambiguous),
            ],
            symbols: vec![
                changed(SymbolFate::Changed(how)),
                changed(SymbolFate::Removed),
            ],
            cycles: vec![NewCycle {
                import: edge(path, "b.py"),
                cycle: vec![edge(path, "b.py"), edge("b.py", path)],
            }],
            hubs: vec![NewHub {
                path: path.to_owned(),
                before: 1,
                now: 3,
                imports: vec![edge("b.py", path)],
            }],
            max_fan_in: Some(2),
            ..DiffAnswer::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_finding_is_a_line() {
        let answer = samples::answer("lib/a.py", "f");
        let review = Review::of(&answer, &[Rule::Dangling, Rule::Cycle]);
        insta::assert_snapshot!(render(&review).text, @r#"
        error dangling lib/a.py:7: still expects f (lib/a.py:1-2), now lib/a.py:3-9 function f: f
        warning left-behind lib/a.py:7: still overrides f (lib/a.py:1-2), now lib/a.py:3-9 function f: f
        note missing lib/a.py:7: lacks f, wanted by lib/a.py:1-2: f
        error cycle lib/a.py:1: importing b.py closes a cycle: lib/a.py:1 -> b.py, b.py:1 -> lib/a.py
        warning fan-in lib/a.py: imported by 3 files, which is over the limit, 1 before; new: b.py:1 -> lib/a.py
        warning breaking lib/a.py:3: function f: signature; was lib/a.py:3-9 function f; before: f; after: f; who uses it as before may fail
        warning breaking lib/a.py: function f: removed; was lib/a.py:3-9 function f; before: f; after: f; who uses it as before may fail
        index (no commits) | against 0123456789 (f) | 0 files | 2 definitions | 1 dangling | 1 left-behind | 1 missing | 2 breaking | 1 cycle | 1 fan-in | refused for dangling, cycle
        "#);
        assert!(!render(&review).found);
        assert!(render(&Review::of(&answer, &[])).found);
        assert_eq!(render(&review).wire.findings.len(), 7);
    }

    proptest! {
        /// Whatever names and paths say, no line is a command to a runner of GitHub's.
        #[test]
        fn no_line_of_text_is_a_command(path in path(), name in hostile()) {
            let answer = samples::answer(&path, &name);
            let text = render(&Review::of(&answer, &Rule::ALL)).text;
            prop_assert_eq!(text.lines().count(), 8);
            for line in text.lines() {
                prop_assert!(!line.trim_start().starts_with("::"), "{}", line);
                prop_assert!(!line.contains("##"), "{}", line);
            }
        }
    }

    /// Text as somebody who wants to give commands would choose it.
    pub(in crate::render::review) fn hostile() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            Just("::".to_owned()),
            Just("##[".to_owned()),
            Just("##vso[task.setvariable variable=PATH]".to_owned()),
            Just("\n::error::".to_owned()),
            Just("\r\n::set-output name=a::".to_owned()),
            Just("%0A::stop-commands::x".to_owned()),
            Just("\u{2028}::add-mask::".to_owned()),
            Just(",line=1::".to_owned()),
            Just("](http://evil)".to_owned()),
            ".{0,6}",
        ];
        prop::collection::vec(word, 0..5).prop_map(|words| words.concat())
    }

    /// A path as answers have it.
    pub(in crate::render::review) fn path() -> impl Strategy<Value = String> {
        hostile().prop_map(|text| crate::git::quoting::quoted(text.as_bytes()))
    }
}
