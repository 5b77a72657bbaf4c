//! What is recorded of the product code of a repository.

use super::kinds::Language;
use crate::Result;
use crate::subject::Subject;
use git_sverklo::extract::Extractor;
use git_sverklo::extract::record::{DocFlags, DocRecord, Gaps, SkipReason};
use git_sverklo::lang;
use git_sverklo::view::role::FileRole;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One file.
pub struct Read {
    /// Its path in the repository.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Why it was not read.
    pub skip: Option<&'static str>,
    /// What was not understood of it.
    pub gaps: Gaps,
    /// What it defines.
    pub symbols: Vec<Named>,
}

impl Read {
    /// Whether it is over the limit of size, for which nobody reads it.
    pub fn is_large(&self) -> bool {
        self.skip == Some(SkipReason::TooLarge.label())
    }
}

/// A definition of ours.
pub struct Named {
    /// Its name alone.
    pub name: String,
    /// Its first line.
    pub first: u32,
    /// The line of its name.
    pub line: u32,
    /// Its last line.
    pub last: u32,
}

/// Reads the files of a checkout, by the labels of the languages.
pub fn read(
    subject: &Subject,
    languages: &[&'static Language],
) -> Result<BTreeMap<&'static str, Vec<Read>>> {
    let listing = subject.git(&["ls-files", "-z"])?;
    let paths: Vec<&str> = listing
        .split_terminator('\0')
        .filter(|path| FileRole::of_path(path.as_bytes()) == FileRole::Product)
        .collect();
    let next = AtomicUsize::new(0);
    let all = Mutex::new(BTreeMap::<&str, Vec<Read>>::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut extractor = Extractor::new();
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some((label, read)) = read_file(subject, path, &mut extractor, languages)
                        && let Ok(mut all) = all.lock()
                    {
                        all.entry(label).or_default().push(read);
                    }
                }
            });
        }
    });
    let mut all = all.into_inner().map_err(|_| "a thread failed")?;
    for reads in all.values_mut() {
        reads.sort_by(|one, other| one.path.cmp(&other.path));
    }
    Ok(all)
}

/// Reads one file; `None` for what is no file, no code of these languages, or written by a program.
fn read_file(
    subject: &Subject,
    path: &str,
    extractor: &mut Extractor,
    languages: &[&'static Language],
) -> Option<(&'static str, Read)> {
    let place = subject.dir.join(path);
    let is_file = place.symlink_metadata().is_ok_and(|meta| meta.is_file());
    let name = path.rsplit('/').next().unwrap_or(path);
    let grammar = lang::by_file_name(name.as_bytes());
    let bytes = std::fs::read(&place).ok().filter(|_| is_file)?;
    let grammar = lang::by_content(&bytes, grammar);
    let language = languages.iter().find(|language| language.reads(grammar))?;
    let record = extractor.extract(&bytes, grammar);
    if record.flags.contains(DocFlags::GENERATED) {
        return None;
    }
    let symbols = symbols(&record);
    let read = Read {
        path: path.to_owned(),
        bytes: record.size,
        skip: record.skip.map(|reason| reason.label()),
        gaps: record.gaps,
        symbols,
    };
    Some((language.label, read))
}

fn symbols(record: &DocRecord) -> Vec<Named> {
    let symbols = record.symbols.iter();
    symbols
        .map(|symbol| Named {
            name: String::from_utf8_lossy(record.names.get(symbol.name)).into_owned(),
            first: symbol.start_line,
            line: symbol.name_line,
            last: symbol.end_line,
        })
        .collect()
}
