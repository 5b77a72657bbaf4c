//! What is counted. The workloads build on each other: the index that the first one makes is the
//! one that the others ask.

use super::count::Counter;
use super::fixture::Fixture;
use crate::Result;
use crate::program::Program;
use crate::session::Session;
use serde_json::{Value, json};
use std::process::Command;

/// Something that is counted.
pub type Workload = fn(&Fixture, &Program, &Counter) -> Result<u64>;

/// All of them by name, in the order in which they have to run.
pub const ALL: [(&str, Workload); 3] = [
    ("cold index", cold_index),
    ("one edit", one_edit),
    ("session", session),
];

/// Everything is extracted and stored.
fn cold_index(fixture: &Fixture, program: &Program, counter: &Counter) -> Result<u64> {
    let args = ["index", "--threads", "1", "HEAD"];
    finish(&mut counter.command(program, fixture.dir(), &args))?;
    counter.read()
}

/// A question on the command line, the first one after a file was edited; the one before it left
/// its caches.
fn one_edit(fixture: &Fixture, program: &Program, counter: &Counter) -> Result<u64> {
    let args = ["symbol", "RoaringBitmap"];
    finish(&mut counter.uncounted(program, fixture.dir(), &args))?;
    fixture.edit()?;
    finish(&mut counter.command(program, fixture.dir(), &args))?;
    counter.read()
}

/// An agent's session: a hello, questions one after the other, and the list of tools. The first question follows the
/// hello at once: a server that is left alone for a moment gets ready, which would be counted or not as it happens.
fn session(fixture: &Fixture, program: &Program, counter: &Counter) -> Result<u64> {
    let mut session = Session::start(&mut counter.command(program, fixture.dir(), &["mcp"]))?;
    for (tool, arguments) in questions() {
        let answer = session.call(tool, arguments.clone())?;
        if answer.is_error {
            return Err(format!("{tool} {arguments}: {}", answer.text).into());
        }
    }
    session.request("tools/list", json!({}))?;
    session.finish()?;
    counter.read()
}

/// Forty questions about the fixture, of every kind, as an agent mixes them.
fn questions() -> Vec<(&'static str, Value)> {
    const SUBJECTS: [(&str, &str); 9] = [
        ("RoaringBitmap", "insert a value into a bitmap"),
        ("Container", "convert a container between array and bitmap"),
        ("Parser", "parse a document after an edit"),
        ("TreeCursor", "walk the children of a node"),
        ("ts_parser_parse", "error recovery cost of a stack version"),
        (
            "ts_lexer_advance",
            "decode the next code point of the input",
        ),
        ("QueryCursor", "match captures of a query pattern"),
        ("union", "union of two sorted arrays"),
        (
            "nothing_has_this_name",
            "retry the connection to the server",
        ),
    ];
    let mut questions = vec![("map", json!({})), ("map", json!({"scope": ["roaring/"]}))];
    for (name, words) in SUBJECTS {
        questions.extend([
            ("search", json!({"query": words})),
            ("symbol", json!({"name": name})),
            ("refs", json!({"target": name})),
            ("search", json!({"query": name, "at": "HEAD"})),
        ]);
    }
    questions.push(("symbol", json!({"name": "tree-sitter/src/parser.c"})));
    questions.push((
        "symbol",
        json!({"name": "added_by_the_benchmark", "detail": "body"}),
    ));
    questions
}

/// Runs a command to its end; a question that finds nothing is no failure.
fn finish(command: &mut Command) -> Result<()> {
    let out = command.output()?;
    match out.status.code() {
        Some(0 | 1) => Ok(()),
        _ => Err(format!("{command:?}: {}", String::from_utf8_lossy(&out.stderr)).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::questions;

    #[test]
    fn a_session_has_forty_questions_of_every_kind() {
        let questions = questions();
        assert_eq!(questions.len(), 40);
        for tool in ["search", "symbol", "refs", "map"] {
            assert!(questions.iter().any(|(asked, _)| *asked == tool));
        }
    }
}
