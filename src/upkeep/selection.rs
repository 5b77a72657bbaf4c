//! Which commits, and which share of their documents, an index is to cover: what the command line
//! asks for and what configuration keeps warm.

use super::Error;
use super::span::Span;
use crate::git::Repo;
use crate::git::keys::{self, Key};
use crate::id::BlobId;
use crate::query::serialize;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// Configuration key of [`Policy::history`].
const HISTORY_KEY: Key = keys::HISTORY;
/// Configuration key of [`Policy::window`].
const WINDOW_KEY: Key = keys::WINDOW;

/// The window unless configured. Two weeks are 9 % more documents in tokio and 18 % in vite, of
/// which three days are 14 % already: it is bursts that cost, and the length matters little.
const DEFAULT_WINDOW: &str = "2.weeks";

/// Most shards that an index may be divided into.
pub const MAX_SHARDS: u16 = 1024;

labelled! {
    /// How much of history is covered without being asked about.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum History {
        /// Branches and the `HEAD` of every work tree.
        Tips = "tips",
        /// These, and what led to each of them within the window.
        #[default]
        Recent = "recent",
        /// Everything that branches, remote-tracking branches, tags and work trees reach.
        All = "all",
    }
}

/// What configuration says is to be kept warm.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Policy {
    /// How much of history (`sverklo.history`).
    pub history: History,
    /// How far back from the date of each tip [`History::Recent`] reaches (`sverklo.window`). Not
    /// from now: the same clone is covered alike on any day.
    #[serde(serialize_with = "serialize::shown")]
    pub window: Span,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            history: History::default(),
            window: DEFAULT_WINDOW.parse().expect("a constant that parses"),
        }
    }
}

impl Policy {
    /// Reads the configuration. Fails with [`Error::Setting`] for a value that is none.
    pub fn of(repo: &Repo) -> Result<Self, Error> {
        let bad = |key, value: &str, expected| Error::Setting {
            key,
            value: value.to_owned(),
            expected,
        };
        let mut policy = Self::default();
        if let Some(value) = repo.config_str(HISTORY_KEY) {
            policy.history = History::from_label(&value)
                .ok_or_else(|| bad(HISTORY_KEY.name(), &value, "tips, recent or all"))?;
        }
        if let Some(value) = repo.config_str(WINDOW_KEY) {
            let expected = "a number and a unit from seconds to years, such as 2.weeks";
            policy.window = value
                .parse()
                .map_err(|_| bad(WINDOW_KEY.name(), &value, expected))?;
        }
        Ok(policy)
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.history {
            History::Tips => f.write_str("branches and work trees"),
            History::Recent => {
                let window = self.window.to_string().replace('.', " ");
                write!(f, "branches and work trees, each with {window} before it")
            }
            History::All => f.write_str("all of history"),
        }
    }
}

/// One of several equal shares of all documents, by blob id.
///
/// Shares are contiguous ranges of ids, so they fall along the canonical cut and what several
/// machines extract unites without being cut anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: u16,
    of: u16,
}

impl Shard {
    /// Whether it is the first, which does what cannot be shared out.
    pub fn is_first(&self) -> bool {
        self.number == 1
    }

    /// Whether a blob belongs to the share: its first 8 bytes, as a fraction of 2^64, lie in
    /// [(number - 1) / of, number / of).
    pub fn holds(&self, blob: BlobId) -> bool {
        let first = blob.as_bytes().first_chunk::<8>().copied();
        let fraction = u128::from(u64::from_be_bytes(first.unwrap_or_default()));
        (fraction * u128::from(self.of)) >> 64 == u128::from(self.number - 1)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = || {
            let (number, of) = text.split_once('/')?;
            let (number, of): (u16, u16) = (number.parse().ok()?, of.parse().ok()?);
            (1 <= number && number <= of && of <= MAX_SHARDS).then_some(Self { number, of })
        };
        parse().ok_or_else(|| format!("give K/N with 1 <= K <= N <= {MAX_SHARDS}, such as 2/8"))
    }
}

/// What one run of `index` is to cover. The default is what configuration keeps warm.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// Exactly these revisions; with `since`, their history.
    pub revisions: Vec<String>,
    /// Everything that each of these ranges lists.
    pub ranges: Vec<String>,
    /// This much of history.
    pub history: Option<History>,
    /// Nothing before this date, in git's words; by itself, all of history since then.
    pub since: Option<String>,
    /// Only this share of the documents.
    pub shard: Option<Shard>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_blob_is_in_one_shard() {
        let blob = |first: u64| {
            let mut bytes = [0; 20];
            bytes[..8].copy_from_slice(&first.to_be_bytes());
            BlobId::from_bytes(&bytes).unwrap()
        };
        for (of, blobs) in [(1, 5000), (2, 5000), (3, 5000), (7, 5000), (1024, 400)] {
            let shards: Vec<Shard> = (1..=of)
                .map(|number| format!("{number}/{of}").parse().unwrap())
                .collect();
            let mut last = 0;
            for first in (0..=u64::MAX).step_by(usize::MAX / blobs).chain([u64::MAX]) {
                let holders: Vec<usize> =
                    (0..of).filter(|n| shards[*n].holds(blob(first))).collect();
                assert_eq!(holders.len(), 1, "{first:x} of {of}");
                assert!(holders[0] >= last, "ranges are contiguous");
                last = holders[0];
            }
            assert_eq!(last, of - 1, "{of}");
        }
        let half: Shard = "2/2".parse().unwrap();
        assert!(!half.holds(blob((1 << 63) - 1)) && half.holds(blob(1 << 63)));
        for bad in [
            "", "1", "0/2", "3/2", "1/0", "1/1025", "a/2", "-1/2", "1/2/3",
        ] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
