//! Enums whose values are written into segments as numbers, with the words that people see.

/// Stable numeric codes for an enum that is written into segments.
macro_rules! coded {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal, $label:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant = $code,)* }

        impl $name {
            /// Every value, in code order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the code written into segments.
            pub fn code(self) -> u8 {
                self as u8
            }

            /// Returns the value of a code; `None` for a code this version does not know.
            pub fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)* _ => None }
            }

            /// Returns the word shown to people and agents.
            pub fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)* }
            }

            /// Returns the value whose label is `label`.
            pub fn from_label(label: &str) -> Option<Self> {
                match label { $($label => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

/// The same for an enum whose codes are open: one that this version does not know is kept as it is.
macro_rules! open_coded {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal, $label:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u8);

        #[expect(non_upper_case_globals, reason = "they are named and matched as variants are")]
        impl $name {
            $(
                $(#[$vdoc])*
                #[doc = concat!("\n\nIts word is `", $label, "`.")]
                pub const $variant: Self = Self($code);
            )*
        }

        impl $name {
            /// Every value that this version knows, in code order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the code written into segments.
            pub const fn code(self) -> u8 {
                self.0
            }

            /// Returns the value of a code, which this version may not know.
            pub fn from_code(code: u8) -> Self {
                Self(code)
            }

            /// Returns the word shown to people and agents.
            pub fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)* _ => "unknown" }
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match *self { $(Self::$variant => f.write_str(stringify!($variant)),)* Self(code) => write!(f, "{code}") }
            }
        }
    };
}

open_coded! {
    /// How a blob is asked to be read, and (in [`DocRecord::lang`]) how it was read.
    ///
    /// The grammar is part of a document's key: the same blob read as C and as C++ gives two
    /// documents. `Text` may be resolved by content (a shebang line), `CHeader` always is.
    ///
    /// Codes are open: a later version may have made documents of languages that this one does not know, and
    /// their rows have to pass through a merge as they are. Codes of everything else belong to the layout.
    Grammar {
        /// No grammar known from the name; words only, unless the content says more.
        Text = 0, "text";
        /// TypeScript without JSX.
        TypeScript = 1, "typescript";
        /// TypeScript with JSX.
        Tsx = 2, "tsx";
        /// JavaScript, with or without JSX.
        JavaScript = 3, "javascript";
        Python = 4, "python";
        Go = 5, "go";
        Rust = 6, "rust";
        Java = 7, "java";
        C = 8, "c";
        /// C++.
        Cpp = 9, "cpp";
        /// A `.h` file, C or C++ by content. Only ever asked for, never resolved to.
        CHeader = 10, "c-header";
        /// Markdown, read by a light line scanner.
        Markdown = 11, "markdown";
        /// C#.
        CSharp = 12, "csharp";
        Ruby = 13, "ruby";
        Php = 14, "php";
        Kotlin = 15, "kotlin";
        Swift = 16, "swift";
        Scala = 17, "scala";
        /// Shell scripts, read as Bash.
        Bash = 18, "bash";
        Lua = 19, "lua";
        Elixir = 20, "elixir";
        Haskell = 21, "haskell";
        OCaml = 22, "ocaml";
        /// OCaml interfaces.
        OCamlInterface = 23, "ocaml-interface";
        Dart = 24, "dart";
        Zig = 25, "zig";
        Sql = 26, "sql";
        /// HCL, the language of Terraform.
        Hcl = 27, "hcl";
        /// Vue single-file components: their scripts.
        Vue = 28, "vue";
        /// Svelte components: their scripts.
        Svelte = 29, "svelte";
        Html = 30, "html";
        Css = 31, "css";
        /// Jupyter notebooks: the code of their cells.
        Notebook = 32, "notebook";
        /// JSON, comments allowed.
        Json = 33, "json";
        Yaml = 34, "yaml";
        Toml = 35, "toml";
        Julia = 36, "julia";
        R = 37, "r";
        Perl = 38, "perl";
        Clojure = 39, "clojure";
        ObjectiveC = 41, "objective-c";
        Erlang = 42, "erlang";
        Fortran = 43, "fortran";
        Nix = 44, "nix";
        PowerShell = 45, "powershell";
        /// GraphQL: schemas, and the operations asked of them.
        GraphQl = 46, "graphql";
        /// Protocol Buffers.
        Proto = 47, "proto";
        Solidity = 48, "solidity";
        /// Makefiles, as GNU Make reads them.
        Make = 49, "make";
        /// Dockerfiles.
        Dockerfile = 50, "dockerfile";
    }
}

