//! What sets Solidity apart.

use super::resolve;
use crate::lang::language::{Language, Reader, Roles, parser};
use crate::lang::naming::Naming;
use crate::modules::ByPath;
use crate::record::Grammar;

/// Solidity.
pub(crate) static SOLIDITY: Language = Language {
    reader: Reader::tree(
        parser!("grammar-solidity", tree_sitter_solidity::LANGUAGE),
        &super::SOLIDITY,
    ),
    extensions: &["sol"],
    aliases: &["sol"],
    naming: Naming {
        implicit_members: true,
        passes_imports_on: true,
        ..Naming::new()
    },
    roles: Roles {
        test_endings: &[".t.sol"],
        class_tests: &[".sol"],
        ..Roles::new()
    },
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    liveness: crate::lang::liveness::Liveness {
        names_are_fixed: true,
        ..crate::lang::liveness::Liveness::new()
    },
    ..Language::new(Grammar::Solidity)
};
