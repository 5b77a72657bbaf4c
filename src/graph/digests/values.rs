//! What values look like from other files.

use super::super::resolve::Resolver;
use super::super::table::SymbolId;
use super::super::value::Value;
use super::{Digests, Key};
use crate::extract::record::SymbolKind;

/// Names of types that are followed to what they stand for, and functions to what they take, for one definition. Real
/// code has a few.
const MAX_FOLLOWED: usize = 64;

impl Digests {
    /// Adds what a definition's value looks like: the types and functions it names, and what those stand
    /// for that are only names of others, each once.
    pub(super) fn push_value(&self, resolver: &Resolver<'_>, id: SymbolId, key: &mut Key) {
        // When it comes to light decides what others see who look at it meanwhile.
        key.push(resolver.values.stamp(id));
        let open = vec![resolver.values.of(id).cloned()];
        self.push_values(resolver, open, vec![id], key);
    }

    /// Adds what values look like. `seen` is followed already.
    pub(super) fn push_values(
        &self,
        resolver: &Resolver<'_>,
        mut open: Vec<Option<Value>>,
        mut seen: Vec<SymbolId>,
        key: &mut Key,
    ) {
        let identity = &self.identity;
        let mut called: Vec<SymbolId> = Vec::new();
        while let Some(value) = open.pop() {
            let push = |code: u64, id: SymbolId, key: &mut Key| {
                key.push(code);
                key.push(identity[id.index()]);
            };
            let mut follow = |id: SymbolId, key: &mut Key| match resolver.values.of(id) {
                None => key.push(0),
                Some(_) if seen.contains(&id) => {}
                // Who is so far off is seen as far as its file stays what it is.
                Some(_) if seen.len() >= MAX_FOLLOWED => {
                    key.push(self.contents[resolver.table.file(id).0 as usize]);
                }
                Some(value) => {
                    seen.push(id);
                    key.push(resolver.values.stamp(id));
                    open.push(Some(value.clone()));
                }
            };
            match value {
                None => key.push(0),
                Some(value @ (Value::Instance(id) | Value::Elements(id) | Value::Held(_, id))) => {
                    let holder = value.holds().map_or(0, |(holder, _)| 1 + holder as u64);
                    push(1 + (holder << 8), id, key);
                    // Of what a decorator gives, it leaves the function what it is.
                    if resolver.is_descriptor(id) {
                        key.push(17);
                    }
                    match resolver.table.symbol(id).kind {
                        SymbolKind::Type => {
                            key.push(u64::from(resolver.members.has_any(id)));
                            follow(id, key);
                        }
                        // With what its objects are called.
                        SymbolKind::Interface => follow(id, key),
                        _ => {}
                    }
                }
                // Who makes an instance sees what its constructor takes, or what is made in brackets.
                Some(Value::Type(id)) => {
                    push(3, id, key);
                    if called.len() < MAX_FOLLOWED && !called.contains(&id) {
                        called.push(id);
                        for (stamp, value) in resolver.seen_in_brackets(id) {
                            key.push(stamp);
                            open.push(Some(value));
                        }
                        push_taken(resolver.parameters_seen(id), key, &mut open);
                    }
                }
                // Who comes to the function sees what it takes and returns, and whether it has members.
                Some(Value::Function(id)) => {
                    push(4, id, key);
                    key.push(u64::from(resolver.members.has_any(id)));
                    follow(id, key);
                    if called.len() < MAX_FOLLOWED && !called.contains(&id) {
                        called.push(id);
                        push_taken(resolver.parameters_seen(id), key, &mut open);
                    }
                }
                Some(Value::Module(place)) => {
                    key.push(5);
                    self.push_place(resolver, &place, key);
                }
                Some(Value::External) => key.push(6),
                Some(Value::Literal) => key.push(7),
                Some(Value::Unknown) => key.push(8),
                Some(Value::Several(all)) => {
                    key.push(9);
                    key.push(all.len() as u64);
                    open.extend(all.iter().cloned().map(Some));
                }
                Some(Value::Never) => key.push(10),
                Some(Value::Callback(callback)) => {
                    key.push(12);
                    key.push(callback.takes.len() as u64);
                    push_taken(callback.takes.clone(), key, &mut open);
                    open.push(Some(callback.gives.clone()));
                }
                Some(Value::Shape(shape)) => {
                    key.push(15);
                    key.push((shape.members.len() as u64) << 1 | u64::from(shape.is_partial));
                    for (name, value) in &shape.members {
                        key.push(*name);
                        open.push(Some(value.clone()));
                    }
                }
                Some(Value::Made(of)) => {
                    key.push(16);
                    open.push(Some((*of).clone()));
                }
                Some(Value::Proof(of)) => {
                    key.push(13);
                    open.push(Some((*of).clone()));
                }
                Some(Value::Generic(generic)) => {
                    key.push(14);
                    key.push(generic.given.len() as u64);
                    open.extend(generic.given.iter().cloned().map(Some));
                    open.push(Some(Value::Instance(generic.of)));
                }
                Some(Value::Parameter(parameter)) => {
                    push(11, parameter.of, key);
                    key.push(u64::from(parameter.at));
                    let names = resolver.parameters_of(parameter.of);
                    names
                        .iter()
                        .for_each(|name| key.push(resolver.names.hash(*name)));
                    open.push(Some(parameter.bound.clone()));
                }
            }
        }
    }
}

/// Adds whether what a function takes is a guess; what it is stays open.
pub(super) fn push_taken(taken: Vec<(Value, bool)>, key: &mut Key, open: &mut Vec<Option<Value>>) {
    for (value, is_guess) in taken {
        key.push(u64::from(is_guess));
        open.push(Some(value));
    }
}
