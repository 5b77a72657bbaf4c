//! Secrets planted everywhere: nothing of them is recorded, found or shown.

use crate::harness::TestRepo;
use crate::memory::remember;
use git_sverklo::git::Repo;
use git_sverklo::memory::date::Date;
use git_sverklo::memory::event::{Body, By, Event, Kind, Pin};
use git_sverklo::memory::log;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

/// Planted secrets, put together here so that this file holds none.
struct Planted {
    aws: String,
    aws_secret: String,
    github: String,
    stripe: String,
    named: String,
    password: String,
    pem: String,
    url: String,
    jwt: String,
}

impl Planted {
    fn new() -> Self {
        Self {
            aws: ["AKI", "AQ3EGWZ5XYB7TKL2M"].concat(),
            aws_secret: ["wJ7lrXUtnF3MI/K7MD9N", "g+bPxRf1CYzQ4hT8kVsa"].concat(),
            github: ["ghp", "_Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0LvXcVb"].concat(),
            stripe: ["sk", "_live_51HqLyjWDarjtT1zdp7dcXqQ"].concat(),
            named: "q8Zr2Lm5Vx0Tn7KsWb4d".to_owned(),
            password: "kX9!vqLz3#Wp".to_owned(),
            pem: "MIIEpAIBAAKCAQEA3x9Kq7TbV2ZpLw8NfYh5RjQmXc4DgSu6EiOo1WzP0yBvHtJk".to_owned(),
            url: "s3cr8tZq9vTm".to_owned(),
            jwt: [
                "eyJhbGciOiJIUzI1NiJ9",
                ".eyJzdWIiOiI4NzEzNCJ9",
                ".Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0LvXcVbNm8Qe3R",
            ]
            .concat(),
        }
    }

    fn all(&self) -> [&str; 9] {
        [
            &self.aws,
            &self.aws_secret,
            &self.github,
            &self.stripe,
            &self.named,
            &self.password,
            &self.pem,
            &self.url,
            &self.jwt,
        ]
    }

    /// Asserts that no piece of a planted secret stands in some bytes, whatever its case.
    #[track_caller]
    fn are_not_in(&self, bytes: &[u8], place: &str) {
        const PIECE: usize = 9;
        let lower = bytes.to_ascii_lowercase();
        for secret in self.all() {
            let secret = secret.to_ascii_lowercase();
            // What every token of its kind has is no secret.
            for piece in secret.as_bytes()[8.min(secret.len() - PIECE)..].windows(PIECE) {
                let at = lower.windows(PIECE).position(|window| window == piece);
                if let Some(at) = at {
                    let around = &bytes[at.saturating_sub(60)..bytes.len().min(at + 60)];
                    panic!("{place}: {secret}: {}", String::from_utf8_lossy(around));
                }
            }
        }
    }
}

