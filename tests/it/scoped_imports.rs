//! What a function imports or gives a name to is meant in that function, and not in others of its file.

use super::harness::TestRepo;

/// Lines that use a definition, as `line kind`, of every file but that of the definition.
#[track_caller]
fn uses(repo: &TestRepo, id: &str) -> Vec<String> {
    let out = repo.sverklo(&["refs", id]).stdout;
    let lines = out.lines().filter(|line| line.starts_with("  "));
    let place = |line: &str| {
        let mut words = line.split_whitespace();
        format!("{} {}", words.next().unwrap(), words.next().unwrap())
    };
    lines.map(place).collect()
}

#[test]
fn two_functions_may_import_one_name_from_different_modules() {
    let repo = TestRepo::init();
    for (file, value) in [("a.py", 1), ("b.py", 2)] {
        repo.write(
            file,
            format!("def helper(x):\n    return x\n\n\ndef load():\n    return {value}\n"),
        );
    }
    repo.write(
        "main.py",
        "\
def load():
    return 0

def first():
    from a import helper
    return helper(1)

def second():
    from b import helper
    return helper(2)

def third():
    import a as m
    return m.load()

def fourth():
    import b as m
    return m.load()

def fifth():
    from a import load
    return load()

def sixth():
    return load()

class Box:
    def put(self):
        from b import load

        def inner():
            return load()
        return inner

def lazy():
    global late
    from a import helper as late

def seventh():
    return late(1)
",
    );
    repo.commit("python");
    assert_eq!(
        uses(&repo, "a.py::helper#function"),
        ["5 import", "6 call", "36 read", "37 import", "40 call"]
    );
    assert_eq!(
        uses(&repo, "b.py::helper#function"),
        ["9 import", "10 call"]
    );
    assert_eq!(
        uses(&repo, "a.py::load#function"),
        ["14 call", "21 import", "22 call"]
    );
    assert_eq!(
        uses(&repo, "b.py::load#function"),
        ["18 call", "29 import", "32 call"]
    );
    assert_eq!(uses(&repo, "main.py::load#function"), ["25 call"]);
    // An edit that makes an import the file's is followed by a server's graph, too.
    let text = std::fs::read_to_string(repo.dir().join("main.py")).unwrap();
    repo.write("main.py", format!("from b import helper as late\n\n{text}"));
    assert_eq!(
        uses(&repo, "a.py::helper#function"),
        ["7 import", "8 call", "38 read", "39 import"]
    );
}

#[test]
fn functions_of_other_languages_import_for_themselves_too() {
    let repo = TestRepo::init();
    for file in ["js/a.js", "js/b.js"] {
        repo.write(file, "exports.helper = function helper(x) { return x; };\n");
    }
    repo.write(
        "js/main.js",
        "\
function first() {
  const { helper } = require('./a');
  return helper(1);
}
function second() {
  const { helper } = require('./b');
  return helper(2);
}
function third() {
  const m = require('./b');
  return m.helper();
}
module.exports = { first, second, third };
",
    );
    repo.write("src/lib.rs", "mod a;\nmod b;\nmod c;\n");
    for file in ["src/a.rs", "src/b.rs"] {
        repo.write(file, "pub fn aid(x: u32) -> u32 {\n    x\n}\n");
    }
    repo.write(
        "src/c.rs",
        "\
pub fn first() -> u32 {
    use crate::a::aid;
    aid(1)
}

pub fn second() -> u32 {
    use crate::b::aid;
    aid(2)
}
",
    );
    repo.write(
        "Cargo.toml",
        "[package]\nname = \"c\"\nversion = \"0.1.0\"\n",
    );
    repo.commit("more");
    assert_eq!(
        uses(&repo, "js/a.js::helper#function"),
        ["2 write", "3 call"]
    );
    assert_eq!(
        uses(&repo, "js/b.js::helper#function"),
        ["6 write", "7 call", "11 call"]
    );
    assert_eq!(
        uses(&repo, "src/a.rs::aid#function"),
        ["2 import", "3 call"]
    );
    assert_eq!(
        uses(&repo, "src/b.rs::aid#function"),
        ["7 import", "8 call"]
    );
}

#[test]
fn a_name_of_the_object_that_is_given_something_else_means_that() {
    let repo = TestRepo::init();
    repo.write(
        "client.py",
        "\
class Client:
    def make(self):
        return self

    def send(self):
        return 1


class Session:
    client_class = Client

    def make(self):
        return 2

    def send(self):
        return 3

    def open(self):
        cls = self.client_class
        return cls().send()

    @classmethod
    def build(cls):
        return cls().make()

    def copy(self):
        self = self.make_copy()
        return self.make()

    def make_copy(self):
        cls = type(self)
        return cls().send()

    def choose(cls, other):
        if other:
            cls = Client
        return cls.make(cls)

    def away(self, other):
        self.send()
        self = Client()
        self.made = 1
        return self.make()
",
    );
    repo.commit("client");
    assert_eq!(uses(&repo, "client.py::Client.send#method"), ["20 call"]);
    assert_eq!(uses(&repo, "client.py::Client.make#method"), ["43 call"]);
    assert_eq!(
        uses(&repo, "client.py::Session.make#method"),
        ["24 call", "28 call", "37 call"]
    );
    assert_eq!(
        uses(&repo, "client.py::Session.send#method"),
        ["32 call", "40 call"]
    );
    let out = repo.sverklo(&["symbol", "client.py"]).success();
    assert!(!out.contains("made"), "{out}");
}
