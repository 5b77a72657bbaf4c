//! Why a definition has no use that is sure: what may call it all the same, or that nothing does.
//!
//! An agent takes "0 uses" for dead code. Much of what no code names is alive: a decorator registered it,
//! the language calls it, an interface that is not here does, a string names it. Each of these is read from
//! the syntax of the definition and its surroundings, the surest first, and costs what these are large, not
//! what the repository is.
//!
//! Guarantee: what has a sure use by product code has no verdict; [`Verdict::Unused`] and [`Verdict::Dead`] are said only
//! where none of the others holds, the name stands nowhere in code or data that was not understood, and no code has it for
//! something else.

mod around;
mod bases;
mod through;

use self::bases::Base;
use super::answer::SymbolRef;
use super::behaviours::{self, Callback};
use super::decorators::Part;
use super::entry_points::Shown;
use super::exposure::{Manifests, is_stand_in, language};
use super::ids::DocSymbols;
use super::inventory::{is_callable, is_type};
use super::shared::Shared;
use super::unexplained::{self, Search};
use super::unread::Unread;
use super::{
    decorators, dispatch, implicit, loaded, opened, outside, paths, sole, unspoken, use_lines,
    verified,
};
use crate::extract::record::{Grammar, Symbol, SymbolFlags, SymbolKind};
use crate::graph::edges::Graph;
use crate::graph::rule::Rule;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang;
use crate::lang::language::Genre;
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use crate::view::written::Written;
use rustc_hash::FxHashMap;

/// Longest decorator shown, in bytes.
const DECORATOR_BYTES: usize = 120;
/// Members of subtypes whose uses are counted.
const MAX_OVERRIDES: usize = 256;

/// Why a definition has no use that is sure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A decorator, attribute or annotation told somebody of it, or may have.
    Registered {
        /// As what; `None` where the name of the decorator does not tell.
        part: Option<Part>,
        /// The decorator's first line as it stands there, at most 120 bytes.
        by: String,
        /// That line.
        line: u32,
    },
    /// A framework calls it for those who ask for this entry point.
    LedTo(Shown),
    /// A program begins there.
    EntryPoint,
    /// Whoever runs the tests calls it.
    Test,
    /// It stands in for a member of a base, whose callers may mean it.
    Overrides {
        /// The member of the base.
        base: SymbolRef,
        /// Sure uses of that.
        uses: u64,
    },
    /// What is only declared there is called as what stands in for it.
    Overridden {
        /// The member of a subtype that is used most.
        by: SymbolRef,
        /// Other members of subtypes.
        others: usize,
        /// Sure uses of all of them.
        uses: u64,
    },
    /// The language or its standard library calls methods of this name.
    Language,
    /// Its type has the methods of this interface of the standard library, or is one that this finds or calls.
    Implements(&'static str),
    /// A base or interface that is not in the repository may call it.
    Foreign(Written),
    /// It is marked as what overrides a member of a base, or implements one, and none that is here has that.
    Overriding {
        /// The line of the mark.
        line: u32,
    },
    /// A base of its type is a value, which may be any type.
    OfValue(Written),
    /// Its type may have an interface of the repository, which no code says.
    Satisfies(SymbolRef),
    /// Its type may have an interface of what an import brings, which no code says.
    SatisfiesElsewhere {
        /// The file of the import.
        path: String,
        /// Its line.
        line: u32,
    },
    /// A macro that what the file includes below it may ask for.
    ReadByInclude {
        /// The line of that.
        line: u32,
    },
    /// Its type goes to others as a value, or is named for them in a string: they may call what it has.
    ThroughType {
        /// The file in which that is.
        path: String,
        /// The line.
        line: u32,
    },
    /// A module that gives it out goes to others as a whole: they may use all that it has.
    ThroughModule {
        /// The file in which that is.
        path: String,
        /// The line.
        line: u32,
    },
    /// Whoever makes an object of its type calls it.
    Made {
        /// The type.
        of: SymbolRef,
        /// Lines on which that is.
        uses: usize,
    },
    /// It stands in a literal, and goes where that goes.
    InLiteral,
    /// It stands where a value does, and goes where that goes.
    Value,
    /// Others use this member of it.
    ThroughMember(SymbolRef),
    /// This member of a base gets to know the types that are derived from it.
    Derived(SymbolRef),
    /// Who loads a module of settings reads its constants by their names.
    Setting,
    /// All its uses by others are in tests.
    TestsAlone {
        /// Uses by itself.
        own: u64,
        /// What may use it beside them.
        beside: Option<Beside>,
    },
    /// All its uses are its own.
    ItselfAlone,
    /// Its name stands where no reference is understood.
    Named {
        /// The file.
        path: String,
        /// The line.
        line: u32,
    },
    /// A path to its file, which nothing imports, or to the folder of that stands there.
    FileNamed {
        /// The file.
        path: String,
        /// The line.
        line: u32,
    },
    /// The beginning of its name stands so, as where code puts names together.
    Begun {
        /// The file.
        path: String,
        /// The line.
        line: u32,
    },
    /// Others than the repository may use it.
    Exported,
    /// Nothing is known to use it, and not all files that have its name could be read.
    Common,
    /// Nothing is known to use it, and not all of its file could be understood.
    Torn,
    /// Nothing is known to use it, and code has its name for something else.
    Namesake {
        /// The file.
        path: String,
        /// The line.
        line: u32,
    },
    /// Nothing is known to use it.
    Unused,
    /// Nothing uses it, and its name stands nowhere else.
    Dead,
}

