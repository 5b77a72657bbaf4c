//! Is it known whether anything uses a definition? As many dead ones are asked about as living ones,
//! where there are.

use super::ask::{Asked, Use};
use super::misses::Misses;
use super::references::grep_elsewhere;
use super::truth::{Truth, Uses};
use crate::Result;
use crate::subject::Subject;

/// Decisions that were right and wrong.
#[derive(Clone, Copy, Default)]
pub struct Decisions {
    /// Right decisions of the program, when whatever it tells of counts.
    pub right: usize,
    /// Right ones when only what it resolved or inferred counts.
    pub sure: usize,
    /// Right decisions of the word grep.
    pub grep: usize,
    /// All of them.
    pub all: usize,
}

/// Decides about each definition: it is alive when anything outside of it uses it, for sure or perhaps.
pub fn score(
    asked: &mut Asked<'_>,
    subject: &Subject,
    truth: &Truth,
    misses: &mut Misses,
) -> Result<Decisions> {
    let mut decisions = Decisions::default();
    for of in &truth.uses {
        let own = |path: &str, line: u32| {
            let mut spans = of.spans.iter();
            path == of.path && spans.any(|(start, end)| (*start..=*end).contains(&line))
        };
        let uses = uses(asked, of, own)?;
        let alive = !uses.is_empty();
        let surely = uses.iter().any(|of| of.certainty != "ambiguous");
        let in_words = grep_elsewhere(subject, truth, &of.name, own)?;
        decisions.all += 1;
        decisions.right += usize::from(alive == of.alive);
        decisions.sure += usize::from(surely == of.alive);
        decisions.grep += usize::from(in_words == of.alive);
        if alive != of.alive {
            let source = std::fs::read(subject.dir.join(&of.path))?;
            let what = if alive {
                "dead, told alive"
            } else {
                "alive, told dead"
            };
            misses.decision(what, &of.path, of.line, &of.kind, &of.name, &source);
        }
    }
    Ok(decisions)
}

/// Uses outside of the definition, without those that are merely spelled alike.
fn uses(asked: &mut Asked<'_>, of: &Uses, own: impl Fn(&str, u32) -> bool) -> Result<Vec<Use>> {
    let mut all = Vec::new();
    for (start, _) in &of.spans {
        all.extend(asked.uses(&of.path, *start, &of.name)?.unwrap_or_default());
    }
    all.retain(|of| of.certainty != "text" && !own(&of.path, of.line));
    Ok(all)
}
