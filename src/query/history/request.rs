//! What `history` is asked.

use super::follow::Found;
use crate::git::{Repo, history};
use crate::memory::date::Date;
use crate::query::Error;
use crate::query::request::{Mode, Revision};

/// Versions `history` returns unless told otherwise.
pub const HISTORY_LIMIT: usize = 30;

/// `history`: what became of something.
#[derive(Clone, Debug, Default)]
pub struct HistoryRequest {
    /// A name, a symbol id, a place, a path, an edge; or what lines hold or match, as `mode` says.
    pub target: String,
    /// Whether the target is what lines hold or match.
    pub mode: Mode,
    /// Only versions from this date or commit on.
    pub since: Option<String>,
    /// Only versions up to this date or commit.
    pub until: Option<String>,
    /// Only when it was first there, and when it ceased, with tags.
    pub first: bool,
    /// What the commits say, the most telling first.
    pub why: bool,
    /// State of the repository whose history it is.
    pub at: Revision,
    /// How many of the first to leave out.
    pub offset: usize,
    /// Most versions to return.
    pub limit: usize,
}

/// The time that versions are wanted of, in seconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    first: i64,
    last: i64,
}

impl Bounds {
    /// Reads the time that is asked for. Fails on what is neither a date nor a revision.
    pub fn read(repo: &Repo, request: &HistoryRequest) -> Result<Self, Error> {
        let moment = |text: &Option<String>, is_end: bool, open: i64| match text.as_deref() {
            None | Some("") => Ok(open),
            Some(text) => match day(text.trim(), is_end) {
                Some(moment) => Ok(moment),
                None => match repo.resolve(text.trim()) {
                    Ok(commit) => Ok(history::commit_date(repo, commit)?),
                    Err(_) => Err(Error::BadMoment(text.to_owned())),
                },
            },
        };
        Ok(Self {
            first: moment(&request.since, false, i64::MIN)?,
            last: moment(&request.until, true, i64::MAX)?,
        })
    }

    /// Whether all that is as old as this date is older than what is wanted.
    pub fn is_before(&self, date: i64) -> bool {
        date < self.first
    }

    /// Whether something of this date is wanted; what has none is of now.
    pub fn admits(&self, date: Option<i64>) -> bool {
        let date = date.unwrap_or(i64::MAX);
        self.first <= date && (date <= self.last || self.last == i64::MAX)
    }
}

/// How much of a past is wanted: what comes before it is not looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The time of what is wanted.
    pub bounds: Bounds,
    /// How many versions of that time, counted from the newest.
    pub count: usize,
}

impl Wanted {
    /// All of it.
    pub const ALL: Self = Self {
        bounds: Bounds {
            first: i64::MIN,
            last: i64::MAX,
        },
        count: usize::MAX,
    };

    /// Whether these versions are enough, where the next that may come is of this date: those that are wanted, and
    /// one that says that there are more.
    pub fn is_met(&self, versions: &[Found], next: i64) -> bool {
        next < self.bounds.first || self.admitted(versions.iter()).count() > self.count
    }

    /// Those of some versions, newest first, that are of the time that is wanted.
    pub fn of(&self, versions: Vec<Found>) -> Vec<Found> {
        self.admitted(versions.into_iter()).collect()
    }

    fn admitted<F: std::borrow::Borrow<Found>>(
        &self,
        versions: impl Iterator<Item = F>,
    ) -> impl Iterator<Item = F> {
        let date = |found: &F| found.borrow().commit.map(|(_, date)| date);
        versions
            .take_while(move |found| date(found).is_none_or(|date| date >= self.bounds.first))
            .filter(move |found| self.bounds.admits(date(found)))
    }
}

/// The first or the last second of a year, a month or a day in Greenwich (`2024`, `2024-03`, `2024-03-09`), or a
/// moment as answers have it.
fn day(text: &str, is_end: bool) -> Option<i64> {
    if let Some(date) = Date::parse(text) {
        return Some(date.seconds);
    }
    let numbers: Option<Vec<i64>> = text
        .split('-')
        .map(|part| {
            let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse().ok().filter(|_| is_number)
        })
        .collect();
    let first = |year: i64, month: i64, day: i64| {
        Date::parse(&format!("{year:04}-{month:02}-{day:02}T00:00:00+00:00"))
    };
    let (begin, after) = match numbers?[..] {
        [year] if text.len() == 4 => (first(year, 1, 1)?, first(year + 1, 1, 1)?.seconds),
        [year, month] if text.len() == 7 => {
            let next = if month == 12 {
                (year + 1, 1)
            } else {
                (year, month + 1)
            };
            (first(year, month, 1)?, first(next.0, next.1, 1)?.seconds)
        }
        [year, month, day] if text.len() == 10 => {
            let begin = first(year, month, day)?;
            (begin, begin.seconds + 86_400)
        }
        _ => return None,
    };
    Some(if is_end { after - 1 } else { begin.seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_a_beginning_and_an_end() {
        assert_eq!(day("1970-01-01", false), Some(0));
        assert_eq!(day("1970-01-01", true), Some(86_399));
        assert_eq!(day("1970", true), day("1970-12-31", true));
        assert_eq!(day("2024-02", true), day("2024-02-29", true));
        for bad in ["2024-13", "yesterday", "20240", "2024-2-3", "-024", "v1.2"] {
            assert_eq!(day(bad, false), None, "{bad}");
        }
    }
}
