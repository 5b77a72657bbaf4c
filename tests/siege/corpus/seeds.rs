//! Seeds for the fuzzers: small sound inputs of every kind, made from the golden vectors, from the files of
//! `tests/corpus`, and by the program itself. `UPDATE_SEEDS=1` writes them.

use crate::harness::TestRepo;
use git_sverklo::extract::extract;
use git_sverklo::extract::record::{DocKey, Grammar};
use git_sverklo::fuzzing::{TARGETS, Target, find};
use git_sverklo::git::RepoPath;
use git_sverklo::git::write::blob_id;
use git_sverklo::history::document::Document;
use git_sverklo::history::message;
use git_sverklo::history::piece::{Entry, Piece};
use git_sverklo::id::{BlobId, CommitId};
use git_sverklo::lang;
use git_sverklo::segment;
use gix::hash::Kind;
use std::fs;
use std::path::{Path, PathBuf};

/// Longest file that becomes a seed.
const LONGEST: usize = 6 << 10;

/// Writes the seeds of all readers to their folders.
pub fn write(folder: &dyn Fn(&str, &Target) -> PathBuf) {
    let kept = Kept::new();
    for target in &TARGETS {
        let folder = folder("seeds", target);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        for (at, bytes) in of(target.name, &kept).into_iter().enumerate() {
            fs::write(folder.join(format!("{at:02}")), bytes).expect("a seed");
        }
    }
}

