//! Every bound on untrusted input, one documented constant each.
//!
//! `format-spec/50-limits.md` repeats this table; a tidy test keeps the two equal.

/// Largest blob that is parsed with a grammar, in bytes; larger ones get a skip record.
pub const MAX_PARSED_BYTES: usize = 1 << 20;
/// Largest blob without a grammar whose words are indexed, in bytes.
pub const MAX_TEXT_BYTES: usize = 256 << 10;
/// Deepest syntax nesting that is followed; a deeper tree gets a skip record. A long chain of
/// operators, or of macros the C grammar cannot see through, is one level a link.
pub const MAX_NESTING: usize = 2048;
/// Most symbols that one symbol may lie in; a document with a deeper one gets a skip record.
pub const MAX_SYMBOL_NESTING: usize = 128;
/// Bytes of import specifiers that a byte of source grants; one with more gets a skip record.
pub const MAX_IMPORT_BYTES_PER_BYTE: usize = 16;
/// Longest identifier that is recorded, in bytes; longer ones are dropped.
pub const MAX_NAME_BYTES: usize = 255;
/// Longest term that is recorded, in bytes.
pub const MAX_TERM_BYTES: usize = 40;
/// Longest import specifier that is recorded, in bytes.
pub const MAX_SPECIFIER_BYTES: usize = 1024;
/// Most symbols recorded of one document.
pub const MAX_SYMBOLS_PER_DOC: usize = 1 << 16;
/// Most occurrences recorded of one document.
pub const MAX_OCCURRENCES_PER_DOC: usize = 1 << 19;
/// Most runs of lines of one document that are recorded as not understood; the nearest are one then.
pub const MAX_GAPS_PER_DOC: usize = 64;
/// Most entry points that are recorded of one document; the rest is left out.
pub const MAX_ENTRIES_PER_DOC: usize = 4096;
/// Most parts of the path of one of them; a longer path is taken for one that is computed.
pub const MAX_ENTRY_PARTS: usize = 16;
/// Source bytes after which a segment under construction is cut in two (see `store::partition`).
pub const SEGMENT_SOURCE_BYTES: u64 = 16 << 20;
/// Largest segment that is accepted, in bytes; hosts refuse objects over 100 MB.
pub const MAX_SEGMENT_BYTES: usize = 48 << 20;
/// Most documents that are taken of one fetched index.
pub const MAX_FETCHED_DOCS: usize = 4 << 20;
/// Most segments one index tip may name.
pub const MAX_SEGMENTS: usize = 4096;
/// Most documents one segment may hold.
pub const MAX_DOCS_PER_SEGMENT: usize = 4 << 20;
/// Longest path of a tree entry that is listed, in bytes.
pub const MAX_PATH_BYTES: usize = 4096;
/// Deepest nesting of trees that is followed.
pub const MAX_TREE_DEPTH: usize = 1024;
/// Most entries one tree may list, subtrees included; a few kilobytes of nested trees can name billions.
pub const MAX_TREE_ENTRIES: usize = 4 << 20;
/// Most bytes of uncommitted files that are held in memory at once.
pub const MAX_DIRTY_BYTES: usize = 256 << 20;
/// Most uncommitted files that are looked at.
pub const MAX_DIRTY_FILES: usize = 1 << 16;
/// Most segments an index remembers not to take back (see `store::ledger`); the oldest are dropped.
pub const MAX_TOMBSTONES: usize = 4096;
/// Most extractors of which an index remembers when they were used; the oldest are dropped.
pub const MAX_USES: usize = 4096;
/// Most blobs an index may be told never to record.
pub const MAX_DENIED: usize = 1 << 16;
/// Most pieces that the traces of an index may have (see `store::trace`).
pub const MAX_TRACES: usize = 1024;
/// Bytes after which a piece of traces is cut in two, unless it is about one blob.
pub const TRACE_BYTES: usize = 256 << 10;
/// Largest piece of traces that is accepted, in bytes. A blob of `MAX_PARSED_BYTES` lines needs less.
pub const MAX_TRACE_BYTES: usize = 4 << 20;
/// Most bytes of traces that are read of one index.
pub const MAX_TRACES_BYTES: usize = 256 << 20;
/// Most pieces that the compilers' facts of an index may have (see `store::facts`).
pub const MAX_FACTS: usize = 1024;
/// Bytes after which a piece of compilers' facts is cut in two, unless it is about one blob.
pub const FACTS_BYTES: usize = 512 << 10;
/// Largest piece of compilers' facts that is accepted, in bytes.
pub const MAX_FACT_BYTES: usize = 16 << 20;
/// Most bytes of compilers' facts that are read of one index.
pub const MAX_FACTS_BYTES: usize = 256 << 20;
/// Most places of one blob that are recorded as defining a symbol of a compiler's index, and as using one.
pub const MAX_FACTS_PER_BLOB: usize = 1 << 16;
/// Most bytes of such symbols that are held at once; blobs beyond are as if nobody had asked a compiler.
pub const MAX_SYMBOLS_BYTES: usize = 512 << 20;
/// Longest symbol of a compiler's index that is recorded, in bytes, without its version.
pub const MAX_SYMBOL_BYTES: usize = 1024;
/// Largest block of vectors that is made or accepted, in bytes; hosts refuse objects over 100 MB.
pub const MAX_VECTORS_BYTES: usize = 96 << 20;
/// Most models whose vectors one index may name; one question is answered with one or two.
pub const MAX_VECTOR_MODELS: usize = 8;
/// Most pieces that the history log of an index may have (see `store::log`).
pub const MAX_LOG_PIECES: usize = 1024;
/// Most bytes of the history log that are read of one index. Its largest piece is as large as a segment
/// may be.
pub const MAX_LOG_BYTES: usize = 256 << 20;
/// Longest question in words (`search`, `map` of a task, `recall`), in bytes.
pub const MAX_QUESTION_BYTES: usize = 16 << 10;
/// Longest other argument of a question (a target, a glob, a revision), in bytes: a path and a name.
pub const MAX_ARGUMENT_BYTES: usize = 8 << 10;
/// Longest text that is searched for citations (`verify`), in bytes.
pub const MAX_CITED_BYTES: usize = 4 << 20;
/// Most citations of one question.
pub const MAX_CITATIONS: usize = 10_000;
/// Most entries of one list that a question brings.
pub const MAX_ARGUMENTS: usize = 256;
/// Longest message a client may send to the server, in bytes; a longer one is refused, and dropped as it comes.
pub const MAX_MESSAGE_BYTES: usize = 16 << 20;
/// Most values one such message may hold, counted by the signs before them; one with more is not read.
pub const MAX_MESSAGE_VALUES: usize = 1 << 18;
/// Longest text of a memory, in bytes.
pub const MAX_MEMORY_TEXT: usize = 8 << 10;
/// Largest event of the memory log, in bytes: its text and what it is about.
pub const MAX_MEMORY_EVENT: usize = 64 << 10;
/// Most events of one memory log.
pub const MAX_MEMORY_EVENTS: usize = 1 << 18;
/// Most targets, tags, and names of other events, that one event may have of each.
pub const MAX_MEMORY_LINES: usize = 256;
