//! How plots look: colours, axes and labels that keep out of each other's way.

use crate::Result;
use plotters::coord::Shift;
use plotters::coord::combinators::{BindKeyPoints, IntoLogRange, LogCoord, WithKeyPoints};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// A finished drawing.
pub struct Plot {
    /// Its name under `benchmark/plots/`.
    pub file: &'static str,
    /// What it shows, in one line.
    pub title: &'static str,
    pub svg: String,
}

/// Where one draws.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// An axis whose steps are factors.
pub type LogAxis = WithKeyPoints<LogCoord<f64>>;
/// An axis whose steps are differences.
pub type LinearAxis = RangedCoordf64;

/// Width of every plot, in the pixels of the SVG; a page of GitHub shows 900 without scaling.
pub const WIDTH: u32 = 900;
/// Room above the panels for the title.
pub const HEADER: u32 = 44;

/// Text and points of ours.
pub const OURS_COLOR: RGBColor = RGBColor(0, 114, 178);
/// What is neither ours nor one of the others: text and axes.
pub const INK: RGBColor = RGBColor(51, 51, 51);
/// Bars that are not ours: their names stand beside them.
pub const BAR: RGBColor = RGBColor(170, 170, 170);
const AXIS: RGBColor = RGBColor(150, 150, 150);
const GRID: RGBColor = RGBColor(230, 230, 230);

/// The other colours that Okabe and Ito chose so that colour-blind readers tell them apart
/// (jfly.uni-koeln.de/color), without the yellow that is pale on white; then a grey, a dark red and a
/// black.
const OTHERS: [RGBColor; 8] = [
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 120, 120),
    RGBColor(136, 34, 85),
    RGBColor(0, 0, 0),
];

/// Sizes of text as plotters counts them; the SVG's pixels are 1.24 times fewer.
pub const TITLE: f64 = 21.0;
pub const CAPTION: f64 = 18.0;
pub const LABEL: f64 = 15.0;

/// The colour of a contender among all that a report knows, ours first.
pub fn color(name: &str, names: &[&str]) -> RGBColor {
    match names.iter().position(|known| *known == name) {
        Some(0) | None => OURS_COLOR,
        Some(at) => OTHERS[(at - 1) % OTHERS.len()],
    }
}

/// Draws a plot of this height.
pub fn drawing(
    file: &'static str,
    title: &'static str,
    height: u32,
    draw: impl FnOnce(&Area) -> Result<()>,
) -> Result<Plot> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        text(&root, title, (16, 14), TITLE, INK, (HPos::Left, VPos::Top))?;
        draw(&root)?;
        root.present().map_err(failed)?;
    }
    Ok(Plot { file, title, svg })
}

/// Drawing into a string fails only when the drawing itself is wrong.
pub fn failed(err: impl std::fmt::Display) -> Box<dyn std::error::Error> {
    format!("drawing a plot: {err}").into()
}

/// Writes a text at a point of the area.
pub fn text(
    area: &Area,
    text: &str,
    at: (i32, i32),
    size: f64,
    color: RGBColor,
    (h, v): (HPos, VPos),
) -> Result<()> {
    let style = font(size).color(&color).pos(Pos::new(h, v));
    area.draw(&Text::new(text.to_owned(), at, style))
        .map_err(failed)
}

/// The face of all text; the reader's own, since an SVG brings none.
fn font(size: f64) -> FontDesc<'static> {
    ("sans-serif", size).into_font()
}

/// Pixels that a text takes up, wide and high. The widest common faces have 0.6 em a letter.
pub fn extent(text: &str, size: f64) -> (i32, i32) {
    let em = size / 1.24;
    let width = text.chars().count() as f64 * 0.6 * em;
    (width.ceil() as i32, em.ceil() as i32)
}

/// An axis of factors around all values, with a little room at both ends.
pub fn log_axis(values: impl IntoIterator<Item = f64>) -> Option<LogAxis> {
    let (low, high) = values
        .into_iter()
        .filter(|value| *value > 0.0)
        .fold((f64::MAX, 0.0f64), |(low, high), v| {
            (low.min(v), high.max(v))
        });
    if low > high {
        return None;
    }
    // At least a factor of ten, so that noise does not fill the plot.
    let middle = (low * high).sqrt();
    let (low, high) = (low.min(middle / 3.2) / 1.25, high.max(middle * 3.2) * 1.25);
    Some(log_range(low..high))
}

/// An axis of factors with these ends.
pub fn log_range(range: Range<f64>) -> LogAxis {
    let ticks = log_ticks(range.start, range.end);
    range.log_scale().with_key_points(ticks)
}

/// Powers of ten; with few of them also 2 and 5 times these.
fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let decades = (high / low).log10();
    let steps: &[f64] = match decades {
        d if d < 1.6 => &[1.0, 2.0, 5.0],
        d if d < 2.6 => &[1.0, 3.0],
        _ => &[1.0],
    };
    let (from, to) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    (from..=to)
        .flat_map(|exponent| steps.iter().map(move |step| step * 10f64.powi(exponent)))
        .filter(|tick| (low..=high).contains(tick))
        .collect()
}

/// An axis from 0 to 1.
pub fn unit_axis() -> LinearAxis {
    (0.0..1.0).into()
}

/// A tick in as few characters as tell it.
pub fn tick(value: &f64) -> String {
    let scaled = |value: f64, unit: &str| {
        let text = format!("{value:.3}");
        format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
    };
    match *value {
        v if v >= 999_999.5 => scaled(v / 1e6, "M"),
        v if v >= 999.5 => scaled(v / 1e3, "k"),
        v if v >= 0.0095 => scaled(v, ""),
        0.0 => "0".to_owned(),
        v => format!("{v:.0e}"),
    }
}

