//! Makefiles: targets are functions, what they need is called.

mod conditions;
pub(crate) mod facts;
mod plain;
mod resolve;

use crate::record::{ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::syntax::node::NodeExt;
use crate::syntax::rows::{LangSpec, Rule};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Walk};
use OccurrenceKind::{Call, Read, Write};
use Rule::Is;
use tree_sitter::Node;

/// GNU Make.
pub(crate) static MAKE: LangSpec = LangSpec {
    hooks: hooks! {
        rule => "rule",
        prerequisites => "prerequisites",
        assignment => "variable_assignment shell_assignment",
        define => "define_directive",
        include => "include_directive",
        reference => "variable_reference substitution_reference",
        function_call => "function_call",
        condition => "ifdef_directive ifndef_directive",
        exported => "export_directive unexport_directive",
        recipe_line => "recipe_line",
    },
    roles: &[("undefine_directive", "variable", Is(Write))],
    // A word is anything; which ones are names is said by what they stand in.
    identifiers: &[],
    this_kinds: &[],
    this_names: &[],
    comments: &["comment"],
    strings: &[],
    ..LangSpec::new()
};

/// What the targets of a rule are.
const TARGETS: &[&str] = &["targets", "pattern_list"];

/// Endings of files that make has rules for: `.c:` and `.c.o:` are rules, not targets.
const SUFFIXES: &[&[u8]] = byte_words!(
    ".out .a .ln .o .c .cc .C .cpp .p .f .F .m .r .y .l .ym .yl .s .S .mod .sym .def .h .info .dvi .tex
     .texinfo .texi .txinfo .w .ch .web .sh .elc .el"
);

/// Whether a word names a target or variable, and is no pattern, path of an object or computed.
fn is_name(word: &[u8]) -> bool {
    let part = |b: &u8| b.is_ascii_alphanumeric() || b"_-.+/@".contains(b) || *b >= 0x80;
    let begins = match word {
        // What make itself knows, such as `.PHONY`, is in capitals.
        [b'.', first, rest @ ..] => {
            let of_file =
                memchr::memchr(b'.', rest).is_none() || memchr::memchr(b'/', rest).is_some();
            (first.is_ascii_lowercase() || *first == b'_') && of_file && !SUFFIXES.contains(&word)
        }
        [first, ..] => first.is_ascii_alphanumeric() || matches!(first, b'_' | b'/'),
        [] => false,
    };
    begins && word.iter().all(part)
}

fn named<'t>(walk: &mut Walk<'t>, word: Node<'t>, kind: OccurrenceKind) {
    let text = walk.text(word);
    if word.kind_name() == "word" && is_name(text) {
        walk.occurrence_at(word, kind, Qualifier::None);
    }
}

/// Each target that is a name is a function; of several, the first has the prerequisites and the recipe.
fn rule<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(targets) = node.part(TARGETS) else {
        return;
    };
    // The grammar may count it as part of the rule above.
    frame.symbol = None;
    let place = *frame;
    let mut first = true;
    for word in targets.all_of("word") {
        let name = walk.text(word);
        if !is_name(name) {
            continue;
        }
        // A file of a target may well be called like a variable.
        if !walk.first_bound(None, &[name, b":"].concat()) {
            named(walk, word, Write);
            continue;
        }
        let mut draft = Draft::new(SymbolKind::Function, word, node);
        end_at_text(walk, node, &mut draft);
        // Whoever runs make may ask for it.
        draft.set(SymbolFlags::EXPORTED);
        match first {
            true => walk.define(draft, frame),
            false => walk.record(&draft, &place),
        };
        first = false;
    }
}

/// A rule ends with its last line of a recipe: the grammar counts blank lines, comments and the
/// conditions below it as part of it.
fn end_at_text(walk: &Walk<'_>, rule: Node<'_>, draft: &mut Draft<'_>) {
    let Some(recipe) = rule.named_of("recipe") else {
        return;
    };
    let is_line = |child: &Node<'_>| {
        // A condition may hold lines of the recipe, or other rules.
        let is_rule =
            |part: Node<'_>| part.kind_name() == "rule" || part.named_of("rule").is_some();
        let tab = memchr::memmem::find(walk.text(*child), b"\n\t").is_some();
        child.kind_name() == "recipe_line" || tab && !child.named().any(is_rule)
    };
    let last = recipe.named().filter(is_line).last();
    let before = recipe.prev_named_sibling();
    if let Some(last) = last.or(before) {
        (draft.end, draft.end_at) = (last.end_byte(), last.end_position());
    }
}

