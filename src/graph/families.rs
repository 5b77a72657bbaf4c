//! Types and their members as a graph keeps them: bases and subtypes, what overrides what, and what stands outside of its
//! type.

use super::edges::Graph;
use super::resolve::Resolver;
use super::semantics;
use super::table::{SymbolId, SymbolTable};
use crate::extract::record::SymbolKind;
use crate::lang;
use std::sync::Arc;

/// Pairs of definitions, sorted.
type Pairs = Arc<Vec<(u32, u32)>>;

/// Bases, subtypes, and members that stand outside of their types; see the fields of [`Graph`].
#[derive(Default)]
pub(super) struct Families {
    pub(super) bases: Pairs,
    pub(super) derived: Pairs,
    pub(super) owners: Pairs,
    pub(super) parts: Pairs,
    pub(super) overrides: Pairs,
    pub(super) overridden: Pairs,
}

impl Families {
    /// Those of a graph of which the next one has the same.
    pub(super) fn same(graph: &Graph) -> Self {
        Self {
            bases: graph.bases.clone(),
            derived: graph.derived.clone(),
            owners: graph.owners.clone(),
            parts: graph.parts.clone(),
            overrides: graph.overrides.clone(),
            overridden: graph.overridden.clone(),
        }
    }

    pub(super) fn of(resolver: &Resolver<'_>) -> Self {
        let (table, members) = (resolver.table, &resolver.members);
        let (mut bases, mut derived) = (Vec::new(), Vec::new());
        let (mut owners, mut parts) = (Vec::new(), Vec::new());
        let (mut overrides, mut overridden) = (Vec::new(), Vec::new());
        let based = members.based();
        for id in &based {
            for base in members.bases(*id) {
                bases.push((id.0, base.0));
                derived.push((base.0, id.0));
            }
        }
        for id in members.outside() {
            let whole = Some(members.canonical(id)).filter(|whole| *whole != id);
            if let Some(class) = members.owner(id).or(whole) {
                owners.push((id.0, class.0));
            }
            let is_part = |whole: &SymbolId| {
                let (part, whole) = (table.symbol(id), table.symbol(*whole));
                semantics::is_type(part.kind) && part.name == whole.name
            };
            if let Some(whole) = whole.filter(is_part) {
                parts.push((id.0, whole.0));
            }
        }
        for class in based {
            // What a struct embeds calls its own methods, whatever the struct has of their names.
            let embeds = lang::of(table.lang(class)).naming.embeds_types
                && table.symbol(class).kind == SymbolKind::Struct;
            if embeds {
                continue;
            }
            for (name, member) in members.all(class) {
                let above = members.with_bases(class).skip(1);
                let of_bases = above.flat_map(|base| members.direct(base, name));
                for of_base in of_bases.filter(|id| may_override(table, member, *id)) {
                    overridden.push((member.0, of_base.0));
                    overrides.push((of_base.0, member.0));
                }
            }
        }
        for pairs in [&mut bases, &mut derived, &mut overrides, &mut overridden] {
            pairs.sort_unstable();
        }
        Self {
            bases: Arc::new(bases),
            derived: Arc::new(derived),
            owners: Arc::new(owners),
            parts: Arc::new(parts),
            overrides: Arc::new(overrides),
            overridden: Arc::new(overridden),
        }
    }
}

/// Whether a member of a type may override one of a base that has its name.
fn may_override(table: &SymbolTable<'_>, member: SymbolId, of_base: SymbolId) -> bool {
    let is_field = |id| {
        let kind = table.symbol(id).kind;
        matches!(kind, SymbolKind::Field | SymbolKind::Constant)
    };
    let hides = lang::of(table.lang(member)).naming.fields_hide_methods;
    !hides || is_field(member) == is_field(of_base)
}
