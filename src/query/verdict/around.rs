//! What stands around a definition and may use it in ways that no reference says: what its type is handed to, what the
//! function has that it is defined in.

use super::{DECORATOR_BYTES, Judge, Verdict};
use crate::extract::record::{OccurrenceKind, Symbol, SymbolFlags, SymbolKind};
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang;
use crate::query::decorators::Decorator;
use crate::query::exposure::Manifests;
use crate::query::inventory::{is_callable, is_type, is_value_kind};
use crate::query::late::{self, Asked, Late};
use crate::query::scope::Filter;
use crate::query::self_calls;
use crate::query::twins::Twins;
use crate::query::unspoken::{self, Unspoken};
use crate::query::{beside, decorators, definitions, dispatch, implicit, outside, verified};
use crate::view::live::FileId;
use crate::view::text::{Texts, fold_line};

/// Macros of one name that are looked at.
const MAX_VARIANTS: usize = 16;

impl Judge<'_> {
    /// The decorator above a type that gets it, and may call what it has.
    pub(super) fn decorated(&self, texts: &mut Texts, class: SymbolId) -> Option<Verdict> {
        if !lang::of(self.lang).liveness.decorators_take_types {
            return None;
        }
        let own = texts.get(self.view, self.file)?;
        let place = (self.symbol.name_line, self.symbol.name_col);
        if class != self.id
            && (dispatch::is_private(&self.name) || dispatch::is_hidden(&own, place))
        {
            return None;
        }
        let of = Judge::new(self.view, self.graph, class)?;
        let text = texts.get(self.view, of.file)?;
        let start = (of.symbol.start_line, of.symbol.start_col);
        let line = decorators::taking(&text, start)?;
        let path = self.view.file(of.file).path.to_string();
        Some(Verdict::ThroughType { path, line })
    }

    /// What runs its script, and may call what that defines.
    pub(super) fn runner(&self, texts: &mut Texts) -> Option<&'static str> {
        let runs = lang::of(self.lang).liveness.scripts_are_called;
        let text = texts
            .get(self.view, self.file)
            .filter(|_| runs && is_callable(self.symbol.kind))?;
        dispatch::runner(self.lang, self.view.file(self.file).path.as_bytes(), &text)
    }

    /// What its head says of a member of a type that was not understood.
    pub(super) fn of_unknown(&self, texts: &mut Texts) -> Option<Verdict> {
        if !lang::of(self.lang).naming.linked {
            return None;
        }
        let text = texts.get(self.view, self.file)?;
        let line = self.symbol.start_line;
        dispatch::says_override(&text, line).then_some(Verdict::Overriding { line })
    }

    /// The base that may ask for it as a name for a type.
    pub(super) fn as_alias(&self, texts: &mut Texts) -> Option<Verdict> {
        let is_read = lang::of(self.lang).liveness.aliases_are_read;
        if !is_read || self.symbol.kind != SymbolKind::Type {
            return None;
        }
        let class = self.class()?;
        self.foreign(texts, class).map(Verdict::from)
    }

    /// Where a member of its name was taken for another that a type is known of; a macro of its name, or what else has the name of a macro: one that no semicolon follows is misread as that (C).
    pub(super) fn misread(&self) -> Option<(FileId, u32)> {
        let own = self.symbol.start_line..=self.symbol.end_line;
        let named = (self.symbol.kind, &*self.name);
        if self.symbol.container.is_none()
            && let Some(line) =
                beside::led_elsewhere(self.view, self.graph, named, (self.file, own))
        {
            return Some((self.file, line));
        }
        if !lang::of(self.lang).naming.linked {
            return None;
        }
        let is_macro = |kind: SymbolKind| kind == SymbolKind::Macro;
        let named = definitions::find_exact(self.view, &Filter::open(), &self.name);
        named.iter().take(MAX_VARIANTS).find_map(|found| {
            let id = self.graph.symbol(found.file, found.index)?;
            let other = Judge::new(self.view, self.graph, id)?;
            let differs = is_macro(other.symbol.kind) != is_macro(self.symbol.kind);
            let is_linked = lang::of(other.lang).naming.linked;
            (differs && is_linked).then_some((found.file, other.symbol.name_line))
        })
    }

    /// What a decorator makes of a definition, if it may have told somebody of that.
    pub(super) fn registered(&self, texts: &mut Texts, of: &Symbol<NameId>) -> Option<Verdict> {
        if !of.flags.contains(SymbolFlags::DECORATED) {
            return None;
        }
        let text = texts.get(self.view, self.file)?;
        let found = decorators::registering(&text, (of.start_line, of.start_col));
        let known = found.iter().find(|decorator| decorator.part.is_some());
        let Decorator { part, line, .. } = known.or(found.first())?;
        let by = fold_line(text.line(*line), DECORATOR_BYTES);
        let (part, line) = (*part, *line);
        Some(Verdict::Registered { part, by, line })
    }

    /// Itself, as its text is asked about it.
    pub(super) fn asked(&self) -> unspoken::Asked<'_> {
        unspoken::Asked {
            lang: self.lang,
            name: &self.name,
            start: self.symbol.start_line,
            end: self.symbol.end_line,
        }
    }

    /// What its own text says of who uses it without a name.
    pub(super) fn unspoken(&self, texts: &mut Texts) -> Option<Verdict> {
        let is_kind = is_type(self.symbol.kind);
        if !is_kind && !unspoken::may_be_said(self.lang) {
            return None;
        }
        let text = texts.get(self.view, self.file)?;
        let registered = |line: u32| {
            let by = fold_line(text.line(line), DECORATOR_BYTES);
            let part = None;
            Verdict::Registered { part, by, line }
        };
        let (_, own) = self.graph.place(self.id);
        if is_kind && let Some(line) = unspoken::registered_field(&text, &self.symbols, own) {
            return Some(registered(line));
        }
        match unspoken::said(&text, &unspoken::keeping(self.lang, &text), self.asked())? {
            Unspoken::Kept(line) => Some(registered(line)),
            Unspoken::Implicit(_) => Some(Verdict::Language),
            Unspoken::Overriding(line) => {
                let is_member = is_callable(self.symbol.kind) && self.symbol.container.is_some();
                is_member.then_some(Verdict::Overriding { line })
            }
        }
    }

    /// Where its name may be put together, or be looked up.
    pub(super) fn late(&self, texts: &mut Texts) -> Option<(FileId, u32)> {
        let Symbol {
            kind,
            container,
            flags,
            ..
        } = self.symbol;
        let asked = Asked {
            file: self.file,
            name: &self.name,
            is_linked: late::is_linked(kind, flags, container.is_none()),
        };
        Late::default().find(self.view, self.graph, texts, asked)
    }

    /// A macro of its name that is used: which of them is meant, what the program is built for decides.
    fn as_variant(&self, texts: &mut Texts) -> Option<Verdict> {
        if self.symbol.kind != SymbolKind::Macro || !lang::of(self.lang).naming.linked {
            return None;
        }
        let named = definitions::find_exact(self.view, &Filter::open(), &self.name);
        let (uses, other) = named.iter().take(MAX_VARIANTS).find_map(|found| {
            let id = self.graph.symbol(found.file, found.index)?;
            let other = Judge::new(self.view, self.graph, id)?;
            let is_other = id != self.id && other.symbol.kind == SymbolKind::Macro;
            let uses = self.uses_of(id);
            (is_other && uses > 0).then_some((uses, id))
        })?;
        let base = verified::reference(self.view, self.graph, texts, other)?;
        Some(Verdict::Overrides { base, uses })
    }

    /// What is used where it may be meant.
    pub(super) fn as_twin(&self, texts: &mut Texts) -> Option<Verdict> {
        if let Some(variant) = self.as_variant(texts) {
            return Some(variant);
        }
        let twin = Twins::of(self.view).find(self.graph, texts, self.id);
        let caller = || self_calls::caller_of(self.view, self.graph, self.id, &self.name);
        let twin = twin.or_else(|| is_callable(self.symbol.kind).then(caller)?)?;
        let uses = self.uses_of(twin);
        if uses == 0 {
            return None;
        }
        let base = verified::reference(self.view, self.graph, texts, twin)?;
        Some(Verdict::Overrides { base, uses })
    }

    /// Whether it says that it is called as what is declared elsewhere.
    pub(super) fn is_actual(&self, texts: &mut Texts) -> bool {
        let place = (self.symbol.name_line, self.symbol.name_col);
        lang::of(self.lang).liveness.actual_mark.is_some()
            && texts
                .get(self.view, self.file)
                .is_some_and(|text| dispatch::is_actual(self.lang, &text, place))
    }

    /// Whether an object of its type is given out under a name, whoever sees the type: `export const manager = new Manager()`.
    pub(super) fn is_given_out_with_object(&self, texts: &mut Texts) -> bool {
        let is_seen = is_callable(self.symbol.kind) && !dispatch::is_private(&self.name);
        let Some(class) = self.class().filter(|_| is_seen) else {
            return false;
        };
        let place = (self.symbol.name_line, self.symbol.name_col);
        let text = texts.get(self.view, self.file);
        if !self.is_of_hidden_type(class)
            || text.is_none_or(|text| dispatch::is_hidden(&text, place))
        {
            return false;
        }
        let made = self
            .graph
            .incoming(class)
            .into_iter()
            .take(outside::MAX_OBJECTS);
        let mut made = made.map(|edge| self.graph.edge(edge));
        made.any(|edge| {
            let is_made = edge.kind == OccurrenceKind::Call && edge.file == self.file;
            let at = self
                .symbols
                .enclosing(edge.line, edge.col)
                .filter(|_| is_made);
            let object = at.and_then(|at| Some((at, self.symbols.get(at)?)));
            object.is_some_and(|(at, object)| {
                is_value_kind(object.kind)
                    && object.container.is_none()
                    && outside::is_given_out(self.view, texts, self.file, (&self.symbols, at))
                    && Manifests::of(self.view).offer(texts, self.file).is_some()
            })
        })
    }

    /// Whether a type is not exported, so that no member of it is.
    fn is_of_hidden_type(&self, class: SymbolId) -> bool {
        let of = Judge::new(self.view, self.graph, class);
        of.is_some_and(|of| !of.symbol.flags.contains(SymbolFlags::EXPORTED))
    }

    /// What may have an interface for it that is not in the repository.
    pub(super) fn elsewhere(&self) -> Option<Verdict> {
        let is_method = is_callable(self.symbol.kind) && self.class().is_some();
        if !is_method || !self.symbol.flags.contains(SymbolFlags::EXPORTED) {
            return None;
        }
        let (file, line) = implicit::interfaces_elsewhere(self.view, self.graph, self.file)?;
        let path = self.view.file(file).path.to_string();
        Some(Verdict::SatisfiesElsewhere { path, line })
    }

    /// Where the function around it reads its name, which may be that of a local that it is bound to: `f = None` and then
    /// `def f` under a condition. A macro is put in for its name before there are locals.
    pub(super) fn named_around(&self) -> Option<u32> {
        let Symbol {
            kind, container, ..
        } = self.symbol;
        let around = container.and_then(|at| self.symbols.get(at as usize));
        let lines = match around {
            _ if kind == SymbolKind::Macro => 0..=u32::MAX,
            Some(around) if is_callable(around.kind) && is_callable(kind) => {
                around.start_line..=around.end_line
            }
            _ => return None,
        };
        let doc = self.view.file(self.file).doc?;
        let segment = &self.view.segment(doc.segment).segment;
        let mut named = segment.occurrences_of(doc.doc, self.symbol.name);
        let own = self.symbol.start_line..=self.symbol.end_line;
        let found = named.find(|found| {
            let reads = matches!(found.kind, OccurrenceKind::Read | OccurrenceKind::Call);
            // What follows a macro without a semicolon looks like a declaration of it.
            let writes = found.kind == OccurrenceKind::Write && kind == SymbolKind::Macro;
            (reads || writes)
                && lines.contains(&found.line)
                && !own.contains(&found.line)
                && self
                    .graph
                    .edge_at(self.file, found.line, found.col)
                    .is_none()
        })?;
        Some(found.line)
    }
}
