//! Where else macros without syntax stand: labels of classes, behind the name of an alias or of a parameter, between a
//! type and a name, and calls of macros that are given what no function is.

use super::Macros;
use super::{CLASSES, CONDITIONAL, LEADING, OTHERS, STATEMENTS, TYPES, WORDS};

/// Most tokens of what a macro is called with.
const MAX_GIVEN: usize = 64;
/// With what words begin that say which way a parameter goes, in old headers of Windows.
const DIRECTIONS: &[&[u8]] = byte_words!("__deref_ __in __inout __out __reserved");
/// Words that say how a function is called.
const CALLING: &[&[u8]] =
    byte_words!("__cdecl __clrcall __fastcall __stdcall __thiscall __vectorcall");
/// Operators that go by words, and what stands in a `for` of Objective-C.
const OPERATORS: &[&[u8]] =
    byte_words!("and and_eq bitand bitor compl in not not_eq or or_eq xor xor_eq");

impl Macros<'_> {
    /// Where a macro ends that begins at a token and whose place says what it is.
    pub(super) fn placed(&self, at: usize) -> Option<usize> {
        // What most tokens are not comes first.
        if self.text(at) == b"(" {
            return self.type_arguments(at);
        }
        if at > 1 && self.text(at - 1) == b"*" && self.is_qualifier(at) {
            return Some(at + 1);
        }
        if let Some(end) = self.annotation(at).or_else(|| self.calling(at)) {
            return Some(end);
        }
        if !self.is_macro(at) {
            return None;
        }
        self.label(at)
            .or_else(|| self.behind_name(at))
            .or_else(|| self.before_name(at))
            .or_else(|| self.odd_call(at))
    }

    /// `LIB_PRIVATE:` among the members of a class, on a line of its own.
    fn label(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1).map(|before| self.text(before))?;
        let is_alone = self.is_first(at) && self.is_first(at + 2);
        (is_alone && matches!(before, b";" | b"{" | b"}") && self.text(at + 1) == b":")
            .then_some(at + 2)
    }

    /// What says of a parameter which way it goes: `(__in HANDLE of, _Out_writes_(n) char *to)`
    /// (<https://learn.microsoft.com/cpp/code-quality/understanding-sal>).
    fn annotation(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1).map(|before| self.text(before))?;
        let begins = matches!(before, b"(" | b",") || is_direction(before);
        let end = self.behind_call(at);
        let goes_on = self.is_word(end) && self.text(end) != b"operator";
        (is_direction(self.text(at)) && begins && goes_on).then_some(end)
    }

    /// `UINT __stdcall open(HANDLE of)`: a grammar takes that for a name where it does not know the type.
    fn calling(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        let is_placed = || self.is_plain(before) && self.is_plain(at + 1);
        (CALLING.contains(&self.text(at)) && is_placed()).then_some(at + 1)
    }

    /// `using name LIB_OLD("a") = b;`, `void f(const T& a LIB_BOUND, int b LIB_UNUSED = 1)`.
    fn behind_name(&self, at: usize) -> Option<usize> {
        let (typed, name) = (at.checked_sub(2)?, at - 1);
        let end = self.behind_call(at);
        if !matches!(self.text(end), b")" | b"," | b"=") || !self.is_plain(name) {
            return None;
        }
        if self.text(typed) == b"using" {
            return (self.text(end) == b"=").then_some(end);
        }
        let is_typed = matches!(self.text(typed), b"&" | b"*" | b">") || self.is_plain(typed);
        (is_typed && matches!(self.text(end), b")" | b"," | b"=")).then_some(end)
    }

    /// `void LIB_INLINE pool::run() {`.
    fn before_name(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        let is_named = self.is_plain(at + 1)
            && (self.text(at + 2) == b"("
                || self.text(at + 2) == b":" && self.text(at + 3) == b":");
        (TYPES.contains(&self.text(before)) && is_named).then_some(at + 1)
    }

    /// `LIB_DEFINE(unsigned char, 0);` and `LIB_COMPARE(LE, <=)` outside of functions: no function is given a type or a
    /// sign.
    fn odd_call(&self, at: usize) -> Option<usize> {
        let close = self.tokens.get(at + 1)?.pair.filter(|close| *close > at)?;
        let start = self.tokens.get(at)?.bytes.start;
        let is_outer = start == 0 || self.bytes[start - 1] == b'\n';
        let ends = self.text(close + 1) == b";" || self.is_first(close + 1);
        if !is_outer || !ends || self.text(at + 1) != b"(" || close - at > MAX_GIVEN {
            return None;
        }
        let is_odd = |at: usize| {
            let ends = matches!(self.text(at + 1), b"," | b")");
            TYPES.contains(&self.text(at))
                || ends && matches!(self.text(at), b"<" | b">" | b"=" | b"," | b"+" | b"-")
        };
        (at + 2..close).any(is_odd).then_some(close + 1)
    }

    /// Whether a text is all that a macro is called with, or the number of a version the first.
    pub(super) fn is_given_plainly(&self, at: usize) -> bool {
        let given = self.tokens.get(at + 1).zip(self.tokens.get(at + 2));
        given.is_some_and(|(open, next)| {
            let given = self.bytes[open.bytes.end..next.bytes.start].trim_ascii();
            let is_version =
                || given.first().is_some_and(u8::is_ascii_digit) && given.contains(&b'.');
            open.pair == Some(at + 2) && given.starts_with(b"\"") || is_version()
        })
    }

    /// What a macro that stands for a type is given: `typedef LIB_BARE(T) name;`.
    fn type_arguments(&self, at: usize) -> Option<usize> {
        let (typedef, name) = (at.checked_sub(2)?, at - 1);
        if self.text(typedef) != b"typedef" || !self.is_macro(name) {
            return None;
        }
        let close = self.tokens.get(at)?.pair.filter(|close| *close > at)?;
        let is_named = self.is_plain(close + 1) && self.text(close + 2) == b";";
        is_named.then_some(close + 1)
    }

    /// Whether a word in small letters stands between a `*` and a name: `node * lib_nonnull next`.
    fn is_qualifier(&self, at: usize) -> bool {
        let Some(typed) = at.checked_sub(2) else {
            return false;
        };
        let is_typed = || self.text(typed) == b">" || self.is_plain(typed);
        let behind = || {
            matches!(
                self.text(at + 2),
                b"," | b")" | b";" | b"=" | b"[" | b"(" | b":" | b"{"
            )
        };
        behind()
            && is_typed()
            && self.is_plain(at)
            && self.is_plain(at + 1)
            && !self.is_macro(at + 1)
    }

    /// Whether a token is a name, and no word of the language.
    fn is_plain(&self, at: usize) -> bool {
        let word = self.text(at);
        let lists = [
            CLASSES,
            CONDITIONAL,
            LEADING,
            OPERATORS,
            OTHERS,
            STATEMENTS,
            WORDS,
        ];
        self.is_word(at) && !lists.iter().any(|words| words.contains(&word))
    }
}

/// Whether a word says which way a parameter goes.
fn is_direction(word: &[u8]) -> bool {
    let is_old = || DIRECTIONS.iter().any(|with| word.starts_with(with));
    let is_new = || {
        let inner = word.strip_prefix(b"_").and_then(|w| w.strip_suffix(b"_"));
        let first = inner.and_then(|inner| inner.first());
        first.is_some_and(u8::is_ascii_uppercase) && word.iter().any(u8::is_ascii_lowercase)
    };
    word.first() == Some(&b'_') && (is_old() || is_new())
}
