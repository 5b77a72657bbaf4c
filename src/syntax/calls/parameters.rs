//! Reading what a definition takes.

use super::rows::{CallRows, Take, children, first_of, part_of, text, told, written};
use super::{By, Need, Parameter, Parameters, Receiver};
use crate::syntax::node::NodeExt;
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// How many nodes are between the range of a definition and what can be called.
const MAX_WRAPS: usize = 8;
/// How many nodes begin where a definition does.
const MAX_AROUND: usize = 32;
/// Longest name of a parameter, and longest type that is compared.
const MAX_NAME: usize = 256;
const MAX_TYPE: usize = 4 << 10;
/// Most parameters of a definition: languages allow a few hundred.
const MAX_PARAMETERS: usize = 1 << 10;

/// What the definition in a range takes; `None` where it cannot be told.
pub(crate) fn of(
    src: &[u8],
    tree: &Tree,
    rows: &CallRows,
    definition: &Range<usize>,
) -> Option<Parameters> {
    let (node, part) = find(tree, rows, definition)?;
    read(src, rows, node, part)
}

/// What the constructors take that stand in a type; `None` where there are none, or one that cannot be read.
pub(crate) fn of_constructors(
    src: &[u8],
    tree: &Tree,
    rows: &CallRows,
    definition: &Range<usize>,
) -> Option<Vec<Parameters>> {
    let is_type = |node: &Node<'_>| {
        part_of(rows.types_called, node.kind_name()).is_some() && node.end_byte() <= definition.end
    };
    let first = definition.start..definition.start + 1;
    let mut outwards = around(tree, &first).map(|node| declared(node, rows));
    let node = outwards.find(is_type)?;
    let body = part_of(rows.types_called, node.kind_name())?;
    let mut found = Vec::new();
    // What stands before the body: a list of its own.
    if let Some(part) = part_of(rows.definitions, node.kind_name())
        && !children(node, part).is_empty()
    {
        found.push(read(src, rows, node, part)?);
    }
    let bodies = children(node, body).into_iter();
    for member in bodies.chain([node]).flat_map(NodeExt::content) {
        let Some((member, part)) = callable(member, rows) else {
            continue;
        };
        let name = first_of(member, &["name"]).map_or(&b""[..], |name| text(src, name));
        let makes = |word: &&str| member.kind_name() == *word || name == word.as_bytes();
        if rows.constructors.iter().any(makes) {
            found.push(read(src, rows, member, part)?);
        }
    }
    for constructor in &mut found {
        constructor.receiver = match constructor.receiver {
            Receiver::Object => Receiver::Implied,
            other => other,
        };
        constructor.result = None;
    }
    (!found.is_empty()).then_some(found)
}

/// Where the type of a definition's result is written.
pub(crate) fn result_range(
    tree: &Tree,
    rows: &CallRows,
    definition: &Range<usize>,
) -> Option<Range<usize>> {
    let (node, _) = find(tree, rows, definition)?;
    result(rows, node).map(|node| node.byte_range())
}

/// What a node declares, through what only wraps it.
fn declared<'t>(node: Node<'t>, rows: &CallRows) -> Node<'t> {
    let mut inwards = std::iter::successors(Some(node), |node| match rows.wraps {
        [] => None,
        wraps => match part_of(wraps, node.kind_name())? {
            "" => node.content().into_iter().next_back(),
            part => children(*node, part).into_iter().next(),
        },
    });
    let mut found = node;
    for next in inwards.by_ref().take(MAX_WRAPS) {
        found = next;
    }
    found
}

/// The smallest node that spans a range, and those around it that begin where it does.
fn around<'t>(tree: &'t Tree, range: &Range<usize>) -> impl Iterator<Item = Node<'t>> + use<'t> {
    let root = tree.root_node();
    let spanning = root.descendant_for_byte_range(range.start, range.end);
    let start = range.start;
    std::iter::successors(spanning, |node| node.parent())
        .take(MAX_AROUND)
        .take_while(move |node| node.start_byte() == start)
        // A keyword may be called as what it begins.
        .filter(Node::is_named)
}

/// What can be called in a range, and which part of it holds the parameters.
fn find<'t, 'r>(
    tree: &'t Tree,
    rows: &'r CallRows,
    range: &Range<usize>,
) -> Option<(Node<'t>, &'r str)> {
    // A range may begin behind annotations, which the node has in it.
    let root = tree.root_node();
    let spanning = root.descendant_for_byte_range(range.start, range.end);
    let whole = spanning.filter(|node| node.is_named() && node.end_byte() <= range.end + 1);
    let defined = whole.and_then(|node| Some((node, part_of(rows.definitions, node.kind_name())?)));
    if defined.is_some() {
        return defined;
    }
    let first = range.start..range.start + 1;
    let outwards = around(tree, &first);
    let within = outwards.filter(|node| node.end_byte() <= range.end.saturating_add(1));
    // The outermost: several clauses of one function are one definition, and the first says it.
    within.filter_map(|node| callable(node, rows)).last()
}

