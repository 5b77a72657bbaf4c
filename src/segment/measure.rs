//! A measurement on made-up documents with the proportions of real code; run by hand:
//! `cargo test --release --lib segment::measure -- --ignored --nocapture`.

use super::{Segment, build, merge};
use crate::extract::record::*;
use crate::id::{BlobId, ChunkId, LocalName, NameId};
use crate::limits::SEGMENT_SOURCE_BYTES;
use gix::ObjectId;
use gix::hash::Kind;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const BYTES_PER_LINE: u64 = 33;

/// A multiplicative generator: fixed numbers, so that figures can be compared.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) % bound
    }

    /// Small numbers far more often than large ones.
    fn skewed(&mut self, bound: u64) -> u64 {
        let order = self.below(64 - u64::from(bound.leading_zeros())) + 1;
        self.below(1 << order).min(bound - 1)
    }
}

fn word(mut n: u64) -> String {
    const PARTS: [&str; 16] = [
        "get", "node", "list", "map", "read", "file", "path", "commit", "tree", "index", "open",
        "next", "parse", "value", "size", "name",
    ];
    let mut word = String::from(PARTS[n as usize % 16]);
    while n >= 16 {
        n /= 16;
        let part = PARTS[(n as usize).wrapping_mul(7) % 16];
        word.push_str(&part[..1].to_uppercase());
        word.push_str(&part[1..]);
    }
    word
}

#[derive(Default)]
struct Table {
    table: NameTable,
    seen: BTreeMap<u64, LocalName>,
}

impl Table {
    fn get(&mut self, n: u64) -> LocalName {
        *self
            .seen
            .entry(n)
            .or_insert_with(|| self.table.push(word(n).as_bytes()))
    }
}

fn document(random: &mut Numbers) -> (DocKey, DocRecord) {
    let lines = 20 + random.skewed(1000) as u32;
    let local = random.below(4000) * 16;
    let mut record = DocRecord::empty(Grammar::Rust, u64::from(lines) * BYTES_PER_LINE);
    record.lines = lines;
    let (mut names, mut terms) = (Table::default(), Table::default());
    let pick = |random: &mut Numbers| match random.below(2) {
        0 => random.skewed(60_000),
        _ => local + random.skewed(64),
    };
    for line in (1..=lines).filter(|line| line % 4 != 0) {
        let mut col = 4 * random.below(4) as u32;
        for _ in 0..1 + random.below(5) {
            let n = pick(random);
            let name = names.get(n);
            let kind = OccurrenceKind::ALL[random.skewed(7) as usize];
            let qualifier = Qualifier::ALL[random.skewed(4) as usize];
            record.occurrences.push(Occurrence {
                name,
                line,
                col,
                kind,
                qualifier,
            });
            col += word(n).len() as u32 + 1 + random.skewed(8) as u32;
        }
    }
    for start_line in (1..lines).step_by(9) {
        let name_line = start_line;
        let start = start_line * BYTES_PER_LINE as u32;
        let span = start..start + 8 * BYTES_PER_LINE as u32;
        record.symbols.push(Symbol {
            name: names.get(pick(random)),
            kind: SymbolKind::ALL[random.skewed(19) as usize],
            flags: SymbolFlags(random.below(4) as u8),
            container: None,
            receiver: None,
            signature: start..start + 40,
            doc: if random.below(3) == 0 {
                start - 20..start - 1
            } else {
                0..0
            },
            span,
            start_line,
            start_col: 4,
            end_line: start_line + 7,
            end_col: 5,
            name_line,
            name_col: 11,
            body_hash: random.below(1 << 31) << 32 | random.below(1 << 31),
        });
    }
    for start_line in (1..lines).step_by(25) {
        let mut chunk = BTreeMap::new();
        for _ in 0..90 {
            let n = if random.below(2) == 0 {
                random.below(16)
            } else {
                pick(random)
            };
            let tf: &mut [u8; FIELDS] = chunk.entry(word(n)).or_insert([0; FIELDS]);
            let field = [2, 2, 2, 2, 3, 3, 0, 1][random.below(8) as usize];
            tf[field] = tf[field].saturating_add(1);
            terms.get(n);
        }
        let position = |word: &str| {
            let found = terms
                .table
                .iter()
                .find(|(_, bytes)| *bytes == word.as_bytes());
            found.map(|(id, _)| id).unwrap()
        };
        record.chunks.push(Chunk {
            start_line,
            end_line: (start_line + 24).min(lines),
            symbol: Some((start_line / 9).min(record.symbols.len() as u32 - 1)),
            field_len: [3, 12, 90, 20],
            content_hash: random.below(1 << 31) << 32 | random.below(1 << 31),
            terms: chunk
                .iter()
                .map(|(w, tf)| TermFreq {
                    term: position(w),
                    tf: *tf,
                })
                .collect(),
        });
    }
    record.names = names.table;
    record.terms = terms.table;
    let id: [u8; 20] = std::array::from_fn(|_| random.below(256) as u8);
    let blob = BlobId::new(ObjectId::try_from(id.as_slice()).unwrap());
    (
        DocKey {
            blob,
            grammar: Grammar::Rust,
        },
        record,
    )
}

