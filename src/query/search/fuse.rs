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
type Shares = [f64; MOST_CHANNELS];

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
    shares: Shares,
    /// Its ranks from 1; 0 where a channel did not rank it.
    ranks: [u32; MOST_CHANNELS],
}

/// The score of a channel for an item and its group.
pub struct ChannelScore {
    /// The channel's name.
    pub channel: &'static str,
    /// Its rank for the item, from 1; `None` where it ranked only others of the group.
    pub rank: Option<u32>,
    /// The item's share.
    pub share: f64,
    /// The best share of any item of the group.
    pub of_group: f64,
    /// The channel's part in the sum.
    pub weight: f64,
}

/// Ranked lists being fused. Sums run in the order in which channels are added.
pub struct Fusion<T, G> {
    channels: Vec<(&'static str, Level, f64)>,
    places: FxHashMap<T, usize>,
    /// The items, in no particular order: the caller ranks them, because only the caller knows how ties
    /// are to be broken.
    pub(crate) items: Vec<Fused<T, G>>,
    groups: FxHashMap<G, Shares>,
}

impl<T: Copy + Eq + Hash, G: Copy + Eq + Hash> Fusion<T, G> {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            channels: Vec::new(),
            places: FxHashMap::default(),
            items: Vec::new(),
            groups: FxHashMap::default(),
        }
    }

    /// Adds a channel, unless it is empty. There may be [`MOST_CHANNELS`].
    pub fn add(&mut self, channel: &Channel<T>, group: impl Fn(T) -> G) {
        let at = self.channels.len();
        debug_assert!(at < MOST_CHANNELS);
        let Some((_, best)) = channel.ranked.first().filter(|_| at < MOST_CHANNELS) else {
            return;
        };
        self.channels
            .push((channel.name, channel.level, channel.weight));
        for ((item, score), rank) in channel.ranked.iter().zip(1u32..) {
            let share = score / best.max(f64::MIN_POSITIVE);
            let place = *self.places.entry(*item).or_insert_with(|| {
                self.items.push(Fused {
                    item: *item,
                    group: group(*item),
                    score: 0.0,
                    of_group: 0.0,
                    shares: [0.0; MOST_CHANNELS],
                    ranks: [0; MOST_CHANNELS],
                });
                self.items.len() - 1
            });
            let fused = &mut self.items[place];
            fused.shares[at] = share;
            fused.ranks[at] = rank;
            let of_group = self.groups.entry(fused.group);
            let of_group = of_group.or_insert([0.0; MOST_CHANNELS]);
            of_group[at] = of_group[at].max(share);
        }
    }

    /// The part of each channel in the sum: the weights of those that are there make up the whole.
    fn weights(&self) -> Shares {
        let whole: f64 = self.channels.iter().map(|(.., weight)| weight).sum();
        let mut weights = [0.0; MOST_CHANNELS];
        for (part, (.., weight)) in weights.iter_mut().zip(&self.channels) {
            *part = weight / whole.max(f64::MIN_POSITIVE);
        }
        weights
    }

    /// The groups with their scores so far, in no particular order.
    pub fn groups(&self) -> impl Iterator<Item = (G, f64)> {
        let weights = self.weights();
        let groups = self.groups.iter();
        groups.map(move |(group, shares)| (*group, sum(shares, &weights)))
    }

    /// Works out the scores of all items once every channel is there.
    pub fn score(&mut self) {
        let weights = self.weights();
        for item in &mut self.items {
            let of_group = *self.groups.get(&item.group).unwrap_or(&item.shares);
            item.of_group = sum(&of_group, &weights);
            for (at, (_, level, _)) in self.channels.iter().enumerate() {
                if *level == Level::Group {
                    item.shares[at] = of_group[at];
                }
            }
            item.score = sum(&item.shares, &weights);
        }
    }

    /// What each channel said of an item or its group.
    pub fn scores_of(&self, fused: &Fused<T, G>) -> impl Iterator<Item = ChannelScore> {
        let weights = self.weights();
        let of_group = *self.groups.get(&fused.group).unwrap_or(&fused.shares);
        let channels = self.channels.iter().enumerate();
        channels
            .filter(move |(at, _)| of_group[*at] > 0.0)
            .map(move |(at, (name, ..))| ChannelScore {
                channel: name,
                rank: Some(fused.ranks[at]).filter(|rank| *rank > 0),
                share: fused.shares[at],
                of_group: of_group[at],
                weight: weights[at],
            })
    }
}

impl<T: Copy + Eq + Hash, G: Copy + Eq + Hash> Default for Fusion<T, G> {
    fn default() -> Self {
        Self::new()
    }
}

fn sum(shares: &Shares, weights: &Shares) -> f64 {
    shares.iter().zip(weights).map(|(s, w)| s * w).sum()
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

    fn fused<G: Copy + Eq + Hash>(
        channels: &[Channel<char>],
        group: impl Fn(char) -> G,
    ) -> Vec<Fused<char, G>> {
        let mut fusion = Fusion::new();
        channels
            .iter()
            .for_each(|channel| fusion.add(channel, &group));
        fusion.score();
        fusion.items
    }

    fn best(channels: &[Channel<char>]) -> Vec<(char, f64)> {
        let mut fused = fused(channels, |item| item);
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
        let fused = fused(&channels, |item| item);
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
        let fused = fused(&channels, |item| item == 'x');
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
        let fused = fused(&channels, |_| ());
        let of = |item| fused.iter().find(|f| f.item == item).unwrap();
        assert_eq!((of('a').score, of('b').score), (1.0, 0.75));
        assert_eq!(of('a').ranks[1], 0);
    }
}
