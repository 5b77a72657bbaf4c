//! `git sverklo fetch`, `push` and `sync`.

use super::output::first_line;
use super::prelude::*;
use crate::render::{self, Rendered};
use crate::upkeep::sync::{self, Exchange};
use serde::Serialize;

/// Arguments of the commands that talk to a remote.
#[derive(clap::Args, Debug)]
pub struct Args {
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

/// Which way the index travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Here.
    Fetch,
    /// There.
    Push,
    /// Here, then there.
    Sync,
}

/// Runs the command.
pub fn run(args: &Args, way: Way, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let meter = Meter::new(output, args.reporting.quiet);
    let exchange = Exchange {
        repo: &Repo::discover(dir)?,
        remote: args.remote.as_deref(),
        dir,
        interactive: output.err_is_terminal,
        dry_run: args.dry_run,
        watch: &|step| meter.objects(step),
        lost: &|came| {
            meter.clear();
            args.reporting.warn(output, &render::sync::losses(came));
        },
    };
    let io = (&meter, output);
    match way {
        Way::Fetch => {
            let report = sync::fetch(&exchange)?;
            let rendered = render::sync::fetch(&report);
            args.report(&rendered, first_line(&rendered.text), &report.warnings, io)
        }
        Way::Push => {
            let report = sync::push(&exchange)?;
            let rendered = render::sync::push(&report);
            args.report(&rendered, first_line(&rendered.text), &report.warnings, io)
        }
        Way::Sync => {
            let (fetched, pushed) = sync::sync(&exchange)?;
            let both = [
                render::sync::fetch(&fetched).text,
                render::sync::push(&pushed).text,
            ];
            let brief = both.each_ref().map(|text| first_line(text)).join("\n");
            let warnings = [&fetched.warnings[..], &pushed.warnings].concat();
            args.report(
                &render::sync::sync(&fetched, &pushed),
                &brief,
                &warnings,
                io,
            )
        }
    }
}

impl Args {
    /// Writes a report; where nobody watches, only the lines that say most. A dry run always says what it
    /// found.
    fn report<W: Serialize>(
        &self,
        report: &Rendered<W>,
        brief: &str,
        warnings: &[String],
        (meter, output): (&Meter, &Output),
    ) -> Result<Outcome, Error> {
        meter.clear();
        self.reporting.warn(output, warnings);
        let is_asked = self.verbose || self.dry_run || !report.found;
        output.report(report, brief, self.reporting.form(), is_asked)
    }
}
