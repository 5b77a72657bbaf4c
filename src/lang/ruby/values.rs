//! Parameters and variables of Ruby, and what its expressions say of values.

use crate::syntax::prelude::*;

const FUNCTIONS: &[&str] = &["method", "singleton_method"];

/// What has variables of its own besides methods.
const BLOCKS: &[&str] = &["block", "do_block", "lambda"];

const CLASSES: &[&str] = &["class", "module", "singleton_class"];

/// What an expression says of its own value.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string integer float array hash simple_symbol true false regex string_array symbol_array
     lambda range heredoc_beginning chained_string delimited_symbol"
);

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    for left in (0..steps).rev() {
        match node.kind() {
            "identifier" | "instance_variable" | "class_variable" | "global_variable"
            | "constant" => return Some(Hint::value(node)),
            "scope_resolution" => {
                return Some(Hint::value(node.field("name")?));
            }
            "self" => return Some(Hint::THIS),
            "parenthesized_statements" if node.named_child_count() == 1 => {
                node = node.named_child(0)?;
            }
            "assignment" | "operator_assignment" => node = node.field("right")?,
            "binary" => {
                if node.field("operator")?.kind() != "||" {
                    return None;
                }
                // `a || A.new`: what is made says more than what was there.
                let right = value(walk, node.field("right")?, left);
                if right.is_some_and(|right| right.kind == HintKind::Result) {
                    return right;
                }
                node = node.field("left")?;
            }
            "call" => {
                let method = node.field("method")?;
                let receiver = node.field("receiver");
                match (walk.text(method), receiver) {
                    (b"new", Some(class)) if class.kind() == "constant" => {
                        return Some(Hint::result(class));
                    }
                    (b"new", Some(class)) if class.kind() == "scope_resolution" => {
                        let name = class.field("name")?;
                        return Some(Hint::result(name));
                    }
                    // These give back what they are called on.
                    (b"freeze" | b"dup" | b"clone" | b"tap" | b"itself", Some(object)) => {
                        node = object;
                    }
                    _ if matches!(method.kind(), "identifier" | "constant") => {
                        return Some(Hint::result(method));
                    }
                    _ => return None,
                }
            }
            "element_reference" => {
                return value(walk, node.field("object")?, left)?.element();
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        }
    }
    None
}

/// What the last statement of a method gives back, when it tells.
pub(super) fn returned(walk: &Walk<'_>, method: Node<'_>) -> Option<Hint> {
    let body = method.field("body")?;
    let mut last = body;
    if body.kind() == "body_statement" {
        last = body.last_named()?;
    }
    // A variable or a call of no more than a name says nothing.
    hint(walk, last)
        .filter(|found| found.kind != HintKind::Value || !found.is_name_of(last, "identifier"))
}

/// Notes a variable: of the class for `@a`, else of the method or block around it. Bindings of a
/// method hold for all of it; one that follows another holds from where it stands.
fn bind<'t>(walk: &mut Walk<'t>, frame: &Frame<'t>, name: Node<'t>, hint: Option<Hint>) {
    let kinds = match name.kind() {
        "instance_variable" | "class_variable" => CLASSES,
        "identifier" => FUNCTIONS,
        _ => return,
    };
    let (id, _) = walk.names.intern(walk.text(name));
    let owner = match name.kind() {
        "identifier" => frame.symbol,
        // One variable for every method of the class.
        _ => walk.enclosing(CLASSES).and_then(|class| class.symbol),
    };
    let mut scope = walk.scope_within(kinds);
    if !walk.bound.insert((owner, id)) {
        if name.kind() != "identifier" {
            return;
        }
        scope.start = name.start_position();
    }
    walk.local(name, scope, hint);
}

/// The names that the left side of an assignment binds.
pub(super) fn assigned<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(left) = node.field("left") else {
        return;
    };
    let hint = node.field("right").and_then(|right| hint(walk, right));
    if left.kind() != "left_assignment_list" {
        bind(walk, frame, left, hint);
        return;
    }
    let mut pending = vec![left];
    while let Some(list) = pending.pop() {
        for part in list.named() {
            match part.kind() {
                "destructured_left_assignment" | "rest_assignment" => pending.push(part),
                _ => bind(walk, frame, part, None),
            }
        }
    }
}

/// Parameters of methods, blocks and lambdas.
pub(super) fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let kinds = match node.kind() {
        "method_parameters" => FUNCTIONS,
        _ => BLOCKS,
    };
    let scope = walk.scope_within(kinds);
    let mut pending = vec![node];
    while let Some(list) = pending.pop() {
        for part in list.named() {
            if part.kind() == "destructured_parameter" {
                pending.push(part);
                continue;
            }
            let name = match part.kind() {
                "identifier" => Some(part),
                _ => part.field("name"),
            };
            let Some(name) = name else { continue };
            let value = part.field("value");
            let hint = value.and_then(|value| hint(walk, value));
            walk.first_bound(frame.symbol, walk.text(name));
            walk.local(name, scope.clone(), hint);
        }
    }
}

pub(super) fn rescued<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let name = node
        .field("variable")
        .and_then(|variable| variable.named_child(0));
    if let Some(name) = name {
        let only = node
            .field("exceptions")
            .filter(|types| types.named_child_count() == 1)
            .and_then(|types| types.named_child(0));
        let class = match only {
            Some(path) if path.kind() == "scope_resolution" => path.field("name"),
            other => other.filter(|class| class.kind() == "constant"),
        };
        let hint = class.map(|class| Hint::instance(class));
        bind(walk, frame, name, hint);
    }
}

/// `in [a, b]`.
pub(super) fn matched<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    for name in node.all_of("identifier") {
        bind(walk, frame, name, None);
    }
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
