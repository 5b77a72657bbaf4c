//! Spelling events, reading them again, and refusing what is spelt otherwise.

use super::*;
use crate::git::write::blob_id;
use crate::golden;
use proptest::prelude::*;

const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

fn object(n: u8) -> ObjectId {
    ObjectId::try_from(&[n; 20][..]).unwrap()
}

fn event_id(n: u8) -> EventId {
    EventId::new(object(n))
}

fn pin(patch: Option<u8>, subject: &str) -> Pin {
    Pin {
        commit: CommitId::new(object(0x11)),
        tree: TreeId::new(object(0x22)),
        patch: patch.map(object),
        date: Date::new(1_764_000_000, 60),
        subject: subject.to_owned(),
    }
}

fn by() -> By {
    By {
        name: "Zoë Author".to_owned(),
        mail: "zoe@example.com".to_owned(),
        tool: "cli".to_owned(),
        date: Date::new(1_764_000_300, -210),
    }
}

fn path(bytes: &[u8], n: u8) -> Target {
    Target::Path {
        path: RepoPath::new(bytes).unwrap(),
        object: object(n),
    }
}

fn samples() -> Vec<(&'static str, Event)> {
    let targets = BTreeSet::from([
        Target::Symbol {
            id: "src/client.py::fetch#function".to_owned(),
            body: 0x9a3f_00c2_d4e5_f607,
        },
        path("docs/größe.md".as_bytes(), 0x44),
        path(b"odd \"name\"\xff.txt", 0x55),
    ]);
    let of = |body, text: &str| Event {
        body,
        by: by(),
        text: text.to_owned(),
    };
    let claim = |core, replaces: &[u8], again: &[u8]| Body::Claim {
        kind: if core { Kind::Rule } else { Kind::Decision },
        pin: pin((!core).then_some(0x33), "Retry in the client"),
        targets: if core {
            BTreeSet::new()
        } else {
            targets.clone()
        },
        tags: BTreeSet::from(["network".to_owned()]),
        core,
        replaces: replaces.iter().map(|n| event_id(*n)).collect(),
        again: again.iter().map(|n| event_id(*n)).collect(),
    };
    let end = Body::End {
        pin: pin(None, ""),
        targets: BTreeSet::new(),
        closes: BTreeSet::from([event_id(0x66), event_id(0x67)]),
    };
    let repin = Body::Repin {
        old: CommitId::new(object(0x11)),
        new: CommitId::new(object(0x12)),
        how: How::Squash,
    };
    let redact = Body::Redact {
        event: event_id(0x66),
    };
    vec![
        (
            "assert",
            of(
                claim(false, &[], &[]),
                "Retries belong in the client.\n\n\tNot here.",
            ),
        ),
        (
            "amend",
            of(claim(true, &[0x66, 0x77], &[0x88]), "Ünder five retries."),
        ),
        ("end", of(end, "")),
        ("repin", of(repin, "")),
        ("redact", of(redact, "A name was in it.")),
    ]
}

#[test]
fn events_are_spelt_as_specified() {
    let mut ids = String::new();
    for (name, event) in samples() {
        assert_eq!(event.label(), name);
        let text = encode(&event);
        golden::assert_same(&format!("memory-{name}.txt"), &text);
        assert_eq!(decode(text.as_bytes(), SHA1).unwrap(), event, "{name}");
        let id = blob_id(SHA1, text.as_bytes()).unwrap();
        ids += &format!("{id} memory-{name}.txt\n");
        let Some(stub) = event.stub() else {
            continue;
        };
        let stub_text = encode_stub(&stub);
        assert_eq!(decode_stub(stub_text.as_bytes(), SHA1).unwrap(), stub);
        if name == "amend" {
            golden::assert_same("memory-amend-redacted.txt", &stub_text);
            let id = blob_id(SHA1, stub_text.as_bytes()).unwrap();
            ids += &format!("{id} memory-amend-redacted.txt\n");
        }
    }
    golden::assert_same("memory-ids.txt", &ids);
}

