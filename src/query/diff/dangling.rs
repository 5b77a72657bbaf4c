//! Uses that still expect what is no longer there: of definitions that are gone, have another name or moved, and
//! members of subtypes that were left behind.
//!
//! What a use meant is what the old graph says. It is found again in the new state by its line, if that line is
//! still there, or by its name on lines that were changed; if nothing answers to it there, it dangles. A use that now
//! means something else is none of that: the language says so.

use super::changes::Change;
use super::elsewhere::{Answered, Uses};
use super::files::FileChange;
use super::lines::LineMap;
use super::matching::{Matches, holds_others};
use super::possible::{PossibleUse, Why};
use super::similarity::Class;
use super::units::{Side, Unit, UnitId};
use crate::extract::record::{
    Occurrence, OccurrenceKind, Qualifier, Symbol, SymbolFlags, SymbolKind,
};
use crate::graph::rule::{Certainty, Rule};
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang;
use crate::query::unexplained::ReadFile;
use crate::segment::Segment;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a use expects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Expected {
    /// This definition of the old state.
    Definition(UnitId),
    /// This file of the old state.
    File(FileId),
    /// This definition of the new state: a member that a subtype lacks, or what a new call does not fit.
    New(SymbolId),
}

/// What is wrong with a use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// Nothing answers to it.
    Dangling,
    /// What it means is there, and it may not see it.
    Hidden,
    /// Its own file bound the name that it uses, and does so no longer.
    Unbound,
    /// It overrides or implements what is no longer there, or not so.
    LeftBehind,
    /// It declares what is no longer so, or defines what is declared otherwise.
    Declared,
    /// It gives other arguments than are taken.
    Misfit,
    /// It was written with the change, and gives other arguments than are taken.
    Unfit,
    /// A type does not have what its base or interface wants.
    Missing,
    /// It was written with the change, and what should have it does not.
    Absent,
    /// It was written with the change, and leads nowhere.
    Nowhere,
}

impl Fault {
    /// Whether it was written with the change: nothing was left behind.
    pub fn is_of_new(self) -> bool {
        matches!(self, Self::Unfit | Self::Absent | Self::Nowhere)
    }
}

/// A place of the new state that expects something of the old one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StaleUse {
    /// What it expects.
    pub expected: Expected,
    /// Whether it uses a member of that, which is gone with it.
    pub by_member: bool,
    /// Its file in the new state.
    pub file: FileId,
    /// Its line there.
    pub line: u32,
    /// Its byte column.
    pub col: u32,
    /// What is wrong.
    pub fault: Fault,
    /// How sure it is that this was meant.
    pub certainty: Certainty,
}

impl StaleUse {
    /// A use that cannot see a definition of the new state any more.
    pub(super) fn hidden(id: SymbolId, (file, line, col): (FileId, u32, u32)) -> Self {
        Self {
            expected: Expected::New(id),
            by_member: false,
            file,
            line,
            col,
            fault: Fault::Hidden,
            certainty: Certainty::Resolved,
        }
    }
}

/// What a use is worth to which nothing answers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Worth {
    /// It is broken, this surely.
    Sure(Certainty),
    /// It may be.
    Perhaps(Why),
}

/// All such places, and those that may be such.
pub struct Found {
    /// Those of one definition together, in order of files and lines.
    pub stale: Vec<StaleUse>,
    /// In no order.
    pub possible: Vec<PossibleUse>,
    /// The lines of files that were compared for it, by the file of the old state.
    pub lines: FxHashMap<FileId, LineMap>,
}

