//! What is used in a language although no code says so, for judging what is dead.

use crate::record::Grammar;

usual! {
    /// What is usual stands in [`Liveness::new`]; a language says what it has other than that.
    #[derive(Clone, Copy)]
    pub struct Liveness() {
        /// Who may use what a file exports.
        pub published: Published = Published::Always,
        /// Through which files others reach what a library exports.
        pub outlet: Outlet = Outlet::Shown(|_| true),
        /// What stands before the name of something that counts as exported, and that others than the library do not
        /// see all the same.
        pub own_marks: &'static [&'static str] = &[],
        /// What has to stand before the name of a declaration that others than the library see, where the language has
        /// such words; none where it has not.
        pub given_marks: &'static [&'static str] = &[],
        /// Functions at the top level of a file that are called by whoever starts the program.
        pub entry_points: &'static [&'static [u8]] = &[],
        /// Methods that the language or its standard library calls on whatever has them, beside operators and
        /// what is written between underscores.
        pub called_methods: &'static [&'static str] = &[],
        /// Beginnings of names of methods, or of functions where there are none, that a usual library or tool puts together with
        /// what it looks for.
        pub called_beginnings: &'static [&'static str] = &[],
        /// With what the lines of an example in a comment begin that tests run.
        pub example_prompts: &'static [&'static [u8]] = &[],
        /// What an attribute begins with that lets a build leave out what it stands above.
        pub build_guard: Option<&'static [u8]> = None,
        /// Functions extend types by naming one each, so that several in one place may have one name.
        pub extends_by_receivers: bool = false,
        /// Who runs a script may call what it defines.
        pub scripts_are_called: bool = false,
        /// The family of languages whose functions are called by their names, as if they were of this one.
        pub called_family: Option<Grammar> = None,
        /// What begins a block that declares to another language what the file defines.
        pub shown_blocks: &'static [&'static [u8]] = &[],
        /// What stands at the top of a script that is no module, all scripts see that run beside it.
        pub scripts_share_names: bool = false,
        /// Names that the language itself reads.
        pub read_names: &'static [&'static [u8]] = &[],
        /// Words before the name of what the compiler puts in where a type asks for it, and no code names.
        pub implicit_marks: &'static [&'static [u8]] = &[],
        /// The word by which the body of a method calls what it overrides, whatever that is called.
        pub base_call: Option<&'static [u8]> = None,
        /// What begins the comment above a definition by which code in another language calls it.
        pub calling_comments: &'static [&'static [u8]] = &[],
        /// The word before the name of a member that stands in for one of a base.
        pub override_mark: Option<&'static [u8]> = None,
        /// The word before the name of a type in the head of a definition that makes a member of it: `function account.open()`.
        pub member_head: Option<&'static [u8]> = None,
        /// A file that nothing imports may be loaded by where it lies: a page, a route, a plugin.
        pub loaded_by_place: bool = false,
        /// What begins a block of members for other types, in a type that nothing names.
        pub extension_block: Option<&'static [u8]> = None,
        /// Names are gone when the program runs: none is looked up by what is put together then.
        pub names_are_fixed: bool = false,
        /// Who calls something writes its name whole: neither the language nor what it is usually used with puts names together as
        /// the program runs.
        pub callers_name: bool = false,
        /// A dot joins texts.
        pub dot_joins: bool = false,
        /// A macro puts names together from parts that it is given.
        pub macros_paste: bool = false,
        /// What is called may be chosen by a value: `this[name]()`, `Class.prototype[name]`.
        pub computes_members: bool = false,
        /// A name for a type in a type is what a base of that one asks for.
        pub aliases_are_read: bool = false,
        /// Interfaces of the standard library that a type has by having their methods.
        pub contracts: &'static [Contract] = &[],
        /// Whether an import of this specifier may bring interfaces, other than those of the standard library, that
        /// types have without saying so.
        pub foreign_interfaces: Option<fn(&[u8]) -> bool> = None,
        /// What a file includes from outside may ask whether a macro is defined above.
        pub headers_read_macros: bool = false,
        /// A decorator is a function that gets what it stands above, a class as well.
        pub decorators_take_types: bool = false,
        /// The word before the name of what is declared elsewhere, and called as that.
        pub actual_mark: Option<&'static [u8]> = None,
        /// Where who gets an object may call what it has, whatever its type: the functions of the language that call
        /// nothing of what they get but what the language calls.
        pub plain_takers: Option<&'static [&'static [u8]]> = None,
        /// Names between two underscores at the top of a file are read by the language and its tools.
        pub reads_underscored: bool = false,
        /// Files are used by being imported and in no other way, but for those whose stem (the name
        /// without its last extension) a framework loads.
        pub loaded_stem: Option<fn(&str) -> bool> = None,
        /// Modules of libraries, each with the functions that it calls of a module that uses it.
        pub behaviours: &'static [Contract] = &[],
        /// Types that a framework finds by where they are and what they are called.
        pub conventions: &'static [Convention] = &[],
        /// The word for a module of settings: frameworks are told the name of one and read its constants by theirs.
        pub settings: Option<&'static [u8]> = None,
        /// Calls that load all files of the folder that their first string names.
        pub folder_loaders: &'static [&'static str] = &[],
        /// Methods in a literal are handed to whoever gets that.
        pub hands_out_literals: bool = false,
        /// With what a line begins that opens a module of others: what is declared in it adds to what they have.
        pub reopens_modules: &'static [&'static str] = &[],
        /// A function or class may be named where it is a value: `return function name() {}`.
        pub names_values: bool = false,
        /// Methods of a class may extend other types, and be used on values of those without the class being named.
        pub extends_by_classes: bool = false,
        /// Namespaces of the standard library. Who defines something in one stands in for a version of it that has not
        /// got that, and the compiler or code of the library uses it.
        pub library_namespaces: &'static [&'static str] = &[],
        /// Methods by which a type gets to know the types that are derived from it.
        pub subclass_hooks: &'static [&'static str] = &[],
        /// A type in a type is that of a field, and lives with it.
        pub nested_types_are_fields: bool = false,
        /// A type may be handed to somebody, who makes objects of it.
        pub types_are_values: bool = false,
        /// A type in a type tells a base of that one something: `class Meta`.
        pub nested_types_are_read: bool = false,
        /// The markup of a file, which is not read as code, uses what its script defines.
        pub markup_uses_script: bool = false,
        /// A compiler complains of constants that nobody reads, so what stands unread is read by what a module uses
        /// (`@shortdoc`).
        pub constants_are_read: bool = false,
        /// Names that begin with two underscores are called by the language, however they end.
        pub calls_underscored: bool = false,
        /// Imports of types alone are gone when the program runs.
        pub erases_types: bool = false,
        /// A type has an interface by having its members, and so has a module that is handed to somebody.
        pub has_shapes: bool = false,
        /// Functions stand in types alone.
        pub functions_are_members: bool = false,
        /// What a module defines may be chosen by a value: `getattr(module, name)`, `globals()[name]`.
        pub chooses_of_modules: bool = false,
        /// A module may go to somebody as a whole: `import * as a`, `run(a)`.
        pub hands_on_modules: bool = false,
        /// What stands before a type that goes to somebody as a value: `typeof(`.
        pub type_as_value: Option<&'static [u8]> = None,
        /// A flag whose `if` holds what only type checkers read.
        pub type_checking: Option<&'static [u8]> = None,
    }
}

