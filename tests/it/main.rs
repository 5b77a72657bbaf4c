//! Integration tests, one binary.

mod extract;
mod git_oracle;
mod harness;
mod store;