/// Finds all such places.
pub fn find(
    (old, new): (&Side<'_>, &Side<'_>),
    matches: &Matches,
    files: &[FileChange],
    changes: &[Change],
    texts: &mut Texts,
) -> Found {
    let mut search = Search {
        old,
        new,
        matches,
        kept: files
            .iter()
            .filter_map(|file| Some((file.before()?, file.after()?)))
            .collect(),
        gone: files
            .iter()
            .filter(|file| file.after().is_none())
            .filter_map(|file| file.before())
            .collect(),
        before: files
            .iter()
            .filter_map(|file| Some((file.after()?, file.before()?)))
            .collect(),
        maps: FxHashMap::default(),
        read: FxHashMap::default(),
        uses: FxHashMap::default(),
        found: FxHashSet::default(),
        possible: FxHashSet::default(),
        missed: FxHashMap::default(),
    };
    for was in old.ids() {
        search.definition(was, texts);
    }
    for file in files {
        if let Some(was) = file.before() {
            search.file(was);
        }
        search.lost_names(*file);
    }
    search.lost_files(files, texts);
    search.lost_packages(files, texts);
    search.lost_includes(files);
    search.lost_wholes(files, texts);
    for change in changes {
        search.overrides(*change);
        search.lost_bases(*change);
        search.members(*change);
        search.implementations(*change);
        search.method_sets(*change, texts);
        search.wanted_more(*change, texts);
    }
    let mut stale: Vec<StaleUse> = search.found.into_iter().collect();
    stale.sort_unstable();
    Found {
        stale,
        possible: search.possible.into_iter().collect(),
        lines: (search.maps.into_iter())
            .filter_map(|(file, map)| Some((file, map?)))
            .collect(),
    }
}

/// A search for such places under way.
pub(super) struct Search<'a> {
    pub(super) old: &'a Side<'a>,
    pub(super) new: &'a Side<'a>,
    pub(super) matches: &'a Matches,
    /// Files that differ, from old to new.
    kept: FxHashMap<FileId, FileId>,
    /// The same from new to old.
    pub(super) before: FxHashMap<FileId, FileId>,
    gone: FxHashSet<FileId>,
    maps: FxHashMap<FileId, Option<LineMap>>,
    read: FxHashMap<FileId, Option<ReadFile<'a>>>,
    /// What new files say of their names, as far as it was asked for.
    pub(super) uses: FxHashMap<FileId, Option<Rc<Uses<'a>>>>,
    pub(super) found: FxHashSet<StaleUse>,
    possible: FxHashSet<PossibleUse>,
    /// What is missed in which files, and on which of their lines.
    missed: FxHashMap<(UnitId, FileId), FxHashSet<u32>>,
}

impl<'a> Search<'a> {
    /// Where a file of the old state is now.
    pub(super) fn file_now(&self, file: FileId) -> Option<FileId> {
        if let Some(new) = self.kept.get(&file) {
            return Some(*new);
        }
        if self.gone.contains(&file) {
            return None;
        }
        let path = self.old.view.file(file).path.as_bytes();
        self.new.view.file_at(path)
    }

    /// Whether a file of the old state holds the same now, wherever.
    fn is_same(&self, old: FileId, new: FileId) -> bool {
        self.old.view.file(old).blob == self.new.view.file(new).blob
    }

    /// The lines of a file that differs.
    pub(super) fn lines(&mut self, file: FileId, now: FileId) -> Option<&LineMap> {
        let (old, new) = (self.old, self.new);
        let compare = || {
            let (before, after) = (old.code(file)?, new.code(now)?);
            Some(LineMap::of(before.text.bytes(), after.text.bytes()))
        };
        self.maps.entry(file).or_insert_with(compare).as_ref()
    }

    /// Where a line of a file of the old state is now, if it is still there.
    pub(super) fn line_now(&mut self, file: FileId, now: FileId, line: u32) -> Option<u32> {
        match self.is_same(file, now) {
            true => Some(line),
            false => self.lines(file, now)?.new_line(line),
        }
    }

    /// Whether what used to be in a definition is gone with it.
    fn is_gone(&self, symbol: Option<SymbolId>) -> bool {
        let unit = symbol.and_then(|id| self.old.find(id));
        unit.is_some_and(|unit| self.matches.new_of(unit).is_none())
    }

