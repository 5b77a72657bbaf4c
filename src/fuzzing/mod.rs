//! The door for those who feed the readers bytes that mean harm: the fuzzers of `tests/fuzz`, and the test
//! of the ordinary suite that reads what they found again.
//!
//! One function for each reader of bytes that somebody else may have written, all of one shape: bytes in,
//! whether they were taken out. It must return, whatever the bytes: no panic, no overflow of the stack, and
//! time and memory as the bounds of [`crate::limits`] have it. Where the bytes are taken, it asserts what
//! the reader promises of them (what was written is read back, what verifies is canonical); a promise that
//! does not hold is a panic, which is how a fuzzer learns of it.
//!
//! Checksums, versions and lengths in the headers are put right first, as somebody who means harm would
//! do. So a changed byte gets past them, and seeds stay good when a version rises.
//!
//! Not a part of the interface of this library.

mod ground;
mod seals;

use crate::cache::Kept;
use crate::clean;
use crate::extract::record::Grammar;
use crate::git::config::Version;
use crate::git::refs::RefNames;
use crate::git::tree::{EntryMode, TreeEntry};
use crate::git::{Refusal, RepoPath, identity, transport};
use crate::graph::build;
use crate::graph::saved as graphs;
use crate::history::message;
use crate::history::piece::Piece;
use crate::id::{BlobId, CommitId, EventId};
use crate::mcp::tools::{self, TOOLS};
use crate::memory::fold::Fold;
use crate::memory::import::{adr, journal, own, rules};
use crate::memory::ladder::{Absence, Answer, Reason, Repins, Rung};
use crate::memory::log::{Log, Stored};
use crate::memory::{cache as memories, text as event};
use crate::models::choice::Settings;
use crate::models::endpoint::{self, Dialect};
use crate::models::{self, wordpiece::WordPiece};
use crate::query::grep;
use crate::query::ids::ParsedId;
use crate::query::request::Mode;
use crate::query::search::{frame, query::QueryTerms};
use crate::query::target::{self, split_qualified};
use crate::scip;
use crate::segment::{self, Segment};
use crate::store::facts::{self, CompilerFacts};
use crate::store::{manifest, trace as traces};
use crate::trace::paths::Places;
use crate::trace::{self as coverage, Format};
use crate::upkeep::{agents, retention::Retention};
use crate::vector::block::Block;
use crate::vector::scan::Query;
use crate::view;
use crate::{extract, lang};
use gix::hash::Kind;
use rmcp::RoleServer;
use rmcp::model::{ClientRequest, JsonRpcMessage};
use rmcp::service::RxJsonRpcMessage;
use std::path::Path;
use std::sync::Arc;

/// A reader, as a fuzzer knows it.
pub struct Target {
    /// The name of the fuzzer, of the folder of its seeds and of that of what it found.
    pub name: &'static str,
    /// Feeds it bytes; says whether it took them for what it reads.
    pub read: fn(&[u8]) -> bool,
}

const fn target(name: &'static str, read: fn(&[u8]) -> bool) -> Target {
    Target { name, read }
}

/// Every reader.
pub const TARGETS: [Target; 27] = [
    target("agent_file", agent_file),
    target("configuration", configuration),
    target("coverage", coverage_report),
    target("facts", told),
    target("git_config", git_config),
    target("git_words", git_words),
    target("graph_cache", graph_cache),
    target("identifier", identifier),
    target("log", log),
    target("manifest", tip),
    target("mcp", mcp_line),
    target("memory_cache", memory_cache),
    target("memory_event", memory_event),
    target("memory_import", memory_import),
    target("memory_log", memory_log),
    target("message", commit_message),
    target("model_answer", model_answer),
    target("pattern", pattern),
    target("question", question),
    target("scip", scip_index),
    target("segment", read_segment),
    target("shown", shown),
    target("source", source),
    target("trace", trace),
    target("vectors", vectors),
    target("view_cache", view_cache),
    target("vocabulary", vocabulary),
];

