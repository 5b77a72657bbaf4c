//! Members that are named by a variable (`c.JSON`, where `c` is somewhere known to be a `Context`) or by a
//! type that inherits them.
//!
//! The graph keeps no types of variables, but it has resolved the members used on them. So the variable is
//! looked for in the text, right before the resolved uses of each candidate and of its sibling members.

use super::answer::MatchKind;
use super::definitions::{self, Definition};
use super::ids::DocSymbols;
use super::scope::Filter;
use super::target::Name;
use crate::extract::record::SymbolKind;
use crate::graph::edges::Graph;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::lang;
use crate::view::live::View;
use crate::view::text::{Text, Texts};

/// Definitions of one name that are looked at.
const MAX_CANDIDATES: usize = 64;
/// Uses of sibling members that are looked at.
const MAX_USES: usize = 4000;

/// Bases of one type that are looked at.
const MAX_BASES: usize = 64;

/// A member that a variable may lead to.
pub struct Known {
    /// The member.
    pub definition: Definition,
    /// Uses of members that say so.
    pub uses: usize,
}

/// Those of some definitions that are members of the type which the variable (or chain) `before` the name is
/// known to have; the most used first.
pub fn known(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    before: &[String],
    found: &[Definition],
) -> Vec<Known> {
    let mut left = MAX_USES;
    let mut known: Vec<Known> = Vec::new();
    for definition in found.iter().take(MAX_CANDIDATES) {
        let segment = &view.segment(definition.doc.segment).segment;
        let symbols = DocSymbols::load(segment, definition.doc.doc);
        let container = |index: usize| {
            let qualified = symbols.qualified(index);
            qualified
                .rsplit_once('.')
                .map(|(outer, _)| outer.to_owned())
        };
        let Some(of) = container(definition.index) else {
            continue;
        };
        let beside = (0..symbols.all().len()).filter(|i| container(*i).as_ref() == Some(&of));
        let mut uses = 0;
        for member in beside {
            let Some(id) = graph.symbol(definition.file, member) else {
                continue;
            };
            for edge in graph.incoming(id).into_iter().map(|edge| graph.edge(edge)) {
                if left == 0 {
                    break;
                }
                // That a name is unique says nothing of the variable before it.
                if edge.rule.certainty() != Certainty::Resolved {
                    continue;
                }
                left -= 1;
                let text = texts.if_here(view, edge.file);
                uses += usize::from(
                    text.is_some_and(|text| is_all_before(&text, (edge.line, edge.col), before)),
                );
            }
        }
        if uses > 0 {
            let mut definition = definition.clone();
            definition.matched = MatchKind::Receiver;
            known.push(Known { definition, uses });
        }
    }
    known.sort_by_key(|known| std::cmp::Reverse(known.uses));
    known
}

/// Those of some definitions that a type inherits, from its nearest base; its name comes last in `before`.
pub fn inherited(
    view: &View,
    graph: &Graph,
    before: &[String],
    found: &[Definition],
) -> Vec<Definition> {
    let Some((own, containers)) = before.split_last() else {
        return Vec::new();
    };
    let name = Name {
        containers: containers.to_vec(),
        own: own.clone(),
        ..Name::default()
    };
    let types = definitions::spelt(view, &Filter::open(), &name);
    let mut bases: Vec<SymbolId> = types
        .iter()
        .filter_map(|of| graph.symbol(of.file, of.index))
        .collect();
    let mut next = 0;
    while let Some(of) = bases.get(next).copied() {
        next += 1;
        for base in graph.bases(of).chain(embedded(view, graph, of)) {
            if bases.len() < MAX_BASES && !bases.contains(&base) {
                bases.push(base);
            }
        }
    }
    let distance = |found: &Definition| {
        let id = graph.symbol(found.file, found.index)?;
        let segment = &view.segment(found.doc.segment).segment;
        let symbol = segment.symbols(found.doc.doc).nth(found.index)?;
        let container = symbol
            .container
            .and_then(|at| graph.symbol(found.file, at as usize));
        let owner = graph.owner(id).or(container)?;
        let owner = graph.owner(owner).unwrap_or(owner);
        bases.iter().position(|base| *base == owner)
    };
    let nearest = found.iter().filter_map(distance).min();
    let members = found
        .iter()
        .filter(|found| nearest.is_some() && distance(found) == nearest);
    members
        .map(|found| {
            let mut found = found.clone();
            found.matched = MatchKind::Inherited;
            found
        })
        .collect()
}

