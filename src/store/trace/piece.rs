//! A piece of traces as bytes, see `format-spec/40-trace.md`.

use super::observed::{BlobTrace, Body, Observed};
use crate::id::{BlobId, TraceId};
use crate::limits::{
    MAX_SYMBOLS_PER_DOC, MAX_TRACE_BYTES, MAX_TRACES, MAX_TRACES_BYTES, TRACE_BYTES,
};
use crate::segment::{
    self,
    format::{HASH_SHA1, hash_code},
    varint::{Cursor, put, put32},
};
use crate::store::kind::{Bytes, Files, Kind, by_blob};
use crate::store::partition::Said;
use crate::store::parts::Listed;
use crate::store::recorded::{OfBlob, unite};
use crate::store::scope::{Keep, Subject};
use crate::trace::lines::{LineSet, Lines, MAX_LINE};
use std::collections::BTreeSet;

/// The kind of pieces of traces: what was observed, by blob. Nobody can check what somebody else claims to have
/// seen, so a stranger's are believed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TracePieces {}

/// Observations, with the bytes they are written as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    bytes: Vec<u8>,
    /// What it says.
    pub(super) observed: Observed,
}

impl Piece {
    /// Makes the piece of observations.
    pub(super) fn of(hash: gix::hash::Kind, observed: Observed) -> Self {
        let bytes = encode(hash, &observed);
        Self { bytes, observed }
    }
}

impl Kind for TracePieces {
    type Id = TraceId;
    type Body = Piece;
    type Entry = Said;

    const NAME: &'static str = "trace";
    const COUNTED: [&'static str; 2] = ["the traces of the index", "pieces"];
    const FOLDER: &'static str = "trace";
    const MESSAGE: &'static str = "git-sverklo trace\n\nSee `git sverklo --help`.";
    const MAX_PARTS: usize = MAX_TRACES;
    const MAX_BYTES: usize = MAX_TRACE_BYTES;
    const MAX_TOTAL: usize = MAX_TRACES_BYTES;
    const CUT: u64 = TRACE_BYTES as u64;
    const FILES: Files = Files::None;
    const UNITES: bool = true;
    const OF_BLOBS: bool = true;
    const LASTS: bool = true;

    fn parse(bytes: Bytes, hash: gix::hash::Kind) -> Result<Piece, String> {
        let bytes = Vec::from(bytes);
        let observed = decode(hash, &bytes)?;
        Ok(Piece { bytes, observed })
    }
    fn merge(
        hash: gix::hash::Kind,
        parts: &[&Piece],
        keep: &dyn Fn(&BlobId) -> bool,
    ) -> Result<Piece, segment::Error> {
        let mut observed = Observed::new();
        for piece in parts {
            let kept = piece.observed.iter().filter(|(blob, _)| keep(blob));
            unite(
                &mut observed,
                kept.map(|(blob, trace)| (*blob, trace.clone())),
            );
        }
        Ok(Piece::of(hash, observed))
    }

    fn entries(piece: &Piece) -> impl Iterator<Item = Said> {
        piece.observed.iter().map(|(blob, trace)| Said {
            blob: *blob,
            bytes: entry(*blob, trace).len() as u64,
        })
    }
    fn tells(piece: &Piece, other: &Piece, blob: &BlobId) -> bool {
        let (known, said) = (piece.observed.get(blob), other.observed.get(blob));
        known
            .zip(said)
            .is_some_and(|(known, said)| known.covers(said))
    }
    by_blob!(observed);
}

impl Listed for TracePieces {}

/// What every piece begins with; the last byte is the version.
pub(super) const MAGIC: [u8; 8] = *b"svtrace\x01";

/// Encodes a piece.
pub fn encode(hash: gix::hash::Kind, observed: &Observed) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.push(hash_code(hash).unwrap_or(HASH_SHA1));
    put(&mut out, observed.len() as u64);
    for (blob, trace) in observed {
        out.extend(entry(*blob, trace));
    }
    out
}

