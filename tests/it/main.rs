//! Integration tests, one binary.

mod cli;
mod concurrency;
mod crash;
mod environments;
mod extract;
mod forget;
mod fsck;
mod gc;
mod git_oracle;
mod harness;
mod history;
mod http;
mod mcp;
mod remote;
mod store;
mod trust;
mod walks;
mod worktree;
