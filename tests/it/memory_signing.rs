//! Commits of memories that carry a signature, as far as `git verify-commit` is the judge.

use super::harness::TestRepo;
use super::memory::{MEMORY, remember, texts};
use std::process::Command;

/// A repository with one commit that signs with a key of its own; `None` without ssh-keygen.
fn signing() -> Option<TestRepo> {
    let repo = TestRepo::init();
    repo.write("a.rs", "pub fn a() {}\n");
    repo.commit("first");
    let key = repo.beside("key");
    let mut keygen = repo.command("ssh-keygen");
    keygen.args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f"]);
    match keygen.arg(&key).output() {
        Ok(out) if out.status.success() => {}
        _ => {
            eprintln!("skipped: ssh-keygen cannot be run");
            return None;
        }
    }
    let public = std::fs::read_to_string(key.with_extension("pub")).unwrap();
    let signers = repo.beside("signers");
    std::fs::write(&signers, format!("author@example.com {public}")).unwrap();
    // What a repository's own configuration says of signing would need consent.
    let set = |name: &str, value: &str| repo.git(&["config", "--global", name, value]);
    set("gpg.format", "ssh");
    set("user.signingKey", key.to_str().unwrap());
    set("gpg.ssh.allowedSignersFile", signers.to_str().unwrap());
    repo.git(&["config", "sverklo.signMemory", "true"]);
    Some(repo)
}

fn is_signed(repo: &TestRepo, commit: &str) -> bool {
    let text = repo.git(&["cat-file", "commit", commit]);
    text.lines().any(|line| line.starts_with("gpgsig"))
}

#[test]
fn commits_are_signed_when_that_is_asked_for() {
    let Some(repo) = signing() else {
        return;
    };
    // git would write another commit where the user's own messages are not in UTF-8.
    repo.git(&["config", "i18n.commitEncoding", "ISO-8859-1"]);
    let mut command = repo.sverklo_command(&["remember", "one"]);
    let clock = "1800000000 -0330";
    command
        .env("GIT_COMMITTER_NAME", "Zoë")
        .env("GIT_COMMITTER_DATE", clock);
    assert!(command.status().unwrap().success());
    remember(&repo, &["two"]);
    for commit in [MEMORY.to_owned(), format!("{MEMORY}~1")] {
        repo.git(&["verify-commit", &commit]);
    }
    assert_eq!(texts(&repo, "HEAD"), ["one", "two"]);

    // Without its signature, each is the commit that is written otherwise.
    let text = repo.git(&["cat-file", "commit", &format!("{MEMORY}~1")]);
    let (header, message) = text.split_once("\n\n").unwrap();
    let lines: Vec<&str> = header
        .lines()
        .filter(|line| !line.starts_with("gpgsig") && !line.starts_with(' '))
        .collect();
    let words = |at: usize| lines[at].split_once(' ').unwrap();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(words(0).0, "tree");
    let (who, date) = words(1).1.split_once("> ").unwrap();
    assert_eq!((words(1).0, who), ("author", "Zoë <author@example.com"));
    assert_eq!(words(2), ("committer", words(1).1));
    assert_eq!(date, clock);
    assert!(message.starts_with("memory: assert "), "{message}");
    assert!(!message.trim_end().contains('\n'), "{message}");
}

#[test]
fn what_cannot_be_signed_is_not_stored() {
    let Some(repo) = signing() else {
        return;
    };
    remember(&repo, &["kept"]);
    let before = repo.git(&["rev-parse", MEMORY]);
    let missing = repo.beside("no-such-key");
    repo.git(&[
        "config",
        "--global",
        "user.signingKey",
        missing.to_str().unwrap(),
    ]);
    let out = repo.sverklo(&["remember", "lost"]);
    assert_eq!(out.status, Some(2), "{}", out.stdout);
    assert_eq!(out.stdout, "");
    for part in [
        "not stored: git cannot sign",
        "no-such-key",
        "user.signingKey",
        "sverklo.signMemory false",
    ] {
        assert!(out.stderr.contains(part), "{part} in {}", out.stderr);
    }
    assert_eq!(
        out.stderr.matches("cannot sign").count(),
        1,
        "{}",
        out.stderr
    );
    assert_eq!(repo.git(&["rev-parse", MEMORY]), before);
    assert_eq!(texts(&repo, "HEAD"), ["kept"]);

    repo.git(&["config", "sverklo.signMemory", "false"]);
    remember(&repo, &["said again"]);
    assert!(!is_signed(&repo, MEMORY));
}

/// `commit.gpgSign` speaks of what people commit. Nothing could be signed here.
#[test]
fn without_the_key_nothing_is_signed() {
    let repo = TestRepo::init();
    repo.commit("first");
    repo.git(&["config", "commit.gpgSign", "true"]);
    repo.git(&["config", "gpg.format", "ssh"]);
    remember(&repo, &["one"]);
    assert!(!is_signed(&repo, MEMORY));
}

#[test]
fn unions_and_what_is_redacted_have_no_signature() {
    let Some(repo) = signing() else {
        return;
    };
    let id = remember(&repo, &["a name"]);
    repo.git(&["clone", "-q", "--bare", ".", "../remote.git"]);
    repo.git(&["remote", "add", "origin", "../remote.git"]);
    repo.sverklo(&["push"]).success();
    repo.git(&["clone", "-q", "../remote.git", "../other"]);
    let other = repo.at("../other");
    other.sverklo(&["fetch"]).success();
    remember(&other, &["unsigned"]);
    other.sverklo(&["push"]).success();
    remember(&repo, &["signed"]);
    repo.sverklo(&["fetch"]).success();
    assert_eq!(
        repo.git(&["log", "-1", "--format=%s", MEMORY]),
        "memory: union"
    );
    assert!(!is_signed(&repo, MEMORY));
    let parents = repo.git(&["rev-parse", &format!("{MEMORY}^@")]);
    let signed = parents.lines().filter(|parent| is_signed(&repo, parent));
    assert_eq!(signed.count(), 1, "{parents}");

    repo.sverklo(&["memory", "redact", &id, "-m", "a name"])
        .success();
    repo.git(&["verify-commit", MEMORY]);
    let rewritten = repo.git(&["rev-list", &format!("{MEMORY}~1")]);
    assert!(rewritten.lines().count() > 2);
    for commit in rewritten.lines() {
        assert!(!is_signed(&repo, commit), "{commit}");
    }
}

/// A passphrase is nobody's to type in the background: without an agent, that is an error at once.
#[test]
fn nobody_is_asked_at_the_terminal() {
    let Some(repo) = signing() else {
        return;
    };
    let key = repo.beside("locked");
    let mut keygen: Command = repo.command("ssh-keygen");
    keygen.args(["-q", "-t", "ed25519", "-N", "secret", "-C", "", "-f"]);
    assert!(keygen.arg(&key).status().unwrap().success());
    repo.git(&[
        "config",
        "--global",
        "user.signingKey",
        key.to_str().unwrap(),
    ]);
    let mut command = repo.sverklo_command(&["remember", "one"]);
    command.env("SSH_ASKPASS", "false");
    let out = command.output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(said.contains("not stored: git cannot sign"), "{said}");
}
