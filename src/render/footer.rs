//! The one line every answer ends with: the state it speaks from, how much of the answer is
//! shown, what may be missing, and how to get the rest.
//!
//! `index 3fce3b5b9d+2 dirty | shown 6 of 57 | next: limit=20`. The commit named here makes every
//! `path:start-end` above it citable as `path:start-end@<commit>`.

use super::tokens;
use super::{clean, count};
use crate::query::affected::Extent;
use crate::query::state::Stamp;

/// Most words or names listed in a remark.
const MAX_LISTED: usize = 8;
/// Most warnings written out; the others are counted.
const MAX_WARNINGS: usize = 2;

/// A footer under construction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Footer {
    state: String,
    /// How many items are shown of how many.
    pub(crate) counts: (usize, usize),
    /// Whether there may be more, which nobody counted.
    is_at_least: bool,
    /// How many come before them.
    offset: usize,
    remarks: Vec<String>,
    trouble: Vec<String>,
    next: Option<String>,
}

impl Footer {
    /// Returns the footer of an answer of which `shown` of `total` items are shown.
    pub fn new(stamp: &Stamp, shown: usize, total: usize) -> Self {
        let mut trouble = Vec::new();
        let files = stamp.uncovered.saturating_sub(stamp.outside);
        if files > 0 {
            trouble.push(format!("{} not covered", count(files as u64, "file")));
        }
        if stamp.outside > 0 {
            let folders = count(stamp.outside as u64, "folder");
            trouble.push(format!(
                "{folders} outside of the sparse checkout left out: at HEAD asks about all"
            ));
        }
        for warning in stamp.warnings.iter().take(MAX_WARNINGS) {
            trouble.push(format!(
                "warning: {}",
                clean::line(warning, clean::MAX_LINE_CHARS)
            ));
        }
        if stamp.warnings.len() > MAX_WARNINGS {
            trouble.push(count(
                (stamp.warnings.len() - MAX_WARNINGS) as u64,
                "more warning",
            ));
        }
        Self {
            state: state(stamp),
            counts: (shown, total),
            is_at_least: false,
            offset: 0,
            remarks: Vec::new(),
            trouble,
            next: None,
        }
    }