fn timed<T>(rounds: u32, mut f: impl FnMut() -> T) -> (Duration, T) {
    let mut best = Duration::MAX;
    let mut result = None;
    for _ in 0..rounds {
        let start = Instant::now();
        let made = f();
        best = best.min(start.elapsed());
        result = Some(made);
    }
    (best, result.unwrap())
}

#[test]
#[ignore = "a measurement"]
fn measure() {
    let mut random = Numbers(1);
    let mut docs = Vec::new();
    let mut source = 0;
    while source < SEGMENT_SOURCE_BYTES {
        let doc = document(&mut random);
        source += doc.1.size;
        docs.push(doc);
    }
    report(source, docs);
}

/// Prints what a segment of `docs` costs.
pub(super) fn report(source: u64, docs: Vec<(DocKey, DocRecord)>) {
    let hash = Kind::Sha1;
    let rate = |time: Duration| source as f64 / 1e6 / time.as_secs_f64();
    let count = docs.len();
    let occurrences: usize = docs
        .iter()
        .map(|(_, record)| record.occurrences.len())
        .sum();
    let symbols: usize = docs.iter().map(|(_, record)| record.symbols.len()).sum();
    let mut copies = vec![docs.clone(), docs.clone(), docs];
    let (time, bytes) = timed(3, || build(hash, copies.pop().unwrap()).unwrap());
    println!(
        "{count} documents, {source} source bytes, {} segment bytes",
        bytes.len()
    );
    println!(
        "{:.3} segment bytes per source byte",
        bytes.len() as f64 / source as f64
    );
    println!(
        "build   {time:?}, {:.0} MB/s of source (two threads)",
        rate(time)
    );
    let shared: std::sync::Arc<[u8]> = bytes.clone().into();
    let (time, segment) = timed(20, || Segment::open(shared.clone()).unwrap());
    println!("open    {time:?}");
    for (tag, len) in segment.sizes() {
        println!(
            "  {tag:?} {len} bytes, {:.4} per source byte",
            len as f64 / source as f64
        );
    }
    println!(
        "{occurrences} occurrences, {symbols} symbols, {} names, {} terms, {} chunks",
        segment.name_count(),
        segment.term_count(),
        segment.chunk_count()
    );
    let (time, records) = timed(3, || segment.to_records().unwrap());
    println!("decode  {time:?}, {:.0} MB/s of source", rate(time));
    assert_eq!(records.len(), count);
    let (time, ()) = timed(3, || segment.verify().unwrap());
    println!("verify  {time:?}, {:.0} MB/s of source", rate(time));
    let (time, merged) = timed(1, || merge(hash, &[&segment], |_| true).unwrap());
    assert!(merged == bytes);
    println!("merge   {time:?}, {:.0} MB/s of source", rate(time));
    let (time, postings) = timed(5, || {
        segment.all_postings().map(Iterator::count).sum::<usize>()
    });
    println!(
        "postings {time:?} for {postings}: {:?} each",
        time / postings as u32
    );
    let all = || {
        segment
            .doc_ids()
            .map(|doc| segment.occurrences(doc).count())
            .sum::<usize>()
    };
    let (time, found) = timed(5, all);
    println!(
        "occurrences {time:?} for {found}: {:?} each",
        time / found as u32
    );
    let all = || {
        segment
            .doc_ids()
            .map(|doc| segment.symbols(doc).count())
            .sum::<usize>()
    };
    let (time, found) = timed(5, all);
    println!(
        "symbols {time:?} for {found}: {:?} each",
        time / found.max(1) as u32
    );
    let names: Vec<NameId> = (0..segment.name_count()).step_by(7).map(NameId).collect();
    let spelled = || {
        let spell = |&name: &NameId| {
            let mut out = Vec::with_capacity(64);
            segment.name(name, &mut out);
            out
        };
        names.iter().map(spell).collect::<Vec<_>>()
    };
    let (time, spelled) = timed(5, spelled);
    println!("name    {:?} each", time / names.len() as u32);
    let find = || {
        spelled
            .iter()
            .filter_map(|name| segment.name_id(name))
            .count()
    };
    let (time, found) = timed(5, find);
    assert_eq!(found, names.len());
    println!("name_id {:?} each", time / names.len() as u32);
    let (time, near) = timed(5, || segment.names_within("getndelist", 2, 50));
    println!("names_within {time:?}, {} found", near.len());
    let (time, _) = timed(5, || {
        (0..segment.chunk_count())
            .map(|id| u64::from(segment.chunk(ChunkId(id)).end_line))
            .sum::<u64>()
    });
    println!("chunk   {:?} each", time / segment.chunk_count().max(1));
}
