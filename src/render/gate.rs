//! Renders answers of `gate`: each import that may not pass, as compilers name places.

use super::audit::arrow;
use super::upkeep::skip_list;
use super::{Rendered, clean, count, footer};
use crate::query::gate::GateAnswer;

/// Imports of one file that are listed.
const MAX_LISTED: usize = 20;

/// Renders an answer of `gate`. Everything is shown: somebody has to mend it.
pub fn render(answer: &GateAnswer) -> Rendered<&GateAnswer> {
    let mut text = String::new();
    for new in &answer.cycles {
        let import = &new.import;
        text.push_str(&format!(
            "{}:{}: new import cycle: imports {}\n",
            clean::path(&import.from.path),
            import.from.line,
            clean::path(&import.to)
        ));
        for edge in &new.cycle {
            text.push_str(&format!("  {}\n", arrow(edge)));
        }
    }
    for hub in &answer.hubs {
        let limit = answer.max_fan_in.unwrap_or_default();
        text.push_str(&format!(
            "{}: imported by {}, {} before, limit {limit}\n",
            clean::path(&hub.path),
            count(hub.now, "file"),
            hub.before
        ));
        for edge in hub.imports.iter().take(MAX_LISTED) {
            text.push_str(&format!("  {}\n", arrow(edge)));
        }
        if let Some(more) = hub.imports.len().checked_sub(MAX_LISTED + 1) {
            text.push_str(&format!("  and {} more\n", more + 1));
        }
    }
    text.push_str(&summary(answer));
    Rendered::of(text, answer).found(answer.passes)
}

/// The last line: what was judged, against what, and the outcome.
fn summary(answer: &GateAnswer) -> String {
    let chosen = clean::whole(&answer.chosen);
    let base = match &answer.base {
        Some(base) if *base == chosen => base.clone(),
        Some(base) => format!("{base} ({chosen})"),
        None => format!("nothing ({chosen})"),
    };
    let mut parts = vec![
        footer::state(&answer.stamp),
        format!("against {base}"),
        format!("searched {}", count(answer.files as u64, "file")),
        count(answer.cycles.len() as u64, "new cycle"),
    ];
    if answer.max_fan_in.is_some() {
        parts.push(format!(
            "{} over the limit",
            count(answer.hubs.len() as u64, "file")
        ));
    }
    if answer.known_cycles > 0 {
        parts.push(format!(
            "{} before",
            count(answer.known_cycles as u64, "cycle")
        ));
    }
    if answer.stamp.uncovered > 0 {
        parts.push(format!(
            "{} not covered",
            count(answer.stamp.uncovered as u64, "file")
        ));
    }
    if answer.unread > 0 {
        parts.push(format!("not read {}", skip_list(&answer.unread_reasons)));
    }
    for warning in &answer.stamp.warnings {
        parts.push(format!(
            "warning: {}",
            clean::line(warning, clean::MAX_LINE_CHARS)
        ));
    }
    if answer.passes && !answer.is_whole() {
        parts.push("passes as far as was looked".to_owned());
    }
    parts.join(" | ") + "\n"
}