#[test]
fn there_is_one_spelling() {
    let (_, event) = samples().remove(0);
    let good = encode(&event);
    let refused = |bad: &str, why: &str| {
        let Err(Error::Malformed(reason)) = decode(bad.as_bytes(), SHA1) else {
            panic!("{why} is accepted: {bad}");
        };
        reason
    };
    for (right, wrong, why) in [
        (
            "tag network\n",
            "tag network\ntag network\n",
            "a line twice",
        ),
        ("kind decision\n", "", "no kind"),
        ("kind decision", "kind opinion", "another kind"),
        ("tool cli", "tool cli\nmood good", "an unknown line"),
        ("assert\n", "amend\n", "an amend that replaces nothing"),
        ("assert\n", "redacted assert\n", "a stub"),
        ("pin-date 2025", "pin-date 2025 ", "a strange date"),
        (" 9a3f", " 9A3F", "capital digits"),
        ("\n\nRetries", "\n\n\nRetries", "space before the text"),
        ("client.\n", "client\u{1b}[2J.\n", "a control character"),
        ("Zoë Author", "Zoë <Author", "a second address"),
    ] {
        refused(&good.replace(right, wrong), why);
    }
    refused(&format!("{good}\n"), "space after the text");
    refused("", "nothing");
    refused(&"x".repeat(MAX_MEMORY_EVENT + 1), "too much");
    let newer = good.replace("memory 1", "memory 2");
    assert_eq!(decode(newer.as_bytes(), SHA1), Err(Error::Newer(2)));
    let sha256 = decode(good.as_bytes(), gix::hash::Kind::Sha256);
    assert!(matches!(sha256, Err(Error::Malformed(_))));
}

fn events() -> impl Strategy<Value = Event> {
    let word = "[a-zé\"\\\\ ]{0,6}[a-z]";
    let targets = proptest::collection::btree_set(("[a-z\\\\\"\t\n é]{1,6}x", any::<u64>()), 0..3);
    let names = proptest::collection::btree_set(0_u8..9, 0..3);
    let tags = proptest::collection::btree_set(word, 0..3);
    let kind = proptest::sample::select(Kind::ALL.to_vec());
    let text = "[a-zé\n\t]{0,40}";
    (0..4, kind, targets, tags, names, any::<bool>(), text, word).prop_map(
        |(what, kind, targets, tags, names, core, text, subject)| {
            let text = text.trim().to_owned();
            let targets: BTreeSet<Target> = targets
                .into_iter()
                .map(|(name, body)| match body % 2 {
                    0 => path(name.as_bytes(), body as u8),
                    _ => Target::Symbol { id: name, body },
                })
                .collect();
            let mut names: BTreeSet<EventId> = names.into_iter().map(event_id).collect();
            let pin = pin(core.then_some(3), subject.trim());
            let body = match what {
                0 => Body::Claim {
                    kind,
                    pin,
                    targets,
                    tags: tags.into_iter().map(|tag| tag.trim().to_owned()).collect(),
                    core,
                    again: names.clone(),
                    replaces: names,
                },
                1 => {
                    names.insert(event_id(1));
                    Body::End {
                        pin,
                        targets,
                        closes: names,
                    }
                }
                2 => Body::Repin {
                    old: pin.commit,
                    new: pin.commit,
                    how: How::Manual,
                },
                _ => Body::Redact { event: event_id(2) },
            };
            let text = if what == 0 { format!("x{text}") } else { text };
            Event {
                body,
                by: by(),
                text,
            }
        },
    )
}

proptest! {
    #[test]
    fn what_is_spelt_is_read_back(event in events()) {
        let text = encode(&event);
        prop_assert_eq!(decode(text.as_bytes(), SHA1), Ok(event));
    }

    #[test]
    fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = decode(&bytes, SHA1);
        let _ = decode_stub(&[FIRST.as_bytes(), b"\nredacted end\n", &bytes].concat(), SHA1);
    }

    #[test]
    fn what_is_accepted_is_spelt_the_same(event in events(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = encode(&event).into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(read) = decode(&bytes, SHA1) {
            prop_assert_eq!(encode(&read).into_bytes(), bytes);
        }
    }

    #[test]
    fn quotes_come_off_again(name in proptest::collection::vec(any::<u8>(), 1..12)) {
        let quoted = quoted(&name);
        prop_assert!(!quoted.chars().any(char::is_control));
        prop_assert_eq!(unquoted(&quoted), Some(name));
    }
}
