//! The tables of cost, scale, instruction counts and faith.

use super::aggregate::{OURS, contenders};
use super::read::{Figures, Raw};
use super::table::{Table, figure, plural, prose, whole, with_unit};
use std::collections::BTreeMap;

/// What indexing and asking cost git-sverklo, each figure beside what it is to be compared with.
pub fn ratios(raw: &Raw) -> Table {
    let mut table = Table::new(
        1,
        &[
            "",
            "files",
            "cold index, CPU",
            "wall",
            "index stored",
            "no-op",
            "first MCP answer",
            "symbol / refs / search p95",
        ],
    );
    for line in &raw.costs {
        let p95 = ["symbol", "refs", "search"];
        let p95 = p95.map(|tool| figure(line.number(&format!("{tool}_p95_ms"))));
        let times = |ratio: Option<f64>, of: &str| with_unit(figure(ratio), &format!("x {of}"));
        table.row([
            line.text("repo").to_owned(),
            whole(line.number("blobs")),
            times(line.ratio("cold_1_cpu_s", "parse_cpu_s"), "parsing"),
            with_unit(figure(line.number("cold_wall_s")), "s"),
            times(line.ratio("index_disk_bytes", "source_bytes"), "source"),
            times(line.ratio("noop_index_ms", "git_status_ms"), "`git status`"),
            with_unit(figure(line.number("mcp_first_answer_ms")), "ms"),
            with_unit(p95.join(" / "), "ms"),
        ]);
    }
    table
}

/// The same in a paragraph, from the least to the most of all repositories: what README.md says.
pub fn in_short(raw: &Raw) -> String {
    let over = |values: Vec<Option<f64>>, shown: &dyn Fn(Option<f64>) -> String| {
        let values: Vec<f64> = values.into_iter().flatten().collect();
        let least = values.iter().copied().reduce(f64::min);
        let most = values.iter().copied().reduce(f64::max);
        match least == most {
            true => shown(least),
            false => format!("{} to {}", shown(least), shown(most)),
        }
    };
    let lines = &raw.costs;
    let figures = |key: &str| over(lines.iter().map(|l| l.number(key)).collect(), &figure);
    let ratios =
        |key: &str, of: &str| over(lines.iter().map(|l| l.ratio(key, of)).collect(), &figure);
    let files = over(lines.iter().map(|l| l.number("blobs")).collect(), &whole);
    format!(
        "Over {} ({files} files), a cold index takes {} times the CPU of only parsing the same files, \
         both on one thread, and {} of their size in the object store. `index` with nothing to do takes \
         {} times `git status`; a fresh server's first answer {} ms; in process at p95 `symbol` {} ms, \
         `refs` {}, `search` {}.\n",
        plural(lines.len(), "repository", "repositories"),
        ratios("cold_1_cpu_s", "parse_cpu_s"),
        ratios("index_disk_bytes", "source_bytes"),
        ratios("noop_index_ms", "git_status_ms"),
        figures("mcp_first_answer_ms"),
        figures("symbol_p95_ms"),
        figures("refs_p95_ms"),
        figures("search_p95_ms"),
    )
}

/// How a column shows a figure.
#[derive(Clone, Copy)]
enum Unit {
    Plain,
    Count,
    /// Bytes, shown in MB.
    Mega,
}

type Column = (&'static str, &'static str, Unit);

