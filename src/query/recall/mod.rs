//! `recall`.

pub mod rank;
