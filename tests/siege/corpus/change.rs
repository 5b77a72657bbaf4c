//! Changes of bytes as a fuzzer without eyes makes them.

use crate::random::Random;

/// Bytes at which readers of numbers and of text tend to break.
const BYTES: [u8; 14] = [
    0, 1, 0x7f, 0x80, 0xff, b'\n', b'"', b'\\', b'{', b'[', b'(', b'/', b'.', b'-',
];
/// Numbers of four bytes that lie at an edge.
const NUMBERS: [u32; 8] = [
    0,
    1,
    0x7f,
    0xff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
];
/// No input grows beyond it.
const LONGEST: usize = 64 << 10;

/// One of the inputs, changed in up to six places.
pub fn changed(random: &mut Random, known: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = match known {
        [] => Vec::new(),
        _ => random.pick(known).clone(),
    };
    for _ in 0..1 + random.below(6) {
        change(random, &mut bytes, known);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, known: &[Vec<u8>]) {
    let place = |random: &mut Random, bytes: &[u8]| random.below(bytes.len() + 1);
    if bytes.is_empty() {
        bytes.push(*random.pick(&BYTES));
        return;
    }
    let at = random.below(bytes.len());
    let most = 1 + random.below(64);
    let length = 1 + random.below(most).min(bytes.len() - at - 1);
    match random.below(8) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = *random.pick(&BYTES),
        2 => {
            let number = random.pick(&NUMBERS).to_le_bytes();
            let end = (at + number.len()).min(bytes.len());
            bytes[at..end].copy_from_slice(&number[..end - at]);
        }
        3 => drop(bytes.drain(at..at + length)),
        4 => bytes.insert(at, *random.pick(&BYTES)),
        // What can be nested is nested deeper by saying its beginning again and again.
        5 => {
            let part = bytes[at..at + length].repeat(1 + random.below(40));
            bytes.splice(at..at, part);
        }
        6 => {
            let other = random.pick(known);
            let from = place(random, other);
            let to = from + random.below(other.len() - from + 1);
            bytes.splice(at..at, other[from..to].iter().copied());
        }
        _ => {
            let from = place(random, bytes);
            let part = bytes[at..at + length].to_vec();
            bytes.splice(from..from, part);
        }
    }
}
