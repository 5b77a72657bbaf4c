//! Dockerfiles, by instructions: the stages of a build, its variables, and where they are used.
//!
//! The grammars that exist read the shell commands in a Dockerfile too, and take quotes in them for
//! errors that swallow the instructions below. An instruction is a line with those it is continued on,
//! which takes no grammar. Guarantees: one pass, linear in the size of the file.

pub(crate) mod facts;

use crate::id::LocalName;
use crate::limits::{
    MAX_NAME_BYTES, MAX_OCCURRENCES_PER_DOC, MAX_SPECIFIER_BYTES, MAX_SYMBOLS_PER_DOC,
};
use crate::record::{
    Import, ImportKind, Occurrence, OccurrenceKind, Qualifier, Symbol, SymbolFlags, SymbolKind,
};
use crate::syntax::found::{Found, Input, point};
use crate::syntax::intern::Interner;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Scans a Dockerfile.
fn scan(input: &Input<'_>, names: &mut Interner) -> Found {
    let (src, lines) = (input.src, input.lines);
    let mut reader = Reader {
        src,
        lines,
        names,
        found: Found::default(),
        escape: b'\\',
        stages: FxHashSet::default(),
        bound: FxHashSet::default(),
        ends: FxHashMap::default(),
        stage: None,
        doc: 0..0,
    };
    if memchr::memmem::find(src, b"<<").is_some() {
        for row in 0..lines.len() {
            let word = reader.text(reader.line(row)).trim_ascii();
            if word.iter().all(is_part) {
                reader.ends.insert(word, row);
            }
        }
    }
    let mut row = 0;
    while row < lines.len() {
        row = reader.instruction(row);
    }
    reader.end_stage(src.len());
    reader.found
}

struct Reader<'a> {
    src: &'a [u8],
    lines: &'a [u32],
    names: &'a mut Interner,
    found: Found,
    /// What continues a line, which a directive may set.
    escape: u8,
    /// Names of the stages so far, in lower case as they are compared.
    stages: FxHashSet<Vec<u8>>,
    bound: FxHashSet<(Option<u32>, LocalName)>,
    /// The last line on which each word stands alone, which may end a text.
    ends: FxHashMap<&'a [u8], usize>,
    /// The stage being read.
    stage: Option<u32>,
    /// Bytes of the comment lines just above.
    doc: Range<usize>,
}

impl<'a> Reader<'a> {
    /// Bounds of a line without its line break.
    fn line(&self, row: usize) -> Range<usize> {
        let start = self
            .lines
            .get(row)
            .map_or(self.src.len(), |at| *at as usize);
        let next = self.lines.get(row + 1);
        let end = next.map_or(self.src.len(), |next| *next as usize);
        start..start + self.src[start..end].trim_ascii_end().len()
    }

