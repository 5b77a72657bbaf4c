//! Renders what `trace` reports.

use super::{Rendered, clean, count, named};
use crate::upkeep::trace::ImportReport;
use crate::upkeep::trace::show::{FileTrace, Shown};

/// Renders the report of `trace import`; having recorded nothing counts as nothing found.
pub fn import(report: &ImportReport) -> Rendered<&ImportReport> {
    let mut text = String::new();
    for one in &report.reports {
        text += &format!(
            "{}: {}, {} of {} found\n",
            clean::line(&one.report, 200),
            one.format.label(),
            one.matched,
            count(one.files as u64, "file")
        );
    }
    let verb = if report.imports.dry_run {
        "would record"
    } else {
        "recorded"
    };
    text += &format!(
        "{verb} {}: {} of {} ran; {} new, {} with more than before\n",
        count(report.imports.blobs as u64, "blob"),
        report.executed,
        count(report.executable as u64, "line"),
        report.imports.added,
        report.imports.extended
    );
    text += &named("not in this tree", &report.imports.unmatched);
    text += &named("could be several files", &report.imports.ambiguous);
    text += &named("shorter than reported, so left out", &report.outdated);
    Rendered::of(text, report).found(report.imports.blobs > 0)
}

/// Renders the answer of `trace show`.
pub fn show(shown: &Shown) -> Rendered<&Shown> {
    Rendered::of(shown.files.iter().map(file).collect(), shown).found(!shown.files.is_empty())
}

fn file(file: &FileTrace) -> String {
    let mut text = match &file.lines {
        Some(lines) => format!(
            "{}: {} of {} ran: {}\n",
            clean::path(&file.path.to_string()),
            lines.executed().len(),
            count(lines.executable().len() as u64, "line"),
            lines.executed()
        ),
        None => format!(
            "{}: changed since it was traced\n",
            clean::path(&file.path.to_string())
        ),
    };
    for function in &file.functions {
        text += &format!(
            "  {}-{} {}: {}\n",
            function.first,
            function.last,
            clean::line(&function.name, 200),
            function.ran.label()
        );
    }
    text
}
