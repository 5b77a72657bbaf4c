//! `symbol`: cards, outlines and bodies of definitions; outlines of files.

use super::Error;
use super::answer::TargetNote;
use super::cards::{SymbolAnswer, SymbolCard};
use super::definitions::{self, Definition};
use super::engine::{self, Engine, Pinned};
use super::entry_points::{self, EntryPoint};
use super::exposure;
use super::nothing::{Nothing, Step};
use super::outline::{self, depth, signature};
use super::outside;
use super::question::{self, Question, warned};
use super::recall::related::Shown;
use super::relations;
use super::request::{Detail, Revision, SymbolRequest};
use super::scope::Filter;
use super::shared::Shared;
use super::state::Stamp;
use super::target::Target;
use super::target_matches::{self, Also, TargetMatches, What};
use super::verdict::Verdict;
use super::verified::VerifiedSymbols;
use crate::extract::record::SymbolFlags;
use crate::git::quoting;
use crate::graph::edges::Graph;
use crate::query::engine::first::Needles;
use crate::store::Progress;
use crate::view::live::View;
use crate::view::text::{Texts, fold_line};

/// Definitions that are named alike and have a card, unless a large limit asks for more.
const MIN_NEAR: usize = 5;
/// Longest first line of documentation shown, in bytes.
const DOC_BYTES: usize = 200;

warned!(SymbolAnswer, stamp.warnings);

impl Question for SymbolRequest {
    type Pin = Pinned;
    type Answer = SymbolAnswer;

    fn check(&self) -> Result<(), Error> {
        question::argument("target", &self.target)?;
        question::place(&self.scope, &self.at)
    }

