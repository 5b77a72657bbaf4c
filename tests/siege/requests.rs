//! A client that means harm, or is broken: the server answers what it can and lives on.

use crate::harness::TestRepo;
use crate::random::{Random, scale, seed};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// Lines between two questions that must be answered.
const BETWEEN: usize = 25;
/// Most memory the server may ever have had, in KiB: a few messages of the largest size.
const MOST_KIB: u64 = 400 << 10;

struct Server {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Server {
    fn start(repo: &TestRepo) -> Self {
        let mut child = repo
            .sverklo_command(&["mcp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut server = Self {
            child,
            input,
            lines,
        };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "siege", "version": "1"}});
        server
            .say(json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": hello}));
        server.answer("hello");
        server.say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }

    fn raw(&mut self, line: &[u8]) {
        self.input.write_all(line).unwrap();
        self.input.write_all(b"\n").unwrap();
    }

    fn say(&mut self, message: Value) {
        self.raw(message.to_string().as_bytes());
        self.input.flush().unwrap();
    }

    /// Waits for the answer with an id, and passes over all others.
    fn answer(&mut self, id: &str) -> Value {
        loop {
            let line = self.lines.recv().expect("the server lives");
            let message: Value = serde_json::from_str(&line).expect("it speaks JSON");
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Asks something that has an answer.
    fn is_well(&mut self, number: usize) {
        let id = format!("well-{number}");
        self.say(call(json!(id), "symbol", json!({"name": "alpha"})));
        let answer = self.answer(&id);
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("a.js:1-3 function alpha"), "{answer}");
    }

    /// The most memory it ever had, in KiB, where the system tells.
    fn most_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

fn call(id: Value, tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments}})
}

const TOOLS: &[&str] = &[
    "search", "symbol", "refs", "map", "audit", "recall", "remember", "nothing",
];
const NAMES: &[&str] = &[
    "query",
    "name",
    "target",
    "task",
    "scope",
    "lang",
    "kind",
    "mode",
    "context",
    "at",
    "limit",
    "budget",
    "detail",
    "depth",
    "direction",
    "view",
    "known_at",
    "conflicts",
    "text",
    "tags",
    "ids",
    "x",
];

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth > 3 { 8 } else { 10 }) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(random.next()),
        3 => json!(-1.5e300),
        4 => json!("alpha"),
        5 => json!("\u{202e}\u{1b}]0;x\u{7}\n[at 0000; 5 of 5 shown]"),
        6 => json!("((((((((((((((((((((a*)*)*)*)*"),
        7 => json!("!{a,b}/../**//\\"),
        8 => Value::Array(
            (0..random.below(4))
                .map(|_| value(random, depth + 1))
                .collect(),
        ),
        _ => json!({"a": value(random, depth + 1)}),
    }
}

fn line(random: &mut Random) -> Vec<u8> {
    let id = match random.below(5) {
        0 => json!("hello"),
        1 => json!(0),
        2 => Value::Null,
        3 => json!(u64::MAX),
        _ => json!(random.below(50)),
    };
    match random.below(14) {
        0 => (0..random.below(200)).map(|_| (random.next() as u8).max(11)).collect(),
        1 => vec![b'['; 20_000],
        2 => [b"{\"a\":".repeat(5_000), b"1".to_vec()].concat(),
        3 => b"\xff\xfe{\"jsonrpc\":\"2.0\"}".to_vec(),
        4 => Vec::new(),
        5 => json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
            .to_string()
            .into_bytes(),
        6 => json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string().into_bytes(),
        7 => json!({"jsonrpc": "1.0", "id": id, "method": "tools/list"}).to_string().into_bytes(),
        8 => json!({"jsonrpc": "2.0", "id": id, "method": "nothing/there"}).to_string().into_bytes(),
        9 => json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string().into_bytes(),
        10 => json!([{"jsonrpc": "2.0", "id": id, "method": "ping"}]).to_string().into_bytes(),
        11 => json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": value(random, 0)})
            .to_string()
            .into_bytes(),
        _ => {
            let mut arguments = serde_json::Map::new();
            for _ in 0..random.below(4) {
                arguments.insert((*random.pick(NAMES)).to_owned(), value(random, 0));
            }
            let tool = *random.pick(TOOLS);
            call(id, tool, Value::Object(arguments)).to_string().into_bytes()
        }
    }
}

fn repository() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("a.js", "function alpha(x) {\n  return x;\n}\n");
    repo.commit("first");
    repo
}

#[test]
fn the_server_outlives_whatever_it_is_told() {
    let repo = repository();
    let mut server = Server::start(&repo);
    let mut random = Random(seed());
    let rounds = 40 * scale();
    for round in 0..rounds {
        for _ in 0..BETWEEN {
            let line = line(&mut random);
            server.raw(&line);
        }
        server.is_well(round);
    }
    let most = server.most_memory();
    println!("{} lines, most memory {most:?} KiB", rounds * (BETWEEN + 1));
    assert!(most.is_none_or(|most| most < MOST_KIB), "{most:?}");
    drop(server.input);
    assert!(
        server.child.wait().unwrap().success(),
        "it ends with its input"
    );
}

#[test]
fn what_is_too_long_is_refused_at_once_and_not_said_back() {
    let repo = repository();
    let mut server = Server::start(&repo);
    let words: String = (0..1_500_000).map(|n| format!("w{n} ")).collect();
    let long = vec!["src/**".to_owned(); 100_000];
    let calls = [
        ("search", json!({"query": words})),
        ("search", json!({"query": words, "mode": "regex"})),
        ("search", json!({"query": "a", "scope": long})),
        ("search", json!({"query": "a", "lang": [words]})),
        ("search", json!({"query": "a", "at": words})),
        ("symbol", json!({"name": words})),
        ("refs", json!({"target": words})),
        ("refs", json!({"target": "a", "kind": long})),
        ("map", json!({"task": words})),
        ("audit", json!({"scope": [words]})),
        ("recall", json!({"query": words})),
        ("recall", json!({"known_at": words})),
        ("remember", json!({"text": words})),
        (&words[..500_000], json!({})),
        ("search", json!({&words[..500_000]: 1, "query": "a"})),
    ];
    for (number, (tool, arguments)) in calls.into_iter().enumerate() {
        let id = format!("long-{number}");
        server.say(call(json!(id), tool, arguments));
        let answer = server.answer(&id).to_string();
        assert!(answer.len() < 2000, "{number}: {} bytes", answer.len());
        assert!(answer.contains("rror"), "{answer}");
        server.is_well(number);
    }
    // A message that is longer than any is not held, and not answered.
    server.raw(&vec![b'x'; 40 << 20]);
    server.is_well(99);
    let most = server.most_memory();
    assert!(most.is_none_or(|most| most < MOST_KIB), "{most:?}");
}
