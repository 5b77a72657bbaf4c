//! Showing a text to a person, page by page, as git does: by the program of `GIT_PAGER`, `core.pager`,
//! `PAGER`, or `less`.
//!
//! `core.pager` names a program, so a repository's own configuration has no say without consent
//! ([`super::keys`]). The program is looked for in absolute folders alone.

use super::repo::Repo;
use super::{keys, program};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// What git takes for a sign that a shell has to read a command.
const SHELL: &str = "|&;<>()$`\\\"' \t\n*?[#~=%";

/// What the user's pagers are told unless they have been told otherwise: to end at once where a screen
/// holds all, to show colours, and to leave the text on the screen.
const USUAL: [(&str, &str); 2] = [("LESS", "FRX"), ("LV", "-c")];

/// Shows a text. Whether anybody did: without a pager, or when it cannot be started, the text is still to
/// be written.
pub fn show(repo: Option<&Repo>, text: &[u8]) -> bool {
    let variable = |name: &str| std::env::var(name).ok();
    let configured = || repo.and_then(|repo| repo.config_str(keys::PAGER));
    let chosen = variable("GIT_PAGER")
        .or_else(configured)
        .or_else(|| variable("PAGER"))
        .unwrap_or_else(|| "less".to_owned());
    let Some(mut command) = prepare(chosen.trim()) else {
        return false;
    };
    for (name, value) in USUAL {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else {
        return false;
    };
    if let Some(mut stdin) = child.stdin.take() {
        // Whoever has seen enough goes away before the end.
        let _ = stdin.write_all(text);
    }
    let _ = child.wait();
    true
}

/// The command that runs a pager; `None` where none is wanted or found.
fn prepare(chosen: &str) -> Option<Command> {
    if chosen.is_empty() || chosen == "cat" {
        return None;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_plain = !chosen.contains(|c| SHELL.contains(c));
    let word = if is_plain { chosen } else { "sh" };
    let mut command = match word.contains(std::path::is_separator) {
        true => Command::new(word),
        false => Command::new(program::find(word, &path)?),
    };
    if !is_plain {
        command.args(["-c", chosen]);
    }
    if let Some(path) = program::absolute(&path) {
        command.env("PATH", path);
    }
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pager_is_a_program_or_a_line_for_the_shell() {
        let words = |chosen: &str| {
            let command = prepare(chosen)?;
            let name = std::path::Path::new(command.get_program()).file_name()?;
            let args = command
                .get_args()
                .map(|arg| arg.to_string_lossy().into_owned());
            let mut words = vec![name.to_string_lossy().into_owned()];
            words.extend(args);
            Some(words)
        };
        assert_eq!(words(""), None);
        assert_eq!(words("cat"), None);
        assert_eq!(words("no-such-pager-anywhere"), None);
        #[cfg(unix)]
        assert_eq!(words("head"), Some(vec!["head".to_owned()]));
        #[cfg(unix)]
        assert_eq!(
            words("head -3"),
            Some(vec!["sh".to_owned(), "-c".to_owned(), "head -3".to_owned()])
        );
    }
}
