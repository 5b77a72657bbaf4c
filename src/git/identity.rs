//! Who the user is, as git knows them, and what the clock says.

use super::error::Error;
use super::program;
use super::repo::Repo;

/// A person at a moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Name, without what git forbids in one.
    pub name: String,
    /// Mail address, likewise.
    pub mail: String,
    /// Seconds since 1970.
    pub seconds: i64,
    /// East of Greenwich, in minutes.
    pub offset: i32,
}

impl Signature {
    /// The form that commits have: `Name <mail> seconds +0100`.
    pub(super) fn line(&self) -> String {
        format!("{} <{}> {}", self.name, self.mail, self.date())
    }

    /// The moment as commits have it: `seconds +0100`.
    pub(super) fn date(&self) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs();
        let (hours, minutes) = (minutes / 60, minutes % 60);
        format!("{} {sign}{hours:02}{minutes:02}", self.seconds)
    }
}

/// Returns the committer: from the environment and configuration, as git finds them. Fails with
/// [`Error::NoIdentity`] when nobody has said who they are.
pub fn committer(repo: &Repo) -> Result<Signature, Error> {
    let local = repo.local();
    if let Some(Ok(found)) = local.committer()
        && let Ok(time) = found.time()
    {
        return checked(
            &found.name.to_string(),
            &found.email.to_string(),
            time.seconds,
            time.offset / 60,
        );
    }
    // git knows a few more places, such as the name of the user's account.
    let out = program::run_args(repo, &["var", "GIT_COMMITTER_IDENT"])?;
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    if !out.status.success() {
        return Err(Error::NoIdentity);
    }
    parse(said.trim_end()).ok_or(Error::NoIdentity)?
}

/// Returns the author as git finds them, at the moment that the clock of the committer says. Fails as
/// [`committer`] does.
pub fn author(repo: &Repo) -> Result<Signature, Error> {
    let by = committer(repo)?;
    let checked = |name: &str, mail: &str| checked(name, mail, by.seconds, by.offset);
    // `git -c user.name=...` reaches us in a variable that only git can read.
    if std::env::var_os("GIT_CONFIG_PARAMETERS").is_some() {
        let mut command = program::as_user(repo);
        command.args(["var", "GIT_AUTHOR_IDENT"]);
        let out = program::run(command)?;
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        if out.status.success()
            && let Some(found) = parse(said.trim_end())
        {
            let Signature { name, mail, .. } = found?;
            return checked(&name, &mail);
        }
    }
    match repo.local().author() {
        Some(Ok(found)) => checked(&found.name.to_string(), &found.email.to_string()),
        _ => Ok(by.clone()),
    }
}

pub(crate) fn parse(line: &str) -> Option<Result<Signature, Error>> {
    let (name, rest) = line.split_once(" <")?;
    let (mail, rest) = rest.split_once("> ")?;
    let (seconds, zone) = rest.split_once(' ')?;
    let zone: i32 = zone.parse().ok()?;
    let offset = zone / 100 * 60 + zone % 100;
    Some(checked(name, mail, seconds.parse().ok()?, offset))
}

/// Takes out what would break a line of a commit.
fn checked(name: &str, mail: &str, seconds: i64, offset: i32) -> Result<Signature, Error> {
    let clean = |text: &str| -> String {
        let kept = text
            .chars()
            .filter(|c| !c.is_control() && !matches!(c, '<' | '>'));
        kept.collect::<String>().trim().to_owned()
    };
    let (name, mail) = (clean(name), clean(mail));
    match name.is_empty() {
        true => Err(Error::NoIdentity),
        false => Ok(Signature {
            name,
            mail,
            seconds,
            offset,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_written_alike() {
        for line in [
            "A. Author <a@example.com> 1700000000 +0000",
            "Zoë <> 1700000000 -0330",
        ] {
            assert_eq!(parse(line).unwrap().unwrap().line(), line);
        }
        assert!(matches!(
            parse(" <a@b> 0 +0000").unwrap(),
            Err(Error::NoIdentity)
        ));
        assert!(parse("nonsense").is_none());
    }
}
