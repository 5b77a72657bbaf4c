//! The page as a whole, beginning with what a reader with five minutes wants.

use super::aggregate::{OURS, contenders, group};
use super::losses::Standing;
use super::plot::Plot;
use super::read::{FILES, Figures, Header, Raw};
use super::table::{Table, code, html, plural, prose};
use super::{costs, extraction, fit, life, quality};
use std::collections::{BTreeMap, BTreeSet};

/// Writes the page; `plots` are shown under the names they will have.
pub fn render(raw: &Raw, standing: &Standing, plots: &[Plot]) -> String {
    let sections = [
        opening(raw, standing),
        pictures(plots),
        quality::render(raw),
        fit::render(raw),
        standing.render(),
        costs::cost(raw),
        costs::scale(raw),
        costs::instructions(raw),
        costs::faith(raw),
        life::life(raw),
        extraction::extraction(raw),
        reading(),
    ];
    let written: Vec<&str> = sections.iter().map(|text| text.trim_end()).collect();
    let written: Vec<&str> = written
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect();
    format!("{}\n", written.join("\n\n"))
}

fn opening(raw: &Raw, standing: &Standing) -> String {
    let mut out = format!(
        "# How good is git-sverklo?\n\nWritten by `cargo benchmark report` from the raw lines in `{}`; \
         `cargo benchmark report --check` fails when this page is not what they give.\n\n",
        raw.folder
    );
    out.push_str("## In five minutes\n\n");
    out.push_str(&measured(raw));
    out.push_str(&machines(raw));
    out.push('\n');
    out.push_str(&commands(raw).render());
    if !raw.answers.is_empty() {
        out.push_str(
            "\nMean score over all tasks, and mean tokens of an answer as a model reads it (o200k). What \
             a contender has nothing for is *not offered*. The best score is bold.\n\n",
        );
        out.push_str(&quality::headline(&raw.answers).render());
        let total = standing.total();
        if total.tasks > 0 {
            out.push_str(&format!(
                "\nOf {}, git-sverklo alone is best on {}, even with the best other on {}, and [loses \
                 {}](#every-task-we-lose); nobody scores 1 on {}.\n",
                plural(total.tasks, "task", "tasks"),
                total.won,
                total.even,
                total.lost,
                total.unsolved
            ));
            out.push_str(&reasons(standing));
        }
    }
    if !raw.costs.is_empty() {
        out.push_str("\nWhat git-sverklo costs, [in ratios](#ratios):\n\n");
        out.push_str(&costs::ratios(raw).render());
    }
    if raw.answers.iter().any(|a| a.nothing_to_find()) {
        out.push_str(
            "\nTasks about dead code where nothing is dead are shown apart, since answering nothing \
             scores 1 there.\n",
        );
    }
    out.push_str(&absent(raw));
    out
}

/// Why tasks are lost, in one sentence.
fn reasons(standing: &Standing) -> String {
    const SAID: usize = 3;
    let reasons = standing.reasons();
    if reasons.is_empty() {
        return String::new();
    }
    let said = reasons.iter().take(SAID);
    let said: Vec<String> = said
        .map(|(why, losses)| format!("{} ({})", html(why), losses.len()))
        .collect();
    format!("\nMost frequent reasons: {}.\n", said.join("; "))
}

/// What was measured, counted from the lines.
fn measured(raw: &Raw) -> String {
    let mut parts = Vec::new();
    if !raw.answers.is_empty() {
        let tasks = group(&raw.answers, |a| a.task_key());
        let repos = group(&raw.answers, |a| &a.repo);
        let names = contenders(raw.answers.iter().map(|a| a.contender.as_str()));
        parts.push(format!(
            "**Quality:** {} about {}, asked of {}: {}.",
            plural(tasks.len(), "task", "tasks"),
            plural(repos.len(), "repository", "repositories"),
            plural(names.len(), "contender", "contenders"),
            names.join(", ")
        ));
    }
    let list = |lines: &[Figures], key: &str| {
        let names: BTreeSet<&str> = lines.iter().map(|line| line.text(key)).collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    };
    if !raw.costs.is_empty() {
        parts.push(format!(
            "**Cost** of indexing and asking: {}.",
            list(&raw.costs, "repo")
        ));
    }
    if !raw.beside.is_empty() {
        let names = contenders(raw.beside.iter().map(|line| line.text("contender")));
        parts.push(format!(
            "**Cost beside others:** {} on {}.",
            names.join(", "),
            list(&raw.beside, "repo")
        ));
    }
    let sizes = raw.scale.iter().filter_map(|line| line.number("files"));
    if let Some(most) = sizes.max_by(f64::total_cmp) {
        parts.push(format!(
            "**Scale:** made-up monorepos of up to {}.",
            plural(most as usize, "file", "files")
        ));
    }
    if !raw.faith.is_empty() {
        let sum = |key: &str| raw.faith.iter().filter_map(|l| l.number(key)).sum::<f64>() as usize;
        let different = ["different", "union_different", "compaction_different"]
            .map(sum)
            .iter()
            .sum::<usize>();
        let compared = ["answers", "union_answers", "compaction_answers"]
            .map(sum)
            .iter()
            .sum::<usize>();
        parts.push(format!(
            "**Faith:** {} compared on {}, {} of them different.",
            plural(compared, "answer", "answers"),
            list(&raw.faith, "repo"),
            different
        ));
    }
    parts.iter().map(|part| format!("- {part}\n")).collect()
}

