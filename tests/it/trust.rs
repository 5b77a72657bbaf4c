//! Fetched indexes that lie or are damaged, and honest ones, which are always believed.

use crate::harness::{Kind, TestRepo};
use crate::store::{check_covers, commit_change, documents, ensure, ids, open};
use git_sverklo::extract::record::{DocKey, DocRecord};
use git_sverklo::git::{Repo, tree};
use git_sverklo::id::{CommitId, PartId};
use git_sverklo::lang;
use git_sverklo::segment;
use git_sverklo::store::{self, Quiet, Sample, Snapshot, Warning};
use std::path::Path;

/// Where a fetched index is put by hand.
pub const TRACKING: &str = "refs/sverklo/remotes/origin/v1/index";
const INDEX: &str = "refs/sverklo/v1/index";

pub fn commit_id(hex: &str) -> CommitId {
    CommitId::from_hex(hex.as_bytes()).unwrap()
}

/// Writes bytes as a blob.
pub fn blob(repo: &TestRepo, bytes: &[u8]) -> String {
    let file = repo.beside("blob");
    std::fs::write(&file, bytes).unwrap();
    repo.git(&["hash-object", "-w", "--no-filters", file.to_str().unwrap()])
}

/// Puts an index in the place of another, with other files in its tree: those that `edit` leaves of the
/// lines of `ls-tree -r`.
pub fn rewrite(repo: &TestRepo, name: &str, edit: impl FnOnce(&mut Vec<String>)) {
    let listed = repo.git(&["ls-tree", "-r", name]);
    let mut lines = listed.lines().map(str::to_owned).collect();
    edit(&mut lines);
    let (list, index) = (repo.beside("list"), repo.beside("rewriting"));
    std::fs::write(&list, lines.join("\n") + "\n").unwrap();
    let _ = std::fs::remove_file(&index);
    let run = |args: &[&str]| {
        let mut command = repo.command("git");
        command.args(args).env("GIT_INDEX_FILE", &index);
        command.stdin(std::fs::File::open(&list).unwrap());
        let out = command.output().unwrap();
        assert!(out.status.success(), "{out:?}");
        String::from_utf8(out.stdout).unwrap()
    };
    run(&["update-index", "--index-info"]);
    let tree = run(&["write-tree"]);
    let tip = repo.git(&["commit-tree", "-m", "rewritten", tree.trim()]);
    repo.git(&["update-ref", name, &tip]);
}

/// Adds a line to the ledger of an index: to `absorbs` or `deny`.
pub fn rule_out(repo: &TestRepo, name: &str, list: &str, line: &str) {
    let blob = blob(repo, format!("{line}\n").as_bytes());
    rewrite(repo, name, |lines| {
        lines.push(format!("100644 blob {blob}\t{list}"));
    });
}

/// Puts an index of the segments with these bytes under a ref, as whoever wrote it would have.
pub fn plant(repo: &TestRepo, name: &str, segments: &[&[u8]]) -> CommitId {
    let blobs: Vec<String> = segments.iter().map(|bytes| blob(repo, bytes)).collect();
    let hash = repo.git(&["rev-parse", "--show-object-format"]);
    let (layout, segment) = (
        store::LAYOUT_VERSION,
        git_sverklo::segment::format::LAYOUT_VERSION,
    );
    let format = format!("sverklo index\nlayout {layout}\nsegment {segment}\nhash {hash}\n");
    let format = blob(repo, format.as_bytes());
    let index = repo.beside("planting");
    let _ = std::fs::remove_file(&index);
    let run = |args: &[&str]| {
        let out = repo
            .command("git")
            .args(args)
            .env("GIT_INDEX_FILE", &index)
            .output()
            .unwrap();
        assert!(out.status.success(), "{args:?}");
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    };
    let mut entries = vec![format!("100644,{format},format")];
    for blob in &blobs {
        entries.push(format!("100644,{blob},seg/{}/{}", &blob[..2], &blob[2..]));
    }
    for entry in &entries {
        run(&["update-index", "--add", "--cacheinfo", entry]);
    }
    let tree = run(&["write-tree"]);
    let commit = run(&["commit-tree", "-m", "planted", &tree]);
    run(&["update-ref", name, &commit]);
    commit_id(&commit)
}

