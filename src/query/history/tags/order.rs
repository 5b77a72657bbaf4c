//! The order of releases by what their tags are called: `v1.9`, `v1.10-rc.1`, `v1.10`.
//!
//! A name is split into what stands before its version, which names a series (`tokio-util-` is another than
//! `tokio-`), the numbers, and what comes behind them. What begins with a word that says so comes before the numbers
//! alone (`-rc.1`, `b2`, `.dev1`), anything else behind them (`.post1`, `-1`, `.Final`). A name without a version is
//! ordered by date.

use std::cmp::Ordering;

/// Words that begin the name of what is not released yet.
const BEFORE: &[&str] = words!(
    "a alpha b beta c canary dev experimental insiders m milestone next nightly pr pre preview rc snapshot"
);

/// A tag, as far as its name orders it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// What stands before the version, in small letters and without a `v` or a sign at its end.
    pub series: String,
    /// The numbers, of a version; none of a name that has none.
    numbers: Vec<u64>,
    /// What stands behind them, cut into words and numbers.
    rest: Vec<Piece>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Piece {
    Word(String),
    Number(u64),
}

impl Version {
    /// Reads the name of a tag.
    pub fn of(name: &str) -> Self {
        // What looks like a version last is it: `log4j-2.1`.
        let begins = |at: usize| {
            let before = name[..at].chars().next_back();
            let is_open = before.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '.')
                || matches!(before, Some('v' | 'V' | 'r'))
                    && !name[..at - 1].ends_with(|c: char| c.is_ascii_alphanumeric());
            is_open && name[at..].starts_with(|c: char| c.is_ascii_digit())
        };
        let mut starts = name
            .char_indices()
            .map(|(at, _)| at)
            .filter(|at| begins(*at));
        let dotted = |at: usize| {
            let digits = name[at..].trim_start_matches(|c: char| c.is_ascii_digit());
            digits.starts_with(['.', '_']) && digits[1..].starts_with(|c: char| c.is_ascii_digit())
        };
        let all: Vec<usize> = starts.by_ref().collect();
        let start = all
            .iter()
            .copied()
            .find(|at| dotted(*at))
            .or(all.first().copied());
        let Some(start) = start else {
            return Self {
                series: String::new(),
                numbers: Vec::new(),
                rest: vec![Piece::Word(name.to_owned())],
            };
        };
        let mut numbers = Vec::new();
        let mut rest = &name[start..];
        loop {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            numbers.push(rest[..digits].parse().unwrap_or(u64::MAX));
            rest = &rest[digits..];
            let next = rest.strip_prefix(['.', '_']);
            match next.filter(|next| next.starts_with(|c: char| c.is_ascii_digit())) {
                Some(next) => rest = next,
                None => break,
            }
        }
        let series = name[..start].to_lowercase();
        let series = series.trim_end_matches(['v', 'r']);
        // The `v` of `dev-` is part of the word.
        let series = match series.ends_with(|c: char| c.is_alphanumeric()) {
            true => &name[..start],
            false => series,
        };
        let series = series.trim_end_matches(|c: char| !c.is_alphanumeric());
        // `2.3.x` moves along with the last of them.
        let rest = match rest
            .strip_prefix('.')
            .filter(|rest| matches!(*rest, "x" | "X"))
        {
            Some(_) => {
                numbers.push(u64::MAX);
                ""
            }
            None => rest,
        };
        Self {
            series: series.to_lowercase(),
            numbers,
            rest: pieces(rest),
        }
    }

    /// Whether there is a version in the name.
    pub fn is_numbered(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Whether it is of something that was not released yet.
    fn is_before(&self) -> bool {
        match self.rest.first() {
            Some(Piece::Word(word)) => BEFORE.contains(&word.as_str()),
            _ => false,
        }
    }

    /// Orders two versions of one series; equal ones may be written differently.
    pub fn order(&self, other: &Self) -> Ordering {
        let length = self.numbers.len().max(other.numbers.len());
        let number = |of: &Self, at: usize| of.numbers.get(at).copied().unwrap_or(0);
        let numbers = (0..length).map(|at| number(self, at).cmp(&number(other, at)));
        let numbers = numbers.fold(Ordering::Equal, Ordering::then);
        numbers
            .then_with(|| other.is_before().cmp(&self.is_before()))
            .then_with(|| self.rest.cmp(&other.rest))
    }
}

/// Words and numbers of the end of a name.
fn pieces(rest: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let is_same = |c: char| c.is_alphanumeric() && c.is_ascii_digit() == is_number;
        let after = rest.trim_start_matches(is_same);
        let piece = &rest[..rest.len() - after.len()];
        found.push(match is_number {
            true => Piece::Number(piece.parse().unwrap_or(u64::MAX)),
            false => Piece::Word(piece.to_lowercase()),
        });
        rest = after.trim_start_matches(|c: char| !c.is_alphanumeric());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(names: &str) -> Vec<&str> {
        let mut all: Vec<&str> = names.split_whitespace().rev().collect();
        all.sort_by(|a, b| Version::of(a).order(&Version::of(b)));
        all
    }

    #[test]
    fn releases_come_in_the_order_of_their_numbers() {
        for names in [
            "v1.9 v1.10-rc.1 v1.10-rc.2 v1.10-rc.10 v1.10 v1.10.1",
            "1.0a1 1.0b2 1.0b10 1.0rc1 1.0 1.0.post1",
            "1.0.dev1 1.0",
            "parent-3.9.0 parent-3.10.0-RC1 parent-3.10.0 parent-3.10.0.Final",
            "5.0-canary.1 5.0 v5.0.1 v6",
            "2020.9.1 2020.10",
            "REL_1_9 REL_1_10",
            "2.3.1 2.3.10 2.3.x 2.4",
        ] {
            assert_eq!(sorted(names).join(" "), names);
        }
        assert_eq!(
            Version::of("v1.0").order(&Version::of("1.0.0")),
            Ordering::Equal
        );
    }

    #[test]
    fn what_stands_before_a_version_names_its_series() {
        for (name, series) in [
            ("v1.0", ""),
            ("1.0", ""),
            ("V2", ""),
            ("tokio-util-0.7.1", "tokio-util"),
            ("plugin-vue@2.0.0", "plugin-vue"),
            ("create-vite/v3.1", "create-vite"),
            ("log4j-2.1.0", "log4j"),
            ("releases/v1.2", "releases"),
            ("dev-1.0", "dev"),
            ("ab1.2", ""),
        ] {
            assert_eq!(Version::of(name).series, series, "{name}");
        }
        assert!(!Version::of("latest").is_numbered() && !Version::of("ab1.2").is_numbered());
        assert!(!Version::of("").is_numbered() && Version::of("é1").is_numbered());
        assert!(Version::of("99999999999999999999999.1").is_numbered());
    }
}
