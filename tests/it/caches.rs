//! What is kept beside the object store is believed when it is whole and this user's, and never else.

use crate::harness::{Kind, TestRepo};
use crate::store::{commit_change, documents, open};
use crate::trust::{LIES, honest, lying, plant};
use git_sverklo::query::Quiet;
use git_sverklo::query::cards::SymbolAnswer;
use git_sverklo::query::engine::Engine;
use git_sverklo::query::request::{
    AuditRequest, AuditView, Detail, Revision, Scope, SymbolRequest,
};
use git_sverklo::query::state::Stamp;
use git_sverklo::store::{self, Snapshot};
use std::path::{Path, PathBuf};

const INDEX: &str = "refs/sverklo/v1/index";

fn repository() -> TestRepo {
    let repo = TestRepo::init();
    (0..5).for_each(|n| commit_change(&repo, n));
    repo.sverklo(&["index", "HEAD"]).success();
    repo
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Changes bytes of a file in the middle; the checksums inside stay as they were.
fn bend(file: &Path) {
    let mut bytes = std::fs::read(file).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 4;
    // Not in place: somebody may have it mapped.
    std::fs::remove_file(file).unwrap();
    std::fs::write(file, bytes).unwrap();
}

/// Puts right the checksums of a segment, as they lie in its file: that of each chunk, and of the header.
fn right(bytes: &mut [u8]) {
    use git_sverklo::segment::format::{CHUNKS, HEADER_BYTES, TOC_ENTRY_BYTES};
    use xxhash_rust::xxh3::xxh3_64;
    let toc = HEADER_BYTES + CHUNKS * TOC_ENTRY_BYTES;
    let mut start = toc;
    for entry in (HEADER_BYTES..toc).step_by(TOC_ENTRY_BYTES) {
        let len = u32::from_le_bytes(bytes[entry + 4..entry + 8].try_into().unwrap());
        let end = start + len as usize;
        let sum = xxh3_64(&bytes[start..end]);
        bytes[entry + 8..entry + 16].copy_from_slice(&sum.to_le_bytes());
        start = end;
    }
    let head = [&bytes[..HEADER_BYTES - 8], &bytes[HEADER_BYTES..toc]].concat();
    bytes[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&xxh3_64(&head).to_le_bytes());
}

#[test]
fn damage_beside_the_object_store_is_never_written_into_it() {
    let repo = TestRepo::init();
    for n in 0..5 {
        commit_change(&repo, n);
        repo.sverklo(&["index", "HEAD"]).success();
    }
    let whole = repo.at(repo.beside("whole"));
    repo.git(&["clone", "-q", ".", whole.dir().to_str().unwrap()]);
    whole.git(&["fetch", "-q", "origin", &format!("+{INDEX}:{INDEX}")]);
    whole.sverklo(&["gc"]).success();
    let want = whole.git(&["rev-parse", INDEX]);
    let before = repo.git(&["rev-parse", INDEX]);
    assert_ne!(before, want, "there is something to compact");
    for with_right_checksums in [false, true] {
        repo.git(&["update-ref", INDEX, &before]);
        repo.sverklo(&["map"]).success();
        for file in files(&repo.kept().join("seg")) {
            bend(&file);
            if with_right_checksums {
                let mut bytes = std::fs::read(&file).unwrap();
                let end = bytes.len() - 40;
                right(&mut bytes[..end]);
                std::fs::write(&file, bytes).unwrap();
            }
        }
        let out = repo.sverklo(&["gc"]);
        assert_eq!(out.status, Some(0), "{}", out.stderr);
        assert!(
            out.stderr.contains("more were damaged; they were removed"),
            "{}",
            out.stderr
        );
        assert_eq!(repo.git(&["rev-parse", INDEX]), want);
        let out = repo.sverklo(&["fsck", "--rederive", "100"]);
        assert_eq!(out.status, Some(0), "{}", out.stdout);
    }
}

/// A process that has segments open for long, as a server has, merges those of a tier that is full.
#[test]
#[cfg(unix)]
fn what_is_open_is_looked_at_again_before_it_is_written_on() {
    use std::os::unix::fs::FileExt;
    let repo = TestRepo::init();
    for n in 0..7 {
        commit_change(&repo, n);
        repo.sverklo(&["index", "HEAD"]).success();
    }
    let ours = open(&repo);
    let snapshot = Snapshot::open(&ours).unwrap();
    let many = snapshot.segments().len();
    for open in snapshot.segments() {
        let file = repo.kept().join("seg").join(open.id().to_string());
        // In one of the checksums, which no reader of an open segment looks at, and in what it says.
        for at in [300, open.segment().bytes().len() - 10] {
            let byte = open.segment().bytes()[at] ^ 1;
            let changed = std::fs::File::options().write(true).open(&file).unwrap();
            changed.write_all_at(&[byte], at as u64).unwrap();
            assert_eq!(open.segment().bytes()[at], byte, "it is mapped");
        }
    }
    commit_change(&repo, 7);
    let wanted = documents(&ours, "HEAD");
    let (after, _) = store::ensure(&ours, &snapshot, &wanted, 1, &Quiet).unwrap();
    assert!(after.segments().len() < many, "they were merged");
    let checked = store::check(&ours, 100, &Quiet).unwrap();
    assert!(checked.findings.is_empty(), "{:?}", checked.findings);
}

#[test]
fn what_was_damaged_is_told_once() {
    let repo = repository();
    repo.sverklo(&["refs", "src/m1.py"]);
    let (seg, graph) = (repo.kept().join("seg"), repo.kept().join("graph"));
    for folder in [seg, graph] {
        let wanted = repo.sverklo(&["refs", "src/m1.py"]);
        bend(&files(&folder)[0]);
        let told = repo.sverklo(&["refs", "src/m1.py"]);
        assert_eq!(told.status, wanted.status);
        let said = [told.stdout, told.stderr].concat();
        assert_eq!(
            said.matches("was damaged; it was removed").count(),
            1,
            "{said}"
        );
        let again = repo.sverklo(&["refs", "src/m1.py"]);
        assert_eq!((again.stdout, again.stderr), (wanted.stdout, wanted.stderr));
    }
}

#[test]
fn an_index_that_cannot_be_read_is_told_by_who_makes_it_again() {
    for command in [&["map"][..], &["index"], &["search", "m1"]] {
        let repo = repository();
        let tip = repo.git(&["rev-parse", INDEX]);
        let tree = repo.git(&["rev-parse", &format!("{INDEX}^{{tree}}")]);
        let object = repo
            .dir()
            .join(".git/objects")
            .join(&tree[..2])
            .join(&tree[2..]);
        if !object.exists() {
            let pack = repo.git(&["rev-parse", "--git-path", "objects/pack"]);
            let pack = repo.dir().join(pack);
            let aside = repo.beside("packs");
            std::fs::rename(&pack, &aside).unwrap();
            for file in files(&aside)
                .iter()
                .filter(|file| file.extension().is_some_and(|e| e == "pack"))
            {
                let mut unpack = repo.command("git");
                unpack.args(["unpack-objects", "-q"]);
                unpack.stdin(std::fs::File::open(file).unwrap());
                assert!(unpack.status().unwrap().success());
            }
        }
        std::fs::remove_file(&object).unwrap();
        std::fs::write(&object, "damage").unwrap();
        let out = repo.sverklo(command);
        let said = [out.stdout, out.stderr].concat();
        assert!(
            said.contains(&tip[..7]) && said.contains("cannot be read"),
            "{command:?}: {said}"
        );
        let out = repo.sverklo(command);
        let said = [out.stdout, out.stderr].concat();
        assert!(!said.contains("cannot be read"), "{command:?}: {said}");
    }
}

#[test]
fn what_was_made_of_a_segment_that_lied_goes_with_it() {
    let repo = repository();
    let ours = open(&repo);
    let ask = |engine: &Engine| {
        let files = repo.git(&["ls-files"]);
        let outline = |path: &str| {
            let target = path.to_owned();
            let request = SymbolRequest {
                target,
                detail: Detail::default(),
                scope: Scope::default(),
                at: Revision::default(),
                offset: 0,
                limit: 10,
            };
            let answer = engine.ask(&request, &Quiet);
            answer.map(|answer| {
                format!(
                    "{:?}",
                    SymbolAnswer {
                        stamp: Stamp::default(),
                        ..answer
                    }
                )
            })
        };
        let outlines = files
            .lines()
            .map(|path| outline(path).unwrap_or_else(|err| err.to_string()));
        let audits = AuditView::ALL.map(|view| {
            let request = AuditRequest {
                view,
                offset: 0,
                limit: 20,
                scope: Scope::default(),
                at: Revision::default(),
            };
            let mut answer = engine.ask(&request, &Quiet).unwrap();
            answer.stamp = Stamp::default();
            format!("{answer:?}")
        });
        outlines.chain(audits).collect::<Vec<_>>()
    };
    let fresh = || Engine::open(repo.dir()).unwrap();
    let wanted = ask(&fresh());
    let (records, _) = honest(&ours, "HEAD");
    for (n, lie) in LIES.iter().enumerate() {
        let (_, bytes) = lying(&ours, &records, *lie);
        plant(&repo, INDEX, &[&bytes]);
        let lasting = fresh();
        // A word that the file does not have is noticed by the answer that would say it.
        let is_caught = n == 0;
        let before = store::set_aside(&ours).len();
        let shows = ask(&lasting) != wanted;
        assert_eq!(shows, !is_caught, "a lie about {} ({n}) shows", lie.0);
        let caught = store::set_aside(&ours).len() - before;
        assert_eq!(caught, usize::from(is_caught), "{n}");
        repo.sverklo(&["fsck", "--rederive", "100"]);
        assert_eq!(ask(&lasting), wanted, "in a server that was running");
        assert_eq!(ask(&fresh()), wanted, "in a new process");
    }
}

#[test]
fn without_a_home_nothing_is_kept_and_answers_are_the_same() {
    let repo = TestRepo::init_as(Kind::default());
    (0..3).for_each(|n| commit_change(&repo, n));
    let homeless = |args: &[&str]| {
        let mut command = repo.sverklo_command(args);
        command.env_remove("HOME").env_remove("LOCALAPPDATA");
        let out = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (out.status.code(), text(&out.stdout), text(&out.stderr))
    };
    let (status, said, told) = homeless(&["symbol", "src/m1.py"]);
    assert_eq!(status, Some(0), "{told}");
    let told = [said, told].concat();
    assert!(
        told.contains("no key to seal it with") && told.contains("no home folder"),
        "{told}"
    );
    let wanted = repo.sverklo(&["symbol", "src/m1.py"]).success();
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with("index "));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(lines(&homeless(&["symbol", "src/m1.py"]).1), lines(&wanted));
}

