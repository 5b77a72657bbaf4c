//! The graph after an edit is that of the tree alone.

mod afar;
mod declared;
mod gone;
mod sources;

use super::super::build::build_from;
use super::super::modules::testing::Tree;
use super::super::saved;
use super::*;
use crate::id::BlobId;
use crate::segment::arbitrary::cases;
use crate::store::facts::{BlobFacts, CompilerFacts, FactsByBlob, Symbol};
use proptest::prelude::*;
use sources::FILES;

type Texts = Vec<(String, String)>;

fn texts() -> Texts {
    FILES
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect()
}

/// A state of the files with its graph.
struct State {
    tree: Tree,
    made: Made,
    kept: Kept,
}

/// What is at hand of an earlier state.
#[derive(Clone, Copy, Debug)]
enum From {
    /// Its graph alone.
    Graph,
    /// What is on disk.
    Disk,
    /// All that was held.
    Memory,
}

const FROM: [From; 3] = [From::Graph, From::Disk, From::Memory];

fn from() -> impl Strategy<Value = From> {
    (0..FROM.len()).prop_map(|at| FROM[at])
}

/// The graph of files of which compilers said something, from nothing or from that of an earlier state.
fn state(texts: &Texts, before: Option<(&State, From)>, said: &CompilerFacts) -> State {
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(p, t)| (p.as_str(), t.as_str()))
        .collect();
    let tree = match before {
        Some((before, _)) => Tree::over(&before.tree, &files),
        None => Tree::new(&files),
    };
    let threads = 1 + usize::from(before.is_some());
    let saved = before.map(|(state, _)| {
        let body = saved::encode(&state.made, &state.kept).unwrap();
        saved::decode(Arc::new(body)).unwrap()
    });
    let from = before.map(|(state, from)| match from {
        From::Graph => (&state.made, None),
        From::Disk => (saved.as_ref().unwrap(), None),
        From::Memory => (&state.made, Some(&state.kept)),
    });
    let read = &mut |file| tree.content(file);
    let (made, kept) = build_from((tree.view(), said), from, threads, read);
    State { tree, made, kept }
}

fn made(texts: &Texts) -> State {
    state(texts, None, &CompilerFacts::default())
}

/// The graph after an edit, which has to be that of the tree alone.
fn next(texts: &Texts, before: &State, said: &CompilerFacts, (from, what): (From, &str)) -> State {
    let next = state(texts, Some((before, from)), said);
    let anew = state(texts, None, said).made;
    assert!(next.made.digests == anew.digests, "{what}");
    let resolved = next.made.resolved;
    assert!(
        next.made.graph == anew.graph,
        "{what}: {resolved} files resolved"
    );
    next
}

/// What a compiler might say of the files that two sorts of names stand in: a name that follows a word
/// that defines is defined there, in a package of its own; all others are used.
fn said() -> CompilerFacts {
    let mut known = FactsByBlob::new();
    for (_, text) in texts().iter().step_by(2) {
        let blob = gix::objs::compute_hash(
            gix::hash::Kind::Sha1,
            gix::objs::Kind::Blob,
            text.as_bytes(),
        );
        let (mut definitions, mut uses) = (Vec::new(), Vec::new());
        for (line, number) in text.lines().zip(1_u32..) {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let mut before = "";
            for word in line.split(|c| !is_part(c)).filter(|word| word.len() > 2) {
                let col = word.as_ptr().addr() - line.as_ptr().addr();
                let package = word.len() % 3;
                let symbol = format!("scip-test x p{package} {word}.");
                let place = (number, col as u32, Symbol::stored(&symbol).unwrap());
                let defines = ["def", "class", "fn", "func", "function", "struct", "type"];
                match defines.contains(&before) {
                    true => definitions.push(place),
                    false => uses.push(place),
                }
                before = word;
            }
        }
        fn each(all: &[(u32, u32, Symbol)]) -> impl Iterator<Item = (u32, u32, &Symbol)> {
            all.iter().map(|(line, col, symbol)| (*line, *col, symbol))
        }
        let facts = BlobFacts::of(each(&definitions), each(&uses));
        known.insert(BlobId::new(blob.unwrap()), facts);
    }
    CompilerFacts::of(known)
}

fn edited(path: &str, from: &str, to: &str) -> Texts {
    let mut texts = texts();
    let (_, text) = texts.iter_mut().find(|(p, _)| p == path).unwrap();
    assert!(text.contains(from), "{path} has no {from}");
    *text = text.replace(from, to);
    texts
}

