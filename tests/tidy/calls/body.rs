//! What the body of a function calls, and on what.
//!
//! Names are looked up as the language does: what is bound hides functions of that name from where it is
//! bound to the end of its block, arm or loop.

use super::functions::{base, children, part, parts};
use std::ops::Range;
use tree_sitter::Node;

/// What a function calls, or names as a value, which whoever gets it may call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Call {
    /// `name`, `a::name`, `Type::name`; its parts.
    Path(Vec<String>),
    /// What it is called on, its name, and how many arguments it gets where that is known.
    Method(Receiver, String, Option<usize>),
    /// `(x.hook)()`: something that a table holds.
    Held(Receiver),
}

/// What a method is called on, as far as it is written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Receiver {
    This,
    /// Something that is declared with a type or made of it.
    Typed(String),
    Field(Box<Receiver>, String),
    Result(Box<Call>),
    /// What `?` takes out of it.
    Tried(Box<Call>),
    /// What is bound to a name here.
    Named(String, usize),
    Unknown,
}

/// Reads the body of a function or the value of a constant; returns what it calls, sorted.
pub fn calls(text: &str, function: Node<'_>) -> Vec<Call> {
    let mut body = Body {
        text,
        bound: Vec::new(),
        used: Vec::new(),
    };
    body.read(function);
    let mut calls = body.calls();
    calls.sort();
    calls.dedup();
    calls
}

/// Functions of a type that give it, whatever crate it is of.
const MAKERS: &[&str] = &["new", "default", "with_capacity"];

/// How many expressions are followed to know what a method is called on.
const MAX_LETS: usize = 16;

/// A name that hides functions of that name, where it is seen.
struct Bound {
    name: String,
    seen: Range<usize>,
    of: Receiver,
}

/// The body of a function as it is read: what is bound and what is used, and where.
struct Body<'s> {
    text: &'s str,
    bound: Vec<Bound>,
    used: Vec<(usize, Call)>,
}

/// A node to read: a pattern binds names for a range, an expression uses them.
#[derive(Clone)]
struct Open<'t> {
    node: Node<'t>,
    binds: Option<Range<usize>>,
    /// Where the block ends that it stands in.
    block: usize,
    /// Where that ends which a condition lets in.
    let_in: usize,
}

impl<'s> Body<'s> {
    fn read(&mut self, function: Node<'_>) {
        let all = function.byte_range();
        let at = |name| function.child_by_field_name(name);
        let start = |node, binds| Open {
            node,
            binds,
            block: all.end,
            let_in: all.end,
        };
        let mut open = Vec::new();
        for parameter in at("parameters").into_iter().flat_map(children) {
            open.push(start(parameter, Some(all.clone())));
        }
        open.extend(at("body").or(at("value")).map(|body| start(body, None)));
        while let Some(next) = open.pop() {
            match next.binds.clone() {
                Some(seen) => self.pattern(&next, seen, &mut open),
                None => self.expression(&next, &mut open),
            }
        }
    }

    /// What the calls of the body are, now that all that is bound is known.
    fn calls(self) -> Vec<Call> {
        let hidden = |call: &Call, at| match call {
            Call::Path(path) => path.len() == 1 && self.bound_to(&path[0], at).is_some(),
            _ => false,
        };
        let used = self.used.iter().filter(|(at, call)| !hidden(call, *at));
        used.map(|(_, call)| self.settled(call, MAX_LETS)).collect()
    }

    /// What a name is bound to at a place: by the innermost, which is the one that begins last.
    fn bound_to(&self, name: &str, at: usize) -> Option<&Bound> {
        let all = self.bound.iter();
        let seen = all.filter(|bound| bound.name == name && bound.seen.contains(&at));
        seen.max_by_key(|bound| bound.seen.start)
    }

    /// A call without names that only mean something here.
    fn settled(&self, call: &Call, lets: usize) -> Call {
        match call {
            Call::Method(of, name, given) => {
                Call::Method(self.known(of, lets), name.clone(), *given)
            }
            Call::Held(receiver) => Call::Held(self.known(receiver, lets)),
            call => call.clone(),
        }
    }

    fn known(&self, receiver: &Receiver, lets: usize) -> Receiver {
        let Some(lets) = lets.checked_sub(1) else {
            return Receiver::Unknown;
        };
        match receiver {
            Receiver::Named(name, at) => match self.bound_to(name, *at) {
                Some(bound) => self.known(&bound.of, lets),
                None => Receiver::Unknown,
            },
            Receiver::Field(of, name) => {
                Receiver::Field(Box::new(self.known(of, lets)), name.clone())
            }
            Receiver::Result(call) => Receiver::Result(Box::new(self.settled(call, lets))),
            Receiver::Tried(call) => Receiver::Tried(Box::new(self.settled(call, lets))),
            known => known.clone(),
        }
    }

    fn bind(&mut self, name: Node<'_>, seen: Range<usize>, of: Receiver) {
        let name = part(self.text, name).to_owned();
        self.bound.push(Bound { name, seen, of });
    }

