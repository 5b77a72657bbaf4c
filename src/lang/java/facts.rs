//! What sets Java apart.

use super::resolve;
use crate::lang::language::*;

/// Java.
pub(crate) static JAVA: Language = Language {
    reader: Reader::tree(
        parser!("grammar-java", tree_sitter_java::LANGUAGE),
        &super::JAVA,
    ),
    extensions: &["java"],
    naming: Naming {
        implicit_members: true,
        imports_types: true,
        loose_names: false,
        ..Naming::new()
    },
    liveness: Liveness {
        called_methods: words!(
            "compareTo equals finalize hashCode readObject readResolve toString writeObject
             writeReplace"
        ),
        ..Liveness::new()
    },
    roles: Roles {
        class_tests: &[".java"],
        ..Roles::new()
    },
    resolver: Some(|configs| Box::new(resolve::Jvm::new(configs))),
    ..Language::new(Grammar::Java)
};
