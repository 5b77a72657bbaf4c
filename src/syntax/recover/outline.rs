//! What a file consists of, as its layout says: declarations, those that hold others with a head and an end.

use super::rows::Rows;
use crate::syntax::unclosed::word_len;
use std::ops::Range;

/// How deep declarations in declarations are told apart.
const MAX_DEPTH: u32 = 8;
/// Lines from which on anything in braces is taken for something that holds others, where statements may.
const LONG: usize = 60;

/// Words that say that a declaration holds others.
const HOLDERS: [&[u8]; 19] = [
    b"actor",
    b"class",
    b"companion",
    b"enum",
    b"extension",
    b"extern",
    b"impl",
    b"interface",
    b"mixin",
    b"mod",
    b"module",
    b"namespace",
    b"object",
    b"package",
    b"protocol",
    b"record",
    b"struct",
    b"trait",
    b"union",
];

/// Words that go on with what stands above.
const GOES_ON: [&[u8]; 13] = [
    b"catch", b"do", b"elif", b"else", b"elsif", b"end", b"ensure", b"except", b"finally",
    b"rescue", b"then", b"until", b"where",
];

/// What says who sees the members below.
const LABELS: [&[u8]; 3] = [b"private:", b"protected:", b"public:"];

/// A declaration, or another run of lines at one depth.
pub(super) struct Piece {
    pub(super) rows: Range<usize>,
    /// What it lies in; the file lies in itself.
    pub(super) up: usize,
    /// The lines between its head and its end, if it holds others.
    pub(super) body: Option<Range<usize>>,
    /// What it holds, in order.
    pub(super) kids: Range<usize>,
    /// Lines of its body that belong to none of these and are always read, such as `#endif`.
    pub(super) frame: Vec<usize>,
    depth: u32,
}

impl Piece {
    /// What stands in the block of a piece that holds no others.
    pub(super) fn within(&self, at: usize, rows: Range<usize>) -> Self {
        Self::new(rows, at, self.depth + 1)
    }

    fn new(rows: Range<usize>, up: usize, depth: u32) -> Self {
        Self {
            rows,
            up,
            body: None,
            kids: 0..0,
            frame: Vec::new(),
            depth,
        }
    }

    /// Lines of its head.
    pub(super) fn head(&self) -> Range<usize> {
        let end = self.body.as_ref().map_or(self.rows.end, |body| body.start);
        self.rows.start..end
    }

    /// Lines that close it.
    pub(super) fn tail(&self) -> Range<usize> {
        let start = self.body.as_ref().map_or(self.rows.end, |body| body.end);
        start..self.rows.end
    }
}

/// Cuts a file into pieces. The first is the file; the others stand behind what they lie in.
pub(super) fn pieces(rows: &Rows<'_>) -> Vec<Piece> {
    let mut file = Piece::new(0..rows.len(), 0, 0);
    file.body = Some(0..rows.len());
    let mut pieces = vec![file];
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        let depth = piece.depth + 1;
        let body = match at {
            0 => Some(0..rows.len()),
            _ if depth <= MAX_DEPTH => body(rows, &piece.rows),
            _ => None,
        };
        if let Some(body) = body {
            let (units, frame) = units(rows, &body);
            if !units.is_empty() || at == 0 {
                let first = pieces.len();
                pieces.extend(units.into_iter().map(|rows| Piece::new(rows, at, depth)));
                let last = pieces.len();
                let piece = &mut pieces[at];
                (piece.body, piece.kids, piece.frame) = (Some(body), first..last, frame);
            }
        }
        at += 1;
    }
    pieces
}