/// What may use a definition beside the tests that all its sure uses are in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beside {
    /// Who made a base that is not in the repository may find what is derived from it.
    Foreign(Written),
    /// Its name stands, in this file and line and outside of tests, where no reference is understood.
    Named(String, u32),
    /// Others than the repository.
    Exported,
}

impl Verdict {
    /// Where no use is sure and entry points lead to a definition, they are who calls it.
    pub fn led_to(verdict: &mut Option<Self>, entry_points: &[Shown]) {
        if let (Some(verdict), Some(first)) = (verdict, entry_points.first()) {
            *verdict = Self::LedTo(first.clone());
        }
    }
}

/// Sure uses of a definition, and others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Sure uses.
    pub uses: u64,
    /// Of these, those that tests make.
    pub of_tests: u64,
    /// Of these, those that stand in the definition itself.
    pub own: u64,
    /// Uses that may mean another.
    pub ambiguous: u64,
    /// Of these, those that tests make.
    pub ambiguous_of_tests: u64,
}

fn is_field(kind: SymbolKind) -> bool {
    use SymbolKind::{Constant, Field, Variable};
    matches!(kind, Constant | Field | Variable)
}

/// A definition and what stands around it.
struct Judge<'a> {
    view: &'a View,
    graph: &'a Graph,
    id: SymbolId,
    file: FileId,
    symbols: DocSymbols<'a>,
    symbol: Symbol<NameId>,
    lang: Grammar,
    name: Vec<u8>,
}

/// Says why a definition has no sure use by product code; `None` where it has or where a use may mean it, and of
/// what is used by being part of something: fields, headings, what is only declared and nothing stands in for.
pub fn of(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    id: SymbolId,
    counts: Counts,
    shared: &mut Shared,
) -> Option<Verdict> {
    if counts.uses > counts.of_tests + counts.own {
        return None;
    }
    let judge = Judge::new(view, graph, id)?;
    let Symbol { kind, flags, .. } = judge.symbol;
    if flags.contains(SymbolFlags::DECLARATION) {
        return judge.overridden(texts);
    }
    if kind == SymbolKind::Constructor && counts.uses == 0 {
        return judge.made(texts);
    }
    let at_top = judge.symbol.container.is_none();
    // A method in a function is made when that runs (`define_method`), one in a field goes where its object goes.
    let is_in_value = |kind| is_callable(kind) || is_field(kind);
    let is_made = kind == SymbolKind::Method && judge.around().is_some_and(is_in_value);
    let is_value = matches!(kind, SymbolKind::Constant | SymbolKind::Variable) && at_top;
    if kind == SymbolKind::Constructor
        || is_made
        || !(is_callable(kind) || is_type(kind) || is_value)
    {
        return None;
    }
    let called = judge
        .way_in(texts)
        .or_else(|| judge.as_member(texts, shared));
    let called = called.or_else(|| judge.as_alias(texts));
    let called = called.or_else(|| judge.through_member(texts));
    let called = called.or_else(|| judge.as_twin(texts));
    let called = called.or_else(|| judge.as_derived(texts, shared));
    let called = called.or_else(|| judge.of_uses(texts, counts, shared));
    match counts.ambiguous {
        0 => called.or_else(|| judge.without_uses(texts, counts, shared)),
        // Each of these may be a use.
        _ => called,
    }
}

