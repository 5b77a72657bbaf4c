//! What an index costs to make and to keep: the same steps for every contender that keeps one.

use super::edit::{Edited, History};
use super::pristine::Pristine;
use crate::Result;
use crate::contender::Contender;
use crate::measure::{Usage, measure, median, median_of};
use crate::subject::Subject;
use std::process::Command;
use std::time::Instant;

/// Rounds through all steps, while patience lasts.
const ROUNDS: usize = 3;
/// A step that takes less than this many seconds is done several times in a round.
const SHORT_S: f64 = 1.0;
/// How often then.
const TIMES: usize = 3;

/// The figures of one contender. Whoever keeps no index has none.
#[derive(Clone, Debug)]
pub struct Upkeep {
    /// From nothing: the least of all rounds.
    pub cold: Usage,
    /// Again, with nothing changed; here and below the median.
    pub noop: Usage,
    /// Again, after one file was edited and committed.
    pub commit: Usage,
    /// Milliseconds from an edit that is not committed until a question can be answered.
    pub edit_ms: f64,
    /// Again, in milliseconds, after a switch to a commit that was never indexed.
    pub switch_ms: Option<f64>,
    /// Again, in milliseconds, after the switch back.
    pub return_ms: Option<f64>,
    /// Bytes that the index takes on disk, its caches included.
    pub bytes: u64,
}

/// One contender's samples.
struct Samples<'a> {
    contender: &'a dyn Contender,
    /// What is timed after an edit, instead of indexing again.
    ask: Option<&'a dyn Fn() -> Command>,
    cold: Vec<Usage>,
    noop: Vec<Usage>,
    commit: Vec<Usage>,
    edit: Vec<f64>,
    switch: Vec<f64>,
    back: Vec<f64>,
    bytes: u64,
    spent: f64,
    failed: Option<String>,
}

/// Measures contenders in turns. Each round begins with no index at all; after the last one the
/// index of each is there. A contender that has used up its `patience`, in seconds, is not asked for
/// another round. `ask` is a question of git-sverklo, which needs no indexing before it.
pub fn upkeep(
    contenders: &[&dyn Contender],
    subject: &Subject,
    ask: &dyn Fn() -> Command,
    patience: f64,
) -> Result<Vec<Option<std::result::Result<Upkeep, String>>>> {
    let history = History::of(subject)?;
    let pristine = Pristine::of(subject)?;
    let mut all: Vec<Option<Samples>> = contenders
        .iter()
        .map(|contender| {
            contender.index_command(&subject.dir)?;
            Some(Samples {
                contender: *contender,
                ask: (contender.name() == super::OURS).then_some(ask),
                cold: Vec::new(),
                noop: Vec::new(),
                commit: Vec::new(),
                edit: Vec::new(),
                switch: Vec::new(),
                back: Vec::new(),
                bytes: 0,
                spent: 0.0,
                failed: None,
            })
        })
        .collect();
    for _ in 0..ROUNDS {
        for samples in all.iter_mut().flatten() {
            if samples.failed.is_some() || samples.spent > patience {
                continue;
            }
            let start = Instant::now();
            pristine.forget(subject, samples.contender)?;
            if let Err(err) = samples.round(subject, &pristine, &history) {
                samples.failed = Some(err.to_string());
            }
            history.restore(subject)?;
            samples.spent += start.elapsed().as_secs_f64();
        }
    }
    Ok(all
        .into_iter()
        .map(|samples| samples.map(Samples::figures))
        .collect())
}

