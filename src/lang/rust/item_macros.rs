//! Items in the arguments of Rust macros: `cfg_rt! { pub fn spawn() {} }`.
//!
//! To the grammar a macro's argument is a stream of tokens. Where an item may stand, an argument in
//! braces is mostly items all the same, so it is parsed again as those.
//!
//! Guarantees: positions in the trees are those of the file, as the whole file is the input and only
//! the range that is read differs. Each range is parsed within the budget its own bytes grant, and
//! no byte is parsed more than [`MAX_DEPTH`] times on top of the first. Deliberately absent:
//! expansion, and arguments in function bodies, where they are mostly expressions.

use crate::syntax::node::NodeExt;
use crate::syntax::parse;
use crate::syntax::rows::Tables;
use crate::syntax::walk::InnerTrees;
use tree_sitter::{Node, Range, Tree};

/// How deep macros in macros are followed.
const MAX_DEPTH: u32 = 4;

/// Most arguments of one file that are parsed, since each is granted a budget of its own however
/// short it is.
const MAX_ARGUMENTS: usize = 512;

/// Parses every macro argument of a Rust file that consists of items.
pub(super) fn parse(bytes: &[u8], tree: &Tree, tables: &Tables) -> InnerTrees {
    let mut trees = InnerTrees::default();
    let mut queue = Vec::new();
    arguments(tree.root_node(), 1, &mut queue);
    let mut next = 0;
    while let Some((range, depth)) = queue.get(next).copied() {
        next += 1;
        if next > MAX_ARGUMENTS {
            break;
        }
        let inside = inside(range);
        let Some(tree) = parse::parse_range(bytes, tables, inside) else {
            continue;
        };
        if !is_items(tree.root_node()) {
            continue;
        }
        if depth < MAX_DEPTH {
            arguments(tree.root_node(), depth + 1, &mut queue);
        }
        trees.insert(range.start_byte, tree);
    }
    trees
}

/// What stands between the braces that are the first and the last byte of a range.
fn inside(mut range: Range) -> Range {
    range.start_byte += 1;
    range.start_point.column += 1;
    range.end_byte -= 1;
    range.end_point.column -= 1;
    range
}

/// Finds the token trees in braces of macros called where items may stand.
fn arguments(root: Node<'_>, depth: u32, found: &mut Vec<(Range, u32)>) {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let children: Vec<_> = node.named().collect();
        for child in children.into_iter().rev() {
            match child.kind_name() {
                "mod_item"
                | "impl_item"
                | "trait_item"
                | "declaration_list"
                | "expression_statement"
                | "ERROR" => open.push(child),
                "macro_invocation" => {
                    let last =
                        child.named_child(child.named_child_count().saturating_sub(1) as u32);
                    let tokens =
                        last.filter(|last| last.kind_name() == "token_tree" && in_braces(*last));
                    found.extend(tokens.map(|tokens| (tokens.range(), depth)));
                }
                _ => {}
            }
        }
    }
}

/// Whether a token tree has both its braces; one the parser made up is empty.
fn in_braces(tokens: Node<'_>) -> bool {
    let is = |at: Option<Node<'_>>, kind| {
        at.is_some_and(|token| token.kind_name() == kind && !token.is_missing())
    };
    let last = tokens.child_count().saturating_sub(1);
    is(tokens.child(0), "{") && is(tokens.child(last), "}")
}

/// Whether items, and what else may stand among them, make up at least half of what is not comment,
/// and one of them is a definition, an import or another macro in braces.
fn is_items(root: Node<'_>) -> bool {
    let (mut items, mut others, mut any) = (0, 0, false);
    for child in root.parts() {
        let kind = child.kind_name();
        let inner = if kind == "expression_statement" {
            child.named_child(0).map_or(kind, |inner| inner.kind_name())
        } else {
            kind
        };
        match inner {
            "line_comment" | "block_comment" => continue,
            "attribute_item" | "inner_attribute_item" | ";" => items += child.byte_range().len(),
            "macro_invocation"
            | "macro_definition"
            | "use_declaration"
            | "associated_type"
            | "extern_crate_declaration"
            | "function_signature_item" => {
                items += child.byte_range().len();
                any = true;
            }
            item if item.ends_with("_item") => {
                items += child.byte_range().len();
                any = true;
            }
            // `pub File { fn open(); }` is a name and a block of items.
            "block" if child.named_child(0).is_some_and(|block| holds_items(block)) => {
                items += child.byte_range().len();
                any = true;
            }
            _ => others += child.byte_range().len(),
        }
    }
    any && items >= others
}

/// Whether there is nothing but functions and comments in a block.
fn holds_items(block: Node<'_>) -> bool {
    let mut children = block.named();
    children.all(|child| {
        let kind = child.kind_name();
        kind.starts_with("function_") || kind == "attribute_item" || kind.ends_with("comment")
    })
}

#[cfg(test)]
mod tests {
    use crate::extract::extract;
    use crate::record::Grammar;

    fn symbols(source: &str) -> usize {
        extract(source.as_bytes(), Grammar::Rust).symbols.len()
    }

    #[test]
    fn what_is_parsed_again_is_bounded() {
        let many = "m! { fn a() {} }\n".repeat(super::MAX_ARGUMENTS + 9);
        assert_eq!(symbols(&many), super::MAX_ARGUMENTS);
        let nested = |deep| format!("{}fn a() {{}}{}", "m! {".repeat(deep), "}".repeat(deep));
        assert_eq!(symbols(&nested(super::MAX_DEPTH as usize)), 1);
        assert_eq!(symbols(&nested(super::MAX_DEPTH as usize + 1)), 0);
    }

    #[test]
    fn a_block_of_functions_is_items() {
        assert_eq!(symbols("m! { pub File { pub fn a(); fn b(&self); } }"), 2);
        assert_eq!(symbols("m! { pub File { let a = 1; } }"), 0);
    }

    #[test]
    fn what_is_mostly_no_items_stays_tokens() {
        let broken = format!("m! {{ fn a() {{}} {} }}\nfn b() {{}}\n", "x y ".repeat(50));
        assert_eq!(symbols(&broken), 1);
    }
}
