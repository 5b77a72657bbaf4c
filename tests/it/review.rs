//! `review`: what of a change stops a pull request, for people and for the programs of code hosts.

use super::harness::{Output, TestRepo};
use serde_json::Value;

/// A package with a caller of what will change.
fn shop() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("shop/__init__.py", "")
        .write(
            "shop/prices.py",
            "def tax(amount):\n    return amount / 7\n",
        )
        .write(
            "shop/desk.py",
            "from shop.prices import tax\n\n\ndef pay(amount):\n    return amount + tax(amount)\n",
        );
    repo.commit("one");
    repo
}

/// Renames what the desk calls.
fn rename(repo: &TestRepo) {
    repo.write(
        "shop/prices.py",
        "def duty(amount):\n    return amount / 7\n",
    );
}

fn review(repo: &TestRepo, args: &[&str]) -> Output {
    repo.sverklo(&[&["review"], args].concat())
}

#[test]
fn a_person_is_told_and_nothing_is_refused() {
    let repo = shop();
    rename(&repo);
    let out = review(&repo, &[]).success();
    assert!(
        out.contains(
            "warning dangling shop/desk.py:5: still expects tax (shop/prices.py:1-2), \
             now shop/prices.py:1-2 function duty\n"
        ),
        "{out}"
    );
    assert!(
        out.ends_with(" | 2 dangling | passes; --fail-on dangling would refuse it\n"),
        "{out}"
    );
    // To refuse is for machines.
    for args in [["--fail-on", "dangling"], ["--format", "sarif"]] {
        let out = review(&repo, &args);
        assert_eq!(out.status, Some(2), "{out:?}");
        assert!(out.stderr.contains("--ci"), "{out:?}");
    }
}

#[test]
fn the_exit_status_is_the_verdict() {
    let repo = shop();
    let status = |args: &[&str]| review(&repo, args).status;
    let all = ["--ci", "--fail-on", "dangling", "--fail-on", "cycle"];
    // Nothing differs.
    assert_eq!(status(&[&all[..], &["HEAD"]].concat()), Some(0));
    rename(&repo);
    assert_eq!(status(&all), Some(1));
    assert_eq!(status(&["--ci"]), Some(0));
    assert_eq!(status(&["--ci", "--fail-on", "cycle"]), Some(0));
    let quiet = review(&repo, &["--ci", "-q", "--fail-on", "dangling"]);
    assert_eq!((quiet.status, &*quiet.stdout), (Some(1), ""), "{quiet:?}");
    assert_eq!(status(&["--ci", "--fail-on", "style"]), Some(2));
    assert_eq!(
        status(&["--ci", "--fail-on", "dangling", "nowhere"]),
        Some(2)
    );
    // Mended.
    repo.write(
        "shop/desk.py",
        "from shop.prices import duty\n\n\ndef pay(amount):\n    return amount + duty(amount)\n",
    );
    assert_eq!(status(&all), Some(0));
    // What closes a cycle is another rule.
    repo.write(
        "shop/prices.py",
        "from shop.desk import pay\n\n\ndef duty(amount):\n    return amount / 7\n",
    );
    assert_eq!(status(&["--ci", "--fail-on", "dangling"]), Some(0));
    let out = review(&repo, &all);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(
        out.stdout
            .contains("error cycle shop/prices.py:1: importing shop/desk.py closes a cycle"),
        "{out:?}"
    );
    assert!(out.stdout.ends_with("| refused for cycle\n"), "{out:?}");
}

#[test]
fn what_refuses_is_a_rule_or_a_risk() {
    let repo = shop();
    rename(&repo);
    // Nothing is known of the risk in a young repository.
    assert_eq!(review(&repo, &["--ci", "--fail-on", "0"]).status, Some(0));
    for word in ["2", "-1", "NaN", "everything"] {
        let out = review(&repo, &["--ci", &format!("--fail-on={word}")]);
        assert_eq!(out.status, Some(2), "{word}: {out:?}");
        assert!(
            out.stderr
                .contains("a risk from 0 to 1, or one of dangling"),
            "{out:?}"
        );
    }
}

