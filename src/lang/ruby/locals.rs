//! Variables and parameters of Ruby, and where each can be seen.
//!
//! A method sees nothing of what is around it, a block all of it: what a block binds first is its own, what is bound
//! around it is bound again. Blocks that declare tests are blocks.

use super::{calls, values};
use crate::syntax::prelude::*;

const FUNCTIONS: &[&str] = &["method", "singleton_method"];

/// What has variables of its own besides methods.
const BLOCKS: &[&str] = &["block", "do_block", "lambda"];

const CLASSES: &[&str] = &["class", "module", "singleton_class"];

/// Definitions of a class among which the accessors of a variable are looked for.
const MAX_ACCESSORS: usize = 256;

/// Tells names that a block binds from those that a symbol does.
const RESERVED: u32 = 1 << 31;

/// Where a variable or parameter stands: its block, its method or class, or the file.
fn key(scope: Node<'_>) -> Option<u32> {
    Some(scope.start_byte() as u32 | RESERVED)
}

/// Notes that a name of a scope has more than one value.
const AGAIN: u32 = 1 << 30;

/// As [`key`], of what may be something else than it was bound to first.
fn again(scope: Node<'_>) -> Option<u32> {
    key(scope).map(|key| key | AGAIN)
}

/// Notes a variable: of the object for `@a`, else of the block or method around it.
fn bind<'t>(walk: &mut Walk<'t>, frame: &Frame<'t>, name: Node<'t>, hint: Option<Hint>) {
    match name.kind_name() {
        "identifier" => {}
        "instance_variable" | "class_variable" => return bind_member(walk, name, hint),
        _ => return,
    }
    let (id, _) = walk.names.intern(walk.text(name));
    walk.bound.insert((frame.symbol, id));
    let (mut own, mut known) = (None, None);
    for around in walk.stack.iter().rev() {
        let kind = around.node.kind_name();
        let is_block = BLOCKS.contains(&kind);
        if !is_block && !FUNCTIONS.contains(&kind) && !CLASSES.contains(&kind) {
            continue;
        }
        own = own.or(Some(around.node));
        if walk.bound.contains(&(key(around.node), id)) {
            known = Some(around.node);
        }
        if !is_block || known.is_some() {
            break;
        }
    }
    let file = walk.stack.first().map(|frame| frame.node);
    let Some(holder) = known.or(own).or(file) else {
        return;
    };
    let mut scope = holder.span();
    // What is bound first holds for all of it, what follows from where it stands.
    if !walk.bound.insert((key(holder), id)) {
        scope.start = name.start_position();
        walk.bound.insert((again(holder), id));
    }
    walk.local(name, scope, hint);
}

/// Notes a variable of an object, or of a class. All methods of the class see it, all tests of the group; who gives it
/// another value means that one from there on.
fn bind_member<'t>(walk: &mut Walk<'t>, name: Node<'t>, hint: Option<Hint>) {
    let Some(found) = hint else { return };
    let (id, _) = walk.names.intern(walk.text(name));
    let mut own = None;
    let mut class = None;
    for (at, around) in walk.stack.iter().enumerate().rev() {
        let kind = around.node.kind_name();
        let call = at.checked_sub(1).map(|at| walk.stack[at].node);
        let holds = match BLOCKS.contains(&kind) {
            true => call.is_some_and(|call| calls::has_members(walk, call)),
            false => CLASSES.contains(&kind),
        };
        if holds {
            class = Some((around.node, around.symbol));
            break;
        }
        if BLOCKS.contains(&kind) || FUNCTIONS.contains(&kind) {
            own = own.or(Some(around.node));
        }
    }
    let file = walk.stack.first().map(|frame| (frame.node, None));
    let Some((holder, symbol)) = class.or(file) else {
        return;
    };
    if walk.bound.insert((key(holder), id)) {
        walk.local(name, holder.span(), hint);
        let accessor = walk.text(name).strip_prefix(b"@").unwrap_or(b"");
        let first = symbol.map_or(0, |class| class + 1);
        let behind = walk.symbols.get(first as usize..).unwrap_or_default();
        let of_class = behind.iter().zip(first..).take(MAX_ACCESSORS);
        let mut of_class = of_class.filter(|(found, _)| {
            found.kind == SymbolKind::Field
                && found.container == symbol
                && walk.names.get(found.name) == accessor
        });
        let known = of_class.next().map(|(_, at)| at);
        let name = walk.names.intern(accessor).0;
        match known {
            Some(known) => walk.value(known, found),
            // In a method of the object it is a variable of that.
            None if own.is_none_or(|own| own.kind_name() == "singleton_method") => {
                walk.awaited.insert((symbol, name), found);
            }
            None => {}
        }
    } else if let Some(own) = own {
        walk.local(name, name.start_position()..own.end_position(), hint);
    }
}

