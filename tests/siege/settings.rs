//! A repository whose own configuration names programs, libraries, addresses and files, and every command
//! in it: nothing runs, nothing is sent, nothing outside is read.
//!
//! In the gate all settings are set at once, in two rounds because one key has two traps. A long siege sets
//! each alone as well. Commands come from the program's own help, so that a new one cannot be forgotten.

use crate::harness::TestRepo;
use crate::random::scale;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// When a setting is no trap.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fair {
    /// It always is one.
    Never,
    /// Whoever asks for the network takes git's own configuration with it.
    WithNetwork,
}
use Fair::{Never, WithNetwork};

/// Settings: key, value, when it is fair, and the round it takes part in (0 is both). In a value `RUN` is a
/// program that leaves a mark, `!RUN` a command of the shell that does, `URL` a server that counts who
/// comes, `OUT` a folder elsewhere.
const SETTINGS: &[(&str, &str, Fair, u8)] = &[
    ("sverklo.model", "./model", Never, 1),
    ("sverklo.onnxruntime", "./evil.so", Never, 1),
    ("sverklo.model", "endpoint", Never, 2),
    ("sverklo.embedEndpoint", "URL/v1/embeddings", Never, 0),
    ("sverklo.embedModel", "tiny", Never, 0),
    ("sverklo.embedKeyEnv", "AWS_SECRET_ACCESS_KEY", Never, 0),
    ("sverklo.embedInHooks", "true", Never, 0),
    ("sverklo.modelDir", "OUT", Never, 0),
    ("sverklo.lazyFetch", "true", Never, 0),
    ("sverklo.signMemory", "true", Never, 0),
    ("sverklo.remote", "URL/repo", WithNetwork, 2),
    ("core.fsmonitor", "RUN", Never, 0),
    ("core.hooksPath", "HOOKS", Never, 0),
    ("core.sshCommand", "RUN", WithNetwork, 0),
    ("core.gitProxy", "RUN", WithNetwork, 0),
    ("core.askPass", "RUN", WithNetwork, 0),
    ("core.editor", "RUN", Never, 0),
    ("core.pager", "RUN", Never, 0),
    ("core.alternateRefsCommand", "RUN", Never, 0),
    ("core.excludesFile", "OUT/patterns", Never, 0),
    ("core.attributesFile", "OUT/attributes", Never, 0),
    ("core.worktree", "OUT", Never, 0),
    ("pager.rev-parse", "RUN", Never, 0),
    ("pager.diff-tree", "RUN", Never, 0),
    ("sequence.editor", "RUN", Never, 0),
    ("diff.external", "RUN", Never, 0),
    ("diff.evil.command", "RUN", Never, 0),
    ("diff.evil.textconv", "RUN", Never, 0),
    ("diff.orderFile", "OUT/order", Never, 0),
    ("filter.evil.clean", "RUN", Never, 0),
    ("filter.evil.smudge", "RUN", Never, 0),
    ("filter.evil.process", "RUN", Never, 0),
    ("filter.evil.required", "true", Never, 0),
    ("merge.evil.driver", "RUN", Never, 0),
    ("mergetool.evil.cmd", "RUN", Never, 0),
    ("difftool.evil.cmd", "RUN", Never, 0),
    ("interactive.diffFilter", "RUN", Never, 0),
    ("trailer.evil.command", "RUN", Never, 0),
    ("gc.recentObjectsHook", "RUN", Never, 0),
    ("uploadpack.packObjectsHook", "RUN", Never, 0),
    ("hook.evil.command", "RUN", Never, 0),
    ("hook.evil.event", "reference-transaction", Never, 0),
    ("alias.rev-parse", "!RUN", Never, 0),
    ("alias.for-each-ref", "!RUN", Never, 0),
    ("alias.update-ref", "!RUN", Never, 0),
    ("gpg.program", "RUN", Never, 0),
    ("gpg.openpgp.program", "RUN", Never, 0),
    ("gpg.x509.program", "RUN", Never, 0),
    ("gpg.ssh.program", "RUN", Never, 0),
    ("gpg.ssh.defaultKeyCommand", "RUN", Never, 0),
    ("user.signingKey", "OUT/key", Never, 0),
    ("commit.gpgSign", "true", Never, 0),
    ("push.gpgSign", "if-asked", Never, 0),
    ("credential.helper", "!RUN", WithNetwork, 0),
    (
        "credential.https://example.invalid.helper",
        "!RUN",
        WithNetwork,
        0,
    ),
    ("http.proxy", "URL", WithNetwork, 0),
    ("http.cookieFile", "OUT/cookies", WithNetwork, 0),
    ("protocol.allow", "always", WithNetwork, 0),
    ("fetch.bundleURI", "URL/bundle", WithNetwork, 0),
    ("remote.origin.uploadpack", "RUN", WithNetwork, 1),
    ("remote.origin.receivepack", "RUN", WithNetwork, 1),
    ("remote.origin.vcs", "ext", WithNetwork, 2),
    ("remote.origin.proxy", "URL", WithNetwork, 0),
    ("remote.evil.url", "ext::RUN", WithNetwork, 0),
    ("remote.evil.promisor", "true", Never, 0),
    ("remote.web.url", "URL/repo", WithNetwork, 0),
    ("remote.web.promisor", "true", Never, 0),
    ("url.URL/.insteadOf", "file://", WithNetwork, 2),
    ("extensions.partialClone", "evil", WithNetwork, 0),
    ("safe.directory", "*", Never, 0),
    ("safe.bareRepository", "all", Never, 0),
    ("trace2.normalTarget", "MARK", Never, 0),
];

