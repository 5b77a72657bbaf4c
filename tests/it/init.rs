//! `init`: what it writes, what it never writes, and that all of it can be undone.

use super::harness::TestRepo;
use super::hooks::{command, git, has_config_hooks, listing, sverklo, write_hook};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// Everything that `init` could touch: work tree, git directory and home. The key that seals what is kept
/// is the user's, not a repository's, and stays.
fn world(repo: &TestRepo) -> (Files, Files) {
    let mut home = listing(&repo.beside("home"));
    home.retain(|path, _| !path.starts_with(".local"));
    (listing(repo.dir()), home)
}

/// A repository whose user has hooks, agents and a file that is no text.
fn lived_in() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("src/lib.rs", "pub fn one() {}\n");
    repo.write(
        ".vscode/mcp.json",
        "// mine\n{\n\t\"servers\": {\n\t\t\"a\": {}, // a\n\t},\n}",
    );
    repo.write(
        ".codex/config.toml",
        "# mine\nmodel = 'x'\r\n[mcp_servers.a]\ncommand = 'a'",
    );
    repo.write(".cursor/rules/x.md", "x\n");
    repo.write(
        "opencode.json",
        "{\n  \"$schema\": \"https://opencode.ai/config.json\", // theirs\n  \"mcp\": { \"a\": { \"type\": \"local\", \"command\": [\"a\"] } }\n}\n",
    );
    repo.write("AGENTS.md", "Be kind.");
    repo.commit("one");
    write_hook(&repo, "post-merge", "#!/bin/sh\necho \u{fc} \nexit 3");
    let hook = repo.dir().join(".git/hooks/post-merge");
    let mut bytes = std::fs::read(&hook).unwrap();
    bytes.extend(b"\n# \xff\xfe\n");
    std::fs::write(&hook, bytes).unwrap();
    let config = repo.dir().join(".git/config");
    let mut text = std::fs::read_to_string(&config).unwrap();
    text += "# a last line without an end";
    std::fs::write(&config, text).unwrap();
    std::fs::create_dir_all(repo.beside("home").join(".codeium/windsurf")).unwrap();
    let cline = repo.beside("home").join(".cline/data/settings");
    std::fs::create_dir_all(&cline).unwrap();
    let servers = "{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"a\", \"args\": []}\n\t}\n}";
    std::fs::write(cline.join("cline_mcp_settings.json"), servers).unwrap();
    repo
}

const ALL: [&str; 15] = [
    "claude",
    "claude-plugin",
    "claude-desktop",
    "cursor",
    "windsurf",
    "zed",
    "vscode",
    "cline",
    "cline-cli",
    "codex",
    "gemini",
    "antigravity",
    "opencode",
    "copilot",
    "junie",
];

fn init_all(repo: &TestRepo, more: &[&str]) -> String {
    let mut args = vec!["init", "--instructions", "AGENTS.md"];
    args.extend(ALL.iter().flat_map(|agent| ["--write", agent]));
    args.extend(more);
    sverklo(repo, &args).success()
}

