//! What sets Lua apart.

use super::resolve;
use crate::lang::language::*;
use crate::modules::ByPath;

/// Lua.
pub(crate) static LUA: Language = Language {
    reader: Reader::tree(
        parser!("grammar-lua", tree_sitter_lua::LANGUAGE),
        &super::LUA,
    ),
    version: 3,
    types_are_hints: true,
    extensions: &["lua", "rockspec"],
    file_names: &[".luacheckrc"],
    interpreters: &["lua", "luajit", "texlua"],
    liveness: Liveness {
        read_names: &[b"_ENV"],
        types_are_values: true,
        member_head: Some(b"function"),
        // A program that it is built into calls what its scripts define and give out.
        published: Published::Always,
        calls_underscored: true,
        ..Liveness::new()
    },
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::Lua)
};
