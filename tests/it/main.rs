//! Integration tests, one binary.

mod cli;
mod concurrency;
mod cover;
mod crash;
mod crowd;
mod doctor;
mod environments;
mod extract;
mod forget;
mod fsck;
mod full;
mod gc;
mod git_oracle;
mod harness;
mod history;
mod hooks;
mod http;
mod init;
mod kill;
mod mcp;
mod partial;
mod remote;
mod store;
mod trust;
mod walks;
mod worktree;
