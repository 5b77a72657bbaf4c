//! What of what ctags says of a language is no definition, each beside the reason.

use super::aside::{Rule, after, has_word, rule};

pub const BASH: &[Rule] = &[rule("an array", |tag, line| {
    tag.name.ends_with('=') || after(line, &tag.name).starts_with("=(")
})];

pub const C: &[Rule] = &[rule("a call of a macro", |tag, _| {
    // `TEST(a, b) {`, `DEFINE_GETTER(a, b)`: what such a macro defines is not written.
    let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    tag.kind == "function" && tag.name.len() > 2 && tag.name.chars().all(is_capital)
})];

pub const OBJECTIVE_C: &[Rule] = &[
    rule("a word of a block's type", |tag, line| {
        tag.kind == "typedef" && line.contains("(^")
    }),
    rule("an attribute", |tag, line| {
        // `+ (id)new NS_UNAVAILABLE;`, `API_AVAILABLE(ios(14.0))`, `CF_RETURNS_NOT_RETAINED`.
        let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let name = tag.name.as_str();
        let is_macro = name.len() > 8 && name.contains('_') && name.chars().all(is_capital);
        name.starts_with("__")
            || is_macro
            || after(line, name).starts_with('(') && line.contains("API_")
    }),
    rule("a directive", |tag, _| {
        matches!(tag.name.as_str(), "else" | "endif")
    }),
    rule("the type of a pointer", |tag, line| {
        tag.kind == "function" && after(line, &tag.name).trim_start().starts_with("(*")
    }),
];

pub const KOTLIN: &[Rule] = &[
    // A getter whose value is a lambda.
    rule("no name", |tag, _| tag.name.starts_with('<')),
    rule("no declaration", |tag, line| {
        tag.kind == "method" && !has_word(line, "fun")
    }),
];

pub const CSHARP: &[Rule] = &[
    rule("a constraint", |_, line| {
        line.trim_start().starts_with("where ")
    }),
    rule("a call", |tag, _| tag.name.contains('.')),
    rule("a pattern", |tag, _| {
        matches!(tag.name.as_str(), "await" | "new" | "not" | "var" | "when")
    }),
];

pub const LUA: &[Rule] = &[
    rule("a text", |tag, line| {
        let before = line.split("function").next().unwrap_or_default();
        before.ends_with(['\'', '"']) || tag.name.chars().all(|c| c == '~' || c == '=')
    }),
    rule("a function for an argument", |_, line| {
        let before = line.split("function").next().unwrap_or_default();
        before.matches('(').count() > before.matches(')').count()
    }),
    rule("a call", |_, line| !has_word(line, "function")),
    rule("a computed name", |tag, _| {
        tag.name.contains(['[', '{', '"'])
    }),
];

pub const HASKELL: &[Rule] = &[
    rule("a field", |_, line| {
        line.trim_start().starts_with([',', '{', '|'])
    }),
    rule("a keyword", |tag, _| {
        tag.name == "pattern" || tag.name == "class"
    }),
    // ctags takes the first part of `ShellCheck.AST`, and a word of a type for what it is the type of.
    rule("a part of a name", |tag, line| {
        tag.kind == "module" && after(line, &tag.name).starts_with('.')
    }),
    rule("a word of a type or of a value", |tag, line| {
        let text = line.trim_start();
        tag.kind == "function" && !text.starts_with(&tag.name)
    }),
];

pub const OCAML: &[Rule] = &[
    rule("an operator of a binding", |tag, line| {
        let name = tag.name.as_str();
        matches!(name, "*" | "+" | "include" | "nonrec" | "open" | "rec") || line.contains("let%")
    }),
    rule("a constraint", |tag, line| {
        let and = line.trim_start().starts_with("and type");
        tag.kind == "type" && line.contains("type") && (has_word(line, "with") || and)
    }),
    rule("the module of the file", |tag, line| {
        tag.kind == "module" && (!has_word(line, "module") || line.contains("(module"))
    }),
];

pub const JAVASCRIPT: &[Rule] = &[
    rule("an object that is called a class", |tag, line| {
        let words = ["class", "function"];
        tag.kind == "class"
            && !words.iter().any(|word| has_word(line, word))
            && !line.contains("=>")
    }),
    rule("the object that a function is put into", |tag, line| {
        after(line, &tag.name).starts_with('.')
    }),
];

pub const TYPESCRIPT: &[Rule] = &[rule("an import or a cast", |tag, line| {
    let alias = line.trim_start();
    let alias = alias.strip_prefix("export ").unwrap_or(alias);
    let alias = alias.strip_prefix("declare ").unwrap_or(alias);
    let is_alias = alias.strip_prefix("type ").is_some_and(|rest| {
        let end = after(rest, &tag.name).trim_start();
        end.is_empty() || end.starts_with(['=', '<', '/'])
    });
    tag.kind == "alias" && !is_alias
})];
