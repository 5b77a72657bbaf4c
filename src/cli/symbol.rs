//! `git sverklo symbol`.

use super::prelude::*;
use crate::extract::record::SymbolKind;
use crate::query;
use crate::query::diff::one::SymbolDiffRequest;
use crate::query::request::{Detail, SYMBOL_LIMIT, SymbolRequest};

/// Arguments of `symbol`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A name (Router, Router.use), a pattern of names ('get*', 'Router.use*', 'open|close', '/^use.*r$/'), a symbol
    /// id, a file or directory to outline, or a place as answers and stack traces write it (path:12,
    /// path:12-20@REV); up to 20
    #[arg(value_name = "TARGET", required = true)]
    target: Vec<String>,

    /// Show the symbols nested in it
    #[arg(long, conflicts_with = "body")]
    outline: bool,

    /// Show its source text
    #[arg(long)]
    body: bool,

    /// Show what became of the one symbol between two states (BASE..HEAD, BASE...HEAD, BASE), by statement
    #[arg(long, value_name = "RANGE", conflicts_with_all = ["outline", "body", "lang", "kind", "offset"])]
    diff: Option<String>,

    /// Most symbols to show
    #[arg(short = 'n', long, default_value_t = SYMBOL_LIMIT, value_parser = limit(), value_name = "N")]
    limit: usize,

    /// Look only at files in this language; may be repeated
    #[arg(long, value_parser = language(), value_name = "LANGUAGE")]
    lang: Vec<String>,

    /// Look only at symbols of this kind; may be repeated
    #[arg(long, value_parser = one_of(SymbolKind::ALL.iter().map(|k| k.label())), value_name = "KIND", hide_possible_values = true)]
    kind: Vec<String>,

    /// Leave out so many of the first
    #[arg(long, default_value_t = 0, value_parser = in_range(0, MAX_OFFSET), value_name = "N", hide_default_value = true)]
    offset: usize,

    #[command(flatten)]
    asking: Asking,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    if let Some(range) = &args.diff {
        let [target] = &args.target[..] else {
            let (what, found, limit) = ("targets with --diff", args.target.len(), 1);
            return Err(query::Error::TooMany { what, found, limit }.into());
        };
        return args
            .asking
            .ask(dir, output, |engine: &Engine, progress: &dyn Progress| {
                let request = SymbolDiffRequest {
                    target: engine.relative_to_root(dir, target),
                    range: range.clone(),
                    head: args.asking.revision(),
                };
                engine.ask(&request, progress)
            });
    }
    let detail = match (args.outline, args.body) {
        (true, _) => Detail::Outline,
        (_, true) => Detail::Body,
        _ => Detail::Card,
    };
    let request = |target| SymbolRequest {
        target,
        detail,
        scope: args.asking.scope(&args.lang, &args.kind),
        at: args.asking.revision(),
        offset: args.offset,
        limit: args.limit,
    };
    args.asking.ask_each((dir, output), &args.target, request)
}
