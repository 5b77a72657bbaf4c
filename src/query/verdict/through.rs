//! What calls a member through its type: who gets that as a value, and what chooses members of it by a value.

use super::{Judge, Verdict};
use crate::extract::record::{OccurrenceKind, Qualifier, SymbolFlags};
use crate::graph::edges::Edge;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::lang;
use crate::query::ids::DocSymbols;
use crate::query::inventory::{is_callable, is_type};
use crate::query::shared::Shared;
use crate::query::torn::{self, Torn};
use crate::query::unexplained::{self, Search};
use crate::query::wholes::{Asked, Wholes};
use crate::query::{beside, dispatch, handing, namesakes, unspoken, use_lines, verified};
use crate::view::live::FileId;
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::FxHashSet;

impl Judge<'_> {
    /// Where its type goes to others of the product as a value, or is named for them where no reference is understood:
    /// `audit unused` believes that they may call what is not private.
    pub(super) fn through_type(
        &self,
        texts: &mut Texts,
        class: SymbolId,
        shared: &mut Shared,
    ) -> Option<Verdict> {
        if dispatch::is_private(&self.name) {
            return None;
        }
        // What is derived from it has the same member.
        let mut types = self.with_derived(class).into_iter();
        types.find_map(|of| self.handed_out(texts, of, shared))
    }

    /// Where a type goes to others so.
    fn handed_out(
        &self,
        texts: &mut Texts,
        class: SymbolId,
        shared: &mut Shared,
    ) -> Option<Verdict> {
        let (view, graph) = (self.view, self.graph);
        if let Some(found) = self.decorated(texts, class) {
            return Some(found);
        }
        let are_values = lang::of(self.lang).liveness.types_are_values;
        let uses = graph.incoming(class).into_iter();
        let uses: Vec<Edge> = uses.map(|edge| graph.edge(edge)).collect();
        let is_sure = |edge: &&Edge| edge.rule.certainty() <= Certainty::Inferred;
        let handed = uses.iter().filter(is_sure).find(|edge| {
            are_values
                && edge.kind == OccurrenceKind::Read
                && view.file(edge.file).role == FileRole::Product
                && !self.is_object(edge.file, (edge.line, edge.col))
                && !handing::defines_member(view, texts, edge.file, (edge.line, edge.col))
        });
        let mut made = uses.iter().filter(is_sure);
        let handed =
            handed.or_else(|| made.find(|edge| handing::is_handed(view, graph, texts, edge)));
        let (file, line) = match handed {
            Some(edge) => (edge.file, edge.line),
            None if uses.iter().any(|edge| is_sure(&edge)) => return None,
            None => {
                let of = Judge::new(view, graph, class)?;
                let own = of.symbol.start_line..=of.symbol.end_line;
                let name = (of.lang, &*of.name);
                let own = (of.file, own);
                match unexplained::search(view, graph, texts, name, own, shared) {
                    Search::Stands(file, line) => (file, line),
                    _ => return None,
                }
            }
        };
        let path = view.file(file).path.to_string();
        Some(Verdict::ThroughType { path, line })
    }

    /// The member of a type that others use without naming the type, as an extension method.
    pub(super) fn through_member(&self, texts: &mut Texts) -> Option<Verdict> {
        let extends = lang::of(self.lang).liveness.extends_by_classes;
        if !extends || !is_type(self.symbol.kind) {
            return None;
        }
        let (_, own) = self.graph.place(self.id);
        let is_outside =
            |line: u32| !(self.symbol.start_line..=self.symbol.end_line).contains(&line);
        let is_used = |id: &SymbolId| {
            let edges = self.graph.incoming(*id).into_iter();
            let mut edges = edges.map(|edge| self.graph.edge(edge));
            edges.any(|edge| {
                let sure = edge.rule.certainty();
                let is_test = self.view.file(edge.file).role == FileRole::Test;
                matches!(sure, Certainty::Resolved | Certainty::Inferred)
                    && (edge.file != self.file || is_outside(edge.line))
                    && !is_test
            })
        };
        let mut members = (0..).map_while(|index| Some((index, self.symbols.get(index)?)));
        let lines = self.symbol.start_line..=self.symbol.end_line;
        let asked = (self.lang, self.file, &lines);
        if let Some((file, line)) = unspoken::extended(self.view, self.graph, texts, asked) {
            return Some(self.named(file, line));
        }
        let member = members.find_map(|(index, member)| {
            let is_own = member.container.map(|of| of as usize) == Some(own);
            let id = self.graph.symbol(self.file, index).filter(|_| is_own)?;
            is_used(&id).then_some(id)
        })?;
        verified::reference(self.view, self.graph, texts, member).map(Verdict::ThroughMember)
    }

    /// Where code has its name for something else.
    pub(super) fn namesake(&self) -> Option<Verdict> {
        let own = self.symbol.start_line..=self.symbol.end_line;
        let asked = (self.id, &*self.name, (self.file, own));
        let (file, line) = namesakes::first(self.view, self.graph, asked)?;
        let path = self.view.file(file).path.to_string();
        Some(Verdict::Namesake { path, line })
    }

    /// Where objects of its type are made, if it is a constructor.
    pub(super) fn made(&self, texts: &mut Texts) -> Option<Verdict> {
        let class = self.class()?;
        let edges = use_lines::edges(self.view, self.graph, class);
        let made = edges.filter(|edge| {
            edge.kind == OccurrenceKind::Call && edge.rule.certainty() <= Certainty::Inferred
        });
        let lines: FxHashSet<(FileId, u32)> = made.map(|edge| (edge.file, edge.line)).collect();
        let of = verified::reference(self.view, self.graph, texts, class)?;
        let uses = lines.len();
        (uses > 0).then_some(Verdict::Made { of, uses })
    }

    /// Where a module that gives it out goes to others as a whole.
    pub(super) fn through_module(&self, texts: &mut Texts) -> Option<(FileId, u32)> {
        let is_seen = self.symbol.flags.contains(SymbolFlags::EXPORTED);
        if self.symbol.container.is_some() || !is_seen {
            return None;
        }
        let asked = Asked {
            file: self.file,
            name: &self.name,
        };
        Wholes::default().find(self.view, self.graph, texts, asked)
    }

    /// Whether what stands at a place is followed by a member of it.
    fn is_object(&self, file: FileId, place: (u32, u32)) -> bool {
        let Some(doc) = self.view.file(file).doc else {
            return false;
        };
        let segment = &self.view.segment(doc.segment).segment;
        let mut uses = segment.occurrences(doc.doc);
        uses.find(|found| (found.line, found.col) == place);
        uses.next()
            .is_some_and(|next| next.qualifier == Qualifier::Previous)
    }

    /// Whether it lies in a type that was not understood, as it has to lie in one and does not; or what is lost of its file
    /// may use it, as its name stands there.
    pub(super) fn is_torn(&self, texts: &mut Texts) -> bool {
        lang::of(self.lang).liveness.functions_are_members
            && is_callable(self.symbol.kind)
            && self.symbol.container.is_none()
            && torn::is_torn(self.view, self.file)
            || Torn::default()
                .named(self.view, texts, self.file, &self.name)
                .is_some()
    }

    /// Where its type chooses its members by a value.
    pub(super) fn chosen(&self, texts: &mut Texts) -> Option<(FileId, u32)> {
        let member = (self.lang, &*self.name);
        if beside::may_be_of_module(member, self.symbol.container.is_none()) {
            return beside::module_chosen(self.view, self.graph, texts, self.file);
        }
        if !is_callable(self.symbol.kind) || !beside::may_choose(member) {
            return None;
        }
        let (file, index) = self.graph.place(self.class()?);
        let doc = self.view.file(file).doc?;
        let segment = &self.view.segment(doc.segment).segment;
        let symbols = DocSymbols::load(segment, doc.doc);
        let class = symbols.get(index)?;
        let name = symbols.bytes(class.name);
        let lines = class.start_line..=class.end_line;
        let text = texts.if_here(self.view, file)?;
        Some((file, beside::chosen(&text, member, (&name, lines))?))
    }
}
