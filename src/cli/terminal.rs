//! A person's terminal: what it can do, what its user has configured, and the pager between. Never used
//! where standard output is no terminal.

use crate::git::{Repo, keys, pager};
use crate::render::screen::{Screen, dress};
use std::path::Path;

/// Dresses a text for the terminal and shows it by the user's pager. Whether anybody did; if not, the
/// text to write is left.
pub fn show(dir: &Path, text: &str) -> Option<String> {
    let repo = Repo::discover(dir).ok();
    let dressed = dress(text, &screen(repo.as_ref()));
    match pager::show(repo.as_ref(), dressed.as_bytes()) {
        true => None,
        false => Some(dressed),
    }
}

/// What the terminal can do and the user wants.
fn screen(repo: Option<&Repo>) -> Screen {
    let variable = |name: &str| std::env::var(name).ok();
    let configured = |key| repo.and_then(|repo| repo.config_str(key));
    let wanted = configured(keys::COLOUR).or_else(|| configured(keys::COLOUR_UI));
    Screen {
        has_colours: has_colours(wanted.as_deref(), &variable),
        links: repo
            .and_then(Repo::work_dir)
            .filter(|_| has_links(&variable))
            .map(Path::to_owned),
    }
}

/// Whether there are colours: as configured for git, unless the terminal has none or `NO_COLOR` is set.
fn has_colours(wanted: Option<&str>, variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let is_off = |value: &str| {
        matches!(
            value.to_ascii_lowercase().as_str(),
            "never" | "false" | "no" | "off" | "0"
        )
    };
    let is_dumb = variable("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    let is_plain = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    !is_dumb && !is_plain && !wanted.is_some_and(is_off)
}

/// Whether the terminal is one that is known to have links; `FORCE_HYPERLINK` says so for others, or
/// that there shall be none.
fn has_links(variable: &dyn Fn(&str) -> Option<String>) -> bool {
    if let Some(forced) = variable("FORCE_HYPERLINK") {
        return !matches!(forced.as_str(), "" | "0" | "false" | "no");
    }
    const PROGRAMS: &[&str] = words!("Hyper iTerm.app Tabby vscode WezTerm ghostty zed");
    const TERMS: [&str; 4] = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot"];
    let one_of = |name: &str, known: &[&str]| {
        variable(name).is_some_and(|value| known.contains(&value.as_str()))
    };
    let number = |name: &str| variable(name).and_then(|value| value.parse::<u32>().ok());
    one_of("TERM_PROGRAM", PROGRAMS)
        || one_of("TERM", &TERMS)
        || variable("WT_SESSION").is_some()
        || variable("KONSOLE_VERSION").is_some()
        || number("VTE_VERSION").is_some_and(|version| version >= 5000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_that_have_them_and_users_that_want_them() {
        let of = |wanted: Option<&str>, pairs: &[(&str, &str)]| {
            has_colours(wanted, &|name| {
                let found = pairs.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        let term = ("TERM", "xterm-256color");
        assert!(of(None, &[term]) && of(Some("auto"), &[term]) && of(Some("true"), &[term]));
        assert!(of(None, &[term, ("NO_COLOR", "")]));
        assert!(!of(None, &[]) && !of(None, &[("TERM", "dumb")]));
        assert!(!of(None, &[term, ("NO_COLOR", "1")]) && !of(Some("never"), &[term]));
    }

    #[test]
    fn links_are_for_terminals_that_are_known_or_asked_for_it() {
        let of =
            |name: &str, value: &str| has_links(&|asked| (asked == name).then(|| value.to_owned()));
        assert!(of("TERM_PROGRAM", "WezTerm") && of("VTE_VERSION", "6003"));
        assert!(of("FORCE_HYPERLINK", "1") && !of("FORCE_HYPERLINK", "0"));
        assert!(!of("TERM", "xterm-256color") && !of("VTE_VERSION", "4000"));
    }
}