    /// Uses of one definition of the old state.
    fn definition(&mut self, was: UnitId, texts: &mut Texts) {
        let unit = self.old.unit(was);
        if let Some(now) = self.stayed(was) {
            self.hidden(was, now);
            return;
        }
        // Files with uses on lines that are no more, what those were worth, and whether some were imports.
        let mut rewritten: FxHashMap<FileId, (Worth, bool)> = FxHashMap::default();
        let mut reader = self.old.graph.reader();
        for edge in self.old.graph.incoming(unit.id) {
            let edge = reader.edge(edge);
            if self.is_gone(edge.from) {
                continue;
            }
            // Of a value on an object that nothing is known of, the name says too little. And what calls its own
            // name on such an object hands on to that object's: `lastIndexOf(o) { return delegate.lastIndexOf(o); }`.
            let is_guess =
                edge.rule == Rule::Unique && (is_value(unit.kind) || edge.from == Some(unit.id));
            let worth = match edge.rule.certainty() {
                _ if is_guess => Worth::Perhaps(Why::Guess),
                Certainty::Ambiguous => Worth::Perhaps(Why::Ambiguous),
                Certainty::Text => Worth::Perhaps(Why::Text),
                sure => Worth::Sure(sure),
            };
            let Some(file) = self.file_now(edge.file) else {
                continue;
            };
            let line = self.line_now(edge.file, file, edge.line);
            let missed = (unit.container).filter(|outer| self.missed.contains_key(&(*outer, file)));
            if let Some(outer) = missed {
                if let (Some(line), Worth::Sure(_)) = (line, worth) {
                    self.member((file, line, edge.col), (was, outer), texts);
                }
                continue;
            }
            // The type is gone and nobody misses it here: something else is of its name, or the value is of another type.
            let is_of_gone = unit.container.is_some_and(|outer| {
                holds_others(self.old.unit(outer).kind) && self.matches.new_of(outer).is_none()
            });
            let worth = match is_of_gone {
                true => worth.max(Worth::Perhaps(Why::Unresolved)),
                false => worth,
            };
            let Some(line) = line else {
                let known = rewritten.entry(file).or_insert((worth, false));
                known.0 = known.0.min(worth);
                known.1 |= edge.kind == OccurrenceKind::Import;
                continue;
            };
            self.check((file, line, edge.col), was, worth);
        }
        for (file, (worth, is_imported)) in rewritten {
            // `use crate::grid::Row` names no field `grid`, unless imports name such members.
            let may_import = is_imported || unit.container.is_none();
            self.by_name(was, file, (worth, may_import), texts);
        }
        self.new_imports(was);
    }

    /// What a definition is now that has its name and place still.
    pub(super) fn stayed(&self, was: UnitId) -> Option<UnitId> {
        let now = self.matches.new_of(was)?;
        let is_called_so = self.old.own_name(was) == self.new.own_name(now);
        let is_in_place = || self.is_in_place(self.old.unit(was), self.new.unit(now));
        (is_called_so && is_in_place()).then_some(now)
    }

    /// Whether a definition is where it was: what lies in one that moved is.
    fn is_in_place(&self, was: &Unit, is: &Unit) -> bool {
        match was.container {
            Some(outer) => self.matches.new_of(outer) == is.container,
            None => is.container.is_none() && self.matches.file_of(was.file) == Some(is.file),
        }
    }

    /// Remembers a use at a place if nothing answers to it any more.
    pub(super) fn check(&mut self, place: (FileId, u32, u32), was: UnitId, worth: Worth) {
        let (file, line, col) = place;
        let found = match worth {
            Worth::Sure(certainty) => self.dangles(place, was, certainty),
            // A text that names another definition now named that one as much before.
            Worth::Perhaps(Why::Text) if self.new.graph.edge_at(file, line, col).is_some() => None,
            Worth::Perhaps(why) => {
                let found = self.dangles(place, was, Certainty::Inferred);
                found.map(|_| Worth::Perhaps(why))
            }
        };
        match found {
            Some(Worth::Sure(certainty)) => {
                self.missed.entry((was, file)).or_default().insert(line);
                self.found.insert(StaleUse {
                    expected: Expected::Definition(was),
                    by_member: false,
                    file,
                    line,
                    col,
                    fault: Fault::Dangling,
                    certainty,
                });
            }
            Some(Worth::Perhaps(why)) => {
                self.possible.insert(PossibleUse {
                    was,
                    file,
                    line,
                    why,
                });
            }
            None => {}
        }
    }

