//! `git sverklo diff`.

use super::output::Form;
use super::prelude::*;
use crate::query::diff::tests_to_run::TestsRequest;
use crate::query::request::{DiffRequest, ForecastRequest};
use crate::render::tests_to_run::TestsForm;

/// Help of `diff`.
pub const LONG_ABOUT: &str = "\
Show what a change does to everything else.

Both states are read and resolved as a whole; nothing is checked out. First come places that still \
expect what is gone, has another name or takes something else, or may not see it any more, wherever they are, names that \
their own file binds no more, new calls that do not fit what they \
call (up to 2,000 new calls are looked at), names in new code that lead nowhere (JavaScript, TypeScript, Python, Go: \
imports of what is not there, members that a type of the repository does not have, functions that nothing defines; \
changes of up to 10,000 uses on new lines are looked at, and in them up to 256 imports and members and 2,048 names in all), \
and new import cycles; \
then files that usually change too and did not, with the commits that say so; then the definitions that \
changed (added, removed, renamed, moved, signature, modifiers, body, or comments alone), those first that \
others see; then the files. What others see is breaking, additive, or may be breaking, by the rules of its \
language, where documents decide that.

\"no use left behind\" is said only where all of the tree is known. Otherwise the first line says how many places may \
be, or \"as far as was looked\", and a line names them: uses that may mean another definition or lie on values of \
which nothing is known, calls whose arguments cannot be counted, values that are handed on, types and orders that \
nobody compared, fields that a literal names short, names in strings, pages, comments, documentation and data, lines and files that were not understood \
or not read. Of definitions that are another in a way that is compared with no use, such as the head of a type, it is said that \
nobody looked. Not seen at all are labels, and names that a build gives. No check fails for these.

The risk is how likely such a change was to be fixed within 30 days in the history of this repository up to \
the base: a sum of named terms, with how well it told commits that it was not fitted to (area under the curve: \
.5 is a coin, 1 never wrong; Brier: mean squared error). Reach, missing tests and broken interfaces are added \
with fixed weights. It is unknown where there are fewer than 200 commits of code, or 30 that were fixed.

  git sverklo diff              where the work tree left the default branch .. work tree
  git sverklo diff BASE         where it left BASE .. work tree
  git sverklo diff BASE..HEAD   BASE itself .. HEAD
  git sverklo diff BASE...HEAD  where HEAD left BASE .. HEAD

  git sverklo diff --with REV       what a merge of REV into the work tree would come to
  git sverklo diff --with-worktrees the same with each other work tree, uncommitted files and all

Uncommitted and untracked files belong to the work tree. Merges are made in memory, by git's own rules: what \
collides in text, and what no text says (one side uses what the other one removed, renamed, moved or changed; \
both define one name; one side adds to an interface that the other one implements).

With --tests only the tests that reach the change are told, for a pipeline: one a line as their runner \
names them, --tests=command what to paste into a shell (pytest, unittest, jest, vitest, mocha, node --test, \
go test, cargo, nextest, Gradle, Maven, rspec, Rails, minitest, phpunit, dotnet, swift, GoogleTest and others \
through ctest, bazel or make, mix; told by the manifests of the tree), --tests=why each with its reason, and \
changed code that no test reaches. Coverage \
that was recorded (git sverklo trace) closes ways that no test went.

Exit status:
  0  something differs; with --tests, there are tests to run; with --with, every merge is clean, in text and in meaning
  1  nothing differs; there are none; some merge is not clean
  2  something went wrong; standard error says what";

/// Arguments of `diff`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What to compare: BASE, BASE..HEAD or BASE...HEAD [default: what the work tree left]
    #[arg(value_name = "RANGE", default_value = "", hide_default_value = true)]
    range: String,

    /// Merge this revision in memory and say what collides; may be repeated, up to 20 times
    #[arg(long, value_name = "REV", conflicts_with = "range")]
    with: Vec<String>,

    /// Merge each other work tree of the repository in memory, with its uncommitted files
    #[arg(long, conflicts_with = "range")]
    with_worktrees: bool,

    /// Look only at files in this language; may be repeated
    #[arg(long, value_parser = language(), value_name = "LANGUAGE")]
    lang: Vec<String>,

    /// Print the tests to run instead, and nothing else: their names, the commands to paste, or why
    ///
    /// The most likely to fail come first: tests that changed, then those that reach the change in the
    /// fewest and surest steps. Exit status 1 when there are none.
    #[arg(
        long,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = TestsForm::List.label(),
        value_parser = one_of(TestsForm::ALL.iter().map(|form| form.label()))
    )]
    tests: Option<String>,

    #[command(flatten)]
    asking: Asking,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    if args.with_worktrees || !args.with.is_empty() {
        let request = ForecastRequest {
            head: args.asking.revision(),
            with: args.with.clone(),
            with_worktrees: args.with_worktrees,
        };
        let ask = |engine: &Engine, progress: &dyn Progress| engine.ask(&request, progress);
        return args.asking.ask(dir, output, ask);
    }
    let request = DiffRequest {
        range: args.range.clone(),
        head: args.asking.revision(),
        scope: args.asking.scope(&args.lang, &[]),
    };
    if let Some(form) = &args.tests {
        let form = TestsForm::from_label(form).unwrap_or_default();
        return tests(args, TestsRequest { diff: request }, form, dir, output);
    }
    let ask = |engine: &Engine, progress: &dyn Progress| engine.ask(&request, progress);
    args.asking.ask(dir, output, ask)
}

/// Prints the tests to run.
fn tests(
    args: &Args,
    request: TestsRequest,
    form: TestsForm,
    dir: &Path,
    output: &Output,
) -> Result<Outcome, Error> {
    let asking = &args.asking;
    let meter = Meter::new(output, asking.quiet);
    let engine = Engine::open(dir)?;
    let answer = engine.ask(&request, &meter)?;
    drop(meter);
    if !asking.quiet && !asking.json {
        output.warn(&answer.stamp.warnings);
        if form != TestsForm::Why {
            output.hint(&render::tests_to_run::remarks(&answer.selection));
        }
    }
    let rendered = render::tests_to_run::render(&answer, form);
    let outcome = output.answer(&rendered, Form::of(asking.quiet, asking.json));
    engine.leave();
    outcome
}
