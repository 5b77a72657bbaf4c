//! What scripts and modules import.

use crate::id::FileId;
use crate::modules::paths::Layout;
use crate::modules::place::{Place, Resolution};

/// `. ./a.ps1`, `Import-Module ./A.psm1`; a module by its name alone may be a folder of the tree that has
/// a file of that name.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let ends: [&[u8]; 4] = [b"", b".psm1", b".psd1", b".ps1"];
    let mut with_end = ends.iter().map(|end| [specifier, *end].concat());
    let found = with_end.find_map(|path| layout.file_from(layout.home_path(from), &path));
    let is_path = specifier.contains(&b'/') || specifier.contains(&b'.');
    match found {
        Some(file) => Resolution::Found(Place::file(file)),
        None if is_path => {
            let up = specifier
                .iter()
                .take_while(|b| matches!(b, b'.' | b'/'))
                .count();
            let suffix = &specifier[up..];
            ends.iter()
                .find_map(|end| layout.closest(from, &[suffix, *end].concat()))
                .into()
        }
        None => Resolution::or_external(layout.closest(from, &[specifier, b".psm1"].concat())),
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::Tree;

    #[test]
    fn scripts_and_modules_are_found() {
        let tree = Tree::new(&[
            (
                "src/Shop.psm1",
                ". $PSScriptRoot\\helpers.ps1\nImport-Module ../lib/Prices.psm1\nImport-Module Pester\n\
                 . ./gone.ps1\n",
            ),
            ("src/helpers.ps1", "function Get-A {}\n"),
            ("lib/Prices.psm1", "function Get-B {}\n"),
        ]);
        assert_eq!(
            tree.resolved("src/Shop.psm1"),
            *phrases!(
                "./helpers.ps1 -> src/helpers.ps1, ../lib/Prices.psm1 -> lib/Prices.psm1,
                 Pester -> external, ./gone.ps1 -> unresolved"
            )
        );
    }
}
