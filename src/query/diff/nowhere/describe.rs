//! Names that lead nowhere, in words: where they stand, and what does not have them.

use super::super::answer::{Broken, DiffAnswer, Unmet};
use super::super::dangling::{Fault, document};
use super::super::describe::{self, LastFile};
use super::super::units::Side;
use super::instead::Instead;
use super::{Nowhere, Wanted};
use crate::extract::record::Import;
use crate::graph::rule::Certainty;
use crate::id::NameId;
use crate::query::verified;
use crate::view::live::FileId;
use crate::view::text::Texts;
use crate::view::written::Written;

/// Describes them after what is broken otherwise, but for lines of which that is told.
pub(in super::super) fn describe(
    new: &Side<'_>,
    all: &[Nowhere],
    texts: &mut Texts,
    answer: &mut DiffAnswer,
) {
    let told = describe::lines_told(answer);
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
            let has = instead.has(new, (one.wanted, &one.name), texts);
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

fn specifier(new: &Side<'_>, file: FileId, import: u32, texts: &mut Texts) -> Option<Written> {
    let (segment, doc) = document(new, file)?;
    let imports: Vec<Import<NameId>> = segment.imports(doc).collect();
    let import = imports.get(import as usize)?;
    Some(verified::specifier(new.view, texts, file, import))
}
