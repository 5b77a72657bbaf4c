//! Types of the language or of a usual library that the repository opens again, to add to them or to replace what they
//! have: the library calls what it has, whoever wrote that.

use super::definitions;
use super::ids::DocSymbols;
use super::scope::Filter;
use crate::extract::record::{Grammar, Symbol};
use crate::graph::extensions::opens_library;
use crate::id::NameId;
use crate::lang::naming::Extensions;
use crate::lang::{self, Language};
use crate::view::live::{FileId, View};

/// Whether the line that a module begins with opens one of others: `declare module 'vue'`.
pub fn reopens_module(language: &Language, line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let mut words = language.liveness.reopens_modules.iter();
    words.any(|words| line.starts_with(words.as_bytes()))
}

/// Definitions of a module of others in a repository that only changes it.
const MAX_PARTS: usize = 8;
/// Folders of what is run before the program, to change libraries that it uses.
const CHANGING: &[&[u8]] =
    byte_words!("core_ext core_extensions initializers monkey_patches monkeypatches");

/// Whether a type in a module of this file, of which there is little else, adds to a library.
fn is_changed(path: &[u8], names: &[&[u8]], parts: impl FnOnce() -> usize) -> bool {
    let mut folders = path.rsplit(|b| *b == b'/').skip(1);
    names.len() > 1 && folders.any(|part| CHANGING.contains(&part)) && parts() <= MAX_PARTS
}

/// Whether a type of a document is one of these.
pub fn is_opened(
    view: &View,
    file: FileId,
    (lang, symbols): (Grammar, &DocSymbols<'_>),
    index: usize,
) -> bool {
    let naming = &lang::of(lang).naming;
    if naming.extensions != Extensions::Opened {
        return false;
    }
    let outer = |symbol: &&Symbol<NameId>| symbols.get(symbol.container? as usize);
    let outwards = std::iter::successors(symbols.get(index), outer);
    let names = outwards.flat_map(|symbol| [Some(symbol.name), symbol.receiver]);
    let mut chain: Vec<Vec<u8>> = names.flatten().map(|name| symbols.bytes(name)).collect();
    chain.reverse();
    let names: Vec<&[u8]> = chain.iter().map(Vec::as_slice).collect();
    let count = |outer: &&[u8]| definitions::find_exact(view, &Filter::open(), outer).len();
    let parts = || names.first().map_or(0, count);
    let path = view.file(file).path.as_bytes();
    opens_library(lang, &names, parts) || is_changed(path, &names, parts)
}
