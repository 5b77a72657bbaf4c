//! `git sverklo history`.

use super::prelude::*;
use crate::query::history::asked::Asked;
use crate::query::history::request::{HISTORY_LIMIT, HistoryRequest};

/// Help of `history`.
pub const LONG_ABOUT: &str = "\
Show what became of a definition, a file or a directory: its versions along history, newest first.

A definition is followed by what it is, not by its lines: through renamings, to the file and the class it was in \
before, past commits that moved it without changing it. Each version says what the commit did to it:

  introduced, copied, brought back   it was not there before; copied from where, removed by which commit
  renamed, moved                     it had another name, or stood elsewhere
  signature, modifiers, body         what it is to others, its decorators, what it does
  members                            of a class: what it holds
  comments                           nothing else changed
  removed                            it was no longer there

A merge is a version only where it came to something else than each of its sides; what it took from a side is \
found there. Of headings and data the file is followed.

'A -> B' asks since when A uses B: names, ids and places are what calls, inherits from, imports or names the other; \
between files or directories imports count. Each line is a commit at which that began or ceased, with the place, how, \
and what it leads to; 'by name only' where the language's rules do not lead there. Read are the files in which A and \
B stood, and those between them at the revision: a change elsewhere that alone breaks the tie is not seen.

  git sverklo history Router.use
  git sverklo history lib/router.js:120 --since v1.0
  git sverklo history src/ --limit 10
  git sverklo history 'Router.handle -> Layer.match'
  git sverklo history 'lib/ -> test/'";

/// Arguments of `history`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A name, a symbol id (`path::Name#kind`), a file or directory, a place (path:12), or two of them: 'A -> B'
    #[arg(value_name = "TARGET")]
    target: String,

    /// Show only versions from a date (2024, 2024-03, 2024-03-09) or a commit on
    #[arg(long, value_name = "DATE|REV")]
    since: Option<String>,

    /// Show only versions up to a date or a commit
    #[arg(long, value_name = "DATE|REV")]
    until: Option<String>,

    /// Most versions to show
    #[arg(short = 'n', long, default_value_t = HISTORY_LIMIT, value_parser = limit(), value_name = "N")]
    limit: usize,

    /// Leave out so many of the first
    #[arg(long, default_value_t = 0, value_parser = in_range(0, MAX_OFFSET), value_name = "N", hide_default_value = true)]
    offset: usize,

    #[command(flatten)]
    asking: Asking,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    args.asking
        .ask(dir, output, |engine: &Engine, progress: &dyn Progress| {
            let request = HistoryRequest {
                target: Asked::map(&args.target, |part| engine.relative_to_root(dir, part)),
                since: args.since.clone(),
                until: args.until.clone(),
                at: args.asking.revision(),
                offset: args.offset,
                limit: args.limit,
            };
            engine.ask(&request, progress)
        })
}