    fn text(&self, range: Range<usize>) -> &'a [u8] {
        self.src.get(range).unwrap_or(b"")
    }

    /// Reads what begins on a line and returns the line after it.
    fn instruction(&mut self, first: usize) -> usize {
        let line = self.line(first);
        let text = self.text(line.clone()).trim_ascii_start();
        let start = line.end - text.len();
        if text.is_empty() {
            self.doc = 0..0;
            return first + 1;
        }
        if text.starts_with(b"#") {
            self.comment(start..line.end);
            return first + 1;
        }
        let (mut row, mut end) = (first, line.end);
        // Pieces of the instruction, without the comments between them.
        let mut pieces: Vec<_> = std::iter::once(start..line.end).collect();
        while self.text(end - 1..end) == [self.escape] && row + 1 < self.lines.len() {
            row += 1;
            let next = self.line(row);
            let text = self.text(next.clone()).trim_ascii_start();
            if text.starts_with(b"#") {
                self.found
                    .comments
                    .push((next.end - text.len()) as u32..next.end as u32);
                // A comment does not end what it stands in.
                continue;
            }
            if text.is_empty() {
                continue;
            }
            end = next.end;
            pieces.push(next);
        }
        let row = self.heredocs(&mut pieces, row);
        let end = pieces.last().map_or(end, |last| last.end);
        self.read(start..end, &pieces);
        self.doc = 0..0;
        row + 1
    }

    fn comment(&mut self, at: Range<usize>) {
        self.found.comments.push(at.start as u32..at.end as u32);
        let words = self.text(at.start + 1..at.end).trim_ascii();
        if let Some(value) = words.strip_prefix(b"escape=")
            && self.found.symbols.is_empty()
        {
            self.escape = value.first().copied().unwrap_or(b'\\');
        }
        let directives = [&b"syntax="[..], b"escape=", b"check="];
        if directives
            .iter()
            .any(|directive| words.starts_with(directive))
        {
            return;
        }
        let start = if self.doc.is_empty() {
            at.start
        } else {
            self.doc.start
        };
        self.doc = start..at.end;
    }

    /// Adds the lines of `<<EOF` texts to an instruction that ends on `row`; returns their last.
    fn heredocs(&self, pieces: &mut Vec<Range<usize>>, mut row: usize) -> usize {
        let mut open: Vec<&[u8]> = Vec::new();
        for piece in pieces.iter() {
            let mut rest = self.text(piece.clone());
            while let Some(at) = memchr::memmem::find(rest, b"<<") {
                rest = &rest[at + 2..];
                let word = rest.strip_prefix(b"-").unwrap_or(rest);
                let quote = |b: &u8| matches!(b, b'"' | b'\'');
                let word = word
                    .strip_prefix(b"\"")
                    .or(word.strip_prefix(b"'"))
                    .unwrap_or(word);
                let len = word.iter().take_while(|b| is_part(b)).count();
                if len > 0 && word.get(len).is_none_or(|b| quote(b) || !is_part(b)) {
                    open.push(&word[..len]);
                }
            }
        }
        for end in open {
            if self.ends.get(end).is_none_or(|last| *last <= row) {
                // Not closed, so it may be something else.
                return row;
            }
            let mut below = row + 1;
            while self.text(self.line(below)).trim_ascii() != end {
                below += 1;
            }
            pieces.extend((row + 1..=below).map(|row| self.line(row)));
            row = below;
        }
        row
    }

    fn read(&mut self, span: Range<usize>, pieces: &[Range<usize>]) {
        let words = self.words(pieces);
        let Some(keyword) = words.first() else {
            return;
        };
        let keyword = self.text(keyword.clone()).to_ascii_uppercase();
        match &*keyword {
            b"FROM" => {
                self.end_stage(span.start);
                self.from(span, &words);
                return;
            }
            b"ARG" | b"ENV" => {
                self.variables(span, &words, keyword == b"ENV");
                return;
            }
            _ => {}
        }
        let flag = |word: &&Range<usize>| self.text((*word).clone()).starts_with(b"--");
        let flags: Vec<_> = words.iter().skip(1).take_while(flag).cloned().collect();
        let after = flags.last().map_or(span.start, |last| last.end);
        for word in flags {
            self.flag(word);
        }
        for piece in pieces {
            self.uses(piece.start.max(after)..piece.end);
        }
    }

    /// `--from=stage`, `--mount=type=bind,from=stage`.
    fn flag(&mut self, word: Range<usize>) {
        let text = self.text(word.clone());
        let mut at = word.start;
        for part in text.split(|b| *b == b',') {
            let begins = [&b"--from="[..], b"--mount=from=", b"from="];
            let begin = begins.iter().find(|begin| part.starts_with(begin));
            let value = at + begin.map_or(0, |begin| begin.len())..at + part.len();
            if begin.is_none() || !self.image(value.clone(), OccurrenceKind::Read) {
                self.uses(value);
            }
            at += part.len() + 1;
        }
    }

    /// The words of an instruction, quoted ones whole, without what continues its lines.
    fn words(&self, pieces: &[Range<usize>]) -> Vec<Range<usize>> {
        let mut words = Vec::new();
        for piece in pieces {
            let text = self.text(piece.clone());
            let mut at = 0;
            while at < text.len() {
                if text[at].is_ascii_whitespace() {
                    at += 1;
                    continue;
                }
                let start = at;
                let mut quote = None;
                while at < text.len() && (quote.is_some() || !text[at].is_ascii_whitespace()) {
                    match (quote, text[at]) {
                        (None, b @ (b'"' | b'\'')) => quote = Some(b),
                        (Some(open), b) if b == open => quote = None,
                        (_, b) if b == self.escape => at += 1,
                        _ => {}
                    }
                    at += 1;
                }
                let end = at.min(text.len());
                if text[start..end] != [self.escape] {
                    words.push(piece.start + start..piece.start + end);
                }
            }
        }
        words
    }

    /// `FROM [--platform=...] image [AS stage]`.
    fn from(&mut self, span: Range<usize>, words: &[Range<usize>]) {
        let flag = |word: &&Range<usize>| self.text((*word).clone()).starts_with(b"--");
        let flags: Vec<_> = words.iter().skip(1).take_while(flag).cloned().collect();
        let mut rest = words.iter().skip(1 + flags.len());
        let image = rest.next().cloned();
        for word in flags {
            self.uses(word);
        }
        let named = rest
            .next()
            .is_some_and(|word| self.text(word.clone()).eq_ignore_ascii_case(b"AS"));
        let name = rest.next().filter(|_| named).cloned();
        let name = name.filter(|name| is_stage(self.text(name.clone())));
        if let Some(name) = &name {
            self.stage = self.symbol(SymbolKind::Module, name.clone(), span, None);
        }
        if let Some(image) = image
            && !self.image(image.clone(), OccurrenceKind::Inherit)
        {
            self.uses(image);
        }
        if let Some(name) = name {
            self.stages.insert(self.text(name).to_ascii_lowercase());
        }
    }

    /// Whether an image is a stage of this file, which is noted; one from elsewhere is imported.
    fn image(&mut self, at: Range<usize>, kind: OccurrenceKind) -> bool {
        let text = self.text(at.clone());
        if self.stages.contains(&text.to_ascii_lowercase()) {
            self.occurrence(at, kind);
            return true;
        }
        if text.len() <= MAX_SPECIFIER_BYTES && !text.iter().all(u8::is_ascii_digit) {
            self.found.imports.push(Import {
                kind: ImportKind::Import,
                line: point(self.lines, at.start).row as u32 + 1,
                specifier: text.to_vec(),
                bindings: Vec::new(),
            });
        }
        false
    }

    /// `ARG name[=value] ...`, `ENV name=value ...`, `ENV name value`. The first of a name in a stage
    /// defines it.
    fn variables(&mut self, span: Range<usize>, words: &[Range<usize>], is_env: bool) {
        let has_value = |text: &[u8]| text.contains(&b'=');
        let old_form = is_env
            && words
                .get(1)
                .is_some_and(|word| !has_value(self.text(word.clone())));
        let alone = words.len() == 2 || old_form;
        for (i, word) in words.iter().enumerate().skip(1) {
            let text = self.text(word.clone());
            let len = text.iter().take_while(|b| is_part(b)).count();
            let names = text.get(len).is_none_or(|b| *b == b'=') && (i == 1 || !old_form);
            if len == 0 || !names || text[0].is_ascii_digit() {
                self.uses(word.clone());
                continue;
            }
            let name = word.start..word.start + len;
            let (id, _) = self.names.intern(&text[..len]);
            if self.bound.insert((self.stage, id)) {
                let span = if alone { span.clone() } else { word.clone() };
                self.symbol(SymbolKind::Variable, name, span, self.stage);
            } else {
                self.occurrence(name, OccurrenceKind::Write);
            }
            self.uses(word.start + len..word.end);
        }
    }

    /// `$name`, `${name...}`.
    fn uses(&mut self, range: Range<usize>) {
        let text = self.text(range.clone());
        for at in memchr::memchr_iter(b'$', text) {
            let escaped =
                at.checked_sub(1).and_then(|before| text.get(before)) == Some(&self.escape);
            let brace = usize::from(text.get(at + 1) == Some(&b'{'));
            let name = text.get(at + 1 + brace..).unwrap_or(b"");
            let len = name.iter().take_while(|b| is_part(b)).count();
            if len > 0 && !name[0].is_ascii_digit() && !escaped {
                let start = range.start + at + 1 + brace;
                self.occurrence(start..start + len, OccurrenceKind::Read);
            }
        }
    }

    fn occurrence(&mut self, at: Range<usize>, kind: OccurrenceKind) {
        let name = self.text(at.clone());
        let fits = (1..=MAX_NAME_BYTES).contains(&name.len());
        if !fits || self.found.occurrences.len() >= MAX_OCCURRENCES_PER_DOC {
            return;
        }
        let place = point(self.lines, at.start);
        self.found.occurrences.push(Occurrence {
            name: self.names.intern(name).0,
            line: place.row as u32 + 1,
            col: place.column as u32,
            kind,
            qualifier: Qualifier::None,
        });
    }

    fn symbol(
        &mut self,
        kind: SymbolKind,
        name: Range<usize>,
        span: Range<usize>,
        container: Option<u32>,
    ) -> Option<u32> {
        let text = self.text(name.clone());
        let fits = (1..=MAX_NAME_BYTES).contains(&text.len());
        if !fits || self.found.symbols.len() >= MAX_SYMBOLS_PER_DOC {
            return None;
        }
        let (start, end, named) = (
            point(self.lines, span.start),
            point(self.lines, span.end),
            point(self.lines, name.start),
        );
        let first_line = memchr::memchr(b'\n', &self.src[span.clone()]);
        let signature = first_line.map_or(span.end, |len| {
            span.start
                + self.src[span.start..span.start + len]
                    .trim_ascii_end()
                    .len()
        });
        let doc = self.doc.clone();
        let lead = match doc.is_empty() {
            true => start.row,
            false => point(self.lines, doc.start).row,
        };
        self.found.leads.push(lead as u32 + 1);
        self.found.symbols.push(Symbol {
            name: self.names.intern(text).0,
            kind,
            // Whoever builds may set a variable or name a stage.
            flags: SymbolFlags::EXPORTED,
            container,
            receiver: None,
            span: span.start as u32..span.end as u32,
            start_line: start.row as u32 + 1,
            start_col: start.column as u32,
            end_line: end.row as u32 + 1,
            end_col: end.column as u32,
            name_line: named.row as u32 + 1,
            name_col: named.column as u32,
            signature: span.start as u32..signature as u32,
            doc: doc.start as u32..doc.end as u32,
            body_hash: 0,
        });
        Some(self.found.symbols.len() as u32 - 1)
    }

    /// A stage goes on to the next one, but for the comment above that.
    fn end_stage(&mut self, next: usize) {
        let Some(stage) = self.stage.take() else {
            return;
        };
        let next = if self.doc.is_empty() {
            next
        } else {
            self.doc.start
        };
        let symbol = &mut self.found.symbols[stage as usize];
        let start = symbol.span.start as usize;
        let end = start + self.src[start..next.max(start)].trim_ascii_end().len();
        let at = point(self.lines, end);
        symbol.span.end = symbol.span.end.max(end as u32);
        (symbol.end_line, symbol.end_col) = (at.row as u32 + 1, at.column as u32);
    }
}

