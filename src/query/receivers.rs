//! Members that are named by a variable: `c.JSON`, where `c` is somewhere known to be a `Context`.
//!
//! What a variable is, the graph has found out for every use of a member through it. So the variable is
//! looked for before the uses of the members that may be meant, and of those beside them.

use super::answer::MatchKind;
use super::definitions::Definition;
use super::ids::DocSymbols;
use crate::graph::edges::Graph;
use crate::graph::rule::Certainty;
use crate::view::live::View;
use crate::view::text::{Text, Texts};

/// Definitions of one name that are looked at.
const MAX_CANDIDATES: usize = 64;
/// Uses of their types' members that are looked at.
const MAX_USES: usize = 4000;

/// A member that a variable may lead to.
pub struct Known {
    /// The member.
    pub definition: Definition,
    /// The qualified name of what the variable is.
    pub of: String,
    /// Uses of members that say so.
    pub uses: usize,
}

/// Of some definitions those that are members of what the variable, or the chain of members, before a name
/// is known to be; the surest first.
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
            for edge in graph.arriving(id).into_iter().map(|edge| graph.edge(edge)) {
                if left == 0 {
                    break;
                }
                if edge.rule.certainty() > Certainty::Inferred {
                    continue;
                }
                left -= 1;
                let text = texts.if_here(view, edge.file);
                uses += usize::from(
                    text.is_some_and(|text| stand_before(&text, (edge.line, edge.col), before)),
                );
            }
        }
        if uses > 0 {
            let mut definition = definition.clone();
            definition.matched = MatchKind::Receiver;
            known.push(Known {
                definition,
                of,
                uses,
            });
        }
    }
    known.sort_by_key(|known| std::cmp::Reverse(known.uses));
    known
}

/// Whether some names, the outermost first, stand right before a place (line from 1, byte column), joined
/// as members are, and nothing else does.
pub fn stand_before(text: &Text, (line, col): (u32, u32), names: &[String]) -> bool {
    let Some(mut rest) = text.line(line).get(..col as usize) else {
        return false;
    };
    for name in names.iter().rev() {
        let separators: [&[u8]; 5] = [b"?.", b"!.", b".", b"->", b"::"];
        let stripped = separators
            .iter()
            .find_map(|separator| rest.strip_suffix(*separator));
        let Some(outer) = stripped.and_then(|outer| outer.strip_suffix(name.as_bytes())) else {
            return false;
        };
        rest = outer;
    }
    let adjoins =
        |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'>') || !b.is_ascii();
    !rest.last().is_some_and(adjoins) && !rest.ends_with(b"::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_before_a_place() {
        let text = Text::new(b"  this.router?.handle(c->x, Abc.x, a.c.x)".to_vec());
        let stand = |col, names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            stand_before(&text, (1, col), &names)
        };
        assert!(stand(15, &["this", "router"]));
        assert!(!stand(15, &["router"]), "more stands before it");
        assert!(stand(25, &["c"]));
        assert!(!stand(32, &["c"]), "a part of a name");
        assert!(!stand(39, &["c"]) && stand(39, &["a", "c"]));
        assert!(!stand(999, &["c"]) && !stand(0, &["c"]));
    }
}
