//! The report: raw lines are read, the last about each thing kept, averaged, and written as a page of
//! tables and plots. Nothing is measured here, and the same lines give the same bytes.

mod aggregate;
mod charts;
mod costs;
mod evidence;
mod extraction;
mod fit;
mod life;
mod losses;
mod page;
mod plot;
mod quality;
mod read;
mod readme;
mod table;

use crate::Result;
use crate::program::root;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to write.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of raw lines; default: the newest under benchmark/runs.
    #[arg(value_name = "RUNS_DIR")]
    folder: Option<PathBuf>,
    /// Write nothing; exit with 1 when the page, a plot or README.md is not what the lines give.
    #[arg(long, conflicts_with = "to")]
    check: bool,
    /// Write REPORT.md and plots/ into this folder instead, and leave README.md alone.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

impl Args {
    /// The page of a folder of lines, into another folder.
    pub fn of(lines: PathBuf, to: PathBuf) -> Self {
        Self {
            folder: Some(lines),
            check: false,
            to: Some(to),
        }
    }
}

/// Everything that one folder of raw lines gives.
struct Report {
    page: String,
    plots: Vec<plot::Plot>,
    figures: String,
    /// Lines of `losses.jsonl` that explain no lost task.
    idle_rules: Vec<usize>,
}

