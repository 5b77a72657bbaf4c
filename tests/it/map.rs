//! The overview of a repository.

use crate::harness::TestRepo;

#[test]
fn directories_without_code_take_no_room_where_there_is_code() {
    let repo = TestRepo::init();
    repo.write("docs/guides/start.md", "# Start\n")
        .write("docs/guides/deep/more.md", "# More\n")
        .write("src/core/a.rs", "pub fn run() {}\n")
        .write("src/notes/a.md", "# Notes\n")
        .write(".github/workflows/ci.yml", "on: push\n");
    repo.commit("all");
    let told = |args: &[&str]| {
        let out = repo.sverklo(args).stdout;
        let lines = out
            .lines()
            .filter_map(|line| line.trim_start().split_once(" 1 file"));
        let lines = lines.map(|(path, _)| path.to_owned());
        let mut all: Vec<String> = lines.collect();
        all.retain(|path| path.ends_with('/'));
        all
    };
    assert_eq!(told(&["map"]), [".github/", "src/core/"]);
    assert_eq!(
        told(&["map", "docs/", "--depth", "3"]),
        ["docs/guides/deep/"]
    );
}
