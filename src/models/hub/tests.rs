//! Against a server of this process, with a model of two small files.

#![cfg(feature = "remote-models")]

use super::*;
use crate::models::http::tests::{reply, serve};

/// `printf 'weights' | sha256sum`, and of `words`.
const TINY: Hosted = Hosted {
    name: "tiny",
    repository: "us/Tiny",
    revision: "abc",
    license: "MIT",
    files: &[
        HostedFile {
            source: "onnx/tiny.onnx",
            target: "model.onnx",
            bytes: 7,
            sha256: "9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c",
        },
        HostedFile {
            source: "vocab.txt",
            target: "deep/vocab.txt",
            bytes: 5,
            sha256: "dba36bffa5cab0f922d087a3aeb179f9d4e745df40b323e1b1471402848c8a3e",
        },
    ],
};

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|n| n.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_model_is_fetched_once_and_whole() {
    let models = tempfile::tempdir().unwrap();
    let models = models.path().join("data/models");
    let moved = (302, "location: /storage?x=1\r\n".to_owned(), Vec::new());
    let (hub, asked) = serve(vec![moved, reply(200, "weights"), reply(200, "words")]);
    let mut seen = Vec::new();
    let fetched = TINY
        .fetch(&hub, &models, &mut |n, total| seen.push((n, total)))
        .unwrap();
    assert_eq!(
        fetched,
        Fetched {
            folder: models.join("tiny"),
            bytes: 12
        }
    );
    assert_eq!(seen, [(7, 12), (12, 12)]);
    let lines: Vec<String> = asked.try_iter().map(|asked| asked.line).collect();
    assert_eq!(lines[0], "GET /us/Tiny/resolve/abc/onnx/tiny.onnx HTTP/1.1");
    assert_eq!(lines[2], "GET /us/Tiny/resolve/abc/vocab.txt HTTP/1.1");
    assert_eq!(
        std::fs::read(models.join("tiny/deep/vocab.txt")).unwrap(),
        b"words"
    );
    assert_eq!(names(&models), ["tiny"], "nothing temporary is left");
    // The server is gone; nobody asks it.
    let again = TINY.fetch(&hub, &models, &mut |_, _| {}).unwrap();
    assert_eq!(again.bytes, 0);
}

#[test]
fn a_damaged_model_is_replaced_and_another_left() {
    let models = tempfile::tempdir().unwrap();
    let place = models.path().join("tiny");
    std::fs::create_dir(&place).unwrap();
    std::fs::write(place.join("model.onnx"), "weightz").unwrap();
    let (hub, _asked) = serve(vec![reply(404, "")]);
    TINY.fetch(&hub, models.path(), &mut |_, _| {}).unwrap_err();
    assert_eq!(names(&place), ["model.onnx"], "left as it was");
    let (hub, _asked) = serve(vec![reply(200, "weights"), reply(200, "words")]);
    TINY.fetch(&hub, models.path(), &mut |_, _| {}).unwrap();
    assert!(TINY.is_in(&place));
    assert_eq!(names(models.path()), ["tiny"]);
}

#[test]
fn what_is_not_the_pinned_file_is_thrown_away() {
    let models = tempfile::tempdir().unwrap();
    let refused = |replies| {
        let (hub, _asked) = serve(replies);
        let err = TINY.fetch(&hub, models.path(), &mut |_, _| {}).unwrap_err();
        assert_eq!(names(models.path()), [""; 0]);
        err.to_string()
    };
    let other = refused(vec![reply(200, "weightz")]);
    assert!(
        other.contains("SHA-256") && other.contains("nothing was installed"),
        "{other}"
    );
    let long = refused(vec![reply(200, vec![b'w'; 1 << 20])]);
    assert!(long.contains("more than 7 bytes"), "{long}");
    let short = refused(vec![reply(200, "weights"), reply(200, "wor")]);
    assert!(short.contains("3 bytes, not 5"), "{short}");
    let gone = refused(vec![reply(410, "")]);
    assert!(gone.contains("it answered 410"), "{gone}");
    let err = TINY
        .fetch("ftp://x", models.path(), &mut |_, _| {})
        .unwrap_err();
    assert!(err.to_string().contains("http"), "{err}");
}

#[test]
fn the_table_is_sound() {
    for model in MODELS {
        assert_eq!(crate::models::slug(model.name), model.name);
        assert_eq!(Hosted::named(model.name).unwrap(), model);
        assert!(model.revision.len() == 40, "a commit, not a branch");
        for file in model.files {
            let digits = file
                .sha256
                .chars()
                .all(|c| matches!(c, '0'..='9' | 'a'..='f'));
            assert!(file.sha256.len() == 64 && digits, "{}", file.source);
        }
    }
    assert!(
        Hosted::named("no-such")
            .unwrap_err()
            .to_string()
            .contains("model list")
    );
}
