//! Parameters and variables of Ruby, and what its expressions say of values.

use crate::record::{Flow, OccurrenceKind, Qualifier};
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::sources::{MAX_STEPS, Source};
use crate::syntax::walk::{Frame, Walk};
use tree_sitter::Node;

const FUNCTIONS: &[&str] = &["method", "singleton_method"];

/// What has variables of its own besides methods.
const BLOCKS: &[&str] = &["block", "do_block", "lambda"];

const CLASSES: &[&str] = &["class", "module", "singleton_class"];

pub(super) fn clue(walk: &Walk<'_>, node: Node<'_>) -> Option<Clue> {
    source(walk, node, MAX_STEPS).map(Source::clue)
}

fn text<'s>(walk: &Walk<'s>, node: Node<'_>) -> &'s [u8] {
    walk.src.get(node.byte_range()).unwrap_or(b"")
}

fn source<'t>(walk: &Walk<'_>, mut node: Node<'t>, steps: usize) -> Option<Source<'t>> {
    for left in (0..steps).rev() {
        match node.kind() {
            "identifier" | "instance_variable" | "class_variable" | "global_variable"
            | "constant" => return Some(Source::Of(Flow::Value, node)),
            "scope_resolution" => {
                return Some(Source::Of(Flow::Value, node.child_by_field_name("name")?));
            }
            "self" => return Some(Source::This),
            "parenthesized_statements" if node.named_child_count() == 1 => {
                node = node.named_child(0)?;
            }
            "assignment" | "operator_assignment" => node = node.child_by_field_name("right")?,
            "binary" => {
                if node.child_by_field_name("operator")?.kind() != "||" {
                    return None;
                }
                // `a || A.new`: what is made says more than what was there.
                let right = source(walk, node.child_by_field_name("right")?, left);
                if let Some(Source::Of(Flow::Result, _)) = right {
                    return right;
                }
                node = node.child_by_field_name("left")?;
            }
            "call" => {
                let method = node.child_by_field_name("method")?;
                let receiver = node.child_by_field_name("receiver");
                match (text(walk, method), receiver) {
                    (b"new", Some(class)) if class.kind() == "constant" => {
                        return Some(Source::Of(Flow::Result, class));
                    }
                    (b"new", Some(class)) if class.kind() == "scope_resolution" => {
                        let name = class.child_by_field_name("name")?;
                        return Some(Source::Of(Flow::Result, name));
                    }
                    // These give back what they are called on.
                    (b"freeze" | b"dup" | b"clone" | b"tap" | b"itself", Some(object)) => {
                        node = object;
                    }
                    _ if matches!(method.kind(), "identifier" | "constant") => {
                        return Some(Source::Of(Flow::Result, method));
                    }
                    _ => return None,
                }
            }
            "element_reference" => {
                return source(walk, node.child_by_field_name("object")?, left)?.element();
            }
            "string" | "integer" | "float" | "array" | "hash" | "simple_symbol" | "true"
            | "false" | "regex" | "string_array" | "symbol_array" | "lambda" | "range"
            | "heredoc_beginning" | "chained_string" | "delimited_symbol" => {
                return Some(Source::Literal);
            }
            _ => return None,
        }
    }
    None
}

/// What the last statement of a method gives back, when it tells.
pub(super) fn returned(walk: &Walk<'_>, method: Node<'_>) -> Option<Clue> {
    let body = method.child_by_field_name("body")?;
    let mut last = body;
    if body.kind() == "body_statement" {
        last = body.named_child(body.named_child_count().checked_sub(1)? as u32)?;
    }
    match source(walk, last, MAX_STEPS)? {
        Source::Of(Flow::Value, name) if name.kind() == "identifier" => None,
        found => Some(found.clue()),
    }
}

/// Notes a variable: of the class for `@a`, else of the method or block around it. Bindings of a
/// method hold for all of it; one that follows another holds from where it stands.
fn bind<'t>(walk: &mut Walk<'t>, frame: &Frame<'t>, name: Node<'t>, clue: Option<Clue>) {
    let kinds = match name.kind() {
        "instance_variable" | "class_variable" => CLASSES,
        "identifier" => FUNCTIONS,
        _ => return,
    };
    let (id, _) = walk.names.intern(walk.text(name));
    let owner = match name.kind() {
        "identifier" => frame.symbol,
        // One variable for every method of the class.
        _ => walk
            .stack
            .iter()
            .rev()
            .find(|above| CLASSES.contains(&above.node.kind()))
            .and_then(|class| class.symbol),
    };
    let mut scope = walk.scope_within(kinds);
    if !walk.bound.insert((owner, id)) {
        if name.kind() != "identifier" {
            return;
        }
        scope.start = name.start_position();
    }
    walk.local(name, scope, clue);
}