/// Whether a label lies over another, or over a point.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rect {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl Rect {
    fn meets(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn within(self, outer: Self) -> bool {
        self.left >= outer.left
            && self.right <= outer.right
            && self.top >= outer.top
            && self.bottom <= outer.bottom
    }
}

/// Where a label may stand.
#[derive(Clone, Copy, PartialEq)]
pub enum Side {
    Any,
    Right,
}

/// Finds room for labels near the points that they name.
pub struct Labels {
    bounds: Rect,
    taken: Vec<Rect>,
}

impl Labels {
    /// Labels inside these pixels.
    pub fn within((xs, ys): (Range<i32>, Range<i32>)) -> Self {
        let bounds = Rect {
            left: xs.start,
            right: xs.end,
            top: ys.start,
            bottom: ys.end,
        };
        Self {
            bounds,
            taken: Vec::new(),
        }
    }

    /// Keeps a point free.
    pub fn avoid(&mut self, (x, y): (i32, i32), radius: i32) {
        self.taken.push(Rect {
            left: x - radius,
            right: x + radius,
            top: y - radius,
            bottom: y + radius,
        });
    }

    /// The left end and the middle height of a label for a point: right of it, and on any side left,
    /// above or below; if all of these are taken, ever further up and down.
    pub fn place(&mut self, (x, y): (i32, i32), text: &str, size: f64, side: Side) -> (i32, i32) {
        const GAP: i32 = 9;
        let (width, height) = extent(text, size);
        let right = (x + GAP, y);
        let near = [
            (x - GAP - width, y),
            (x - width / 2, y - height - 1),
            (x - width / 2, y + height + 1),
        ];
        let far = (1..40).flat_map(|step| {
            let shift = step * height / 2;
            [y - shift, y + shift].map(|y| [(x + GAP, y), (x - GAP - width, y)])
        });
        let rect = |(left, middle): (i32, i32)| Rect {
            left,
            right: left + width,
            top: middle - height / 2,
            bottom: middle + (height + 1) / 2,
        };
        let free = |at: &(i32, i32)| {
            let rect = rect(*at);
            rect.within(self.bounds) && !self.taken.iter().any(|taken| taken.meets(rect))
        };
        let sides = near.into_iter().chain(far.flatten());
        let sides = sides.filter(|(left, _)| side == Side::Any || *left == right.0);
        let at = std::iter::once(right).chain(sides).find(free);
        let at = at.unwrap_or(right);
        self.taken.push(rect(at));
        at
    }
}

/// Room for the labels of an axis, in pixels.
pub struct Margins {
    pub left: u32,
    pub right: u32,
}

/// A panel with a caption and two axes; the vertical one may be without labels.
pub fn panel<'a, Y>(
    area: &Area<'a>,
    caption: &str,
    margins: Margins,
    (x_title, y_title): (&str, Option<&str>),
    x: LogAxis,
    y: Y,
) -> Result<ChartContext<'a, SVGBackend<'a>, Cartesian2d<LogAxis, Y>>>
where
    Y: Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .margin_right(margins.right)
        .margin_left(8)
        .margin_top(34)
        .x_label_area_size(46)
        .y_label_area_size(margins.left)
        .build_cartesian_2d(x, y)
        .map_err(failed)?;
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(AXIS)
        .label_style(font(LABEL).color(&INK))
        .axis_desc_style(font(LABEL).color(&INK))
        .x_desc(x_title)
        .x_label_formatter(&tick);
    match y_title {
        Some(title) => mesh.y_desc(title).y_labels(6).y_label_formatter(&tick),
        None => mesh.disable_y_mesh().disable_y_axis(),
    };
    mesh.draw().map_err(failed)?;
    text(
        area,
        caption,
        (14, 10),
        CAPTION,
        INK,
        (HPos::Left, VPos::Top),
    )?;
    Ok(chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(log_ticks(0.9, 1100.0), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(log_ticks(4.0, 60.0), [5.0, 10.0, 20.0, 50.0]);
        let shown = [0.0, 0.001, 0.05, 0.5, 20.0, 3e3, 1e5, 2e6].map(|v| tick(&v));
        assert_eq!(
            shown,
            ["0", "1e-3", "0.05", "0.5", "20", "3k", "100k", "2M"]
        );
    }

    #[test]
    fn labels_of_one_point_do_not_lie_over_each_other() {
        let mut labels = Labels::within((0..400, 0..400));
        labels.avoid((200, 200), 5);
        let places: Vec<_> = (0..12)
            .map(|_| labels.place((200, 200), "ripgrep", LABEL, Side::Any))
            .collect();
        assert_eq!(places[0].1, 200);
        let all = labels.taken.clone();
        for (at, one) in all.iter().enumerate() {
            assert!(one.within(labels.bounds));
            assert!(all[at + 1..].iter().all(|other| !one.meets(*other)), "{at}");
        }
    }

    #[test]
    fn a_label_at_the_edge_goes_to_the_other_side() {
        let mut labels = Labels::within((0..400, 0..400));
        let (left, middle) = labels.place((395, 200), "ripgrep", LABEL, Side::Any);
        assert!(left + extent("ripgrep", LABEL).0 <= 395);
        assert_eq!(middle, 200);
    }

    #[test]
    fn our_colour_is_nobody_elses() {
        let names = ["git-sverklo", "a", "b", "c", "d", "e", "f", "g", "h"];
        let colors: Vec<_> = names.iter().map(|name| color(name, &names)).collect();
        for (at, one) in colors.iter().enumerate() {
            assert!(!colors[at + 1..].contains(one), "{at}");
        }
    }
}