/// Finds a reader by its name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// The first byte, which chooses, and the rest.
fn chosen<'a, T: Copy>(bytes: &'a [u8], among: &[T]) -> Option<(T, &'a [u8])> {
    let (first, rest) = bytes.split_first()?;
    let at = usize::from(*first) % among.len().max(1);
    Some((*among.get(at)?, rest))
}

/// Parts of the input, with a NUL byte between two.
fn parts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|b| *b == 0)
}

/// A segment: opened, walked, verified, taken apart and merged.
fn read_segment(bytes: &[u8]) -> bool {
    let _ = Segment::open(bytes.to_vec());
    let Ok(segment) = Segment::open(seals::segment(bytes)) else {
        return false;
    };
    segment::walk_all(&segment);
    if segment.verify().is_err() {
        return false;
    }
    for doc in segment.doc_ids() {
        let key = segment.row_key(doc);
        assert_eq!(segment.find_row(&key), Some(doc), "a key finds its row");
    }
    let mut names = segment.all_names();
    while let Some((name, bytes)) = names.advance() {
        let found = segment.name_id(bytes).map(|found| found.0);
        assert_eq!(found, Some(name), "a name finds its number");
    }
    // What others have sent goes into what this program writes next.
    let merged = segment::merge(segment.hash_kind(), &[&segment, &segment], |_| true);
    let merged = merged.expect("a segment that verifies can be merged");
    assert!(
        merged == segment.bytes(),
        "united with itself it is the same"
    );
    true
}

/// A piece of the history log.
fn log(bytes: &[u8]) -> bool {
    let _ = Piece::open(bytes.to_vec(), Kind::Sha1);
    let Ok(piece) = Piece::open(seals::log(bytes), Kind::Sha1) else {
        return false;
    };
    for at in (0..piece.len() as u32).chain([u32::MAX]) {
        if let Some(id) = piece.id(at) {
            let _ = piece.find(id);
        }
        let _ = (piece.date(at), piece.length(at), piece.changed(at));
        let _ = (piece.weight(at), piece.parent_ids(at));
        let _ = piece
            .touched(at)
            .map(|place| piece.path(place).len())
            .sum::<usize>();
        let _ = (piece.gone(at).count(), piece.renames(at).count());
    }
    let _ = piece.find_path(b"src/a.rs");
    let _ = (piece.movers().count(), piece.holders(b"fix").count());
    let _ = piece.all_about().map(Iterator::count).sum::<usize>();
    piece.verify().is_ok()
}

/// A piece of traces.
fn trace(bytes: &[u8]) -> bool {
    let Ok(observed) = traces::decode(Kind::Sha1, bytes) else {
        return false;
    };
    assert!(
        traces::encode(Kind::Sha1, &observed) == bytes,
        "one spelling"
    );
    true
}

/// A piece of what compilers said.
fn told(bytes: &[u8]) -> bool {
    let Ok(known) = facts::decode(Kind::Sha1, bytes) else {
        return false;
    };
    assert!(facts::encode(Kind::Sha1, &known) == bytes, "one spelling");
    for one in known.values() {
        assert!(one.united(one) == *one, "united with itself it is the same");
    }
    let facts = CompilerFacts::of(known);
    build::build_from((ground::view(), &facts), None, 1, &mut |_| None);
    true
}

/// An index of a compiler.
fn scip_index(bytes: &[u8]) -> bool {
    let Ok(index) = scip::Index::open(bytes) else {
        return false;
    };
    let mut is_whole = true;
    for document in index.documents() {
        let Ok(document) = document else {
            is_whole = false;
            continue;
        };
        for found in document.occurrences {
            let Some(parsed) = scip::symbol::parse(&found.symbol) else {
                continue;
            };
            let symbol = parsed.symbol;
            assert!(symbol.text().contains(symbol.name()), "its name is in it");
            let stored = scip::symbol::Symbol::stored(symbol.text());
            assert!(
                stored.as_ref() == Some(&symbol),
                "what is kept is read back"
            );
        }
    }
    is_whole
}

