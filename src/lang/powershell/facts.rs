//! What sets PowerShell apart.

use super::resolve;
use crate::lang::language::*;
use crate::modules::ByPath;

/// PowerShell.
pub(crate) static POWERSHELL: Language = Language {
    reader: Reader::Tree(TreeReader {
        blank: Some(super::texts::blank),
        blank_for_less: true,
        shape: Some(&POWERSHELL_SHAPE),
        ..TreeReader::new(
            parser!("grammar-powershell", tree_sitter_powershell::LANGUAGE),
            &super::POWERSHELL,
        )
    }),
    version: 2,
    extensions: &["ps1", "psm1", "psd1"],
    interpreters: &["pwsh", "powershell"],
    aliases: &["pwsh", "ps1"],
    roles: Roles {
        test_endings: &[".tests.ps1"],
        ..Roles::new()
    },
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    ..Language::new(Grammar::PowerShell)
};

/// How declarations are told apart.
const POWERSHELL_SHAPE: Shape = Shape {
    comment: b"#",
    blocks: false,
    chars: false,
    terminated: false,
    ..Shape::BRACES
};
