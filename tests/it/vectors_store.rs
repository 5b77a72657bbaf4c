//! Vectors in the index: they travel with their segments, are handed on when these are cut anew, and are
//! never worth more than the segments they are about.

use crate::git_oracle::open;
use crate::harness::TestRepo;
use crate::trust::{blob, rewrite};
use crate::wander::Wander;
use git_sverklo::git::Repo;
use git_sverklo::id::{ChunkId, CommitId};
use git_sverklo::segment::Segment;
use git_sverklo::store::vectors::{Blocks, Named, record};
use git_sverklo::store::{Sample, Snapshot, set_aside, union_with};
use git_sverklo::vector::block::Block;
use git_sverklo::vector::embed::embed;
use git_sverklo::vector::model::{Model, ModelId};
use git_sverklo::vector::static_model::embedded;
use std::collections::BTreeSet;

const INDEX: &str = "refs/sverklo/v1/index";
const TRACKED: &str = "refs/sverklo/remotes/origin/v1/index";

fn commit(repo: &TestRepo, n: usize) {
    for file in [n % 5, (n * 3 + 1) % 5] {
        let text = format!(
            "def verify_password{file}(user, password):\n    return hash(password) == {n}\n\n\n\
             def multiply{file}(matrix):\n    return matrix * matrix\n"
        );
        repo.write(format!("src/part{file}.py"), text);
    }
    repo.commit(&format!("step{n}"));
}

/// A repository that stores the vectors of the static model, with a remote that has its branch.
fn workshop(commits: usize) -> (TestRepo, TestRepo) {
    let hub = TestRepo::init_as(crate::harness::Kind {
        bare: true,
        ..Default::default()
    });
    let repo = TestRepo::init();
    repo.git(&["config", "sverklo.storeVectors", "true"]);
    repo.git(&["remote", "add", "origin", hub.dir().to_str().unwrap()]);
    for n in 0..commits {
        commit(&repo, n);
    }
    repo.git(&["push", "-q", "origin", "HEAD:main"]);
    hub.git(&["symbolic-ref", "HEAD", "refs/heads/main"]);
    (repo, hub)
}

fn clone(of: &TestRepo, name: &str) -> TestRepo {
    let dir = of.beside(name);
    let url = format!("file://{}", of.dir().display());
    of.git(&["clone", "-q", &url, dir.to_str().unwrap()]);
    of.at(dir)
}

fn hits(repo: &TestRepo, query: &str) -> serde_json::Value {
    let out = repo.sverklo(&["search", query, "--json"]).stdout;
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    answer["hits"].clone()
}

/// The names under `vec/` in a tip.
fn named(repo: &TestRepo, tip: &str) -> Vec<String> {
    let out = repo.git(&["ls-tree", "-r", "--name-only", tip, "vec/"]);
    out.lines().map(str::to_owned).collect()
}

fn segments(repo: &TestRepo) -> usize {
    Snapshot::open(&open(repo)).unwrap().segments().len()
}

/// How many blocks have to be made for the vectors of an index, because neither a file nor the tip has
/// them.
fn made(repo: &TestRepo) -> usize {
    let opened = open(repo);
    let snapshot = Snapshot::open(&opened).unwrap();
    let blocks = Blocks::of_model(&opened, embedded().model().clone());
    let is_nowhere = |open: &&git_sverklo::store::OpenSegment| {
        let id = Some(open.id());
        blocks.of(open.segment(), id, snapshot.vectors()).is_none()
    };
    snapshot.segments().iter().filter(is_nowhere).count()
}

/// Opens what a tip names.
fn block(
    repo: &Repo,
    named: &Named,
    model: &Model,
    open: &git_sverklo::store::OpenSegment,
) -> Option<Block> {
    let id = named.get(&model.id, open.id())?;
    let mut bytes = Vec::new();
    repo.objects().blob(id, &mut bytes).unwrap();
    Some(Block::open(bytes, model, open.segment()).unwrap())
}

/// Every block of the static model that an index names is the one that its segment calls for; returns how
/// many there are.
#[track_caller]
fn check(repo: &TestRepo) -> usize {
    let opened = open(repo);
    let snapshot = Snapshot::open(&opened).unwrap();
    let model = embedded().model();
    let mut count = 0;
    for open in snapshot.segments() {
        if let Some(found) = block(&opened, snapshot.vectors(), model, open) {
            let made = embed(embedded(), open.segment()).unwrap();
            assert_eq!(found.bytes(), made.bytes());
            count += 1;
        }
    }
    assert!(snapshot.warnings.is_empty(), "{:?}", snapshot.warnings);
    count
}

