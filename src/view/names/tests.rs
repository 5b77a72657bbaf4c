use super::automata::{BadExpression, Begins, Expression, Folded, Near};
use super::humps::Humps;
use super::*;
use crate::extract::record::*;
use crate::extract::terms::{fold, parts};
use crate::id::BlobId;
use crate::segment::{Segment, build};
use crate::view::live::View;
use gix::hash::Kind;
use grep_matcher_of::is_match;
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// What another implementation of regular expressions says.
mod grep_matcher_of {
    use grep_searcher::{Searcher, sinks};

    pub fn is_match(pattern: &str, name: &[u8]) -> bool {
        let matcher = grep_regex::RegexMatcher::new(pattern).unwrap();
        let mut found = false;
        let sink = sinks::Bytes(|_, _| {
            found = true;
            Ok(false)
        });
        Searcher::new().search_slice(&matcher, name, sink).unwrap();
        found
    }
}

fn segment(names: &BTreeSet<String>) -> Segment {
    let mut record = DocRecord::empty(Grammar::Rust, 0);
    for name in names {
        let name = record.names.push(name.as_bytes());
        record.symbols.push(Symbol {
            name,
            kind: SymbolKind::Function,
            flags: SymbolFlags::default(),
            container: None,
            receiver: None,
            span: 0..0,
            start_line: 1,
            start_col: 0,
            end_line: 1,
            end_col: 0,
            name_line: 1,
            name_col: 0,
            signature: 0..0,
            doc: 0..0,
            body_hash: 0,
        });
    }
    let key = DocKey {
        blob: BlobId::new(Kind::Sha1.null()),
        grammar: Grammar::Rust,
    };
    Segment::open(build(Kind::Sha1, vec![(key, record)]).unwrap()).unwrap()
}

/// A segment of an index, under an id that follows from its number.
fn named(number: u8, names: &BTreeSet<String>) -> Arc<Segment> {
    let id = SegmentId::from_bytes(&[number; 20]).unwrap();
    Arc::new(segment(names).named(id))
}

