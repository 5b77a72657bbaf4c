//! Names of C that no reference spells: a macro puts them together (`comb##n`, `name##_init`, and `G_DEFINE_TYPE(T, prefix)` of
//! a library), or the program looks them up in itself as it runs (`dlsym(lib, name)`).
//!
//! Guarantee: only the file of a definition and what it includes are looked through for macros, once each; and only what is
//! seen by the linker and declared nowhere else counts as looked up, as a program that names it has to declare it.
//! Deliberately absent: which names are put together, and which module is loaded.

use super::exposure::language;
use super::unexplained::MIN_NAME_BYTES;
use crate::extract::record::{SymbolFlags, SymbolKind};
use crate::graph::edges::Graph;
use crate::lang;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::{Text, Texts};
use crate::view::word_places::WordPlaces;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// What looks a name up in what was loaded: POSIX, Windows, GLib, libtool, libuv, SDL, APR.
const LOOKUPS: &[&[u8]] = byte_words!(
    "GetProcAddress SDL_LoadFunction apr_dso_sym dlsym dlvsym g_module_symbol lt_dlsym uv_dlsym"
);
/// Included files that are looked through for one.
const MAX_FILES: usize = 32;
/// Pieces of names of one file.
const MAX_PIECES: usize = 64;
/// Shortest piece; of one as short as this what is put to it has to stand in the file.
const MIN_PIECE_BYTES: usize = 2;
/// Beginnings of one name that are looked for.
const MAX_BEGINNINGS: usize = 8;
/// Bytes of a macro before a piece of a name in it.
const MAX_MACRO_BYTES: usize = 4096;

/// Where a piece of a name stands in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    First,
    /// Something is put before it and behind it.
    Inner,
    Last,
}

/// A part of names that a macro puts something before or behind.
struct Piece {
    word: Vec<u8>,
    part: Part,
    line: u32,
}

impl Piece {
    fn is_of(&self, name: &[u8]) -> bool {
        let (word, is_longer) = (&*self.word, name.len() > self.word.len());
        let has = match self.part {
            Part::First => name.starts_with(word),
            Part::Inner => memchr::memmem::find(name, word).is_some(),
            Part::Last => name.ends_with(word),
        };
        has && is_longer
    }

    /// What is put to a piece that is too short to tell; `None` where it is not.
    fn rest_of<'n>(&self, name: &'n [u8]) -> Option<&'n [u8]> {
        if self.word.len() >= MIN_NAME_BYTES {
            return None;
        }
        match self.part {
            Part::First => name.strip_prefix(&self.word[..]),
            Part::Last => name.strip_suffix(&self.word[..]),
            Part::Inner => None,
        }
    }
}

/// A definition that is asked about.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Its file.
    pub file: FileId,
    /// Its name.
    pub name: &'a [u8],
    /// What [`is_linked`] says of it.
    pub is_linked: bool,
}

/// Whether a definition is a function at the top of its file that the linker sees.
pub fn is_linked(kind: SymbolKind, flags: SymbolFlags, is_at_top: bool) -> bool {
    kind == SymbolKind::Function && is_at_top && flags.contains(SymbolFlags::EXPORTED)
}

/// What is known of such names, of files that were asked for.
#[derive(Default)]
pub struct Late {
    pieces: FxHashMap<FileId, Rc<[Piece]>>,
    words: FxHashMap<FileId, Option<(Arc<Text>, WordPlaces)>>,
    lookup: Option<Option<Lookup>>,
}

/// A call that looks up a name which is no text.
struct Lookup {
    file: FileId,
    line: u32,
    text: Arc<Text>,
}

impl Lookup {
    /// Whether its file has the last part of a name as a text: `"init"` of `chat_init`.
    fn ends(&self, name: &[u8]) -> bool {
        let end = name.rsplit(|b| *b == b'_').next().unwrap_or_default();
        let quoted = [b"\"", end, b"\""].concat();
        end.len() >= MIN_NAME_BYTES
            && end.len() < name.len()
            && memchr::memmem::find(self.text.bytes(), &quoted).is_some()
    }
}

impl Late {
    /// The place at which the name of a definition may be put together, or be looked up.
    pub fn find(
        &mut self,
        view: &View,
        graph: &Graph,
        texts: &mut Texts,
        of: Asked<'_>,
    ) -> Option<(FileId, u32)> {
        if !language(view, of.file).liveness.macros_paste || of.name.len() < MIN_NAME_BYTES {
            return None;
        }
        let included = graph.dependencies(of.file).take(MAX_FILES);
        let included: Vec<FileId> = included
            .flat_map(|one| one.files().collect::<Vec<_>>())
            .collect();
        let mut files = std::iter::once(of.file).chain(included.into_iter().take(MAX_FILES));
        let pasted = files.find_map(|file| {
            let pieces = self.pieces(view, texts, file);
            let mut fitting = pieces.iter().filter(|piece| piece.is_of(of.name));
            let found = fitting.find(|piece| match piece.rest_of(of.name) {
                Some(rest) => self.has_word(view, texts, file, rest),
                None => true,
            })?;
            Some((file, found.line))
        });
        let pasted = pasted.or_else(|| Some((of.file, self.handed_to_macro(view, texts, of)?)));
        pasted.or_else(|| {
            let lookup = self
                .lookup
                .get_or_insert_with(|| computed_lookup(view, texts));
            let lookup = lookup.as_ref().filter(|_| of.is_linked)?;
            let is_found = lookup.ends(of.name) || !is_declared(view, of);
            is_found.then_some((lookup.file, lookup.line))
        })
    }

