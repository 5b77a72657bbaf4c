//! The names of definitions that nothing reaches, where they stand unexplained all the same.

use crate::extract::record::{Grammar, SymbolFlags, SymbolKind};
use crate::graph::names::Name;
use crate::graph::table::SymbolId;
use crate::query::beside::{self, Beside};
use crate::query::holders::{Among, holders};
use crate::query::inventory::{Inventory, is_callable, is_type};
use crate::query::late::{self, Asked, Late};
use crate::query::shared::Shared;
use crate::query::torn::Torn;
use crate::query::unexplained::{self, MAX_FILES, MIN_NAME_BYTES, ReadFile, beginnings, humps};
use crate::query::unread::Unread;
use crate::query::wholes::{self, Wholes};
use crate::query::{namesakes, paths, properties, texted, unspoken};
use crate::view::live::FileId;
use crate::view::text::{Text, Texts};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Words that are looked for of one name, and more.
const MAX_WORDS: usize = 8;

/// A word that may be the name of a definition, or its beginning; one in humps has to be quoted.
type Sought<'a> = (SymbolId, &'a [u8], bool);

/// Why a place may be a use of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Its name stands there unexplained, or what may make it up.
    Word,
    /// A module that gives it out goes to somebody as a whole there.
    Whole,
    /// Its name is that of something else there.
    Namesake,
    /// Its name stands there, in its own file, of which not all was understood.
    Torn,
}

/// Where a definition may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// In how many files.
    pub files: u32,
    /// The first place, file and line.
    pub first: (FileId, u32),
    /// Why.
    pub why: Why,
}

impl Found {
    fn once(first: (FileId, u32), why: Why) -> Self {
        let files = 1;
        Self { files, first, why }
    }
}

/// Where the names of definitions stand unexplained, or for something else.
#[derive(Default)]
pub struct Words {
    found: FxHashMap<SymbolId, Found>,
}

