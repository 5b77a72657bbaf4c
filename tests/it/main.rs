//! Integration tests, one binary.

mod harness;