coded! {
    /// Why a blob has no symbols, chunks or terms in the index.
    SkipReason {
        /// Contains NUL bytes.
        Binary = 1, "binary";
        /// Over the size limit for its grammar.
        TooLarge = 2, "too large";
        /// Minified or bundled: lines far longer than people write.
        Minified = 3, "minified";
        /// A Git LFS pointer, not the content itself.
        LfsPointer = 4, "lfs pointer";
        /// Holds key material or credentials.
        Secret = 5, "likely secret";
        /// Nested deeper than the limit, or the parser exceeded its operation budget.
        TooComplex = 6, "too complex";
    }
}

coded! {
    /// What a symbol is.
    SymbolKind {
        /// A free function.
        Function = 1, "function";
        /// A function with a receiver or inside a class-like symbol.
        Method = 2, "method";
        /// A class.
        Class = 3, "class";
        /// A struct or record.
        Struct = 4, "struct";
        /// An interface.
        Interface = 5, "interface";
        /// A trait or protocol.
        Trait = 6, "trait";
        /// An enum.
        Enum = 7, "enum";
        /// One case of an enum.
        Variant = 8, "variant";
        /// A type alias.
        Type = 9, "type";
        /// A constant or a module-level binding that is not reassigned.
        Constant = 10, "constant";
        /// A module-level variable.
        Variable = 11, "variable";
        /// A field or property.
        Field = 12, "field";
        /// A module, namespace or package block.
        Module = 13, "module";
        /// A macro.
        Macro = 14, "macro";
        /// A constructor.
        Constructor = 15, "constructor";
        /// A union.
        Union = 16, "union";
        /// A documentation section (a Markdown heading).
        Section = 17, "section";
        /// A Rust `impl` block; a container, named by its type.
        Impl = 18, "impl";
        /// A test declared by call (`describe`, `it`, `test`), named by its title.
        Test = 19, "test";
    }
}

coded! {
    /// How an identifier is used where it occurs. 8 kinds, and no more: the code has 3 bits on disk.
    OccurrenceKind {
        /// Read, or any use that is none of the others.
        Read = 0, "read";
        /// Called or constructed.
        Call = 1, "call";
        /// Named as a type.
        Type = 2, "type";
        /// Named in an import or re-export.
        Import = 3, "import";
        /// Assigned to.
        Write = 4, "write";
        /// Named as a base class, implemented interface or embedded type.
        Inherit = 5, "inherit";
        /// The whole content of a string literal (`getattr(x, "name")`), or code in documentation.
        Mention = 6, "mention";
        /// Expanded: a macro in a language that marks where one is (`name!(...)`).
        Expand = 7, "expand";
    }
}

coded! {
    /// What stands before an occurrence: `q.name`, `q::name`, `q->name`. 2 bits on disk.
    Qualifier {
        /// Nothing: a bare name.
        None = 0, "";
        /// The occurrence just before this one in the document is the qualifier.
        Previous = 1, "previous";
        /// `this`, `self`, `cls`, `super`, `Self` or the like.
        This = 2, "this";
        /// Some other expression (`f(x).name`).
        Expression = 3, "expression";
    }
}

coded! {
    /// What an import record is.
    ImportKind {
        /// Brings names into this file.
        Import = 1, "import";
        /// Re-exports names of another module.
        Reexport = 2, "reexport";
        /// Exports local names (`export { a as b }`, `__all__`); the specifier is empty.
        Export = 3, "export";
        /// A textual include.
        Include = 4, "include";
        /// Declares a module that is another file (`mod x;`).
        Module = 5, "module";
        /// `require("x")`.
        Require = 6, "require";
        /// `import("x")` at run time.
        Dynamic = 7, "dynamic";
        /// Names the package or module this file belongs to (Go, Java).
        Package = 8, "package";
    }
}

