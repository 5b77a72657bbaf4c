//! Integration tests, one binary.

mod cli;
mod concurrency;
mod cover;
mod crash;
mod environments;
mod extract;
mod git_oracle;
mod harness;
mod history;
mod mcp;
mod partial;
mod store;
mod walks;
mod worktree;
