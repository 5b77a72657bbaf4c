//! HTML, and the components of Vue and Svelte: where their scripts and styles are, and the names
//! that their markup uses.
//!
//! Guarantees: one pass, linear in the size of the file, no recursion; whatever is not closed ends
//! with the file. Expressions of a template are taken apart into identifiers, not parsed: each is
//! short, and a parser for each would cost more than the scripts. Deliberately absent: the tree of
//! elements, which nobody asks an index for.

mod expression;

use crate::record::Grammar;
use crate::syntax::prelude::*;
use std::ops::Range;

/// A name the markup uses.
pub(crate) struct Use {
    pub(crate) name: Range<usize>,
    pub(crate) kind: OccurrenceKind,
    pub(crate) qualifier: Qualifier,
}

/// What a file of markup holds, by bytes and in order.
#[derive(Default)]
pub(crate) struct Markup {
    /// Scripts and styles, and what they are written in.
    pub(crate) embedded: Vec<(Range<usize>, Grammar)>,
    pub(crate) uses: Vec<Use>,
    /// `id` attributes with the elements they stand on.
    pub(crate) ids: Vec<(Range<usize>, Range<usize>)>,
    /// Files that are named, where.
    pub(crate) imports: Vec<(ImportKind, usize, Vec<u8>)>,
    pub(crate) comments: Vec<Range<u32>>,
}

/// One attribute: its name, and its value without quotes.
#[derive(Clone)]
struct Attribute {
    name: Range<usize>,
    value: Range<usize>,
}

struct Scanner<'a> {
    src: &'a [u8],
    lang: Grammar,
    out: Markup,
    attributes: Vec<Attribute>,
}

/// Scans a file of HTML, Vue or Svelte.
pub(crate) fn scan(src: &[u8], lang: Grammar) -> Markup {
    let mut scanner = Scanner {
        src,
        lang,
        out: Markup::default(),
        attributes: Vec::new(),
    };
    let mut at = 0;
    while at < src.len() {
        at = scanner.step(at);
    }
    scanner.out.uses.sort_by_key(|found| found.name.start);
    scanner.out
}