/// What a target needs is made before; of `.PHONY: a b` that is only said.
fn prerequisites<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let targets = walk.above(0).and_then(|rule| rule.part(TARGETS));
    let target = walk.text_of(targets.and_then(|targets| targets.named_child(0)));
    if target == b".SUFFIXES" {
        return frame.skip();
    }
    let special = target.starts_with(b".") && !is_name(target);
    let kind = if special { Read } else { Call };
    // Those that are computed come later by themselves, in their order.
    let mut children = node.named().peekable();
    while let Some(word) = children.next_if(|child| child.kind_name() == "word") {
        named(walk, word, kind);
    }
    if children.peek().is_none() {
        frame.skip();
    }
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field("name") else {
        return;
    };
    let written = walk.text(name);
    // `A+= b`, without a space, has the sign in its name.
    let text = match written {
        [name @ .., b'+' | b'?' | b':'] => name,
        name => name,
    };
    let for_target = node.field("target_or_pattern");
    if let Some(targets) = for_target {
        for word in targets.all_of("word") {
            named(walk, word, Read);
        }
    }
    if !is_name(text) {
        return;
    }
    if for_target.is_some() || !walk.first_bound(None, text) {
        let at = name.start_position();
        walk.occurrence(text, at.row, at.column, Write, Qualifier::None);
        return;
    }
    // The grammar may count it as part of the rule above.
    let mut draft = Draft::new(SymbolKind::Variable, name, node);
    draft.name.end = draft.name.start + text.len();
    draft.set(SymbolFlags::EXPORTED);
    frame.symbol = None;
    walk.record(&draft, frame);
}

/// A line with a tab is an assignment like others where no rule is open, as in `ifdef A` below a variable.
fn recipe_line<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if walk.kind_above(0) != "conditional" || walk.enclosing(&["rule"]).is_some() {
        return;
    }
    let Some(text) = node
        .named_child(0)
        .filter(|child| child.kind_name() == "shell_text")
    else {
        return;
    };
    let line = walk.text(text);
    let name = plain::assigned(line).map(|(name, _)| name);
    // What stands before a name has no place in the tree.
    let Some(name) = name.filter(|name| name.start == 0 && is_name(&line[name.clone()])) else {
        return;
    };
    if walk.first_bound(None, &line[name.clone()]) {
        let mut draft = Draft::new(SymbolKind::Variable, text, node);
        draft.name.end = draft.name.start + name.len();
        draft.set(SymbolFlags::EXPORTED);
        walk.record(&draft, frame);
    }
}

/// `define name ... endef`; its text is not parsed, and has names all the same.
fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field("name") else {
        return frame.skip();
    };
    let text = walk.text(name);
    if is_name(text) && walk.first_bound(None, text) {
        let mut draft = Draft::new(SymbolKind::Macro, name, node);
        draft.body_at(node.field("value"));
        draft.set(SymbolFlags::EXPORTED);
        frame.symbol = None;
        walk.define(draft, frame);
    } else {
        named(walk, name, Write);
    }
    if let Some(value) = node.field("value") {
        raw(walk, value);
    }
    frame.skip();
}

/// `$(name)`, `$(call name,...)` in text that the grammar leaves alone.
fn raw<'t>(walk: &mut Walk<'t>, value: Node<'t>) {
    let text = walk.text(value);
    let (mut row, mut line_start) = (value.start_position().row, 0);
    let mut column = value.start_position().column;
    for (at, byte) in text.iter().enumerate() {
        if *byte == b'\n' {
            (row, line_start, column) = (row + 1, at + 1, 0);
        }
        if *byte != b'$' || !matches!(text.get(at + 1), Some(b'(' | b'{')) {
            continue;
        }
        let mut start = at + 2;
        let mut kind = Read;
        if text[start..].starts_with(b"call ") {
            start += 5;
            kind = Call;
        }
        let rest = &text[start..];
        let len = rest
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b))
            .count();
        let ends = matches!(rest.get(len), Some(b')' | b'}' | b':' | b','));
        if ends && is_name(&rest[..len]) && !rest[0].is_ascii_digit() {
            let at = column + start - line_start;
            walk.occurrence(&rest[..len], row, at, kind, Qualifier::None);
        }
    }
}

fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(files) = node.field("filenames") else {
        return frame.skip();
    };
    for file in files.named() {
        let path = walk.text(file);
        // What is computed on is mostly the folder: `$(top)/config.mk`.
        let end = memchr::memrchr2(b')', b'}', path).map_or(0, |at| at + 1);
        let rest = &path[end..];
        let specifier = match end {
            0 => rest,
            _ => rest.strip_prefix(b"/").unwrap_or(b""),
        };
        if !specifier.is_empty() && matches!(file.kind_name(), "word" | "concatenation") {
            walk.import(ImportKind::Include, node, specifier, Vec::new());
        }
    }
}

/// `$(name)`, `$(name:.c=.o)`.
fn reference<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let word = node.field("text").or_else(|| node.named_child(0));
    if let Some(word) = word {
        named(walk, word, Read);
    }
}

/// `$(call name,...)`: the name is the start of the first argument.
fn function_call<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let function = node.field("function");
    if function.is_none_or(|function| function.kind_name() != "call") {
        return;
    }
    let name = node
        .named_of("arguments")
        .and_then(|arguments| arguments.named_child(0));
    if let Some(name) = name.filter(|name| is_name(walk.text(*name))) {
        walk.occurrence_at(name, Call, Qualifier::None);
    }
}

fn condition<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("variable") {
        named(walk, name, Read);
    }
}

/// `export A B`.
fn exported<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(list) = node.field("variables") {
        for word in list.all_of("word") {
            named(walk, word, Read);
        }
    }
}
