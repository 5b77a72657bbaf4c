//! The tree moves under the index: a rebase, a checkout far away, many new work trees. What the
//! first question takes then, beside what extracting the uncovered blobs takes alone.

use super::disk::{INDEX, folder_bytes, new_bytes, tip};
use crate::Result;
use crate::cost::Sample;
use crate::measure::{measure, median};
use crate::program::Program;
use crate::session::Session;
use crate::subject::{Subject, run_git};
use git_sverklo::git::{Repo, tree};
use git_sverklo::store::{self, Quiet, Snapshot};
use git_sverklo::view::files::{File, document_keys};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Commits that are rebased.
const REBASED: usize = 100;
/// Commits between where they were and where they go.
const BEHIND: usize = 200;
/// Commits between the two ends of a checkout, when none are named.
const DISTANT: usize = 1000;
/// Work trees, and commits between one and the next.
const TREES: usize = 20;
const APART: usize = 5;
/// Rounds of each move, every one from the same start; the median counts.
const ROUNDS: usize = 3;

/// Measures every move and returns a line for each.
pub fn moves(subject: &Subject, program: &Program, distant: &[String]) -> Result<Vec<Value>> {
    subject.git(&["config", "gc.auto", "0"])?;
    subject.git(&["config", "maintenance.auto", "false"])?;
    subject.git(&["config", "user.name", "benchmark"])?;
    subject.git(&["config", "user.email", "benchmark@localhost"])?;
    let head = subject.git(&["rev-parse", "HEAD"])?.trim().to_owned();
    let depth: usize = subject
        .git(&["rev-list", "--count", "--first-parent", "HEAD"])?
        .trim()
        .parse()?;
    let back = |wanted: usize| format!("{head}~{}", wanted.min(depth - 1));
    let far = match distant {
        [from, to] => (from.clone(), to.clone()),
        _ => (back(DISTANT), head.clone()),
    };
    let mut lines = Vec::new();
    let topic = topic(subject, &back(BEHIND), &head)?;
    let base = topic.base.clone();
    let onto = head.clone();
    lines.push(one(
        subject,
        program,
        "rebase",
        &[&topic.tip, &head],
        &topic.tip,
        &mut |dir| run_git(dir, &["rebase", "-q", "--onto", &onto, &base]).map(drop),
    )?);
    for (from, to) in [(&far.0, &far.1), (&far.1, &far.0)] {
        let name = format!("checkout {} to {}", short(from), short(to));
        lines.push(one(subject, program, &name, &[from], from, &mut |dir| {
            run_git(dir, &["checkout", "-q", "--detach", to]).map(drop)
        })?);
    }
    subject.git(&["checkout", "-q", "--detach", &head])?;
    subject.forget_index()?;
    lines.push(work_trees(subject, program, &back)?);
    for line in &lines {
        println!("{line}");
    }
    Ok(lines)
}

fn short(revision: &str) -> &str {
    revision.get(..12).unwrap_or(revision)
}

/// Commits that nobody has seen, on an old base.
struct Topic {
    base: String,
    tip: String,
}

/// Makes one commit after the other on `base`, each adding a line at the top of a file that it does
/// not conflict at with `onto`.
fn topic(subject: &Subject, base: &str, onto: &str) -> Result<Topic> {
    let base = subject.git(&["rev-parse", base])?.trim().to_owned();
    subject.git(&["checkout", "-q", "--detach", &base])?;
    let changed = subject.git(&["diff", "--name-only", "--diff-filter=M", &base, onto])?;
    let mut files: Vec<&str> = Vec::new();
    for path in changed.lines().filter(|path| is_source(path)) {
        let top = |revision: &str| -> Result<Vec<String>> {
            let text = subject.git(&["show", &format!("{revision}:{path}")])?;
            Ok(text.lines().take(8).map(str::to_owned).collect())
        };
        if top(&base)? == top(onto)? {
            files.push(path);
        }
    }
    let all = subject.git(&["ls-files"])?;
    if files.is_empty() {
        let listed = subject.git(&["ls-tree", "-r", "--name-only", onto])?;
        let there: std::collections::BTreeSet<&str> = listed.lines().collect();
        let plain = |path: &&str| is_source(path) && there.contains(path);
        files = all.lines().filter(plain).take(REBASED).collect();
    }
    if files.is_empty() {
        return Err(format!("{}: no source file to edit", subject.name).into());
    }
    for (at, path) in files.iter().cycle().take(REBASED).enumerate() {
        let path = subject.dir.join(path);
        let text = std::fs::read(&path)?;
        std::fs::write(
            &path,
            [format!("// topic {at}\n").as_bytes(), &text].concat(),
        )?;
        subject.git(&["-c", "core.hooksPath=/dev/null", "commit", "-qam", "topic"])?;
    }
    let tip = subject.git(&["rev-parse", "HEAD"])?.trim().to_owned();
    Ok(Topic { base, tip })
}

