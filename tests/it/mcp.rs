//! The server: the real binary over standard input and output, driven by rmcp's client and, where
//! a client would refuse, by hand.

use super::harness::TestRepo;
use rmcp::model::{CallToolRequestParams, CallToolResult, JsonObject};
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};

/// A client of a server.
pub type Client = RunningService<RoleClient, ()>;

/// Runs `test` with a client of a server started in `repo`.
pub fn with_client<F: Future<Output = ()>>(repo: &TestRepo, test: impl FnOnce(Client) -> F) {
    with_client_of(repo, &["mcp"], test);
}

/// As [`with_client`], of a server started with these arguments.
pub fn with_client_of<F: Future<Output = ()>>(
    repo: &TestRepo,
    args: &[&str],
    test: impl FnOnce(Client) -> F,
) {
    with_client_by(repo.sverklo_command(args), test);
}

/// As [`with_client`], of a server that a command starts.
pub fn with_client_by<F: Future<Output = ()>>(
    command: std::process::Command,
    test: impl FnOnce(Client) -> F,
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let command = tokio::process::Command::from(command);
        let client = ().serve(TokioChildProcess::new(command).unwrap()).await.unwrap();
        test(client).await;
    });
}

/// A call of a tool.
pub fn call(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    CallToolRequestParams::new(tool).with_arguments(arguments)
}

/// The text of a result.
pub fn text(result: &CallToolResult) -> &str {
    &result.content.first().unwrap().as_text().unwrap().text
}

/// A directory that is no repository.
fn outside() -> (TestRepo, TestRepo) {
    let repo = TestRepo::init();
    let outside = repo.at("..");
    (repo, outside)
}

#[test]
fn a_session_begins_outside_a_repository_too() {
    let (_keep, outside) = outside();
    with_client(&outside, async |client| {
        let info = client.peer_info().unwrap();
        assert_eq!(info.server_info.as_ref().unwrap().name, "git-sverklo");
        assert!(
            info.instructions
                .as_ref()
                .unwrap()
                .contains("path:start-end@<commit")
        );
        let result = client
            .call_tool(call("search", json!({"query": "x"})))
            .await
            .unwrap();
        assert_eq!(result.is_error, Some(true));
        assert!(!text(&result).is_empty());
        client.cancel().await.unwrap();
    });
}

#[test]
fn tools_say_what_they_do_and_are_plainly_typed() {
    let (_keep, outside) = outside();
    with_client(&outside, async |client| {
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(
            names,
            [
                "search", "symbol", "refs", "diff", "map", "audit", "history", "verify", "recall",
                "remember"
            ]
        );
        for tool in &tools {
            let hints = tool.annotations.as_ref().unwrap();
            assert_eq!(hints.read_only_hint, Some(tool.name != "remember"));
            assert_eq!(
                hints.destructive_hint,
                (tool.name == "remember").then_some(false)
            );
            assert_eq!(hints.open_world_hint, Some(false));
            for schema in [Some(&tool.input_schema), tool.output_schema.as_ref()]
                .into_iter()
                .flatten()
            {
                assert_eq!(schema["type"], "object", "{}", tool.name);
                let text = serde_json::to_string(schema).unwrap();
                assert!(!text.contains("\"format\""), "{}: {text}", tool.name);
            }
            for required in tool
                .input_schema
                .get("required")
                .into_iter()
                .flat_map(|r| r.as_array().unwrap())
            {
                let properties = tool.input_schema["properties"].as_object().unwrap();
                assert!(properties.contains_key(required.as_str().unwrap()));
            }
        }
        client.cancel().await.unwrap();
    });
}

#[test]
fn bad_arguments_are_told_to_the_model_and_bad_tools_to_the_client() {
    let (_keep, outside) = outside();
    with_client(&outside, async |client| {
        for (tool, arguments, told) in [
            ("search", json!({}), "search needs `query`"),
            (
                "search",
                json!({"query": "x", "sort": "size"}),
                "no parameter `sort`; it takes query, scope",
            ),
            (
                "map",
                json!({"depth": "deep"}),
                "`depth` takes a whole number from 0 to",
            ),
        ] {
            let result = client.call_tool(call(tool, arguments)).await.unwrap();
            assert_eq!(result.is_error, Some(true));
            assert!(text(&result).contains(told), "{}", text(&result));
        }
        let error = client.call_tool(call("grep", json!({}))).await.unwrap_err();
        assert!(
            error
                .to_string()
                .contains("there are search, symbol, refs, diff, map"),
            "{error}"
        );
        client.cancel().await.unwrap();
    });
}

