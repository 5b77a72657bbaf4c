//! Integration tests, one binary.

mod cli;
mod concurrency;
mod crash;
mod crowd;
mod environments;
mod extract;
mod full;
mod git_oracle;
mod harness;
mod history;
mod kill;
mod mcp;
mod store;
mod worktree;
