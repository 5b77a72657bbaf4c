//! Names that lead nowhere, in words: where they stand, what does not have them, and what it has that is called alike.

use super::super::answer::{Broken, DiffAnswer, Unmet};
use super::super::dangling::{Fault, document};
use super::super::describe::{self, LastFile};
use super::super::units::Side;
use super::{Nowhere, Wanted};
use crate::extract::record::{Import, Symbol, SymbolKind};
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::id::NameId;
use crate::query::definitions;
use crate::query::target::Name;
use crate::query::verified::{self, VerifiedSymbols};
use crate::view::live::FileId;
use crate::view::text::Texts;
use crate::view::written::Written;
use rustc_hash::FxHashSet;

/// Names like one that leads nowhere.
const MAX_NEAR: usize = 3;
/// Names that are listed of what there is.
const MAX_LISTED: usize = 6;
/// Functions that are looked for under other names: of more, something is not understood.
const MAX_ASKED: usize = 16;

/// Describes them after what is broken otherwise, but for lines of which that is told.
pub(in super::super) fn describe(
    new: &Side<'_>,
    all: &[Nowhere],
    texts: &mut Texts,
    answer: &mut DiffAnswer,
) {
    let told: FxHashSet<(String, u32)> = (answer.broken.iter())
        .map(|broken| (broken.unmet.path.clone(), broken.unmet.line))
        .collect();
    let (mut instead, mut last) = (Instead::default(), None);
    for one in all {
        let (file, line, _) = one.place;
        let path = new.view.file(file).path.to_string();
        if !told.contains(&(path, line)) {
            let broken = broken(new, one, (&mut instead, &mut last), texts);
            answer.broken.extend(broken);
        }
    }
}

fn broken<'v>(
    new: &Side<'v>,
    one: &Nowhere,
    (instead, last): (&mut Instead, &mut LastFile<'v>),
    texts: &mut Texts,
) -> Option<Broken> {
    let (view, (file, line, col)) = (new.view, one.place);
    let name = match one.wanted {
        Wanted::File(import) => specifier(new, file, import, texts)?,
        _ => texts.verified(view, file, &one.name, Some((line, col)))?,
    };
    let (expected, at) = match one.wanted {
        Wanted::File(_) | Wanted::Function => (name.clone(), String::new()),
        Wanted::Export(module) => {
            let path = Written::path(view, module);
            (path.clone(), path.to_string())
        }
        Wanted::Member(class) => {
            let of = verified::reference(view, new.graph, texts, class)?;
            (of.qualified.clone(), describe::place(&of))
        }
    };
    let fault = match one.wanted {
        Wanted::File(_) | Wanted::Function => Fault::Nowhere,
        Wanted::Export(_) | Wanted::Member(_) => Fault::Absent,
    };
    let reason = match one.wanted {
        Wanted::File(_) => None,
        Wanted::Function => instead.near(new, &name, texts),
        Wanted::Export(_) | Wanted::Member(_) => {
            let has = instead.has(new, one.wanted, texts);
            Some(has.map_or(name.to_string(), |has| format!("{name}; {has}")))
        }
    };
    let (text, inside) = describe::standing(view, texts, last, one.place)?;
    Some(Broken {
        fault,
        unmet: Unmet {
            path: view.file(file).path.to_string(),
            line,
            text,
            inside,
            certainty: Certainty::Resolved,
            expected,
            at,
            now: None,
            reason,
        },
    })
}

/// What there is instead of names that lead nowhere.
#[derive(Default)]
struct Instead {
    /// Functions that were looked for under other names.
    asked: usize,
    /// What was asked last of what it has: names of one thing come together.
    last: Option<(Wanted, Option<String>)>,
}

impl Instead {
    /// Definitions that are called like a function that nothing defines.
    fn near(&mut self, new: &Side<'_>, name: &Written, texts: &mut Texts) -> Option<String> {
        self.asked += 1;
        if self.asked > MAX_ASKED {
            return None;
        }
        let like = Name {
            own: name.to_string(),
            ..Name::default()
        };
        let near = definitions::similar_names(new.view, texts, &like, MAX_NEAR);
        listed("near: ", &near)
    }

    /// What a type or a module has.
    fn has(&mut self, new: &Side<'_>, of: Wanted, texts: &mut Texts) -> Option<String> {
        if let Some((known, has)) = &self.last
            && *known == of
        {
            return has.clone();
        }
        let has = match of {
            Wanted::File(_) | Wanted::Function => None,
            Wanted::Export(module) => has(new, module, None, texts),
            Wanted::Member(class) => {
                let (file, position) = new.graph.place(class);
                has(new, file, Some(position as u32), texts)
            }
        };
        self.last = Some((of, has.clone()));
        has
    }
}

/// The first of what can be called in a type, by its position, or that a module has at its top.
fn has(new: &Side<'_>, file: FileId, within: Option<u32>, texts: &mut Texts) -> Option<String> {
    let symbols = VerifiedSymbols::of(new.view, file)?;
    let all = symbols.symbols().all().iter().enumerate();
    let is_listed = |symbol: &Symbol<NameId>| match within {
        Some(_) => matches!(symbol.kind, SymbolKind::Method | SymbolKind::Function),
        None => semantics::is_callable(symbol.kind),
    };
    let own = all.filter(|(_, symbol)| symbol.container == within && is_listed(symbol));
    let own: Vec<usize> = own.map(|(at, _)| at).take(MAX_LISTED + 1).collect();
    let names = own.iter().map(|at| symbols.name(texts, *at));
    let names: Vec<Written> = names.collect::<Option<_>>()?;
    listed("it has ", &names)
}

/// The first of some names, after these words; `None` where there are none.
fn listed(words: &str, names: &[Written]) -> Option<String> {
    let first: Vec<&str> = (names.iter().take(MAX_LISTED))
        .map(|name| &**name)
        .collect();
    let more = if names.len() > MAX_LISTED { ", .." } else { "" };
    (!names.is_empty()).then(|| format!("{words}{}{more}", first.join(", ")))
}

fn specifier(new: &Side<'_>, file: FileId, import: u32, texts: &mut Texts) -> Option<Written> {
    let (segment, doc) = document(new, file)?;
    let imports: Vec<Import<NameId>> = segment.imports(doc).collect();
    let import = imports.get(import as usize)?;
    Some(verified::specifier(new.view, texts, file, import))
}
