//! Renders answers of `verify`: a line for each citation; what no longer stands gets room first.

use super::footer::Footer;
use super::history::commit_parts;
use super::layout::{Item, Tally, lay_out};
use super::wire::verify::{self as wire, reason};
use super::{Budgeted, Rendered, Style, clean, count};
use crate::query::verify::answer::{Fate, Modified, Place, Removal, Verdict, VerifyAnswer};

const NOTHING: &str = "no citations; they look like path:start-end@COMMIT";
const PARTIAL: &str = "lines that left their file were looked for in some of the files only";

impl Budgeted for VerifyAnswer {
    type Wire<'a> = wire::Verify;

    const BUDGET: usize = super::VERIFY_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::Verify> {
        let mut items = vec![Item::remark(0, head(self))];
        items.extend(self.verdicts.iter().map(|verdict| Item {
            rank: rank(&verdict.fate),
            tally: Tally::Main,
            levels: vec![line(verdict)],
        }));
        let total = self.verdicts.len();
        let (text, layout, footer) = lay_out(&items, 1, style.budget, |layout| {
            let mut footer = Footer::new(&self.stamp, layout.main, total);
            if self.plain > 0 {
                let places = count(self.plain as u64, "place");
                let from = style.voice.set("from", "REV");
                footer = footer.remark(format!("{places} without a commit passed over ({from})"));
            }
            if self.is_partial {
                footer = footer.remark(PARTIAL);
            }
            let rest = layout.main < total;
            footer.next(rest.then(|| style.voice.set("budget", super::fitting(layout))))
        });
        let wire = wire::Verify::new(self, &layout, footer.advice());
        Rendered::of(text, wire).found(self.stands())
    }
}

fn rank(fate: &Fate) -> usize {
    match fate {
        Fate::Deleted(_) | Fate::NeverWas(_) | Fate::Unknown(_) => 1,
        Fate::Modified(_) => 2,
        Fate::Moved(_) => 3,
        Fate::Unchanged(_) => 4,
    }
}

/// How many there are of each fate.
fn head(answer: &VerifyAnswer) -> String {
    if answer.verdicts.is_empty() {
        return format!("{NOTHING}\n");
    }
    let mut parts = vec![count(answer.verdicts.len() as u64, "citation")];
    for label in Fate::LABELS {
        let all = answer.verdicts.iter();
        match all.filter(|one| one.fate.label() == label).count() {
            0 => {}
            n => parts.push(format!("{n} {label}")),
        }
    }
    parts.join(" | ") + "\n"
}

fn line(verdict: &Verdict) -> String {
    let cited = clean::word(&clean::line(&verdict.text, clean::MAX_LINE_CHARS));
    let mut parts = vec![format!("{} {cited}", verdict.fate.label())];
    match &verdict.fate {
        Fate::Unchanged(place) => {
            parts.extend(place.is_dirty.then(|| "file uncommitted".to_owned()));
        }
        Fate::Moved(place) => parts.push(format!("now {}", shown(place))),
        Fate::Modified(modified) => parts.extend(how_much(modified)),
        Fate::Deleted(Removal::By(by)) => {
            let mut by = commit_parts(by);
            by[0].insert_str(0, "by ");
            parts.extend(by);
        }
        other => parts.extend(reason(other)),
    }
    if let Some(new) = verdict.from.filter(|_| verdict.is_rewritten) {
        let new = new.short();
        parts.push(format!(
            "its commit is gone: asked of {new}, which it became"
        ));
    }
    parts.join(" | ") + "\n"
}

fn shown(place: &Place) -> String {
    let path = clean::path(&place.path.to_string());
    let lines = place.lines.map(|lines| super::lines(&[lines]));
    let lines = lines.map(|lines| format!(":{lines}")).unwrap_or_default();
    let dirty = if place.is_dirty { " uncommitted" } else { "" };
    format!("{path}{lines}{dirty}")
}

fn how_much(modified: &Modified) -> Vec<String> {
    let of = count(u64::from(modified.of), "line");
    let kept = format!("{} of {of} kept", modified.kept);
    let mut parts = vec![format!("now {}", shown(&modified.place)), kept];
    if !modified.changed.is_empty() {
        parts.push(format!("new: {}", super::lines(&modified.changed)));
    }
    parts
}
