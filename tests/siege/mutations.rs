//! Damage, and what was made to look whole: every file that is kept beside the object store, and segments
//! under the ref. Answers stay what they were, or say that something was wrong.

use crate::harness::TestRepo;
use crate::random::{Random, scale, seed};
use git_sverklo::cache::Kept;
use git_sverklo::git::Repo;
use git_sverklo::query::Quiet;
use git_sverklo::query::engine::Engine;
use git_sverklo::query::map::MapAnswer;
use git_sverklo::query::recall::RecallRequest;
use git_sverklo::query::request::{
    AuditRequest, AuditView, Detail, MapRequest, MapView, Mode, RefsRequest, Revision, Scope,
    SearchRequest, SymbolRequest,
};
use git_sverklo::query::state::IndexState;
use git_sverklo::segment::Segment;
use git_sverklo::store::{self, Snapshot};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

const INDEX: &str = "refs/sverklo/v1/index";
/// Mutations of files, and of segments under the ref, in the short siege.
const FILES: usize = 400;
const SEGMENTS: usize = 12;
/// One in so many mutations of a file is followed by `gc` and a check of everything.
const THOROUGH: usize = 40;

/// A small repository with something of everything.
fn workshop() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "Cargo.toml",
        "[package]\nname = \"valve\"\nedition = \"2024\"\n",
    );
    repo.write("src/lib.rs", "pub mod pump;\nuse pump::Pump;\n/// Opens all valves.\npub fn open_all(pumps: &[Pump]) -> u32 {\n    pumps.iter().map(Pump::pressure).sum()\n}\n#[test]\nfn opens() {\n    assert_eq!(open_all(&[]), 0);\n}\n");
    repo.write("src/pump.rs", "pub struct Pump { level: u32 }\nimpl Pump {\n    pub fn pressure(&self) -> u32 { self.level * FACTOR }\n    fn drain(&mut self) { self.level = 0; }\n}\nconst FACTOR: u32 = 3;\n");
    repo.write("tools/gauge.py", "import json\n\nclass Gauge:\n    def __init__(self, path):\n        self.path = path\n\n    def read(self):\n        return json.loads(open(self.path).read())\n\ndef report(gauge):\n    return Gauge(gauge).read()\n");
    repo.write(
        "tools/test_gauge.py",
        "from gauge import Gauge, report\n\ndef test_report():\n    assert report('x')\n",
    );
    repo.write("web/panel.ts", "import { dial } from './dial';\nexport interface Panel { dials: number }\nexport function draw(panel: Panel): string { return dial(panel.dials); }\n");
    repo.write("web/dial.ts", "export const dial = (n: number): string => 'o'.repeat(n);\nexport function unused(): void { dial(1); }\n");
    repo.write("cmd/main.go", "package main\n\nimport \"fmt\"\n\ntype Valve struct{ Open bool }\n\nfunc (v *Valve) Turn() { v.Open = !v.Open }\n\nfunc main() { v := &Valve{}; v.Turn(); fmt.Println(v.Open) }\n");
    repo.write("README.md", "# Valves\n\nThe pump holds the pressure of the backflow gasket.\n\n## Gauges\n\nRead them with `report`.\n");
    repo.commit("a workshop of valves");
    repo.sverklo(&["index"]).success();
    for n in 0..9 {
        repo.write(format!("src/part{n}.rs"), format!("use crate::pump::Pump;\n/// Part {n} of the backflow gasket.\npub fn part{n}(pump: &Pump) -> u32 {{ pump.pressure() + {n} }}\n"));
        repo.commit(&format!("pump: add part {n} of the gasket"));
        if n % 3 == 0 {
            repo.sverklo(&["index"]).success();
        }
    }
    repo.write(
        "lcov.info",
        "SF:src/pump.rs\nDA:3,4\nDA:4,0\nend_of_record\n",
    );
    repo.sverklo(&["trace", "import", "lcov.info"]).success();
    repo.remove("lcov.info");
    for text in ["gauges are read once a day", "the pump never drains itself"] {
        repo.sverklo(&["remember", text, "-t", "src/pump.rs"])
            .success();
    }
    repo.sverklo(&["index"]).success();
    repo.sverklo(&["gc"]).success();
    repo
}

/// Answers by question, and what they warn of.
#[derive(PartialEq, Debug)]
struct Told {
    answers: Vec<String>,
    warnings: Vec<String>,
}

