//! Seeded random numbers that are the same on every machine.
//!
//! Only integer arithmetic and additions, multiplications and divisions of floating-point numbers
//! are used, which IEEE 754 defines to the last bit; `ln` and `exp` it does not.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of these parts, independent of that of any others.
    pub fn of(parts: &[u64]) -> Self {
        Self(parts.iter().fold(0, |state, part| scramble(state ^ part)))
    }

    /// The next 64 bits (SplitMix64: a counter and a finaliser).
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.0)
    }

    /// A whole number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A whole number from `least` to `most`.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    /// A number from 0 to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number whose logarithm is distributed normally; `spread` is the standard deviation of its
    /// logarithm to base 2. The normal is the sum of twelve uniforms, so it ends at six deviations.
    pub fn log_normal(&mut self, median: f64, spread: f64) -> f64 {
        let normal = (0..12).map(|_| self.unit()).sum::<f64>() - 6.0;
        median * power_of_two(normal * spread)
    }

    /// One of these.
    pub fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

fn scramble(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// 2 to the `x`: the whole part by doubling, the rest by the series of e to the x, whose tenth term
/// is below 1e-8.
fn power_of_two(x: f64) -> f64 {
    let whole = x.floor();
    let rest = (x - whole) * std::f64::consts::LN_2;
    let (mut sum, mut term) = (1.0, 1.0);
    for i in 1..10 {
        term = term * rest / f64::from(i);
        sum += term;
    }
    sum * (2.0f64).powi(whole as i32)
}

/// Chooses the first of `len` things most often, the k-th 1/k as often (Zipf's law).
#[derive(Clone, Debug)]
pub struct Zipf {
    /// Sum of the weights up to each, the last being that of all.
    sums: Vec<f64>,
}

impl Zipf {
    /// The law over `len` things.
    pub fn new(len: usize) -> Self {
        let mut sum = 0.0;
        let sums = (1..=len)
            .map(|k| {
                sum += 1.0 / k as f64;
                sum
            })
            .collect();
        Self { sums }
    }

    /// One of the first `len`, which is neither 0 nor more than there are.
    pub fn among(&self, len: usize, random: &mut Random) -> usize {
        let sums = &self.sums[..len];
        let at = random.unit() * sums[len - 1];
        sums.partition_point(|sum| *sum <= at).min(len - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_their_parts() {
        let first = |parts: &[u64]| Random::of(parts).bits();
        assert_eq!(first(&[1, 2]), first(&[1, 2]));
        assert_ne!(first(&[1, 2]), first(&[2, 1]));
        assert_ne!(first(&[1]), first(&[1, 0]));
    }

    #[test]
    fn powers_are_those_of_two() {
        for x in [-3.25, -1.0, 0.0, 0.5, 1.0, 6.9] {
            let (ours, exact) = (power_of_two(x), x.exp2());
            assert!(
                (ours / exact - 1.0).abs() < 1e-7,
                "{x}: {ours}, not {exact}"
            );
        }
    }

    #[test]
    fn half_of_a_log_normal_lies_below_its_median() {
        let mut random = Random::of(&[7]);
        let values: Vec<f64> = (0..20_000)
            .map(|_| random.log_normal(2500.0, 1.5))
            .collect();
        let below = |bound: f64| values.iter().filter(|value| **value < bound).count() as f64 / 2e4;
        assert!((below(2500.0) - 0.5).abs() < 0.02);
        // One deviation above the median lie 84 %.
        assert!((below(2500.0 * 1.5f64.exp2()) - 0.841).abs() < 0.02);
    }

    #[test]
    fn the_first_is_chosen_twice_as_often_as_the_second() {
        let (zipf, mut random) = (Zipf::new(1000), Random::of(&[3]));
        let mut counts = [0usize; 10];
        for _ in 0..60_000 {
            counts[zipf.among(10, &mut random)] += 1;
        }
        let ratio = counts[0] as f64 / counts[1] as f64;
        assert!((ratio - 2.0).abs() < 0.15, "{counts:?}");
        assert!(counts[9] > 0);
    }
}
