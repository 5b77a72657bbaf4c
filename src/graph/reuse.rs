//! What of an earlier graph still holds: after most edits all but the edges of a few files.
//!
//! A name is resolved by looking names up, so a file that names nothing that changed means what it
//! meant before. *Changed* are the names of definitions that came, went, or look different from other
//! files (their [`Digests`] differ), and those that imports and exports give them. What can be seen
//! without a name (the bases of a type, what an import of everything brings, the modules
//! themselves) must not have changed at all, or everything is resolved again.
//!
//! Guarantee: the graph that is made so is equal to the one made of the tree alone.

use super::build::Made;
use super::digests::{Digests, Reach};
use super::documents::Document;
use super::edges::Graph;
use super::names::Name;
use super::resolve::Resolver;
use super::table::SymbolId;
use crate::extract::record::{Grammar, ImportKind};
use crate::lang;
use crate::view::live::FileId;
use rustc_hash::FxHashMap;

/// Stands for a definition that is gone.
const GONE: u32 = u32::MAX;

/// An earlier graph, and what of it holds.
pub(super) struct Reused<'a> {
    pub(super) graph: &'a Graph,
    /// By definition of the earlier graph: its number now.
    ids: Vec<u32>,
    /// By file: whether it has to be resolved again.
    stale: Vec<bool>,
}

impl<'a> Reused<'a> {
    /// Compares the digests of two trees; `None` when they differ too much.
    pub(super) fn of(old: &'a Made, digests: &Digests, resolver: &Resolver<'_>) -> Option<Self> {
        let before = &old.digests;
        let files = digests.contents.len();
        if before.contents.len() != files || before.configuration != digests.configuration {
            return None;
        }
        let mut stale: Vec<bool> = before
            .contents
            .iter()
            .zip(&digests.contents)
            .map(|(a, b)| a != b)
            .collect();
        if digests
            .configuration
            .iter()
            .any(|file| stale[*file as usize])
        {
            return None;
        }
        let mut changed = Changed::new(resolver);
        let mut ids = Vec::with_capacity(before.identity.len());
        for (file, is_stale) in stale.iter().enumerate() {
            let (was, is) = (before.symbols_of(file), digests.symbols_of(file));
            if !is_stale {
                if was.len() != is.len() || before.resolutions[file] != digests.resolutions[file] {
                    return None;
                }
                ids.extend((is.start as u32..).take(was.len()));
            } else {
                // Whether a module has definitions of its own says whether it only passes others on.
                if was.is_empty() != is.is_empty() {
                    return None;
                }
                let mut known: FxHashMap<u64, u32> = is
                    .clone()
                    .map(|id| (digests.identity[id], id as u32))
                    .collect();
                for id in was.clone() {
                    let found = known.remove(&before.identity[id]);
                    if found.is_none() {
                        changed.add_hash(before.name[id]);
                    }
                    ids.push(found.unwrap_or(GONE));
                }
                for id in known.into_values() {
                    changed.add_hash(digests.name[id as usize]);
                }
                changed.add_imports(before, digests, FileId(file as u32))?;
            }
            for id in was {
                let now = ids[id];
                if now == GONE {
                    continue;
                }
                if before.shape[id] != digests.shape[now as usize] {
                    return None;
                }
                if before.meaning[id] != digests.meaning[now as usize] {
                    changed.add_hash(before.name[id]);
                }
            }
            // Guesses may lead to what nobody has listed, whatever compilers say of the use.
            if before.listed[file] != digests.listed[file] {
                let names = names_of(before, file).chain(names_of(digests, file));
                names.for_each(|name| changed.add_hash(name));
            }
            if before.defaults[file] != digests.defaults[file] {
                changed.add_bytes(b"default");
            }
        }
        if changed.any {
            changed.follow_aliases()?;
            for (file, doc) in resolver.docs.iter() {
                let stale = &mut stale[file.0 as usize];
                *stale = *stale || changed.is_named_in(doc);
            }
        }
        for (file, is_stale) in stale.iter_mut().enumerate() {
            *is_stale |= before.told[file] != digests.told[file];
        }
        let mut reused = Self {
            graph: &old.graph,
            ids,
            stale,
        };
        reused.mark_dangling();
        Some(reused)
    }

