//! What sets HCL apart.

use super::resolve;
use crate::lang::language::*;

/// HCL, the language of Terraform.
pub(crate) static HCL: Language = Language {
    reader: Reader::Tree(TreeReader {
        // Behind a line its scanner reads all lines of comments that follow, once for each of them.
        most_reads: 128,
        ..TreeReader::new(
            parser!("grammar-hcl", tree_sitter_hcl::LANGUAGE),
            &super::HCL,
        )
    }),
    version: 2,
    extensions: &["hcl", "tf", "nomad"],
    genre: Genre::Description,
    naming: Naming {
        open_namespaces: true,
        ..Naming::new()
    },
    resolver: Some(|configs| Box::new(resolve::Terraform::new(configs))),
    ..Language::new(Grammar::Hcl)
};
