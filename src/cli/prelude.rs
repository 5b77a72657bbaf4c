//! What every command is written with.

pub(super) use super::error::Error;
pub(super) use super::exit::Outcome;
pub(super) use super::flags::{
    Asking, Json, Limited, Reporting, in_range, kinds, language, limit, one_of,
};
pub(super) use super::meter::Meter;
pub(super) use super::output::Output;
pub(super) use crate::git::Repo;
pub(super) use crate::query::engine::Engine;
pub(super) use crate::query::request::MAX_OFFSET;
pub(super) use crate::query::{Progress, Quiet};
pub(super) use crate::render;
pub(super) use std::path::{Path, PathBuf};
