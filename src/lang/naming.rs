//! How the names of a language find their definitions: what resolution has to know of it.

/// What is usual stands in [`Naming::new`]; a language says what it has other than that.
#[derive(Clone, Copy)]
pub struct Naming {
    /// A bare name inside a class means its members.
    pub implicit_members: bool,
    /// What stands in a namespace block counts as standing at the top of the file.
    pub open_namespaces: bool,
    /// The constants of an enum belong to the scope around it.
    pub open_enums: bool,
    /// Whether a file that opens a type again adds to the type defined elsewhere.
    pub type_parts: TypeParts,
    /// What is nested in the members of a class sees the names of the class's body.
    pub sees_class_body: bool,
    /// A module is an object, so that `this` and `self` in it mean the module.
    pub modules_are_objects: bool,
    /// A bare name that nothing explains may yet be a definition of another file: includes and
    /// loading order, not imports, make names visible.
    pub loose_names: bool,
    /// Names that a file does not define and nobody has to: objects of the language or its hosts.
    pub globals: fn(&[u8]) -> bool,
    /// A module gives out what it imports.
    pub passes_imports_on: bool,
    /// An import that lists no names brings all of what it is from.
    pub imports_are_whole: bool,
    /// An import of a whole module may name a type in it (`import a.b.Type`).
    pub imports_types: bool,
    /// What an import is from may end in the names of definitions, not of files alone.
    pub specifies_names: bool,
    /// `import a.b.c` binds `a` alone.
    pub import_binds_root: bool,
    /// What an import names may be a module below the one it is from.
    pub imports_submodules: bool,
    /// A module may be one thing of its own (`module.exports = thing`), which has a default.
    pub object_modules: bool,
    /// Definitions and declarations in several files are one by their name, as a linker sees it, and
    /// an include makes visible what the included file sees.
    pub linked: bool,
    /// Names of modules with which a path begins (`super::name`), where paths begin with modules.
    pub path_roots: &'static [&'static [u8]],
    /// A bare name in a path may be a package that nothing imports.
    pub names_packages: bool,
    /// After an object stands a field, never a method.
    pub members_are_fields: bool,
    /// A pointer to a thing is also an array of such things.
    pub pointers_are_arrays: bool,
    /// An argument given by name is written as a member of what is called.
    pub keyword_arguments: bool,
    /// Files whose functions give values to parameters of tests in their folder and below, by name.
    pub fixture_file: Option<&'static str>,
    /// Types whose argument they have the members of.
    pub type_wrappers: &'static [&'static [u8]],
    /// What a method of the language's own collections gives, if that is told by what they hold.
    pub collection_method: fn(&[u8]) -> Option<CollectionMethod>,
    /// A type has an interface by having its methods; nothing says so.
    pub implicit_interfaces: bool,
    /// A field that is called like a type lends its members to the struct around it.
    pub embeds_types: bool,
}

/// Whether a type may be written in several parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeParts {
    /// No.
    One,
    /// In the files of one package.
    Package,
    /// In any file.
    Anywhere,
}

/// What a method of a collection gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CollectionMethod {
    /// One of its elements.
    Element,
    /// A collection of the same elements, or of some of them.
    Same,
}

impl Naming {
    /// What is usual.
    pub(crate) const fn new() -> Self {
        Self {
            implicit_members: false,
            open_namespaces: false,
            open_enums: false,
            type_parts: TypeParts::One,
            sees_class_body: true,
            modules_are_objects: true,
            loose_names: true,
            globals: |_| false,
            passes_imports_on: false,
            imports_are_whole: true,
            imports_types: false,
            specifies_names: false,
            import_binds_root: false,
            imports_submodules: true,
            object_modules: false,
            linked: false,
            path_roots: &[],
            names_packages: false,
            members_are_fields: false,
            pointers_are_arrays: false,
            keyword_arguments: false,
            fixture_file: None,
            type_wrappers: &[],
            collection_method: |_| None,
            implicit_interfaces: false,
            embeds_types: false,
        }
    }
}
