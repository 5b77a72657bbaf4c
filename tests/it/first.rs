//! First answers of a server in a repository that has no index yet.

use crate::harness::TestRepo;
use crate::mcp::{Client, call, text, with_client_by};
use serde_json::{Value, json};

/// Enough files that nobody has to wait for all of them.
const FILES: usize = 1100;

fn write_many(repo: &TestRepo) {
    for n in 0..FILES {
        let body = format!("export function plain{n}(a) {{\n  return a + {n};\n}}\n");
        repo.write(format!("src/d{}/f{n}.js", n % 20), body);
    }
}

fn large() -> TestRepo {
    let repo = TestRepo::init();
    write_many(&repo);
    repo.write(
        "src/d3/wanted.js",
        "// Dispatches each parcel to its courier.\nexport function dispatchParcel(a) {\n  return a;\n}\n",
    );
    repo.write(
        "src/d4/user.js",
        "import { dispatchParcel } from '../d3/wanted.js';\n\nexport function use() {\n  return dispatchParcel(1);\n}\n",
    );
    repo.write("src/d5/idle.go", "package d5\n\nfunc idleParcel() {}\n");
    repo.commit("one");
    repo
}

async fn ask(client: &Client, tool: &'static str, arguments: Value) -> String {
    let result = client.call_tool(call(tool, arguments)).await.unwrap();
    text(&result).to_owned()
}

#[test]
fn a_name_is_found_while_the_index_is_made_and_the_rest_waits() {
    let repo = large();
    let hold = repo.beside("hold");
    std::fs::write(&hold, "").unwrap();
    let mut command = repo.sverklo_command(&["mcp"]);
    command.env("SVERKLO_HOLD", format!("fill={}", hold.display()));
    with_client_by(command, async |client| {
        let being_made = format!("the index is being made (0 of {} files)", FILES + 3);

        let symbol = ask(&client, "symbol", json!({"name": "dispatchParcel"})).await;
        assert!(symbol.contains("src/d3/wanted.js:2-4"), "{symbol}");
        assert!(symbol.contains(&being_made), "{symbol}");
        assert!(symbol.contains("files not covered"), "{symbol}");
        let refs = ask(&client, "refs", json!({"target": "dispatchParcel"})).await;
        assert!(
            refs.contains("4 call in use: return dispatchParcel(1);"),
            "{refs}"
        );
        let words = ask(&client, "search", json!({"query": "dispatching parcels"})).await;
        assert!(words.contains("src/d3/wanted.js"), "{words}");
        let lines = json!({"query": "return a + 77;", "mode": "text"});
        let lines = ask(&client, "search", lines).await;
        assert!(lines.contains("src/d17/f77.js:2"), "{lines}");
        let outline = ask(&client, "symbol", json!({"name": "src/d9/f9.js"})).await;
        assert!(outline.contains("plain9"), "{outline}");
        // What is not read yet may use it.
        let idle = ask(&client, "symbol", json!({"name": "idleParcel"})).await;
        assert!(idle.contains("0 uses, nothing known uses it"), "{idle}");
        let nothing = ask(&client, "symbol", json!({"name": "dispatchNothing"})).await;
        assert!(nothing.contains(&being_made), "{nothing}");

        repo.write("src/d5/new.js", "export function dispatchParcel() {}\n");
        let edited = ask(&client, "symbol", json!({"name": "dispatchParcel"})).await;
        assert!(edited.contains("src/d5/new.js:1"), "{edited}");
        repo.remove("src/d5/new.js");

        let waits = ask(&client, "map", json!({}));
        let opens = async {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            std::fs::remove_file(&hold).unwrap();
        };
        let (map, ()) = tokio::join!(waits, opens);
        assert!(map.contains("src/") && !map.contains("being made"), "{map}");
        let idle = ask(&client, "symbol", json!({"name": "idleParcel"})).await;
        assert!(idle.contains("0 uses, dead: its name"), "{idle}");
        for (tool, arguments, args) in [
            (
                "symbol",
                json!({"name": "dispatchParcel"}),
                ["symbol", "dispatchParcel"],
            ),
            (
                "refs",
                json!({"target": "dispatchParcel"}),
                ["refs", "dispatchParcel"],
            ),
        ] {
            let answer = ask(&client, tool, arguments).await;
            let fresh = repo.sverklo(&args).success();
            assert_eq!(answer.trim_end(), fresh.trim_end());
        }
        client.cancel().await.unwrap();
    });
}

