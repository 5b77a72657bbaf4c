//! HCL, as Terraform writes it: blocks are named by their labels, `aws_instance.web`.

pub(crate) mod facts;
mod resolve;

use crate::syntax::prelude::*;

/// HCL.
pub(crate) static HCL: LangSpec = LangSpec {
    hooks: hooks! {
        block => "block",
        attribute => "attribute",
        expression => "expression",
        object_elem => "object_elem",
        function_call => "function_call",
    },
    roles: &[("variable_expr", "", Pass), ("for_intro", "", Is(Write))],
    ..LangSpec::new()
};

/// The word of a block and its labels.
fn head<'t>(node: Node<'t>) -> (Option<Node<'t>>, Vec<Node<'t>>) {
    let mut parts = node
        .named()
        .take_while(|part| matches!(part.kind_name(), "identifier" | "string_lit"));
    (parts.next(), parts.collect())
}

fn block<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let (Some(word), labels) = head(node) else {
        return;
    };
    walk.pass_over(word);
    let top = frame.scope == Scope::Module && frame.symbol.is_none();
    let text = walk.text(word);
    frame.scope = if top && text == b"locals" {
        Scope::Class
    } else {
        Scope::Function
    };
    let Some(last) = labels.last().filter(|_| top) else {
        return;
    };
    let kind = match text {
        b"variable" => SymbolKind::Variable,
        b"output" => SymbolKind::Constant,
        b"module" | b"provider" => SymbolKind::Module,
        _ => SymbolKind::Struct,
    };
    // The labels of a resource are one name: `"aws_instance" "web"` is `web` of `aws_instance`.
    let mut draft = Draft::new(kind, *last, node);
    let name = walk.text(*last);
    let content = string_content(name);
    if !content.is_empty() {
        draft.name = last.start_byte() + 1..last.end_byte() - 1;
        draft.name_at.column += 1;
    }
    if labels.len() > 1 {
        let family = walk.text(labels[0]);
        let content = string_content(family);
        draft.receiver = Some(if content.is_empty() { family } else { content });
        let at = labels[0].start_position();
        if !content.is_empty() {
            walk.occurrence(
                content,
                at.row,
                at.column + 1,
                OccurrenceKind::Type,
                Qualifier::None,
            );
        }
    }
    let body = |node: Node<'t>| node.named_of("block_start");
    draft.body_at(body(node));
    draft.set(SymbolFlags::EXPORTED);
    walk.define(draft, frame);
    frame.scope = Scope::Function;
    if text == b"module" {
        module_source(walk, node);
    }
}

/// `source = "./modules/network"`.
fn module_source<'t>(walk: &mut Walk<'t>, block: Node<'t>) {
    let Some(body) = block.named_of("body") else {
        return;
    };
    for attribute in body.named() {
        if let (Some(name), Some(value)) = (attribute.named_child(0), attribute.named_child(1))
            && walk.text(name) == b"source"
        {
            let source = string_content(walk.text(value));
            if !source.is_empty() {
                walk.import(ImportKind::Module, attribute, source, Vec::new());
            }
        }
    }
}

/// The name of an argument is the provider's; those in `locals`, and at the top of a file of
/// values, are the file's own.
fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.named_child(0) else {
        return;
    };
    match frame.scope {
        Scope::Class => {
            let mut draft = Draft::new(SymbolKind::Variable, name, node);
            draft.set(SymbolFlags::EXPORTED);
            walk.record(&draft, frame);
        }
        Scope::Module | Scope::Function => {
            walk.occurrence_at(name, Write, Qualifier::None);
            walk.pass_over(name);
        }
    }
    frame.scope = Scope::Function;
}

/// `var.region`, `module.network.ids`, `data.aws_ami.ubuntu.id`: each part qualifies the next.
fn expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(first) = node
        .named_child(0)
        .filter(|first| first.kind_name() == "variable_expr")
    else {
        return;
    };
    if !walk.take_claim(first.start_byte()) {
        path(walk, node, first);
    } else {
        walk.pass_over(first);
    }
}

fn path<'t>(walk: &mut Walk<'t>, node: Node<'t>, first: Node<'t>) {
    let mut qualifier = Qualifier::None;
    for part in node.named() {
        let name = match part.kind_name() {
            "get_attr" => part.named_child(0),
            "variable_expr" if part == first => part.named_child(0),
            // What stands in an index comes in between, so the rest is met by itself.
            _ => return,
        };
        if let Some(name) = name.filter(|name| name.kind_name() == "identifier") {
            walk.occurrence_at(name, Read, qualifier);
            walk.pass_over(name);
            qualifier = Qualifier::Previous;
        }
    }
}

/// `{ key = value }`.
fn object_elem<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let key = node
        .field("key")
        .and_then(|key| key.named_child(0))
        .filter(|key| key.kind_name() == "variable_expr")
        .and_then(|key| key.named_child(0));
    if let Some(key) = key {
        walk.occurrence_at(key, Write, Qualifier::None);
        walk.claim(key.start_byte());
    }
}

fn function_call<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node
        .named_child(0)
        .filter(|name| name.kind_name() == "identifier")
    {
        walk.occurrence_at(name, Call, Qualifier::None);
        walk.pass_over(name);
    }
}
