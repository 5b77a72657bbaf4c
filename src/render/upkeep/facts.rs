//! Renders what `facts` reports.

use super::{Rendered, clean, count, named};
use crate::upkeep::facts::ImportReport;
use crate::upkeep::facts::show::{DropReport, Shown};

/// Renders the report of `facts import`; having recorded nothing counts as nothing found.
pub fn import(report: &ImportReport) -> Rendered<&ImportReport> {
    let mut text = String::new();
    for one in &report.indexes {
        text += &format!(
            "{}: {}, {} of {} taken\n",
            clean::line(&one.index, 200),
            clean::line(&one.tool, 80),
            one.taken,
            count(one.documents as u64, "document")
        );
    }
    let verb = if report.imports.dry_run {
        "would record"
    } else {
        "recorded"
    };
    text += &format!(
        "{verb} {}: {}, {}; {} new, {} with more than before\n",
        count(report.imports.blobs as u64, "blob"),
        count(report.definitions as u64, "definition"),
        count(report.uses as u64, "use"),
        report.imports.added,
        report.imports.extended
    );
    if report.left_out > 0 {
        text += &format!(
            "{} left out: another name stands there, or nothing defines the symbol\n",
            count(report.left_out as u64, "occurrence")
        );
    }
    text += &named("not in this tree", &report.imports.unmatched);
    text += &named("could be several files", &report.imports.ambiguous);
    text += &named("changed since HEAD, so set aside", &report.changed);
    text += &named("of another content, so set aside", &report.outdated);
    Rendered::of(text, report).found(report.imports.blobs > 0)
}

/// Renders the answer of `facts show`.
pub fn show(shown: &Shown) -> Rendered<&Shown> {
    let mut text = format!(
        "facts of {} of {}\n",
        shown.files.len(),
        count(shown.of as u64, "file")
    );
    for file in &shown.files {
        text += &format!(
            "{}: {}, {}\n",
            clean::path(&file.path.to_string()),
            count(file.definitions as u64, "definition"),
            count(file.uses as u64, "use")
        );
    }
    Rendered::of(text, shown).found(!shown.files.is_empty())
}

/// Renders the report of `facts drop`; having dropped nothing counts as nothing found.
pub fn dropped(report: &DropReport) -> Rendered<&DropReport> {
    let verb = if report.dry_run {
        "would drop"
    } else {
        "dropped"
    };
    let mut text = format!(
        "{verb} the facts of {}\n",
        count(report.blobs as u64, "blob")
    );
    if report.blobs > 0 && !report.dry_run {
        text += "who has them may bring them back by fetch; remotes keep theirs until 'git sverklo push'\n";
    }
    Rendered::of(text, report).found(report.blobs > 0)
}
