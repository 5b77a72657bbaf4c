//! The plots: quality against tokens, cold index, latency, scale.

use super::aggregate::{OURS, contenders, count_tasks, group, set_order, summaries};
use super::costs::beside;
use super::plot::{
    Area, BAR, HEADER, INK, LABEL, Labels, LinearAxis, Margins, OURS_COLOR, Plot, Side, color,
    drawing, extent, failed, log_axis, log_range, panel, text, unit_axis,
};
use super::read::{Figures, Raw};
use super::table::figure;
use crate::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::collections::BTreeMap;

/// Panels beside each other.
const COLUMNS: usize = 2;
/// The middle of the height, right of the point.
const BESIDE: (HPos, VPos) = (HPos::Left, VPos::Center);

/// All plots that the lines have figures for.
pub fn draw(raw: &Raw) -> Result<Vec<Plot>> {
    let answers = raw.answers.iter().map(|a| a.contender.as_str());
    let lines = raw
        .beside
        .iter()
        .chain(&raw.scale)
        .map(|line| line.text("contender"));
    let names = contenders(answers.chain(lines).chain([OURS]));
    let plots = [
        quality(raw, &names)?,
        cold(raw, &names)?,
        latency(raw)?,
        scale(raw, &names)?,
        search_growth(raw)?,
    ];
    Ok(plots.into_iter().flatten().collect())
}

/// The panels' areas under the title, left to right and down.
fn panels<'a>(root: &Area<'a>, count: usize) -> Vec<Area<'a>> {
    let (_, below) = root.split_vertically(HEADER);
    let columns = COLUMNS.min(count);
    below.split_evenly((count.div_ceil(columns), columns))
}

/// The height of a plot of so many panels.
fn height(count: usize, each: u32) -> u32 {
    HEADER + count.div_ceil(COLUMNS) as u32 * each
}

/// Score against tokens, a panel a set.
fn quality(raw: &Raw, names: &[&str]) -> Result<Option<Plot>> {
    let shown = raw.answers.iter().filter(|a| !a.nothing_to_find());
    // Name, tokens and score of each contender.
    type Points<'a> = Vec<(&'a str, f64, f64)>;
    let sets: Vec<(&str, Points)> = group(shown, |a| set_order(&a.set))
        .into_iter()
        .map(|((_, set), answers)| {
            let tasks = count_tasks(&answers);
            // A mean over some of the tasks has no place beside means over all.
            let rows = summaries(&answers).into_iter();
            let rows = rows.filter(|(_, s)| s.asked == tasks);
            let points = rows.filter_map(|(name, s)| Some((name, s.tokens?, s.score_all?)));
            (set, points.filter(|(_, tokens, _)| *tokens > 0.0).collect())
        })
        .collect();
    let every = sets
        .iter()
        .flat_map(|(_, points)| points.iter().map(|(_, tokens, _)| *tokens));
    let Some(axis) = log_axis(every) else {
        return Ok(None);
    };
    let range = axis.range();
    let title = "Quality against tokens: up and left is better";
    let plot = drawing("quality.svg", title, height(sets.len(), 330), |root| {
        for (area, (set, points)) in panels(root, sets.len()).iter().zip(&sets) {
            let titles = (
                "mean tokens of an answer",
                Some("mean score over all tasks"),
            );
            let margins = Margins {
                left: 56,
                right: 24,
            };
            let axis = log_range(range.clone());
            let mut chart = panel(
                area,
                &format!("set {set}"),
                margins,
                titles,
                axis,
                unit_axis(),
            )?;
            let mut labels = Labels::within(chart.plotting_area().get_pixel_range());
            let place = |x: f64, y: f64| chart.backend_coord(&(x, y));
            let at: Vec<_> = points.iter().map(|(_, x, y)| place(*x, *y)).collect();
            at.iter().for_each(|at| labels.avoid(*at, 6));
            let circles = points.iter().map(|(name, x, y)| {
                Circle::new((*x, *y), radius(name), color(name, names).filled())
            });
            chart.draw_series(circles).map_err(failed)?;
            for ((name, ..), at) in points.iter().zip(at) {
                let place = labels.place(at, name, LABEL, Side::Any);
                text(root, name, place, LABEL, ink(name), BESIDE)?;
            }
        }
        Ok(())
    });
    plot.map(Some)
}

/// Ours is a little larger.
fn radius(name: &str) -> i32 {
    if name == OURS { 6 } else { 5 }
}

/// The colour of a name.
fn ink(name: &str) -> RGBColor {
    if name == OURS { OURS_COLOR } else { INK }
}

