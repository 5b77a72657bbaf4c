//! How alike two definitions are: the Dice coefficient of the sets of runs of three tokens (Dice 1945), as clone
//! detectors compare code.

use crate::extract::record::SymbolKind::{self, *};
use crate::extract::terms;
use rustc_hash::FxHashSet;

/// Tokens in one run.
const RUN: usize = 3;

/// The runs of tokens that a definition has.
pub struct Runs(FxHashSet<u64>);

impl Runs {
    /// The runs of some tokens ([`super::units::Side::masked`]).
    pub fn of(tokens: &[u64]) -> Self {
        Self(tokens.windows(RUN).map(run).collect())
    }

    /// No runs, so that it is like nothing.
    pub fn none() -> Self {
        Self(FxHashSet::default())
    }

    /// Each of them once, in any order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied()
    }

    /// The most that [`Runs::dice`] can be, by the number of runs alone.
    pub fn most(&self, other: &Self) -> f64 {
        let (one, other) = (self.0.len(), other.0.len());
        2.0 * one.min(other) as f64 / (one + other).max(1) as f64
    }

    /// How alike two definitions are, from 0 to 1; 0 where neither has a run.
    pub fn dice(&self, other: &Self) -> f64 {
        let both = self.0.intersection(&other.0).count();
        match self.0.len() + other.0.len() {
            0 => 0.0,
            all => 2.0 * both as f64 / all as f64,
        }
    }
}

/// How alike two names are, from 0 to 1, by the words in them.
pub fn of_names(one: &[u8], other: &[u8]) -> f64 {
    let words = |name: &[u8]| -> FxHashSet<Vec<u8>> {
        let parts = terms::parts(name).map(|part| part.to_ascii_lowercase());
        parts.collect()
    };
    let (one, other) = (words(one), words(other));
    let both = one.intersection(&other).count();
    match one.len() + other.len() {
        0 => 0.0,
        all => 2.0 * both as f64 / all as f64,
    }
}

fn run(tokens: &[u64]) -> u64 {
    let mix =
        |sum: u64, token: &u64| (sum.rotate_left(21) ^ token).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    tokens.iter().fold(0, mix)
}

/// Kinds that turn into each other while a definition stays what it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// What is called.
    Callable,
    /// What values are of.
    Type,
    /// What holds a value.
    Value,
    /// Anything else.
    Other(SymbolKind),
}

impl Class {
    /// The class of a kind.
    pub fn of(kind: SymbolKind) -> Self {
        match kind {
            Function | Method | Constructor | Macro => Self::Callable,
            Class | Struct | Interface | Trait | Enum | Union | Type => Self::Type,
            Constant | Variable | Field => Self::Value,
            other => Self::Other(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn likeness_is_the_share_of_common_runs() {
        let (one, other) = (Runs::of(&[1, 2, 3, 4, 5]), Runs::of(&[1, 2, 3, 4, 6]));
        // Of three runs each, two are common.
        assert!((one.dice(&other) - 2.0 / 3.0).abs() < 1e-9);
        assert!(one.dice(&Runs::none()) == 0.0 && Runs::none().dice(&Runs::none()) == 0.0);
        assert!(Runs::of(&[1, 2]).iter().next().is_none());
    }

    #[test]
    fn names_are_alike_by_their_words() {
        assert!(of_names(b"httpSinkAndCodec", b"sink_and_codec") > 0.8);
        assert!(of_names(b"AssertOptions", b"GlobOptions") == 0.5);
        assert!(of_names(b"downvote", b"hide") == 0.0 && of_names(b"", b"_") == 0.0);
    }

    proptest! {
        #[test]
        fn likeness_is_even_handed(a in prop::collection::vec(0u64..6, 0..30), b in prop::collection::vec(0u64..6, 0..30)) {
            let (one, other) = (Runs::of(&a), Runs::of(&b));
            let likeness = one.dice(&other);
            prop_assert!((0.0..=1.0).contains(&likeness));
            prop_assert_eq!(likeness, other.dice(&one));
            prop_assert!(likeness <= one.most(&other));
            if a.len() >= RUN {
                prop_assert_eq!(one.dice(&one), 1.0);
            }
        }
    }
}
