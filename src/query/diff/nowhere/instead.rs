//! What there is instead of a name that leads nowhere: functions that are called like it, or what the type or the module
//! has, the most like it first.

use super::super::units::Side;
use super::Wanted;
use crate::extract::record::{Symbol, SymbolKind};
use crate::graph::semantics;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::query::definitions;
use crate::query::overlap;
use crate::query::target::Name;
use crate::query::verified::VerifiedSymbols;
use crate::view::live::FileId;
use crate::view::text::Texts;
use crate::view::written::Written;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// Names like one that leads nowhere.
const MAX_NEAR: usize = 3;
/// Names that are listed of what there is.
const MAX_LISTED: usize = 6;
/// Functions that are looked for under other names: of more, something is not understood.
const MAX_ASKED: usize = 16;
/// Names that one is compared with: a type of more is made, not written.
const MAX_COMPARED: usize = 512;
/// Bases whose members are listed with those of a type.
const MAX_BASES: usize = 8;

/// What there is instead of names that lead nowhere.
#[derive(Default)]
pub(super) struct Instead {
    /// Functions that were looked for under other names.
    asked: usize,
    /// What was asked last of what it has: names of one thing come together.
    last: Option<(Wanted, Vec<Having>)>,
}

/// One name that something has.
struct Having {
    name: Vec<u8>,
    /// Where it is defined: the file, and the position in its document.
    at: (FileId, usize),
}

impl Instead {
    /// Definitions that are called like a function that nothing defines.
    pub(super) fn near(
        &mut self,
        new: &Side<'_>,
        name: &Written,
        texts: &mut Texts,
    ) -> Option<String> {
        self.asked += 1;
        if self.asked > MAX_ASKED {
            return None;
        }
        let like = Name {
            own: name.to_string(),
            ..Name::default()
        };
        // Tests are called by sentences.
        let mut near = definitions::similar_names(new.view, texts, &like, MAX_NEAR * 4);
        near.retain(|other| other.bytes().all(is_of_names));
        near.truncate(MAX_NEAR);
        listed("near: ", &near)
    }

    /// What a type or a module has, the most like a name first, then as it is written there.
    pub(super) fn has(
        &mut self,
        new: &Side<'_>,
        (of, name): (Wanted, &[u8]),
        texts: &mut Texts,
    ) -> Option<String> {
        let known = self.last.take().filter(|(known, _)| *known == of);
        let (_, all) = self.last.insert(known.unwrap_or_else(|| {
            let all = match of {
                Wanted::File(_) | Wanted::Function => Vec::new(),
                Wanted::Export(module) => of_module(new, module),
                Wanted::Member(class) => of_type(new, class),
            };
            (of, all)
        }));
        let mut order: Vec<&Having> = all.iter().collect();
        order.sort_by_cached_key(|other| Reverse(alike(name, &other.name)));
        let names = order.iter().filter_map(|having| {
            let (file, position) = having.at;
            VerifiedSymbols::of(new.view, file)?.name(texts, position)
        });
        let names: Vec<Written> = names.take(MAX_LISTED + 1).collect();
        listed("it has ", &names)
    }
}

/// Whether code may name something by a text with this in it.
fn is_of_names(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'_' | b'$' | b'#')
}

/// How alike two names are: by their words, then by how they begin.
fn alike(a: &[u8], b: &[u8]) -> (u32, usize) {
    let begin = a.iter().zip(b);
    let begin = begin.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    (overlap::likeness(a, b), begin)
}

/// What can be called that a module defines at its top.
fn of_module(new: &Side<'_>, module: FileId) -> Vec<Having> {
    distinct(defined(new, module, None, |symbol| {
        semantics::is_callable(symbol.kind)
    }))
}

/// The methods of a type and of its bases, its own first.
fn of_type(new: &Side<'_>, class: SymbolId) -> Vec<Having> {
    let graph = new.graph;
    let (mut types, mut next) = (vec![class], 0);
    let mut all = Vec::new();
    while let Some(of) = types.get(next).copied() {
        next += 1;
        let (file, position) = graph.place(of);
        all.extend(defined(new, file, Some(position as u32), is_method));
        for outside in graph.members_outside(of) {
            let (file, position) = graph.place(outside);
            all.extend(defined_at(new, file, position));
        }
        for base in graph.bases(of) {
            if types.len() <= MAX_BASES && !types.contains(&base) {
                types.push(base);
            }
        }
    }
    distinct(all)
}

fn is_method(symbol: &Symbol<NameId>) -> bool {
    matches!(symbol.kind, SymbolKind::Method | SymbolKind::Function)
}

/// What of a file lies directly in a definition, or at the top, and is of one kind.
fn defined(
    new: &Side<'_>,
    file: FileId,
    within: Option<u32>,
    is_listed: impl Fn(&Symbol<NameId>) -> bool,
) -> Vec<Having> {
    let Some(symbols) = VerifiedSymbols::of(new.view, file) else {
        return Vec::new();
    };
    let symbols = symbols.symbols();
    let all = symbols.all().iter().enumerate();
    let own = all.filter(|(_, symbol)| symbol.container == within && is_listed(symbol));
    own.map(|(position, symbol)| Having {
        name: symbols.bytes(symbol.name),
        at: (file, position),
    })
    .take(MAX_COMPARED)
    .collect()
}

/// A method that stands outside of its type.
fn defined_at(new: &Side<'_>, file: FileId, position: usize) -> Option<Having> {
    let symbols = VerifiedSymbols::of(new.view, file)?;
    let symbol = symbols.symbols().get(position)?;
    is_method(symbol).then(|| Having {
        name: symbols.symbols().bytes(symbol.name),
        at: (file, position),
    })
}

/// The first of each name.
fn distinct(mut all: Vec<Having>) -> Vec<Having> {
    let mut seen: FxHashSet<Vec<u8>> = FxHashSet::default();
    all.retain(|having| seen.insert(having.name.clone()));
    all.truncate(MAX_COMPARED);
    all
}

/// The first of some names, after these words; `None` where there are none.
fn listed(words: &str, names: &[Written]) -> Option<String> {
    let first: Vec<&str> = (names.iter().take(MAX_LISTED))
        .map(|name| &**name)
        .collect();
    let more = if names.len() > MAX_LISTED { ", .." } else { "" };
    (!names.is_empty()).then(|| format!("{words}{}{more}", first.join(", ")))
}