    fn target_at(&mut self) -> Option<(&mut String, &mut Revision)> {
        Some((&mut self.target, &mut self.at))
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pinned, Error> {
        engine.pin_soon(&self.at, Needles::of_target(&self.target), progress)
    }

    fn answer(
        &self,
        engine: &Engine,
        pinned: &Pinned,
        _progress: &dyn Progress,
    ) -> Result<SymbolAnswer, Error> {
        let (view, target) = (pinned.view(), engine::parse_target(&self.target)?);
        let filter = Filter::new(&self.scope)?;
        let meant = engine.meant_by(pinned, (&self.target, &target), &filter)?;
        let meant = meant.by_comment(view, &mut engine.texts());
        // Outlines need no graph, which is more work than all the rest.
        let graph = (!meant.what.is_text()).then(|| engine.graph(pinned));
        let meant = match graph {
            Some(graph) => meant.by_receiver((view, graph), &mut engine.texts(), &target.name),
            None => meant,
        };
        let resolved = graph.map(|graph| (graph, engine.entry_points(pinned)));
        engine.quoting(&self.target, |texts| {
            symbol(view, resolved, texts, (self, &meant), pinned.stamp.clone())
        })
    }

    fn remind(engine: &Engine, pinned: &Pinned, answer: &mut SymbolAnswer) {
        let cards = answer.cards.iter().flat_map(|card| {
            let members = card.members.iter();
            let members = members.map(|member| Shown::symbol(&member.symbol));
            std::iter::once(Shown::symbol(&card.symbol)).chain(members)
        });
        let outlines = answer.outlines.iter().flat_map(|outline| {
            let items = outline.items.iter().map(|item| Shown::symbol(&item.symbol));
            std::iter::once(Shown::file(&outline.path)).chain(items)
        });
        let shown = cards.chain(outlines);
        answer.memories = engine.notes(pinned, false, shown, &mut answer.stamp.warnings);
    }
}

/// Answers `symbol` of what a target was found to mean. Without a graph and the entry points cards have no
/// relations. Fails on a bad scope.
pub fn symbol(
    view: &View,
    resolved: Option<(&Graph, &[EntryPoint])>,
    texts: &mut Texts,
    (request, meant): (&SymbolRequest, &TargetMatches),
    stamp: Stamp,
) -> Result<SymbolAnswer, Error> {
    let filter = Filter::new(&request.scope)?;
    let mut answer = SymbolAnswer {
        stamp,
        target: request.target.clone(),
        files: filter.count(view),
        offset: request.offset,
        asides: asides(view, texts, meant),
        ..SymbolAnswer::default()
    };
    match &meant.what {
        What::Files(files) => {
            answer.total = files.len();
            // One file may have more lines of an outline than an answer: these are what is counted of it.
            let is_one = files.len() == 1;
            let first = if is_one { 0 } else { request.offset };
            let shown = files.iter().skip(first).take(request.limit);
            let outlines = shown.filter_map(|file| outline::of_file(view, texts, &filter, *file));
            answer.outlines = outlines.collect();
            if let (true, [only]) = (is_one, &mut *answer.outlines) {
                answer.lines = Some(only.items.len());
                only.items.drain(..request.offset.min(only.items.len()));
            }
        }
        What::Folder(folder) => {
            let found = outline::of_folder(view, texts, &filter, folder, request);
            answer.total = found.total;
            answer.folder = Some(found);
        }
        What::Passage(passage) => {
            answer.total = 1;
            answer.passage = Some(outline::of_passage(view, texts, *passage));
        }
        What::Definitions(found) => {
            answer.total = found.iter().filter(|d| d.matched.is_exact()).count();
            answer.near = found.len() - answer.total;
            let (exact, near) = found.split_at(answer.total);
            let exact = exact.iter().skip(request.offset).take(request.limit);
            let most = (request.limit - exact.len()).min(MIN_NEAR.max(request.limit / 2));
            // What is named alike comes after the first page of what is named so.
            let most = if request.offset == 0 { most } else { 0 };
            let graph = resolved.map(|(graph, _)| graph);
            // Of what is named alike it is said where it is, and more only if it is all there is.
            let is_all = answer.total == 0 && answer.near == 1;
            let exact = exact.map(|found| (found, graph));
            let near = near.iter().take(most);
            let near = near.map(|found| (found, graph.filter(|_| is_all)));
            let all = exact.chain(near);
            let mut shared = Shared::default();
            let mut card = |(found, graph)| {
                let asked = (found, request.detail);
                card(view, graph, texts, asked, &mut shared)
            };
            answer.cards = all.filter_map(&mut card).collect();
            if let Some(resolved) = resolved {
                led_to(view, resolved, texts, &mut answer.cards);
            }
            if answer.total == 0 {
                let nothing = nothing(view, texts, &filter, request, &answer.cards);
                answer.nothing = Some(Box::new(nothing));
            }
        }
    }
    Ok(answer)
}

/// Tells of each card which entry points lead to its definition: that is who calls it.
fn led_to(
    view: &View,
    (graph, all): (&Graph, &[EntryPoint]),
    texts: &mut Texts,
    cards: &mut [SymbolCard],
) {
    if all.is_empty() {
        return;
    }
    for card in cards {
        let file = view.file_at(
            &quoting::unquoted(&card.symbol.path)
                .unwrap_or_else(|| card.symbol.path.clone().into_bytes()),
        );
        let id = file.and_then(|file| relations::at(view, graph, file, &card.symbol));
        let Some(id) = id else { continue };
        let found = entry_points::to(all, id);
        card.entry_points = found.map(|point| point.shown(view, graph, texts)).collect();
        if let Some(relations) = &mut card.relations {
            Verdict::led_to(&mut relations.verdict, &card.entry_points);
        }
    }
}

/// Says where a definition was looked for in vain, and what is near it. What has a card is not named again.
fn nothing(
    view: &View,
    texts: &mut Texts,
    filter: &Filter,
    request: &SymbolRequest,
    near: &[SymbolCard],
) -> Nothing {
    let target = Target::read(&request.target);
    let mut nothing = Nothing::within(view, filter, &request.scope);
    if !filter.is_open() {
        let found = match target_matches::of(view, &Filter::open(), &target).what {
            What::Definitions(found) => found,
            _ => Vec::new(),
        };
        let exact = found.iter().filter(|d| d.matched.is_exact());
        nothing = nothing.beyond(exact.count() as u64);
    }
    nothing = nothing.hidden(view, texts, filter, &target.name.own);
    match near.first() {
        Some(first) if nothing.step.is_none() => {
            nothing.step = Some(Step::Instead(first.symbol.qualified.clone()));
            nothing
        }
        Some(_) => nothing,
        None => nothing.near(view, texts, &target),
    }
}

/// What there is to say of a target: what else it names, and what the variable in it is.
pub fn asides(view: &View, texts: &mut Texts, meant: &TargetMatches) -> Vec<TargetNote> {
    let aside = |also: &Also| match also {
        Also::File(file) => Some(TargetNote::Path(view.file(*file).path.to_string())),
        Also::Folder(folder) => Some(TargetNote::Path(folder.shown())),
        Also::Symbol(found) => {
            let verified = VerifiedSymbols::of(view, found.file)?;
            Some(TargetNote::Symbol(
                verified.reference(texts, found.index)?.id,
            ))
        }
    };
    let also = meant.also.iter().filter_map(aside);
    also.chain(meant.through.clone()).collect()
}

fn card(
    view: &View,
    graph: Option<&Graph>,
    texts: &mut Texts,
    (definition, detail): (&Definition, Detail),
    shared: &mut Shared,
) -> Option<SymbolCard> {
    let file = view.file(definition.file);
    let segment = &view.segment(definition.doc.segment).segment;
    let verified = VerifiedSymbols::of(view, definition.file)?;
    let symbols = verified.symbols();
    let symbol = symbols.get(definition.index)?;
    let text = texts.get(view, definition.file);
    let text = text.as_deref();
    let is_own = text.is_some_and(|text| {
        let written = outside::Written {
            liveness: &exposure::language(view, definition.file).liveness,
            text,
            symbols,
        };
        written.is_own(definition.index)
    });
    let mut name = Vec::new();
    segment.name(symbol.name, &mut name);
    let members = match detail {
        Detail::Outline => {
            let inside = (definition.index + 1..symbols.all().len())
                .filter(|i| symbols.is_within(*i, definition.index));
            let depth = depth(symbols, definition.index) + 1;
            outline::items(&verified, texts, inside, text, depth)
        }
        Detail::Card | Detail::Body => Vec::new(),
    };
    let body = match detail {
        Detail::Body => text.map(|t| {
            String::from_utf8_lossy(t.lines(symbol.start_line, symbol.end_line)).into_owned()
        }),
        Detail::Card | Detail::Outline => None,
    };
    Some(SymbolCard {
        symbol: verified.reference(texts, definition.index)?,
        matched: definition.matched,
        lang: segment.doc(definition.doc.doc).lang,
        signature: text.map(|t| signature(t, symbol)).unwrap_or_default(),
        doc: text
            .map(|t| doc_line(t.slice(symbol.doc.clone())))
            .unwrap_or_default(),
        flags: flags(symbol.flags, is_own),
        container: symbol
            .container
            .and_then(|c| verified.reference(texts, c as usize))
            .map(|container| container.id),
        relations: graph.and_then(|graph| {
            let id = graph.symbol(definition.file, definition.index)?;
            Some(relations::relations(view, graph, texts, id, shared))
        }),
        references: definitions::count_occurrences(view, &name),
        entry_points: Vec::new(),
        members,
        body,
        blob: file.blob,
    })
}

/// The first line of a doc comment that says something, without its comment marks.
fn doc_line(doc: &[u8]) -> String {
    let is_mark = |c: char| matches!(c, '/' | '*' | '#' | '!' | '"' | '\'' | '-' | '<' | '>');
    for line in doc.split(|b| *b == b'\n') {
        let line = fold_line(line, DOC_BYTES);
        let line = without_markup(&line);
        let said = line
            .trim_start_matches(|c: char| is_mark(c) || c.is_whitespace())
            .trim_end_matches(|c: char| matches!(c, '*' | '/' | '"') || c.is_whitespace());
        // A line of tags (`@private`) or of drawn characters says nothing by itself.
        if said.chars().any(char::is_alphanumeric) && !said.starts_with('@') {
            return said.to_owned();
        }
    }
    String::new()
}

/// Elements of documentation whose words are what is said.
const SAID: &[&str] = words!("summary remarks para c code b i em strong tt p br inheritdoc");
/// Elements whose first attribute is the word that they stand for.
const NAMED: &[&str] = words!("see seealso paramref typeparamref");

/// A line of documentation without the elements of C# and Java around its words, and with the names in `{@link Dog}`
/// and `<see cref="Dog"/>` in place of these. What else stands in angle brackets stays.
fn without_markup(line: &str) -> String {
    let mut said = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['<', '{']) {
        said.push_str(&rest[..at]);
        let (inner, end) = match rest[at..].starts_with('<') {
            true => (&rest[at + 1..], '>'),
            false => (&rest[at + 1..], '}'),
        };
        let closed = inner.split_once(end);
        let words = closed.and_then(|(element, _)| match end {
            '>' => of_element(element),
            _ => of_tag(element),
        });
        match (words, closed) {
            (Some(words), Some((_, behind))) => {
                said.push_str(words);
                rest = behind;
            }
            _ => {
                said.push_str(&rest[at..=at]);
                rest = inner;
            }
        }
    }
    said.push_str(rest);
    said
}