/// A block of vectors of a segment.
fn vectors(bytes: &[u8]) -> bool {
    let segment = ground::segment();
    let _ = Block::open_any(bytes.to_vec(), segment);
    let Ok(block) = Block::open_any(seals::vectors(bytes, segment), segment) else {
        return false;
    };
    let mut near = 0;
    let question = vec![1; block.dims];
    Query::new(&question, block.dims as u32).scan(
        &block,
        0..u32::MAX,
        0.0,
        &mut Query::room(),
        &mut |_, cosine| {
            near += 1;
            cosine
        },
    );
    let _ = (block.row(u32::MAX), block.products(0..u32::MAX).count());
    assert!(near <= block.rows);
    block.verify().is_ok()
}

/// What a tip names: each entry of its tree on a line, `id path`, after its texts.
fn tip(bytes: &[u8]) -> bool {
    let mut texts = parts(bytes);
    let entries = texts.next().unwrap_or_default();
    let texts: Vec<&[u8]> = texts.collect();
    let entries: Vec<TreeEntry> = entries.split(|b| *b == b'\n').filter_map(entry).collect();
    let null = gix::ObjectId::null(Kind::Sha1);
    let mut texts = texts.into_iter();
    let format = manifest::format_text(Kind::Sha1);
    let mut text = |_, limit| {
        let next: &[u8] = texts.next().unwrap_or_default();
        let format = if next.is_empty() {
            format.as_bytes()
        } else {
            next
        };
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(if format.len() <= most {
            format.to_vec()
        } else {
            Vec::new()
        })
    };
    let read = manifest::of(CommitId::new(null), &entries, Kind::Sha1, &mut text);
    let read = read.expect("every text can be read");
    assert!(read.warnings.len() <= entries.len() + 8 && read.segments.is_sorted());
    assert!(read.segments.len() <= crate::limits::MAX_SEGMENTS);
    !read.segments.is_empty()
}

/// `id path` of a file.
fn entry(line: &[u8]) -> Option<TreeEntry> {
    let (id, path) = line.split_at_checked(40)?;
    Some(TreeEntry {
        path: RepoPath::new(path.strip_prefix(b" ")?).ok()?,
        mode: EntryMode::File,
        id: BlobId::from_hex(id)?,
    })
}

/// An event of the memory log, and what stays of one.
fn memory_event(bytes: &[u8]) -> bool {
    let mut taken = false;
    for hash in [Kind::Sha1, Kind::Sha256] {
        let _ = event::read(bytes, hash);
        if let Ok(found) = event::decode(bytes, hash) {
            assert!(event::encode(&found).as_bytes() == bytes, "one spelling");
            taken = true;
        }
        if let Ok(found) = event::decode_stub(bytes, hash) {
            assert!(
                event::encode_stub(&found).as_bytes() == bytes,
                "one spelling"
            );
            taken = true;
        }
    }
    taken
}

/// Two logs of events, their union, and what they say of a commit.
fn memory_log(bytes: &[u8]) -> bool {
    let mut ours = Log::default();
    let mut theirs = Log::default();
    for (at, text) in parts(bytes).take(64).enumerate() {
        let log = if at % 2 == 0 { &mut ours } else { &mut theirs };
        let Some(id) = ground::event_id(text) else {
            continue;
        };
        match event::decode(text, Kind::Sha1) {
            Ok(found) => log.events.push((id, Stored::Event(Box::new(found)))),
            Err(event::Error::Newer(version)) => log.events.push((id, Stored::Newer(version))),
            Err(event::Error::Malformed(_)) => {
                if let Ok(stub) = event::decode_stub(text, Kind::Sha1) {
                    log.stubs.insert(id, (BlobId::new(id.as_object()), stub));
                }
            }
        }
    }
    for log in [&mut ours, &mut theirs] {
        log.events.sort_by_key(|(id, _)| *id);
        log.events.dedup_by_key(|(id, _)| *id);
    }
    let united = crate::memory::union::changes(&ours, &theirs);
    assert!(united.came.len() <= theirs.events.len());
    let fold = Fold::of(&ours);
    let answers = [
        Answer::Yes(Rung::Ancestor),
        Answer::No(Absence::Later),
        Answer::Unknown(Reason::Lost),
    ];
    let lie = |at: usize| usize::from(*bytes.get(at).unwrap_or(&0)) % answers.len();
    let said: Vec<Answer> = (0..fold.nodes().len())
        .map(|at| answers[lie(at)].clone())
        .collect();
    assert_eq!(fold.questions().len(), said.len());
    let facts = fold.at(&said);
    let repins = Repins::of(&ours);
    for (_, event) in ours.readable() {
        let commits = event.pin().map(|pin| repins.carriers(pin.commit).len());
        assert_ne!(commits, Some(0), "a commit stands for itself");
    }
    !facts.is_empty()
}

