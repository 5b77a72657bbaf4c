//! What decides whether a definition is alive: being a way into the program, its container, or
//! that somebody uses it.

mod ways_in;

use crate::extract::record::{Occurrence, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::graph::names::Name;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang::{self, naming::Extensions};
use crate::query::dispatch::{self, is_called_by_language};
use crate::query::exposure::{Exposure, is_stand_in};
use crate::query::ids::DocSymbols;
use crate::query::inventory::{Inventory, is_callable, is_type, is_value_kind};
use crate::query::self_calls;
use crate::query::twins::Twins;
use crate::query::{decorators, handing, implicit, opened, outside, unspoken};
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};

/// What decides whether a definition is alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Called from outside: an entry point, a test, what a framework was told of, code that is
    /// not product code.
    Root,
    /// Others than the repository may use it.
    Published,
    /// A constant or variable: it is computed whether anybody uses it or not.
    Passive,
    /// As alive as another definition: a member that is called by the language or through a base
    /// that is not here, a part of a function.
    Follows(SymbolId),
    /// Alive when something alive uses it.
    Own,
}

/// What decides for each definition of a view whether it is alive.
pub struct Standings {
    of: Vec<Standing>,
    /// Methods that override another, as (overridden, overriding), sorted.
    overriding: Vec<(SymbolId, SymbolId)>,
    /// Private methods that may override one of a base that is not here, and types that who made such a base may find.
    perhaps_overriding: FxHashSet<SymbolId>,
    /// Types that are handed to somebody as values, who may make objects of them.
    handed: FxHashSet<SymbolId>,
    /// Members of interfaces that types and modules have without saying so, by name.
    shapes: FxHashMap<Name, Vec<SymbolId>>,
}

impl Standings {
    /// Judges all definitions.
    pub fn of(inventory: &Inventory<'_>, exposure: &Exposure, texts: &mut Texts) -> Self {
        let mut judge = Judge {
            inventory,
            exposure,
            foreign: FxHashSet::default(),
            implementing: FxHashSet::default(),
            interface_names: FxHashSet::default(),
            members: FxHashMap::default(),
            overriding: Vec::new(),
            perhaps_overriding: FxHashSet::default(),
            handed: FxHashSet::default(),
            shapes: FxHashMap::default(),
            twins: Twins::of(inventory.view),
            run: FxHashMap::default(),
            outside: FxHashMap::default(),
            keeping: None,
            symbols: None,
        };
        judge.look_at_bases(texts);
        judge.look_at_decorators(texts);
        judge.collect_members();
        let of = inventory.ids().map(|id| judge.judge(id, texts)).collect();
        judge.pair_macros();
        judge.overriding.extend(self_calls::pairs(inventory));
        judge.overriding.sort_unstable();
        judge.overriding.dedup();
        Self {
            of,
            overriding: judge.overriding,
            perhaps_overriding: judge.perhaps_overriding,
            handed: judge.handed,
            shapes: judge.shapes,
        }
    }

    /// What decides for a definition.
    pub fn get(&self, id: SymbolId) -> Standing {
        self.of[id.index()]
    }

    /// Whether a base that is not here may call a private method, or lead to a type.
    pub fn may_override(&self, id: SymbolId) -> bool {
        self.perhaps_overriding.contains(&id)
    }

    /// Whether a type is handed to somebody as a value.
    pub fn is_handed(&self, id: SymbolId) -> bool {
        self.handed.contains(&id)
    }

