//! A piece of facts as bytes, see `format-spec/42-facts.md`.

use super::blob::{BlobFacts, Fact, FactsByBlob};
use super::places::Lines;
use crate::git::Repo;
use crate::id::{BlobId, FactsId};
use crate::limits::{
    FACTS_BYTES, MAX_FACT_BYTES, MAX_FACTS, MAX_FACTS_BYTES, MAX_FACTS_PER_BLOB, MAX_PARSED_BYTES,
};
use crate::scip::symbol::Symbol;
use crate::segment::{
    self,
    format::{HASH_SHA1, hash_code},
    varint::{Cursor, put, put32},
};
use crate::store::judge;
use crate::store::kind::{Bytes, Files, Kind, by_blob};
use crate::store::part_ref::PartRef;
use crate::store::partition::Said;
use crate::store::parts::{Judgement, Listed, Parts};
use crate::store::recorded::{OfBlob, unite};
use crate::store::scope::{Keep, Subject};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// The kind of pieces of facts: what compilers said, by blob. Of a stranger's a sample is looked at: whether
/// the names that they speak of stand where they say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FactPieces {}

/// Facts as the bytes they are written as. They are many, so those of a blob are decoded when they are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    bytes: Vec<u8>,
    /// Where the entry of each blob lies, its id not included.
    entries: BTreeMap<BlobId, Range<usize>>,
}

impl Piece {
    /// Makes the piece of facts.
    pub(super) fn of(hash: gix::hash::Kind, facts: &FactsByBlob) -> Result<Self, segment::Error> {
        let mut written = Writer::new(hash, facts.len());
        for (blob, of_blob) in facts {
            let mut body = Vec::new();
            put_facts(&mut body, of_blob);
            written.add(*blob, &body);
        }
        Ok(written.done())
    }

    /// The facts of the blobs that are wanted.
    pub(super) fn facts<'a>(
        &'a self,
        is_wanted: &'a dyn Fn(BlobId) -> bool,
    ) -> impl Iterator<Item = (BlobId, BlobFacts)> + 'a {
        let wanted = self.entries.keys().filter(|blob| is_wanted(**blob));
        wanted.filter_map(|blob| Some((*blob, self.get(blob)?)))
    }

    fn get(&self, blob: &BlobId) -> Option<BlobFacts> {
        let mut cursor = Cursor::new(self.entry(blob)?);
        // All of it was read when the piece was parsed.
        take_facts(&mut cursor).ok()
    }

    fn entry(&self, blob: &BlobId) -> Option<&[u8]> {
        self.bytes.get(self.entries.get(blob)?.clone())
    }
}

/// A piece while it is written.
struct Writer {
    piece: Piece,
}

impl Writer {
    fn new(hash: gix::hash::Kind, count: usize) -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.push(hash_code(hash).unwrap_or(HASH_SHA1));
        put(&mut bytes, count as u64);
        Self {
            piece: Piece {
                bytes,
                entries: BTreeMap::new(),
            },
        }
    }

    /// Adds an entry; blobs come in order.
    fn add(&mut self, blob: BlobId, body: &[u8]) {
        let piece = &mut self.piece;
        piece.bytes.extend_from_slice(blob.as_bytes());
        let start = piece.bytes.len();
        piece.bytes.extend_from_slice(body);
        piece.entries.insert(blob, start..piece.bytes.len());
    }

    fn done(self) -> Piece {
        self.piece
    }
}

impl Kind for FactPieces {
    type Id = FactsId;
    type Body = Piece;
    type Entry = Said;