/// A repository with secrets in code, comments, strings, data, prose, pages, notebooks, messages, and
/// names of files.
fn planted(p: &Planted) -> TestRepo {
    let repo = TestRepo::init();
    let pem = format!(
        "-----BEGIN RSA PRIVATE KEY-----\n    {}\n    {}\n    -----END RSA PRIVATE KEY-----",
        p.pem, p.pem
    );
    let filler = "def helper(value):\n    return value + 1\n\n".repeat(6);
    repo.write(
        "src/client.py",
        format!(
            "\"\"\"Client. Deploy with {github}.\"\"\"\nimport os\n\nAWS_ID = \"{aws}\"\nAWS = (\"{aws}\", \"{aws_secret}\")\n\n\
             # url: postgres://app:{url}@db.acme.io/main\ndef connect(host, token=\"{named}\"):\n    \
             \"\"\"Uses {stripe} in production.\"\"\"\n    password = \"{password}\"\n    KEY = \"\"\"{pem}\"\"\"\n    \
             return getattr(host, \"{aws}\")\n\n{filler}",
            github = p.github, aws = p.aws, aws_secret = p.aws_secret, url = p.url, named = p.named,
            stripe = p.stripe, password = p.password,
        ),
    );
    repo.write(
        "src/app.ts",
        format!(
            "import {{ a }} from \"https://x:{}@registry.acme.io/a\";\nexport const {} = 1;\nexport class Pay {{\n  key = '{}';\n  \
             [\"{}\"]() {{ return a(`{}`); }}\n}}\n",
            p.url, p.aws, p.stripe, p.github, p.jwt
        ),
    );
    repo.write(
        "conf/app.yaml",
        format!(
            "db:\n  password: '{}'\n  api_key: {}\n{}: 1\n",
            p.password, p.named, p.aws
        ),
    );
    repo.write(
        "conf/app.json",
        format!(
            "{{\"client_secret\": \"{}\", \"{}\": {{\"x\": 1}}}}\n",
            p.named, p.github
        ),
    );
    repo.write(
        "conf/app.toml",
        format!("[auth]\ntoken = \"{}\"\nhook = \"{}\"\n", p.named, p.stripe),
    );
    repo.write(
        "README.md",
        format!(
            "# Use {}\n\nCall it with `{}`:\n\n```sh\nexport API_TOKEN={}\n```\n",
            p.aws, p.github, p.named
        ),
    );
    repo.write(
        "page.html",
        format!(
            "<html><body><h1>{}</h1><script>const t = \"{}\";</script></body></html>\n",
            p.aws, p.jwt
        ),
    );
    repo.write(
        "book.ipynb",
        format!(
            "{{\"cells\": [{{\"cell_type\": \"code\", \"source\": [\"key = '{}'\\n\", \"def fit(x):\\n\", \"    return '{}'\\n\"]}}], \
             \"metadata\": {{}}, \"nbformat\": 4, \"nbformat_minor\": 5}}\n",
            p.aws, p.stripe
        ),
    );
    repo.write("deploy/prod.env", format!("TOKEN={}\n", p.named));
    repo.write("main.auto.tfvars", format!("key = \"{}\"\n", p.aws));
    repo.write(
        "home/.docker/config.json",
        format!(
            "{{\"auths\": {{\"r.io\": {{\"auth\": \"{}\"}}}}}}\n",
            p.named
        ),
    );
    repo.write("keys.txt", format!("{pem}\n"));
    repo.write(
        format!("notes/{}.md", p.github),
        "# Notes\n\nnothing here\n",
    );
    repo.commit(&format!(
        "add the client of {}\n\nIt signs with {} for now.",
        p.github, p.aws
    ));
    repo.write(
        "src/client.py",
        format!("# replaced {}\n{filler}", p.stripe),
    );
    repo.commit(&format!("client: stop using {}", p.stripe));
    repo.git(&["revert", "--no-edit", "-n", "HEAD"]);
    repo.commit("client: as it was");
    // Uncommitted.
    repo.write(
        "src/dirty.py",
        format!(
            "TOKEN = \"{}\"\ndef dirty():\n    return \"{}\"\n",
            p.named, p.aws
        ),
    );
    repo
}

fn each_file(folder: &Path, check: &mut impl FnMut(&Path, &[u8])) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => each_file(&path, check),
            false => check(&path, &std::fs::read(&path).unwrap()),
        }
    }
}

