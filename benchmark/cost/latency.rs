//! How long contenders take to answer, through their own sessions.

use super::names::Sample;
use crate::Result;
use crate::contender::{Contender, Session};
use crate::measure::{median, percentile};
use crate::subject::Subject;
use crate::task::{Kind, Question, Sense, Task};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

/// Questions of each kind, while patience lasts.
const QUESTIONS: usize = 150;
/// Questions of each kind that are asked in any case.
const FEWEST: usize = 5;
/// Results that are wanted of a search.
const DEPTH: usize = 10;

/// What one contender's session took.
pub struct Latency {
    /// Milliseconds from the start of its process until it can be asked, its index being there.
    pub ready_ms: f64,
    /// Milliseconds of the answers of each kind that it has.
    pub answers: BTreeMap<Kind, Vec<f64>>,
    /// Peak resident memory of its server in MB, if it has one.
    pub serving_peak_mb: Option<f64>,
}

impl Latency {
    /// Median and 95th percentile of a kind, or nothing.
    pub fn of(&self, kind: Kind) -> (Option<f64>, Option<f64>) {
        let mut samples = self.answers.get(&kind).cloned().unwrap_or_default();
        let p95 = (!samples.is_empty()).then(|| percentile(&mut samples, 0.95));
        (median(&mut samples), p95)
    }

    /// Adds the figures of a kind to a line, under a name of its own.
    pub fn put(&self, line: &mut Value, kind: Kind, name: &str) {
        let (p50, p95) = self.of(kind);
        line[format!("{name}_p50_ms")] = json!(p50);
        line[format!("{name}_p95_ms")] = json!(p95);
    }
}

/// Asks all contenders the same questions, one after the other: a contender that needs longer than
/// its `patience`, in seconds, gets fewer. The error is that of the contender.
pub fn latencies(
    contenders: &[&dyn Contender],
    subject: &Subject,
    sample: &Sample,
    patience: f64,
) -> Vec<std::result::Result<Latency, String>> {
    let mut open: Vec<_> = contenders
        .iter()
        .map(|contender| Open::start(*contender, subject).map_err(|err| err.to_string()))
        .collect();
    for i in 0..QUESTIONS {
        for place in &mut open {
            let Ok(session) = place else { continue };
            if i >= FEWEST && session.spent > patience {
                continue;
            }
            if let Err(err) = session.ask(i, sample) {
                *place = Err(err.to_string());
            }
        }
    }
    let close = |session: Open| Latency {
        serving_peak_mb: session.session.peak_mb(),
        ready_ms: session.ready_ms,
        answers: session.answers,
    };
    open.into_iter().map(|open| open.map(close)).collect()
}

struct Open {
    session: Box<dyn Session>,
    ready_ms: f64,
    answers: BTreeMap<Kind, Vec<f64>>,
    spent: f64,
}

impl Open {
    fn start(contender: &dyn Contender, subject: &Subject) -> Result<Self> {
        let start = Instant::now();
        let session = contender.open(subject)?;
        Ok(Self {
            session,
            ready_ms: start.elapsed().as_secs_f64() * 1e3,
            answers: BTreeMap::new(),
            spent: 0.0,
        })
    }

    fn ask(&mut self, i: usize, sample: &Sample) -> Result<()> {
        for question in questions(i, sample) {
            let kind = question.kind();
            let task = Task {
                id: format!("{kind}-{i}"),
                set: "cost".to_owned(),
                lang: sample.name(i).lang.to_owned(),
                category: String::new(),
                neutral: Vec::new(),
                scope: Vec::new(),
                question,
            };
            let start = Instant::now();
            let answer = self.session.answer(&task)?;
            self.spent += start.elapsed().as_secs_f64();
            if let Some(answer) = answer {
                let wall = answer.wall.as_secs_f64() * 1e3;
                self.answers.entry(kind).or_default().push(wall);
            }
        }
        Ok(())
    }
}

/// The i-th questions, whose truth nobody needs.
fn questions(i: usize, sample: &Sample) -> [Question; 3] {
    let name = sample.name(i).text.clone();
    let query = sample.words(i);
    [
        Question::Definition {
            name: name.clone(),
            truth: Vec::new(),
        },
        Question::References {
            name,
            truth: Vec::new(),
            sense: Sense::Meaning,
        },
        Question::Locate {
            query,
            truth: Vec::new(),
            depth: DEPTH,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::Answer;
    use crate::cost::tests::small;
    use std::path::{Path, PathBuf};
    use std::process::Command;
    use std::time::Duration;

    /// Answers definitions in as many milliseconds as were asked before, and fails at one of them.
    struct Counts {
        fails_at: usize,
    }

    impl Contender for Counts {
        fn name(&self) -> &'static str {
            "counts"
        }

        fn version(&self) -> std::result::Result<String, String> {
            Ok("1".to_owned())
        }

        fn open(&self, _subject: &Subject) -> Result<Box<dyn Session>> {
            Ok(Box::new(Counting {
                asked: 0,
                fails_at: self.fails_at,
            }))
        }

        fn index_command(&self, _dir: &Path) -> Option<Command> {
            None
        }

        fn index_paths(&self, _dir: &Path) -> Vec<PathBuf> {
            Vec::new()
        }
    }

    struct Counting {
        asked: u64,
        fails_at: usize,
    }

    impl Session for Counting {
        fn answer(&mut self, task: &Task) -> Result<Option<Answer>> {
            if task.question.kind() != Kind::Definition {
                return Ok(None);
            }
            self.asked += 1;
            if self.asked as usize == self.fails_at {
                return Err("tired".into());
            }
            Ok(Some(Answer {
                wall: Duration::from_millis(self.asked),
                ..Answer::default()
            }))
        }
    }

    #[test]
    fn answers_are_taken_by_kind_and_failures_stay_with_their_contender() {
        let subject = small(2);
        let sample = Sample::of(&subject).unwrap();
        let (steady, tired) = (Counts { fails_at: 0 }, Counts { fails_at: 3 });
        let found = latencies(&[&steady, &tired], &subject, &sample, 60.0);
        let latency = found[0].as_ref().ok().unwrap();
        let (p50, p95) = latency.of(Kind::Definition);
        assert_eq!(latency.answers[&Kind::Definition].len(), QUESTIONS);
        assert_eq!((p50, p95), (Some(75.0), Some(143.0)));
        assert_eq!(latency.of(Kind::Locate), (None, None));
        assert_eq!(latency.serving_peak_mb, None);
        assert_eq!(found[1].as_ref().err().unwrap(), "tired");
    }

    #[test]
    fn without_patience_few_are_asked() {
        let subject = small(2);
        let sample = Sample::of(&subject).unwrap();
        let found = latencies(&[&Counts { fails_at: 0 }], &subject, &sample, 0.0);
        let latency = found[0].as_ref().ok().unwrap();
        assert_eq!(latency.answers[&Kind::Definition].len(), FEWEST);
    }
}
