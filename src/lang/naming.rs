//! How the names of a language find their definitions: what resolution has to know of it.

usual! {
    /// What is usual stands in [`Naming::new`]; a language says what it has other than that.
    #[derive(Clone, Copy)]
    pub struct Naming() {
        /// A bare name inside a class means its members.
        pub implicit_members: bool = false,
        /// What stands in a namespace block counts as standing at the top of the file.
        pub open_namespaces: bool = false,
        /// The constants of an enum belong to the scope around it.
        pub open_enums: bool = false,
        /// Whether a file that opens a type again adds to the type defined elsewhere.
        pub type_parts: TypeParts = TypeParts::One,
        /// Of what several bases have, the last one gives it.
        pub last_base_first: bool = false,
        /// A literal may be turned into what has a member by a conversion that nothing names.
        pub converts_literals: bool = false,
        /// What one file of a package only declares, others of it define: `expect` and `actual`.
        pub declares_ahead: bool = false,
        /// What a file takes whole by an import is nearer than what other files of its package define.
        pub imports_before_package: bool = false,
        /// What is nested in the members of a class sees the names of the class's body.
        pub sees_class_body: bool = true,
        /// A module is an object, so that `this` and `self` in it mean the module.
        pub modules_are_objects: bool = true,
        /// A bare name that nothing explains may yet be a definition of another file: includes and
        /// loading order, not imports, make names visible.
        pub loose_names: bool = true,
        /// Files may declare names for all others, and add to what modules give out.
        pub declares_globals: bool = false,
        /// Names that a file does not define and nobody has to: objects of the language or its hosts.
        pub globals: fn(&[u8]) -> bool = |_| false,
        /// A module gives out what it imports.
        pub passes_imports_on: bool = false,
        /// An import that lists no names brings all of what it is from.
        pub imports_are_whole: bool = true,
        /// An import of a whole module may name a type in it (`import a.b.Type`).
        pub imports_types: bool = false,
        /// What an import is from may end in the names of definitions, not of files alone.
        pub specifies_names: bool = false,
        /// `import a.b.c` binds `a` alone.
        pub import_binds_root: bool = false,
        /// What an import names may be a module below the one it is from.
        pub imports_submodules: bool = true,
        /// A module may be one thing of its own (`module.exports = thing`), which has a default.
        pub object_modules: bool = false,
        /// Definitions and declarations in several files are one by their name, as a linker sees it, and
        /// an include makes visible what the included file sees.
        pub linked: bool = false,
        /// Names of modules with which a path begins (`super::name`), where paths begin with modules.
        pub path_roots: &'static [&'static [u8]] = &[],
        /// What may be written in full, without an import of its own.
        pub in_full: InFull = InFull::Nothing,
        /// A bare name in a path may be a package that nothing imports.
        pub names_packages: bool = false,
        /// After an object stands a field, never a method.
        pub members_are_fields: bool = false,
        /// A pointer to a thing is also an array of such things.
        pub pointers_are_arrays: bool = false,
        /// A bare name means a type that lies in another one only where that other one is open.
        pub types_need_paths: bool = false,
        /// Writing a member calls the method whose name is that of the member with this behind it, if there is one.
        pub setter_ending: &'static [u8] = b"",
        /// A name that is no variable is a call, and so is what stands after an object: fields are methods, too.
        pub names_are_calls: bool = false,
        /// Types of the language that every object is of: bare names may mean what the repository adds to them.
        pub common_bases: &'static [&'static [u8]] = &[],
        /// Types of libraries, by all of their names, that a group of tests which a call declares is a type below, if the
        /// repository adds to them.
        pub bases_of_tests: &'static [[&'static str; 2]] = &[],
        /// How fields are read and written by methods whose names are made from theirs.
        pub accessors: Accessors = Accessors::None,
        /// Who reads an attribute of an object may write the name of the method that gives it with underscores
        /// (`storage_metadata` of `storageMetadata`).
        pub attributes_underscored: bool = false,
        /// A method whose name begins with `scope` is called by the rest of it: Eloquent's `scopeActive` as `active()`.
        pub scopes: bool = false,
        /// An argument given by name is written as a member of what is called.
        pub keyword_arguments: bool = false,
        /// Where the names of arguments tell parameters, whatever is called: the words for that.
        pub labels: Option<&'static Labels> = None,
        /// Types say with what functions are called that are handed on.
        pub typed_callbacks: bool = false,
        /// The method that a value is called by, as a function is.
        pub applied: &'static [u8] = b"",
        /// What members from outside hand to functions, where it is known which parameter of which call a name is.
        pub handing: Option<&'static Handing> = None,
        /// Files whose functions give values to parameters of tests in their folder and below, by name.
        pub fixture_file: Option<&'static str> = None,
        /// A list may hold more than is written where it is made, or is made by a call that may be another's.
        pub lists_are_guesses: bool = false,
        /// Methods that give what they are called on, or what is known by it: `dup`, `get` of an optional one.
        pub unwraps: &'static [&'static [u8]] = &[],
        /// What is said of the case of an enum is what it holds.
        pub cases_hold: bool = false,
        /// Types whose argument they have the members of.
        pub type_wrappers: &'static [&'static [u8]] = &[],
        /// What members of the language's own collections give.
        pub collections: CollectionMembers = CollectionMembers::NONE,
        /// The members that collections have themselves, where any other name is a key: `record.name` is what is kept
        /// under that.
        pub besides_keys: Option<&'static [&'static [u8]]> = None,
        /// A type may be several at once, whose members under one name are all meant.
        pub types_add_up: bool = false,
        /// A type has an interface by having its methods; nothing says so.
        pub implicit_interfaces: bool = false,
        /// Macros are named with a mark where they are expanded, and nothing else is; they may be seen in all of
        /// the package that a file of this name stands at the root of.
        pub macro_package: Option<&'static str> = None,
        /// A name may be defined several times in one place, told apart by what each takes.
        pub overloads: bool = false,
        /// Whether calls say how many arguments they have, and parameters whether they have to be given.
        pub counts: Counts = Counts::Nothing,
        /// What is said to be a literal is so by its type: what is in it is a literal, too.
        pub literals_all_through: bool = false,
        /// What names of functions begin with that give an instance of the one type they are handed.
        pub giving_words: &'static [&'static [u8]] = &[],
        /// A field and a method of one name have nothing to do with each other.
        pub methods_apart: bool = false,
        /// A field never overrides a method: it may hide one.
        pub fields_hide_methods: bool = false,
        /// What an object in a type is called that is written without a name; its members lie in the type.
        pub unnamed_object: Option<&'static str> = None,
        /// Types that literals are of, where members may be written for those.
        pub literal_types: &'static [&'static [u8]] = &[],
        /// Whether members may be written for types that stand elsewhere.
        pub extensions: Extensions = Extensions::None,
        /// Types of the language and of usual libraries, by all of their names: what opens one at the top of a file
        /// adds to it.
        pub opened_types: fn(&[u8]) -> bool = |_| false,
        /// Traits give methods to types that stand elsewhere, seen where the trait is.
        pub traits_extend: bool = false,
        /// A type and a value of one name, in one place, have nothing to do with each other.
        pub types_apart: bool = false,
        /// Where a type is wanted, a function of that name is something else.
        pub types_are_declared: bool = false,
        /// A type has the members that are written for it and for its bases, and no library adds to all types.
        pub members_are_written: bool = false,
        /// Members that objects of all types have, or are given by usual libraries.
        pub object_members: fn(&[u8]) -> bool = |_| false,
        /// First parts of what imports of the language's own library are of, where imports may bring members of all types.
        pub own_library: &'static [&'static [u8]] = &[],
        /// What is called on an object may be a member of a type below the one that is written.
        pub heirs_answer: bool = true,
        /// Methods are the same in upper and in lower case.
        pub methods_ignore_case: bool = false,
        /// Whether an import of a type from a package of the repository that does not have it can be told.
        pub packages: Packages = Packages::Untold,
        /// Imports of files by paths that begin with a dot are relative to the file, and nothing else is tried.
        pub paths_are_written: bool = false,
        /// Imports of files and names that are not there can be told.
        pub imports_are_written: bool = false,
        /// Functions that are there without being defined or imported, where these can be listed.
        pub library_functions: Option<fn(&[u8]) -> bool> = None,
        /// Methods that values of the language's own library have.
        pub library_members: fn(&[u8]) -> bool = |_| false,
        /// A field that is called like a type lends its members to the struct around it.
        pub embeds_types: bool = false,
    }
}

