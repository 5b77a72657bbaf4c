//! Asking the git program what a range of revisions and a date stand for: these are its grammars.

use super::error::Error;
use super::program;
use super::repo::Repo;
use crate::id::CommitId;

/// Returns the commits of a range such as `v1..v2`, as `git rev-list` lists them, those before
/// `since` (seconds since 1970) left out. Fails with [`Error::UnknownRange`] for what git does not
/// accept.
pub fn range(repo: &Repo, range: &str, since: Option<i64>) -> Result<Vec<CommitId>, Error> {
    let unknown = |reason: &str| Error::UnknownRange {
        range: range.to_owned(),
        reason: reason.trim().to_owned(),
    };
    let mut args = vec!["rev-list".to_owned()];
    args.extend(since.map(|since| format!("--since={since}")));
    args.extend(["--end-of-options", range, "--"].map(str::to_owned));
    let out = program::ask(repo, &args)?;
    if !out.status.success() {
        return Err(unknown(&out.stderr));
    }
    let lines = out.stdout.split(|b| *b == b'\n').filter(|l| !l.is_empty());
    lines
        .map(|line| CommitId::from_hex(line).ok_or_else(|| unknown("git rev-list gave no ids")))
        .collect()
}

/// Returns the moment a date such as `2.weeks`, `yesterday` or `2026-01-31` stands for now, in
/// seconds since 1970. Fails with [`Error::UnknownDate`] for what git finds no date in.
pub fn date(repo: &Repo, text: &str) -> Result<i64, Error> {
    let unknown = || Error::UnknownDate(text.to_owned());
    if text.contains(['\0', '\n']) || is_no_day(text) {
        return Err(unknown());
    }
    // rev-parse takes whatever it does not understand for this moment; config is stricter.
    let default = format!("--default={text}");
    let strict = [
        "config",
        "--type=expiry-date",
        &default,
        "--get",
        "sverklo.noSuchKey",
    ];
    if !program::ask(repo, &strict)?.status.success() {
        return Err(unknown());
    }
    let out = program::ask(repo, &["rev-parse", &format!("--since={text}")])?;
    let said = String::from_utf8_lossy(&out.stdout);
    said.trim()
        .strip_prefix("--max-age=")
        .and_then(|seconds| seconds.parse().ok())
        .ok_or_else(unknown)
}

/// Whether a text begins like a day of a year and is none: git would take it for something else.
fn is_no_day(text: &str) -> bool {
    let day = text.get(..10).unwrap_or_default();
    let mut parts = day.splitn(3, '-').map(|part| part.parse::<u32>().ok());
    let parts = [parts.next(), parts.next(), parts.next()];
    match parts.map(Option::flatten) {
        [Some(_), Some(month), Some(day)] => !(1..=12).contains(&month) || !(1..=31).contains(&day),
        _ => false,
    }
}

/// The year that a date begins with, as in `2026-01-31`, or is.
fn year(text: &str) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (year, rest) = text.split_at(digits);
    let is_year = digits >= 4 && matches!(rest.chars().next(), None | Some('-' | '/' | '.' | ' '));
    // More digits than a number has are more than any year of ours.
    is_year.then(|| year.parse().unwrap_or(u64::MAX))
}

/// Returns the moment a date stands for: as it is spelt with a clock and a zone, or as [`date`] has it. A
/// year after 2099 is after everything. Fails with [`Error::UnknownDate`] for what git finds no date
/// in.
pub fn moment(repo: &Repo, text: &str) -> Result<i64, Error> {
    // git takes a year after 2099 for something else.
    if year(text).is_some_and(|year| year > 2099) {
        return Ok(i64::MAX);
    }
    let known = gix::date::parse(text, None);
    match known {
        Ok(time) if text.len() > 10 => Ok(time.seconds),
        _ => date(repo, text),
    }
}

/// Returns the best common ancestor of two commits, of several the first that git names; `None`
/// when they have none, as far as this clone knows. Fails with what the git program said when it cannot
/// walk there.
pub fn merge_base(repo: &Repo, a: CommitId, b: CommitId) -> Result<Option<CommitId>, Error> {
    if a == b {
        return Ok(Some(a));
    }
    let args = ["merge-base".to_owned(), a.to_string(), b.to_string()];
    let out = program::ask(repo, &args)?;
    if out.status.code() == Some(1) {
        return Ok(None);
    }
    let first = out.stdout.split(|b| *b == b'\n').next().unwrap_or_default();
    let id = CommitId::from_hex(first).filter(|_| out.status.success());
    id.map(Some).ok_or_else(|| out.into_error("merge-base"))
}