#[test]
fn runners_are_given_commands_and_nothing_else() {
    let repo = shop();
    // A file whose name is a command.
    let odd = "shop/a\n::error file=x::%0A,b.py";
    repo.write(
        odd,
        "from shop.prices import tax\n\n\ndef f():\n    return tax(1)\n",
    );
    repo.commit("two");
    rename(&repo);
    let out = review(
        &repo,
        &["--ci", "--fail-on", "dangling", "--format", "github"],
    );
    assert_eq!(out.status, Some(1), "{out:?}");
    let lines: Vec<&str> = out.stdout.lines().collect();
    for line in &lines {
        let is_ours = ["::error ", "::warning ", "::notice "];
        assert!(
            is_ours.iter().any(|start| line.starts_with(start)),
            "{line}"
        );
        assert!(!line.starts_with("::error file=x::"), "{line}");
    }
    assert!(
        lines.iter().any(|line| line.starts_with(
            "::error file=shop/desk.py,line=5,endLine=5,title=dangling::still expects tax"
        )),
        "{out:?}"
    );
    assert!(
        out.stdout
            .contains("file=shop/a%0A%3A%3Aerror file=x%3A%3A%250A%2Cb.py,line=5"),
        "{out:?}"
    );
    assert!(
        lines.last().unwrap().contains("refused for dangling"),
        "{out:?}"
    );
}

#[test]
fn code_hosts_are_given_a_log() {
    let repo = shop();
    repo.write(
        "shop/caf\u{e9} 1.py",
        "from shop.prices import tax\n\ntax(1)\n",
    );
    repo.commit("two");
    rename(&repo);
    let args = ["--ci", "--fail-on", "dangling", "--format", "sarif"];
    let out = review(&repo, &args);
    assert_eq!(out.status, Some(1), "{out:?}");
    let log: Value = serde_json::from_str(&out.stdout).unwrap();
    let run = &log["runs"][0];
    let ids: Vec<&str> = (run["tool"]["driver"]["rules"].as_array().unwrap().iter())
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        ids,
        [
            "dangling",
            "misfit",
            "left-behind",
            "missing",
            "nowhere",
            "breaking",
            "cycle",
            "fan-in",
            "risk"
        ]
    );
    let found: Vec<String> = (run["results"].as_array().unwrap().iter())
        .map(|result| {
            let place = &result["locations"][0]["physicalLocation"];
            format!(
                "{} {} {}:{}",
                result["level"].as_str().unwrap(),
                result["ruleId"].as_str().unwrap(),
                place["artifactLocation"]["uri"].as_str().unwrap(),
                place["region"]["startLine"]
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            "error dangling shop/caf%C3%A9%201.py:1",
            "error dangling shop/caf%C3%A9%201.py:3",
            "error dangling shop/desk.py:1",
            "error dangling shop/desk.py:5",
        ]
    );
}

#[test]
fn programs_are_given_json() {
    let repo = shop();
    rename(&repo);
    let out = review(
        &repo,
        &["--ci", "--fail-on", "dangling", "--format", "json"],
    );
    assert_eq!(out.status, Some(1), "{out:?}");
    let answer: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(answer["passes"], false);
    assert_eq!(answer["refused_by"], serde_json::json!(["dangling"]));
    assert_eq!(answer["findings"][0]["path"], "shop/desk.py");
    assert_eq!(answer["findings"][0]["level"], "error");
}

#[test]
fn what_others_may_use_is_breaking() {
    let repo = TestRepo::init();
    repo.write(
        "package.json",
        "{\"name\": \"x\", \"version\": \"1.0.0\", \"main\": \"index.js\"}\n",
    )
    .write(
        "index.js",
        "export function open(path) {\n  return path;\n}\n",
    );
    repo.commit("one");
    repo.write(
        "index.js",
        "export function openFile(path) {\n  return path;\n}\n",
    );
    let out = review(&repo, &["--ci", "--fail-on", "breaking"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(
        out.stdout.contains(
            "error breaking index.js:1: function openFile: renamed; was index.js:1-3 function open"
        ),
        "{out:?}"
    );
}
