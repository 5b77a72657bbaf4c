//! The figures in README.md: the lines between two marks are what the raw runs give.

use super::read::Raw;
use super::{costs, quality};
use crate::Result;

const BEGIN: &str = "<!-- figures: begin -->";
const END: &str = "<!-- figures: end -->";

/// The text that belongs between the marks.
pub fn figures(raw: &Raw) -> String {
    let mut out = String::new();
    if !raw.answers.is_empty() {
        out.push_str(&quality::in_short(&raw.answers).render());
        out.push('\n');
    }
    if !raw.costs.is_empty() {
        out.push_str(&costs::in_short(raw));
    }
    out
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
    fn costs_are_told_from_the_least_to_the_most() {
        let line = r#"{"bench":"run","command":"cargo benchmark cost gin","program":"p","commit":null,"machine":"m","cpu":null,"date":"d"}
{"bench":"cost","repo":"gin","blobs":130,"cold_1_cpu_s":0.3,"parse_cpu_s":0.2,"cold_wall_s":0.109,"index_disk_bytes":30,"source_bytes":100,"noop_index_ms":5,"git_status_ms":4,"mcp_first_answer_ms":7,"symbol_p95_ms":0.04,"refs_p95_ms":0.14,"search_p95_ms":1.1}"#;
        let more = line.replace("\"gin\",\"blobs\":130", "\"vite\",\"blobs\":2445");
        let more = more.replace("\"cold_1_cpu_s\":0.3", "\"cold_1_cpu_s\":0.5");
        let text = figures(&parse(&[("cost", format!("{line}\n{more}"))]).unwrap());
        for part in [
            "Over 2 repositories (130 to 2,445 files), ",
            "takes 1.50 to 2.50 times the CPU of only parsing",
            "and 0.30 of their size",
            "`symbol` 0.040 ms, `refs` 0.14, `search` 1.10.",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn who_was_asked_less_stands_beside_ours_on_the_same() {
        let answer = |contender: &str, task: &str, score: f64| {
            format!(
                r#"{{"bench":"quality","set":"ndcg","kind":"locate","repo":"r","task":"{task}","lang":"rust","contender":"{contender}","offered":true,"ndcg10":{score},"score":{score},"recall":1.0,"tokens":100,"calls":1,"wall_ms":1}}"#
            )
        };
        let header = r#"{"bench":"run","command":"cargo benchmark quality","program":"p","commit":null,"machine":"m","cpu":null,"date":"d"}"#;
        let lines = [
            header.to_owned(),
            answer("git-sverklo", "a", 0.5),
            answer("git-sverklo", "b", 1.0),
            answer("semble", "b", 0.75),
        ];
        let text = figures(&parse(&[("quality", lines.join("\n"))]).unwrap());
        assert!(text.contains("ndcg locate, 2"), "{text}");
        assert!(text.contains("| git-sverklo | 0.750 / 100 |"), "{text}");
        assert!(
            text.contains("| semble | 0.750 (ours 1.000) / 100 |"),
            "{text}"
        );
    }
}
