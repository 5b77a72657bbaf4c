//! Questions, their answers as JSON, and where two answers differ.

use super::index_id;
use crate::Result;
use crate::program::Program;
use crate::subject::run_git;
use serde_json::Value;
use std::path::Path;

/// Longest part of a differing value that is quoted, in characters.
const QUOTED: usize = 80;

/// A question about a commit and its true answer.
pub struct Asked {
    /// The commit.
    pub commit: String,
    /// The arguments of the command line.
    pub question: Vec<String>,
    /// What a fresh index in a clean checkout answered.
    pub answer: Value,
}

/// What came of comparing.
#[derive(Default)]
pub struct Tally {
    /// Answers that were compared.
    pub compared: usize,
    /// What differed, each in one line.
    pub differences: Vec<String>,
}

impl Tally {
    /// Compares an answer with the true one.
    fn compare(&mut self, truth: &Asked, answer: &Value, when: &str) {
        self.compared += 1;
        if let Some(difference) = difference(&truth.answer, answer) {
            self.differences.push(format!(
                "{} --at {}, {when}: {difference}",
                truth.question.join(" "),
                truth.commit
            ));
        }
    }

    /// Notes a difference when two object ids that should be one are not.
    pub fn same_id(&mut self, what: &str, expected: &str, actual: &str) {
        if expected != actual {
            self.differences
                .push(format!("{what}: {expected} expected, {actual} found"));
        }
    }
}

/// A fixed set of questions and a few about files that the checkout has.
///
/// `base` is an earlier commit that every index covers, so that a question about what came since extends none.
pub fn questions(dir: &Path, base: Option<&str>) -> Result<Vec<Vec<String>>> {
    let mut questions: Vec<Vec<String>> = [
        &["search", "parse request header"][..],
        &["search", "error handling when a connection is closed"],
        &["search", "test helper", "--limit", "30"],
        &["symbol", "get", "--limit", "50"],
        &["symbol", "Error"],
        &["symbol", "parse config"],
        &["refs", "name", "--limit", "200"],
        &["refs", "assert"],
        &["map"],
        &["audit"],
        &["audit", "hotspots"],
        &["history", "--who", "./"],
        &["history", "-F", "assert"],
    ]
    .iter()
    .map(|question| question.iter().map(|word| (*word).to_owned()).collect())
    .collect();
    let files = run_git(
        dir,
        &[
            "ls-files", "*.js", "*.ts", "*.py", "*.go", "*.rs", "*.c", "*.java",
        ],
    )?;
    let files: Vec<&str> = files
        .lines()
        .filter(|path| !path.starts_with('"'))
        .collect();
    for path in files.iter().step_by((files.len() / 4).max(1)).take(4) {
        questions.push(vec!["symbol".to_owned(), (*path).to_owned()]);
    }
    // What came later may change neither the past of something nor what became of it until then.
    let earlier = run_git(dir, &["rev-list", "--max-count=200", "HEAD"])?;
    let earlier = earlier.lines().last().unwrap_or("HEAD");
    for path in files.iter().step_by((files.len() / 2).max(1)).take(2) {
        for target in [(*path).to_owned(), format!("{path}:20")] {
            questions.push(vec!["history".to_owned(), target]);
        }
        questions.push(["history", "--who", path].map(str::to_owned).to_vec());
        let cited = format!("{path}:1-20@{earlier}");
        questions.push(vec!["verify".to_owned(), cited]);
    }
    // Of a range the end is the commit that is asked about.
    questions.extend(base.map(|base| {
        let range = format!("{base}..{TIP}");
        ["map", "--at", &range].map(str::to_owned).to_vec()
    }));
    Ok(questions)
}

/// The commit that is asked about, as a range of a question names it.
const TIP: &str = "HEAD";

/// The arguments of a question about a commit that is not checked out.
fn about(question: &[String], commit: &str) -> Vec<String> {
    let mut words = question.to_vec();
    let range = words.iter_mut().find_map(|word| {
        let earlier = word.strip_suffix(TIP)?.strip_suffix("..")?;
        let range = format!("{earlier}..{commit}");
        Some((word, range))
    });
    match range {
        Some((word, range)) => *word = range,
        None => words.extend(["--at".to_owned(), commit.to_owned()]),
    }
    words
}

/// Asks every question again, of the index in `dir`, and compares. The index covers the commits
/// already, so asking must not move it.
pub fn ask_again<'a>(
    truth: impl IntoIterator<Item = &'a Asked>,
    dir: &Path,
    when: &str,
    program: &Program,
) -> Result<Tally> {
    let before = index_id(dir)?;
    let mut tally = Tally::default();
    for asked in truth {
        let question = about(&asked.question, &asked.commit);
        let question: Vec<&str> = question.iter().map(String::as_str).collect();
        tally.compare(asked, &json_answer(program, dir, &question)?, when);
    }
    tally.same_id(&format!("index ref, {when}"), &before, &index_id(dir)?);
    Ok(tally)
}

/// Asks a question and returns what was said of the commit.
pub fn json_answer(program: &Program, dir: &Path, question: &[&str]) -> Result<Value> {
    let mut args = question.to_vec();
    args.extend(["--json", "--budget", "20000"]);
    let mut value: Value = serde_json::from_str(&run(program, dir, &args)?)?;
    // `map` also tells of the store, which is no part of the answer about the commit.
    if let Some(object) = value.as_object_mut() {
        object.remove("store");
    }
    Ok(value)
}

