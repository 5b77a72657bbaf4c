//! `symbol` and `refs` of patterns of names, and the table of all names that they walk over.

use crate::harness::TestRepo;
use std::path::PathBuf;

/// So many names that their table is kept.
const MANY: usize = 1200;

fn shop() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "shop/cart.py",
        "class Cart:\n    def add_item(self, item):\n        return item\n\n    def add_all(self, items):\n        return \
         [self.add_item(item) for item in items]\n\n\ndef add_tax(sum):\n    return sum\n",
    );
    repo.write(
        "web/cart.ts",
        "export function addItem(item: string): string {\n  return item;\n}\nexport class AddButton {}\n",
    );
    repo.commit("begin");
    repo
}

/// The same, with a file of many functions.
fn large() -> TestRepo {
    let repo = shop();
    let functions = (0..MANY).map(|n| format!("def part{n:04}():\n    return {n}\n\n\n"));
    repo.write("parts.py", functions.collect::<String>());
    repo.commit("parts");
    repo
}

/// The names of the cards of an answer.
fn names(repo: &TestRepo, arguments: &[&str]) -> Vec<String> {
    let out = repo.sverklo(&[&["symbol"], arguments].concat());
    let heads = out
        .stdout
        .lines()
        .filter(|line| line.contains(".py:") || line.contains(".ts:"));
    heads
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split(' ').nth(2).map(str::to_owned))
        .collect()
}

fn kept(repo: &TestRepo) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(repo.kept().join("names"));
    entries
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect()
}

#[test]
fn names_are_found_by_patterns() {
    let repo = shop();
    assert_eq!(
        names(&repo, &["add*"]),
        [
            "addItem",
            "add_tax",
            "AddButton",
            "Cart.add_item",
            "Cart.add_all"
        ]
    );
    assert_eq!(names(&repo, &["Add*"]), ["AddButton"]);
    assert_eq!(names(&repo, &["Cart.*"]), ["Cart.add_item", "Cart.add_all"]);
    assert_eq!(
        names(&repo, &["/^add(_|I)[it]/"]),
        ["addItem", "add_tax", "Cart.add_item"]
    );
    assert_eq!(names(&repo, &["add_tax|Cart"]), ["Cart", "add_tax"]);
    assert_eq!(
        names(&repo, &["add*", "--lang", "typescript"]),
        ["addItem", "AddButton"]
    );
    assert_eq!(
        names(&repo, &["add*", "--kind", "method"]),
        ["Cart.add_item", "Cart.add_all"]
    );
    assert_eq!(
        names(&repo, &["add*", "-n", "1", "--offset", "1"]),
        ["add_tax"]
    );
    let refs = repo.sverklo(&["refs", "/^add_item$/"]).success();
    assert!(refs.starts_with("Cart.add_item: 1 use in 1 file"), "{refs}");
    assert_eq!(repo.sverklo(&["symbol", "sub*"]).status, Some(1));
    let bad = repo.sverklo(&["symbol", "/add(/"]);
    assert_eq!(bad.status, Some(2));
    assert!(
        bad.stderr
            .contains(r#""add(" is no regular expression: unclosed group"#),
        "{}",
        bad.stderr
    );
}

#[test]
fn patterns_see_the_state_that_is_asked_about() {
    let repo = shop();
    repo.write("shop/cart.py", "def add_rebate(sum):\n    return sum\n");
    assert_eq!(names(&repo, &["add*", "--lang", "python"]), ["add_rebate"]);
    let before = names(&repo, &["add*", "--lang", "python", "--at", "HEAD"]);
    assert_eq!(before, ["add_tax", "Cart.add_item", "Cart.add_all"]);
    repo.commit("rebate");
    assert_eq!(
        names(&repo, &["add_*"]),
        ["add_rebate"],
        "what only old commits define is not found"
    );
    assert_eq!(
        names(&repo, &["addReb"]),
        ["add_rebate"],
        "how its words begin"
    );
}

#[test]
fn the_table_of_names_is_kept_and_says_what_segments_say() {
    let repo = large();
    assert_eq!(names(&repo, &["part007*"]).len(), 10);
    let files = kept(&repo);
    assert_eq!(files.len(), 1, "{files:?}");
    let written = std::fs::metadata(&files[0]).unwrap().modified().unwrap();
    let many = repo.sverklo(&["symbol", "part*", "-n", "3"]).success();
    assert!(many.contains("shown 3 of 1000"), "{many}");
    assert!(
        many.contains("it matches 1200 names; the first 1000 of them were looked at"),
        "{many}"
    );
    repo.write("more.py", "def part9999():\n    return 0\n");
    assert_eq!(names(&repo, &["part9*"]).len(), 1);
    repo.commit("more");
    assert_eq!(names(&repo, &["part9*"]), ["part9999"]);
    let again = std::fs::metadata(&files[0]).unwrap().modified().unwrap();
    assert_eq!(
        (kept(&repo), again),
        (files.clone(), written),
        "what came since is small"
    );
    // A file that is damaged counts as absent.
    let mut bytes = std::fs::read(&files[0]).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::remove_file(&files[0]).unwrap();
    std::fs::write(&files[0], bytes).unwrap();
    assert_eq!(names(&repo, &["part9*"]), ["part9999"]);
}

#[test]
fn forgotten_names_are_in_no_table() {
    let repo = large();
    names(&repo, &["part007*"]);
    assert_eq!(kept(&repo).len(), 1);
    repo.sverklo(&["forget", "shop/cart.py"]).success();
    assert!(kept(&repo).is_empty());
    assert_eq!(names(&repo, &["add*"]), ["addItem", "AddButton"]);
    assert_eq!(names(&repo, &["part007*"]).len(), 10);
}
