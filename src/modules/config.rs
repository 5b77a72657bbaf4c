//! Reading configuration files: found by name, bounded in size, parsed once.

use super::paths::Layout;
use crate::id::FileId;
use jsonc_parser::ast;

/// Largest configuration file that is read, in bytes. Manifests written by people are smaller by
/// orders of magnitude; what programs write (lock files) is not read.
const MAX_CONFIG_BYTES: usize = 1 << 20;

/// The configuration files of a tree, while the resolvers is made.
pub struct Configs<'a> {
    pub(crate) layout: Layout<'a>,
    read: &'a mut dyn FnMut(FileId) -> Option<Vec<u8>>,
}

impl<'a> Configs<'a> {
    pub(crate) fn new(
        layout: Layout<'a>,
        read: &'a mut dyn FnMut(FileId) -> Option<Vec<u8>>,
    ) -> Self {
        Self { layout, read }
    }

    /// The files of a name, in path order.
    pub(crate) fn named(&self, name: &str) -> Vec<FileId> {
        self.layout.named(name.as_bytes()).collect()
    }

    /// Text of a file; `None` when it is missing, too large or not UTF-8.
    pub(crate) fn text(&mut self, file: FileId) -> Option<String> {
        let bytes = (self.read)(file)?;
        if bytes.len() > MAX_CONFIG_BYTES {
            return None;
        }
        let text = String::from_utf8(bytes).ok()?;
        Some(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        })
    }
}

/// Parses JSON with comments and trailing commas, as TypeScript and most tools read it. The parser
/// bounds nesting itself.
pub(crate) fn json(text: &str) -> Option<ast::Value<'_>> {
    jsonc_parser::parse_to_ast(text, &Default::default(), &Default::default())
        .ok()?
        .value
}

/// Parses TOML. The parser bounds nesting itself.
pub(crate) fn toml(text: &str) -> Option<toml_edit::Document<&str>> {
    toml_edit::Document::parse(text).ok()
}

/// The strings of a JSON array; a string alone counts as one.
pub(crate) fn json_strings(value: &ast::Value<'_>) -> Vec<String> {
    let one = |value: &ast::Value<'_>| Some(value.as_string_lit()?.value.to_string());
    match value {
        ast::Value::Array(array) => array.elements.iter().filter_map(one).collect(),
        value => one(value).into_iter().collect(),
    }
}

/// The strings of a TOML array; a string alone counts as one.
pub(crate) fn toml_strings(item: &toml_edit::Item) -> Vec<String> {
    match (item.as_array(), item.as_str()) {
        (Some(array), _) => {
            let strings = array.iter().filter_map(|value| value.as_str());
            strings.map(str::to_owned).collect()
        }
        (None, one) => one.map(str::to_owned).into_iter().collect(),
    }
}
