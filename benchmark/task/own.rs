//! Our own tasks, `benchmark/tasks/*.jsonl`: over this repository and over crates of the lock file, so
//! that anybody can run them offline. Places are told by a piece of their line, not by its number, so
//! that edits around them leave them right; `benchmark/tasks/README.md` has the format.

use super::public::lines;
use super::{Place, Question, Sense, Target, Task};
use crate::Result;
use crate::program::root;
use crate::subject::Subject;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A task as it is written down.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    id: String,
    /// `self`, or `crate:<name>`, or `crate:<name>/<folder>`.
    subject: String,
    lang: String,
    kind: WrittenKind,
    query: String,
    #[serde(default)]
    scope: Vec<String>,
    #[serde(default)]
    truth: Vec<WrittenPlace>,
    #[serde(default)]
    secondary: Vec<WrittenPlace>,
    #[serde(default)]
    imports: Vec<String>,
    #[serde(default)]
    importers: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenKind {
    Definition,
    References,
    Locate,
    Dependencies,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPlace {
    path: String,
    /// A piece of the line, which only that line of the file has.
    text: Option<String>,
    /// Which of the lines that have it, from 1, where one alone cannot be told.
    nth: Option<usize>,
}

/// Results that an agent looks at.
const DEPTH: usize = 10;

/// The folder of our own tasks.
pub fn folder() -> PathBuf {
    root().join("benchmark/tasks")
}

/// All tasks of a folder, by subject.
pub fn read(folder: &Path) -> Result<BTreeMap<String, Vec<Written>>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(|err| format!("{}: {err}", folder.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    paths.sort();
    let mut by_subject: BTreeMap<String, Vec<Written>> = BTreeMap::new();
    for path in paths {
        for task in lines::<Written>(&path)? {
            by_subject
                .entry(task.subject.clone())
                .or_default()
                .push(task);
        }
    }
    Ok(by_subject)
}

/// The repository that tasks are about.
pub fn subject(name: &str) -> Result<Subject> {
    match name.strip_prefix("crate:") {
        Some(name) => Subject::of_crate(name),
        None if name == "self" => Subject::own(),
        None => Err(format!("no subject {name:?}; write `self` or `crate:<name>`").into()),
    }
}

/// Finds the lines that tasks speak of. Fails at the first that is not there: a task whose truth is
/// gone has to be mended, or every answer to it would be wrong.
pub fn resolve(written: &[Written], subject: &Subject) -> Result<Vec<Task>> {
    written
        .iter()
        .map(|task| resolve_one(task, &subject.dir))
        .collect()
}

fn resolve_one(task: &Written, dir: &Path) -> Result<Task> {
    let in_task = |err: Box<dyn std::error::Error>| format!("task {}: {err}", task.id);
    let places = |written: &[WrittenPlace]| -> Result<Vec<Place>> {
        Ok(written
            .iter()
            .map(|place| line_of(place, dir))
            .collect::<Result<_>>()
            .map_err(in_task)?)
    };
    let exists = |path: &str| -> Result<()> {
        if dir.join(path).is_file() {
            Ok(())
        } else {
            Err(format!("task {}: no file {path}", task.id).into())
        }
    };
    let question = match task.kind {
        WrittenKind::Definition => Question::Definition {
            name: task.query.clone(),
            truth: places(&task.truth)?,
        },
        WrittenKind::References => Question::References {
            name: task.query.clone(),
            truth: places(&task.truth)?,
            sense: Sense::Meaning,
        },
        WrittenKind::Dependencies => {
            for path in task
                .imports
                .iter()
                .chain(&task.importers)
                .chain([&task.query])
            {
                exists(path)?;
            }
            Question::Dependencies {
                path: task.query.clone(),
                imports: task.imports.clone(),
                importers: task.importers.clone(),
            }
        }
        WrittenKind::Locate => Question::Locate {
            query: task.query.clone(),
            truth: task
                .truth
                .iter()
                .map(|place| {
                    exists(&place.path)?;
                    Ok(Target {
                        path: place.path.clone(),
                        span: None,
                    })
                })
                .collect::<Result<_>>()?,
            depth: DEPTH,
        },
    };
    if !matches!(task.kind, WrittenKind::Dependencies) && task.truth.is_empty() {
        return Err(format!("task {}: it has no truth", task.id).into());
    }
    let neutral = task
        .secondary
        .iter()
        .map(|place| {
            let line = match place.text {
                Some(_) => Some(line_of(place, dir).map_err(in_task)?.line),
                None => None,
            };
            Ok(Target {
                path: place.path.clone(),
                span: line.map(|line| (line, line)),
            })
        })
        .collect::<Result<_>>()?;
    Ok(Task {
        neutral,
        id: task.id.clone(),
        set: "own".to_owned(),
        lang: task.lang.clone(),
        category: String::new(),
        scope: task.scope.clone(),
        question,
    })
}

fn line_of(place: &WrittenPlace, dir: &Path) -> Result<Place> {
    let wanted = place
        .text
        .as_deref()
        .ok_or("a place of a line needs its text")?;
    let bytes =
        std::fs::read(dir.join(&place.path)).map_err(|err| format!("{}: {err}", place.path))?;
    let text = String::from_utf8_lossy(&bytes);
    let numbers: Vec<usize> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| line.contains(wanted))
        .map(|(number, _)| number)
        .collect();
    let number = match (place.nth, numbers.as_slice()) {
        (None, [number]) => *number,
        (None, []) => return Err(format!("{} has no line with {wanted:?}", place.path).into()),
        (None, many) => {
            return Err(format!(
                "{} has {} lines with {wanted:?}; say which by nth",
                place.path,
                many.len()
            )
            .into());
        }
        (Some(nth), numbers) => *nth
            .checked_sub(1)
            .and_then(|at| numbers.get(at))
            .ok_or_else(|| {
                format!(
                    "{} has {} lines with {wanted:?}, not {nth}",
                    place.path,
                    numbers.len()
                )
            })?,
    };
    Ok(Place {
        path: place.path.clone(),
        line: u32::try_from(number)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::crate_folder;

    fn place(text: &str, nth: Option<usize>) -> WrittenPlace {
        WrittenPlace {
            path: "a.rs".to_owned(),
            text: Some(text.to_owned()),
            nth,
        }
    }

    #[test]
    fn a_line_is_told_by_its_text() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::write(temp.path().join("a.rs"), "one\ntwo two\none more\n").unwrap();
        let line = |text, nth| line_of(&place(text, nth), temp.path());
        assert_eq!(line("two", None).unwrap().line, 2);
        assert_eq!(line("one", Some(2)).unwrap().line, 3);
        assert!(
            line("one", None)
                .unwrap_err()
                .to_string()
                .contains("2 lines")
        );
        assert!(
            line("three", None)
                .unwrap_err()
                .to_string()
                .contains("no line")
        );
        assert!(line("one", Some(3)).is_err());
        assert!(line("one", Some(0)).is_err());
    }

    /// The truth of every task is where the tasks say, in these very sources.
    #[test]
    fn every_task_has_its_truth() {
        let mut ids = std::collections::BTreeSet::new();
        let mut languages: BTreeMap<String, usize> = BTreeMap::new();
        let mut all = 0;
        for (name, written) in read(&folder()).unwrap() {
            all += written.len();
            if let Some(name) = name.strip_prefix("crate:")
                && crate_folder(name.split('/').next().unwrap())
                    .unwrap()
                    .is_none()
            {
                // Sources that nothing is built from come with `cargo fetch` only.
                eprintln!("{name} is not on this machine; its tasks are not checked");
                continue;
            }
            let subject = subject(&name).unwrap();
            for task in resolve(&written, &subject).unwrap() {
                *languages.entry(task.lang).or_default() += 1;
                assert!(
                    ids.insert(task.id.clone()),
                    "two tasks are called {}",
                    task.id
                );
            }
        }
        assert!(all >= 120, "{all} tasks");
        assert!(ids.len() >= 60, "{} tasks checked", ids.len());
        if ids.len() == all {
            let enough = languages.values().filter(|count| **count >= 8).count();
            assert!(enough >= 8, "{languages:?}");
        }
    }
}
