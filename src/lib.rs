//! A code index for coding agents, kept inside the repository's own object store.
//!
//! # What it is
//!
//! An agent asks where a name is defined, who uses it, which code is about a topic. Tools that
//! answer such questions keep a private database for each checkout: stale after a branch switch,
//! built again for each work tree, impossible to share, blind to history. git has solved these
//! problems for the code itself, so the index is kept where the code is kept.
//!
//! The unit is the *document*: what extraction says of one blob read with one grammar: its
//! symbols, every occurrence of an identifier, imports, entry points, chunks and terms ([`record`]).
//! It depends on nothing but the blob's bytes, the grammar and what reads that language, which has a
//! fingerprint of its own ([`extract::fingerprint`]): two builds that read Go differently still share
//! all documents that are not Go. Documents
//! are packed into *segments*, immutable files that are read in place ([`segment`]), and a segment
//! is stored as a blob of the repository under its own object id. The tip of
//! `refs/sverklo/v1/index` is a commit without parents, with a fixed author, date and message ([`store`]).
//! Its tree lists segments, what commits say ([`history`]), recorded coverage ([`store::trace`]), what
//! compilers say ([`store::facts`]) and, where there are any, vectors ([`vector`]). Equal content is an equal id on every machine, so sharing
//! deduplicates itself and merging two indexes is set union: commutative, idempotent, without
//! conflicts.
//!
//! No document knows a path or a commit. git's trees already say which blob is at which path,
//! so a question about any revision is answered by joining that revision's tree with the documents
//! of its blobs ([`view`]). `HEAD`, the dirty work tree and a commit from five years ago differ
//! only in the view, and blobs they have in common were read once. What depends on a tree (paths,
//! statistics, ranks) is computed from the view's live documents only, so an answer at an old
//! commit equals that of a fresh index of a clean checkout of it, whatever else the index holds.
//!
//! # Where to start reading
//!
//! Data flows one way: an arrow leads from a layer to those that may use it, `tests/tidy.rs` enforces
//! them, and in the first line each layer may use several to its left.
//!
//! ```text
//! git -> extract -> segment -> store -> view -> graph -> query -> render -> mcp | cli
//!                                                           \-> upkeep -> render
//! syntax, modules -> lang -> extract, store, view, graph, query, mcp, cli
//! git, extract, segment -> history -> store, query
//! extract, segment -> vector -> store, query, upkeep
//! git -> models -> query, upkeep
//! git -> memory -> query, upkeep
//! git -> clean -> query, upkeep, render, mcp, cli
//! secrets -> extract, view, history, memory, upkeep
//! trace -> store, query, upkeep, render, cli
//! scip -> store, upkeep
//! home -> cache -> git, store, view, graph, memory
//! home -> models
//! ```
//!
//! | module | the question it answers |
//! | --- | --- |
//! | [`cache`] | what is kept beside the object store, and is it as this user left it? |
//! | [`git`] | what do the object store, the refs and the work tree hold? |
//! | [`secrets`] | what may be neither recorded nor shown? |
//! | [`clean`] | how is what others wrote made safe to show? |
//! | [`record`] | what is kept of a document? |
//! | `syntax` | how is a tree walked, whatever language it is of? |
//! | [`modules`] | what does a language see of a tree to find what an import names? |
//! | [`lang`] | what is a language: its names, its rows, its imports, its habits? |
//! | [`extract`] | what is in these bytes? |
//! | [`trace`] | what does a report of a coverage tool say ran? |
//! | [`scip`] | what does a compiler's indexer say names what? |
//! | [`segment`] | how do documents lie on disk, and what can be looked up in them? |
//! | [`vector`] | what is a chunk about, as a point in space? |
//! | [`store`] | which segments does the index have, and how does it get more? |
//! | [`view`] | which documents are live in this tree, and at which paths? |
//! | [`graph`] | which definition does a name mean, and who uses what? |
//! | [`history`] | what do commits say, and which files did they touch? |
//! | [`memory`] | what do people remember, where does it hold, when was it known? |
//! | [`models`] | which model of the user's own turns text into vectors? |
//! | [`query`] | what is the answer? |
//! | [`upkeep`] | how does the index stay warm, shared, small and sound? |
//! | [`render`] | how is it said within so many tokens? |
//! | [`mcp`], [`cli`] | who is asking? |
//!
//! Everybody may use [`record`], [`id`] and [`limits`], and three that know nothing of all this: `words`
//! (lists written as one text), `labels` (enums whose values go by words) and `usual` (structs of which a value
//! names only what is unusual).
//!
//! A language is one folder of [`lang`] and a line of its table. Whoever has to know what a language is
//! like asks its row ([`lang::Language`]), and names none: the driver in [`extract`] lies above it, what its
//! rows steer lies below it (`syntax`), and [`graph`] hands it a tree as paths and records ([`modules`]), so
//! that it knows neither views nor segments.
//!
//! To follow one question from end to end, start where it comes in (`cli/refs.rs`, or `refs` in `mcp/tools.rs`):
//! both make a [`query::request`], which is a [`query::question::Question`], and hand it to
//! [`query::engine::Engine::ask`]. That pins a view ([`query::engine::Engine::pin`]) and lets the request answer
//! from it; [`render::Budgeted`] lays the answer out. `CONTRIBUTING.md` lists the files on this way.
//!
//! A server ([`query::engine::Engine::serving`]) is asked again and again, so it listens to changes of the work tree
//! instead of looking at all of it ([`git::worktree::Watch`]), and where much of the index is missing it makes that behind
//! the questions, which are answered from the few files that hold what they name (`query/engine/first.rs`).
//!
//! # What holds everywhere
//!
//! * extract never sees a path; segment never sees a commit; store sees trees of code as [`history`]
//!   describes commits and no other way; only [`view`] joins blobs to paths; only [`git`] starts processes; only [`mcp`] and [`cli`] print.
//! * The index is derived: delete its ref and it comes back with the same object id, but for
//!   recorded coverage ([`store::trace`]), which is a hint that nothing depends on, and for what compilers
//!   said ([`store::facts`]), which ties names that stand in the files to each other and to nothing else. Memories are authored:
//!   nothing drops or overwrites them, and a log of them that cannot be read is an error ([`memory`]). Anything unreadable in
//!   it is one warning, and its documents are extracted again.
//! * Bytes under a ref, and the repository itself, may be hostile: they are parsed before they are
//!   accessed, bounded by [`limits`], and never make the program panic.
//! * Nesting in them is read without recursion, by a list of what is open, or with a count of the depth
//!   (`tests/tidy/calls` looks).
//! * What looks like a secret ([`secrets`]) is masked before bytes are read, for recording, searching and
//!   quoting alike.
//! * A document says which routes, commands and jobs stand in it, as ranges and places ([`record::Entry`]); their whole
//!   paths follow from the tree, and are put together when somebody asks ([`query::entry_points`]).
//! * Text shown to anyone is cut from a git blob or a work-tree file when the answer is made, and names
//!   are looked for there ([`view::written`]). A lying segment can point at the wrong lines; it cannot put
//!   words into a file, nor into an answer.
//! * Readers never wait. Writers put objects in place durably, then move the ref by compare and
//!   swap, and on a lost race unite and try again.
//! * git is left alone: `HEAD`, the git index, the work tree and refspecs are never written. Only `init`
//!   writes hooks and the files of agents: it names them, and can undo it.
//! * Nothing leaves the repository but by a push that somebody asked for, and then only what is recorded
//!   of content that the remote's branches and tags reach; or to be embedded by a server that somebody
//!   configured ([`models::endpoint`]).
//!
//! The bytes are specified in `format-spec/`, which is enough for a second implementation.
#![deny(missing_docs, unsafe_code)]
// No input may end the process, only `cli` prints, and what is not used is deleted. Tests may do as
// they like (`.clippy.toml`).
#![deny(
    clippy::unwrap_used,
    clippy::panic,
    clippy::todo,
    clippy::unimplemented,
    clippy::dbg_macro,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason
)]

#[macro_use]
mod labels;
#[macro_use]
mod usual;
#[macro_use]
mod words;

pub mod cache;
pub mod clean;
pub mod cli;
pub mod extract;
#[doc(hidden)]
pub mod fuzzing;
pub mod git;
#[cfg(test)]
mod golden;
pub mod graph;
pub mod history;
pub mod home;
pub mod id;
pub mod lang;
pub mod limits;
pub mod mcp;
pub mod memory;
pub mod models;
pub mod modules;
pub mod query;
pub mod record;
pub mod render;
pub mod scip;
pub mod secrets;
pub mod segment;
pub mod store;
mod syntax;
pub mod trace;
pub mod upkeep;
pub mod vector;
pub mod view;
