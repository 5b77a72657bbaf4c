//! Files that come and go decide what others mean that name neither them nor what they define.

use super::*;

type Files<'a> = &'a [(&'a str, &'a str)];

/// Looks whether the graph is that of the tree alone when files come, and when they go again.
fn assert_seen_both_ways(less: Files<'_>, more: Files<'_>) {
    let owned = |files: Files<'_>| -> Texts {
        let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
        let mut all: Texts = files.iter().map(owned).collect();
        all.sort();
        all
    };
    let (one, other) = (owned(less), owned(&[less, more].concat()));
    let said = CompilerFacts::default();
    let what = format!("{more:?}");
    for (before, after) in [(&one, &other), (&other, &one)] {
        let before = made(before);
        for at_hand in FROM {
            next(after, &before, &said, (at_hand, &what));
        }
    }
}

/// Fixtures are found by where their file lies, which may have them from another.
#[test]
fn files_of_fixtures_that_take_others_whole_are_seen() {
    let fixture = "import pytest\n@pytest.fixture\ndef db(): return 1\n";
    let files = [
        ("conftest.py", fixture),
        ("fix/__init__.py", ""),
        ("fix/more.py", fixture),
        ("sub/deep/test_a.py", "def test_x(db):\n    db.go()\n"),
    ];
    let all = "from fix.more import *\n";
    assert_seen_both_ways(&files, &[("sub/conftest.py", all)]);
    assert_seen_both_ways(&files, &[("sub/deep/conftest.py", all)]);
    assert_seen_both_ways(&files, &[("sub/conftest.py", "from fix.more import db\n")]);
}

/// What a part of a class means by a name may be what a class below it has.
#[test]
fn classes_below_one_in_parts_are_seen() {
    let parts = [
        ("a.rb", "class Base\nend\n"),
        ("b.rb", "class Base\n  def run\n    help\n  end\nend\n"),
        ("h.rb", "module Helps\n  def help; end\nend\n"),
        ("h2.rb", "module Other\n  def help; end\nend\n"),
    ];
    let heir = ("c.rb", "class C < Base\n  include Helps\nend\n");
    assert_seen_both_ways(&parts, &[heir]);
    assert_seen_both_ways(&parts[1..], &[heir]);
    assert_seen_both_ways(&parts[1..], &[heir, parts[0]]);
    let between = ("0.rb", "class C < Base\nend\n");
    let opened = ("d.rb", "class C\n  include Helps\nend\n");
    assert_seen_both_ways(&[&parts[..], &[between]].concat(), &[opened]);
}

/// What a path begins at is said by no import.
#[test]
fn roots_of_crates_are_seen() {
    let cargo = ("Cargo.toml", "[package]\nname = \"my-x\"\n");
    let files = [
        cargo,
        (
            "src/main.rs",
            "#[path = \"b/c.rs\"]\nmod b;\nfn foo() {}\nfn main() { my_x::far(); }\n",
        ),
        (
            "src/b/c.rs",
            "fn g() { crate::foo(); super::foo(); crate::far(); }\n",
        ),
        ("other/far.rs", "pub fn far() {}\npub fn foo() {}\n"),
    ];
    for library in ["pub fn other() {}\n", "", "pub use std::mem::*;\n"] {
        assert_seen_both_ways(&files, &[("src/lib.rs", library)]);
    }
    let renamed = [
        (
            "Cargo.toml",
            "[package]\nname = \"top\"\n[dependencies]\nshort = { package = \"my-x\", path = \"x\" }\n",
        ),
        ("src/main.rs", "fn main() { short::far(); }\n"),
        ("x/Cargo.toml", cargo.1),
        ("x/src/far.rs", "pub fn far() {}\n"),
    ];
    assert_seen_both_ways(&renamed, &[("x/src/lib.rs", "pub use std::mem::*;\n")]);
}
