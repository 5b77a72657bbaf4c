//! How JavaScript and TypeScript find what a name means.

use crate::lang::language::*;

/// Of JavaScript, and of the components that embed it.
pub(crate) const JAVASCRIPT: Naming = Naming {
    globals: is_global,
    imports_are_whole: false,
    imports_submodules: false,
    object_modules: true,
    type_wrappers: TYPE_WRAPPERS,
    collection_method,
    ..Naming::new()
};

/// Of TypeScript, which declares all it means: what is not, is of the language or its hosts.
pub(crate) const TYPESCRIPT: Naming = Naming {
    globals: |_| true,
    loose_names: false,
    types_apart: true,
    ..JAVASCRIPT
};

/// TypeScript's own types that have the members of the first type they are given.
const TYPE_WRAPPERS: &[&[u8]] = byte_words!(
    "Readonly Partial Required Omit Pick NonNullable Extract Exclude Awaited ThisType NoInfer"
);

/// What a method of JavaScript's own collections gives, if that is told by what they hold.
fn collection_method(name: &[u8]) -> Option<CollectionMethod> {
    match name {
        b"at" | b"find" | b"findLast" | b"get" | b"pop" | b"shift" => {
            Some(CollectionMethod::Element)
        }
        b"concat" | b"filter" | b"reverse" | b"slice" | b"sort" | b"splice" | b"toReversed"
        | b"toSorted" | b"values" => Some(CollectionMethod::Same),
        _ => None,
    }
}

/// Objects of the language or of its usual hosts.
const GLOBALS: &[&[u8]] = byte_words!(
    "Array ArrayBuffer Atomics BigInt Buffer Date Error Function Intl JSON Map Math Number Object
     Promise Proxy Reflect RegExp Set String Symbol WeakMap WeakSet console document globalThis
     localStorage location navigator performance process sessionStorage window"
);

/// Whether a name that a JavaScript file does not define is an object of the language or of its
/// usual hosts.
fn is_global(name: &[u8]) -> bool {
    GLOBALS.contains(&name)
}