    /// Members of a name of interfaces that a type or module may have without saying so.
    pub fn shapes(&self, name: Name) -> &[SymbolId] {
        self.shapes.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Methods that override a method.
    pub fn overriding(&self, id: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        let first = self.overriding.partition_point(|(base, _)| *base < id);
        self.overriding[first..]
            .iter()
            .take_while(move |(base, _)| *base == id)
            .map(|(_, method)| *method)
    }
}

struct Judge<'a> {
    inventory: &'a Inventory<'a>,
    exposure: &'a Exposure,
    /// Types with a base that is not in the repository.
    foreign: FxHashSet<SymbolId>,
    /// Blocks that implement a trait, or that an attribute tells somebody of.
    implementing: FxHashSet<SymbolId>,
    /// Names of the methods of Go interfaces.
    interface_names: FxHashSet<Name>,
    members: FxHashMap<(SymbolId, Name), Vec<SymbolId>>,
    overriding: Vec<(SymbolId, SymbolId)>,
    perhaps_overriding: FxHashSet<SymbolId>,
    handed: FxHashSet<SymbolId>,
    shapes: FxHashMap<Name, Vec<SymbolId>>,
    twins: Twins<'a>,
    /// Whether something that runs a script calls its functions.
    run: FxHashMap<FileId, bool>,
    /// Whether something outside may have interfaces for the types of a file.
    outside: FxHashMap<FileId, bool>,
    /// The lines of the file that was looked at last by which what stands there is kept.
    keeping: Option<(FileId, Vec<u32>)>,
    /// The definitions of the file that was looked at last.
    symbols: Option<(FileId, DocSymbols<'a>)>,
}

impl Judge<'_> {
    /// Finds the types with a base outside of the repository: one that no edge starts from.
    fn look_at_bases(&mut self, texts: &mut Texts) {
        let inventory = self.inventory;
        let graph = inventory.graph;
        let plain: FxHashSet<Name> = dispatch::PLAIN_BASES
            .iter()
            .filter_map(|name| inventory.names().find(name.as_bytes()))
            .collect();
        for file in inventory.files().filter(|file| inventory.is_product(*file)) {
            let Some(doc) = inventory.view.file(file).doc else {
                continue;
            };
            let resolved: FxHashSet<(u32, u32)> = graph
                .edges_of(file)
                .filter(|edge| graph.edge(*edge).kind == OccurrenceKind::Inherit)
                .filter(|edge| !is_value(inventory, *edge))
                .map(|edge| graph.edge(edge))
                .map(|edge| (edge.line, edge.col))
                .collect();
            let segment = &inventory.view.segment(doc.segment).segment;
            self.look_at_values(file, segment.occurrences(doc.doc), texts);
            self.look_at_objects(file, texts);
            for base in segment.occurrences(doc.doc) {
                if base.kind != OccurrenceKind::Inherit {
                    continue;
                }
                let place = (base.line, base.col);
                let Some(class) = inventory.around(file, place) else {
                    continue;
                };
                let class = self.embedding(class, place).unwrap_or(class);
                if inventory.get(class).kind == SymbolKind::Impl {
                    self.implementing.insert(class);
                }
                let name = inventory
                    .names()
                    .from_segment(doc.segment.index(), base.name);
                if !resolved.contains(&place) && name.is_none_or(|name| !plain.contains(&name)) {
                    let class = graph.owner(class).unwrap_or(class);
                    self.foreign.insert(class);
                }
            }
        }
        let opens =
            |file: &FileId| inventory.language(*file).naming.extensions == Extensions::Opened;
        for file in inventory
            .files()
            .filter(|file| inventory.is_product(*file) && opens(file))
        {
            let Some(doc) = inventory.view.file(file).doc else {
                continue;
            };
            let segment = &inventory.view.segment(doc.segment).segment;
            let symbols = DocSymbols::load(segment, doc.doc);
            for (index, symbol) in symbols.all().iter().enumerate() {
                let lang = inventory.lang(file);
                if is_type(symbol.kind)
                    && opened::is_opened(inventory.view, file, (lang, &symbols), index)
                    && let Some(id) = graph.symbol(file, index)
                {
                    self.foreign.extend([id, graph.owner(id).unwrap_or(id)]);
                }
            }
        }
        // A base with a foreign base hands it on.
        let mut queue: Vec<SymbolId> = self.foreign.iter().copied().collect();
        while let Some(class) = queue.pop() {
            for derived in graph.derived(class) {
                if self.foreign.insert(derived) {
                    queue.push(derived);
                }
            }
        }
    }