impl Samples<'_> {
    fn index(&self, subject: &Subject) -> Result<Usage> {
        let command = self.contender.index_command(&subject.dir);
        let mut command = command.ok_or("the index command went away")?;
        let (usage, out) = measure(&mut command)?;
        if !out.status.success() {
            return Err(String::from_utf8_lossy(&out.stderr)
                .trim()
                .to_owned()
                .into());
        }
        Ok(usage)
    }

    fn round(&mut self, subject: &Subject, pristine: &Pristine, history: &History) -> Result<()> {
        self.cold.push(self.index(subject)?);
        self.bytes = pristine.bytes(subject, self.contender)?;
        let noop = self.index(subject)?;
        let times = if noop.wall < SHORT_S { TIMES } else { 1 };
        self.noop.push(noop);
        for _ in 1..times {
            self.noop.push(self.index(subject)?);
        }
        let mut edited = Edited::some_file(subject)?;
        for _ in 0..times {
            edited.change()?;
            let usage = match self.ask {
                Some(ask) => measure(&mut ask())?.0,
                None => self.index(subject)?,
            };
            self.edit.push(usage.wall_ms());
        }
        for _ in 0..times {
            edited.change()?;
            edited.commit(subject)?;
            self.commit.push(self.index(subject)?);
        }
        history.restore(subject)?;
        for place in 0..times.min(history.far().len()) {
            history.checkout(subject, &history.far()[place])?;
            self.switch.push(self.index(subject)?.wall_ms());
            history.restore(subject)?;
            self.back.push(self.index(subject)?.wall_ms());
        }
        Ok(())
    }

    fn figures(mut self) -> std::result::Result<Upkeep, String> {
        if let Some(err) = self.failed {
            return Err(err);
        }
        let cold = self.cold.iter().copied().reduce(Usage::least);
        Ok(Upkeep {
            cold: cold.ok_or("no round was done")?,
            noop: median_of(&self.noop).ok_or("no round was done")?,
            commit: median_of(&self.commit).ok_or("no round was done")?,
            edit_ms: median(&mut self.edit).ok_or("no round was done")?,
            switch_ms: median(&mut self.switch),
            return_ms: median(&mut self.back),
            bytes: self.bytes,
        })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::contender::Session;
    use crate::cost::tests::small;
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    /// Keeps, as its index, one line for each time it was run, and takes down at which commit.
    struct Lines(&'static str);

    impl Contender for Lines {
        fn name(&self) -> &'static str {
            "lines"
        }

        fn version(&self) -> std::result::Result<String, String> {
            Ok("1".to_owned())
        }

        fn open(&self, _subject: &Subject) -> Result<Box<dyn Session>> {
            Err("nobody asks".into())
        }

        fn index_command(&self, dir: &Path) -> Option<Command> {
            let mut command = Command::new("sh");
            command.current_dir(dir).args(["-c", self.0]);
            (!self.0.is_empty()).then_some(command)
        }

        fn index_paths(&self, dir: &Path) -> Vec<PathBuf> {
            vec![dir.join(".git/lines")]
        }
    }

    const KEEP: &str = "git rev-parse HEAD >>.git/lines; git status --porcelain >>.git/log;
        git rev-parse HEAD >>.git/log";

    fn figures(
        contenders: &[&dyn Contender],
        subject: &Subject,
    ) -> Vec<Option<std::result::Result<Upkeep, String>>> {
        upkeep(contenders, subject, &|| Command::new("false"), 60.0).unwrap()
    }

    #[test]
    fn every_step_finds_what_it_is_about() {
        let subject = small(45);
        let kept = figures(&[&Lines(KEEP)], &subject)
            .remove(0)
            .unwrap()
            .unwrap();
        // The index as it was after the cold run: one line.
        assert_eq!(kept.bytes, 41);
        assert!(kept.switch_ms.is_some() && kept.return_ms.is_some());
        let log = std::fs::read_to_string(subject.dir.join(".git/log")).unwrap();
        let lines: Vec<&str> = log.lines().collect();
        let round = &lines[..lines.len() / ROUNDS];
        let head = round[0];
        // Cold and three times nothing new, then edits, each with a line of the status before it.
        assert_eq!(&round[..4], [head; 4]);
        for edit in 0..3 {
            assert!(round[4 + 2 * edit].starts_with(" M "), "{round:?}");
            assert_eq!(round[5 + 2 * edit], head);
        }
        // Commits, all different.
        let commits: BTreeSet<&&str> = round[10..13].iter().collect();
        assert_eq!(commits.len(), 3);
        assert!(!commits.contains(&head));
        // Two places far away, and back.
        assert_eq!((round[14], round[16], round.len()), (head, head, 17));
        assert_ne!(round[13], round[15]);
    }

    #[test]
    fn who_fails_does_not_stop_the_others() {
        let subject = small(25);
        let (broken, none, works) = (Lines("echo no room >&2; exit 7"), Lines(""), Lines(KEEP));
        let all = figures(&[&broken, &none, &works], &subject);
        let error = all[0].as_ref().unwrap().as_ref().unwrap_err();
        assert!(error.contains("no room"), "{error}");
        assert!(all[1].is_none());
        assert!(all[2].as_ref().unwrap().is_ok());
    }
}
