//! What the text near a definition says of who uses it, where no reference is understood: the markup beside its file, a
//! block in which the file declares it to another language, macros that put names together, and members that are chosen by
//! a value.
//!
//! Guarantee: markup is only what the file is named after, whether it was read or is too large for that. Deliberately
//! absent: which of the members a value chooses.

use super::exposure::language;
use super::unexplained::{MIN_NAME_BYTES, beginnings};
use crate::extract::record::{Grammar, Qualifier, SymbolKind};
use crate::graph::edges::Graph;
use crate::graph::rule::Certainty;
use crate::lang;
use crate::view::live::{FileId, View};
use crate::view::text::{Text, Texts};
use rustc_hash::FxHashMap;
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;

/// What the name of a macro holds that defines something.
const DEFINES: &[u8] = b"DEFINE";
/// Blocks of a file that are looked at.
const MAX_BLOCKS: usize = 64;
/// Bytes of what chooses a member.
const MAX_CHOICE_BYTES: usize = 1024;
/// Places of a class at which a member may be chosen.
const MAX_PLACES: usize = 256;

/// What stands beside definitions, one after the other: what takes a look at a whole file is looked for once in it.
#[derive(Default)]
pub struct Beside {
    /// By file: the lines of macros that define something.
    defining: FxHashMap<FileId, Rc<[u32]>>,
    /// By file: blocks for another language.
    blocks: FxHashMap<FileId, Rc<[Range<usize>]>>,
}

impl Beside {
    /// The first place at which the markup beside a file, or a block of it for another language, has a name.
    pub fn first(
        &mut self,
        view: &View,
        texts: &mut Texts,
        (lang, name): (Grammar, &[u8]),
        own: &(FileId, RangeInclusive<u32>),
    ) -> Option<(FileId, u32)> {
        if name.len() < MIN_NAME_BYTES {
            return None;
        }
        in_markup(view, texts, name, own.0)
            .or_else(|| self.shown(view, texts, (lang, name), own))
            .or_else(|| self.pasted(view, texts, (lang, name), own.0))
    }

    /// Where a macro that defines something is given the beginning of a name, to put the rest behind it:
    /// `G_DEFINE_TYPE(Page, page, BASE)` calls `page_init` and `page_class_init`.
    fn pasted(
        &mut self,
        view: &View,
        texts: &mut Texts,
        (lang, name): (Grammar, &[u8]),
        file: FileId,
    ) -> Option<(FileId, u32)> {
        if !lang::of(lang).liveness.macros_paste {
            return None;
        }
        let lines = self.defining.entry(file).or_insert_with(|| {
            let text = texts.if_here(view, file);
            text.map_or_else(|| Rc::from([]), |text| defining(&text).into())
        });
        if lines.is_empty() {
            return None;
        }
        let text = texts.if_here(view, file)?;
        let line = beginnings(name).find_map(|begun| {
            let begun = &begun[..begun.len() - 1];
            let mut lines = lines.iter().copied();
            lines.find(|line| text.word_on(*line, begun).is_some())
        })?;
        Some((file, line))
    }

    /// Where a block of a file declares a name to another language: `extern "Rust" { fn open(); }`, which a bridge to C++ or
    /// Swift is made of.
    fn shown(
        &mut self,
        view: &View,
        texts: &mut Texts,
        (lang, name): (Grammar, &[u8]),
        (file, own): &(FileId, RangeInclusive<u32>),
    ) -> Option<(FileId, u32)> {
        let marks = lang::of(lang).liveness.shown_blocks;
        if marks.is_empty() {
            return None;
        }
        let blocks = self.blocks.entry(*file).or_insert_with(|| {
            let text = texts.if_here(view, *file);
            text.map_or_else(|| Rc::from([]), |text| blocks(text.bytes(), marks).into())
        });
        if blocks.is_empty() {
            return None;
        }
        let text = texts.if_here(view, *file)?;
        let mut all = text.words(name);
        let found = all.find(|at| {
            let after = blocks.partition_point(|block| block.end <= *at as usize);
            let is_in = blocks
                .get(after)
                .is_some_and(|block| block.contains(&(*at as usize)));
            is_in && !own.contains(&text.place(*at).0)
        })?;
        Some((*file, text.place(found).0))
    }
}

/// The lines of a text that begin with a macro which defines something.
fn defining(text: &Text) -> Vec<u32> {
    let found = memchr::memmem::find_iter(text.bytes(), DEFINES);
    let mut lines: Vec<u32> = found
        .filter_map(|at| Some(text.place(u32::try_from(at).ok()?).0))
        .filter(|line| defines(text.line(*line)))
        .collect();
    lines.dedup();
    lines
}

/// Whether a line begins with a macro in capitals that says that it defines something.
fn defines(line: &[u8]) -> bool {
    let is_part = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    let end = line.iter().position(|b| !is_part(b)).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    memchr::memmem::find(name, DEFINES).is_some() && rest.starts_with(b"(")
}