#[test]
fn undo_is_exact() {
    let repo = lived_in();
    let before = world(&repo);
    let said = init_all(&repo, &[]);
    for path in [
        ".mcp.json",
        ".cursor/mcp.json",
        ".codeium/windsurf/mcp_config.json",
        ".zed/settings.json",
        ".vscode/mcp.json",
        ".codex/config.toml",
        ".agents/mcp_config.json",
        ".github/mcp.json",
        ".gemini/settings.json",
        "opencode.json",
        ".junie/mcp/mcp.json",
        "cline_mcp_settings.json",
        ".cline/data/settings/cline_mcp_settings.json",
        "claude_desktop_config.json",
        ".claude/skills/sverklo/.claude-plugin/plugin.json",
        "AGENTS.md",
    ] {
        assert!(said.contains(path), "{path} is not named in {said}");
    }
    // What an agent wants before it reads its file is said, of those that have one now.
    assert!(said.contains("Codex CLI reads the file only in a project that it trusts"));
    let after = world(&repo);
    assert_ne!(after, before);
    // Again: nothing more.
    let said = init_all(&repo, &[]);
    assert!(
        !said.contains("edited") && !said.contains("created"),
        "{said}"
    );
    assert_eq!(world(&repo), after);
    let tip = git(&repo, &["rev-parse", "refs/sverklo/v1/index"]);
    let said = sverklo(&repo, &["init", "--undo"]).success();
    assert!(
        said.contains("deleted") && said.contains("edited"),
        "{said}"
    );
    assert_eq!(world(&repo), before);
    assert_eq!(git(&repo, &["rev-parse", "refs/sverklo/v1/index"]), tip);
    // Nothing is left to undo but the index.
    let said = sverklo(&repo, &["init", "--undo"]).success();
    assert_eq!(said, "nothing to undo\n");
    sverklo(&repo, &["init", "--undo", "--delete-index"]).success();
    assert_eq!(git(&repo, &["for-each-ref", "refs/sverklo"]), "");
    assert!(!repo.dir().join(".git/sverklo").exists());
    assert_eq!(world(&repo), before);
}

#[test]
fn a_dry_run_says_it_all_and_writes_nothing() {
    let repo = lived_in();
    let before = world(&repo);
    let said = init_all(&repo, &["--dry-run"]);
    assert_eq!(world(&repo), before);
    assert!(!repo.dir().join(".git/sverklo").exists());
    assert_eq!(git(&repo, &["for-each-ref", "refs/sverklo"]), "");
    assert!(
        said.contains("would create") && said.contains("would edit"),
        "{said}"
    );
    assert!(said.contains("+[mcp_servers.sverklo]"), "{said}");
    // What it says is what happens: every line that comes is in the file afterwards.
    let report: Value = serde_json::from_str(&init_all(&repo, &["--dry-run", "--json"])).unwrap();
    init_all(&repo, &[]);
    let changed = report["changed"].as_array().unwrap();
    assert!(changed.len() > ALL.len(), "{report}");
    for change in changed {
        let path = change["path"].as_str().unwrap();
        let now = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        for line in change["diff"]
            .as_str()
            .unwrap()
            .lines()
            .filter(|l| l.starts_with('+'))
        {
            assert!(now.contains(&line[1..]), "{path}: {line}");
        }
    }
    let undo = sverklo(&repo, &["init", "--undo", "--dry-run"]).success();
    assert!(
        undo.contains("would delete") && undo.contains("would edit"),
        "{undo}"
    );
    sverklo(&repo, &["init", "--undo"]).success();
    assert_eq!(world(&repo), before);
}

#[test]
fn nothing_is_written_for_agents_that_were_not_named() {
    let repo = lived_in();
    let (work_tree, home) = world(&repo);
    let said = sverklo(&repo, &["init", "--no-hooks"]).success();
    let (now, home_now) = world(&repo);
    assert_eq!((now, home_now), (work_tree.clone(), home.clone()));
    for agent in [
        "Cursor",
        "Windsurf",
        "VS Code",
        "Codex CLI",
        "Cline CLI",
        "opencode",
    ] {
        assert!(
            said.contains(&format!("{agent}: git sverklo init --write")),
            "{said}"
        );
    }
    assert!(!said.contains("Zed"), "{said}");
    // All that show signs of use: those with a file in the project, never the one in HOME.
    sverklo(
        &repo,
        &[
            "init",
            "--no-hooks",
            "--no-index",
            "--write",
            "all-detected",
        ],
    )
    .success();
    let (now, home_now) = world(&repo);
    assert_eq!(home_now, home);
    let new: Vec<String> = now
        .iter()
        .filter(|(path, bytes)| work_tree.get(*path) != Some(bytes))
        .map(|(path, _)| path.to_string_lossy().into_owned())
        .collect();
    let expected = [
        ".codex/config.toml",
        ".cursor/mcp.json",
        ".git/sverklo-init.json",
        ".vscode/mcp.json",
        "opencode.json",
    ];
    assert_eq!(new, expected);
    sverklo(&repo, &["init", "--undo"]).success();
    assert_eq!(world(&repo), (work_tree, home));
}

