//! `git sverklo completions`.

use super::Error;
use super::args::Arguments;
use super::exit::Outcome;
use super::output::Output;
use clap::CommandFactory;

/// Arguments of `completions`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: clap_complete::Shell,
}

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut Arguments::command(),
        "git-sverklo",
        &mut script,
    );
    output.raw(&script)?;
    Ok(Outcome::Found)
}