    fn words(
        &mut self,
        view: &View,
        texts: &mut Texts,
        file: FileId,
    ) -> Option<&(Arc<Text>, WordPlaces)> {
        let known = self.words.entry(file).or_insert_with(|| {
            let text = texts.if_here(view, file)?;
            Some((text, WordPlaces::default()))
        });
        known.as_ref()
    }

    fn has_word(&mut self, view: &View, texts: &mut Texts, file: FileId, word: &[u8]) -> bool {
        let words = self.words(view, texts, file);
        words.is_some_and(|(text, words)| words.of(text, word).next().is_some())
    }

    /// The line on which a macro of another file or library gets a beginning of a name as all of an argument.
    fn handed_to_macro(&mut self, view: &View, texts: &mut Texts, of: Asked<'_>) -> Option<u32> {
        let (text, words) = self.words(view, texts, of.file)?;
        let ends = (MIN_NAME_BYTES..of.name.len()).filter(|end| of.name[*end] == b'_');
        ends.take(MAX_BEGINNINGS).find_map(|end| {
            let mut all = words.of(text, &of.name[..end]);
            all.find_map(|at| {
                let (line, col) = text.place(at);
                is_macro_argument(text.line(line), col as usize, end).then_some(line)
            })
        })
    }

    fn pieces(&mut self, view: &View, texts: &mut Texts, file: FileId) -> Rc<[Piece]> {
        let known = self.pieces.entry(file).or_insert_with(|| {
            let text = texts.if_here(view, file);
            text.map_or_else(|| Rc::from([]), |text| pieces(&text).into())
        });
        Rc::clone(known)
    }
}

/// Whether another file declares or defines something of a name.
fn is_declared(view: &View, of: Asked<'_>) -> bool {
    view.segments().iter().any(|live| {
        let Some(name) = live.segment.name_id(of.name) else {
            return false;
        };
        let mut docs = live.segment.defining_docs(name);
        docs.any(|doc| live.is_live(doc) && live.files_of(doc).any(|file| file != of.file))
    })
}

/// The first call that looks up a name which is no text.
fn computed_lookup(view: &View, texts: &mut Texts) -> Option<Lookup> {
    view.segments().iter().find_map(|live| {
        LOOKUPS.iter().find_map(|lookup| {
            let name = live.segment.name_id(lookup)?;
            let docs = live.segment.occurring_docs(name).map(|(doc, _)| doc);
            let mut docs = docs.filter(|doc| {
                let lang = live.segment.doc(*doc).lang;
                live.is_live(*doc) && lang::of(lang).liveness.macros_paste
            });
            docs.find_map(|doc| {
                let is_product = |file: &FileId| view.file(*file).role == FileRole::Product;
                let file = live.files_of(doc).find(is_product)?;
                let text = texts.if_here(view, file)?;
                let uses = live.segment.occurrences_of(doc, name);
                let mut calls = uses.filter(|found| found.kind.is_call());
                let call = calls.find(|found| {
                    let rest = text.line(found.line).get(found.col as usize..);
                    rest.is_some_and(|rest| !rest.contains(&b'"'))
                })?;
                let line = call.line;
                Some(Lookup { file, line, text })
            })
        })
    })
}

/// The parts of names that the macros of a text put together.
fn pieces(text: &Text) -> Vec<Piece> {
    let bytes = text.bytes();
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut found: Vec<Piece> = Vec::new();
    for at in memchr::memmem::find_iter(bytes, b"##") {
        let Some(macro_at) = macro_around(bytes, at) else {
            continue;
        };
        let given = parameters(&bytes[macro_at..at]);
        let upto = bytes[macro_at..at].trim_ascii_end();
        let begin = upto
            .iter()
            .rposition(|b| !is_part(b))
            .map_or(0, |at| at + 1);
        let (further, before) = upto.split_at(begin);
        let rest = bytes[at + 2..].trim_ascii_start();
        let end = rest.iter().position(|b| !is_part(b)).unwrap_or(rest.len());
        let (behind, further_on) = rest.split_at(end);
        let first = match further.trim_ascii_end().ends_with(b"##") {
            true => Part::Inner,
            false => Part::First,
        };
        let last = match further_on.trim_ascii_start().starts_with(b"##") {
            true => Part::Inner,
            false => Part::Last,
        };
        for (word, part) in [(before, first), (behind, last)] {
            let is_new = !found.iter().any(|one| one.word == word && one.part == part);
            let is_given = given.contains(&word);
            if word.len() >= MIN_PIECE_BYTES && !is_given && is_new && found.len() < MAX_PIECES {
                let (line, _) = text.place(u32::try_from(at).unwrap_or_default());
                let word = word.to_vec();
                found.push(Piece { word, part, line });
            }
        }
    }
    found
}

