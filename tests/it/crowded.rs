//! Files with thousands of definitions of one name, each of which as many uses may mean: what is asked of them takes as
//! long as they are large, and not the square of that.

use super::harness::TestRepo;
use serde_json::Value;

/// Definitions of one name. Where each was compared with each use, one answer took a minute.
const MANY: usize = 4000;

#[track_caller]
fn ask(repo: &TestRepo, args: &[&str]) -> Value {
    let out = repo.sverklo(&[args, &["--json"]].concat());
    serde_json::from_str(&out.stdout).unwrap_or_else(|err| panic!("{args:?}: {err}: {out:?}"))
}

#[test]
fn thousands_of_definitions_of_one_name_are_asked_about() {
    let repo = TestRepo::init();
    let mut source = String::new();
    for class in 0..MANY {
        source += &format!(
            "class C{class}:\n    def run(self, other):\n        return other.run(self)\n\n"
        );
    }
    repo.write("many.py", source);
    repo.write(
        "use.py",
        "from many import C0\n\ndef main(x):\n    return C0().run(x)\n",
    );
    repo.commit("many");
    let uses = ask(&repo, &["refs", "run", "-n", "10"]);
    assert_eq!(uses["total"], MANY + 1, "{uses}");
    // A use that may mean any of them is one use.
    let reached = ask(&repo, &["refs", "run", "--depth", "2", "-n", "10"]);
    assert_eq!(reached["total"], 1, "{reached}");
    assert_eq!(reached["reached"][0]["symbol"]["name"], "main", "{reached}");
    let unused = ask(&repo, &["audit", "unused"]);
    assert_eq!(unused["total"], 0, "{unused}");
    assert_eq!(unused["ambiguous"], MANY, "{unused}");
}
