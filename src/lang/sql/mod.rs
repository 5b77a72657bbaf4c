//! SQL, by tokens: what `CREATE` statements define, and every name that is used.
//!
//! Each database has a language of its own, so that a grammar of one takes half of another for
//! errors. The few words that matter here (`CREATE`, a kind, a name) are the same in all.
//! Guarantees: one pass, linear in the size of the file; a statement that is not finished costs no
//! other.

pub(crate) mod facts;
mod tokens;

use crate::limits::{MAX_NAME_BYTES, MAX_OCCURRENCES_PER_DOC, MAX_SYMBOLS_PER_DOC};
use crate::record::{Occurrence, Symbol};
use crate::syntax::found::{Found, Input};
use crate::syntax::intern::Interner;
use crate::syntax::prelude::*;
use std::ops::Range;
use tokens::{Kind, Token, tokens};

/// Words that may stand between `CREATE` and the kind of what is created.
const MODIFIERS: &[&[u8]] = byte_words!(
    "OR REPLACE ALTER UNIQUE TEMP TEMPORARY GLOBAL LOCAL UNLOGGED MATERIALIZED RECURSIVE VIRTUAL
     EXTERNAL CLUSTERED NONCLUSTERED FULLTEXT SPATIAL CONSTRAINT FORCE EDITIONABLE SECURE
     TRANSIENT AGGREGATE"
);

/// Words of the language that name nothing; types are among them.
const KEYWORDS: &[&[u8]] = byte_words!(
    "ADD AFTER ALL ALTER ALWAYS AND ANY AS ASC BEFORE BEGIN BETWEEN BIGINT BIGSERIAL BLOB BOOL
     BOOLEAN BY BYTEA CASCADE CASE CAST CHAR CHECK COLLATE COLUMN COMMENT COMMIT CONFLICT
     CONSTRAINT CREATE CROSS CURRENT_TIMESTAMP DATABASE DATE DATETIME DECIMAL DECLARE DEFAULT
     DEFINER DELETE DESC DISTINCT DO DOMAIN DOUBLE DROP EACH ELSE END ENUM EXCEPT EXECUTE EXISTS
     EXTENSION FALSE FETCH FIRST FLOAT FOR FOREIGN FROM FULL FUNCTION GENERATED GRANT GROUP HAVING
     IDENTITY IF ILIKE IMMUTABLE IN INDEX INNER INSERT INT INTEGER INTERSECT INTERVAL INTO IS JOIN
     JSON JSONB KEY LANGUAGE LAST LATERAL LEFT LIKE LIMIT LOOP MATERIALIZED NATURAL NEW NO NOT
     NULL NULLS NUMERIC OF OFFSET OLD ON OR ORDER OUTER OVER PARTITION PRECISION PRIMARY PROCEDURE
     REAL RECURSIVE REFERENCES REPLACE RETURN RETURNING RETURNS REVOKE RIGHT ROLLBACK ROW ROWS
     SCHEMA SELECT SEQUENCE SERIAL SET SETOF SMALLINT STABLE TABLE TEMP TEMPORARY TEXT THEN TIME
     TIMESTAMP TIMESTAMPTZ TINYINT TO TRANSACTION TRIGGER TRUE TRUNCATE TYPE UNION UNIQUE UNSIGNED
     UPDATE USING UUID VALUES VARCHAR VIEW VOID VOLATILE WHEN WHERE WHILE WITH WITHOUT ZONE"
);

/// Words before the name of a table.
const BEFORE_TABLE: &[&[u8]] = byte_words!("FROM JOIN INTO UPDATE TABLE REFERENCES");

/// Words that begin a line of a table which is no column.
const NO_COLUMN: &[&[u8]] = byte_words!(
    "CONSTRAINT PRIMARY FOREIGN UNIQUE CHECK KEY INDEX EXCLUDE LIKE FULLTEXT SPATIAL PERIOD"
);

/// Scans a file of SQL.
fn scan(input: &Input<'_>, names: &mut Interner) -> Found {
    let (src, lines) = (input.src, input.lines);
    let mut found = Found::default();
    let tokens = tokens(src, &mut found.comments);
    let mut reader = Reader {
        src,
        lines,
        tokens: &tokens,
        names,
        found,
        defined: Vec::new(),
        documented: None,
    };
    let mut at = 0;
    while at < tokens.len() {
        let end = reader.statement_end(at);
        reader.definition(at, end);
        at = end + 1;
    }
    reader.uses();
    reader.found
}