fn is_source(path: &str) -> bool {
    let extensions = [".ts", ".js", ".rs", ".go", ".c", ".java"];
    !path.starts_with('"') && extensions.iter().any(|end| path.ends_with(end))
}

/// Measures one move. Before each round `indexed` is all that is covered, and `start` checked out.
fn one(
    subject: &Subject,
    program: &Program,
    name: &str,
    indexed: &[&str],
    start: &str,
    act: &mut dyn FnMut(&Path) -> Result<()>,
) -> Result<Value> {
    let dir = subject.dir.as_path();
    subject.git(&["checkout", "-q", "--detach", start])?;
    subject.forget_index()?;
    let mut index = program.command(dir, &["index"]);
    measure(index.args(indexed))?;
    let known = tip(subject)?;
    let reset = || -> Result<()> {
        subject.git(&["checkout", "-q", "--detach", start])?;
        subject.git(&["update-ref", INDEX, &known])?;
        // Each user has a folder there.
        for user in std::fs::read_dir(dir.join(".git/sverklo"))?.flatten() {
            match std::fs::remove_dir_all(user.path().join("view")) {
                Err(err) if err.kind() == std::io::ErrorKind::PermissionDenied => {
                    return Err(err.into());
                }
                _ => {}
            }
        }
        Ok(())
    };
    // The name is one of the start, so that finding it needs nothing of the move.
    let asked = Sample::of(subject)?.name(0).text.clone();
    let ask = || program.command(dir, &["symbol", "--", &asked]);
    let mut samples: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut put = |key, value| samples.entry(key).or_default().push(value);
    for _ in 0..ROUNDS {
        reset()?;
        measure(&mut ask())?;
        let begin = Instant::now();
        act(dir)?;
        put("move_ms", begin.elapsed().as_secs_f64() * 1e3);
        let (uncovered, extraction) = extraction(dir)?;
        put("uncovered", uncovered as f64);
        put("extraction_ms", extraction);
        let first = measure(&mut ask())?.0.wall_ms();
        put("first_ms", first);
        put("first_more_ms", first - extraction);
        put("again_ms", measure(&mut ask())?.0.wall_ms());

        reset()?;
        let mut session = Session::start(&mut program.command(dir, &["mcp"]))?;
        let mut call = || -> Result<f64> {
            let begin = Instant::now();
            session.call("symbol", json!({"name": asked}))?;
            Ok(begin.elapsed().as_secs_f64() * 1e3)
        };
        call()?;
        act(dir)?;
        let first = call()?;
        put("served_first_ms", first);
        put("served_first_more_ms", first - extraction);
        put("served_again_ms", call()?);
        session.finish()?;
    }
    let mut line = json!({"bench": "life-moves", "repo": subject.name, "move": name});
    for (key, mut values) in samples {
        line[key] = json!(median(&mut values));
    }
    Ok(line)
}

/// How many blobs of `HEAD` are not covered, and the milliseconds of extracting them on all cores
/// without storing anything. The rest of a first answer is ours to account for.
fn extraction(dir: &Path) -> Result<(usize, f64)> {
    let repo = Repo::discover(dir)?;
    let snapshot = Snapshot::open(&repo)?;
    let root = repo.commit_tree(repo.resolve("HEAD")?)?;
    let entries = tree::list(&mut repo.objects(), root)?;
    let files: Vec<File> = entries.into_iter().map(|e| File::new(e, false)).collect();
    let mut keys = document_keys(&files);
    keys.retain(|key| snapshot.find(key).is_none());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let begin = Instant::now();
    if !keys.is_empty() {
        store::ensure_in_memory(&repo, &snapshot, &keys, threads, &Quiet)?;
    }
    Ok((keys.len(), begin.elapsed().as_secs_f64() * 1e3))
}