#[test]
fn the_words_of_paths_are_kept_and_made_again() {
    let repo = repository();
    let ask = || repo.sverklo(&["search", "--explain", "--json", "change"]);
    let before = ask();
    let before = before.success();
    let kept = files(&repo.kept().join("paths"));
    assert_eq!(kept.len(), 1, "{kept:?}");
    let whole = std::fs::read(&kept[0]).unwrap();
    assert_eq!(ask().success(), before);
    // Neither written again nor looked at when the paths are others.
    repo.write("another.py", "def change():\n    pass\n");
    ask().success();
    assert_eq!(files(&repo.kept().join("paths")), kept);
    std::fs::remove_file(repo.dir().join("another.py")).unwrap();
    bend(&kept[0]);
    let out = ask();
    assert_eq!(out.status, Some(0), "{}", out.stderr);
    assert_eq!(std::fs::read(&kept[0]).unwrap(), whole);
    assert_eq!(ask().success(), before);
}

/// Commits of a file, from which on what they are made of is kept, with a side that is merged in the middle.
fn long() -> TestRepo {
    let repo = TestRepo::init();
    let mut text = String::new();
    for n in 1..=320 {
        let body = format!(
            "def f(x):\n    return x + {}\n\n\ndef g():\n    return {n}\n",
            n / 40
        );
        let from = match n {
            1 => String::new(),
            160 => "from :150\nmerge :159\n".to_owned(),
            _ => format!("from :{}\n", n - 1),
        };
        text += &format!(
            "commit refs/heads/main\nmark :{n}\ncommitter n <a@b> {} +0000\ndata 2\nc\n{from}M 100644 inline a.py\ndata {}\n{body}\n",
            1_700_000_000 + n * 60,
            body.len()
        );
    }
    repo.fast_import(text);
    repo
}