/// How many files are resolved again for an edit, after the result was found to be right.
fn resolved(path: &str, from: &str, to: &str) -> usize {
    let (said, what) = (CompilerFacts::default(), format!("{path}: {from} -> {to}"));
    let (before, texts) = (made(&texts()), edited(path, from, to));
    let of = |from| next(&texts, &before, &said, (from, &what)).made.resolved;
    let [graph, disk, memory] = FROM.map(of);
    assert_eq!((graph, disk), (memory, memory), "{what}");
    memory
}

#[test]
fn an_edit_resolves_what_it_can_reach() {
    let all = FILES.len();
    let rows = [
        // Inside a body, even where lines move.
        (
            "src/store.rs",
            "super::limit()",
            "\n\nsuper::limit() + limit()",
            1,
        ),
        ("web/client.ts", "ready() {}", "ready() { make().body; }", 1),
        ("py/base.py", "return 1", "return 2", 1),
        // A definition that nobody else names.
        (
            "py/base.py",
            "def helper",
            "def other():\n    pass\n\n\ndef helper",
            1,
        ),
        ("cart/item.go", "func tax", "func Extra() {}\n\nfunc tax", 1),
        // A definition that another file names.
        ("web/reply.ts", "status = 2", "state = 2", 3),
        ("web/reply.ts", "status = 2", "load = 2", 4),
        // What an alias stands for is seen where nobody names it.
        ("web/kinds.ts", "Reply | Client", "Client", 3),
        // Who writes the accessors of fields.
        ("shop/Keeper.java", "import lombok.Data;\n", "", 7),
        ("shop/Keeper.java", "Ware ware", "Kept ware", 3),
        // What can be seen without a name.
        ("py/base.py", "Base(Root)", "Base", all),
        (
            "old/log.js",
            "module.exports = log",
            "module.exports = 1",
            all,
        ),
        ("go.mod", "shop.test", "shop.example", all),
        ("old/Godeps/Godeps.json", "old.test", "older.test", all),
        ("old/run.go", "old.test", "other.test", 1),
    ];
    for (path, from, to, files) in rows {
        assert_eq!(resolved(path, from, to), files, "{path}: {from} -> {to}");
    }
}

#[test]
fn a_definition_behind_all_others_is_one_more() {
    let (before, none) = (made(&texts()), CompilerFacts::default());
    let last = texts().into_iter().map(|(path, _)| path).max().unwrap();
    assert_eq!(last, "web/views.py");
    for from in FROM {
        let mut texts = texts();
        let (_, text) = texts.iter_mut().find(|(path, _)| *path == last).unwrap();
        text.push_str("\n\ndef further():\n    return further\n");
        let now = next(&texts, &before, &none, (from, &last));
        let more = now.made.graph.symbol_count() - before.made.graph.symbol_count();
        assert_eq!(more, 1, "{last}");
    }
}

#[test]
fn an_edit_of_a_body_shares_what_it_leaves() {
    let (before, none) = (made(&texts()), CompilerFacts::default());
    let now = |from, to| {
        let texts = edited("py/base.py", from, to);
        next(&texts, &before, &none, (From::Memory, to))
    };
    let shares = |now: &State| {
        let graphs = [&before, now].map(|state| &state.made.graph);
        let digests = [&before, now].map(|state| &state.made.digests);
        let indexes = [&before, now].map(|state| &state.kept.held.as_ref().unwrap().defined.index);
        [
            Arc::ptr_eq(indexes[0], indexes[1]),
            Arc::ptr_eq(&digests[0].meaning, &digests[1].meaning),
            std::ptr::eq(
                graphs[0].depends.items.as_ptr(),
                graphs[1].depends.items.as_ptr(),
            ),
            Arc::ptr_eq(&graphs[0].bases, &graphs[1].bases),
        ]
    };
    assert_eq!(shares(&now("return 1", "return 2")), [true; 4]);
    assert_eq!(shares(&now("return 1", "return len([1])")), [true; 4]);
    let gives_more = now("def helper", "def other():\n    pass\n\n\ndef helper");
    assert_eq!(shares(&gives_more), [false; 4]);
}

/// Edits each the first file that has a text, and looks whether the graph is that of the tree alone.
fn assert_seen(files: &[(&str, &str)], rows: &[(&str, &str)]) {
    let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    let all: Texts = files.iter().map(owned).collect();
    let (before, said) = (made(&all), CompilerFacts::default());
    for (from, to) in rows {
        let mut edited = all.clone();
        let of = edited.iter_mut().find(|(_, text)| text.contains(from));
        let (_, text) = of.unwrap_or_else(|| panic!("no file has {from}"));
        *text = text.replacen(from, to, 1);
        for at_hand in FROM {
            next(&edited, &before, &said, (at_hand, from));
        }
    }
}