/// Encodes what was observed of one blob.
fn entry(blob: BlobId, trace: &BlobTrace) -> Vec<u8> {
    let mut out = blob.as_bytes().to_vec();
    put_lines(&mut out, trace.lines.executable());
    put_lines(&mut out, trace.lines.executed());
    put(&mut out, trace.bodies.len() as u64);
    let mut previous = 0;
    for body in &trace.bodies {
        put32(&mut out, body.first - previous);
        put32(&mut out, body.last - body.first);
        out.extend_from_slice(&body.hash.to_le_bytes());
        previous = body.first;
    }
    out
}

/// Appends a set of lines from 1 on: the number of runs, and of each the lines that are left out
/// before it and its length, both as few as they can be.
fn put_lines(out: &mut Vec<u8>, lines: &LineSet) {
    put(out, lines.runs.len() as u64);
    let mut next = 1;
    for (start, end) in &lines.runs {
        put32(out, start - next);
        put32(out, end - start - 1);
        next = end + 1;
    }
}

/// Decodes a piece; the error says what is wrong with it.
///
/// Memory is at most a few times that of the bytes, whatever they claim. Fails for bytes that
/// [`encode`] would not have written.
pub fn decode(hash: gix::hash::Kind, bytes: &[u8]) -> Result<Observed, &'static str> {
    let rest = bytes
        .strip_prefix(&MAGIC)
        .ok_or("it is no piece of traces")?;
    let mut cursor = Cursor::new(rest);
    if cursor.byte() != hash_code(hash) {
        return Err("it is of another hash");
    }
    let count = cursor.u64().ok_or(SHORT)?;
    let mut out = Observed::new();
    for _ in 0..count {
        let id = cursor.take(hash.len_in_bytes()).ok_or(SHORT)?;
        let blob = BlobId::from_bytes(id).ok_or("an id is none")?;
        if out.last_key_value().is_some_and(|(last, _)| *last >= blob) {
            return Err("its blobs are not in order");
        }
        let executable = take_lines(&mut cursor)?;
        let executed = take_lines(&mut cursor)?;
        if !executable.covers(&executed) {
            return Err("a line ran that could not");
        }
        let bodies = take_bodies(&mut cursor)?;
        let lines = Lines::new(executed, executable);
        out.insert(blob, BlobTrace { lines, bodies });
    }
    if !cursor.is_empty() {
        return Err("there is more behind it");
    }
    // Numbers may be longer than they need be; then it is not what its id should name.
    match encode(hash, &out) == bytes {
        true => Ok(out),
        false => Err("it is not canonical"),
    }
}

const SHORT: &str = "it is cut short";

fn take_lines(cursor: &mut Cursor) -> Result<LineSet, &'static str> {
    let count = cursor.u64().ok_or(SHORT)? as usize;
    // A run takes two bytes at least.
    let mut ranges = Vec::with_capacity(count.min(cursor.len() / 2));
    let mut next = 1_u32;
    for _ in 0..count {
        let gap = cursor.u32().ok_or(SHORT)?;
        let more = cursor.u32().ok_or(SHORT)?;
        let start = next.checked_add(gap).ok_or(FAR)?;
        let end = start.checked_add(more).and_then(|last| last.checked_add(1));
        let end = end.filter(|end| *end <= MAX_LINE + 1).ok_or(FAR)?;
        ranges.push((start, end));
        next = end + 1;
    }
    Ok(LineSet::of_ranges(ranges))
}

const FAR: &str = "a line is beyond every file";

