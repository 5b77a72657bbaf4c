//! Macros without syntax around declarations of C and C++: `LIB_API int open(void);`,
//! `class LIB_EXPORT reader {`, `int get() const LIB_PURE;`, `LIB_BEGIN_NAMESPACE`.
//!
//! A grammar takes the macro for the type and the type for an error, and may lose the name, or the
//! class. Where a file has errors, it is parsed again with such macros blanked out; they are recorded as
//! what they are, names that are read. Deliberately absent: macros anywhere else, and what they stand for.

mod places;

use super::conditions;
use super::macro_tokens::{Token, is_part, remarks, tokens_and_directives};
use crate::syntax::blanked::Blanked;
use std::collections::HashSet;
use std::ops::Range;

/// Most words blanked out in one file.
const MAX_WORDS: usize = 16384;

/// Most lines of one macro each that are seen through at once.
const MAX_ALONE: usize = 8;
/// Most tokens of an attribute between a macro and the name of a class.
const MAX_ATTRIBUTE: usize = 32;

const CLASSES: &[&[u8]] = byte_words!("class enum struct union");
/// What may stand before such a macro in one declaration.
const LEADING: &[&[u8]] =
    byte_words!("constexpr explicit extern friend inline static typedef virtual");
/// What says who sees the members below.
const LABELS: &[&[u8]] = byte_words!("private protected public");
/// What may follow the parameters of a function.
const TRAILING: &[&[u8]] = byte_words!("const final noexcept override volatile");
/// Words that a declaration may begin with, besides names.
const WORDS: &[&[u8]] = byte_words!(
    "auto bool char class const constexpr consteval constinit decltype double enum explicit float friend inline
     int long mutable operator register restrict short signed static struct template thread_local typename union
     unsigned virtual void volatile __const __extension__ __inline __inline__ __restrict __restrict__ _Atomic
     _Noreturn _Thread_local"
);
/// Those that a type begins with.
const TYPES: &[&[u8]] = byte_words!("bool char double float int long short signed unsigned void");
/// What has a condition in parentheses.
const CONDITIONAL: &[&[u8]] = byte_words!("catch for if return sizeof switch while");

/// What an expression may follow.
const STATEMENTS: &[&[u8]] = byte_words!(
    "case co_await co_return co_yield delete do else goto new return throw typename using"
);

/// What else is no name.
const OTHERS: &[&[u8]] = byte_words!("break continue default else");

/// Blanks such macros of a file out, conditions around parts of statements ([`conditions`]), and comments in macros of
/// several lines; `None` where there are none.
pub(in crate::lang) fn blank(bytes: &[u8]) -> Option<Blanked> {
    blank_as(bytes, false)
}

/// The same of a file that is C++.
pub(super) fn blank_cpp(bytes: &[u8]) -> Option<Blanked> {
    blank_as(bytes, true)
}

fn blank_as(bytes: &[u8], is_cpp: bool) -> Option<Blanked> {
    let (tokens, directives) = tokens_and_directives(bytes);
    let left_out = conditions::left_out(bytes, (&tokens, &directives), is_cpp);
    // A grammar takes what follows a comment in a macro of several lines for code.
    let remarks: Vec<Range<usize>> = directives
        .iter()
        .flat_map(|at| remarks(bytes, at))
        .collect();
    if left_out.is_empty() && remarks.is_empty() {
        return without_macros(Macros::new(bytes, tokens));
    }
    let mut once = bytes.to_vec();
    let stretches = left_out.iter().chain(&remarks);
    stretches.for_each(|range| fill(&mut once, range.clone()));
    let is_name = |token: &&Token| {
        let word = &bytes[token.bytes.clone()];
        let mut keywords = [WORDS, LEADING, CONDITIONAL, STATEMENTS, OTHERS].into_iter();
        is_part(word[0]) && !keywords.any(|words| words.contains(&word))
    };
    let is_out = |token: &&Token| once[token.bytes.start] == b' ';
    let out = tokens.iter().filter(is_name).filter(is_out);
    let mut words: Vec<Range<usize>> = out.map(|token| token.bytes.clone()).collect();
    let gone = directives.iter().filter(|range| once[range.start] == b' ');
    words.extend(gone.flat_map(|range| conditions::names(bytes, range)));
    words.sort_by_key(|word| word.start);
    words.truncate(MAX_WORDS);
    let Some(twice) = without_macros(Macros::new(&once, tokens_and_directives(&once).0)) else {
        return Some(Blanked { bytes: once, words });
    };
    words.extend(twice.words);
    words.sort_by_key(|word| word.start);
    Some(Blanked {
        bytes: twice.bytes,
        words,
    })
}