/// An interface of the standard library. Who has all of its methods may be called through it, and no code
/// of the type says so.
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    /// Its name, as its own language writes it.
    pub name: &'static str,
    /// Its methods.
    pub methods: &'static [&'static str],
}

impl Contract {
    /// An interface and its methods.
    pub(crate) const fn of(name: &'static str, methods: &'static [&'static str]) -> Self {
        Self { name, methods }
    }
}

/// Types that a framework finds by where they are and what they are called; it calls the methods that others see.
#[derive(Clone, Copy, Debug)]
pub struct Convention {
    /// The folder that their file lies in, however deep.
    pub folder: &'static str,
    /// How their name ends.
    pub ending: &'static str,
    /// What calls them.
    pub by: &'static str,
}

/// Who may use what a file exports: only the repository, or whoever uses it as a library.
#[derive(Clone, Copy)]
pub enum Published {
    /// Nothing tells.
    Always,
    /// Only the repository.
    Never,
    /// Others, where the nearest of these manifests above the file says so.
    Manifest(&'static [Manifest]),
    /// Others, where there are headers for them, where one of these at the root says so, or where there is no
    /// program.
    Headers(&'static [Manifest]),
    /// Others, but for packages in a folder `internal` and for the package `main`.
    Packages,
}

/// Through which files others reach what a library exports.
#[derive(Clone, Copy)]
pub enum Outlet {
    /// Each file of which all folders, and the stem of its name, are for others to see.
    Shown(fn(part: &[u8]) -> bool),
    /// The entries that a manifest of [`Published`] names as specifiers, and what these pass on; each file where it
    /// names none, and no file where it says that nobody gets them.
    Entries(fn(manifest: &[u8]) -> Option<Vec<Vec<u8>>>),
    /// The files of such a name, the modules that they declare on lines that begin so, and what they pass on.
    Declared {
        /// The name.
        root: &'static [u8],
        /// The beginning.
        mark: &'static [u8],
    },
}

/// A manifest that says whether the files below its folder are a library.
pub struct Manifest {
    /// Its file name.
    pub name: &'static str,
    /// Whether it speaks of a library.
    pub is_library: IsLibrary,
}

/// Judges a manifest by its text, and by whether there is a file at a path from its folder.
pub type IsLibrary = fn(text: &[u8], has_file: &dyn Fn(&str) -> bool) -> bool;

/// Whether a manifest has a word.
pub(crate) fn has(text: &[u8], word: &str) -> bool {
    memchr::memmem::find(text, word.as_bytes()).is_some()
}
