//! The local names of a document in the order in which they are looked for.

use super::names::Name;
use crate::extract::record::Local;
use std::ops::Range;

/// A local binding of a name.
#[derive(Debug)]
pub(super) struct Bound {
    pub(super) name: Name,
    /// Its position among those of the document.
    pub(super) local: u32,
    /// Its scope, which is here, too, since a search looks at many.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The place in the list of the last one before with the same name whose scope ends later.
    pub(super) outer: Option<u32>,
}

/// Bindings that are in order of their names and of where their scopes begin.
pub(super) fn bound(locals: &[Local], of: Vec<(Name, u32)>) -> Vec<Bound> {
    let mut open: Vec<u32> = Vec::new();
    let mut all: Vec<Bound> = Vec::with_capacity(of.len());
    for ((name, local), at) in of.into_iter().zip(0..) {
        let Range { start, end } = locals[local as usize].scope;
        while open.last().is_some_and(|last| {
            let last = &all[*last as usize];
            last.name != name || last.end <= end
        }) {
            open.pop();
        }
        let outer = open.last().copied();
        all.push(Bound {
            name,
            local,
            start,
            end,
            outer,
        });
        open.push(at);
    }
    all
}

/// Local names in order of where their scopes begin, each with the place in this list of the one around it.
pub(super) fn nested(locals: &[Local], mut of: Vec<u32>) -> Vec<(u32, Option<u32>)> {
    let scope = |i: u32| &locals[i as usize].scope;
    of.sort_by_key(|i| (scope(*i).start, std::cmp::Reverse(scope(*i).end)));
    let mut open: Vec<u32> = Vec::new();
    let mut all: Vec<(u32, Option<u32>)> = Vec::with_capacity(of.len());
    for (i, at) in of.iter().zip(0..) {
        while open
            .last()
            .is_some_and(|last| scope(of[*last as usize]).end <= scope(*i).start)
        {
            open.pop();
        }
        all.push((*i, open.last().copied()));
        open.push(at);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Who follows the bindings outwards comes to the one that who looks at all of them finds.
        #[test]
        fn the_last_that_holds_is_found(all in prop::collection::vec((0u32..3, 0u32..30, 0u32..12), 0..40)) {
            let mut named: Vec<(Name, Local)> = Vec::new();
            for (name, start, length) in all {
                let local = Local { declared: start, scope: start..start + length, hint: None };
                named.push((Name(name), local));
            }
            let locals: Vec<Local> = named.iter().map(|(_, local)| local.clone()).collect();
            let mut order: Vec<(Name, u32)> = (0..).zip(&named).map(|(i, (name, _))| (*name, i)).collect();
            order.sort_by_key(|(name, i)| (*name, locals[*i as usize].scope.start, *i));
            let bound = bound(&locals, order.clone());
            for name in (0..3).map(Name) {
                for at in 0..45 {
                    let holds = |i: u32| locals[i as usize].scope.contains(&at);
                    let found = order.iter().rev().find(|(of, i)| *of == name && holds(*i));
                    let from = bound.partition_point(|of| {
                        (of.name, locals[of.local as usize].scope.start) <= (name, at)
                    }) as u32;
                    let mut next = from.checked_sub(1).map(|at| &bound[at as usize]);
                    next = next.filter(|of| of.name == name);
                    while let Some(of) = next.filter(|of| !holds(of.local)) {
                        next = of.outer.map(|outer| &bound[outer as usize]);
                    }
                    prop_assert_eq!(next.map(|of| of.local), found.map(|(_, i)| *i));
                }
            }
        }
    }
}