fn take_bodies(cursor: &mut Cursor) -> Result<BTreeSet<Body>, &'static str> {
    let count = cursor.u64().ok_or(SHORT)? as usize;
    if count > MAX_SYMBOLS_PER_DOC {
        return Err("a blob has too many functions");
    }
    let mut bodies = BTreeSet::new();
    let mut first = 0_u32;
    for _ in 0..count {
        let step = cursor.u32().ok_or(SHORT)?;
        let more = cursor.u32().ok_or(SHORT)?;
        first = first.checked_add(step).ok_or(FAR)?;
        let last = first.checked_add(more).filter(|last| *last <= MAX_LINE);
        let last = last.ok_or(FAR)?;
        let bytes = cursor.take(8).ok_or(SHORT)?;
        let hash = u64::from_le_bytes(bytes.try_into().map_err(|_| SHORT)?);
        bodies.insert(Body { first, last, hash });
    }
    Ok(bodies)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::golden;
    use crate::store::kind::Part;
    use crate::store::ledger::Ledger;
    use crate::store::union::unite as union;
    use proptest::prelude::*;

    const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

    pub(in crate::store::trace) fn observed() -> impl Strategy<Value = Observed> {
        let range = || (1_u32..300, 0_u32..9).prop_map(|(start, more)| (start, start + more));
        let ranges = || proptest::collection::vec(range(), 0..8).prop_map(LineSet::of_ranges);
        let body = (1_u32..300, 0_u32..40, 0_u64..5).prop_map(|(first, more, hash)| Body {
            first,
            last: first + more,
            hash,
        });
        let trace = (
            ranges(),
            ranges(),
            proptest::collection::btree_set(body, 0..4),
        );
        let trace = trace.prop_map(|(executed, missed, bodies)| BlobTrace {
            lines: Lines::new(executed, missed),
            bodies,
        });
        let id = (0_u8..24).prop_map(|n| BlobId::from_bytes(&[n.wrapping_mul(37); 20]).unwrap());
        proptest::collection::btree_map(id, trace, 0..9)
    }

    proptest! {
        #[test]
        fn pieces_are_read_back(observed in observed()) {
            let bytes = encode(SHA1, &observed);
            prop_assert_eq!(decode(SHA1, &bytes), Ok(observed));
        }

        #[test]
        fn damage_is_found_without_harm(
            observed in observed(),
            at: prop::sample::Index,
            to: u8,
            cut: prop::sample::Index,
        ) {
            let mut bytes = encode(SHA1, &observed);
            let at = at.index(bytes.len());
            bytes[at] = to;
            // Some damage gives another piece; none gives bytes that are not the ones of its content.
            if let Ok(found) = decode(SHA1, &bytes) {
                prop_assert_eq!(encode(SHA1, &found), &bytes[..]);
            }
            let whole = encode(SHA1, &observed);
            prop_assert!(decode(SHA1, &whole[..cut.index(whole.len())]).is_err());
        }

        #[test]
        fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(SHA1, &[&MAGIC[..], &[1], &bytes].concat());
        }
    }

    /// The traces of `format-spec/vectors/trace-small-sha1`.
    fn small() -> Observed {
        let set = |ranges: &[(u32, u32)]| LineSet::of_ranges(ranges.to_vec());
        let body = |first, last, hash| Body { first, last, hash };
        let trace = |executed: &[_], missed: &[_], bodies: &[Body]| BlobTrace {
            lines: Lines::new(set(executed), set(missed)),
            bodies: bodies.iter().copied().collect(),
        };
        let id = |n: u8| BlobId::from_bytes(&[n; 20]).unwrap();
        Observed::from([
            (id(0x01), trace(&[(1, 2)], &[], &[])),
            (
                id(0x7f),
                trace(
                    &[(1, 4), (10, 11), (300, 301)],
                    &[(4, 6), (11, 20)],
                    &[
                        body(2, 5, 0x0123_4567_89ab_cdef),
                        body(10, 10, u64::MAX),
                        body(10, 300, 7),
                    ],
                ),
            ),
            (id(0xff), trace(&[], &[(MAX_LINE, MAX_LINE + 1)], &[])),
        ])
    }

    fn described(observed: &Observed) -> String {
        let mut text = String::new();
        for (blob, trace) in observed {
            let (executable, executed) = (trace.lines.executable(), trace.lines.executed());
            text += &format!("{blob}\n  executable {executable}\n  executed {executed}\n");
            for body in &trace.bodies {
                text += &format!("  body {}-{} {:016x}\n", body.first, body.last, body.hash);
            }
        }
        text
    }

    #[test]
    fn a_piece_is_the_golden_bytes() {
        let bytes = encode(SHA1, &small());
        golden::assert_same("trace-small-sha1.txt", &described(&small()));
        golden::assert_same("trace-small-sha1.hex", &golden::hex(&bytes));
        assert_eq!(decode(SHA1, &bytes), Ok(small()));
    }

    #[test]
    fn what_would_not_have_been_written_is_refused() {
        let head = [&MAGIC[..], &[1]].concat();
        let decode = |rest: &[u8]| decode(SHA1, &[&head[..], rest].concat());
        let id = [7; 20];
        assert_eq!(decode(&[0]), Ok(Observed::new()));
        assert_eq!(decode(&[0x80, 0]), Err("it is not canonical"));
        assert_eq!(decode(&[0, 0]), Err("there is more behind it"));
        assert_eq!(decode(&[1]), Err(SHORT));
        assert_eq!(decode(&[&[1], &id[..], &[0, 0]].concat()), Err(SHORT));
        let ran = [&[1], &id[..], &[0, 1, 0, 0, 0]].concat();
        assert_eq!(decode(&ran), Err("a line ran that could not"));
        let far = [&[1], &id[..], &[1, 0xff, 0xff, 0xff, 0xff, 0x0f, 1]].concat();
        assert_eq!(decode(&far), Err(FAR));
        let twice = [&[2], &id[..], &[0, 0, 0], &id, &[0, 0, 0]].concat();
        assert_eq!(decode(&twice), Err("its blobs are not in order"));
        let other = super::decode(gix::hash::Kind::Sha256, &[&head[..], &[0]].concat());
        assert_eq!(other, Err("it is of another hash"));
    }

    /// A blob with so many runs that its entry takes about `kib` kibibytes.
    fn large(kib: u32) -> BlobTrace {
        let runs = (0..kib * 256).map(|n| (1 + 2 * n, 2 + 2 * n)).collect();
        BlobTrace {
            lines: Lines::new(LineSet::of_ranges(runs), LineSet::default()),
            ..BlobTrace::default()
        }
    }

    fn blob(n: u8) -> BlobId {
        BlobId::from_bytes(&[n; 20]).unwrap()
    }

    /// The bytes of the canonical cut.
    fn cut(hash: gix::hash::Kind, observed: &Observed) -> Vec<Vec<u8>> {
        let whole = Piece::of(hash, observed.clone());
        let whole = vec![Part::<TracePieces>::built(hash, whole).unwrap()];
        let set = union(hash, whole, &Ledger::default()).unwrap();
        set.iter().map(|part| part.bytes().to_vec()).collect()
    }

    #[test]
    fn the_cut_keeps_everything_and_to_the_limit() {
        let observed: Observed = (0..=255).map(|n| (blob(n), large(4))).collect();
        let pieces = cut(SHA1, &observed);
        assert_eq!(pieces.len(), 8);
        let mut all = Observed::new();
        for bytes in &pieces {
            assert!(bytes.len() <= TRACE_BYTES + 16);
            unite(&mut all, decode(SHA1, bytes).unwrap());
        }
        assert_eq!(all, observed);
        assert!(cut(SHA1, &Observed::new()).is_empty());
    }

    #[test]
    fn one_blob_is_never_divided_and_the_largest_one_fits() {
        let most = crate::limits::MAX_PARSED_BYTES as u32 / 512;
        let observed = Observed::from([(blob(1), large(most)), (blob(2), large(1))]);
        let pieces = cut(SHA1, &observed);
        assert_eq!(pieces.len(), 2);
        assert!(pieces.iter().all(|bytes| bytes.len() <= MAX_TRACE_BYTES));
    }

    #[test]
    fn a_change_is_in_one_piece() {
        let mut observed: Observed = (0..=255).map(|n| (blob(n), large(4))).collect();
        let before = cut(SHA1, &observed);
        observed.insert(blob(9), large(5));
        let after = cut(SHA1, &observed);
        let same = after.iter().filter(|bytes| before.contains(bytes)).count();
        assert_eq!((after.len(), same), (8, 7));
    }
}
