//! Definitions by their ids, in files of a view.

use crate::extract::record::Lines;
use crate::id::FileId;
use crate::query::diff::similarity::Class;
use crate::query::ids::{DocSymbols, ParsedId};
use crate::view::live::View;

/// The lines of a definition that is called as an id says: of its kind, or else of one that may turn into it.
pub fn lines_of(view: &View, file: FileId, id: &ParsedId<'_>) -> Option<Lines> {
    let doc = view.file(file).doc?;
    let symbols = DocSymbols::load(&view.segment(doc.segment).segment, doc.doc);
    let called =
        |at: &usize| symbols.qualified(*at) == id.qualified && symbols.ordinal(*at) == id.ordinal;
    let all: Vec<usize> = (0..symbols.all().len()).filter(called).collect();
    let kind = |at: &usize| symbols.get(*at).map(|symbol| symbol.kind);
    let exact = all.iter().find(|at| kind(at) == Some(id.kind));
    let class = |at: &&usize| kind(at).map(Class::of) == Some(Class::of(id.kind));
    let symbol = symbols.get(*exact.or_else(|| all.iter().find(class))?)?;
    Some(Lines {
        first: symbol.start_line,
        last: symbol.end_line,
    })
}