/// What a compiler said of another repository.
const SCIP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scip/ts/index.scip");

/// What every command is run with. A command of the program that is missing here fails the siege.
const COMMANDS: &[(&str, &[&[&str]])] = &[
    (
        "search",
        &[
            &["alpha"],
            &["-F", "return"],
            &["--at", "HEAD", "two words"],
        ],
    ),
    (
        "symbol",
        &[
            &["alpha", "--body"],
            &["src/a.js"],
            &["alpha", "--diff", "HEAD~1..HEAD"],
        ],
    ),
    ("refs", &[&["alpha"]]),
    (
        "map",
        &[&[], &["--view", "entries"], &["--at", "HEAD~1..HEAD"]],
    ),
    ("diff", &[&["HEAD~1"]]),
    (
        "history",
        &[
            &["alpha"],
            &["--who", "alpha"],
            &["--who", "src/"],
            &["src/a.js"],
            &["src/a.js -> alpha"],
            &["--first", "src/ ->* src/a.js"],
            &["-F", "return"],
            &["no_such_name"],
            &["--tags", "alpha"],
            &["fix:HEAD"],
        ],
    ),
    (
        "verify",
        &[&["src/a.js:1-2@HEAD~1"], &["--fix", "--file", "src/a.js"]],
    ),
    ("audit", &[&[], &["hotspots"]]),
    ("gate", &[&["--base", "HEAD~1"]]),
    (
        "review",
        &[&["HEAD~1"], &["--ci", "--format", "sarif", "HEAD~1"]],
    ),
    ("index", &[&[], &["--all"]]),
    ("status", &[&[]]),
    ("doctor", &[&[]]),
    ("gc", &[&[]]),
    ("fsck", &[&["--rederive", "100"]]),
    ("forget", &[&["-n", "src/a.js"], &["--list"]]),
    ("trace", &[&["show", "src/a.js"]]),
    (
        "facts",
        &[&["import", SCIP], &["show", "src/a.js"], &["drop", "--all"]],
    ),
    ("model", &[&[], &["--check"], &["list"]]),
    ("trust", &[&["--dry-run"], &["--list"]]),
    ("remember", &[&["-t", "src/a.js", "a fact"]]),
    ("recall", &[&[], &["--at", "HEAD~1", "fact"]]),
    ("memory", &[&["log"], &["conflicts"], &["export"]]),
    ("mcp", &[&[]]),
    ("init", &[&["-n"], &[], &["--undo"]]),
    ("hook", &[&["post-commit"]]),
    ("completions", &[&["bash"]]),
    ("man", &[&[]]),
    ("fetch", &[&[]]),
    ("push", &[&[]]),
    ("sync", &[&[]]),
];

