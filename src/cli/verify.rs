//! `git sverklo verify`.

use super::output::Form;
use super::prelude::*;
use crate::limits::MAX_CITED_BYTES;
use crate::query::request::Revision;
use crate::query::verify::VerifyRequest;
use crate::query::verify::answer::VerifyAnswer;
use crate::query::verify::citation::Citation;
use crate::query::verify::fix::fix;
use crate::render::{Budgeted, MAX_BUDGET, MIN_BUDGET, Style, Voice};
use std::io::Read;

/// Help of `verify`.
pub const LONG_ABOUT: &str = "\
Say whether places that were cited still say what they said, and where they are now.

A citation is a place and the commit that it was read at, as answers print them:

  src/app.js:12-30@3fce3b5b9d         lines; also :12 and #L12-L30
  src/app.js@v1.2                     a file
  src/app.js:12@3fce3b5b9d#9f2c41a    the blob too
  src/app.js::Router.use#method@v1.2  a definition
  https://github.com/O/N/blob/3fce3b5b9d/src/app.js#L12-L30

With --file they are looked for in a text (- for standard input). In an answer, places are of the commit of the \
footer below them. Others that name no commit are of --from REV; without it those in a text are passed over. A whole \
file is taken for cited there only with the id of a commit: `vite@5.1` is something else.

Each is unchanged, moved (the same bytes, on other lines or in another file), modified (how much, which lines), \
deleted (by which commit), never was there, or unknown (a commit that is not here; where the hooks saw what a rebase \
or an amend made of it, that is asked instead, and said). Files are followed through renamings along history, \
lines that left their file are looked for in all others. Lines of which none is kept are modified where half the \
words of what replaced them are theirs, and else deleted. A definition is unchanged \
wherever in its file it stands.

With --fix the text of --file is printed with what moved or was modified cited anew, as of the commit that it was \
held against; nothing else changes. Standard error names what was left as it is, and what says something else now.

Exit status:
  0  all are unchanged or moved
  1  some are not, or there are none
  2  something went wrong; standard error says what";

/// Arguments of `verify`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Places with their commits: path:start-end@COMMIT
    #[arg(
        value_name = "CITATION",
        required_unless_present = "file",
        conflicts_with = "file"
    )]
    citations: Vec<String>,

    /// Find the citations in this text; - for standard input
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Commit of those that name none
    #[arg(long, value_name = "REV")]
    from: Option<String>,

    /// Revision to hold them against [default: the work tree]
    #[arg(long, value_name = "REV")]
    at: Option<String>,

    /// Print the text of --file with its citations as they are now
    #[arg(long, requires = "file", conflicts_with_all = ["citations", "quiet", "json"])]
    fix: bool,

    /// Most tokens the answer may take [default: 4000]
    #[arg(long, value_name = "TOKENS", value_parser = in_range(MIN_BUDGET, MAX_BUDGET))]
    budget: Option<usize>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print nothing; the exit status is the answer
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let engine = Engine::open(dir)?;
    let (from, at) = (
        args.from.clone(),
        args.at.clone().map_or(Revision::WorkTree, Revision::At),
    );
    let text = args.file.as_deref().map(|file| read(dir, file));
    let text = text.transpose()?;
    let request = match &text {
        Some(text) => VerifyRequest::of_text(text, from, at)?,
        None => VerifyRequest {
            citations: (args.citations.iter())
                .map(|one| Citation::read(&engine.relative_to_root(dir, one)))
                .collect(),
            plain: 0,
            from,
            at,
        },
    };
    let meter = Meter::new(output, args.quiet);
    let answer = engine.ask(&request, &meter)?;
    drop(meter);
    match text.filter(|_| args.fix) {
        Some(text) => rewrite(&text, &request.citations, &answer, output),
        None => {
            let style = Style {
                budget: args.budget.unwrap_or(VerifyAnswer::BUDGET),
                voice: Voice::Command,
            };
            output.answer(&answer.render(&style), Form::of(args.quiet, args.json))
        }
    }
}

/// Prints a text with its citations as they are now.
fn rewrite(
    text: &str,
    citations: &[Citation],
    answer: &VerifyAnswer,
    output: &Output,
) -> Result<Outcome, Error> {
    let fixed = fix(text, citations, &answer.verdicts, answer.stamp.commit);
    output.raw(fixed.text.as_bytes())?;
    output.warn(&answer.stamp.warnings);
    let left = fixed.left.iter();
    let left = left.map(|(citation, why)| format!("left {citation}: {why}"));
    output.warn(&left.collect::<Vec<String>>());
    let changed = fixed.changed.iter();
    let changed = changed.map(|new| format!("its text has changed: {new}"));
    output.warn(&changed.collect::<Vec<String>>());
    Ok(Outcome::from_found(answer.stands()))
}

fn read(dir: &Path, file: &Path) -> Result<String, Error> {
    // One more than is looked through, so that a longer one is refused.
    let most = MAX_CITED_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let read = match file == Path::new("-") {
        true => std::io::stdin().take(most).read_to_end(&mut bytes),
        false => std::fs::File::open(dir.join(file))
            .and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.map_err(|cause| Error::Unreadable(file.to_owned(), cause))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        // A cut may go through a character; such a text is refused for its length.
        Err(err) if err.as_bytes().len() as u64 == most => {
            Ok(String::from_utf8_lossy(err.as_bytes()).into_owned())
        }
        Err(_) => Err(Error::NoText(file.to_owned())),
    }
}
