//! What was found of a change, put into the words of an answer.

use super::Comparison;
use super::answer::{
    Broken, ChangedFile, ChangedSymbol, Compatibility, DiffAnswer, FileFate, MAX_POSSIBLE,
    Possible, SymbolFate, Unknown, Unmet,
};
use super::changes::Change;
use super::dangling::{Expected, StaleUse};
use super::effects::{Because, Effect};
use super::files::FileChange;
use super::lines::LineMap;
use super::possible::{Hints, PossibleUse, Why, is_chronicle};
use super::same_place::is_same_place;
use super::signatures::{Place, Signatures};
use super::units::{Side, UnitId};
use crate::extract::calls::{Misfit, Takes};
use crate::extract::record::{SymbolFlags, SymbolKind};
use crate::query::answer::SymbolRef;
use crate::query::exposure::Manifests;
use crate::query::scope::Filter;
use crate::query::use_lines;
use crate::query::verified::{self, VerifiedSymbols};
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::{Text, Texts, fold_line};
use crate::view::written::Written;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::sync::Arc;

/// Longest signature shown, in bytes.
const SIGNATURE_BYTES: usize = 200;
/// Longest line quoted, in bytes.
const LINE_BYTES: usize = 160;

/// Describes the files that differ.
pub(super) fn files(
    found: &Comparison<'_>,
    filter: &Filter,
    texts: &mut Texts,
    answer: &mut DiffAnswer,
) {
    let mut symbols: FxHashMap<FileChange, usize> = FxHashMap::default();
    let by_new: FxHashMap<FileId, FileChange> = (found.files.iter())
        .filter_map(|file| Some((file.after()?, *file)))
        .collect();
    let by_old: FxHashMap<FileId, FileChange> = (found.files.iter())
        .filter_map(|file| Some((file.before()?, *file)))
        .collect();
    for change in &found.changes {
        let file = match change.after() {
            Some(new) => by_new.get(&found.new.unit(new).file),
            None => change
                .before()
                .and_then(|old| by_old.get(&found.old.unit(old).file)),
        };
        if let Some(file) = file {
            *symbols.entry(*file).or_default() += 1;
        }
    }
    // What is no code was not read yet.
    let shown = || {
        found
            .files
            .iter()
            .filter(|file| admits(found, filter, **file))
    };
    let unread = |side: &Side<'_>, file: Option<FileId>| {
        let unread =
            |file: &FileId| side.code(*file).is_none() && side.view.file(*file).doc.is_some();
        file.filter(unread)
    };
    let before: Vec<FileId> = shown()
        .filter_map(|file| unread(&found.old, file.before()))
        .collect();
    let after: Vec<FileId> = shown()
        .filter_map(|file| unread(&found.new, file.after()))
        .collect();
    texts.all(found.old.view, &before);
    texts.all(found.new.view, &after);
    for file in &found.files {
        if admits(found, filter, *file) {
            let symbols = symbols.get(file).copied().unwrap_or(0);
            answer
                .files
                .push(changed_file(found, texts, *file, symbols));
        }
    }
}

fn admits(found: &Comparison<'_>, filter: &Filter, file: FileChange) -> bool {
    let admits = |side: &Side<'_>, file: FileId| filter.admits(side.view, side.view.file(file));
    file.after().is_some_and(|new| admits(&found.new, new))
        || file.before().is_some_and(|old| admits(&found.old, old))
}

fn changed_file(
    found: &Comparison<'_>,
    texts: &mut Texts,
    file: FileChange,
    symbols: usize,
) -> ChangedFile {
    let path = |side: &Side<'_>, file: FileId| side.view.file(file).path.to_string();
    let (old, new) = (file.before(), file.after());
    let was = old.map(|old| path(&found.old, old));
    let is = new.map(|new| path(&found.new, new));
    let fate = match (&was, &is) {
        (None, _) => FileFate::Added,
        (_, None) => FileFate::Removed,
        (Some(was), Some(is)) if was != is => FileFate::Renamed,
        _ => FileFate::Modified,
    };
    let text = |side: &Side<'_>, file: Option<FileId>, texts: &mut Texts| match file {
        None => Some(Arc::new(Text::new(Vec::new()))),
        Some(file) if side.view.file(file).doc.is_none() => None,
        Some(file) => match side.code(file) {
            Some(code) => Some(code.text.clone()),
            None => texts.get(side.view, file),
        },
    };
    let known = old.filter(|_| new.is_some());
    let lines = match known.and_then(|old| found.lines.get(&old)) {
        Some(known) => Some(known.counts()),
        None => {
            let (before, after) = (text(&found.old, old, texts), text(&found.new, new, texts));
            let both = before.zip(after);
            both.map(|(before, after)| LineMap::of(before.bytes(), after.bytes()).counts())
        }
    };
    let top = |side: &Side<'_>, file: FileId| side.code(file).map(|code| code.top);
    let top = match (old, new) {
        (Some(old), Some(new)) => top(&found.old, old) != top(&found.new, new),
        _ => false,
    };
    let was = was.filter(|_| fate == FileFate::Renamed);
    ChangedFile {
        path: match (fate, is) {
            (_, Some(is)) => is,
            (_, None) => old.map(|old| path(&found.old, old)).unwrap_or_default(),
        },
        was,
        fate,
        lines,
        top,
        symbols,
    }
}

