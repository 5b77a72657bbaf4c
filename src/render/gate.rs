//! Renders answers of `gate`: each import that may not pass, as compilers name places.

use super::audit::arrow;
use super::wire::audit::{Gate, Import, NewCycle, NewHub};
use super::{Rendered, clean, count, footer, wire};
use crate::query::gate::GateAnswer;

/// Imports of one file that are listed.
const MAX_LISTED: usize = 20;

/// Renders an answer of `gate`. Everything is shown: somebody has to mend it.
pub fn render(answer: &GateAnswer) -> Rendered<Gate> {
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
    let wire = Gate {
        index: wire::Index::new(&answer.stamp),
        passes: answer.passes(),
        base: answer.base.clone(),
        chosen: answer.chosen.clone(),
        max_fan_in: answer.max_fan_in,
        cycles: answer.cycles.iter().map(wire_cycle).collect(),
        hubs: answer.hubs.iter().map(wire_hub).collect(),
        known_cycles: answer.known_cycles,
        files: answer.files,
    };
    Rendered {
        text,
        wire,
        found: answer.passes(),
    }
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
    for warning in &answer.stamp.warnings {
        parts.push(format!(
            "warning: {}",
            clean::line(warning, clean::MAX_LINE_CHARS)
        ));
    }
    parts.join(" | ") + "\n"
}

fn wire_cycle(new: &crate::query::gate::NewCycle) -> NewCycle {
    NewCycle {
        import: Import {
            path: new.import.from.path.clone(),
            line: new.import.from.line,
            imports: new.import.to.clone(),
        },
        cycle: Import::list(&new.cycle),
    }
}

fn wire_hub(new: &crate::query::gate::NewHub) -> NewHub {
    NewHub {
        path: new.path.clone(),
        before: new.before,
        now: new.now,
        imports: Import::list(&new.imports),
    }
}
