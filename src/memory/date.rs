//! Dates as people read them: `2026-11-22T18:25:07+01:00`.

/// A moment, and the zone of whoever told it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Date {
    /// Seconds since 1970.
    pub seconds: i64,
    /// East of Greenwich, in minutes.
    pub offset: i32,
}

const DAY: i64 = 86_400;
/// The years that four digits can say.
const YEARS: std::ops::RangeInclusive<i64> = 0..=9999;
/// No zone is further away than this, in minutes.
const MAX_OFFSET: i32 = 24 * 60 - 1;

/// Days from 1970-01-01 to a date of the Gregorian calendar, counted in years that begin in March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The date that lies so many days after 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

impl Date {
    /// A moment that has a spelling: out of range, the beginning of 1970 in Greenwich.
    pub fn new(seconds: i64, offset: i32) -> Self {
        let date = Self { seconds, offset };
        let local = seconds.saturating_add(i64::from(offset) * 60);
        let year = civil(local.div_euclid(DAY)).0;
        match YEARS.contains(&year) && offset.abs() <= MAX_OFFSET {
            true => date,
            false => Self::default(),
        }
    }

    /// Reads the spelling that [`Date`] is displayed with, and no other.
    pub fn parse(text: &str) -> Option<Self> {
        // Whatever differs from what we would write (a month 13, `-00:00`) is no date of ours.
        Self::read(text).filter(|date| date.to_string() == text)
    }

    /// Reads a spelling that is known to be right, or is compared by the caller.
    pub(super) fn read(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() != 25 || !text.is_ascii() {
            return None;
        }
        let number = |from: usize, to: usize| -> Option<i64> {
            let digits = &text[from..to];
            let all = digits.bytes().all(|b| b.is_ascii_digit());
            all.then(|| digits.parse().ok()).flatten()
        };
        let day = days(number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let clock = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
        let minutes = i32::try_from(number(20, 22)? * 60 + number(23, 25)?).ok()?;
        let offset = if bytes[19] == b'-' { -minutes } else { minutes };
        Some(Self::new(
            day * DAY + clock - i64::from(offset) * 60,
            offset,
        ))
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let local = self.seconds.saturating_add(i64::from(self.offset) * 60);
        let (year, month, day) = civil(local.div_euclid(DAY));
        let clock = local.rem_euclid(DAY);
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs();
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}{sign}{:02}:{:02}",
            clock / 3600,
            clock / 60 % 60,
            clock % 60,
            minutes / 60,
            minutes % 60
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_moments() {
        assert_eq!(Date::new(0, 0).to_string(), "1970-01-01T00:00:00+00:00");
        let leap = Date::new(951_782_399, -210);
        assert_eq!(leap.to_string(), "2000-02-28T20:29:59-03:30");
        assert_eq!(Date::new(i64::MAX, 0), Date::default());
        for bad in [
            "",
            "2026-13-01T00:00:00+00:00",
            "2026-02-30T00:00:00+00:00",
            "2026-02-03 00:00:00+00:00",
            "2026-02-03T00:00:00-00:00",
            "2026-02-03T24:00:00+00:00",
        ] {
            assert_eq!(Date::parse(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn spellings_are_read_back(seconds in -62_000_000_000_i64..250_000_000_000, offset in -1439..1440) {
            let date = Date::new(seconds, offset);
            prop_assert_eq!(Date::parse(&date.to_string()), Some(date));
        }
    }
}
