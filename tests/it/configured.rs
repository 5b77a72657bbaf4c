//! A server answers by the configuration that is there when it is asked.

use super::harness::TestRepo;
use super::mcp::{call, text, with_client};
use serde_json::json;

#[test]
fn a_server_follows_what_is_configured_while_it_runs() {
    let repo = TestRepo::init();
    repo.git(&["config", "core.autocrlf", "false"]);
    repo.write("a.py", "def one():\n    return 1\n");
    repo.write("b.py", "def two():\n    return 2\n");
    repo.commit("begin");
    // As an editor of Windows saves it.
    repo.write("a.py", "def one():\r\n    return 1\r\n");
    with_client(&repo, async |client| {
        let ask = async || {
            let found = call("symbol", json!({"name": "one"}));
            let said = client.call_tool(found).await.unwrap();
            text(&said).to_owned()
        };
        let before = ask().await;
        assert!(before.contains("dirty"), "{before}");
        repo.git(&["config", "core.autocrlf", "true"]);
        let after = ask().await;
        assert!(!after.contains("dirty"), "{after}");
        assert!(!after.contains("repository"), "{after}");
        // A new branch is no other configuration, and what was there before is there again.
        repo.git(&["config", "branch.main.remote", "origin"]);
        assert_eq!(ask().await, after);
        repo.git(&["config", "core.autocrlf", "false"]);
        assert_eq!(ask().await, before);
        // Attributes are followed as ever.
        repo.write(".git/info/attributes", "*.py text\n");
        let again = ask().await;
        assert!(!again.contains("dirty"), "{again}");
        client.cancel().await.unwrap();
    });
}
