//! `history` loses no version, whatever merges do to a file, and says the same whatever is kept: git is the oracle.

use crate::harness::TestRepo;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Files of a made history.
const FILES: usize = 5;

/// What a commit has of each file: a number that stands in it.
type Tree = BTreeMap<usize, usize>;

/// A history that is made in one go.
struct Made {
    text: String,
    trees: Vec<Tree>,
    date: i64,
    /// Seconds from one commit to the next.
    step: i64,
}

fn path(file: usize) -> String {
    format!("d{}/a{file}.py", file % 2)
}

/// Files have no line in common, so that none is another under a new name.
fn text(file: usize, number: usize) -> String {
    format!("def f{file}():\n    x{file} = {number}\n    return x{file}\n")
}

impl Made {
    fn new(step: i64) -> Self {
        Self {
            text: String::new(),
            trees: Vec::new(),
            date: 1_700_000_000,
            step,
        }
    }

    fn commit(&mut self, parents: &[usize], tree: Tree) -> usize {
        let mark = self.trees.len() + 1;
        let out = &mut self.text;
        let date = self.date;
        writeln!(out, "commit refs/heads/main\nmark :{mark}").unwrap();
        writeln!(out, "committer n <a@b> {date} +0000\ndata 1\nc").unwrap();
        for (word, parent) in ["from", "merge", "merge", "merge"].iter().zip(parents) {
            writeln!(out, "{word} :{}", parent + 1).unwrap();
        }
        out.push_str("deleteall\nM 100644 inline seed\ndata 1\ns\n");
        // So that each commit differs from its parents.
        let count = mark.to_string();
        let aside = format!("M 100644 inline o/{}\ndata {}", mark % 7, count.len());
        writeln!(out, "{aside}\n{count}").unwrap();
        for (file, number) in &tree {
            let (path, text) = (path(*file), text(*file, *number));
            writeln!(out, "M 100644 inline {path}\ndata {}\n{text}", text.len()).unwrap();
        }
        self.date += self.step;
        self.trees.push(tree);
        mark - 1
    }

    /// A pull request of one commit, which the merge takes as it is.
    fn merged(&mut self, main: usize, tree: Tree) -> usize {
        let side = self.commit(&[main], tree.clone());
        self.commit(&[main, side], tree)
    }

    fn done(self, tip: usize) -> TestRepo {
        let repo = TestRepo::init();
        let text = format!("{}reset refs/heads/main\nfrom :{}\n\n", self.text, tip + 1);
        repo.fast_import(text);
        repo
    }
}

fn told(repo: &TestRepo, what: &str, has_home: bool) -> Vec<(String, String)> {
    let mut command = repo.sverklo_command(&["history", "--json", "--limit", "500", what]);
    if !has_home {
        command.env_remove("HOME");
    }
    let said = command.output().unwrap().stdout;
    let said: serde_json::Value = serde_json::from_slice(&said).unwrap();
    let versions = said["versions"].as_array().into_iter().flatten();
    let told = versions.map(|version| {
        let commit = version["commit"]["id"].as_str();
        let commit = commit.unwrap_or_else(|| panic!("{version}"));
        (commit.to_owned(), version["did"].to_string())
    });
    told.collect()
}

