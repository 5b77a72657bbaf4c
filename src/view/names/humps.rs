//! Names whose words begin with given letters, as an automaton: `lru` and `leRe` for `LeastRecentlyUsed`.
//!
//! It is a set of places in what is looked for (a bit each), and each byte of a name leads from some places to others.
//! What the second word begins with rules out most names, which a look for the letters in their order does not; and to
//! make it takes some thousand steps, where an expression that says the same takes milliseconds to become an automaton.
//!
//! Guarantee: it takes all names whose words ([`crate::extract::terms::parts`]) are as many as the humps and begin with
//! one each, and a few more: it takes a byte outside of ASCII for a small letter, a capital and a sign.

use fst::Automaton;
use std::iter;

/// Places at most: the bits of a set.
const MAX_PLACES: usize = u128::BITS as usize;
/// Kinds of bytes that are told apart: small letters, capitals, digits, bytes outside of ASCII, and signs.
const KINDS: usize = 64;
const CAPITALS: usize = 26;
const DIGITS: usize = 52;
const HIGH: usize = 62;
const SIGN: usize = 63;
/// Where a name begins.
const START: usize = 0;
/// Behind which a name may go on in any way, and end.
const ANYTHING: usize = 1;

/// Takes names whose words begin with humps.
pub struct Humps {
    /// For each place and kind of byte the places that it leads to.
    next: Vec<[u128; KINDS]>,
    /// Places at which a name may end.
    ends: u128,
}

impl Humps {
    /// Takes what one of some ways takes, each the humps of all words in small letters. What lies behind more letters than
    /// there are places for is taken whatever it is.
    pub fn new(ways: &[&[String]]) -> Self {
        let (next, ends) = (vec![[0; KINDS]; 2], 1 << ANYTHING);
        let mut all = Self { next, ends };
        all.lead(ANYTHING, 0..KINDS, ANYTHING);
        ways.iter().for_each(|humps| all.add(humps));
        all
    }

    fn add(&mut self, humps: &[String]) {
        // Behind the hump of a word, in its capitals, in its small letters, behind signs.
        let mut word: Option<[usize; 4]> = None;
        for hump in humps {
            let mut kinds = kinds_of(hump);
            let Some(first) = kinds.next() else { continue };
            let mut at = self.place();
            match word {
                None => self.lead(START, any_case(first), at),
                Some(before) => {
                    let [.., sign] = before;
                    self.lead(sign, any_case(first), at);
                    // Without a sign before it a word begins with a capital.
                    let capital = match first {
                        ..CAPITALS => Some(first + CAPITALS),
                        HIGH => Some(HIGH),
                        _ => None,
                    };
                    for from in before {
                        self.lead(from, capital.into_iter(), at);
                    }
                }
            }
            self.stay_in_high(first, at);
            for kind in kinds {
                let behind = self.place();
                self.lead(at, any_case(kind), behind);
                self.stay_in_high(kind, behind);
                at = behind;
            }
            let [capitals, small, sign] = [self.place(), self.place(), self.place()];
            for from in [at, capitals] {
                self.lead(from, (CAPITALS..DIGITS).chain([HIGH]), capitals);
            }
            for from in [at, capitals, small] {
                let kinds = (0..CAPITALS).chain(DIGITS..HIGH).chain([HIGH]);
                self.lead(from, kinds, small);
            }
            for from in [at, capitals, small, sign] {
                self.lead(from, [SIGN, HIGH].into_iter(), sign);
            }
            word = Some([at, capitals, small, sign]);
        }
        let ends = word.into_iter().flatten();
        self.ends |= ends.fold(0, |all, place| all | 1 << place);
    }

    /// A new place, or the one behind which anything is taken.
    fn place(&mut self) -> usize {
        let place = self.next.len();
        if place == MAX_PLACES {
            return ANYTHING;
        }
        self.next.push([0; KINDS]);
        place
    }

    fn lead(&mut self, from: usize, kinds: impl Iterator<Item = usize>, to: usize) {
        kinds.for_each(|kind| self.next[from][kind] |= 1 << to);
    }

    /// A letter outside of ASCII has several bytes, and the capital of it may have fewer.
    fn stay_in_high(&mut self, kind: usize, at: usize) {
        self.lead(at, iter::once(HIGH).filter(|_| kind == HIGH), at);
    }
}

/// The kinds of a hump's bytes; those outside of ASCII that stand together are one.
fn kinds_of(hump: &str) -> impl Iterator<Item = usize> {
    let mut last = None;
    hump.bytes().map(kind).filter(move |kind| {
        let goes_on = last == Some(HIGH) && *kind == HIGH;
        last = Some(*kind);
        !goes_on
    })
}

fn any_case(kind: usize) -> impl Iterator<Item = usize> {
    let capital = (kind < CAPITALS).then_some(kind + CAPITALS);
    iter::once(kind).chain(capital)
}

fn kind(byte: u8) -> usize {
    match byte {
        b'a'..=b'z' => usize::from(byte - b'a'),
        b'A'..=b'Z' => CAPITALS + usize::from(byte - b'A'),
        b'0'..=b'9' => DIGITS + usize::from(byte - b'0'),
        0x80.. => HIGH,
        _ => SIGN,
    }
}

impl Automaton for Humps {
    type State = u128;

    fn start(&self) -> u128 {
        1 << START
    }

    fn is_match(&self, places: &u128) -> bool {
        places & self.ends != 0
    }

    fn can_match(&self, places: &u128) -> bool {
        *places != 0
    }

    fn accept(&self, places: &u128, byte: u8) -> u128 {
        let kind = kind(byte);
        let (mut left, mut next) = (*places, 0);
        while left != 0 {
            next |= self.next[left.trailing_zeros() as usize][kind];
            left &= left - 1;
        }
        next
    }
}
