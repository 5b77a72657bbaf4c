//! What a definition consists of, and what a change did to it, so that any other version of it can be held against
//! both sides.
//!
//! A body is the set of its runs of three tokens, each with the number of times that it came before: two checks of
//! one kind are more than one. What the change added and what it took away are differences of such sets, and what
//! counts of another version is how much of each it has: code that changed elsewhere in between says nothing.

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::Xxh3;

/// Tokens in one run.
const RUN: usize = 3;
/// Share of what a change added, or took away, from which on a version has it.
const MOST: f64 = 0.5;
/// So much more must a version that does not have the change behind it have of what was taken away than of what was
/// added: that it is not fixed is what one would expect.
const MIN_MORE: f64 = 0.2;
/// Shares that count where history says the opposite.
const NEARLY_ALL: f64 = 0.8;
const NEARLY_NONE: f64 = 0.1;
/// Least likeness of a version that has neither, to be one that lacks what the change added.
const MIN_ALIKE: f64 = 0.35;
/// So much more must a change have added than taken away, for it to be what a version lacks.
const MOSTLY_ADDED: usize = 2;
/// Runs on both sides of a change that are the place of it, and the least share of them by which a version has it.
const AROUND: usize = 12;
const MIN_AROUND: f64 = 0.3;
/// Runs that are too few to contradict history.
const MIN_TELLING: usize = 4;

/// The tokens of a definition, ready to be compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// Stands for all of them in order.
    pub digest: u64,
    /// Its runs in order.
    order: Vec<u64>,
    runs: FxHashSet<u64>,
}

impl Body {
    /// The body of some tokens.
    pub fn of(tokens: &[u64]) -> Self {
        let mut whole = Xxh3::new();
        for token in tokens {
            whole.update(&token.to_le_bytes());
        }
        let mut counts: FxHashMap<u64, u64> = FxHashMap::default();
        let mut order = Vec::with_capacity(tokens.len());
        for run in tokens.windows(RUN.min(tokens.len()).max(1)) {
            let run = run.iter().fold(0, mix);
            let count = counts.entry(run).or_default();
            order.push(mix(run, count));
            *count += 1;
        }
        Self {
            digest: whole.digest(),
            runs: order.iter().copied().collect(),
            order,
        }
    }

    /// How alike two bodies are, from 0 to 1.
    pub fn likeness(&self, other: &Self) -> f64 {
        if self.digest == other.digest {
            return 1.0;
        }
        let both = self.runs.intersection(&other.runs).count();
        match self.runs.len() + other.runs.len() {
            0 => 0.0,
            all => 2.0 * both as f64 / all as f64,
        }
    }

    /// Share of some runs that it has.
    fn share(&self, runs: &FxHashSet<u64>) -> f64 {
        match runs.len() {
            0 => 0.0,
            all => self.runs.intersection(runs).count() as f64 / all as f64,
        }
    }
}

fn mix(sum: u64, token: &u64) -> u64 {
    (sum.rotate_left(21) ^ token).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What a change did to one definition.
#[derive(Clone, Debug)]
pub struct Difference {
    before: Body,
    after: Body,
    added: FxHashSet<u64>,
    removed: FxHashSet<u64>,
    /// What stands around what changed, as it was.
    around: FxHashSet<u64>,
}

/// Which side of a change a version of a definition is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// It is as before, token for token.
    Before,
    /// It has what was taken away, or lacks what was added where that was added.
    LikeBefore,
    /// It lacks what was added, and the place where that was added is another.
    Lacking,
    /// It is as after, token for token.
    After,
    /// It has what was added.
    LikeAfter,
    /// It is too different to tell, and has the change behind it.
    Later,
    /// It is too different to tell.
    Neither,
}

impl Difference {
    /// Compares both sides.
    pub fn of(before: Body, after: Body) -> Self {
        let removed: FxHashSet<u64> = before.runs.difference(&after.runs).copied().collect();
        let mut around = FxHashSet::default();
        for (at, run) in before.order.iter().enumerate() {
            if removed.contains(run) {
                let end = (at + AROUND).min(before.order.len());
                around.extend(&before.order[at.saturating_sub(AROUND)..end]);
            }
        }
        Self {
            added: after.runs.difference(&before.runs).copied().collect(),
            removed,
            around,
            before,
            after,
        }
    }

    /// How much changed.
    pub fn size(&self) -> usize {
        self.added.len() + self.removed.len()
    }

