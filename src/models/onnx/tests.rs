//! Runs a network that is made here: each token has a row of a table.
//!
//! Without an ONNX Runtime on the machine nothing can run; then the test says so on the terminal,
//! past the harness that would swallow it, and looks at the error instead. That of a library which
//! is none is looked at in `tests/it/model.rs`: it lasts as long as its process.

#![cfg(feature = "onnx-models")]

use super::OnnxModel;
use crate::models::library::{self, Found};
use crate::models::{Error, Side, TextModel};
use std::io::Write as _;
use std::path::Path;

/// One row for each of the tokens below.
const TABLE: [[f32; 3]; 6] = [
    [0.0, 0.0, 9.0], // [PAD]
    [0.0, 0.0, 8.0], // [UNK]
    [1.0, 0.0, 0.0], // [CLS]
    [1.0, 0.0, 0.0], // [SEP]
    [0.0, 3.0, 0.0], // read
    [0.0, 0.0, 3.0], // write
];
const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nread\nwrite\n";

/// Protocol buffers, as far as ONNX needs them.
mod protobuf {
    pub fn number(field: u8, value: u8) -> Vec<u8> {
        vec![field << 3, value]
    }

    pub fn bytes(field: u8, value: &[u8]) -> Vec<u8> {
        let mut out = vec![field << 3 | 2];
        let mut length = value.len();
        while length >= 0x80 {
            out.push(length as u8 | 0x80);
            length >>= 7;
        }
        out.push(length as u8);
        out.extend(value);
        out
    }
}

use protobuf::{bytes, number};

const FLOAT: u8 = 1;
const INT64: u8 = 7;

/// A `ValueInfoProto`: a tensor whose sizes are left open, but for a last one that is known.
fn value(name: &str, element: u8, open: usize, known: Option<u8>) -> Vec<u8> {
    let open = (0..open).map(|n| bytes(1, &bytes(2, format!("n{n}").as_bytes())));
    let known = known.map(|size| bytes(1, &number(1, size)));
    let shape: Vec<u8> = open.chain(known).flatten().collect();
    let tensor = [number(1, element), bytes(2, &shape)].concat();
    [bytes(1, name.as_bytes()), bytes(2, &bytes(1, &tensor))].concat()
}

/// A `ModelProto` that looks each token up in [`TABLE`].
fn network(inputs: &[(&str, u8)]) -> Vec<u8> {
    let weights: Vec<u8> = TABLE
        .iter()
        .flatten()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let table = [
        number(1, TABLE.len() as u8),
        number(1, 3),
        number(2, FLOAT),
        bytes(8, b"table"),
        bytes(9, &weights),
    ];
    let gather = [
        bytes(1, b"table"),
        bytes(1, inputs[0].0.as_bytes()),
        bytes(2, b"last_hidden_state"),
        bytes(4, b"Gather"),
    ];
    let mut graph = [
        bytes(1, &gather.concat()),
        bytes(2, b"tiny"),
        bytes(5, &table.concat()),
    ]
    .concat();
    for (name, element) in inputs {
        graph.extend(bytes(11, &value(name, *element, 2, None)));
    }
    graph.extend(bytes(12, &value("last_hidden_state", FLOAT, 2, Some(3))));
    let operators = bytes(8, &[bytes(1, b""), number(2, 13)].concat());
    [number(1, 8), operators, bytes(7, &graph)].concat()
}

fn write(folder: &Path, name: &str, content: &[u8]) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn folder(inputs: &[(&str, u8)]) -> tempfile::TempDir {
    let folder = tempfile::Builder::new().prefix("tiny").tempdir().unwrap();
    write(folder.path(), "model.onnx", &network(inputs));
    write(folder.path(), "vocab.txt", VOCABULARY.as_bytes());
    folder
}

/// Returns the machine's library; `None` after saying that there is none.
fn runtime(test: &str) -> Option<Found> {
    match library::find(std::env::var_os(library::VARIABLE), None) {
        Ok(found) => Some(found),
        Err(err) => {
            let said = err.to_string();
            assert!(matches!(err, Error::NoLibrary { .. }), "{said}");
            let _ = writeln!(std::io::stderr(), "NOT RUN: {test}: {said}");
            None
        }
    }
}

