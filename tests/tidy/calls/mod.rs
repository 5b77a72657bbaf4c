//! No function of the layers that read what strangers wrote calls itself, over however many others,
//! unless something is counted that ends it: a stack is no place for the depth of what is read.
//!
//! Seen are calls by name, by path and on values ([`edges`]), also through closures, functions that
//! are handed on, and tables of them. Not seen are calls that only the compiler writes (`Drop` and
//! derived traits of types that hold themselves), and those that other crates make.

mod body;
mod edges;
mod functions;
mod planted;

use edges::Calls;
use petgraph::algo::tarjan_scc;
use petgraph::graph::NodeIndex;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const LAYERS: &[&str] = &[
    "cache", "extract", "git", "graph", "history", "lang", "memory", "modules", "secrets",
    "segment", "store", "syntax", "trace", "vector", "view",
];

/// A function that may be called again before it has returned.
struct Exception {
    /// As [`functions::Function::title`] says it.
    function: &'static str,
    ends: Ends,
    why: &'static str,
}

/// What ends the calls.
enum Ends {
    /// What is counted. It must be named by the functions that call each other, by those that they call,
    /// or in their files.
    By(&'static str),
    /// They never begin: what is called is the function of that name of another type.
    At(&'static str),
}

use Ends::{At, By};

const EXCEPTIONS: &[Exception] = &[
    Exception {
        function: "lang/csharp/values.rs: value",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/csharp/values.rs: type_within",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/dart/values.rs: value",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/go/values.rs: type_within",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/html/mod.rs: read",
        ends: By("MAX_PARTS"),
        why: "a walk calls what rows hold, which is no scanner",
    },
    Exception {
        function: "graph/saved/found.rs: write_value",
        ends: By("MAX_NESTED"),
        why: "each call has fewer levels left",
    },
    Exception {
        function: "graph/saved/found.rs: Reader::value",
        ends: By("MAX_NESTED"),
        why: "each call has fewer levels left",
    },
    Exception {
        function: "graph/shapes.rs: Resolver::shape_within",
        ends: By("MAX_LEVELS"),
        why: "each call has fewer levels left",
    },
    Exception {
        function: "lang/java/values.rs: value",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/javascript/types.rs: annotated",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/javascript/values.rs: value",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/kotlin/values.rs: type_within",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/kotlin/values.rs: value",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/notebook/mod.rs: read",
        ends: By("MAX_CELLS"),
        why: "a walk calls what rows hold, which is no scanner",
    },
    Exception {
        function: "lang/php/values.rs: value",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/python/quoted.rs: told",
        ends: By("MAX_DEPTH"),
        why: "each call has fewer levels left",
    },
    Exception {
        function: "lang/python/values.rs: annotated",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/python/values.rs: value",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/ruby/values.rs: value",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/rust/values.rs: type_within",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/rust/values.rs: value",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/scala/values.rs: value",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "lang/swift/values.rs: value",
        ends: By("MAX_STEPS"),
        why: "each call has fewer steps left",
    },
    Exception {
        function: "syntax/walk.rs: Walk::visit",
        ends: By("MAX_NESTING"),
        why: "all calls share a stack of frames; `item_macros` makes trees in trees four deep, and a part of \
              a file that was read in groups has no parts",
    },
    Exception {
        function: "git/tree_edit.rs: descend",
        ends: By("MAX_FOLDERS"),
        why: "the depth is counted",
    },
    Exception {
        function: "graph/exports.rs: Resolver::exported",
        ends: By("MAX_MODULES"),
        why: "the trail has so many names",
    },
    Exception {
        function: "graph/exports.rs: Resolver::required",
        ends: By("MAX_MODULES"),
        why: "the trail has so many modules",
    },
    Exception {
        function: "lang/javascript/resolve/manifest.rs: collect",
        ends: By("MAX_CONDITIONS"),
        why: "the depth is counted",
    },
    Exception {
        function: "lang/javascript/resolve/mod.rs: Lookup::folder",
        ends: By("MAX_LOOKS"),
        why: "manifests that are looked at are counted, and in a row by MAX_HOPS",
    },
    Exception {
        function: "lang/javascript/resolve/mod.rs: Lookup::resolve",
        ends: By("MAX_HOPS"),
        why: "each call is a hop more",
    },
    Exception {
        function: "lang/javascript/resolve/tsconfig.rs: Reader::read",
        ends: By("MAX_EXTENDS"),
        why: "the depth is counted",
    },
    Exception {
        function: "lang/rust/resolve/mod.rs: Rust::in_scope",
        ends: By("MAX_HOPS"),
        why: "each import that is followed is a hop more",
    },
    Exception {
        function: "graph/resolve.rs: Resolver::bare_name_past",
        ends: By("may_ask"),
        why: "one asks, and what is asked may not",
    },
    Exception {
        function: "graph/objects.rs: Resolver::member_of_several",
        ends: By("MAX_SEVERAL"),
        why: "lists in its list are taken apart in a loop; it asks for single ones alone",
    },
    Exception {
        function: "graph/reuse/moved.rs: Value::moved_within",
        ends: By("levels"),
        why: "each level has one less left",
    },
    Exception {
        function: "graph/type_arguments.rs: Value::nested",
        ends: By("levels"),
        why: "each level has one less left",
    },
    Exception {
        function: "graph/type_arguments.rs: Value::plain_within",
        ends: By("levels"),
        why: "each level has one less left",
    },
    Exception {
        function: "graph/type_arguments.rs: Value::with_given_within",
        ends: By("levels"),
        why: "each level has one less left",
    },
    Exception {
        function: "graph/type_arguments.rs: Resolver::plain_arguments",
        ends: By("Hops"),
        why: "each argument takes a hop",
    },
    Exception {
        function: "graph/type_arguments.rs: Resolver::type_arguments",
        ends: By("Hops"),
        why: "each argument takes a hop",
    },
    Exception {
        function: "graph/arguments.rs: Resolver::labelled",
        ends: By("Hops"),
        why: "each call has fewer of them left, and all together",
    },
    Exception {
        function: "graph/lambdas.rs: Resolver::copied",
        ends: By("Hops"),
        why: "each call has fewer of them left, and all together",
    },
    Exception {
        function: "graph/lambdas.rs: Resolver::handed_on",
        ends: By("Hops"),
        why: "each call has fewer of them left, and all together",
    },
    Exception {
        function: "graph/extensions.rs: Resolver::type_written",
        ends: By("Hops"),
        why: "each call has fewer of them left, and all together",
    },
    Exception {
        function: "graph/generics.rs: Resolver::trait_of_block",
        ends: By("Hops"),
        why: "each call has fewer of them left, and all together",
    },
    Exception {
        function: "graph/values.rs: Resolver::follow",
        ends: By("Hops"),
        why: "each call has fewer of them left, and all together",
    },
    Exception {
        function: "graph/values.rs: Resolver::value_of",
        ends: By("Hops"),
        why: "each call has fewer of them left, and all together",
    },
    Exception {
        function: "history/window.rs: Window::holders",
        ends: At("Piece"),
        why: "pieces are asked",
    },
    Exception {
        function: "memory/incoming.rs: Sieve::know",
        ends: By("FOLDERS"),
        why: "the folders of the path are counted",
    },
    Exception {
        function: "memory/incoming.rs: Sieve::pass",
        ends: By("EVENTS"),
        why: "what is no folder of the top, or of two letters in one, is refused",
    },
    Exception {
        function: "store/error.rs: Error::is_unwritable",
        ends: At("Error"),
        why: "that of git is asked",
    },
    Exception {
        function: "store/work.rs: Work::rebuild",
        ends: By("MOST_BITS"),
        why: "each half has one more bit of its ids in common",
    },
    Exception {
        function: "store/kind.rs: Part::bytes",
        ends: At("Segments"),
        why: "its kind is asked",
    },
    Exception {
        function: "store/kind.rs: Part::covers",
        ends: At("Segments"),
        why: "its kind is asked",
    },
    Exception {
        function: "store/kind.rs: Part::keys",
        ends: At("Segments"),
        why: "its kind is asked",
    },
    Exception {
        function: "store/kind.rs: Part::len",
        ends: At("Segments"),
        why: "its kind is asked",
    },
    Exception {
        function: "store/part_ref.rs: PartRef::is_static",
        ends: At("ModelId"),
        why: "its model is asked",
    },
    Exception {
        function: "store/snapshot.rs: Snapshot::holds",
        ends: At("OpenSegment"),
        why: "segments are asked",
    },
];

/// Cycles of calls that nothing ends, and exceptions that say what is not so.
fn violations(files: &BTreeMap<String, String>, exceptions: &[Exception]) -> Vec<String> {
    let calls = edges::of(files);
    let mut found = Vec::new();
    let mut cut = BTreeSet::new();
    for exception in exceptions {
        let title = exception.function;
        let ids = (0..calls.functions.len()).filter(|id| calls.functions[*id].title() == title);
        let ids: Vec<usize> = ids.collect();
        let others = exceptions.iter().filter(|other| other.function != title);
        let others: BTreeSet<&str> = others.map(|other| other.function).collect();
        let left = |id: usize| !others.contains(calls.functions[id].title().as_str());
        let cycles = cycles(&calls, &left);
        let cycle = cycles
            .iter()
            .find(|cycle| cycle.iter().any(|id| ids.contains(id)));
        let reason = match cycle {
            None => Some("calls itself no more; drop the exception".to_owned()),
            Some(cycle) => unfounded(&calls, cycle, &exception.ends),
        };
        found.extend(reason.map(|reason| format!("src/{title}: {reason} ({})", exception.why)));
        cut.extend(ids);
    }
    for cycle in cycles(&calls, &|id| !cut.contains(&id)) {
        let first = &calls.functions[cycle[0]];
        let chain = shown(&calls, &shortest(&calls, &cycle));
        found.push(format!(
            "src/{}:{}: {chain}: nothing that is counted ends this; walk with a list of what is open, or \
             count, and say in EXCEPTIONS what ends it",
            first.file, first.line,
        ));
    }
    found
}

/// Why an exception is none: what ends it is not there.
fn unfounded(calls: &Calls, cycle: &[usize], ends: &Ends) -> Option<String> {
    match ends {
        By(word) => {
            let called = |id: &usize| calls.graph.neighbors(NodeIndex::new(*id));
            let called: BTreeSet<usize> =
                cycle.iter().flat_map(called).map(|to| to.index()).collect();
            let file = |id: &usize| calls.functions[*id].file.as_str();
            let files: BTreeSet<&str> = cycle.iter().map(file).collect();
            let mut near = calls.functions.iter().enumerate().filter(|(id, function)| {
                called.contains(id) || files.contains(function.file.as_str())
            });
            let named = near.any(|(_, function)| {
                let names = || super::blank(&function.text);
                function.text.contains(word)
                    && !function.is_constant
                    && super::find_all(&names(), word).next().is_some()
            });
            (!named).then(|| format!("no function near it names `{word}`; say what ends it"))
        }
        At(owner) => {
            let [id] = cycle else {
                return Some("it calls itself over others; say what ends it".to_owned());
            };
            let name = &calls.functions[*id].name;
            let mut all = calls.functions.iter();
            let there = all.any(|f| {
                f.name == *name
                    && f.owner.as_deref() == Some(owner)
                    && f.title() != calls.functions[*id].title()
            });
            (!there).then(|| format!("there is no `{owner}::{name}`; say what it calls"))
        }
    }
}

/// Sets of functions that lead to each other, without those that are not `left`.
fn cycles(calls: &Calls, left: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let graph = calls.graph.filter_map(
        |node, _| left(node.index()).then_some(node.index()),
        |_, _| Some(()),
    );
    let components = tarjan_scc(&graph).into_iter();
    let circular = components.filter(|all| all.len() > 1 || graph.contains_edge(all[0], all[0]));
    let mut cycles: Vec<Vec<usize>> = circular
        .map(|all| all.into_iter().map(|node| graph[node]).collect())
        .collect();
    cycles.iter_mut().for_each(|cycle| cycle.sort_unstable());
    cycles.sort();
    cycles
}

/// The shortest way from the first function of a cycle back to it.
fn shortest(calls: &Calls, cycle: &[usize]) -> Vec<usize> {
    let start = cycle[0];
    let mut before = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for next in calls
            .graph
            .neighbors(NodeIndex::new(at))
            .map(|next| next.index())
        {
            if next == start {
                let way = std::iter::successors(Some(at), |at| before.get(at).copied());
                let mut way: Vec<usize> = way.collect();
                way.reverse();
                way.push(start);
                return way;
            }
            if cycle.contains(&next) && !before.contains_key(&next) {
                before.insert(next, at);
                open.push_back(next);
            }
        }
    }
    vec![start]
}

/// `A::f (a.rs:1) -> g (b.rs:2) -> ..`.
fn shown(calls: &Calls, way: &[usize]) -> String {
    let each = way.iter().map(|id| {
        let function = &calls.functions[*id];
        let title = function.title();
        let name = title.split_once(": ").map_or(&*title, |(_, name)| name);
        format!("{name} (src/{}:{})", function.file, function.line)
    });
    each.collect::<Vec<_>>().join(" -> ")
}

#[test]
fn what_reads_input_does_not_call_itself_unbounded() {
    let raw = super::rust_files("src");
    let read = super::code_files().into_keys();
    let read = read.filter(|path| LAYERS.contains(&super::module_of(path)));
    let files = read
        .map(|path| (path.clone(), raw[&path].clone()))
        .collect();
    super::nothing_in(&violations(&files, EXCEPTIONS));
}