    /// What an embedded type stands in: it is a field of its own name.
    fn embedding(&self, field: SymbolId, place: (u32, u32)) -> Option<SymbolId> {
        let entry = self.inventory.get(field);
        let embeds = self.inventory.language(entry.file).naming.embeds_types;
        let is_field = embeds && entry.kind == SymbolKind::Field && entry.start <= place;
        entry.container.filter(|_| is_field)
    }

    /// Finds the types that a file names as values: what is not followed by a member of it.
    fn look_at_values(
        &mut self,
        file: FileId,
        occurrences: impl Iterator<Item = Occurrence<NameId>>,
        texts: &mut Texts,
    ) {
        let (inventory, graph) = (self.inventory, self.inventory.graph);
        if !inventory.language(file).liveness.types_are_values {
            return;
        }
        let reads = graph.edges_of(file).filter_map(|number| {
            let edge = graph.edge(number);
            let target = graph.targets(number).next()?;
            let is_value = edge.kind == OccurrenceKind::Read && is_type(inventory.get(target).kind);
            is_value.then_some(((edge.line, edge.col), target))
        });
        let reads: FxHashMap<(u32, u32), SymbolId> = reads.collect();
        if reads.is_empty() {
            return;
        }
        let mut occurrences = occurrences.peekable();
        while let Some(found) = occurrences.next() {
            let next = occurrences.peek();
            let is_object = next.is_some_and(|next| next.qualifier == Qualifier::Previous);
            let place = (found.line, found.col);
            let Some(named) = reads.get(&place).filter(|_| !is_object) else {
                continue;
            };
            if !handing::defines_member(inventory.view, texts, file, place) {
                self.handed.insert(*named);
            }
        }
    }

    /// Finds the types and the blocks of members that a decorator gets of which nothing is known.
    fn look_at_decorators(&mut self, texts: &mut Texts) {
        let inventory = self.inventory;
        for id in inventory.ids() {
            let entry = inventory.get(id);
            // What gets a block of members may call each of them.
            if entry.kind == SymbolKind::Impl && self.is_registered(id, texts) {
                self.implementing.insert(id);
            }
            let takes = inventory
                .language(entry.file)
                .liveness
                .decorators_take_types;
            if takes
                && is_type(entry.kind)
                && entry.flags.contains(SymbolFlags::DECORATED)
                && let Some(text) = texts.get(inventory.view, entry.file)
                && decorators::taking(&text, entry.start).is_some()
            {
                self.handed.insert(id);
            }
        }
    }

    /// Finds the types of objects that go outside as they are made.
    fn look_at_objects(&mut self, file: FileId, texts: &mut Texts) {
        let (inventory, graph) = (self.inventory, self.inventory.graph);
        if !handing::may_hand(inventory.language(file)) {
            return;
        }
        for number in graph.edges_of(file) {
            let edge = graph.edge(number);
            let Some(target) = graph.targets(number).next() else {
                continue;
            };
            if edge.rule.certainty() <= Certainty::Inferred
                && is_type(inventory.get(target).kind)
                && handing::is_handed(inventory.view, graph, texts, &edge)
            {
                self.handed.insert(target);
            }
        }
    }

    fn collect_members(&mut self) {
        for id in self.inventory.ids() {
            let entry = self.inventory.get(id);
            // A field may hold a function, which a method of what is derived stands in for.
            let may_hold = entry.kind == SymbolKind::Field
                && !self.inventory.language(entry.file).naming.methods_apart;
            if !is_callable(entry.kind) && !may_hold {
                continue;
            }
            let Some(class) = self.inventory.class_of(id) else {
                continue;
            };
            let of_interface = self.inventory.get(class).kind == SymbolKind::Interface;
            let is_shape = of_interface || self.inventory.get(class).kind == SymbolKind::Type;
            let has_shapes = self.inventory.language(entry.file).liveness.has_shapes;
            if is_shape && has_shapes {
                self.shapes.entry(entry.name).or_default().push(id);
            }
            if of_interface
                && self
                    .inventory
                    .language(entry.file)
                    .naming
                    .implicit_interfaces
            {
                self.interface_names.insert(entry.name);
            }
            self.members
                .entry((class, entry.name))
                .or_default()
                .push(id);
        }
    }

