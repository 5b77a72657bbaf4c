//! Renders what `doctor` saw: a line a check.

use super::{Rendered, clean, count};
use crate::upkeep::doctor::{Check, Level};
use serde::Serialize;

/// Report of `doctor`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Examined {
    /// Whether there is no problem.
    pub healthy: bool,
    /// What was looked at, in order.
    pub checks: Vec<Looked>,
}

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Looked {
    /// What.
    pub subject: &'static str,
    /// `ok`, `note` or `problem`.
    pub level: &'static str,
    /// What was seen.
    pub seen: String,
    /// What mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

/// Renders all checks; found means healthy.
pub fn doctor(checks: &[Check]) -> Rendered<Examined> {
    let mut text = String::new();
    for check in checks {
        let seen = clean::whole(&check.seen);
        text += &format!("{:<8} {:<11} {seen}", check.level.label(), check.subject);
        if let Some(mend) = &check.mend {
            text += &format!("  (mend: {})", clean::whole(mend));
        }
        text.push('\n');
    }
    let problems = checks.iter().filter(|c| c.level == Level::Problem).count();
    text += &match problems {
        0 => "healthy\n".to_owned(),
        n => format!("{}\n", count(n as u64, "problem")),
    };
    let looked = checks.iter().map(|check| Looked {
        subject: check.subject,
        level: check.level.label(),
        seen: check.seen.clone(),
        mend: check.mend.clone(),
    });
    Rendered {
        text,
        wire: Examined {
            healthy: problems == 0,
            checks: looked.collect(),
        },
        found: problems == 0,
    }
}