#[test]
fn what_was_changed_since_loses_only_our_part() {
    let repo = lived_in();
    init_all(&repo, &[]);
    let edit = |path: &str, from: &str, to: &str| {
        let path = repo.dir().join(path);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
    };
    edit(".vscode/mcp.json", "\"a\": {}", "\"b\": {}");
    edit(".codex/config.toml", "model = 'x'", "model = 'y'");
    edit("AGENTS.md", "Be kind.", "Be quick.");
    edit(".mcp.json", "{\n", "{\n  \"x\": 1,\n");
    sverklo(&repo, &["init", "--undo"]).success();
    let read = |path: &str| std::fs::read_to_string(repo.dir().join(path)).unwrap();
    let vscode = read(".vscode/mcp.json");
    assert!(
        vscode.starts_with("// mine\n") && vscode.contains("\"b\": {}, // a"),
        "{vscode}"
    );
    assert!(!vscode.contains("sverklo"));
    assert_eq!(
        read(".codex/config.toml"),
        "# mine\nmodel = 'y'\r\n[mcp_servers.a]\ncommand = 'a'\n"
    );
    assert!(read("AGENTS.md").starts_with("Be quick.") && !read("AGENTS.md").contains("sverklo"));
    assert!(read(".mcp.json").contains("\"x\": 1") && !read(".mcp.json").contains("sverklo"));
    assert!(!repo.dir().join(".zed").exists());
}

#[test]
fn a_file_that_cannot_be_edited_stops_the_run_before_it_begins() {
    let repo = lived_in();
    repo.write(
        ".mcp.json",
        "{\"mcpServers\": {\"sverklo\": {\"command\": \"other\"}}}",
    );
    let before = world(&repo);
    let out = sverklo(&repo, &["init", "--write", "cursor", "--write", "claude"]);
    assert_eq!(out.status, Some(2));
    assert!(
        out.stderr.contains("another \"sverklo\" server"),
        "{}",
        out.stderr
    );
    repo.write(".mcp.json", "{ nonsense");
    let out = sverklo(&repo, &["init", "--write", "claude"]);
    assert_eq!(out.status, Some(2));
    assert!(
        out.stderr.contains("cannot be read as JSON"),
        "{}",
        out.stderr
    );
    repo.write(
        ".mcp.json",
        "{\"mcpServers\": {\"sverklo\": {\"command\": \"other\"}}}",
    );
    assert_eq!(world(&repo), before);
    let out = sverklo(&repo, &["init", "--write", "emacs"]);
    assert_eq!(out.status, Some(2));
}

#[test]
fn a_lost_journal_still_lets_hooks_go() {
    let repo = TestRepo::init();
    write_hook(&repo, "post-commit", "#!/bin/sh\necho mine\n");
    let before = listing(repo.dir());
    sverklo(&repo, &["init", "--no-index"]).success();
    std::fs::remove_file(repo.dir().join(".git/sverklo-init.json")).unwrap();
    sverklo(&repo, &["init", "--undo"]).success();
    assert_eq!(listing(repo.dir()), before);
}

#[test]
fn a_linked_work_tree_shares_hooks_and_journal() {
    let repo = lived_in();
    git(
        &repo,
        &["worktree", "add", "-q", "-b", "linked", "../linked tree"],
    );
    let linked = repo.at("../linked tree");
    let before = (world(&repo), listing(linked.dir()));
    sverklo(&linked, &["init", "--write", "claude"]).success();
    assert!(linked.dir().join(".mcp.json").exists());
    assert!(!repo.dir().join(".mcp.json").exists());
    // Undone from the other one.
    sverklo(&repo, &["init", "--undo"]).success();
    assert_eq!((world(&repo), listing(linked.dir())), before);
}

#[test]
fn a_bare_repository_has_no_place_for_files_of_projects() {
    let repo = TestRepo::init_as(super::harness::Kind {
        bare: true,
        ..Default::default()
    });
    let out = sverklo(&repo, &["init", "--write", "claude"]);
    assert_eq!(out.status, Some(2));
    assert!(out.stderr.contains("bare"), "{}", out.stderr);
}

