//! The golden vectors of `format-spec/vectors`, as the tests of each format compare with them.
//!
//! Run with `UPDATE_VECTORS=1` to write them anew, which only a new layout or extractor may need.

use std::fmt::Write as _;
use std::path::PathBuf;

/// Bytes as lines of hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for line in bytes.chunks(32) {
        line.iter()
            .for_each(|byte| write!(text, "{byte:02x}").unwrap());
        text.push('\n');
    }
    text
}

/// The bytes that a vector of hexadecimal digits stands for.
pub fn bytes(name: &str) -> Vec<u8> {
    let hex = std::fs::read_to_string(path(name)).unwrap();
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |two: &[u8]| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

/// Compares a text with a vector.
pub fn assert_same(name: &str, text: &str) {
    let path = path(name);
    if std::env::var_os("UPDATE_VECTORS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert!(golden == text, "{} differs from\n{text}", path.display());
}

fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("format-spec/vectors");
    folder.join(name)
}