fn of(name: &str, kept: &Kept) -> Vec<Vec<u8>> {
    match name {
        "agent_file" => with_first(&AGENT_FILES, 8),
        "configuration" => configuration(),
        "coverage" => texts(&COVERAGE),
        "facts" => vec![golden("facts-small-sha1.hex")],
        "git_config" => texts(&GIT_CONFIG),
        "git_words" => texts(&GIT_WORDS),
        "graph_cache" => kept.files("graph", "graph_cache"),
        "identifier" => texts(&IDENTIFIERS),
        "log" => logs(),
        "manifest" => manifests(),
        "mcp" => texts(&MCP),
        "memory_cache" => kept.files("memory", "memory_cache"),
        "memory_event" => events(),
        "memory_import" => texts(&MEMORIES),
        "memory_log" => vec![events().join(&0)],
        "message" => texts(&MESSAGES),
        "model_answer" => texts(&ANSWERS),
        "pattern" => texts(&PATTERNS),
        "question" => texts(&QUESTIONS),
        "scip" => indexes(),
        "segment" => segments(),
        "shown" => texts(&SHOWN),
        "source" => sources()
            .into_iter()
            .map(|(grammar, text)| [&[grammar.code()], &text[..]].concat())
            .collect(),
        "trace" => vec![golden("trace-small-sha1.hex")],
        "vectors" => vectors(),
        "view_cache" => vec![view()],
        "vocabulary" => texts(&VOCABULARIES),
        other => panic!("no seeds of {other}"),
    }
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Each text after each value that the first byte may have.
fn with_first(texts: &[&str], values: u8) -> Vec<Vec<u8>> {
    let each = (0..values).flat_map(|first| {
        texts
            .iter()
            .map(move |text| [&[first], text.as_bytes()].concat())
    });
    each.collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn golden(name: &str) -> Vec<u8> {
    let hex = fs::read_to_string(root().join("format-spec/vectors").join(name)).expect("a vector");
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |two: &[u8]| u8::from_str_radix(std::str::from_utf8(two).expect("digits"), 16);
    digits
        .chunks(2)
        .map(|two| byte(two).expect("digits"))
        .collect()
}

/// The indexes of `tests/scip`.
fn indexes() -> Vec<Vec<u8>> {
    let read = |name| fs::read(root().join("tests/scip").join(name)).expect("an index");
    ["ts/index.scip", "py/index.scip"].map(read).to_vec()
}

fn events() -> Vec<Vec<u8>> {
    let names = [
        "assert",
        "amend",
        "end",
        "repin",
        "redact",
        "amend-redacted",
    ];
    let path = |name| root().join(format!("format-spec/vectors/memory-{name}.txt"));
    names
        .map(|name| fs::read(path(name)).expect("a vector"))
        .to_vec()
}

/// The shortest files of each grammar in `tests/corpus`.
fn sources() -> Vec<(Grammar, Vec<u8>)> {
    let mut all = Vec::new();
    for folder in fs::read_dir(root().join("tests/corpus")).expect("the corpus") {
        let Ok(files) = fs::read_dir(folder.expect("a folder").path()) else {
            continue;
        };
        for file in files {
            let path = file.expect("a file").path();
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let bytes = fs::read(&path).expect("a file");
            if !name.ends_with(".expect") && bytes.len() <= LONGEST {
                all.push((lang::by_file_name(name.as_bytes()), bytes));
            }
        }
    }
    all.sort_by_key(|(grammar, bytes)| (*grammar, bytes.len()));
    let mut few: Vec<(Grammar, Vec<u8>)> = Vec::new();
    for (grammar, bytes) in all {
        if few.iter().filter(|(known, _)| *known == grammar).count() < 2 {
            few.push((grammar, bytes));
        }
    }
    few
}

fn segments() -> Vec<Vec<u8>> {
    let key = |text: &[u8], grammar| DocKey {
        blob: blob_id(Kind::Sha1, text).expect("a short text"),
        grammar,
    };
    let records = |few: &[(Grammar, Vec<u8>)]| {
        let docs = few
            .iter()
            .map(|(grammar, text)| (key(text, *grammar), extract(text, *grammar)));
        segment::build(Kind::Sha1, docs.collect()).expect("a segment")
    };
    let sources: Vec<_> = sources()
        .into_iter()
        .filter(|(_, text)| text.len() < 1500)
        .collect();
    let mut all: Vec<Vec<u8>> = sources.chunks(2).map(records).collect();
    for name in [
        "segment-empty-sha1",
        "segment-small-sha1",
        "segment-small-sha256",
    ] {
        all.push(golden(&format!("{name}.hex")));
    }
    all
}

fn logs() -> Vec<Vec<u8>> {
    let id = |n: u8| CommitId::from_bytes(&[n; 20]).expect("an id");
    let path = |text: &str| RepoPath::new(text).expect("a path");
    let entry = |n: u8, parents: &[u8], text: &str| Entry {
        id: id(n),
        date: 1_700_000_000 + i64::from(n),
        parents: parents.iter().map(|n| id(*n)).collect(),
        document: Document {
            terms: message::terms(text.as_bytes()),
            changed: 2,
            touched: vec![path("src/a.rs"), path("src/b/c.rs")],
            gone: vec![path("old.rs")],
            renames: match parents.len() {
                0 | 1 => vec![(path("old.rs"), path("src/a.rs"))],
                _ => Vec::new(),
            },
        },
    };
    let entries = vec![
        entry(1, &[], "first"),
        entry(
            2,
            &[1],
            "fix: the parser reads empty lines\n\nThey were lost.\n",
        ),
        entry(3, &[1, 2], ""),
        entry(4, &[3], "Rename a file"),
        entry(5, &[99], "of another line of work"),
    ];
    let one = Piece::of(Kind::Sha1, entries[..1].to_vec());
    let all = Piece::of(Kind::Sha1, entries);
    vec![
        golden("log-small-sha1.hex"),
        one.bytes().to_vec(),
        all.bytes().to_vec(),
    ]
}

/// Blocks of as many rows as the segment has that they are read against.
fn vectors() -> Vec<Vec<u8>> {
    let takes = find("vectors").expect("a reader").read;
    let block = |rows: usize, dims: usize| {
        let mut bytes = b"gsvvecs\x01".to_vec();
        bytes.extend_from_slice(&[7; 16]);
        bytes.extend_from_slice(&(dims as u32).to_le_bytes());
        bytes.extend_from_slice(&(rows as u32).to_le_bytes());
        for _ in 0..rows {
            bytes.extend_from_slice(&(dims as u32 * 9).to_le_bytes());
        }
        bytes.extend(std::iter::repeat_n(3_u8, rows * dims));
        bytes.extend_from_slice(&[0; 8]);
        bytes
    };
    let rows = (1..500)
        .find(|rows| takes(&block(*rows, 2)))
        .expect("a segment with chunks");
    let mut all: Vec<Vec<u8>> = [1, 2, 8, 33].map(|dims| block(rows, dims)).to_vec();
    all.push(golden("vectors-small.hex"));
    all
}

fn manifests() -> Vec<Vec<u8>> {
    let id = "0123456789abcdef0123456789abcdef01234567";
    let other = BlobId::from_bytes(&[0xab; 20]).expect("an id").to_string();
    let named = |folder: &str, id: &str| format!("{id} {folder}/{}/{}\n", &id[..2], &id[2..]);
    let all = [
        format!("{other} absorbs\n{other} deny\n{other} format\n"),
        named("log", id),
        named("seg", id),
        named("seg", &other),
        named("trace", id),
        named("facts", id),
        format!("{other} vec/static-v1/{}/{}\n", &id[..2], &id[2..]),
        format!("{other} vec/../{id}\n{other} seg/{id}\n{other} unknown\n"),
    ];
    let ledger = format!("\0\0{id} 3 absorbed\n{other} 4 revived\n\0{other}\n");
    let foreign = "\0sverklo index\nlayout 4\nhash sha1\nsegment 99\n";
    let entries = all.concat();
    [
        entries.clone() + &ledger,
        entries.clone() + foreign,
        entries,
    ]
    .map(String::into_bytes)
    .to_vec()
}

fn configuration() -> Vec<Vec<u8>> {
    // As many as `fuzzing::ground` has; what a text is no configuration of, is nonsense, and welcome.
    (0..18)
        .map(|at: u8| [&[at], CONFIGURATION[usize::from(at)].as_bytes()].concat())
        .collect()
}

/// A saved view of two files of which no segment has a document: documents are looked for in the segments
/// that are there, and a repository's own are not.
fn view() -> Vec<u8> {
    let (paths, blobs, modes) = (b"src/a.rs\0src/b.rs\0", [7_u8; 40], [0_u8, 1]);
    let saved = (
        paths.to_vec(),
        blobs.to_vec(),
        modes.to_vec(),
        // What they are for.
        vec![0_u8; 2],
        vec![0_u32; 2],
        vec![0_u32; 2],
        // The state of the objects that the two are missing in.
        Some(7_u128),
    );
    bincode::encode_to_vec(saved, bincode::config::standard()).expect("vectors of numbers")
}

/// A repository in which the program has kept what it keeps.
struct Kept {
    folder: PathBuf,
    _repo: TestRepo,
}

impl Kept {
    fn new() -> Self {
        let repo = TestRepo::init();
        repo.write(
            "src/a.rs",
            "use crate::b::Item;\n\npub fn add(item: Item) -> Item { item }\n",
        );
        repo.write("src/b.rs", "pub struct Item;\n")
            .write("src/lib.rs", "pub mod a;\npub mod b;\n");
        repo.write("web/cart.ts", "import { Item } from './item';\nexport class Cart { add(i: Item) { return i.price(); } }\n");
        repo.write(
            "web/item.ts",
            "export class Item { price() { return 1; } }\n",
        );
        repo.commit("first");
        for at in 0..20 {
            let text = format!("The number {at} is a number");
            repo.sverklo(&["remember", "-k", "fact", &text]).success();
        }
        repo.sverklo(&["refs", "Item"]).success();
        repo.sverklo(&["recall", "number"]).success();
        let folder = repo.kept();
        Self {
            folder,
            _repo: repo,
        }
    }

    /// What lies in a folder, without the seal at its end, however long that is.
    fn files(&self, folder: &str, target: &str) -> Vec<Vec<u8>> {
        let takes = find(target).expect("a reader").read;
        let mut all = Vec::new();
        for entry in fs::read_dir(self.folder.join(folder)).expect("it was used") {
            let Ok(bytes) = fs::read(entry.expect("an entry").path()) else {
                continue;
            };
            let mut cuts = (0..=64).map(|cut| &bytes[..bytes.len().saturating_sub(cut)]);
            all.extend(cuts.rfind(|bytes| takes(bytes)).map(<[u8]>::to_vec));
        }
        all
    }
}

const AGENT_FILES: [&str; 4] = [
    "",
    "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\", \"args\": [\"y\"]},\n  },\n  \"servers\": {}, \"context_servers\": {}\n}\n",
    "model = \"o3\"\n\n[mcp_servers.other]\ncommand = \"x\"\nargs = [\"y\"]\n\n[a.b.c]\nd = { e = [1, 2.5, 1979-05-27] }\n",
    "{\"mcpServers\": {\"sverklo\": {\"command\": \"git\", \"args\": [\"sverklo\", \"mcp\"]}}}",
];

const CONFIGURATION: [&str; 18] = [
    r##"{"name": "shop", "private": true, "workspaces": {"packages": ["web/*", "!web/x"]}, "main": "index.js", "imports": {"#a/*": {"node": "./web/*.js", "default": "./web/*.ts"}}, "browser": {"./a": false}}"##,
    r#"{"name": "@shop/web", "type": "module", "exports": {".": [{"types": "./cart.ts"}, "./cart.ts"], "./*": "./*.ts", "./x": null}}"#,
    "{\n // paths\n \"extends\": [\"./web/tsconfig.json\"], \"compilerOptions\": {\"baseUrl\": \"./\", \"rootDirs\": [\"web\", \"src\"], \"paths\": {\"@shop/*\": [\"web/*\"], \"*\": [\"./*\"],}},}",
    r#"{"extends": "../tsconfig.json", "references": [{"path": ".."}], "files": []}"#,
    r#"{"packages": ["web", "lib/*"], "version": "1.0.0"}"#,
    "packages:\n  - web\n  - 'lib/**'\n  - \"!x\"\n",
    "module example.org/shop\n\ngo 1.22\n\nrequire (\n\texample.org/x v1.0.0\n)\n\nreplace (\n\texample.org/x => ./pkg\n)\n",
    "go 1.22\n\nuse (\n\t.\n\t./pkg\n)\n",
    r#"{"name": "a/shop", "autoload": {"psr-4": {"App\\": ["app/", "src"]}, "psr-0": {"": "lib"}, "classmap": ["app"], "files": ["app/f.php"]}}"#,
    "[package]\nname = \"shop\"\nedition = \"2024\"\n\n[lib]\npath = \"src/lib.rs\"\n\n[[bin]]\nname = \"x\"\npath = 'src/b.rs'\n\n[workspace]\nmembers = [\n  \"src\", # here\n]\n[dependencies]\nb = { path = \"../b\", package = \"c\" }\n",
    "name: shop\nenvironment:\n  sdk: '>=3.0.0'\n",
    "[tool.setuptools.packages.find]\nwhere = [\"py\", \"src\"]\n[tool.setuptools.package-dir]\n\"\" = \"py\"\n[tool.poetry]\npackages = [{ include = \"shop\", from = \"py\" }]\n",
    "[options]\npackage_dir =\n    = py\n    shop = py/shop\n[options.packages.find]\nwhere = py\n",
    "from setuptools import setup, find_packages\nsetup(packages=find_packages(where='py'), package_dir={'': 'py', \"shop\": \"py/shop\"})\n",
    r#"[{"directory": "/w", "arguments": ["cc", "-I", "include", "-isystem", "/usr/include", "-c", "src/list.c"], "file": "src/list.c"}, {"directory": "/w/src", "command": "cc -I../include -c list.c", "file": "list.c"}]"#,
    "Gem::Specification.new do |spec|\n  spec.require_paths = [\"lib\", 'ext']\nend\n",
    "let package = Package(name: \"shop\", targets: [.target(name: \"Shop\", dependencies: [\"Item\"], path: \"src\"), .testTarget(name: \"T\")])\n",
    "<Project Sdk=\"x\"><PropertyGroup><RootNamespace>Shop.Web</RootNamespace></PropertyGroup><ItemGroup><ProjectReference Include=\"..\\a.csproj\" /></ItemGroup></Project>\n",
];

const COVERAGE: [&str; 6] = [
    "\0TN:\nSF:/build/src/a.rs\nFN:3,parse\nDA:3,2\nDA:4,0\nDA:9,1e3\nend_of_record\nSF:a\\b.c\nDA:1,1\nend_of_record\n",
    "\x01{\"meta\":{\"format\":3},\"files\":{\"src/a.rs\":{\"executed_lines\":[1,3],\"missing_lines\":[6,7]}}}",
    "\x02{\"/work/project/lib/index.js\":{\"path\":\"/work/project/lib/index.js\",\"statementMap\":{\"0\":{\"start\":{\"line\":1,\"column\":0}},\"1\":{\"start\":{\"line\":null}}},\"s\":{\"0\":1,\"1\":0}}}",
    "\x03mode: atomic\nexample.org/shop/cart/cart.go:10.32,13.16 2 4\nexample.org/shop/cart/cart.go:13.16,15.1 1 0\n",
    "\x04{\"data\":[{\"files\":[{\"filename\":\"/w/src/a.rs\",\"segments\":[[1,1,5,true,true,false],[2,8,0,true,true,false],[6,2,0,false,false,false]]}]}],\"type\":\"llvm.coverage.json.export\",\"version\":\"2.0.1\"}",
    "\x05SF:index.js\nDA:1,0\nend_of_record\n",
];

const GIT_CONFIG: [&str; 3] = [
    "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[sverklo]\n\tmodel = endpoint\n\tembedEndpoint = https://example.org/v1/embeddings\n\tembedModel = m\n\tretain = 1.year.6.months\n\trefPrefix = refs/sverklo/v1\n",
    "[sverklo \"gate\"]\n\tmaxFanIn = 50k\n[sverklo]\n\tmodel = ./model\n\thooks = off\n\tpushLimit = 0x10\n[include]\n\tpath = ../x\n",
    "; a\n# b\n[a \"b\\\"c\"] d = \"e\\tf\" ; g\n  h\n\ti = j\\\n  k\n[sverklo]model=static",
];

const GIT_WORDS: [&str; 4] = [
    "Writing objects:  45% (9/20), 1.20 MiB | 3.00 MiB/s\nReceiving objects: 100% (3/3), done.\n",
    "A. Author <a@example.com> 1700000000 +0000\nUnpacking objects:   1% (1/100)\n",
    "!\trefs/a:refs/b\t[remote rejected] (pre-receive hook declined)\nerror: failed to push some refs\nremote: fatal: no\n",
    "git version 2.47.3\nfatal: couldn't find remote ref refs/sverklo/v1/index\n",
];

const IDENTIFIERS: [&str; 8] = [
    "src/lib.rs::Cart.add#method~2",
    "docs/a.md::Title of it#section",
    "Router::use->of#it",
    "#private",
    "0123456789abcdef0123456789abcdef01234567",
    "2025-11-24T12:35:00-03:30",
    "refs/sverklo/v1",
    "1.year.6.months",
];

const MCP: [&str; 5] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"where","limit":"5","budget":2000.0,"scope":["src/**"],"at":"HEAD~3"}}}"#,
    r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"symbol","arguments":{"path":"src/lib.rs","name":"Cart.add","lang":"rust"},"_meta":{"progressToken":7}}}"#,
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"0"}}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"late"}}"#,
    r#"{"query":"a","name":"b","text":"c","kind":"decision","targets":["src/a.rs"],"depth":4,"tests":true,"mode":"regex","supersedes":"1234567"}"#,
];