/// After much has come to a repository that has an index.
#[test]
fn what_is_indexed_answers_beside_what_is_read() {
    let repo = TestRepo::init();
    repo.write(
        "core.js",
        "export function sendParcel(a) {\n  return a;\n}\n",
    );
    repo.write(
        "old.js",
        "import { sendParcel } from './core.js';\n\nexport function early() {\n  return sendParcel(1);\n}\n",
    );
    repo.write("calm.js", "export function calm() {\n  return 2;\n}\n");
    for n in 0..150 {
        let body = format!("export function deep{n}() {{\n  return {n};\n}}\n");
        repo.write(format!("deep/g{n}.js"), body);
    }
    repo.commit("one");
    repo.sverklo(&["index"]).success();
    write_many(&repo);
    repo.write(
        "src/new.js",
        "import { sendParcel } from '../core.js';\n\nexport function late() {\n  return sendParcel(2);\n}\n",
    );
    repo.commit("two");
    let hold = repo.beside("hold");
    std::fs::write(&hold, "").unwrap();
    let mut command = repo.sverklo_command(&["mcp"]);
    command.env("SVERKLO_HOLD", format!("fill={}", hold.display()));
    with_client_by(command, async |client| {
        let refs = ask(&client, "refs", json!({"target": "sendParcel"})).await;
        for line in [
            // Each import names it as well.
            "4 uses in 2 files, 4 resolved",
            "4 call in early: return sendParcel(1);",
            "4 call in late: return sendParcel(2);",
            &format!("this is from the 3 files that hold it, of {}", FILES + 154),
        ] {
            assert!(refs.contains(line), "{line}: {refs}");
        }
        let folder = ask(
            &client,
            "symbol",
            json!({"name": "deep/", "limit": 200, "budget": 8000}),
        )
        .await;
        for n in [0, 149, 99] {
            assert!(folder.contains(&format!("deep{n}")), "{folder}");
        }
        let calm = ask(&client, "symbol", json!({"name": "calm"})).await;
        assert!(calm.contains("calm.js:1-3"), "{calm}");
        let words = ask(&client, "search", json!({"query": "calm"})).await;
        assert!(words.contains("calm.js:1-3"), "{words}");
        std::fs::remove_file(&hold).unwrap();
        client.cancel().await.unwrap();
    });
}

/// What an edit or a commit changes is made when it is quiet, before anybody asks.
#[test]
#[cfg(target_os = "linux")]
fn a_server_gets_ready_after_an_edit_and_a_commit() {
    let repo = TestRepo::init();
    repo.write("a.js", "export function first() {\n  return 1;\n}\n");
    repo.commit("one");
    let made = repo.beside("made");
    let reached = repo.beside("made.reached");
    let mut command = repo.sverklo_command(&["mcp"]);
    command.env("SVERKLO_HOLD", format!("ready={}", made.display()));
    let gets_ready = async || {
        let mut waits = 0;
        while !reached.exists() {
            assert!(waits < 3000, "nothing gets ready");
            waits += 1;
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        std::fs::remove_file(&reached).unwrap();
    };
    with_client_by(command, async |client| {
        ask(&client, "refs", json!({"target": "first"})).await;
        for name in ["second", "third"] {
            let text = format!(
                "import {{ first }} from './a.js';\nexport function {name}() {{\n  return first();\n}}\n"
            );
            repo.write("b.js", text);
            gets_ready().await;
            let refs = ask(&client, "refs", json!({"target": "first"})).await;
            assert!(refs.contains(&format!("in {name}:")), "{refs}");
            repo.git(&["add", "b.js"]);
            gets_ready().await;
            repo.git(&["commit", "-q", "-m", name]);
            gets_ready().await;
        }
        client.cancel().await.unwrap();
    });
}