/// The names that the left side of an assignment binds.
pub(super) fn assigned<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(left) = node.child_by_field_name("left") else {
        return Visit::Descend;
    };
    let clue = node
        .child_by_field_name("right")
        .and_then(|right| clue(walk, right));
    if left.kind() != "left_assignment_list" {
        bind(walk, frame, left, clue);
        return Visit::Descend;
    }
    let mut pending = vec![left];
    while let Some(list) = pending.pop() {
        let mut cursor = list.walk();
        let parts: Vec<_> = list.named_children(&mut cursor).collect();
        for part in parts {
            match part.kind() {
                "destructured_left_assignment" | "rest_assignment" => pending.push(part),
                _ => bind(walk, frame, part, None),
            }
        }
    }
    Visit::Descend
}

/// Parameters of methods, blocks and lambdas.
pub(super) fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let kinds = match node.kind() {
        "method_parameters" => FUNCTIONS,
        _ => BLOCKS,
    };
    let scope = walk.scope_within(kinds);
    let mut pending = vec![node];
    while let Some(list) = pending.pop() {
        let mut cursor = list.walk();
        let parts: Vec<_> = list.named_children(&mut cursor).collect();
        for part in parts {
            if part.kind() == "destructured_parameter" {
                pending.push(part);
                continue;
            }
            let name = match part.kind() {
                "identifier" => Some(part),
                _ => part.child_by_field_name("name"),
            };
            let Some(name) = name else { continue };
            let value = part.child_by_field_name("value");
            let clue = value.and_then(|value| clue(walk, value));
            let (id, _) = walk.names.intern(walk.text(name));
            walk.bound.insert((frame.symbol, id));
            walk.local(name, scope.clone(), clue);
        }
    }
    Visit::Descend
}

pub(super) fn rescued<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let name = node
        .child_by_field_name("variable")
        .and_then(|variable| variable.named_child(0));
    if let Some(name) = name {
        let only = node
            .child_by_field_name("exceptions")
            .filter(|types| types.named_child_count() == 1)
            .and_then(|types| types.named_child(0));
        let class = match only {
            Some(path) if path.kind() == "scope_resolution" => path.child_by_field_name("name"),
            other => other.filter(|class| class.kind() == "constant"),
        };
        let clue = class.map(|class| Clue::of(Flow::Type, class));
        bind(walk, frame, name, clue);
    }
    Visit::Descend
}

/// `in [a, b]`.
pub(super) fn matched<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let mut cursor = node.walk();
    let names: Vec<_> = node
        .named_children(&mut cursor)
        .filter(|name| name.kind() == "identifier")
        .collect();
    for name in names {
        bind(walk, frame, name, None);
    }
    Visit::Descend
}

/// A lone name that no variable of the method has is a call.
pub(super) fn calls_of_lone_names(walk: &mut Walk<'_>) {
    // Symbols that are open at an occurrence, innermost last.
    let mut open: Vec<u32> = Vec::new();
    let mut next = 0;
    for at in 0..walk.occurrences.len() {
        let found = walk.occurrences[at];
        let place = (found.line, found.col);
        while let Some(symbol) = walk.symbols.get(next)
            && (symbol.start_line, symbol.start_col) <= place
        {
            open.push(next as u32);
            next += 1;
        }
        while let Some(last) = open.last()
            && (
                walk.symbols[*last as usize].end_line,
                walk.symbols[*last as usize].end_col,
            ) <= place
        {
            open.pop();
        }
        if found.kind != OccurrenceKind::Read || found.qualifier != Qualifier::None {
            continue;
        }
        let name = walk.names.get(found.name);
        let word = name
            .first()
            .is_some_and(|first| first.is_ascii_lowercase() || *first == b'_');
        let keyword = matches!(name, b"__FILE__" | b"__method__" | b"private" | b"public");
        // Blocks that declare tests see the variables around them.
        let known = open
            .iter()
            .map(|symbol| Some(*symbol))
            .chain([None])
            .any(|owner| walk.bound.contains(&(owner, found.name)));
        if word && !keyword && !known {
            walk.occurrences[at].kind = OccurrenceKind::Call;
        }
    }
}
