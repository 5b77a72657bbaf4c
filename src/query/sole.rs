//! Names that stand at one place of the whole repository, that of their definition.
//!
//! Nothing uses such a definition where who calls something has to write its name: that needs no resolution, and no rule
//! for one more framework. So what is unused and has such a name is called dead, and other unused definitions are not.
//!
//! Measured: of the definitions that audits of six samples of repositories called unreached, 346 of 360 of these were dead
//! (14 alive in 6 of 87 repositories), and 716 of the other 1,150; of two more, asked of the program with this rule, 303 of
//! 313 (`benchmark/oracle/README.md`).
//!
//! Guarantee: prose, comments, data and tests are looked at like code. Where a program may look for names as it runs, no text
//! in code is the beginning or the end of this one. While the index lacks a file nothing is said. Deliberately absent: what is
//! not read at all (binary and minified files, secrets, lists of locked versions), and what calls everything of some look.

use super::holding;
use super::torn;
use super::unexplained::{MAX_FILES, MIN_NAME_BYTES, humps};
use crate::extract::record::{Field, Grammar};
use crate::id::{DocAddress, SegmentOrd};
use crate::lang;
use crate::view::live::{FileId, View};
use crate::view::text::{Text, Texts};

/// Shortest end of a name that is looked for without its beginning.
const MIN_REST_BYTES: usize = 5;
const ALL: [Field; 4] = [Field::Name, Field::Signature, Field::Body, Field::Comment];

/// Whether the name of a definition in a file stands nowhere else, in a language whose callers name what they call and a file
/// that was understood.
pub fn is_sole(
    view: &View,
    texts: &mut Texts,
    (lang, name): (Grammar, &[u8]),
    file: FileId,
) -> bool {
    let callers_name = lang::of(lang).liveness.callers_name;
    // Of what is not covered nobody knows what it names.
    if view.uncovered > 0 {
        return false;
    }
    if !callers_name || name.len() < MIN_NAME_BYTES || torn::is_torn(view, file) {
        return false;
    }
    let Some(own) = texts.if_here(view, file) else {
        return false;
    };
    // What has a name that the language gives it (`Companion`) stands nowhere itself.
    if own.words(name).take(2).count() != 1 {
        return false;
    }
    let stands = |text: &Text| text.words(name).next().is_some();
    let others = files(view, name, &ALL).filter(|other| *other != file);
    let others: Vec<FileId> = others.take(MAX_FILES + 1).collect();
    // What is not here to be read may have it; in other letters a name may be a word of many files.
    let may_have = |other: &FileId| texts.if_here(view, *other).is_none_or(|text| stands(&text));
    let is_named = others.len() > MAX_FILES || others.iter().any(may_have);
    !is_named && (lang::of(lang).liveness.names_are_fixed || !is_pieced(view, texts, name))
}

/// Whether a text in code is a part of a name: its beginning in humps, as in `"upgradeTo" + version`, or what is left of it
/// without the first, as who asks for `SelectionChanged` may call `SetSelectionChanged`.
fn is_pieced(view: &View, texts: &mut Texts, name: &[u8]) -> bool {
    let quoted = |text: &Text, piece: &[u8], is_whole: bool| {
        let is_quote = |at: Option<usize>| {
            let byte = at.and_then(|at| text.bytes().get(at));
            byte.is_some_and(|b| b"\"'`".contains(b))
        };
        text.words(piece).any(|at| {
            let at = at as usize;
            is_quote(at.checked_sub(1)) && (!is_whole || is_quote(at.checked_add(piece.len())))
        })
    };
    let mut stands = |piece: &[u8], forms: &[&[u8]], is_whole: bool| {
        let holders = files(view, piece, &[Field::Body, Field::Signature]);
        let holders: Vec<FileId> = holders.take(MAX_FILES + 1).collect();
        // Of what stands everywhere not all is read.
        holders.len() > MAX_FILES
            || holders.into_iter().any(|holder| {
                let text = texts.if_here(view, holder);
                text.is_none_or(|text| forms.iter().any(|form| quoted(&text, form, is_whole)))
            })
    };
    if humps(name).any(|begun| stands(begun, &[begun], false)) {
        return true;
    }
    let first = name.iter().skip(1).position(u8::is_ascii_uppercase);
    let rest = first.map_or(&[][..], |at| &name[at + 1..]);
    let mut small = rest.to_vec();
    if let Some(first) = small.first_mut() {
        first.make_ascii_lowercase();
    }
    rest.len() >= MIN_REST_BYTES && stands(rest, &[rest, &small], true)
}

/// The files that have a name as a word in one of some fields, perhaps in other letters.
fn files<'a>(
    view: &'a View,
    name: &'a [u8],
    fields: &'a [Field],
) -> impl Iterator<Item = FileId> + 'a {
    let segments = view.segments().iter().zip((0..).map(SegmentOrd));
    segments.flat_map(move |(live, ord)| {
        let docs = holding::documents(live, name, fields).into_iter();
        docs.flat_map(move |doc| {
            let at = DocAddress { segment: ord, doc };
            let holders = live.files_of(doc);
            holders.filter(move |file| view.file(*file).doc == Some(at))
        })
    })
}
