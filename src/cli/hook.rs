//! `git sverklo hook`, for hooks alone.

use super::prelude::*;
use crate::git::keys;
use crate::upkeep::{repin, worker};
use std::ffi::OsString;
use std::io::{IsTerminal as _, Read as _};

/// Arguments of `hook`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The event: post-commit, post-checkout, post-merge or post-rewrite
    #[arg(value_name = "EVENT")]
    event: OsString,

    /// What git gave to the hook
    #[arg(
        value_name = "ARG",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    given: Vec<OsString>,
}

/// Runs the command. Whatever goes wrong, the commit was made and git must not hear about it;
/// `doctor` tells of the last failure.
pub fn run(args: &Args, dir: &Path) -> Result<Outcome, Error> {
    // A checkout of single files says 0 and moves no branch.
    let files_only = args.event == "post-checkout" && args.given.get(2).is_some_and(|f| f == "0");
    let wake = || {
        if let Ok(repo) = Repo::discover(dir) {
            if args.event == "post-rewrite" && repo.config_bool(keys::HOOKS) != Some(false) {
                // What cannot be recorded is found by the lower rungs, if at all.
                let _ = repin::record(&repo, &pairs());
            }
            worker::wake(&repo);
        }
    };
    if !files_only {
        let _ = std::panic::catch_unwind(wake);
    }
    Ok(Outcome::Found)
}

/// Most bytes of what git tells the post-rewrite hook that are read.
const MAX_PAIRS: u64 = 8 << 20;

/// Reads which commits became which. Nothing on a terminal, where nobody would type it.
fn pairs() -> String {
    let mut out = Vec::new();
    if !std::io::stdin().is_terminal() {
        let _ = std::io::stdin().take(MAX_PAIRS).read_to_end(&mut out);
    }
    String::from_utf8_lossy(&out).into_owned()
}