impl Told {
    /// The first answer that is not what it was, and what it was.
    fn differs<'a>(&'a self, wanted: &'a Self) -> Option<(&'a String, &'a String)> {
        assert_eq!(self.answers.len(), wanted.answers.len());
        let mut pairs = self.answers.iter().zip(&wanted.answers);
        pairs.find(|(found, wanted)| found != wanted)
    }
}

/// Asks everything of a repository that is opened anew, as each command does.
fn ask(dir: &Path) -> Told {
    let engine = Engine::open(dir).expect("a repository");
    let mut told = Told {
        answers: Vec::new(),
        warnings: Vec::new(),
    };
    macro_rules! note {
        ($answer:expr) => {
            match $answer {
                Ok(mut answer) => {
                    told.warnings.append(&mut answer.stamp.warnings);
                    told.answers.push(format!("{answer:?}"));
                }
                Err(err) => told.answers.push(format!("error: {err}")),
            }
        };
    }
    for target in ["Pump", "report", "src/lib.rs"] {
        let target = target.to_owned();
        note!(engine.ask(
            &SymbolRequest {
                target,
                detail: Detail::default(),
                scope: Scope::default(),
                at: Revision::default(),
                offset: 0,
                limit: 10,
            },
            &Quiet
        ));
    }
    for target in ["Pump.pressure", "dial", "web/dial.ts"] {
        let target = target.to_owned();
        note!(engine.ask(
            &RefsRequest {
                target,
                offset: 0,
                limit: 50,
                ..RefsRequest::default()
            },
            &Quiet
        ));
    }
    for (query, mode) in [
        ("backflow gasket pressure", Mode::Ranked),
        ("read a file of measurements", Mode::Ranked),
        ("pump.pressure()", Mode::Text),
    ] {
        let query = query.to_owned();
        note!(engine.ask(
            &SearchRequest {
                query,
                mode,
                offset: 0,
                limit: 10,
                ..SearchRequest::default()
            },
            &Quiet
        ));
    }
    let map = engine.ask(
        &MapRequest {
            view: MapView::default(),
            depth: 2,
            task: None,
            scope: Scope::default(),
            at: Revision::default(),
        },
        &Quiet,
    );
    // Which segments there are is no part of the answer.
    let index = IndexState::default();
    note!(map.map(|map| MapAnswer { index, ..map }));
    for view in AuditView::ALL {
        note!(engine.ask(
            &AuditRequest {
                view,
                offset: 0,
                limit: 20,
                scope: Scope::default(),
                at: Revision::default(),
            },
            &Quiet
        ));
    }
    let earlier = Revision::At("HEAD~4".to_owned());
    note!(engine.ask(
        &SearchRequest {
            query: "part gasket".to_owned(),
            at: earlier,
            offset: 0,
            limit: 5,
            ..SearchRequest::default()
        },
        &Quiet
    ));
    let request = RecallRequest {
        offset: 0,
        limit: 10,
        ..RecallRequest::default()
    };
    match engine.ask(&request, &Quiet) {
        Ok(mut answer) => {
            told.warnings.append(&mut answer.warnings);
            told.answers.push(format!("{answer:?}"));
        }
        Err(err) => told.answers.push(format!("error: {err}")),
    }
    told
}

/// Every file below a folder, with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut out = BTreeMap::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => todo.push(path),
                path => drop(out.insert(path.clone(), std::fs::read(path).unwrap_or_default())),
            }
        }
    }
    out
}

/// Makes the files what they were.
fn restore(folder: &Path, pristine: &BTreeMap<PathBuf, Vec<u8>>) {
    for (path, bytes) in files(folder) {
        if pristine.get(&path) != Some(&bytes) {
            let _ = std::fs::remove_file(&path);
        }
    }
    for (path, bytes) in pristine {
        if !path.exists() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("mkdir");
            std::fs::write(path, bytes).expect("the file is put back");
        }
    }
}

