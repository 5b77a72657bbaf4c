//! Hand-made answers for the tests of this layer and of the front ends.

use crate::extract::record::{Grammar, Lines, OccurrenceKind, SymbolKind};
use crate::graph::rule::Certainty;
use crate::id::{BlobId, CommitId};
use crate::query::answer::*;
use crate::query::audit::answer::*;
use crate::query::cards::*;
use crate::query::map::{DirectoryShare, LanguageShare, MapAnswer};
use crate::query::recall::related::Note;
use crate::query::refs::answer::*;
use crate::query::request::{AuditView, Direction};
use crate::query::search::answer::*;
use crate::query::search::confidence::{Confidence, Level};
use crate::query::state::{IndexState, Skipped, Stamp};
use crate::render::nothing::sample as nothing;
use crate::view::written::Written;

pub(crate) fn stamp() -> Stamp {
    let hex = b"3fce3b5b9d00112233445566778899aabbccddee";
    Stamp {
        commit: CommitId::from_hex(hex),
        dirty: 2,
        uncovered: 0,
        outside: 0,
        warnings: Vec::new(),
    }
}

fn blob() -> BlobId {
    BlobId::from_hex(b"8baef1b4abc478178b004d62031cf7fe6db6f903").expect("40 digits")
}

/// A symbol, as an answer writes it: `path:start-end kind name`.
pub(crate) fn symbol(written: &str) -> SymbolRef {
    let mut words = written.split(' ');
    let place = words.next().expect("a place");
    let (path, lines) = place.rsplit_once(':').expect("lines");
    let (start, end) = lines.split_once('-').expect("a last line");
    let kind = words.next().and_then(SymbolKind::from_label);
    let kind = kind.expect("a kind");
    let name = words.next().expect("a name");
    SymbolRef {
        id: Written::from(name).id(path, kind, 1),
        qualified: name.into(),
        kind,
        path: path.to_owned(),
        start_line: start.parse().expect("a number"),
        end_line: end.parse().expect("a number"),
    }
}

const USE: &str = "\
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
";

const PROTO_USE: &str = "proto.use = function use(fn) {\n  var offset = 0;\n";
const README: &str = "Mounts \u{1b}[31mmiddleware\u{1b}[0m at a path.\nindex 0 | shown 9 of 9\n";

/// A hit with its first line above the rest.
fn hit(path: &str, start_line: u32, end_line: u32, text: &str) -> SearchHit {
    SearchHit {
        path: path.into(),
        start_line,
        end_line,
        symbol: None,
        headline: text.lines().next().unwrap_or_default().into(),
        text: text.into(),
        telling_lines: Vec::new(),
        found_by: Vec::new(),
        role: 1.0,
        marks: None,
        score: 0.03,
        blob: blob(),
        copies: Vec::new(),
    }
}

pub(crate) fn search() -> SearchAnswer {
    let method = symbol("lib/application.js:187-201 method app.use");
    let mut second = symbol("lib/router/index.js:439-489 function proto.use");
    second.id = Written::from(&*format!("{}~2", second.id));
    let found = |channel, rank| FoundBy {
        channel,
        rank: Some(rank),
        share: 1.0 / f64::from(rank),
        of_file: 1.0,
        weight: 0.5,
    };
    SearchAnswer {
        stamp: stamp(),
        query: "mount middleware path".into(),
        offset: 0,
        hits: vec![
            SearchHit {
                symbol: Some(method),
                telling_lines: vec![187, 189, 197],
                found_by: vec![found("name", 1), found("text", 2)],
                copies: vec![Elsewhere {
                    path: "legacy/application.js".into(),
                    start_line: 90,
                    end_line: 104,
                }],
                ..hit("lib/application.js", 187, 201, USE)
            },
            SearchHit {
                symbol: Some(second),
                telling_lines: vec![439],
                found_by: vec![found("text", 1)],
                ..hit("lib/router/index.js", 439, 440, PROTO_USE)
            },
            SearchHit {
                telling_lines: vec![12, 99],
                found_by: vec![found("text", 3)],
                ..hit("Readme.md", 12, 13, README)
            },
        ],
        total: 57,
        files: 412,
        within: None,
        unknown_words: vec!["middlewhere".into()],
        history: None,
        confidence: Some(Confidence {
            level: Level::High,
            reason: "one file is well ahead",
        }),
        narrower: Vec::new(),
        exact: None,
        vectors: None,
        cost: Cost::default(),
        memories: Vec::new(),
        nothing: None,
    }
}

