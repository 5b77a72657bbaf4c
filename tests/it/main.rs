//! Integration tests, one binary.

mod cli;
mod concurrency;
mod crash;
mod doctor;
mod environments;
mod extract;
mod git_oracle;
mod harness;
mod history;
mod hooks;
mod init;
mod mcp;
mod store;
mod worktree;
