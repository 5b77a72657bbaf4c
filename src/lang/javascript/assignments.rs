//! Members that are assigned to objects, prototypes and `exports` one by one, or handed to them by
//! a call.

use super::bindings::{assigned, first_member, forget_told};
use super::functions::{claim, is_function, value_kind};
use super::modules::{
    claim_require, declared_with, export_object, export_value, require_into_existing, required,
};
use super::values::{hint, in_own_function, returned};
use super::{statement, unquote};
use crate::syntax::prelude::*;

/// `exports.x = ...`, `module.exports = ...`, `A.prototype.m = function`, `A.prototype = {...}`,
/// `app.use = function`, `this.x = ...` in a constructor.
pub(super) fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
        return;
    };
    if left.kind_name() == "identifier" {
        if require_into_existing(walk, left, right, frame) {
            frame.role = OccurrenceKind::Import;
        } else {
            assigned(walk, left, right, frame);
        }
        return;
    }
    if left.kind_name() != "member_expression" {
        if frame.scope == Scope::Function {
            forget_told(walk, left, right.end_position());
        }
        return;
    }
    let (Some(object), Some(property)) = (left.field("object"), left.field("property")) else {
        return;
    };
    let owner = walk.text(object);
    if owner == b"module" && walk.text(property) == b"exports" {
        if let Some(local) = declared_with(walk) {
            let binding = walk.binding(None, Some(local));
            walk.import(ImportKind::Export, node, b"", vec![binding]);
            frame.exported = true;
            return;
        }
        export_value(walk, right, None, property, node, frame);
    } else if owner == b"exports" || owner == b"module.exports" {
        export(walk, node, property, right, frame);
    } else if owner == b"this" {
        own_member(walk, node, property, right, frame);
    } else if frame.scope != Scope::Function || puts_on_prototype(owner, right) {
        member_of(walk, node, owner, property, right, frame);
    }
}

/// Whether a function becomes a method of a class, which may well stand in a function, as those of CoffeeScript
/// do, or be given to one.
fn puts_on_prototype(owner: &[u8], right: Node<'_>) -> bool {
    owner.ends_with(b".prototype") && is_function(last_value(right))
}

/// The value of `a = b = value`.
fn last_value(mut value: Node<'_>) -> Node<'_> {
    while value.kind_name() == "assignment_expression" {
        match value.field("right") {
            Some(right) => value = right,
            None => break,
        }
    }
    value
}

/// `exports.x = value`.
fn export<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    property: Node<'t>,
    right: Node<'t>,
    frame: &mut Frame<'t>,
) {
    let name = walk.text(property);
    let value = last_value(right);
    let bound = value_kind(Some(value));
    if let Some((specifier, imported)) = required(walk, right) {
        let binding = walk.binding(imported, Some(name));
        walk.import(ImportKind::Reexport, node, specifier, vec![binding]);
        claim_require(walk, right);
    } else if let Some(local) = declared_with(walk) {
        let binding = walk.binding(Some(name), Some(local));
        walk.import(ImportKind::Export, node, b"", vec![binding]);
    } else if value.kind_name() == "identifier" {
        // `exports.x = undefined` comes before the value in compiled modules.
        if walk.text(value) != b"undefined" {
            let binding = walk.binding(Some(name), Some(walk.text(value)));
            walk.import(ImportKind::Export, node, b"", vec![binding]);
        }
    } else if (bound.is_some() || frame.scope != Scope::Function) && !is_void(walk, value) {
        let mut draft = Draft::new(
            bound.unwrap_or(SymbolKind::Constant),
            property,
            statement(walk, node),
        );
        draft.set(SymbolFlags::EXPORTED);
        if value != right {
            draft.value(known(walk, value));
            walk.record(&draft, frame);
            return;
        }
        if bound.is_some() {
            claim(walk, &mut draft, value);
        } else {
            draft.value(hint(walk, value));
        }
        walk.define(draft, frame);
    }
}

/// `void 0`, as compilers write `undefined`.
fn is_void(walk: &Walk<'_>, node: Node<'_>) -> bool {
    node.kind_name() == "undefined" || walk.text(node) == b"void 0"
}

/// What a function returns, or what another value is.
fn known(walk: &Walk<'_>, value: Node<'_>) -> Option<crate::syntax::hints::Hint> {
    if is_function(value) {
        returned(walk, value)
    } else {
        hint(walk, value)
    }
}

