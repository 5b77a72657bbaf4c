//! What uses a definition that no code names, as the text of it says: what loads a program runs constructors, a compiler puts
//! in what is implicit, a method that calls what it overrides is called as that, a block of extensions is used through its
//! members, and a field that an attribute registers keeps its type.
//!
//! Guarantee: only the lines of the definition and those of its head are read. Deliberately absent: whether what is implicit
//! is asked for.

use super::ids::DocSymbols;
use super::inventory::{is_callable, is_value_kind};
use super::{decorators, namesakes};
use crate::extract::record::{Grammar, SymbolFlags};
use crate::graph::edges::Graph;
use crate::lang;
use crate::view::live::{FileId, View};
use crate::view::text::{Text, Texts};
use std::ops::RangeInclusive;

/// Lines of a head that are looked at.
const MAX_HEAD_LINES: u32 = 6;
/// Lines of a comment that are looked at.
const MAX_COMMENT_LINES: usize = 64;
/// Lines of a body that are looked at.
const MAX_BODY_LINES: u32 = 400;
/// Lines of attributes that are looked at.
const MAX_PLACES: usize = 64;
/// Bytes of an attribute that are looked at: a line may be a megabyte of them.
const MAX_ATTRIBUTE_BYTES: usize = 1024;
/// Members of a block of extensions that are looked for.
const MAX_MEMBERS: usize = 64;
/// What an attribute is written as (GNU C, C23, C++11).
const ATTRIBUTES: &[&[u8]] = &[b"__attribute", b"[[gnu::", b"[[clang::"];
/// What attributes say of what is used by others than code: <https://gcc.gnu.org/onlinedocs/gcc/Common-Attributes.html>.
const KEPT: &[&[u8]] = byte_words!("constructor destructor ifunc retain section used");

/// A definition: its language, its name, where it begins and where it ends.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Its language.
    pub lang: Grammar,
    /// Its name.
    pub name: &'a [u8],
    /// Its first line.
    pub start: u32,
    /// Its last line.
    pub end: u32,
}

/// What uses a definition, with the line that says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unspoken {
    /// Who links or loads the program.
    Kept(u32),
    /// The compiler puts it in.
    Implicit(u32),
    /// It is called as what it overrides.
    Overriding(u32),
}

/// What its text says of who uses a definition; with the lines of [`keeping`].
pub fn said(text: &Text, keeping: &[u32], of: Asked<'_>) -> Option<Unspoken> {
    let kept = kept(text, keeping, of).or_else(|| told(text, of));
    let kept = kept.map(Unspoken::Kept);
    kept.or_else(|| implicit(text, of).map(Unspoken::Implicit))
        .or_else(|| calls_base(text, of).map(Unspoken::Overriding))
}

/// Whether a language has anything of that.
pub fn may_be_said(lang: Grammar) -> bool {
    let language = lang::of(lang);
    let liveness = &language.liveness;
    language.naming.linked
        || !liveness.implicit_marks.is_empty()
        || !liveness.calling_comments.is_empty()
        || liveness.base_call.is_some()
}