#[test]
fn what_commits_are_made_of_is_kept_and_changes_no_answer() {
    let repo = long();
    let questions = [
        ["history", "f"],
        ["history", "g"],
        ["history", "a.py"],
        ["verify", "a.py:2@HEAD~100"],
    ];
    // The last line warns of a missing home.
    let told = |said: String| {
        let lines = said.lines().filter(|line| !line.starts_with("index "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let ask = || questions.map(|question| told(repo.sverklo(&question).stdout));
    let kept = || repo.kept().join("commits").join("1");
    // Without a home nothing is kept.
    let bare = questions.map(|question| {
        let out = repo.sverklo_command(&question).env_remove("HOME").output();
        told(String::from_utf8(out.unwrap().stdout).unwrap())
    });
    assert_eq!(ask(), bare);
    assert!(kept().exists());
    assert_eq!(ask(), bare);
    bend(&kept());
    let bent = std::fs::read(kept()).unwrap();
    assert_eq!(ask(), bare);
    assert_ne!(std::fs::read(kept()).unwrap(), bent, "made again");
    // A commit that is not here any more is not taken for one that is.
    let tip = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["update-ref", "-d", "HEAD"]);
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    let out = repo.sverklo(&["verify", &format!("a.py:1@{tip}")]);
    assert!(out.stdout.contains("no such commit"), "{out:?}");
}

#[test]
fn a_search_says_what_it_looked_at() {
    let repo = repository();
    let text = repo.sverklo(&["search", "--explain", "note"]);
    let text = text.success();
    assert!(text.contains("| looked at "), "{text}");
    assert!(text.contains(" chunks with a word, "), "{text}");
    assert!(
        !repo
            .sverklo(&["search", "note"])
            .success()
            .contains("looked at")
    );
    let json = repo.sverklo(&["search", "--explain", "--json", "note"]);
    let json: serde_json::Value = serde_json::from_str(&json.success()).unwrap();
    let cost = &json["cost"];
    assert!(cost["matching"].as_u64() > Some(0), "{json}");
    assert!(cost["scored"].as_u64() > Some(0), "{json}");
    assert!(cost["read"].as_u64() >= json["shown"].as_u64(), "{json}");
    let plain = repo.sverklo(&["search", "--json", "note"]);
    assert!(!plain.success().contains("\"cost\""));
}

/// Forty files that are all another in the last commit, and a file that loads the first of them since then.
fn many() -> TestRepo {
    let repo = TestRepo::init();
    for (commit, load) in [(1, ""), (2, ""), (3, "require('./lib/m0')\n")] {
        for n in 0..40 {
            let next = format!("require('./m{}')\n", n + 1);
            let text =
                format!("{next}// of {commit}\nexports.f{n} = (a) => a + {commit} /* {n} */\n");
            repo.write(format!("lib/m{n}.js"), text);
        }
        repo.write("lib/m40.js", "module.exports = 1\n");
        repo.write("main.js", format!("{load}let x = {commit}\n"));
        repo.commit(&format!("c{commit}"));
    }
    repo.sverklo(&["index", "HEAD"]).success();
    repo
}

/// The answers are the same without a home, with nothing kept, with what these kept, and with that damaged; it is gone
/// when something is forgotten.
fn kept_and_changing_no_answer(folder: &str, questions: &[&[&str]]) {
    let repo = many();
    let told = |said: String| {
        let lines = said.lines().filter(|line| !line.starts_with("index "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let ask = || -> Vec<_> {
        if folder != "ways" {
            // Who knows the answer looks at nothing.
            let _ = std::fs::remove_dir_all(repo.kept().join("ways"));
        }
        let all = questions.iter().map(|args| repo.sverklo(args));
        all.map(|out| {
            assert!(matches!(out.status, Some(0 | 1)), "{}", out.stderr);
            told(out.stdout)
        })
        .collect()
    };
    let bare = questions.iter().map(|question| {
        let out = repo.sverklo_command(question).env_remove("HOME").output();
        told(String::from_utf8(out.unwrap().stdout).unwrap())
    });
    let bare: Vec<_> = bare.collect();
    assert_eq!(ask(), bare);
    let kept = files(&repo.kept().join(folder));
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(ask(), bare);
    assert_eq!(files(&repo.kept().join(folder)), kept);
    bend(&kept[0]);
    let bent = std::fs::read(&kept[0]).unwrap();
    assert_eq!(ask(), bare);
    assert_eq!(files(&repo.kept().join(folder)), kept);
    assert_ne!(std::fs::read(&kept[0]).unwrap(), bent, "made again");
    repo.sverklo(&["forget", "lib/m7.js"]).success();
    assert!(files(&repo.kept().join(folder)).is_empty());
}

#[test]
fn what_sketches_extracted_is_kept_and_changes_no_answer() {
    let way: &[&str] = &["history", "--first", "main.js ->* lib/m40.js"];
    let back: &[&str] = &["history", "--first", "lib/m40.js ->* main.js"];
    kept_and_changing_no_answer("sketch", &[way, back]);
}

#[test]
fn what_was_found_of_ways_is_kept_and_changes_no_answer() {
    let way: &[&str] = &["history", "--first", "main.js ->* lib/m40.js"];
    kept_and_changing_no_answer("ways", &[way]);
}

#[test]
fn where_comments_are_is_kept_and_changes_no_answer() {
    let (diff, all): (&[&str], &[&str]) = (&["diff", "HEAD~..HEAD"], &["diff", "HEAD~2..HEAD"]);
    kept_and_changing_no_answer("comments", &[diff, all]);
}