/// CPU seconds of a cold index, a panel a repository and a bar a contender.
fn cold(raw: &Raw, names: &[&str]) -> Result<Option<Plot>> {
    let rows = beside(raw).into_iter().filter_map(|(repo, name, line)| {
        let seconds = line.number("cold_cpu_s").filter(|seconds| *seconds > 0.0)?;
        Some((repo, name, seconds))
    });
    let mut repos: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
    for (repo, name, seconds) in rows {
        repos.entry(repo).or_default().push((name, seconds));
    }
    let every = repos.values().flatten().map(|(_, seconds)| *seconds);
    let Some(axis) = log_axis(every) else {
        return Ok(None);
    };
    // Room for the figure behind the longest bar.
    let range = axis.range().start..axis.range().end * 2.5;
    let most = repos.values().map(Vec::len).max().unwrap_or(0);
    let each = 90 + 24 * most as u32;
    let title = "CPU seconds of a cold index (logarithmic)";
    let plot = drawing("cold.svg", title, height(repos.len(), each), |root| {
        for (area, (repo, bars)) in panels(root, repos.len()).iter().zip(&repos) {
            let axis = log_range(range.clone());
            let margins = Margins {
                left: names_width(names),
                right: 16,
            };
            let titles = ("CPU seconds", None);
            let mut chart = panel(area, repo, margins, titles, axis, rows_axis(most))?;
            for (row, (name, seconds)) in bars.iter().enumerate() {
                let top = row as f64;
                let fill = if *name == OURS { OURS_COLOR } else { BAR };
                let corners = [(range.start, top + 0.18), (*seconds, top + 0.82)];
                let bar = Rectangle::new(corners, fill.filled());
                chart.draw_series([bar]).map_err(failed)?;
                row_name(root, &chart.backend_coord(&(range.start, top + 0.5)), name)?;
                let (x, y) = chart.backend_coord(&(*seconds, top + 0.5));
                text(
                    root,
                    &figure(Some(*seconds)),
                    (x + 5, y),
                    LABEL,
                    INK,
                    BESIDE,
                )?;
            }
        }
        Ok(())
    });
    plot.map(Some)
}

/// An axis of rows from the top down.
fn rows_axis(rows: usize) -> LinearAxis {
    (rows as f64..0.0).into()
}

/// Room for the longest name beside a panel.
fn names_width(names: &[&str]) -> u32 {
    let widths = names.iter().map(|name| extent(name, LABEL).0);
    widths.max().unwrap_or(0).unsigned_abs() + 8
}

/// Writes a contender's name before its row.
fn row_name(root: &Area, (x, y): &(i32, i32), name: &str) -> Result<()> {
    let right = (HPos::Right, VPos::Center);
    text(root, name, (x - 6, *y), LABEL, ink(name), right)
}

/// Median and 95th percentile of whole questions, a panel a repository.
fn latency(raw: &Raw) -> Result<Option<Plot>> {
    // Of each kind of question: its name, its columns, its colour and its place in the row.
    let kinds = [
        ("definition", OURS_COLOR, 0.32),
        ("locate", RGBColor(213, 94, 0), 0.68),
    ];
    let spans = |line: &Figures| {
        kinds.map(|(kind, ..)| {
            let p50 = line
                .number(&format!("{kind}_p50_ms"))
                .filter(|ms| *ms > 0.0)?;
            let p95 = line.number(&format!("{kind}_p95_ms")).unwrap_or(p50);
            Some((p50, p95.max(p50)))
        })
    };
    type Row<'a> = (&'a str, [Option<(f64, f64)>; 2]);
    let mut repos: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for (repo, name, line) in beside(raw) {
        let spans = spans(line);
        if spans.iter().any(Option::is_some) {
            repos.entry(repo).or_default().push((name, spans));
        }
    }
    let every = repos
        .values()
        .flatten()
        .flat_map(|(_, spans)| spans.iter().flatten());
    let Some(axis) = log_axis(every.flat_map(|(p50, p95)| [*p50, *p95])) else {
        return Ok(None);
    };
    let range = axis.range();
    let names: Vec<&str> = repos.values().flatten().map(|(name, _)| *name).collect();
    let most = repos.values().map(Vec::len).max().unwrap_or(0);
    let each = 90 + 30 * most as u32;
    let title =
        "Latency of a question: the dot is the median, the line ends at the 95th percentile";
    let plot = drawing(
        "latency.svg",
        title,
        height(repos.len(), each) + 20,
        |root| {
            let mut x = 18;
            for (kind, color, _) in kinds {
                dot(root, (x, 44), color)?;
                text(root, kind, (x + 10, 44), LABEL, INK, BESIDE)?;
                x += extent(kind, LABEL).0 + 36;
            }
            let (_, below) = root.split_vertically(20);
            for (area, (repo, rows)) in panels(&below, repos.len()).iter().zip(&repos) {
                let axis = log_range(range.clone());
                let margins = Margins {
                    left: names_width(&names),
                    right: 16,
                };
                let chart = panel(area, repo, margins, ("ms", None), axis, rows_axis(most))?;
                for (row, (name, spans)) in rows.iter().enumerate() {
                    let top = row as f64;
                    row_name(root, &chart.backend_coord(&(range.start, top + 0.5)), name)?;
                    for (span, (_, color, down)) in spans.iter().zip(kinds) {
                        let Some((p50, p95)) = span else { continue };
                        let from = chart.backend_coord(&(*p50, top + down));
                        let to = chart.backend_coord(&(*p95, top + down));
                        let line = PathElement::new([from, to], color.stroke_width(2));
                        root.draw(&line).map_err(failed)?;
                        dot(root, from, color)?;
                    }
                }
            }
            Ok(())
        },
    );
    plot.map(Some)
}