/// Where the file that another one is named after (`Page.xaml` of `Page.xaml.cs`) has a name.
fn in_markup(view: &View, texts: &mut Texts, name: &[u8], file: FileId) -> Option<(FileId, u32)> {
    let path = view.file(file).path.as_bytes();
    let markup = &path[..path.iter().rposition(|b| *b == b'.')?];
    let markup = view.file_at(markup).filter(|of| *of != file)?;
    if !language(view, markup).genre.is_data() {
        return None;
    }
    let text = texts.if_here(view, markup)?;
    let at = text.words(name).next()?;
    Some((markup, text.place(at).0))
}

/// The blocks of a text that begin with one of some marks, in order. What begins in a block ends in it, so that no byte is
/// looked at twice, however many marks there are.
fn blocks(bytes: &[u8], marks: &[&[u8]]) -> Vec<Range<usize>> {
    let begins = marks
        .iter()
        .flat_map(|mark| memchr::memmem::find_iter(bytes, mark).take(MAX_BLOCKS));
    let mut begins: Vec<usize> = begins.collect();
    begins.sort_unstable();
    let mut blocks: Vec<Range<usize>> = Vec::new();
    for begin in begins {
        if blocks.last().is_none_or(|last| last.end <= begin) {
            blocks.push(begin..end_of(bytes, begin));
        }
    }
    blocks
}

/// Where the braces end that open behind a place.
fn end_of(bytes: &[u8], begin: usize) -> usize {
    let mut depth = 0_u32;
    for (at, byte) in bytes.iter().enumerate().skip(begin) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return at,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    bytes.len()
}

/// Whether a definition may be chosen of its module by a value.
pub fn may_be_of_module((lang, name): (Grammar, &[u8]), is_at_top: bool) -> bool {
    is_at_top && lang::of(lang).liveness.chooses_of_modules && !name.starts_with(b"_")
}

/// Where a module chooses what it defines by a value, or something that imports it does: `globals()[name]`,
/// `getattr(module, name)`.
pub fn module_chosen(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    file: FileId,
) -> Option<(FileId, u32)> {
    let own = [&b"globals()"[..], b"sys.modules[__name__]"];
    let text = texts.if_here(view, file)?;
    let chosen = own.iter().find_map(|whole| is_chosen_of(&text, whole));
    if let Some(line) = chosen {
        return Some((file, line));
    }
    let stem = view.file(file).path.file_name();
    let stem = stem.split(|b| *b == b'.').next().unwrap_or(stem).to_vec();
    let given = [&b"getattr("[..], b"vars(", b"dir(", b"getmembers("];
    let given = given.map(|taker| [taker, &stem].concat());
    let users: Vec<FileId> = graph.dependents(file).take(MAX_PLACES).collect();
    users.into_iter().filter(|of| *of != file).find_map(|of| {
        let text = texts.if_here(view, of)?;
        let line = given.iter().find_map(|whole| is_chosen_of(&text, whole))?;
        Some((of, line))
    })
}

/// The first line on which something is done with all that a module has: what stands there for that is followed by
/// neither more of a name nor a text, and nothing is set in it.
fn is_chosen_of(text: &Text, whole: &[u8]) -> Option<u32> {
    let bytes = text.bytes();
    let mut found = memchr::memmem::find_iter(bytes, whole).take(MAX_PLACES);
    let at = found.find(|at| {
        let rest = &bytes[at + whole.len()..];
        let before = at.checked_sub(1).map_or(b' ', |at| bytes[at]);
        let joins = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let rest = rest.trim_ascii_start();
        let quote = rest.strip_prefix(b",").or_else(|| rest.strip_prefix(b"["));
        let quote = quote.unwrap_or_default().trim_ascii_start();
        let is_text = quote.starts_with(b"\"") || quote.starts_with(b"'");
        let sets = rest.starts_with(b".update(") || rest.starts_with(b"=");
        // `getattr(module.Type, name)` chooses of that.
        let is_more = !whole.ends_with(b")") && !whole.ends_with(b"]") && rest.starts_with(b".");
        !joins(&before) && !rest.first().is_some_and(joins) && !is_text && !sets && !is_more
    })?;
    let (line, _) = text.place(u32::try_from(at).ok()?);
    let is_remark = text.line(line).trim_ascii_start().starts_with(b"#");
    (!is_remark).then_some(line)
}

/// The first line of its own file on which a member has the name of one that no type is known of, and was taken for one of
/// elsewhere for that: `self::KIND` in a class without a name (PHP).
pub fn led_elsewhere(
    view: &View,
    graph: &Graph,
    (kind, name): (SymbolKind, &[u8]),
    (file, own): (FileId, RangeInclusive<u32>),
) -> Option<u32> {
    if !matches!(kind, SymbolKind::Constant | SymbolKind::Method) {
        return None;
    }
    let doc = view.file(file).doc?;
    let segment = &view.segment(doc.segment).segment;
    let mut named = segment.occurrences_of(doc.doc, segment.name_id(name)?);
    let found = named.find(|found| {
        let edge = graph.edge_at(file, found.line, found.col);
        let is_guess =
            edge.is_some_and(|edge| graph.edge(edge).rule.certainty() > Certainty::Resolved);
        found.qualifier != Qualifier::None && !own.contains(&found.line) && is_guess
    })?;
    Some(found.line)
}