const MEMORIES: [&str; 6] = [
    "\0---\nstatus: accepted\n---\n# ADR-7: Use SQLite\n\n## Status\n\nAccepted\n\n## Context\n\nWe need one.\n\n## Decision\n\nWe use it.\n\n### Consequences\n\nGood.\n",
    "\0# 1. Record decisions\n\nDate: 2020-01-01\nStatus: superseded by 2\n\nDecision\n--------\n\nNo.\n",
    "\x01# Rules\n\n## Error handling\n\n- Never unwrap outside of tests\n  - not even once\n* keep functions short please\n1. one two three\n\n```\n- no item\n```\n> - quoted item of list\n",
    "\x02{\"op\":\"remember\",\"id\":1,\"content\":\"retry in the client\",\"category\":\"decision\",\"tags\":[\"net io\"],\"git_sha\":\"abc123\",\"related_files\":[\"src/a.ts\"],\"tier\":\"core\",\"ts\":\"x\"}\n{\"op\":\"promote\",\"id\":1,\"new_tier\":\"core\"}\n{\"op\":\"forget\",\"id\":2}\n",
    "\x03{\"memories\":[{\"kind\":\"rule\",\"text\":\"a rule\",\"pin\":\"abc\",\"state\":\"holds\",\"core\":true,\"targets\":[\"a\"],\"tags\":[\"b c\"]},{\"kind\":\"?\",\"text\":\"c\"}]}",
    "\x01- a [link](x) and `code` in *an item*\n\n  with a paragraph\n\n  ~~~\n  fence\n  ~~~\n- [ ] a task to do\n\n<div>\n- html is here\n</div>\n\n| a | b |\n|---|---|\n",
];

