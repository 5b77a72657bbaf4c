//! Precision and recall of sets.

/// Counts of right, surplus and missing.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Told and true.
    pub right: usize,
    /// Told and not true.
    pub extra: usize,
    /// True and not told.
    pub missing: usize,
}

impl Counts {
    /// Adds others.
    pub fn add(&mut self, other: Self) {
        self.right += other.right;
        self.extra += other.extra;
        self.missing += other.missing;
    }

    /// Part of what was told that is true; 1 when nothing was told.
    pub fn precision(self) -> f64 {
        part(self.right, self.extra)
    }

    /// Part of what is true that was told; 1 when nothing is true.
    pub fn recall(self) -> f64 {
        part(self.right, self.missing)
    }

    /// Harmonic mean of both.
    pub fn f1(self) -> f64 {
        let (precision, recall) = (self.precision(), self.recall());
        if precision + recall == 0.0 {
            return 0.0;
        }
        2.0 * precision * recall / (precision + recall)
    }
}

/// The mean F1 of several; a symbol with many uses counts as much as one with few.
pub fn mean_f1(all: &[Counts]) -> f64 {
    match all.len() {
        0 => 1.0,
        number => all.iter().map(|counts| counts.f1()).sum::<f64>() / number as f64,
    }
}

/// `hits` of all; of nothing, all.
pub fn part(hits: usize, others: usize) -> f64 {
    match hits + others {
        0 => 1.0,
        all => hits as f64 / all as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_of_nothing_is_perfect_and_of_misses_nothing() {
        assert_eq!(Counts::default().f1(), 1.0);
        let misses = Counts {
            missing: 2,
            extra: 1,
            ..Counts::default()
        };
        assert_eq!(misses.f1(), 0.0);
        let half = Counts {
            right: 1,
            extra: 1,
            missing: 0,
        };
        assert!((half.f1() - 2.0 / 3.0).abs() < 1e-9);
    }
}
