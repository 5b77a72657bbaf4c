use super::*;
use crate::golden;
use crate::store::kind::Part;
use crate::store::ledger::Ledger;
use crate::store::union;
use proptest::prelude::*;

const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

fn blob(n: u8) -> BlobId {
    BlobId::from_bytes(&[n; 20]).unwrap()
}

fn symbol(text: &str) -> Symbol {
    Symbol::stored(text).unwrap()
}

type Place = (u32, u32, Symbol);

fn facts(definitions: &[Place], uses: &[Place]) -> BlobFacts {
    fn each(all: &[Place]) -> impl Iterator<Item = (u32, u32, &Symbol)> {
        all.iter().map(|(line, col, symbol)| (*line, *col, symbol))
    }
    BlobFacts::of(each(definitions), each(uses))
}

fn some() -> impl Strategy<Value = FactsByBlob> {
    let symbol = (0_u8..40).prop_map(|n| match n % 4 {
        0 => symbol(&format!("scip-test x shop `a.ts`/T{n}#typeLiteral:x.")),
        1 => symbol(&format!("scip-test x shop `é {n}`/f().")),
        2 => symbol(&format!("scip-test x other m/C#f().(p{n})")),
        _ => symbol(&format!("scip-test . . m/C{n}#")),
    });
    let place = (1_u32..300, 0_u32..90, symbol);
    let places = || proptest::collection::vec(place.clone(), 0..9);
    let facts = (places(), places()).prop_map(|(definitions, uses)| facts(&definitions, &uses));
    let facts = facts.prop_filter("there are some", |facts| !facts.is_empty());
    let id = (0_u8..24).prop_map(|n| blob(n.wrapping_mul(37)));
    proptest::collection::btree_map(id, facts, 0..9)
}

proptest! {
    #[test]
    fn pieces_are_read_back(known in some()) {
        prop_assert_eq!(decode(SHA1, &encode(SHA1, &known)), Ok(known));
    }

    #[test]
    fn damage_is_found_without_harm(
        known in some(),
        at: prop::sample::Index,
        to: u8,
        cut: prop::sample::Index,
    ) {
        let mut bytes = encode(SHA1, &known);
        let at = at.index(bytes.len());
        bytes[at] = to;
        // Some damage gives another piece; none gives bytes that are not the ones of its content.
        if let Ok(found) = decode(SHA1, &bytes) {
            prop_assert_eq!(encode(SHA1, &found), &bytes[..]);
        }
        let whole = encode(SHA1, &known);
        prop_assert!(decode(SHA1, &whole[..cut.index(whole.len())]).is_err());
    }

    #[test]
    fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode(SHA1, &[&MAGIC[..], &[1], &bytes].concat());
    }

    #[test]
    fn union_is_that_of_sets(a in some(), b in some(), c in some()) {
        let together = |all: &[&FactsByBlob]| {
            let mut out = FactsByBlob::new();
            for known in all {
                unite(&mut out, (*known).clone());
            }
            out
        };
        prop_assert_eq!(together(&[&a, &b, &c]), together(&[&c, &a, &b, &a]));
        let piece = |known: &FactsByBlob| Piece::of(SHA1, known).unwrap();
        let (first, second) = (piece(&a), piece(&b));
        let merged = FactPieces::merge(SHA1, &[&first, &second], &|_| true).unwrap();
        prop_assert_eq!(&merged, &piece(&together(&[&a, &b])));
        for blob in b.keys() {
            prop_assert!(FactPieces::tells(&merged, &second, blob));
        }
    }
}

/// The facts of `format-spec/vectors/facts-small-sha1`.
fn small() -> FactsByBlob {
    let shop = |descriptors: &str| symbol(&format!("scip-typescript npm @shop/cart {descriptors}"));
    let literal = symbol("scip-typescript npm @shop/cart src/`cart.ts`/Row#typeLiteral:price.");
    FactsByBlob::from([
        (
            blob(0x01),
            facts(
                &[],
                &[
                    (1, 9, shop("src/`cart.ts`/Cart#")),
                    (
                        4,
                        2,
                        symbol("scip-typescript npm typescript lib/`lib.es5.d.ts`/Array#map()."),
                    ),
                    (4, 2, shop("src/`cart.ts`/Cart#map().")),
                    (4, 20, literal.clone()),
                    (300, 200, shop("src/`cart.ts`/Cart#add().")),
                ],
            ),
        ),
        (
            blob(0x7f),
            facts(
                &[
                    (1, 13, shop("src/`cart.ts`/Cart#")),
                    (2, 2, shop("src/`cart.ts`/Cart#add().")),
                    (9, 20, literal),
                ],
                &[(3, 9, shop("src/`cart.ts`/Cart#add()."))],
            ),
        ),
    ])
}

