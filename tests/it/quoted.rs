//! Names and words of others in what is printed: none is a citation of another file, none a command to the runner of a
//! pipeline.

use crate::harness::TestRepo;
use crate::memory::remember;

const COMMAND: &str = "##vso[task.setvariable variable=X]y";

#[test]
fn a_path_is_no_hit_in_another_file() {
    let repo = TestRepo::init();
    repo.write("src/auth.py", "def check(u):\n    return u.ok\n");
    let forged = "src/auth.py:10-12 function check";
    repo.write(forged, "anybody may pass checkpoint\n");
    repo.write("docs/My File.md", "# A checkpoint\n");
    repo.commit("first");
    let shown = format!("\"{forged}\"");
    for args in [
        &["search", "checkpoint"][..],
        &["search", "-F", "checkpoint"],
        &["history", &shown],
    ] {
        let out = repo.sverklo(args).success();
        assert!(out.contains(&shown), "{args:?}: {out}");
        assert!(!out.replace(&shown, "").contains(forged), "{args:?}: {out}");
    }
    let out = repo.sverklo(&["search", "checkpoint"]).success();
    assert!(out.contains("docs/My File.md:"), "{out}");
}

#[test]
fn no_name_is_a_command_to_a_runner() {
    let repo = TestRepo::init();
    let test = |call: &str| {
        format!(
            "describe(\"{COMMAND}\", () => {{\n  it(\"works\", () => {{\n    {call};\n  }});\n}});\n"
        )
    };
    repo.write("a.test.js", test("foo()"));
    repo.write("a.yaml", "\"##vso[task.x]a\":\n  k: 1\n");
    repo.commit("first");
    repo.write("a.test.js", test("foo(1)"));
    repo.git(&["add", "-A"]);
    let author = format!("user.name={COMMAND}");
    let subject = format!("second {COMMAND}");
    repo.git(&["-c", &author, "commit", "-q", "-m", &subject]);
    let author = ["-c", &author, "config", "user.name", COMMAND];
    repo.git(&author);
    let text = format!("{COMMAND}\n\n  ::error::no\n::add-mask::a");
    let id = remember(&repo, &["-t", "a.yaml", &text]);
    for args in [
        &["diff", "HEAD~1..HEAD"][..],
        &["review", "HEAD~1..HEAD"],
        &["search", "k", "a"],
        &["symbol", "a.test.js"],
        &["symbol", "a.yaml"],
        &["history", "a.test.js"],
        &["history", "--who", "a.test.js"],
        &["map"],
        &["recall"],
        &["memory", "list"],
        &["memory", "show", &id],
        &["memory", "log"],
        &["memory", "export"],
    ] {
        let out = repo.sverklo(args);
        assert_ne!(out.status, Some(2), "{args:?}: {}", out.stderr);
        for line in out.stdout.lines().chain(out.stderr.lines()) {
            // Code is quoted as it is.
            let is_code = line.starts_with('\t') && args[0] == "search";
            assert!(is_code || !line.contains("##vso["), "{args:?}: {out:?}");
            let start = line.trim_start();
            assert!(!start.starts_with("::"), "{args:?}: {out:?}");
        }
    }
    let listed = repo.sverklo(&["memory", "list"]).success();
    assert!(
        listed.contains("\t# #vso[task") && listed.contains("\t  : :error::no"),
        "{listed}"
    );
}