/// Cuts a body into what it holds, and says which lines are none of that.
fn units(rows: &Rows<'_>, body: &Range<usize>) -> (Vec<Range<usize>>, Vec<usize>) {
    let mut frame = conditions(rows, body);
    let mut told: Vec<usize> = body
        .clone()
        .filter(|row| rows.indent(*row).is_some() && !rows.is_directive(*row))
        .collect();
    let is_label = |row: &usize| LABELS.contains(&rows.text(*row));
    let others = told.iter().filter(|row| !is_label(row));
    let Some(level) = others.filter_map(|row| rows.indent(*row)).min() else {
        return (Vec::new(), frame);
    };
    told.retain(|row| {
        let is_frame = is_label(row) && rows.indent(*row) <= Some(level);
        frame.extend(is_frame.then_some(*row));
        !is_frame
    });
    let mut starts: Vec<Range<usize>> = Vec::new();
    let mut closers: Vec<usize> = Vec::new();
    // Where the unit that is being read begins, and whether all of it so far belongs to what follows.
    let mut unit: Option<usize> = None;
    let mut leads = true;
    for (at, row) in told.iter().copied().enumerate() {
        let text = rows.text(row);
        if rows.indent(row) != Some(level) {
            unit = unit.or(Some(row));
            leads = false;
            continue;
        }
        if closers.last() == Some(&row) || text.starts_with(b"<?") {
            closers.pop_if(|closer| *closer == row);
            starts.extend(unit.take().map(|start| start..row));
            frame.push(row);
            leads = true;
            continue;
        }
        if let Some(closer) = flat_block(rows, &told, at, level, &closers) {
            let head = match unit.take() {
                Some(start) if leads || text == b"{" => start,
                Some(start) => {
                    starts.push(start..row);
                    row
                }
                None => row,
            };
            frame.extend(head..row + 1);
            closers.push(closer);
            leads = true;
            continue;
        }
        let lead = is_lead(rows, text);
        match unit {
            Some(_) if goes_on(rows, text) || is_constructor(rows, &told[..at], text) => {
                leads = false;
            }
            Some(_) if leads => leads = lead,
            Some(_) if rows.shape.terminated && is_open(rows, row) => {}
            Some(start) => {
                starts.push(start..row);
                (unit, leads) = (Some(row), lead);
            }
            None => (unit, leads) = (Some(row), lead),
        }
    }
    starts.extend(unit.map(|start| start..body.end));
    frame.sort_unstable();
    let is_framed = |row: usize| frame.binary_search(&row).is_ok();
    let is_left = |row: usize| rows.is_blank(row) || is_framed(row) || rows.is_directive(row);
    for unit in &mut starts {
        while unit.len() > 1 && is_left(unit.end - 1) {
            unit.end -= 1;
        }
    }
    let is_other = |row: usize| rows.is_directive(row) && !is_framed(row);
    starts.extend(between(&starts, body, is_other));
    starts.sort_by_key(|unit| unit.start);
    if let Some(first) = starts.first().filter(|unit| is_docstring(rows, unit)) {
        frame.extend(first.clone());
        frame.sort_unstable();
        starts.remove(0);
    }
    (starts, frame)
}

/// Runs of lines between units, of which `is_one` holds.
fn between(
    units: &[Range<usize>],
    body: &Range<usize>,
    is_one: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut next = body.start;
    let end = std::iter::once(body.end..body.end);
    for unit in units.iter().cloned().chain(end) {
        for row in (next..unit.start).filter(|row| is_one(*row)) {
            match found.last_mut().filter(|last| last.end == row) {
                Some(last) => last.end = row + 1,
                None => found.push(row..row + 1),
            }
        }
        next = unit.end;
    }
    found
}

/// Whether lines are a text about what they stand in, where a block may begin with one.
fn is_docstring(rows: &Rows<'_>, unit: &Range<usize>) -> bool {
    if rows.shape.filler.is_empty() {
        return false;
    }
    let (first, last) = (rows.text(unit.start), rows.text(unit.end - 1));
    let Some(quotes) = rows
        .shape
        .long
        .iter()
        .find(|quotes| first.starts_with(quotes))
    else {
        return false;
    };
    last.ends_with(quotes) && (unit.len() > 1 || first.len() >= 2 * quotes.len())
}