/// What an honest index of the repository has, without leaving a trace of it.
pub fn honest(repo: &Repo, rev: &str) -> (Vec<(DocKey, DocRecord)>, Vec<Vec<u8>>) {
    let none = Snapshot::default();
    let (snapshot, _) =
        store::ensure_in_memory(repo, &none, &documents(repo, rev), 1, &Quiet).unwrap();
    let mut records = Vec::new();
    let mut bytes = Vec::new();
    for open in snapshot.segments() {
        let rows = open.segment().to_records().unwrap().into_iter();
        records.extend(rows.map(|(key, record)| (key.doc, record)));
        bytes.push(open.segment().bytes().to_vec());
    }
    (records, bytes)
}

/// A lie about one document, and what of it is found to differ.
type Lie = (&'static str, fn(&mut DocRecord));

/// What a liar may do to a record that has symbols.
pub const LIES: &[Lie] = &[
    ("symbols", |record| {
        let mut names = git_sverklo::extract::record::NameTable::default();
        for (at, name) in record.names.iter() {
            let is_first = record.symbols[0].name == at;
            names.push(if is_first { b"backdoor" } else { name });
        }
        record.names = names;
    }),
    ("symbols", |record| {
        record.symbols[0].start_line += 1;
        record.symbols[0].end_line += 1;
        record.symbols[0].name_line += 1;
    }),
    ("facts", |record| {
        *record = DocRecord::empty(record.lang, record.size);
    }),
];

/// Builds a segment in which one document with symbols is lied about.
pub fn lying(repo: &Repo, records: &[(DocKey, DocRecord)], lie: Lie) -> (DocKey, Vec<u8>) {
    let mut records = records.to_vec();
    let (key, record) = records
        .iter_mut()
        .find(|(_, record)| !record.symbols.is_empty())
        .expect("some document has symbols");
    lie.1(record);
    let key = *key;
    (key, segment::build(repo.hash(), records).unwrap())
}

fn repository(kind: Kind) -> TestRepo {
    let repo = TestRepo::init_as(kind);
    (0..9).for_each(|n| commit_change(&repo, n));
    repo
}

fn distrusted(snapshot: &Snapshot) -> Vec<(PartId, String)> {
    let mut out = Vec::new();
    for warning in &snapshot.warnings {
        match warning {
            Warning::Distrusted { part, reason, .. } => out.push((part.id, reason.clone())),
            other => panic!("{other}"),
        }
    }
    out
}

#[test]
fn a_lie_is_named_set_aside_and_replaced_by_the_truth() {
    for (n, lie) in LIES.iter().enumerate() {
        let repo = repository(Kind {
            sha256: n == 1,
            ..Kind::default()
        });
        let ours = open(&repo);
        let wanted = documents(&ours, "HEAD");
        let (records, truth) = honest(&ours, "HEAD");
        let (key, bytes) = lying(&ours, &records, *lie);
        let tip = plant(&repo, TRACKING, &[&bytes]);

        let merged = store::union_with(&ours, tip, Sample::All).unwrap();
        let found = distrusted(&merged);
        assert_eq!(found.len(), 1, "{found:?}");
        let want = format!(
            "document {} ({}): recorded {} differ from what the blob says",
            key.blob,
            key.grammar.label(),
            lie.0
        );
        assert_eq!(found[0].1, want);
        assert!(merged.is_empty(), "nothing of it is in the set");
        assert!(store::set_aside(&ours).contains(&found[0].0));
        let file = repo.kept().join("seg").join(found[0].0.to_string());
        assert!(
            !file.exists(),
            "it is not kept as a file that readers trust"
        );

        // The next time it is known, and not looked at again.
        let again = store::union_with(&ours, tip, Sample::All).unwrap();
        assert!(again.is_empty());
        assert_eq!(distrusted(&again)[0].1, "it was found to be wrong before");
        // The list is disposable.
        std::fs::remove_dir_all(repo.dir().join(".git/sverklo")).unwrap();
        let again = store::union_with(&ours, tip, Sample::All).unwrap();
        assert_eq!(distrusted(&again), found);

        let (after, report) = ensure(&ours, "HEAD");
        assert_eq!(report.extracted, wanted.len());
        assert_eq!(after.segments()[0].segment().bytes(), truth[0]);
    }
}

#[test]
fn our_own_document_is_preferred_to_a_foreign_one() {
    for lie in LIES {
        let repo = repository(Kind::default());
        let ours = open(&repo);
        let (own, _) = ensure(&ours, "HEAD");
        let (mut records, _) = honest(&ours, "HEAD");
        // Larger than ours, so that it would win if it were believed.
        let extra = honest(&ours, "HEAD~4").0;
        let more = extra
            .into_iter()
            .filter(|(key, _)| !records.iter().any(|(known, _)| known == key))
            .collect::<Vec<_>>();
        assert!(!more.is_empty());
        records.extend(more);
        let (_, bytes) = lying(&ours, &records, *lie);
        let tip = plant(&repo, TRACKING, &[&bytes]);
        // Even when nothing is sampled, what both have is compared.
        let merged = store::union_with(&ours, tip, Sample::Some(0)).unwrap();
        assert_eq!(distrusted(&merged).len(), 1);
        assert_eq!(ids(&merged), ids(&own));
        assert_eq!(
            repo.git(&["rev-parse", INDEX]),
            own.tip.unwrap().to_string()
        );
    }
}

#[test]
fn a_lie_of_our_own_gives_way_to_the_truth() {
    let repo = repository(Kind::default());
    let ours = open(&repo);
    let (records, truth) = honest(&ours, "HEAD");
    let (_, bytes) = lying(&ours, &records, LIES[0]);
    plant(&repo, INDEX, &[&bytes]);
    let tip = plant(&repo, TRACKING, &[&truth[0]]);
    let merged = store::union(&ours, tip).unwrap();
    assert!(
        matches!(merged.warnings[..], [Warning::Wrong { .. }]),
        "{:?}",
        merged.warnings
    );
    assert_eq!(merged.segments().len(), 1);
    assert_eq!(merged.segments()[0].segment().bytes(), truth[0]);
    assert!(
        store::set_aside(&ours).is_empty(),
        "the honest one is not blamed"
    );
}

#[test]
fn what_no_blob_here_can_settle_is_left_out_and_nobody_is_blamed() {
    let repo = repository(Kind::default());
    let ours = open(&repo);
    let (records, truth) = honest(&ours, "HEAD");
    let (_, bytes) = lying(&ours, &records, LIES[0]);
    let bare = TestRepo::init_as(Kind {
        bare: true,
        ..Kind::default()
    });
    let elsewhere = open(&bare);
    plant(&bare, INDEX, &[&truth[0]]);
    let own = Snapshot::open(&elsewhere).unwrap();
    let tip = plant(&bare, TRACKING, &[&bytes]);
    let merged = store::union(&elsewhere, tip).unwrap();
    assert!(
        matches!(merged.warnings[..], [Warning::Disputed { .. }]),
        "{:?}",
        merged.warnings
    );
    assert_eq!(ids(&merged), ids(&own));
    assert!(store::set_aside(&elsewhere).is_empty());
}

#[test]
fn damaged_segments_are_set_aside() {
    let repo = repository(Kind::default());
    let ours = open(&repo);
    let (_, truth) = honest(&ours, "HEAD");
    let truth = &truth[0];
    let mut bent = truth.clone();
    let at = bent.len() - 9;
    bent[at] ^= 0x40;
    // The number of documents is the first word of the first chunk.
    let mut vast = truth.clone();
    let docs = 32 + 11 * 16;
    vast[docs..docs + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let cut = &truth[..truth.len() / 2];
    for bytes in [&b""[..], b"no segment at all", cut, &bent, &vast] {
        let tip = plant(&repo, TRACKING, &[bytes]);
        let merged = store::union(&ours, tip).unwrap();
        let found = distrusted(&merged);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(merged.is_empty() && store::set_aside(&ours).contains(&found[0].0));
    }
    // A good one beside a bad one is taken.
    let tip = plant(&repo, TRACKING, &[&bent, truth]);
    let merged = store::union(&ours, tip).unwrap();
    check_covers(&merged, &documents(&ours, "HEAD"));
    let known = distrusted(&merged);
    assert_eq!(known[0].1, "it was found to be wrong before");
}

#[test]
fn honest_segments_are_never_set_aside() {
    let sha256 = Kind {
        sha256: true,
        ..Kind::default()
    };
    // Every language once; what ids are made of is the same for all of them.
    for (kind, corpus, least) in [
        (Kind::default(), "tests/corpus", 100),
        (sha256, "tests/corpus/python", 10),
    ] {
        let repo = TestRepo::init_as(kind);
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join(corpus);
        copy(&corpus, &repo, "corpus");
        repo.write("empty.rs", "")
            .write("deep.json", "[".repeat(5000));
        repo.write("nul.py", b"x = 1\0")
            .write("bad.ts", b"\xff\xfe(((");
        repo.write("long.js", "a".repeat(3 << 20));
        repo.commit("corpus");
        let ours = open(&repo);
        let entries = tree::list(
            &mut ours.objects(),
            ours.commit_tree(ours.resolve("HEAD").unwrap()).unwrap(),
        )
        .unwrap();
        // By name, and every blob under a grammar that is not its own too.
        let mut keys: Vec<DocKey> = Vec::new();
        for entry in &entries {
            for grammar in [
                lang::by_file_name(entry.path.file_name()),
                git_sverklo::extract::record::Grammar::Cpp,
            ] {
                keys.push(DocKey {
                    blob: entry.id,
                    grammar,
                });
            }
        }
        let (all, report) =
            store::ensure_in_memory(&ours, &Snapshot::default(), &keys, 2, &Quiet).unwrap();
        assert!(report.extracted > least, "{}", report.extracted);
        let parts: Vec<Vec<u8>> = all
            .segments()
            .iter()
            .map(|open| open.segment().bytes().to_vec())
            .collect();
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let tip = plant(&repo, TRACKING, &parts);
        // Sampled against the blobs, and then compared with our own, cut differently.
        let merged = store::union_with(&ours, tip, Sample::All).unwrap();
        assert!(merged.warnings.is_empty(), "{:?}", merged.warnings);
        assert_eq!(ids(&merged), ids(&all));
        repo.git(&["update-ref", "-d", INDEX]);
        for part in keys.chunks(keys.len() / 8 + 1) {
            let snapshot = Snapshot::open(&ours).unwrap();
            store::ensure(&ours, &snapshot, part, 1, &Quiet).unwrap();
        }
        let merged = store::union_with(&ours, tip, Sample::Some(3)).unwrap();
        assert!(merged.warnings.is_empty(), "{:?}", merged.warnings);
        assert_eq!(ids(&merged), ids(&all), "the canonical cut wins");
        assert!(store::set_aside(&ours).is_empty());
    }
}

fn copy(from: &Path, repo: &TestRepo, to: &str) {
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let name = format!("{to}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            copy(&entry.path(), repo, &name);
        } else {
            repo.write(&name, std::fs::read(entry.path()).unwrap());
        }
    }
}

#[test]
fn the_sample_is_configured() {
    let repo = repository(Kind::default());
    let sample = |value: &str| {
        repo.git(&["config", "sverklo.sample", value]);
        Sample::configured(&open(&repo))
    };
    assert_eq!(sample("all"), Sample::All);
    assert_eq!(sample("0"), Sample::Some(0));
    assert_eq!(sample("32"), Sample::Some(32));
    assert_eq!(sample("many"), Sample::default());
    let ours = {
        repo.git(&["config", "sverklo.sample", "0"]);
        open(&repo)
    };
    let (records, _) = honest(&ours, "HEAD");
    let (_, bytes) = lying(&ours, &records, LIES[0]);
    let tip = plant(&repo, TRACKING, &[&bytes]);
    assert!(
        !store::union(&ours, tip).unwrap().is_empty(),
        "0 looks at none"
    );
}

#[test]
fn a_push_takes_a_lie_away_from_the_remote() {
    let repo = repository(Kind::default());
    repo.git(&["init", "-q", "--bare", "../hub.git"]);
    repo.git(&["remote", "add", "origin", "../hub.git"]);
    let ours = open(&repo);
    let (records, _) = honest(&ours, "HEAD");
    let (_, bytes) = lying(&ours, &records, LIES[0]);
    let tip = plant(&repo, TRACKING, &[&bytes]);
    let lie = blob(&repo, &bytes);
    repo.git(&["push", "-q", "origin", "main", &format!("{tip}:{INDEX}")]);
    ensure(&ours, "HEAD");
    repo.git(&["config", "sverklo.sample", "all"]);
    let out = repo.sverklo(&["push", "--json"]);
    assert_eq!(out.status, Some(0), "{}", out.stderr);
    assert!(
        out.stdout.contains(&lie),
        "the lie is named: {}",
        out.stdout
    );
    let hub = repo.at("../hub.git");
    let there = hub.git(&["ls-tree", "-r", INDEX]);
    assert!(!there.contains(&format!("blob {lie}")), "{there}");
    let absorbed = hub.git(&["show", &format!("{INDEX}:absorbs")]);
    assert_eq!(absorbed, format!("{lie} 1 absorbed"));
    let again = repo.sverklo(&["push", "--json"]).success();
    assert!(again.contains("\"current\":true"), "{again}");
}

#[test]
fn what_a_remote_has_forgotten_is_said_where_it_hides_something() {
    let (hub, ann) = (TestRepo::init(), TestRepo::init());
    for repo in [&hub, &ann] {
        repo.write("a.py", "def a():\n    pass\n");
        repo.write("b.py", "def b():\n    pass\n");
        repo.commit("one");
        repo.sverklo(&["index"]).success();
    }
    let index = "refs/sverklo/v1/index";
    let hidden = hub.git(&["rev-parse", "HEAD:a.py"]);
    rule_out(&hub, index, "deny", &hidden);
    let from = hub.dir().to_str().unwrap();
    for command in ["fetch", "sync"] {
        let ann = ann.cloned(command);
        let out = ann.sverklo(&[command, from]);
        let said = "is in 1 file of HEAD";
        assert_eq!(out.status, Some(0), "{}", out.stderr);
        assert!(out.stderr.contains(said), "{command}: {}", out.stderr);
        assert!(ann.sverklo(&["symbol", "a"]).status == Some(1));
        let again = ann.sverklo(&[command, from]);
        assert!(!again.stderr.contains(said), "{}", again.stderr);
        let doctor = ann.sverklo(&["doctor"]).stdout;
        assert!(
            doctor.contains("nothing is recorded or found of 1 file at HEAD"),
            "{doctor}"
        );
        let status = ann.sverklo(&["status"]).success();
        assert!(
            status.contains("forgotten: nothing is recorded"),
            "{status}"
        );
        assert_eq!(ann.sverklo(&["forget", "--list"]).success().trim(), hidden);
    }
}