/// Describes the definitions that changed, those first that others notice first.
pub(super) fn symbols(
    signatures: &mut Signatures<'_>,
    found: &Comparison<'_>,
    filter: &Filter,
    texts: &mut Texts,
    answer: &mut DiffAnswer,
) {
    let (mut before, mut after) = (Manifests::of(found.old.view), Manifests::of(found.new.view));
    let mut all: Vec<(Change, UnitId, Standing)> = Vec::new();
    for change in &found.changes {
        let (side, unit, manifests) = match (change.after(), change.before()) {
            (Some(new), _) => (&found.new, new, &mut after),
            (None, Some(old)) => (&found.old, old, &mut before),
            (None, None) => continue,
        };
        let file = side.unit(unit).file;
        if !filter.admits(side.view, side.view.file(file))
            || !filter.admits_kind(side.unit(unit).kind)
        {
            continue;
        }
        let is_published = manifests.offer(texts, file).is_some();
        let standing = Standing::of(found, *change, (side, unit), is_published);
        all.extend(standing.map(|standing| (*change, unit, standing)));
    }
    let signed = all
        .iter()
        .filter(|(_, _, standing)| standing.asks_for_effect());
    signatures.parse_signed(texts, signed.map(|(change, ..)| *change));
    for (change, unit, standing) in all {
        let effect = match standing.asks_for_effect() {
            true => signatures.effect(texts, change),
            false => Effect::None,
        };
        let described = changed_symbol(found, texts, (change, unit), (standing, effect));
        answer.symbols.extend(described);
    }
    answer.symbols.sort_by_key(|symbol| {
        let is_code = match symbol.fate {
            SymbolFate::Changed(how) => how.is_code() || how.renamed || how.moved,
            _ => true,
        };
        (
            !is_code,
            symbol.is_test,
            symbol.compatibility,
            Reverse(symbol.uses),
        )
    });
}

/// What others see of a definition that changed.
#[derive(Clone, Copy)]
struct Standing {
    is_test: bool,
    was_seen: bool,
    is_seen: bool,
    /// Whether it is found under another name or in another place.
    is_elsewhere: bool,
    /// Whether what others know the whole of has one more part with it.
    is_part: bool,
}

