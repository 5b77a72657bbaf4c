//! Names are told apart by their bytes, whatever segments they lie in.

use super::super::modules::testing::Tree;
use super::*;
use crate::segment::arbitrary::cases;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Short words of few letters: many share their first bytes, and some are the beginning of others.
fn word() -> impl Strategy<Value = String> {
    "[ab]{1,3}|aaaaaaaa[ab]{0,3}|[a-z]{1,4}"
}

fn file() -> impl Strategy<Value = BTreeSet<String>> {
    file_of(word())
}

fn file_of(word: impl Strategy<Value = String>) -> impl Strategy<Value = BTreeSet<String>> {
    prop::collection::btree_set(word, 0..12)
}

/// A file that defines functions of these names.
fn text(names: &BTreeSet<String>) -> String {
    let line = |name: &String| format!("def {name}(): pass\n");
    names.iter().map(line).collect()
}

fn tree(files: &[BTreeSet<String>], over: Option<&Tree>) -> Tree {
    let all = files.iter().zip(0..);
    let all: Vec<(String, String)> = all
        .map(|(names, at)| (format!("f{at}.py"), text(names)))
        .collect();
    let all: Vec<(&str, &str)> = all.iter().map(|(p, t)| (&**p, &**t)).collect();
    match over {
        Some(before) => Tree::over(before, &all),
        None => Tree::new(&all),
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn equal_bytes_have_one_name(
        files in prop::collection::vec(file(), 1..4),
        more in prop::collection::vec(file(), 1..4),
        absent in word(),
    ) {
        let first = tree(&files, None);
        let names = Names::of(first.view());
        let then = tree(&more, Some(&first));
        for names in [Names::after(&names, then.view()).unwrap(), Names::of(then.view()), names] {
            let known: Vec<Name> = (0..names.len() as u32).map(Name).collect();
            let spelled: BTreeSet<&[u8]> = known.iter().map(|name| names.bytes(*name)).collect();
            prop_assert_eq!(spelled.len(), known.len());
            for name in &known {
                let bytes = names.bytes(*name);
                prop_assert_eq!(names.find(bytes), Some(*name));
                prop_assert_eq!(names.hash(*name), xxh3_64(bytes));
                prop_assert_eq!(names.hashed(xxh3_64(bytes)).collect::<Vec<_>>(), [*name]);
            }
            let is_there = spelled.contains(absent.as_bytes());
            prop_assert_eq!(names.find(absent.as_bytes()).is_some(), is_there);
            for (segment, of) in names.segments.iter().enumerate() {
                let mut cursor = of.segment.all_names();
                while let Some((id, bytes)) = cursor.advance() {
                    let found = names.from_segment(segment, NameId(id));
                    prop_assert_eq!(found.is_some(), of.numbers.is_some());
                    prop_assert!(found.is_none_or(|found| names.bytes(found) == bytes));
                }
            }
        }
    }

    #[test]
    fn of_a_few_documents_the_names_that_these_have_are_numbered(
        files in prop::collection::vec(file_of("[ab]{1,3}|aaaaaaaa[ab]{0,3}"), 12..16),
        few in prop::collection::btree_set(0..12_usize, 1..3),
        more in prop::collection::btree_set(0..12_usize, 0..12),
    ) {
        // No two are one document.
        let own = files.into_iter().zip(0..).map(|(mut names, at)| {
            names.insert(format!("own{at}"));
            names
        });
        let files: Vec<BTreeSet<String>> = own.collect();
        let all = tree(&files, None);
        let some = |chosen: &BTreeSet<usize>| -> Vec<_> {
            chosen.iter().map(|at| files[*at].clone()).collect()
        };
        let (first, then) = (some(&few), some(&more));
        let (few, more) = (tree(&first, Some(&all)), tree(&then, Some(&all)));
        let names = Names::of(few.view());
        prop_assert!(names.segments[0].covers.is_some());
        let after = Names::after(&names, more.view()).unwrap();
        let numbered = |names: &Names, live: &[&[BTreeSet<String>]]| {
            let said: BTreeSet<&str> =
                live.iter().copied().flatten().flatten().map(String::as_str).collect();
            let known = (0..names.len() as u32).map(|name| names.bytes(Name(name)));
            let known: BTreeSet<&str> = known.map(|n| std::str::from_utf8(n).unwrap()).collect();
            let found = said.iter().all(|name| names.find(name.as_bytes()).is_some());
            found && known == said
        };
        prop_assert!(numbered(&names, &[&first]));
        prop_assert!(numbered(&after, &[&first, &then]));
        for (view, names) in [(few.view(), &names), (more.view(), &after)] {
            for (segment, live) in view.segments().iter().enumerate() {
                for doc in live.docs.iter().map(DocId) {
                    for symbol in live.segment.symbols(doc) {
                        let mut bytes = Vec::new();
                        live.segment.name(symbol.name, &mut bytes);
                        let found = names.from_segment(segment, symbol.name).unwrap();
                        prop_assert_eq!(names.bytes(found), &bytes[..]);
                    }
                }
            }
        }
    }
}
