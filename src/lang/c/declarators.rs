//! C and C++: what declarations and function definitions declare.

use super::{locals, specifier_kind, values, widen};
use crate::syntax::prelude::*;

/// What errors make look like names of functions.
const NO_NAMES: &[&[u8]] = byte_words!("catch do else for if return sizeof switch while");

/// What a declarator declares.
pub(super) struct Declared<'w, 'n> {
    pub(super) name: Node<'n>,
    pub(super) receiver: Option<&'w [u8]>,
    pub(super) function: Option<Node<'n>>,
    pub(super) pointer_to_function: bool,
    /// How many dimensions it has.
    pub(super) arrays: usize,
}

/// Follows a declarator inwards to its name. A pointer met inside a function's parentheses makes
/// it a pointer to a function.
pub(super) fn declared<'w, 'n>(walk: &Walk<'w>, mut node: Node<'n>) -> Option<Declared<'w, 'n>> {
    let (mut function, mut pointer_to_function, mut arrays) = (None, false, 0);
    for _ in 0..32 {
        let inner = match node.kind_name() {
            "identifier" | "field_identifier" | "type_identifier" | "destructor_name"
            | "operator_name" | "operator_cast" | "primitive_type" => break,
            "qualified_identifier" | "template_function" | "template_method" => break,
            "function_declarator" => {
                let inner = node.field("declarator");
                match inner.filter(|inner| inner.kind_name() == "function_declarator") {
                    // `API int (open)(void)` with a macro for the type: no function returns one.
                    Some(inner) => {
                        let (name, pointer) = parenthesized(walk, inner)?;
                        return Some(Declared {
                            name,
                            receiver: None,
                            function: Some(node).filter(|_| !pointer),
                            pointer_to_function: pointer,
                            arrays,
                        });
                    }
                    None => {
                        function = Some(node);
                        inner
                    }
                }
            }
            "array_declarator" => {
                arrays += 1;
                node.field("declarator")
            }
            "pointer_declarator" => {
                pointer_to_function |= function.is_some();
                function = None;
                node.field("declarator")
            }
            "parenthesized_declarator" | "reference_declarator" | "attributed_declarator" => {
                if node.kind_name() == "reference_declarator" {
                    function = None;
                }
                (0..node.named_child_count())
                    .filter_map(|i| node.named_child(i as u32))
                    .find(|child| {
                        let kind = child.kind_name();
                        kind.ends_with("declarator")
                            || kind.ends_with("identifier")
                            || kind.ends_with("_name")
                    })
            }
            _ => node.field("declarator"),
        };
        node = inner?;
    }
    let (name, receiver) = unqualified(walk, node);
    let usable = matches!(
        name.kind_name(),
        "identifier"
            | "field_identifier"
            | "type_identifier"
            | "destructor_name"
            | "operator_name"
            | "operator_cast"
    );
    // The grammar knows `ssize_t` as a word of the language; `typedef long ssize_t` names it.
    let is_known_type = || name.kind_name() == "primitive_type" && walk.text(name).ends_with(b"_t");
    let keyword = || NO_NAMES.contains(&walk.text(name));
    ((usable || is_known_type()) && !keyword()).then_some(Declared {
        name,
        receiver,
        function,
        pointer_to_function,
        arrays,
    })
}

/// The name in what looks like parameters: `(open)` or `(*open)`, and whether it is a pointer.
fn parenthesized<'n>(walk: &Walk<'_>, declarator: Node<'n>) -> Option<(Node<'n>, bool)> {
    let list = declarator.field("parameters")?;
    let parameter = (0..list.named_child_count())
        .filter_map(|i| list.named_child(i as u32))
        .find(|child| child.kind_name() == "parameter_declaration")?;
    let name = parameter.field("type")?;
    let inside = walk.text(list).strip_prefix(b"(").unwrap_or(b"");
    let pointer = inside.trim_ascii_start().starts_with(b"*");
    (name.kind_name() == "type_identifier").then_some((name, pointer))
}