    /// Marks files with an edge to a definition that is gone. By today's rules they name it and are
    /// marked already; this keeps it so whatever rules are added.
    fn mark_dangling(&mut self) {
        let gone = self.ids.iter().zip(0..).filter(|(id, _)| **id == GONE);
        for (_, old) in gone {
            for edge in self.graph.incoming(SymbolId(old)) {
                let file = self.graph.edge(edge).file;
                self.stale[file.0 as usize] = true;
            }
        }
    }

    /// Whether a file means what it meant before.
    pub(super) fn holds(&self, file: FileId) -> bool {
        !self.stale[file.0 as usize]
    }

    /// The number now of a definition of the earlier graph; `None` when it is gone.
    pub(super) fn id(&self, old: u32) -> Option<u32> {
        self.ids.get(old as usize).copied().filter(|id| *id != GONE)
    }

    /// Number of files that are resolved again.
    pub(super) fn stale_files(&self) -> usize {
        self.stale.iter().filter(|stale| **stale).count()
    }
}

/// Hashes of the names that a file defines.
fn names_of(digests: &Digests, file: usize) -> impl Iterator<Item = u64> + '_ {
    digests.symbols_of(file).map(|id| digests.name[id])
}

/// The names of what changed.
struct Changed<'a> {
    resolver: &'a Resolver<'a>,
    marked: Vec<bool>,
    any: bool,
}

impl<'a> Changed<'a> {
    fn new(resolver: &'a Resolver<'a>) -> Self {
        Self {
            resolver,
            marked: vec![false; resolver.names.len()],
            any: false,
        }
    }

    fn has(&self, name: Name) -> bool {
        self.marked.get(name.0 as usize).copied().unwrap_or(false)
    }

    /// Says whether it was not there.
    fn add(&mut self, name: Name) -> bool {
        self.any = true;
        let place = self.marked.get_mut(name.0 as usize);
        place.is_some_and(|marked| !std::mem::replace(marked, true))
    }

    fn add_hash(&mut self, hash: u64) {
        let resolver = self.resolver;
        for name in resolver.names.hashed(hash) {
            self.add(name);
        }
    }

    fn add_bytes(&mut self, name: &[u8]) {
        if let Some(name) = self.resolver.names.find(name) {
            self.add(name);
        }
    }

    /// The names that a changed file imports and exports otherwise than before; `None` when names do
    /// not say it all.
    fn add_imports(&mut self, before: &Digests, digests: &Digests, file: FileId) -> Option<()> {
        let at = file.0 as usize;
        let (was, is) = (before.imports_of(at), digests.imports_of(at));
        let (old, new) = (&before.import[was.clone()], &digests.import[is.clone()]);
        let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let ends = old[front..].iter().rev().zip(new[front..].iter().rev());
        let back = ends.take_while(|(a, b)| a == b).count();
        let middles = [
            (before, was.start + front..was.end - back),
            (digests, is.start + front..is.end - back),
        ];
        let mut own = false;
        for (digests, middle) in middles {
            for import in middle {
                match digests.reach[import] {
                    reach if reach == Reach::Own as u8 => own = true,
                    reach if reach == Reach::Names as u8 => {
                        for hash in digests.names_of(import) {
                            self.add_hash(*hash);
                        }
                    }
                    _ => return None,
                }
            }
        }
        if !own {
            return Some(());
        }
        // What the file exports may be what it imports.
        let doc = self.resolver.docs.get(file)?;
        let exports = doc.imports.iter().filter(|i| i.kind == ImportKind::Export);
        for binding in exports.flat_map(|export| &export.bindings) {
            self.add(binding.imported?);
        }
        Some(())
    }

    /// What is known by another name, too: `import { a as b }`, `export { a as b }`.
    fn follow_aliases(&mut self) -> Option<()> {
        loop {
            let mut more = false;
            for (_, doc) in self.resolver.docs.iter() {
                for import in &doc.imports {
                    let named = specifies_names(doc.lang)
                        && import.bindings.iter().any(|b| b.imported.is_none())
                        && self.is_in_specifier(&import.specifier);
                    for binding in &import.bindings {
                        match (binding.imported, binding.local) {
                            (Some(a), Some(b)) if self.has(a) => more |= self.add(b),
                            (Some(a), Some(b)) if self.has(b) => more |= self.add(a),
                            // The module is the thing itself: who imports it may call it anything.
                            (None, Some(b)) if import.kind == ImportKind::Export && self.has(b) => {
                                return None;
                            }
                            (None, Some(b)) if named => more |= self.add(b),
                            _ => {}
                        }
                    }
                }
            }
            if !more {
                return Some(());
            }
        }
    }

