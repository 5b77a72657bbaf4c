//! What sets PowerShell apart.

use super::resolve;
use crate::lang::language::{Language, Reader, Roles, parser};
use crate::modules::ByPath;
use crate::record::Grammar;

/// PowerShell.
pub(crate) static POWERSHELL: Language = Language {
    reader: Reader::tree(
        parser!("grammar-powershell", tree_sitter_powershell::LANGUAGE),
        &super::POWERSHELL,
    ),
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