/// `int (*hook)(void) API_END;`: the macro makes an error of the declaration, not of what it declares.
pub(super) fn stray_declarator<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let is_error = |up| walk.ancestor(up).is_some_and(|above| above.node.is_error());
    let behind_pointer = || {
        let above = walk.ancestor(0).map(|above| above.node.kind_name());
        above == Some("pointer_declarator") && is_error(1)
    };
    let in_error = is_error(0) || behind_pointer();
    if frame.scope == Scope::Module
        && in_error
        && let Some(found) = declared(walk, node)
        && found.pointer_to_function
    {
        let mut draft = Draft::new(SymbolKind::Variable, found.name, node);
        draft.set(SymbolFlags::EXPORTED);
        draft.value(Some(Hint::LITERAL));
        walk.record(&draft, frame);
    }
}

/// `type (*hook)(void) = NULL;` outside of functions is read as calls.
pub(super) fn called_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope != Scope::Module {
        return;
    }
    let name = || {
        let mut call = node.named_child(0)?;
        if call.kind_name() == "assignment_expression" {
            call = call.field("left")?;
        }
        let inner = call.field("function")?;
        let pointer = inner.field("arguments")?.named_child(0)?;
        let name = pointer.field("argument")?;
        (pointer.kind_name() == "pointer_expression" && name.kind_name() == "identifier")
            .then_some(name)
    };
    if let Some(name) = name() {
        let mut draft = Draft::new(SymbolKind::Variable, name, node);
        draft.set(SymbolFlags::EXPORTED);
        draft.value(Some(Hint::LITERAL));
        walk.record(&draft, frame);
    }
}

/// The `f` of `A::B::f` and the `B` before it, template arguments dropped.
pub(super) fn unqualified<'w, 'n>(
    walk: &Walk<'w>,
    mut node: Node<'n>,
) -> (Node<'n>, Option<&'w [u8]>) {
    let mut receiver = None;
    for _ in 0..32 {
        match node.kind_name() {
            "qualified_identifier" => {
                if let Some(scope) = node.field("scope") {
                    let text = walk.text(scope);
                    receiver = text
                        .split(|b| *b == b'<')
                        .next()
                        .map(<[u8]>::trim_ascii_end);
                }
                match node.field("name") {
                    Some(name) => node = name,
                    None => break,
                }
            }
            "template_function" | "template_method" | "template_type" => match node.field("name") {
                Some(name) => node = name,
                None => break,
            },
            "dependent_name" => match node.named_child(0) {
                Some(name) => node = name,
                None => break,
            },
            _ => break,
        }
    }
    (node, receiver)
}

/// What is declared before a macro that looks like a function: `int size GUARDED_BY(lock);` and
/// `int get() LOCKS_EXCLUDED(lock) { .. }` are errors with the declarator in them.
fn before_macro<'n>(walk: &Walk<'_>, declaration: Node<'n>) -> Option<Node<'n>> {
    let mut node = declaration;
    for _ in 0..8 {
        let mut children = node.named();
        let error = children.find(|child| child.is_error());
        let declarator = node.field("declarator")?;
        let Some(error) = error.filter(|error| error.end_byte() <= declarator.start_byte()) else {
            node = declarator;
            continue;
        };
        let real = error
            .named_child(0)
            .filter(|_| error.named_child_count() == 1)?;
        let usable = matches!(
            real.kind_name(),
            "identifier" | "field_identifier" | "function_declarator"
        );
        let called = declared(walk, declarator).filter(|found| found.function.is_some())?;
        return (usable && is_macro_name(walk.text(called.name))).then_some(real);
    }
    None
}

/// Whether a name is written the way macros are.
fn is_macro_name(name: &[u8]) -> bool {
    let upper = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    name.len() > 2 && name.iter().all(upper)
}

/// `bool Locked() const REQUIRES(lock);` in a class: what follows the method is read as one more,
/// without a type and named like a macro.
fn is_stray_macro(
    walk: &Walk<'_>,
    node: Node<'_>,
    found: &Declared<'_, '_>,
    frame: &Frame<'_>,
) -> bool {
    frame.scope == Scope::Class
        && found.receiver.is_none()
        && node.field("type").is_none()
        && found.name.kind_name() == "identifier"
        && is_macro_name(walk.text(found.name))
        && frame.symbol.is_some_and(|class| {
            let class = walk.symbols[class as usize].name;
            walk.names.get(class) != walk.text(found.name)
        })
}

fn is_static(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let mut children = node.parts();
    children.any(|child| {
        child.kind_name() == "storage_class_specifier" && walk.text(child) == b"static"
    })
}