    fn is_in_specifier(&self, specifier: &[u8]) -> bool {
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$' || *b >= 0x80;
        specifier
            .split(|b| !is_part(b))
            .filter_map(|part| self.resolver.names.find(part))
            .any(|name| self.has(name))
    }

    /// Whether a document names any of them.
    fn is_named_in(&self, doc: &Document) -> bool {
        let in_symbols = || {
            let names = doc.symbols.iter().flat_map(|s| [Some(s.name), s.receiver]);
            names.flatten().any(|name| self.has(name))
        };
        let in_import = |import: &super::documents::DocImport| {
            let names = import.bindings.iter().flat_map(|b| [b.imported, b.local]);
            names.flatten().any(|name| self.has(name))
                || (specifies_names(doc.lang) && self.is_in_specifier(&import.specifier))
        };
        doc.occurrences.iter().any(|found| self.has(found.name))
            || in_symbols()
            || doc.imports.iter().any(in_import)
    }
}

/// Whether what an import is from may end in the names of definitions, not of files alone.
fn specifies_names(grammar: Grammar) -> bool {
    let naming = &lang::of(grammar).naming;
    naming.imports_types || naming.linked || naming.specifies_names
}

#[cfg(test)]
mod tests {
    use super::super::build::build_from;
    use super::super::modules::testing::Tree;
    use super::*;
    use crate::id::BlobId;
    use crate::store::facts::{BlobFacts, CompilerFacts, FactsByBlob, Symbol};
    use proptest::prelude::*;