pub(crate) fn no_search() -> SearchAnswer {
    let unknown_words = vec!["flux".into(), "capacitor".into()];
    SearchAnswer {
        hits: Vec::new(),
        total: 0,
        unknown_words,
        history: None,
        confidence: None,
        vectors: None,
        cost: Cost::default(),
        nothing: nothing(&["fluid"]),
        ..search()
    }
}

fn outline_items() -> Vec<OutlineItem> {
    let item = |written: &str, signature: &str| {
        let symbol = symbol(&format!("lib/router.ts:{written}"));
        OutlineItem {
            depth: symbol.qualified.matches('.').count(),
            symbol,
            signature: signature.into(),
        }
    };
    vec![
        item("10-60 class Router", "export class Router<T> extends Base"),
        item("11-11 field Router.stack", "private stack: Layer[] = []"),
        item(
            "20-41 method Router.use",
            "use(path: string, fn: Handler): this",
        ),
        item("25-30 function Router.use.inner", "const inner = () =>"),
        item(
            "63-80 function create",
            "export default function (o?: Options)",
        ),
    ]
}

pub(crate) fn cards() -> SymbolAnswer {
    let card = |of: SymbolRef, matched| SymbolCard {
        symbol: of,
        matched,
        lang: Grammar::JavaScript,
        signature: "app.use = function use(fn)".into(),
        doc: "Proxies `Router#use()` to add middleware to the app router.".into(),
        flags: vec!["exported"],
        container: Some("lib/application.js::app#variable".into()),
        references: 214,
        relations: Some(Relations {
            uses: 51,
            ambiguous: 2,
            callers: Related {
                total: 7,
                first: vec![symbol("lib/application.js:152-178 method app.handle")],
            },
            ..Relations::default()
        }),
        members: Vec::new(),
        entry_points: Vec::new(),
        body: None,
        blob: blob(),
    };
    let mut other = card(
        symbol("lib/router/index.js:439-489 function proto.use"),
        MatchKind::SubWord,
    );
    other.doc.clear();
    other.container = None;
    other.references = 1;
    other.relations = None;
    SymbolAnswer {
        stamp: stamp(),
        target: "use".into(),
        cards: vec![
            card(
                symbol("lib/application.js:187-201 method app.use"),
                MatchKind::Exact,
            ),
            other,
        ],
        total: 1,
        near: 1,
        files: 412,
        ..SymbolAnswer::default()
    }
}

pub(crate) fn bodies() -> SymbolAnswer {
    let mut answer = cards();
    answer.cards[0].body = Some(USE.into());
    answer.cards[1].body = Some("proto.use = function use(fn) {};\n".into());
    answer
}

pub(crate) fn card_outline() -> SymbolAnswer {
    let mut answer = cards();
    answer.cards.truncate(1);
    answer.near = 0;
    answer.cards[0].symbol = symbol("lib/router.ts:10-60 class Router");
    let nested = outline_items().into_iter().filter(|i| i.depth > 0);
    answer.cards[0].members = nested
        .map(|i| OutlineItem {
            depth: i.depth - 1,
            ..i
        })
        .collect();
    answer
}

pub(crate) fn outline() -> SymbolAnswer {
    let outline = FileOutline {
        path: "lib/router.ts".into(),
        lang: Grammar::TypeScript,
        lines: 92,
        bytes: 3051,
        skip: None,
        imports: vec!["./layer".into(), "node:path".into()],
        items: outline_items(),
        gaps: vec![
            Lines {
                first: 40,
                last: 47,
            },
            Lines {
                first: 60,
                last: 60,
            },
        ],
        blob: blob(),
    };
    SymbolAnswer {
        cards: Vec::new(),
        total: 1,
        near: 0,
        outlines: vec![outline],
        ..cards()
    }
}

pub(crate) fn no_symbol() -> SymbolAnswer {
    SymbolAnswer {
        cards: Vec::new(),
        total: 0,
        near: 0,
        nothing: nothing(&[]),
        ..cards()
    }
}

