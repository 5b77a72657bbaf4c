//! Types around a definition: their bases and what is derived from them, as far as a verdict asks.

use super::{Judge, Verdict};
use crate::extract::record::{OccurrenceKind, SymbolKind};
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::lang;
use crate::query::answer::SymbolRef;
use crate::query::ids::DocSymbols;
use crate::query::inventory::{is_callable, is_type, is_value_kind};
use crate::query::shared::Shared;
use crate::query::{dispatch, opened, verified};
use crate::view::live::View;
use crate::view::text::Texts;
use crate::view::written::Written;

/// A base that no type of the repository is.
pub(super) enum Base {
    /// It is not in the repository.
    Foreign(Written),
    /// It is a value, which may be any type.
    Value(Written),
}

impl From<Base> for Verdict {
    fn from(base: Base) -> Self {
        match base {
            Base::Foreign(base) => Self::Foreign(base),
            Base::Value(base) => Self::OfValue(base),
        }
    }
}

/// Definitions of one name that are looked at for members of interfaces.
const MAX_SHAPES: usize = 64;
/// Bases of bases that are looked at.
const MAX_BASES: usize = 64;
/// Types derived from one that are looked at, as others may get to know one by these.
const MAX_DERIVED: usize = 16;

impl Judge<'_> {
    /// A type, its bases and theirs.
    pub(super) fn with_bases(&self, class: SymbolId) -> Vec<SymbolId> {
        let mut seen = vec![class];
        let mut next = 0;
        while let Some(at) = seen.get(next).copied() {
            next += 1;
            for base in self.graph.bases(at) {
                if seen.len() < MAX_BASES && !seen.contains(&base) {
                    seen.push(base);
                }
            }
        }
        seen
    }

    /// A type, what is derived from it, and what from that.
    pub(super) fn with_derived(&self, class: SymbolId) -> Vec<SymbolId> {
        let mut seen = vec![class];
        let mut next = 0;
        while let Some(at) = seen.get(next).copied() {
            next += 1;
            for derived in self.graph.derived(at) {
                if seen.len() < MAX_DERIVED && !seen.contains(&derived) {
                    seen.push(derived);
                }
            }
        }
        seen
    }

    /// The method of this name that one of some types has.
    pub(super) fn method_of(
        &self,
        types: &[SymbolId],
        method: &str,
        shared: &mut Shared,
    ) -> Option<SymbolId> {
        let named = shared.exact(self.view, method.as_bytes());
        named.iter().find_map(|found| {
            let id = self.graph.symbol(found.file, found.index)?;
            let class = Judge::new(self.view, self.graph, id)?.class()?;
            types.contains(&class).then_some(id)
        })
    }

    /// What gets to know the type, as one of those that are derived from its bases.
    pub(super) fn as_derived(&self, texts: &mut Texts, shared: &mut Shared) -> Option<Verdict> {
        let hooks = lang::of(self.lang).liveness.subclass_hooks;
        if hooks.is_empty() || !is_type(self.symbol.kind) {
            return None;
        }
        let types = self.with_bases(self.id);
        let mut hooks = hooks.iter();
        let hook = hooks.find_map(|hook| self.method_of(&types[1..], hook, shared))?;
        verified::reference(self.view, self.graph, texts, hook).map(Verdict::Derived)
    }

    /// A base of its type, or of the block it stands in, that is not in the repository; its type itself where that is one
    /// of a library, opened again.
    pub(super) fn foreign(&self, texts: &mut Texts, class: SymbolId) -> Option<Base> {
        // A class of a library's module is written in it, or behind its name.
        for class in self.container().into_iter().chain([class]) {
            let of = Judge::new(self.view, self.graph, class)?;
            let (_, index) = self.graph.place(class);
            if opened::is_opened(self.view, of.file, (of.lang, &of.symbols), index) {
                let place = (of.symbol.name_line, of.symbol.name_col);
                let name = texts.verified(self.view, of.file, &of.name, Some(place));
                return name.map(Base::Foreign);
            }
        }
        let mut types = self.with_bases(class);
        types.splice(0..0, self.container());
        let mut types = types.into_iter();
        types.find_map(|of| foreign_base(self.view, self.graph, texts, of))
    }

    /// The method of an interface of the repository that has its name.
    pub(super) fn interface(&self, texts: &mut Texts, shared: &mut Shared) -> Option<SymbolRef> {
        let named = shared.exact(self.view, &self.name);
        let method = named.iter().find_map(|found| {
            let id = self.graph.symbol(found.file, found.index)?;
            let other = Judge::new(self.view, self.graph, id)?;
            let of = other.symbols.get(other.symbol.container? as usize)?.kind;
            (other.lang == self.lang && of == SymbolKind::Interface).then_some(id)
        })?;
        verified::reference(self.view, self.graph, texts, method)
    }

    /// The member of its name of an interface, which is used and which its type or module may have without saying so.
    pub(super) fn shape(&self, texts: &mut Texts, shared: &mut Shared) -> Option<SymbolRef> {
        let has_shapes = lang::of(self.lang).liveness.has_shapes;
        if !has_shapes || !is_callable(self.symbol.kind) {
            return None;
        }
        let named = shared.exact(self.view, &self.name);
        let member = named.iter().take(MAX_SHAPES).find_map(|found| {
            let id = self.graph.symbol(found.file, found.index)?;
            let other = Judge::new(self.view, self.graph, id)?;
            let is_shape = matches!(
                other.around(),
                Some(SymbolKind::Interface | SymbolKind::Type)
            );
            let is_known = lang::of(other.lang).liveness.has_shapes;
            (is_shape && is_known && id != self.id && self.uses_of(id) > 0).then_some(id)
        })?;
        verified::reference(self.view, self.graph, texts, member)
    }

    /// The base that is not here by which who made it may find a type, whoever sees the name of that. What is thrown is
    /// found by nobody.
    pub(super) fn found_by_base(&self, texts: &mut Texts) -> Option<Base> {
        let is_type = is_type(self.symbol.kind);
        let base = is_type.then(|| self.foreign(texts, self.id)).flatten()?;
        let (Base::Foreign(name) | Base::Value(name)) = &base;
        let is_thrown = dispatch::is_thrown(name);
        (!is_thrown).then_some(base)
    }
}