/// What a language lets be named by all of its name, without an import of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InFull {
    /// Nothing, or what is found otherwise.
    Nothing,
    /// What lies in a namespace, behind the name of that: `com.acme.util.Text`.
    Namespaces,
    /// A module, which is a symbol itself; its name may begin with what an import binds: `App.Billing.Local`.
    Modules,
}

/// Whether what a package or namespace of the repository has is what its files define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packages {
    /// Nothing tells.
    Untold,
    /// Where `composer.json` says in which folder a namespace lies.
    Composer,
    /// But for what a build makes.
    Built,
}

/// Whether the arguments of calls are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// They are not.
    Nothing,
    /// Where they stand in parentheses; nothing is known of what is called without.
    Lists,
    /// Always: what is called has parentheses, and no argument where nothing is said.
    All,
}

/// Words that tell what is made, and of what.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// What constructors are called.
    pub constructor: &'static [u8],
    /// The name of the argument that a constructor is given the elements of a list by, where a list is written and an
    /// instance of its type is expected.
    pub list: &'static [u8],
}

/// Members of types from outside that call the function they are given, by name.
#[derive(Clone, Copy, Debug)]
pub struct Handing {
    /// Each element is its first parameter.
    pub each: &'static [&'static [u8]],
    /// Each element is its second parameter.
    pub each_second: &'static [&'static [u8]],
    /// The object itself is its first parameter.
    pub itself: &'static [&'static [u8]],
    /// The function is called on the object itself.
    pub within: &'static [&'static [u8]],
}

