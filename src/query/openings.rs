//! Texts in code that a name begins with, and that something is put behind: `'tb_' + kind`, `"kodev-${CMD}"`, `"on" .. name`,
//! `"_%s" % verb`.
//!
//! Guarantee: only code and pages of the product are read, each file once, and a text counts where the name goes on behind it
//! with a hump, or behind `_` or `-`; what the text has behind the gap has to be in the name. Deliberately absent: which names
//! are put together, and what is done with them.

use super::exposure::language;
use super::holding;
use super::unexplained::is_remark;
use crate::extract::record::{Field, Grammar};
use crate::id::{DocAddress, SegmentOrd};
use crate::lang;
use crate::lang::language::Genre;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::{Text, Texts};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Beginnings of one name that are looked for.
const MAX_BEGINNINGS: usize = 8;
/// Files that are read for one beginning.
const MAX_FILES: usize = 30;
/// Files that are read for all names that are asked for.
const MAX_READ: usize = 4096;
/// Texts of one file that are kept.
const MAX_TEXTS: usize = 4096;
/// Bytes of what stands in the gap of a text.
const MAX_GAP_BYTES: usize = 80;
/// Shortest beginning that ends with a mark, in files of the same language.
const MIN_MARKED_BYTES: usize = 3;
/// Shortest beginning that ends with a hump, in files of the same language.
const MIN_HUMP_BYTES: usize = 5;
/// Shortest beginning in files of other languages.
const MIN_FAR_BYTES: usize = 6;
/// Shortest beginning in the file of the definition.
const MIN_OWN_BYTES: usize = 2;
/// What has to stand on the line of a text that is nothing but `_`.
const CHOOSERS: &[&[u8]] = &[b"getattr(", b"send(", b"method(", b"this[", b"self["];

/// A text that something is put behind.
struct Opening {
    word: Box<[u8]>,
    /// What goes on behind the gap.
    rest: Box<[u8]>,
    line: u32,
}

/// Such texts of the files that were asked for, kept for other names of the same view.
#[derive(Default)]
pub struct Openings {
    files: FxHashMap<FileId, Rc<[Opening]>>,
    /// By language and beginning: the files that are read for it.
    holders: FxHashMap<Beginning, Rc<[FileId]>>,
}

/// A language, and a beginning of names in it.
type Beginning = (Grammar, Box<[u8]>);

impl Openings {
    /// The first place at which a name may be put together: in its own file, or in order of paths.
    pub fn find(
        &mut self,
        view: &View,
        texts: &mut Texts,
        (lang, name): (Grammar, &[u8]),
        own: FileId,
    ) -> Option<(FileId, u32)> {
        if lang::of(lang).liveness.names_are_fixed {
            return None;
        }
        let begun: Vec<&[u8]> = beginnings(name).collect();
        let fits = |begun: &&&[u8]| begun.len() >= MIN_OWN_BYTES || **begun == b"_";
        let here = begun.iter().filter(fits);
        let here = here.copied().collect::<Vec<_>>();
        if let Some(line) = self.in_file(view, texts, own, (name, &here)) {
            return Some((own, line));
        }
        begun.iter().find_map(|begun| {
            let known = self.holders.entry((lang, (*begun).into()));
            let files = known.or_insert_with(|| holders(view, lang, begun).into());
            let files = files.clone();
            files.iter().find_map(|file| {
                let line = self.in_file(view, texts, *file, (name, &[*begun]))?;
                Some((*file, line))
            })
        })
    }

    /// The first line of a file on which one of some beginnings of a name is opened.
    fn in_file(
        &mut self,
        view: &View,
        texts: &mut Texts,
        file: FileId,
        (name, begun): (&[u8], &[&[u8]]),
    ) -> Option<u32> {
        if begun.is_empty() {
            return None;
        }
        let known = self.files.len();
        let found = self.files.entry(file).or_insert_with(|| {
            let text = match known < MAX_READ {
                true => texts.if_here(view, file),
                false => None,
            };
            let marks = Marks::of(view, file);
            text.map_or_else(|| Rc::from([]), |text| all(&text, marks).into())
        });
        let lines = begun.iter().filter_map(|begun| {
            let goes_on = &name[begun.len()..];
            let fits = |one: &&Opening| {
                one.rest.is_empty() || memchr::memmem::find(goes_on, &one.rest).is_some()
            };
            let first = found.partition_point(|one| *one.word < **begun);
            let mut alike = found[first..].iter().take_while(|one| *one.word == **begun);
            alike.find(fits).map(|one| one.line)
        });
        lines.min()
    }
}

/// The beginnings of a name that code may put the rest behind, longest first.
fn beginnings(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_mark = |b: u8| matches!(b, b'_' | b'-');
    let ends = (1..name.len()).rev().filter(move |end| {
        let (before, next) = (name[end - 1], name[*end]);
        let is_hump =
            (before.is_ascii_lowercase() || before.is_ascii_digit()) && next.is_ascii_uppercase();
        is_hump || is_mark(before) && !is_mark(next)
    });
    ends.take(MAX_BEGINNINGS).map(|end| &name[..end])
}