/// A server talked to line by line.
struct Raw {
    child: Child,
    stdin: Option<ChildStdin>,
    replies: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Raw {
    fn start(repo: &TestRepo) -> Self {
        Self::start_by(repo.sverklo_command(&["mcp"]))
    }

    fn start_by(mut command: std::process::Command) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let replies = BufReader::new(child.stdout.take().unwrap()).lines();
        Self {
            child,
            stdin,
            replies,
        }
    }

    fn send(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line).unwrap();
        stdin.write_all(b"\n").unwrap();
        stdin.flush().unwrap();
    }

    fn initialize(&mut self) {
        let client = json!({"name": "test", "version": "0"});
        let params =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        self.send(request(0, "initialize", params).as_bytes());
        assert_eq!(self.reply(0)["result"]["serverInfo"]["name"], "git-sverklo");
        self.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    /// Reads until the reply to request `id`.
    fn reply(&mut self, id: u64) -> Value {
        for line in &mut self.replies {
            let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
            if message["id"] == id {
                return message;
            }
        }
        panic!("the server went away before it answered request {id}");
    }

    /// Reads the next line.
    fn next(&mut self) -> Value {
        let line = self.replies.next().expect("the server is there").unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Calls a tool; returns its text and whether that is an error.
    fn ask(&mut self, id: u64, tool: &str, arguments: Value) -> (String, bool) {
        let params = json!({"name": tool, "arguments": arguments});
        self.send(request(id, "tools/call", params).as_bytes());
        let result = self.reply(id)["result"].take();
        let text = result["content"][0]["text"].as_str().expect("text");
        (text.to_owned(), result["isError"] == true)
    }

    /// Ends the input; returns exit code and standard error.
    fn finish(mut self) -> (Option<i32>, String) {
        drop(self.stdin.take());
        let out = self.child.wait_with_output().unwrap();
        (
            out.status.code(),
            String::from_utf8_lossy(&out.stderr).into_owned(),
        )
    }
}

fn request(id: u64, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

#[test]
fn the_server_ends_with_its_input() {
    let (_keep, outside) = outside();
    let mut server = Raw::start(&outside);
    server.initialize();
    assert_eq!(server.finish(), (Some(0), String::new()));
}

#[test]
fn input_that_ends_before_the_session_begins_is_no_error() {
    let (_keep, outside) = outside();
    assert_eq!(Raw::start(&outside).finish(), (Some(0), String::new()));
}

#[test]
fn garbage_before_the_session_does_not_end_the_server() {
    let (_keep, outside) = outside();
    let mut server = Raw::start(&outside);
    server.send(b"not json");
    server.send(b"{}");
    server.send(b"");
    server.initialize();
    assert_eq!(server.finish().0, Some(0));
}

#[test]
fn garbage_does_not_end_a_session() {
    let (_keep, outside) = outside();
    let mut server = Raw::start(&outside);
    server.initialize();
    for garbage in [
        &b"not json"[..],
        b"",
        b"\xff\xfe\x00",
        b"{}",
        b"[1, 2]",
        b"{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"tools/list\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"no/such/method\",\"params\":{}}",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}",
    ] {
        server.send(garbage);
    }
    server.send(request(10, "tools/list", json!({})).as_bytes());
    assert_eq!(
        server.reply(10)["result"]["tools"]
            .as_array()
            .unwrap()
            .len(),
        10
    );
    assert_eq!(server.finish().0, Some(0));
}

#[test]
fn what_is_no_message_is_refused_by_what_is_wrong_with_it() {
    let (_keep, outside) = outside();
    let mut server = Raw::start(&outside);
    server.send(b"nonsense");
    let early = server.next();
    assert_eq!(
        (&early["error"]["code"], early.get("id")),
        (&json!(-32700), Some(&json!(null)))
    );
    server.initialize();
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{}{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for (line, code, id) in [
        (&b"{\"jsonrpc\":\"2.0\","[..], -32700, json!(null)),
        (b"\"\xff\xfe\"", -32700, json!(null)),
        (deep.as_bytes(), -32700, json!(null)),
        (b"[]", -32600, json!(null)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\",\"params\":{\"name\":\"map\",\"arguments\":[1]}}", -32602, json!(6)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"no/such\"}", -32601, json!(7)),
    ] {
        server.send(line);
        let reply = server.next();
        assert_eq!(reply["error"]["code"], code, "{reply}");
        assert_eq!(reply.get("id"), Some(&id), "{reply}");
    }
    server.send(request(8, "tools/list", json!({})).as_bytes());
    assert!(server.reply(8)["result"]["tools"].is_array());
    assert_eq!(server.finish(), (Some(0), String::new()));
}

#[test]
fn a_scope_of_megabytes_is_refused_and_not_said_back() {
    let (_keep, outside) = outside();
    let mut server = Raw::start(&outside);
    server.initialize();
    let glob = "a".repeat(4 << 20);
    for scope in [json!(glob), json!(["src/", glob])] {
        // There is no repository: that is not even looked for.
        let (text, is_error) = server.ask(1, "search", json!({"query": "x", "scope": scope}));
        assert!(is_error);
        assert_eq!(
            text,
            "`scope` has an entry of 4194304 bytes, where 8192 is the limit"
        );
    }
    assert_eq!(server.finish().0, Some(0));
}

#[test]
fn a_repository_that_goes_or_comes_under_the_server_is_noticed() {
    let repo = TestRepo::init();
    repo.write("a.py", "def one():\n    pass\n");
    repo.commit("one");
    let mut server = Raw::start(&repo);
    server.initialize();
    let mut ids = 1..;
    let mut ask = |server: &mut Raw, name: &str| {
        let id = ids.next().unwrap();
        server.ask(id, "symbol", json!({ "name": name }))
    };
    let (text, _) = ask(&mut server, "one");
    assert!(text.starts_with("a.py:1-2 function one"), "{text}");
    // Deleted: said, and nothing is made where it was.
    std::fs::remove_dir_all(repo.dir().join(".git")).unwrap();
    let (text, is_error) = ask(&mut server, "one");
    assert!(is_error && text.contains("/repo/.git is gone; "), "{text}");
    assert!(!repo.dir().join(".git").exists());
    // Made again, with something else in it.
    repo.git(&["init", "-q", "-b", "main"]);
    repo.write("b.py", "def two():\n    pass\n");
    repo.commit("other");
    let (text, _) = ask(&mut server, "two");
    let (note, text) = text.split_once('\n').unwrap();
    assert!(
        note.starts_with("note: the repository at ") && note.contains("was replaced"),
        "{note}"
    );
    assert!(text.starts_with("b.py:1-2 function two"), "{text}");
    let (text, _) = ask(&mut server, "two");
    assert!(text.starts_with("b.py:1-2 function two"), "{text}");
    // Renamed, and cloned again: the client means what is at the old place now.
    std::fs::rename(repo.dir(), repo.beside("old")).unwrap();
    repo.at(repo.beside(""))
        .git(&["clone", "-q", "old", "repo"]);
    repo.write("c.py", "def three():\n    pass\n");
    let (text, _) = ask(&mut server, "three");
    assert!(text.contains(" was replaced since "), "{text}");
    assert!(text.contains("\nc.py:1-2 function three"), "{text}");
    // Renamed: nothing is made at the old place. The server's own folder went to the first of them.
    std::fs::rename(repo.dir(), repo.beside("new")).unwrap();
    let (text, is_error) = ask(&mut server, "two");
    if cfg!(target_os = "linux") {
        assert!(
            !is_error && text.contains("is gone; this speaks of the one at "),
            "{text}"
        );
    }
    assert!(!repo.dir().exists());
    assert_eq!(server.finish().0, Some(0));
}

#[test]
fn answers_to_requests_sent_before_the_input_ends_are_not_lost() {
    let (_keep, outside) = outside();
    let mut server = Raw::start(&outside);
    server.initialize();
    let params: JsonObject = json!({"name": "map", "arguments": {}})
        .as_object()
        .cloned()
        .unwrap();
    let ask = |id| request(id, "tools/call", Value::Object(params.clone()));
    server.send(ask(1).as_bytes());
    // The last line need not end in a line break.
    let stdin = server.stdin.as_mut().unwrap();
    stdin.write_all(ask(2).as_bytes()).unwrap();
    drop(server.stdin.take());
    // They are worked on at once, so either may be the first to be answered.
    let mut answered: Vec<u64> = (0..2)
        .map(|_| {
            let reply = server.next();
            assert_eq!(reply["result"]["isError"], true, "{reply}");
            reply["id"].as_u64().expect("an id")
        })
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, [1, 2]);
}

#[test]
fn an_answer_is_text_alone() {
    let repo = TestRepo::init();
    repo.write("a.js", "function alpha() {}\n");
    repo.commit("one");
    with_client(&repo, async |client| {
        for tool in client.list_all_tools().await.unwrap() {
            assert_eq!(tool.output_schema, None, "{}", tool.name);
        }
        for (tool, arguments) in [
            ("search", json!({"query": "alpha"})),
            ("symbol", json!({"name": "alpha"})),
            ("refs", json!({"target": "alpha"})),
            ("diff", json!({})),
            ("map", json!({})),
            ("audit", json!({"view": "unused"})),
            ("history", json!({"target": "alpha"})),
            ("verify", json!({"citations": ["lib/a.js:1@HEAD"]})),
            ("remember", json!({"text": "alpha is first"})),
            ("recall", json!({})),
        ] {
            let result = client.call_tool(call(tool, arguments)).await.unwrap();
            assert_eq!(result.structured_content, None, "{tool}");
            assert_eq!(result.content.len(), 1, "{tool}");
            assert_ne!(result.is_error, Some(true), "{tool}: {}", text(&result));
        }
        client.cancel().await.unwrap();
    });
}

#[test]
fn answers_come_as_text_and_as_the_same_items_structured() {
    let repo = TestRepo::init();
    repo.write(
        "lib/a.js",
        "function alpha() {}\nfunction beta() {\n  alpha();\n}\n",
    );
    repo.commit("one");
    with_client_of(&repo, &["mcp", "--structured"], async |client| {
        for tool in client.list_all_tools().await.unwrap() {
            let is_taken_apart = !["diff", "audit", "history", "verify", "recall", "remember"]
                .contains(&&*tool.name);
            assert_eq!(
                tool.output_schema.is_some(),
                is_taken_apart,
                "{}",
                tool.name
            );
        }
        for (tool, arguments, items) in [
            ("search", json!({"query": "alpha"}), "/hits/0/path"),
            (
                "symbol",
                json!({"name": "alpha", "detail": "body"}),
                "/cards/0/path",
            ),
            ("symbol", json!({"name": "lib/a.js"}), "/outlines/0/path"),
            ("refs", json!({"target": "alpha"}), "/files/0/path"),
            ("map", json!({}), "/directories/1/path"),
        ] {
            let result = client.call_tool(call(tool, arguments)).await.unwrap();
            let text = text(&result);
            assert_ne!(result.is_error, Some(true), "{tool}: {text}");
            let structured = result.structured_content.as_ref().unwrap();
            let path = structured.pointer(items).and_then(Value::as_str);
            assert!(
                path.is_some_and(|path| "lib/a.js".starts_with(path) && !path.is_empty()),
                "{tool}: {structured}"
            );
            let shown = format!("| shown {} of {}", structured["shown"], structured["total"]);
            assert!(
                text.lines().last().unwrap().contains(&shown),
                "{tool}: {text}"
            );
            let commit = structured["index"]["commit"].as_str().unwrap();
            assert!(
                text.contains(&format!("\nindex {commit} |")),
                "{tool}: {text}"
            );
        }
        let result = client
            .call_tool(call("map", json!({"at": "nowhere"})))
            .await
            .unwrap();
        assert_eq!(result.is_error, Some(true));
        assert!(text(&result).contains("nowhere"), "{}", text(&result));
        client.cancel().await.unwrap();
    });
}

#[test]
fn a_session_sees_edits_and_commits_between_two_questions() {
    let repo = TestRepo::init();
    repo.write("a.py", "def one():\n    pass\n");
    repo.commit("one");
    with_client_of(&repo, &["mcp", "--structured"], async |client| {
        let ask = async |name| {
            let result = client
                .call_tool(call("symbol", json!({ "name": name })))
                .await
                .unwrap();
            result.structured_content.unwrap()
        };
        assert_eq!(ask("two").await["total"], 0);
        repo.write("a.py", "def one():\n    pass\n\n\ndef two():\n    pass\n");
        let dirty = ask("two").await;
        assert_eq!(
            (&dirty["total"], &dirty["index"]["dirty"]),
            (&json!(1), &json!(1))
        );
        let commit = repo.commit("two");
        let clean = ask("two").await;
        assert_eq!(clean["index"], json!({"commit": commit[..10]}));
        client.cancel().await.unwrap();
    });
}

#[test]
#[cfg(unix)]
fn a_child_ends_with_the_question_or_the_server_that_wants_its_answer() {
    use std::os::unix::fs::PermissionsExt as _;
    let repo = TestRepo::init();
    repo.write("a.rs", "fn a() {}\n").commit("a");
    repo.git(&["switch", "-q", "-c", "theirs"]);
    repo.write("b.rs", "fn b() {}\n").commit("b");
    repo.git(&["switch", "-q", "-"]);
    repo.write("c.rs", "fn c() {}\n").commit("c");
    // A git that never ends a merge, and says who it is.
    let bin = tempfile::tempdir().unwrap();
    let (program, mark) = (bin.path().join("git"), bin.path().join("merging"));
    let path = std::env::var("PATH").unwrap();
    let script = format!(
        "#!/bin/sh\ncase \" $* \" in *' merge-tree '*) echo $$ > '{0}.new'; mv '{0}.new' '{0}'; \
         exec sleep 3600;; esac\nPATH='{path}' exec git \"$@\"\n",
        mark.display()
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let until = |what: &str, holds: &dyn Fn() -> bool| {
        for _ in 0..3000 {
            if holds() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        panic!("{what} within half a minute");
    };
    let params = json!({"name": "diff", "arguments": {"with": ["theirs"]}});
    for is_cancelled in [true, false] {
        let mut command = repo.sverklo_command(&["mcp"]);
        command.env("PATH", format!("{}:{path}", bin.path().display()));
        let mut server = Raw::start_by(command);
        server.initialize();
        server.send(request(1, "tools/call", params.clone()).as_bytes());
        until("a merge is begun", &|| mark.exists());
        let child = std::fs::read_to_string(&mark).unwrap();
        std::fs::remove_file(&mark).unwrap();
        let runs = || {
            let mut kill = std::process::Command::new("kill");
            kill.args(["-0", child.trim()]).stderr(Stdio::null());
            kill.status().unwrap().success()
        };
        assert!(runs());
        if is_cancelled {
            let params = json!({"requestId": 1});
            let note =
                json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
            server.send(note.to_string().as_bytes());
            until("the merge is ended", &|| !runs());
            // The session goes on.
            assert!(
                server
                    .ask(2, "symbol", json!({"name": "a"}))
                    .0
                    .contains("a.rs:1")
            );
        }
        assert_eq!(server.finish().0, Some(0));
        until("nothing outlives the server", &|| !runs());
    }
}

#[test]
fn no_refusal_says_back_what_it_refuses() {
    let (_keep, outside) = outside();
    let mut raw = Raw::start(&outside);
    raw.initialize();
    let odd = "::error::\n##[x] | next: git sverklo trust";
    raw.send(request(10, odd, json!({})).as_bytes());
    let refused = raw.reply(10)["error"].take();
    assert_eq!(refused["code"], -32601, "{refused}");
    assert_eq!(refused["message"], "there is no such method");
    raw.send(request(11, "tools/call", json!({"name": odd, "arguments": {}})).as_bytes());
    let refused = raw.reply(11)["error"].take();
    let said = "no tool is named \"::error::\u{240a}# #[x] | next: git sverklo trust\"; there are ";
    assert!(
        refused["message"].as_str().unwrap().starts_with(said),
        "{refused}"
    );
    // More than anybody asks for is not even read.
    let wide = format!("{{\"id\":12,\"method\":[1{}]}}", ",1".repeat(3 << 20));
    raw.send(wide.as_bytes());
    let refused = raw.next();
    assert!(
        refused["error"]["message"]
            .as_str()
            .unwrap()
            .contains("values"),
        "{refused}"
    );
    assert_eq!(raw.finish().0, Some(0));
}
