//! What one document may amount to, so that nothing that is made of it outgrows it.
//!
//! Everything a record holds is of the size of the source, but for what symbols in symbols repeat:
//! each has the bytes of all that lie in it, and answers name it with all that it lies in. In code that
//! does not parse symbols may nest a few bytes apart. Guarantees: what is found depends on the record
//! and the bytes alone, and is found before anything is computed that such a record makes expensive.

use crate::id::LocalName;
use crate::limits::{MAX_IMPORT_BYTES_PER_BYTE, MAX_SYMBOL_NESTING};
use crate::record::Symbol;
use crate::syntax::found::Found;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of imports that any document may have.
const IMPORT_BYTES: usize = 64 << 10;
/// What a binding of an import counts as, in bytes.
const BINDING_BYTES: usize = 16;

/// Whether what was found of a document of `size` bytes is more than a document may hold.
pub(super) fn exceeded(found: &Found, size: usize) -> bool {
    nested_deeper(&found.symbols, MAX_SYMBOL_NESTING)
        || spanned(&found.symbols) > (size * MAX_SYMBOL_NESTING) as u64
        || imported(found) > size * MAX_IMPORT_BYTES_PER_BYTE + IMPORT_BYTES
}

/// Whether some symbol has more containers than `most`.
fn nested_deeper(symbols: &[Symbol<LocalName>], most: usize) -> bool {
    let mut containers: Vec<usize> = Vec::with_capacity(symbols.len());
    symbols.iter().any(|symbol| {
        let above = symbol.container.and_then(|at| containers.get(at as usize));
        let depth = above.map_or(0, |above| above + 1);
        containers.push(depth);
        depth > most
    })
}

/// Spans of symbols in order, each once where symbols that are declared together share it.
fn spans(symbols: &[Symbol<LocalName>]) -> impl Iterator<Item = Range<u32>> {
    let before = std::iter::once(None).chain(symbols.iter().map(|symbol| Some(&symbol.span)));
    let both = symbols.iter().zip(before);
    both.filter(|(symbol, before)| *before != Some(&symbol.span))
        .map(|(symbol, _)| symbol.span.clone())
}

/// How many bytes must be read to read each span.
fn spanned(symbols: &[Symbol<LocalName>]) -> u64 {
    spans(symbols).map(|span| span.len() as u64).sum()
}

fn imported(found: &Found) -> usize {
    let imports = found.imports.iter();
    imports
        .map(|import| import.specifier.len() + (1 + import.bindings.len()) * BINDING_BYTES)
        .sum()
}

/// Gives each symbol the hash of its bytes. Those that share a span share it, so that a long list of
/// names costs no more than its bytes.
pub(super) fn hash_bodies(src: &[u8], symbols: &mut [Symbol<LocalName>]) {
    let mut last = (0..0, xxh3_64(b""));
    for symbol in symbols {
        if symbol.span != last.0 {
            let body = src.get(symbol.span.start as usize..symbol.span.end as usize);
            last = (symbol.span.clone(), xxh3_64(body.unwrap_or(b"")));
        }
        symbol.body_hash = last.1;
    }
}
