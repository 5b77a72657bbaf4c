//! What sets Go apart.

use super::contracts::CONTRACTS;
use super::resolve;
use crate::lang::language::*;

/// Go.
pub(crate) static GO: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-go", tree_sitter_go::LANGUAGE),
        &super::GO,
        &GO_SHAPE,
    ),
    version: 3,
    extensions: &["go"],
    aliases: &["golang"],
    naming: Naming {
        members_are_written: true,
        imports_are_written: true,
        library_functions: Some(|name| FUNCTIONS.contains(&name)),
        loose_names: false,
        implicit_interfaces: true,
        embeds_types: true,
        types_are_declared: true,
        ..Naming::new()
    },
    liveness: Liveness {
        callers_name: true,
        names_are_fixed: true,
        published: Published::Packages,
        entry_points: &[b"init"],
        contracts: CONTRACTS,
        // <https://pkg.go.dev/cmd/cgo>, <https://pkg.go.dev/cmd/compile>.
        calling_comments: &[b"//export ", b"//go:linkname ", b"//go:wasmexport "],
        // <https://gqlgen.com/reference/scalars/>.
        called_beginnings: &["Marshal", "Unmarshal"],
        // `C.open()`.
        called_family: Some(Grammar::C),
        // The paths of all but the standard library begin with the name of a host.
        foreign_interfaces: Some(|path| {
            path.split(|b| *b == b'/')
                .next()
                .is_some_and(|host| host.contains(&b'.'))
        }),
        ..Liveness::new()
    },
    roles: Roles {
        built: &[".go"],
        settings: &["go.mod", "go.sum"],
        ..Roles::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::Go::new(configs))),
    calls: Some(&super::arguments::CALLS),
    versioning: Versioning {
        wanted: Part::BreakingUnlessHidden,
        ..Versioning::new()
    },
    ..Language::new(Grammar::Go)
};

/// How declarations are told apart.
const GO_SHAPE: Shape = Shape {
    long: &[b"`"],
    terminated: false,
    ..Shape::BRACES
};

/// Functions and types of the language, which are called without being defined or imported (Go specification, predeclared
/// identifiers).
const FUNCTIONS: &[&[u8]] = byte_words!(
    "any append bool byte cap clear close complex complex128 complex64 copy delete error float32 float64 imag int int16
     int32 int64 int8 len make max min new panic print println real recover rune string uint uint16 uint32 uint64 uint8
     uintptr"
);