    /// Remembers a use of a member in a file that still expects its type: the value was of that type, and may be of another one by now,
    /// so it is inferred. Where the type is gone altogether, it is told with that. Where the type stands in the same line,
    /// or the member is a key of a literal, the type says it.
    fn member(
        &mut self,
        place: (FileId, u32, u32),
        (was, outer): (UnitId, UnitId),
        texts: &mut Texts,
    ) {
        let (file, line, col) = place;
        let is_told = (self.missed.get(&(outer, file))).is_some_and(|lines| lines.contains(&line));
        let is_member = !is_told && self.is_qualified(place, texts);
        let found = match is_member {
            true => self.dangles(place, was, Certainty::Inferred),
            false => None,
        };
        if found.is_none() {
            return;
        }
        self.missed.entry((was, file)).or_default();
        let by_member = self.matches.new_of(outer).is_none();
        self.found.insert(StaleUse {
            expected: Expected::Definition(if by_member { outer } else { was }),
            by_member,
            file,
            line,
            col,
            fault: Fault::Dangling,
            certainty: Certainty::Inferred,
        });
    }

    /// Whether the name at a place is that of a member of what stands before it, `cache.get`, and no key.
    fn is_qualified(&self, (file, line, col): (FileId, u32, u32), texts: &mut Texts) -> bool {
        let text = texts.get(self.new.view, file);
        let before = text
            .as_ref()
            .and_then(|text| text.line(line).get(..col as usize));
        before.is_some_and(|before| {
            let before = before.trim_ascii_end();
            [b"." as &[u8], b"->", b"::"]
                .iter()
                .any(|mark| before.ends_with(mark))
        })
    }

    /// How sure it is that nothing answers to a use at a place any more; `None` where something does.
    fn dangles(
        &mut self,
        (file, line, col): (FileId, u32, u32),
        was: UnitId,
        certainty: Certainty,
    ) -> Option<Worth> {
        let graph = self.new.graph;
        let Some(number) = graph.edge_at(file, line, col) else {
            return match self.answered((file, line, col), was) {
                Answered::No => Some(Worth::Sure(certainty)),
                Answered::Perhaps(why) => Some(Worth::Perhaps(why)),
                Answered::Yes => None,
            };
        };
        let now = self.matches.new_of(was).map(|unit| self.new.unit(unit).id);
        if graph.targets(number).any(|target| Some(target) == now) {
            return None;
        }
        // Its type has another member of the name: the field that became a property.
        let outer = self.old.unit(was).container;
        let outer = outer.and_then(|outer| self.matches.new_of(outer));
        let is_beside = |target: SymbolId| {
            let unit = self.new.find(target).map(|unit| self.new.unit(unit));
            outer.is_some() && unit.is_some_and(|unit| unit.container == outer)
        };
        if graph.targets(number).any(is_beside) {
            return None;
        }
        match graph.edge(number).rule {
            // Others of the name are merely there.
            Rule::Unique | Rule::Ambiguous | Rule::Mention => {
                Some(Worth::Sure(certainty.max(Certainty::Inferred)))
            }
            _ if self.means_bystanders(number, was) => Some(Worth::Sure(certainty)),
            // What is left declares it, and nothing here defines it any more.
            _ if self.is_only_declared(number, was) => Some(Worth::Perhaps(Why::Unresolved)),
            _ => None,
        }
    }

    /// Whether a call that meant a function leads to nothing now but values and modules of its name that had been
    /// beside it all along: the field that a method was named like, the module of a function. It never meant those.
    fn means_bystanders(&self, number: u32, was: UnitId) -> bool {
        let graph = self.new.graph;
        let is_call = graph.edge(number).kind == OccurrenceKind::Call;
        if !is_call || Class::of(self.old.unit(was).kind) != Class::Callable {
            return false;
        }
        let is_bystander = |target: SymbolId| {
            let (file, position) = graph.place(target);
            let kind = document(self.new, file)
                .and_then(|(segment, doc)| segment.symbols(doc).nth(position))
                .map(|symbol| symbol.kind);
            let was_there = match self.new.find(target) {
                Some(unit) => self.matches.old_of(unit).is_some(),
                // Its file is the same.
                None => self.new.code(file).is_none(),
            };
            was_there && kind.is_some_and(|kind| is_value(kind) || kind == SymbolKind::Module)
        };
        let mut targets = graph.targets(number).peekable();
        targets.peek().is_some() && targets.all(is_bystander)
    }

