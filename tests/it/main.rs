//! Integration tests, one binary.

mod concurrency;
mod crash;
mod extract;
mod git_oracle;
mod harness;
mod store;
mod worktree;
