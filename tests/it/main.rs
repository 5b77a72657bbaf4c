//! Integration tests, one binary.

mod cli;
mod harness;
mod mcp;