/// Whether so many bytes at a column are all of an argument of a macro that the line begins with: one in capitals.
fn is_macro_argument(line: &[u8], col: usize, length: usize) -> bool {
    let begin = &line[..line.len().min(MAX_MACRO_BYTES)];
    let indent = begin.len() - begin.trim_ascii_start().len();
    let is_capital = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    let macro_name = begin[indent..].iter().take_while(|b| is_capital(b)).count();
    let before = line.get(..col).map(<[u8]>::trim_ascii_end);
    let after = line.get(col + length..).map(<[u8]>::trim_ascii_start);
    macro_name >= MIN_NAME_BYTES
        && begin[indent + macro_name..].trim_ascii_start().first() == Some(&b'(')
        && before.is_some_and(|before| matches!(before.last(), Some(b'(' | b',')))
        && after.is_some_and(|after| matches!(after.first(), Some(b')' | b',')))
}

/// Where the name of the macro stands that a place is in the body of.
fn macro_around(bytes: &[u8], at: usize) -> Option<usize> {
    let from = at.saturating_sub(MAX_MACRO_BYTES);
    let begin = from + memchr::memmem::rfind(&bytes[from..at], b"define")?;
    let mut lines = bytes[begin..at].split(|b| *b == b'\n');
    lines.next_back();
    let goes_on = |line: &[u8]| line.trim_ascii_end().ends_with(b"\\");
    lines.all(goes_on).then_some(begin + b"define".len())
}

/// The parameters of a macro, from its name on.
fn parameters(text: &[u8]) -> Vec<&[u8]> {
    let text = text.trim_ascii_start();
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let rest = &text[text.iter().position(|b| !is_part(b)).unwrap_or(text.len())..];
    let given = rest
        .strip_prefix(b"(")
        .and_then(|rest| rest.split(|b| *b == b')').next());
    let given = given
        .into_iter()
        .flat_map(|given| given.split(|b| *b == b','));
    // `args...` is named `args`.
    let names = given.map(|one| one.trim_ascii());
    names
        .map(|one| one.strip_suffix(b"...").unwrap_or(one))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<(String, Part, u32)> {
        let text = Text::new(source.as_bytes().to_vec());
        let all = pieces(&text).into_iter();
        all.map(|one| (String::from_utf8(one.word).unwrap(), one.part, one.line))
            .collect()
    }

    #[test]
    fn what_a_macro_puts_together_are_its_own_words() {
        let of = |word: &str, part, line| (word.to_owned(), part, line);
        assert_eq!(
            found("#define ANY(n, ...) comb##n(1)\n# define START(of) \\\n  of ## _init()\n"),
            [of("comb", Part::First, 1), of("_init", Part::Last, 3)]
        );
        assert_eq!(
            found("#define OPT(of, a) of ## _get_ ## a\n"),
            [of("_get_", Part::Inner, 1)]
        );
        for none in [
            "#define A(aaa, bbb) aaa##bbb",
            "/* comb##n */",
            "#define A 1\nx##_init",
            "#define A(args...) f(0, ##args)",
        ] {
            assert_eq!(found(none), [], "{none}");
        }
    }

    #[test]
    fn a_macro_in_capitals_gets_a_beginning_as_an_argument() {
        let is = |line: &str| {
            let at = line.find("my_type").unwrap();
            is_macro_argument(line.as_bytes(), at, "my_type".len())
        };
        assert!(is("G_DEFINE_TYPE (MyType, my_type, G_TYPE_OBJECT)"));
        assert!(is("G_DEFINE_TYPE(MyType, my_type, G_TYPE_OBJECT)"));
        assert!(is("  DEFINE( my_type )"));
        assert!(!is("define(MyType, my_type, 1)"));
        assert!(!is("G_DEFINE_TYPE(MyType, my_type + 1)"));
        assert!(!is("#define DEFINE(my_type)"));
    }

    #[test]
    fn a_piece_is_not_the_whole_name() {
        let is = |word: &str, part, name: &str| {
            let (word, line) = (word.into(), 1);
            Piece { word, part, line }.is_of(name.as_bytes())
        };
        assert!(is("comb", Part::First, "comb8") && is("_init", Part::Last, "a_init"));
        assert!(is("_get_", Part::Inner, "a_get_b"));
        assert!(!is("comb", Part::First, "comb") && !is("_init", Part::Last, "a_init2"));
    }
}
