//! Forgotten content is in no segment, no answer and no other clone.

use crate::harness::{Kind, TestRepo};
use crate::store::{ids, open};
use crate::trust::{TRACKING, commit_id};
use git_sverklo::query::engine::Engine;
use git_sverklo::query::request::{Detail, Revision, Scope, SymbolRequest};
use git_sverklo::store::{self, Quiet, Snapshot};

const INDEX: &str = "refs/sverklo/v1/index";
/// Occurs in the forgotten file and nowhere else.
const WORD: &str = "hunter2secret";

fn repository(kind: Kind) -> TestRepo {
    let repo = TestRepo::init_as(kind);
    repo.write("src/keys.py", format!("def {WORD}():\n    return 'one'\n"));
    repo.write("src/main.py", "def main():\n    return 1\n");
    repo.commit("one");
    repo.write("src/keys.py", format!("def {WORD}():\n    return 'two'\n"));
    repo.commit("two");
    repo.sverklo(&["index", "HEAD", "HEAD~"]).success();
    repo
}

/// Whether a word is recorded in any segment that an index names, and in its file.
fn is_recorded(repo: &TestRepo, word: &str) -> bool {
    let snapshot = Snapshot::open(&open(repo)).unwrap();
    assert!(snapshot.warnings.is_empty(), "{:?}", snapshot.warnings);
    let mut found = false;
    for open in snapshot.segments() {
        let mut names = open.segment().all_names();
        while let Some((_, name)) = names.advance() {
            found |= String::from_utf8_lossy(name).contains(word);
        }
        let mut terms = open.segment().all_terms();
        while let Some((_, term)) = terms.advance() {
            found |= String::from_utf8_lossy(term).contains(word);
        }
    }
    found
}

/// Whether a word stands in any file beside the object store.
fn is_kept(repo: &TestRepo, word: &str) -> bool {
    let folder = |name: &str| std::fs::read_dir(repo.kept().join(name));
    let files = ["seg", "view", "names", "sketch", "comments", "."]
        .into_iter()
        .flat_map(|name| folder(name).into_iter().flatten());
    files.flatten().any(|file| {
        std::fs::read(file.path()).is_ok_and(|bytes| {
            bytes
                .windows(word.len())
                .any(|part| part == word.as_bytes())
        })
    })
}

#[test]
fn a_forgotten_path_is_gone_from_answers_segments_and_files() {
    for kind in [
        Kind::default(),
        Kind {
            sha256: true,
            ..Kind::default()
        },
    ] {
        let repo = repository(kind);
        repo.sverklo(&["map"]).success();
        assert!(is_recorded(&repo, WORD) && is_kept(&repo, WORD));
        let before = repo.git(&["rev-parse", INDEX]);
        let out = repo
            .sverklo(&["forget", "src/keys.py", "--dry-run"])
            .success();
        assert!(
            out.contains("would forget 2 blobs: 2 documents in 1 segment"),
            "{out}"
        );
        assert_eq!(repo.git(&["rev-parse", INDEX]), before);

        let out = repo.sverklo(&["forget", "src/keys.py"]).success();
        assert!(
            out.contains("forgot 2 blobs: 2 documents in 1 segment"),
            "{out}"
        );
        for part in [
            "history of the code",
            "git gc --prune=now",
            "git sverklo push",
        ] {
            assert!(out.contains(part), "{out}");
        }
        assert!(!is_recorded(&repo, WORD) && !is_kept(&repo, WORD));
        let tip = repo.git(&["rev-parse", INDEX]);
        for args in [
            &["symbol", WORD][..],
            &["refs", WORD],
            &["search", WORD],
            &["symbol", WORD, "--at", "HEAD~"],
        ] {
            let out = repo.sverklo(args);
            assert!(!out.stdout.contains("return"), "{args:?}: {}", out.stdout);
            assert!(!out.stdout.contains("def "), "{args:?}: {}", out.stdout);
        }
        assert!(
            repo.sverklo(&["symbol", "main"])
                .success()
                .contains("main.py")
        );
        assert_eq!(
            repo.git(&["rev-parse", INDEX]),
            tip,
            "questions extract nothing"
        );
        let status = repo.sverklo(&["status"]).success();
        assert!(status.contains("1 forgotten"), "{status}");
        assert!(status.contains("covered: 1 of 1 file"), "{status}");
        let outline = repo.sverklo(&["symbol", "src/keys.py"]);
        assert!(!outline.stdout.contains(WORD), "{}", outline.stdout);
        repo.sverklo(&["index", "HEAD", "HEAD~"]).success();
        repo.sverklo(&["gc"]).success();
        assert!(!is_recorded(&repo, WORD));

        // The same content, uncommitted, under another name.
        repo.write("copy.py", format!("def {WORD}():\n    return 'one'\n"));
        let out = repo.sverklo(&["symbol", WORD]);
        assert!(!out.stdout.contains("copy.py"), "{}", out.stdout);
        assert!(!is_kept(&repo, WORD));

        let listed = repo.sverklo(&["forget", "--list"]).success();
        assert_eq!(listed.lines().count(), 2);
        let again = repo.sverklo(&["forget", "src/keys.py"]).success();
        assert!(again.contains("(2 already forgotten)"), "{again}");
        repo.git(&["fsck", "--strict"]);
    }
}