    /// Says that so many items come before those shown.
    pub fn after(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// Says that the items were not counted to the last.
    pub fn at_least(mut self) -> Self {
        self.is_at_least = true;
        self
    }

    /// How many items are shown, and which.
    fn shown(&self) -> String {
        let (shown, total) = self.counts;
        let total = match self.is_at_least {
            true => format!("{total} or more"),
            false => total.to_string(),
        };
        match self.offset {
            0 => format!("shown {shown} of {total}"),
            offset if shown == 0 => format!("shown 0 of {total} after {offset}"),
            offset => format!("shown {}-{} of {total}", offset + 1, offset + shown),
        }
    }

    /// Adds a remark.
    pub fn remark(mut self, text: impl Into<String>) -> Self {
        self.remarks.push(text.into());
        self
    }

    /// Says how far the change reaches that the question was limited to, if it was.
    pub fn within(self, extent: Option<&Extent>) -> Self {
        let Some(extent) = extent else {
            return self;
        };
        let changed = count(extent.changed as u64, "file");
        let dependents = count(extent.dependents as u64, "file");
        let chosen = clean::line(&extent.chosen, clean::MAX_LINE_CHARS);
        let since = match &extent.since {
            Some(since) if *since == chosen => chosen,
            Some(since) => format!("{since} ({chosen})"),
            None => format!("nothing ({chosen})"),
        };
        self.remark(format!(
            "within {changed} changed since {since} and {dependents} that depend on them"
        ))
    }

    /// Adds a remark that lists names, unless there are none.
    pub fn list(self, label: &str, names: &[impl AsRef<str>]) -> Self {
        if names.is_empty() {
            return self;
        }
        let listed: Vec<String> = names
            .iter()
            .take(MAX_LISTED)
            .map(|n| clean::word(&clean::line(n.as_ref(), 40)))
            .collect();
        let more = if names.len() > MAX_LISTED {
            ", …"
        } else {
            ""
        };
        self.remark(format!("{label}: {}{more}", listed.join(", ")))
    }

    /// Says how to get the rest.
    pub fn next(mut self, advice: Option<String>) -> Self {
        self.next = advice;
        self
    }

    /// Returns the advice on how to get the rest.
    pub fn advice(&self) -> Option<String> {
        self.next.clone()
    }

    /// Returns the head of one of several answers, newline included: the target it is of, and what its
    /// footer has to say that the footer of all does not.
    pub fn head(&self, target: &str, of_all: &str) -> String {
        let mut line = format!("== {}", clean::line(target, clean::MAX_LINE_CHARS));
        let (shown, total) = self.counts;
        let counts = (shown < total || total == 0).then(|| self.shown());
        let is_other = self.state != of_all;
        let state = is_other.then(|| self.state.clone());
        let trouble = self.trouble.iter().filter(|_| is_other).cloned();
        let said = state
            .into_iter()
            .chain(counts)
            .chain(self.remarks.iter().cloned());
        for part in said.chain(trouble) {
            line.push_str(" | ");
            line.push_str(&part);
        }
        line.push('\n');
        line
    }

    /// Returns the line, newline included. State and count always stand; the rest is left out,
    /// least important first, where `room` (in the unit of [`tokens::cost`]) does not pay for it.
    pub fn line(&self, room: u64) -> String {
        let next = self.next.as_ref().map(|n| format!("next: {n}"));
        // In order of importance: what may be wrong, how to go on, remarks.
        let wanted: Vec<&String> = self
            .trouble
            .iter()
            .chain(&next)
            .chain(&self.remarks)
            .collect();
        let mut keep = wanted.len();
        loop {
            let kept = &wanted[..keep];
            let has = |part: &&String| kept.iter().any(|k| std::ptr::eq(*k, *part));
            let mut line = format!("{} | {}", self.state, self.shown());
            for part in self
                .remarks
                .iter()
                .chain(&self.trouble)
                .chain(&next)
                .filter(has)
            {
                line.push_str(" | ");
                line.push_str(part);
            }
            line.push('\n');
            if keep == 0 || tokens::cost(&line) <= room {
                return line;
            }
            keep -= 1;
        }
    }
}

/// Returns the state as shown: `index <commit>[+N dirty]`.
pub fn state(stamp: &Stamp) -> String {
    let commit = stamp
        .commit
        .map_or_else(|| "(no commits)".to_owned(), |c| c.short());
    match stamp.dirty {
        0 => format!("index {commit}"),
        n => format!("index {commit}+{n} dirty"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    #[test]
    fn a_footer_is_one_line_in_a_fixed_order() {
        let mut stamp = samples::stamp();
        stamp.uncovered = 3;
        stamp.warnings = vec!["segment 12ab is\ndamaged".into(), "b".into(), "c".into()];
        let footer = Footer::new(&stamp, 2, 9)
            .remark("searched 4 files")
            .next(Some("limit=9".into()));
        assert_eq!(
            footer.line(u64::MAX),
            "index 3fce3b5b9d+2 dirty | shown 2 of 9 | searched 4 files | 3 files not covered | \
             warning: segment 12ab is␊damaged | warning: b | 1 more warning | next: limit=9\n"
        );
        assert_eq!(footer.line(0), "index 3fce3b5b9d+2 dirty | shown 2 of 9\n");
        assert_eq!(state(&Stamp::default()), "index (no commits)");
    }

    #[test]
    fn lists_are_cut() {
        let names: Vec<String> = (0..20).map(|i| format!("n{i}")).collect();
        let line = Footer::new(&Stamp::default(), 0, 0)
            .list("similar", &names)
            .line(u64::MAX);
        assert!(
            line.ends_with("| similar: n0, n1, n2, n3, n4, n5, n6, n7, …\n"),
            "{line}"
        );
    }
}
