//! `format-spec/vectors/log-small-sha1`: commits as text, and their piece.

use super::Piece;
use super::tests::entry;
use crate::golden;
use gix::hash::Kind;

/// Not that of any way to divide messages, so that the vector outlives them.
const TERMS_VERSION: u32 = 0x0102_0304;

fn described(piece: &Piece) -> String {
    let mut text = String::new();
    for entry in piece.entries() {
        let parents: Vec<String> = entry.parents.iter().map(ToString::to_string).collect();
        text += &format!("commit {}\n  date {}\n", entry.id, entry.date);
        text += &format!("  parents [{}]\n", parents.join(" "));
        let document = entry.document;
        text += &format!("  changed {}\n", document.changed);
        for (term, count) in &document.terms {
            text += &format!("  term {} {count}\n", String::from_utf8_lossy(term));
        }
        for path in &document.touched {
            text += &format!("  touched {path}\n");
        }
        for path in &document.gone {
            text += &format!("  gone {path}\n");
        }
        for (old, new) in &document.renames {
            text += &format!("  renamed {old} {new}\n");
        }
    }
    text
}

#[test]
fn a_piece_is_the_golden_bytes() {
    let mut entries = vec![
        entry(0x01, &[], "add parser", &["README.md", "src/parser.rs"]),
        entry(0x7f, &[0x01], "mend parser of tokens", &["src/parser.rs"]),
        entry(0x80, &[0x33], "", &[]),
        entry(0xff, &[0x7f, 0x80, 0x33], "merge", &["src/parser.rs"]),
    ];
    entries[1].date = -1;
    let piece = Piece::of(Kind::Sha1, entries);
    let mut bytes = piece.bytes().to_vec();
    bytes[12..16].copy_from_slice(&TERMS_VERSION.to_le_bytes());
    let checksum = super::checksum(&bytes).to_le_bytes();
    bytes[24..32].copy_from_slice(&checksum);
    golden::assert_same("log-small-sha1.txt", &described(&piece));
    golden::assert_same("log-small-sha1.hex", &golden::hex(&bytes));
}