/// What is kept of the memory log beside the repository.
fn memory_cache(bytes: &[u8]) -> bool {
    let kept = Kept::new(Path::new("/nonexistent"));
    let cache = memories::Cache::of(kept, bytes.to_vec(), Kind::Sha1);
    let read = cache.read_all(&cache.listing().events);
    assert_eq!(read.len(), cache.len());
    cache.tree.is_some()
}

/// A saved graph, and the graph that is made from it.
fn graph_cache(bytes: &[u8]) -> bool {
    let Some(made) = graphs::decode(Arc::new(bytes.to_vec())) else {
        return false;
    };
    ground::walk(&made.graph);
    let (again, _) = build::build_from(
        (ground::view(), &CompilerFacts::default()),
        Some((&made, None)),
        1,
        &mut |_| None,
    );
    ground::walk(&again.graph);
    true
}

/// A saved view.
fn view_cache(bytes: &[u8]) -> bool {
    let segments = [Arc::new(ground::segment().clone())];
    let Some((files, _)) = view::cache::decode(bytes, &segments) else {
        return false;
    };
    let view = view::live::View::join(files, &segments, 0);
    let _ = (view.statistics(), view.file_at(b"src/a.rs"));
    true
}

/// A file of git's configuration that means us.
fn git_config(bytes: &[u8]) -> bool {
    let meta = gix::config::file::Metadata::from(gix::config::Source::Local);
    let options = gix::config::file::init::Options::default();
    let Ok(file) = gix::config::File::from_bytes_no_includes(bytes, meta, options) else {
        return false;
    };
    let text = |key: &str| file.string(key).map(|value| value.to_string());
    for key in ["sverklo.hooks", "sverklo.storeVectors", "core.commitGraph"] {
        let _ = file.boolean(key);
    }
    for key in ["sverklo.gate.maxFanIn", "sverklo.pushLimit"] {
        let _ = file.integer(key);
    }
    if let Some(prefix) = text("sverklo.refPrefix") {
        let _ = RefNames::with_prefix(&prefix);
    }
    if let Some(span) = text("sverklo.retain") {
        let _ = Retention::parse(&span);
    }
    let settings = Settings {
        configured: &|key| text(key.name()),
        variable: &|_| None,
        base: Some(Path::new("/nonexistent")),
    };
    let _ = settings.choice();
    text("sverklo.model").is_some()
}

/// What git, and a remote through it, says on its standard outputs.
fn git_words(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let _ = Version::parse(&text);
    let steps = text.lines().filter_map(transport::progress).count();
    let _ = text.lines().filter_map(identity::parse).count();
    let _ = Refusal::read(bytes, &text).to_string();
    steps > 0
}

