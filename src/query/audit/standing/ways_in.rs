//! What calls a definition from outside of the repository's code, as it says itself or as its place and name say.

use super::{Judge, Standing};
use crate::extract::record::{SymbolFlags, SymbolKind};
use crate::graph::names::Name;
use crate::graph::table::SymbolId;
use crate::query::inventory::{is_callable, is_type};
use crate::query::unspoken::{self, Unspoken};
use crate::query::{behaviours, decorators, dispatch, opened};
use crate::view::text::Texts;
use rustc_hash::FxHashMap;

/// Modules in one another that are looked at.
const MAX_MODULES: usize = 16;

impl Judge<'_> {
    /// Whether it overrides a member of a type, and that it lies in was not understood.
    pub(super) fn is_of_unknown(&self, id: SymbolId, texts: &mut Texts) -> bool {
        let (inventory, entry) = (self.inventory, self.inventory.get(id));
        inventory.language(entry.file).naming.linked
            && is_callable(entry.kind)
            && inventory.class_of(id).is_none()
            && texts
                .get(inventory.view, entry.file)
                .is_some_and(|text| dispatch::says_override(&text, entry.start.0))
    }

    /// Whether what runs its script may call a function.
    pub(super) fn is_run(&mut self, id: SymbolId, texts: &mut Texts) -> bool {
        let (inventory, entry) = (self.inventory, self.inventory.get(id));
        let language = inventory.language(entry.file);
        if !language.liveness.scripts_are_called || !is_callable(entry.kind) {
            return false;
        }
        let (file, lang) = (entry.file, inventory.lang(entry.file));
        *self.run.entry(file).or_insert_with(|| {
            let path = inventory.view.file(file).path.as_bytes();
            let text = texts.get(inventory.view, file);
            text.is_some_and(|text| dispatch::runner(lang, path, &text).is_some())
        })
    }

    /// Notes that a name for what is defined with it is there as that is: `typedef enum { A, B } Kind;` (C).
    fn pair_named(&mut self, id: SymbolId) {
        let inventory = self.inventory;
        let (file, position) = inventory.graph.place(id);
        let (named, next) = (
            inventory.get(id),
            inventory.graph.symbol(file, position + 1),
        );
        if let Some(inner) = next
            && let inside = inventory.get(inner)
            && is_type(inside.kind)
            && inside.kind != SymbolKind::Type
            && inside.start >= named.start
            && inside.end <= named.end
        {
            self.overriding.push((inner, id));
        }
    }

    /// Notes that a use of a macro may mean each that has its name: what the program is built for decides.
    pub(super) fn pair_macros(&mut self) {
        let inventory = self.inventory;
        let mut first: FxHashMap<Name, SymbolId> = FxHashMap::default();
        let mut last: FxHashMap<Name, SymbolId> = FxHashMap::default();
        for id in inventory.ids() {
            let entry = inventory.get(id);
            let is_linked = || inventory.language(entry.file).naming.linked;
            if entry.kind == SymbolKind::Type && is_linked() {
                self.pair_named(id);
            }
            if entry.kind != SymbolKind::Macro || !is_linked() {
                continue;
            }
            match last.insert(entry.name, id) {
                Some(before) => self.overriding.push((before, id)),
                None => drop(first.insert(entry.name, id)),
            }
        }
        // From the last the first follows, so that each leads to all.
        let rings = last.into_iter().filter_map(|(name, id)| {
            let first = first.get(&name).copied()?;
            (first != id).then_some((id, first))
        });
        self.overriding.extend(rings);
    }

    /// Notes that what is used in the place of another may mean it.
    pub(super) fn pair(&mut self, id: SymbolId, texts: &mut Texts) {
        let file = self.inventory.get(id).file;
        let liveness = &self.inventory.language(file).liveness;
        let naming = &self.inventory.language(file).naming;
        let is_orphan = naming.linked
            && matches!(
                self.inventory.get(id).kind,
                SymbolKind::Method | SymbolKind::Constructor
            )
            && self.inventory.class_of(id).is_none();
        let may = is_orphan
            || liveness.extends_by_receivers
            || liveness.build_guard.is_some() && self.twins.is_guarded(texts, file);
        if may && let Some(twin) = self.twins.find(self.inventory.graph, texts, id) {
            self.overriding.push((twin, id));
        }
    }

    pub(super) fn is_entry_point(&self, id: SymbolId) -> bool {
        let entry = self.inventory.get(id);
        if !is_callable(entry.kind) {
            return false;
        }
        let (lang, name) = (self.inventory.lang(entry.file), self.inventory.name(id));
        dispatch::is_entry_point(lang, name, entry.container.is_none())
    }

    /// Whether it says that it is called as what is declared elsewhere, with which it lives.
    pub(super) fn is_actual(&self, id: SymbolId, texts: &mut Texts) -> bool {
        let inventory = self.inventory;
        let entry = inventory.get(id);
        let mark = inventory.language(entry.file).liveness.actual_mark;
        mark.is_some()
            && texts.get(inventory.view, entry.file).is_some_and(|text| {
                let (line, _) = entry.start;
                let col = text.word_on(line, inventory.name(id));
                col.is_some_and(|col| {
                    dispatch::is_actual(inventory.lang(entry.file), &text, (line, col))
                })
            })
    }

    /// Whether a decorator may have told somebody of it. Decorators that cannot be read may.
    pub(super) fn is_registered(&self, id: SymbolId, texts: &mut Texts) -> bool {
        let entry = self.inventory.get(id);
        if !entry.flags.contains(SymbolFlags::DECORATED) {
            return false;
        }
        match texts.get(self.inventory.view, entry.file) {
            Some(text) => !decorators::registering(&text, entry.start).is_empty(),
            None => true,
        }
    }

    /// What its own text says of who uses it without a name.
    pub(super) fn unspoken(&mut self, id: SymbolId, texts: &mut Texts) -> Option<Standing> {
        let (inventory, entry) = (self.inventory, self.inventory.get(id));
        let lang = inventory.lang(entry.file);
        if !unspoken::may_be_said(lang) {
            return None;
        }
        let text = texts.get(inventory.view, entry.file)?;
        let asked = unspoken::Asked {
            lang,
            name: inventory.name(id),
            start: entry.start.0,
            end: entry.end.0,
        };
        if self
            .keeping
            .as_ref()
            .is_none_or(|(of, _)| *of != entry.file)
        {
            self.keeping = Some((entry.file, unspoken::keeping(lang, &text)));
        }
        let keeping = self.keeping.as_ref().map_or(&[][..], |(_, lines)| lines);
        match unspoken::said(&text, keeping, asked)? {
            Unspoken::Kept(_) => Some(Standing::Root),
            Unspoken::Implicit(_) => {
                Some(entry.container.map_or(Standing::Root, Standing::Follows))
            }
            Unspoken::Overriding(_) => {
                let around = entry.container.filter(|_| is_callable(entry.kind));
                around.map(Standing::Follows)
            }
        }
    }

    /// Whether an attribute told somebody of a field that all objects of its type have in common, and with it the type.
    pub(super) fn is_registered_field(&self, id: SymbolId, texts: &mut Texts) -> bool {
        let (inventory, entry) = (self.inventory, self.inventory.get(id));
        let of_type = entry
            .container
            .is_some_and(|of| is_type(inventory.get(of).kind));
        of_type
            && self.is_registered(id, texts)
            && texts
                .get(inventory.view, entry.file)
                .is_some_and(|text| unspoken::is_static(&text, (entry.start.0, entry.end.0)))
    }

    /// Whether it is a setting that a framework reads by its name.
    pub(super) fn is_setting(&self, id: SymbolId) -> bool {
        let inventory = self.inventory;
        let entry = inventory.get(id);
        let path = inventory.view.file(entry.file).path.as_bytes();
        let is_top = entry.container.is_none();
        is_top && dispatch::is_setting(inventory.lang(entry.file), path, inventory.name(id))
    }

    /// Whether a framework finds it, or the type that it is a member of, by the name of that.
    pub(super) fn is_conventional(&self, id: SymbolId) -> bool {
        let inventory = self.inventory;
        let entry = inventory.get(id);
        let class = match is_type(entry.kind) {
            true => Some(id),
            false => entry
                .container
                .filter(|of| is_type(inventory.get(*of).kind)),
        };
        let is_seen = is_type(entry.kind)
            || entry.kind == SymbolKind::Method && entry.flags.contains(SymbolFlags::EXPORTED);
        let path = inventory.view.file(entry.file).path.as_bytes();
        let lang = inventory.lang(entry.file);
        let is_found = |class| dispatch::convention(lang, path, inventory.name(class)).is_some();
        is_seen && class.is_some_and(is_found)
    }

    /// Whether a module, or one around it, is one of others that is opened again: `declare module 'vue'`.
    pub(super) fn is_reopened(&self, id: SymbolId, texts: &mut Texts) -> bool {
        let inventory = self.inventory;
        let language = inventory.language(inventory.get(id).file);
        if language.liveness.reopens_modules.is_empty() {
            return false;
        }
        let outer = |id: &SymbolId| inventory.get(*id).container;
        let modules = std::iter::successors(Some(id), outer).take(MAX_MODULES);
        let modules = modules.map(|id| inventory.get(id));
        let mut modules = modules.take_while(|of| of.kind == SymbolKind::Module);
        modules.any(|of| {
            texts
                .get(inventory.view, of.file)
                .is_some_and(|text| opened::reopens_module(language, text.line(of.start.0)))
        })
    }

    /// Whether what its module uses calls it.
    pub(super) fn is_callback(&self, id: SymbolId, texts: &mut Texts) -> bool {
        let inventory = self.inventory;
        let entry = inventory.get(id);
        let Some(module) = entry.container.map(|of| inventory.get(of)) else {
            return false;
        };
        if inventory
            .language(entry.file)
            .liveness
            .behaviours
            .is_empty()
            || !is_callable(entry.kind)
            || !entry.flags.contains(SymbolFlags::EXPORTED)
        {
            return false;
        }
        let lines = module.start.0..=module.end.0;
        let of = (inventory.name(id), entry.start.0);
        let text = texts.get(inventory.view, entry.file);
        text.is_some_and(|text| {
            behaviours::callback(inventory.lang(entry.file), &text, of, lines).is_some()
        })
    }

    /// Whether it stands where a value does, and nothing names it.
    pub(super) fn is_value(&self, id: SymbolId, texts: &mut Texts) -> bool {
        let inventory = self.inventory;
        let entry = inventory.get(id);
        matches!(entry.kind, SymbolKind::Function | SymbolKind::Class)
            && inventory.language(entry.file).liveness.names_values
            && inventory.graph.incoming(id).into_iter().next().is_none()
            && texts.get(inventory.view, entry.file).is_some_and(|text| {
                dispatch::is_value(inventory.lang(entry.file), &text, entry.start)
            })
    }

    /// Whether a base of it gets to know the types that are derived from it.
    pub(super) fn is_derived(&self, id: SymbolId) -> bool {
        let entry = self.inventory.get(id);
        let hooks = self.inventory.language(entry.file).liveness.subclass_hooks;
        if hooks.is_empty() || !is_type(entry.kind) {
            return false;
        }
        let bases = self.bases(id);
        let names = self.inventory.names();
        let mut hooks = hooks.iter().filter_map(|hook| names.find(hook.as_bytes()));
        hooks.any(|hook| {
            bases
                .iter()
                .any(|of| self.members.contains_key(&(*of, hook)))
        })
    }
}