/// Compares what is told of files with what git says, with nothing kept, all kept, an index, and git's own table.
fn assert_all_told(repo: &TestRepo, files: usize, context: &str) {
    let ways: [(&str, bool, &[&str]); 4] = [
        ("bare", false, &[]),
        ("kept", true, &[]),
        (
            "with a commit-graph",
            true,
            &["commit-graph", "write", "--reachable"],
        ),
        ("without a home", false, &[]),
    ];
    let mut first: Vec<[Vec<(String, String)>; 2]> = Vec::new();
    for (at, (way, has_home, git)) in ways.iter().enumerate() {
        if !git.is_empty() {
            repo.git(git);
        }
        if at == 1 {
            repo.sverklo(&["index"]).success();
        }
        for file in 0..files {
            let path = path(file);
            let all = [
                told(repo, &path, *has_home),
                told(repo, &format!("f{file}"), *has_home),
            ];
            if at == 0 {
                let log = repo.git(&["log", "--format=%H", "--", &path]);
                let wanted: BTreeSet<&str> = log.lines().collect();
                let found: BTreeSet<&str> = all[0].iter().map(|(id, _)| id.as_str()).collect();
                assert_eq!(found, wanted, "{path}, {context}");
                assert_eq!(all[0].len(), found.len(), "{path}, {context}: each once");
                first.push(all);
            } else {
                assert_eq!(all, first[file], "{path}, {way}, {context}");
            }
        }
    }
}

/// Puts commits on a line that touch none of the files.
fn aside(made: &mut Made, main: usize, count: usize) -> usize {
    let tree = made.trees[main].clone();
    (0..count).fold(main, |main, _| made.merged(main, tree.clone()))
}

#[test]
fn what_a_pull_request_changed_and_another_changed_back_is_three_versions() {
    let mut made = Made::new(60);
    let (one, two) = (Tree::from([(0, 1)]), Tree::from([(0, 2)]));
    let main = made.commit(&[], one.clone());
    let main = made.merged(main, two);
    let main = aside(&mut made, main, 3);
    let main = made.merged(main, one);
    let repo = made.done(main);
    assert_eq!(told(&repo, &path(0), true).len(), 3);
    assert_eq!(told(&repo, "f0", true).len(), 3);
    assert_all_told(&repo, 1, "changed back");
}

