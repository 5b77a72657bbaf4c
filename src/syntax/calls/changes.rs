//! What changed between two signatures of one definition, for rules that say what breaks callers.

use super::{By, Need, Parameter, Parameters};

/// One change of a signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// A parameter is new; calls have to give it where it is [`Need::Required`].
    Added(String, Need),
    /// A parameter is gone.
    Removed(String),
    /// A parameter in the same place has another name; the flag says whether calls may use the name.
    Renamed {
        /// What it was called.
        from: String,
        /// What it is called.
        to: String,
        /// Whether calls may use the name.
        is_used: bool,
    },
    /// Parameters that calls give by place stand in another order.
    Reordered,
    /// A parameter has another type.
    Retyped(String),
    /// A parameter that could be left out has to be given.
    Required(String),
    /// A parameter that had to be given can be left out, or takes any number.
    Relaxed(String),
    /// A parameter is reached another way: by name only, by place only.
    Reached(String),
    /// The result has another type, or one that is written for the first time or no longer.
    Result,
    /// Callers have to wait for it, or no longer.
    Asynchronous,
    /// It needs an object, or no longer.
    Receiver,
}

impl Parameters {
    /// What changed from `old` to `new`, parameters first and in their order.
    pub fn compare(old: &Self, new: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        let named = |list: &[Parameter], name: &str| {
            let found = list.iter().position(|one| one.name == name);
            found.filter(|_| !name.is_empty())
        };
        // Pairs by name; then what is left in the same place.
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (at, one) in old.list.iter().enumerate() {
            if let Some(now) = named(&new.list, &one.name) {
                pairs.push((at, now));
            }
        }
        for at in 0..old.list.len().min(new.list.len()) {
            let is_left = pairs.iter().all(|(was, now)| *was != at && *now != at);
            if is_left && is_alike(&old.list[at], &new.list[at]) {
                pairs.push((at, at));
            }
        }
        pairs.sort_unstable();
        pairs.dedup_by_key(|(was, _)| *was);
        for (was, one) in old.list.iter().enumerate() {
            match pairs.iter().find(|(at, _)| *at == was) {
                Some((_, now)) => changed(one, &new.list[*now], &mut changes),
                None => changes.push(Change::Removed(one.name.clone())),
            }
        }
        for (now, one) in new.list.iter().enumerate() {
            if pairs.iter().all(|(_, at)| *at != now) {
                changes.push(Change::Added(one.name.clone(), one.need));
            }
        }
        let placed = |(was, now): &&(usize, usize)| {
            old.list[*was].by != By::Name && new.list[*now].by != By::Name
        };
        let places: Vec<usize> = pairs.iter().filter(placed).map(|(_, now)| *now).collect();
        if !places.is_sorted() {
            changes.push(Change::Reordered);
        }
        let whole = [
            (old.result != new.result, Change::Result),
            (old.asynchronous != new.asynchronous, Change::Asynchronous),
            (old.receiver != new.receiver, Change::Receiver),
        ];
        changes.extend(
            whole
                .into_iter()
                .filter(|(is, _)| *is)
                .map(|(_, change)| change),
        );
        changes
    }
}

/// Whether two parameters in one place may be one that was renamed. One that only got a type, or lost it, may be.
fn is_alike(old: &Parameter, new: &Parameter) -> bool {
    let types = (&old.written_type, &new.written_type);
    let is_typed_alike = types.0 == types.1 || types.0.is_none() || types.1.is_none();
    is_typed_alike && (old.need == Need::Rest) == (new.need == Need::Rest)
}

/// What changed of one parameter.
fn changed(old: &Parameter, new: &Parameter, changes: &mut Vec<Change>) {
    let name = || new.name.clone();
    if old.name != new.name {
        changes.push(Change::Renamed {
            from: old.name.clone(),
            to: name(),
            is_used: old.by != By::Position,
        });
    }
    if old.written_type != new.written_type {
        changes.push(Change::Retyped(name()));
    }
    match (old.need, new.need) {
        (Need::Required, Need::Required) => {}
        (_, Need::Required) => changes.push(Change::Required(name())),
        (Need::Rest, Need::Optional) => changes.push(Change::Required(name())),
        (from, to) if from != to => changes.push(Change::Relaxed(name())),
        _ => {}
    }
    if old.by != new.by {
        changes.push(Change::Reached(name()));
    }
}