impl<'a> Judge<'a> {
    fn new(view: &'a View, graph: &'a Graph, id: SymbolId) -> Option<Self> {
        let (file, index) = graph.place(id);
        let doc = view.file(file).doc?;
        let segment: &Segment = &view.segment(doc.segment).segment;
        let symbols = DocSymbols::load(segment, doc.doc);
        let symbol = symbols.get(index)?.clone();
        Some(Self {
            lang: segment.doc(doc.doc).lang,
            name: symbols.bytes(symbol.name),
            view,
            graph,
            id,
            file,
            symbols,
            symbol,
        })
    }

    /// What calls it from outside, as the definition itself says.
    fn way_in(&self, texts: &mut Texts) -> Option<Verdict> {
        let Symbol { kind, flags, .. } = self.symbol;
        let at_top = self.symbol.container.is_none();
        let path = self.view.file(self.file).path.as_bytes();
        if is_field(kind) && at_top && dispatch::is_setting(self.lang, path, &self.name) {
            return Some(Verdict::Setting);
        }
        if is_callable(kind) && dispatch::is_entry_point(self.lang, &self.name, at_top) {
            return Some(Verdict::EntryPoint);
        }
        let block = self.symbol.container;
        let block = block.and_then(|block| self.symbols.get(block as usize));
        // What gets a block of members may call each of them.
        let block = block.filter(|block| block.kind == SymbolKind::Impl);
        let mut told = std::iter::once(&self.symbol).chain(block);
        if let Some(registered) = told.find_map(|of| self.registered(texts, of)) {
            return Some(registered);
        }
        if self.is_actual(texts) {
            let line = self.symbol.name_line;
            return Some(Verdict::Overriding { line });
        }
        if let Some(said) = self.unspoken(texts) {
            return Some(said);
        }
        if self.adds_to_others(texts) {
            return Some(Verdict::Exported);
        }
        if let Some(callback) = self.callback(texts) {
            return Some(match callback {
                Callback::Marked(line) => Verdict::Overriding { line },
                Callback::Of(module) => Verdict::Implements(module),
            });
        }
        let by = self.convention().or_else(|| self.runner(texts));
        if let Some(by) = by {
            return Some(Verdict::Implements(by));
        }
        let is_read = lang::of(self.lang).liveness.reads_underscored;
        let has_marks = self.name.starts_with(b"__") && self.name.ends_with(b"__");
        let defined = (kind, &*self.name, self.symbol.name_line);
        if let Some(line) = implicit::include_below((self.view, self.graph), self.file, defined) {
            return Some(Verdict::ReadByInclude { line });
        }
        if is_type(kind) && is_stand_in(self.view, self.file)
            || is_field(kind) && dispatch::is_read_by_language(self.lang, &self.name)
            || is_read && has_marks && is_field(kind) && at_top
        {
            return Some(Verdict::Language);
        }
        if is_callable(kind) && flags.contains(SymbolFlags::TEST) {
            return Some(Verdict::Test);
        }
        let is_named = matches!(kind, SymbolKind::Function | SymbolKind::Class);
        let start = (self.symbol.start_line, self.symbol.start_col);
        let is_value = is_named
            && lang::of(self.lang).liveness.names_values
            && texts
                .get(self.view, self.file)
                .is_some_and(|text| dispatch::is_value(self.lang, &text, start));
        is_value.then_some(Verdict::Value)
    }

