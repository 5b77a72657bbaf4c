//! What sets GraphQL apart.

use crate::lang::language::{Genre, Language, Reader, TreeReader, parser};
use crate::record::Grammar;

/// GraphQL: schemas, and the operations asked of them.
pub(crate) static GRAPHQL: Language = Language {
    reader: Reader::Tree(TreeReader {
        blank: Some(super::without_escapes),
        ..TreeReader::new(
            parser!("grammar-graphql", tree_sitter_graphql::LANGUAGE),
            &super::GRAPHQL,
        )
    }),
    extensions: &["graphql", "gql", "graphqls"],
    aliases: &["gql"],
    genre: Genre::Schema,
    ..Language::new(Grammar::GraphQl)
};
