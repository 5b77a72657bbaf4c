//! What is kept beside the object store: copies and results that save work, believed only when this
//! user's programs have written them.
//!
//! Guarantees: a file is read whole or counts as absent. Its last bytes are a seal, a keyed hash over its
//! name and all its bytes, under a key that lies in the user's own folder ([`crate::home`]). So damage,
//! a file under the name of another, and a file that came with an archive or from another user are all as if
//! they were not there. A file that was found whole and did not change since is not hashed again (`believed`).
//! Every user has a folder below `<git dir>/sverklo/`, named by the key, so two users of one repository do not
//! take each other's files away. Everything may be deleted at any time. What was damaged is removed and told once ([`Kept::recovered`]).
//!
//! Without a key (no home, or one that cannot be written) nothing is kept and nothing is read: answers
//! are the same and come later.
//!
//! Deliberately absent: what the files hold. Who keeps something names it by all that it was made from.

mod believed;
mod folder;
mod key;
mod mmap;
mod sealed;

pub use folder::{Entry, Found, Kept, Recovered, Writing, make_below};
pub use sealed::Body;