fn view(segments: &[Arc<Segment>], tables: &Arc<AllNames>) -> View {
    View::join(Vec::new(), segments, 0).with_tables(tables)
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// All that a walk finds: segment and spelling.
fn walked<A: Automaton<State: Clone>>(view: &View, automaton: &A) -> Vec<(SegmentOrd, String)> {
    let mut found = Vec::new();
    view.names().walk(automaton, |spelt, _, ord, id| {
        let mut name = Vec::new();
        view.segment(ord).segment.name(id, &mut name);
        assert_eq!(name, spelt);
        found.push((ord, String::from_utf8(name).unwrap()));
        ControlFlow::Continue(())
    });
    found.sort();
    found
}

fn folded(name: &str) -> String {
    let mut out = Vec::new();
    fold(name.as_bytes(), &mut out);
    String::from_utf8(out).unwrap()
}

/// The textbook definition.
fn distance(a: &[char], b: &[char]) -> u32 {
    let (Some((x, a_rest)), Some((y, b_rest))) = (a.split_first(), b.split_first()) else {
        return (a.len() + b.len()) as u32;
    };
    if x == y {
        return distance(a_rest, b_rest);
    }
    1 + distance(a_rest, b)
        .min(distance(a, b_rest))
        .min(distance(a_rest, b_rest))
}

/// Those of the names of each segment that a test takes.
fn wanted(all: &[BTreeSet<String>], takes: impl Fn(&str) -> bool) -> Vec<(SegmentOrd, String)> {
    let each = (0..).map(SegmentOrd).zip(all);
    let each = each.flat_map(|(ord, names)| names.iter().map(move |name| (ord, name.clone())));
    each.filter(|(_, name)| takes(name)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// However names are cut into segments of an index and uncommitted ones.
    #[test]
    fn a_walk_finds_what_each_segment_has(
        all in vec(btree_set("[abAé漢_]{0,5}", 0..30), 0..6),
        indexed in 0..6usize,
        word in "[abé漢]{1,5}",
        edits in 1..3u32,
    ) {
        let segments: Vec<_> = all.iter().zip(0u8..).map(|(names, n)| match usize::from(n) < indexed {
            true => named(n, names),
            false => Arc::new(segment(names)),
        }).collect();
        let view = view(&segments, &Arc::default());
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        let off = |name: &str| distance(&letters(&folded(name)), &letters(&word));
        let near = Folded(Near::new(&word, edits));
        prop_assert_eq!(walked(&view, &near), wanted(&all, |name| off(name) <= edits));
        view.names().walk(&near, |spelt, state, _, _| {
            let name = std::str::from_utf8(spelt).unwrap();
            assert_eq!(near.0.distance(state.inner), Some(off(name)), "{name}");
            ControlFlow::Continue(())
        });
        let begins = Folded(Begins(word.as_bytes()));
        prop_assert_eq!(walked(&view, &begins), wanted(&all, |name| folded(name).starts_with(&word)));
        for name in all.iter().flatten() {
            let places: BTreeSet<_> = view.names().exact(name.as_bytes()).map(|(ord, _)| ord).collect();
            let those = wanted(&all, |other| other == name);
            prop_assert_eq!(places, those.into_iter().map(|(ord, _)| ord).collect::<BTreeSet<_>>());
        }
    }

    #[test]
    fn humps_take_all_names_whose_words_begin_so(
        names in btree_set("[abAB1Éé_]{1,8}", 0..60),
        humps in vec("[abé1][abé]{0,1}", 1..4),
    ) {
        let all = [names];
        let view = view(&[Arc::new(segment(&all[0]))], &Arc::default());
        let found = walked(&view, &Humps::new(&[&humps]));
        for name in wanted(&all, |name| {
            let words: Vec<String> = parts(name.as_bytes())
                .map(|word| folded(std::str::from_utf8(word).unwrap()))
                .collect();
            let mut pairs = words.iter().zip(&humps);
            let begins_so = words.len() == humps.len() && pairs.all(|(word, hump)| word.starts_with(hump));
            // What begins with a sign is looked for with it.
            begins_so && !name.starts_with('_')
        }) {
            prop_assert!(found.contains(&name), "{name:?} of {humps:?}");
        }
    }

    #[test]
    fn an_expression_matches_what_it_matches_elsewhere(
        names in btree_set("[abAé漢_]{1,6}", 0..40),
        pattern in "(\\^)?[abA](\\*|\\+|\\?)?(\\||\\.)?[abéA_]{0,2}(漢|\\$|)",
    ) {
        let all = [names];
        let view = view(&[Arc::new(segment(&all[0]))], &Arc::default());
        let expression = Expression::new(&pattern, false).unwrap();
        let wanted = wanted(&all, |name| is_match(&pattern, name.as_bytes()));
        prop_assert_eq!(walked(&view, &expression), wanted);
    }
}

#[test]
fn expressions_that_cannot_be_looked_for_say_why() {
    let bad = |pattern: &str| Expression::new(pattern, false).err();
    assert!(matches!(bad("("), Some(BadExpression::Syntax(why)) if why == "unclosed group"));
    assert_eq!(bad(&"a".repeat(5000)), Some(BadExpression::TooLarge));
    assert_eq!(bad(r"(\w{1,40}){40}"), Some(BadExpression::TooLarge));
    let names = [set(&["get", "GET", "Getter"])];
    let view = view(&[Arc::new(segment(&names[0]))], &Arc::default());
    let found = |pattern: &str, ignores_case| {
        let expression = Expression::new(pattern, ignores_case).unwrap();
        let found = walked(&view, &expression).into_iter();
        found.map(|(_, name)| name).collect::<Vec<_>>()
    };
    assert_eq!(found("^get$", true), ["GET", "get"]);
    assert_eq!(found(r"\bget\b", false), ["get"]);
    assert_eq!(found("^.et", false), ["Getter", "get"]);
    assert_eq!(found("", false), ["GET", "Getter", "get"]);
}

#[test]
fn words_that_begin_otherwise_are_ruled_out() {
    let all = "changed checkHost check_host chhh checkhost Http HTTPServer http2Server h_s _check_host checkHostNow";
    let names = [set(&all.split(' ').collect::<Vec<_>>())];
    let view = view(&[Arc::new(segment(&names[0]))], &Arc::default());
    let found = |any: &[&[&str]]| {
        let any: Vec<Vec<String>> = any
            .iter()
            .map(|humps| humps.iter().map(|hump| (*hump).to_owned()).collect())
            .collect();
        let any: Vec<&[String]> = any.iter().map(Vec::as_slice).collect();
        let humps = Humps::new(&any);
        let found = walked(&view, &humps).into_iter();
        found.map(|(_, name)| name).collect::<Vec<_>>()
    };
    assert_eq!(found(&[&["c", "h"]]), ["checkHost", "check_host"]);
    assert_eq!(found(&[&["che", "ho", "n"]]), ["checkHostNow"]);
    assert_eq!(
        found(&[&["h", "s"], &["ch", "hos"]]),
        [
            "HTTPServer",
            "checkHost",
            "check_host",
            "h_s",
            "http2Server"
        ]
    );
    assert_eq!(found(&[]), [""; 0]);
}

#[test]
fn of_more_letters_than_there_is_room_for_the_first_rule_names_out() {
    let long = |word: &str, first: &str| [first, &word.repeat(20)].concat();
    let names = [set(&[
        &long("AbCd", "x"),
        &long("_ab_cd", "x"),
        &long("AbCd", "y"),
    ])];
    let view = view(&[Arc::new(segment(&names[0]))], &Arc::default());
    let humps = ["x"].into_iter().chain(["ab", "cd"].repeat(20));
    let humps: Vec<String> = humps.map(str::to_owned).collect();
    let found = walked(&view, &Humps::new(&[&humps]));
    let found: Vec<_> = found.into_iter().map(|(_, name)| name).collect();
    assert_eq!(found, [long("AbCd", "x"), long("_ab_cd", "x")]);
}

#[test]
fn what_was_kept_serves_as_far_as_its_segments_are_there() {
    let many = |of: &str| {
        (0..1200)
            .map(|n| format!("{of}{n}"))
            .collect::<BTreeSet<_>>()
    };
    let (a, b) = (named(1, &many("a")), named(2, &many("b")));
    let home = tempfile::tempdir().unwrap();
    let kept = Kept::new(home.path());
    if kept.folder().is_err() {
        // Without a home nothing is kept.
        return;
    }
    let files = || kept.list(FOLDER).len();
    let spelt = |segments: &[Arc<Segment>], name: &str| {
        let view = view(segments, &Arc::new(AllNames::new(&kept)));
        let places: Vec<u32> = view
            .names()
            .exact(name.as_bytes())
            .map(|(ord, _)| ord.0)
            .collect();
        places
    };
    assert_eq!(spelt(&[a.clone(), b.clone()], "b7"), [1]);
    assert_eq!(files(), 1);
    // Another process, where one of them has gone and another order holds, and then a few more have come.
    assert_eq!(spelt(std::slice::from_ref(&b), "b7"), [0]);
    assert_eq!(spelt(std::slice::from_ref(&b), "a7"), [0; 0]);
    let c = named(3, &set(&["b7", "c"]));
    assert_eq!(spelt(&[c.clone(), b.clone(), a.clone()], "b7"), [1, 0]);
    assert_eq!(spelt(&[c.clone(), b.clone(), a.clone()], "c"), [0]);
    assert_eq!(files(), 1, "what came since is small");
    let d = named(4, &many("d"));
    assert_eq!(spelt(&[a.clone(), d.clone()], "d1199"), [1]);
    assert_eq!(files(), 2, "what came since is a base of its own");
    AllNames::clear(&kept);
    assert_eq!(files(), 0);
}

#[test]
fn a_kept_table_that_is_not_whole_is_none() {
    let table = Table::made(&[named(1, &set(&["one", "two"])), named(2, &set(&["two"]))]);
    let home = tempfile::tempdir().unwrap();
    let kept = Kept::new(home.path());
    let reread = |bytes: &[u8]| {
        kept.write("names/x", bytes).ok()?;
        Table::kept(kept.read("names/x")?)
    };
    if kept.folder().is_err() {
        return;
    }
    let whole = reread(table.bytes()).expect("it is whole");
    assert_eq!(whole.segments().len(), 2);
    assert_eq!(whole.lookup(b"two").count(), 2);
    for len in 0..table.bytes().len() {
        let Some(cut) = reread(&table.bytes()[..len]) else {
            continue;
        };
        // What is missing of the places is not found.
        assert!(cut.lookup(b"two").count() <= 2, "{len}");
    }
}