/// Bytes of another kind of file than what was kept, in the ways that disks, archives and people have.
fn mutate(random: &mut Random, bytes: &[u8], others: &[&Vec<u8>]) -> (&'static str, Vec<u8>) {
    let mut out = bytes.to_vec();
    let len = out.len().max(1);
    let at = random.below(len);
    let run = 1 + random.below(4096);
    let end = (at + run).min(out.len());
    let what = match random.below(9) {
        0 | 1 => {
            if let Some(byte) = out.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
            "a bit"
        }
        2 => {
            out[at.min(end)..end].fill(0);
            "zeros"
        }
        3 => {
            out.truncate(at);
            "cut short"
        }
        4 => {
            let to = random.below(len);
            let block = out[at.min(end)..end].to_vec();
            let stop = (to + block.len()).min(out.len());
            out[to.min(stop)..stop].copy_from_slice(&block[..stop - to.min(stop)]);
            "a block over another"
        }
        5 => {
            let block = out[at.min(end)..end].to_vec();
            out.splice(at..at, block);
            "a block twice"
        }
        6 => ("another file", out = (*random.pick(others)).clone()).0,
        7 => {
            out.extend_from_slice(b"more");
            "longer"
        }
        _ => {
            for _ in 0..=random.below(6) {
                let at = random.below(len);
                if let Some(byte) = out.get_mut(at) {
                    *byte = random.next() as u8;
                }
            }
            "bytes"
        }
    };
    (what, out)
}

/// Bytes behind the body of a sealed file.
const TRAILER: usize = 40;

/// Puts right every checksum inside, and seals it as somebody else could.
fn reseal(name: &str, bytes: &mut [u8], random: &mut Random) {
    let Some(len) = bytes.len().checked_sub(TRAILER) else {
        return;
    };
    let (body, trailer) = bytes.split_at_mut(len);
    right(body);
    if random.below(2) == 0 {
        let key = [random.below(256) as u8; 32];
        let mut state = blake3::Hasher::new_keyed(&key);
        state.update(&(name.len() as u64).to_le_bytes());
        state.update(name.as_bytes());
        state.update(body);
        trailer[8..].copy_from_slice(state.finalize().as_bytes());
    }
}

/// Puts right the checksums of a segment, of a piece of the log and of a block of vectors.
fn right(body: &mut [u8]) {
    const HEADER: usize = 32;
    const ENTRY: usize = 16;
    if body.get(1..8) == Some(b"sverklo") {
        let chunks = usize::from(body.get(11).copied().unwrap_or(0));
        let toc = HEADER + chunks * ENTRY;
        if body.len() < toc {
            return;
        }
        let mut start = toc;
        for entry in (HEADER..toc).step_by(ENTRY) {
            let size = u32::from_le_bytes(body[entry + 4..entry + 8].try_into().expect("4"));
            let Some(part) = body.get(start..start.saturating_add(size as usize)) else {
                return;
            };
            let sum = xxh3_64(part);
            start += size as usize;
            body[entry + 8..entry + 16].copy_from_slice(&sum.to_le_bytes());
        }
        let head = [&body[..HEADER - 8], &body[HEADER..toc]].concat();
        body[HEADER - 8..HEADER].copy_from_slice(&xxh3_64(&head).to_le_bytes());
    } else if body.get(1..6) == Some(b"svlog") && body.len() > HEADER {
        let mut state = Xxh3::new();
        state.update(&body[..HEADER - 8]);
        state.update(&body[HEADER..]);
        body[HEADER - 8..HEADER].copy_from_slice(&state.digest().to_le_bytes());
    } else if body.starts_with(b"gsvvecs") && body.len() > 8 {
        let end = body.len() - 8;
        let sum = xxh3_64(&body[..end]);
        body[end..].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Runs it; what it panicked with is the error.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        text.unwrap_or_else(|| "a panic".to_owned())
    })
}