/// A report of a coverage tool. The first byte says as which it is read.
fn coverage_report(bytes: &[u8]) -> bool {
    let formats = Format::ALL.map(Some);
    let Some((format, report)) = chosen(bytes, &[&formats[..], &[None]].concat()) else {
        return false;
    };
    let Ok(report) = coverage::read(report, format) else {
        return false;
    };
    let tree = ["src/a.rs", "lib/index.js", "pkg/cart/cart.go", "index.js"];
    let places = Places::new(tree.map(str::as_bytes).to_vec())
        .top("/work/project")
        .here("lib")
        .strip(["/build"])
        .module("example.org/shop", "pkg");
    let paths: Vec<&str> = report.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(places.find(&paths).len(), paths.len());
    for (_, lines) in &report.files {
        assert!(
            lines.executable().covers(lines.executed()),
            "what ran was watched"
        );
        let _ = lines.within(1, u32::MAX);
    }
    !report.files.is_empty()
}

/// What others have written of what they know. The first byte says as what it is read.
fn memory_import(bytes: &[u8]) -> bool {
    let Some((kind, text)) = chosen(bytes, &[0, 1, 2, 3]) else {
        return false;
    };
    let text = String::from_utf8_lossy(text);
    let found = match kind {
        0 => adr::record("docs/adr/0001-a.md", &text),
        1 => rules::rules(&text),
        2 => journal::journal(&text),
        _ => own::export(&text),
    };
    for draft in &found.drafts {
        assert!(draft.text.len() <= crate::limits::MAX_MEMORY_TEXT && !draft.text.is_empty());
        assert!(
            !draft.text.chars().any(event::is_forbidden),
            "what no memory may hold"
        );
    }
    !found.drafts.is_empty()
}

/// The vocabulary of a model, and a text cut by it.
fn vocabulary(bytes: &[u8]) -> bool {
    let found = match bytes.starts_with(b"{") {
        true => WordPiece::from_json(bytes),
        false => WordPiece::from_vocabulary(&String::from_utf8_lossy(bytes), true),
    };
    let Ok(found) = found else {
        return false;
    };
    let text = String::from_utf8_lossy(bytes);
    assert!(found.encode(&text, 64).len() <= 64);
    found.size() > 0
}

/// What a server of models answers.
fn model_answer(bytes: &[u8]) -> bool {
    assert!(
        endpoint::refused(500, bytes).chars().count() < 400,
        "it is cut"
    );
    let mut taken = false;
    for dialect in [Dialect::Ollama, Dialect::OpenAi] {
        for vector in dialect
            .vectors(bytes)
            .into_iter()
            .flatten()
            .filter_map(models::unit)
        {
            assert!(
                models::quantise(&vector).iter().any(|c| *c != 0),
                "it points somewhere"
            );
            taken = true;
        }
    }
    taken
}