/// The lines of a text that have an attribute by which a linker keeps what stands there, or what loads the program runs it.
pub fn keeping(lang: Grammar, text: &Text) -> Vec<u32> {
    if !lang::of(lang).naming.linked {
        return Vec::new();
    }
    let bytes = text.bytes();
    let all = ATTRIBUTES
        .iter()
        .flat_map(|mark| memchr::memmem::find_iter(bytes, mark));
    let places = all.filter_map(|at| Some(text.place(u32::try_from(at).ok()?)));
    let keeps = |(line, col): &(u32, u32)| {
        let written = text.line(*line).get(*col as usize..).unwrap_or_default();
        let written = &written[..written.len().min(MAX_ATTRIBUTE_BYTES)];
        let mut words = written.split(|b| !b.is_ascii_alphanumeric() && *b != b'_');
        words.any(|word| KEPT.contains(&word.strip_prefix(b"__").map_or(word, trim_end)))
    };
    let mut lines: Vec<u32> = places.filter(keeps).map(|(line, _)| line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Which of the lines that keep something stands at the head of a definition, or where the file declares it.
fn kept(text: &Text, keeping: &[u32], of: Asked<'_>) -> Option<u32> {
    if keeping.is_empty() {
        return None;
    }
    let ends = |line: &u32| {
        text.line(*line)
            .iter()
            .any(|b| matches!(b, b'{' | b';' | b'}'))
    };
    let head = of.start..=of.end.min(of.start.saturating_add(MAX_HEAD_LINES));
    let length = head.clone().take_while(|line| !ends(line)).count();
    let mut head = head.take(length + 1);
    let above = of.start.saturating_sub(1);
    let keeps = |line: &u32| keeping.binary_search(line).is_ok();
    head.find(keeps)
        .or_else(|| (!ends(&above) && keeps(&above)).then_some(above))
        .or_else(|| {
            let declares = |line: &&u32| {
                let is_one = text.line(**line).trim_ascii_end().ends_with(b";");
                is_one && text.word_on(**line, of.name).is_some()
            };
            keeping.iter().take(MAX_PLACES).find(declares).copied()
        })
}

/// The line of a comment above a definition that tells code in another language of it.
fn told(text: &Text, of: Asked<'_>) -> Option<u32> {
    let marks = lang::of(of.lang).liveness.calling_comments;
    if marks.is_empty() {
        return None;
    }
    let above = (1..of.start).rev().take(MAX_COMMENT_LINES);
    let mut above = above.take_while(|line| text.line(*line).starts_with(b"//"));
    above.find(|line| {
        let line = text.line(*line);
        let rest = marks.iter().find_map(|mark| line.strip_prefix(*mark));
        let word = rest.and_then(|rest| rest.split(u8::is_ascii_whitespace).next());
        word.is_some_and(|word| word == of.name)
    })
}

/// `constructor` of `__constructor__`, once its beginning is gone.
fn trim_end(word: &[u8]) -> &[u8] {
    word.strip_suffix(b"__").unwrap_or(word)
}

/// The line of the word that makes a definition one which a compiler puts in.
fn implicit(text: &Text, of: Asked<'_>) -> Option<u32> {
    marked(text, of, lang::of(of.lang).liveness.implicit_marks)
}

/// The line of the word by which a definition says that it stands in for a member of a base.
pub fn says_override(text: &Text, of: Asked<'_>) -> Option<u32> {
    marked(
        text,
        of,
        lang::of(of.lang).liveness.override_mark.as_slice(),
    )
}

/// The line of the name of a definition before which one of some words stands.
fn marked(text: &Text, of: Asked<'_>, marks: &[&[u8]]) -> Option<u32> {
    if marks.is_empty() {
        return None;
    }
    let mut head = of.start..=of.end.min(of.start.saturating_add(MAX_HEAD_LINES));
    let (line, col) = head.find_map(|line| Some((line, text.word_on(line, of.name)?)))?;
    let before = text.line(line).get(..col as usize)?;
    let mut words = before.split(|b| !b.is_ascii_alphanumeric());
    words.any(|word| marks.contains(&word)).then_some(line)
}

/// The line at which a method calls what it overrides.
fn calls_base(text: &Text, of: Asked<'_>) -> Option<u32> {
    let word = lang::of(of.lang).liveness.base_call?;
    let mut lines = of.start..=of.end.min(of.start.saturating_add(MAX_BODY_LINES));
    lines.find(|line| {
        let written = text.line(*line);
        let calls = |at: u32| {
            let before = written.get(..at as usize).unwrap_or_default();
            let is_text = before.last().is_some_and(|b| b"'\".:@$".contains(b));
            !is_text && !before.contains(&b'#')
        };
        text.word_on(*line, word).is_some_and(calls)
    })
}

/// Where the name of a member is written that a block of extensions of a type has, outside of that type.
pub fn extended(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    (lang, file, lines): (Grammar, FileId, &RangeInclusive<u32>),
) -> Option<(FileId, u32)> {
    let word = lang::of(lang).liveness.extension_block?;
    let text = texts.if_here(view, file)?;
    let begins = |line: u32| {
        let rest = text.line(line).trim_ascii_start().strip_prefix(word);
        rest.is_some_and(|rest| matches!(rest.trim_ascii_start().first(), Some(b'(' | b'<')))
    };
    let first = lines.clone().find(|line| begins(*line))?;
    let doc = view.file(file).doc?;
    let segment = &view.segment(doc.segment).segment;
    let symbols = DocSymbols::load(segment, doc.doc);
    let members = symbols.all().iter().enumerate().filter(|(_, member)| {
        let is_member = is_callable(member.kind) || is_value_kind(member.kind);
        is_member && member.start_line > first && member.end_line <= *lines.end()
    });
    let own = (file, lines.clone());
    members.take(MAX_MEMBERS).find_map(|(index, member)| {
        let id = graph.symbol(file, index)?;
        let name = symbols.bytes(member.name);
        let mut uses = graph.incoming(id).into_iter().map(|edge| graph.edge(edge));
        let used = uses.find(|edge| edge.file != file || !lines.contains(&edge.line));
        let used = used.map(|edge| (edge.file, edge.line));
        used.or_else(|| namesakes::first(view, graph, (id, &name, own.clone())))
    })
}

/// The line of the decorator that tells somebody of a field which all objects of a type have in common.
pub fn registered_field(text: &Text, symbols: &DocSymbols<'_>, class: usize) -> Option<u32> {
    let own = |member: &&crate::extract::record::Symbol<crate::id::NameId>| {
        member.container.map(|of| of as usize) == Some(class)
            && !is_callable(member.kind)
            && member.flags.contains(SymbolFlags::DECORATED)
    };
    let mut members = symbols.all().iter().filter(own);
    members.find_map(|member| {
        is_static(text, (member.start_line, member.name_line)).then_some(())?;
        let start = (member.start_line, member.start_col);
        let found = decorators::registering(text, start);
        found.first().map(|decorator| decorator.line)
    })
}

/// Whether a field says that all objects have it in common.
pub fn is_static(text: &Text, (first, last): (u32, u32)) -> bool {
    let last = last.min(first.saturating_add(MAX_HEAD_LINES));
    (first..=last).any(|line| text.word_on(line, b"static").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lang: Grammar, source: &str, name: &str, lines: RangeInclusive<u32>) -> Option<u32> {
        let text = Text::new(source.as_bytes().to_vec());
        let (start, end) = (*lines.start(), *lines.end());
        let name = name.as_bytes();
        let of = Asked {
            lang,
            name,
            start,
            end,
        };
        said(&text, &keeping(lang, &text), of).map(|said| match said {
            Unspoken::Kept(line) | Unspoken::Implicit(line) | Unspoken::Overriding(line) => line,
        })
    }

    #[test]
    fn what_loads_a_program_runs_constructors() {
        for source in [
            "__attribute__((constructor)) static void up() {}",
            "__attribute__((__constructor__(101)))\nstatic void up() {}",
            "[[gnu::destructor]] static void up() {}",
            "static const int up __attribute__((used, section(\".init\"))) = 1;",
        ] {
            let lines = source.lines().count() as u32;
            assert!(
                at(Grammar::C, source, "up", lines..=lines).is_some(),
                "{source}"
            );
        }
        let declared =
            "static void up(void) __attribute__((constructor));\nstatic void up(void) {}";
        assert_eq!(at(Grammar::C, declared, "up", 2..=2), Some(1));
        for none in [
            "__attribute__((unused)) static void up() {}",
            "static void up() {\n  static int a __attribute__((used));\n}",
            "static void up() { constructor(); }",
        ] {
            assert_eq!(at(Grammar::C, none, "up", 1..=3), None, "{none}");
        }
        let other = "__attribute__((used)) int a;\nstatic void up() {}";
        assert_eq!(at(Grammar::C, other, "up", 2..=2), None);
    }

    #[test]
    fn what_is_implicit_and_what_calls_its_base_say_so() {
        let implicit = "private implicit class Rich(of: Int) {}";
        assert_eq!(at(Grammar::Scala, implicit, "Rich", 1..=1), Some(1));
        let plain = "def rich(implicit of: Int) = 1";
        assert_eq!(at(Grammar::Scala, plain, "rich", 1..=1), None);
        let calls = "def save(*)\n  return super unless new?\nend";
        assert_eq!(at(Grammar::Ruby, calls, "save", 1..=3), Some(2));
        let says = "def save(*)\n  # super\n  puts 'super'\n  a.super\nend";
        assert_eq!(at(Grammar::Ruby, says, "save", 1..=5), None);
    }
}
