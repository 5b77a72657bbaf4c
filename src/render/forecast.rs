//! Renders answers of `diff --with`: of each merge how it would go, then what git does not see, then where text
//! collides, then what to read with care.

use super::diff::unmet_levels;
use super::footer::Footer;
use super::layout::{Item, Tally, lay_out};
use super::symbol::place;
use super::wire::forecast as wire;
use super::{Budgeted, Rendered, Style, clean, count};
use crate::query::diff::forecast::answer::{Clash, Conflict, Fate, Forecast, ForecastAnswer};

/// Ranks: the heads, then what is broken, then what collides, then what both changed.
const HEADS: usize = 0;
const CONFLICTS: usize = 1;
const COLLISIONS: usize = 2;
const BOTH: usize = 3;

impl Budgeted for ForecastAnswer {
    type Wire<'a> = wire::Forecasts;

    const BUDGET: usize = super::DIFF_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::Forecasts> {
        render(self, style)
    }
}

/// Renders an answer of `diff --with`. It is found when each merge would be clean, in text and in meaning.
pub fn render(answer: &ForecastAnswer, style: &Style) -> Rendered<wire::Forecasts> {
    let mut items = Vec::new();
    let mut places = Vec::new();
    if answer.forecasts.is_empty() {
        items.push(Item::remark(HEADS, "nobody to merge with\n".to_owned()));
    }
    for forecast in &answer.forecasts {
        items.push(Item::remark(HEADS, head(forecast)));
        let mut of_this = wire::Places::default();
        for (i, conflict) in forecast.conflicts.iter().enumerate() {
            let before = i.checked_sub(1).map(|i| &forecast.conflicts[i]);
            if before.is_none_or(|before| !is_same(before, conflict)) {
                items.push(Item::remark(CONFLICTS, cause(conflict)));
            }
            of_this.conflicts.push(items.len());
            items.push(item(CONFLICTS, unmet_levels(&[&conflict.unmet], "    ")));
        }
        for collision in &forecast.collisions {
            let lines = collision
                .lines
                .iter()
                .map(|(first, last)| match first <= last {
                    true => format!("{first}-{last}"),
                    false => format!("before {first}"),
                });
            let lines: Vec<String> = lines.collect();
            let lines = match lines.is_empty() {
                true => String::new(),
                false => format!(":{}", lines.join(",")),
            };
            let path = clean::path(&collision.path);
            let text = format!(
                "  text collides {path}{lines} ({})\n",
                collision.kind.label()
            );
            of_this.collisions.push(items.len());
            items.push(item(COLLISIONS, vec![text]));
        }
        for symbol in &forecast.both_changed {
            let of = place(
                &symbol.path,
                symbol.start_line,
                symbol.end_line,
                Some(symbol),
            );
            of_this.both_changed.push(items.len());
            items.push(item(BOTH, vec![format!("  both changed {of}\n")]));
        }
        places.push(of_this);
    }
    let counted = |item: &&Item| item.tally == Tally::Main;
    let total = items.iter().filter(counted).count();
    let (text, layout, footer) = lay_out(&items, 2, style.budget, |layout| {
        let footer = Footer::new(&answer.stamp, layout.main, total);
        let is_whole = layout.main == total && layout.full;
        footer.next((!is_whole).then(|| style.voice.set("budget", super::fitting(layout))))
    });
    let wire = wire::Forecasts::new(answer, &layout, &places, footer.advice());
    let is_well = |forecast: &Forecast| {
        matches!(forecast.fate, Fate::Contained | Fate::Clean) && forecast.conflicts.is_empty()
    };
    Rendered::of(text, wire).found(answer.forecasts.iter().all(is_well))
}

fn item(rank: usize, levels: Vec<String>) -> Item {
    Item {
        rank,
        tally: Tally::Main,
        levels,
    }
}

/// Who is merged, and how it would go.
fn head(forecast: &Forecast) -> String {
    let mut parts = vec![format!("== {}", clean::path(&clean::whole(&forecast.name)))];
    parts.extend(
        forecast
            .branch
            .as_deref()
            .map(|branch| clean::whole(branch).to_string()),
    );
    if let Some(commit) = &forecast.commit {
        let dirty = match forecast.dirty {
            0 => String::new(),
            dirty => format!("+{dirty} dirty"),
        };
        parts.push(format!("{commit}{dirty}"));
        parts.push(format!(
            "{} ahead, {} behind",
            forecast.ahead, forecast.behind
        ));
    }
    parts.push(match &forecast.fate {
        Fate::Contained => "nothing to merge".to_owned(),
        Fate::Clean => format!("text merges, {}", count(forecast.incoming as u64, "file")),
        Fate::Collides => format!(
            "text collides in {} of {}",
            forecast.collisions.len(),
            count(forecast.incoming as u64, "file")
        ),
        Fate::Unrelated => "no common ancestor: git would refuse".to_owned(),
        Fate::CutOff => "no common ancestor in this shallow clone: fetch more of it".to_owned(),
        Fate::Unknown(why) => format!("not known: {}", clean::line(why, clean::MAX_LINE_CHARS)),
    });
    if matches!(forecast.fate, Fate::Clean | Fate::Collides) {
        parts.push(match forecast.conflicts.len() {
            0 => "nothing else broken".to_owned(),
            n => format!("{} that git does not see", count(n as u64, "conflict")),
        });
    }
    parts.join(" | ") + "\n"
}

/// Whether two conflicts have one cause.
fn is_same(a: &Conflict, b: &Conflict) -> bool {
    let (of_a, of_b) = (&a.unmet, &b.unmet);
    (a.clash, a.is_ours, &of_a.expected, &of_a.at) == (b.clash, b.is_ours, &of_b.expected, &of_b.at)
}

/// What the other side did.
fn cause(conflict: &Conflict) -> String {
    let (user, changer) = match conflict.is_ours {
        true => ("we", "they"),
        false => ("they", "we"),
    };
    let name = clean::word(&conflict.unmet.expected);
    let at = clean::place(&conflict.unmet.at);
    let now = conflict.unmet.now.as_ref();
    let now = now.map(|now| place(&now.path, now.start_line, now.end_line, Some(now)));
    let now = now.map_or(String::new(), |now| format!(" to {now}"));
    let said = match conflict.clash {
        Clash::Removed => format!("{user} use {name} ({at}), which {changer} removed"),
        Clash::Renamed => format!("{user} use {name} ({at}), which {changer} renamed{now}"),
        Clash::Moved => format!("{user} use {name} ({at}), which {changer} moved{now}"),
        Clash::Hidden => format!("{user} use {name} ({at}), which {changer} let fewer see"),
        Clash::Unimported => {
            format!("{user} use {name} ({at}), which {changer} no longer import here")
        }
        Clash::Signature => format!("{user} call {name} ({at}), which {changer} changed{now}"),
        Clash::Overrides => format!("{user} override {name} ({at}), which {changer} changed{now}"),
        Clash::Lacks => format!("{changer} want {name} ({at}), which {user} lack"),
        Clash::Doubled => format!("both define {name}, {changer} at {at}"),
    };
    let commit = conflict.commit.as_ref();
    let commit = commit.map_or(String::new(), |commit| format!(" in {commit}"));
    format!("  {said}{commit}:\n")
}