/// A model that takes long: what it makes of a chunk is a function of the bytes.
fn slow() -> Model {
    Model {
        id: ModelId::new("slow-2d").unwrap(),
        fingerprint: 42,
        dims: 2,
    }
}

fn answer(segment: &Segment, chunk: ChunkId) -> [i8; 2] {
    let content = segment.chunk(chunk).content_hash;
    [(content % 100) as i8 + 1, (content / 100 % 100) as i8]
}

/// Embeds what an index lacks with the slow model, as who has it does after `index`; returns the contents
/// that had to be embedded.
fn embed_slowly(repo: &TestRepo) -> Vec<u64> {
    let opened = open(repo);
    let mut snapshot = Snapshot::open(&opened).unwrap();
    let blocks = Blocks::of_model(&opened, slow());
    let mut out = Vec::new();
    let known = snapshot.clone();
    for open in blocks.lacking(&known) {
        let segment = open.segment();
        let mut draft = blocks.draft(segment, &known).unwrap();
        for chunk in draft.missing().to_vec() {
            out.push(segment.chunk(chunk).content_hash);
            draft.fill(chunk, &answer(segment, chunk));
        }
        let block = draft.finish(segment).unwrap();
        blocks.put(segment, open.id(), block).unwrap();
    }
    snapshot = record(&opened, &snapshot).unwrap();
    assert!(blocks.lacking(&snapshot).is_empty());
    out
}

/// The rows of the slow model that an index names say what the model says; returns how many chunks
/// have none.
#[track_caller]
fn check_slow(repo: &TestRepo) -> usize {
    let opened = open(repo);
    let snapshot = Snapshot::open(&opened).unwrap();
    let mut lacking = 0;
    for open in snapshot.segments() {
        let segment = open.segment();
        let found = block(&opened, snapshot.vectors(), &slow(), open);
        for chunk in (0..segment.chunk_count()).map(ChunkId) {
            let row = found
                .as_ref()
                .map_or(&[0, 0][..], |block| block.row(chunk.0));
            let row: Vec<i8> = row.iter().map(|b| b.cast_signed()).collect();
            if row == [0, 0] {
                lacking += 1;
            } else {
                assert_eq!(row, answer(segment, chunk));
            }
        }
    }
    lacking
}

#[test]
fn vectors_are_named_when_that_is_asked_for() {
    let (repo, hub) = workshop(3);
    let plain = clone(&hub, "plain");
    plain.sverklo(&["index"]).success();
    assert_eq!(named(&plain, INDEX), [""; 0], "made as fast as fetched");
    repo.sverklo(&["index"]).success();
    let segments = repo.git(&["ls-tree", "-r", "--name-only", INDEX, "seg/"]);
    let expected: Vec<String> = segments
        .lines()
        .map(|name| name.replace("seg/", "vec/static-v1/"))
        .collect();
    assert_eq!(named(&repo, INDEX), expected);
    assert_eq!(check(&repo), expected.len());
    // Nothing is written when there is nothing new.
    let before = repo.git(&["rev-parse", INDEX]);
    repo.sverklo(&["index"]).success();
    assert_eq!(repo.git(&["rev-parse", INDEX]), before);
    let sound = repo.sverklo(&["fsck", "--rederive", "100"]).success();
    assert!(!sound.contains("vectors"), "{sound}");
}

#[test]
fn whoever_fetches_need_not_make() {
    let (ann, hub) = workshop(6);
    ann.sverklo(&["index"]).success();
    ann.sverklo(&["push"]).success();
    let ben = clone(&hub, "ben");
    ben.sverklo(&["fetch"]).success();
    assert_eq!(check(&ben), segments(&ben));
    assert_eq!(made(&ben), 0);
    std::fs::remove_dir_all(ben.dir().join(".git/sverklo")).unwrap();
    assert_eq!(made(&ben), 0);
    let query = "authentication credentials";
    assert_eq!(hits(&ben, query), hits(&ann, query));
    let blind = clone(&hub, "blind");
    assert_eq!(hits(&blind, query), hits(&ann, query));
    assert!(made(&clone_indexed(&hub)) > 0);
    // Of the tip that is pushed each block has a parent, by which git knows it.
    let entries = ann.git(&["ls-tree", "-r", "--name-only", TRACKED]);
    let pieces = entries.lines().filter(|name| name.contains('/')).count();
    let parents = ann.git(&["rev-list", "--count", TRACKED]);
    assert_eq!(parents.trim(), (pieces + 1).to_string());
}

