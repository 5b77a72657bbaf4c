//! What answers look like, and that they stay within their budgets.

use super::{
    MAX_BUDGET, MIN_BUDGET, Style, Voice, audit, map, refs, samples, search, symbol, tokens, upkeep,
};
use crate::query::state::Skipped;
use crate::upkeep::collect::GcReport;
use crate::upkeep::cover::IndexReport;
use insta::assert_snapshot;

fn tool(budget: usize) -> Style {
    Style {
        budget,
        voice: Voice::Tool,
    }
}

#[test]
fn search_in_full() {
    assert_snapshot!(search::render(&samples::search(), &tool(2000)).text, @r#"
    lib/application.js:187-201 method app.use  app.use = function use(fn) {  [name, text]
      also in legacy/application.js:90-104
      189: var path = '/';
      197: router.use(path, function mounted_app(req, res, next) {
    lib/router/index.js:439-440 function proto.use~2
    	proto.use = function use(fn) {
    	  var offset = 0;
    Readme.md:12-13
    	Mounts ␛[31mmiddleware␛[0m at a path.
    	index 0 | shown 9 of 9
    index 3fce3b5b9d+2 dirty | shown 3 of 57 | unknown words: middlewhere | confidence high: one file is well ahead | next: offset=3
    "#);
}

#[test]
fn search_on_a_small_budget() {
    assert_snapshot!(search::render(&samples::search(), &tool(110)).text, @r#"
    lib/application.js:187-201 method app.use  app.use = function use(fn) {
    lib/router/index.js:439-440 function proto.use~2  proto.use = function use(fn) {
    Readme.md:12-13  Mounts ␛[31mmiddleware␛[0m at a path.
    index 3fce3b5b9d+2 dirty | shown 3 of 57 | unknown words: middlewhere | next: offset=3
    "#);
    assert_snapshot!(search::render(&samples::search(), &tool(121)).text, @r#"
    lib/application.js:187-201 method app.use  app.use = function use(fn) {
    lib/router/index.js:439-440 function proto.use~2  proto.use = function use(fn) {
    Readme.md:12-13  Mounts ␛[31mmiddleware␛[0m at a path.
    index 3fce3b5b9d+2 dirty | shown 3 of 57 | unknown words: middlewhere | confidence high: one file is well ahead | next: offset=3
    "#);
}

#[test]
fn search_without_hits() {
    assert_snapshot!(search::render(&samples::no_search(), &tool(2000)).text, @r#"
    nothing found: searched 12 of 412 files (scope src/ !*.min.js; lang rust); without that 7 found
    stands in lines that were not understood: src/a.rs:12
    not understood: syntax errors in 4 files (src/a.rs, src/b.rs, …); not read 2 binary, 1 lock file (src/logo.png)
    near: fluid, src/users/
    index 3fce3b5b9d+2 dirty | shown 0 of 0 | unknown words: flux, capacitor | next: without scope, lang
    "#);
}

#[test]
fn symbol_cards() {
    assert_snapshot!(symbol::render(&samples::cards(), &tool(2000)).text, @r#"
    lib/application.js:187-201 method app.use  app.use = function use(fn)
      Proxies `Router#use()` to add middleware to the app router.
      exported; in app#variable; 51 uses and 2 ambiguous; callers app.handle +6
    near:
    lib/router/index.js:439-489 function proto.use  app.use = function use(fn)  [sub-word]
    index 3fce3b5b9d+2 dirty | shown 1 of 1 | 1 named alike
    "#);
}

#[test]
fn symbol_bodies() {
    assert_snapshot!(symbol::render(&samples::bodies(), &tool(2000)).text, @r#"
    lib/application.js:187-201 method app.use
      Proxies `Router#use()` to add middleware to the app router.
      exported; in app#variable; 51 uses and 2 ambiguous; callers app.handle +6
    	app.use = function use(fn) {
    	  var offset = 0;
    	  var path = '/';

    	  // default path to '/'
    	  // disambiguate app.use([fn])
    	  if (typeof fn !== 'function') {
    	    var arg = fn;
    	    path = fn;
    	  }
    	  router.use(path, function mounted_app(req, res, next) {
    	    var orig = req.app;
    	  });
    	  return this;
    	};
    near:
    lib/router/index.js:439-489 function proto.use  app.use = function use(fn)  [sub-word]
    index 3fce3b5b9d+2 dirty | shown 1 of 1 | 1 named alike
    "#);
}

#[test]
fn a_body_is_cut_to_the_budget() {
    assert_snapshot!(symbol::render(&samples::bodies(), &tool(198)).text, @r#"
    lib/application.js:187-201 method app.use
      Proxies `Router#use()` to add middleware to the app router.
      exported; in app#variable; 51 uses and 2 ambiguous; callers app.handle +6
    	app.use = function use(fn) {
    	  var offset = 0;
    	  var path = '/';

    	  // default path to '/'
    	  // disambiguate app.use([fn])
    	  if (typeof fn !== 'function') {
    	    var arg = fn;
      … 7 more lines: lib/application.js:195-201
    near:
    lib/router/index.js:439-489 function proto.use  app.use = function use(fn)  [sub-word]
    index 3fce3b5b9d+2 dirty | shown 1 of 1 | 1 named alike | next: budget=300
    "#);
}

#[test]
fn symbol_outlines() {
    assert_snapshot!(symbol::render(&samples::outline(), &tool(2000)).text, @r#"
    lib/router.ts typescript, 92 lines, 3051 bytes
      not understood: lines 40-47, 60
      imports ./layer, node:path
      10-60 export class Router<T> extends Base
        11 field private stack: Layer[] = []
        20-41 method use(path: string, fn: Handler): this
          25-30 const inner = () =>
      63-80 function create  export default function (o?: Options)
    index 3fce3b5b9d+2 dirty | shown 5 of 5
    "#);
    assert_snapshot!(symbol::render(&samples::card_outline(), &tool(2000)).text, @r#"
    lib/router.ts:10-60 class Router  app.use = function use(fn)
      Proxies `Router#use()` to add middleware to the app router.
      exported; in lib/application.js::app#variable; 51 uses and 2 ambiguous; callers app.handle +6
      11 field private stack: Layer[] = []
      20-41 method use(path: string, fn: Handler): this
        25-30 const inner = () =>
    index 3fce3b5b9d+2 dirty | shown 1 of 1
    "#);
}

#[test]
fn deep_members_are_dropped_first() {
    assert_snapshot!(symbol::render(&samples::outline(), &tool(66)).text, @r#"
    lib/router.ts typescript, 92 lines, 3051 bytes
      10-60 export class Router<T> extends Base
      63-80 function create
    index 3fce3b5b9d+2 dirty | shown 2 of 5
    "#);
}

#[test]
fn symbol_without_candidates() {
    assert_snapshot!(symbol::render(&samples::no_symbol(), &tool(2000)).text, @r#"
    nothing found: searched 12 of 412 files (scope src/ !*.min.js; lang rust); without that 7 found
    stands in lines that were not understood: src/a.rs:12
    not understood: syntax errors in 4 files (src/a.rs, src/b.rs, …); not read 2 binary, 1 lock file (src/logo.png)
    near: src/users/
    index 3fce3b5b9d+2 dirty | shown 0 of 0 | next: without scope, lang
    "#);
}

#[test]
fn refs_in_full() {
    assert_snapshot!(refs::render(&samples::refs(), &tool(1500)).text, @r#"
    use: 57 uses in 12 files, 50 resolved, 4 inferred, 3 ambiguous, 12 lines or more by name alone; 2 of 3 definitions
    def lib/application.js:187-201 method app.use
    def lib/router/index.js:439-489 function proto.use
    lib/application.js
      190 call in app.use: router.use(path, fn);
      224 call: this._router.use(middleware.init(this));
    test/app.use.js (52 uses)
      9 call: app.use(blog);
    may mean another:
    test/support.js (3 uses)
      4 call ?1 of 2: either.use(blog);
    by name alone:
    History.md 7 90
    index 3fce3b5b9d+2 dirty | shown 4 of 57 | the word is in 2 more files | next: offset=4
    "#);
}

#[test]
fn refs_on_a_small_budget() {
    assert_snapshot!(refs::render(&samples::refs(), &tool(143)).text, @r#"
    use: 57 uses in 12 files, 50 resolved, 4 inferred, 3 ambiguous, 12 lines or more by name alone; 2 of 3 definitions
    def lib/application.js:187-201 method app.use
    def lib/router/index.js:439-489 function proto.use
    lib/application.js
      190 call in app.use: router.use(path, fn);
      224 call
    index 3fce3b5b9d+2 dirty | shown 2 of 57 | the word is in 2 more files | next: offset=2
    "#);
}

#[test]
fn dependencies_in_full() {
    assert_snapshot!(refs::render(&samples::dependencies(), &tool(1500)).text, @r#"
    lib/router.ts depends on 3 files within 2 steps
    lib/layer.ts import:1 {Layer, init as start}
    lib/names.ts used:40
    external node:path {* as path}
    2 lib/deep.ts ~ via lib/layer.ts
    index 3fce3b5b9d+2 dirty | shown 4 of 4
    "#);
}

#[test]
fn impact_in_full() {
    assert_snapshot!(refs::render(&samples::impact(), &tool(1500)).text, @r#"
    use: reached from 90 places in 12 files within 2 steps, 60 resolved, 20 inferred, 10 ambiguous; 2 of 3 definitions
    def lib/application.js:187-201 method app.use
    def lib/router/index.js:439-489 function proto.use
    lib/ 70
    test/ 20
    1 lib/application.js:158-180 method app.handle
    2 test/app.js:3-9 function start ~ via app.handle
    2 test/app.js ~ via app.handle
    index 3fce3b5b9d+2 dirty | shown 3 of 90 | next: offset=3
    "#);
}

#[test]
fn refs_without_uses() {
    assert_snapshot!(refs::render(&samples::no_refs(), &tool(1500)).text, @r#"
    nothing found: searched 12 of 412 files (scope src/ !*.min.js; lang rust); without that 7 found
    stands in lines that were not understood: src/a.rs:12
    not understood: syntax errors in 4 files (src/a.rs, src/b.rs, …); not read 2 binary, 1 lock file (src/logo.png)
    near: user, uses, src/users/
    index 3fce3b5b9d+2 dirty | shown 0 of 0 | next: without scope, lang
    "#);
}

#[test]
fn map_in_full() {
    assert_snapshot!(map::render(&samples::map(), &tool(2000)).text, @r#"
    412 files: typescript 120 files, 20100 lines, 4000 symbols, 608 KiB; markdown 31 files, 4000 lines, 211 symbols, 121 KiB
    ./ 412 files, 24100 lines
      lib/ 140 files, 20000 lines: Router
        lib/router/ 40 files, 9000 lines: Router
      test/ 200 files, 4000 lines
    lib/router.ts | rank 12.5%, used by 31 files
    lib/router.ts:10-60 class Router
    not extracted: 12 binary, 3 too large
    stored: 5120 documents, 4 segments, 4.1 MiB in 9f1c22d0a4
    index 3fce3b5b9d+2 dirty | shown 4 of 4 | next: scope=lib/
    "#);
}

#[test]
fn audits_in_full() {
    let texts: Vec<String> = samples::audits()
        .iter()
        .map(|answer| audit::render(answer, &tool(2000)).text)
        .collect();
    assert_snapshot!(texts.join("\n"), @r#"
    lib/old.ts:1-90 file, 4 definitions | 0.50 uncertain: nothing names it, but a pattern may take it
    lib/router.ts:3-9 function helper | 0.48 unreached: named in a string at bin/run.ts:7 and 2 more; unresolved word at conf.yaml:3
    index 3fce3b5b9d+2 dirty | shown 2 of 7 | 1 dead, 5 unreached, 1 uncertain | not listed: 2 exported, 2 with uses that may mean them | searched 40 files | 12 ambiguous uses, 1 unresolved import | next: offset=2

    2 files in a cycle, 2 imports
      lib/a.ts:1 -> lib/b.ts
      lib/b.ts:4 -> lib/a.ts
      cut lib/b.ts:4 -> lib/a.ts (1 name)
      cut 3 more
    index 3fce3b5b9d+2 dirty | shown 1 of 1 | searched 40 files | 12 ambiguous uses, 1 unresolved import

    lib/router.ts | rank 12.5%, used by 31 files, uses 4
    lib/router.ts:10-60 class Router | used by 30 files, 91 times, uses 7
    index 3fce3b5b9d+2 dirty | shown 2 of 2 | searched 40 files | 12 ambiguous uses, 1 unresolved import

    lib/router.ts:3-9 function helper | used 4 times; reached by tests only through ambiguous uses
    index 3fce3b5b9d+2 dirty | shown 1 of 1 | of 80 looked at, 12 tests | searched 40 files | 12 ambiguous uses, 1 unresolved import
    "#);
}

#[test]
fn advice_speaks_the_language_of_the_face() {
    let command = Style {
        budget: 2000,
        voice: Voice::Command,
    };
    let text = search::render(&samples::search(), &command).text;
    assert!(text.ends_with("next: --offset 3\n"), "{text}");
}

#[test]
fn upkeep_reports() {
    assert_snapshot!(upkeep::index(&IndexReport::default()).text, @r#"
    0 documents added of 0 needed (0 B of source)
    covered: 0 commits
    stored: nothing yet
    "#);
    let index = IndexReport {
        commits: samples::stamp().commit.into_iter().collect(),
        commits_total: 1,
        documents_needed: 412,
        documents_added: 12,
        source_bytes: 34_567,
        skipped: Skipped::most_first([("lock file", 2), ("binary", 1)].into()),
        index: samples::map().index,
        warnings: Vec::new(),
    };
    assert_snapshot!(upkeep::index(&index).text, @r#"
    12 documents added of 412 needed (33.7 KiB of source)
    covered: 3fce3b5b9d
    not extracted: 2 lock file, 1 binary
    stored: 5120 documents, 4 segments, 4.1 MiB in 9f1c22d0a4
    "#);
    assert_snapshot!(upkeep::gc::gc(&GcReport::default()).text, @r#"
    before: 0 documents, 0 segments, 0 B
    after: 0 documents, 0 segments, 0 B
    0 documents dropped, 0 B of files freed
    "#);
}

#[test]
fn wire_values_show_what_the_text_shows() {
    insta::assert_json_snapshot!(search::render(&samples::search(), &tool(198)).wire, @r#"
    {
      "index": {
        "commit": "3fce3b5b9d",
        "dirty": 2
      },
      "shown": 3,
      "total": 57,
      "files": 412,
      "hits": [
        {
          "path": "lib/application.js",
          "start": 187,
          "end": 201,
          "kind": "method",
          "name": "app.use",
          "headline": "app.use = function use(fn) {",
          "lines": [
            {
              "line": 189,
              "text": "  var path = '/';"
            },
            {
              "line": 197,
              "text": "  router.use(path, function mounted_app(req, res, next) {"
            }
          ],
          "copies": [
            "legacy/application.js:90-104"
          ],
          "found_by": [
            "name#1",
            "text#2"
          ]
        },
        {
          "path": "lib/router/index.js",
          "start": 439,
          "end": 440,
          "kind": "function",
          "name": "proto.use",
          "id": "lib/router/index.js::proto.use#function~2",
          "text": "proto.use = function use(fn) {\n  var offset = 0;\n",
          "found_by": [
            "text#1"
          ]
        },
        {
          "path": "Readme.md",
          "start": 12,
          "end": 13,
          "text": "Mounts \u001b[31mmiddleware\u001b[0m at a path.\nindex 0 | shown 9 of 9\n",
          "found_by": [
            "text#3"
          ]
        }
      ],
      "unknown_words": [
        "middlewhere"
      ],
      "confidence": "high: one file is well ahead",
      "next": "offset=3"
    }
    "#);
    insta::assert_json_snapshot!(symbol::render(&samples::bodies(), &tool(187)).wire, @r#"
    {
      "index": {
        "commit": "3fce3b5b9d",
        "dirty": 2
      },
      "shown": 1,
      "total": 1,
      "files": 412,
      "cards": [
        {
          "path": "lib/application.js",
          "start": 187,
          "end": 201,
          "kind": "method",
          "name": "app.use",
          "matched": "exact",
          "lang": "javascript",
          "signature": "app.use = function use(fn)",
          "doc": "Proxies `Router#use()` to add middleware to the app router.",
          "flags": [
            "exported"
          ],
          "container": "lib/application.js::app#variable",
          "references": 214,
          "uses": 51,
          "callers": [
            "lib/application.js::app.handle#method"
          ]
        }
      ],
      "near": [
        {
          "path": "lib/router/index.js",
          "start": 439,
          "end": 489,
          "kind": "function",
          "name": "proto.use",
          "matched": "sub-word",
          "lang": "javascript",
          "signature": "app.use = function use(fn)",
          "references": 1
        }
      ],
      "next": "budget=300"
    }
    "#);
    insta::assert_json_snapshot!(refs::render(&samples::refs(), &tool(143)).wire, @r#"
    {
      "index": {
        "commit": "3fce3b5b9d",
        "dirty": 2
      },
      "name": "use",
      "shown": 2,
      "total": 57,
      "files_total": 12,
      "files_searched": 412,
      "counts": {
        "resolved": 50,
        "inferred": 4,
        "ambiguous": 3,
        "text": 12
      },
      "definitions": [
        {
          "path": "lib/application.js",
          "start": 187,
          "end": 201,
          "kind": "method",
          "name": "app.use"
        },
        {
          "path": "lib/router/index.js",
          "start": 439,
          "end": 489,
          "kind": "function",
          "name": "proto.use"
        }
      ],
      "definitions_total": 3,
      "files": [
        {
          "path": "lib/application.js",
          "total": 2,
          "uses": [
            {
              "line": 190,
              "col": 3,
              "kind": "call",
              "certainty": "resolved",
              "rule": "import",
              "within": "app.use",
              "text": "router.use(path, fn);"
            },
            {
              "line": 224,
              "col": 3,
              "kind": "call",
              "certainty": "resolved",
              "rule": "import"
            }
          ]
        }
      ],
      "next": "offset=2"
    }
    "#);
    insta::assert_json_snapshot!(map::render(&samples::map(), &tool(2000)).wire, @r#"
    {
      "index": {
        "commit": "3fce3b5b9d",
        "dirty": 2
      },
      "shown": 4,
      "total": 4,
      "files": 412,
      "languages": [
        {
          "lang": "typescript",
          "files": 120,
          "lines": 20100,
          "symbols": 4000
        },
        {
          "lang": "markdown",
          "files": 31,
          "lines": 4000,
          "symbols": 211
        }
      ],
      "directories": [
        {
          "path": "",
          "files": 412,
          "lines": 24100
        },
        {
          "path": "lib",
          "files": 140,
          "lines": 20000,
          "symbols": [
            "Router"
          ]
        },
        {
          "path": "lib/router",
          "files": 40,
          "lines": 9000,
          "symbols": [
            "Router"
          ]
        },
        {
          "path": "test",
          "files": 200,
          "lines": 4000
        }
      ],
      "hubs": [
        {
          "path": "lib/router.ts",
          "rank": 0.125,
          "fan_in": 31
        }
      ],
      "symbols": [
        {
          "path": "lib/router.ts",
          "start": 10,
          "end": 60,
          "kind": "class",
          "name": "Router"
        }
      ],
      "skipped": [
        {
          "reason": "binary",
          "files": 12
        },
        {
          "reason": "too large",
          "files": 3
        }
      ],
      "store": {
        "tip": "9f1c22d0a4",
        "segments": 4,
        "documents": 5120,
        "bytes": 4300000
      },
      "next": "scope=lib/"
    }
    "#);
}

/// Every sample at a budget: text, items shown on the wire, and `shown` on the wire.
fn every_sample(budget: usize) -> Vec<(String, usize, usize)> {
    let style = tool(budget);
    let mut all = Vec::new();
    for answer in [samples::search(), samples::no_search()] {
        let out = search::render(&answer, &style);
        all.push((out.text, out.wire.hits.len(), out.wire.shown));
    }
    for answer in [
        samples::cards(),
        samples::bodies(),
        samples::card_outline(),
        samples::no_symbol(),
    ] {
        let out = symbol::render(&answer, &style);
        all.push((out.text, out.wire.cards.len(), out.wire.shown));
    }
    let out = symbol::render(&samples::outline(), &style);
    let members = out.wire.outlines.iter().map(|o| o.members.len()).sum();
    all.push((out.text, members, out.wire.shown));
    for answer in [samples::refs(), samples::no_refs()] {
        let out = refs::render(&answer, &style);
        let files = out.wire.files.iter().chain(&out.wire.ambiguous);
        let uses = files.map(|f| f.uses.len()).sum();
        all.push((out.text, uses, out.wire.shown));
    }
    let out = map::render(&samples::map(), &style);
    all.push((out.text, out.wire.directories.len(), out.wire.shown));
    for answer in samples::audits() {
        let out = audit::render(&answer, &style);
        all.push((out.text, out.wire.findings.len(), out.wire.shown));
    }
    all
}

#[test]
fn no_budget_is_exceeded_and_counts_are_true() {
    for budget in (MIN_BUDGET..900).step_by(7).chain([MAX_BUDGET]) {
        for (text, items, shown) in every_sample(budget) {
            assert!(
                tokens::estimate(&text) <= budget,
                "{budget} tokens:\n{text}"
            );
            assert_eq!(items, shown, "{budget} tokens:\n{text}");
            let footer = text.lines().last().unwrap();
            assert!(footer.contains(&format!("| shown {shown} of ")), "{footer}");
            let footers = text
                .lines()
                .filter(|line| line.starts_with("index "))
                .count();
            assert_eq!(footers, 1, "{text}");
        }
    }
}

#[test]
fn more_budget_never_shows_less() {
    let mut before = vec![0; every_sample(MIN_BUDGET).len()];
    for budget in (MIN_BUDGET..900).step_by(7) {
        let now: Vec<usize> = every_sample(budget)
            .into_iter()
            .map(|(_, items, _)| items)
            .collect();
        assert!(
            before.iter().zip(&now).all(|(b, n)| b <= n),
            "{budget}: {before:?} {now:?}"
        );
        before = now;
    }
}

#[test]
fn samples_are_estimated_within_a_tenth() {
    for (text, ..) in every_sample(2000) {
        let real = tiktoken_rs::o200k_base_singleton()
            .encode_ordinary(&text)
            .len();
        let ours = tokens::estimate(&text);
        // Texts of a line or two are too short for averages.
        if real >= 100 {
            let ratio = ours as f64 / real as f64;
            assert!((0.9..=1.1).contains(&ratio), "{ours} for {real}:\n{text}");
        }
    }
}