/// Blanks a stretch out. Lines stay where they are.
fn fill(bytes: &mut [u8], range: Range<usize>) {
    for byte in &mut bytes[range] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

fn without_macros(macros: Macros<'_>) -> Option<Blanked> {
    let bytes = macros.bytes;
    let mut blanked = bytes.to_vec();
    let mut words = Vec::new();
    let (mut at, mut is_next) = (0, false);
    while at < macros.tokens.len() && words.len() < MAX_WORDS {
        if let Some(close) = macros.old_parameters(at) {
            // `open P_((int a));` without the macro and its parentheses.
            let end = &macros.tokens[close].bytes;
            blanked[end.clone()].fill(b' ');
        }
        let found = macros.end(at, is_next);
        is_next = found.is_some();
        let Some(end) = found else {
            at += 1;
            continue;
        };
        for token in &macros.tokens[at..end] {
            if is_part(bytes[token.bytes.start]) {
                words.push(token.bytes.clone());
            }
        }
        let range = macros.tokens[at].bytes.start..macros.tokens[end - 1].bytes.end;
        fill(&mut blanked, range);
        at = end;
    }
    (!words.is_empty()).then_some(Blanked {
        bytes: blanked,
        words,
    })
}

/// The tokens of a file, and what they name.
struct Macros<'b> {
    bytes: &'b [u8],
    tokens: Vec<Token>,
    /// Names of classes with a body.
    classes: HashSet<&'b [u8]>,
    /// Where the parameters of templates end.
    heads: HashSet<usize>,
}

impl<'b> Macros<'b> {
    fn new(bytes: &'b [u8], tokens: Vec<Token>) -> Self {
        let mut macros = Self {
            bytes,
            tokens,
            classes: HashSet::new(),
            heads: HashSet::new(),
        };
        for at in 0..macros.tokens.len() {
            let word = macros.text(at);
            if CLASSES.contains(&word) {
                let mut name = macros.behind_macros(at + 1);
                if macros.is_export(name) {
                    name += 1;
                }
                if macros.begins_body(name + 1) {
                    let name = macros.text(name);
                    macros.classes.insert(name);
                }
            } else if word == b"template"
                && let Some(end) = macros.behind_angles(at + 1)
            {
                macros.heads.insert(end - 1);
            }
        }
        macros
    }

    /// Where a macro that is to be blanked out ends, if one begins at a token; `is_next` where another
    /// ends before it.
    fn end(&self, at: usize, is_next: bool) -> Option<usize> {
        if self.is_specifier(at) {
            return Some(at + 1);
        }
        if let Some(end) = self.placed(at) {
            return Some(end);
        }
        if self.is_export(at) {
            return Some(at + 1);
        }
        if !self.is_macro(at) {
            return None;
        }
        if self.old_parameters(at).is_some() {
            return Some(at + 2);
        }
        let plain = at + 1;
        let before = match at.checked_sub(1) {
            Some(before) => self.text(before),
            None => b";",
        };
        if CLASSES.contains(&before) || before == b"]" && self.is_behind_attribute(at) {
            let name = self.behind_macros(at);
            let is_named = name > at && self.is_word(name) && self.begins_body(name + 1);
            return is_named.then_some(name);
        }
        if at > 0 && self.ends_parameters(at - 1) {
            let mut end = at;
            while self.is_macro(end) {
                end = self.behind_call(end);
            }
            if self.may_follow_parameters(end) {
                return Some(end);
            }
        }
        let is_led = LEADING.contains(&before) || at > 0 && self.heads.contains(&(at - 1));
        let is_labelled = before == b":" && at > 1 && LABELS.contains(&self.text(at - 2));
        let begins = matches!(before, b";" | b"{" | b"}") || is_labelled || is_led || is_next;
        let called = self.behind_call(at);
        if called > plain {
            let is_field = at > 1 && self.ends_field(at - 1);
            let is_whole = is_field && matches!(self.text(called), b";" | b"=");
            // `LIB_NEEDS(1)` above a constructor, `LIB_OLD("f")` and `LIB_OLD_SINCE(1.2, f())` above any declaration.
            let is_above = begins && (is_led || self.is_first(at) && self.is_first(called));
            let is_before = || {
                self.constructs(called)
                    || self.text(called) == b"template"
                    || self.is_given_plainly(at) && self.declares(called)
            };
            return (is_whole || is_above && is_before()).then_some(called);
        }
        if begins && (self.constructs(plain) || self.text(plain) == b"template") {
            return Some(plain);
        }
        let is_first = self.is_first(at);
        let is_alone = is_first && self.is_first(plain);
        let is_next_whole = || {
            let others = plain..plain + MAX_ALONE;
            let is_alone = |at: &usize| self.is_macro(*at) && self.is_first(at + 1);
            let next = plain + others.take_while(is_alone).count();
            match self.text(next) {
                b"}" | b"namespace" => true,
                word => CLASSES.contains(&word) && self.is_class(next),
            }
        };
        if is_alone && begins && is_next_whole() {
            return Some(plain);
        }
        if before == b"(" && self.is_convention(at) {
            return Some(plain);
        }
        ((begins || is_first && !is_alone) && self.declares(plain)).then_some(plain)
    }

