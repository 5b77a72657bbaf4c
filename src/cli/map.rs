//! `git sverklo map`.

use super::prelude::*;
use crate::query::release::ReleaseRequest;
use crate::query::request::{MAP_DEPTH, MAX_DEPTH, MapRequest, MapView};

/// Help of `map`.
pub const LONG_ABOUT: &str = "\
Show what is in the repository: languages, directories, main symbols.

Directories below the first level that hold no code are left out, where something else has some.

With --at A..B: what came between two revisions, as release notes are written. What others can reach \
and may fail with now (removed, renamed, moved, another signature before and after), what may be, what is \
deprecated, and what is new, each by its folder; then folders, routes, commands and jobs that are new or gone, and \
new import cycles. What others reach is what manifests and the habits of a language say: entries of a \
package and what they pass on, public modules of a crate, names without an underscore. Bodies are counted. Of a \
program, which offers nothing to others, it is told what its files give each other. A...B tells of what came since B \
left A.";

/// Arguments of `map`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory or glob to look at; the same as --scope
    #[arg(value_name = "SCOPE")]
    place: Option<String>,

    /// Show what this task is about instead: files, definitions, tests, and what hangs together
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,

    /// What to show: an overview, or routes, commands and jobs with what they lead to
    #[arg(long, value_name = "VIEW", default_value = "overview", value_parser = one_of(MapView::ALL.iter().map(|view| view.label())))]
    view: String,

    /// Directory levels to show
    #[arg(long, default_value_t = MAP_DEPTH, value_parser = in_range(0, MAX_DEPTH), value_name = "N")]
    depth: usize,

    /// Look only at files in this language; may be repeated
    #[arg(long, value_parser = language(), value_name = "LANGUAGE")]
    lang: Vec<String>,

    #[command(flatten)]
    asking: Asking,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let mut scope = args.asking.scope(&args.lang, &[]);
    scope.globs.extend(args.place.clone());
    let request = MapRequest {
        view: MapView::from_label(&args.view).unwrap_or_default(),
        task: args.task.clone(),
        scope,
        depth: args.depth,
        at: args.asking.revision(),
    };
    if let Some(request) = ReleaseRequest::of(&request) {
        let ask = |engine: &Engine, progress: &dyn Progress| engine.ask(&request, progress);
        return args.asking.ask(dir, output, ask);
    }
    let ask = |engine: &Engine, progress: &dyn Progress| engine.ask(&request, progress);
    args.asking.ask(dir, output, ask)
}
