//! Fusion of ranked lists by a weighted sum of their scores, each as a share of the list's best.
//!
//! Scores say more than ranks: that the first of a list is three times as good as the second is
//! lost in reciprocal ranks. A list that is empty takes no part, and the weights of the others make
//! up the whole, so a score is between 0 and 1 whatever channels there are.
//!
//! Bruch, Gai, Ingber: An analysis of fusion functions for hybrid retrieval (TOIS 2023).

use super::answer::FoundBy;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// One ranked list.
pub struct Channel<T> {
    /// Name shown in `found_by`.
    pub name: &'static str,
    /// Its part in the sum, against those of the other channels.
    pub weight: f64,
    /// Items with their scores, best first, each item at most once. Scores are positive.
    pub ranked: Vec<(T, f64)>,
}

/// An item with its fused score and where it came from.
pub struct Fused<T, G> {
    /// The item.
    pub item: T,
    /// What it belongs to.
    pub group: G,
    /// Weighted sum of its own shares, from 0 to 1.
    pub score: f64,
    /// The same with each channel's best share of any item of the group: what an item says of its
    /// group counts for the group as a whole, so a file's hits reinforce one another.
    pub of_group: f64,
    /// The channels that ranked it.
    pub found_by: Vec<FoundBy>,
}

/// Fuses ranked lists. The result is in no particular order: the caller ranks it, because only the
/// caller knows how ties are to be broken. Sums run in the order of the channels.
pub fn convex<T: Copy + Eq + Hash, G: Copy + Eq + Hash>(
    channels: &[Channel<T>],
    group: impl Fn(T) -> G,
) -> Vec<Fused<T, G>> {
    let there = channels.iter().filter(|channel| !channel.ranked.is_empty());
    let whole: f64 = there.clone().map(|channel| channel.weight).sum();
    let mut places: FxHashMap<T, usize> = FxHashMap::default();
    let mut fused: Vec<Fused<T, G>> = Vec::new();
    let mut groups: FxHashMap<G, f64> = FxHashMap::default();
    for channel in there {
        let weight = channel.weight / whole.max(f64::MIN_POSITIVE);
        let best = channel.ranked.first().map_or(0.0, |(_, score)| *score);
        let mut credited: FxHashMap<G, f64> = FxHashMap::default();
        for ((item, score), rank) in channel.ranked.iter().zip(1u32..) {
            let part = weight * score / best.max(f64::MIN_POSITIVE);
            let at = *places.entry(*item).or_insert_with(|| {
                fused.push(Fused {
                    item: *item,
                    group: group(*item),
                    score: 0.0,
                    of_group: 0.0,
                    found_by: Vec::new(),
                });
                fused.len() - 1
            });
            fused[at].score += part;
            fused[at].found_by.push(FoundBy {
                channel: channel.name,
                rank,
            });
            let most = credited.entry(fused[at].group).or_default();
            *most = most.max(part);
        }
        for (group, part) in credited {
            *groups.entry(group).or_default() += part;
        }
    }
    for item in &mut fused {
        item.of_group = groups.get(&item.group).copied().unwrap_or(item.score);
    }
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(name: &'static str, weight: f64, ranked: &[(char, f64)]) -> Channel<char> {
        Channel {
            name,
            weight,
            ranked: ranked.to_vec(),
        }
    }

    fn best(channels: &[Channel<char>]) -> Vec<(char, f64)> {
        let mut fused = convex(channels, |item| item);
        fused.sort_by(|x, y| y.score.total_cmp(&x.score));
        fused.iter().map(|f| (f.item, f.score)).collect()
    }

    #[test]
    fn what_two_channels_rank_beats_what_one_does() {
        let channels = [
            channel("text", 1.0, &[('a', 8.0), ('c', 6.0)]),
            channel("name", 1.0, &[('c', 0.5), ('d', 0.25)]),
        ];
        assert_eq!(best(&channels), [('c', 0.875), ('a', 0.5), ('d', 0.25)]);
        let fused = convex(&channels, |item| item);
        let c = fused.iter().find(|f| f.item == 'c').unwrap();
        let ranks: Vec<_> = c.found_by.iter().map(|f| (f.channel, f.rank)).collect();
        assert_eq!(ranks, [("text", 2), ("name", 1)]);
    }

    #[test]
    fn a_channel_that_is_empty_takes_nothing() {
        let text = || channel("text", 1.0, &[('a', 8.0), ('b', 2.0)]);
        let with = best(&[text(), channel("name", 3.0, &[])]);
        assert_eq!(with, best(&[text()]));
        assert_eq!(with[0], ('a', 1.0));
        assert!(best(&[]).is_empty());
    }

    #[test]
    fn hits_of_a_group_reinforce_one_another() {
        let channels = [
            channel("text", 1.0, &[('x', 2.0), ('a', 1.0)]),
            channel("name", 1.0, &[('b', 1.0)]),
        ];
        let fused = convex(&channels, |item| item == 'x');
        let of = |item| fused.iter().find(|f| f.item == item).unwrap();
        assert_eq!((of('a').score, of('a').of_group), (0.25, 0.75));
        assert_eq!((of('b').score, of('b').of_group), (0.5, 0.75));
        assert_eq!((of('x').score, of('x').of_group), (0.5, 0.5));
    }
}
