//! Renders `diff --tests`: names for a program to read, commands to paste, or reasons for people.

use super::footer::{self, Footer};
use super::layout::{Item, lay_out};
use super::wire::tests_to_run as wire;
use super::{Budgeted, Rendered, Style, clean, count};
use crate::query::diff::runners::Runs;
use crate::query::diff::tests_to_run::{
    SelectedTest, TestSelection, TestsAnswer, Unreached, Whole, Why,
};

labelled! {
    /// How selected tests are told.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum TestsForm {
        /// One a line, as its runner names it, and nothing else.
        #[default]
        List = "list",
        /// The commands that run them, one a line, and nothing else.
        Command = "command",
        /// Each with why it is there, and what no test reaches.
        Why = "why",
    }
}

/// Bytes of a command from which on it is shown only where there is room for all of it.
const LONG_COMMAND: usize = 400;

impl Budgeted for TestsAnswer {
    type Wire<'a> = wire::Tests;

    const BUDGET: usize = super::DIFF_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::Tests> {
        within(self, style)
    }
}

/// Renders an answer within a budget: commands first, then the tests with their reasons, then what no test reaches.
fn within(answer: &TestsAnswer, style: &Style) -> Rendered<wire::Tests> {
    let selection = &answer.selection;
    let mut items = vec![Item::remark(0, head(answer) + "\n")];
    let said = remarks(selection).into_iter();
    items.extend(said.map(|said| Item::remark(0, format!("{said}\n"))));
    for found in &selection.commands {
        let command = format!("  {}\n", clean::whole(&found.command));
        let mut item = Item::remark(1, command.clone());
        if command.len() > LONG_COMMAND {
            let short = "  (a long command: `git sverklo diff --tests=command` prints it)\n";
            item.levels = vec![short.to_owned(), command];
        }
        items.push(item);
    }
    let mut path = "";
    for test in &selection.tests {
        if test.path != path {
            path = &test.path;
            items.push(Item::remark(2, format!("{}\n", clean::path(path))));
        }
        items.push(Item {
            rank: 2,
            ..Item::main(reason(test))
        });
    }
    for (i, missed) in selection.unreached.iter().enumerate() {
        if i == 0 {
            items.push(Item::remark(3, "no test reaches:\n".to_owned()));
        }
        items.push(Item::remark(3, unreached(missed)));
    }
    let total = selection.tests.len();
    let (text, layout, footer) = lay_out(&items, 1, style.budget, |layout| {
        let room = || style.voice.set("budget", super::fitting(layout));
        let is_cut = layout.levels.iter().any(Option::is_none);
        Footer::new(&answer.stamp, layout.main, total).next(is_cut.then(room))
    });
    let mut wire = wire::Tests::of(answer);
    wire.tests.truncate(layout.main);
    wire.next = footer.advice();
    Rendered::of(text, wire).found(total > 0)
}

/// Renders an answer of `diff --tests`. Nothing is left out: a test that is not told is not run.
pub fn render(answer: &TestsAnswer, form: TestsForm) -> Rendered<wire::Tests> {
    let selection = &answer.selection;
    let text = match form {
        TestsForm::List => lines(selection.tests.iter().filter_map(|test| test.id.as_deref())),
        TestsForm::Command => lines(
            selection
                .commands
                .iter()
                .map(|found| found.command.as_str()),
        ),
        TestsForm::Why => reasons(answer),
    };
    Rendered::of(text, wire::Tests::of(answer)).found(!selection.tests.is_empty())
}

fn lines<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let line = |word: &str| {
        // At the beginning of a line runners of pipelines take `::` for a command.
        let here = if word.starts_with("::") { "./" } else { "" };
        format!("{here}{}\n", clean::whole(word))
    };
    words.map(line).collect()
}

