//! What sets Protocol Buffers apart.

use super::resolve;
use crate::lang::language::{Genre, Language, Reader, parser};
use crate::lang::naming::Naming;
use crate::modules::ByPath;
use crate::record::Grammar;

/// Protocol Buffers.
pub(crate) static PROTO: Language = Language {
    reader: Reader::tree(
        parser!("grammar-proto", tree_sitter_proto::LANGUAGE),
        &super::PROTO,
    ),
    extensions: &["proto"],
    aliases: &["protobuf"],
    genre: Genre::Schema,
    naming: Naming {
        implicit_members: true,
        ..Naming::new()
    },
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    ..Language::new(Grammar::Proto)
};
