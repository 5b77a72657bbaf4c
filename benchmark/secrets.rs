//! What the detector of secrets takes for one: in folders of real code, where nearly all of it is wrong,
//! and in examples of others that say what is true.

use crate::Result;
use git_sverklo::secrets;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Files longer than that are data.
const MAX_FILE: usize = 1 << 20;

/// What to look at.
#[derive(clap::Args)]
pub struct Args {
    /// Folders and files to look for secrets in.
    paths: Vec<PathBuf>,
    /// Examples: lines of `T` or `F`, a rule's name and a text, with tabs between, and `\n`, `\t` and `\\` in it.
    #[arg(long, value_name = "FILE")]
    examples: Option<PathBuf>,
    /// Show what was found or missed, unmasked.
    #[arg(long)]
    show: bool,
}

/// Measures, and prints what it saw.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(file) = &args.examples {
        examples(&std::fs::read_to_string(file)?, args.show);
    }
    let mut seen = Seen::default();
    for path in &args.paths {
        seen.visit(path, args.show)?;
    }
    if !args.paths.is_empty() {
        let rules: usize = seen.rules.values().sum();
        println!(
            "{rules} secrets in {} bytes of {} files, {} files by name",
            seen.bytes, seen.files, seen.names
        );
        for (rule, count) in &seen.rules {
            println!("{count:6}  {rule}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Found, missed, false and passed, of each rule and of all.
fn examples(text: &str, show: bool) {
    let mut table: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, '\t');
        let (Some(truth), Some(rule), Some(text)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let is_found = !secrets::spans(unescaped(text).as_bytes()).is_empty();
        let column = usize::from(!is_found) + if truth == "T" { 0 } else { 2 };
        for rule in [rule, "all"] {
            table.entry(rule).or_default()[column] += 1;
        }
        if show && matches!(column, 1 | 2) {
            println!("{}\t{rule}\t{text}", ["found", "missed", "false"][column]);
        }
    }
    println!("{:48} found missed false passed", "rule");
    for (rule, [found, missed, wrong, passed]) in table {
        println!("{rule:48} {found:5} {missed:6} {wrong:5} {passed:6}");
    }
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            other => out.extend(other),
        }
    }
    out
}

#[derive(Default)]
struct Seen {
    files: usize,
    bytes: usize,
    names: usize,
    rules: BTreeMap<&'static str, usize>,
}

impl Seen {
    fn visit(&mut self, path: &Path, show: bool) -> Result<()> {
        let kind = path.symlink_metadata()?;
        if kind.is_dir() && !path.ends_with(".git") {
            for entry in std::fs::read_dir(path)? {
                self.visit(&entry?.path(), show)?;
            }
        }
        if !kind.is_file() || kind.len() > MAX_FILE as u64 {
            return Ok(());
        }
        let shown = path.display();
        if secrets::files::is_secret(shown.to_string().as_bytes()) {
            self.names += 1;
            println!("{shown}: by name");
            return Ok(());
        }
        let bytes = std::fs::read(path)?;
        if bytes.iter().take(8 << 10).any(|byte| *byte == 0) {
            return Ok(());
        }
        self.files += 1;
        self.bytes += bytes.len();
        let found = secrets::spans(&bytes);
        let mut marked = secrets::blank(&bytes, &found).into_owned();
        secrets::mark(&mut marked, &found);
        let read = if show { &bytes } else { &marked };
        for span in found {
            *self.rules.entry(span.rule).or_default() += 1;
            let start = bytes[..span.range.start]
                .iter()
                .rposition(|b| *b == b'\n')
                .map_or(0, |at| at + 1);
            let line = bytes[..start].iter().filter(|b| **b == b'\n').count() + 1;
            let from = start.max(span.range.start.saturating_sub(80));
            let to = span.range.end.min(span.range.start + 100);
            let text = String::from_utf8_lossy(&read[from..to]).replace('\n', " ");
            println!("{shown}:{line}: {}: {text}", span.rule);
        }
        Ok(())
    }
}