impl Words {
    /// Looks for the names of definitions that may be listed.
    pub fn of(inventory: &Inventory<'_>, listed: &[SymbolId], texts: &mut Texts) -> Self {
        let mut names: BTreeMap<FileId, Vec<Sought<'_>>> = BTreeMap::new();
        for id in listed {
            let name = inventory.name(*id);
            if name.len() < MIN_NAME_BYTES {
                continue;
            }
            let lang = inventory.lang(inventory.get(*id).file);
            for word in std::iter::once(name).chain(beginnings(name)) {
                for file in holders(inventory.view, lang, word, Among::All) {
                    names.entry(file).or_default().push((*id, word, false));
                }
            }
            let own = names.entry(inventory.get(*id).file).or_default();
            // Of a common name not all files are looked at, but its own always is.
            let mut last = own.iter().rev().take(MAX_WORDS);
            if !last.any(|sought| *sought == (*id, name, false)) {
                own.push((*id, name, false));
            }
            own.extend(humps(name).map(|hump| (*id, hump, true)));
        }
        let mut words = Self::default();
        for id in listed {
            let file = inventory.get(*id).file;
            let end = unexplained::ends(inventory.name(*id));
            let line =
                end.and_then(|end| unexplained::put_behind(inventory.view, texts, file, end));
            let put = line.map(|line| (*id, Found::once((file, line), Why::Word)));
            words.found.extend(put);
            let named = (inventory.lang(file), inventory.name(*id));
            let read = properties::read_of(inventory.view, texts, named);
            let read = read.map(|first| (*id, Found::once(first, Why::Word)));
            words.found.extend(read);
        }
        for (file, words_there) in names {
            let Some(read) = ReadFile::of(inventory.view, inventory.graph, texts, file) else {
                continue;
            };
            let mut last = None;
            for (id, word, is_hump) in words_there {
                if last == Some(id) {
                    continue;
                }
                let line = match is_hump {
                    true => read.quoted(word),
                    false => read.unexplained(word, |_| false),
                };
                if let Some(line) = line {
                    let here = Found::once((file, line), Why::Word);
                    let known = words.found.entry(id);
                    known.and_modify(|found| found.files += 1).or_insert(here);
                    last = Some(id);
                }
            }
        }
        let mut by_path: FxHashMap<FileId, Option<(FileId, u32)>> = FxHashMap::default();
        let mut by_argument: FxHashMap<FileId, Option<(FileId, u32)>> = FxHashMap::default();
        let mut by_host: FxHashMap<FileId, Option<(FileId, u32)>> = FxHashMap::default();
        let mut nearby = Beside::default();
        let mut late = Late::default();
        let mut shared = Shared::default();
        let mut wholes = Wholes::default();
        let mut modules: FxHashMap<FileId, Option<(FileId, u32)>> = FxHashMap::default();
        let mut by_class: FxHashMap<SymbolId, Option<u32>> = FxHashMap::default();
        let misread = Misread::of(inventory, listed);
        let unfound = |words: &Self| -> Vec<SymbolId> {
            let all = listed.iter().copied();
            all.filter(|id| !words.found.contains_key(id)).collect()
        };
        let (view, graph) = (inventory.view, inventory.graph);
        let left = unfound(&words);
        let asked = left.iter().map(|id| (*id, known_as(inventory, *id)));
        let in_texts = texted::elsewhere(view, graph, texts, asked);
        for id in &left {
            let entry = inventory.get(*id);
            let named = known_as(inventory, *id);
            let own = (entry.file, entry.start.0..=entry.end.0);
            let said = match unexplained::may_be_argument(named) {
                true => *by_argument
                    .entry(entry.file)
                    .or_insert_with(|| unexplained::runs_arguments(view, graph, texts, entry.file)),
                false => None,
            };
            let said = said.or_else(|| in_texts.get(id).copied());
            let said = said.or_else(|| texted::prompted(view, texts, named, &own));
            let said = said.or_else(|| nearby.first(view, texts, named, &own));
            let said = said.or_else(|| chosen(inventory, texts, &mut by_class, *id));
            let block = (named.0, entry.file, &own.1);
            let said = match said {
                None if is_type(entry.kind) => unspoken::extended(view, graph, texts, block),
                said => said,
            };
            let asked = Asked {
                file: entry.file,
                name: inventory.name(*id),
                is_linked: late::is_linked(entry.kind, entry.flags, entry.container.is_none()),
            };
            let said = said.or_else(|| late.find(view, graph, texts, asked));
            let said = said.or_else(|| shared.openings.find(view, texts, named, entry.file));
            let said = said.or_else(|| misread.find(inventory, *id));
            let said = said.or_else(|| led_elsewhere(inventory, *id));
            let said = match said {
                None if beside::may_be_of_module(named, entry.container.is_none()) => *modules
                    .entry(entry.file)
                    .or_insert_with(|| beside::module_chosen(view, graph, texts, entry.file)),
                said => said,
            };
            let is_given = entry.container.is_none() && entry.flags.contains(SymbolFlags::EXPORTED);
            let is_shared = entry.container.is_none() && is_callable(entry.kind);
            let said = match said {
                None if is_shared && !is_given => *by_host
                    .entry(entry.file)
                    .or_insert_with(|| paths::read_by_host(view, texts, entry.file)),
                None if is_given => *by_path
                    .entry(entry.file)
                    .or_insert_with(|| paths::named(view, graph, texts, entry.file, &mut shared)),
                said => said,
            };
            let whole = match said {
                None if is_given => {
                    let (file, name) = (entry.file, inventory.name(*id));
                    wholes.find(view, graph, texts, wholes::Asked { file, name })
                }
                _ => None,
            };
            let said = said.map(|first| Found::once(first, Why::Word));
            let said = said.or_else(|| whole.map(|first| Found::once(first, Why::Whole)));
            words.found.extend(said.map(|found| (*id, found)));
        }
        let left = unfound(&words);
        let asked = left.iter().map(|id| {
            let entry = inventory.get(*id);
            let own = (entry.file, entry.start.0..=entry.end.0);
            (*id, inventory.name(*id), own)
        });
        let asked: Vec<namesakes::Asked<'_>> = asked.collect();
        let namesakes = namesakes::all(view, graph, &asked).into_iter();
        let namesakes = namesakes.map(|(id, first)| (id, Found::once(first, Why::Namesake)));
        words.found.extend(namesakes);
        let mut unread = Unread::default();
        for id in unfound(&words) {
            let said = unread.first(view, texts, known_as(inventory, id));
            words
                .found
                .extend(said.map(|first| (id, Found::once(first, Why::Word))));
        }
        let mut torn = Torn::default();
        for id in unfound(&words) {
            let file = inventory.get(id).file;
            let torn = torn.named(view, texts, file, inventory.name(id));
            let torn = torn.map(|line| (id, Found::once((file, line), Why::Torn)));
            words.found.extend(torn);
        }
        words
    }

    /// Definitions whose names stand somewhere unexplained.
    pub fn named(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.found.keys().copied()
    }

    /// Where a definition may be used.
    pub fn of_symbol(&self, id: SymbolId) -> Option<Found> {
        self.found.get(&id).copied()
    }
}

/// Where its own file may mean a member of a type that is not known, and was taken to mean another.
fn led_elsewhere(inventory: &Inventory<'_>, id: SymbolId) -> Option<(FileId, u32)> {
    let entry = inventory.get(id);
    if entry.container.is_some() || inventory.class_of(id).is_some() {
        return None;
    }
    let named = (entry.kind, inventory.name(id));
    let own = (entry.file, entry.start.0..=entry.end.0);
    let line = beside::led_elsewhere(inventory.view, inventory.graph, named, own)?;
    Some((entry.file, line))
}