/// The first base of a type or block that no type of the repository is meant by, as it is written.
fn foreign_base(view: &View, graph: &Graph, texts: &mut Texts, of: SymbolId) -> Option<Base> {
    let (file, index) = graph.place(of);
    let doc = view.file(file).doc?;
    let segment = &view.segment(doc.segment).segment;
    let symbols = DocSymbols::load(segment, doc.doc);
    let embeds = lang::of(segment.doc(doc.doc).lang).naming.embeds_types;
    for base in segment.occurrences(doc.doc) {
        if base.kind != OccurrenceKind::Inherit {
            continue;
        }
        let place = (base.line, base.col);
        let mut owner = symbols.enclosing(base.line, base.col);
        // An embedded type is a field of its own name.
        if let Some(field) = owner.and_then(|at| symbols.get(at))
            && embeds
            && field.kind == SymbolKind::Field
            && field.name == base.name
        {
            owner = field.container.map(|at| at as usize);
        }
        if owner != Some(index) {
            continue;
        }
        let named = graph.edge_at(file, base.line, base.col);
        if named.is_some_and(|edge| !is_value(view, graph, edge)) {
            continue;
        }
        let name = symbols.bytes(base.name);
        let plain = dispatch::PLAIN_BASES
            .iter()
            .any(|plain| plain.as_bytes() == name);
        if !plain && let Some(said) = texts.verified(view, file, &name, Some(place)) {
            return Some(match named {
                None => Base::Foreign(said),
                Some(_) => Base::Value(said),
            });
        }
    }
    None
}

/// Whether all that an edge leads to are values: `Base = make_base()`.
fn is_value(view: &View, graph: &Graph, edge: u32) -> bool {
    let mut targets = graph.targets(edge).peekable();
    targets.peek().is_some()
        && targets.all(|target| {
            let of = Judge::new(view, graph, target);
            of.is_some_and(|of| is_value_kind(of.symbol.kind))
        })
}