    const NAME: &'static str = "facts";
    const COUNTED: [&'static str; 2] = ["the compilers' facts of the index", "pieces"];
    const FOLDER: &'static str = "facts";
    const MESSAGE: &'static str = "git-sverklo facts\n\nSee `git sverklo --help`.";
    const MAX_PARTS: usize = MAX_FACTS;
    const MAX_BYTES: usize = MAX_FACT_BYTES;
    const MAX_TOTAL: usize = MAX_FACTS_BYTES;
    const CUT: u64 = FACTS_BYTES as u64;
    const FILES: Files = Files::None;
    const UNITES: bool = true;
    const OF_BLOBS: bool = true;
    const LASTS: bool = true;

    fn parse(bytes: Bytes, hash: gix::hash::Kind) -> Result<Piece, String> {
        Ok(parse(hash, bytes.into())?)
    }
    fn merge(
        hash: gix::hash::Kind,
        parts: &[&Piece],
        keep: &dyn Fn(&BlobId) -> bool,
    ) -> Result<Piece, segment::Error> {
        let mut blobs: BTreeMap<BlobId, Vec<&Piece>> = BTreeMap::new();
        for piece in parts {
            for blob in piece.entries.keys().filter(|blob| keep(blob)) {
                blobs.entry(*blob).or_default().push(piece);
            }
        }
        let mut written = Writer::new(hash, blobs.len());
        for (blob, pieces) in blobs {
            let mut bodies: Vec<&[u8]> = pieces.iter().filter_map(|p| p.entry(&blob)).collect();
            bodies.dedup();
            if let [one] = *bodies {
                // Most stand in one piece, and go over as they are.
                written.add(blob, one);
                continue;
            }
            let mut united = BlobFacts::default();
            for facts in pieces.iter().filter_map(|piece| piece.get(&blob)) {
                united = united.united(&facts);
            }
            let mut body = Vec::new();
            put_facts(&mut body, &united);
            written.add(blob, &body);
        }
        Ok(written.done())
    }

    fn entries(piece: &Piece) -> impl Iterator<Item = Said> {
        piece.entries.iter().map(|(blob, range)| Said {
            blob: *blob,
            bytes: (blob.as_bytes().len() + range.len()) as u64,
        })
    }
    fn tells(piece: &Piece, other: &Piece, blob: &BlobId) -> bool {
        if piece.entry(blob) == other.entry(blob) {
            return piece.entries.contains_key(blob);
        }
        let (known, said) = (piece.get(blob), other.get(blob));
        known
            .zip(said)
            .is_some_and(|(known, said)| known.covers(&said))
    }
    by_blob!(entries);
}

impl Listed for FactPieces {
    /// Looks whether names stand where a stranger's facts say, in a sample of the blobs that are here.
    fn judge(repo: &Repo, ours: &Parts<Self>, theirs: &Parts<Self>, sample: usize) -> Judgement {
        let new = theirs.filtered(|id| !ours.has(id.into()));
        look(repo, &new, &|_| sample)
    }
    /// Examines the objects, and such a share of the places, in percent.
    fn examine(repo: &Repo, parts: &Parts<Self>, percent: u8) -> Judgement {
        look(repo, parts, &|len| judge::share(len, percent))
    }
}

/// Looks at pieces: whether they can be read, and whether names stand where so many of their entries say.
fn look(repo: &Repo, parts: &Parts<FactPieces>, sample: &dyn Fn(usize) -> usize) -> Judgement {
    let mut out = Judgement::default();
    parts.open_each(repo, |id, opened| {
        let part = PartRef::of::<FactPieces>(id);
        match opened {
            Err(reason) => out.unreadable.push((part, reason)),
            Ok(open) => {
                let lie = misplaced(repo, &open.body, sample(open.len()));
                out.lies.extend(lie.map(|reason| (part, reason)));
            }
        }
    });
    out
}

/// Says which of so many blobs of a piece has a fact that does not stand where it says; the blobs are chosen so
/// that nobody can tell which. Blobs that are not here are passed over.
fn misplaced(repo: &Repo, piece: &Piece, sample: usize) -> Option<String> {
    let mut objects = repo.objects();
    let choice = RandomState::new();
    let mut blobs: Vec<&BlobId> = piece.entries.keys().collect();
    blobs.sort_by_cached_key(|blob| choice.hash_one(blob));
    let here = blobs
        .into_iter()
        .filter(|blob| objects.contains(blob.as_object()));
    let here: Vec<BlobId> = here.take(sample).copied().collect();
    let mut bytes = Vec::new();
    for blob in here {
        let size = objects.blob_size(blob);
        bytes.clear();
        // What is larger than any document has no fact.
        let is_small = size.is_ok_and(|size| size <= MAX_PARSED_BYTES as u64);
        if is_small && objects.blob(blob, &mut bytes).is_err() {
            continue;
        }
        let Some(facts) = piece.get(&blob) else {
            continue;
        };
        if !Lines::of(&bytes).hold(&facts) {
            return Some(format!("what it says of blob {blob} does not stand there"));
        }
    }
    None
}

/// What every piece begins with; the last byte is the version.
const MAGIC: [u8; 8] = *b"svfacts\x01";

/// Encodes a piece.
pub fn encode(hash: gix::hash::Kind, facts: &FactsByBlob) -> Vec<u8> {
    Piece::of(hash, facts).map_or_else(|_| Vec::new(), |piece| piece.bytes)
}

/// Decodes a piece; the error says what is wrong with it.
///
/// Memory is at most a few times that of the bytes, whatever they claim. Fails for bytes that [`encode`] would
/// not have written.
pub fn decode(hash: gix::hash::Kind, bytes: &[u8]) -> Result<FactsByBlob, &'static str> {
    let piece = parse(hash, bytes.to_vec())?;
    let mut known = FactsByBlob::new();
    unite(&mut known, piece.facts(&|_| true));
    Ok(known)
}

