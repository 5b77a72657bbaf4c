//! What a file defines and uses: its functions with what they call, its types, its imports.
//!
//! A function is what has a body: free, of a type, of a trait; also a constant, whose value may name
//! functions that are called through it. Closures belong to the function that they are written in.

use super::body::{self, Call};
use tree_sitter::{Node, Parser};

/// A function or constant.
pub struct Function {
    /// Below `src/`.
    pub file: String,
    pub line: usize,
    /// The type of its `impl`, or its trait.
    pub owner: Option<String>,
    pub name: String,
    pub takes_self: bool,
    /// Parameters without `self`.
    pub parameters: usize,
    /// What it gives, as written.
    pub gives: Option<String>,
    pub is_constant: bool,
    pub calls: Vec<Call>,
    pub text: String,
}

impl Function {
    /// `file: Type::name`, or `file: name`.
    pub fn title(&self) -> String {
        let owner = self.owner.as_ref().map(|owner| format!("{owner}::"));
        format!("{}: {}{}", self.file, owner.unwrap_or_default(), self.name)
    }
}

/// What one file has.
#[derive(Default)]
pub struct Source {
    pub functions: Vec<Function>,
    /// Structs, enums and traits.
    pub types: Vec<String>,
    /// Type, field, the type of the field. What a variant holds is a field of its name.
    pub fields: Vec<(String, String, String)>,
    /// Trait and type of every `impl A for B`.
    pub impls: Vec<(String, String)>,
    /// Name and path of what is imported; the name of all there is in a module is `*`.
    pub uses: Vec<(String, Vec<String>)>,
}

/// Reads a file. Items for tests are left out.
pub fn read(file: &str, text: &str) -> Source {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_rust::LANGUAGE.into())
        .expect("the grammar fits the library");
    let tree = parser.parse(text, None).expect("nothing stops the parser");
    let root = tree.root_node();
    assert!(
        !root.has_error(),
        "src/{file}: tree-sitter-rust cannot read it; write it so that it can"
    );
    let mut source = Source::default();
    let mut open = vec![(root, None::<String>)];
    while let Some((node, owner)) = open.pop() {
        let field = |name| node.child_by_field_name(name);
        let named = || field("name").map_or("", |name| part(text, name)).to_owned();
        let mut inside = owner.clone();
        match node.kind() {
            "function_item" | "const_item" | "static_item" => {
                source.functions.push(function(file, text, node, owner));
                // What is defined in it is free.
                inside = None;
            }
            "impl_item" => {
                let of = field("type").map_or(String::new(), |of| base(part(text, of)));
                if let Some(of_trait) = field("trait") {
                    let name = base(part(text, of_trait));
                    source.impls.push((name, of.clone()));
                }
                inside = Some(of);
            }
            "trait_item" => {
                source.types.push(named());
                inside = Some(named());
            }
            "struct_item" | "enum_item" => {
                source.types.push(named());
                let fields = field("body").map_or(Vec::new(), |body| fields(text, body));
                let fields = fields.into_iter().map(|(name, of)| (named(), name, of));
                source.fields.extend(fields);
            }
            "use_declaration" => {
                if let Some(tree) = field("argument") {
                    source.uses.extend(imported(part(text, tree)));
                }
            }
            _ => {}
        }
        let mut for_tests = false;
        for child in children(node) {
            match child.kind() {
                "attribute_item" => for_tests |= part(text, child) == "#[cfg(test)]",
                "line_comment" | "block_comment" => {}
                _ => {
                    if !std::mem::take(&mut for_tests) {
                        open.push((child, inside.clone()));
                    }
                }
            }
        }
    }
    source
}