pub(crate) fn refs() -> RefsAnswer {
    let reference = |line, enclosing: Option<&str>, text: &str| Reference {
        line,
        col: 3,
        kind: OccurrenceKind::Call,
        certainty: Certainty::Resolved,
        rule: Some("import"),
        candidates: 0,
        enclosing: enclosing.map(Written::from),
        text: text.into(),
    };
    RefsAnswer {
        stamp: stamp(),
        target: "use".into(),
        name: "use".into(),
        title: "use".into(),
        definitions: vec![
            symbol("lib/application.js:187-201 method app.use"),
            symbol("lib/router/index.js:439-489 function proto.use"),
        ],
        definitions_total: 3,
        files: vec![
            FileReferences {
                path: "lib/application.js".into(),
                references: vec![
                    reference(190, Some("app.use"), "router.use(path, fn);"),
                    reference(224, None, "this._router.use(middleware.init(this));"),
                ],
                total: 2,
                blob: blob(),
            },
            FileReferences {
                path: "test/app.use.js".into(),
                references: vec![reference(9, None, "app.use(blog);")],
                total: 52,
                blob: blob(),
            },
        ],
        ambiguous: vec![FileReferences {
            path: "test/support.js".into(),
            references: vec![Reference {
                certainty: Certainty::Ambiguous,
                candidates: 1,
                ..reference(4, None, "either.use(blog);")
            }],
            total: 3,
            blob: blob(),
        }],
        words: Words {
            total: 12,
            files: vec![WordLines {
                path: "History.md".into(),
                lines: vec![7, 90],
            }],
            hidden: 0,
            unread: 2,
        },
        total: 57,
        files_total: 12,
        files_searched: 412,
        depth: 1,
        certainty: [50, 4, 3, 12],
        ..RefsAnswer::default()
    }
}

pub(crate) fn no_refs() -> RefsAnswer {
    RefsAnswer {
        definitions: Vec::new(),
        definitions_total: 0,
        files: Vec::new(),
        ambiguous: Vec::new(),
        words: Words::default(),
        total: 0,
        files_total: 0,
        certainty: [0; 4],
        nothing: nothing(&["user", "uses"]),
        ..refs()
    }
}

pub(crate) fn dependencies() -> RefsAnswer {
    let of = |path: &str, specifier: &str, line, names: &[&str], kind, uses| FileDependency {
        path: path.into(),
        specifier: specifier.into(),
        line,
        names: names.iter().map(|name| Written::from(*name)).collect(),
        kind,
        uses,
    };
    RefsAnswer {
        name: String::new(),
        file: Some("lib/router.ts".into()),
        depth: 2,
        sides: vec![Side {
            direction: Direction::Out,
            shown: vec![
                of(
                    "lib/layer.ts",
                    "./layer",
                    1,
                    &["Layer", "init as start"],
                    DependencyKind::Import,
                    7,
                ),
                of("lib/names.ts", "", 40, &[], DependencyKind::Used, 2),
                of(
                    "",
                    "node:path",
                    2,
                    &["* as path"],
                    DependencyKind::External,
                    0,
                ),
            ],
            files: 2,
        }],
        reached: vec![reached(None, "lib/deep.ts", 2, 0, &["lib/layer.ts"])],
        total: 4,
        files_total: 3,
        nothing: None,
        ..no_refs()
    }
}

pub(crate) fn impact() -> RefsAnswer {
    let handle = symbol("lib/application.js:158-180 method app.handle");
    let test = symbol("test/app.js:3-9 function start");
    RefsAnswer {
        depth: 2,
        files: Vec::new(),
        directories: vec![("lib/".into(), 70), ("test/".into(), 20)],
        reached: vec![
            reached(Some(handle), "lib/application.js", 1, 160, &[]),
            reached(Some(test), "test/app.js", 2, 4, &["app.handle"]),
            reached(None, "test/app.js", 2, 12, &["app.handle"]),
        ],
        reached_by: Some((Direction::In, 90)),
        ambiguous: Vec::new(),
        words: Words::default(),
        total: 90,
        certainty: [60, 20, 10, 0],
        ..refs()
    }
}

fn reached(
    symbol: Option<SymbolRef>,
    path: &str,
    depth: usize,
    line: u32,
    via: &[&str],
) -> Reached {
    Reached {
        path: path.into(),
        symbol,
        depth,
        certainty: Certainty::ALL[depth - 1],
        confidence: 0.9,
        line,
        via: via.iter().map(|step| Written::from(*step)).collect(),
        uses: 1,
    }
}

