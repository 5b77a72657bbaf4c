//! PHP: declared namespaces, the folders that `composer.json` maps them to, included files.

use crate::id::FileId;
use crate::modules::Resolver;
use crate::modules::config::{Configs, json, json_strings};
use crate::modules::namespaces::{Lookup, Namespaces};
use crate::modules::paths::{Layout, Paths, join};
use crate::modules::place::{Place, Resolution, Site};
use crate::record::{Grammar, ImportKind};

/// Namespaces of a tree.
pub(crate) struct Php {
    namespaces: Namespaces,
    /// Starts of names with the folder they are mapped to; longest first.
    mapped: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Php {
    pub(crate) fn new(configs: &mut Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut mapped = Vec::new();
        for file in configs.named("composer.json") {
            let text = configs.text(file).unwrap_or_default();
            mapped.extend(autoload(layout.home_path(file), &text).unwrap_or_default());
        }
        mapped.sort_by_key(|(start, _)| std::cmp::Reverse(start.len()));
        Self {
            namespaces: Namespaces::new(layout, Grammar::Php, b'\\', false),
            mapped,
        }
    }
}

impl Resolver for Php {
    fn resolve(
        &self,
        layout: Layout<'_>,
        from: FileId,
        site: Site,
        specifier: &[u8],
    ) -> Resolution {
        if site.kind == ImportKind::Include {
            return included(layout, from, specifier);
        }
        let name = specifier.strip_prefix(b"\\").unwrap_or(specifier);
        let missing = match self.namespaces.find(name) {
            Lookup::Found(place) => return Resolution::Found(place),
            Lookup::Missing => true,
            Lookup::Unknown => false,
        };
        let mut known = false;
        for (start, folder) in &self.mapped {
            let Some(rest) = name.strip_prefix(&start[..]) else {
                continue;
            };
            known |= !start.is_empty();
            let path: Vec<u8> = rest
                .iter()
                .map(|b| if *b == b'\\' { b'/' } else { *b })
                .collect();
            if let Some(file) = layout.file_from(folder, &[&path[..], b".php"].concat()) {
                let class = name.rsplit(|b| *b == b'\\').next().unwrap_or(name);
                return Resolution::Found(Place {
                    inner: vec![class.to_vec()],
                    ..Place::file(file)
                });
            }
        }
        // A class of no namespace is one of PHP itself, unless a file declares it.
        if !name.contains(&b'\\') {
            return match self.namespaces.at_top(name) {
                Some(place) => Resolution::Found(place),
                None => Resolution::External,
            };
        }
        match missing || known {
            true => Resolution::Unresolved,
            false => Resolution::External,
        }
    }

    fn child(&self, _: Layout<'_>, place: &Place, name: &[u8]) -> Option<Place> {
        self.namespaces.child(place, name)
    }

    fn package_of(&self, _: &Paths, file: FileId) -> Option<&[FileId]> {
        self.namespaces.package_of(file)
    }
}

/// `include 'x.php'`: from the file's folder, from the folders around it, else by its end.
fn included(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let mut around = layout.paths.upward(layout.home(from));
    let found = around.find_map(|folder| layout.file_from(layout.path(folder), specifier));
    if let Some(file) = found {
        return Resolution::Found(Place::file(file));
    }
    // What composer installs is not in the tree.
    match specifier.windows(7).any(|part| part == b"vendor/") {
        true => Resolution::External,
        false => Resolution::Unresolved,
    }
}

/// The PSR-4 and PSR-0 maps of a `composer.json`.
fn autoload(home: &[u8], text: &str) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let value = json(text)?;
    let object = value.as_object()?;
    let mut mapped = Vec::new();
    for key in ["autoload", "autoload-dev"] {
        let Some(autoload) = object.get_object(key) else {
            continue;
        };
        for (standard, keeps_start) in [("psr-4", false), ("psr-0", true)] {
            let listed = autoload
                .get_object(standard)
                .map(|object| &object.properties[..]);
            for property in listed.unwrap_or_default() {
                let start = property.name.as_str().as_bytes();
                for folder in json_strings(&property.value) {
                    let Some(mut folder) = join(home, folder.as_bytes()) else {
                        continue;
                    };
                    if keeps_start {
                        let path = start.iter().map(|b| if *b == b'\\' { b'/' } else { *b });
                        folder = join(&folder, &path.collect::<Vec<u8>>())?;
                    }
                    mapped.push((start.to_vec(), folder));
                }
            }
        }
    }
    Some(mapped)
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::{Made, Tree};
    use crate::record::Grammar;
    use crate::record::ImportKind::{Import, Include, Package};
    use crate::record::SymbolKind::{Class, Function};

    #[test]
    fn classes_are_found_by_namespace_and_by_composer() {
        let tree = Tree::with(
            &[(
                "composer.json",
                r#"{"autoload": {"psr-4": {"App\\": "src/", "App\\Tests\\": ["t"]}}}"#,
            )],
            vec![
                Made::new("src/Mail/Mailer.php", Grammar::Php)
                    .import(Package, "App\\Mail")
                    .symbol(Class, "Mailer", None)
                    .symbol(Function, "send_later", None),
                Made::new("src/Mail/Letter.php", Grammar::Php).import(Package, "App\\Mail"),
                Made::new("t/Case.php", Grammar::Php),
                Made::new("src/Use.php", Grammar::Php)
                    .import(Package, "App")
                    .import(Import, "App\\Mail\\Mailer")
                    .import(Import, "App\\Mail")
                    .import(Import, "App\\Tests\\Case")
                    .import(Import, "App\\Gone")
                    .import(Import, "Psr\\Log\\LoggerInterface")
                    .import(Import, "DateTime")
                    .import(Import, "\\App\\Mail\\send_later")
                    .import(Include, "./Mail/Letter.php")
                    .import(Include, "t/Case.php")
                    .import(Include, "../vendor/autoload.php")
                    .import(Include, "gone.php"),
            ],
        );
        assert_eq!(
            tree.resolved("src/Use.php"),
            [
                "App\\Mail\\Mailer -> src/Mail/Mailer.php ::Mailer",
                "App\\Mail -> src/Mail/Letter.php src/Mail/Mailer.php",
                "App\\Tests\\Case -> t/Case.php ::Case",
                "App\\Gone -> unresolved",
                "Psr\\Log\\LoggerInterface -> external",
                "DateTime -> external",
                "\\App\\Mail\\send_later -> src/Mail/Mailer.php ::send_later",
                "./Mail/Letter.php -> src/Mail/Letter.php",
                "t/Case.php -> t/Case.php",
                "../vendor/autoload.php -> external",
                "gone.php -> unresolved",
            ]
        );
        assert_eq!(
            tree.package("src/Mail/Mailer.php"),
            ["src/Mail/Letter.php", "src/Mail/Mailer.php"]
        );
    }
}
