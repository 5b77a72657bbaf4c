//! Decides how many items of an answer are shown, and how much of each, within a budget.
//!
//! An item is a place with growing detail. Every item gets its first level before any item gets
//! its second; when even first levels do not all fit, the last in order of importance are left
//! out. So a small budget costs bodies first, then signatures, then trailing items, never the
//! footer. Costs are additive over lines, hence the sum below is exact.

use super::footer::Footer;
use super::tokens;

/// What an item is counted as in the footer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tally {
    /// A heading or remark.
    Nothing,
    /// One of the things asked for.
    Main,
    /// One of the things nested in those.
    Minor,
}

/// One item of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Importance: lower ranks are given room first; equal ranks in order of appearance.
    pub rank: usize,
    /// What it is counted as.
    pub tally: Tally,
    /// Its whole text at each level of detail, least first; each ends in a newline.
    pub levels: Vec<String>,
}

impl Item {
    /// Returns an item of one level that is one of the things asked for.
    pub fn main(text: String) -> Self {
        Self {
            rank: 0,
            tally: Tally::Main,
            levels: vec![text],
        }
    }

    /// Returns an item of one level that counts as nothing.
    pub fn remark(rank: usize, text: String) -> Self {
        Self {
            rank,
            tally: Tally::Nothing,
            levels: vec![text],
        }
    }
}

/// Which items are shown, and at which level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Level of each item; `None` for those left out.
    pub levels: Vec<Option<usize>>,
    /// Number of items shown that count as [`Tally::Main`].
    pub main: usize,
    /// Number of items shown that count as [`Tally::Minor`].
    pub minor: usize,
    /// Whether every item is shown in full.
    pub full: bool,
    /// Tokens everything would take, rounded up to a whole hundred.
    pub needed: usize,
}

impl Layout {
    /// Returns the level of item `i`; `None` when it is left out.
    pub fn level(&self, i: usize) -> Option<usize> {
        self.levels.get(i).copied().flatten()
    }
}

/// Lays out `items` in `budget` tokens and returns the text with its footer. Each level below
/// `breadth_first` is given to all items before the next level; from there on an item is completed before
/// the next.
///
/// `footer` is asked for the footer that fits a layout.
pub fn lay_out(
    items: &[Item],
    breadth_first: usize,
    budget: usize,
    footer: impl Fn(&Layout) -> Footer,
) -> (String, Layout, Footer) {
    let costs = costs(items);
    let allowance = tokens::allowance(budget);
    let mut room = allowance;
    loop {
        let layout = allot(items, &costs, breadth_first, room);
        let footer = footer(&layout);
        // The footer may take two fifths: places matter more than advice.
        let line = footer.line(allowance * 2 / 5);
        let spent = spent(&costs, &layout) + tokens::cost(&line);
        if spent > allowance && room > 0 {
            room = room.saturating_sub(spent - allowance);
            continue;
        }
        let mut text = text_of(items, &layout);
        text.push_str(&line);
        return (text, layout, footer);
    }
}

/// Lays out items of one level in so much room, for what has a footer of its own.
pub fn fill(items: &[Item], room: u64) -> (String, Layout) {
    let layout = allot(items, &costs(items), 1, room);
    (text_of(items, &layout), layout)
}

/// The tokens that all items take in full, with room for a footer.
fn needed(costs: &[Vec<u64>]) -> usize {
    let all: u64 = costs.iter().filter_map(|c| c.last()).sum();
    (tokens::budget_for(all) + 60).next_multiple_of(100)
}

/// Whether no budget has room for all items in full.
pub fn is_too_long(items: &[Item]) -> bool {
    needed(&costs(items)) > super::MAX_BUDGET
}

fn costs(items: &[Item]) -> Vec<Vec<u64>> {
    let costs = |item: &Item| item.levels.iter().map(|text| tokens::cost(text)).collect();
    items.iter().map(costs).collect()
}

fn text_of(items: &[Item], layout: &Layout) -> String {
    let shown = items.iter().zip(&layout.levels);
    let shown = shown.filter_map(|(item, level)| Some(item.levels[(*level)?].as_str()));
    shown.collect()
}

fn spent(costs: &[Vec<u64>], layout: &Layout) -> u64 {
    costs
        .iter()
        .zip(&layout.levels)
        .filter_map(|(c, level)| level.map(|level| c[level]))
        .sum()
}

