//! What sets C# apart.

use super::resolve;
use crate::lang::language::*;

/// C#.
pub(crate) static CSHARP: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-c-sharp", tree_sitter_c_sharp::LANGUAGE),
        &super::CSHARP,
        &CSHARP_SHAPE,
    ),
    version: 3,
    extensions: &["cs", "csx"],
    interpreters: &["dotnet-script"],
    naming: Naming {
        implicit_members: true,
        overloads: true,
        open_namespaces: true,
        imports_types: true,
        type_parts: TypeParts::Package,
        types_are_declared: true,
        ..Naming::new()
    },
    liveness: Liveness {
        types_are_values: true,
        library_namespaces: &["System"],
        given_marks: &["public ", "protected "],
        called_methods: words!("CompareTo Dispose DisposeAsync Equals GetHashCode ToString"),
        extends_by_classes: true,
        ..Liveness::new()
    },
    roles: Roles {
        class_tests: &[".cs"],
        ..Roles::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::DotNet::new(configs))),
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::CSharp)
};

/// How declarations are told apart.
const CSHARP_SHAPE: Shape = Shape {
    long: &[b"\"\"\""],
    directives: true,
    ..Shape::BRACES
};