#[test]
fn a_stale_clone_cannot_bring_it_back() {
    let repo = repository(Kind::default());
    let stale = repo.at(repo.beside("stale"));
    let url = format!("file://{}", repo.dir().display());
    repo.git(&["clone", "-q", &url, stale.dir().to_str().unwrap()]);
    let spec = format!("{INDEX}:{INDEX}");
    stale.git(&["fetch", "-q", "origin", &spec]);
    // It has one segment more, merged from what it had.
    stale.write("src/more.py", "def more():\n    return 3\n");
    stale.commit("more");
    stale.sverklo(&["index"]).success();
    stale.sverklo(&["gc"]).success();
    assert!(is_recorded(&stale, WORD));

    repo.sverklo(&["forget", "src/keys.py"]).success();
    for (into, from) in [(&repo, &stale), (&stale, &repo), (&repo, &stale)] {
        let spec = format!("+{INDEX}:{TRACKING}");
        into.git(&["fetch", "-q", from.dir().to_str().unwrap(), &spec]);
        let fetched = commit_id(&into.git(&["rev-parse", TRACKING]));
        store::union(&open(into), fetched).unwrap();
        assert!(!is_recorded(into, WORD));
    }
    assert_eq!(
        repo.git(&["rev-parse", INDEX]),
        stale.git(&["rev-parse", INDEX])
    );
    assert!(
        stale
            .sverklo(&["symbol", "more"])
            .success()
            .contains("more.py")
    );
    let out = stale.sverklo(&["symbol", WORD]);
    assert!(!out.stdout.contains("def "), "{}", out.stdout);
    assert!(!is_recorded(&stale, WORD));
    // Once pruned, it is in no object but those of the code.
    for repo in [&repo, &stale] {
        repo.git(&["update-ref", "-d", TRACKING]);
        repo.git(&["gc", "-q", "--prune=now"]);
        let objects = repo.git(&["cat-file", "--batch-check", "--batch-all-objects"]);
        let holders = objects.lines().filter_map(|line| {
            let mut words = line.split(' ');
            let (id, kind) = (words.next()?, words.next()?);
            let has = kind == "blob"
                && String::from_utf8_lossy(&repo.git_bytes(&["cat-file", "blob", id]))
                    .contains(WORD);
            has.then(|| id.to_owned())
        });
        assert_eq!(holders.count(), 2, "the two blobs of the code");
    }
}

#[test]
fn a_blob_is_named_by_its_id_or_an_abbreviation() {
    let repo = repository(Kind::default());
    let id = repo.git(&["rev-parse", "HEAD:src/keys.py"]);
    repo.sverklo(&["forget", &id[..8], "--json"]).success();
    assert_eq!(
        repo.sverklo(&["forget", "--list"]).success(),
        format!("{id}\n")
    );
    assert!(
        is_recorded(&repo, WORD),
        "the older version has the word too"
    );
    // One that is not here yet.
    let unknown = "12".repeat(20);
    repo.sverklo(&["forget", &unknown]).success();
    assert!(
        repo.sverklo(&["forget", "--list"])
            .success()
            .contains(&unknown)
    );
    for nothing in ["no/such/path.py", "abcdef12", "../outside", ""] {
        let out = repo.sverklo(&["forget", nothing]);
        assert_eq!(out.status, Some(2), "{nothing}: {}", out.stdout);
        assert!(
            out.stderr.contains("is neither a blob nor a path"),
            "{}",
            out.stderr
        );
    }
    let commit = repo.git(&["rev-parse", "HEAD"]);
    assert_eq!(repo.sverklo(&["forget", &commit]).status, Some(2));
}

#[test]
fn nothing_is_recorded_of_what_was_forgotten_before_there_was_an_index() {
    let repo = TestRepo::init();
    repo.write("keys.py", format!("def {WORD}(): pass\n"));
    repo.write("main.py", "def main(): pass\n");
    repo.commit("one");
    let out = repo.sverklo(&["forget", "keys.py"]).success();
    assert!(
        out.contains("forgot 1 blob: 0 documents in 0 segments"),
        "{out}"
    );
    repo.sverklo(&["index"]).success();
    assert!(!is_recorded(&repo, WORD));
    let snapshot = Snapshot::open(&open(&repo)).unwrap();
    assert_eq!((snapshot.doc_count(), ids(&snapshot).len()), (1, 1));
    assert_eq!(repo.sverklo(&["symbol", "main"]).status, Some(0));
}

#[test]
fn who_is_asked_all_the_time_forgets_too() {
    let repo = repository(Kind::default());
    let engine = Engine::open(repo.dir()).unwrap();
    let asked = |at: Revision| {
        let request = SymbolRequest {
            target: WORD.to_owned(),
            detail: Detail::default(),
            scope: Scope::default(),
            at,
            offset: 0,
            limit: 9,
        };
        let cards = engine.ask(&request, &Quiet).unwrap().cards;
        cards
            .iter()
            .filter(|card| format!("{card:?}").contains(WORD))
            .count()
    };
    repo.write("again.py", format!("def {WORD}():\n    return 'two'\n"));
    let past = Revision::At("HEAD~".to_owned());
    assert_eq!((asked(Revision::WorkTree), asked(past.clone())), (2, 1));
    // What is uncommitted and equal to a forgotten blob is forgotten with it.
    repo.sverklo(&["forget", "src/keys.py"]).success();
    assert_eq!((asked(Revision::WorkTree), asked(past)), (0, 0));
    assert!(!is_kept(&repo, WORD));
}