coded! {
    /// How the type of a value follows from an occurrence of the same document.
    HintKind {
        /// It is an instance of the type that the occurrence names.
        Type = 1, "type";
        /// It is a collection whose elements are instances of the type that the occurrence names.
        Elements = 2, "elements";
        /// It is what calling (or constructing) what the occurrence names gives.
        Result = 3, "result";
        /// It is what the occurrence names.
        Value = 4, "value";
        /// It is one element of what the occurrence names.
        Element = 5, "element";
        /// It is the object itself (`return self`, `-> Self`). The occurrence is 0.
        This = 6, "this";
        /// It is a literal, or of a type of the language itself. The occurrence is 0.
        Literal = 7, "literal";
        /// It is one element of what calling what the occurrence names gives.
        ResultElement = 8, "result-element";
        /// It is the object itself, seen as an instance of its base type. The occurrence is 0.
        Super = 9, "super";
        /// There is none: what has this type is never there (`error?: never`). The occurrence is 0.
        Never = 10, "never";
        /// It is what the argument whose name an occurrence is may be: this is said of that occurrence, and names what
        /// is called.
        Named = 11, "named-argument";
        /// It is what the first argument without a name may be of what the occurrence calls.
        First = 12, "first-argument";
        /// It is what the second argument without a name may be.
        Second = 13, "second-argument";
        /// It is what the third argument without a name may be.
        Third = 14, "third-argument";
        /// It is one element of what the first argument without a name may be.
        FirstElement = 15, "first-argument-element";
        /// It is one element of what the second argument without a name may be.
        SecondElement = 16, "second-argument-element";
        /// It is one element of what the third argument without a name may be.
        ThirdElement = 17, "third-argument-element";
        /// It is one element of an instance of the type that the occurrence names.
        TypeElement = 18, "type-element";
        /// It is an instance of the type that the occurrence names where that is handed to whoever gives the value: what
        /// is called may do something else with it.
        Given = 19, "given";
        /// Of a parameter: who calls need not give it. The occurrence is 0.
        Preset = 20, "preset";
        /// It is a function that is called with something: the occurrence binds its first parameter.
        Callback = 21, "callback";
        /// It is what the function that the occurrence names is called with first.
        FirstOfValue = 22, "first-of-value";
        /// It is what the function that the occurrence names is called with second.
        SecondOfValue = 23, "second-of-value";
        /// It is what the function that the occurrence names is called with third.
        ThirdOfValue = 24, "third-of-value";
        /// It is what a function of the type that the occurrence names is called with first.
        FirstOfType = 25, "first-of-type";
        /// It is what a function of the type that the occurrence names is called with second.
        SecondOfType = 26, "second-of-type";
        /// It is what a function of the type that the occurrence names is called with third.
        ThirdOfType = 27, "third-of-type";
        /// It is what the function that is the first argument of what the occurrence calls is called with first.
        FirstOfFirst = 28, "first-of-first-argument";
        /// It is what the first argument is called with second.
        SecondOfFirst = 29, "second-of-first-argument";
        /// It is what the first argument is called with third.
        ThirdOfFirst = 30, "third-of-first-argument";
        /// It is what the second argument is called with first.
        FirstOfSecond = 31, "first-of-second-argument";
        /// It is what the second argument is called with second.
        SecondOfSecond = 32, "second-of-second-argument";
        /// It is what the second argument is called with third.
        ThirdOfSecond = 33, "third-of-second-argument";
        /// It is what the third argument is called with first.
        FirstOfThird = 34, "first-of-third-argument";
        /// It is what the third argument is called with second.
        SecondOfThird = 35, "second-of-third-argument";
        /// It is what the third argument is called with third.
        ThirdOfThird = 36, "third-of-third-argument";
        /// Of a parameter: it is the last of the definition around it. The occurrence is 0.
        Last = 37, "last";
        /// Of a local name: it is a type parameter. The occurrence is 0.
        TypeParameter = 38, "type-parameter";
        /// It is a function that gives an instance of the type that the occurrence names.
        Gives = 39, "gives";
        /// Of a local name: what the occurrence names proves it to be. That is a type, or a function that is called with
        /// it.
        Proved = 40, "proved";
        /// Of a local name: what it was before, without what the occurrence proves.
        Disproved = 41, "disproved";
        /// Of what a function gives: it proves that its first argument is an instance of the type that the occurrence
        /// names.
        Proof = 42, "proof";
        /// Of a type that stands as an argument: it is the first of the type that the occurrence names.
        FirstGiven = 43, "first-given";
        /// It is the second.
        SecondGiven = 44, "second-given";
        /// It is the third.
        ThirdGiven = 45, "third-given";
        /// A list of such is the first argument.
        FirstListGiven = 46, "first-list-given";
        /// A list of such is the second.
        SecondListGiven = 47, "second-list-given";
        /// A list of such is the third.
        ThirdListGiven = 48, "third-list-given";
        /// It is a list, of the elements of what the occurrence names.
        List = 49, "list";
        /// It is a list, of the elements of what calling what the occurrence names gives.
        ResultList = 50, "result-list";
        /// Of a member's name in quotes, or a type of such names: the type that the occurrence names is taken without it,
        /// beside others.
        Omitted = 51, "omitted";
        /// Of a member's name in quotes: of the type that the occurrence names it is taken, beside others.
        Picked = 52, "picked";
        /// Of a local name: what it was before, as far as a member of it may be what the occurrence writes, or as far as it
        /// has a member of that name.
        Matched = 53, "matched";
        /// Of a local name: what it was before, where that member is something else.
        Unmatched = 54, "unmatched";
        /// Of what a member is compared with: the occurrence names that member, or writes what it is compared with, too.
        Compared = 55, "compared";
        /// The same, where the occurrence belongs to a branch before.
        ComparedAnew = 56, "compared-anew";
        /// It has members that are written where that is said; the occurrence names the first of them.
        Shape = 57, "shape";
        /// Of the name of what is called with a function, where the function stands: bare names in it may be members of
        /// what the occurrence calls it on.
        Within = 58, "within";
        /// Bare names in the function may be members of what the occurrence names.
        WithinValue = 59, "within-value";
        /// Bare names in the function may be members of what calling what the occurrence names gives.
        WithinResult = 60, "within-result";
        /// Of a parameter that is a function: bare names in that may be members of an instance of the type that the
        /// occurrence names.
        WithinType = 61, "within-type";
        /// It is one of the names that its definition writes, as literals or members of enumerations, and nothing else. The
        /// occurrence is 0.
        Names = 62, "names";
        /// Of a parameter: it takes any number of arguments. The occurrence is 0.
        Rest = 63, "rest";
        /// Of what is called: it is given no argument. The occurrence is 0, as that of all that follow.
        Count0 = 64, "count-0";
        /// It is given one argument.
        Count1 = 65, "count-1";
        /// It is given two.
        Count2 = 66, "count-2";
        /// It is given three.
        Count3 = 67, "count-3";
        /// It is given four.
        Count4 = 68, "count-4";
        /// It is given five.
        Count5 = 69, "count-5";
        /// It is given six or more.
        CountMore = 70, "count-more";
        /// It is given so many that nothing tells how many: a list is spread over them.
        CountAny = 71, "count-any";
        /// It is a list of what the occurrence names.
        ListOf = 72, "list-of";
        /// It is a list of what calling what the occurrence names gives.
        ListOfResults = 73, "list-of-results";
        /// It is a map whose values are instances of the type that the occurrence names.
        Map = 74, "map";
        /// It is a map to what the occurrence names.
        MapOf = 75, "map-of";
        /// It is a map to what calling what the occurrence names gives.
        MapOfResults = 76, "map-of-results";
        /// It is an entry of such a map.
        Entry = 77, "entry";
        /// It is something that gives an instance of the type that the occurrence names when it is asked for it.
        Cell = 78, "cell";
        /// It is what going over what the occurrence names gives one after the other.
        Each = 79, "each";
        /// It is what going over what calling what the occurrence names gives.
        ResultEach = 80, "result-each";
        /// It is the value of an entry that going over what the occurrence names gives.
        EachValue = 81, "each-value";
        /// It is the value of an entry that going over what calling what the occurrence names gives.
        ResultEachValue = 82, "result-each-value";
        /// It is a map to the elements of what the occurrence names.
        MapFrom = 83, "map-from";
        /// It is a map to the elements of what calling what the occurrence names gives.
        ResultMapFrom = 84, "result-map-from";
        /// Of a function: it is what the decorator that the occurrence names makes of it, if that is an object. Else it is
        /// what is said of the occurrence.
        Decorated = 85, "decorated";
        /// The same, of the decorator that calling what the occurrence names gives.
        DecoratedByResult = 86, "decorated-by-result";
    }
}

