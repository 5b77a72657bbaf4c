//! Renders what `doctor` saw: a line a check.

use super::{Rendered, clean, count};
use crate::upkeep::doctor::{Check, Level};
use serde::Serialize;

/// Report of `doctor`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Examined<'a> {
    /// Whether there is no problem.
    healthy: bool,
    /// What was looked at, in order.
    checks: &'a [Check],
}

/// Renders all checks; found means healthy.
pub fn doctor(checks: &[Check]) -> Rendered<Examined<'_>> {
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
    Rendered {
        text,
        wire: Examined {
            healthy: problems == 0,
            checks,
        },
        found: problems == 0,
    }
}