#[test]
fn every_agent_is_listed_with_what_to_write() {
    let repo = TestRepo::init();
    let before = world(&repo);
    let said = sverklo(&repo, &["init", "--list"]).success();
    for label in ALL {
        assert!(said.contains(&format!("--write {label}\n")), "{said}");
    }
    let report: Value =
        serde_json::from_str(&sverklo(&repo, &["init", "--list", "--json"]).success()).unwrap();
    assert_eq!(report["agents"].as_array().unwrap().len(), ALL.len());
    assert_eq!(world(&repo), before);
}

/// A symbolic link to another place of the project stays one.
#[cfg(unix)]
#[test]
fn a_linked_file_is_edited_in_its_place() {
    let repo = TestRepo::init();
    let real = repo.dir().join("real.json");
    repo.write("real.json", "{}\n");
    std::fs::create_dir_all(repo.dir().join(".cursor")).unwrap();
    let link = repo.dir().join(".cursor/mcp.json");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    sverklo(
        &repo,
        &["init", "--no-hooks", "--no-index", "--write", "cursor"],
    )
    .success();
    assert!(link.is_symlink());
    assert!(std::fs::read_to_string(&real).unwrap().contains("sverklo"));
    sverklo(&repo, &["init", "--undo"]).success();
    assert!(link.is_symlink());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "{}\n");
}

#[test]
fn dying_on_the_way_can_be_undone_or_finished() {
    for place in ["journal-written", "file-written"] {
        let repo = lived_in();
        let before = world(&repo);
        let args = ["init", "--no-index", "--write", "vscode", "--write", "zed"];
        let die = || {
            let mut command = command(&repo, env!("CARGO_BIN_EXE_git-sverklo"), &args);
            let out = command.env("SVERKLO_FAILPOINT", place).output().unwrap();
            assert!(!out.status.success());
        };
        die();
        assert_ne!(world(&repo), before, "{place}");
        sverklo(&repo, &["init", "--undo"]).success();
        assert_eq!(world(&repo), before, "{place}");
        die();
        sverklo(&repo, &args).success();
        assert!(repo.dir().join(".zed/settings.json").exists());
        sverklo(&repo, &["init", "--undo"]).success();
        assert_eq!(world(&repo), before, "{place}");
    }
}

#[test]
fn a_second_init_at_the_same_time_is_refused() {
    let repo = TestRepo::init();
    std::fs::create_dir_all(repo.dir().join(".git/sverklo")).unwrap();
    let path = repo.dir().join(".git/sverklo/init.lock");
    let lock = std::fs::File::create(path).unwrap();
    lock.lock().unwrap();
    let out = sverklo(&repo, &["init"]);
    assert_eq!(out.status, Some(2));
    assert!(out.stderr.contains("another"), "{}", out.stderr);
    drop(lock);
    sverklo(&repo, &["init"]).success();
}

#[test]
fn what_init_writes_starts_a_server() {
    let repo = lived_in();
    sverklo(&repo, &["init", "--no-hooks", "--write", "claude"]).success();
    let text = std::fs::read_to_string(repo.dir().join(".mcp.json")).unwrap();
    let config: Value = serde_json::from_str(&text).unwrap();
    let server = &config["mcpServers"]["sverklo"];
    let args: Vec<&str> = server["args"]
        .as_array()
        .unwrap()
        .iter()
        .map(|arg| arg.as_str().unwrap())
        .collect();
    let mut server = command(&repo, server["command"].as_str().unwrap(), &args);
    let mut server = server
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    use std::io::{BufRead as _, Write as _};
    let mut stdin = server.stdin.take().unwrap();
    writeln!(
        stdin,
        r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"2025-06-18","capabilities":{{}},"clientInfo":{{"name":"t","version":"1"}}}}}}"#
    )
    .unwrap();
    let mut line = String::new();
    std::io::BufReader::new(server.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(line.contains("git-sverklo"), "{line}");
    drop(stdin);
    server.wait().unwrap();
}