#[derive(Clone, Debug)]
enum Edit {
    Remove,
    Repeat,
    Swap,
    /// Another line of any file is put there.
    Insert(usize),
    /// A word becomes another one of the same file or of another.
    Rename(usize, usize),
    /// The file is gone.
    Delete,
    /// Another file holds the same, called like some file and in the folder of another.
    Copy(usize, usize),
    /// The file is elsewhere.
    Move(usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        Just(Edit::Remove),
        Just(Edit::Repeat),
        Just(Edit::Swap),
        any::<usize>().prop_map(Edit::Insert),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Rename(a, b)),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Rename(a, b)),
        Just(Edit::Delete),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Copy(a, b)),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Move(a, b)),
    ]
}

fn words(texts: &Texts) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let all = texts
        .iter()
        .flat_map(|(_, text)| text.split(|c| !is_part(c)));
    let mut words: Vec<String> = all.filter(|w| w.len() > 2).map(str::to_owned).collect();
    words.sort();
    words.dedup();
    words
}

/// Another path for a file: with a name that some file has, in a folder that some file is in, or in a new one.
fn elsewhere(texts: &Texts, at: usize, name: usize, folder: usize) -> String {
    let names: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
    let last = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    let name = last(names[name % names.len()]);
    let stem = name.split('.').next().unwrap();
    let ending = last(&texts[at].0);
    let ending = ending.split_once('.').unwrap().1;
    let place = names[folder % names.len()];
    let place = place.rfind('/').map_or("", |end| &place[..=end]);
    match folder % 3 {
        0 => format!("{place}more/{stem}.{ending}"),
        _ => format!("{place}{stem}.{ending}"),
    }
}

fn apply(texts: &mut Texts, file: usize, line: usize, edit: &Edit) {
    let donors: Vec<String> = texts
        .iter()
        .flat_map(|(_, text)| text.lines().map(str::to_owned))
        .collect();
    let words = words(texts);
    let at = file % texts.len();
    match edit {
        Edit::Delete if texts.len() > 1 => return drop(texts.remove(at)),
        Edit::Delete => return,
        Edit::Copy(name, folder) | Edit::Move(name, folder) => {
            let path = elsewhere(texts, at, *name, *folder);
            if texts.iter().all(|(other, _)| *other != path) {
                match edit {
                    Edit::Move(..) => texts[at].0 = path,
                    _ => texts.push((path, texts[at].1.clone())),
                }
            }
            return;
        }
        _ => {}
    }
    let text = &mut texts[at].1;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = line % (lines.len() + 1);
    match edit {
        Edit::Insert(donor) => lines.insert(place, donors[donor % donors.len()].clone()),
        Edit::Delete | Edit::Copy(..) | Edit::Move(..) => {}
        _ if place == lines.len() => {}
        Edit::Remove => drop(lines.remove(place)),
        Edit::Repeat => lines.insert(place, lines[place].clone()),
        Edit::Swap => lines.swap(0, place),
        Edit::Rename(from, to) => {
            let own: Vec<&String> = words.iter().filter(|w| lines[place].contains(*w)).collect();
            if !own.is_empty() {
                let from = own[from % own.len()];
                lines[place] = lines[place].replacen(from, &words[to % words.len()], 1);
            }
        }
    }
    *text = lines.join("\n") + "\n";
}

/// Runs of each property; `PROPTEST_CASES` asks for more.
fn runs() -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok();
    asked.and_then(|runs| runs.parse().ok()).unwrap_or(120)
}

proptest! {
    #![proptest_config(cases(runs()))]

    #[test]
    fn it_is_the_graph_of_the_tree_alone(
        edits in proptest::collection::vec((any::<usize>(), any::<usize>(), edit()), 1..8),
        from in from(),
    ) {
        let said = CompilerFacts::default();
        let mut texts = texts();
        let mut last = made(&texts);
        for (file, line, edit) in &edits {
            apply(&mut texts, *file, *line, edit);
            last = next(&texts, &last, &said, (from, &format!("{edits:?}")));
        }
    }

    #[test]
    fn it_is_so_whatever_compilers_say(
        edits in proptest::collection::vec((any::<usize>(), any::<usize>(), edit()), 1..4),
        is_told_at: usize,
        from in from(),
    ) {
        let (mut texts, said) = (texts(), said());
        let none = CompilerFacts::default();
        let is_told_at = is_told_at % (edits.len() + 1);
        let of = |at: usize| if at < is_told_at { &none } else { &said };
        let mut last = state(&texts, None, of(0));
        for ((file, line, edit), at) in edits.iter().zip(1..) {
            apply(&mut texts, *file, *line, edit);
            last = next(&texts, &last, of(at), (from, &format!("{edits:?}")));
        }
    }
}