/// Lines of conditions for a preprocessor, with the lines they go on in.
fn conditions(rows: &Rows<'_>, body: &Range<usize>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut goes_on = false;
    for row in body.clone() {
        let text = rows.text(row);
        let is_one = || {
            let word = text.strip_prefix(b"#").unwrap_or(b"").trim_ascii_start();
            let words: [&[u8]; 5] = [b"if", b"el", b"end", b"region", b"pragma"];
            rows.indent(row).is_some()
                && rows.is_directive(row)
                && words.iter().any(|known| word.starts_with(known))
        };
        if goes_on || is_one() {
            found.push(row);
            goes_on = text.ends_with(b"\\");
        }
    }
    found
}

/// The line that ends the block that a line opens, if what stands in it is indented no further. Where
/// brackets do not pair it is the last line that is free to.
fn flat_block(
    rows: &Rows<'_>,
    told: &[usize],
    at: usize,
    level: u32,
    closers: &[usize],
) -> Option<usize> {
    let (row, next) = (*told.get(at)?, *told.get(at + 1)?);
    let is_flat = rows.indent(next)? <= level && !rows.text(next).starts_with(b"}");
    if !is_flat || !rows.text(row).ends_with(b"{") {
        return None;
    }
    let closes =
        |row: &usize| rows.indent(*row) == Some(level) && rows.text(*row).starts_with(b"}");
    let paired = rows.closer(row).filter(closes);
    if paired.is_some_and(|closer| told.binary_search(&closer).is_ok()) {
        return paired;
    }
    let (last, before) = match told.iter().rposition(|row| !closers.contains(row)) {
        Some(last) => (told[last], told[..last].last()),
        None => return None,
    };
    let is_free = before.is_some_and(|before| rows.indent(*before) == Some(level));
    (closes(&last) && is_free).then_some(last)
}

/// Whether a line belongs to what follows it.
fn is_lead(rows: &Rows<'_>, text: &[u8]) -> bool {
    let marks: [&[u8]; 6] = [b"@", b"#[", b"/*", b"*", b"[", b"template"];
    text.starts_with(rows.shape.comment) || marks.iter().any(|mark| text.starts_with(mark))
}

/// Whether a line goes on with what stands above it.
fn goes_on(rows: &Rows<'_>, text: &[u8]) -> bool {
    let word = text.iter().take_while(|byte| byte.is_ascii_lowercase());
    let word = &text[..word.count()];
    let begins = text
        .first()
        .is_some_and(|byte| b"{})],.:=?&|+".contains(byte));
    let is_known = GOES_ON.contains(&word) || rows.shape.ends.contains(&word);
    begins || text.starts_with(b"->") || is_known
}

/// Whether a line has the constructor of the class whose head stands above it.
fn is_constructor(rows: &Rows<'_>, above: &[usize], text: &[u8]) -> bool {
    let Some(at) = memchr::memmem::find(text, b"constructor") else {
        return false;
    };
    let is_word = at == 0 || text[at - 1] == b' ';
    let head = above.last().filter(|_| is_word);
    head.is_some_and(|row| {
        !rows.text(*row).ends_with(b"}") && holder(rows, *row..row + 1).is_some()
    })
}

/// Whether what stands above a line has not ended, in a language that ends everything.
fn is_open(rows: &Rows<'_>, row: usize) -> bool {
    let Some(above) = row.checked_sub(1) else {
        return false;
    };
    let text = rows.text(above);
    !(rows.is_blank(above)
        || rows.indent(above).is_none()
        || rows.is_directive(above)
        || text.starts_with(rows.shape.comment)
        || text.ends_with(b"*/")
        || text.ends_with(b";")
        || text.ends_with(b"}"))
}

/// Words that lines begin with that declare nothing.
const STATEMENTS: [&[u8]; 16] = [
    b"assert", b"case", b"delete", b"echo", b"export", b"for", b"from", b"if", b"import",
    b"include", b"return", b"switch", b"throw", b"use", b"using", b"while",
];

