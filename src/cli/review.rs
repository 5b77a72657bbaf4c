//! `git sverklo review`.

use super::output::Form;
use super::prelude::*;
use crate::query::request::{DiffRequest, Revision};
use crate::query::review::{Review, Rule};
use clap::ValueEnum;

/// Help of `review`.
pub const LONG_ABOUT: &str = "\
Say what of a change stops a pull request: uses left broken, breaking changes, import cycles.

RANGE is what 'diff' takes; without it, what the work tree left of the default branch. Each finding is \
a line: 'dangling', 'misfit', 'left-behind' and 'missing' are places that expect what is gone, hidden, has another \
name or takes something else, and new calls that do not fit; 'nowhere' is a name in new code that leads nowhere; \
'breaking' is a change of what others may use; 'cycle' is a new import cycle; \
'fan-in' is a file that more import than sverklo.gate.maxFanIn allows, and did not before.

With --ci the exit status is the verdict, and --format says who reads it: 'github' prints workflow \
commands that become annotations, 'sarif' a log that code hosts and editors take. Findings that \
--fail-on names are errors, others warnings, guesses notes; no guess refuses a change. A number refuses \
a risk above it, as 'diff' tells it; an unknown risk is never above.

  git sverklo review                                      what would be found, for you
  git sverklo review --ci --fail-on dangling --format github origin/main...HEAD

Exit status:
  0  passes
  1  refused
  2  something went wrong; standard error says what";

/// What a change is refused for.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Refusal {
    /// Findings of a rule.
    Rule(Rule),
    /// A risk above this, from 0 to 1.
    Risk(f64),
}

/// Reads what a change is to be refused for.
fn refusal(word: &str) -> Result<Refusal, String> {
    if let Some(rule) = Rule::from_label(word) {
        return Ok(Refusal::Rule(rule));
    }
    let risk = word.parse::<f64>().ok();
    let risk = risk.filter(|risk| (0.0..=1.0).contains(risk));
    risk.map(Refusal::Risk).ok_or_else(|| {
        let rules: Vec<&str> = Rule::ALL.iter().map(|rule| rule.label()).collect();
        format!("give a risk from 0 to 1, or one of {}", rules.join(", "))
    })
}

/// Who reads what is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Format {
    /// People
    #[default]
    Text,
    /// Programs
    Json,
    /// Code hosts and editors: SARIF 2.1.0
    Sarif,
    /// Runners of GitHub Actions
    Github,
}

/// Arguments of `review`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What to review: BASE, BASE..HEAD or BASE...HEAD [default: what the work tree left]
    #[arg(value_name = "RANGE", default_value = "", hide_default_value = true)]
    range: String,

    /// Refuse what --fail-on names, with exit status 1
    #[arg(long)]
    ci: bool,

    /// Refuse a change with findings of this rule, or a risk above this number; may be repeated
    #[arg(long, requires = "ci", value_parser = refusal, value_name = "RULE|RISK")]
    fail_on: Vec<Refusal>,

    /// What to print
    #[arg(long, requires = "ci", default_value = "text", value_name = "FORMAT")]
    format: Format,

    /// Print nothing; the exit status is the answer
    #[arg(short, long, conflicts_with = "format")]
    quiet: bool,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let request = DiffRequest {
        range: args.range.clone(),
        head: Revision::WorkTree,
        ..DiffRequest::default()
    };
    let meter = Meter::new(output, args.quiet);
    let engine = Engine::open(dir)?;
    let answer = engine.ask(&request, &meter)?;
    drop(meter);
    let refuses = args.fail_on.iter().filter_map(|refusal| match refusal {
        Refusal::Rule(rule) => Some(*rule),
        Refusal::Risk(_) => None,
    });
    let mut review = Review::of(&answer, &refuses.collect::<Vec<Rule>>());
    let limits = args.fail_on.iter().filter_map(|refusal| match refusal {
        Refusal::Risk(limit) => Some(*limit),
        Refusal::Rule(_) => None,
    });
    if let Some(limit) = limits.reduce(f64::min) {
        review = review.at_most(limit);
    }
    let form = |form| match args.quiet {
        true => Form::Silent,
        false => form,
    };
    let outcome = match args.format {
        Format::Text => output.answer(&render::review::render(&review), form(Form::Text)),
        Format::Json => output.answer(&render::review::render(&review), form(Form::Json)),
        Format::Sarif => output.answer(&render::review::sarif(&review), form(Form::Json)),
        Format::Github => output.answer(&render::review::github(&review), form(Form::Text)),
    };
    engine.leave();
    outcome
}