/// The word `operator` and the class of `inline A::operator bool() const {`, which the grammar takes for a function `bool`
/// of the type `A::operator`.
fn conversion<'w, 'n>(
    walk: &Walk<'w>,
    node: Node<'n>,
    name: Node<'_>,
) -> Option<(Node<'n>, Option<&'w [u8]>)> {
    let declared_type = node.field("type")?;
    if declared_type.kind_name() != "qualified_identifier" {
        return None;
    }
    let (operator, owner) = unqualified(walk, declared_type);
    let is_conversion = walk.text(operator) == b"operator"
        && operator.end_byte() <= name.start_byte()
        && operator.start_position().row == name.start_position().row;
    is_conversion.then_some((operator, owner))
}

/// A draft of a function, a prototype or a method.
fn function_draft<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    found: &Declared<'t, 't>,
    frame: &Frame<'t>,
) -> Draft<'t> {
    let mut draft = Draft::new(SymbolKind::Function, found.name, node);
    if found.name.kind_name() == "destructor_name"
        && let Some(class) = found.name.named_child(0)
    {
        walk.pass_over(class);
    }
    let name = walk.text(found.name);
    let conversion = conversion(walk, node, found.name);
    let receiver = match conversion {
        Some((operator, owner)) => {
            draft.name.start = operator.start_byte();
            draft.name_at = operator.start_position();
            walk.pass_over(operator);
            walk.pass_over(found.name);
            owner
        }
        None => found.receiver,
    };
    // A friend is no member.
    let friend = walk.kind_above(0) == "friend_declaration";
    let in_class = frame.scope == Scope::Class && !friend;
    let class = frame
        .symbol
        .filter(|_| in_class)
        .map(|index| walk.names.get(walk.symbols[index as usize].name));
    if found.name.kind_name() == "operator_cast" {
        // `operator bool() const`: the name ends where the parameters begin, which are not those of
        // `operator call<int(int)>()`.
        let mut angles = 0_i32;
        let begins = |b: &u8| {
            angles += i32::from(*b == b'<') - i32::from(*b == b'>');
            *b == b'(' && angles == 0
        };
        let end = name.iter().position(begins).unwrap_or(name.len());
        draft.name.end = draft.name.start + name[..end].trim_ascii_end().len();
    }
    if in_class {
        draft.kind = if class == Some(name) {
            SymbolKind::Constructor
        } else {
            SymbolKind::Method
        };
        draft.set_if(SymbolFlags::EXPORTED, frame.exported);
    } else if !is_static(walk, node) {
        draft.set(SymbolFlags::EXPORTED);
    }
    if let Some(owner) = receiver {
        draft.kind = if owner == name {
            SymbolKind::Constructor
        } else {
            SymbolKind::Method
        };
        match class_named(walk, owner) {
            Some(known) => {
                if walk.symbols[known as usize].kind == SymbolKind::Module {
                    draft.kind = SymbolKind::Function;
                }
                draft.container = Some(known);
            }
            None => draft.receiver = Some(owner),
        }
    }
    draft.value(if draft.kind == SymbolKind::Constructor {
        Some(Hint::THIS)
    } else {
        returned(walk, node, found)
    });
    widen(walk, &mut draft);
    draft
}

/// The class or namespace that `A::` names, if the file has it.
fn class_named(walk: &mut Walk<'_>, name: &[u8]) -> Option<u32> {
    walk.owner(name, |symbol| {
        matches!(
            symbol.kind,
            SymbolKind::Class | SymbolKind::Struct | SymbolKind::Union | SymbolKind::Module
        )
    })
}

/// What a function returns, which `auto` has after the parameters.
fn returned<'t>(walk: &Walk<'t>, node: Node<'t>, found: &Declared<'t, 't>) -> Option<Hint> {
    let before = node.field("type")?;
    if before.kind_name() != "placeholder_type_specifier" {
        return values::of_type(walk, before);
    }
    let function = found.function?;
    let after = (0..function.named_child_count())
        .rev()
        .filter_map(|i| function.named_child(i as u32))
        .find(|child| child.kind_name() == "trailing_return_type")?;
    values::of_type(walk, after.named_child(0)?)
}

/// `class EXPORT A : B { ... }` is read as a function named `A` that returns a class `EXPORT`.
fn class_behind_macro<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
) -> Option<()> {
    let before = node.field("type")?;
    let kind = specifier_kind(before).filter(|_| before.field("body").is_none())?;
    let name = node.field("declarator")?;
    let body = node.field("body")?;
    if name.kind_name() != "identifier" {
        return None;
    }
    let mut draft = Draft::new(kind, name, node);
    draft.body = Some(body.start_byte());
    draft.set(SymbolFlags::EXPORTED);
    widen(walk, &mut draft);
    walk.define(draft, frame)?;
    Some(())
}

