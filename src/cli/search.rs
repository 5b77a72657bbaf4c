//! `git sverklo search`.

use super::prelude::*;
use crate::extract::record::SymbolKind;
use crate::query::request::{MAX_CONTEXT, Mode, SEARCH_LIMIT, Scope, SearchRequest};
use crate::render::search::Explained;

/// Arguments of `search`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Words to look for; names are also matched by their parts
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,

    /// Most hits to show
    #[arg(short = 'n', long, default_value_t = SEARCH_LIMIT, value_parser = limit(), value_name = "N")]
    limit: usize,

    /// Look only at files in this language; may be repeated
    #[arg(long, value_parser = language(), value_name = "LANGUAGE")]
    lang: Vec<String>,

    /// Look only at symbols of this kind; may be repeated
    #[arg(long, value_parser = one_of(SymbolKind::ALL.iter().map(|k| k.label())), value_name = "KIND", hide_possible_values = true)]
    kind: Vec<String>,

    /// Find every line that holds the query as it is written; one without capitals stands for any case
    #[arg(short = 'F', long = "text", conflicts_with = "regex")]
    fixed: bool,

    /// Find every line that matches the query, a regular expression; without capitals in any case
    #[arg(short = 'E', long)]
    regex: bool,

    /// Lines to show before and after each that matches
    #[arg(long, default_value_t = 0, value_parser = in_range(0, MAX_CONTEXT), value_name = "N")]
    context: usize,

    /// Say how each hit's score came about (every channel's rank, shares of its best score and weight), and what was
    /// looked at
    #[arg(long)]
    explain: bool,

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
    let request = SearchRequest {
        query: args.query.join(" "),
        scope: Scope {
            changed: args.limited.changed.clone(),
            ..args.asking.scope(&args.lang, &args.kind)
        },
        at: args.asking.revision(),
        offset: args.offset,
        limit: args.limit,
        mode: match (args.fixed, args.regex) {
            (true, _) => Mode::Text,
            (_, true) => Mode::Regex,
            _ => Mode::Ranked,
        },
        context: args.context,
    };
    let ask = |engine: &Engine, progress: &dyn Progress| engine.ask(&request, progress);
    match args.explain {
        true => args.asking.ask(dir, output, |engine, progress| {
            ask(engine, progress).map(Explained)
        }),
        false => args.asking.ask(dir, output, ask),
    }
}