/// Runs the program and returns what it printed.
pub fn run(program: &Program, dir: &Path, args: &[&str]) -> Result<String> {
    let out = program.command(dir, args).output()?;
    match out.status.code() {
        Some(0 | 1) => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        _ => Err(format!("{args:?}: {}", String::from_utf8_lossy(&out.stderr)).into()),
    }
}

/// The first place, in document order, where two values differ, and both sides there.
fn difference(expected: &Value, actual: &Value) -> Option<String> {
    let mut path = String::new();
    let (expected, actual) = descend(expected, actual, &mut path)?;
    Some(format!(
        "at {}: {} expected, {} found",
        if path.is_empty() { "the top" } else { &path },
        quote(expected),
        quote(actual)
    ))
}

/// Extends `path`, a JSON pointer, to the first difference; `None` for a side that has nothing.
fn descend<'a>(
    expected: &'a Value,
    actual: &'a Value,
    path: &mut String,
) -> Option<(Option<&'a Value>, Option<&'a Value>)> {
    if expected == actual {
        return None;
    }
    let parts: Vec<(String, Option<&Value>, Option<&Value>)> = match (expected, actual) {
        (Value::Array(a), Value::Array(b)) => (0..a.len().max(b.len()))
            .map(|at| (at.to_string(), a.get(at), b.get(at)))
            .collect(),
        (Value::Object(a), Value::Object(b)) => a
            .keys()
            .chain(b.keys().filter(|key| !a.contains_key(*key)))
            .map(|key| (key.clone(), a.get(key), b.get(key)))
            .collect(),
        _ => return Some((Some(expected), Some(actual))),
    };
    let (key, a, b) = parts.into_iter().find(|(_, a, b)| a != b)?;
    path.push('/');
    path.push_str(&key);
    match (a, b) {
        (Some(a), Some(b)) => descend(a, b, path),
        sides => Some(sides),
    }
}

fn quote(value: Option<&Value>) -> String {
    let text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_values_do_not_differ() {
        let value = json!({"items": [{"line": 1}, {"line": 2}]});
        assert_eq!(difference(&value, &value.clone()), None);
    }

    #[test]
    fn a_planted_difference_is_named_by_its_place_and_both_sides() {
        let expected = json!({"items": [{"line": 1}, {"line": 2, "path": "a.rs"}]});
        let mut actual = expected.clone();
        actual["items"][1]["line"] = json!(3);
        assert_eq!(
            difference(&expected, &actual).as_deref(),
            Some("at /items/1/line: 2 expected, 3 found")
        );
        let shorter = json!({"items": [{"line": 1}]});
        assert_eq!(
            difference(&shorter, &expected).as_deref(),
            Some(r#"at /items/1: nothing expected, {"line":2,"path":"a.rs"} found"#)
        );
        // The order of items is part of an answer.
        let turned = json!({"items": [{"line": 2, "path": "a.rs"}, {"line": 1}]});
        assert!(difference(&expected, &turned).is_some());
        assert_eq!(
            difference(&json!(1), &json!("1")).as_deref(),
            Some("at the top: 1 expected, \"1\" found")
        );
    }

    #[test]
    fn one_wrong_answer_among_right_ones_is_counted() {
        let asked = |answer: Value| Asked {
            commit: "c0ffee".to_owned(),
            question: vec!["refs".to_owned(), "name".to_owned()],
            answer,
        };
        let mut tally = Tally::default();
        tally.compare(&asked(json!([1])), &json!([1]), "after union");
        tally.compare(&asked(json!([1])), &json!([2]), "after union");
        tally.same_id("index ref", "a", "a");
        assert_eq!(tally.compared, 2);
        assert_eq!(
            tally.differences,
            ["refs name --at c0ffee, after union: at /0: 1 expected, 2 found"]
        );
        tally.same_id("index ref", "a", "b");
        assert_eq!(tally.differences[1], "index ref: a expected, b found");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_answers_otherwise_or_moves_the_index_is_found() {
        use std::os::unix::fs::PermissionsExt as _;
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path();
        run_git(dir, &["init", "-q"]).unwrap();
        // The script answers what the file says, and indexes it when there is a second file.
        std::fs::write(dir.join("answer"), "{\"shown\": 1, \"store\": 5}").unwrap();
        let index = format!(
            "git update-ref {} $(git hash-object -w",
            super::super::INDEX_REF
        );
        let script = format!("#!/bin/sh\n[ -e extra ] && {index} extra)\ncat answer\n");
        let path = dir.join("program");
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let id = run_git(dir, &["hash-object", "-w", "answer"]).unwrap();
        run_git(dir, &["update-ref", super::super::INDEX_REF, id.trim()]).unwrap();

        let program = Program::find(Some(&path)).unwrap();
        let truth = [Asked {
            commit: "HEAD".to_owned(),
            question: vec!["map".to_owned()],
            answer: json!({"shown": 1}),
        }];
        let ask = || ask_again(&truth, dir, "after gc", &program).unwrap();
        assert_eq!((ask().compared, ask().differences), (1, Vec::new()));

        std::fs::write(dir.join("answer"), "{\"shown\": 2}").unwrap();
        assert_eq!(
            ask().differences,
            ["map --at HEAD, after gc: at /shown: 1 expected, 2 found"]
        );

        std::fs::write(dir.join("answer"), "{\"shown\": 1}").unwrap();
        std::fs::write(dir.join("extra"), "one more document").unwrap();
        let moved = ask().differences;
        assert!(moved[0].starts_with("index ref, after gc: "), "{moved:?}");
    }
}