/// A file of an agent to which our server is added. The first byte chooses the agent.
fn agent_file(bytes: &[u8]) -> bool {
    let Some((agent, text)) = chosen(bytes, &agents::AGENTS.each_ref()) else {
        return false;
    };
    let ground = agents::Ground {
        top: Some("/work/project".into()),
        home: Some("/home/user".into()),
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    let _ = agent.listed_in(text, &ground);
    let Ok(Some(after)) = agent.with_us(text, &ground) else {
        return false;
    };
    let listed = agent.listed_in(&after, &ground);
    assert!(listed.is_some(), "what was added is found");
    let again = agent.with_us(&after, &ground);
    assert!(matches!(again, Ok(None)), "it is added once");
    true
}

/// A line that a client sends to the server.
fn mcp_line(bytes: &[u8]) -> bool {
    // The tools, as they read arguments.
    if let Ok(given) = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(bytes) {
        for tool in TOOLS {
            let _ = tool.read(given.clone());
        }
    }
    // The protocol, as the server reads a line of it.
    let Ok(message) = serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(bytes) else {
        return false;
    };
    let JsonRpcMessage::Request(request) = message else {
        return false;
    };
    let ClientRequest::CallToolRequest(call) = request.request else {
        return false;
    };
    let arguments = call.params.arguments.unwrap_or_default();
    tools::find(&call.params.name).is_some_and(|tool| tool.read(arguments).is_ok())
}

/// The bytes of a blob. The first byte chooses the grammar.
fn source(bytes: &[u8]) -> bool {
    let Some((any, blob)) = chosen(bytes, Grammar::ALL) else {
        return false;
    };
    let said = bytes.first().map(|code| Grammar::from_code(*code));
    let grammar = said
        .filter(|said| Grammar::ALL.contains(said))
        .unwrap_or(any);
    let _ = lang::by_file_name(blob);
    let record = extract::extract(blob, grammar);
    let taken = record.skip.is_none();
    let key = extract::record::DocKey {
        blob: BlobId::new(gix::ObjectId::null(Kind::Sha1)),
        grammar,
    };
    let bytes = segment::build(Kind::Sha1, vec![(key, record)]);
    let bytes = bytes.expect("what is extracted can be recorded");
    let segment = Segment::open(bytes).expect("what was written can be read");
    segment.verify().expect("what was written is canonical");
    taken
}

/// A file of configuration (`package.json`, `tsconfig.json`, `go.mod`, ...) of a repository. The first byte
/// chooses which; the others are sound.
fn configuration(bytes: &[u8]) -> bool {
    let Some((at, content)) = chosen(bytes, ground::CONFIGURATION) else {
        return false;
    };
    let view = ground::view();
    let mut asked = false;
    let made = build::build(view, 1, &mut |file| {
        let path = view.file(file).path.as_bytes();
        if path == at.0.as_bytes() {
            asked = true;
            return Some(content.to_vec());
        }
        let sound = ground::CONFIGURATION
            .iter()
            .find(|(known, _)| path == known.as_bytes());
        sound.map(|(_, text)| text.as_bytes().to_vec())
    });
    ground::walk(&made.graph);
    asked
}

/// A commit's message.
fn commit_message(bytes: &[u8]) -> bool {
    !message::terms(bytes).is_empty()
}

/// A question in words, or a pasted stack trace.
fn question(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let terms = QueryTerms::parse(&text);
    let _ = (terms.stems(), terms.names().count());
    let _ = frame::frames(&text);
    !terms.terms.is_empty()
}

/// What a name, a symbol id, a path, an object id, a language or a length of time is given as.
fn identifier(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let (containers, name) = split_qualified(&text);
    assert!(containers.iter().all(|part| !part.is_empty()) && name.len() <= text.len());
    let read = (target::Target::read(&text), target::split_revision(&text));
    assert!((read.0.lines).is_none_or(|of| 1 <= of.first && of.first <= of.last));
    let _ = lang::by_word(&text);
    let _ = (CommitId::from_hex(bytes), EventId::from_hex(bytes));
    let _ = crate::memory::date::Date::parse(&text);
    let _ = RefNames::with_prefix(&text);
    let _ = Retention::parse(&text);
    if let Ok(path) = RepoPath::new(bytes) {
        let top = Path::new("/work/project");
        assert!(
            path.under(top).is_none_or(|path| path.starts_with(top)),
            "it stays below"
        );
        let _ = (path.file_name(), path.extension(), path.parent());
        assert!(
            !path.to_string().contains(char::is_control),
            "shown in one line"
        );
    }
    ParsedId::parse(&text).is_some_and(|id| !id.name().is_empty())
}

/// An expression to search for.
fn pattern(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    for mode in [Mode::Text, Mode::Regex] {
        let _ = (
            grep::fragments(&text, mode),
            grep::matcher(&text, mode).is_ok(),
        );
    }
    grep::matcher(&text, Mode::Regex).is_ok()
}

/// Content of a repository that is shown.
fn shown(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let drives = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(!clean::text(&text).contains(drives));
    for line in [clean::line(&text, 160), clean::whole(&text)] {
        assert!(!line.contains(char::is_control), "one line");
    }
    let mut block = String::new();
    clean::block(&mut block, text.split('\n'));
    assert!(!block.contains(drives));
    assert!(
        block
            .lines()
            .all(|line| line.is_empty() || line.starts_with('\t'))
    );
    !text.is_empty()
}
