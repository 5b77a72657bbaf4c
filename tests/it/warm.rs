//! A server gets ready before anybody asks.

use crate::harness::TestRepo;
use crate::mcp::with_client;
use std::path::Path;
use std::time::{Duration, Instant};

/// Waits for what a server does by itself.
fn appears(path: &Path) -> bool {
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        if path.exists()
            && std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some())
        {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn the_index_is_made_before_the_first_question() {
    let repo = TestRepo::init();
    repo.write(
        "cart.py",
        "def add(item):\n    return item\n\n\ndef total():\n    return add(1)\n",
    );
    repo.commit("begin");
    let graphs = repo.kept().join("graph");
    with_client(&repo, |client| async move {
        let made = tokio::task::spawn_blocking(move || appears(&graphs))
            .await
            .unwrap();
        assert!(made, "the graph is made and saved");
        client.cancel().await.unwrap();
    });
    assert_eq!(
        repo.try_git(&["rev-parse", "-q", "--verify", "refs/sverklo/v1/index"])
            .status,
        Some(0)
    );
}

#[test]
fn where_there_is_no_repository_a_server_waits_for_questions() {
    let repo = TestRepo::init();
    std::fs::rename(repo.dir().join(".git"), repo.dir().join("git")).unwrap();
    with_client(&repo, |client| async move {
        let tools = client.list_all_tools().await.unwrap();
        assert!(!tools.is_empty());
        client.cancel().await.unwrap();
    });
    assert!(!repo.dir().join(".git").exists());
}
