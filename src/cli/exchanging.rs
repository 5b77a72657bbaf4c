//! What `fetch`, `push` and `sync` have in common.

use super::Error;
use super::args::Reporting;
use super::exit::Outcome;
use super::meter::Meter;
use super::output::{Form, Output};
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

    /// Print the report even when no terminal watches
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    reporting: Reporting,
}

impl Exchanging {
    /// Runs one of them and writes its report. Like git's own commands, it says nothing of success
    /// to a pipe; a dry run always says what it found.
    pub fn run<W: Serialize>(
        &self,
        dir: &Path,
        output: &Output,
        exchange: impl FnOnce(&Exchange) -> Result<(Rendered<W>, Vec<String>), upkeep::Error>,
    ) -> Result<Outcome, Error> {
        let meter = Meter::new(output, self.reporting.quiet);
        let repo = Repo::discover(dir)?;
        let (rendered, warnings) = exchange(&Exchange {
            repo: &repo,
            remote: self.remote.as_deref(),
            dir,
            interactive: output.watched(),
            dry_run: self.dry_run,
            watch: &|step| meter.objects(step),
        })?;
        drop(meter);
        let told = self.verbose || self.dry_run || !rendered.found || output.interactive();
        let form = match self.reporting.form() {
            Form::Text if !told => Form::Silent,
            form => form,
        };
        if !self.reporting.quiet {
            output.warn(&warnings);
        }
        output.answer(&rendered, form)
    }
}
