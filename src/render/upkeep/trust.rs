//! Renders what `trust` reports.

use crate::render::{Rendered, clean};
use crate::upkeep::trust::{TrustReport, Trusted, Wish};
use serde::Serialize;

/// Report of `trust --list`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Consents<'a> {
    /// The repositories, by their directory.
    repositories: &'a [Trusted],
}

/// Renders the lines, and what became of them. Nothing that needs consent, or none to take back, counts
/// as not found.
pub fn trust(report: &TrustReport, wish: Wish) -> Rendered<&TrustReport> {
    let line = |line: &crate::upkeep::trust::Line| {
        let (key, value) = (clean::whole(&line.key), clean::whole(&line.value));
        format!("{:<8} {key} = {value}\n", line.purpose)
    };
    let mut text: String = report.lines.iter().map(line).collect();
    let dir = clean::whole(&report.dir);
    text += &match (wish, report.lines.is_empty(), report.trusted) {
        (Wish::Revoke, ..) if report.changed => format!("not in effect any more: {dir}\n"),
        (Wish::Revoke, ..) => format!("there was no consent for {dir}\n"),
        (_, true, _) => {
            "this repository's own configuration names nothing that needs consent\n".into()
        }
        (_, _, true) => format!("in effect, until a line changes, for {dir}\n"),
        (_, _, false) => "not in effect; `git sverklo trust` puts all of it into effect\n".into(),
    };
    Rendered {
        text,
        wire: report,
        found: match wish {
            Wish::Revoke => report.changed,
            Wish::Give | Wish::Look => !report.lines.is_empty(),
        },
    }
}

/// Renders the repositories that the user has consented to; none count as not found.
pub fn list(trusted: &[Trusted]) -> Rendered<Consents<'_>> {
    let mut text = String::new();
    for one in trusted {
        text += &format!("{}\n", clean::whole(&one.dir));
        for line in &one.lines {
            text += &format!("\t{}\n", clean::whole(line));
        }
    }
    Rendered {
        text,
        wire: Consents {
            repositories: trusted,
        },
        found: !trusted.is_empty(),
    }
}