fn is_part(b: &u8) -> bool {
    b.is_ascii_alphanumeric() || *b == b'_'
}

/// Whether a word can be the name of a stage.
fn is_stage(word: &[u8]) -> bool {
    let part = |b: &u8| is_part(b) || matches!(b, b'-' | b'.');
    word.first().is_some_and(u8::is_ascii_alphabetic) && word.iter().all(part)
}

#[cfg(test)]
mod tests {
    use crate::extract::extract;
    use crate::record::Grammar;

    fn names(source: &str) -> Vec<String> {
        let record = extract(source.as_bytes(), Grammar::Dockerfile);
        let name = |symbol: &crate::record::Symbol<_>| {
            String::from_utf8_lossy(record.names.get(symbol.name)).into_owned()
        };
        record.symbols.iter().map(name).collect()
    }

    #[test]
    fn shell_commands_cannot_hide_instructions() {
        let source =
            "FROM a AS b\nRUN echo \"$(echo \"it's\" | tr -d 3)\"\n# ARG no=1\nARG yes=1\n";
        assert_eq!(names(source), ["b", "yes"]);
        let unclosed = "FROM a\nRUN cat <<EOF\nENV a=1\n";
        assert_eq!(names(unclosed), ["a"]);
        let text = "FROM a\nCOPY <<EOF /x\nENV no=1\nEOF\nENV yes=1\n";
        assert_eq!(names(text), ["yes"]);
    }

    #[test]
    fn another_sign_may_continue_lines() {
        let source = "# escape=`\nFROM a AS b\nENV c=1 `\n    d=2\n";
        assert_eq!(names(source), ["b", "c", "d"]);
    }

    #[test]
    fn unfinished_files_end() {
        for source in [
            "FROM",
            "FROM a AS",
            "ARG =",
            "ENV",
            "RUN \\",
            "COPY --from=",
            "\\",
            "$",
            "RUN <<",
        ] {
            names(source);
        }
    }
}