#[test]
fn what_a_pull_request_removed_and_another_brought_back_is_three_versions() {
    let mut made = Made::new(60);
    let one = Tree::from([(0, 1)]);
    let main = made.commit(&[], one.clone());
    let main = made.merged(main, Tree::new());
    let main = aside(&mut made, main, 3);
    let main = made.merged(main, one);
    let repo = made.done(main);
    let did: Vec<String> = told(&repo, &path(0), true)
        .into_iter()
        .map(|of| of.1)
        .collect();
    assert_eq!(
        did,
        [r#"["brought back"]"#, r#"["removed"]"#, r#"["introduced"]"#]
    );
    assert_all_told(&repo, 1, "brought back");
}

#[test]
fn what_a_merge_brings_back_that_neither_side_has_is_a_version() {
    let mut made = Made::new(60);
    let one = Tree::from([(0, 1)]);
    let main = made.commit(&[], Tree::new());
    let main = made.merged(main, one.clone());
    let main = made.merged(main, Tree::new());
    let side = made.commit(&[main], Tree::new());
    let main = made.commit(&[main, side], one);
    let main = aside(&mut made, main, 300);
    let repo = made.done(main);
    assert_eq!(told(&repo, &path(0), true).len(), 3);
    assert_all_told(&repo, 1, "by a merge");
}

#[test]
fn each_side_of_a_merge_that_removed_a_file_says_so() {
    let mut made = Made::new(60);
    let one = Tree::from([(0, 1)]);
    let base = made.commit(&[], one);
    let gone = made.commit(&[base], Tree::new());
    let other = made.commit(&[base], Tree::new());
    let changed = made.commit(&[base], Tree::from([(0, 2)]));
    let back = made.commit(&[gone, other], Tree::from([(0, 3)]));
    let last = made.commit(&[back, changed], Tree::from([(0, 4)]));
    let last = made.commit(&[last, gone], Tree::from([(0, 5)]));
    assert_all_told(&made.done(last), 1, "two removals");
}

#[test]
fn commits_of_one_second_are_told_the_same_whatever_is_kept() {
    let mut made = Made::new(0);
    let mut main = made.commit(&[], Tree::from([(0, 1), (1, 1)]));
    for n in 1..6 {
        let side = made.commit(&[main], Tree::from([(1, n)]));
        main = aside(&mut made, side, 9);
        main = made.merged(main, Tree::from([(0, n), (1, n)]));
        main = aside(&mut made, main, 50);
    }
    assert_all_told(&made.done(main), 2, "one second");
}

#[test]
fn a_commit_that_changed_more_than_is_recorded_is_looked_at() {
    let mut made = Made::new(60);
    let all: Tree = (0..100).map(|file| (file, 1)).collect();
    let without: Tree = (0..100).filter(|n| *n != 5).map(|n| (n, 1)).collect();
    let more: Tree = (0..100).map(|file| (file, 1 + file % 2)).collect();
    let main = made.commit(&[], all.clone());
    let main = aside(&mut made, main, 30);
    let main = made.commit(&[main], without);
    let main = aside(&mut made, main, 30);
    let main = made.commit(&[main], all.clone());
    let main = made.merged(main, Tree::new());
    let main = made.merged(main, more);
    let main = made.merged(main, all);
    let main = aside(&mut made, main, 30);
    let repo = made.done(main);
    assert_eq!(told(&repo, &path(5), true).len(), 6);
    assert_all_told(&repo, 7, "very much");
}

#[test]
fn what_is_no_file_now_has_a_history_too() {
    let repo = TestRepo::init();
    repo.write("NOTES.md", "# Notes\n").commit("file");
    repo.write("NOTES.md", "# More notes\n").commit("changed");
    let id = repo.git(&["rev-parse", "HEAD"]);
    let staged = |mode: &str, id: &str, path: &str| {
        let entry = format!("{mode},{},{path}", id.trim());
        repo.git(&["update-index", "--add", "--cacheinfo", &entry]);
        repo.git(&["commit", "-q", "-m", path]);
    };
    std::fs::write(repo.dir().join("target"), "OTHER.md").unwrap();
    let target = repo.git(&["hash-object", "-w", "target"]);
    staged("120000", &target, "NOTES.md");
    staged("160000", &id, "vendor/lib");
    let next = repo.git(&["rev-parse", "HEAD"]);
    staged("160000", &next, "vendor/lib");
    repo.git(&["reset", "-q", "--hard"]);
    for path in ["NOTES.md", "vendor/lib"] {
        let all = told(&repo, path, true).into_iter();
        let found: BTreeSet<String> = all.map(|of| of.0).collect();
        let log = repo.git(&["log", "--format=%H", "--", path]);
        let wanted: BTreeSet<String> = log.lines().map(str::to_owned).collect();
        assert_eq!(found, wanted, "{path}");
    }
}

#[test]
fn a_file_that_was_something_else_is_told_as_a_file() {
    let repo = TestRepo::init();
    repo.write("f.py", "def f():\n    return 1\n")
        .commit("file");
    std::fs::remove_file(repo.dir().join("f.py")).unwrap();
    repo.write("f.py/g.py", "def g():\n    return 2\n");
    repo.commit("folder");
    std::fs::remove_dir_all(repo.dir().join("f.py")).unwrap();
    repo.write("f.py", "def f():\n    return 3\n")
        .commit("again");
    let did: Vec<String> = told(&repo, "f.py", true)
        .into_iter()
        .map(|of| of.1)
        .collect();
    assert_eq!(
        did,
        [r#"["brought back"]"#, r#"["removed"]"#, r#"["introduced"]"#]
    );
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % sides
    }

    fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn change(&mut self, mut tree: Tree) -> Tree {
        let file = self.below(FILES);
        match self.is(25) {
            true => drop(tree.remove(&file)),
            // Few different ones, so that changes are taken back.
            false => drop(tree.insert(file, self.below(3))),
        }
        tree
    }

    /// What a merge comes to: mostly what one side did, else what somebody made of it.
    fn merge(&mut self, [ours, theirs, base]: [&Tree; 3]) -> Tree {
        match self.below(12) {
            0 => return ours.clone(),
            1 => return theirs.clone(),
            _ => {}
        }
        let mut tree = ours.clone();
        for file in 0..FILES {
            let [ours, theirs, was] = [ours, theirs, base].map(|of| of.get(&file));
            let takes_theirs = theirs != was && (ours == was || self.is(50));
            match theirs.filter(|_| takes_theirs) {
                Some(number) => drop(tree.insert(file, *number)),
                None if takes_theirs => drop(tree.remove(&file)),
                None => {}
            }
        }
        if self.is(12) { self.change(tree) } else { tree }
    }
}

/// A history of many merges: sides that leave early and come back late or twice, changes that are taken back, files that
/// go and come again, and merges that say what no side did.
fn random(seed: u64, commits: usize) -> TestRepo {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut made = Made::new([60, 60, 0, -60][dice.below(4)]);
    let mut main = made.commit(&[], (0..FILES - 1).map(|file| (file, 0)).collect());
    let (mut line, mut sides) = (vec![main], Vec::new());
    let rate = [6, 15, 40][dice.below(3)];
    while made.trees.len() < commits {
        let old = line[line.len() - 1 - dice.below(12).min(line.len() - 1)];
        match dice.below(20) {
            0..6 => {
                let tree = made.trees[main].clone();
                let tree = if dice.is(rate) {
                    dice.change(tree)
                } else {
                    tree
                };
                main = made.commit(&[main], tree);
            }
            // One file as it was, or a merge of what is merged.
            6 => {
                let (mut tree, file) = (made.trees[main].clone(), dice.below(FILES));
                match made.trees[old].get(&file) {
                    Some(number) => drop(tree.insert(file, *number)),
                    None => drop(tree.remove(&file)),
                }
                main = made.commit(&[main], tree);
            }
            7 if old != main => {
                let tree = match dice.below(3) {
                    0 => made.trees[old].clone(),
                    1 => dice.change(made.trees[main].clone()),
                    _ => made.trees[main].clone(),
                };
                main = made.commit(&[main, old], tree);
            }
            8 if !sides.is_empty() => {
                let (side, base): (usize, usize) = sides[dice.below(sides.len())];
                let trees = [main, side, base].map(|of| &made.trees[of]);
                let tree = dice.merge(trees);
                main = made.commit(&[main, side], tree);
            }
            9 => {
                let tree = made.trees[old].clone();
                let tree = dice.change(tree);
                let one = made.commit(&[old], tree.clone());
                let two = made.commit(&[old], dice.change(tree));
                let trees = [main, two, old].map(|of| &made.trees[of]);
                let tree = dice.merge(trees);
                main = made.commit(&[main, one, two], tree);
            }
            _ => {
                let mut side = old;
                for _ in 0..=dice.below(3) {
                    let tree = made.trees[side].clone();
                    let tree = if dice.is(rate) {
                        dice.change(tree)
                    } else {
                        tree
                    };
                    side = made.commit(&[side], tree);
                }
                sides.push((side, old));
                let trees = [main, side, old].map(|of| &made.trees[of]);
                let tree = dice.merge(trees);
                let parents = if dice.is(10) {
                    [side, main]
                } else {
                    [main, side]
                };
                main = made.commit(&parents, tree);
            }
        }
        line.push(main);
    }
    made.done(main)
}

/// `HISTORY_SEEDS=FROM..TO` for others.
#[test]
fn of_random_histories_all_is_told_that_git_tells() {
    let asked = std::env::var("HISTORY_SEEDS").unwrap_or_else(|_| "1..6".to_owned());
    let (from, to) = asked.split_once("..").unwrap();
    for seed in from.parse().unwrap()..to.parse::<u64>().unwrap() {
        let commits = if seed % 3 == 0 { 400 } else { 100 };
        assert_all_told(&random(seed, commits), FILES, &format!("seed {seed}"));
    }
}