    fn judge(&mut self, id: SymbolId, texts: &mut Texts) -> Standing {
        let inventory = self.inventory;
        let entry = *inventory.get(id);
        let around = entry.container.map(|c| inventory.get(c).kind);
        let nested = around.filter(|kind| *kind != SymbolKind::Module);
        if !inventory.is_product(entry.file)
            || entry.flags.contains(SymbolFlags::TEST)
            || inventory.language(entry.file).liveness.markup_uses_script
        {
            return Standing::Root;
        }
        match (entry.kind, entry.container) {
            (SymbolKind::Test | SymbolKind::Section | SymbolKind::Module, _) => Standing::Root,
            (_, Some(container)) if self.is_reopened(container, texts) => Standing::Root,
            (SymbolKind::Impl, _) => match inventory.graph.owner(id) {
                Some(class) => Standing::Follows(class),
                None => Standing::Root,
            },
            (SymbolKind::Constant, _)
                if inventory.language(entry.file).liveness.constants_are_read =>
            {
                Standing::Root
            }
            (kind, Some(container)) if nested.is_some() && !is_callable(kind) && !is_type(kind) => {
                match self.is_registered_field(id, texts) {
                    true => Standing::Root,
                    false => Standing::Follows(container),
                }
            }
            (kind, _) if !is_callable(kind) && !is_type(kind) => match inventory.class_of(id) {
                Some(class) => Standing::Follows(class),
                None if self.is_registered(id, texts) || self.is_setting(id) => Standing::Root,
                None => match self.unspoken(id, texts) {
                    Some(said) => said,
                    None => match self.exported(id, texts) {
                        Standing::Published => Standing::Published,
                        _ => Standing::Passive,
                    },
                },
            },
            // What stands in a literal is handed to whoever gets that.
            (SymbolKind::Method, None)
                if inventory.language(entry.file).liveness.hands_out_literals
                    && inventory.class_of(id).is_none() =>
            {
                Standing::Root
            }
            (SymbolKind::Constructor, None) if inventory.class_of(id).is_none() => Standing::Root,
            (SymbolKind::Type, Some(container))
                if inventory.language(entry.file).liveness.aliases_are_read
                    && self.foreign.contains(&container) =>
            {
                Standing::Follows(container)
            }
            // A struct in a struct is the type of its field.
            (kind, Some(container))
                if inventory
                    .language(entry.file)
                    .liveness
                    .nested_types_are_fields
                    && kind != SymbolKind::Class
                    && is_type(kind)
                    && nested.is_some_and(is_type) =>
            {
                Standing::Follows(container)
            }
            (kind, Some(container))
                if inventory
                    .language(entry.file)
                    .liveness
                    .nested_types_are_read
                    && is_type(kind)
                    && self.foreign.contains(&container) =>
            {
                Standing::Follows(container)
            }
            (_, Some(container))
                if nested.is_some_and(|kind| kind != SymbolKind::Impl && !is_type(kind)) =>
            {
                Standing::Follows(container)
            }
            _ if self.is_entry_point(id) || self.is_registered(id, texts) => Standing::Root,
            _ if self.is_conventional(id) || self.is_callback(id, texts) => Standing::Root,
            _ if self.is_actual(id, texts) || self.is_run(id, texts) => Standing::Root,
            _ if self.is_of_unknown(id, texts) => Standing::Root,
            _ if let Some(said) = self.unspoken(id, texts) => said,
            (kind, _)
                if implicit::include_below(
                    (inventory.view, inventory.graph),
                    entry.file,
                    (kind, inventory.name(id), entry.start.0),
                )
                .is_some() =>
            {
                Standing::Root
            }
            _ if self.is_value(id, texts) || self.is_derived(id) => Standing::Root,
            (kind, _) if is_type(kind) && is_stand_in(inventory.view, entry.file) => Standing::Root,
            _ => {
                let member = self.member(id, texts);
                member.unwrap_or_else(|| self.exported(id, texts))
            }
        }
    }