/// What can be called in a node that declares it.
fn callable<'t, 'r>(mut node: Node<'t>, rows: &'r CallRows) -> Option<(Node<'t>, &'r str)> {
    for _ in 0..MAX_WRAPS {
        if let Some(part) = part_of(rows.definitions, node.kind_name()) {
            return Some((node, part));
        }
        let part = part_of(rows.wraps, node.kind_name())?;
        // Where a type is declared it says what may be given.
        if part == "value" && node.field("type").is_some() {
            return None;
        }
        node = match part {
            "" => node.content().into_iter().next_back()?,
            part => children(node, part).into_iter().next()?,
        };
    }
    None
}

fn read(src: &[u8], rows: &CallRows, node: Node<'_>, part: &str) -> Option<Parameters> {
    let lists = match (rows.lists, part) {
        (Some(find), _) => find(src, node)?,
        (None, "") => vec![node],
        (None, part) => {
            let mut words = part.split('|').map(|word| children(node, word));
            words.find(|lists| !lists.is_empty()).unwrap_or_default()
        }
    };
    // A type without a list of its own.
    if lists.is_empty() && part_of(rows.types_called, node.kind_name()).is_some() {
        return None;
    }
    let mut reading = Reading {
        src,
        rows,
        found: Parameters {
            list: Vec::new(),
            receiver: Receiver::None,
            strictness: rows.strictness,
            result: result(rows, node).map(|node| written(src, node)),
            asynchronous: false,
        },
        names_only: false,
    };
    for list in &lists {
        let is_node = *list == node;
        if !is_node && list.has_error() {
            return None;
        }
        match told(rows.takes, list.kind_name()) {
            // A lone parameter without parentheses.
            Some(Take::One(by, need)) if !is_node => reading.one(*list, by, need),
            _ => reading.list(*list, is_node)?,
        }
    }
    if reading.found.list.len() > MAX_PARAMETERS {
        return None;
    }
    let head_end = lists.first().filter(|list| **list != node);
    let head_end = head_end.map_or(node.start_byte(), |list| list.start_byte());
    let head = src.get(node.start_byte()..head_end).unwrap_or(b"");
    let mut words = head.split(|byte| !byte.is_ascii_alphanumeric());
    reading.found.asynchronous = words.any(|word| is_word(rows.asynchronous, word))
        || node.part(rows.asynchronous).is_some();
    let is_known = (rows.finish)(src, node, &mut reading.found);
    is_known.then_some(reading.found)
}

fn is_word(words: &[&str], word: &[u8]) -> bool {
    words.iter().any(|of| of.as_bytes() == word)
}

/// The type of the result: in a field, or behind a token.
fn result<'t>(rows: &CallRows, node: Node<'t>) -> Option<Node<'t>> {
    let is_token = |word: &str| !word.starts_with(|first: char| first.is_ascii_alphabetic());
    rows.result.iter().find_map(|word| match is_token(word) {
        false => node.field(word),
        true => {
            let mut after = node
                .parts()
                .skip_while(|part| part.kind_name() != *word)
                .skip(1);
            after.find(|part| part.is_named())
        }
    })
}

/// A definition whose lists are being read.
struct Reading<'a> {
    src: &'a [u8],
    rows: &'a CallRows,
    found: Parameters,
    names_only: bool,
}

