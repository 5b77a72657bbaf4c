//! Markdown tables, and numbers as they stand in them.

use std::fmt::Write as _;

/// A table in the making.
pub struct Table {
    head: Vec<String>,
    /// How many columns are text, aligned left; the others are numbers, aligned right.
    texts: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table whose first `texts` columns are text.
    pub fn new<S: AsRef<str>>(texts: usize, head: &[S]) -> Self {
        Self {
            head: head.iter().map(|cell| cell.as_ref().to_owned()).collect(),
            texts,
            rows: Vec::new(),
        }
    }

    /// Adds a row; what is missing at its end is left empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table as Markdown, without columns that are empty in every row.
    pub fn render(&self) -> String {
        let said = |at: usize| {
            let cell = |row: &Vec<String>| row.get(at).is_some_and(|cell| !cell.is_empty());
            at == 0 || self.rows.iter().any(cell)
        };
        let columns: Vec<usize> = (0..self.head.len()).filter(|at| said(*at)).collect();
        let mut out = String::new();
        let mut line = |cell: &dyn Fn(usize) -> String| {
            let cells: Vec<String> = columns.iter().map(|at| cell(*at)).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        };
        line(&|at| escape(&self.head[at]));
        line(&|at| if at < self.texts { "---" } else { "---:" }.to_owned());
        for row in &self.rows {
            line(&|at| row.get(at).map_or(String::new(), |cell| escape(cell)));
        }
        out
    }
}

/// A cell ends at `|` and at the end of the line.
fn escape(cell: &str) -> String {
    cell.replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// Text that must not be read as Markdown or HTML.
pub fn code(text: &str) -> String {
    match text {
        "" => String::new(),
        text if text.contains('`') => format!("`` {} ``", text.trim()),
        text => format!("`{text}`"),
    }
}

/// The first line of somebody else's words, so short that a row stays one, without HTML.
pub fn prose(text: &str) -> String {
    const LONGEST: usize = 100;
    let line = text.lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(LONGEST).collect();
    if line.chars().count() > LONGEST {
        short.push_str("...");
    }
    short.replace('&', "&amp;").replace('<', "&lt;")
}

/// A figure between 0 and 1.
pub fn share(value: Option<f64>) -> String {
    // A sum of nothing is -0.
    value.map_or(String::new(), |value| format!("{:.3}", value + 0.0))
}

/// A count or a mean of counts, rounded, with thousands apart.
pub fn whole(value: Option<f64>) -> String {
    let Some(value) = value else {
        return String::new();
    };
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    match value < 0.0 && digits != "0" {
        true => format!("-{text}"),
        false => text,
    }
}

/// A measured value with as many digits as measuring gives: three, or two below 1.
pub fn figure(value: Option<f64>) -> String {
    let Some(value) = value else {
        return String::new();
    };
    match value.abs() {
        0.0 => "0".to_owned(),
        // What rounds to the next power of ten is written as that.
        size if size >= 99.95 => whole(Some(value)),
        size if size >= 9.995 => format!("{value:.1}"),
        size if size >= 0.995 => format!("{value:.2}"),
        size => {
            let places = (1.0 - (size / 0.995).log10().floor()).clamp(2.0, 6.0) as usize;
            format!("{value:.places$}")
        }
    }
}

/// A value with its unit, unless there is none.
pub fn with_unit(value: String, unit: &str) -> String {
    match value.is_empty() {
        true => value,
        false => format!("{value} {unit}"),
    }
}

/// A count and its noun.
pub fn plural(count: usize, one: &str, many: &str) -> String {
    let noun = if count == 1 { one } else { many };
    format!("{} {noun}", whole(Some(count as f64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_without_a_word_are_left_out() {
        let mut table = Table::new(1, &["name", "a|b", "never"]);
        table.row(["x\ny".to_owned(), String::new(), String::new()]);
        table.row(["z".to_owned(), "1".to_owned()]);
        assert_eq!(
            table.render(),
            "| name | a\\|b |\n| --- | ---: |\n| x y |  |\n| z | 1 |\n"
        );
    }

    #[test]
    fn numbers_have_the_digits_that_were_measured() {
        let all = [
            0.0, 0.00421, 0.0996, 0.2951, 1.0, 9.999, 12.345, 99.96, 1234.5, -0.5,
        ];
        let shown = all.map(|value| figure(Some(value)));
        assert_eq!(
            shown,
            [
                "0", "0.0042", "0.10", "0.30", "1.00", "10.0", "12.3", "100", "1,234", "-0.50"
            ]
        );
        assert_eq!(whole(Some(1_234_567.0)), "1,234,567");
        assert_eq!(whole(Some(-999.6)), "-1,000");
        assert_eq!(figure(None), "");
        assert_eq!(with_unit(figure(None), "ms"), "");
    }

    #[test]
    fn code_holds_backticks() {
        assert_eq!(code("a < b"), "`a < b`");
        assert_eq!(code("a `b`"), "`` a `b` ``");
    }
}
