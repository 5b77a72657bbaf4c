//! Whether others than the repository get to a definition in one release: by its own name, through an entry point, or
//! through what uses it.
//!
//! It takes the graph of the whole tree, so few releases are asked about, and none of which the tree is large. Whether
//! a tree is large does not depend on what the index has, so neither does the answer.

use super::answer::Reach;
use super::finder::Located;
use crate::extract::record::OccurrenceKind;
use crate::git::tags::NamedCommit;
use crate::graph::edges::Graph;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::query::Error;
use crate::query::engine::{Engine, Pinned};
use crate::query::entry_points;
use crate::query::exposure::Manifests;
use crate::query::ids::DocSymbols;
use crate::query::outside;
use crate::query::reach::{self, Around, Node};
use crate::query::relations;
use crate::query::request::{Direction, Revision};
use crate::query::shared::Shared;
use crate::query::verdict::{self, Counts, Verdict};
use crate::query::verified;
use crate::store::Progress;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;

/// Releases that are looked into for one question.
pub const MAX_CHECKED: usize = 4;
/// Files that a tree may have to be looked into.
pub const MAX_FILES: usize = 4000;
/// Steps over uses.
const MAX_STEPS: usize = 12;

/// Looks into a release of which the tree is not too large. Fails when it cannot be read.
pub fn look(
    engine: &Engine,
    named: &NamedCommit,
    located: &Located,
    progress: &dyn Progress,
) -> Result<Reach, Error> {
    let pinned = engine.pin(&Revision::At(named.commit.to_string()), progress)?;
    let (is_reached, how) = match find(&pinned, located) {
        Some((file, index)) => judge(engine, &pinned, file, index),
        None => (None, "its definition was not found again".to_owned()),
    };
    Ok(Reach {
        name: named.name.clone(),
        is_reached,
        how,
    })
}

fn find(pinned: &Pinned, located: &Located) -> Option<(FileId, usize)> {
    let view = pinned.view();
    let file = view.file_at(located.held.path.as_bytes())?;
    let doc = view.file(file).doc?;
    let symbols = DocSymbols::load(&view.segment(doc.segment).segment, doc.doc);
    let mut all = symbols.all().iter();
    let index = all.position(|symbol| symbol.span == located.held.span)?;
    Some((file, index))
}

fn judge(engine: &Engine, pinned: &Pinned, file: FileId, index: usize) -> (Option<bool>, String) {
    let view = pinned.view();
    let graph = engine.graph(pinned);
    // Before the texts are taken, which it takes too.
    let points = engine.entry_points(pinned);
    let mut texts = engine.texts();
    let texts = &mut *texts;
    let mut manifests = Manifests::of(view);
    let Some(id) = graph.symbol(file, index) else {
        return (None, "it is in no graph".to_owned());
    };
    let mut is_public =
        |texts: &mut Texts, id: SymbolId| is_public(view, graph, texts, &mut manifests, id);
    if is_public(texts, id) {
        return (Some(true), "a public name".to_owned());
    }
    let around = Around {
        view,
        graph,
        kinds: &[] as &[OccurrenceKind],
        depth: MAX_STEPS,
    };
    let steps = reach::walk(around, Direction::In, &[id]);
    let mut possible = None;
    let nearest = std::iter::once(Node::Symbol(id)).chain(
        reach::nearest_first(around, &steps)
            .into_iter()
            .map(|(node, _)| node),
    );
    for node in nearest {
        let at = reach::file_of(around, node);
        if !matches!(
            view.file(at).role,
            FileRole::Product | FileRole::Declaration
        ) {
            continue;
        }
        let how = match node {
            Node::File(_) => Some(format!("by {}, when it is loaded", view.file(at).path)),
            Node::Symbol(of) => {
                let name = verified::reference(view, graph, texts, of);
                let name = name.map_or_else(String::new, |of| of.qualified.to_string());
                let mut leads = entry_points::to(points, of);
                match (leads.next(), is_entry(view, graph, texts, of)) {
                    (Some(point), _) => Some(format!("by {}", point.title())),
                    (None, true) => Some(format!("through {name}, where a program begins")),
                    (None, false) if of != id && is_public(texts, of) => {
                        Some(format!("through {name}"))
                    }
                    _ => None,
                }
            }
        };
        let Some(how) = how else { continue };
        let is_sure = steps.get(&node).is_some_and(|step| {
            matches!(step.certainty, Certainty::Resolved | Certainty::Inferred)
        });
        if is_sure {
            return (Some(true), how);
        }
        possible.get_or_insert(how);
    }
    if let Some(how) = possible {
        return (None, format!("perhaps {how}, by name only"));
    }
    match relations::verdict(view, graph, texts, id, &mut Shared::default()) {
        Some(Verdict::Unused | Verdict::Dead) => (Some(false), "nothing uses it".to_owned()),
        Some(Verdict::ItselfAlone) => (Some(false), "nothing but itself uses it".to_owned()),
        Some(Verdict::TestsAlone { beside: None, .. }) => {
            (Some(false), "only tests use it".to_owned())
        }
        _ => (None, "no way to it is known".to_owned()),
    }
}

/// Whether others may name it: it and all that it lies in are given out, by a file that is.
fn is_public(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    manifests: &mut Manifests<'_>,
    id: SymbolId,
) -> bool {
    let (file, index) = graph.place(id);
    let Some(doc) = view.file(file).doc else {
        return false;
    };
    let symbols = DocSymbols::load(&view.segment(doc.segment).segment, doc.doc);
    outside::is_given_out(view, texts, file, (&symbols, index))
        && manifests.offer(texts, file).is_some()
}

fn is_entry(view: &View, graph: &Graph, texts: &mut Texts, id: SymbolId) -> bool {
    let shared = &mut Shared::default();
    matches!(
        verdict::of(view, graph, texts, id, Counts::default(), shared),
        Some(Verdict::EntryPoint | Verdict::Registered { part: Some(_), .. })
    )
}