    const FILES: &[(&str, &str)] = &[
        ("go.mod", "module shop.test/app\n"),
        (
            "cart/cart.go",
            "package cart\n\ntype Cart struct {\n\titems []Item\n}\n\nfunc New() *Cart {\n\treturn &Cart{}\n}\n\n\
             func (c *Cart) Add(item Item) {\n\tc.items = append(c.items, item)\n}\n\n\
             func (c *Cart) First() Item {\n\treturn c.items[0]\n}\n",
        ),
        (
            "cart/item.go",
            "package cart\n\ntype Item struct {\n\tPrice int\n}\n\nfunc (i Item) Total() int {\n\treturn tax(i.Price)\n}\n\n\
             func tax(price int) int {\n\treturn price\n}\n",
        ),
        (
            "main.go",
            "package main\n\nimport \"shop.test/app/cart\"\n\nfunc main() {\n\tc := cart.New()\n\tc.Add(cart.Item{})\n\tprintln(c.First().Total())\n}\n",
        ),
        (
            "src/lib.rs",
            "mod shelf;\nmod store;\npub use shelf::Shelf as Rack;\n\npub fn open() -> Rack {\n    let shelf = Rack::new();\n    shelf.put(1);\n    shelf\n}\n",
        ),
        (
            "src/shelf.rs",
            "use crate::store::Store;\n\npub struct Shelf {\n    store: Store,\n}\n\nimpl Shelf {\n    pub fn new() -> Self {\n        Self { store: Store::make() }\n    }\n\n    pub fn put(&self, n: u32) {\n        self.store.keep(n);\n    }\n}\n",
        ),
        (
            "src/store.rs",
            "pub struct Store;\n\nimpl Store {\n    pub fn make() -> Store {\n        Store\n    }\n\n    pub fn keep(&self, n: u32) -> u32 {\n        inner::check(n)\n    }\n}\n\nmod inner {\n    pub fn check(n: u32) -> u32 {\n        super::limit() + n\n    }\n}\n\nfn limit() -> u32 {\n    1\n}\n",
        ),
        (
            "Cargo.toml",
            "[package]\nname = \"app\"\nversion = \"0.1.0\"\n",
        ),
        (
            "web/api.ts",
            "import { Client as Caller, Base } from './client';\nexport * from './client';\n\nexport class Api extends Base {\n  caller = new Caller();\n  load() {\n    this.ready();\n    return this.caller.fetch().body;\n  }\n}\n\nexport default function start() {\n  return new Api();\n}\n",
        ),
        (
            "web/client.ts",
            "import { Reply } from './reply';\n\nexport class Base {\n  ready() {}\n}\n\nexport class Client {\n  fetch(): Reply {\n    return make();\n  }\n}\n\nexport const make = () => new Reply();\nexport const again = make;\n",
        ),
        (
            "web/reply.ts",
            "export class Reply {\n  body = 1;\n  status = 2;\n}\n",
        ),
        (
            "web/page.ts",
            "import begin, { make, again } from './api';\nimport { Reply as Answer } from './reply';\n\nfunction show(answer: Answer) {\n  return answer.status + again().body + make().status;\n}\n\nbegin().load();\nbegin().caller.fetch();\n",
        ),
        (
            "web/kinds.ts",
            "import { Reply } from './reply';\nimport { Client } from './client';\n\nexport type Either = Reply | Client;\nexport type Outer = Either;\n",
        ),
        (
            "web/holder.ts",
            "import { Outer } from './kinds';\n\nexport const held: Outer = give();\n\nexport function give(): Outer {\n  return held;\n}\n",
        ),
        (
            "web/pick.ts",
            "import { held, give } from './holder';\n\nheld.body;\ngive().fetch();\n",
        ),
        (
            "old/log.js",
            "function log(text) {\n  return log.level + text;\n}\nlog.level = 1;\nlog.warn = function (text) { return log(text); };\nmodule.exports = log;\n",
        ),
        (
            "old/run.js",
            "const log = require('./log');\nconst { tidy: clean } = require('./tools');\nlog.warn(clean(1));\nexports.run = () => log('x');\nexports.clean = clean;\n",
        ),
        (
            "old/tools.js",
            "exports.tidy = function tidy(x) { return wash(x); };\nfunction wash(x) { return x; }\n",
        ),
        (
            "py/app.py",
            "from py.models import Order as Bill, make_order\nimport py.models as models\n\n\ndef main():\n    order = make_order()\n    order.pay(amount=1)\n    Bill().pay()\n    models.Base().close()\n",
        ),
        (
            "py/models.py",
            "from py.base import Base\n\n\nclass Order(Base):\n    def __init__(self):\n        self.base = Base()\n\n    def pay(self, amount=0):\n        self.close()\n        return self.base.close()\n\n\ndef make_order():\n    return Order()\n",
        ),
        (
            "py/base.py",
            "class Root:\n    def close(self):\n        return helper()\n\n\nclass Base(Root):\n    pass\n\n\ndef helper():\n    return 1\n",
        ),
        ("py/__init__.py", ""),
        (
            "java/a/Shape.java",
            "package a;\n\npublic interface Shape {\n  int area();\n}\n",
        ),
        (
            "java/a/Square.java",
            "package a;\n\npublic class Square implements Shape {\n  int side;\n  public int area() {\n    return side * Sizes.of(this);\n  }\n}\n",
        ),
        (
            "java/b/Use.java",
            "package b;\n\nimport a.Square;\nimport a.Shape;\n\nclass Use {\n  Shape shape = new Square();\n  int total() {\n    return shape.area();\n  }\n}\n",
        ),
        (
            "c/list.h",
            "#ifndef LIST_H\n#define LIST_H\nstruct list { int size; };\nint list_size(struct list *l);\n#define EMPTY 0\n#endif\n",
        ),
        (
            "c/list.c",
            "#include \"list.h\"\n\nstatic int half(int n) { return n / 2; }\n\nint list_size(struct list *l) {\n  return half(l->size) + EMPTY;\n}\n",
        ),
        (
            "rb/dog.rb",
            "require_relative 'animal'\n\nclass Dog < Animal\n  def speak\n    bark\n    name\n  end\n\n  def bark\n    'woof'\n  end\nend\n",
        ),
        (
            "rb/animal.rb",
            "class Animal\n  def name\n    speak\n  end\nend\n\nclass Dog\n  def sit\n    bark\n  end\nend\n",
        ),
        (
            "README.md",
            "# Shop\n\nCall `make_order` or `Shelf`, see `tidy`.\n",
        ),
    ];

