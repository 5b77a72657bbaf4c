//! `git sverklo completions`.

use super::args::Arguments;
use super::prelude::*;
use clap::CommandFactory;
use clap_complete::Shell;

/// The name that a script for bash is generated under: with a hyphen in it, the generator calls a command
/// by two names, and nothing after the first word is completed.
const PLAIN: &str = "gitsverklo";

/// Completes `git-sverklo`; and what git's own completion calls after `git sverklo`, with its words in
/// `words` and `cword`.
const BASH: &str = r#"
if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _gitsverklo -o nosort -o bashdefault -o default git-sverklo
else
    complete -F _gitsverklo -o bashdefault -o default git-sverklo
fi

_git_sverklo() {
    local at=${__git_cmd_idx:-1}
    local -a COMP_WORDS=(git-sverklo "${words[@]:at+1}")
    local COMP_CWORD=$((cword - at))
    _gitsverklo git-sverklo "$cur" "${COMP_WORDS[COMP_CWORD-1]}"
}
"#;

/// As what `git sverklo` is completed by fish, where its completion of git does not do so by itself.
const FISH: &str = r#"
function __fish_git_sverklo_of_git
    set -l words (commandline -opc)
    set -l at (contains -i -- sverklo $words)
    or return
    set -e words[1..$at]
    complete -C "git-sverklo "(string join ' ' -- (string escape -- $words) (commandline -ct))
end
complete -c git -n '__fish_seen_subcommand_from sverklo' -f -a '(__fish_git_sverklo_of_git)'
"#;

/// Arguments of `completions`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    let mut command = shown(&Arguments::command());
    let name = match args.shell {
        Shell::Bash => PLAIN,
        _ => "git-sverklo",
    };
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    let more = match args.shell {
        Shell::Bash => BASH,
        Shell::Fish => FISH,
        // zsh asks a function of the name that the script has anyway.
        _ => "",
    };
    script.extend_from_slice(more.as_bytes());
    output.raw(&script)?;
    Ok(Outcome::Found)
}

/// A command without anything.
#[derive(clap::Parser)]
struct Blank {}

/// A command as far as it is shown. The generators of scripts take hidden ones for others, and the name
/// with a space in it for two.
fn shown(command: &clap::Command) -> clap::Command {
    let visible = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    let args = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let mut out = Blank::command()
        .name(kept(command.get_name()))
        .disable_help_flag(command.is_disable_help_flag_set())
        .disable_help_subcommand(command.is_disable_help_subcommand_set())
        .args(args.cloned())
        .subcommands(visible.map(shown));
    if let Some(about) = command.get_about() {
        out = out.about(about.clone());
    }
    if let Some(version) = command.get_version() {
        out = out.version(kept(version));
    }
    out
}

/// A text that lasts as long as the process, as names of commands do: one script is written, then it ends.
fn kept(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}
