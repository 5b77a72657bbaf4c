//! A length of time, as configuration and the command line have it.

use std::fmt;
use std::str::FromStr;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A length of time as people write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    text: String,
    /// Its length in seconds.
    pub(crate) seconds: i64,
}

impl Span {}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The text is no length of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotASpan;

impl FromStr for Span {
    type Err = NotASpan;

    /// Reads numbers and units as git's dates have them: `2.weeks`, `10 days`, `1.year.6.months`,
    /// `0`. A month has 30 days and a year 365, so that a span is as long on any day.
    fn from_str(text: &str) -> Result<Self, NotASpan> {
        let words: Vec<&str> = text
            .split(['.', ' ', '_'])
            .filter(|word| !word.is_empty() && *word != "ago")
            .collect();
        let mut seconds: i64 = 0;
        for pair in words.chunks(2) {
            let (count, unit) = match pair {
                [count, unit] => (*count, unit.to_ascii_lowercase()),
                ["0"] => ("0", "second".to_owned()),
                _ => return Err(NotASpan),
            };
            let count: i64 = count.parse().map_err(|_| NotASpan)?;
            let unit = match unit.strip_suffix('s').unwrap_or(&unit) {
                "second" => 1,
                "minute" => MINUTE,
                "hour" => HOUR,
                "day" => DAY,
                "week" => 7 * DAY,
                "month" => 30 * DAY,
                "year" => 365 * DAY,
                _ => return Err(NotASpan),
            };
            if count < 0 {
                return Err(NotASpan);
            }
            seconds = seconds.saturating_add(count.saturating_mul(unit));
        }
        if words.is_empty() {
            return Err(NotASpan);
        }
        Ok(Self {
            text: text.trim().to_owned(),
            seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_numbers_and_units() {
        let seconds = |text: &str| text.parse().map(|span: Span| span.seconds);
        assert_eq!(seconds("2.weeks"), Ok(14 * DAY));
        assert_eq!(seconds(" 1 day "), Ok(DAY));
        assert_eq!(seconds("3.months.ago"), Ok(90 * DAY));
        assert_eq!(seconds("1.Year"), Ok(365 * DAY));
        assert_eq!(seconds("2 weeks 1 day"), Ok(15 * DAY));
        assert_eq!(seconds("1.hour.30.minutes"), Ok(90 * MINUTE));
        assert_eq!(seconds("0"), Ok(0));
        assert_eq!(seconds("9999999999999.years"), Ok(i64::MAX));
        for bad in [
            "",
            "weeks",
            "2",
            "-1.day",
            "2.fortnights",
            "yesterday",
            "1.5.days",
            "1.yearly",
            "2024-01-01",
            "ago",
        ] {
            assert_eq!(seconds(bad), Err(NotASpan), "{bad}");
        }
        assert_eq!("2.weeks".parse::<Span>().unwrap().to_string(), "2.weeks");
    }
}