/// Files of the product that have a beginning as a word, and may name a definition of a language.
fn holders(view: &View, lang: Grammar, begun: &[u8]) -> Vec<FileId> {
    let is_marked = begun.ends_with(b"_") || begun.ends_with(b"-");
    let least = if is_marked {
        MIN_MARKED_BYTES
    } else {
        MIN_HUMP_BYTES
    };
    let mut files = Vec::new();
    if begun.len() < least || begun.iter().all(|b| !b.is_ascii_alphanumeric()) {
        return Vec::new();
    }
    let family = lang::of(lang).family;
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        for doc in holding::documents(live, begun, &[Field::Body, Field::Signature]) {
            let of = lang::of(live.segment.doc(doc).lang);
            let may = of.family == family || begun.len() >= MIN_FAR_BYTES;
            if !may || !matches!(of.genre, Genre::Code | Genre::Page) {
                continue;
            }
            let is_held = |file: &FileId| {
                let file = view.file(*file);
                file.role == FileRole::Product && file.doc == Some(DocAddress { segment: ord, doc })
            };
            let held = live.files_of(doc).filter(is_held);
            files.extend(held.map(|file| (of.family != family, file)));
        }
    }
    // What is written in the same language says more.
    files.sort_unstable();
    files.dedup();
    let files = files.into_iter().map(|(_, file)| file);
    files.take(MAX_FILES).collect()
}

/// How a language writes what is put together.
#[derive(Clone, Copy, Default)]
struct Marks {
    /// A dot joins, whatever follows it (PHP, Perl).
    dot_joins: bool,
    /// Words stand without quotes (shells).
    is_shell: bool,
}

impl Marks {
    fn of(view: &View, file: FileId) -> Self {
        let language = language(view, file);
        Self {
            dot_joins: language.liveness.dot_joins,
            is_shell: language.liveness.scripts_are_called,
        }
    }
}

/// All texts of a file that something is put behind, by what they are and in order of lines.
fn all(text: &Text, marks: Marks) -> Vec<Opening> {
    let bytes = text.bytes();
    let mut found = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        if !matches!(
            byte,
            b'"' | b'\'' | b'`' | b'$' | b'#' | b'{' | b'%' | b'\\' | b'<'
        ) {
            continue;
        }
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let length = bytes[..at].iter().rev().take_while(|b| is_part(b)).count();
        let word = &bytes[at - length..at];
        if word.is_empty() || found.len() >= MAX_TEXTS {
            continue;
        }
        let Some(rest) = opened(bytes, (at - length, at), marks) else {
            continue;
        };
        let (line, col) = text.place(u32::try_from(at).unwrap_or_default());
        let written = text.line(line);
        let chooses = || {
            let before = &written[..written.len().min(col as usize)];
            let near = &before[before.len().saturating_sub(MAX_GAP_BYTES)..];
            let mut choosers = CHOOSERS.iter();
            choosers.any(|with| memchr::memmem::find(near, with).is_some())
        };
        // `*)` begins a case there.
        let is_remark = match marks.is_shell {
            true => {
                let begin = &written[..written.len().min(MAX_GAP_BYTES)];
                begin.trim_ascii_start().starts_with(b"#")
            }
            false => is_remark(written),
        };
        if (word != b"_" || chooses()) && !is_remark {
            let (word, rest) = (word.into(), rest.into());
            found.push(Opening { word, rest, line });
        }
    }
    found.sort_by(|a, b| (&a.word, a.line).cmp(&(&b.word, b.line)));
    found
}

/// What a text has behind the gap that follows a word in it; `None` where nothing is put behind that.
fn opened(bytes: &[u8], (begin, end): (usize, usize), marks: Marks) -> Option<&[u8]> {
    let byte = |at: Option<usize>| at.and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
    let (before, further) = (byte(begin.checked_sub(1)), byte(begin.checked_sub(2)));
    let is_quote = |b: u8| matches!(b, b'"' | b'\'' | b'`');
    let is_bare = marks.is_shell && (before.is_ascii_whitespace() || matches!(before, b'(' | b';'));
    let is_member = matches!(before, b'.' | b':')
        && (further.is_ascii_alphanumeric() || matches!(further, b'_' | b':' | b')'));
    if !is_quote(before) && !is_bare && !is_member {
        return None;
    }
    let mark = bytes[end];
    let behind = &bytes[end + 1..];
    if is_quote(mark) {
        let is_closed = is_member || mark == before || is_bare;
        return (is_closed && joins(behind, marks)).then_some(&[]);
    }
    let next = behind.first().copied().unwrap_or(b' ');
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let rest = match (mark, next) {
        (b'$' | b'#', b'{') => beyond(behind, (b'{', b'}'))?,
        (b'$', b'(') | (b'\\', b'(') => beyond(behind, (b'(', b')'))?,
        (b'$', next) if is_name(next) => {
            let length = behind.iter().take_while(|b| is_name(**b)).count();
            &behind[length..]
        }
        (b'{', next) if is_name(next) || matches!(next, b'}' | b'$' | b'{') => {
            beyond(&bytes[end..], (b'{', b'}'))?
        }
        (b'%', b's' | b'v' | b'@') => &behind[1..],
        (b'%', b'(') => beyond(behind, (b'(', b')'))?.strip_prefix(b"s")?,
        (b'%', b'{') => beyond(behind, (b'{', b'}'))?,
        (b'<', b'%' | b'?') => {
            let gap = &behind[..behind.len().min(MAX_GAP_BYTES)];
            let close = memchr::memmem::find(gap, &[next, b'>'])?;
            &behind[close + 2..]
        }
        _ => return None,
    };
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let length = rest.iter().take_while(|b| is_part(b)).count();
    let (rest, after) = rest.split_at(length);
    // A name ends there, or goes on; what goes on otherwise is a sentence, a path or a file.
    let ends = after.first().is_none_or(|after| match after {
        after if is_bare => after.is_ascii_whitespace() || b"\"`);|&$".contains(after),
        after => b"\"'`(;)$#{%\\".contains(after),
    });
    ends.then_some(rest)
}

