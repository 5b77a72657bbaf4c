//! The flags that commands share, what they take, and the one way from a question to its answer.

use super::error::Error;
use super::exit::Outcome;
use super::meter::Meter;
use super::output::{Form, Output};
use crate::lang;
use crate::query::engine::Engine;
use crate::query::question::Question;
use crate::query::recall::KINDS;
use crate::query::request::{MAX_LIMIT, MAX_TARGETS, Revision, Scope};
use crate::query::{self, Progress};
use crate::render::{Budgeted, MAX_BUDGET, MIN_BUDGET, Rendered, Style, Voice};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use std::path::Path;

/// Flags of every question.
#[derive(Args, Debug)]
pub struct Asking {
    /// Revision to speak of [default: the work tree]
    ///
    /// Anything git understands as a commit: a branch, a tag, an abbreviated id, HEAD~3. Without
    /// it the answer speaks of HEAD with uncommitted and untracked files on top.
    #[arg(long, value_name = "REV")]
    pub at: Option<String>,

    /// Look only at paths that match; may be repeated; a leading '!' excludes
    ///
    /// A glob without a slash matches the file name in any directory; a trailing slash means
    /// everything below.
    #[arg(long, value_name = "GLOB")]
    pub scope: Vec<String>,

    /// Most tokens the answer may take [default: 2000; 1500 for refs]
    ///
    /// Bodies are dropped first, then signatures, then the last items; the footer says what is
    /// missing.
    #[arg(long, value_name = "TOKENS", value_parser = in_range(MIN_BUDGET, MAX_BUDGET))]
    pub budget: Option<usize>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Print nothing; the exit status is the answer
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
}

impl Asking {
    /// Asks, and writes the answer within the budget.
    pub fn ask<A: Budgeted>(
        &self,
        dir: &Path,
        output: &Output,
        ask: impl FnOnce(&Engine, &dyn Progress) -> Result<A, query::Error>,
    ) -> Result<Outcome, Error> {
        let engine = Engine::open(dir)?;
        let meter = Meter::new(output, self.quiet);
        let answer = ask(&engine, &meter)?;
        drop(meter);
        let style = Style {
            budget: self.budget.unwrap_or(A::BUDGET),
            voice: Voice::Command,
        };
        let outcome = output.answer(&answer.render(&style), Form::of(self.quiet, self.json));
        engine.leave();
        outcome
    }

    /// Asks about each target; relative paths start at the folder that the command runs in.
    pub fn ask_each<Q: Question>(
        &self,
        (dir, output): (&Path, &Output),
        targets: &[String],
        request: impl Fn(String) -> Q,
    ) -> Result<Outcome, Error>
    where
        Vec<Q::Answer>: Budgeted,
    {
        self.ask(dir, output, |engine, progress| {
            at_most_so_many(targets)?;
            let requests = targets
                .iter()
                .map(|target| request(engine.relative_to_root(dir, target)));
            requests
                .map(|request| engine.ask(&request, progress))
                .collect::<Result<Vec<_>, _>>()
        })
    }

    /// Returns the revision asked about.
    pub fn revision(&self) -> Revision {
        self.at.clone().map_or(Revision::WorkTree, Revision::At)
    }

    /// Returns the part of the repository asked about.
    pub fn scope(&self, languages: &[String], kinds: &[String]) -> Scope {
        Scope {
            globs: self.scope.clone(),
            languages: languages.to_vec(),
            kinds: kinds.to_vec(),
            changed: None,
        }
    }
}

/// The flag of questions that may be limited to a change.
#[derive(Args, Debug)]
pub struct Limited {
    /// Look only at the files of a change and those that depend on them
    ///
    /// RANGE is what `diff` takes: BASE, BASE..HEAD or BASE...HEAD. Without it, what the work tree (or --at) left: give
    /// the flag last then, or as --changed=, lest it take the next word for its range.
    #[arg(long, value_name = "RANGE", num_args = 0..=1, default_missing_value = "")]
    pub changed: Option<String>,
}

/// Flags that report commands share.
#[derive(Args, Debug)]
pub struct Reporting {
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,

    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
}

impl Reporting {
    /// Returns the form of the output.
    pub fn form(&self) -> Form {
        Form::of(self.quiet, self.json)
    }

    /// Writes a report, after what went wrong beside it.
    pub fn tell<W: Serialize>(
        &self,
        output: &Output,
        report: &Rendered<W>,
        warnings: &[String],
    ) -> Result<Outcome, Error> {
        self.warn(output, warnings);
        output.answer(report, self.form())
    }

    /// Says what went wrong beside the work.
    pub fn warn(&self, output: &Output, warnings: &[String]) {
        if !self.quiet {
            output.warn(warnings);
        }
    }
}

/// Flag of the commands that have no budget and always say something.
#[derive(Args, Clone, Copy, Debug)]
pub struct Json {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Json {
    /// Returns the form of the output.
    pub fn form(self) -> Form {
        Form::of(false, self.json)
    }
}

/// Accepts whole numbers from `least` to `most`, and says so to others.
pub fn in_range(least: usize, most: usize) -> impl TypedValueParser<Value = usize> {
    clap::builder::StringValueParser::new().try_map(move |text: String| {
        text.parse::<usize>()
            .ok()
            .filter(|n| (least..=most).contains(n))
            .ok_or_else(|| format!("give a whole number from {least} to {most}"))
    })
}

/// Refuses more targets than one question may be about.
fn at_most_so_many(targets: &[String]) -> Result<(), query::Error> {
    match targets.len() {
        found if found > MAX_TARGETS => Err(query::Error::TooMany {
            what: "targets",
            found,
            limit: MAX_TARGETS,
        }),
        _ => Ok(()),
    }
}

/// Accepts the number of items a question may ask for.
pub fn limit() -> impl TypedValueParser<Value = usize> {
    in_range(1, MAX_LIMIT)
}

/// Accepts one of `labels`.
pub fn one_of(labels: impl Iterator<Item = &'static str>) -> PossibleValuesParser {
    PossibleValuesParser::new(labels.map(PossibleValue::new))
}

/// Accepts a language by label or abbreviation.
pub fn language() -> impl TypedValueParser<Value = String> {
    let short = lang::aliases().map(|short| PossibleValue::new(short).hide(true));
    PossibleValuesParser::new(lang::labels().map(PossibleValue::new).chain(short))
        .map(|word| lang::by_word(&word).map_or(word, |known| known.label().to_owned()))
}

/// The words for kinds of memories.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.into_iter()
}