/// The types in parentheses.
fn types(list: Node<'_>) -> Vec<Node<'_>> {
    let mut types = children(list);
    types.retain(|of| !matches!(of.kind(), "visibility_modifier" | "attribute_item"));
    types
}

/// The fields of a struct by name or number, the variants of an enum; with their types.
fn fields(text: &str, body: Node<'_>) -> Vec<(String, String)> {
    let told = |of: Option<Node<'_>>| of.map_or(String::new(), |of| base(part(text, of)));
    if body.kind() == "ordered_field_declaration_list" {
        let numbered = types(body).into_iter().enumerate();
        return numbered
            .map(|(n, of)| (n.to_string(), told(Some(of))))
            .collect();
    }
    let fields = children(body).into_iter().filter_map(|field| {
        let at = |name| field.child_by_field_name(name);
        let held = at("body").and_then(|list| types(list).first().copied());
        Some((
            part(text, at("name")?).to_owned(),
            told(at("type").or(held)),
        ))
    });
    fields.filter(|(_, of)| !of.is_empty()).collect()
}

pub fn part<'s>(text: &'s str, node: Node<'_>) -> &'s str {
    &text[node.byte_range()]
}

pub fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// What an `Option` or `Result` of a type holds.
pub fn held(of: &str) -> &str {
    let outer = ["Option<", "Result<"].into_iter();
    let mut inner = outer.filter_map(|outer| of.split_once(outer));
    inner.next().map_or(of, |(_, inner)| inner)
}

/// The name of a type without references, arguments and what points to it.
pub fn base(of: &str) -> String {
    let mut of = of.trim();
    loop {
        let before = of;
        for prefix in ["&", "mut ", "dyn ", "impl ", "Box<", "Arc<", "Rc<", "Cow<"] {
            of = of.strip_prefix(prefix).unwrap_or(of).trim_start();
        }
        if of.starts_with('\'') {
            of = of.trim_start_matches(|c: char| c == '\'' || c.is_alphanumeric() || c == '_');
            of = of.trim_start_matches([',', ' ']);
        }
        if of == before {
            break;
        }
    }
    let end = of.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let path = &of[..end.unwrap_or(of.len())];
    path.rsplit("::").next().unwrap_or(path).to_owned()
}

/// The names that the argument of a `use` binds, with the paths that they stand for.
fn imported(tree: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), tree.to_owned())];
    while let Some((before, tree)) = open.pop() {
        let tree = tree.trim();
        let mut path: Vec<String> = before;
        let (head, list) = match tree.split_once('{') {
            Some((head, list)) => (head, list.trim_end().strip_suffix('}')),
            None => (tree, None),
        };
        let (head, alias) = match head.split_once(" as ") {
            Some((head, alias)) => (head, Some(alias.trim().to_owned())),
            None => (head, None),
        };
        path.extend(parts(head));
        if let Some(list) = list {
            let (mut depth, mut from) = (0, 0);
            for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
                depth += i32::from(c == '{') - i32::from(c == '}');
                if c == ',' && depth == 0 {
                    open.push((path.clone(), list[from..at].to_owned()));
                    from = (at + 1).min(list.len());
                }
            }
            continue;
        }
        // `use a::{self}` binds `a`.
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        if let Some(last) = path.last().cloned().filter(|_| !tree.is_empty()) {
            found.push((alias.unwrap_or(last), path));
        }
    }
    found
}

/// The parts of a path, without arguments of generics.
pub fn parts(path: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut depth = 0;
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            c if depth == 0 && !c.is_whitespace() => plain.push(c),
            _ => {}
        }
    }
    let parts = plain.split("::").filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

fn function(file: &str, text: &str, node: Node<'_>, owner: Option<String>) -> Function {
    let parameters = node
        .child_by_field_name("parameters")
        .map_or(Vec::new(), children);
    let is_self =
        |of: &Node<'_>| of.kind() == "self_parameter" || part(text, *of).starts_with("self:");
    let own = parameters.iter().filter(|of| is_self(of)).count();
    Function {
        file: file.to_owned(),
        line: node.start_position().row + 1,
        owner,
        name: node
            .child_by_field_name("name")
            .map_or(String::new(), |name| part(text, name).to_owned()),
        takes_self: own > 0,
        parameters: parameters
            .iter()
            .filter(|of| of.kind() != "attribute_item")
            .count()
            - own,
        gives: node
            .child_by_field_name("return_type")
            .map(|of| part(text, of).to_owned()),
        is_constant: node.kind() != "function_item",
        calls: body::calls(text, node),
        text: part(text, node).to_owned(),
    }
}