impl<'a> Scanner<'a> {
    fn text(&self, range: &Range<usize>) -> &'a [u8] {
        self.src.get(range.clone()).unwrap_or(b"")
    }

    /// Reads the next tag, comment or expression at or after `at`; returns where it ends.
    fn step(&mut self, at: usize) -> usize {
        let rest = &self.src[at..];
        let next = match self.lang {
            Grammar::Html => memchr::memchr(b'<', rest),
            _ => memchr::memchr2(b'<', b'{', rest),
        };
        let Some(found) = next else {
            return self.src.len();
        };
        let at = at + found;
        let rest = &self.src[at..];
        match rest {
            [b'<', b'!', b'-', b'-', ..] => {
                let len = memchr::memmem::find(rest, b"-->").map_or(rest.len(), |n| n + 3);
                self.out.comments.push(at as u32..(at + len) as u32);
                at + len
            }
            [b'<', b'/' | b'!' | b'?', ..] => {
                at + memchr::memchr(b'>', rest).map_or(rest.len(), |n| n + 1)
            }
            [b'<', first, ..] if first.is_ascii_alphabetic() => self.tag(at),
            [b'{', b'{', ..] if self.lang == Grammar::Vue => {
                let len = memchr::memmem::find(rest, b"}}").unwrap_or(rest.len());
                self.expression(at + 2..at + len);
                at + len
            }
            [b'{', ..] if self.lang == Grammar::Svelte => self.braces(at),
            _ => at + 1,
        }
    }

    /// `{...}` of Svelte; returns where it ends.
    fn braces(&mut self, at: usize) -> usize {
        let end = expression::closing(self.src, at);
        let mut start = at + 1;
        // `{#each`, `{:else if`, `{@html`, `{/if`: the word is the language's own.
        if matches!(self.src.get(start), Some(b'#' | b':' | b'@' | b'/')) {
            let word = self.src[start + 1..end]
                .iter()
                .take_while(|b| b.is_ascii_alphabetic());
            start += 1 + word.count();
        }
        self.expression(start.min(end)..end);
        (end + 1).min(self.src.len())
    }

    fn after_braces(&self, at: usize) -> usize {
        (expression::closing(self.src, at) + 1).min(self.src.len())
    }

    fn expression(&mut self, range: Range<usize>) {
        expression::names(self.src, range, &mut self.out.uses);
    }

    fn mention(&mut self, name: Range<usize>) {
        if !name.is_empty() {
            self.out.uses.push(Use {
                name,
                kind: OccurrenceKind::Mention,
                qualifier: Qualifier::None,
            });
        }
    }

    /// Each word of a value.
    fn mention_words(&mut self, value: Range<usize>) {
        let mut at = value.start;
        for word in self.text(&value).split(u8::is_ascii_whitespace) {
            if word.iter().all(is_tag_byte) {
                self.mention(at..at + word.len());
            }
            at += word.len() + 1;
        }
    }

    /// An opening tag; returns where it ends, or where the end of its script or style begins.
    fn tag(&mut self, at: usize) -> usize {
        let len = self.src[at + 1..]
            .iter()
            .take_while(|b| is_tag_byte(b))
            .count();
        let name = at + 1..at + 1 + len;
        let tag = self.text(&name);
        let component = tag.first().is_some_and(u8::is_ascii_uppercase) || tag.contains(&b'-');
        if component && !tag.contains(&b':') {
            self.component(name.clone());
        }
        let end = self.read_attributes(name.end);
        let attributes = std::mem::take(&mut self.attributes);
        for attribute in &attributes {
            self.attribute(attribute);
        }
        self.note_files(tag, &attributes, at..end);
        let raw = [&b"script"[..], b"style", b"template"]
            .into_iter()
            .find(|raw| tag.eq_ignore_ascii_case(raw));
        let mut next = end;
        let closed = self.src[..end].ends_with(b"/>");
        if let Some(raw) = raw.filter(|_| !closed)
            && (raw != b"template" || self.is_foreign(&attributes))
        {
            next = self.end_of(raw, end);
            if let Some(grammar) = self.written_in(raw, &attributes)
                && !self.src[end..next].trim_ascii().is_empty()
            {
                self.out.embedded.push((end..next, grammar));
            }
        }
        self.attributes = attributes;
        next
    }

    /// `<MyPart>`, `<my-part>`, `<Form.Field>`.
    fn component(&mut self, name: Range<usize>) {
        let mut at = name.start;
        for part in self.text(&name).split(|b| *b == b'.') {
            let qualifier = if at == name.start {
                Qualifier::None
            } else {
                Qualifier::Previous
            };
            self.out.uses.push(Use {
                name: at..at + part.len(),
                kind: OccurrenceKind::Call,
                qualifier,
            });
            at += part.len() + 1;
        }
    }

    /// The names an attribute uses.
    fn attribute(&mut self, attribute: &Attribute) {
        let Attribute { name, value } = attribute.clone();
        let key = self.text(&name);
        match self.lang {
            Grammar::Vue
                if key.starts_with(b"v-") || matches!(key.first(), Some(b':' | b'@' | b'#')) =>
            {
                match (value.is_empty(), self.bound_alone(&name)) {
                    (true, Some(bound)) => self.expression(bound),
                    _ => self.expression(value),
                }
                return;
            }
            Grammar::Svelte => {
                self.directive(&name, value.is_empty());
                let mut at = value.start;
                while let Some(open) = memchr::memchr(b'{', &self.src[at..value.end]) {
                    at = self.braces(at + open).min(value.end);
                }
            }
            Grammar::Html if key.starts_with(b"on") => {
                self.expression(value);
                return;
            }
            _ => {}
        }
        match key {
            b"class" | b"for" | b"form" | b"list" | b"ref" | b"aria-controls"
            | b"aria-describedby" | b"aria-labelledby" => self.mention_words(value),
            b"id" if self.lang != Grammar::Html => self.mention_words(value),
            b"href" if self.text(&value).starts_with(b"#") => {
                self.mention_words(value.start + 1..value.end);
            }
            _ => {}
        }
    }

    /// The variable that a component is given under its own name: `:item`, `v-bind:item`. One of several words
    /// (`:user-id`) is spelled otherwise where it is bound, so nothing is said of it.
    fn bound_alone(&self, name: &Range<usize>) -> Option<Range<usize>> {
        let key = self.text(name);
        let bound = key
            .strip_prefix(b":")
            .or_else(|| key.strip_prefix(b"v-bind:"))?;
        is_name(bound).then_some(name.end - bound.len()..name.end)
    }

    /// `use:action`, `transition:fade|local`, and `bind:value` where the name is the value.
    fn directive(&mut self, name: &Range<usize>, alone: bool) {
        let key = self.text(name);
        let Some(colon) = memchr::memchr(b':', key) else {
            return;
        };
        let names_code = match &key[..colon] {
            b"use" | b"transition" | b"in" | b"out" | b"animate" => true,
            b"bind" | b"class" | b"style" | b"let" => alone,
            _ => false,
        };
        let len = key[colon + 1..].iter().take_while(|b| **b != b'|').count();
        if names_code {
            let start = name.start + colon + 1;
            self.expression(start..start + len);
        }
    }

    /// Files that a script, a link or a style takes in; the `id` of an element.
    fn note_files(&mut self, tag: &[u8], attributes: &[Attribute], span: Range<usize>) {
        let found = |name: &[u8]| {
            attributes
                .iter()
                .find(|attribute| self.text(&attribute.name) == name)
        };
        let file = match tag {
            b"script" | b"style" | b"template" => found(b"src"),
            b"link" => found(b"href").filter(|_| {
                let rel = found(b"rel").map_or(&b""[..], |rel| self.text(&rel.value));
                rel.split(u8::is_ascii_whitespace)
                    .any(|rel| matches!(rel, b"stylesheet" | b"modulepreload" | b"manifest"))
            }),
            _ => None,
        };
        let id = found(b"id").filter(|_| self.lang == Grammar::Html);
        let id = id.map(|id| id.value.clone());
        if let Some(file) = file {
            let specifier = self.text(&file.value).to_vec();
            let at = file.value.start;
            self.out.imports.push((ImportKind::Import, at, specifier));
        }
        if let Some(id) = id.filter(|id| !id.is_empty() && self.text(id).iter().all(is_tag_byte)) {
            self.out.ids.push((id, span));
        }
    }

    fn value_of(&self, attributes: &[Attribute], name: &[u8]) -> &'a [u8] {
        attributes
            .iter()
            .find(|attribute| self.text(&attribute.name) == name)
            .map_or(b"", |attribute| self.text(&attribute.value))
    }

    /// Whether a template is not written in HTML (Vue's `lang="pug"`).
    fn is_foreign(&self, attributes: &[Attribute]) -> bool {
        !matches!(self.value_of(attributes, b"lang"), b"" | b"html")
    }

    /// What a script or style is written in, when that is parsed.
    fn written_in(&self, tag: &[u8], attributes: &[Attribute]) -> Option<Grammar> {
        let lang = self.value_of(attributes, b"lang");
        match tag {
            b"script" => match (lang, self.value_of(attributes, b"type")) {
                (b"ts" | b"typescript", _) | (_, b"text/typescript") => Some(Grammar::TypeScript),
                (b"tsx", _) => Some(Grammar::Tsx),
                (
                    b"" | b"js" | b"jsx" | b"javascript",
                    b""
                    | b"module"
                    | b"text/javascript"
                    | b"application/javascript"
                    | b"text/babel",
                ) => Some(Grammar::JavaScript),
                _ => None,
            },
            b"style" => matches!(lang, b"" | b"css" | b"postcss").then_some(Grammar::Css),
            _ => None,
        }
    }

    /// Where the closing tag of a script or style begins.
    fn end_of(&self, tag: &[u8], from: usize) -> usize {
        let mut at = from;
        while let Some(found) = memchr::memmem::find(&self.src[at..], b"</") {
            at += found;
            let name = self.src.get(at + 2..at + 2 + tag.len()).unwrap_or(b"");
            if name.eq_ignore_ascii_case(tag) {
                return at;
            }
            at += 2;
        }
        self.src.len()
    }

    /// Reads attributes up to and with the `>`; returns where that ends.
    fn read_attributes(&mut self, mut at: usize) -> usize {
        self.attributes.clear();
        loop {
            let rest = &self.src[at..];
            let blank = rest
                .iter()
                .take_while(|b| b.is_ascii_whitespace() || **b == b'/')
                .count();
            at += blank;
            match self.src.get(at) {
                None => return at,
                Some(b'>') => return at + 1,
                // A tag that is not closed before the next one.
                Some(b'<') => return at,
                // `{name}`, `{...rest}`.
                Some(b'{') if self.lang == Grammar::Svelte => {
                    let start = at;
                    at = self.after_braces(at);
                    self.attributes.push(Attribute {
                        name: start..start,
                        value: start..at,
                    });
                    continue;
                }
                Some(_) => {}
            }
            let start = at;
            let len = self.src[at..]
                .iter()
                .take_while(|b| !b.is_ascii_whitespace() && !b"=></".contains(b))
                .count();
            at += len.max(1);
            let name = start..at;
            let after = self.src[at..]
                .iter()
                .take_while(|b| b.is_ascii_whitespace())
                .count();
            let mut value = at..at;
            if self.src.get(at + after) == Some(&b'=') {
                at += after + 1;
                at += self.src[at..]
                    .iter()
                    .take_while(|b| b.is_ascii_whitespace())
                    .count();
                value = self.value(at);
                at = value.end;
                if matches!(self.src.get(at), Some(b'"' | b'\'')) && value.start > 0 {
                    at += usize::from(self.src.get(value.start - 1) == self.src.get(at));
                }
            }
            self.attributes.push(Attribute { name, value });
        }
    }

    /// The value that begins at `at`, without quotes.
    fn value(&self, at: usize) -> Range<usize> {
        let rest = &self.src[at..];
        match rest.first() {
            Some(quote @ (b'"' | b'\'')) => {
                let len = memchr::memchr(*quote, &rest[1..]).unwrap_or(rest.len() - 1);
                at + 1..at + 1 + len
            }
            Some(b'{') if self.lang == Grammar::Svelte => at..self.after_braces(at),
            _ => {
                let plain = |b: &&u8| !b.is_ascii_whitespace() && **b != b'>';
                at..at + rest.iter().take_while(plain).count()
            }
        }
    }
}

/// Bytes of the name of a tag, and of a class.
fn is_tag_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.') || *byte >= 0x80
}
