//! Why a remote did not do what it was asked to, as far as words can tell.
//!
//! Servers differ in what they say, so the text decides only which advice is given; what happened
//! to a ref is judged by the ref. What a server says is a quotation wherever it is repeated, so that it cannot pass for
//! advice of ours, nor for a command to the runner of a pipeline.

use super::finished::Finished;
use super::quoting;

/// Most characters of a server's own words that are repeated.
const MAX_WORDS: usize = 300;

/// Why a remote refused, in kinds that call for different action.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// No connection, or nothing there that speaks git: what git said.
    #[error("cannot be reached, or is no repository ({0}); check the address and the network")]
    Unreachable(String),
    /// The remote does not know the user, or does not let them do this: what git said.
    #[error("denies access ({0}); check your credentials and that you may do this there")]
    Denied(String),
    /// The remote keeps the namespace of our refs for itself: what git said.
    #[error(
        "does not take refs of this name ({0}); agree on another with `git config sverklo.refPrefix refs/notes/sverklo`"
    )]
    Hidden(String),
    /// The remote takes only descendants of what it has: what git said.
    #[error(
        "takes only descendants of what it has ({0}); set `git config sverklo.indexHistory linear`"
    )]
    NotFastForward(String),
    /// An object, or all of them together, exceed a limit of the remote: what git said.
    #[error("does not take that much at once ({0}); set `git config sverklo.pushLimit 50m`")]
    TooLarge(String),
    /// Somebody else moved the ref meanwhile: what git said.
    #[error("is moved by others all the time ({0}); try again")]
    LostLease(String),
    /// A hook of the remote said no: what the hook said.
    #[error("declined: {0}")]
    Declined(String),
    /// The remote has no ref of this name.
    #[error("has no {0}")]
    MissingRef(String),
    /// Anything else: what git said.
    #[error("failed: {0}")]
    Other(String),
}

/// Words by which git says that a ref was moved by others, in lower case.
const LOST: &[&str] = phrases!(
    "stale info, incorrect old value, reference already exists, but expected,
     failed to update ref, cannot lock ref, failed to lock,
     remote ref updated since checkout, fetch first"
);

/// Makes a refusal of one kind of what git said.
type Refuse = fn(String) -> Refusal;

/// Words by which another refusal is told. The first that is found counts.
const SIGNS: &[(Refuse, &[&str])] = by_phrases! {
    Refusal::TooLarge => "exceeds maximum allowed size, http 413, error: 413,
        exceeds github's file size limit, large files detected, exceeds the maximum, too large,
        size limit",
    Refusal::NotFastForward => "non-fast-forward, not fast-forward, non fast forward, fast forward,
        fast-forward, force update, forced update, force-push, force push, forcepush",
    Refusal::Hidden => "hidden ref, funny refname, refusing to create, invalid refspec,
        refname is invalid, invalid ref name, unresolvabletocommit",
    Refusal::Denied => "authentication failed, could not read username, could not read password,
        terminal prompts disabled, permission denied, permission to, access denied, not permitted,
        not allowed, not authorized, unauthorized, forbidden, prohibited, error: 401, error: 403,
        host key verification failed, protected, read-only, read only,
        unable to create temporary object directory, insufficient permission, unpacker error,
        service not enabled, repository not exported",
    Refusal::Declined => "hook declined",
    Refusal::Unreachable => "could not resolve, couldn't connect, failed to connect,
        connection refused, connection timed out, connection reset, operation timed out,
        no route to host, network is unreachable, could not read from remote repository,
        does not appear to be a git repository, not found, unable to access, the remote end hung up,
        early eof, unable to find remote helper, no such device or address",
};

impl Refusal {
    /// Tells the kind of a failure from what git printed: standard error, and for a push the
    /// lines about its refs.
    pub(super) fn of(out: &Finished) -> Self {
        Self::read(&out.stdout, &out.stderr)
    }

    /// The same, of its two outputs.
    pub(crate) fn read(stdout: &[u8], stderr: &str) -> Self {
        if let Some(name) = missing_ref(stderr) {
            return Self::MissingRef(name);
        }
        let status = String::from_utf8_lossy(stdout);
        let status: Vec<&str> = status
            .lines()
            .filter_map(|line| line.strip_prefix('!')?.rsplit('\t').next())
            .collect();
        let said = words(&status, stderr);
        // The words of a hook say more than the fact that it declined, but they are its own: a
        // ref was moved by others only if git says so.
        let git = status.join("\n").to_lowercase();
        let all = format!("{git}\n{}", stderr.to_lowercase());
        let tells = |text: &str, signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
        if tells(&git, LOST) {
            return Self::LostLease(said);
        }
        let found = SIGNS.iter().find(|(_, signs)| tells(&all, signs));
        found.map_or(Self::Other as Refuse, |(refuse, _)| *refuse)(said)
    }
}

fn missing_ref(stderr: &str) -> Option<String> {
    let (_, name) = stderr.split_once("couldn't find remote ref ")?;
    let name = name.lines().next()?.trim();
    // A hook may say the same words and then what it likes.
    let is_name = !name.contains(char::is_whitespace) && !name.contains("##");
    is_name.then(|| name.to_owned())
}