    fn exported(&mut self, id: SymbolId, texts: &mut Texts) -> Standing {
        self.pair(id, texts);
        let entry = *self.inventory.get(id);
        if !entry.flags.contains(SymbolFlags::EXPORTED) {
            if self.is_given_out_with_object(id, texts) {
                return Standing::Published;
            }
            self.may_be_found(id);
            return Standing::Own;
        }
        if self.exposure.is_published(entry.file) && self.is_given_out(id, texts) {
            return Standing::Published;
        }
        self.may_be_found(id);
        Standing::Own
    }

    /// Whether an object of its type is given out under a name, whoever sees the type: `export const manager = new Manager()`.
    fn is_given_out_with_object(&mut self, id: SymbolId, texts: &mut Texts) -> bool {
        let (inventory, graph) = (self.inventory, self.inventory.graph);
        let entry = *inventory.get(id);
        let is_seen = is_callable(entry.kind) && !dispatch::is_private(inventory.name(id));
        let class = inventory.class_of(id).filter(|class| {
            let is_exported = inventory.get(*class).flags.contains(SymbolFlags::EXPORTED);
            is_seen && !is_exported && self.exposure.is_published(entry.file)
        });
        let Some(class) = class else {
            return false;
        };
        let made = graph
            .incoming(class)
            .into_iter()
            .take(outside::MAX_OBJECTS)
            .map(|edge| graph.edge(edge));
        let made = made.filter(|edge| edge.kind == OccurrenceKind::Call && edge.file == entry.file);
        let objects = made.filter_map(|edge| inventory.around(edge.file, (edge.line, edge.col)));
        let objects: Vec<SymbolId> = objects.collect();
        let is_object = |of: &SymbolId| {
            let of = inventory.get(*of);
            is_value_kind(of.kind) && of.container.is_none()
        };
        let mut objects = objects.into_iter().filter(is_object);
        objects.any(|object| self.is_given_out(object, texts))
            && texts.get(inventory.view, entry.file).is_some_and(|text| {
                let (line, _) = entry.start;
                let col = text.word_on(line, inventory.name(id)).unwrap_or(u32::MAX);
                !dispatch::is_hidden(&text, (line, col))
            })
    }

    /// A framework finds types by their base, whoever sees their names: `PreviewProvider`, `IHostedService`, `AppConfig`,
    /// a `Profile` in the type it is for.
    fn may_be_found(&mut self, id: SymbolId) {
        if self.foreign.contains(&id) && is_type(self.inventory.get(id).kind) {
            self.perhaps_overriding.insert(id);
        }
    }

    /// Whether something that is not in the repository may have an interface for a method, which no code says.
    fn may_satisfy(&mut self, id: SymbolId) -> bool {
        let inventory = self.inventory;
        let entry = inventory.get(id);
        let asks = inventory.language(entry.file).liveness.foreign_interfaces;
        asks.is_some()
            && entry.flags.contains(SymbolFlags::EXPORTED)
            && *self.outside.entry(entry.file).or_insert_with(|| {
                let (view, graph) = (inventory.view, inventory.graph);
                implicit::interfaces_elsewhere(view, graph, entry.file).is_some()
            })
    }

    /// Whether others see a definition, if they get its file. Definitions are judged file by file, so that each
    /// file's are decoded once.
    fn is_given_out(&mut self, id: SymbolId, texts: &mut Texts) -> bool {
        let view = self.inventory.view;
        let (file, position) = self.inventory.graph.place(id);
        if self.symbols.as_ref().is_none_or(|(of, _)| *of != file) {
            self.symbols = view.file(file).doc.map(|doc| {
                let segment = &view.segment(doc.segment).segment;
                (file, DocSymbols::load(segment, doc.doc))
            });
        }
        let symbols = self.symbols.as_ref();
        symbols.is_some_and(|(_, symbols)| {
            outside::is_given_out(view, texts, file, (symbols, position))
        })
    }