#[test]
fn nothing_of_a_secret_is_recorded_or_said() {
    let p = Planted::new();
    let repo = planted(&p);
    repo.sverklo(&["index"]).success();
    let ask = |args: &[&str]| {
        for json in [&[][..], &["--json"]] {
            let args = [args, json].concat();
            let out = repo.sverklo(&args);
            let place = format!("{args:?}");
            p.are_not_in(out.stdout.as_bytes(), &place);
            p.are_not_in(out.stderr.as_bytes(), &place);
        }
    };
    for at in [None, Some("HEAD"), Some("HEAD~2")] {
        let at: Vec<&str> = at.map_or(Vec::new(), |at| vec!["--at", at]);
        for args in [
            &["search", "client connect password"][..],
            &["search", "production key", "--budget", "20000"],
            &["search", "-F", "AKIA"],
            &["search", "-F", "--context", "3", "password"],
            &[
                "search",
                "-E",
                "(?i)(key|token|secret).*",
                "--limit",
                "100",
                "--budget",
                "50000",
            ],
            &[
                "search", "-E", "....", "--limit", "500", "--budget", "100000",
            ],
            &["symbol", "connect", "--body"],
            &["symbol", "Pay", "--body"],
            &["symbol", "src/client.py"],
            &["symbol", "src/app.ts"],
            &["symbol", "conf/app.yaml"],
            &["symbol", "conf/app.json"],
            &["symbol", "README.md"],
            &["symbol", "page.html"],
            &["symbol", "book.ipynb"],
            &["refs", "helper"],
            &["refs", "connect"],
            &["map"],
            &["audit"],
            &["recall"],
        ] {
            ask(&[args, &at].concat());
        }
    }
    for args in [
        &["status"][..],
        &["doctor"],
        &["fsck"],
        &["memory", "list"],
        &["task", "pay with the client"],
    ] {
        ask(args);
    }
    for args in [&["gc"][..], &["index"]] {
        ask(args);
    }
    let folder = repo.dir().join(".git/sverklo");
    let mut files = 0;
    each_file(&folder, &mut |path, bytes| {
        files += 1;
        p.are_not_in(bytes, &path.display().to_string());
    });
    assert!(files > 0, "there are caches");
    let listed = repo.git(&["rev-list", "--objects", "--glob=refs/sverklo/*"]);
    let mut objects = 0;
    for line in listed.lines() {
        let id = line.split(' ').next().unwrap();
        let kind = repo.git(&["cat-file", "-t", id]);
        p.are_not_in(&repo.git_bytes(&["cat-file", &kind, id]), line);
        objects += 1;
    }
    assert!(objects > 3, "{listed}");
}

#[test]
fn the_server_says_nothing_of_a_secret() {
    let p = Planted::new();
    let repo = planted(&p);
    let mut child = repo
        .sverklo_command(&["mcp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut say = |message: Value| {
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    };
    say(
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}),
    );
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let calls = [
        ("search", json!({"query": "client connect"})),
        ("search", json!({"query": "AKIA", "mode": "text"})),
        ("search", json!({"query": "key.*", "mode": "regex"})),
        ("symbol", json!({"target": "connect", "detail": "body"})),
        ("symbol", json!({"target": "src/client.py"})),
        ("refs", json!({"target": "connect"})),
        ("map", json!({})),
        ("status", json!({})),
    ];
    for (id, (tool, arguments)) in (1..).zip(calls) {
        say(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}}));
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.contains("content") || line.contains("error"), "{line}");
        p.are_not_in(line.as_bytes(), tool);
    }
    drop(input);
    child.wait().unwrap();
}

#[test]
fn what_is_masked_is_said_and_code_around_it_is_found() {
    let p = Planted::new();
    let repo = planted(&p);
    let body = repo.sverklo(&["symbol", "connect", "--body"]).success();
    assert!(body.contains("password = \"[secret]"), "{body}");
    assert!(body.contains("[secret: private key]"), "{body}");
    let found = repo.sverklo(&["search", "-F", "AWS_ID"]).success();
    assert!(found.contains("AWS_ID = \"[secret: AWS key]"), "{found}");
    // No more than that something is there.
    assert_eq!(repo.sverklo(&["search", "-F", "AKIA"]).status, Some(1));
    assert_eq!(
        repo.sverklo(&["search", "-F", &p.named[..6]]).status,
        Some(1)
    );
    // Files of secrets are not read, by name or by content.
    assert_eq!(
        repo.sverklo(&["search", "-F", "TOKEN=", "--scope", "deploy/**"])
            .status,
        Some(1)
    );
    assert_eq!(
        repo.sverklo(&["search", "-F", "BEGIN RSA", "--scope", "keys.txt"])
            .status,
        Some(1)
    );
    repo.sverklo(&["symbol", "helper"]).success();
    let status: Value =
        serde_json::from_str(&repo.sverklo(&["status", "--json"]).success()).unwrap();
    let skipped = status.to_string();
    assert!(skipped.contains("likely secret"), "{skipped}");
}

