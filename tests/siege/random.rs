//! Chance that can be repeated, and how long a siege lasts.

/// How many times as long as in the gate every part is to be: `SVERKLO_SIEGE`, else 1.
pub fn scale() -> usize {
    number("SVERKLO_SIEGE").map_or(1, |n| n.max(1) as usize)
}

/// Where chance begins: `SVERKLO_SIEGE_SEED`, else always the same.
pub fn seed() -> u64 {
    number("SVERKLO_SIEGE_SEED").unwrap_or(1)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Numbers that look like chance and are the same for the same seed (SplitMix64).
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    /// Returns the next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Returns one of several.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

#[test]
fn the_same_seed_gives_the_same_numbers() {
    let draw = |seed| {
        let mut random = Random(seed);
        (0..8).map(|_| random.below(1000)).collect::<Vec<_>>()
    };
    assert_eq!(draw(seed()), draw(seed()));
    assert_ne!(draw(1), draw(2));
    assert!(scale() >= 1 && [7].contains(Random(3).pick(&[7])));
}