/// The machines that the runs were made on.
fn machines(raw: &Raw) -> String {
    let all = raw.runs.values().flatten();
    let machines: BTreeSet<(&str, &str)> = all
        .map(|run| (run.machine.as_str(), run.cpu.as_deref().unwrap_or("")))
        .collect();
    let name = |(machine, cpu): &(&str, &str)| match *cpu {
        "" => (*machine).to_owned(),
        cpu => format!("{machine} ({})", cpu.trim()),
    };
    match machines.len() {
        0 => String::new(),
        _ => {
            let names: Vec<String> = machines.iter().map(name).collect();
            format!("- **Machine:** {}.\n", names.join(", "))
        }
    }
}

/// The command behind each part.
fn commands(raw: &Raw) -> Table {
    let mut table = Table::new(5, &["part", "command", "program", "commit", "date"]);
    for file in FILES {
        let Some(runs) = raw.runs.get(file) else {
            continue;
        };
        if runs.is_empty() {
            table.row([file.to_owned(), "not recorded in these lines".to_owned()]);
        }
        for run in distinct(runs) {
            table.row([
                file.to_owned(),
                code(&run.command),
                run.program.clone(),
                run.commit.clone().unwrap_or_default(),
                run.date.clone(),
            ]);
        }
    }
    table
}

/// The same command again is said once.
pub fn distinct(runs: &[Header]) -> Vec<&Header> {
    let mut kept: Vec<&Header> = Vec::new();
    for run in runs {
        if !kept.contains(&run) {
            kept.push(run);
        }
    }
    kept
}

/// Who could not be asked, and why.
fn absent(raw: &Raw) -> String {
    if raw.absent.is_empty() {
        return String::new();
    }
    let mut reasons: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for line in &raw.absent {
        let key = (line.text("contender"), line.text("reason"));
        reasons.entry(key).or_default().push(line.text("file"));
    }
    let mut table = Table::new(3, &["absent", "from", "reason"]);
    for ((name, reason), files) in reasons {
        let reason = prose(reason);
        table.row([name.to_owned(), files.join(", "), reason]);
    }
    format!("\nAbsent contenders:\n\n{}", table.render())
}

fn pictures(plots: &[Plot]) -> String {
    let shown = |plot: &Plot| format!("![{}](plots/{})\n", plot.title, plot.file);
    plots.iter().map(shown).collect::<Vec<_>>().join("\n")
}

/// What the words in the tables mean.
fn reading() -> String {
    format!(
        "## How to read the tables\n\n\
         - *Score* is what a set is judged by: F1 of the places, files or names answered, NDCG@10 of a \
         `locate`. A contender that fails at a task scores 0 there; *failed* counts these.\n\
         - A definition is found or not: one right place among those answered is enough, and *first \
         right* is the share where the first one is it. F1 of dependencies is the harmonic mean of that of the imports and that of the importers, so one side \
         missed is 0, while precision and recall are means of the two. *R@5*, *R@10* and *R@20* count \
         distinct files, *R@50* results.\n\
         - *S.e.* is the standard error of the mean score, which says how far the mean of other tasks of \
         the same sort would typically be from it. Contenders that differ by less than two of them are \
         better compared task by task, as *won, even, lost*.\n\
         - *Of all* has 0 for what a contender does not offer, so it says how far the contender alone \
         would carry an agent; the other means are over what it offers.\n\
         - *Gated tokens* are the mean of tokens / recall over the *correct* tasks, those with F1 of at \
         least 0.8, as bench:primitives has it; for a `locate`, with recall@10 of at least 0.8, tokens / \
         recall@10. *Ungated tokens* are all tokens / the sum of recall.\n\
         - *Tokens* and *wall* are means over what is offered; *calls* are those of tools or commands.\n\
         - {OURS} is asked over MCP, as an agent asks it.\n"
    )
}
