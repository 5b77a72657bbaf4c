//! What history says of a change: what it leaves out, and how likely it is to be fixed soon after.

use super::harness::TestRepo;
use serde_json::Value;
use std::fmt::Write as _;

const DAY: u64 = 86_400;
const BEGIN: u64 = 1_600_000_000;

/// A commit to be made: its day, its subject, the files that it changes.
type Planned<'a> = (u64, &'a str, &'a [&'a str]);

/// Adds commits to `main`, each of which changes each of its files to something new, and checks it out.
fn grow(repo: &TestRepo, commits: &[Planned<'_>]) {
    let mut stream = String::new();
    let begun = repo.try_git(&["rev-parse", "main^0"]).status == Some(0);
    for (n, (day, subject, files)) in commits.iter().enumerate() {
        let date = BEGIN + day * DAY + n as u64;
        let who = format!("C <c@example.com> {date} +0000");
        write!(
            stream,
            "commit refs/heads/main\nauthor {who}\ncommitter {who}\ndata {}\n{subject}\n",
            subject.len()
        )
        .unwrap();
        if n == 0 && begun {
            stream.push_str("from refs/heads/main^0\n");
        }
        for path in *files {
            let text = format!("# {day} {n}\n");
            let length = text.len();
            write!(stream, "M 100644 inline {path}\ndata {length}\n{text}\n").unwrap();
        }
    }
    repo.fast_import(stream);
}

/// Thirty commits in which code has its test, a page its translation, and a model its migration.
fn shop() -> TestRepo {
    let repo = TestRepo::init();
    let migrations: Vec<String> = (0..6).map(|n| format!("db/migrations/{n}.sql")).collect();
    let stored: Vec<[&str; 2]> = migrations
        .iter()
        .map(|path| ["app/stock.py", path])
        .collect();
    let mut commits: Vec<Planned<'_>> = Vec::new();
    for (day, stored) in (0..).step_by(5).zip(&stored) {
        commits.push((
            day,
            "let the pool drain",
            &["app/pool.py", "tests/test_pool.py"],
        ));
        commits.push((
            day + 1,
            "say it in French too",
            &["locale/de.json", "locale/fr.json"],
        ));
        commits.push((day + 2, "count what is in stock", stored));
        commits.push((day + 3, "tidy up", &["app/desk.py"]));
        commits.push((day + 4, "tell about it", &["README.md"]));
    }
    grow(&repo, &commits);
    repo
}

fn ask(repo: &TestRepo, range: &str) -> Value {
    let out = repo.sverklo(&["diff", "--json", "--budget", "20000", range]);
    assert_eq!(out.status, Some(0), "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

/// Paths and relations of what was left out.
fn omitted(answer: &Value) -> Vec<(String, String)> {
    let all = answer["omissions"].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    all.map(|one| (text(&one["path"]), text(&one["relation"])))
        .collect()
}

fn pair(path: &str, relation: &str) -> (String, String) {
    (path.to_owned(), relation.to_owned())
}

#[test]
fn what_usually_changes_too_is_named_with_the_commits_that_say_so() {
    let repo = shop();
    repo.write("app/pool.py", "# drained\n");
    let answer = ask(&repo, "HEAD");
    assert_eq!(omitted(&answer), [pair("tests/test_pool.py", "test")]);
    let one = &answer["omissions"][0];
    assert_eq!((&one["together"], &one["of"]), (&6.into(), &6.into()));
    assert_eq!(one["because"], "app/pool.py");
    let cited = one["commits"].as_array().unwrap();
    assert_eq!(cited.len(), 3);
    for commit in cited {
        assert_eq!(commit["subject"], "let the pool drain");
        let touched = repo.git(&[
            "show",
            "--format=",
            "--name-only",
            commit["id"].as_str().unwrap(),
        ]);
        assert_eq!(touched, "app/pool.py\ntests/test_pool.py");
    }
    let out = repo.sverklo(&["diff", "HEAD"]);
    let line = "not changed: tests/test_pool.py | test | 6 of 6 commits to app/pool.py | ";
    assert!(out.stdout.contains(line), "{out:?}");
    assert!(out.stdout.contains(" let the pool drain\n"), "{out:?}");

    repo.write("tests/test_pool.py", "# drained\n");
    assert_eq!(omitted(&ask(&repo, "HEAD")), []);
}

#[test]
fn translations_and_migrations_are_named_for_what_they_are() {
    let repo = shop();
    repo.write("locale/fr.json", "{}\n");
    assert_eq!(
        omitted(&ask(&repo, "HEAD")),
        [pair("locale/de.json", "translation")]
    );
    repo.git(&["checkout", "-q", "."]);
    repo.write("app/stock.py", "# counted\n");
    assert_eq!(
        omitted(&ask(&repo, "HEAD")),
        [pair("db/migrations/", "migration")]
    );
    repo.write("db/migrations/7.sql", "-- counted\n");
    assert_eq!(omitted(&ask(&repo, "HEAD")), []);
    repo.git(&["clean", "-qfd"]);
    repo.git(&["checkout", "-q", "."]);
    // What changes alone is missed by nobody.
    repo.write("app/desk.py", "# tidy\n");
    assert_eq!(omitted(&ask(&repo, "HEAD")), []);
}

#[test]
fn the_other_implementation_is_named_for_what_it_is() {
    let repo = TestRepo::init();
    repo.write(
        "base.py",
        "class Store:\n    def get(self):\n        return 1\n",
    );
    let class = |name: &str, n: usize| {
        format!(
            "from base import Store\n\n\nclass {name}(Store):\n    def get(self):\n        return {n}\n"
        )
    };
    for n in 0..5 {
        repo.write("disk.py", class("Disk", n))
            .write("memory.py", class("Memory", n));
        repo.commit("get what was put");
    }
    repo.write("disk.py", class("Disk", 7));
    let named = omitted(&ask(&repo, "HEAD"));
    assert_eq!(named, [pair("memory.py", "other implementation")]);
}

#[test]
fn commits_after_the_base_say_nothing() {
    let repo = shop();
    repo.write("app/desk.py", "# changed\n");
    let old = repo.commit("change the desk");
    let range = format!("{old}~1..{old}");
    let before = ask(&repo, &range);
    let both: &[&str] = &["app/desk.py", "app/till.py"];
    let later: Vec<Planned<'_>> = (40..60).map(|day| (day, "fix the till", both)).collect();
    grow(&repo, &later);
    repo.sverklo(&["index"]);
    let after = ask(&repo, &range);
    for part in ["omissions", "risk", "history"] {
        assert_eq!(before[part], after[part], "{part}");
    }
    repo.write("app/desk.py", "# changed again\n");
    assert_eq!(
        omitted(&ask(&repo, "HEAD")),
        [pair("app/till.py", "companion")]
    );
}

#[test]
fn a_secret_in_a_subject_is_masked_and_controls_are_shown() {
    let repo = TestRepo::init();
    let secret = format!("AKIA{}", "Z7QW3X5R6T2LKNHP");
    let subject = format!("use {secret} \u{1b}[31mnow");
    let both: &[&str] = &["a/one.py", "b/two.py"];
    let commits: Vec<Planned<'_>> = (0..6).map(|day| (day, &*subject, both)).collect();
    grow(&repo, &commits);
    repo.write("a/one.py", "# changed\n");
    let out = repo.sverklo(&["diff", "HEAD"]);
    assert!(out.stdout.contains("not changed: b/two.py"), "{out:?}");
    assert!(
        !out.stdout.contains(&secret) && !out.stdout.contains('\u{1b}'),
        "{out:?}"
    );
}

#[test]
fn the_risk_of_a_young_repository_is_unknown() {
    let repo = shop();
    repo.write("app/pool.py", "# drained\n");
    let unknown = ask(&repo, "HEAD")["risk"]["unknown"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(unknown.ends_with("200 are needed"), "{unknown}");
    let out = repo.sverklo(&["diff", "HEAD"]);
    assert!(out.stdout.contains("risk unknown: "), "{out:?}");
    // Without a commit there is no history at all.
    let unborn = TestRepo::init();
    unborn.write("a.py", "# new\n");
    let answer = ask(&unborn, "");
    assert!(answer["risk"]["unknown"].is_string(), "{answer}");
    assert_eq!(omitted(&answer), []);
}

#[test]
fn the_risk_is_a_sum_of_named_terms() {
    let repo = TestRepo::init();
    let calm: Vec<String> = (0..30).map(|n| format!("src/calm{n}.py")).collect();
    let calm: Vec<[&str; 1]> = calm.iter().map(|path| [path.as_str()]).collect();
    let mut commits: Vec<Planned<'_>> = Vec::new();
    for round in 0..160 {
        let day = 4 * round as u64;
        commits.push((day, "extend", &["src/shaky.py"]));
        if round % 4 < 3 {
            commits.push((day + 1, "fix a crash", &["src/shaky.py"]));
        }
        commits.push((day + 2, "extend", &calm[round % 30]));
    }
    grow(&repo, &commits);
    let risk = |path: &str| -> Value {
        repo.write(path, "# changed\n");
        let risk = ask(&repo, "HEAD")["risk"].clone();
        repo.git(&["checkout", "-q", "."]);
        let terms = risk["terms"].as_array().unwrap().iter();
        let sum: f64 = terms.map(|term| term["adds"].as_f64().unwrap()).sum();
        assert!(
            (sum - risk["score"].as_f64().unwrap()).abs() < 0.002,
            "{risk}"
        );
        risk
    };
    let (shaky, calm) = (risk("src/shaky.py"), risk("src/calm3.py"));
    assert!(
        shaky["score"].as_f64() > calm["score"].as_f64(),
        "{shaky} {calm}"
    );
    assert_eq!(shaky["terms"][0]["term"], "usual");
    let names = |risk: &Value| risk["terms"].to_string();
    assert!(names(&shaky).contains("churn"), "{shaky}");
    // Nothing tests it, and nobody of this history made it.
    assert!(names(&calm).contains("untested"), "{calm}");
    let calibration = &shaky["calibration"];
    assert!(calibration["auc"].as_f64() > Some(0.8), "{calibration}");
    assert!(calibration["brier"].as_f64() < calibration["brier_of_usual"].as_f64());
    assert!(calibration["held_out"].as_u64() < calibration["commits"].as_u64());
    // Whoever reviews may refuse what is above a limit.
    repo.write("src/shaky.py", "# changed\n");
    let review = |limit: &str| repo.sverklo(&["review", "HEAD", "--ci", "--fail-on", limit]);
    let out = review("0.01");
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(out.stdout.contains("| refused for a risk of "), "{out:?}");
    assert_eq!(review("1").status, Some(0));
}

#[test]
fn a_shallow_clone_says_that_history_ends() {
    let repo = shop();
    let shallow = repo.beside("shallow");
    let url = format!("file://{}", repo.dir().display());
    repo.git(&["clone", "-q", "--depth=3", &url, shallow.to_str().unwrap()]);
    let shallow = repo.at(&shallow);
    shallow.write("app/pool.py", "# drained\n");
    let answer = ask(&shallow, "HEAD");
    assert!(
        answer["history"]
            .as_str()
            .unwrap()
            .contains("shallow clone"),
        "{answer}"
    );
    assert_eq!(omitted(&answer), []);
    let out = shallow.sverklo(&["diff", "HEAD"]);
    assert!(out.stdout.contains("(shallow clone)"), "{out:?}");
    assert!(ask_whole(&repo)["history"].is_null());
}

fn ask_whole(repo: &TestRepo) -> Value {
    repo.write("app/pool.py", "# drained\n");
    ask(repo, "HEAD")
}
