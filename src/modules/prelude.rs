//! What the resolver of every language is written with.

pub(crate) use super::Resolver;
pub(crate) use super::config::{Configs, json, json_strings};
pub(crate) use super::paths::{FolderId, Layout, Paths, file_name, join};
pub(crate) use super::place::{Place, Resolution, Site};
pub(crate) use crate::id::FileId;
pub(crate) use crate::record::{Grammar, ImportKind, SymbolKind};