impl Reading<'_> {
    /// Reads a list; `None` where something in it is not known.
    fn list(&mut self, list: Node<'_>, is_definition: bool) -> Option<()> {
        let (mut is_rest, mut after_value) = (false, false);
        for node in list.parts() {
            let kind = node.kind_name();
            if !node.is_named() {
                match kind {
                    "=" => {
                        self.make_last(Need::Optional);
                        after_value = true;
                    }
                    // Without a node of its own; the last where it has a name.
                    "params" => {
                        let name = list.fields("name").last().map(|name| self.name(name));
                        self.push(name.unwrap_or_default(), By::Either, Need::Rest, None);
                        return Some(());
                    }
                    "..." => self.push(String::new(), By::Position, Need::Rest, None),
                    _ => {}
                }
                continue;
            }
            if node.is_extra() || std::mem::take(&mut after_value) {
                continue;
            }
            let words = text(self.src, node);
            let take = told(self.rows.takes, kind).or(self.rows.other);
            match take {
                None if is_definition => {}
                None => return None,
                Some(Take::Nothing) => {
                    let mut words = words.split(|byte| !byte.is_ascii_alphabetic());
                    is_rest |= words.any(|word| is_word(self.rows.rest_words, word));
                }
                Some(Take::One(by, need)) => {
                    self.one(node, by, need);
                    if std::mem::take(&mut is_rest) {
                        self.make_last(Need::Rest);
                    }
                }
                Some(Take::This) => self.found.receiver = self.rows.this.1,
                Some(Take::EndOfPlaces) => {
                    let before = self.found.list.iter_mut();
                    before.for_each(|one| one.by = By::Position);
                }
                Some(Take::StartOfNames) => self.names_only = true,
                Some(Take::All) => {
                    self.push(String::new(), By::Position, Need::Rest, None);
                    self.push(String::new(), By::Name, Need::Rest, None);
                }
                Some(Take::Group) => self.group(node),
            }
        }
        Some(())
    }

    /// Parameters that may be left out unless they say otherwise.
    fn group(&mut self, group: Node<'_>) {
        let by = match group.child(0).map(|first| first.kind_name()) {
            Some("[") => By::Position,
            _ => By::Name,
        };
        let mut need = Need::Optional;
        for node in group.parts() {
            match (node.kind_name(), told(self.rows.takes, node.kind_name())) {
                ("required", _) => need = Need::Required,
                (_, Some(Take::One(..))) => {
                    self.one(node, by, need);
                    need = Need::Optional;
                }
                _ => {}
            }
        }
    }

    fn one(&mut self, node: Node<'_>, by: By, need: Need) {
        let rows = self.rows;
        let has = |words: &[&str]| first_of(node, words).is_some();
        let mut need = need;
        if need == Need::Required && has(rows.optional) {
            need = Need::Optional;
        }
        if need != Need::Rest && has(rows.rest) {
            need = Need::Rest;
        }
        let by = match (self.names_only, need, by) {
            (true, Need::Required | Need::Optional, _) => By::Name,
            (.., by) => by,
        };
        let behind_colon = || {
            let mut after = node
                .parts()
                .skip_while(|part| part.kind_name() != ":")
                .skip(1);
            after.find(|part| part.is_named())
        };
        let written_type = first_of(node, &[rows.types])
            .or_else(behind_colon)
            .filter(|node| node.byte_range().len() <= MAX_TYPE)
            .map(|node| written(self.src, node));
        let names = match rows.many_names {
            true => rows
                .names
                .iter()
                .flat_map(|word| node.named_fields(word))
                .collect(),
            false => Vec::new(),
        };
        let count = names.len().max(1);
        for at in 0..count {
            let named = names.get(at).copied();
            let name = named.or_else(|| self.name_node(node));
            let name = name.map_or_else(String::new, |name| self.name(name));
            let is_first = self.found.list.is_empty() && self.found.receiver == Receiver::None;
            if is_first && need == Need::Required && rows.this.0.contains(&name.as_str()) {
                self.found.receiver = rows.this.1;
                continue;
            }
            self.push(name, by, need, written_type.clone());
            if let Some(last) = self.found.list.last_mut() {
                (rows.each)(self.src, node, last);
            }
        }
        // What comes after a rest can only be named.
        self.names_only |= need == Need::Rest && by != By::Name && rows.names_after_rest;
    }

    fn name_node<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        if node.child_count() == 0 {
            return Some(node);
        }
        let has_type = || node.field(self.rows.types).is_some();
        let first = || node.content().into_iter().next().filter(|_| !has_type());
        first_of(node, self.rows.names).or_else(first)
    }

    /// The name in a node that declares one.
    fn name(&self, mut node: Node<'_>) -> String {
        for _ in 0..MAX_WRAPS {
            if node.child_count() == 0 || node.kind_name() == "variable_name" {
                break;
            }
            match first_of(node, self.rows.names).or_else(|| node.content().into_iter().next_back())
            {
                Some(next) if !node.kind_name().contains("_pattern") || is_splat(node) => {
                    node = next
                }
                _ => return String::new(),
            }
        }
        let text = String::from_utf8_lossy(text(self.src, node));
        let name = text.trim_start_matches('$');
        let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
        match name.len() <= MAX_NAME && is_name(name) {
            true => name.to_owned(),
            false => String::new(),
        }
    }

    fn push(&mut self, name: String, by: By, need: Need, written_type: Option<String>) {
        if self.found.list.len() <= MAX_PARAMETERS {
            self.found.list.push(Parameter {
                name,
                by,
                need,
                written_type,
            });
        }
    }

    fn make_last(&mut self, need: Need) {
        if let Some(last) = self.found.list.last_mut() {
            last.need = need;
        }
    }
}

/// Whether a pattern is that of a rest: what it holds is its name.
fn is_splat(node: Node<'_>) -> bool {
    node.kind_name().contains("splat") || node.kind_name() == "rest_pattern"
}
