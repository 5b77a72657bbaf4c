//! The figures in README.md: the lines between two marks are what the raw runs give.

use super::aggregate::OURS;
use super::read::{Answered, Raw};
use super::{costs, quality};
use crate::Result;

const BEGIN: &str = "<!-- figures: begin -->";
const END: &str = "<!-- figures: end -->";

/// The text that belongs between the marks.
pub fn figures(raw: &Raw) -> String {
    let mut out = String::new();
    if !raw.answers.is_empty() {
        out.push_str(&format!(
            "How good are the answers? Score (1 is perfect) / tokens of the answer, means over all tasks \
             ({}):\n\n",
            made_by(raw, "quality")
        ));
        out.push_str(&quality::headline(&asked_everything(raw)).render());
        out.push('\n');
    }
    if !raw.costs.is_empty() {
        out.push_str(&format!(
            "What do indexing and asking cost? *Parsing* is tree-sitter parsing and walking the same \
             files, with nothing else done ({}):\n\n",
            made_by(raw, "cost")
        ));
        out.push_str(&costs::ratios(raw).render());
        out.push('\n');
    }
    out.push_str(
        "These are written by `cargo benchmark report`; `benchmark/REPORT.md` has more, with every task \
         that git-sverklo loses and why.\n",
    );
    out
}

/// The answers of those who were asked every task; the page has the others too.
fn asked_everything(raw: &Raw) -> Vec<Answered> {
    let asked = |name: &str| {
        let tasks = raw.answers.iter().filter(|a| a.contender == name);
        tasks.count()
    };
    let all = asked(OURS);
    let answers = raw.answers.iter();
    answers
        .filter(|a| asked(&a.contender) >= all)
        .cloned()
        .collect()
}

/// Where the commands and the raw lines of a table are; a README has no room for them.
fn made_by(raw: &Raw, file: &str) -> String {
    format!(
        "`cargo benchmark {file}`; the whole commands are in `benchmark/REPORT.md`, raw lines in `{}`",
        raw.folder
    )
}

/// The README with these figures in place of those it has.
pub fn replace(readme: &str, figures: &str) -> Result<String> {
    let marks = |mark: &str| readme.matches(mark).count();
    if (marks(BEGIN), marks(END)) != (1, 1) {
        return Err(format!("README.md: `{BEGIN}` and `{END}` must each be there once").into());
    }
    let (before, rest) = readme.split_once(BEGIN).ok_or("the mark was counted")?;
    let (_, after) = rest
        .split_once(END)
        .ok_or_else(|| format!("README.md: `{END}` must come after `{BEGIN}`"))?;
    Ok(format!("{before}{BEGIN}\n{figures}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::read::parse;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let readme = format!("# A\n\n{BEGIN}\nold\n{END}\n\nrest\n");
        let new = replace(&readme, "| new |\n").unwrap();
        assert_eq!(new, format!("# A\n\n{BEGIN}\n| new |\n{END}\n\nrest\n"));
        assert_eq!(replace(&new, "| new |\n").unwrap(), new);
    }

    #[test]
    fn marks_must_be_there_once_and_in_order() {
        assert!(replace("# A\n", "x").is_err());
        assert!(replace(&format!("{END}\n{BEGIN}\n"), "x").is_err());
        assert!(replace(&format!("{BEGIN}{END}{BEGIN}{END}"), "x").is_err());
    }

    #[test]
    fn the_figures_say_their_command_and_folder() {
        let line = r#"{"bench":"run","command":"cargo benchmark cost gin","program":"p","commit":null,"machine":"m","cpu":null,"date":"d"}
{"bench":"cost","repo":"gin","blobs":130,"cold_1_cpu_s":0.3,"parse_cpu_s":0.2,"cold_wall_s":0.109,"index_disk_bytes":30,"source_bytes":100,"noop_index_ms":5,"git_status_ms":4,"mcp_first_answer_ms":7,"symbol_p95_ms":0.04,"refs_p95_ms":0.14,"search_p95_ms":1.1}"#;
        let mut raw = parse(&[("cost", line.to_owned())]).unwrap();
        raw.folder = "benchmark/runs/x".to_owned();
        let text = figures(&raw);
        assert!(text.contains("(`cargo benchmark cost`; "));
        assert!(text.contains("raw lines in `benchmark/runs/x`)"));
        assert!(
            text.contains(
                "| gin | 130 | 1.50 x parsing | 0.11 s | 0.30 x source | 1.25 x `git status` | 7.00 ms | 0.040 / 0.14 / 1.10 ms |"
            ),
            "{text}"
        );
    }
}
