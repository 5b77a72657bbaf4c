use super::*;
use crate::history::document::MANY;
use crate::history::message;
use proptest::prelude::*;
use std::collections::BTreeSet;

const SHA1: Kind = Kind::Sha1;

pub(crate) fn commit(n: u8) -> CommitId {
    CommitId::from_bytes(&[n; 20]).unwrap()
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

pub(crate) fn entry(n: u8, parents: &[u8], subject: &str, paths: &[&str]) -> Entry {
    let old = |new: &&str| path(&format!("old/{new}"));
    let is_merge = parents.len() > 1;
    let moved = paths.iter().take(1).filter(|_| !is_merge);
    Entry {
        id: commit(n),
        date: 1000 + i64::from(n),
        parents: parents.iter().map(|n| commit(*n)).collect(),
        document: Document {
            terms: message::terms(if is_merge { b"" } else { subject.as_bytes() }),
            changed: paths.len() as u32,
            touched: paths.iter().map(|p| path(p)).collect(),
            gone: paths.iter().take(1).map(old).collect(),
            renames: moved.map(|new| (old(new), path(new))).collect(),
        },
    }
}

fn entries() -> Vec<Entry> {
    vec![
        entry(1, &[], "add parser", &["a.rs", "src/b.rs"]),
        entry(2, &[1], "mend parser", &["src/b.rs"]),
        entry(3, &[1], "", &[]),
        entry(4, &[2, 3, 9], "merge", &["a.rs"]),
    ]
}

/// Commits that touch a few files, some with a long message.
fn any_entries() -> impl Strategy<Value = Vec<Entry>> {
    let word = prop::sample::select(vec!["fix", "parser", "token", "a", "window", "x1"]);
    let words = proptest::collection::vec(word, 0..20);
    let paths = proptest::collection::btree_set(0_u8..12, 0..6);
    let parents = proptest::collection::btree_set(0_u8..40, 0..4);
    let one = (0_u8..30, parents, words, paths, any::<i64>());
    let one = one.prop_map(|(n, parents, words, paths, date)| {
        let parents: Vec<u8> = parents.into_iter().collect();
        let names: BTreeSet<String> = paths
            .iter()
            .map(|n| format!("d{}/f{n}.rs", n % 3))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut entry = entry(n, &parents, &words.join(" "), &names);
        entry.date = date;
        entry
    });
    proptest::collection::vec(one, 0..12).prop_map(|mut all| {
        all.sort_by_key(|entry| entry.id);
        all.dedup_by_key(|entry| entry.id);
        all
    })
}

/// Calls everything that can be asked of a piece.
fn walk(piece: &Piece) -> usize {
    let mut seen = piece.ids().count();
    for at in 0..piece.len() as u32 + 2 {
        seen += piece.id(at).map_or(0, |id| piece.find(id).unwrap_or(0)) as usize;
        seen += piece.parents(at).count() + piece.parent_ids(at).len();
        seen += piece
            .touched(at)
            .map(|p| piece.path(p).len())
            .sum::<usize>();
        seen += piece
            .renames(at)
            .map(|(old, new)| piece.path(old).len() + piece.path(new).len())
            .sum::<usize>();
        seen ^= piece.date(at) as usize ^ piece.length(at) as usize;
        seen ^= piece.changed(at) as usize ^ piece.weight(at) as usize;
    }
    seen += piece.movers().count() + piece.all_about().flatten().count();
    seen += piece.holders(b"parser").count() + piece.find_path(b"a.rs").unwrap_or(0) as usize;
    seen + piece.entries().len()
}

/// Gives bytes the checksum and the length that a writer would.
fn sign(bytes: &mut [u8]) {
    let total = (bytes.len() as u64).to_le_bytes();
    if let Some(place) = bytes.get_mut(16..24) {
        place.copy_from_slice(&total);
    }
    let sum = checksum(bytes).to_le_bytes();
    if let Some(place) = bytes.get_mut(24..32) {
        place.copy_from_slice(&sum);
    }
}

proptest! {
    #[test]
    fn pieces_are_read_back(entries in any_entries()) {
        let piece = Piece::of(SHA1, entries.clone());
        let opened = Piece::open(piece.bytes().to_vec(), SHA1).unwrap();
        prop_assert_eq!(opened.verify(), Ok(()));
        prop_assert_eq!(&opened, &piece);
        prop_assert_eq!(opened.entries(), entries.clone());
        let mut turned = entries.clone();
        turned.reverse();
        prop_assert_eq!(&Piece::of(SHA1, turned), &piece);
        for (entry, at) in entries.iter().zip(0..) {
            prop_assert_eq!(piece.find(entry.id), Some(at));
            prop_assert_eq!(&piece.parent_ids(at), &entry.parents);
            prop_assert_eq!(piece.date(at), entry.date);
        }
    }

    #[test]
    fn damage_is_found(entries in any_entries(), at: prop::sample::Index, to: u8) {
        let whole = Piece::of(SHA1, entries).bytes().to_vec();
        let mut bytes = whole.clone();
        let at = at.index(bytes.len());
        bytes[at] ^= to;
        prop_assert_eq!(Piece::open(bytes, SHA1).is_ok(), to == 0);
        prop_assert!(Piece::open(whole[..at].to_vec(), SHA1).is_err());
    }

    /// A liar can make a checksum too.
    #[test]
    fn what_is_signed_and_wrong_is_read_without_harm_and_refused(
        entries in any_entries(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let whole = Piece::of(SHA1, entries).bytes().to_vec();
        let mut bytes = whole.clone();
        for (at, to) in edits {
            let at = at.index(bytes.len());
            bytes[at] = to;
        }
        sign(&mut bytes);
        if let Ok(piece) = Piece::open(bytes, SHA1) {
            walk(&piece);
            if piece.verify() == Ok(()) {
                let again = Piece::of(SHA1, piece.entries());
                prop_assert_eq!(again.bytes(), piece.bytes());
            }
        }
    }

    #[test]
    fn any_bytes_are_read_without_harm(rest in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut bytes = Piece::of(SHA1, Vec::new()).bytes()[..HEADER_BYTES].to_vec();
        bytes.extend(rest);
        sign(&mut bytes);
        if let Ok(piece) = Piece::open(bytes, SHA1) {
            walk(&piece);
            let _ = piece.verify();
        }
    }
}

#[test]
fn what_went_in_is_found_in_place() {
    let piece = Piece::of(SHA1, entries());
    assert_eq!(
        piece.holders(b"parser").collect::<Vec<_>>(),
        [(0, 3), (1, 3)]
    );
    assert_eq!(piece.holders(b"merge").count(), 0);
    let touched: Vec<Vec<u8>> = piece.touched(1).map(|place| piece.path(place)).collect();
    assert_eq!(touched, [b"src/b.rs"]);
    let moved = |(old, new)| (piece.path(old), piece.path(new));
    let moves: Vec<_> = piece.renames(0).map(moved).collect();
    assert_eq!(moves, [(b"old/a.rs".to_vec(), b"a.rs".to_vec())]);
    let all: Vec<Vec<u8>> = (0..piece.paths()).map(|at| piece.path(at)).collect();
    assert_eq!(piece.all_paths(), all);
    assert_eq!(piece.movers().collect::<Vec<_>>(), [0, 1]);
    let parents: Vec<Parent> = piece.parents(3).collect();
    let want = [
        Parent::Here(1),
        Parent::Here(2),
        Parent::Elsewhere(commit(9)),
    ];
    assert_eq!(parents, want);
    assert_eq!(piece.entries(), entries());
    assert!(Piece::of(SHA1, Vec::new()).is_empty());
}

#[test]
fn a_commit_counts_once() {
    let mut twice = entries();
    twice.push(entry(2, &[1], "a copy", &["c"]));
    assert_eq!(Piece::of(SHA1, twice), Piece::of(SHA1, entries()));
}

#[test]
fn what_a_merge_says_is_refused() {
    let lies: [fn(&mut Document); 3] = [
        |of| of.terms = message::terms(b"lies"),
        |of| of.renames = vec![(path("b"), path("a.rs"))],
        |of| of.changed = MANY + 1,
    ];
    for lie in lies {
        let mut lying = entries();
        lie(&mut lying[3].document);
        let piece = Piece::of(SHA1, lying);
        assert_eq!(piece.verify(), Err("it is not canonical"));
    }
}

/// A few bytes can name a long path a million times, or a million long paths; when decoded they would fill
/// memory.
#[test]
fn what_would_fill_memory_is_refused() {
    let few = vec![entry(1, &[], "one", &[])];
    let plain = Piece::of(SHA1, few).bytes().to_vec();
    let dictionary = |paths: &[String]| {
        let mut out = Vec::new();
        crate::segment::dict::write(&mut out, paths.iter().map(String::as_bytes));
        out
    };
    let long: Vec<String> = (0..5000)
        .map(|n| format!("{}{n:04}", "a".repeat(1000)))
        .collect();
    let (none, bomb) = (dictionary(&[]), dictionary(&long));
    // Nothing else of the piece looks like a dictionary without keys and the list behind it.
    let mut places = (HEADER_BYTES..plain.len()).filter(|at| plain[*at..].starts_with(&none));
    let swapped = places.find_map(|at| {
        let mut bytes = [&plain[..at], &bomb, &plain[at + none.len()..]].concat();
        sign(&mut bytes);
        Piece::open(bytes, SHA1)
            .ok()
            .filter(|piece| piece.paths() == 5000)
    });
    let piece = swapped.unwrap();
    // Five megabytes of paths.
    assert!(piece.bytes().len() < 400_000);
    assert!(piece.verify().unwrap_err().contains("weigh more"));
    let mut many = entry(1, &[], "one", &[]);
    many.document = Document::default();
    many.parents = vec![commit(1); MAX_PLACES + 1];
    let piece = Piece::of(SHA1, vec![many]);
    assert!(piece.verify().unwrap_err().contains("weigh more"));
}

#[test]
fn pieces_of_another_hash_are_refused() {
    let bytes = Piece::of(SHA1, entries()).bytes().to_vec();
    assert!(Piece::open(bytes, Kind::Sha256).is_err());
}