impl HintKind {
    /// Whether hints of this kind say all alone what they say: their occurrence is 0.
    pub fn is_alone(self) -> bool {
        matches!(
            self,
            Self::This
                | Self::Super
                | Self::Literal
                | Self::Never
                | Self::Preset
                | Self::Last
                | Self::TypeParameter
                | Self::Names
                | Self::Rest
        ) || self.is_of_call()
    }

    /// Whether it says how many arguments a call has, beside what is said of the object that its name is a member of.
    pub fn is_of_call(self) -> bool {
        (Self::Count0..=Self::CountAny).contains(&self)
    }

    /// What says that a call has so many arguments; `None` for any number.
    pub fn of_arguments(count: Option<usize>) -> Self {
        use HintKind::{Count0, Count1, Count2, Count3, Count4, Count5, CountAny, CountMore};
        let told = [Count0, Count1, Count2, Count3, Count4, Count5];
        match count {
            Some(count) => told.get(count).copied().unwrap_or(CountMore),
            None => CountAny,
        }
    }

    /// How many arguments it says that a call has, at least and at most.
    pub fn arguments(self) -> Option<(usize, usize)> {
        if !self.is_of_call() {
            return None;
        }
        let count = usize::from(self.code() - Self::Count0.code());
        Some(match self {
            Self::CountMore => (count, usize::MAX),
            Self::CountAny => (0, usize::MAX),
            _ => (count, count),
        })
    }