/// Whether `new` alone makes an object where the walk is: it is no variable there, and no method of the object.
pub(super) fn makes(walk: &Walk<'_>) -> bool {
    let name = walk.names.find(b"new");
    let is_bound = |frame: &Frame<'_>| {
        // The body of a class begins where its first method does.
        let kind = frame.node.kind_name();
        let holds = BLOCKS.contains(&kind) || FUNCTIONS.contains(&kind);
        name.is_some_and(|name| {
            walk.bound.contains(&(frame.symbol, name))
                || holds && walk.bound.contains(&(key(frame.node), name))
        })
    };
    let around = walk.enclosing(&["method", "singleton_method", "singleton_class", "class"]);
    let is_own = match around.map(|around| around.node) {
        Some(method) if method.kind_name() == "method" => {
            let class = walk.enclosing(CLASSES);
            class.is_some_and(|class| class.node.kind_name() == "singleton_class")
        }
        _ => true,
    };
    is_own && !walk.stack.iter().any(is_bound)
}

/// Whether a name is a variable where the walk is, which was given one value so far and is no parameter.
pub(super) fn is_of_one_value(walk: &Walk<'_>, name: Node<'_>) -> bool {
    let Some(name) = walk.names.find(walk.text(name)) else {
        return false;
    };
    let mut scopes = walk.stack.iter().rev().map(|frame| frame.node);
    let holder = scopes.find(|node| {
        let kind = node.kind_name();
        let ends = FUNCTIONS.contains(&kind) || CLASSES.contains(&kind) || kind == "program";
        ends || BLOCKS.contains(&kind) && walk.bound.contains(&(key(*node), name))
    });
    holder.is_some_and(|holder| {
        walk.bound.contains(&(key(holder), name)) && !walk.bound.contains(&(again(holder), name))
    })
}

/// The names that the left side of an assignment binds.
pub(super) fn assigned<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(left) = node.field("left") else {
        return;
    };
    let hint = node
        .field("right")
        .and_then(|right| values::hint(walk, right));
    if left.kind_name() != "left_assignment_list" {
        bind(walk, frame, left, hint);
        return;
    }
    // `a, b = A.new, B.new`.
    let given = node.field_of("right", "right_assignment_list");
    let given: Vec<Node<'t>> = given.map_or_else(Vec::new, NodeExt::content);
    let taken = left.content();
    // Behind `*a` places are not what they seem.
    let is_plain = taken
        .iter()
        .all(|part| part.kind_name() != "rest_assignment")
        && given
            .iter()
            .all(|part| part.kind_name() != "splat_argument");
    let mut pending = vec![left];
    while let Some(list) = pending.pop() {
        let is_outer = list == left && is_plain && taken.len() == given.len();
        for (part, at) in list.content().into_iter().zip(0..) {
            let value = given.get(at).filter(|_| is_outer);
            match part.kind_name() {
                "destructured_left_assignment" | "rest_assignment" => pending.push(part),
                _ => {
                    let hint = value.and_then(|value| values::hint(walk, *value));
                    bind(walk, frame, part, hint);
                }
            }
        }
    }
}

/// Parameters of methods, blocks and lambdas.
pub(super) fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let kinds = match node.kind_name() {
        "method_parameters" => FUNCTIONS,
        _ => BLOCKS,
    };
    let scope = walk.scope_within(kinds);
    let holder = walk.enclosing(kinds).and_then(|around| key(around.node));
    // A block is given what the method yields that it is handed to.
    let called = match (node.kind_name(), walk.above(1)) {
        ("block_parameters", Some(call)) => call.field("method"),
        _ => None,
    };
    let given = called.and_then(|called| Hint::argument(called, 0));
    let first = node
        .named_child(0)
        .filter(|first| first.kind_name() == "identifier");
    let mut pending = vec![node];
    while let Some(list) = pending.pop() {
        for part in list.named() {
            if part.kind_name() == "destructured_parameter" {
                pending.push(part);
                continue;
            }
            let name = match part.kind_name() {
                "identifier" => Some(part),
                _ => part.field("name"),
            };
            let Some(name) = name else { continue };
            let value = part.field("value");
            let hint = value.and_then(|value| values::hint(walk, value));
            let hint = hint.or(given.filter(|_| first == Some(part)));
            let (id, _) = walk.names.intern(walk.text(name));
            walk.bound.insert((frame.symbol, id));
            walk.bound.insert((holder, id));
            walk.bound.insert((holder.map(|key| key | AGAIN), id));
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
            Some(path) if path.kind_name() == "scope_resolution" => path.field("name"),
            other => other.filter(|class| class.kind_name() == "constant"),
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

/// Drops the innermost of some symbols that have ended at a place.
fn close(open: &mut Vec<u32>, walk: &Walk<'_>, place: (u32, u32)) {
    while let Some(last) = open.last()
        && let Some(symbol) = walk.symbols.get(*last as usize)
        && (symbol.end_line, symbol.end_col) <= place
    {
        open.pop();
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
            // Who has ended before another begins would lie below it for good.
            close(&mut open, walk, (symbol.start_line, symbol.start_col));
            open.push(next as u32);
            next += 1;
        }
        close(&mut open, walk, place);
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