const MESSAGES: [&str; 3] = [
    "fix: the parser reads empty lines\n\nThey were lost since `parseLines` trims.\n\nSigned-off-by: A <a@b>\n",
    "Merge branch 'a'\n\n# Conflicts:\n#\ta.rs\n",
    "HTTPServer2 \u{e9}tat na\u{ef}ve \u{4f60}\u{597d} snake_case-kebab\n\n\n\n    indented\n",
];

const ANSWERS: [&str; 4] = [
    r#"{"model":"m","embeddings":[[0.1,-0.25,3e-2],[1,0,0]],"total_duration":1}"#,
    r#"{"object":"list","data":[{"index":1,"embedding":[0.5,0.5]},{"index":0,"embedding":[1e30,-1]}],"usage":{}}"#,
    r#"{"error":{"message":"no such model","type":"x"}}"#,
    r#"{"error":"too long\nby far"}"#,
];

const PATTERNS: [&str; 5] = [
    r"fn\s+(\w+)\(",
    r"(?i)^\s*TODO[:(]",
    r"[a-z&&[^aeiou]]{2,5}|\p{Greek}+?",
    r"(?P<a>x*){3,}\bclass\b.*$",
    "compare and swap",
];

const QUESTIONS: [&str; 3] = [
    "where is the \"compare and swap\" of parseRequest done?",
    "Traceback (most recent call last):\n  File \"/app/shop/cart.py\", line 12, in add\n    raise ValueError\n  at Cart.add (C:\\w\\web\\cart.ts:10:5)\nsrc/main.rs:3:9: error\n",
    "lru_cache HTTPServer2 \u{fc}ber \u{4f60}\u{597d} utf8 max-len a.b.c",
];

const SHOWN: [&str; 3] = [
    "plain\ttext\r\nof two lines",
    "\x1b]0;title\x07\x1b[31mred\u{9b}2J\u{202e}abc\u{2066}\u{200b}\u{7f}",
    "[at 1234567890; index a3714473fe | shown 1 of 1]\n\u{2028}\u{feff}x",
];

const VOCABULARIES: [&str; 2] = [
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\nread\nfile\n##s\n##name\n\u{4f60}\n.\n",
    r###"{"version":"1.0","truncation":null,"added_tokens":[],"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}}]},"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"read":3,"##s":4,"caf":5}}}"###,
];
