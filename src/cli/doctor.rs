//! `git sverklo doctor`.

use super::prelude::*;
use crate::mcp::handshake;
use crate::upkeep::doctor::{self, Check};

/// Arguments of `doctor`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Also ask a remote whether it takes our refs, by pushing one and deleting it again
    #[arg(long, value_name = "REMOTE")]
    remote: Option<String>,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let repo = Repo::discover(dir)?;
    let mut checks = doctor::examine(&repo);
    checks.push(server(&repo));
    if let Some(remote) = &args.remote {
        checks.extend(doctor::ask_remote(
            &repo,
            remote,
            dir,
            output.err_is_terminal,
        ));
    }
    output.answer(&render::doctor::doctor(&checks), args.reporting.form())
}

/// Starts this very program as an agent would.
fn server(repo: &Repo) -> Check {
    const SUBJECT: &str = "server";
    let dir = repo.work_dir().unwrap_or(repo.git_dir());
    let shaken = std::env::current_exe()
        .map_err(|err| format!("this program cannot find itself: {err}"))
        .and_then(|program| handshake::shake(&program, dir));
    match shaken {
        Ok(server) if server.tools > 0 => Check::ok(
            SUBJECT,
            format!(
                "{} {} answers and lists {} tools",
                server.server, server.version, server.tools
            ),
        ),
        Ok(_) => Check::problem(SUBJECT, "it answers and lists no tools"),
        Err(reason) => Check::problem(SUBJECT, reason)
            .mend("run `git sverklo mcp` and see what it says on standard error"),
    }
}