/// Spends `room` on levels of items.
fn allot(items: &[Item], costs: &[Vec<u64>], breadth_first: usize, room: u64) -> Layout {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&i| items[i].rank);
    let mut levels = vec![None; items.len()];
    let mut left = room;
    let mut shown = 0;
    for &i in &order {
        let Some(&price) = costs[i].first() else {
            continue;
        };
        if price > left {
            break;
        }
        left -= price;
        levels[i] = Some(0);
        shown += 1;
    }
    let order = &order[..shown.min(order.len())];
    let mut upgrade = |i: usize, to: usize, left: &mut u64| {
        let (Some(now), Some(&price)) = (levels[i], costs[i].get(to)) else {
            return;
        };
        // A level may be cheaper than the one before it; the saving goes back to the allowance.
        let whole = *left + costs[i][now];
        if now < to && price <= whole {
            *left = whole - price;
            levels[i] = Some(to);
        }
    };
    for to in 1..breadth_first {
        for &i in order {
            upgrade(i, to, &mut left);
        }
    }
    for &i in order {
        for to in breadth_first.max(1)..costs[i].len() {
            upgrade(i, to, &mut left);
        }
    }
    let count = |tally| {
        items
            .iter()
            .zip(&levels)
            .filter(|(item, l)| item.tally == tally && l.is_some())
            .count()
    };
    let full = items
        .iter()
        .zip(&levels)
        .all(|(item, l)| l.map_or(0, |l| l + 1) == item.levels.len());
    Layout {
        main: count(Tally::Main),
        minor: count(Tally::Minor),
        full,
        needed: needed(costs),
        levels,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn item(rank: usize, levels: &[&str]) -> Item {
        Item {
            rank,
            tally: Tally::Main,
            levels: levels.iter().map(|l| format!("{l}\n")).collect(),
        }
    }

    fn levels(items: &[Item], breadth_first: usize, room: u64) -> Vec<Option<usize>> {
        let costs: Vec<Vec<u64>> = items
            .iter()
            .map(|i| i.levels.iter().map(|t| tokens::cost(t)).collect())
            .collect();
        allot(items, &costs, breadth_first, room).levels
    }

    #[test]
    fn places_come_before_detail_and_the_last_are_dropped_first() {
        let items = vec![
            item(0, &["a", "a b c d"]),
            item(0, &["a", "a b c d"]),
            item(0, &["a"]),
        ];
        let one = tokens::cost("a\n");
        let four = tokens::cost("a b c d\n");
        assert_eq!(levels(&items, 2, 0), [None, None, None]);
        assert_eq!(levels(&items, 2, 2 * one), [Some(0), Some(0), None]);
        assert_eq!(levels(&items, 2, 3 * one), [Some(0), Some(0), Some(0)]);
        assert_eq!(
            levels(&items, 2, 2 * one + four),
            [Some(1), Some(0), Some(0)]
        );
        assert_eq!(
            levels(&items, 2, one + 2 * four),
            [Some(1), Some(1), Some(0)]
        );
    }

    #[test]
    fn rank_beats_appearance() {
        let items = vec![item(1, &["a"]), item(0, &["a"])];
        assert_eq!(levels(&items, 1, tokens::cost("a\n")), [None, Some(0)]);
    }

    #[test]
    fn levels_past_the_wide_ones_go_to_one_item_after_the_other() {
        let ladder = ["a", "a b", "a b c", "a b c d"];
        let items = vec![item(0, &ladder), item(0, &ladder)];
        let room = tokens::cost("a b c d\n") + tokens::cost("a b\n");
        assert_eq!(levels(&items, 2, room), [Some(3), Some(1)]);
        assert_eq!(levels(&items, 3, room), [Some(2), Some(2)]);
    }

    proptest! {
        #[test]
        fn text_stays_within_the_budget(
            sizes in prop::collection::vec((0usize..3, prop::collection::vec(0usize..40, 1..5)), 0..40),
            breadth_first in 0usize..5,
            budget in super::super::MIN_BUDGET..2000,
        ) {
            let items: Vec<Item> = sizes
                .iter()
                .map(|(rank, words)| Item {
                    rank: *rank,
                    tally: Tally::Main,
                    levels: words.iter().map(|n| format!("{}\n", "word ".repeat(*n))).collect(),
                })
                .collect();
            let (text, layout, _) = lay_out(&items, breadth_first, budget, |l| {
                Footer::new(&Default::default(), l.main, items.len())
            });
            prop_assert!(tokens::estimate(&text) <= budget);
            prop_assert_eq!(layout.main, layout.levels.iter().flatten().count());
        }
    }
}
