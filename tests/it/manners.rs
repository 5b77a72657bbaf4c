//! Manners of the command line: completions, settings from `git -c`, what is said off a terminal, what
//! is listed.

use super::harness::TestRepo;
use insta::assert_snapshot;
use std::process::Command;

/// Runs a script of bash with our completions and git's own way of calling them; returns what is offered
/// after the words of a line.
fn completed(repo: &TestRepo, line: &str) -> Vec<String> {
    let script = repo.sverklo(&["completions", "bash"]).success();
    repo.write("completions.bash", script);
    // As `__git_main` of git's completion does.
    let ask = r#"
        source completions.bash
        words=($1) __git_cmd_idx=1
        [[ $1 == *" " ]] && words+=("")
        cword=$((${#words[@]} - 1)) cur=${words[-1]} prev=${words[-2]}
        _git_sverklo
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let mut bash: Command = repo.command("bash");
    let out = bash.args(["-c", ask, "bash", line]).output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(
        out.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let mut offered: Vec<String> = said.split_whitespace().map(str::to_owned).collect();
    offered.sort();
    offered
}

#[test]
fn bash_completes_git_sverklo() {
    let repo = TestRepo::init();
    let commands = completed(&repo, "git sverklo ");
    for command in ["search", "symbol", "status", "help"] {
        assert!(commands.iter().any(|c| c == command), "{commands:?}");
    }
    assert!(!commands.iter().any(|c| c == "hook"), "{commands:?}");
    assert_eq!(completed(&repo, "git sverklo sy"), ["symbol", "sync"]);
    assert_eq!(completed(&repo, "git sverklo status --sk"), ["--skipped"]);
    let kinds = completed(&repo, "git sverklo symbol --kind c");
    assert_eq!(kinds, ["class", "constant", "constructor"]);
    assert_eq!(
        completed(&repo, "git sverklo search --lang ru"),
        ["ruby", "rust"]
    );
    assert_eq!(completed(&repo, "git sverklo refs --kind c"), ["call"]);
    let help = completed(&repo, "git sverklo help ");
    assert!(!help.iter().any(|c| c == "hook"), "{help:?}");
}

#[test]
fn scripts_and_pages_leave_out_what_is_hidden() {
    let repo = TestRepo::init();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = repo.sverklo(&["completions", shell]).success();
        assert!(!script.contains("What hooks run"), "{shell}");
        assert!(!script.contains("__hook"), "{shell}");
        let has_values = script.contains("typescript");
        assert_eq!(
            has_values,
            !["elvish", "powershell"].contains(&shell),
            "{shell}"
        );
    }
    assert!(!repo.sverklo(&["man"]).success().contains("What hooks run"));
    let fish = repo.sverklo(&["completions", "fish"]).success();
    assert!(fish.contains("complete -c git -n"), "{fish}");
}

#[test]
fn settings_of_the_command_line_and_the_environment_count() {
    let repo = TestRepo::init();
    repo.write("a.py", "def one():\n    pass\n");
    repo.commit("one");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_git-sverklo"));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths =
        std::iter::once(program.parent().unwrap().to_owned()).chain(std::env::split_paths(&paths));
    let path = std::env::join_paths(paths).unwrap();
    let warm = |git: &mut Command| {
        let out = git.env("PATH", &path).output().unwrap();
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        let line = said.lines().find(|line| line.starts_with("kept warm: "));
        line.unwrap_or_else(|| panic!("{out:?}")).to_owned()
    };
    assert_snapshot!(warm(repo.command("git").args(["sverklo", "status"])), @"kept warm: branches and work trees, each with 2 weeks before it");
    assert_snapshot!(warm(repo.command("git").args(["-c", "sverklo.history=tips", "sverklo", "status"])), @r#"kept warm: branches and work trees"#);
    // What only the user may say: this is the user.
    let out = repo
        .command("git")
        .env("PATH", &path)
        .args(["-c", "sverklo.model=/no/such/model", "sverklo", "model"])
        .output()
        .unwrap();
    let said = [out.stdout, out.stderr].concat();
    assert!(String::from_utf8_lossy(&said).contains("/no/such/model"));
    let mut counted = repo.command("git");
    counted
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "sverklo.history")
        .env("GIT_CONFIG_VALUE_0", "tips")
        .args(["sverklo", "status"]);
    assert_snapshot!(warm(&mut counted), @r#"kept warm: branches and work trees"#);
}

#[test]
fn reports_end_in_a_line_where_nobody_watches() {
    let repo = TestRepo::init();
    repo.write("a.py", "def one():\n    pass\n");
    repo.commit("one");
    let bare = repo.at(repo.beside("bare"));
    repo.git(&["clone", "-q", "--bare", ".", "../bare"]);
    repo.git(&["remote", "add", "origin", "../bare"]);
    drop(bare);
    let said = |args: &[&str]| {
        let out = repo.sverklo(args);
        assert_eq!(out.status, Some(0), "{}", out.stderr);
        assert_eq!(out.stdout, "", "{args:?}");
        out.stderr
    };
    assert_snapshot!(said(&["index"]), @r#"1 document added of 1 needed (20 B of source)"#);
    assert_snapshot!(said(&["push"]), @r#"to origin: sent 1 document in 1 segment (434 B); it has 1 segment now"#);
    assert_snapshot!(said(&["fetch"]), @r#"from origin: nothing new"#);
    assert_snapshot!(said(&["gc"]), @r#"0 documents dropped, 0 B of files freed"#);
    for quiet in [["index", "-q"], ["push", "-q"], ["gc", "-q"]] {
        assert_eq!(said(&quiet), "");
    }
}

#[test]
fn what_was_not_read_is_listed_by_reason() {
    let repo = TestRepo::init();
    repo.write("a.py", "def one():\n    pass\n");
    repo.commit("one");
    assert_eq!(repo.sverklo(&["status", "--skipped"]).status, Some(1));
    repo.write("b.py", "def bad(:\n  = = =\n")
        .write("data/one.bin", b"\x00\x01")
        .write("data/two two.bin", b"\x00\x02")
        .write("yarn.lock", "x\n");
    repo.commit("two");
    repo.sverklo(&["index", "-q"]).success();
    assert_snapshot!(repo.sverklo(&["status", "--skipped"]).success(), @r#"
    2 binary
      data/one.bin
      data/two two.bin
    1 lock file
      yarn.lock
    1 with syntax errors, read in part
      b.py:1-2
    "#);
    assert_snapshot!(repo.sverklo(&["status", "--skipped", "--json"]).success(), @r#"[{"reason":"binary","paths":["data/one.bin","data/two two.bin"]},{"reason":"lock file","paths":["yarn.lock"]},{"reason":"with syntax errors, read in part","paths":["b.py"],"lines":{"b.py":[[1,2]]}}]"#);
}

/// What a terminal gets from a command line.
#[cfg(target_os = "linux")]
fn on_terminal(repo: &TestRepo, variables: &[(&str, &str)], line: &str) -> String {
    let program = env!("CARGO_BIN_EXE_git-sverklo");
    let mut script = repo.command("script");
    script
        .args(["-qec", &format!("'{program}' {line}"), "/dev/null"])
        .env("TERM", "xterm-256color")
        .envs(variables.iter().copied());
    let out = script.output().unwrap();
    String::from_utf8_lossy(&out.stdout).replace('\r', "")
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_colours_where_they_are_wanted() {
    let repo = TestRepo::init();
    repo.write("a.py", "def one():\n    pass\n");
    repo.commit("one");
    let plain = repo.sverklo(&["symbol", "one"]).success();
    let cat = ("GIT_PAGER", "cat");
    let painted = on_terminal(&repo, &[cat], "symbol one");
    assert!(
        painted.contains("\x1b[35ma.py\x1b[m:\x1b[32m1-2\x1b[m"),
        "{painted:?}"
    );
    assert!(!painted.contains("\x1b]8;"), "{painted:?}");
    for off in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        assert_eq!(on_terminal(&repo, &[cat, off], "symbol one"), plain);
    }
    repo.git(&["config", "color.ui", "never"]);
    assert_eq!(on_terminal(&repo, &[cat], "symbol one"), plain);
    repo.git(&["config", "color.sverklo", "auto"]);
    assert_eq!(on_terminal(&repo, &[cat], "symbol one"), painted);
    let linked = on_terminal(&repo, &[cat, ("FORCE_HYPERLINK", "1")], "symbol one");
    assert!(
        linked.contains("\x1b]8;;file:///") && linked.contains("/repo/a.py\x1b\\"),
        "{linked:?}"
    );
    // Whatever is configured, a program gets bytes that it can read.
    repo.git(&["config", "color.ui", "always"]);
    repo.git(&["config", "color.sverklo", "always"]);
    assert_eq!(repo.sverklo(&["symbol", "one"]).success(), plain);
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_its_answers_by_the_pager_of_its_user() {
    let repo = TestRepo::init();
    repo.write("a.py", "def one():\n    pass\n");
    repo.commit("one");
    let plain = [("NO_COLOR", "1"), ("PAGER", "sed s/^/usual:/")];
    let asked = |more: &[(&str, &str)]| on_terminal(&repo, &[&plain, more].concat(), "symbol one");
    assert!(asked(&[]).starts_with("usual:a.py:1-2 "));
    assert!(asked(&[("GIT_PAGER", "sed s/^/$LESS:/")]).starts_with("FRX:a.py:1-2 "));
    assert!(asked(&[("GIT_PAGER", "")]).starts_with("a.py:1-2 "));
    assert!(asked(&[("GIT_PAGER", "/no/such/pager")]).starts_with("a.py:1-2 "));
    // A program that the repository itself names is not run before its user has consented.
    repo.git(&["config", "core.pager", "sed s/^/theirs:/"]);
    assert!(asked(&[]).starts_with("usual:a.py:1-2 "));
    repo.sverklo(&["trust"]).success();
    assert!(asked(&[]).starts_with("theirs:a.py:1-2 "));
    repo.sverklo(&["trust", "--revoke"]).success();
    repo.git(&["config", "--unset", "core.pager"]);
    repo.git(&["config", "--global", "core.pager", "sed s/^/mine:/"]);
    assert!(asked(&[]).starts_with("mine:a.py:1-2 "));
    assert!(
        repo.sverklo(&["symbol", "one"])
            .success()
            .starts_with("a.py:1-2 ")
    );
}