/// Whether lines look like a declaration: by the words before its parameters or its value, or by a block after
/// a name.
pub(super) fn declares(rows: &Rows<'_>, unit: &Range<usize>) -> bool {
    let is_first = |row: &usize| {
        rows.indent(*row).is_some() && !rows.is_directive(*row) && !is_lead(rows, rows.text(*row))
    };
    let Some(first) = unit.clone().find(is_first) else {
        return false;
    };
    let text = rows.text(first);
    let ends = |byte: &u8| b"(={;".contains(byte);
    let head = text.split(ends).next().unwrap_or(b"");
    let mut words =
        head.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80));
    let word = words.find(|word| !word.is_empty()).unwrap_or(b"");
    let has_more = words.any(|word| !word.is_empty());
    let by = rows.shape.opens;
    let has_block = !by.is_empty() && text.ends_with(by);
    !word.is_empty() && !STATEMENTS.contains(&word) && (has_more || has_block)
}

/// The lines between the head and the end of what holds others; `None` where it does not look like that.
fn body(rows: &Rows<'_>, unit: &Range<usize>) -> Option<Range<usize>> {
    let body = block(rows, unit)?;
    holds(rows, unit.start..body.start, unit.len()).then_some(body)
}

/// The lines of the block that a unit ends with.
pub(super) fn block(rows: &Rows<'_>, unit: &Range<usize>) -> Option<Range<usize>> {
    let told = |row: &usize| rows.indent(*row).is_some() && !rows.is_directive(*row);
    let first = unit.clone().find(told)?;
    let level = rows.indent(first)?;
    let mut above = first;
    let start = loop {
        let row = (above + 1..unit.end).find(told)?;
        let indent = rows.indent(row)?;
        if indent < level {
            return None;
        }
        let text = rows.text(above);
        if indent > level && opens(rows, text) && !text.starts_with(b"}") {
            break above + 1;
        }
        above = row;
    };
    let closes = |row: &usize| {
        let text = rows.text(*row);
        told(row)
            && rows.indent(*row).is_some_and(|indent| indent <= level)
            && (text.starts_with(b"}") || text.starts_with(b")") || text.starts_with(b"end"))
    };
    let end = (start..unit.end)
        .rev()
        .find(|row| rows.indent(*row).is_some_and(|indent| indent <= level));
    Some(start..end.filter(closes).unwrap_or(unit.end))
}

/// Whether a block begins at the end of a line.
fn opens(rows: &Rows<'_>, text: &[u8]) -> bool {
    let code = memchr::memmem::rfind(text, rows.shape.comment).map_or(text, |at| &text[..at]);
    let by = rows.shape.opens;
    by.is_empty() || code.trim_ascii_end().ends_with(by) || text.ends_with(by)
}

/// Whether a head says that others follow in it.
fn holds(rows: &Rows<'_>, head: Range<usize>, len: usize) -> bool {
    if len > LONG && !rows.shape.terminated {
        return true;
    }
    holder(rows, head).is_some()
}

/// Where the word stands that says what a head is of, and what it is called.
pub(super) fn holder(rows: &Rows<'_>, head: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let mut depth = 0;
    for row in head.clone().filter(|row| rows.indent(*row).is_some()) {
        let text = rows.text(row);
        if text.starts_with(rows.shape.comment) || text.starts_with(b"/*") || rows.is_directive(row)
        {
            continue;
        }
        let base = rows.text_start(row);
        let mut at = 0;
        while at < text.len() {
            let len = word_len(&text[at..]);
            if len == 0 {
                match text[at] {
                    b'(' => depth += 1,
                    b')' => depth -= 1,
                    b'"' => return None,
                    _ => {}
                }
                at += 1;
                continue;
            }
            let word = &text[at..at + len];
            let before = at.checked_sub(1).map(|before| text[before]);
            if depth == 0 && HOLDERS.contains(&word) && !matches!(before, Some(b'.' | b':')) {
                let last = rows.text(head.end - 1);
                let last = last.strip_suffix(b"{").unwrap_or(last).trim_ascii_end();
                let is_value = matches!(word, b"struct" | b"enum" | b"union");
                if is_value && last.ends_with(b")") {
                    return None;
                }
                let name = text[at + len..]
                    .iter()
                    .take_while(|byte| **byte == b' ')
                    .count();
                let name = at + len + name;
                let end = name + word_len(&text[name..]);
                return Some((base + at..base + at + len, base + name..base + end));
            }
            at += len;
        }
    }
    None
}
