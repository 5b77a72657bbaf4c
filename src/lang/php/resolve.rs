//! PHP: declared namespaces, the folders that `composer.json` maps them to, included files.

use crate::modules::namespaces::{Lookup, Namespaces};
use crate::modules::prelude::*;

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
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        if site.kind == ImportKind::Include {
            return included(layout, site.from, specifier);
        }
        let name = specifier.strip_prefix(b"\\").unwrap_or(specifier);
        // `use A\B` is the class, and the beginning of what is in the namespace of its name.
        if let Some(class) = self.namespaces.declared(name) {
            return Resolution::Found(class);
        }
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

    fn namespace(&self, from: FileId, parts: &[&[u8]]) -> Option<Place> {
        self.namespaces.named(from, parts)
    }

    fn has_children(&self) -> bool {
        true
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
    use crate::graph::modules::testing::Tree;

    #[test]
    fn classes_are_found_by_namespace_and_by_composer() {
        Tree::made(
            &[(
                "composer.json",
                r#"{"autoload": {"psr-4": {"App\\": "src/", "App\\Tests\\": ["t"]}}}"#,
            )],
            r"
                src/Mail/Mailer.php
                  package App\Mail
                  class Mailer
                  function send_later
                  sees src/Mail/Letter.php src/Mail/Mailer.php
                src/Mail/Letter.php
                  package App\Mail
                t/Case.php
                src/Use.php
                  package App
                  import App\Mail\Mailer -> src/Mail/Mailer.php ::Mailer
                  import App\Mail -> src/Mail/Letter.php src/Mail/Mailer.php
                  import App\Tests\Case -> t/Case.php ::Case
                  import App\Gone -> unresolved
                  import Psr\Log\LoggerInterface -> external
                  import DateTime -> external
                  import \App\Mail\send_later -> src/Mail/Mailer.php ::send_later
                  include ./Mail/Letter.php -> src/Mail/Letter.php
                  include t/Case.php -> t/Case.php
                  include ../vendor/autoload.php -> external
                  include gone.php -> unresolved
            ",
        );
    }
}