/// Writes the report, or checks it.
pub fn run(args: &Args) -> Result<ExitCode> {
    let folder = match &args.folder {
        Some(folder) => folder.clone(),
        None => newest(&root().join("benchmark/runs"))?,
    };
    let raw = read::read(&folder, shown(&folder, &root()))?;
    for bench in &raw.unknown {
        eprintln!("warning: lines of kind {bench:?} are in no table of the report");
    }
    let rules = losses::rules(&root().join("benchmark/losses.jsonl"))?;
    let report = compose(&raw, &rules)?;
    // A rule may be about a set that this run did not ask.
    if !raw.answers.is_empty() {
        for line in &report.idle_rules {
            eprintln!("warning: losses.jsonl: reason {line} explains no lost task");
        }
    }
    let to = args.to.clone().unwrap_or_else(|| root().join("benchmark"));
    let mut files = vec![(to.join("REPORT.md"), report.page)];
    for plot in report.plots {
        files.push((to.join("plots").join(plot.file), plot.svg));
    }
    if args.to.is_none() {
        let path = root().join("README.md");
        let readme = std::fs::read_to_string(&path)?;
        files.push((path, readme::replace(&readme, &report.figures)?));
    }
    if args.check {
        return check(&files);
    }
    for (path, text) in &files {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text).map_err(|err| format!("{}: {err}", path.display()))?;
        println!("wrote {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Turns lines into text; reads and writes nothing.
fn compose(raw: &read::Raw, rules: &[losses::Rule]) -> Result<Report> {
    let standing = losses::standing(&raw.answers, rules);
    let plots = charts::draw(raw)?;
    Ok(Report {
        page: page::render(raw, &standing, &plots),
        plots,
        figures: readme::figures(raw),
        idle_rules: standing.idle_rules,
    })
}

/// Says which files are not what they should be.
fn check(files: &[(PathBuf, String)]) -> Result<ExitCode> {
    let stale = stale(files)?;
    for path in &stale {
        eprintln!("{}: not what the raw lines give", path.display());
    }
    if !stale.is_empty() {
        eprintln!("`cargo benchmark report` writes them anew");
    }
    Ok(ExitCode::from(u8::from(!stale.is_empty())))
}

/// The files that differ from these texts, or are not there.
fn stale(files: &[(PathBuf, String)]) -> Result<Vec<&Path>> {
    let mut stale = Vec::new();
    for (path, text) in files {
        let there = match std::fs::read_to_string(path) {
            Ok(there) => there,
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(err) => return Err(format!("{}: {err}", path.display()).into()),
        };
        // A checkout may have turned the ends of lines.
        if there.replace("\r\n", "\n") != *text {
            stale.push(path.as_path());
        }
    }
    Ok(stale)
}

/// The last folder by name: names begin with the date.
fn newest(runs: &Path) -> Result<PathBuf> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(runs).map_err(|err| format!("{}: {err}", runs.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.push(entry.path());
        }
    }
    let newest = folders.into_iter().max();
    newest.ok_or_else(|| format!("{}: no runs yet", runs.display()).into())
}

/// A folder as the page names it: the same on every machine if it is one of the sources.
fn shown(folder: &Path, root: &Path) -> String {
    let known = folder.canonicalize().ok().zip(root.canonicalize().ok());
    let inside = known
        .as_ref()
        .and_then(|(folder, root)| folder.strip_prefix(root).ok());
    let Some(inside) = inside else {
        return folder.display().to_string();
    };
    let parts = inside.components();
    let parts: Vec<_> = parts
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture() -> PathBuf {
        root().join("benchmark/report/fixture")
    }

    /// The page is what `fixture/page.md` says; after a wanted change
    /// `cargo benchmark report benchmark/report/fixture --to DIR` makes the new one.
    #[test]
    fn the_page_of_invented_lines_is_known() {
        let raw = read::read(&fixture(), shown(&fixture(), &root())).unwrap();
        let page = compose(&raw, &[]).unwrap().page;
        let known = std::fs::read_to_string(fixture().join("page.md")).unwrap();
        let pairs = known.lines().zip(page.lines());
        for (at, (known, now)) in pairs.enumerate() {
            assert_eq!(now, known, "line {}", at + 1);
        }
        assert_eq!(page.lines().count(), known.lines().count());
    }

    #[test]
    fn the_order_of_lines_about_different_things_does_not_matter() {
        let mut files = Vec::new();
        for file in read::FILES {
            // There are none of a command whose page has a test of its own.
            let path = fixture().join(format!("{file}.jsonl"));
            files.push((file, std::fs::read_to_string(path).unwrap_or_default()));
        }
        let reversed: Vec<_> = files
            .iter()
            .map(|(file, text)| {
                let is_header = |line: &&str| line.contains(r#""bench":"run""#);
                let (header, mut rest): (Vec<&str>, Vec<&str>) = text.lines().partition(is_header);
                rest.reverse();
                (*file, [header, rest].concat().join("\n"))
            })
            .collect();
        let one = compose(&read::parse(&files).unwrap(), &[]).unwrap();
        let other = compose(&read::parse(&reversed).unwrap(), &[]).unwrap();
        assert_eq!(one.page, other.page);
        assert_eq!(one.figures, other.figures);
        assert_eq!(one.plots.len(), 4);
        for (one, other) in one.plots.iter().zip(&other.plots) {
            assert_eq!(one.svg, other.svg, "{}", one.file);
        }
    }

    #[test]
    fn plots_name_every_contender_that_they_show() {
        let raw = read::read(&fixture(), String::new()).unwrap();
        for plot in compose(&raw, &[]).unwrap().plots {
            assert!(plot.svg.ends_with("</svg>\n"), "{}", plot.file);
            assert!(plot.svg.contains("\ngit-sverklo\n"), "{}", plot.file);
            let has_ctags = plot.svg.contains("\nctags\n");
            assert_eq!(has_ctags, plot.file != "scale.svg", "{}", plot.file);
        }
    }

    #[test]
    fn a_file_that_is_not_what_the_lines_give_is_stale() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("same"), "a\r\nb\n").unwrap();
        std::fs::write(path("other"), "a\nc\n").unwrap();
        let files = ["same", "other", "none"].map(|name| (path(name), "a\nb\n".to_owned()));
        assert_eq!(stale(&files).unwrap(), [path("other"), path("none")]);
    }

    #[test]
    fn the_newest_run_is_the_last_by_name() {
        let folder = tempfile::tempdir().unwrap();
        assert!(newest(folder.path()).is_err());
        for name in ["2026-11-22-a", "2026-12-01-a", "2026-09-30-z"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join("zz.txt"), "").unwrap();
        assert!(newest(folder.path()).unwrap().ends_with("2026-12-01-a"));
    }

    #[test]
    fn a_folder_of_the_sources_is_named_from_their_top() {
        assert_eq!(shown(&fixture(), &root()), "benchmark/report/fixture");
        let outside = tempfile::tempdir().unwrap();
        let shown = shown(outside.path(), &root());
        assert_eq!(shown, outside.path().display().to_string());
    }
}