    fn pattern<'t>(&mut self, next: &Open<'t>, seen: Range<usize>, open: &mut Vec<Open<'t>>) {
        let node = next.node;
        let at = |name| node.child_by_field_name(name);
        match node.kind() {
            "identifier" | "shorthand_field_identifier" => self.bind(node, seen, Receiver::Unknown),
            "parameter" => {
                let name = at("pattern").filter(|name| name.kind() == "identifier");
                match (name, at("type"), at("pattern")) {
                    (Some(name), Some(of), _) => {
                        let of = Receiver::Typed(base(part(self.text, of)));
                        self.bind(name, seen, of);
                    }
                    (None, _, Some(node)) => open.push(Open {
                        node,
                        ..next.clone()
                    }),
                    _ => {}
                }
            }
            "match_pattern" => {
                for child in children(node) {
                    let is_asked = at("condition") == Some(child);
                    open.push(Open {
                        node: child,
                        binds: (!is_asked).then(|| seen.clone()),
                        ..next.clone()
                    });
                }
            }
            "tuple_struct_pattern" => {
                let path = at("type").map_or(Vec::new(), |of| parts(part(self.text, of)));
                let inner = children(node)
                    .into_iter()
                    .filter(|child| at("type") != Some(*child));
                for child in inner {
                    match &path[..] {
                        [.., of, variant] if child.kind() == "identifier" => {
                            let of = Box::new(Receiver::Typed(of.clone()));
                            self.bind(child, seen.clone(), Receiver::Field(of, variant.clone()));
                        }
                        _ => open.push(Open {
                            node: child,
                            ..next.clone()
                        }),
                    }
                }
            }
            "scoped_identifier" | "macro_invocation" => {}
            kind if is_type(kind) => {}
            _ => {
                let inner = children(node)
                    .into_iter()
                    .filter(|child| at("type") != Some(*child));
                open.extend(inner.map(|node| Open {
                    node,
                    ..next.clone()
                }));
            }
        }
    }

    fn expression<'t>(&mut self, next: &Open<'t>, open: &mut Vec<Open<'t>>) {
        let node = next.node;
        let at = |name| node.child_by_field_name(name);
        let plain = |node: Node<'t>| Open {
            node,
            ..next.clone()
        };
        let binding = |node: Node<'t>, seen: Range<usize>| Open {
            node,
            binds: Some(seen),
            ..next.clone()
        };
        let end = node.end_byte();
        match node.kind() {
            "identifier" | "scoped_identifier" => {
                let path = parts(part(self.text, node));
                self.used.push((node.start_byte(), Call::Path(path)));
            }
            "call_expression" => {
                let mut function = at("function").expect("a call has one");
                if function.kind() == "generic_function" {
                    function = function
                        .child_by_field_name("function")
                        .expect("it has one");
                }
                if function.kind() == "field_expression" {
                    let call = self.method(node, function);
                    self.used.push((function.start_byte(), call));
                } else if function.kind() == "parenthesized_expression" {
                    let call = Call::Held(self.receiver(function));
                    self.used.push((node.start_byte(), call));
                }
                open.push(plain(function));
                open.extend(at("arguments").map(plain));
            }
            // A function has no fields, and of a constant only one is read.
            "field_expression" => {
                let of = at("value").filter(|of| !of.kind().ends_with("identifier"));
                open.extend(of.map(plain));
            }
            "type_cast_expression" => open.extend(at("value").map(plain)),
            "generic_function" => open.extend(at("function").map(plain)),
            "struct_expression" => open.extend(at("body").map(plain)),
            "block" => {
                let inner = children(node).into_iter();
                open.extend(inner.map(|node| Open {
                    block: end,
                    ..plain(node)
                }));
            }
            "let_declaration" => {
                let (pattern, seen) = (at("pattern").expect("it has one"), end..next.block);
                let told = at("type").map(|of| Receiver::Typed(base(part(self.text, of))));
                let of = told.or(at("value").map(|value| self.receiver(value)));
                match of.filter(|_| pattern.kind() == "identifier" && at("alternative").is_none()) {
                    Some(of) => self.bind(pattern, seen, of),
                    None => open.push(binding(pattern, seen)),
                }
                open.extend(at("value").into_iter().chain(at("alternative")).map(plain));
            }
            "closure_expression" => {
                open.extend(at("parameters").map(|list| binding(list, node.byte_range())));
                open.extend(at("body").map(plain));
            }
            "for_expression" => {
                let body = at("body").expect("a loop has one");
                open.extend(at("pattern").map(|pattern| binding(pattern, body.byte_range())));
                open.extend(at("value").into_iter().chain([body]).map(plain));
            }
            "match_arm" => {
                let inside = |open: Open<'t>| Open {
                    let_in: end,
                    ..open
                };
                let pattern = at("pattern").map(|pattern| binding(pattern, node.byte_range()));
                open.extend(
                    pattern
                        .into_iter()
                        .chain(at("value").map(plain))
                        .map(inside),
                );
            }
            "if_expression" | "while_expression" => {
                let body = at("consequence")
                    .or(at("body"))
                    .map_or(end, |body| body.end_byte());
                open.extend(at("condition").map(|node| Open {
                    let_in: body,
                    ..plain(node)
                }));
                let rest = [at("consequence"), at("body"), at("alternative")];
                open.extend(rest.into_iter().flatten().map(plain));
            }
            "let_condition" => {
                open.extend(at("pattern").map(|pattern| binding(pattern, end..next.let_in)));
                open.extend(at("value").map(plain));
            }
            "macro_invocation" => {
                let given = children(node).into_iter();
                open.extend(
                    given
                        .filter(|child| child.kind() == "token_tree")
                        .map(plain),
                );
            }
            "token_tree" => self.tokens(node, open, next),
            // They have a place of their own.
            "function_item" | "const_item" | "static_item" | "impl_item" | "use_declaration" => {}
            kind if is_type(kind) => {}
            _ => open.extend(children(node).into_iter().map(plain)),
        }
    }

    fn method(&self, call: Node<'_>, function: Node<'_>) -> Call {
        let at = |name| {
            function
                .child_by_field_name(name)
                .expect("a field has both")
        };
        let name = part(self.text, at("field")).to_owned();
        let given = call
            .child_by_field_name("arguments")
            .map_or(Vec::new(), children);
        let given = given.iter().filter(|one| !one.kind().ends_with("comment"));
        Call::Method(self.receiver(at("value")), name, Some(given.count()))
    }

    /// What an expression is, as far as it is written.
    fn receiver(&self, mut node: Node<'_>) -> Receiver {
        loop {
            node = match node.kind() {
                "reference_expression" => node.child_by_field_name("value").expect("it has one"),
                "parenthesized_expression" | "unary_expression" => match node.named_child(0) {
                    Some(inner) => inner,
                    None => return Receiver::Unknown,
                },
                _ => break,
            };
        }
        let at = |name| node.child_by_field_name(name);
        let text = |node| part(self.text, node);
        match node.kind() {
            "self" => Receiver::This,
            "identifier" => Receiver::Named(text(node).to_owned(), node.start_byte()),
            "struct_expression" => {
                Receiver::Typed(at("name").map_or(String::new(), |n| base(text(n))))
            }
            "field_expression" => match (at("value"), at("field")) {
                (Some(of), Some(name)) => {
                    Receiver::Field(Box::new(self.receiver(of)), text(name).to_owned())
                }
                _ => Receiver::Unknown,
            },
            "try_expression" => match node.named_child(0).map(|of| self.receiver(of)) {
                Some(Receiver::Result(call)) => Receiver::Tried(call),
                _ => Receiver::Unknown,
            },
            "call_expression" => {
                let mut function = at("function").expect("a call has one");
                if function.kind() == "generic_function" {
                    function = function
                        .child_by_field_name("function")
                        .expect("it has one");
                }
                let call = match function.kind() {
                    "field_expression" => self.method(node, function),
                    "identifier" | "scoped_identifier" => Call::Path(parts(text(function))),
                    _ => return Receiver::Unknown,
                };
                match &call {
                    Call::Method(of, name, _) if name == "clone" => of.clone(),
                    Call::Path(path) => match &path[..] {
                        [.., of, name] if of != "Self" && MAKERS.contains(&name.as_str()) => {
                            Receiver::Typed(of.clone())
                        }
                        _ => Receiver::Result(Box::new(call)),
                    },
                    _ => Receiver::Result(Box::new(call)),
                }
            }
            _ => Receiver::Unknown,
        }
    }

    /// What a macro is given is tokens: names, and what looks like methods and paths.
    fn tokens<'t>(&mut self, tree: Node<'t>, open: &mut Vec<Open<'t>>, next: &Open<'t>) {
        let mut cursor = tree.walk();
        let tokens: Vec<Node<'t>> = tree.children(&mut cursor).collect();
        let text = |at: usize| tokens.get(at).map_or("", |token| part(self.text, *token));
        let mut used = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let before = |n: usize| at.checked_sub(n).map_or("", text);
            let is_called = text(at + 1).starts_with('(');
            match token.kind() {
                "token_tree" => open.push(Open {
                    node: *token,
                    ..next.clone()
                }),
                "identifier" if before(1) == "." => {
                    let name = text(at).to_owned();
                    let receiver = match (before(3), before(2), at.checked_sub(2)) {
                        (".", ..) => Receiver::Unknown,
                        (_, "self", _) => Receiver::This,
                        (_, name, Some(at)) => {
                            Receiver::Named(name.to_owned(), tokens[at].start_byte())
                        }
                        _ => Receiver::Unknown,
                    };
                    if is_called {
                        used.push((token.start_byte(), Call::Method(receiver, name, None)));
                    }
                }
                "identifier" if text(at + 1) != "::" && text(at + 1) != "!" => {
                    let mut path = vec![text(at).to_owned()];
                    let mut first = at;
                    while first > 1 && text(first - 1) == "::" {
                        first -= 2;
                        path.insert(0, text(first).to_owned());
                    }
                    used.push((token.start_byte(), Call::Path(path)));
                }
                _ => {}
            }
        }
        self.used.extend(used);
    }
}

fn is_type(kind: &str) -> bool {
    kind.ends_with("_type") || kind.ends_with("type_identifier") || kind == "type_arguments"
}