    /// Members that live with their type.
    fn member(&mut self, id: SymbolId, texts: &mut Texts) -> Option<Standing> {
        let inventory = self.inventory;
        let entry = inventory.get(id);
        let container = entry.container;
        let class = inventory.class_of(id);
        if let Some(block) = container.filter(|c| self.implementing.contains(c)) {
            return Some(Standing::Follows(block));
        }
        let name = inventory.name(id);
        // A module that types take in has such methods as well, and operators may stand outside of types.
        if class.is_none()
            && is_callable(entry.kind)
            && is_called_by_language(inventory.lang(entry.file), name)
        {
            return Some(container.map_or(Standing::Root, Standing::Follows));
        }
        let class = class.filter(|_| is_callable(entry.kind))?;
        let embeds = inventory.language(entry.file).naming.embeds_types;
        let is_seen = !embeds || entry.flags.contains(SymbolFlags::EXPORTED);
        let private = dispatch::is_private(name);
        let implicit = entry.kind == SymbolKind::Constructor
            || entry.flags.contains(SymbolFlags::DECLARATION)
            || is_called_by_language(inventory.lang(entry.file), name)
            || self.has_contract(class, entry.file, name)
            || (self.foreign.contains(&class) && !private && is_seen)
            || (inventory.language(entry.file).naming.implicit_interfaces
                && self.interface_names.contains(&entry.name));
        if implicit {
            return Some(Standing::Follows(class));
        }
        if self.foreign.contains(&class) && is_seen || self.may_satisfy(id) {
            self.perhaps_overriding.insert(id);
        }
        let (mut declared, mut known) = (false, false);
        for base in self.bases(class) {
            for method in self.members.get(&(base, entry.name)).into_iter().flatten() {
                let flags = inventory.get(*method).flags;
                declared |= flags.contains(SymbolFlags::DECLARATION);
                known = true;
                self.overriding.push((*method, id));
            }
        }
        let follows = declared || !known && self.is_marked_overriding(id, texts);
        follows.then_some(Standing::Follows(class))
    }

    /// Whether a decorator or a word says that it overrides a member of a base.
    fn is_marked_overriding(&self, id: SymbolId, texts: &mut Texts) -> bool {
        let inventory = self.inventory;
        let entry = inventory.get(id);
        let asked = unspoken::Asked {
            lang: inventory.lang(entry.file),
            name: inventory.name(id),
            start: entry.start.0,
            end: entry.end.0,
        };
        let is_decorated = entry.flags.contains(SymbolFlags::DECORATED);
        let has_mark = lang::of(asked.lang).liveness.override_mark.is_some();
        (is_decorated || has_mark)
            && texts.get(inventory.view, entry.file).is_some_and(|text| {
                is_decorated && decorators::overriding(&text, entry.start).is_some()
                    || unspoken::says_override(&text, asked).is_some()
            })
    }

    /// Whether a method is one of an interface of the standard library that its type has.
    fn has_contract(&self, class: SymbolId, file: FileId, name: &[u8]) -> bool {
        let mut types = self.bases(class);
        types.push(class);
        let has = |method: &str| {
            let method = self.inventory.names().find(method.as_bytes());
            let mut types = types.iter();
            method.is_some_and(|name| types.any(|of| self.members.contains_key(&(*of, name))))
        };
        dispatch::contract(self.inventory.lang(file), name, has).is_some()
    }

    /// Bases of a type and theirs.
    fn bases(&self, class: SymbolId) -> Vec<SymbolId> {
        let mut seen = vec![class];
        let mut next = 0;
        while let Some(at) = seen.get(next).copied() {
            next += 1;
            for base in self.inventory.graph.bases(at) {
                if !seen.contains(&base) {
                    seen.push(base);
                }
            }
        }
        seen.split_off(1)
    }
}

/// Whether all that an edge leads to are values: `Base = make_base()`.
fn is_value(inventory: &Inventory<'_>, edge: u32) -> bool {
    let mut targets = inventory.graph.targets(edge).peekable();
    targets.peek().is_some() && targets.all(|target| is_value_kind(inventory.get(target).kind))
}
