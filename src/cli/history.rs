//! `git sverklo history`.

use super::prelude::*;
use crate::query::history::asked::Asked;
use crate::query::history::request::{HISTORY_LIMIT, HistoryRequest};
use crate::query::history::tags::TagsRequest;
use crate::query::history::who::WhoRequest;
use crate::query::request::Mode;

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
found there. Of headings and data the file is followed. A commit that others were squashed into in this clone, while \
the hooks were installed, names them, and --why has their words as long as git keeps them.

What nothing is called at the revision is looked for in the past: a path where it was last, a name in documents of the \
index that define it, else in versions of files, the newest first, 8,000 of them at most; the answer says how far that \
went. Its history begins with 'removed', or with what it was 'renamed' to.

'A -> B' asks since when A uses B: names, ids and places are what calls, inherits from, imports or names the other; \
between files or directories imports count. Each line is a commit at which that began or ceased, with the place, how, \
and what it leads to; 'by name only' where the language's rules do not lead there. Read are the files in which A and \
B stood, and those between them at the revision: a change elsewhere that alone breaks the tie is not seen. Of a \
name that several definitions have all are meant, and three are followed.

'A ->* B' asks whether the files of A load those of B over any number of imports, and 'cycle:FILE' whether a file loads \
itself again. That takes all files that A reaches, so it is looked for along first parents by halving: seventeen trees, \
evenly apart, and where it changed once at most among them, some ten more. Where it changed more often each commit is \
looked at that may have done it. The footer says which.

With -F or -E the target is what lines hold or match, as for 'search': commits in which the number of such lines of a \
file changed, with the file where most of it happened. Merges are passed over.

--why shows what commits say below their first lines. First come those that say most, that made the thing, take \
something back or name an issue; last come merges, and those that only moved it. Memories of it stand before them.

--tags shows which releases and branches hold the body that TARGET has (TARGET@REV: had), or a near copy of it (80% of \
its runs of three tokens), wherever it stood in them and whatever it was called. Tags that follow each other by version \
and have the same are one line, newest first, with the commit that began it. 'fix:COMMIT' (or 'fix:OLD..NEW') asks \
which releases a change is missing from: of the definitions that it changed, outside of tests and documents,

  affected           have what it took away, or lack what it added where it was added
  perhaps affected   lack what it added, and that place is another
  partly fixed       some of the definitions are on one side, some on the other
  fixed              have what it added; 'by another commit' where it was brought to a branch by itself
  not there          none of them is there: not yet, or no more
  unknown            too different to tell

That is judged by content; by ancestry only where a version is too different and has the commit, or one that did the \
same, behind it. Of four releases it says whether others get to it: yes (by a public name, an entry point, or through \
what uses it), no or unknown.

--who shows who knows it: of each person the lines that stand as they wrote them (of a file or a definition), the \
commits of theirs that changed it, how many of these mend something by their first lines, and from when to when; then \
the files that change with it. People go by the names that the .mailmap of the revision gives them. A year is one \
before the revision; what a shallow history cannot tell is 'unknown'.

  git sverklo history Router.use
  git sverklo history lib/router.js:120 --since v1.0
  git sverklo history src/ --limit 10
  git sverklo history 'Router.handle -> Layer.match'
  git sverklo history 'lib/ -> test/'
  git sverklo history --why Router.use -n 5
  git sverklo history --who lib/router.js
  git sverklo history -F 'TODO(auth)' --since v1.0
  git sverklo history --first 'lib/view/ ->* lib/db/'
  git sverklo history --first cycle:lib/router.js
  git sverklo history --tags 'Router.use@v4.17.0'
  git sverklo history --tags fix:8646edca6f";

/// Arguments of `history`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A name, a symbol id (`path::Name#kind`), a file or directory, a place (path:12), or two of them: 'A -> B'; with --tags also 'fix:COMMIT'; see below
    #[arg(value_name = "TARGET")]
    target: String,

    /// Find commits that changed how many lines hold the target as it is written; one without capitals stands for any case
    #[arg(short = 'F', long = "text", conflicts_with = "regex")]
    fixed: bool,

    /// Find commits that changed how many lines match the target, a regular expression; without capitals in any case
    #[arg(short = 'E', long)]
    regex: bool,

    /// Show only versions from a date (2024, 2024-03, 2024-03-09) or a commit on
    #[arg(long, value_name = "DATE|REV")]
    since: Option<String>,

    /// Show only versions up to a date or a commit
    #[arg(long, value_name = "DATE|REV")]
    until: Option<String>,

    /// Show only when it was first there and, if it is no more, when it ceased, each with the first tag that has it
    #[arg(long)]
    first: bool,

    /// Show what the commits say below their first lines, the most telling first, and decision records about it
    #[arg(long, conflicts_with = "first")]
    why: bool,

    /// Show which releases and branches hold this body, or, of 'fix:COMMIT', which are affected and which fixed
    #[arg(long, conflicts_with_all = ["fixed", "regex", "since", "until", "first", "why"])]
    tags: bool,
    /// Show who knows it instead, how often it changes and is fixed, and what it changes with
    #[arg(long, conflicts_with_all = ["fixed", "regex", "since", "until", "first", "why", "tags"])]
    who: bool,

    /// With --who: show the addresses of people, too
    #[arg(long, requires = "who")]
    mails: bool,

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
    if args.who {
        let ask = |engine: &Engine, progress: &dyn Progress| {
            let request = WhoRequest {
                target: Asked::map(&args.target, |part| engine.relative_to_root(dir, part)),
                with_mails: args.mails,
                at: args.asking.revision(),
                offset: args.offset,
                limit: args.limit,
            };
            engine.ask(&request, progress)
        };
        return args.asking.ask(dir, output, ask);
    }
    let mode = match (args.fixed, args.regex) {
        (true, _) => Mode::Text,
        (_, true) => Mode::Regex,
        _ => Mode::Ranked,
    };
    let fix = TagsRequest::fix(&args.target);
    if args.tags || (fix.is_some() && mode == Mode::Ranked) {
        return args
            .asking
            .ask(dir, output, |engine: &Engine, progress: &dyn Progress| {
                let target = match fix {
                    Some(_) => args.target.clone(),
                    None => engine.relative_to_root(dir, &args.target),
                };
                let request = TagsRequest {
                    target,
                    at: args.asking.revision(),
                    offset: args.offset,
                    limit: args.limit,
                };
                engine.ask(&request, progress)
            });
    }
    args.asking
        .ask(dir, output, |engine: &Engine, progress: &dyn Progress| {
            let request = HistoryRequest {
                target: match mode {
                    Mode::Ranked => {
                        Asked::map(&args.target, |part| engine.relative_to_root(dir, part))
                    }
                    Mode::Text | Mode::Regex => args.target.clone(),
                },
                mode,
                since: args.since.clone(),
                until: args.until.clone(),
                first: args.first,
                why: args.why,
                at: args.asking.revision(),
                offset: args.offset,
                limit: args.limit,
            };
            engine.ask(&request, progress)
        })
}
