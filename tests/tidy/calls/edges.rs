//! Who calls whom: what the calls of every function lead to.
//!
//! Where it is not known what is called, everything is taken for called that it could be: a method on
//! something whose type is not written there is any method of that name.

use super::body::{Call, Receiver};
use super::functions::{self, Function, Source, base, held};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// A type or trait: the file that declares it, and its name.
type TypeId = (String, String);

/// What a closure is of. It belongs to who makes it, so calling it calls nothing new.
const CLOSURES: &[&str] = &["Fn", "FnMut", "FnOnce"];

/// How many imports are followed from one to the next.
const MAX_IMPORTS: usize = 4;

/// Methods that every collection has. On something whose type is not written they are taken for those.
const STANDARD: &[&str] = &["find", "get", "is_empty", "iter", "len"];

/// The functions of some files. The graph has one node for each, in order.
pub struct Calls {
    pub functions: Vec<Function>,
    pub graph: DiGraph<(), ()>,
}

/// Reads files, by path below `src/`, and finds what their functions call.
pub fn of(files: &BTreeMap<String, String>) -> Calls {
    let mut sources: BTreeMap<String, Source> = BTreeMap::new();
    let mut functions = Vec::new();
    for (path, text) in files {
        let mut source = functions::read(path, text);
        functions.append(&mut source.functions);
        sources.insert(path.clone(), source);
    }
    let all = Names::of(&sources, &functions);
    let mut graph = DiGraph::new();
    for _ in &functions {
        graph.add_node(());
    }
    for (from, function) in functions.iter().enumerate() {
        let called = function
            .calls
            .iter()
            .flat_map(|call| all.called(function, call));
        let called: BTreeSet<usize> = called.collect();
        for to in called {
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
    }
    Calls { functions, graph }
}

/// What names mean.
struct Names<'s> {
    sources: &'s BTreeMap<String, Source>,
    /// File of every module, by its path.
    modules: BTreeMap<Vec<String>, &'s str>,
    free: BTreeMap<(&'s str, &'s str), Vec<usize>>,
    members: BTreeMap<(TypeId, &'s str), Vec<usize>>,
    /// Whatever has a `self`, by name.
    methods: BTreeMap<&'s str, Vec<usize>>,
    functions: &'s [Function],
    /// Constants, which may hold functions.
    constants: Vec<usize>,
    /// Trait and type.
    impls: Vec<(TypeId, TypeId)>,
}

impl<'s> Names<'s> {
    fn of(sources: &'s BTreeMap<String, Source>, functions: &'s [Function]) -> Self {
        let mut names = Self {
            sources,
            modules: sources
                .keys()
                .map(|file| (module(file), file.as_str()))
                .collect(),
            free: BTreeMap::new(),
            members: BTreeMap::new(),
            methods: BTreeMap::new(),
            functions,
            constants: Vec::new(),
            impls: Vec::new(),
        };
        for (file, source) in sources {
            for (of_trait, of) in &source.impls {
                for of_trait in names.types(file, of_trait) {
                    let each = names.types(file, of).into_iter();
                    names.impls.extend(each.map(|of| (of_trait.clone(), of)));
                }
            }
        }
        for (id, function) in functions.iter().enumerate() {
            let name = function.name.as_str();
            if function.is_constant {
                names.constants.push(id);
            }
            if function.takes_self {
                names.methods.entry(name).or_default().push(id);
            }
            match &function.owner {
                None => names
                    .free
                    .entry((&function.file, name))
                    .or_default()
                    .push(id),
                Some(owner) => {
                    // An `impl` for a type of another crate makes it one of ours.
                    let mut types = names.types(&function.file, owner);
                    if types.is_empty() {
                        types.push((function.file.clone(), owner.clone()));
                    }
                    for of in types {
                        names.members.entry((of, name)).or_default().push(id);
                    }
                }
            }
        }
        names
    }

    fn called(&self, from: &Function, call: &Call) -> Vec<usize> {
        let file = from.file.as_str();
        let owner = || {
            from.owner
                .as_deref()
                .map_or(Vec::new(), |owner| self.own(file, owner))
        };
        match call {
            Call::Held(held) => {
                let types = self.types_of(from, held).unwrap_or_default();
                let is_closure = types.iter().any(|(_, of)| CLOSURES.contains(&of.as_str()));
                if is_closure {
                    Vec::new()
                } else {
                    self.constants.clone()
                }
            }
            Call::Path(path) => match &path[..] {
                [] => Vec::new(),
                [name] => self.free_named(file, name, MAX_IMPORTS),
                [of, name] if of == "Self" => self.members_of(&owner(), name),
                [outer @ .., of, name] if of.starts_with(char::is_uppercase) => {
                    let there = match outer {
                        [] => Some(file),
                        outer => self.module_at(file, outer, MAX_IMPORTS),
                    };
                    match there {
                        // A parameter: any type that has such a function.
                        _ if of.len() == 1 => {
                            let all = self.members.iter().filter(|((_, n), _)| n == name);
                            all.flat_map(|(_, ids)| ids.clone()).collect()
                        }
                        Some(there) => self.members_of(&self.own(there, of), name),
                        None => Vec::new(),
                    }
                }
                [outer @ .., name] => {
                    let there = self.module_at(file, outer, MAX_IMPORTS);
                    there.map_or(Vec::new(), |there| {
                        self.free_named(there, name, MAX_IMPORTS)
                    })
                }
            },
            Call::Method(receiver, name, given) => match self.types_of(from, receiver) {
                Some(types) => self.members_of(&types, name),
                None if STANDARD.contains(&name.as_str()) => Vec::new(),
                None => {
                    let all = self.methods.get(name.as_str()).into_iter().flatten();
                    let fits = |id: &usize| {
                        given.is_none_or(|given| self.functions[*id].parameters == given)
                    };
                    all.copied().filter(fits).collect()
                }
            },
        }
    }

    /// The types that something may be of, also those of other crates; `None` where nothing says.
    fn types_of(&self, from: &Function, receiver: &Receiver) -> Option<Vec<TypeId>> {
        let owner = from.owner.as_deref();
        match receiver {
            Receiver::This => self.named(&from.file, owner, "Self"),
            Receiver::Typed(of) => self.named(&from.file, owner, of),
            Receiver::Field(of, field) => {
                let owners = self.types_of(from, of)?;
                owners.iter().find_map(|(file, owner)| {
                    let fields = self.sources.get(file)?.fields.iter();
                    let mut told = fields.filter(|(o, f, _)| o == owner && f == field);
                    self.named(file, Some(owner), &told.next()?.2)
                })
            }
            Receiver::Result(call) | Receiver::Tried(call) => {
                let mut found = Vec::new();
                for id in self.called(from, call) {
                    let function = &self.functions[id];
                    let gives = function.gives.as_deref()?;
                    let gives = match receiver {
                        Receiver::Tried(_) => base(held(gives)),
                        _ => base(gives),
                    };
                    let owner = function.owner.as_deref();
                    found.extend(self.named(&function.file, owner, &gives)?);
                }
                (!found.is_empty()).then_some(found)
            }
            Receiver::Named(..) | Receiver::Unknown => None,
        }
    }

    /// The types of a name in a file; `None` for a parameter, which may be any.
    fn named(&self, file: &str, owner: Option<&str>, of: &str) -> Option<Vec<TypeId>> {
        let of = if of == "Self" { owner? } else { of };
        let is_known = of.len() > 1 || !self.types(file, of).is_empty();
        is_known.then(|| self.own(file, of))
    }

    /// Functions of types, of the traits that they have, and of the types that have a trait.
    fn members_of(&self, types: &[TypeId], name: &str) -> Vec<usize> {
        let mut found = Vec::new();
        for of in types {
            let on = |of: &TypeId| self.members.get(&(of.clone(), name)).into_iter().flatten();
            found.extend(on(of));
            for (of_trait, has) in &self.impls {
                if has == of {
                    found.extend(on(of_trait));
                }
                if of_trait == of {
                    found.extend(on(has));
                }
            }
        }
        found
    }

    /// The types that a name may mean in a file, also those of other crates that it adds to.
    fn own(&self, file: &str, name: &str) -> Vec<TypeId> {
        let mut types = self.types(file, name);
        types.push((file.to_owned(), name.to_owned()));
        types
    }

    /// The types of these files that a name may mean in one of them.
    fn types(&self, file: &str, name: &str) -> Vec<TypeId> {
        let declares = |file: &str| {
            let source = self.sources.get(file);
            source.is_some_and(|source| source.types.iter().any(|of| of == name))
        };
        if declares(file) {
            return vec![(file.to_owned(), name.to_owned())];
        }
        if let Some((file, path)) = self.import(file, name, MAX_IMPORTS)
            && let Some((last, outer)) = path.split_last()
        {
            let Some(there) = self.module_at(file, outer, MAX_IMPORTS) else {
                return Vec::new();
            };
            let source = self.sources.get(there);
            if source.is_some_and(|source| source.types.contains(last)) {
                return vec![(there.to_owned(), last.clone())];
            }
            return self.declared(last);
        }
        self.declared(name)
    }

    fn declared(&self, name: &str) -> Vec<TypeId> {
        let all = self.sources.iter();
        let there = all.filter(|(_, source)| source.types.iter().any(|of| of == name));
        there
            .map(|(file, _)| (file.clone(), name.to_owned()))
            .collect()
    }

    /// What a name in a file is imported as: a path, and the file that it is written in, which is another
    /// one where the name comes with all there is in a module.
    fn import(&self, file: &str, name: &str, imports: usize) -> Option<(&'s str, &'s Vec<String>)> {
        let (file, source) = self.sources.get_key_value(file)?;
        if let Some((_, path)) = source.uses.iter().find(|(bound, _)| bound == name) {
            return Some((file, path));
        }
        let imports = imports.checked_sub(1)?;
        let mut wholes = source.uses.iter().filter(|(bound, _)| bound == "*");
        wholes.find_map(|(_, path)| {
            let (_, outer) = path.split_last()?;
            let there = self.module_at(file, outer, imports)?;
            self.import(there, name, imports)
        })
    }

    /// Free functions and constants that a name means in a file.
    fn free_named(&self, file: &str, name: &str, imports: usize) -> Vec<usize> {
        if let Some(found) = self.free.get(&(file, name)) {
            return found.clone();
        }
        let Some(imports) = imports.checked_sub(1) else {
            return Vec::new();
        };
        let Some(source) = self.sources.get(file) else {
            return Vec::new();
        };
        let bound = source
            .uses
            .iter()
            .filter(|(bound, _)| bound == name || bound == "*");
        let found = bound.flat_map(|(bound, path)| {
            let (last, outer) = path.split_last().expect("a path has a name");
            let name = if bound == "*" { name } else { last };
            let there = self.module_at(file, outer, imports);
            there.map_or(Vec::new(), |there| self.free_named(there, name, imports))
        });
        found.collect()
    }

    /// The file of the module that a path leads to from a file; `None` for other crates.
    fn module_at(&self, file: &str, path: &[String], imports: usize) -> Option<&'s str> {
        let mut at = module(file);
        for (i, part) in path.iter().enumerate() {
            match part.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => {
                    at.pop()?;
                }
                part => {
                    at.push(part.to_owned());
                    if i == 0 && !self.modules.contains_key(&at) {
                        let imports = imports.checked_sub(1)?;
                        let (file, path) = self.import(file, part, imports)?;
                        let there = self.module_at(file, path, imports)?;
                        at = module(there);
                    }
                }
            }
        }
        self.modules.get(&at).copied()
    }
}

/// The path of the module that a file is.
fn module(file: &str) -> Vec<String> {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    let parts = stem.split('/').filter(|part| *part != "lib");
    parts.map(str::to_owned).collect()
}