fn parse(hash: gix::hash::Kind, bytes: Vec<u8>) -> Result<Piece, &'static str> {
    let rest = bytes
        .strip_prefix(&MAGIC)
        .ok_or("it is no piece of facts")?;
    let mut cursor = Cursor::new(rest);
    if cursor.byte() != hash_code(hash) {
        return Err("it is of another hash");
    }
    let count = cursor.u64().ok_or(SHORT)?;
    let mut written = Vec::new();
    put(&mut written, count);
    if !rest[1..].starts_with(&written) {
        return Err(NOT_CANONICAL);
    }
    let mut entries = BTreeMap::new();
    let mut last: Option<BlobId> = None;
    for _ in 0..count {
        let id = cursor.take(hash.len_in_bytes()).ok_or(SHORT)?;
        let blob = BlobId::from_bytes(id).ok_or("an id is none")?;
        if last.replace(blob).is_some_and(|last| last >= blob) {
            return Err("its blobs are not in order");
        }
        let start = bytes.len() - cursor.len();
        let facts = take_facts(&mut cursor)?;
        let end = bytes.len() - cursor.len();
        // Numbers may be longer than they need be; then it is not what its id should name.
        written.clear();
        put_facts(&mut written, &facts);
        if facts.is_empty() || written != bytes[start..end] {
            return Err(NOT_CANONICAL);
        }
        entries.insert(blob, start..end);
    }
    if !cursor.is_empty() {
        return Err("there is more behind it");
    }
    Ok(Piece { bytes, entries })
}

const SHORT: &str = "it is cut short";
const NOT_CANONICAL: &str = "it is not canonical";
const NO_SYMBOL: &str = "a symbol is none";

/// Encodes what is known of one blob: its symbols, each by what it has in common with the one before, then
/// where they are defined and where they are used.
fn put_facts(out: &mut Vec<u8>, facts: &BlobFacts) {
    put(out, facts.symbols().len() as u64);
    let mut before: &[u8] = &[];
    for symbol in facts.symbols() {
        let text = symbol.text().as_bytes();
        let common = before.iter().zip(text).take_while(|(a, b)| a == b).count();
        put(out, common as u64);
        put(out, (text.len() - common) as u64);
        out.extend_from_slice(&text[common..]);
        before = text;
    }
    for places in [facts.definitions(), facts.uses()] {
        put(out, places.len() as u64);
        let mut last = Fact {
            line: 1,
            col: 0,
            symbol: 0,
        };
        for fact in places {
            put32(out, fact.line.wrapping_sub(last.line));
            let from = if fact.line == last.line { last.col } else { 0 };
            put32(out, fact.col.wrapping_sub(from));
            put32(out, fact.symbol);
            last = *fact;
        }
    }
}

/// Decodes what [`put_facts`] has written. Fails for what it cannot have written, but for numbers that are
/// longer than they need be, and prefixes that are shorter than they could be.
fn take_facts(cursor: &mut Cursor) -> Result<BlobFacts, &'static str> {
    let count = cursor.u64().ok_or(SHORT)? as usize;
    // A symbol takes three bytes at least.
    let mut symbols: Vec<Symbol> = Vec::with_capacity(count.min(cursor.len() / 3));
    let mut text = Vec::new();
    for _ in 0..count {
        let common = cursor.u64().ok_or(SHORT)? as usize;
        if common > text.len() {
            return Err(NO_SYMBOL);
        }
        text.truncate(common);
        text.extend_from_slice(cursor.bytes().ok_or(SHORT)?);
        let text = std::str::from_utf8(&text).map_err(|_| NO_SYMBOL)?;
        symbols.push(Symbol::stored(text).ok_or(NO_SYMBOL)?);
    }
    let definitions = take_places(cursor)?;
    let uses = take_places(cursor)?;
    BlobFacts::read(symbols, definitions, uses).ok_or("its facts are not in order")
}

fn take_places(cursor: &mut Cursor) -> Result<Vec<Fact>, &'static str> {
    let count = cursor.u64().ok_or(SHORT)? as usize;
    if count > MAX_FACTS_PER_BLOB {
        return Err("a blob has too many facts");
    }
    // A place takes three bytes at least.
    let mut places = Vec::with_capacity(count.min(cursor.len() / 3));
    let (mut line, mut col) = (1_u32, 0_u32);
    for _ in 0..count {
        let lines = cursor.u32().ok_or(SHORT)?;
        let columns = cursor.u32().ok_or(SHORT)?;
        let symbol = cursor.u32().ok_or(SHORT)?;
        line = line.checked_add(lines).ok_or(FAR)?;
        let from = if lines == 0 { col } else { 0 };
        col = from.checked_add(columns).ok_or(FAR)?;
        if line.max(col) > MAX_PARSED_BYTES as u32 {
            return Err(FAR);
        }
        places.push(Fact { line, col, symbol });
    }
    Ok(places)
}

const FAR: &str = "a place is beyond every file";

#[cfg(test)]
mod tests;