impl Standing {
    fn of(
        found: &Comparison<'_>,
        change: Change,
        (side, unit): (&Side<'_>, UnitId),
        is_published: bool,
    ) -> Option<Self> {
        let flags = side.symbol(unit)?.flags;
        let of = side.unit(unit);
        let is_test = flags.contains(SymbolFlags::TEST)
            || side.view.file(of.file).role == FileRole::Test
            || of.kind == SymbolKind::Test;
        let seen =
            |side: &Side<'_>, unit: UnitId| is_published && !is_test && side.is_given_out(unit);
        let moved_away = match change {
            Change::Changed { old, new, how } if how.moved => {
                let (from, to) = (found.old.unit(old).file, found.new.unit(new).file);
                !is_same_place((&found.old, from), (&found.new, to))
            }
            _ => false,
        };
        let is_part = match change {
            Change::Added(new) => found.new.unit(new).container.is_some_and(|outer| {
                let was = found.matches.old_of(outer);
                was.is_some_and(|was| seen(&found.old, was)) && seen(&found.new, outer)
            }),
            _ => false,
        };
        Some(Self {
            is_test,
            was_seen: change.before().is_some_and(|old| seen(&found.old, old)),
            is_seen: change.after().is_some_and(|new| seen(&found.new, new)),
            is_elsewhere: change.how().renamed || moved_away,
            is_part,
        })
    }

    /// Whether what the change does to those who use it says what it means for others ([`compatibility`]). To find
    /// out takes a parsed file in both states.
    fn asks_for_effect(self) -> bool {
        match (self.was_seen, self.is_seen) {
            (true, true) => !self.is_elsewhere,
            (true, false) => false,
            (false, _) => self.is_part,
        }
    }
}

fn changed_symbol(
    found: &Comparison<'_>,
    texts: &mut Texts,
    (change, unit): (Change, UnitId),
    (standing, effect): (Standing, Effect),
) -> Option<ChangedSymbol> {
    let side = match change {
        Change::Removed(_) => &found.old,
        Change::Added(_) | Change::Changed { .. } => &found.new,
    };
    let symbol = side.reference(texts, unit)?;
    let how = change.how();
    let was = match change {
        Change::Changed { old, .. } if how.renamed || how.moved => found.old.reference(texts, old),
        _ => None,
    };
    let signatures = match change {
        Change::Changed { old, new, how } if how.signature => {
            Some(signature(&found.old, old).zip(signature(&found.new, new))?)
        }
        _ => None,
    };
    let (compatibility, because) = compatibility(
        (standing.was_seen, standing.is_seen),
        (standing.is_elsewhere, standing.is_part),
        effect,
    );
    Some(ChangedSymbol {
        symbol,
        was,
        fate: match change {
            Change::Added(_) => SymbolFate::Added,
            Change::Removed(_) => SymbolFate::Removed,
            Change::Changed { how, .. } => SymbolFate::Changed(how),
        },
        signatures,
        compatibility,
        because,
        is_test: standing.is_test,
        uses: use_lines::sure(side.view, side.graph, side.unit(unit).id),
        copies: Vec::new(),
    })
}

/// What a change means for others: of what they saw before and see now, of what is found elsewhere, and of a part of
/// what they know the whole of.
pub(in crate::query) fn compatibility(
    (was_seen, is_seen): (bool, bool),
    (is_elsewhere, is_part): (bool, bool),
    effect: Effect,
) -> (Compatibility, Option<Because>) {
    match (was_seen, is_seen, effect) {
        (true, false, _) => (Compatibility::Breaking, None),
        (true, true, _) if is_elsewhere => (Compatibility::Breaking, None),
        (true, true, Effect::Breaking(because)) => (Compatibility::Breaking, Some(because)),
        (true, true, Effect::Unknown(because)) => (Compatibility::Unknown, Some(because)),
        (true, true, Effect::Additive) => (Compatibility::Additive, None),
        (false, _, Effect::Breaking(because)) if is_part => {
            (Compatibility::Breaking, Some(because))
        }
        (false, _, Effect::Unknown(because)) if is_part => (Compatibility::Unknown, Some(because)),
        (false, true, _) => (Compatibility::Additive, None),
        _ => (Compatibility::Internal, None),
    }
}

pub(in crate::query) fn signature(side: &Side<'_>, unit: UnitId) -> Option<String> {
    let symbol = side.symbol(unit)?;
    let text = &side.code(side.unit(unit).file)?.text;
    Some(fold_line(text.slice(symbol.signature), SIGNATURE_BYTES))
}

/// Describes the places that expect what is no longer there.
pub(super) fn broken(
    all: &[StaleUse],
    found: &Comparison<'_>,
    texts: &mut Texts,
    answer: &mut DiffAnswer,
) {
    let mut last = None;
    for stale in all {
        answer
            .broken
            .extend(stale_use(found, texts, &mut last, *stale));
    }
}

/// Why a place expects a type that it does not name.
const OF_MEMBER: &str = "a member of it";

/// The lines of which something broken is told: path and line.
pub(super) fn lines_told(answer: &DiffAnswer) -> FxHashSet<(String, u32)> {
    let all = answer.broken.iter().map(|broken| &broken.unmet);
    all.map(|unmet| (unmet.path.clone(), unmet.line)).collect()
}

/// The definitions of the file that was described last: thousands of uses may stand in one.
pub(super) type LastFile<'v> = Option<(FileId, Option<VerifiedSymbols<'v>>)>;

/// The line of a place as it is shown, and the definition that it stands in.
pub(super) fn standing<'v>(
    view: &'v View,
    texts: &mut Texts,
    last: &mut LastFile<'v>,
    (file, line, col): Place,
) -> Option<(String, Option<SymbolRef>)> {
    let text = texts.get(view, file)?;
    if last.as_ref().is_none_or(|(known, _)| *known != file) {
        *last = Some((file, VerifiedSymbols::of(view, file)));
    }
    let symbols = last.as_ref().and_then(|(_, symbols)| symbols.as_ref());
    let inside = symbols.and_then(|symbols| {
        let around = symbols.symbols().enclosing(line, col)?;
        symbols.reference(texts, around)
    });
    Some((fold_line(text.line(line), LINE_BYTES), inside))
}