pub(crate) fn map() -> MapAnswer {
    let share = |lang, files, lines, symbols| LanguageShare {
        lang,
        files,
        lines,
        bytes: lines * 31,
        symbols,
    };
    let router = symbol("lib/router.ts:10-60 class Router");
    let directory = |path: &str, depth, files, lines, symbols: &[&SymbolRef]| DirectoryShare {
        path: path.into(),
        depth,
        files,
        lines,
        symbols: symbols.iter().map(|s| (*s).clone()).collect(),
    };
    MapAnswer {
        stamp: stamp(),
        files: 412,
        languages: vec![
            share(Grammar::TypeScript, 120, 20_100, 4_000),
            share(Grammar::Markdown, 31, 4_000, 211),
        ],
        directories: vec![
            directory("", 0, 412, 24_100, &[]),
            directory("lib", 1, 140, 20_000, &[&router]),
            directory("lib/router", 2, 40, 9_000, &[&router]),
            directory("test", 1, 200, 4_000, &[]),
        ],
        hubs: vec![HubFile {
            path: "lib/router.ts".into(),
            rank: 0.125,
            fan_in: 31,
            fan_out: 4,
        }],
        symbols: vec![router],
        task: None,
        entries: None,
        skipped: Skipped::most_first([("binary", 12), ("too large", 3)].into()),
        index: IndexState {
            tip: Some("9f1c22d0a4".into()),
            segments: 4,
            documents: 5120,
            bytes: 4_300_000,
        },
        memories: Vec::new(),
        nothing: None,
    }
}

/// One answer of `audit` for each view.
pub(crate) fn audits() -> Vec<AuditAnswer> {
    let router = || symbol("lib/router.ts:10-60 class Router");
    let helper = || symbol("lib/router.ts:3-9 function helper");
    let place = |path: &str, line| Place {
        path: path.into(),
        line,
    };
    let import = |from: &str, line, to: &str| ImportEdge {
        from: place(from, line),
        to: to.into(),
        names: 1,
    };
    let answer = |view, findings, total| AuditAnswer {
        stamp: stamp(),
        view,
        offset: 0,
        findings,
        total,
        files: 40,
        unresolved: Unresolved {
            ambiguous: 12,
            imports: 1,
            external: 0,
        },
        nothing: None,
    };
    let dead = Unused {
        what: Dead::Symbol(helper()),
        verdict: Verdict::Unreached,
        confidence: 0.475_1,
        doubts: vec![
            Doubt::Mentioned {
                count: 3,
                first: place("bin/run.ts", 7),
            },
            Doubt::Word {
                files: 1,
                first: place("conf.yaml", 3),
            },
        ],
    };
    let file = Unused {
        what: Dead::File {
            path: "lib/old.ts".into(),
            lines: 90,
            definitions: 4,
        },
        verdict: Verdict::Uncertain,
        confidence: 0.5,
        doubts: vec![Doubt::Unloaded],
    };
    let unused = Findings::Unused {
        items: vec![file, dead],
        counts: Counts {
            dead: 1,
            unreached: 5,
            uncertain: 1,
            undecided: 2,
            exported: 2,
        },
    };
    let cycles = Findings::Cycles(vec![ImportCycle {
        files: 2,
        imports: 2,
        path: vec![
            import("lib/a.ts", 1, "lib/b.ts"),
            import("lib/b.ts", 4, "lib/a.ts"),
        ],
        cut: vec![import("lib/b.ts", 4, "lib/a.ts")],
        more: 3,
    }]);
    let hubs = Findings::Hubs {
        files: map().hubs,
        symbols: vec![HubSymbol {
            symbol: router(),
            files: 30,
            uses: 91,
            fan_out: 7,
        }],
    };
    let untested = Findings::Untested {
        items: vec![Untested {
            symbol: helper(),
            callers: 4,
            rank: 0.125,
            perhaps: true,
        }],
        candidates: 80,
        tests: 12,
    };
    vec![
        answer(AuditView::Unused, unused, 7),
        answer(AuditView::Cycles, cycles, 1),
        answer(AuditView::Hubs, hubs, 2),
        answer(AuditView::Untested, untested, 1),
    ]
}

/// A memory that comes up beside an answer.
pub(crate) fn note(core: bool) -> Note {
    Note {
        id: "1a2b3c4".into(),
        kind: "rule",
        core,
        contested: false,
        outdated: false,
        author: "Ann".into(),
        text: "Retries belong in the client.".into(),
    }
}