/// The types that a type embeds: fields that are called like a type.
fn embedded(view: &View, graph: &Graph, of: SymbolId) -> Vec<SymbolId> {
    let (file, index) = graph.place(of);
    let Some(doc) = view.file(file).doc else {
        return Vec::new();
    };
    let segment = &view.segment(doc.segment).segment;
    if !lang::of(segment.doc(doc.doc).lang).naming.embeds_types {
        return Vec::new();
    }
    let symbols = DocSymbols::load(segment, doc.doc);
    let fields = symbols.all().iter().enumerate().filter(|(_, symbol)| {
        symbol.kind == SymbolKind::Field && symbol.container == Some(index as u32)
    });
    let types = fields.flat_map(|(at, _)| {
        let name = Name {
            own: symbols.name(at),
            ..Name::default()
        };
        definitions::spelt(view, &Filter::open(), &name)
    });
    let types = types.filter(|found| {
        let segment = &view.segment(found.doc.segment).segment;
        let kind = segment
            .symbols(found.doc.doc)
            .nth(found.index)
            .map(|of| of.kind);
        matches!(
            kind,
            Some(SymbolKind::Struct | SymbolKind::Interface | SymbolKind::Type)
        )
    });
    types
        .filter_map(|found| graph.symbol(found.file, found.index))
        .collect()
}

/// Whether some names, the outermost first, stand right before a place (line from 1, byte column), joined
/// as members are; what stands before them may go on (`flask.request` has `request`).
pub fn stand_before(text: &Text, at: (u32, u32), names: &[String]) -> bool {
    let adjoins = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii();
    before(text.line(at.0), at.1, names).is_some_and(|rest| !rest.last().is_some_and(adjoins))
}

/// The same, with nothing else joined to them.
fn is_all_before(text: &Text, at: (u32, u32), names: &[String]) -> bool {
    let joins = |rest: &[u8]| matches!(rest, [.., b'.' | b'>'] | [.., b':', b':']);
    stand_before(text, at, names)
        && before(text.line(at.0), at.1, names).is_some_and(|rest| !joins(rest))
}

/// What stands on a line before some names that stand right before a column.
fn before<'t>(line: &'t [u8], col: u32, names: &[String]) -> Option<&'t [u8]> {
    let mut rest = line.get(..col as usize)?;
    for name in names.iter().rev() {
        let separators: [&[u8]; 5] = [b"?.", b"!.", b".", b"->", b"::"];
        let outer = separators
            .iter()
            .find_map(|separator| rest.strip_suffix(*separator))?;
        rest = outer.strip_suffix(name.as_bytes())?;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_before_a_place() {
        let text = Text::new(b"  this.router?.handle(c->x, Abc.x, a.c.x)".to_vec());
        let stand = |col, names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            is_all_before(&text, (1, col), &names)
        };
        assert!(stand(15, &["this", "router"]));
        assert!(!stand(15, &["router"]), "more stands before it");
        assert!(stand(25, &["c"]));
        assert!(!stand(32, &["c"]), "a part of a name");
        assert!(!stand(39, &["c"]) && stand(39, &["a", "c"]));
        assert!(!stand(999, &["c"]) && !stand(0, &["c"]));
        assert!(
            stand_before(&text, (1, 39), &["c".to_owned()]),
            "more may stand before it"
        );
        assert!(!stand_before(&text, (1, 32), &["c".to_owned()]));
    }
}