/// What whoever reads only names or commands should know besides.
pub fn remarks(selection: &TestSelection) -> Vec<String> {
    let mut said = Vec::new();
    said.extend(
        selection
            .whole
            .as_ref()
            .map(|whole| wholly(selection, whole)),
    );
    said.extend(widened(selection));
    if selection.unnamed > 0 {
        let tests = count(selection.unnamed as u64, "test");
        said.push(format!("{tests} left out: their names cannot be pasted"));
    }
    if selection.is_bounded {
        said.push("not all ways were followed: the change is too large".to_owned());
    }
    said
}

/// Which runners are told something else than the tests, in the order of their commands.
fn widened(selection: &TestSelection) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    let widened = selection.commands.iter().filter_map(|found| {
        let runner = found.runner;
        match found.runs {
            Runs::Files => Some(format!(
                "{runner}: too many tests for a command, so their files are run as wholes"
            )),
            Runs::Likeliest => Some(format!(
                "{runner}: too many tests for commands, so those that are the likeliest to fail come first, then the \
                 whole suite; --json lists all that are selected"
            )),
            Runs::Selected | Runs::All => None,
        }
    });
    for line in widened {
        if !said.contains(&line) {
            said.push(line);
        }
    }
    said
}

fn wholly(selection: &TestSelection, whole: &Whole) -> String {
    match whole {
        Whole::Ground(ground, path) => {
            let path = clean::whole(path);
            format!(
                "run all tests: {path} ({}) is what all of them rest on",
                ground.label()
            )
        }
        Whole::Most => format!(
            "run all tests: {} of {} are selected",
            selection.files,
            count(selection.all_files as u64, "test file")
        ),
    }
}

fn reasons(answer: &TestsAnswer) -> String {
    let selection = &answer.selection;
    let mut text = head(answer) + "\n";
    for said in remarks(selection) {
        text += &format!("{said}\n");
    }
    for found in &selection.commands {
        text += &format!("  {}\n", clean::whole(&found.command));
    }
    let mut path = "";
    for test in &selection.tests {
        if test.path != path {
            path = &test.path;
            text += &format!("{}\n", clean::path(path));
        }
        text += &reason(test);
    }
    if !selection.unreached.is_empty() {
        text += "no test reaches:\n";
    }
    text.extend(selection.unreached.iter().map(unreached));
    text
}

/// Changed code that no test reaches.
fn unreached(missed: &Unreached) -> String {
    let symbol = &missed.symbol;
    let recorded = match missed.recorded {
        true => " | did not run when coverage was recorded",
        false => "",
    };
    format!(
        "  {}:{}-{} {} {}{recorded}\n",
        clean::path(&symbol.path),
        symbol.start_line,
        symbol.end_line,
        symbol.kind.label(),
        clean::word(&symbol.qualified)
    )
}

/// The first line: what is compared, and how much of the suite is selected.
pub fn head(answer: &TestsAnswer) -> String {
    let selection = &answer.selection;
    let chosen = clean::whole(&answer.chosen);
    let base = match &answer.base {
        Some(base) if *base == chosen => base.clone(),
        Some(base) => format!("{base} ({chosen})"),
        None => format!("nothing ({chosen})"),
    };
    format!(
        "{base} .. {} | tests to run in {} of {} | {:.0} % of all tests",
        footer::state(&answer.stamp),
        selection.files,
        count(selection.all_files as u64, "test file"),
        f64::from(selection.share) * 100.0
    )
}

/// One test and why it is there.
fn reason(test: &SelectedTest) -> String {
    let mut parts = Vec::new();
    let line = test.line.map(|line| format!("{line} "));
    let name = test.name.as_deref().map(clean::word);
    let what = name.unwrap_or_else(|| "all of it".to_owned());
    parts.push(format!("  {}{what}", line.unwrap_or_default()));
    parts.push(match test.why {
        Why::Changed => test.why.label().to_owned(),
        why => format!("{} {}", why.label(), clean::word(&test.reaches)),
    });
    if test.distance > 1 {
        parts.push(count(test.distance, "step"));
    }
    if test.ran {
        parts.push("ran before".to_owned());
    }
    parts.join(" | ") + "\n"
}