/// `this.x = ...` in the constructor of a class or in a function that is one: a field, or a method
/// when it is a function.
fn own_member<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    property: Node<'t>,
    right: Node<'t>,
    frame: &mut Frame<'t>,
) {
    let Some(symbol) = frame.symbol else { return };
    let function = &walk.symbols[symbol as usize];
    let (kind, container, name) = (function.kind, function.container, function.name);
    let is_capital = || {
        let name = walk.names.get(name).iter();
        name.into_iter()
            .find(|b| **b != b'_' && **b != b'$')
            .is_some_and(u8::is_ascii_uppercase)
    };
    let class = container.filter(|class| walk.symbols[*class as usize].kind == SymbolKind::Class);
    // `lib.Reader = function () { this.read = ... }`
    let is_put = kind == SymbolKind::Method && class.is_none() && is_capital();
    let constructs = match kind {
        SymbolKind::Constructor => true,
        SymbolKind::Function => is_capital(),
        _ => is_put,
    };
    let bound = value_kind(Some(last_value(right)));
    let own = in_own_function(walk, symbol, true);
    let owner = match kind {
        _ if is_put => Some(symbol),
        SymbolKind::Constructor | SymbolKind::Method => class,
        SymbolKind::Function => Some(symbol),
        _ => None,
    };
    let Some(owner) = owner.filter(|_| own && (constructs || bound.is_some())) else {
        return;
    };
    if !first_member(walk, owner, walk.text(property)) {
        return;
    }
    let kind = match bound {
        Some(SymbolKind::Function) => SymbolKind::Method,
        Some(kind) => kind,
        None => SymbolKind::Field,
    };
    let mut draft = Draft::new(kind, property, statement(walk, node));
    draft.container = Some(owner);
    if bound.is_some() && !matches!(right.kind_name(), "assignment_expression") {
        claim(walk, &mut draft, right);
        walk.define(draft, frame);
    } else {
        draft.value(known(walk, last_value(right)));
        walk.record(&draft, frame);
    }
}

/// `owner.property = right` outside of functions.
fn member_of<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    owner: &'t [u8],
    property: Node<'t>,
    right: Node<'t>,
    frame: &mut Frame<'t>,
) {
    let on_prototype = owner.strip_suffix(b".prototype");
    let owner = on_prototype.unwrap_or(owner);
    if !owner.iter().all(is_path_byte) {
        return;
    }
    let found = walk.owner(owner, |_| true);
    let name = walk.text(property);
    if name == b"prototype" {
        // `A.prototype = {...}`: what the object holds are members of `A`.
        if let Some(found) = found.filter(|_| right.kind_name() == "object") {
            enter_owner(walk, frame, found);
        }
        return;
    }
    let value = last_value(right);
    let bound = value_kind(Some(value));
    let holds_members = found.is_some_and(|found| {
        matches!(
            walk.symbols[found as usize].kind,
            SymbolKind::Function | SymbolKind::Class
        )
    });
    let mut kind = match bound {
        Some(SymbolKind::Function) => SymbolKind::Method,
        Some(kind) => kind,
        None => SymbolKind::Field,
    };
    if bound.is_none() {
        let given = (value.kind_name() == "identifier")
            .then(|| walk.owner(walk.text(value), |_| true))
            .flatten();
        let function =
            given.is_some_and(|given| walk.symbols[given as usize].kind == SymbolKind::Function);
        if function {
            kind = SymbolKind::Method;
        }
        // Of what is assigned to other objects only functions are sure to be members for others.
        let Some(found) = found.filter(|_| holds_members || function) else {
            return;
        };
        if !first_member(walk, found, name) {
            return;
        }
    }
    let mut draft = Draft::new(kind, property, statement(walk, node));
    match found {
        Some(found) => {
            draft.container = Some(found);
            draft.flags.0 |= walk.symbols[found as usize].flags.0 & SymbolFlags::EXPORTED.0;
        }
        None => draft.receiver = Some(owner),
    }
    if bound.is_some() && value == right {
        claim(walk, &mut draft, right);
        walk.define(draft, frame);
    } else {
        draft.value(known(walk, value));
        if value.kind_name() == "object" && value == right {
            walk.define(draft, frame);
        } else {
            walk.record(&draft, frame);
        }
    }
}

