//! A made-up history, written as one `git fast-import` stream.
//!
//! The first commit has every planned file. Each further one edits, adds or renames files of one
//! package or two; now and then a branch works on a package of its own and is merged. The tree of
//! every commit is complete in itself: what is imported is there.

use super::plan::{FileId, Language, Plan, Role};
use super::random::Random;
use super::source;
use std::collections::BTreeMap;
use std::io::{Result, Write};

/// Seconds since 1970 of the first commit: 1 January 2024.
const START: u64 = 1_704_067_200;
/// Seconds between two commits.
const PACE: u64 = 3 * 3600 + 421;
/// Commits of the main line that are merges of a branch, in a hundred.
const MERGES: usize = 10;

const AUTHORS: &[&str] = &[
    "Ada Example <ada@example.com>",
    "Ben Example <ben@example.com>",
    "Cleo Example <cleo@example.com>",
    "Dora Example <dora@example.com>",
];

/// What a commit does to the tree: paths with their new text, or `None` for those removed.
type Changes = BTreeMap<String, Option<String>>;

/// Writes the whole history of a plan: the first commit and `commits` more on the main line.
pub fn write(plan: &mut Plan, commits: usize, out: &mut impl Write) -> Result<()> {
    let mut history = History {
        random: Random::of(&[plan.seed, 3]),
        plan,
        out,
        marks: 0,
    };
    history.first()?;
    let mut tip = history.marks;
    for i in 0..commits {
        // The last one is an ordinary commit, so that the tip has something of its own.
        tip = if history.random.percent(MERGES) && i + 1 < commits {
            history.branch(tip)?
        } else {
            let package = history.some_package(None);
            let changes = history.change(package);
            history.commit("main", &[tip], &changes)?
        };
    }
    writeln!(history.out, "done")
}

struct History<'a, W> {
    plan: &'a mut Plan,
    random: Random,
    out: &'a mut W,
    /// Commits written.
    marks: u64,
}

impl<W: Write> History<'_, W> {
    fn first(&mut self) -> Result<()> {
        writeln!(self.out, "feature done")?;
        self.head("main", &[], "Add everything that is known so far")?;
        for id in 0..self.plan.files.len() {
            let (path, text) = (self.plan.path(id), source::text(self.plan, id));
            write_file(self.out, &path, &text)?;
        }
        writeln!(self.out)
    }

    /// A branch of some commits to one package while the main line goes on elsewhere, and its merge.
    fn branch(&mut self, from: u64) -> Result<u64> {
        let package = self.some_package(None);
        let name = format!("side-{}", self.marks);
        let mut all = Changes::new();
        let mut side = from;
        for _ in 0..self.random.between(1, 4) {
            let changes = self.change(package);
            side = self.commit(&name, &[side], &changes)?;
            all.extend(changes);
        }
        let elsewhere = self.some_package(Some(package));
        let changes = self.change(elsewhere);
        let main = self.commit("main", &[from], &changes)?;
        self.commit("main", &[main, side], &all)
    }

    /// A package other than the top and the one that is being worked on.
    fn some_package(&mut self, other_than: Option<usize>) -> usize {
        let count = self.plan.packages.len();
        loop {
            let package = 1 + self.random.below(count - 1);
            if Some(package) != other_than || count == 2 {
                return package;
            }
        }
    }

    /// Edits files of a package, and maybe adds or renames one.
    fn change(&mut self, package: usize) -> Changes {
        let mut changes = Changes::new();
        for _ in 0..self.random.between(1, 6) {
            let file = *self.random.one_of(&self.plan.packages[package].files);
            self.edit(file, &mut changes);
        }
        match self.random.below(100) {
            0..20 => self.add(package, &mut changes),
            20..32 => self.rename(package, &mut changes),
            _ => {}
        }
        changes
    }

    fn edit(&mut self, id: FileId, changes: &mut Changes) {
        let items = self.plan.files[id].items.len();
        if items == 0 {
            // A page about the package grows.
            if self.plan.files[id].role == Role::Readme {
                self.plan.files[id].bytes += 120;
            }
        } else {
            let item = self.random.below(items);
            self.plan.files[id].items[item].edits += 1;
        }
        self.put(id, changes);
    }

    fn add(&mut self, package: usize, changes: &mut Changes) {
        let added = self.plan.add_source(package, None, 2, &mut self.random);
        for id in added {
            self.put(id, changes);
        }
        self.put_root(package, changes);
    }

    /// Renames a file that nobody imports.
    fn rename(&mut self, package: usize, changes: &mut Changes) {
        let files = &self.plan.packages[package].files;
        let movable = files.iter().copied().find(|id| {
            let file = &self.plan.files[*id];
            let alone = self.plan.packages[package].language != Language::C;
            alone && !file.imported && file.role == Role::Source
        });
        let Some(id) = movable else { return };
        changes.insert(self.plan.path(id), None);
        self.plan.rename(id, &mut self.random);
        self.put(id, changes);
        self.put_root(package, changes);
    }

    fn put(&self, id: FileId, changes: &mut Changes) {
        changes.insert(self.plan.path(id), Some(source::text(self.plan, id)));
    }

    /// The list of modules, which names every file.
    fn put_root(&self, package: usize, changes: &mut Changes) {
        let files = &self.plan.packages[package].files;
        if let Some(root) = files
            .iter()
            .find(|id| self.plan.files[**id].role == Role::Root)
        {
            self.put(*root, changes);
        }
    }

    fn commit(&mut self, branch: &str, parents: &[u64], changes: &Changes) -> Result<u64> {
        let message = match parents {
            [_, _] => "Merge a branch".to_owned(),
            _ => {
                let action = self.plan.vocabulary.action(&mut self.random);
                let subject = self.plan.vocabulary.prose(action);
                let body = self.plan.vocabulary.sentence(&mut self.random);
                format!("{}{}\n\n{body}", subject[..1].to_uppercase(), &subject[1..])
            }
        };
        self.head(branch, parents, &message)?;
        for (path, text) in changes {
            match text {
                Some(text) => write_file(self.out, path, text)?,
                None => writeln!(self.out, "D {path}")?,
            }
        }
        writeln!(self.out)?;
        Ok(self.marks)
    }

    fn head(&mut self, branch: &str, parents: &[u64], message: &str) -> Result<()> {
        self.marks += 1;
        let author = self.random.one_of(AUTHORS);
        let date = START + self.marks * PACE;
        writeln!(self.out, "commit refs/heads/{branch}\nmark :{}", self.marks)?;
        writeln!(self.out, "author {author} {date} +0000")?;
        writeln!(self.out, "committer {author} {date} +0000")?;
        writeln!(self.out, "data {}\n{message}", message.len())?;
        for (word, parent) in ["from", "merge"].iter().zip(parents) {
            writeln!(self.out, "{word} :{parent}")?;
        }
        Ok(())
    }
}

/// Paths are of letters, digits, `-`, `_`, `.` and `/`, and need no quotes.
fn write_file(out: &mut impl Write, path: &str, text: &str) -> Result<()> {
    writeln!(out, "M 100644 inline {path}\ndata {}\n{text}", text.len())
}
