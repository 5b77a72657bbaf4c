//! What `fetch`, `push` and `sync` have in common.

use super::Error;
use super::args::Reporting;
use super::exit::Outcome;
use super::meter::Meter;
use super::output::{Output, first_line};
use crate::git::Repo;
use crate::render::Rendered;
use crate::upkeep;
use crate::upkeep::sync::Exchange;
use serde::Serialize;
use std::path::Path;

/// Arguments of the commands that talk to a remote.
#[derive(clap::Args, Debug)]
pub struct Exchanging {
    /// Name, URL or path of the remote [default: sverklo.remote, else the branch's, else origin]
    #[arg(value_name = "REMOTE")]
    remote: Option<String>,

    /// Say what would travel, and do nothing
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Print all of the report even when no terminal watches
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    reporting: Reporting,
}

/// What one of them came to.
pub struct Exchanged<W> {
    /// All of it.
    pub report: Rendered<W>,
    /// The lines that say most.
    pub brief: String,
    /// What went wrong on the way.
    pub warnings: Vec<String>,
}

impl<W> Exchanged<W> {
    /// One whose report begins with what matters.
    pub fn new(report: Rendered<W>, warnings: Vec<String>) -> Self {
        Self {
            brief: first_line(&report.text).to_owned(),
            report,
            warnings,
        }
    }
}

impl Exchanging {
    /// Runs one of them and writes its report; where nobody watches, only the lines of `brief`. A dry run
    /// always says what it found.
    pub fn run<W: Serialize>(
        &self,
        dir: &Path,
        output: &Output,
        exchange: impl FnOnce(&Exchange) -> Result<Exchanged<W>, upkeep::Error>,
    ) -> Result<Outcome, Error> {
        let meter = Meter::new(output, self.reporting.quiet);
        let repo = Repo::discover(dir)?;
        let exchanged = exchange(&Exchange {
            repo: &repo,
            remote: self.remote.as_deref(),
            dir,
            interactive: output.watched(),
            dry_run: self.dry_run,
            watch: &|step| meter.objects(step),
        })?;
        drop(meter);
        let Exchanged {
            report,
            brief,
            warnings,
        } = exchanged;
        if !self.reporting.quiet {
            output.warn(&warnings);
        }
        let is_asked = self.verbose || self.dry_run || !report.found;
        output.report(&report, &brief, self.reporting.form(), is_asked)
    }
}