fn clone_indexed(hub: &TestRepo) -> TestRepo {
    let repo = clone(hub, "indexed");
    repo.sverklo(&["index"]).success();
    std::fs::remove_dir_all(repo.dir().join(".git/sverklo")).unwrap();
    repo
}

#[test]
fn a_push_sends_new_blocks_alone() {
    let (ann, hub) = workshop(6);
    ann.sverklo(&["index"]).success();
    ann.sverklo(&["push"]).success();
    let blobs = |repo: &TestRepo| -> BTreeSet<String> {
        let all = repo.git(&["cat-file", "--batch-all-objects", "--batch-check"]);
        all.lines().map(str::to_owned).collect()
    };
    let before = blobs(&hub);
    commit(&ann, 7);
    ann.git(&["push", "-q", "origin", "HEAD:main"]);
    ann.sverklo(&["index"]).success();
    ann.sverklo(&["push"]).success();
    let of_tip = |repo: &TestRepo| -> BTreeSet<String> {
        let all = repo.git(&["ls-tree", "-r", INDEX, "vec/"]);
        all.lines()
            .map(|line| line.split_whitespace().nth(2).unwrap().to_owned())
            .collect()
    };
    let there = of_tip(&hub);
    let is_old = |id: &&String| before.iter().any(|line| line.starts_with(&***id));
    assert_eq!(there.iter().filter(is_old).count(), there.len() - 1);
    let again = ann.sverklo(&["push", "--json"]).success();
    let again: serde_json::Value = serde_json::from_str(&again).unwrap();
    assert_eq!(again["current"], true);
}

#[test]
fn a_model_that_takes_long_is_asked_once() {
    let (ann, hub) = workshop(4);
    ann.git(&["config", "--unset", "sverklo.storeVectors"]);
    ann.sverklo(&["index"]).success();
    let mut asked: Vec<u64> = embed_slowly(&ann);
    assert!(!asked.is_empty());
    assert_eq!(check_slow(&ann), 0);
    assert!(
        named(&ann, INDEX)
            .iter()
            .all(|name| name.starts_with("vec/slow-2d/"))
    );
    for n in 5..18 {
        commit(&ann, n);
        ann.sverklo(&["index"]).success();
        asked.extend(embed_slowly(&ann));
        assert_eq!(check_slow(&ann), 0);
    }
    let segments = ann.git(&["ls-tree", "-r", "--name-only", INDEX, "seg/"]);
    assert!(segments.lines().count() < 10, "tiers are merged");
    ann.sverklo(&["gc"]).success();
    assert_eq!(check_slow(&ann), 0);
    assert_eq!(named(&ann, INDEX).len(), 1);
    std::fs::remove_dir_all(ann.dir().join(".git/sverklo")).unwrap();
    assert_eq!(embed_slowly(&ann), [0; 0]);
    let distinct: BTreeSet<u64> = asked.iter().copied().collect();
    assert_eq!(distinct.len(), asked.len(), "no content is embedded twice");
    // Others get them, and the static lane does not take them for its own.
    ann.git(&["push", "-q", "origin", "HEAD:main"]);
    ann.sverklo(&["push"]).success();
    let ben = clone(&hub, "ben");
    ben.sverklo(&["fetch"]).success();
    assert_eq!(check_slow(&ben), 0);
    assert_eq!(embed_slowly(&ben), [0; 0]);
    assert_eq!(made(&ben), 1);
    assert_eq!(hits(&ben, "credentials"), hits(&ann, "credentials"));
    // A collection keeps what was made and not yet named.
    commit(&ben, 20);
    ben.sverklo(&["index"]).success();
    let opened = open(&ben);
    let snapshot = Snapshot::open(&opened).unwrap();
    let blocks = Blocks::of_model(&opened, slow());
    for open in blocks.lacking(&snapshot) {
        let mut draft = blocks.draft(open.segment(), &snapshot).unwrap();
        for chunk in draft.missing().to_vec() {
            draft.fill(chunk, &answer(open.segment(), chunk));
        }
        let block = draft.finish(open.segment()).unwrap();
        blocks.put(open.segment(), open.id(), block).unwrap();
    }
    ben.sverklo(&["gc"]).success();
    assert_eq!(check_slow(&ben), 0);
}