/// What is on disk for the index: its objects as the tip has them, and what lies beside them.
struct Disk {
    objects: u64,
    common: u64,
    own: u64,
}

impl Disk {
    fn of(subject: &Subject) -> Result<Self> {
        let git = subject.dir.join(".git");
        let mut own = 0;
        if let Ok(trees) = std::fs::read_dir(git.join("worktrees")) {
            for tree in trees {
                own += folder_bytes(&tree?.path().join("sverklo"))?;
            }
        }
        Ok(Self {
            objects: new_bytes(&subject.dir, &tip(subject)?, None)?,
            common: folder_bytes(&git.join("sverklo"))?,
            own,
        })
    }

    fn sum(&self) -> f64 {
        (self.objects + self.common + self.own) as f64
    }
}

/// Twenty linked work trees a few commits apart; in each a file is edited and a question asked.
fn work_trees(
    subject: &Subject,
    program: &Program,
    back: &dyn Fn(usize) -> String,
) -> Result<Value> {
    measure(&mut program.command(&subject.dir, &["index"]))?;
    let asked = Sample::of(subject)?.name(0).text.clone();
    measure(&mut program.command(&subject.dir, &["symbol", "--", &asked]))?;
    let one = Disk::of(subject)?;
    let (mut added, mut first, mut more, mut uncovered) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for at in 0..TREES {
        let dir: PathBuf = subject.dir.with_file_name(format!("tree-{at}"));
        let text = dir.to_string_lossy().into_owned();
        let begin = Instant::now();
        subject.git(&[
            "worktree",
            "add",
            "-q",
            "--detach",
            &text,
            &back(at * APART),
        ])?;
        added.push(begin.elapsed().as_secs_f64() * 1e3);
        let (documents, extraction) = extraction(&dir)?;
        uncovered += documents;
        let mut ask = program.command(&dir, &["symbol", "--", &asked]);
        let wall = measure(&mut ask)?.0.wall_ms();
        first.push(wall);
        more.push(wall - extraction);
    }
    let clean = Disk::of(subject)?;
    for at in 0..TREES {
        let dir: PathBuf = subject.dir.with_file_name(format!("tree-{at}"));
        let listing = run_git(&dir, &["ls-files"])?;
        let path = listing.lines().find(|path| is_source(path));
        let path = dir.join(path.ok_or("no source file to edit")?);
        let text = std::fs::read(&path)?;
        std::fs::write(
            &path,
            [&text, format!("\n// edit {at}\n").as_bytes()].concat(),
        )?;
        measure(&mut program.command(&dir, &["symbol", "--", &asked]))?;
    }
    let edited = Disk::of(subject)?;
    let slowest = more.iter().copied().fold(0.0, f64::max);
    Ok(json!({
        "bench": "life-moves",
        "repo": subject.name,
        "move": format!("worktree add, {TREES} times"),
        "move_ms": median(&mut added),
        "uncovered": uncovered as f64 / TREES as f64,
        "first_ms": median(&mut first),
        "first_more_ms": median(&mut more),
        "slowest_more_ms": slowest,
        "disk_one_bytes": one.sum(),
        "disk_all_bytes": clean.sum(),
        "disk_edited_bytes": edited.sum(),
        "disk_objects_bytes": edited.objects,
        "disk_common_bytes": edited.common,
        "disk_own_bytes": edited.own,
        "disk_ratio": clean.sum() / one.sum(),
        "disk_edited_ratio": edited.sum() / one.sum(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::tests::small;

    #[test]
    fn the_tree_moves_and_questions_are_asked() {
        let subject = small(12);
        let program = Program::find(None).unwrap();
        let lines = moves(&subject, &program, &[]).unwrap();
        assert_eq!(lines.len(), 4);
        for line in &lines {
            assert!(line["first_ms"].as_f64().unwrap() > 0.0, "{line}");
        }
        assert!(
            lines[0]["uncovered"].as_f64().unwrap() > 0.0,
            "{}",
            lines[0]
        );
        assert!(
            lines[3]["disk_ratio"].as_f64().unwrap() < 20.0,
            "{}",
            lines[3]
        );
    }
}