#[test]
fn a_damaged_or_forged_file_never_shows_in_an_answer() {
    let repo = workshop();
    let folder = repo.kept();
    let opened = Repo::discover(repo.dir()).expect("a repository");
    // Twice: the second time from what the first has kept.
    ask(repo.dir());
    let wanted = ask(repo.dir());
    assert_eq!(wanted.warnings, Vec::<String>::new());
    let errors = wanted
        .answers
        .iter()
        .filter(|answer| answer.starts_with("error"));
    assert_eq!(errors.collect::<Vec<_>>(), Vec::<&String>::new());
    let pristine = files(&folder);
    let kinds: std::collections::BTreeSet<_> = pristine
        .keys()
        .filter_map(|path| Some(path.strip_prefix(&folder).ok()?.iter().next()?.to_owned()))
        .collect();
    for kind in ["seg", "vec", "log", "graph", "view", "memory"] {
        assert!(
            kinds.iter().any(|found| found == kind),
            "{kind} is not in {kinds:?}"
        );
    }
    let tip = repo.git(&["rev-parse", INDEX]);
    let others: Vec<&Vec<u8>> = pristine.values().collect();
    let names: Vec<&PathBuf> = pristine.keys().collect();
    let mut random = Random(seed());
    let (mut told, mut unread, mut resealed) = (0, 0, 0);
    let count = FILES * scale();
    for round in 0..count {
        let path = *random.pick(&names);
        let name = path
            .strip_prefix(&folder)
            .expect("below")
            .to_string_lossy()
            .replace('\\', "/");
        let (what, mut bytes) = mutate(&mut random, &pristine[path], &others);
        if random.below(3) == 0 {
            resealed += 1;
            reseal(&name, &mut bytes, &mut random);
        }
        if bytes == pristine[path] {
            continue;
        }
        std::fs::remove_file(path).expect("a file of ours");
        std::fs::write(path, &bytes).expect("a file of ours");
        let found = caught(|| ask(repo.dir()));
        let found = found.unwrap_or_else(|panic| panic!("round {round}: {name}, {what}: {panic}"));
        assert_eq!(
            found.differs(&wanted),
            None,
            "round {round}: {name}, {what}"
        );
        match found.warnings.len() {
            0 => unread += 1,
            1 => told += 1,
            _ => panic!("round {round}: {name}, {what}: {:#?}", found.warnings),
        }
        if random.below(THOROUGH) == 0 {
            std::fs::write(path, &bytes).expect("a file of ours");
            let gc = caught(|| store::gc(&opened, &|_| true).expect("gc"));
            gc.unwrap_or_else(|panic| panic!("round {round}: {name}, {what}: gc: {panic}"));
            let checked = store::check(&opened, 1, &Quiet).expect("fsck");
            let findings = checked.findings.iter().map(ToString::to_string);
            assert_eq!(
                findings.collect::<Vec<_>>(),
                Vec::<String>::new(),
                "round {round}: {name}"
            );
            assert_eq!(
                repo.git(&["rev-parse", INDEX]),
                tip,
                "round {round}: {name}, {what}"
            );
        }
        restore(&folder, &pristine);
    }
    assert!(
        told > count / 4,
        "{told} of {count}: hardly any file was read"
    );
    println!(
        "mutations of files: {count}, {resealed} with checksums made right; {told} told, {unread} not read; 0 wrong, 0 panics"
    );
}

/// Files as an archive may bring them, of the layout of every version: they are not looked at.
#[test]
fn what_an_archive_brings_is_not_looked_at() {
    let repo = workshop();
    ask(repo.dir());
    let wanted = ask(repo.dir());
    let top = repo.dir().join(".git/sverklo");
    let own = files(&repo.kept());
    std::fs::remove_dir_all(repo.kept()).expect("ours");
    let mut random = Random(seed() ^ 7);
    for (path, bytes) in &own {
        let name = path.strip_prefix(repo.kept()).expect("below");
        for place in [
            top.join(name),
            top.join("0123456789abcdef").join(name),
            path.clone(),
        ] {
            std::fs::create_dir_all(place.parent().expect("a folder")).expect("mkdir");
            let mut bytes = bytes.clone();
            let at = random.below(bytes.len() - TRAILER);
            bytes[at] ^= 1;
            reseal(&name.to_string_lossy(), &mut bytes, &mut random);
            std::fs::write(place, bytes).expect("a file");
        }
    }
    let found = ask(repo.dir());
    assert_eq!(found.answers, wanted.answers);
}

/// Puts other bytes in the place of a segment of the index, under the id that they have.
fn plant(repo: &TestRepo, id: &str, bytes: &[u8]) {
    let file = repo.beside("planted");
    std::fs::write(&file, bytes).expect("a file");
    let blob = repo.git(&[
        "hash-object",
        "-w",
        "--no-filters",
        file.to_str().expect("UTF-8"),
    ]);
    let (list, index) = (repo.beside("list"), repo.beside("planting"));
    let _ = std::fs::remove_file(&index);
    let lines = repo.git(&["ls-tree", "-r", INDEX]).replace(id, &blob);
    let lines = lines.replace(
        &format!("seg/{}/{}", &id[..2], &id[2..]),
        &format!("seg/{}/{}", &blob[..2], &blob[2..]),
    );
    std::fs::write(&list, lines + "\n").expect("a list");
    let run = |args: &[&str]| {
        let mut command = repo.command("git");
        command.args(args).env("GIT_INDEX_FILE", &index);
        command.stdin(std::fs::File::open(&list).expect("a list"));
        let out = command.output().expect("git is installed");
        assert!(out.status.success(), "{out:?}");
        String::from_utf8_lossy(&out.stdout).trim().to_owned()
    };
    run(&["update-index", "--index-info"]);
    let tree = run(&["write-tree"]);
    let tip = repo.git(&["commit-tree", "-m", "planted", &tree]);
    repo.git(&["update-ref", INDEX, &tip]);
}