    /// Whether a use that meant a definition leads to nothing now but what declares it, in a language in which a linker
    /// looks for that.
    fn is_only_declared(&self, number: u32, was: UnitId) -> bool {
        let is_declaration =
            |symbol: &Symbol<NameId>| symbol.flags.contains(SymbolFlags::DECLARATION);
        let is_linked = document(self.old, self.old.unit(was).file)
            .is_some_and(|(segment, doc)| lang::of(segment.doc(doc).lang).naming.linked);
        let was_defined = self.old.symbol(was).is_some_and(|of| {
            matches!(of.kind, SymbolKind::Function | SymbolKind::Variable) && !is_declaration(&of)
        });
        let graph = self.new.graph;
        is_linked
            && was_defined
            && self.matches.new_of(was).is_none()
            && graph.targets(number).all(|target| {
                let (file, position) = graph.place(target);
                symbol_at(self.new, file, position).is_some_and(|(_, of)| is_declaration(&of))
            })
    }

    /// Uses by name on lines of a file that were changed.
    fn by_name(
        &mut self,
        was: UnitId,
        file: FileId,
        (worth, may_import): (Worth, bool),
        texts: &mut Texts,
    ) {
        let (old, new) = (self.old, self.new);
        let name = own_bytes(&old.unit(was).name);
        let Some((segment, doc)) = document(new, file) else {
            return;
        };
        let Some(id) = segment.name_id(name) else {
            return;
        };
        let Some(before) = self.before.get(&file).copied() else {
            return;
        };
        let occurrences: Vec<Occurrence<NameId>> = segment.occurrences_of(doc, id).collect();
        let is_new: Vec<bool> = {
            let Some(lines) = self.lines(before, file) else {
                return;
            };
            let lines = occurrences.iter().map(|found| lines.is_new(found.line));
            lines.collect()
        };
        let read = self
            .read
            .entry(file)
            .or_insert_with(|| ReadFile::of(new.view, new.graph, texts, file));
        let own = read.as_ref().map(|read| read.explained(id));
        for (found, _) in occurrences.iter().zip(is_new).filter(|(_, is_new)| *is_new) {
            let place = (found.line, found.col);
            if found.kind == OccurrenceKind::Mention
                || found.kind == OccurrenceKind::Import && !may_import
                || own.as_ref().is_none_or(|own| own.contains(&place))
            {
                continue;
            }
            let worth = match (found.qualifier, worth) {
                (Qualifier::None | Qualifier::This, worth) => worth,
                (_, worth) => worth.max(Worth::Sure(Certainty::Inferred)),
            };
            self.check((file, found.line, found.col), was, worth);
        }
    }
}

fn is_value(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Field | SymbolKind::Variable | SymbolKind::Constant
    )
}

/// The last part of a name: without a receiver.
pub(super) fn own_bytes(name: &[u8]) -> &[u8] {
    name.rsplit(|b| *b == b'.').next().unwrap_or(name)
}

/// The document of a file.
pub(super) fn document<'a>(
    side: &Side<'a>,
    file: FileId,
) -> Option<(&'a Segment, crate::id::DocId)> {
    let doc = side.view.file(file).doc?;
    Some((&side.view.segment(doc.segment).segment, doc.doc))
}

/// What the document of a file says of one of its definitions, and the segment that has its names.
pub(super) fn symbol_at<'a>(
    side: &Side<'a>,
    file: FileId,
    position: usize,
) -> Option<(&'a Segment, Symbol<NameId>)> {
    let (segment, doc) = document(side, file)?;
    Some((segment, segment.symbols(doc).nth(position)?))
}
