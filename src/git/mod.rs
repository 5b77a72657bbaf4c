//! The only code that knows git.
//!
//! Objects and trees are read in process through gix. Refs are compared and swapped, packs are
//! ingested and revisions are parsed by the `git` program, because it is the authority on them
//! and because gix reads and writes refs in places where git does not look when the repository
//! keeps them in a reftable.
//!
//! Guarantees: objects are durable, and held against `git gc`, before any ref names them; a ref moves only by compare and
//! swap; replace refs and grafts are ignored; nothing fetches but what says so; no hook, filter or monitor
//! that the repository configures is ever run; what its own configuration names is used with the user's
//! consent alone ([`consent`]); `HEAD`, the git index and the work tree are never
//! written. Malformed or hostile objects give errors, never panics.
//!
//! Deliberately absent: segments, documents, and any opinion on what the files mean.

pub mod arrivals;
pub mod commit;
pub mod config;
pub mod consent;
pub mod divergence;
pub mod error;
pub(crate) mod failpoint;
mod finished;
pub mod history;
pub mod identity;
pub mod interrupt;
mod kept_commits;
pub mod keys;
pub mod lineage;
pub mod mailmap;
pub mod merge;
pub mod objects;
mod obstacle;
pub(crate) mod open;
pub mod packs;
pub mod pager;
pub mod patch;
pub mod path;
pub mod probe;
mod program;
pub mod promisor;
mod quarantine;
pub mod quoting;
pub mod reflog;
pub mod refs;
pub mod refusal;
pub mod remote;
pub mod repo;
pub mod revisions;
pub mod rewritten;
mod scratch;
mod settings;
pub mod shell;
pub mod sign;
pub mod sparse;
pub mod tags;
pub mod transport;
pub mod tree;
pub mod tree_edit;
mod whereabouts;
pub mod worktree;
pub mod worktrees;
pub mod write;

pub use crate::cache::make_below;
pub use arrivals::Arrivals;
pub use error::Error;
pub use objects::Objects;
pub use path::RepoPath;
pub use refusal::Refusal;
pub use remote::{Direction, Remote};
pub use repo::{Head, RefStorage, Repo};
pub use whereabouts::{Standing, Whereabouts};