#[test]
fn vectors_of_what_is_private_stay_private() {
    let (repo, hub) = workshop(3);
    repo.git(&["checkout", "-q", "-b", "secret"]);
    repo.write(
        "secret.py",
        "def zzembargo(password):\n    return password\n",
    );
    repo.commit("secret");
    repo.sverklo(&["index"]).success();
    let ours = check(&repo);
    assert!(ours > 0);
    embed_slowly(&repo);
    repo.sverklo(&["push"]).success();
    let opened = open(&hub);
    let snapshot = Snapshot::open(&opened).unwrap();
    for open in snapshot.segments() {
        let named = snapshot.vectors();
        assert!(block(&opened, named, embedded().model(), open).is_some());
    }
    assert_eq!(check(&hub), snapshot.segments().len());
    assert_eq!(check_slow(&hub), 0);
    // What was forgotten has no vectors either.
    repo.sverklo(&["forget", "secret.py"]).success();
    assert_eq!(check(&repo), segments(&repo));
    assert_eq!(check_slow(&repo), 0);
}

/// Replaces the vectors of an index by what `forge` makes of each, at the same names.
fn forge(repo: &TestRepo, forge: impl Fn(&mut Vec<u8>), rename: impl Fn(&str) -> String) {
    rewrite(repo, INDEX, |lines| {
        for line in lines.iter_mut() {
            let (head, name) = line.split_once('\t').unwrap();
            let id = head.rsplit(' ').next().unwrap();
            if name.starts_with("vec/") {
                let mut bytes = repo.git_bytes(&["cat-file", "blob", id]);
                forge(&mut bytes);
                let id = blob(repo, &bytes);
                *line = format!("100644 blob {id}\t{}", rename(name));
            }
        }
    });
}

/// Sets the checksum at the end of a block right.
fn seal(bytes: &mut [u8]) {
    let body = bytes.len() - 8;
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[..body]).to_le_bytes();
    bytes[body..].copy_from_slice(&checksum);
}

/// Turns every row round: whole, and of the right length.
fn lie(bytes: &mut [u8]) {
    let rows = u32::from_le_bytes(bytes[28..32].try_into().unwrap()) as usize;
    let dims = u32::from_le_bytes(bytes[24..28].try_into().unwrap()) as usize;
    for row in 0..rows {
        let start = 32 + 4 * rows + row * dims;
        bytes[start..start + dims].reverse();
    }
    seal(bytes);
}

#[test]
fn a_lie_that_fsck_found_does_not_come_back() {
    let (origin, _) = workshop(4);
    origin.sverklo(&["index"]).success();
    forge(&origin, |bytes| lie(bytes), str::to_owned);
    let lying = Snapshot::open(&open(&origin)).unwrap();
    let lying: BTreeSet<String> = lying
        .vectors()
        .iter()
        .map(|(_, _, block)| block.to_string())
        .collect();
    let repo = clone(&origin, "reader");
    repo.git(&["config", "sverklo.sample", "0"]);
    repo.sverklo(&["fetch"]).success();
    assert_eq!(named(&repo, INDEX).len(), lying.len(), "nobody looked");
    let found = repo.sverklo(&["fsck", "--rederive", "100"]);
    assert!(found.stdout.contains("static-v1 vectors"), "{found:?}");
    let aside = set_aside(&open(&repo));
    let aside: BTreeSet<String> = aside.iter().map(ToString::to_string).collect();
    assert_eq!(aside, lying);
    repo.sverklo(&["fetch"]).success();
    assert_eq!(named(&repo, INDEX), [""; 0]);
    // Others hear of it.
    let absorbs = repo.git(&["cat-file", "blob", &format!("{INDEX}:absorbs")]);
    assert!(lying.iter().all(|id| absorbs.contains(id)), "{absorbs}");
}