/// Whether a type may be written in several parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeParts {
    /// No.
    One,
    /// In one file: a class, and the object that has what belongs to no instance of it.
    File,
    /// What a package declares and what it defines.
    Declared,
    /// In the files of one package.
    Package,
    /// In any file.
    Anywhere,
}

/// Whether members may be written for types that stand elsewhere, those of libraries among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extensions {
    /// They may not, or nothing tells which they are.
    None,
    /// As functions and properties at the top level, seen where their own name is.
    Named,
    /// In blocks or with a mark, seen where what is around them is.
    Around,
    /// In blocks, seen in all of a module.
    Everywhere,
    /// Where a type of a library is opened again, seen everywhere.
    Opened,
}

/// How fields are read and written by methods whose names are made from theirs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accessors {
    /// They are not.
    None,
    /// By methods that are written, or that a library writes.
    Methods,
    /// By methods that the language makes.
    Properties,
}

/// What of a language's library holds instances of a type, and has members of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// A list, a set, or what goes over one.
    List,
    /// A map to such instances.
    Map,
    /// What gives entries of a map one after the other, or elements with their places.
    Entries,
    /// One such entry.
    Entry,
    /// What gives one when it is asked for it.
    Cell,
}

impl Holder {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 5] = [
        Self::List,
        Self::Map,
        Self::Entries,
        Self::Entry,
        Self::Cell,
    ];
}

/// What a member of such a holder gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// One of the instances.
    Element,
    /// What holds the same, or some of them.
    Held(Holder),
}

/// What going over a map gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapGives {
    /// Its values.
    Values,
    /// Its keys.
    Keys,
    /// Its entries.
    Entries,
}

/// Members of a language's own collections that give what these hold, by name.
#[derive(Clone, Copy, Debug)]
pub struct CollectionMembers {
    /// Methods that give an element.
    pub element: &'static [&'static [u8]],
    /// Methods that give a collection of the same elements.
    pub same: &'static [&'static [u8]],
    /// Methods of maps that give a value.
    pub by_key: &'static [&'static [u8]],
    /// Methods of maps that give all values.
    pub values: &'static [&'static [u8]],
    /// Methods of maps that give all entries.
    pub entries: &'static [&'static [u8]],
    /// Methods of lists that give a map to the elements.
    pub keyed: &'static [&'static [u8]],
    /// Methods of lists that give the elements with their places.
    pub placed: &'static [&'static [u8]],
    /// Members of entries that give the value.
    pub entry_value: &'static [&'static [u8]],
    /// Members of what gives an instance when it is asked that give it.
    pub opens: &'static [&'static [u8]],
    /// What going over a map gives.
    pub step: MapGives,
    /// Methods that give something else, which nothing tells.
    pub other: &'static [&'static [u8]],
    /// They may be read without being called.
    pub are_read: bool,
    /// What such methods give on something from outside is from outside, too.
    pub outside_stays: bool,
}

impl CollectionMembers {
    /// Nothing is known.
    pub const NONE: Self = Self {
        element: &[],
        same: &[],
        by_key: &[],
        values: &[],
        entries: &[],
        keyed: &[],
        placed: &[],
        entry_value: &[],
        opens: &[],
        step: MapGives::Values,
        other: &[],
        are_read: false,
        outside_stays: false,
    };

    /// Whether the member of a name gives something that is known of some holder.
    pub fn knows(&self, name: &[u8]) -> bool {
        use Holder::{Cell, Entries, Entry, List, Map};
        let all = [List, Map, Entries, Entry, Cell];
        all.into_iter().any(|of| self.given(of, name).is_some())
    }

    /// What the member of a name gives of a holder, where it is known.
    pub fn given(&self, of: Holder, name: &[u8]) -> Option<Given> {
        let (element, same) = (self.element.contains(&name), self.same.contains(&name));
        let values = self.values.contains(&name);
        Some(match of {
            Holder::List if element => Given::Element,
            Holder::List if same || values => Given::Held(of),
            Holder::List if self.keyed.contains(&name) => Given::Held(Holder::Map),
            Holder::List if self.placed.contains(&name) => Given::Held(Holder::Entries),
            Holder::Map if self.by_key.contains(&name) => Given::Element,
            Holder::Map if values => Given::Held(Holder::List),
            Holder::Map if self.entries.contains(&name) => Given::Held(Holder::Entries),
            Holder::Map if same => Given::Held(of),
            Holder::Map if element => match self.step {
                MapGives::Values => Given::Element,
                MapGives::Entries => Given::Held(Holder::Entry),
                MapGives::Keys => return None,
            },
            Holder::Entries if element => Given::Held(Holder::Entry),
            Holder::Entries if same => Given::Held(of),
            Holder::Entry if self.entry_value.contains(&name) => Given::Element,
            Holder::Cell if self.opens.contains(&name) => Given::Element,
            Holder::Cell if same => Given::Held(Holder::List),
            _ => return None,
        })
    }
}