#[test]
fn hooks_are_where_the_report_says() {
    let repo = TestRepo::init();
    sverklo(&repo, &["init"]).success();
    let in_config =
        git(&repo, &["config", "--list", "--local"]).contains("hook.sverklo-post-commit");
    assert_eq!(in_config, has_config_hooks());
    assert_eq!(
        !in_config,
        repo.dir().join(".git/hooks/post-commit").exists()
    );
}

/// A clone can bring links under the names that `init` writes to.
#[cfg(unix)]
#[test]
fn links_of_a_repository_lead_no_edit_out_of_it() {
    use std::os::unix::fs::symlink;
    let repo = TestRepo::init();
    let outside = repo.beside("home").join("settings.json");
    let before = "{ \"mcpServers\": {} }\n";
    std::fs::write(&outside, before).unwrap();
    symlink(&outside, repo.dir().join(".mcp.json")).unwrap();
    symlink(&outside, repo.dir().join("CLAUDE.md")).unwrap();
    symlink(repo.beside("home"), repo.dir().join(".cursor")).unwrap();
    symlink("nowhere", repo.dir().join("AGENTS.md")).unwrap();
    repo.write("kept/mcp.json", before);
    symlink("kept", repo.dir().join(".vscode")).unwrap();
    repo.commit("links");
    for (args, why) in [
        (["--write", "claude"], "outside"),
        (["--write", "cursor"], "outside"),
        (["--instructions", "CLAUDE.md"], "outside"),
        (["--instructions", "AGENTS.md"], "leads nowhere"),
    ] {
        let out = sverklo(&repo, &[&["init", "--no-index"], &args[..]].concat());
        assert_eq!(out.status, Some(2), "{args:?}: {}", out.stdout);
        assert!(out.stderr.contains(why), "{args:?}: {}", out.stderr);
        assert!(
            !repo.dir().join(".git/hooks/post-commit").exists(),
            "nothing else was written"
        );
    }
    let names = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        // Where the key of caches is.
        let mut names: Vec<_> = names.filter(|name| name != ".local").collect();
        names.sort();
        names
    };
    assert_eq!(names(repo.beside("home")), ["settings.json"]);
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), before);
    // A link that stays in the project is followed, and taken back.
    let kept = repo.dir().join("kept/mcp.json");
    sverklo(
        &repo,
        &["init", "--no-index", "--no-hooks", "--write", "vscode"],
    )
    .success();
    assert!(std::fs::read_to_string(&kept).unwrap().contains("sverklo"));
    // What has become a link since is left alone.
    std::fs::remove_file(repo.dir().join(".vscode")).unwrap();
    symlink(repo.beside("home"), repo.dir().join(".vscode")).unwrap();
    std::fs::copy(&kept, repo.beside("home").join("mcp.json")).unwrap();
    let out = sverklo(&repo, &["init", "--undo"]);
    let said = format!("{}{}", out.stdout, out.stderr);
    assert!(said.contains("outside"), "{said}");
    let theirs = std::fs::read_to_string(repo.beside("home").join("mcp.json")).unwrap();
    assert!(theirs.contains("sverklo"), "{theirs}");
}

/// The journal lies in the repository, so whoever made it may have written one.
#[test]
fn a_planted_journal_writes_nothing_elsewhere() {
    let repo = TestRepo::init();
    repo.commit("one");
    let theirs = "# nobody's business\n";
    let profile = repo.beside("home").join(".profile");
    std::fs::write(&profile, theirs).unwrap();
    let mut paths = vec![profile.clone()];
    #[cfg(unix)]
    {
        let link = repo.dir().join("link");
        std::os::unix::fs::symlink(&profile, &link).unwrap();
        paths.push(link);
    }
    let written = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(theirs.as_bytes()));
    for (path, original) in paths
        .iter()
        .flat_map(|path| [(path, Some("evil\n")), (path, None)])
    {
        let journal = serde_json::json!({"version": 1, "files": [{
            "path": path,
            "part": "block",
            "original": original,
            "written": written,
            "folders": [],
        }]});
        repo.write(".git/sverklo-init.json", journal.to_string());
        repo.sverklo(&["init", "--undo"]);
        let now = std::fs::read_to_string(&profile).unwrap();
        assert_eq!(now, theirs, "{journal}");
    }
}

