//! What sets Zig apart.

use super::resolve;
use crate::lang::language::*;
use crate::modules::ByPath;

/// Zig.
pub(crate) static ZIG: Language = Language {
    reader: Reader::tree(
        parser!("grammar-zig", tree_sitter_zig::LANGUAGE),
        &super::ZIG,
    ),
    extensions: &["zig", "zon"],
    naming: Naming {
        implicit_members: true,
        ..Naming::new()
    },
    roles: Roles {
        settings: &["build.zig"],
        ..Roles::new()
    },
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    liveness: Liveness {
        names_are_fixed: true,
        ..Liveness::new()
    },
    ..Language::new(Grammar::Zig)
};