/// The figures of git-sverklo alone, as measured.
const ALONE: [Column; 21] = [
    ("source, MB", "source_bytes", Unit::Mega),
    ("parsing CPU, s", "parse_cpu_s", Unit::Plain),
    ("cold CPU on 1 thread, s", "cold_1_cpu_s", Unit::Plain),
    ("cold CPU, s", "cold_cpu_s", Unit::Plain),
    ("cold peak, MB", "cold_peak_mb", Unit::Plain),
    ("index stored, MB", "index_disk_bytes", Unit::Mega),
    ("git status, ms", "git_status_ms", Unit::Plain),
    ("no-op index, ms", "noop_index_ms", Unit::Plain),
    ("a question, ms", "clean_question_ms", Unit::Plain),
    ("after an edit, +ms", "one_edit_more_ms", Unit::Plain),
    ("after a commit, +ms", "one_commit_more_ms", Unit::Plain),
    ("git switch, ms", "git_switch_ms", Unit::Plain),
    (
        "a question after a switch, ms",
        "switch_question_ms",
        Unit::Plain,
    ),
    ("after the way back, ms", "return_question_ms", Unit::Plain),
    ("commit, ms", "commit_ms", Unit::Plain),
    ("commit with the hook, ms", "commit_hook_ms", Unit::Plain),
    ("symbol p50, ms", "symbol_p50_ms", Unit::Plain),
    ("refs p50, ms", "refs_p50_ms", Unit::Plain),
    ("search p50, ms", "search_p50_ms", Unit::Plain),
    ("server start, ms", "server_start_ms", Unit::Plain),
    ("serving peak, MB", "serving_peak_mb", Unit::Plain),
];

/// The figures of every contender on one repository.
const BESIDE: [Column; 17] = [
    ("cold CPU, s", "cold_cpu_s", Unit::Plain),
    ("cold wall, s", "cold_wall_s", Unit::Plain),
    ("cold peak, MB", "cold_peak_mb", Unit::Plain),
    ("index, MB", "index_bytes", Unit::Mega),
    ("no-op CPU, s", "noop_cpu_s", Unit::Plain),
    ("no-op wall, s", "noop_wall_s", Unit::Plain),
    ("one file touched CPU, s", "touched_cpu_s", Unit::Plain),
    ("one file touched wall, s", "touched_wall_s", Unit::Plain),
    ("branch switch, ms", "switch_ms", Unit::Plain),
    ("ready, ms", "ready_ms", Unit::Plain),
    ("definition p50, ms", "definition_p50_ms", Unit::Plain),
    ("definition p95, ms", "definition_p95_ms", Unit::Plain),
    ("references p50, ms", "references_p50_ms", Unit::Plain),
    ("references p95, ms", "references_p95_ms", Unit::Plain),
    ("locate p50, ms", "locate_p50_ms", Unit::Plain),
    ("locate p95, ms", "locate_p95_ms", Unit::Plain),
    ("serving peak, MB", "serving_peak_mb", Unit::Plain),
];

/// The figures of one size of made-up repository.
const SCALE: [Column; 18] = [
    ("files", "files", Unit::Count),
    ("source, MB", "source_bytes", Unit::Mega),
    ("cold CPU, s", "cold_cpu_s", Unit::Plain),
    ("cold wall, s", "cold_wall_s", Unit::Plain),
    ("cold peak, MB", "cold_peak_mb", Unit::Plain),
    ("index, MB", "index_bytes", Unit::Mega),
    ("no-op, ms", "noop_ms", Unit::Plain),
    ("one edit, ms", "one_edit_ms", Unit::Plain),
    ("one commit, ms", "one_commit_ms", Unit::Plain),
    ("branch switch, ms", "branch_switch_ms", Unit::Plain),
    ("symbol p50, ms", "symbol_p50_ms", Unit::Plain),
    ("symbol p95, ms", "symbol_p95_ms", Unit::Plain),
    ("refs p50, ms", "refs_p50_ms", Unit::Plain),
    ("search p50, ms", "search_p50_ms", Unit::Plain),
    ("search p95, ms", "search_p95_ms", Unit::Plain),
    ("ready, ms", "ready_ms", Unit::Plain),
    ("first MCP answer, ms", "mcp_first_answer_ms", Unit::Plain),
    ("serving peak, MB", "serving_peak_mb", Unit::Plain),
];