/// Asserts a vector, of length one whatever is given.
fn assert_direction(vector: &[f32], expected: [f32; 3]) {
    let length = expected.iter().map(|v| v * v).sum::<f32>().sqrt();
    let near = |(seen, wanted): (&f32, f32)| (seen - wanted / length).abs() < 1e-6;
    assert!(vector.iter().zip(expected).all(near), "{vector:?}");
}

#[test]
fn a_network_is_run_pooled_and_scaled() {
    let Some(library) = runtime("a_network_is_run_pooled_and_scaled") else {
        return;
    };
    let all = [
        ("input_ids", INT64),
        ("attention_mask", INT64),
        ("token_type_ids", INT64),
    ];
    let folder = folder(&all);
    let model = OnnxModel::open(folder.path(), &library).unwrap();
    assert_eq!(model.dims(), 3);
    assert!(model.id().starts_with("tiny"), "{}", model.id());

    let vectors = model
        .embed(&["read", "write read", ""], Side::Document)
        .unwrap();
    assert_direction(&vectors[0], [2.0, 3.0, 0.0]);
    assert_direction(&vectors[1], [2.0, 3.0, 3.0]);
    assert_direction(&vectors[2], [1.0, 0.0, 0.0]);
    assert!(model.embed(&[], Side::Document).unwrap().is_empty());

    // Many texts, on all threads, come back in order and as if each were alone.
    let texts: Vec<String> = (0..300).map(|n| "read ".repeat(n % 7) + "write").collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = model.embed(&texts, Side::Document).unwrap();
    for (text, vector) in texts.iter().zip(together) {
        assert_eq!(
            model.embed(&[text], Side::Query).unwrap(),
            [vector],
            "{text}"
        );
    }

    write(
        folder.path(),
        "1_Pooling/config.json",
        br#"{"pooling_mode_cls_token": true}"#,
    );
    let first = OnnxModel::open(folder.path(), &library).unwrap();
    assert_direction(
        &first.embed(&["read"], Side::Query).unwrap()[0],
        [1.0, 0.0, 0.0],
    );
    assert_ne!(first.id(), model.id());
}

#[test]
fn inputs_that_a_network_lacks_are_not_fed() {
    let Some(library) = runtime("inputs_that_a_network_lacks_are_not_fed") else {
        return;
    };
    let folder = folder(&[("input_ids", INT64)]);
    let model = OnnxModel::open(folder.path(), &library).unwrap();
    let vectors = model.embed(&["write"], Side::Query).unwrap();
    assert_direction(&vectors[0], [2.0, 0.0, 3.0]);
}

#[test]
fn a_network_that_is_none_is_refused_with_its_name() {
    let Some(library) = runtime("a_network_that_is_none_is_refused_with_its_name") else {
        return;
    };
    let refused = |folder: &Path| OnnxModel::open(folder, &library).err().unwrap().to_string();
    let other = folder(&[("input_ids", INT64), ("pixel_values", FLOAT)]);
    assert!(
        refused(other.path()).contains("pixel_values"),
        "{}",
        refused(other.path())
    );
    let other = folder(&[("tokens", INT64)]);
    assert!(
        refused(other.path()).contains("input tokens"),
        "{}",
        refused(other.path())
    );
    write(other.path(), "model.onnx", b"no network");
    assert!(
        refused(other.path()).contains("model.onnx"),
        "{}",
        refused(other.path())
    );
    // More pieces in the vocabulary than rows in the table: an error, not a crash.
    let small = folder(&[("input_ids", INT64)]);
    write(
        small.path(),
        "vocab.txt",
        format!("{VOCABULARY}more\ntext\n").as_bytes(),
    );
    assert!(
        refused(small.path()).contains("failed"),
        "{}",
        refused(small.path())
    );
}