    type Texts = Vec<(&'static str, String)>;

    fn texts() -> Texts {
        FILES
            .iter()
            .map(|(path, text)| (*path, (*text).to_owned()))
            .collect()
    }

    /// The graph of files, from nothing or from an earlier one.
    fn made(texts: &Texts, before: Option<&Made>) -> Made {
        told(texts, before, &CompilerFacts::default())
    }

    /// The graph of files of which compilers said something.
    fn told(texts: &Texts, before: Option<&Made>, said: &CompilerFacts) -> Made {
        let files: Vec<(&str, &str)> = texts.iter().map(|(p, t)| (*p, t.as_str())).collect();
        let tree = Tree::new(&files);
        let read = &mut |file| tree.content(file);
        let threads = 1 + usize::from(before.is_some());
        build_from((tree.view(), said), before, threads, read)
    }

    /// What a compiler might say of the files that two sorts of names stand in: a name that follows a word
    /// that defines is defined there, in a package of its own; all others are used.
    fn said() -> CompilerFacts {
        let mut known = FactsByBlob::new();
        for (_, text) in texts().iter().step_by(2) {
            let blob = gix::objs::compute_hash(
                gix::hash::Kind::Sha1,
                gix::objs::Kind::Blob,
                text.as_bytes(),
            );
            let (mut definitions, mut uses) = (Vec::new(), Vec::new());
            for (line, number) in text.lines().zip(1_u32..) {
                let is_part = |c: char| c.is_alphanumeric() || c == '_';
                let mut before = "";
                for word in line.split(|c| !is_part(c)).filter(|word| word.len() > 2) {
                    let col = word.as_ptr().addr() - line.as_ptr().addr();
                    let package = word.len() % 3;
                    let symbol = format!("scip-test x p{package} {word}.");
                    let place = (number, col as u32, Symbol::stored(&symbol).unwrap());
                    let defines = ["def", "class", "fn", "func", "function", "struct", "type"];
                    match defines.contains(&before) {
                        true => definitions.push(place),
                        false => uses.push(place),
                    }
                    before = word;
                }
            }
            fn each(all: &[(u32, u32, Symbol)]) -> impl Iterator<Item = (u32, u32, &Symbol)> {
                all.iter().map(|(line, col, symbol)| (*line, *col, symbol))
            }
            let facts = BlobFacts::of(each(&definitions), each(&uses));
            known.insert(BlobId::new(blob.unwrap()), facts);
        }
        CompilerFacts::of(known)
    }

    fn edited(path: &str, from: &str, to: &str) -> Texts {
        let mut texts = texts();
        let (_, text) = texts.iter_mut().find(|(p, _)| *p == path).unwrap();
        assert!(text.contains(from), "{path} has no {from}");
        *text = text.replace(from, to);
        texts
    }

    /// How many files are resolved again for an edit, after the result was found to be right.
    fn resolved(path: &str, from: &str, to: &str) -> usize {
        let texts = edited(path, from, to);
        let next = made(&texts, Some(&made(&self::texts(), None)));
        let anew = made(&texts, None);
        assert!(next.graph == anew.graph, "{path}: {from} -> {to}");
        assert!(next.digests == anew.digests, "{path}: {from} -> {to}");
        next.resolved
    }

    #[test]
    fn an_edit_resolves_what_it_can_reach() {
        let all = FILES.len();
        let rows = [
            // Inside a body, even where lines move.
            (
                "src/store.rs",
                "super::limit()",
                "\n\nsuper::limit() + limit()",
                1,
            ),
            ("web/client.ts", "ready() {}", "ready() { make().body; }", 1),
            ("py/base.py", "return 1", "return 2", 1),
            // A definition that nobody else names.
            (
                "py/base.py",
                "def helper",
                "def other():\n    pass\n\n\ndef helper",
                1,
            ),
            ("cart/item.go", "func tax", "func Extra() {}\n\nfunc tax", 1),
            // A definition that another file names.
            ("web/reply.ts", "status = 2", "state = 2", 2),
            ("web/reply.ts", "status = 2", "load = 2", 3),
            // What an alias stands for is seen where nobody names it.
            ("web/kinds.ts", "Reply | Client", "Client", 3),
            // What can be seen without a name.
            ("py/base.py", "Base(Root)", "Base", all),
            (
                "old/log.js",
                "module.exports = log",
                "module.exports = 1",
                all,
            ),
            ("go.mod", "shop.test", "shop.example", all),
        ];
        for (path, from, to, files) in rows {
            assert_eq!(resolved(path, from, to), files, "{path}: {from} -> {to}");
        }
    }

    #[test]
    fn values_and_aliases_are_seen_from_afar() {
        // `again` is `make`: who calls it has another object in hand.
        let seen = resolved("web/client.ts", "new Reply()", "new Base()");
        assert!((2..FILES.len()).contains(&seen), "{seen}");
        // `Rack` is `Shelf` elsewhere.
        let seen = resolved(
            "src/shelf.rs",
            "pub fn new() -> Self",
            "pub fn new() -> Store",
        );
        assert!((2..FILES.len()).contains(&seen), "{seen}");
        // A first member of a function makes it an object.
        resolved(
            "old/tools.js",
            "function wash",
            "wash.twice = 2;\nfunction wash",
        );
        resolved("py/models.py", "return Order()", "return Base()");
        resolved("rb/animal.rb", "class Dog", "class Cat");
    }

    #[derive(Clone, Debug)]
    enum Edit {
        Remove,
        Repeat,
        Swap,
        /// Another line of any file is put there.
        Insert(usize),
        /// A word becomes another one of the same file or of another.
        Rename(usize, usize),
    }

    fn edit() -> impl Strategy<Value = Edit> {
        prop_oneof![
            Just(Edit::Remove),
            Just(Edit::Repeat),
            Just(Edit::Swap),
            any::<usize>().prop_map(Edit::Insert),
            (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Rename(a, b)),
            (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Rename(a, b)),
        ]
    }

    fn words(texts: &Texts) -> Vec<String> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let all = texts
            .iter()
            .flat_map(|(_, text)| text.split(|c| !is_part(c)));
        let mut words: Vec<String> = all.filter(|w| w.len() > 2).map(str::to_owned).collect();
        words.sort();
        words.dedup();
        words
    }

