//! `git sverklo man`.

use super::Error;
use super::args::Arguments;
use super::exit::Outcome;
use super::output::Output;
use clap::CommandFactory;

/// Arguments of `man`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The command to describe [default: all of git-sverklo]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> Result<Outcome, Error> {
    let mut command = Arguments::command();
    command.build();
    if let Some(name) = &args.command {
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| Error::NoSuchCommand(name.clone()))?;
        // The file name under which `git help` looks for it.
        command = command.display_name(format!("git-sverklo-{name}"));
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    output.raw(&page)?;
    Ok(Outcome::Found)
}