    /// Where the outer parentheses end of parameters that a macro hides from compilers which know none:
    /// `int open P_((int flags));`.
    fn old_parameters(&self, at: usize) -> Option<usize> {
        let (outer, inner) = (self.tokens.get(at + 1)?, self.tokens.get(at + 2)?);
        let close = outer.pair?;
        let is_double = self.text(at + 1) == b"("
            && self.text(at + 2) == b"("
            && inner.pair? + 1 == close
            && matches!(self.text(close + 1), b";" | b"{");
        let name = at.checked_sub(1)?;
        let typed = name.checked_sub(1)?;
        let is_named = self.is_word(name)
            && !STATEMENTS.contains(&self.text(name))
            && (self.is_word(typed) || matches!(self.text(typed), b"*" | b")"))
            && !STATEMENTS.contains(&self.text(typed));
        (is_double && is_named && self.is_macro(at)).then_some(close)
    }

    /// Whether a word in small letters that is none of the language's stands where only a macro may: `static
    /// lib_inline int f(void) {`, `char * lib_cdecl f(void) {`.
    fn is_specifier(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| self.text(before)) else {
            return false;
        };
        let is_led = matches!(before, b"static" | b"extern");
        if !is_led && before != b"*" || !self.is_word(at) || WORDS.contains(&self.text(at)) {
            return false;
        }
        if is_led && TYPES.contains(&self.text(at + 1)) {
            return true;
        }
        // One more word than a type and a name, or than a name, before parameters.
        let mut name = at + 1;
        if is_led {
            name += 1;
            while self.text(name) == b"*" {
                name += 1;
            }
        }
        let is_plain = |at: usize| self.is_word(at) && !WORDS.contains(&self.text(at));
        let close = self.tokens.get(name + 1).and_then(|open| open.pair);
        is_plain(at + 1)
            && is_plain(name)
            && self.text(name + 1) == b"("
            && close.is_some_and(|close| close > name && self.text(close + 1) == b"{")
    }

    /// Whether a word that is not in capitals stands between `class` and the name of one, where only a macro may:
    /// `class LibExport reader : public base {`.
    fn is_export(&self, at: usize) -> bool {
        let class = at.checked_sub(1).map_or(&b""[..], |class| self.text(class));
        let is_plain = |at: usize| {
            let word = self.text(at);
            self.is_word(at) && word != b"final" && !WORDS.contains(&word)
        };
        let begins = match self.text(at + 2) {
            b"{" => true,
            b":" => self.is_word(at + 3) && self.text(at + 3).first() > Some(&b'9'),
            _ => false,
        };
        // `enum level of : 3` is a field.
        matches!(class, b"class" | b"struct") && begins && is_plain(at) && is_plain(at + 1)
    }

    /// Whether a class with a body, or with what it inherits, begins at a token.
    fn is_class(&self, at: usize) -> bool {
        let name = self.behind_macros(at + 1);
        self.is_word(name) && self.begins_body(name + 1)
    }

    /// Whether a macro says how what a pointer points to is called: `int (WINAPI *name)(int)`, `typedef GLenum
    /// (APIENTRYP name)(void)`.
    fn is_convention(&self, at: usize) -> bool {
        let is_type = at > 2 && self.text(at - 3) == b"typedef" && self.is_word(at - 2);
        if is_type && self.text(at + 2) == b")" && self.text(at + 3) == b"(" {
            return self.is_word(at + 1);
        }
        let is_typed = at > 1 && (self.is_word(at - 2) || self.text(at - 2) == b"*");
        let ends = self.text(at + 3) == b")" && self.text(at + 4) == b"(";
        is_typed && self.text(at + 1) == b"*" && self.is_word(at + 2) && ends
    }

    /// Whether a type and what it declares begin at a token.
    fn declares(&self, at: usize) -> bool {
        // `UINT const x;` has a type in capitals, `LIB_API const node *x;` does not.
        let at = match self.text(at) {
            b"const" => at + 1,
            _ => at,
        };
        if !self.is_word(at) || matches!(self.text(at), b"const" | b"volatile") {
            return false;
        }
        let mut next = at + 1;
        // `lib::list<int> of();` has a type of several tokens, `BOOL lib::of() {` a name.
        loop {
            next = match self.text(next) {
                b":" if self.text(next + 1) == b":" && self.is_word(next + 2) => next + 3,
                b"<" => match self.behind_angles(next) {
                    Some(end) => end,
                    None => return false,
                },
                _ => break,
            };
        }
        match self.text(next) {
            b"*" => true,
            b"&" => next > at + 1,
            b"(" => next == at + 1 && self.text(next + 1) == b"*",
            _ => self.is_word(next),
        }
    }

    /// Whether a constructor or destructor of a class of the file begins at a token.
    fn constructs(&self, at: usize) -> bool {
        match self.text(at) {
            b"~" => self.classes.contains(self.text(at + 1)),
            b"explicit" => true,
            name if self.text(at + 1) == b"(" => self.classes.contains(name),
            _ => self.constructs_elsewhere(at),
        }
    }

    /// Whether a constructor or destructor that stands outside of its class begins at a token: `a::b<T>::b(`.
    fn constructs_elsewhere(&self, at: usize) -> bool {
        let mut class = at;
        while self.is_word(class) {
            let end = match self.text(class + 1) {
                b"<" => self.behind_angles(class + 1),
                _ => Some(class + 1),
            };
            let Some(end) = end else { return false };
            if self.text(end) != b":" || self.text(end + 1) != b":" {
                return false;
            }
            let member = end + 2;
            if self.text(member) == b"~" {
                return self.text(member + 1) == self.text(class);
            }
            if self.text(member) == self.text(class) {
                return self.text(member + 1) == b"(";
            }
            class = member;
        }
        false
    }

    /// Whether parameters of a function, or what belongs to them, end with a token.
    fn ends_parameters(&self, at: usize) -> bool {
        let words = (0..=at).rev().take(4);
        let mut words =
            words.skip_while(|at| self.text(*at) == b"&" || TRAILING.contains(&self.text(*at)));
        words
            .next()
            .is_some_and(|at| self.text(at) == b")" && self.opens_parameters(at))
    }

    /// Whether the name of a field or variable stands behind its type.
    fn ends_field(&self, at: usize) -> bool {
        let before = self.text(at - 1);
        let is_type = |at: usize| {
            self.is_word(at) && !self.is_macro(at) && !STATEMENTS.contains(&self.text(at))
        };
        is_type(at) && (matches!(before, b"*" | b"&" | b">") || is_type(at - 1))
    }

    /// Whether what a parenthesis ends began behind a name, not behind a word for a condition.
    fn opens_parameters(&self, at: usize) -> bool {
        let before = self.tokens[at].pair.and_then(|open| open.checked_sub(1));
        before.is_some_and(|before| {
            // `operator+(a)`, `operator[](a)`, `operator<<=(a)`.
            let mut signs = (1..=3).filter_map(|back| before.checked_sub(back));
            let is_operator = signs.any(|at| self.text(at) == b"operator");
            // Of `operator()(int)` it is a parenthesis.
            let is_called = self.tokens[before].pair.is_some();
            (self.is_word(before) || is_operator || is_called)
                && !CONDITIONAL.contains(&self.text(before))
        })
    }

    /// Whether a token may come after parameters and what belongs to them.
    fn may_follow_parameters(&self, at: usize) -> bool {
        match self.text(at) {
            b"{" | b";" | b"=" => true,
            b":" => self.text(at + 1) != b":",
            b"-" => self.text(at + 1) == b">",
            word => TRAILING.contains(&word),
        }
    }

    /// Whether the body of a class, or what it inherits, begins at a token.
    fn begins_body(&self, at: usize) -> bool {
        match self.text(at) {
            b"{" | b"final" => true,
            b":" => self.text(at + 1) != b":",
            b"<" => self
                .behind_angles(at)
                .is_some_and(|end| match self.text(end) {
                    b":" => self.text(end + 1) != b":",
                    next => next == b"{",
                }),
            _ => false,
        }
    }

    /// Behind macros that stand one after another, but for a name before a body.
    fn behind_macros(&self, at: usize) -> usize {
        let mut at = self.behind_attribute(at);
        while self.is_macro(at) && !self.begins_body(at + 1) {
            at = self.behind_attribute(self.behind_call(at));
        }
        at
    }

    /// Behind what stands between a macro and the name of a class: `class LIB_API [[nodiscard]] reader {`.
    fn behind_attribute(&self, at: usize) -> usize {
        let is_attribute = self.text(at) == b"[" && self.text(at + 1) == b"[";
        let words = (at + 2..at + MAX_ATTRIBUTE).filter(|_| is_attribute);
        let mut ends = words.filter(|end| self.text(*end) == b"]");
        ends.find(|end| self.text(end + 1) == b"]")
            .map_or(at, |end| end + 2)
    }

    /// Whether a token stands behind the attribute of a class: `class [[nodiscard]] LIB_API reader {`.
    fn is_behind_attribute(&self, at: usize) -> bool {
        let words = (1..MAX_ATTRIBUTE).map_while(|before| at.checked_sub(before));
        let mut begins = words.filter(|begin| self.text(*begin) == b"[");
        let begin = begins.find_map(|begin| begin.checked_sub(1));
        begin.is_some_and(|begin| {
            let class = begin.checked_sub(1).map(|class| self.text(class));
            self.behind_attribute(begin) == at
                && class.is_some_and(|class| CLASSES.contains(&class))
        })
    }

    /// Behind a word and what it may be called with.
    fn behind_call(&self, at: usize) -> usize {
        let open = self
            .tokens
            .get(at + 1)
            .filter(|_| self.text(at + 1) == b"(");
        open.and_then(|open| open.pair)
            .map_or(at + 1, |close| close + 1)
    }

    /// Behind `<...>` that begins at a token.
    fn behind_angles(&self, at: usize) -> Option<usize> {
        const LONGEST: usize = 400;
        let mut depth = 0_usize;
        let mut next = at;
        while next < at + LONGEST {
            match self.text(next) {
                b"<" => depth += 1,
                b">" => depth = depth.checked_sub(1)?,
                b"(" => next = self.tokens.get(next)?.pair?,
                b";" | b"{" | b"}" | b"" => return None,
                _ => {}
            }
            next += 1;
            if depth == 0 {
                return Some(next);
            }
        }
        None
    }

    /// Whether a token is a name in capitals.
    fn is_macro(&self, at: usize) -> bool {
        let name = self.text(at);
        let is_capital = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
        let is_long = name.len() >= 3 && name.iter().any(u8::is_ascii_uppercase);
        is_long && name.iter().all(is_capital)
    }

    /// Whether a token is the first of its line, or would be.
    fn is_first(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(|token| token.is_first)
    }

    fn is_word(&self, at: usize) -> bool {
        self.text(at).first().is_some_and(|b| is_part(*b))
    }

    /// A token as it is written; nothing behind the last.
    fn text(&self, at: usize) -> &'b [u8] {
        let bytes = self.tokens.get(at).map(|token| token.bytes.clone());
        bytes
            .and_then(|bytes: Range<usize>| self.bytes.get(bytes))
            .unwrap_or(b"")
    }
}

