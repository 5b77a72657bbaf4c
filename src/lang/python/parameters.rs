//! Parameters of Python functions, lambdas and generic definitions.

use super::bindings::targets;
use super::decorators::{decorators, is_fixture};
use super::values::{element, hint, is_own, type_hint};
use crate::syntax::prelude::*;

/// The parameters of a function or lambda.
pub(super) fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(function) = walk.above(0) else {
        return;
    };
    let own = function.kind_name() == "function_definition";
    let end = function.end_position();
    for (i, child) in node.named().enumerate() {
        let splat = |node: Node<'_>| node.kind_name().ends_with("splat_pattern");
        let (target, known) = match child.kind_name() {
            "typed_parameter" => {
                let target = child.named_child(0);
                let known = child
                    .field("type")
                    .and_then(|annotation| type_hint(walk, annotation));
                let known = known.map(|mut known| {
                    if target.is_some_and(splat) && known.kind == HintKind::Type {
                        known.kind = HintKind::Elements;
                    }
                    known
                });
                (target, known)
            }
            "default_parameter" | "typed_default_parameter" => {
                let annotation = child.field("type");
                let known = match annotation {
                    Some(annotation) => type_hint(walk, annotation),
                    None => child.field("value").and_then(|value| hint(walk, value)),
                };
                (child.field("name"), known)
            }
            kind => {
                let known = if kind.ends_with("splat_pattern") {
                    Some(Hint::LITERAL)
                } else if i == 0 && own && is_method(walk, frame) {
                    Some(Hint::THIS)
                } else if own && kind == "identifier" && is_injected(walk, child) {
                    // What a function of its own name gives.
                    Some(Hint::result(child))
                } else if !own && i == 0 {
                    handed_over(walk)
                } else {
                    None
                };
                (Some(child), known)
            }
        };
        let Some(target) = target else { continue };
        for (name, _) in targets(walk, target, None) {
            if own {
                walk.first_bound(frame.symbol, walk.text(name));
            }
            walk.local(name, name.start_position()..end, known);
        }
    }
}

/// What the function that is entered is handed, which has no name: `sorted(users, key=lambda user: ...)`, `map(lambda user:
/// ..., users)`, `users.sort(key=lambda user: ...)`.
fn handed_over(walk: &Walk<'_>) -> Option<Hint> {
    let is_key = walk.kind_above(1) == "keyword_argument";
    let up = 1 + usize::from(is_key);
    let (arguments, call) = (walk.above(up)?, walk.above(up + 1)?);
    if arguments.kind_name() != "argument_list" || call.kind_name() != "call" {
        return None;
    }
    let function = call.field("function")?;
    if is_own(walk, function) {
        return None;
    }
    let over = match (walk.text(function), is_key) {
        (b"sorted" | b"min" | b"max" | b"groupby" | b"itertools.groupby", true) => {
            arguments.named_child(0)?
        }
        (b"map" | b"filter" | b"any" | b"all", false) => arguments.named_child(1)?,
        _ if is_key && walk.text_of(function.field("attribute")) == b"sort" => {
            function.field("object")?
        }
        _ => return None,
    };
    element(walk, over)
}

/// Whether a parameter of the function that is entered is given by whoever runs the tests: what the fixture of
/// its name gives, but for what a decorator names (`parametrize`).
fn is_injected(walk: &Walk<'_>, parameter: Node<'_>) -> bool {
    let Some(function) = walk.above(0) else {
        return false;
    };
    let name = function.field("name").map(|name| walk.text(name));
    let is_test = name.is_some_and(|name| name.starts_with(b"test_"));
    let decorators = decorators(walk, 1);
    let named = memchr::memmem::find(decorators, walk.text(parameter)).is_some();
    (is_test && !named) || is_fixture(decorators)
}

/// Whether the function whose parameters are entered is bound to an object or class.
fn is_method(walk: &Walk<'_>, frame: &Frame<'_>) -> bool {
    let method = frame.symbol.is_some_and(|symbol| {
        matches!(
            walk.symbols[symbol as usize].kind,
            SymbolKind::Method | SymbolKind::Constructor
        )
    });
    let decorated = walk
        .ancestor(1)
        .filter(|above| above.node.kind_name() == "decorated_definition");
    method
        && decorated.is_none_or(|decorated| {
            !decorated
                .node
                .named()
                .any(|child| walk.text(child) == b"@staticmethod")
        })
}

/// `def f[T: Bound]`, `class C[T]`, `type P[T]`: `T` is a name of its own there.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let kind = |up| walk.kind_above(up);
    let holder = match kind(0) {
        "function_definition" | "class_definition" => walk.ancestor(0),
        "generic_type" if kind(2) == "type_alias_statement" => walk.ancestor(2).filter(|alias| {
            alias
                .node
                .field("left")
                .is_some_and(|left| left.end_byte() >= node.end_byte())
        }),
        _ => None,
    };
    let Some(holder) = holder.map(|holder| holder.node) else {
        return;
    };
    for child in node.named() {
        let Some(inner) = child.named_child(0) else {
            continue;
        };
        let (name, bound) = match inner.kind_name() {
            "constrained_type" => (
                inner.named_child(0).and_then(|of| of.named_child(0)),
                inner.named_child(1),
            ),
            "splat_type" => (inner.named_child(0), None),
            _ => (Some(inner), None),
        };
        if let Some(name) = name.filter(|name| name.kind_name() == "identifier") {
            let known = bound.and_then(|bound| type_hint(walk, bound));
            walk.local(name, holder.span(), known);
        }
    }
}
