//! `git sverklo audit`.

use super::prelude::*;
use crate::query::request::{AUDIT_LIMIT, AuditRequest, AuditView};

/// Help of `audit`.
pub const LONG_ABOUT: &str = "\
Look at the repository as a whole.

  unused    definitions that nothing reaches from the ways into the program: entry points, tests, \
what frameworks were told of, what others may use. Each with how probable it is that it is dead, \
and why it may not be. What others may use, and nothing here does, is listed by --exported
  cycles    files that import each other when they are loaded, with the imports to cut
  hubs      files and definitions that much depends on
  untested  definitions that no test reaches, however many steps away
  hotspots  files that are complex and change often: the levels of indentation of their lines, summed, \
times the commits that changed them, with how that was a year ago (of the newest commit) and which function has \
most of it; commits of more than 30 files are not counted

Findings follow from references in the source. What is looked up by a name made at run time leaves \
none.";

/// Arguments of `audit`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What to look for
    #[arg(value_name = "VIEW", default_value = "unused", value_parser = one_of(AuditView::ALL.iter().map(|view| view.label())))]
    view: String,

    /// With unused: list what the repository gives out as a library and does not use itself
    #[arg(long)]
    exported: bool,

    /// Most findings to show
    #[arg(short = 'n', long, default_value_t = AUDIT_LIMIT, value_parser = limit(), value_name = "N")]
    limit: usize,

    /// Look only at files in this language; may be repeated
    #[arg(long, value_parser = language(), value_name = "LANGUAGE")]
    lang: Vec<String>,

    /// Leave out so many of the first
    #[arg(long, default_value_t = 0, value_parser = in_range(0, MAX_OFFSET), value_name = "N", hide_default_value = true)]
    offset: usize,

    #[command(flatten)]
    asking: Asking,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let view = match (
        AuditView::from_label(&args.view).unwrap_or_default(),
        args.exported,
    ) {
        (AuditView::Unused, true) => AuditView::Exported,
        (view, false) => view,
        (AuditView::Exported, true) => AuditView::Exported,
        (view, true) => return Err(Error::NoExports(view.label())),
    };
    let request = AuditRequest {
        view,
        scope: args.asking.scope(&args.lang, &[]),
        at: args.asking.revision(),
        offset: args.offset,
        limit: args.limit,
    };
    let ask = |engine: &Engine, progress: &dyn Progress| engine.ask(&request, progress);
    args.asking.ask(dir, output, ask)
}
