//! Renders what `fsck` found, and what it did about it.

use super::{Rendered, clean, count, store_line};
use crate::upkeep::fsck::FsckReport;

/// Findings that are listed in text; the JSON has all of them.
const SHOWN: usize = 50;

/// Renders the report of `fsck`. It is "found" when nothing is wrong.
pub fn fsck(report: &FsckReport) -> Rendered<&FsckReport> {
    let mut text = String::new();
    for finding in report.findings.iter().take(SHOWN) {
        text += &format!("{}\n", clean::whole(finding));
    }
    if report.findings.len() > SHOWN {
        text += &format!("... and {} more\n", report.findings.len() - SHOWN);
    }
    text += &format!(
        "checked: {}, {}",
        count(report.segments as u64, "segment"),
        count(report.documents as u64, "document")
    );
    if report.rederived > 0 {
        text += &format!(", {} of them extracted again", report.rederived);
    }
    text.push('\n');
    match &report.mended {
        _ if report.is_sound => text += "nothing is wrong\n",
        Some(mended) => {
            text += &format!(
                "mended: {} dropped, {} extracted again\n",
                count(mended.segments_dropped as u64, "segment"),
                count(mended.documents_extracted as u64, "document")
            );
            for id in &mended.stuck {
                text += &format!(
                    "object {id} is damaged and still needed; take it out of the object store \
                     or fetch it again\n"
                );
            }
            text += &store_line(&report.index);
        }
        None => text += "nothing was mended\n",
    }
    Rendered::of(text, report).found(report.is_sound)
}