/// Whether something is joined to a text that ends before these bytes.
fn joins(behind: &[u8], marks: Marks) -> bool {
    if behind.first() == Some(&b'$') && marks.is_shell {
        return true;
    }
    let behind = behind.trim_ascii_start();
    let next = behind.get(1).copied().unwrap_or(b' ');
    match behind.first() {
        Some(b'+') => next != b'=',
        Some(b'.') => marks.dot_joins || next == b'.' || next.is_ascii_whitespace(),
        Some(b'<') => matches!(next, b'<' | b'>'),
        Some(b'&' | b'~' | b'^') => next.is_ascii_whitespace(),
        _ => false,
    }
}

/// What follows the bracket that closes the one that bytes begin with.
fn beyond(bytes: &[u8], (open, close): (u8, u8)) -> Option<&[u8]> {
    let mut depth = 0_u32;
    let gap = &bytes[..bytes.len().min(MAX_GAP_BYTES)];
    for (at, byte) in gap.iter().enumerate() {
        match byte {
            b'\n' => return None,
            byte if *byte == open => depth += 1,
            byte if *byte == close && depth <= 1 => return Some(&bytes[at + 1..]),
            byte if *byte == close => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str, marks: Marks) -> Vec<(String, String)> {
        let text = Text::new(source.as_bytes().to_vec());
        let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let all = all(&text, marks).into_iter();
        all.map(|one| (string(&one.word), string(&one.rest)))
            .collect()
    }

    #[test]
    fn what_is_put_together_is_seen_in_all_ways_of_writing_it() {
        let usual = Marks::default();
        for (source, word, rest) in [
            ("f('tb_' + kind)", "tb_", ""),
            ("f(\"on\" .. name)", "on", ""),
            ("getattr(self, \"_%s\" % verb)", "_", ""),
            ("f(`do_${kind}_now`)", "do_", "_now"),
            ("f\"visit_{kind}\"", "visit_", ""),
            ("send(\"do_#{kind}\")", "do_", ""),
            ("f(\"do\\(kind)\")", "do", ""),
            ("\"self.do_%s\"", "do_", ""),
            ("\"do_\" <> kind", "do_", ""),
        ] {
            let expected = [(word.to_owned(), rest.to_owned())];
            assert_eq!(found(source, usual), expected, "{source}");
        }
        let marks = |dot_joins, is_shell| Marks {
            dot_joins,
            is_shell,
        };
        let of = |word: &str, rest: &str| [(word.to_owned(), rest.to_owned())];
        assert_eq!(
            found("'tb_'.ucfirst($x)", marks(true, false)),
            of("tb_", "")
        );
        let shell = marks(false, true);
        assert_eq!(found("\"kodev-${CMD}\" \"$@\"", shell), of("kodev-", ""));
        assert_eq!(found("\t do_$CMD x", shell), of("do_", ""));
    }

    #[test]
    fn sentences_paths_and_whole_texts_are_not_put_together() {
        for none in [
            "f('tb_')",
            "\"error_%s is wrong\"",
            "\"page_${x}.html\"",
            "\"see do_${x}\"",
            "\"/do_${x}\"",
            "\"#tab_\" + x",
            "\".tab_\" + x",
            "\"visit_\".join(x)",
            "// 'tb_' + kind",
            "f(\"_%s\" % x)",
            "struct a_{",
        ] {
            assert_eq!(found(none, Marks::default()), [], "{none}");
        }
    }

    #[test]
    fn a_name_begins_with_its_parts() {
        let of = |name: &str| {
            let all = beginnings(name.as_bytes());
            let all = all.map(|begun| String::from_utf8(begun.to_vec()).unwrap());
            all.collect::<Vec<_>>()
        };
        assert_eq!(of("addBtnOne"), ["addBtn", "add"]);
        assert_eq!(of("kodev-run"), ["kodev-"]);
        assert_eq!(of("_equal_to"), ["_equal_", "_"]);
        assert_eq!(of("plain"), [""; 0]);
    }
}
