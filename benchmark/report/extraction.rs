//! The table of what extraction misses of universal-ctags' definitions.

use super::quality::folded;
use super::read::{Figures, Raw};
use super::table::{Table, code, figure, plural, whole};
use std::collections::{BTreeMap, BTreeSet};

/// The state whose files are listed.
const NOW: &str = "now";
/// The state that it is compared with.
const BEFORE: &str = "before";

/// The section of the page; empty when nothing of it was measured.
pub fn extraction(raw: &Raw) -> String {
    if raw.extraction.is_empty() {
        return String::new();
    }
    let mut names = BTreeSet::new();
    for line in &raw.extraction {
        names.extend(line.texts("names"));
    }
    let mut out = format!(
        "## Extraction\n\nDefinitions of classes, functions and methods in product code that universal-ctags \
         finds, over {}, and the share of them that is recorded. What ctags reports and is none is set aside by \
         rules (`benchmark/extraction/`): locals, calls of macros, words of comments. A *loser* is a file that \
         loses five or more; of those that *lose their rest* nothing is recorded from the first loss on. \
         *Gaps* are the bytes in a thousand that are recorded as not understood. Files \
         over the limit of size (1 MiB) are not read, and `status` names them: their definitions are *too large* and \
         count apart, in no other column.\n\n",
        plural(names.len(), "repository", "repositories"),
    );
    out.push_str(&shares(raw).render());
    out.push_str(&folded("Every file that loses five or more", &files(raw)));
    out
}

fn of_state<'r>(raw: &'r Raw, state: &str) -> BTreeMap<&'r str, &'r Figures> {
    let lines = raw.extraction.iter();
    let lines = lines.filter(|line| line.text("state") == state);
    lines.map(|line| (line.text("language"), line)).collect()
}

fn shares(raw: &Raw) -> Table {
    let head = [
        "language",
        "repositories",
        "files",
        "definitions",
        "before",
        "now",
        "missed",
        "losers before",
        "losers",
        "lose their rest",
        "gaps",
        "too large",
    ];
    let (before, now) = (of_state(raw, BEFORE), of_state(raw, NOW));
    let mut table = Table::new(1, &head);
    for (language, line) in &now {
        let earlier = before.get(language);
        let share = |line: &Figures| {
            let share = line.ratio("found", "definitions");
            share.map_or(String::new(), |share| format!("{share:.4}"))
        };
        let missed = line.number("definitions").zip(line.number("found"));
        let gaps = line.ratio("gap_bytes", "bytes").map(|share| share * 1e3);
        table.row([
            (*language).to_owned(),
            whole(line.number("repositories")),
            whole(line.number("files_read")),
            whole(line.number("definitions")),
            earlier.map_or(String::new(), |line| share(line)),
            share(line),
            whole(missed.map(|(all, found)| all - found)),
            whole(earlier.and_then(|line| line.number("losers"))),
            whole(line.number("losers")),
            whole(line.number("rests")),
            figure(gaps),
            large(line),
        ]);
    }
    table
}

/// Definitions in files over the limit of size.
fn large(line: &Figures) -> String {
    let found = line.number("large").zip(line.number("large_files"));
    match found.filter(|(_, files)| *files > 0.0) {
        Some((all, files)) => format!("{} in {}", whole(Some(all)), whole(Some(files))),
        None => String::new(),
    }
}

fn files(raw: &Raw) -> Table {
    let mut table = Table::new(2, &["language", "file", "definitions", "lost", "why"]);
    for (language, line) in of_state(raw, NOW) {
        for file in line.list("files") {
            let rest = match file.flag("rest") {
                Some(true) => ", and all that follows",
                _ => "",
            };
            table.row([
                language.to_owned(),
                code(&format!("{}/{}", file.text("repo"), file.text("path"))),
                whole(file.number("definitions")),
                whole(file.number("lost")),
                format!("{}{rest}", file.text("why")),
            ]);
        }
    }
    table
}
