//! Java, Kotlin and Scala: packages as their files declare them, across all source roots.

use crate::modules::namespaces::Namespaces;
use crate::modules::prelude::*;

/// Packages of a tree.
pub(crate) struct Jvm {
    packages: Namespaces,
}

impl Jvm {
    pub(crate) fn new(configs: &Configs<'_>) -> Self {
        let layout = configs.layout;
        Self {
            packages: Namespaces::new(layout, Grammar::Java, b'.', false),
        }
    }
}

impl Resolver for Jvm {
    fn resolve(&self, _: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        let specifier = specifier.strip_prefix(b"_root_.").unwrap_or(specifier);
        self.packages.resolve(site.from, specifier)
    }

    fn namespace(&self, from: FileId, parts: &[&[u8]]) -> Option<Place> {
        self.packages.named(from, parts)
    }

    fn has_children(&self) -> bool {
        true
    }

    fn child(&self, _: Layout<'_>, place: &Place, name: &[u8]) -> Option<Place> {
        self.packages.child(place, name)
    }

    fn package_of(&self, _: &Paths, file: FileId) -> Option<&[FileId]> {
        self.packages.package_of(file)
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::Tree;
    use crate::record::ImportKind;

    #[test]
    fn classes_are_found_in_their_packages() {
        let tree = Tree::made(
            &[
                (
                    "app/src/main/java/a/b/Use.java",
                    "package a.b;\nimport a.c.Thing;\nimport a.c.Thing.Inner;\nimport static a.c.Thing.make;\n\
                     import a.c.*;\nimport a.c.Gone;\nimport java.util.List;\nimport a.k.helper;\nimport org.x.Y;\nclass Use {}\n",
                ),
                (
                    "app/src/main/java/a/b/Other.java",
                    "package a.b;\nclass Other {}\n",
                ),
                (
                    "lib/src/main/java/a/c/Thing.java",
                    "package a.c;\npublic class Thing { class Inner {} static Thing make() { return null; } }\nclass Hidden {}\n",
                ),
                (
                    "lib/src/main/java/a/c/More.java",
                    "package a.c;\nclass More {}\n",
                ),
                ("Free.java", "class Free {}\n"),
                ("Other.java", "class Other {}\n"),
            ],
            "
                k/Util.kt
                  package a.k
                  import a.b.Other -> app/src/main/java/a/b/Other.java ::Other
                  function helper
                s/Main.scala
                  package a.b
                  import c.Thing -> lib/src/main/java/a/c/Thing.java ::Thing
                  sees app/src/main/java/a/b/Other.java app/src/main/java/a/b/Use.java s/Main.scala
            ",
        );
        tree.check(
            "
            app/src/main/java/a/b/Use.java
              a.c.Thing -> lib/src/main/java/a/c/Thing.java ::Thing
              a.c.Thing.Inner -> lib/src/main/java/a/c/Thing.java ::Thing ::Inner
              a.c.Thing -> lib/src/main/java/a/c/Thing.java ::Thing
              a.c -> lib/src/main/java/a/c/More.java lib/src/main/java/a/c/Thing.java
              a.c.Gone -> unresolved
              java.util.List -> external
              a.k.helper -> k/Util.kt ::helper
              org.x.Y -> external
            Free.java
              sees Free.java
        ",
        );
    }

    #[test]
    fn packages_have_packages_and_classes_below_them() {
        let tree = Tree::new(&[
            ("A.java", "package p;\nclass A {}\n"),
            ("B.java", "package p.q;\nclass B {}\n"),
            ("Use.java", "import p.*;\nclass Use {}\n"),
        ]);
        let modules = tree.modules();
        let from = tree.file("Use.java").unwrap();
        let site = crate::modules::place::Site {
            from,
            kind: ImportKind::Import,
            line: 1,
        };
        let crate::modules::place::Resolution::Found(place) =
            modules.resolve(tree.view(), site, b"p")
        else {
            panic!("the package is there");
        };
        let child = |name: &[u8]| modules.below(tree.view(), &place, name);
        assert_eq!(tree.shown_place(&child(b"A").unwrap()), "A.java ::A");
        assert_eq!(tree.shown_place(&child(b"q").unwrap()), "B.java");
        assert_eq!(child(b"none"), None);
    }
}
