//! Names that lead nowhere, in words: where they stand, what does not have them, and what it has that is called alike.

use super::super::answer::{Broken, DiffAnswer, Unmet};
use super::super::dangling::{Fault, document};
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
use crate::view::text::{Texts, fold_line};
use crate::view::written::Written;
use rustc_hash::FxHashSet;

/// Names like one that leads nowhere.
const MAX_NEAR: usize = 3;
/// Names that are listed of what there is.
const MAX_LISTED: usize = 6;
/// Bytes of a line that are shown.
const LINE_BYTES: usize = 160;

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
    for one in all {
        let (file, line, _) = one.place;
        let path = new.view.file(file).path.to_string();
        if !told.contains(&(path, line)) {
            answer.broken.extend(broken(new, one, texts));
        }
    }
}

fn broken(new: &Side<'_>, one: &Nowhere, texts: &mut Texts) -> Option<Broken> {
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
            let at = format!("{}:{}-{}", of.path, of.start_line, of.end_line);
            (of.qualified.clone(), at)
        }
    };
    let fault = match one.wanted {
        Wanted::File(_) | Wanted::Function => Fault::Nowhere,
        Wanted::Export(_) | Wanted::Member(_) => Fault::Absent,
    };
    let mut near = || {
        let own = name.to_string();
        let like = Name {
            own,
            ..Name::default()
        };
        let near = definitions::similar_names(view, texts, &like, MAX_NEAR);
        listed("near: ", &near)
    };
    let reason = match one.wanted {
        Wanted::File(_) => None,
        Wanted::Function => near(),
        Wanted::Export(module) => with(&name, has(new, module, None, texts)),
        Wanted::Member(class) => {
            let (file, position) = new.graph.place(class);
            with(&name, has(new, file, Some(position as u32), texts))
        }
    };
    let text = texts.get(view, file)?;
    let symbols = VerifiedSymbols::of(view, file);
    let inside = symbols.and_then(|symbols| {
        let around = symbols.symbols().enclosing(line, col)?;
        symbols.reference(texts, around)
    });
    Some(Broken {
        fault,
        unmet: Unmet {
            path: view.file(file).path.to_string(),
            line,
            text: fold_line(text.line(line), LINE_BYTES),
            inside,
            certainty: Certainty::Resolved,
            expected,
            at,
            now: None,
            reason,
        },
    })
}

/// A name, and what there is instead.
fn with(name: &Written, instead: Option<String>) -> Option<String> {
    Some(match instead {
        Some(instead) => format!("{name}; {instead}"),
        None => name.to_string(),
    })
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
