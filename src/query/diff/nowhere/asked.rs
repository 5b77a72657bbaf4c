//! What is asked of the new state where a name may lead nowhere: whether something has it, and whether what is written around
//! it leaves that open.

use super::super::dangling::document;
use super::super::signatures::Place;
use super::super::units::Side;
use super::{brought, free, whole};
use crate::extract::calls::{self, Parsed};
use crate::extract::record::ImportKind;
use crate::graph::lacking::Lacking;
use crate::graph::table::SymbolId;
use crate::query::exposure;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashSet;

/// Comments of who knows that a checker does not find what is there, or that nothing is.
const EXPECTED: &[&[u8]] = &[
    b"@ts-expect-error",
    b"@ts-ignore",
    b"type: ignore",
    b"noqa",
    b"no-member",
    b"no-undef",
    b"pyright: ignore",
];

/// The texts of the new state, and how many names may still be looked for in them.
pub(super) struct Asked<'q, 'a> {
    pub(super) new: &'q Side<'a>,
    pub(super) texts: &'q mut Texts,
    left: &'q mut usize,
    /// How many more may be looked at in the code around them.
    looks: &'q mut usize,
    /// The packages that files declare, once one was asked for.
    packages: Option<FxHashSet<Vec<u8>>>,
    /// Whether something may take in names for all files, once that was asked.
    takes_for_all: Option<bool>,
    /// The file that was parsed last.
    parsed: Option<(FileId, Option<Parsed>)>,
}

impl<'q, 'a> Asked<'q, 'a> {
    pub(super) fn new(
        new: &'q Side<'a>,
        texts: &'q mut Texts,
        (left, looks): (&'q mut usize, &'q mut usize),
    ) -> Self {
        Self {
            new,
            texts,
            left,
            looks,
            packages: None,
            takes_for_all: None,
            parsed: None,
        }
    }

    /// Whether what should have a name does not.
    pub(super) fn lacks(&mut self, of: Lacking, name: &[u8]) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        *self.left = left;
        let (new, texts) = (self.new, &mut *self.texts);
        let place = match of {
            Lacking::Type(class) => new.graph.place(class).0,
            Lacking::Module(module) => module,
        };
        let is_go = exposure::language(new.view, place).naming.embeds_types;
        if is_go && free::is_made_package(new.view, place, texts) {
            return false;
        }
        match of {
            Lacking::Type(class) => whole::has_no(new, class, name, texts),
            Lacking::Module(module) => whole::gives_out_no(new, module, name, texts),
        }
    }

    /// Whether a file of the repository declares that it is in a package.
    pub(super) fn declares(&mut self, package: &[u8]) -> bool {
        let new = self.new;
        let packages = self.packages.get_or_insert_with(|| {
            let files = (0..new.view.files().len() as u32).map(FileId);
            let imports = files.filter_map(|file| document(new, file));
            let imports = imports.flat_map(|(segment, doc)| segment.imports(doc));
            let declared = imports.filter(|import| import.kind == ImportKind::Package);
            declared.map(|import| import.specifier).collect()
        });
        packages.contains(package)
    }

    /// Whether something may take in what others have for all files.
    pub(super) fn takes_for_all(&mut self) -> bool {
        let (view, texts) = (self.new.view, &mut *self.texts);
        *(self.takes_for_all).get_or_insert_with(|| brought::takes_for_all(view, texts))
    }

    /// Whether one more name may be looked at: each takes a walk over the files of the tree or over code.
    pub(super) fn may_look(&mut self) -> bool {
        let looks = self.looks.checked_sub(1);
        *self.looks = looks.unwrap_or_default();
        looks.is_some()
    }

    /// Whether what is written around a name leaves it open what it means, or says that it is not there.
    pub(super) fn is_doubtful(&mut self, (file, line, col): Place) -> bool {
        self.may_be_of_another((file, line, col), &[])
    }

    /// The same of a member of a type of this name.
    pub(super) fn may_be_of_another(&mut self, (file, line, col): Place, class: &[u8]) -> bool {
        if !self.may_look() {
            return true;
        }
        let Some(text) = self.texts.if_here(self.new.view, file) else {
            return true;
        };
        let says = |line: u32| {
            let line = text.line(line);
            EXPECTED
                .iter()
                .any(|words| memchr::memmem::find(line, words).is_some())
        };
        if says(line) || (line > 1 && says(line - 1)) {
            return true;
        }
        let known = self.parsed.take().filter(|(known, _)| *known == file);
        let grammar = document(self.new, file).map(|(segment, doc)| segment.doc(doc).lang);
        let (_, parsed) = self.parsed.insert(known.unwrap_or_else(|| {
            let parsed = grammar.and_then(|grammar| Parsed::of(grammar, text.bytes()));
            (file, parsed)
        }));
        let Some(parsed) = parsed.as_ref() else {
            return true;
        };
        let called = parsed.result_called((line, col));
        parsed.is_doubtful((line, col), class)
            || called.is_some_and(|(line, col)| !self.gives((file, line, col), class))
    }

    /// Whether a call is of functions of which each says that it gives a type of this name, and nothing around it.
    fn gives(&mut self, (file, line, col): Place, class: &[u8]) -> bool {
        let graph = self.new.graph;
        let mut reader = graph.reader();
        let edge = graph.edges_of(file).find(|edge| {
            let edge = reader.edge(*edge);
            (edge.line, edge.col) == (line, col)
        });
        let targets: Vec<SymbolId> =
            edge.map_or_else(Vec::new, |edge| graph.targets(edge).collect());
        !targets.is_empty()
            && targets
                .iter()
                .all(|target| self.says_to_give(*target, class))
    }

    fn says_to_give(&mut self, function: SymbolId, class: &[u8]) -> bool {
        let (file, position) = self.new.graph.place(function);
        let symbol = document(self.new, file).and_then(|(segment, doc)| {
            let symbol = segment.symbols(doc).nth(position)?;
            Some((segment.doc(doc).lang, symbol.span))
        });
        let text = self.texts.if_here(self.new.view, file);
        symbol.zip(text).is_some_and(|((grammar, span), text)| {
            let parsed = Parsed::of(grammar, text.bytes());
            let said = parsed.and_then(|parsed| parsed.result(span));
            said.is_some_and(|said| calls::names_type(text.slice(said), class))
        })
    }
}
