//! git-sverklo.
#![deny(missing_docs, unsafe_code)]

pub mod extract;
pub mod git;
pub mod id;
pub mod limits;
pub mod segment;
pub mod store;
pub mod view;
pub mod query;
pub mod render;
pub mod mcp;
pub mod cli;