pub(super) fn stale_use<'v>(
    found: &Comparison<'v>,
    texts: &mut Texts,
    last: &mut LastFile<'v>,
    stale: StaleUse,
) -> Option<Broken> {
    let view = found.new.view;
    let at = (stale.file, stale.line, stale.col);
    let (text, inside) = standing(view, texts, last, at)?;
    let (expected, at, now) = match stale.expected {
        Expected::Definition(old) => {
            let was = found.old.reference(texts, old)?;
            let now = found.matches.new_of(old);
            let now = now.and_then(|now| found.new.reference(texts, now));
            (was.qualified.clone(), place(&was), now)
        }
        Expected::File(old) => {
            let file = found.old.view.file(old);
            let path = Written::path(found.old.view, old);
            (path, file.path.to_string(), None)
        }
        Expected::New(new) => {
            let wanted = verified::reference(view, found.new.graph, texts, new)?;
            let at = place(&wanted);
            (wanted.qualified.clone(), at, Some(wanted))
        }
    };
    Some(Broken {
        fault: stale.fault,
        unmet: Unmet {
            path: view.file(stale.file).path.to_string(),
            line: stale.line,
            text,
            inside,
            certainty: stale.certainty,
            expected,
            at,
            now,
            reason: stale.by_member.then(|| OF_MEMBER.to_owned()),
        },
    })
}

/// Describes calls that do not fit, each with why.
pub(super) fn bad_calls<'m>(
    found: &Comparison<'_>,
    calls: impl Iterator<Item = (StaleUse, &'m Misfit)>,
    texts: &mut Texts,
    answer: &mut DiffAnswer,
) {
    let mut last = None;
    for (call, misfit) in calls {
        let mut described = stale_use(found, texts, &mut last, call);
        if let Some(broken) = &mut described {
            broken.unmet.reason = Some(reason(misfit));
        }
        answer.broken.extend(described);
    }
}

/// Describes the places that may expect what is no longer there, each once and none that is known to.
pub(super) fn possible(
    found: &Comparison<'_>,
    (of_calls, hints): (Vec<PossibleUse>, Hints),
    texts: &mut Texts,
    answer: &mut DiffAnswer,
) {
    let broken: FxHashSet<(&str, u32)> = (answer.broken.iter())
        .map(|broken| (broken.unmet.path.as_str(), broken.unmet.line))
        .collect();
    let view = found.new.view;
    let all = found.possible.iter().copied();
    let mut all: Vec<PossibleUse> = all.chain(of_calls).chain(hints.places).collect();
    all.retain(|one| one.why != Why::Text || !is_chronicle(&view.file(one.file).path));
    all.sort_unstable_by_key(|one| (one.why, view.file(one.file).role, *one));
    let mut seen: FxHashSet<(FileId, u32)> = FxHashSet::default();
    all.retain(|one| {
        let path = view.file(one.file).path.to_string();
        !broken.contains(&(path.as_str(), one.line)) && seen.insert((one.file, one.line))
    });
    let mut unknown = Unknown {
        unseen: hints.unseen,
        ..Unknown::default()
    };
    for one in all {
        let count = match unknown.counts.last_mut() {
            Some((why, count)) if *why == one.why => {
                *count += 1;
                *count
            }
            _ => {
                unknown.counts.push((one.why, 1));
                1
            }
        };
        if count <= MAX_POSSIBLE
            && let Some(was) = found.old.reference(texts, one.was)
        {
            unknown.possible.push(Possible {
                why: one.why,
                path: view.file(one.file).path.to_string(),
                line: one.line,
                expected: was.qualified,
            });
        }
    }
    answer.unknown = unknown;
}

/// Why a call does not fit, in words.
pub(super) fn reason(misfit: &Misfit) -> String {
    match misfit {
        Misfit::TooFew { given, takes } | Misfit::TooMany { given, takes } => {
            let Takes { least, most } = *takes;
            match most {
                Some(most) if most == least => format!("gives {given}, takes {most}"),
                Some(most) => format!("gives {given}, takes {least} to {most}"),
                None => format!("gives {given}, takes {least} or more"),
            }
        }
        Misfit::Missing(name) => format!("does not give {name}"),
        Misfit::Unexpected(name) => format!("gives {name}, which is not taken"),
        Misfit::Twice(name) => format!("gives {name} twice"),
        Misfit::Displaced { meant, taken } => format!("gives for {meant} what {taken} takes now"),
    }
}

pub(super) fn place(symbol: &SymbolRef) -> String {
    format!("{}:{}-{}", symbol.path, symbol.start_line, symbol.end_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_that_nobody_asks_for_says_nothing() {
        let all = [
            Effect::None,
            Effect::Additive,
            Effect::Breaking(Because::Type),
        ];
        for bits in 0..16 {
            let bit = |at: u32| bits >> at & 1 == 1;
            let standing = Standing {
                is_test: false,
                was_seen: bit(0),
                is_seen: bit(1),
                is_elsewhere: bit(2),
                is_part: bit(3),
            };
            let meant = all.map(|effect| {
                let seen = (standing.was_seen, standing.is_seen);
                compatibility(seen, (standing.is_elsewhere, standing.is_part), effect)
            });
            let is_one = meant.iter().all(|one| *one == meant[0]);
            assert_eq!(standing.asks_for_effect(), !is_one, "{bits:b}");
        }
    }
}
