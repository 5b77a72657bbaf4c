//! What sets SQL apart.

use crate::lang::language::{Language, Reader};
use crate::record::Grammar;

/// SQL.
pub(crate) static SQL: Language = Language {
    reader: Reader::Scanner(super::scan),
    extensions: &["sql", "ddl", "pgsql", "psql"],
    ..Language::new(Grammar::Sql)
};