/// The figures of faithfulness.
const FAITH: [Column; 8] = [
    ("commits", "commits", Unit::Count),
    ("answers", "answers", Unit::Count),
    ("differ", "different", Unit::Count),
    ("after union", "union_answers", Unit::Count),
    ("union differ", "union_different", Unit::Count),
    ("after compaction", "compaction_answers", Unit::Count),
    ("compaction differ", "compaction_different", Unit::Count),
    ("machines", "machines", Unit::Count),
];

fn cells<'a>(columns: &'a [Column], line: &'a Figures) -> impl Iterator<Item = String> + 'a {
    columns.iter().map(|(_, key, unit)| {
        let value = line.number(key);
        match unit {
            Unit::Plain => figure(value),
            Unit::Count => whole(value),
            Unit::Mega => figure(value.map(|bytes| bytes / 1e6)),
        }
    })
}

fn head(texts: &[&'static str], columns: &[Column]) -> Vec<&'static str> {
    let titles = columns.iter().map(|(title, ..)| *title);
    texts.iter().copied().chain(titles).collect()
}

/// The section of the page about cost.
pub fn cost(raw: &Raw) -> String {
    let mut out = String::from("## Cost\n");
    if raw.costs.is_empty() && raw.beside.is_empty() {
        out.push_str("\nNo cost run is in this folder.\n");
    }
    if !raw.costs.is_empty() {
        out.push_str(
            "\n### Ratios\n\nRatios of one run say more than seconds of two. *Parsing* is tree-sitter \
             parsing and walking the same files on one thread, with nothing else done; cold CPU is \
             compared with it on one thread too. *No-op* is `git sverklo index` with nothing to do.\n\n",
        );
        out.push_str(&ratios(raw).render());
        let mut table = Table::new(1, &head(&["repository"], &ALONE));
        for line in &raw.costs {
            let name = std::iter::once(line.text("repo").to_owned());
            table.row(name.chain(cells(&ALONE, line)));
        }
        out.push_str(&super::quality::folded("As measured", &table));
    }
    if !raw.beside.is_empty() {
        out.push_str(
            "\n### Beside the contenders\n\nEmpty where it does not apply: what has no index has no \
             cold run. *No-op* and *one file touched* bring the index up to date; *ready* is the start \
             of the server; *definition* and *locate* are whole questions as the agent asks them.\n\n",
        );
        let texts = ["repository", "contender", "failed"];
        let mut table = Table::new(3, &head(&texts, &BESIDE));
        for (repo, contender, line) in beside(raw) {
            let names = [
                repo.to_owned(),
                contender.to_owned(),
                prose(line.text("error")),
            ];
            table.row(names.into_iter().chain(cells(&BESIDE, line)));
        }
        out.push_str(&table.render());
    }
    out
}

/// Every contender's figures by repository, ours first; where no line of the comparison has ours,
/// the line about git-sverklo alone stands in, which has the figures of a cold index too.
pub fn beside(raw: &Raw) -> Vec<(&str, &str, &Figures)> {
    let mut repos: BTreeMap<&str, BTreeMap<(bool, &str), &Figures>> = BTreeMap::new();
    for line in &raw.beside {
        let name = line.text("contender");
        let repo = repos.entry(line.text("repo")).or_default();
        repo.insert((name != OURS, name), line);
    }
    for line in &raw.costs {
        if let Some(repo) = repos.get_mut(line.text("repo")) {
            repo.entry((false, OURS)).or_insert(line);
        }
    }
    let rows = repos.into_iter().flat_map(|(repo, rows)| {
        let row = move |((_, name), line)| (repo, name, line);
        rows.into_iter().map(row)
    });
    rows.collect()
}

/// The section of the page about growth.
pub fn scale(raw: &Raw) -> String {
    let mut out = String::from("## Scale\n");
    if raw.scale.is_empty() && raw.growth.is_empty() {
        out.push_str("\nNo scale run is in this folder.\n");
    }
    if !raw.growth.is_empty() {
        out.push_str(
            "\nGrowth exponents over made-up monorepos: a cost that grows as files^1 doubles when the \
             files double; 0 is a cost that does not grow.\n\n",
        );
        out.push_str(&growth(raw).render());
    }
    if !raw.scale.is_empty() {
        let mut table = Table::new(2, &head(&["contender", "failed"], &SCALE));
        let names = contenders(raw.scale.iter().map(|line| line.text("contender")));
        for name in names {
            for line in raw
                .scale
                .iter()
                .filter(|line| line.text("contender") == name)
            {
                let first = [name.to_owned(), prose(line.text("error"))];
                table.row(first.into_iter().chain(cells(&SCALE, line)));
            }
        }
        out.push('\n');
        out.push_str(&table.render());
    }
    out
}

/// Exponents, a row a cost and a column a contender.
fn growth(raw: &Raw) -> Table {
    let names = contenders(raw.growth.iter().map(|line| line.text("contender")));
    let mut head = vec!["cost", "files"];
    head.extend(&names);
    let mut table = Table::new(2, &head);
    let mut rows: BTreeMap<(usize, &str, String), BTreeMap<&str, f64>> = BTreeMap::new();
    for line in &raw.growth {
        let cost = line.text("cost");
        let place = SCALE.iter().position(|(_, key, _)| *key == cost);
        let (from, to) = (line.number("from_files"), line.number("to_files"));
        let range = format!("{} to {}", whole(from), whole(to));
        let row = rows
            .entry((place.unwrap_or(SCALE.len()), cost, range))
            .or_default();
        if let Some(exponent) = line.number("exponent") {
            row.insert(line.text("contender"), exponent);
        }
    }
    for ((place, cost, range), exponents) in rows {
        let title = SCALE.get(place).map_or(cost, |(title, ..)| title);
        let title = title.split(", ").next().unwrap_or(title);
        let cell = |name: &&str| {
            exponents
                .get(name)
                .map_or(String::new(), |e| format!("{e:.2}"))
        };
        let first = [title.to_owned(), range];
        table.row(first.into_iter().chain(names.iter().map(cell)));
    }
    table
}

/// The section of the page about instruction counts.
pub fn instructions(raw: &Raw) -> String {
    let mut out = String::from("## Instructions\n\n");
    if raw.instructions.is_empty() {
        out.push_str("No instruction counts are in this folder.\n");
        return out;
    }
    out.push_str(
        "Counts of fixed workloads, which a noisy machine does not change; the baseline is the \
         committed count.\n\n",
    );
    let mut table = Table::new(
        2,
        &["workload", "profile", "instructions", "baseline", "change"],
    );
    for line in &raw.instructions {
        let change = line.ratio("instructions", "baseline");
        table.row([
            line.text("workload").to_owned(),
            line.text("profile").to_owned(),
            whole(line.number("instructions")),
            whole(line.number("baseline")),
            change.map_or(String::new(), |ratio| {
                format!("{:+.1}%", (ratio - 1.0) * 100.0)
            }),
        ]);
    }
    out.push_str(&table.render());
    out
}

/// The section of the page about faithfulness.
pub fn faith(raw: &Raw) -> String {
    let mut out = String::from("## Faith\n\n");
    if raw.faith.is_empty() {
        out.push_str("No faith run is in this folder.\n");
        return out;
    }
    out.push_str(
        "Answers about past commits, from one index that has seen all of them, compared with those of \
         a fresh index in a clean checkout of each; the same after the union of two indexes and after \
         compaction; and whether machines that indexed on their own have the same object ids.\n\n",
    );
    let mut head = head(&["repository"], &FAITH);
    head.push("same ids");
    let mut table = Table::new(1, &head);
    for line in &raw.faith {
        let same = line
            .flag("ids_equal")
            .map(|same| if same { "yes" } else { "**no**" });
        let name = std::iter::once(line.text("repo").to_owned());
        let cells = name.chain(cells(&FAITH, line));
        table.row(cells.chain([same.unwrap_or_default().to_owned()]));
    }
    out.push_str(&table.render());
    out
}