struct Reader<'a> {
    src: &'a [u8],
    lines: &'a [u32],
    tokens: &'a [Token],
    names: &'a mut Interner,
    found: Found,
    /// Tokens that are names of definitions.
    defined: Vec<usize>,
    /// The row last asked about, its doc comment and the row that begins on: many definitions may
    /// share them.
    documented: Option<(usize, (Range<u32>, usize))>,
}

impl Reader<'_> {
    fn token(&self, at: usize) -> Token {
        self.tokens.get(at).copied().unwrap_or(Token {
            kind: Kind::Other(0),
            start: self.src.len(),
            end: self.src.len(),
            row: 0,
            column: 0,
        })
    }

    fn is(&self, at: usize, word: &[u8]) -> bool {
        self.token(at).is(self.src, word)
    }

    fn is_mark(&self, at: usize, mark: u8) -> bool {
        self.token(at).kind == Kind::Other(mark)
    }

    /// Whether a new definition begins at a token: a `CREATE` that begins its line.
    fn creates(&self, at: usize) -> bool {
        let token = self.token(at);
        let line = self.lines.get(token.row).map_or(0, |start| *start as usize);
        token.is(self.src, b"CREATE")
            // Said first, so that a line is looked at once however many such words it has.
            && (at == 0 || self.token(at - 1).row < token.row)
            && self.src[line..token.start]
                .iter()
                .all(u8::is_ascii_whitespace)
    }

    /// The semicolon that ends a statement, or the token before the next `CREATE` that begins a
    /// line. The body of a routine is part of it: `$$ ... $$` and `BEGIN ... END`.
    fn statement_end(&self, start: usize) -> usize {
        let mut dollars = false;
        let mut blocks = 0usize;
        let mut routine = false;
        for at in start..self.tokens.len() {
            if at > start && self.creates(at) {
                return at - 1;
            }
            if at < start + 6 {
                routine |= self.token(at).is_any(
                    self.src,
                    &[b"FUNCTION", b"PROCEDURE", b"PROC", b"TRIGGER", b"PACKAGE"],
                );
            }
            if self.is_mark(at, b'$') {
                // The tag between the dollars is one word at most.
                if self.is_mark(at + 1, b'$') || self.is_mark(at + 2, b'$') {
                    let opens = self.token(at + 1).start == self.token(at).end;
                    dollars ^= opens;
                }
            } else if routine && self.opens_block(at) {
                blocks += 1;
            } else if routine && self.is(at, b"END") {
                blocks = blocks.saturating_sub(1);
            } else if self.is_mark(at, b';') && !dollars && blocks == 0 {
                return at;
            }
        }
        self.tokens.len().saturating_sub(1)
    }

    /// Whether a block of a routine begins at a token.
    fn opens_block(&self, at: usize) -> bool {
        let word = self.token(at);
        word.is_any(self.src, &[b"BEGIN", b"CASE", b"LOOP"])
            || (self.is(at, b"IF") && self.is_block_if(at))
    }

    /// Whether `IF` begins a statement, and is no `END IF` or `IF EXISTS`.
    fn is_block_if(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|at| self.token(at));
        let begins = before.is_none_or(|before| {
            before.kind == Kind::Other(b';')
                || before.is_any(self.src, &[b"BEGIN", b"THEN", b"ELSE", b"LOOP"])
        });
        begins && !self.is(at + 1, b"EXISTS") && !self.is(at + 1, b"NOT")
    }

    /// What a statement defines.
    fn definition(&mut self, start: usize, end: usize) {
        if !self.is(start, b"CREATE") {
            return;
        }
        let mut at = start + 1;
        while at < end && self.token(at).is_any(self.src, MODIFIERS) {
            at += 1;
        }
        let word = self.token(at);
        let is = |words: &[&[u8]]| word.is_any(self.src, words);
        let kind = if is(&[b"TABLE", b"VIEW"]) {
            SymbolKind::Struct
        } else if is(&[b"FUNCTION", b"PROCEDURE", b"PROC", b"MACRO", b"TRIGGER"]) {
            SymbolKind::Function
        } else if is(&[b"TYPE", b"DOMAIN"]) {
            SymbolKind::Type
        } else if is(&[b"SCHEMA", b"DATABASE", b"PACKAGE"]) {
            SymbolKind::Module
        } else if is(&[b"INDEX", b"SEQUENCE", b"POLICY"]) {
            SymbolKind::Constant
        } else {
            return;
        };
        at += 1;
        while self.token(at).is_any(
            self.src,
            &[b"IF", b"NOT", b"EXISTS", b"CONCURRENTLY", b"BODY"],
        ) {
            at += 1;
        }
        if !self.token(at).names() || at > end || self.is(at, b"ON") {
            return;
        }
        let mut receiver = None;
        while self.is_mark(at + 1, b'.') && self.token(at + 2).names() {
            receiver = Some(at);
            at += 2;
        }
        let name = at;
        let table = is(&[b"TABLE"]);
        let body = (name + 1..=end)
            .find(|at| self.is_mark(*at, b'(') || self.is(*at, b"AS") || self.is(*at, b"ON"));
        let body = body
            .map(|at| self.token(at).start)
            .filter(|_| kind != SymbolKind::Function);
        let Some(index) = self.push(kind, name, receiver, start, end, body, None) else {
            return;
        };
        if table {
            self.columns(name + 1, end, index);
        }
        let enumerates = self.is(name + 1, b"AS") && self.is(name + 2, b"ENUM");
        if enumerates {
            self.found.symbols[index as usize].kind = SymbolKind::Enum;
        }
    }

    /// The columns between the parentheses of a table.
    fn columns(&mut self, from: usize, end: usize, table: u32) {
        if !self.is_mark(from, b'(') {
            return;
        }
        let mut depth = 0usize;
        let mut first = false;
        let mut open: Option<usize> = None;
        for at in from..=end {
            let closes = self.is_mark(at, b')') && depth == 1;
            if (self.is_mark(at, b',') && depth == 1) || closes {
                if let Some(start) = open.take() {
                    let last = at.saturating_sub(1).max(start);
                    self.push(
                        SymbolKind::Field,
                        start,
                        None,
                        start,
                        last,
                        None,
                        Some(table),
                    );
                }
                first = true;
                if closes {
                    return;
                }
                continue;
            }
            if self.is_mark(at, b'(') {
                depth += 1;
                first |= depth == 1;
                continue;
            }
            if self.is_mark(at, b')') {
                depth = depth.saturating_sub(1);
            }
            if first && depth == 1 {
                let token = self.token(at);
                if token.names() && !token.is_any(self.src, NO_COLUMN) {
                    open = Some(at);
                }
                first = false;
            }
        }
        if let Some(start) = open {
            self.push(
                SymbolKind::Field,
                start,
                None,
                start,
                start,
                None,
                Some(table),
            );
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a symbol by its tokens")]
    fn push(
        &mut self,
        kind: SymbolKind,
        name: usize,
        receiver: Option<usize>,
        first: usize,
        last: usize,
        body: Option<usize>,
        container: Option<u32>,
    ) -> Option<u32> {
        let (token, first, last) = (self.token(name), self.token(first), self.token(last));
        let text = token.text(self.src);
        let fits = (1..=MAX_NAME_BYTES).contains(&text.len());
        if !fits || text.contains(&b'\n') || self.found.symbols.len() >= MAX_SYMBOLS_PER_DOC {
            return None;
        }
        let quote = |token: &Token| usize::from(token.kind == Kind::Quoted);
        let start = first.start - quote(&first);
        let end = (last.end + quote(&last)).min(self.src.len()).max(start);
        let stop = body.filter(|body| *body > start && *body <= end);
        let stop = stop.unwrap_or_else(|| {
            memchr::memchr(b'\n', &self.src[start..end]).map_or(end, |n| start + n)
        });
        let signature = start + self.src[start..stop].trim_ascii_end().len();
        let at = self.place(end);
        let (doc, lead) = match container {
            Some(_) => (0..0, first.row),
            None => self.doc_above(first.row),
        };
        let receiver = receiver.map(|at| self.token(at).text(self.src).to_vec());
        let receiver = receiver
            .filter(|name| (1..=MAX_NAME_BYTES).contains(&name.len()))
            .map(|name| self.names.intern(&name).0);
        let index = self.found.symbols.len() as u32;
        self.defined.push(name);
        self.found.leads.push(lead as u32 + 1);
        self.found.symbols.push(Symbol {
            name: self.names.intern(text).0,
            kind,
            flags: SymbolFlags::EXPORTED,
            container,
            receiver,
            span: start as u32..end as u32,
            start_line: first.row as u32 + 1,
            start_col: (first.column - quote(&first)) as u32,
            end_line: at.0,
            end_col: at.1,
            name_line: token.row as u32 + 1,
            name_col: token.column as u32,
            signature: start as u32..signature as u32,
            doc,
            body_hash: 0,
        });
        Some(index)
    }

    fn place(&self, byte: usize) -> (u32, u32) {
        let row = self
            .lines
            .partition_point(|start| *start as usize <= byte)
            .max(1);
        let start = self.lines.get(row - 1).copied().unwrap_or(0);
        (row as u32, byte as u32 - start)
    }

    fn doc_above(&mut self, row: usize) -> (Range<u32>, usize) {
        match &self.documented {
            Some((asked, doc)) if *asked == row => doc.clone(),
            _ => {
                let doc = self.doc(row);
                self.documented = Some((row, doc.clone()));
                doc
            }
        }
    }

    /// The comment that ends on the line above a row, and the row it begins on.
    fn doc(&self, row: usize) -> (Range<u32>, usize) {
        let Some(line) = self.lines.get(row).copied() else {
            return (0..0, row);
        };
        let mut span = 0..0;
        let mut first = line;
        let before = self
            .found
            .comments
            .partition_point(|comment| comment.end <= line);
        for comment in self.found.comments[..before].iter().rev() {
            let between = &self.src[comment.end as usize..first as usize];
            let adjacent = between.iter().all(u8::is_ascii_whitespace)
                && between.iter().filter(|b| **b == b'\n').count() <= 1;
            let (row, column) = self.place(comment.start as usize);
            if !adjacent || column > 0 {
                break;
            }
            let end = if span == (0..0) {
                comment.end
            } else {
                span.end
            };
            span = comment.start..end;
            first = self.lines[row as usize - 1];
        }
        let lead = if span == (0..0) {
            row
        } else {
            self.place(span.start as usize).0 as usize - 1
        };
        (span, lead)
    }

    /// Every name that is none of the language's words.
    fn uses(&mut self) {
        self.defined.sort_unstable();
        let mut defined = std::mem::take(&mut self.defined).into_iter().peekable();
        // First tokens of the paths that the token before last and the last one are part of.
        let mut heads = (0, 0);
        for at in 0..self.tokens.len() {
            let dotted = at > 1 && self.is_mark(at - 1, b'.');
            let head = if dotted { heads.0 } else { at };
            heads = (heads.1, head);
            if defined.next_if(|name| *name == at).is_some() {
                continue;
            }
            let token = self.tokens[at];
            let text = token.text(self.src);
            let usable = token.names()
                && (1..=MAX_NAME_BYTES).contains(&text.len())
                && !text.contains(&b'\n')
                && self.found.occurrences.len() < MAX_OCCURRENCES_PER_DOC;
            if !usable || (token.kind == Kind::Word && is_keyword(text)) {
                continue;
            }
            let member = dotted && self.token(at - 2).names();
            let listed = self.is_mark(at + 1, b'(');
            let table = head > 0
                && (self.token(head - 1).is_any(self.src, BEFORE_TABLE)
                    || (listed && self.is(head - 1, b"ON")));
            let last = !self.is_mark(at + 1, b'.');
            let kind = if table && last {
                OccurrenceKind::Type
            } else if self.is_mark(at + 1, b'(') && last {
                OccurrenceKind::Call
            } else {
                OccurrenceKind::Read
            };
            self.found.occurrences.push(Occurrence {
                name: self.names.intern(text).0,
                line: token.row as u32 + 1,
                col: token.column as u32,
                kind,
                qualifier: if member {
                    Qualifier::Previous
                } else {
                    Qualifier::None
                },
            });
        }
    }
}

fn is_keyword(word: &[u8]) -> bool {
    let upper = word.to_ascii_uppercase();
    KEYWORDS.binary_search(&upper.as_slice()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_in_order() {
        assert!(KEYWORDS.is_sorted());
        assert!(is_keyword(b"select") && !is_keyword(b"users"));
    }
}
