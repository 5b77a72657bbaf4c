//! What was found is read as it was written, or not at all.

use super::*;
use crate::modules::paths::TOP;
use crate::modules::place::Whole;
use crate::segment::arbitrary::cases;
use proptest::prelude::*;

const FILES: usize = 9;
const SYMBOLS: usize = 30;

fn symbol() -> impl Strategy<Value = SymbolId> {
    (0..SYMBOLS as u32).prop_map(SymbolId)
}

fn file() -> impl Strategy<Value = FileId> {
    (0..FILES as u32).prop_map(FileId)
}

fn place() -> impl Strategy<Value = Place> {
    let inner = prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 0..3);
    (prop::collection::vec(file(), 0..3), inner)
        .prop_map(|(files, inner)| Place::of_parts(files, inner))
}

/// Values as deep as are written.
fn value() -> impl Strategy<Value = Value> {
    let holder = (0..Holder::ALL.len()).prop_map(|at| Holder::ALL[at]);
    let leaf = prop_oneof![
        symbol().prop_map(Value::Instance),
        symbol().prop_map(Value::Elements),
        (holder, symbol()).prop_map(|(holder, of)| Value::Held(holder, of)),
        symbol().prop_map(Value::Type),
        symbol().prop_map(Value::Function),
        place().prop_map(Value::Module),
        Just(Value::External),
        Just(Value::Literal),
        Just(Value::Never),
        Just(Value::Unknown),
    ];
    leaf.prop_recursive(MAX_NESTED as u32 - 1, 24, 3, |inner| {
        let list = || prop::collection::vec(inner.clone(), 0..3);
        let taken = prop::collection::vec((inner.clone(), any::<bool>()), 0..3);
        let members = prop::collection::vec((any::<u64>(), inner.clone()), 0..3);
        let parameter = (symbol(), any::<u32>(), inner.clone(), any::<bool>());
        prop_oneof![
            list().prop_map(|all| Value::Several(all.into())),
            parameter.prop_map(|(of, at, bound, is_list)| {
                Value::Parameter(Arc::new(Parameter {
                    of,
                    at,
                    bound,
                    is_list,
                }))
            }),
            (symbol(), list())
                .prop_map(|(of, given)| Value::Generic(Arc::new(Generic { of, given }))),
            (taken, inner.clone())
                .prop_map(|(takes, gives)| Value::Callback(Arc::new(Callback { takes, gives }))),
            (members, any::<bool>()).prop_map(|(members, is_partial)| {
                Value::Shape(Arc::new(Shape {
                    members,
                    is_partial,
                }))
            }),
            inner.clone().prop_map(|of| Value::Made(Arc::new(of))),
            inner.prop_map(|of| Value::Proof(Arc::new(of))),
        ]
    })
}

fn found() -> impl Strategy<Value = Found> {
    let what = prop_oneof![
        4 => value().prop_map(What::Is),
        1 => prop::collection::vec(symbol(), 0..4).prop_map(What::Has),
    ];
    (file(), symbol(), what, any::<bool>()).prop_map(|(file, id, what, is_guess)| Found {
        file,
        id,
        what,
        is_guess,
    })
}

fn facts() -> impl Strategy<Value = Facts> {
    let based = (file(), symbol(), prop::option::of(symbol()));
    let based = based.prop_map(|(file, class, base)| Based { file, class, base });
    let rounds = prop::collection::vec(prop::collection::vec(found(), 0..6), 0..4);
    (prop::collection::vec(based, 0..6), rounds).prop_map(|(bases, values)| Facts {
        bases,
        values: values.into_iter().map(Round::of).collect(),
        again: Vec::new(),
    })
}

fn deep(levels: usize) -> Value {
    (1..levels).fold(Value::Literal, |of, _| Value::Made(Arc::new(of)))
}

/// One definition that was found to be something.
fn of_one(value: Value) -> Facts {
    let found = Found {
        file: FileId(3),
        id: SymbolId(4),
        what: What::Is(value),
        is_guess: false,
    };
    Facts {
        values: vec![Round::of(vec![found])],
        ..Facts::default()
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn it_is_read_as_it_was_written(facts in facts()) {
        let written = write(&facts);
        prop_assert_eq!(read(&written, FILES, SYMBOLS), Some(facts));
    }

    #[test]
    fn what_is_damaged_is_read_within_bounds(
        facts in facts(),
        at: prop::sample::Index,
        number: u32,
        is_small: bool,
    ) {
        let mut written = write(&facts);
        let at = at.index(written.len());
        written[at] = if is_small { number % 40 } else { number };
        if let Some(read) = super::read(&written, FILES, SYMBOLS) {
            prop_assert!(super::read(&write(&read), FILES, SYMBOLS).is_some());
        }
        prop_assert!(read(&written[..at], FILES, SYMBOLS).is_none());
    }
}

#[test]
fn what_lies_too_deep_is_found_again() {
    for (levels, again) in [(MAX_NESTED, 0), (MAX_NESTED + 1, 1)] {
        let written = write(&of_one(deep(levels)));
        let read = read(&written, FILES, SYMBOLS).unwrap();
        assert_eq!(read.again, vec![FileId(3); again]);
        assert_eq!(read.values[0].iter().count(), 1 - again);
    }
    let folder = Place {
        whole: Some(Whole::Folder(TOP)),
        ..Place::default()
    };
    let written = write(&of_one(Value::Module(folder)));
    assert_eq!(
        read(&written, FILES, SYMBOLS).unwrap().again,
        [FileId(3)],
        "the number of a folder is another tree's"
    );
}