/// What the user asks for the network with.
const NETWORK: [&str; 3] = ["fetch", "push", "sync"];

/// Requests of a client that asks everything.
const REQUESTS: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"siege","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"alpha"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"symbol","arguments":{"name":"alpha"}}}
"#;

/// A repository with traps.
struct Ground {
    repo: TestRepo,
    clone: TestRepo,
    marks: PathBuf,
    url: String,
    /// Connections that the server saw.
    came: Arc<AtomicUsize>,
}

impl Ground {
    /// A clone that lacks every blob of its history, with an index and a file that is not committed.
    fn new() -> Self {
        let repo = TestRepo::init();
        repo.git(&["config", "uploadpack.allowFilter", "true"]);
        repo.write("src/a.js", "function alpha() {\n  return 1;\n}\n");
        repo.write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
        repo.commit("one");
        repo.write("src/a.js", "function alpha() {\n  return beta();\n}\n");
        repo.commit("two");
        repo.sverklo(&["index", "--all"]).success();
        let dir = repo.beside("clone");
        let url = format!("file://{}", repo.dir().display());
        let to = dir.to_str().unwrap();
        repo.git(&["clone", "-q", "-n", "--filter=blob:none", &url, to]);
        let clone = repo.at(&dir);
        let spec = "refs/sverklo/v1/index:refs/sverklo/v1/index";
        clone.git(&[
            "fetch",
            "-q",
            "--no-filter",
            "--no-write-fetch-head",
            "origin",
            spec,
        ]);
        clone.write("src/b.js", "function gamma() {\n  return alpha();\n}\n");
        clone
            .write("model/model.onnx", "")
            .write("evil.so", "no library");
        std::fs::write(
            dir.join(".git/info/attributes"),
            "* filter=evil diff=evil\n",
        )
        .unwrap();
        let marks = repo.beside("marks");
        let outside = repo.beside("outside");
        std::fs::create_dir_all(&marks).unwrap();
        std::fs::create_dir_all(&outside).unwrap();
        std::fs::write(outside.join("secret.js"), "function outsideOnly() {}\n").unwrap();
        std::fs::write(outside.join("patterns"), "b.js\n").unwrap();
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", server.local_addr().unwrap());
        let came = Arc::new(AtomicUsize::new(0));
        let counter = came.clone();
        // Whoever comes is counted and let go of; the thread ends with the siege.
        std::thread::spawn(move || {
            for stream in server.incoming() {
                counter.fetch_add(1, Ordering::SeqCst);
                drop(stream);
            }
        });
        Self {
            repo,
            clone,
            marks,
            url,
            came,
        }
    }

    /// Sets some of the settings; each program leaves a mark of its own.
    fn set(&self, settings: &[usize]) {
        let traps = self.repo.beside("traps");
        std::fs::create_dir_all(traps.join("hooks")).unwrap();
        let url = &self.url;
        let outside = self.repo.beside("outside").display().to_string();
        let mut text = String::new();
        for at in settings {
            let (key, value, _, _) = SETTINGS[*at];
            let mark = self.marks.join(key.replace(['/', ':'], "-"));
            let program = traps.join(format!("{at}"));
            script(&program, &mark);
            let value = value
                .replace("RUN", program.to_str().unwrap())
                .replace("URL", url)
                .replace("OUT", &outside)
                .replace("HOOKS", traps.join("hooks").to_str().unwrap())
                .replace("MARK", mark.to_str().unwrap());
            let key = key.replace("URL", url);
            let (section, rest) = key.split_once('.').unwrap();
            text += &match rest.rsplit_once('.') {
                Some((subsection, name)) => {
                    format!("[{section} \"{subsection}\"]\n\t{name} = \"{value}\"\n")
                }
                None => format!("[{section}]\n\t{rest} = \"{value}\"\n"),
            };
        }
        for hook in [
            "reference-transaction",
            "pre-push",
            "post-index-change",
            "post-commit",
        ] {
            script(&traps.join("hooks").join(hook), &self.marks.join("hooks"));
        }
        let file = self.clone.dir().join(".git/config");
        let own = std::fs::read_to_string(&file).unwrap();
        std::fs::write(file, own + &text).unwrap();
    }

