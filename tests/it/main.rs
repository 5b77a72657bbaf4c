//! Integration tests, one binary.

mod cli;
mod concurrency;
mod crash;
mod environments;
mod extract;
mod git_oracle;
mod harness;
mod history;
mod http;
mod mcp;
mod remote;
mod store;
mod walks;
mod worktree;
