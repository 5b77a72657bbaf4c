//! How events, their authors and their targets are named.

use crate::history::message;
use crate::id::EventId;
use crate::memory::event::{Event, Target};
use crate::memory::log::Log;
use crate::memory::text::quoted;

/// Ids of all facts and events of a log, in order.
pub fn ids_of(log: &Log) -> Vec<EventId> {
    let events = log.events.iter().map(|(id, _)| *id);
    let mut all: Vec<EventId> = events.chain(log.stubs.keys().copied()).collect();
    all.sort_unstable();
    all
}

/// How a target is shown.
pub fn label(target: &Target) -> String {
    match target {
        Target::Symbol { id, .. } => id.clone(),
        Target::Path { path, .. } => quoted(path.as_bytes()),
    }
}

/// Who said something, without what looks like a secret: other programs write what they like.
pub fn author(event: &Event) -> String {
    named(&event.by.name, &event.by.mail)
}

/// A name and an address, likewise.
pub fn named(name: &str, mail: &str) -> String {
    format!("{} <{}>", message::person(name), message::person(mail))
}
