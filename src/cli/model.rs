//! `git sverklo model`.

use super::prelude::*;
use crate::upkeep::model;

/// Shown by `--help`.
pub const LONG_ABOUT: &str = "\
Say which model turns code into vectors, and fetch another.

The model in this program needs nothing and is the default. Others are chosen with git's \
configuration:

  sverklo.model          'static', the name of a fetched model, a folder with model.onnx and \
tokenizer.json, or 'endpoint'
  sverklo.modelDir       where fetched models are, instead of the user's data folder
  sverklo.onnxruntime    the ONNX Runtime library or its folder, if ORT_DYLIB_PATH does not say it \
and it is in no usual place
  sverklo.embedEndpoint  URL of the server of 'endpoint': .../v1/embeddings or .../api/embed (Ollama)
  sverklo.embedModel     what that server calls the model
  sverklo.embedKeyEnv    the environment variable that holds the server's key
  sverklo.embedInHooks   'true': the hooks too run the model on what was committed

'index' runs the chosen model on chunks that have no vectors yet and keeps these in the index; search \
runs it on the question and on a few chunks of an edit. Where vectors are missing, search says so. \
With a server that is another machine, code leaves this one; that is said when it first happens. \
Nothing is fetched unless 'fetch' is run.";

/// Arguments of `model`.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// Run a server's model too, which sends it one word
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    reporting: Reporting,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// List the models that can be fetched
    List(List),
    /// Fetch a model, checked against the SHA-256 of each file
    Fetch(Fetch),
}

/// Arguments of `model list`.
#[derive(clap::Args, Debug)]
struct List {
    #[command(flatten)]
    reporting: Reporting,
}

/// Arguments of `model fetch`.
#[derive(clap::Args, Debug)]
struct Fetch {
    /// The model [default: the one that is chosen, else all-minilm-l6-v2]
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Fetch from a mirror of the hub [default: https://huggingface.co]
    #[arg(long, value_name = "URL")]
    hub: Option<String>,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command. Models belong to the user, so all but looking at a repository's choice works
/// outside one.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    match &args.command {
        None => {
            let report = model::examine(&Repo::discover(dir)?, args.check);
            output.answer(
                &render::upkeep::model::model(&report),
                args.reporting.form(),
            )
        }
        Some(Command::List(args)) => {
            let models = model::list(Repo::discover(dir).ok().as_ref())?;
            output.answer(&render::upkeep::model::list(&models), args.reporting.form())
        }
        Some(Command::Fetch(args)) => {
            let repo = Repo::discover(dir).ok();
            let meter = Meter::new(output, args.reporting.quiet);
            let mut progress = |done, total| meter.bytes(done, total);
            let (name, hub) = (args.name.as_deref(), args.hub.as_deref());
            let report = model::fetch(repo.as_ref(), name, hub, &mut progress)?;
            drop(meter);
            output.answer(
                &render::upkeep::model::fetched(&report),
                args.reporting.form(),
            )
        }
    }
}
