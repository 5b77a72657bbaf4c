//! What sets Makefiles apart.

use super::resolve;
use crate::lang::language::{Genre, Language, Reader, Roles, TreeReader, parser};
use crate::modules::ByPath;
use crate::record::Grammar;

/// Makefiles, as GNU Make reads them.
pub(crate) static MAKE: Language = Language {
    reader: Reader::Tree(TreeReader {
        blank: Some(super::plain::blank),
        ..TreeReader::new(
            parser!("grammar-make", tree_sitter_make::LANGUAGE),
            &super::MAKE,
        )
    }),
    version: 4,
    extensions: &["mk", "mak", "make"],
    file_names: words!("Makefile Makefile.am Makefile.in makefile GNUmakefile Kbuild"),
    interpreters: &["make", "gmake"],
    aliases: &["makefile"],
    genre: Genre::Recipe,
    roles: Roles {
        settings: &["makefile", "makefile.am", "makefile.in", "gnumakefile"],
        ..Roles::new()
    },
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    ..Language::new(Grammar::Make)
};