/// What is in a folder, and what of it may be run.
#[cfg(unix)]
#[test]
fn a_hooks_folder_that_is_a_link_out_of_the_repository_is_left_alone() {
    use std::os::unix::fs::symlink;
    let repo = TestRepo::init();
    repo.write("a.py", "def a():\n    pass\n").commit("one");
    let outside = repo.beside("bin");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("post-merge"), "#!/bin/sh\n").unwrap();
    let hooks = repo.dir().join(".git/hooks");
    let _ = std::fs::remove_dir_all(&hooks);
    let before = listing(&outside);
    let refused = |to: &std::path::Path| {
        let _ = std::fs::remove_file(&hooks);
        symlink(to, &hooks).unwrap();
        let out = sverklo(&repo, &["init", "--no-index"]);
        if has_config_hooks() {
            return;
        }
        assert_eq!(out.status, Some(2), "{}", out.stdout);
        assert!(
            out.stderr.contains("out of the repository"),
            "{}",
            out.stderr
        );
        sverklo(&repo, &["init", "--undo"]);
    };
    refused(&outside);
    // Also where the repository's own configuration says that it is meant so.
    repo.git(&["config", "core.hooksPath", outside.to_str().unwrap()]);
    refused(&outside);
    // A value cannot say that another scope has it.
    let forged = format!("x\nglobal\t{}", outside.display());
    repo.git(&["config", "core.hooksPath", &forged]);
    let _ = std::fs::remove_file(&hooks);
    symlink(&outside, &hooks).unwrap();
    sverklo(&repo, &["init", "--no-index"]);
    assert_eq!(listing(&outside), before);
    sverklo(&repo, &["init", "--undo"]);
    repo.git(&["config", "--unset", "core.hooksPath"]);
    refused(&repo.beside("nowhere"));
    assert_eq!(listing(&outside), before);
    sverklo(&repo, &["init", "--no-index", "--no-hooks"]).success();
    // What the user says themselves holds, and a link that stays in the git directory.
    let _ = std::fs::remove_file(&hooks);
    symlink(&outside, &hooks).unwrap();
    repo.git(&[
        "config",
        "--global",
        "core.hooksPath",
        outside.to_str().unwrap(),
    ]);
    sverklo(&repo, &["init", "--no-index"]).success();
    sverklo(&repo, &["init", "--undo"]).success();
    repo.git(&["config", "--global", "--unset", "core.hooksPath"]);
    std::fs::remove_file(&hooks).unwrap();
    std::fs::create_dir(repo.dir().join(".git/ours")).unwrap();
    symlink("ours", &hooks).unwrap();
    sverklo(&repo, &["init", "--no-index"]).success();
    sverklo(&repo, &["init", "--undo"]).success();
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
    let repo = TestRepo::init();
    repo.write("a.py", "def a():\n    pass\n").commit("one");
    let pipe = |path: &str| {
        let path = repo.dir().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert!(
            repo.command("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
    };
    pipe(".git/hooks/post-commit");
    pipe(".mcp.json");
    pipe("rules.md");
    for args in [
        &["init", "--no-index"][..],
        &["init", "--no-index", "--no-hooks", "--write", "claude"],
        &["memory", "import", "--from", "rules", "rules.md"],
    ] {
        if has_config_hooks() && args.len() == 2 {
            continue;
        }
        let out = sverklo(&repo, args);
        assert_eq!(out.status, Some(2), "{args:?}: {}", out.stdout);
        assert!(
            out.stderr.contains("it is a pipe"),
            "{args:?}: {}",
            out.stderr
        );
    }
    sverklo(&repo, &["init", "--no-index", "--no-hooks"]).success();
}
