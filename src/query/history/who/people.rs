//! Who made the commits of a past, and which of these mend something.

use crate::git::mailmap::Mailmap;
use crate::git::{Error, Objects, commit};
use crate::history::message;
use crate::id::CommitId;
use crate::memory::date::Date;
use crate::query::diff::risk::past::says_fix;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What one did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Person {
    /// Name, as the `.mailmap` of the tree has it.
    pub name: String,
    /// Addresses, when they are asked for.
    pub mails: Vec<String>,
    /// Lines that stand now as they wrote them; `None` where lines are not counted.
    pub lines: Option<usize>,
    /// Commits of theirs that changed it.
    pub changes: usize,
    /// How many of these mend something.
    pub fixes: usize,
    /// Days of the first and the last of all their commits that are told of.
    pub days: (String, String),
    /// The moments of these.
    pub(super) moments: (i64, i64),
    pub(super) addresses: BTreeSet<String>,
}

/// The people of commits, each read once.
pub(super) struct People<'a> {
    objects: &'a mut Objects,
    mailmap: Mailmap,
    people: Vec<Person>,
    by_name: FxHashMap<String, usize>,
    known: FxHashMap<CommitId, Made>,
}

/// Who made a commit, and what it is.
#[derive(Clone, Copy)]
pub(super) struct Made {
    person: usize,
    /// Whether it mends something.
    pub is_fix: bool,
}

impl<'a> People<'a> {
    pub(super) fn new(objects: &'a mut Objects, mailmap: Mailmap) -> Self {
        Self {
            objects,
            mailmap,
            people: Vec::new(),
            by_name: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// Who made a commit. Fails when it cannot be read.
    fn made(&mut self, id: CommitId) -> Result<Made, Error> {
        if let Some(known) = self.known.get(&id) {
            return Ok(*known);
        }
        let message = commit::read(self.objects, id)?.message;
        let author = commit::origins(self.objects, id)?.author;
        let (name, mail) = self.mailmap.person(&author);
        let (name, mail) = (message::person(&name), message::person(&mail));
        let next = self.people.len();
        let at = *self.by_name.entry(name.clone()).or_insert(next);
        if at == next {
            self.people.push(Person {
                name,
                moments: (author.seconds, author.seconds),
                ..Person::default()
            });
        }
        let day = || Date::new(author.seconds, author.offset).to_string();
        let day: String = day().chars().take(10).collect();
        let person = &mut self.people[at];
        person.addresses.insert(mail);
        let (first, last) = person.moments;
        if person.days.0.is_empty() || author.seconds < first {
            (person.days.0, person.moments.0) = (day.clone(), author.seconds);
        }
        if person.days.1.is_empty() || author.seconds >= last {
            (person.days.1, person.moments.1) = (day, author.seconds);
        }
        let subject = message::subject(&message);
        let made = Made {
            person: at,
            is_fix: says_fix(&String::from_utf8_lossy(&subject)),
        };
        self.known.insert(id, made);
        Ok(made)
    }

    /// Credits a change. Fails when the commit cannot be read.
    pub(super) fn changed(&mut self, id: CommitId) -> Result<Made, Error> {
        let made = self.made(id)?;
        let person = &mut self.people[made.person];
        person.changes += 1;
        person.fixes += usize::from(made.is_fix);
        Ok(made)
    }

    /// Credits lines that stand. Fails when the commit cannot be read.
    pub(super) fn wrote(&mut self, id: CommitId, lines: usize) -> Result<(), Error> {
        let made = self.made(id)?;
        *self.people[made.person].lines.get_or_insert(0) += lines;
        Ok(())
    }

    /// All of them: those who wrote most of what stands first, then those who changed it most often, then latest.
    pub(super) fn most_first(self, with_lines: bool, with_mails: bool) -> Vec<Person> {
        let mut people = self.people;
        for person in &mut people {
            person.lines = with_lines.then(|| person.lines.unwrap_or(0));
            if with_mails {
                person.mails = person.addresses.iter().cloned().collect();
            }
        }
        people.sort_by(|a, b| {
            let key = |one: &Person| (one.lines, one.changes, one.moments.1);
            key(b).cmp(&key(a)).then_with(|| a.name.cmp(&b.name))
        });
        people
    }
}
