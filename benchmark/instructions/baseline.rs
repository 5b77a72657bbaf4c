//! The committed counts, and what to think of new ones.

use crate::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Growth of a count that fails the check, and shrinkage that is worth a word. Repeated counts of
/// one program differ by less than 0.2 %.
const TOLERANCE_PERCENT: u64 = 10;

/// All committed counts, by target, profile and compiler.
#[derive(Serialize, Deserialize, Default)]
#[serde(transparent)]
pub struct Baselines(BTreeMap<String, Baseline>);

/// The counts of one target, profile and compiler.
#[derive(Serialize, Deserialize)]
pub struct Baseline {
    /// Id of the tree that the workloads ran over.
    pub sources: String,
    instructions: BTreeMap<String, u64>,
}

impl Baselines {
    /// Reads them; a missing file has none.
    pub fn read(path: &Path) -> Result<Self> {
        match std::fs::read(path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)
                .map_err(|err| format!("{}: {err}", path.display()))?),
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(err) => Err(format!("{}: {err}", path.display()).into()),
        }
    }

    /// Writes them in a fixed order, so that updates are small in a diff.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(std::fs::write(path, text)?)
    }

    /// The counts under a key.
    pub fn get(&self, key: &str) -> Option<&Baseline> {
        self.0.get(key)
    }

    /// Replaces the counts under a key and leaves others as they are.
    pub fn set(&mut self, key: String, baseline: Baseline) {
        self.0.insert(key, baseline);
    }
}

impl Baseline {
    /// No counts yet.
    pub fn new(sources: String) -> Self {
        Self {
            sources,
            instructions: BTreeMap::new(),
        }
    }

    /// Adds the count of a workload.
    pub fn add(&mut self, workload: &str, count: u64) {
        self.instructions.insert(workload.to_owned(), count);
    }

    /// The count of a workload.
    pub fn count(&self, workload: &str) -> Option<u64> {
        self.instructions.get(workload).copied()
    }
}

/// What to think of a count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict {
    /// Nothing to compare with.
    New,
    /// Within the tolerance; the change as a share of the baseline.
    Same(f64),
    /// More instructions than tolerated.
    Slower(f64),
    /// Fewer, by more than the tolerance.
    Faster(f64),
}

impl Verdict {
    /// Compares a count with the baseline.
    pub fn of(count: u64, baseline: Option<u64>) -> Self {
        let Some(before) = baseline.filter(|count| *count > 0) else {
            return Self::New;
        };
        let change = count as f64 / before as f64 - 1.0;
        let percent = |percent: u64| u128::from(before) * u128::from(percent);
        let hundredfold = u128::from(count) * 100;
        if hundredfold > percent(100 + TOLERANCE_PERCENT) {
            Self::Slower(change)
        } else if hundredfold < percent(100 - TOLERANCE_PERCENT) {
            Self::Faster(change)
        } else {
            Self::Same(change)
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New => f.pad(""),
            Self::Same(change) | Self::Slower(change) | Self::Faster(change) => {
                f.pad(&format!("{:+.1}%", change * 100.0))
            }
        }
    }
}

/// Says what is notable, and returns whether nothing is slower than tolerated.
pub fn summary(verdicts: &[(&str, Verdict)], say: &mut dyn FnMut(String)) -> bool {
    let mut passed = true;
    for (name, verdict) in verdicts {
        match verdict {
            Verdict::Slower(_) => {
                passed = false;
                say(format!(
                    "{name}: {verdict} is more than the {TOLERANCE_PERCENT}% that pass; if it has to be, run \
                     `cargo run -p benchmark -- instructions --update` and `cargo benchmark \
                     instructions --update`, commit benchmark/instructions.json and say why"
                ));
            }
            Verdict::Faster(_) => say(format!(
                "{name}: {verdict}; `--update` keeps the gain from being lost unseen"
            )),
            Verdict::Same(_) | Verdict::New => {}
        }
    }
    passed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the check says of one workload that had 1,000,000 instructions.
    fn check(count: u64) -> (bool, Vec<String>) {
        let mut said = Vec::new();
        let verdict = Verdict::of(count, Some(1_000_000));
        let passed = summary(&[("cold index", verdict)], &mut |line| said.push(line));
        (passed, said)
    }

    #[test]
    fn fifteen_percent_more_fails_and_says_how_to_accept() {
        let (passed, said) = check(1_150_000);
        assert!(!passed);
        assert!(said[0].starts_with("cold index: +15.0%"), "{said:?}");
        assert!(said[0].contains("--update"), "{said:?}");
    }

    #[test]
    fn a_tenth_passes_in_silence() {
        for count in [900_000, 1_000_000, 1_004_999, 1_100_000] {
            assert_eq!(check(count), (true, Vec::new()));
        }
        assert!(!check(1_100_001).0);
    }

    #[test]
    fn a_gain_passes_and_is_mentioned() {
        let (passed, said) = check(800_000);
        assert!(passed);
        assert!(said[0].starts_with("cold index: -20.0%"), "{said:?}");
    }

    #[test]
    fn one_slow_workload_among_good_ones_fails() {
        let verdicts = [
            ("a", Verdict::of(10, Some(10))),
            ("b", Verdict::of(12, Some(10))),
            ("c", Verdict::of(5, Some(10))),
        ];
        assert!(!summary(&verdicts, &mut |_| ()));
    }

    #[test]
    fn without_a_baseline_everything_passes() {
        assert_eq!(Verdict::of(5, None), Verdict::New);
        assert!(summary(&[("cold index", Verdict::New)], &mut |_| ()));
    }

    #[test]
    fn updating_one_compiler_keeps_the_others() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("instructions.json");
        let mut all = Baselines::read(&path).unwrap();
        for (key, count) in [("a, dev, rustc 1", 1), ("a, dev, rustc 2", 2)] {
            let mut baseline = Baseline::new("tree".to_owned());
            baseline.add("cold index", count);
            all.set(key.to_owned(), baseline);
            all.write(&path).unwrap();
            all = Baselines::read(&path).unwrap();
        }
        let count = |key| all.get(key).and_then(|known| known.count("cold index"));
        assert_eq!(count("a, dev, rustc 1"), Some(1));
        assert_eq!(count("a, dev, rustc 2"), Some(2));
        assert_eq!(count("a, dev, rustc 3"), None);
    }
}
