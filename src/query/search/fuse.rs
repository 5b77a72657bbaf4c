//! Fusion of ranked lists by a weighted sum of their scores, each as a share of the list's best.
//!
//! Scores say more than ranks: that the first of a list is three times as good as the second is
//! lost in reciprocal ranks. A list that is empty takes no part, and the weights of the others make
//! up the whole, so a score is between 0 and 1 whatever channels there are.
//!
//! Bruch, Gai, Ingber: An analysis of fusion functions for hybrid retrieval (TOIS 2023).

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// What the scores of a channel speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// The item alone.
    Item,
    /// All of the item's group, as a path speaks of a whole file: each item of the group has the
    /// share, so that which of them is shown first is left to the others.
    Group,
}

/// One ranked list.
pub struct Channel<T> {
    /// Name shown in `found_by`.
    pub name: &'static str,
    /// What its scores speak of.
    pub level: Level,
    /// Its part in the sum, against those of the other channels.
    pub weight: f64,
    /// Items with their scores, best first, each item at most once. Scores are positive.
    pub ranked: Vec<(T, f64)>,
}

/// Most channels that can be fused.
pub const MOST_CHANNELS: usize = 12;

/// What each channel gave, in the order of the channels: a score as a share of the channel's best.
pub type Shares = [f64; MOST_CHANNELS];

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
    /// Its own shares; 0 where a channel did not rank it.
    pub shares: Shares,
    /// Its ranks from 1; 0 where a channel did not rank it.
    pub ranks: [u32; MOST_CHANNELS],
}

/// What a fusion makes of ranked lists.
pub struct Fusion<T, G> {
    /// The items in no particular order: the caller ranks them, because only the caller knows how ties
    /// are to be broken.
    pub items: Vec<Fused<T, G>>,
    /// Part of each channel in the sum; 0 for those that are empty.
    pub weights: Shares,
    /// Best shares of the items of each group.
    pub groups: FxHashMap<G, Shares>,
}

/// Fuses at most [`MOST_CHANNELS`] ranked lists. Sums run in the order of the channels.
pub fn convex<T: Copy + Eq + Hash, G: Copy + Eq + Hash>(
    channels: &[Channel<T>],
    group: impl Fn(T) -> G,
) -> Fusion<T, G> {
    debug_assert!(channels.len() <= MOST_CHANNELS);
    let whole: f64 = channels
        .iter()
        .filter(|channel| !channel.ranked.is_empty())
        .map(|channel| channel.weight)
        .sum();
    let mut weights: Shares = [0.0; MOST_CHANNELS];
    let mut places: FxHashMap<T, usize> = FxHashMap::default();
    let mut items: Vec<Fused<T, G>> = Vec::new();
    let mut groups: FxHashMap<G, Shares> = FxHashMap::default();
    for (at, channel) in channels.iter().enumerate().take(MOST_CHANNELS) {
        let Some((_, best)) = channel.ranked.first() else {
            continue;
        };
        weights[at] = channel.weight / whole.max(f64::MIN_POSITIVE);
        for ((item, score), rank) in channel.ranked.iter().zip(1u32..) {
            let share = score / best.max(f64::MIN_POSITIVE);
            let place = *places.entry(*item).or_insert_with(|| {
                items.push(Fused {
                    item: *item,
                    group: group(*item),
                    score: 0.0,
                    of_group: 0.0,
                    shares: [0.0; MOST_CHANNELS],
                    ranks: [0; MOST_CHANNELS],
                });
                items.len() - 1
            });
            let fused = &mut items[place];
            fused.shares[at] = share;
            fused.ranks[at] = rank;
            let of_group = groups.entry(fused.group).or_insert([0.0; MOST_CHANNELS]);
            of_group[at] = of_group[at].max(share);
        }
    }
    let sum = |shares: &Shares| -> f64 { shares.iter().zip(&weights).map(|(s, w)| s * w).sum() };
    for item in &mut items {
        let of_group = *groups.get(&item.group).unwrap_or(&item.shares);
        item.of_group = sum(&of_group);
        for (at, channel) in channels.iter().enumerate().take(MOST_CHANNELS) {
            if channel.level == Level::Group {
                item.shares[at] = of_group[at];
            }
        }
        item.score = sum(&item.shares);
    }
    Fusion {
        items,
        weights,
        groups,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(name: &'static str, weight: f64, ranked: &[(char, f64)]) -> Channel<char> {
        Channel {
            name,
            level: Level::Item,
            weight,
            ranked: ranked.to_vec(),
        }
    }

    fn best(channels: &[Channel<char>]) -> Vec<(char, f64)> {
        let mut fused = convex(channels, |item| item).items;
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
        let fused = convex(&channels, |item| item).items;
        let c = fused.iter().find(|f| f.item == 'c').unwrap();
        assert_eq!(c.ranks[..3], [2, 1, 0]);
        assert_eq!(c.shares[..3], [0.75, 1.0, 0.0]);
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
        let fused = convex(&channels, |item| item == 'x').items;
        let of = |item| fused.iter().find(|f| f.item == item).unwrap();
        assert_eq!((of('a').score, of('a').of_group), (0.25, 0.75));
        assert_eq!((of('b').score, of('b').of_group), (0.5, 0.75));
        assert_eq!((of('x').score, of('x').of_group), (0.5, 0.5));
    }

    #[test]
    fn what_is_said_of_a_group_is_said_of_each_item() {
        let mut channels = [
            channel("text", 1.0, &[('a', 1.0), ('b', 0.5)]),
            channel("path", 1.0, &[('b', 1.0)]),
        ];
        channels[1].level = Level::Group;
        assert_eq!(best(&channels), [('b', 0.75), ('a', 0.5)]);
        let fused = convex(&channels, |_| ()).items;
        let of = |item| fused.iter().find(|f| f.item == item).unwrap();
        assert_eq!((of('a').score, of('b').score), (1.0, 0.75));
        assert_eq!(of('a').ranks[1], 0);
    }
}
