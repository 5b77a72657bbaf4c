//! Renders what `trust` reports.

use crate::render::{Rendered, clean};
use crate::upkeep::trust::{TrustReport, Trusted, Wish};
use serde::Serialize;

/// Report of `trust`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Consent {
    /// The repository's common directory.
    pub repository: String,
    /// Whether the lines are in effect from now on.
    pub trusted: bool,
    /// Whether that was otherwise before.
    pub changed: bool,
    /// The lines that need consent.
    pub lines: Vec<Needing>,
}

/// A line that needs consent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Needing {
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: String,
    /// What it is good for.
    pub purpose: &'static str,
}

/// Report of `trust --list`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Consents {
    /// The repositories, by their directory.
    pub repositories: Vec<Consented>,
}

/// A repository that the user has consented to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Consented {
    /// Its common directory.
    pub repository: String,
    /// The lines as they were shown.
    pub lines: Vec<String>,
}

/// Renders the lines, and what became of them. Nothing that needs consent, or none to take back, counts
/// as not found.
pub fn trust(report: &TrustReport, wish: Wish) -> Rendered<Consent> {
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
    let lines = report.lines.iter().map(|line| Needing {
        key: line.key.clone(),
        value: line.value.clone(),
        purpose: line.purpose,
    });
    Rendered {
        text,
        wire: Consent {
            repository: report.dir.clone(),
            trusted: report.trusted,
            changed: report.changed,
            lines: lines.collect(),
        },
        found: match wish {
            Wish::Revoke => report.changed,
            Wish::Give | Wish::Look => !report.lines.is_empty(),
        },
    }
}

/// Renders the repositories that the user has consented to; none count as not found.
pub fn list(trusted: &[Trusted]) -> Rendered<Consents> {
    let mut text = String::new();
    for one in trusted {
        text += &format!("{}\n", clean::whole(&one.dir));
        for line in &one.lines {
            text += &format!("\t{}\n", clean::whole(line));
        }
    }
    let repositories = trusted.iter().map(|one| Consented {
        repository: one.dir.clone(),
        lines: one.lines.clone(),
    });
    Rendered {
        text,
        wire: Consents {
            repositories: repositories.collect(),
        },
        found: !trusted.is_empty(),
    }
}