fn described(known: &FactsByBlob) -> String {
    let mut text = String::new();
    for (blob, facts) in known {
        text += &format!("{blob}\n");
        for (what, places) in [("defines", facts.definitions()), ("uses", facts.uses())] {
            for fact in places {
                let symbol = &facts.symbols()[fact.symbol as usize];
                let (line, col) = (fact.line, fact.col);
                text += &format!("  {what} {line}:{col} {}\n", symbol.text());
            }
        }
    }
    text
}

#[test]
fn a_piece_is_the_golden_bytes() {
    let bytes = encode(SHA1, &small());
    golden::assert_same("facts-small-sha1.txt", &described(&small()));
    golden::assert_same("facts-small-sha1.hex", &golden::hex(&bytes));
    assert_eq!(decode(SHA1, &bytes), Ok(small()));
}

#[test]
fn what_would_not_have_been_written_is_refused() {
    let head = [&MAGIC[..], &[1]].concat();
    let decode = |rest: &[u8]| decode(SHA1, &[&head[..], rest].concat());
    let id = [7; 20];
    let text = b"a b c f().";
    let of = |symbols: &[&[u8]], places: &[u8]| {
        let mut bytes = [&[1], &id[..], &[symbols.len() as u8]].concat();
        symbols
            .iter()
            .for_each(|symbol| bytes.extend_from_slice(symbol));
        [&bytes[..], places].concat()
    };
    let one = [&[0, text.len() as u8], &text[..]].concat();
    let used = [0, 1, 2, 3, 0];
    assert!(decode(&of(&[&one], &used)).is_ok());
    assert_eq!(decode(&[0]), Ok(FactsByBlob::new()));
    assert_eq!(decode(&[0x80, 0]), Err(NOT_CANONICAL));
    assert_eq!(decode(&[0, 0]), Err("there is more behind it"));
    assert_eq!(decode(&[1]), Err(SHORT));
    assert_eq!(
        decode(&of(&[], &[0, 0])),
        Err(NOT_CANONICAL),
        "it says nothing"
    );
    let unused = Err("its facts are not in order");
    assert_eq!(decode(&of(&[&one], &[0, 0])), unused);
    assert_eq!(
        decode(&of(&[&one], &[0, 2, 2, 3, 0, 0, 0, 0])),
        unused,
        "twice"
    );
    assert_eq!(
        decode(&of(&[&one], &[0, 1, 2, 3, 1])),
        unused,
        "no such symbol"
    );
    for other in ["local 1", "a b c f(+1).", "a b c f()", "a b c ", "a b c f/"] {
        let other = [&[0, other.len() as u8], other.as_bytes()].concat();
        assert_eq!(decode(&of(&[&other], &used)), Err(NO_SYMBOL));
    }
    let far = [0, 1, 0xff, 0xff, 0xff, 0x7f, 0, 0];
    assert_eq!(decode(&of(&[&one], &far)), Err(FAR));
    let other = super::decode(gix::hash::Kind::Sha256, &[&head[..], &[0]].concat());
    assert_eq!(other, Err("it is of another hash"));
}

#[test]
fn the_cut_keeps_everything_and_to_the_limit() {
    let large = |kib: u32| {
        let add = symbol("scip-test x shop `a.ts`/add().");
        let places: Vec<Place> = (1..kib * 340).map(|line| (line, 3, add.clone())).collect();
        facts(&[], &places)
    };
    let known: FactsByBlob = (0..=255).map(|n| (blob(n), large(7))).collect();
    let whole = Part::<FactPieces>::built(SHA1, Piece::of(SHA1, &known).unwrap()).unwrap();
    let set = union::unite(SHA1, vec![whole], &Ledger::default()).unwrap();
    assert_eq!(set.len(), 4);
    let mut all = FactsByBlob::new();
    for part in &set {
        assert!(part.bytes().len() <= FACTS_BYTES + 16);
        unite(&mut all, decode(SHA1, part.bytes()).unwrap());
    }
    assert_eq!(all, known);
}