/// Macros and what else has their names: a macro without a semicolon is misread as what it stands for or before (C).
struct Misread {
    macros: FxHashMap<Name, SymbolId>,
    others: FxHashMap<Name, SymbolId>,
}

impl Misread {
    /// Finds them for definitions that may be listed.
    fn of(inventory: &Inventory<'_>, listed: &[SymbolId]) -> Self {
        let is_linked = |id: &SymbolId| {
            let file = inventory.get(*id).file;
            inventory.language(file).naming.linked
        };
        let of_interest = listed.iter().filter(|id| is_linked(id));
        let names: FxHashSet<Name> = of_interest.map(|id| inventory.get(*id).name).collect();
        let (mut macros, mut others) = (FxHashMap::default(), FxHashMap::default());
        for id in inventory.ids().filter(|_| !names.is_empty()) {
            let entry = inventory.get(id);
            if !names.contains(&entry.name) || !is_linked(&id) {
                continue;
            }
            match entry.kind {
                SymbolKind::Macro => macros.entry(entry.name).or_insert(id),
                _ => others.entry(entry.name).or_insert(id),
            };
        }
        Self { macros, others }
    }

    /// What has the name of a definition, and is a macro where that is none.
    fn find(&self, inventory: &Inventory<'_>, id: SymbolId) -> Option<(FileId, u32)> {
        let entry = inventory.get(id);
        let namesakes = match entry.kind {
            SymbolKind::Macro => &self.others,
            _ => &self.macros,
        };
        let other = inventory.get(*namesakes.get(&entry.name)?);
        Some((other.file, other.start.0))
    }
}

/// The language and the name of a definition.
fn known_as<'a>(inventory: &'a Inventory<'_>, id: SymbolId) -> (Grammar, &'a [u8]) {
    (inventory.lang(inventory.get(id).file), inventory.name(id))
}

/// Where the type of a member chooses its members by a value; the line is looked for once a type.
fn chosen(
    inventory: &Inventory<'_>,
    texts: &mut Texts,
    known: &mut FxHashMap<SymbolId, Option<u32>>,
    id: SymbolId,
) -> Option<(FileId, u32)> {
    let class = inventory.class_of(id)?;
    let of = inventory.get(class);
    let member = (inventory.lang(of.file), inventory.name(id));
    if !is_callable(inventory.get(id).kind) || !beside::may_choose(member) {
        return None;
    }
    let line = known.entry(class).or_insert_with(|| {
        let text = texts.if_here(inventory.view, of.file)?;
        let named = (inventory.name(class), of.start.0..=of.end.0);
        beside::chosen(&text, member, named)
    });
    Some((of.file, (*line)?))
}

/// Whether a file that is not `passed` has a name as part of a path or of a module's name. When very
/// many files have the word it counts as said.
pub fn names_file(
    inventory: &Inventory<'_>,
    texts: &mut Texts,
    lang: Grammar,
    stem: &[u8],
    passed: &FxHashSet<FileId>,
) -> bool {
    let files = holders(inventory.view, lang, stem, Among::All);
    if files.len() >= MAX_FILES || stem.len() < MIN_NAME_BYTES {
        return true;
    }
    let others = texted::code_of_others(inventory.view, lang, (stem, None));
    let mut others = others
        .into_iter()
        .filter_map(|file| texts.if_here(inventory.view, file));
    // In other languages it is a text.
    let is_text = |text: &Text, at: u32| {
        let byte = |at: Option<usize>| at.and_then(|at| text.bytes().get(at)).copied();
        let before = byte((at as usize).checked_sub(1));
        let after = byte(Some(at as usize + stem.len()));
        before.is_some_and(|b| b"/\"'`".contains(&b))
            && after.is_some_and(|b| b".\"'`".contains(&b))
    };
    if others.any(|text| text.words(stem).any(|at| is_text(&text, at))) {
        return true;
    }
    files
        .into_iter()
        .filter(|file| !passed.contains(file))
        .any(|file| {
            let Some(text) = texts.get(inventory.view, file) else {
                return true;
            };
            let bytes = text.bytes();
            memchr::memmem::find_iter(bytes, stem).any(|at| {
                let before = at.checked_sub(1).and_then(|at| bytes.get(at));
                let after = bytes.get(at + stem.len());
                let joins = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
                let begins = before.is_some_and(|b| b"/.\"'`:".contains(b));
                let goes_on = after == Some(&b'.') && before.is_none_or(|b| !joins(b));
                (begins || goes_on) && after.is_none_or(|b| !joins(b))
            })
        })
}