    /// What finds it, or the type that it is a member of, by the name of that.
    fn convention(&self) -> Option<&'static str> {
        let Symbol { kind, flags, .. } = self.symbol;
        let path = self.view.file(self.file).path.as_bytes();
        if is_type(kind) {
            return dispatch::convention(self.lang, path, &self.name);
        }
        if kind != SymbolKind::Method || !flags.contains(SymbolFlags::EXPORTED) {
            return None;
        }
        let class = self.symbols.get(self.symbol.container? as usize)?;
        let name = self.symbols.bytes(class.name);
        dispatch::convention(self.lang, path, &name).filter(|_| is_type(class.kind))
    }

    /// Whether it is declared in a module of others that is opened again.
    fn adds_to_others(&self, texts: &mut Texts) -> bool {
        let language = lang::of(self.lang);
        if language.liveness.reopens_modules.is_empty() {
            return false;
        }
        let outer =
            |of: &&Symbol<NameId>| of.container.and_then(|of| self.symbols.get(of as usize));
        let modules = std::iter::successors(Some(&self.symbol), outer).skip(1);
        let mut modules = modules.take_while(|of| of.kind == SymbolKind::Module);
        let text = texts.get(self.view, self.file);
        text.is_some_and(|text| {
            modules.any(|of| opened::reopens_module(language, text.line(of.start_line)))
        })
    }

    /// What its module uses, where that calls it.
    fn callback(&self, texts: &mut Texts) -> Option<Callback> {
        let Symbol { kind, flags, .. } = self.symbol;
        let behaviours = lang::of(self.lang).liveness.behaviours;
        if behaviours.is_empty() || !is_callable(kind) || !flags.contains(SymbolFlags::EXPORTED) {
            return None;
        }
        let module = self.symbols.get(self.symbol.container? as usize)?;
        let lines = module.start_line..=module.end_line;
        let text = texts.get(self.view, self.file)?;
        let of = (&*self.name, self.symbol.start_line);
        behaviours::callback(self.lang, &text, of, lines)
    }

    /// What calls it as a member of its type.
    fn as_member(&self, texts: &mut Texts, shared: &mut Shared) -> Option<Verdict> {
        // A type that an implementation names is its trait's.
        if !is_callable(self.symbol.kind) && self.around() != Some(SymbolKind::Impl) {
            return None;
        }
        let language = lang::of(self.lang);
        let Some(class) = self.class() else {
            if dispatch::is_called_by_language(self.lang, &self.name) {
                return Some(Verdict::Language);
            }
            let is_method = self.symbol.kind == SymbolKind::Method;
            let in_literal =
                self.symbol.container.is_none() && language.liveness.hands_out_literals;
            let literal = (is_method && in_literal).then_some(Verdict::InLiteral);
            let unknown = literal.or_else(|| self.of_unknown(texts));
            return unknown.or_else(|| self.overriding(texts));
        };
        let base = self.graph.overridden(self.id);
        let base = base.map(|base| (self.uses_of(base), base)).max();
        if let Some((uses, base)) = base
            && let Some(base) = verified::reference(self.view, self.graph, texts, base)
        {
            return Some(Verdict::Overrides { base, uses });
        }
        if dispatch::is_called_by_language(self.lang, &self.name) {
            return Some(Verdict::Language);
        }
        let types = self.with_bases(class);
        let mut known: FxHashMap<String, bool> = FxHashMap::default();
        let has = |method: &str| match known.get(method) {
            Some(has) => *has,
            None => {
                let has = self.method_of(&types, method, shared).is_some();
                known.insert(method.to_owned(), has);
                has
            }
        };
        if let Some(contract) = dispatch::contract(self.lang, &self.name, has) {
            return Some(Verdict::Implements(contract.name));
        }
        if self.is_seen_by_bases()
            && !dispatch::is_private(&self.name)
            && let Some(base) = self.foreign(texts, class)
        {
            return Some(base.into());
        }
        if let Some(overriding) = self.overriding(texts) {
            return Some(overriding);
        }
        if language.naming.implicit_interfaces
            && let Some(method) = self.interface(texts, shared)
        {
            return Some(Verdict::Satisfies(method));
        }
        if let Some(shape) = self.shape(texts, shared) {
            return Some(Verdict::Satisfies(shape));
        }
        self.through_type(texts, class, shared)
    }

    /// What its mark says, where no base that it could override a member of is known.
    fn overriding(&self, texts: &mut Texts) -> Option<Verdict> {
        let is_decorated = self.symbol.flags.contains(SymbolFlags::DECORATED);
        if !is_decorated && lang::of(self.lang).liveness.override_mark.is_none() {
            return None;
        }
        let text = texts.get(self.view, self.file)?;
        let start = (self.symbol.start_line, self.symbol.start_col);
        let decorated = is_decorated.then(|| decorators::overriding(&text, start));
        let line = decorated
            .flatten()
            .or_else(|| unspoken::says_override(&text, self.asked()))?;
        Some(Verdict::Overriding { line })
    }

    /// What stands in for it, where that is used.
    fn overridden(&self, texts: &mut Texts) -> Option<Verdict> {
        let all = self.graph.overrides(self.id).take(MAX_OVERRIDES);
        let all: Vec<(u64, SymbolId)> = all.map(|id| (self.uses_of(id), id)).collect();
        let uses = all.iter().map(|(uses, _)| uses).sum();
        // The first of those that are used most.
        let (_, most) = all.iter().rev().max_by_key(|(uses, _)| uses)?;
        let by = verified::reference(self.view, self.graph, texts, *most)?;
        let others = all.len() - 1;
        (uses > 0).then_some(Verdict::Overridden { by, others, uses })
    }

    /// What its uses are, where there are some.
    fn of_uses(&self, texts: &mut Texts, counts: Counts, shared: &mut Shared) -> Option<Verdict> {
        if counts.of_tests > 0 {
            // A use that may mean it is one by the product, perhaps.
            return (counts.ambiguous == counts.ambiguous_of_tests).then(|| {
                let own = counts.own;
                let beside = self.beside_tests(texts, shared);
                Verdict::TestsAlone { own, beside }
            });
        }
        let incoming = self.graph.incoming(self.id).into_iter();
        let mut edges = incoming.map(|edge| self.graph.edge(edge));
        // What it says of itself, as to a log, is no use.
        let own = self.symbol.start_line..=self.symbol.end_line;
        let mention = edges.find(|edge| {
            edge.rule == Rule::Mention
                && language(self.view, edge.file).genre == Genre::Code
                && !(edge.file == self.file && own.contains(&edge.line))
        });
        mention.map(|edge| self.named(edge.file, edge.line))
    }

    /// What may use it beside tests.
    fn beside_tests(&self, texts: &mut Texts, shared: &mut Shared) -> Option<Beside> {
        if let Some(Base::Foreign(base)) = self.found_by_base(texts) {
            return Some(Beside::Foreign(base));
        }
        let own = self.symbol.start_line..=self.symbol.end_line;
        let (name, own) = ((self.lang, &*self.name), (self.file, own));
        let named = unexplained::outside_of_tests(self.view, self.graph, texts, name, own, shared);
        if let Some((file, line)) = named {
            return Some(Beside::Named(self.view.file(file).path.to_string(), line));
        }
        self.is_offered(texts).then_some(Beside::Exported)
    }

    /// Whether others than the repository may use it.
    fn is_offered(&self, texts: &mut Texts) -> bool {
        self.is_given_out(texts)
            && (Manifests::of(self.view).offer(texts, self.file).is_some()
                || loaded::by_place(self.view, self.graph, self.file))
    }

    fn named(&self, file: FileId, line: u32) -> Verdict {
        let path = self.view.file(file).path.to_string();
        Verdict::Named { path, line }
    }

    /// What is left where nothing is known to use it.
    fn without_uses(
        &self,
        texts: &mut Texts,
        counts: Counts,
        shared: &mut Shared,
    ) -> Option<Verdict> {
        let own = self.symbol.start_line..=self.symbol.end_line;
        let name = (self.lang, &*self.name);
        let own = (self.file, own);
        let search = unexplained::search(self.view, self.graph, texts, name, own, shared);
        match search {
            Search::Stands(file, line) => return Some(self.named(file, line)),
            Search::Begins(file, line) => {
                let path = self.view.file(file).path.to_string();
                return Some(Verdict::Begun { path, line });
            }
            Search::Nowhere | Search::Common => {}
        }
        if self.symbol.flags.contains(SymbolFlags::EXPORTED)
            && let Some(shape) = self.shape(texts, shared)
        {
            return Some(Verdict::Satisfies(shape));
        }
        if let Some((file, line)) = self.late(texts) {
            let path = self.view.file(file).path.to_string();
            return Some(Verdict::Begun { path, line });
        }
        if let Some(base) = self.found_by_base(texts) {
            return Some(base.into());
        }
        if let Some(line) = self.named_around() {
            return Some(self.named(self.file, line));
        }
        let chosen = self.chosen(texts).or_else(|| self.misread());
        if let Some((file, line)) = chosen {
            return Some(self.named(file, line));
        }
        if let Some((file, line)) = self.through_module(texts) {
            let path = self.view.file(file).path.to_string();
            return Some(Verdict::ThroughModule { path, line });
        }
        if self.is_offered(texts) || self.is_given_out_with_object(texts) {
            return Some(Verdict::Exported);
        }
        let at_top = self.symbol.container.is_none();
        let named = match self.symbol.flags.contains(SymbolFlags::EXPORTED) {
            true if at_top => paths::named(self.view, self.graph, texts, self.file, shared),
            false if at_top && is_callable(self.symbol.kind) => {
                paths::read_by_host(self.view, texts, self.file)
            }
            _ => None,
        };
        if let Some((file, line)) = named {
            let path = self.view.file(file).path.to_string();
            return Some(Verdict::FileNamed { path, line });
        }
        // What is neither code of the product nor used may be an example, which is there to be read.
        let role = self.view.file(self.file).role;
        if !matches!(role, FileRole::Product | FileRole::Test) {
            return None;
        }
        // A name may be private, and a base's all the same; who made a base may find the types that have it.
        let is_found =
            is_type(self.symbol.kind) && self.symbol.flags.contains(SymbolFlags::EXPORTED);
        let class = if is_found {
            Some(self.id)
        } else {
            self.class()
        };
        let class = class.filter(|_| self.is_seen_by_bases());
        let foreign = class.and_then(|class| self.foreign(texts, class));
        let foreign = foreign.map(Verdict::from).or_else(|| self.elsewhere());
        let is_common = matches!(search, Search::Common);
        let foreign = foreign.or_else(|| self.namesake().filter(|_| !is_common));
        let foreign = foreign.or_else(|| {
            let name = (self.lang, &*self.name);
            let (file, line) = Unread::default().first(self.view, texts, name)?;
            Some(self.named(file, line))
        });
        Some(match foreign {
            Some(verdict) => verdict,
            None if is_common => Verdict::Common,
            None if self.is_torn(texts) => Verdict::Torn,
            None if counts.own > 0 => Verdict::ItselfAlone,
            None if self.is_sole(texts) => Verdict::Dead,
            None => Verdict::Unused,
        })
    }

    /// Whether its name stands nowhere else.
    fn is_sole(&self, texts: &mut Texts) -> bool {
        sole::is_sole(self.view, texts, (self.lang, &self.name), self.file)
    }

    /// Whether a base that is not here may ask for it: through what is embedded not by a name that only the package sees.
    fn is_seen_by_bases(&self) -> bool {
        let embeds = lang::of(self.lang).naming.embeds_types;
        !embeds || self.symbol.flags.contains(SymbolFlags::EXPORTED)
    }

    /// Whether others see it, if they get its file.
    fn is_given_out(&self, texts: &mut Texts) -> bool {
        let (_, position) = self.graph.place(self.id);
        outside::is_given_out(self.view, texts, self.file, (&self.symbols, position))
    }

    /// What its container is.
    fn around(&self) -> Option<SymbolKind> {
        let container = self.symbols.get(self.symbol.container? as usize)?;
        Some(container.kind)
    }

    fn container(&self) -> Option<SymbolId> {
        self.graph
            .symbol(self.file, self.symbol.container? as usize)
    }

    /// The type that it is a member of.
    fn class(&self) -> Option<SymbolId> {
        if let Some(owner) = self.graph.owner(self.id) {
            return Some(owner);
        }
        let container = self.container()?;
        match self.around()? {
            SymbolKind::Impl => self.graph.owner(container).or(Some(container)),
            kind if is_type(kind) => Some(self.graph.owner(container).unwrap_or(container)),
            _ => None,
        }
    }

    /// Sure uses of a definition.
    fn uses_of(&self, id: SymbolId) -> u64 {
        use_lines::sure(self.view, self.graph, id) as u64
    }
}
