//! Integration tests, one binary.

mod git_oracle;
mod harness;
