//! What sets HCL apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// HCL, the language of Terraform.
pub(crate) static HCL: Language = Language {
    reader: Reader::tree(
        parser!("grammar-hcl", tree_sitter_hcl::LANGUAGE),
        &super::HCL,
    ),
    extensions: &["hcl", "tf", "nomad"],
    ..Language::new(Grammar::Hcl)
};
