//! `git sverklo refs`.

use super::prelude::*;
use crate::extract::record::OccurrenceKind;
use crate::query::request::{Direction, Ends, MAX_STEPS, REFS_LIMIT, RefsRequest, Scope};

/// Arguments of `refs`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A name, a symbol id (`path::Name#kind`), a file or directory, or a place (path:12); up to 20
    #[arg(value_name = "TARGET", required = true)]
    target: Vec<String>,

    /// Show who uses the target: the default, except for one step around a file
    #[arg(short, long = "in")]
    inward: bool,

    /// Show what the target uses
    #[arg(short, long, conflicts_with = "inward")]
    out: bool,

    /// Show who uses the target and what it uses: the default for one step around a file
    #[arg(short, long, conflicts_with_all = ["inward", "out"])]
    both: bool,

    /// Follow so many steps: 1 to 4
    #[arg(short, long, default_value_t = 1, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=MAX_STEPS as u64), value_name = "N")]
    depth: usize,

    /// Show only uses of this kind; may be repeated
    #[arg(long, value_parser = one_of(OccurrenceKind::ALL.iter().map(|k| k.label())), value_name = "KIND")]
    kind: Vec<String>,

    /// Most uses to show
    #[arg(short = 'n', long, default_value_t = REFS_LIMIT, value_parser = limit(), value_name = "N")]
    limit: usize,

    /// Look only at files in this language; may be repeated
    #[arg(long, value_parser = language(), value_name = "LANGUAGE")]
    lang: Vec<String>,

    /// Leave out so many of the first
    #[arg(long, default_value_t = 0, value_parser = in_range(0, MAX_OFFSET), value_name = "N", hide_default_value = true)]
    offset: usize,

    #[command(flatten)]
    limited: Limited,

    #[command(flatten)]
    asking: Asking,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let request = |target| RefsRequest {
        target,
        ends: match (args.inward, args.out, args.both) {
            (_, _, true) => Ends::Both,
            (_, true, _) => Ends::One(Direction::Out),
            (true, _, _) => Ends::One(Direction::In),
            (false, false, false) => Ends::Usual,
        },
        depth: args.depth,
        kinds: args.kind.clone(),
        scope: Scope {
            changed: args.limited.changed.clone(),
            ..args.asking.scope(&args.lang, &[])
        },
        at: args.asking.revision(),
        offset: args.offset,
        limit: args.limit,
    };
    args.asking.ask_each((dir, output), &args.target, request)
}
