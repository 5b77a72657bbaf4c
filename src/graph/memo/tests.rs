use super::super::hops::Search;
use super::*;
use std::cell::Cell;

const KEY: Key = Key { place: 1, asked: 2 };

/// A chain of so many hops.
fn chain(hops: Hops<'_>, long: u32) -> Value {
    match (long, hops.next()) {
        (0, _) => Value::Literal,
        (_, Some(hops)) => chain(hops, long - 1),
        (_, None) => Value::Unknown,
    }
}

/// Hops that a search can still take beside each other.
fn left(hops: Hops<'_>) -> usize {
    std::iter::from_fn(|| hops.next()).count()
}

#[test]
fn what_was_found_counts_as_if_it_were_found_again() {
    let memo = Memo::default();
    let found = Cell::new(0);
    let ask = |hops: Hops<'_>| {
        hops.once(KEY, |hops| {
            found.set(found.get() + 1);
            hops.note_guess();
            chain(hops, 7)
        })
    };
    for times in 1..4 {
        let (with, without) = (Search::with(&memo), Search::new());
        let hops = Hops::new(&with);
        assert_eq!(ask(hops), Value::Literal);
        assert_eq!(found.get(), 1, "asked {times} times");
        assert!(with.was_guessed());
        chain(Hops::new(&without), 7);
        assert_eq!(left(hops), left(Hops::new(&without)));
    }
}

#[test]
fn what_needs_more_hops_than_are_left_is_looked_for_again() {
    let memo = Memo::default();
    let search = Search::with(&memo);
    let mut hops = Hops::new(&search);
    assert_eq!(hops.once(KEY, |hops| chain(hops, 20)), Value::Literal);
    for _ in 0..30 {
        hops = hops.next().expect("forty hops make a chain");
    }
    assert_eq!(hops.once(KEY, |hops| chain(hops, 20)), Value::Unknown);
    // That one is not kept.
    let search = Search::with(&memo);
    let again = Hops::new(&search).once(KEY, |_| Value::Never);
    assert_eq!(again, Value::Literal);
}

#[test]
fn what_ended_for_want_of_hops_is_not_kept() {
    let memo = Memo::default();
    let search = Search::with(&memo);
    let endless = |hops: Hops<'_>| chain(hops, u32::MAX);
    assert_eq!(Hops::new(&search).once(KEY, endless), Value::Unknown);
    let search = Search::with(&memo);
    let found = Hops::new(&search).once(KEY, |_| Value::Never);
    assert_eq!(found, Value::Never);
}

#[test]
fn an_answer_holds_for_one_question() {
    let (memo, file) = (Memo::default(), FileId(3));
    let hint = |kind, occurrence| TypeHint { kind, occurrence };
    use crate::extract::record::HintKind::{Result, Value as Named};
    let keys = [
        Key::value(file, 5),
        Key::value(file, 6),
        Key::value(FileId(4), 5),
        Key::hint(file, hint(Named, 5), None),
        Key::hint(file, hint(Named, 5), Some(0)),
        Key::hint(file, hint(Result, 5), Some(0)),
        Key::hint(file, hint(Result, 6), Some(0)),
    ];
    let asked = keys.iter().map(|key| {
        let search = Search::with(&memo);
        let found = Cell::new(false);
        Hops::new(&search).once(*key, |_| {
            found.set(true);
            Value::Never
        });
        found.get()
    });
    assert!(asked.eq([true; 7]));
}