fn is_path_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// Makes what stands below `frame` members of a symbol.
fn enter_owner(walk: &Walk<'_>, frame: &mut Frame<'_>, owner: u32) {
    frame.symbol = Some(owner);
    frame.exported = walk.symbols[owner as usize]
        .flags
        .contains(SymbolFlags::EXPORTED);
}

/// `Object.assign(target, {...})`, `Object.defineProperty(target, "name", {...})` and `__exportStar`.
pub(super) fn members_by_call<'t>(walk: &mut Walk<'t>, call: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope == Scope::Function {
        return;
    }
    let (Some(function), Some(arguments)) = (call.field("function"), call.field("arguments"))
    else {
        return;
    };
    let function = walk.text(function);
    if function == b"Object.defineProperty" {
        define_property(walk, call, arguments, frame);
        return;
    }
    let star = function.ends_with(b"__exportStar");
    let assigns = [&b"Object.assign"[..], b"extend", b"mixin"]
        .iter()
        .any(|name| function.ends_with(name));
    // `defineGetter(req, "path", function path() { ... })`
    let defines = function.starts_with(b"define") && function.len() > b"define".len();
    if !star && !assigns && !defines {
        return;
    }
    let Some(target) = arguments.named_child(0) else {
        return;
    };
    if star {
        reexport_all(walk, target);
        return;
    }
    let text = walk.text(target);
    if matches!(text, b"exports" | b"module.exports") {
        frame.exported = true;
        for value in arguments.named().skip(1) {
            if value.kind_name() == "object" {
                export_object(walk, value, value);
            } else {
                reexport_all(walk, value);
            }
        }
        return;
    }
    let owner = text.strip_suffix(b".prototype").unwrap_or(text);
    if owner.iter().all(is_path_byte)
        && let Some(found) = walk.owner(owner, |_| true)
    {
        enter_owner(walk, frame, found);
    }
}

/// `require("./x")`, all of which is given out.
pub(super) fn reexport_all<'t>(walk: &mut Walk<'t>, value: Node<'t>) {
    if let Some((specifier, None)) = required(walk, value) {
        let binding = walk.binding(None, None);
        walk.import(ImportKind::Reexport, value, specifier, vec![binding]);
        claim_require(walk, value);
    }
}

/// `Object.defineProperty(target, "name", { get() { ... } })`.
fn define_property<'t>(
    walk: &mut Walk<'t>,
    call: Node<'t>,
    arguments: Node<'t>,
    frame: &mut Frame<'t>,
) {
    let (Some(target), Some(name)) = (arguments.named_child(0), arguments.named_child(1)) else {
        return;
    };
    if name.kind_name() != "string" || string_content(walk.text(name)) == b"__esModule" {
        return;
    }
    let text = walk.text(target);
    let exported = matches!(text, b"exports" | b"module.exports");
    let owner = text.strip_suffix(b".prototype").unwrap_or(text);
    let owner = if exported {
        None
    } else {
        match walk.owner(owner, |_| true) {
            Some(owner) => Some(owner),
            None => return,
        }
    };
    let mut kind = if exported {
        SymbolKind::Constant
    } else {
        SymbolKind::Field
    };
    let mut known = None;
    if let Some(descriptor) = arguments
        .named_child(2)
        .filter(|it| it.kind_name() == "object")
    {
        for part in descriptor.named() {
            let (key, value) = match part.kind_name() {
                "pair" => (part.field("key"), part.field("value")),
                "method_definition" => (part.field("name"), Some(part)),
                _ => continue,
            };
            let (Some(key), Some(value)) = (key, value) else {
                continue;
            };
            let function = is_function(value) || part.kind_name() == "method_definition";
            match walk.text(key) {
                b"value" if function => {
                    kind = if exported {
                        SymbolKind::Function
                    } else {
                        SymbolKind::Method
                    };
                    known = returned(walk, value);
                }
                b"value" => known = hint(walk, value),
                b"get" => known = returned(walk, value),
                _ => {}
            }
            if function {
                // The accessor is part of the property, no member of its own.
                walk.claim(part.start_byte());
            }
        }
    }
    let mut draft = Draft::new(kind, name, statement(walk, call));
    unquote(walk, &mut draft);
    draft.container = owner;
    draft.value(known);
    let visible = match owner {
        Some(owner) => walk.symbols[owner as usize]
            .flags
            .contains(SymbolFlags::EXPORTED),
        None => true,
    };
    draft.set_if(SymbolFlags::EXPORTED, visible);
    walk.define(draft, frame);
}
