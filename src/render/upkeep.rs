//! Renders what the commands of upkeep report. These are short; no budget applies.

pub mod facts;
pub mod forget;
pub mod fsck;
pub mod gc;
pub mod model;
pub mod status;
pub mod trace;
pub mod trust;

use super::{Rendered, clean, count};
use crate::query::state::{IndexState, Skipped};
use crate::upkeep::cover::IndexReport;
use std::fmt::Display;

/// Most paths that are named of those that were not found.
const MAX_NAMED: usize = 8;

/// Returns a number of bytes as people read it: three digits and a unit.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut tenths = u128::from(n) * 10;
    while tenths >= 10 * 1024 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    match unit {
        0 => format!("{n} B"),
        _ if tenths >= 1000 => format!("{} {}", tenths / 10, UNITS[unit]),
        _ => format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit]),
    }
}

/// Returns a line that counts paths and names the first; nothing for none.
fn named<T: Display>(what: &str, paths: &[T]) -> String {
    if paths.is_empty() {
        return String::new();
    }
    let shown = paths.iter().take(MAX_NAMED);
    let shown: Vec<String> = shown
        .map(|path| clean::line(&path.to_string(), 200))
        .collect();
    let more = match paths.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    format!(
        "{what}: {}: {}{more}\n",
        count(paths.len() as u64, "path"),
        shown.join(", ")
    )
}

/// Returns skip counts as one line of text.
pub(super) fn skip_list(counts: &[Skipped]) -> String {
    let counts = counts
        .iter()
        .map(|one| format!("{} {}", one.files, one.reason));
    counts.collect::<Vec<String>>().join(", ")
}

/// Returns the line that describes the stored index.
pub(super) fn store_line(state: &IndexState) -> String {
    match &state.tip {
        Some(tip) => format!("stored: {} in {tip}\n", size(state)),
        None => "stored: nothing yet\n".to_owned(),
    }
}

fn size(state: &IndexState) -> String {
    let documents = count(state.documents as u64, "document");
    let segments = count(state.segments as u64, "segment");
    format!("{documents}, {segments}, {}", bytes(state.bytes))
}

/// Renders the report of `index`.
pub fn index(report: &IndexReport) -> Rendered<&IndexReport> {
    let commits: Vec<String> = report.commits.iter().map(|c| c.short()).collect();
    let mut text = format!(
        "{} added of {} needed ({} of source)\n",
        count(report.documents_added as u64, "document"),
        report.documents_needed,
        bytes(report.source_bytes)
    );
    text += &match commits.as_slice() {
        [] => format!(
            "covered: {}\n",
            count(report.commits_total as u64, "commit")
        ),
        few => format!("covered: {}\n", few.join(" ")),
    };
    if !report.skipped.is_empty() {
        text += &format!("not extracted: {}\n", skip_list(&report.skipped));
    }
    text += &store_line(&report.index);
    Rendered::of(text, report)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_have_three_digits_at_most() {
        let shown: Vec<String> = [0, 1023, 1024, 102_399, 102_400, 5 << 20, u64::MAX]
            .into_iter()
            .map(bytes)
            .collect();
        assert_eq!(
            shown,
            *phrases!("0 B, 1023 B, 1.0 KiB, 99.9 KiB, 100 KiB, 5.0 MiB, 16777215 TiB")
        );
    }
}