    /// Whether it follows from the name of a type, which may be what the type that is written holds.
    pub fn is_of_type(self) -> bool {
        use HintKind::{Cell, Elements, Entry, Gives, Map, Type};
        matches!(self, Type | Elements | Gives | Map | Entry | Cell)
    }

    /// Whether it is a map.
    pub fn is_map(self) -> bool {
        use HintKind::{Map, MapFrom, MapOf, MapOfResults, ResultMapFrom};
        matches!(self, Map | MapOf | MapOfResults | MapFrom | ResultMapFrom)
    }

    /// Whether a receiver of this kind speaks of the parameter that it is said of, and of no object.
    pub fn is_of_parameter(self) -> bool {
        use HintKind::{Callback, Gives, Last, Preset, Rest, TypeParameter};
        matches!(
            self,
            Callback | Gives | Last | Preset | Rest | TypeParameter
        )
    }

    /// Of a type that stands as an argument: which it is, from 0, and whether a list of it is.
    pub fn given(self) -> Option<(usize, bool)> {
        let from_first = self.code().checked_sub(Self::FirstGiven.code())?;
        let is_one = from_first < 6;
        is_one.then_some((usize::from(from_first % 3), from_first >= 3))
    }

    /// Whether it says of a name that a type is taken without it, or with nothing else.
    pub fn is_of_key(self) -> bool {
        matches!(self, Self::Omitted | Self::Picked)
    }

    /// Whether it is said of the name that stands there, whatever that means.
    pub fn is_of_name(self) -> bool {
        self.is_of_key() || self.is_of_comparison()
    }

    /// Whether it says of a local name what a check makes known of it.
    pub fn is_of_check(self) -> bool {
        use HintKind::{Disproved, Matched, Proved, Unmatched};
        matches!(self, Proved | Disproved | Matched | Unmatched)
    }

    /// Whether it says by what a function is decorated.
    pub fn is_of_decorator(self) -> bool {
        matches!(self, Self::Decorated | Self::DecoratedByResult)
    }

    /// Whether it says of what a member is compared with what else is compared.
    pub fn is_of_comparison(self) -> bool {
        matches!(self, Self::Compared | Self::ComparedAnew)
    }

    /// Whether what is said of a name binds nothing, but speaks of the function that stands there.
    pub fn is_within(self) -> bool {
        matches!(self, Self::Within | Self::WithinValue | Self::WithinResult)
    }

    /// Of what a function is called with: where the function stands, and which of its parameters, from 0.
    pub fn called_with(self) -> Option<(Standing, usize)> {
        let from_first = self.code().checked_sub(Self::FirstOfValue.code())?;
        let standing = match from_first / 3 {
            0 => Standing::Value,
            1 => Standing::Type,
            at @ 2..=4 => Standing::Argument(usize::from(at - 2)),
            _ => return None,
        };
        Some((standing, usize::from(from_first % 3)))
    }
}

/// Where a function stands that is handed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Where what an occurrence names is expected.
    Value,
    /// Where an instance of the type is expected that an occurrence names.
    Type,
    /// It is this argument of what an occurrence calls, from 0.
    Argument(usize),
}