fn dot(root: &Area, at: (i32, i32), color: RGBColor) -> Result<()> {
    root.draw(&Circle::new(at, 4, color.filled()))
        .map_err(failed)
}

/// Points by a curve's name; ours comes first.
type Curves<'a> = BTreeMap<(bool, &'a str), Vec<(f64, f64)>>;

/// How costs grow with the repository, a panel a cost.
fn scale(raw: &Raw, names: &[&str]) -> Result<Option<Plot>> {
    let costs = [
        ("cold index", "cold_cpu_s", "CPU seconds"),
        ("memory of a cold index", "cold_peak_mb", "MB"),
        ("nothing to do", "noop_ms", "ms"),
        ("after one edit", "one_edit_ms", "ms"),
        ("symbol, median", "symbol_p50_ms", "ms"),
        ("search, median", "search_p50_ms", "ms"),
    ];
    let curves = costs.map(|(caption, key, unit)| {
        let name = |line| Figures::text(line, "contender");
        (caption, unit, curves(&raw.scale, name, "files", key))
    });
    let title = "Growth over made-up monorepos (both axes logarithmic)";
    grown("scale.svg", title, "files", &curves, names)
}

/// How the latency of a search grows, a panel a percentile and a curve a series.
fn search_growth(raw: &Raw) -> Result<Option<Plot>> {
    let mut names: Vec<&str> = raw
        .search_growth
        .iter()
        .map(|line| line.text("series"))
        .collect();
    names.sort_unstable();
    names.dedup();
    let panels = [("median", "p50_ms"), ("95th percentile", "p95_ms")].map(|(caption, key)| {
        let name = |line| Figures::text(line, "series");
        (
            caption,
            "ms",
            curves(&raw.search_growth, name, "chunks", key),
        )
    });
    let title = "A search in process over made-up monorepos (both axes logarithmic)";
    grown("search.svg", title, "chunks", &panels, &names)
}

/// The points of each name at which both figures are known.
fn curves<'a>(
    lines: &'a [Figures],
    name: impl Fn(&'a Figures) -> &'a str,
    x: &str,
    y: &str,
) -> Curves<'a> {
    let mut curves = Curves::new();
    for line in lines {
        let above = |key: &str| line.number(key).filter(|value| *value > 0.0);
        if let (Some(x), Some(y)) = (above(x), above(y)) {
            let name = name(line);
            curves.entry((name != OURS, name)).or_default().push((x, y));
        }
    }
    curves
}

/// Curves over a size, a panel each, with the name at the end of each curve.
fn grown(
    file: &'static str,
    title: &'static str,
    size: &str,
    panels_of: &[(&str, &str, Curves)],
    names: &[&str],
) -> Result<Option<Plot>> {
    let curves: Vec<_> = panels_of
        .iter()
        .filter(|(.., curves)| !curves.is_empty())
        .collect();
    let sizes = curves
        .iter()
        .flat_map(|(.., curves)| curves.values().flatten());
    let Some(x) = log_axis(sizes.map(|(x, _)| *x)) else {
        return Ok(None);
    };
    let x = x.range();
    let plot = drawing(file, title, height(curves.len(), 280), |root| {
        for (area, (caption, unit, curves)) in panels(root, curves.len()).iter().zip(&curves) {
            let values = curves.values().flatten().map(|(_, value)| *value);
            let Some(y) = log_axis(values) else { continue };
            let right = names_width(names) + 14;
            let margins = Margins { left: 62, right };
            let titles = (size, Some(*unit));
            let mut chart = panel(area, caption, margins, titles, log_range(x.clone()), y)?;
            let (xs, ys) = chart.plotting_area().get_pixel_range();
            let mut labels = Labels::within((xs.start..xs.end + right as i32, ys));
            // Ours is drawn last, over the others.
            for ((_, name), points) in curves.iter().rev() {
                let color = color(name, names);
                let width = if *name == OURS { 3 } else { 2 };
                let line = LineSeries::new(points.iter().copied(), color.stroke_width(width));
                chart.draw_series(line).map_err(failed)?;
                let circles = points.iter().map(|at| Circle::new(*at, 3, color.filled()));
                chart.draw_series(circles).map_err(failed)?;
                for at in points {
                    labels.avoid(chart.backend_coord(at), 3);
                }
            }
            for ((_, name), points) in curves {
                let Some(last) = points.last() else { continue };
                let at = chart.backend_coord(last);
                let place = labels.place(at, name, LABEL, Side::Right);
                text(root, name, place, LABEL, color(name, names), BESIDE)?;
            }
        }
        Ok(())
    });
    plot.map(Some)
}
