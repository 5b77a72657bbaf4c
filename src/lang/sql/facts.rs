//! What sets SQL apart.

use crate::lang::language::*;

/// SQL.
pub(crate) static SQL: Language = Language {
    reader: Reader::Scanner(super::scan),
    extensions: &["sql", "ddl", "pgsql", "psql"],
    genre: Genre::Description,
    naming: Naming {
        open_namespaces: true,
        ..Naming::new()
    },
    ..Language::new(Grammar::Sql)
};
