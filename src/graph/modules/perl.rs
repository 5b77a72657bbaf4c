//! Perl: packages by the files that are called like them.

use super::paths::Layout;
use super::{Place, Resolution};
use crate::view::live::FileId;

/// `A::B` is in `A/B.pm`, below some folder that modules are loaded from; `"a.pl"` is a path.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    if specifier.ends_with(b".pl") || specifier.ends_with(b".pm") {
        let near = layout.file_from(layout.home_path(from), specifier);
        return near.or_else(|| layout.closest(from, specifier)).into();
    }
    let mut path = Vec::with_capacity(specifier.len() + 3);
    for part in specifier
        .split(|b| *b == b':')
        .filter(|part| !part.is_empty())
    {
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(part);
    }
    path.extend_from_slice(b".pm");
    layout
        .closest(from, &path)
        .map_or(Resolution::External, |file| {
            Resolution::Found(Place::file(file))
        })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Made, Tree};
    use crate::record::Grammar::Perl;
    use crate::record::ImportKind::{Import, Include};

    #[test]
    fn packages_become_paths() {
        let tree = Tree::with(
            &[],
            vec![
                Made::new("lib/Shop/Queue.pm", Perl)
                    .import(Import, "Shop::Log")
                    .import(Include, "helpers.pl")
                    .import(Import, "List::Util"),
                Made::new("lib/Shop/Log.pm", Perl),
                Made::new("lib/Shop/helpers.pl", Perl),
            ],
        );
        assert_eq!(
            tree.resolved("lib/Shop/Queue.pm"),
            [
                "Shop::Log -> lib/Shop/Log.pm",
                "helpers.pl -> lib/Shop/helpers.pl",
                "List::Util -> external",
            ]
        );
    }
}