#[cfg(test)]
mod tests {
    use crate::extract::extract;
    use crate::record::Grammar;

    fn prefixes(source: &str) -> Vec<&str> {
        let blanked = super::blank(source.as_bytes());
        let found = blanked.map_or_else(Vec::new, |blanked| blanked.words);
        found.into_iter().map(|range| &source[range]).collect()
    }

    #[test]
    fn only_what_a_type_and_a_name_follow_is_a_prefix() {
        assert_eq!(prefixes("LIB_API int open(void);\n"), ["LIB_API"]);
        assert_eq!(
            prefixes("  LIB_API LIB_INLINE node *next;"),
            ["LIB_API", "LIB_INLINE"]
        );
        assert_eq!(prefixes("LIB_API int (*hook)(void);"), ["LIB_API"]);
        for plain in
            *phrases!("FILE *file;, BOOL f(int);, HANDLE h;, UINT const x;, LIB_API, A b c;")
        {
            assert!(prefixes(plain).is_empty(), "{plain}");
        }
    }

    #[test]
    fn macros_of_classes_parameters_and_lines_are_words_without_syntax() {
        let pairs = [
            ("class LIB_API reader {", "LIB_API"),
            ("class LIB_ABI(\"a\") reader : base {", "LIB_ABI"),
            ("class LibExport reader : public base {", "LibExport"),
            ("struct LibExport reader {", "LibExport"),
            ("int get() const LIB_PURE;", "LIB_PURE"),
            ("typedef id (LIB_CALL get)(int a);", "LIB_CALL"),
            (
                "struct a {\n  LIB_OLD(1.2, f())\n  static b<c> g(d e);\n};",
                "LIB_OLD f",
            ),
            ("int get() LIB_NEEDS(lock) {", "LIB_NEEDS lock"),
            ("LIB_BEGIN\nnamespace a {", "LIB_BEGIN"),
            ("struct a {\n  LIB_FIELDS\n};", "LIB_FIELDS"),
            ("struct a { LIB_INLINE a(int b) : b(b) {} };", "LIB_INLINE"),
            (
                "template <class T> LIB_INLINE auto f(T a) -> T {",
                "LIB_INLINE",
            ),
            ("LIB_EXPORT template <class T> class a {", "LIB_EXPORT"),
            ("LIB_API std::list<int> f();", "LIB_API"),
            ("LIB_API const node *get() {", "LIB_API"),
            ("LIB_INLINE a::b<T>::b(int c) : c(c) {}", "LIB_INLINE"),
            ("LIB_INLINE a::~a() {}", "LIB_INLINE"),
            (
                "LIB_BEGIN\nLIB_TEMPLATE\nclass a // b\n  : public c {",
                "LIB_BEGIN LIB_TEMPLATE",
            ),
            ("class LIB_API [[nodiscard]] a : b {", "LIB_API nodiscard"),
            ("const T& get() const& LIB_BOUND {", "LIB_BOUND"),
            ("typedef int (LIB_CALL *a)(int);", "LIB_CALL"),
            ("T& operator[](int a) LIB_BOUND {", "LIB_BOUND"),
            ("class LIB_API a<b> : c {", "LIB_API"),
            (
                "struct a { int b;\n  LIB_PRIVATE:\n  int c; };",
                "LIB_PRIVATE",
            ),
            ("using a LIB_OLD(\"b\") = c;", "LIB_OLD"),
            (
                "int f(const T& a LIB_BOUND, list b LIB_UNUSED = 1);",
                "LIB_BOUND LIB_UNUSED",
            ),
            ("void LIB_INLINE a::b() {", "LIB_INLINE"),
            ("class [[nodiscard]] LIB_API a : b {", "LIB_API"),
            ("LIB_DEFINE(unsigned char, 0);", "LIB_DEFINE unsigned char"),
            ("LIB_COMPARE(LE, <=)\nint a;", "LIB_COMPARE LE"),
            ("typedef LIB_BARE(T) a;", "T"),
            ("node* lib_nonnull next;", "lib_nonnull"),
            ("list<int> *a LIB_GUARDED(b);", "LIB_GUARDED b"),
            (
                "class a {\n  LIB_NEEDS(1)\n  a(int b) : c(b) {}",
                "LIB_NEEDS",
            ),
        ];
        for (source, words) in pairs {
            assert_eq!(prefixes(source).join(" "), words, "{source}");
        }
        for plain in *phrases!(
            "BOOL lib::f() {, if (a) DONE;, struct NODE a;, class A_B {, BOOL f<int>(int) {, class a final : b {, struct a b : 3;, enum a b : c;, x = f(A_B) + C_D;,
             int a : 3;, f(const list NODE);, f(struct node NODE);, a = b * c + d;, return a * b;, for (a *b in [c d]) {, A_B(C, d);"
        ) {
            assert!(prefixes(plain).is_empty(), "{plain}");
        }
    }

    #[test]
    fn conditions_around_parts_of_statements_are_read_in_one_way() {
        let read = |source: &str| {
            let blanked = super::blank(source.as_bytes());
            blanked.map(|blanked| String::from_utf8(blanked.bytes).unwrap())
        };
        let shown = |source: &str| read(source).map(|text| text.replace(' ', ""));
        let split = "if(a){\n#ifdef A\n}else{\n#endif\nb();\n#ifdef A\n}\n#endif\n}\n";
        assert_eq!(
            shown(split).unwrap(),
            "if(a){\n\n}else{\n\nb();\n\n}\n\n}\n"
        );
        assert_eq!(prefixes(split), ["A", "A"]);
        // Whatever stands behind a condition.
        assert_eq!(
            prefixes(&split.replace("#ifdef A\n", "# ifdef LONG \r\n")),
            ["LONG", "LONG"]
        );
        let other = "#if defined(A) // {\nif (a) {\n#else\nif (b()) {\n#endif\n}\n";
        assert_eq!(shown(other).unwrap(), "\nif(a){\n\n\n\n}\n");
        assert_eq!(prefixes(other), ["A", "b"]);
        let dead = "#if 0\nif (a) {\n#else\n{\n#endif\n}\n";
        assert_eq!(shown(dead).unwrap(), "\n\n\n{\n\n}\n");
        let condition = "if (a\n#ifdef A\n && b\n#endif\n) {}\n";
        assert_eq!(shown(condition).unwrap(), "if(a\n\n&&b\n\n){}\n");
        let guarded =
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\nf();\n#ifdef __cplusplus\n}\n#endif\n";
        assert_eq!(shown(guarded).unwrap(), "\n\n\nf();\n\n\n\n");
        let cpp = super::blank_cpp(guarded.as_bytes()).unwrap().bytes;
        assert_eq!(
            String::from_utf8(cpp).unwrap().replace(' ', ""),
            "\nextern\"C\"{\n\nf();\n\n}\n\n"
        );
        let one = "#ifdef __cplusplus\nextern \"C\"\n#endif\nvoid f(void);\n";
        assert_eq!(shown(one).unwrap(), "\n\n\nvoidf(void);\n");
        for whole in [
            "#ifdef A\nint f(void) { return 1; }\n#else\nint g(void) {}\n#endif\n",
            "#ifdef A\nchar *a = \"{\"; // {\n#endif\n",
            "#endif\n#else\n#if A\n}\n",
        ] {
            assert_eq!(read(whole), None, "{whole}");
        }
    }

    #[test]
    fn what_a_macro_stands_before_is_defined_and_the_macro_is_read() {
        let source =
            b"LIB_API int (*first)(void) LIB_END;\nLIB_STATIC node *second(node *a, node *b);\n";
        let record = extract(source, Grammar::C);
        let names = |name| String::from_utf8_lossy(record.names.get(name)).into_owned();
        let symbols: Vec<_> = record.symbols.iter().map(|s| names(s.name)).collect();
        assert_eq!(symbols, ["first", "second"]);
        let read: Vec<_> = record.occurrences.iter().map(|o| names(o.name)).collect();
        assert!(read.contains(&"LIB_API".to_owned()) && read.contains(&"LIB_STATIC".to_owned()));
        assert!(record.occurrences.is_sorted_by_key(|o| (o.line, o.col)));
    }
}
