//! Renders what `gc` reports.

use super::{Rendered, bytes, count, size};
use crate::upkeep::collect::GcReport;

/// Renders the report of `gc`.
pub fn gc(report: &GcReport) -> Rendered<&GcReport> {
    let dropped = count(report.documents_dropped as u64, "document");
    let dropped = match report.traces_dropped {
        0 => dropped,
        n => format!("{dropped} and {}", count(n as u64, "trace")),
    };
    let dropped = match report.facts_dropped {
        0 => dropped,
        n => format!("{dropped} and the facts of {}", count(n as u64, "blob")),
    };
    let dropped = match report.commits_dropped {
        0 => dropped,
        n => format!("{dropped} and the log of {}", count(n as u64, "commit")),
    };
    let text = if report.dry_run {
        format!(
            "now: {}\n{dropped} would be dropped\n",
            size(&report.before)
        )
    } else {
        format!(
            "before: {}\nafter: {}\n{dropped} dropped, {} of files freed\n",
            size(&report.before),
            size(&report.after),
            bytes(report.bytes_freed)
        )
    };
    Rendered::of(text, report)
}