/// What `summary`, `/c`, `see cref="Dog"/` between angle brackets says.
fn of_element(element: &str) -> Option<&str> {
    let element = element.trim_matches('/');
    let (name, attributes) = element.split_once(' ').unwrap_or((element, ""));
    if NAMED.contains(&name) {
        let value = attributes.split('"').nth(1).unwrap_or("");
        // `T:Shop.Dog` says that it is a type.
        return Some(value.split_once(':').map_or(value, |(_, named)| named));
    }
    SAID.contains(&name).then_some("")
}

/// What `@link Dog#bark()` between braces says.
fn of_tag(tag: &str) -> Option<&str> {
    let tag = tag.strip_prefix('@')?;
    let (name, words) = tag.split_once(' ').unwrap_or((tag, ""));
    match name {
        "link" | "linkplain" | "code" | "literal" | "value" => Some(words.trim()),
        "inheritDoc" => Some(""),
        _ => None,
    }
}

/// What is said of a definition. One that is visible outside of its file, but for the library alone (`is_own`), is
/// not called exported.
fn flags(flags: SymbolFlags, is_own: bool) -> Vec<&'static str> {
    let exported = if is_own { "internal" } else { "exported" };
    [
        (SymbolFlags::EXPORTED, exported),
        (SymbolFlags::DEFAULT, "default"),
        (SymbolFlags::DECLARATION, "declaration"),
        (SymbolFlags::DECORATED, "decorated"),
        (SymbolFlags::DEPRECATED, "deprecated"),
        (SymbolFlags::TEST, "test"),
    ]
    .into_iter()
    .filter(|(flag, _)| flags.contains(*flag))
    .map(|(_, label)| label)
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_telling_line_of_documentation_is_shown() {
        assert_eq!(
            doc_line(b"/**\n * Creates an app.\n *\n * @return {Function}\n */"),
            "Creates an app."
        );
        assert_eq!(doc_line(b"/// Opens `path`.\n/// More."), "Opens `path`.");
        assert_eq!(doc_line(b"\"\"\"One line.\"\"\""), "One line.");
        assert_eq!(doc_line(b"// ------\n// ======"), "");
        assert_eq!(doc_line(b"/** @private */"), "");
        assert_eq!(
            doc_line(
                b"/// <summary>\n/// Calls <see cref=\"T:Shop.Dog\" /> <c>now</c>.\n/// </summary>"
            ),
            "Calls Shop.Dog now."
        );
        assert_eq!(doc_line(b"/// <inheritdoc/>"), "");
        assert_eq!(doc_line(b"/// <summary>Barks.</summary>"), "Barks.");
        assert_eq!(
            doc_line(b"/** Gives a {@link Dog} of {@code x}. */"),
            "Gives a Dog of x."
        );
        assert_eq!(
            doc_line(b"/// A `Vec<T>` of {things."),
            "A `Vec<T>` of {things."
        );
        assert_eq!(doc_line(b""), "");
    }
}