#[test]
fn a_block_that_lies_or_is_damaged_is_set_aside_and_made_anew() {
    let same = |name: &str| name.to_owned();
    type Damage = fn(&mut Vec<u8>);
    let damages: [(&str, Damage); 6] = [
        ("cut", |bytes| bytes.truncate(bytes.len() / 2)),
        ("empty", |bytes| bytes.clear()),
        ("flipped", |bytes| bytes[50] ^= 1),
        ("another model's", |bytes| {
            bytes[8] ^= 1;
            seal(bytes);
        }),
        ("another segment's", |bytes| {
            bytes[16] ^= 1;
            seal(bytes);
        }),
        ("lying", |bytes| lie(bytes)),
    ];
    for (name, damage) in damages {
        let (origin, _) = workshop(4);
        origin.sverklo(&["index"]).success();
        let query = "authentication credentials";
        let truth = hits(&origin, query);
        let honest = named(&origin, INDEX);
        forge(&origin, damage, same);
        let repo = clone(&origin, "reader");
        let said = repo.sverklo(&["fetch"]);
        assert!(said.stderr.contains("are set aside"), "{name}: {said:?}");
        assert_eq!(check(&repo), 0, "{name}");
        assert_eq!(hits(&repo, query), truth, "{name}");
        // Its own are named; what was set aside stays so.
        repo.git(&["config", "sverklo.storeVectors", "true"]);
        repo.sverklo(&["index"]).success();
        repo.sverklo(&["fetch"]);
        assert_eq!(check(&repo), segments(&repo), "{name}");
        assert_eq!(named(&repo, INDEX), honest, "{name}");
        // Whoever has it finds it, and mends it.
        let found = origin.sverklo(&["fsck", "--rederive", "100"]);
        assert!(
            found.stdout.contains("static-v1 vectors of segment"),
            "{name}: {found:?}"
        );
        origin.sverklo(&["fsck", "--rederive", "100"]).success();
        origin.sverklo(&["index"]).success();
        let damaged = check(&origin);
        assert_eq!(damaged, segments(&origin), "{name}");
    }
}

#[test]
fn what_is_not_of_this_index_is_left_out() {
    let renames: [fn(&str) -> String; 3] = [
        |name| format!("vec/static-v1/00/{}", "1".repeat(38)) + &name[..0],
        |name| name.replace("static-v1", "Static"),
        |name| name.replace("vec/static-v1/", "vec/static-v1/x"),
    ];
    for rename in renames {
        let (origin, _) = workshop(2);
        origin.sverklo(&["index"]).success();
        forge(&origin, |_| {}, rename);
        let repo = clone(&origin, "reader");
        repo.sverklo(&["fetch"]).success();
        assert_eq!(named(&repo, INDEX), [""; 0]);
        repo.sverklo(&["search", "password"]).success();
    }
    // A model that nobody here knows is handed on and not read.
    let (origin, _) = workshop(2);
    origin.sverklo(&["index"]).success();
    forge(&origin, |_| {}, |name| name.replace("static-v1", "unknown"));
    let repo = clone(&origin, "reader");
    repo.sverklo(&["fetch"]).success();
    assert_eq!(named(&repo, INDEX).len(), segments(&repo));
    assert_eq!(made(&repo), segments(&repo));
}

/// Whatever happens to indexes, their static blocks are those made anew, and of the slow model no row
/// is wrong.
#[test]
fn blocks_are_what_their_segments_call_for() {
    let (ann, hub) = workshop(3);
    let ben = clone(&hub, "ben");
    Wander {
        commit: &commit,
        question: "password",
        extra: &|repo| drop(embed_slowly(repo)),
    }
    .go(&ann, &ben, &mut || {
        for repo in [&ann, &ben, &hub] {
            check(repo);
            check_slow(repo);
        }
    });
    ann.sverklo(&["index"]).success();
    assert_eq!(check(&ann), segments(&ann));
    // Both orders of a union end in the same.
    ben.sverklo(&["index"]).success();
    embed_slowly(&ann);
    let dir = hub.dir().to_str().unwrap().to_owned();
    for (name, repo) in [("a", &ann), ("b", &ben)] {
        repo.git(&[
            "push",
            "-q",
            "--force",
            &dir,
            &format!("{INDEX}:refs/sverklo/test/{name}"),
        ]);
    }
    let mut tips = Vec::new();
    for order in [["a", "b"], ["b", "a"]] {
        let third = clone(&hub, order[0]);
        third.git(&[
            "fetch",
            "-q",
            "origin",
            "+refs/sverklo/test/*:refs/sverklo/test/*",
        ]);
        for name in order {
            let tip = third.git(&["rev-parse", &format!("refs/sverklo/test/{name}")]);
            let tip = CommitId::from_hex(tip.trim().as_bytes()).unwrap();
            union_with(&open(&third), tip, Sample::All).unwrap();
        }
        third.sverklo(&["gc"]).success();
        check(&third);
        check_slow(&third);
        tips.push(third.git(&["ls-tree", "-r", INDEX, "vec/"]));
    }
    assert_eq!(tips[0], tips[1]);
}
