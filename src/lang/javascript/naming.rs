//! How JavaScript and TypeScript find what a name means.

use super::library::{METHODS, is_there};
use crate::lang::language::*;

/// Of JavaScript, and of the components that embed it.
pub(crate) const JAVASCRIPT: Naming = Naming {
    globals: is_global,
    imports_are_whole: false,
    imports_submodules: false,
    object_modules: true,
    typed_callbacks: true,
    declares_globals: true,
    type_wrappers: TYPE_WRAPPERS,
    collections: COLLECTIONS,
    besides_keys: Some(OWN_MEMBERS),
    members_are_written: true,
    imports_are_written: true,
    library_functions: Some(is_there),
    library_members: |name| METHODS.binary_search(&name).is_ok(),
    ..Naming::new()
};

/// Of TypeScript, which declares all it means: what is not, is of the language or its hosts.
pub(crate) const TYPESCRIPT: Naming = Naming {
    globals: |_| true,
    loose_names: false,
    types_apart: true,
    types_add_up: true,
    ..JAVASCRIPT
};

/// TypeScript's own types that have the members of the first type they are given.
const TYPE_WRAPPERS: &[&[u8]] = byte_words!(
    "Readonly Partial Required Omit Pick NonNullable Extract Exclude Awaited ThisType NoInfer"
);

/// What methods of JavaScript's own collections give.
const COLLECTIONS: CollectionMembers = CollectionMembers {
    element: byte_words!("at find findLast get pop shift"),
    same: byte_words!("concat filter reverse slice sort splice toReversed toSorted values"),
    other: byte_words!("map flatMap reduce reduceRight then catch pipe"),
    are_read: false,
    outside_stays: true,
    ..CollectionMembers::NONE
};

/// Members of lists, maps, sets, iterators and of every object.
const OWN_MEMBERS: &[&[u8]] = byte_words!(
    "length size at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap
     forEach includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice
     toReversed toSorted toSpliced unshift values with add clear delete get has set union intersection difference
     symmetricDifference isSubsetOf isSupersetOf isDisjointFrom getOrInsert getOrInsertComputed next return throw drop
     take toArray then catch finally constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString
     toString valueOf Provider Consumer displayName"
);

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
