//! The tables of an index's life: growth commit by commit, and moves of the tree.

use super::read::{Figures, Raw};
use super::table::{Table, figure, whole};

/// The section of the page; empty when nothing of it was measured.
pub fn life(raw: &Raw) -> String {
    if raw.life_growth.is_empty() && raw.moves.is_empty() {
        return String::new();
    }
    let mut out = String::from("## Life\n");
    if !raw.life_growth.is_empty() {
        out.push_str(
            "\nThe last commits of a first-parent history, indexed one by one as hooks would. *Written* is \
             the bytes of new objects over those that a compacted index has more at the end than at the \
             beginning. *New* is what a push after each commit must send. *Of the tip* is \
             beside an index of the last commit alone.\n\n",
        );
        out.push_str(&growth(raw).render());
        out.push_str(&super::quality::folded("The curve", &curve(raw)));
    }
    if !raw.moves.is_empty() {
        out.push_str(
            "\nThe first question after the tree has moved, in a new process and to a running server. \
             *Extraction* is that of the uncovered files alone, in memory; *more* is what the first \
             question took beyond it.\n\n",
        );
        out.push_str(&moves(raw).render());
    }
    out
}

fn mega(line: &Figures, key: &str) -> String {
    figure(line.number(key).map(|bytes| bytes / 1e6))
}

fn kilo(line: &Figures, key: &str) -> String {
    figure(line.number(key).map(|bytes| bytes / 1e3))
}

fn growth(raw: &Raw) -> Table {
    let head = [
        "repository",
        "program",
        "commits",
        "documents",
        "of the tip",
        "index, MB",
        "of the tip",
        "after gc, MB",
        "segments",
        "at most",
        "written",
        "new a commit, kB",
        "p50",
        "p95",
        "pushing every tenth",
        "index p50, ms",
        "symbol served p50, ms",
        "after gc",
    ];
    let mut table = Table::new(2, &head);
    for line in &raw.life_growth {
        let count = |key| whole(line.number(key));
        table.row([
            line.text("repo").to_owned(),
            line.text("variant").to_owned(),
            count("commits"),
            count("documents"),
            figure(line.ratio("documents", "tip_documents")),
            mega(line, "index_bytes"),
            figure(line.ratio("index_bytes", "tip_bytes")),
            mega(line, "gc_bytes"),
            count("segments"),
            count("most_segments"),
            figure(line.number("written_per_added")),
            kilo(line, "push_mean_bytes"),
            kilo(line, "push_p50_bytes"),
            kilo(line, "push_p95_bytes"),
            kilo(line, "push_rarely_mean_bytes"),
            figure(line.number("index_p50_ms")),
            figure(line.number("served_p50_ms")),
            figure(line.number("gc_served_p50_ms")),
        ]);
    }
    table
}

fn curve(raw: &Raw) -> Table {
    let head = [
        "repository",
        "program",
        "commits",
        "index, MB",
        "segments",
        "documents",
        "new so far, MB",
    ];
    let mut table = Table::new(2, &head);
    for line in &raw.curve {
        table.row([
            line.text("repo").to_owned(),
            line.text("variant").to_owned(),
            whole(line.number("commits")),
            mega(line, "index_bytes"),
            whole(line.number("segments")),
            whole(line.number("documents")),
            mega(line, "pushed_bytes"),
        ]);
    }
    table
}

fn moves(raw: &Raw) -> Table {
    let figures = [
        ("git, ms", "move_ms"),
        ("uncovered", "uncovered"),
        ("extraction, ms", "extraction_ms"),
        ("first, ms", "first_ms"),
        ("more", "first_more_ms"),
        ("again", "again_ms"),
        ("served first, ms", "served_first_ms"),
        ("more", "served_first_more_ms"),
        ("again", "served_again_ms"),
        ("disk of all to one", "disk_ratio"),
        ("with edits", "disk_edited_ratio"),
    ];
    let mut head = vec!["repository", "move"];
    head.extend(figures.map(|(title, _)| title));
    let mut table = Table::new(2, &head);
    for line in &raw.moves {
        let names = [line.text("repo"), line.text("move")].map(str::to_owned);
        let cells = figures.map(|(_, key)| figure(line.number(key)));
        table.row(names.into_iter().chain(cells));
    }
    table
}