#[test]
fn memories_say_nothing_of_a_secret_in_a_message() {
    let p = Planted::new();
    let repo = planted(&p);
    for at in ["HEAD~2", "HEAD~1"] {
        let text = format!("what holds from {at} on");
        remember(&repo, &["--at", at, "-t", "src/client.py", &text]);
    }
    // The commit that changed it, whose words are shown beside the target.
    repo.write("src/client.py", "def connect(): pass\n");
    repo.commit(&format!("client: no more of {}", p.aws));
    let listed = repo.git(&["rev-list", "--objects", "--glob=refs/sverklo/*"]);
    for line in listed.lines() {
        let id = line.split(' ').next().unwrap();
        let kind = repo.git(&["cat-file", "-t", id]);
        p.are_not_in(&repo.git_bytes(&["cat-file", &kind, id]), line);
    }
    // Another program stored what it read.
    let opened = Repo::discover(repo.dir()).unwrap();
    let commit = opened.resolve("HEAD").unwrap();
    let event = Event {
        body: Body::Claim {
            kind: Kind::Rule,
            pin: Pin {
                commit,
                tree: opened.commit_tree(commit).unwrap(),
                patch: None,
                date: Date::new(0, 0),
                subject: format!("client: no more of {}", p.aws),
            },
            targets: BTreeSet::new(),
            tags: BTreeSet::new(),
            core: true,
            replaces: BTreeSet::new(),
            again: BTreeSet::new(),
        },
        by: By {
            name: format!("Ann {}", p.stripe),
            mail: "ann@example.com".to_owned(),
            tool: "other".to_owned(),
            date: Date::new(0, 0),
        },
        text: "Somebody else's rule.".to_owned(),
    };
    let id = log::append(&opened, &[event]).unwrap()[0].to_string();
    for args in [
        &["recall"][..],
        &["recall", "rule"],
        &["memory", "list", "--all"],
        &["memory", "export"],
        &["memory", "show", &id],
        &["memory", "log"],
        &["map"],
        &["history", "src/client.py"],
    ] {
        for json in [&[][..], &["--json"]] {
            let args = [args, json].concat();
            let out = repo.sverklo(&args);
            assert_eq!(out.status, Some(0), "{args:?}: {}", out.stderr);
            p.are_not_in(out.stdout.as_bytes(), &format!("{args:?}"));
            p.are_not_in(out.stderr.as_bytes(), &format!("{args:?}"));
        }
    }
    let found = repo.sverklo(&["recall"]).success();
    assert!(found.contains("\"client: no more of ...."), "{found}");
    assert!(found.contains("client: stop using ...."), "{found}");
}

#[test]
fn a_memory_is_about_no_path_that_holds_a_secret() {
    let p = Planted::new();
    let repo = planted(&p);
    let path = format!("notes/{}.md", p.github);
    let out = repo.sverklo(&["remember", "-t", &path, "about a file"]);
    assert_eq!(out.status, Some(2), "{}", out.stdout);
    assert!(out.stderr.contains("folder above"), "{}", out.stderr);
    p.are_not_in(out.stderr.as_bytes(), "the refusal");
    let refs = repo.git(&["for-each-ref", "refs/sverklo/v1/memory"]);
    assert_eq!(refs, "");
    remember(&repo, &["-t", "notes", "about its folder"]);
}