pub(super) fn function_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if class_behind_macro(walk, node, frame).is_some() {
        return;
    }
    let declarator = before_macro(walk, node).or_else(|| node.field("declarator"));
    let found = declarator
        .and_then(|declarator| declared(walk, declarator))
        .filter(|found| !is_stray_macro(walk, node, found, frame));
    let Some(found) = found else {
        frame.scope = Scope::Function;
        return;
    };
    let mut draft = function_draft(walk, node, &found, frame);
    draft.body_at(node.field("body"));
    let initializers = (0..node.child_count())
        .filter_map(|i| node.child(i))
        .find(|c| c.kind_name() == "field_initializer_list");
    if let Some(initializers) = initializers {
        draft.body = Some(initializers.start_byte());
    }
    // `TEST(Suite, Case) { ... }` looks like a function without a type.
    if matches!(
        walk.text(found.name),
        b"TEST" | b"TEST_F" | b"TEST_P" | b"TYPED_TEST" | b"TEST_CASE"
    ) && let Some(parameters) = found.function.and_then(|f| f.field("parameters"))
        && parameters.end_byte() > parameters.start_byte() + 2
    {
        draft.kind = SymbolKind::Test;
        draft.set(SymbolFlags::TEST);
        draft.name = parameters.start_byte() + 1..parameters.end_byte() - 1;
        draft.name_at = parameters.start_position();
        draft.name_at.column += 1;
    }
    walk.define(draft, frame);
}

/// Prototypes, globals, fields and method declarations.
pub(super) fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope == Scope::Function {
        locals::variables(walk, node);
        return;
    }
    let friend = walk.kind_above(0) == "friend_declaration";
    let member = frame.scope == Scope::Class;
    // A field of an anonymous struct belongs to no symbol, and friends are declared elsewhere.
    if friend || (member && frame.symbol.is_none()) {
        return;
    }
    let declared_type = node.field("type");
    let declarators = match before_macro(walk, node) {
        Some(real) => vec![real],
        None => node.named_fields("declarator"),
    };
    let single = declarators.len() == 1;
    // Of the whole declaration, which may have thousands of names.
    let text = walk.text(node);
    let constant = text.starts_with(b"const ") || text.starts_with(b"constexpr ");
    let visible = match member {
        true => frame.exported,
        false => !is_static(walk, node),
    };
    for declarator in declarators {
        let Some(found) =
            declared(walk, declarator).filter(|found| !is_stray_macro(walk, node, found, frame))
        else {
            continue;
        };
        if found.function.is_some() || found.name.kind_name() == "operator_cast" {
            let mut draft = function_draft(walk, node, &found, frame);
            draft.set(SymbolFlags::DECLARATION);
            draft.body = Some(draft.end);
            walk.record(&draft, frame);
            continue;
        }
        let kind = match (member || found.receiver.is_some(), constant) {
            (true, _) => SymbolKind::Field,
            (_, true) => SymbolKind::Constant,
            _ => SymbolKind::Variable,
        };
        let mut draft = Draft::new(kind, found.name, node);
        // `int A::count = 0;` defines what the class declares.
        if let Some(owner) = found.receiver {
            match class_named(walk, owner) {
                Some(class) => draft.container = Some(class),
                None => draft.receiver = Some(owner),
            }
        }
        draft.set_if(SymbolFlags::EXPORTED, visible);
        draft.set_if(
            SymbolFlags::DECLARATION,
            walk.text(node).starts_with(b"extern "),
        );
        widen(walk, &mut draft);
        let known = values::of_declared(walk, declared_type, declarator);
        draft.value(known);
        let symbol = walk.record(&draft, frame);
        // The fields of a struct without a name are those of what is declared with it.
        if single && declared_type.is_some_and(is_anonymous) {
            frame.symbol = symbol;
        }
    }
}

/// Whether a struct or union is declared in place and has no name.
fn is_anonymous(node: Node<'_>) -> bool {
    matches!(node.kind_name(), "struct_specifier" | "union_specifier")
        && node.field("name").is_none()
        && node.field("body").is_some()
}