#[test]
fn a_segment_that_lies_is_mended_with_all_that_was_made_of_it() {
    let repo = workshop();
    let wanted = ask(repo.dir());
    let opened = Repo::discover(repo.dir()).expect("a repository");
    let honest = repo.git(&["rev-parse", INDEX]);
    let mut random = Random(seed() ^ 0x5e9);
    let (mut refused, mut believed) = (0, 0);
    for round in 0..SEGMENTS * scale() {
        repo.git(&["update-ref", INDEX, &honest]);
        std::fs::remove_dir_all(repo.kept()).expect("what is kept");
        let snapshot = Snapshot::open(&opened).expect("the index");
        let open = random.pick(snapshot.segments());
        let mut bytes = open.segment().bytes().to_vec();
        let start = 32 + 16 * usize::from(bytes[11]);
        // Mostly in the text of names and terms, and of what symbols are: lies that can be told.
        for _ in 0..=random.below(3) {
            let at = start + random.below(bytes.len() - start);
            bytes[at] ^= 1 << random.below(8);
        }
        right(&mut bytes);
        let is_canonical = Segment::open(bytes.clone()).is_ok_and(|lie| lie.verify().is_ok());
        plant(&repo, &open.id().to_string(), &bytes);
        let found = caught(|| ask(repo.dir()));
        let found = found.unwrap_or_else(|panic| panic!("round {round}: {panic}"));
        let is_told = !found.warnings.is_empty();
        match is_canonical {
            // Whoever wrote it can hash, too: only the blobs say otherwise, and those are read below.
            true => believed += 1,
            false => {
                refused += 1;
                assert!(is_told, "round {round}: {:?}", found.warnings);
                assert_eq!(found.differs(&wanted), None, "round {round}");
            }
        }
        let mended = caught(|| {
            let checked = store::check(&opened, 100, &Quiet).expect("fsck");
            if checked.can_heal() {
                store::heal(&opened, &checked, &[], 1, &Quiet).expect("it is mended");
            }
        });
        mended.unwrap_or_else(|panic| panic!("round {round}: fsck: {panic}"));
        let after = caught(|| ask(repo.dir()));
        let after = after.unwrap_or_else(|panic| panic!("round {round}, mended: {panic}"));
        assert_eq!(after.differs(&wanted), None, "round {round}, mended");
    }
    println!(
        "segments under the ref: {refused} refused, {believed} of canonical form; all mended, 0 panics"
    );
}

#[test]
fn two_users_have_folders_of_their_own() {
    let repo = workshop();
    let bob = repo.at(repo.beside("bob"));
    let home = repo.beside("home-of-bob");
    std::fs::create_dir_all(&home).expect("mkdir");
    let ask = |args: &[&str]| {
        let mut command = bob.command(env!("CARGO_BIN_EXE_git-sverklo"));
        command
            .current_dir(repo.dir())
            .env("HOME", &home)
            .args(args);
        let out = command.output().expect("the program starts");
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let wanted = repo.sverklo(&["search", "gasket"]).success();
    let before = files(&repo.kept());
    assert_eq!(ask(&["search", "gasket"]), wanted);
    assert_eq!(ask(&["search", "gasket"]), wanted);
    assert_eq!(files(&repo.kept()), before, "nobody takes them away");
    let is_user = |name: &str| name.len() == 16 && name.bytes().all(|b| b.is_ascii_hexdigit());
    let entries = std::fs::read_dir(Kept::new(&repo.dir().join(".git")).top()).expect("a folder");
    let users = entries
        .flatten()
        .filter(|entry| is_user(&entry.file_name().to_string_lossy()));
    assert_eq!(users.count(), 2);
}