    fn apply(texts: &mut Texts, file: usize, line: usize, edit: &Edit) {
        let donors: Vec<String> = texts
            .iter()
            .flat_map(|(_, text)| text.lines().map(str::to_owned))
            .collect();
        let words = words(texts);
        let at = file % texts.len();
        let text = &mut texts[at].1;
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let place = line % (lines.len() + 1);
        match edit {
            Edit::Insert(donor) => lines.insert(place, donors[donor % donors.len()].clone()),
            _ if place == lines.len() => {}
            Edit::Remove => drop(lines.remove(place)),
            Edit::Repeat => lines.insert(place, lines[place].clone()),
            Edit::Swap => lines.swap(0, place),
            Edit::Rename(from, to) => {
                let own: Vec<&String> =
                    words.iter().filter(|w| lines[place].contains(*w)).collect();
                if !own.is_empty() {
                    let from = own[from % own.len()];
                    lines[place] = lines[place].replacen(from, &words[to % words.len()], 1);
                }
            }
        }
        *text = lines.join("\n") + "\n";
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

        #[test]
        fn it_is_the_graph_of_the_tree_alone(
            edits in proptest::collection::vec((any::<usize>(), any::<usize>(), edit()), 1..6),
        ) {
            let mut texts = texts();
            let mut last = made(&texts, None);
            for (file, line, edit) in &edits {
                apply(&mut texts, *file, *line, edit);
                let next = made(&texts, Some(&last));
                let anew = made(&texts, None);
                prop_assert!(next.digests == anew.digests);
                prop_assert!(next.graph == anew.graph, "{} files resolved", next.resolved);
                last = next;
            }
        }

        #[test]
        fn it_is_so_whatever_compilers_say(
            edits in proptest::collection::vec((any::<usize>(), any::<usize>(), edit()), 1..4),
            is_told_at: usize,
        ) {
            let (mut texts, said) = (texts(), said());
            let none = CompilerFacts::default();
            let is_told_at = is_told_at % (edits.len() + 1);
            let of = |at: usize| if at < is_told_at { &none } else { &said };
            let mut last = told(&texts, None, of(0));
            for ((file, line, edit), at) in edits.iter().zip(1..) {
                apply(&mut texts, *file, *line, edit);
                let next = told(&texts, Some(&last), of(at));
                let anew = told(&texts, None, of(at));
                prop_assert!(next.digests == anew.digests);
                prop_assert!(next.graph == anew.graph, "{} files resolved", next.resolved);
                last = next;
            }
        }
    }
}