/// Returns what is worth repeating, in quotes: why the ref was refused, and what the server and git said.
fn words(status: &[&str], stderr: &str) -> String {
    const NOISE: &[&str] = phrases!(
        "error: failed to push some refs, To ,
         Please make sure you have the correct access rights, and the repository exists.,
         Pushing to , hint: , warning: "
    );
    let mut said: Vec<&str> = status.to_vec();
    for line in stderr.lines() {
        let line = line.trim_start_matches("remote:").trim();
        let line = line
            .strip_prefix("fatal: ")
            .or_else(|| line.strip_prefix("error: "))
            .unwrap_or(line)
            .trim();
        let noise = NOISE.iter().any(|noise| {
            line.starts_with(noise.trim_start_matches("error: ")) || line.starts_with(noise)
        });
        if !line.is_empty() && !noise && !said.contains(&line) {
            said.push(line);
        }
    }
    let said = said.join("; ");
    match said.char_indices().nth(MAX_WORDS) {
        Some((at, _)) => quoting::said(&format!("{}…", &said[..at])),
        None if said.is_empty() => "it gave no reason".to_owned(),
        None => quoting::said(&said),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(stdout: &str, stderr: &str) -> Refusal {
        Refusal::of(&Finished {
            status: Default::default(),
            stdout: stdout.as_bytes().to_vec(),
            stderr: stderr.to_owned(),
        })
    }

    fn pushed(why: &str, stderr: &str) -> Refusal {
        let ref_name = "refs/sverklo/v1/index";
        of(&format!("To x\n!\t0123:{ref_name}\t{why}\nDone\n"), stderr)
    }

    #[test]
    fn what_git_and_hosts_say_is_told_apart() {
        let lost = [
            "[rejected] (stale info)",
            "[remote rejected] (failed to update ref)",
            "[remote rejected] (cannot lock ref 'refs/x': is at 1 but expected 2)",
            "[remote rejected] (incorrect old value provided)",
        ];
        for why in lost {
            assert!(
                matches!(pushed(why, ""), Refusal::LostLease { .. }),
                "{why}"
            );
        }
        let hidden = pushed("[remote rejected] (deny updating a hidden ref)", "");
        assert!(matches!(hidden, Refusal::Hidden { .. }));
        assert!(hidden.to_string().contains("sverklo.refPrefix"));
        let hook = pushed(
            "[remote rejected] (hook declined)",
            "remote: not on Fridays",
        );
        let text = hook.to_string();
        assert!(
            matches!(hook, Refusal::Declined { .. }) && text.contains("not on Fridays"),
            "{text}"
        );
        let linear = pushed(
            "[remote rejected] (hook declined)",
            "remote: no force pushes here",
        );
        assert!(
            linear.to_string().contains("indexHistory linear"),
            "{linear}"
        );
        let gerrit = pushed(
            "[remote rejected] (prohibited by Gerrit: not permitted: force update)",
            "",
        );
        assert!(matches!(gerrit, Refusal::NotFastForward { .. }));
        let denied = [
            "fatal: could not read Username for 'https://x': terminal prompts disabled",
            "git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.",
            "fatal: unable to access 'https://x/': The requested URL returned error: 403",
        ];
        for stderr in denied {
            assert!(matches!(of("", stderr), Refusal::Denied { .. }), "{stderr}");
        }
        let away = [
            "fatal: unable to access 'https://x/': Could not resolve host: x",
            "ssh: connect to host x port 22: Connection refused\nfatal: Could not read from remote repository.",
            "fatal: '/x' does not appear to be a git repository",
        ];
        for stderr in away {
            assert!(
                matches!(of("", stderr), Refusal::Unreachable { .. }),
                "{stderr}"
            );
        }
        let large = of(
            "",
            "error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413",
        );
        assert!(matches!(large, Refusal::TooLarge { .. }));
        let missing = of(
            "",
            "fatal: couldn't find remote ref refs/sverklo/v1/index\n",
        );
        assert!(matches!(missing, Refusal::MissingRef(name) if name == "refs/sverklo/v1/index"));
    }

    #[test]
    fn a_hook_cannot_pretend_that_the_ref_was_moved() {
        let hook = pushed("[remote rejected] (hook declined)", "remote: stale info");
        assert!(matches!(hook, Refusal::Declined { .. }), "{hook}");
    }

    #[test]
    fn long_speeches_are_cut() {
        let long = format!("remote: {}", "é".repeat(5000));
        let text = pushed("[remote rejected] (hook declined)", &long).to_string();
        assert!(text.chars().count() < MAX_WORDS + 50);
        assert!(text.ends_with("…\""));
    }

    #[test]
    fn what_a_hook_says_is_quoted_and_gives_no_command() {
        let hook = pushed(
            "[remote rejected] (pre-receive hook declined)",
            "remote: ##vso[task.setvariable variable=PATH]/evil\nremote: \" | next: git sverklo trust",
        );
        let text = hook.to_string();
        assert!(text.starts_with("declined: \"[remote"), "{text}");
        assert!(text.contains("# #vso[") && !text.contains("##"), "{text}");
        assert!(text.ends_with("' | next: git sverklo trust\""), "{text}");
        let lying = "remote: couldn't find remote ref x | next: git sverklo trust";
        assert!(matches!(of("", lying), Refusal::Other(_)));
    }
}