    fn run(&self, command: &str, args: &[&str]) -> Output {
        let mut run = self.clone.sverklo_command(&[&[command], args].concat());
        let mut child = run
            .env("AWS_SECRET_ACCESS_KEY", "secret")
            .env_remove("ORT_DYLIB_PATH")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        if command == "mcp" {
            stdin.write_all(REQUESTS.as_bytes()).unwrap();
        }
        drop(stdin);
        child.wait_with_output().unwrap()
    }

    /// What was sprung since the last look.
    fn sprung(&self, out: &Output) -> Vec<String> {
        let mut sprung = Vec::new();
        for entry in std::fs::read_dir(&self.marks).unwrap() {
            let path = entry.unwrap().path();
            sprung.push(format!("{} ran", path.file_name().unwrap().display()));
            std::fs::remove_file(path).unwrap();
        }
        if self.came.swap(0, Ordering::SeqCst) > 0 {
            sprung.push("something was sent".to_owned());
        }
        let said = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
        for sign in ["usable ONNX Runtime", "outsideOnly"] {
            if said.contains(sign) {
                sprung.push(format!("{sign:?} was said"));
            }
        }
        assert!(out.status.code().is_some_and(|code| code <= 2), "{said}");
        sprung
    }
}

fn script(path: &Path, mark: &Path) {
    std::fs::write(
        path,
        format!("#!/bin/sh\n: >'{}'\nexit 1\n", mark.display()),
    )
    .unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// The commands that the program lists, and the one that it hides.
fn commands(repo: &TestRepo) -> BTreeSet<String> {
    let help = repo.sverklo(&["-h"]).success();
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let names = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned));
    let mut names: BTreeSet<String> = names.filter(|name| name != "help").collect();
    names.insert("hook".to_owned());
    names
}

#[test]
fn what_a_repository_configures_runs_and_sends_nothing() {
    let all: Vec<usize> = (0..SETTINGS.len()).collect();
    let of_round = |round: u8, fair: bool| -> Vec<usize> {
        let picked = all.iter().copied().filter(|at| {
            let (_, _, when, of) = SETTINGS[*at];
            (of == 0 || of == round) && (fair || when == Never)
        });
        picked.collect()
    };
    let mut rounds = vec![of_round(1, true), of_round(2, true)];
    if scale() > 1 {
        rounds.extend(all.iter().map(|at| vec![*at]));
    }
    let mut runs = 0;
    let mut sprung = Vec::new();
    for (round, settings) in rounds.iter().enumerate() {
        let ground = Ground::new();
        let known: BTreeSet<String> = COMMANDS
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect();
        assert_eq!(commands(&ground.repo), known, "the table of commands");
        ground.set(settings);
        let mut in_network = None;
        for (command, lines) in COMMANDS {
            // Settings of remotes are fair where the user asks for one, so these are run without them.
            let of_network = || {
                let ground = Ground::new();
                let unfair = settings.iter().copied();
                let unfair = unfair.filter(|at| SETTINGS[*at].2 == Never);
                ground.set(&unfair.collect::<Vec<_>>());
                ground
            };
            let ground = match NETWORK.contains(command) {
                true => in_network.get_or_insert_with(of_network),
                false => &ground,
            };
            for args in *lines {
                let out = ground.run(command, args);
                runs += 1;
                for what in ground.sprung(&out) {
                    sprung.push(format!("round {round}: {command} {args:?}: {what}"));
                }
            }
        }
        // The traps are traps: once they are trusted, one of them is sprung.
        if round < 2 {
            ground.run("trust", &[]);
            let mut out = Vec::new();
            for args in [&["symbol", "alpha", "--body"][..], &["remember", "x"]] {
                out.extend(ground.sprung(&ground.run(args[0], &args[1..])));
            }
            assert!(!out.is_empty(), "round {round}: no trap is live");
        }
    }
    println!(
        "settings: {} settings, {} rounds, {runs} runs, {} sprung",
        SETTINGS.len(),
        rounds.len(),
        sprung.len()
    );
    assert_eq!(sprung, [""; 0]);
    assert!(SETTINGS.len() >= 40);
}