/// Whether a member may be chosen by a value.
pub fn may_choose((lang, member): (Grammar, &[u8])) -> bool {
    lang::of(lang).liveness.computes_members && !member.starts_with(b"#")
}

/// The first line on which a class, in these lines of its file, chooses a member by a value: `this[name]()` in it, or
/// `Class.prototype[name]` anywhere in the file.
pub fn chosen(
    text: &Text,
    member: (Grammar, &[u8]),
    (class, lines): (&[u8], RangeInclusive<u32>),
) -> Option<u32> {
    if !may_choose(member) {
        return None;
    }
    let bytes = text.bytes();
    // What stands in the brackets that open at a place, if it is a value, and what follows.
    let by_value = |open: usize| {
        let rest = &bytes[open + 1..];
        let is_name = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'$' | b'`');
        let first = rest.first().is_some_and(is_name);
        let mut depth = 0_u32;
        let ends = rest.iter().take(MAX_CHOICE_BYTES);
        let mut ends = ends.take_while(|b| **b != b'\n').enumerate();
        let (close, _) = ends.find(|(_, b)| match b {
            b']' if depth == 0 => true,
            b']' | b'[' => {
                depth = if **b == b'[' { depth + 1 } else { depth - 1 };
                false
            }
            _ => false,
        })?;
        first.then(|| &rest[close + 1..])
    };
    let line_of = |at: usize| u32::try_from(at).ok().map(|at| text.place(at).0);
    let own = memchr::memmem::find_iter(bytes, b"this[").filter_map(|at| Some((at, line_of(at)?)));
    let mut own = own
        .filter(|(_, line)| lines.contains(line))
        .take(MAX_PLACES);
    let called = own.find(|(at, _)| {
        let behind = by_value(at + b"this".len());
        behind.is_some_and(|rest| rest.starts_with(b"(") || rest.starts_with(b"?.("))
    });
    let of_class = || {
        let object = [class, b".prototype["].concat();
        let mut all = memchr::memmem::find_iter(bytes, &object).take(MAX_PLACES);
        let at = all.find(|at| by_value(at + object.len() - 1).is_some())?;
        line_of(at)
    };
    called.map(|(_, line)| line).or_else(of_class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice::from_ref;

    #[test]
    fn members_are_chosen_by_values_alone() {
        let chosen = |source: &str| {
            let text = Text::new(source.as_bytes().to_vec());
            chosen(&text, (Grammar::JavaScript, b"run"), (b"Tool", 2..=3))
        };
        assert_eq!(chosen("class Tool {\n do(x) {\n  this[x]() } }"), Some(3));
        assert_eq!(
            chosen("class Tool {\n do(x) {\n  this[`on${x}`]?.() } }"),
            Some(3)
        );
        assert_eq!(
            chosen("\n\n\nfor (const x in A)\n Tool.prototype[A[x]] = Tool.prototype[x];"),
            Some(5)
        );
        for none in [
            "class Tool {\n do(x) {\n  this[x] = 1 } }",
            "class Tool {\n do(x) {\n  this['x']() } }",
            "class Tool {\n do(x) {\n  this[0]() } }",
            "class Tool {\n do(x) {\n } }\nclass B { do() { this[x]() } }",
            "Other.prototype[x] = 1;",
            &format!(
                "class Tool {{\n do(x) {{\n  this[x{}]() }} }}",
                "+x".repeat(MAX_CHOICE_BYTES)
            ),
        ] {
            assert_eq!(chosen(none), None, "{none}");
        }
    }

    #[test]
    fn only_macros_that_define_put_names_together() {
        assert!(defines(b"G_DEFINE_TYPE(Page, page, BASE)"));
        for none in [
            "define(page)",
            "G_LIST(page)",
            "G_DEFINE_TYPE",
            " x = DEFINE(page)",
        ] {
            assert!(!defines(none.as_bytes()), "{none}");
        }
    }

    #[test]
    fn a_block_ends_with_its_brace() {
        let text = b"extern \"Rust\" { type A; mod b { } fn c(); } fn d() {}";
        assert_eq!(&text[end_of(text, 0)..], b"} fn d() {}");
        assert_eq!(end_of(b"extern \"Rust\" { a", 0), 17);
    }

    #[test]
    fn a_block_in_a_block_is_not_looked_at_again() {
        let found = |source: &str| blocks(source.as_bytes(), &[b"extern"]);
        assert_eq!(found("extern { a } b extern { c } d"), [0..11, 15..26]);
        assert_eq!(
            found("extern { extern { extern { a } b } c"),
            from_ref(&(0..36))
        );
        assert_eq!(found("extern extern { a } b"), from_ref(&(0..18)));
        let open = "extern { ".repeat(MAX_BLOCKS);
        assert_eq!(found(&open), from_ref(&(0..open.len())));
    }
}
