//! Which parts are to be merged: a pure policy over their weights.
//!
//! They are sorted into tiers whose bounds grow by [`FAN_IN`]; a tier that has collected that
//! many is merged into one of a higher tier. So n commits cost O(log n) rewrites of each
//! document and leave at most `FAN_IN - 1` segments a tier. Git stores no useful deltas between
//! segments and every rewritten byte is downloaded by everyone, hence 8 and not 2.
//!
//! Weights are those of [`super::partition`], so a leaf of the canonical cut is sealed and never
//! merged by tiers.

use crate::id::PartId;
use crate::limits::SEGMENT_SOURCE_BYTES;

/// Segments of one tier that make a merge.
pub const FAN_IN: usize = 8;
/// Upper bound of the lowest tier; about what one commit changes.
const LOWEST_TIER: u64 = 32 << 10;
/// From this weight on a segment is left alone until the next gc.
pub const SEALED: u64 = SEGMENT_SOURCE_BYTES / 4;

/// What the policy knows of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The segment.
    pub id: PartId,
    /// Sum of the weights of its documents.
    pub weight: u64,
}

/// Returns groups of segments, each of which is to be merged into one. No segment is in two.
///
/// The plan depends on the set alone, not on the order it is given in.
pub fn plan(segments: &[Candidate]) -> Vec<Vec<PartId>> {
    /// A segment that is there, or that a group will become.
    struct Pile {
        weight: u64,
        parts: Vec<PartId>,
    }
    let mut piles: Vec<Pile> = segments
        .iter()
        .filter(|segment| segment.weight < SEALED)
        .map(|segment| Pile {
            weight: segment.weight,
            parts: vec![segment.id],
        })
        .collect();
    piles.sort_by(|a, b| (a.weight, &a.parts).cmp(&(b.weight, &b.parts)));
    // Lowest tier first: what it is merged into may fill the next one.
    let mut tier = 0;
    let highest = tier_of(SEALED);
    while tier <= highest {
        let (mut full, rest): (Vec<Pile>, Vec<Pile>) = piles
            .into_iter()
            .partition(|pile| tier_of(pile.weight) == tier && pile.weight < SEALED);
        piles = rest;
        if full.len() < FAN_IN {
            piles.append(&mut full);
        } else {
            let weight = full.iter().map(|pile| pile.weight).sum();
            let mut parts: Vec<PartId> = full.into_iter().flat_map(|pile| pile.parts).collect();
            parts.sort_unstable();
            piles.push(Pile { weight, parts });
        }
        tier += 1;
    }
    let mut groups: Vec<Vec<PartId>> = piles
        .into_iter()
        .map(|pile| pile.parts)
        .filter(|parts| parts.len() > 1)
        .collect();
    groups.sort();
    groups
}

/// Returns the tier of a weight: 0 below the lowest bound, one more for each factor of the fan-in.
fn tier_of(weight: u64) -> u32 {
    let mut tier = 0;
    let mut bound = LOWEST_TIER;
    while weight >= bound {
        tier += 1;
        bound = bound.saturating_mul(FAN_IN as u64);
    }
    tier
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidate(n: usize, weight: u64) -> Candidate {
        let mut id = [0; 20];
        id[..8].copy_from_slice(&(n as u64).to_be_bytes());
        Candidate {
            id: PartId::from_bytes(&id).unwrap(),
            weight,
        }
    }

    #[test]
    fn a_tier_is_merged_when_it_is_full_and_may_fill_the_next() {
        let small: Vec<_> = (0..7).map(|n| candidate(n, 20_000)).collect();
        assert!(plan(&small).is_empty());
        let full: Vec<_> = (0..8).map(|n| candidate(n, 20_000)).collect();
        assert_eq!(plan(&full).len(), 1);
        let mut cascade = full.clone();
        cascade.extend((8..15).map(|n| candidate(n, 100_000)));
        let groups = plan(&cascade);
        assert_eq!(
            (groups.len(), groups[0].len()),
            (1, 15),
            "160,000 joins seven of its tier"
        );
    }

    #[test]
    fn sealed_segments_are_left_alone() {
        let sealed: Vec<_> = (0..100).map(|n| candidate(n, SEALED)).collect();
        assert!(plan(&sealed).is_empty());
    }

    #[test]
    fn a_thousand_commits_leave_few_segments_and_rewrite_little() {
        let mut segments: Vec<Candidate> = Vec::new();
        let (mut rewritten, mut added, mut most) = (0, 0, 0);
        for n in 0..4000 {
            let weight = 3_000 + (n as u64 * 7919) % 60_000;
            segments.push(candidate(n, weight));
            added += weight;
            for group in plan(&segments) {
                let total = segments
                    .iter()
                    .filter(|s| group.contains(&s.id))
                    .map(|s| s.weight)
                    .sum();
                segments.retain(|s| !group.contains(&s.id));
                segments.push(candidate(1_000_000 + n, total));
                rewritten += total;
            }
            most = most.max(segments.iter().filter(|s| s.weight < SEALED).count());
        }
        assert!(most <= FAN_IN * 4, "{most} segments at once");
        assert!(
            rewritten <= added * 4,
            "each document is rewritten {} times",
            rewritten / added
        );
    }

    proptest! {
        #[test]
        fn the_plan_does_not_depend_on_order(weights in proptest::collection::vec(0_u64..SEALED * 2, 0..60), seed in any::<u64>()) {
            let segments: Vec<_> = weights.iter().enumerate().map(|(n, w)| candidate(n, *w)).collect();
            let mut shuffled = segments.clone();
            shuffled.sort_by_key(|s| xxhash_rust::xxh3::xxh3_64_with_seed(s.id.as_bytes(), seed));
            prop_assert_eq!(plan(&segments), plan(&shuffled));
        }
    }
}