    /// How much a side says, where a version is so much like it: what changed most, and is known best.
    pub fn weight(&self, body: &Body, side: Side) -> f64 {
        let likeness = match side {
            Side::Before | Side::LikeBefore | Side::Lacking => body.likeness(&self.before),
            Side::After | Side::LikeAfter | Side::Later => body.likeness(&self.after),
            Side::Neither => 0.0,
        };
        self.size() as f64 * likeness
    }

    /// How alike a version is to the nearer side.
    pub fn likeness(&self, body: &Body) -> f64 {
        body.likeness(&self.before).max(body.likeness(&self.after))
    }

    /// Says on which side a version is. `holds` says whether the change is in its history, where that is known.
    pub fn side(&self, body: &Body, holds: Option<bool>) -> Side {
        if body.digest == self.after.digest {
            return Side::After;
        }
        if body.digest == self.before.digest {
            return Side::Before;
        }
        let (added, removed) = (body.share(&self.added), body.share(&self.removed));
        if holds == Some(true) {
            let is_undone =
                removed >= NEARLY_ALL && added <= NEARLY_NONE && self.removed.len() >= MIN_TELLING;
            return match () {
                () if is_undone => Side::LikeBefore,
                () if added >= MOST && added >= removed => Side::LikeAfter,
                () => Side::Later,
            };
        }
        let is_mostly_added = self.added.len() >= MOSTLY_ADDED * self.removed.len();
        let has_place = self.around.is_empty() || body.share(&self.around) >= MIN_AROUND;
        match () {
            () if added >= MOST && added > removed => match body.likeness(&self.after) {
                alike if alike >= MIN_ALIKE => Side::LikeAfter,
                _ => Side::Neither,
            },
            () if removed >= MOST || removed - added >= MIN_MORE => Side::LikeBefore,
            // What only took away leaves nothing that it could be known by.
            () if self.added.is_empty() && body.likeness(&self.after) >= MIN_ALIKE => {
                Side::LikeAfter
            }
            () if is_mostly_added && body.likeness(&self.before) >= MIN_ALIKE => match has_place {
                true => Side::LikeBefore,
                false => Side::Lacking,
            },
            () => Side::Neither,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> Body {
        let tokens = text.split_whitespace();
        let tokens: Vec<u64> = tokens
            .map(|word| xxhash_rust::xxh3::xxh3_64(word.as_bytes()))
            .collect();
        Body::of(&tokens)
    }

    const BEFORE: &str = "f ( a ) { x = read ( a ) ; y = x + 1 ; return use ( y ) }";
    const AFTER: &str = "f ( a ) { x = read ( a ) ; if ( x > LIMIT ) { return none } y = x + 1 ; return use ( y ) }";

    fn side(of: &str, holds: Option<bool>) -> Side {
        Difference::of(body(BEFORE), body(AFTER)).side(&body(of), holds)
    }

    #[test]
    fn a_version_is_on_the_side_that_it_has_the_tokens_of() {
        assert_eq!(side(BEFORE, None), Side::Before);
        assert_eq!(side(AFTER, Some(false)), Side::After);
        // Fixed elsewhere, and changed beside it.
        let other = AFTER.replace("use", "take").replace("+ 1", "+ 2");
        assert_eq!(side(&other, Some(false)), Side::LikeAfter);
        let older = BEFORE.replace("use", "take");
        assert_eq!(side(&older, Some(false)), Side::LikeBefore);
        // Its neighbourhood is another, and the check is not there.
        let older = BEFORE.replace("( a ) ;", "( a , b ) , z ;");
        assert_eq!(side(&older, Some(false)), Side::LikeBefore);
        assert_eq!(
            side("g ( ) { while ( 1 ) { } }", Some(false)),
            Side::Neither
        );
        assert_eq!(side("g ( ) { while ( 1 ) { } }", Some(true)), Side::Later);
        // What was taken back is told even where the change is in its history.
        assert_eq!(side(BEFORE, Some(true)), Side::Before);
    }

    #[test]
    fn a_second_time_counts() {
        let (one, two) = (
            body("a ( b ) ; a ( b ) ;"),
            body("a ( b ) ; a ( b ) ; a ( b ) ;"),
        );
        let change = Difference::of(one.clone(), two.clone());
        assert!(change.size() > 0);
        assert_eq!(change.side(&two, None), Side::After);
        assert!(one.likeness(&two) < 1.0 && one.likeness(&one) == 1.0);
        assert_eq!(body("").likeness(&body("")), 1.0);
        assert!(body("a").likeness(&body("b")) == 0.0);
    }
}
