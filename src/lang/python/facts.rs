//! What sets Python apart.

use super::library::{FUNCTIONS, METHODS};
use super::resolve;
use crate::lang::language::*;
use crate::lang::liveness::Contract;

/// Python.
pub(crate) static PYTHON: Language = Language {
    reader: Reader::Tree(TreeReader {
        // Behind a block its scanner reads all lines of comments that follow, once for each of them: with 16, a
        // hundred lines were too many.
        most_reads: 128,
        shape: Some(&PYTHON_SHAPE),
        ..TreeReader::new(
            parser!("grammar-python", tree_sitter_python::LANGUAGE),
            &super::PYTHON,
        )
    }),
    version: 14,
    extensions: &["py", "pyi", "pyw"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    interpreters: &["python", "python2", "python3", "pypy", "pypy3"],
    aliases: &["py"],
    types_are_hints: true,
    indented: true,
    naming: NAMING,
    liveness: Liveness {
        types_are_values: true,
        chooses_of_modules: true,
        hands_on_modules: true,
        example_prompts: &[b">>> ", b"... "],
        // Between single underscores: what notebooks ask a value for, what enums do, what RestrictedPython prints by.
        called_methods: words!(
            "_repr_html_ _repr_mimebundle_ _repr_markdown_ _repr_latex_ _repr_json_ _repr_javascript_ _repr_svg_
             _repr_png_ _repr_jpeg_ _repr_pdf_ _repr_pretty_ _ipython_display_ _ipython_key_completions_
             _missing_ _generate_next_value_ _call_print"
        ),
        decorators_take_types: true,
        plain_takers: Some(PLAIN_TAKERS),
        reads_underscored: true,
        published: Published::Manifest(MANIFESTS),
        // By convention (PEP 8), but for `__init__` and its like.
        outlet: Outlet::Shown(|part| !part.starts_with(b"_") || part.ends_with(b"__")),
        contracts: CONTRACTS,
        loaded_stem: Some(|_| false),
        // <https://docs.djangoproject.com/en/stable/topics/settings/>; scrapy has them too.
        settings: Some(b"settings"),
        type_checking: Some(b"TYPE_CHECKING"),
        subclass_hooks: &["__init_subclass__"],
        nested_types_are_read: true,
        ..Liveness::new()
    },
    roles: Roles {
        tests: &["conftest.py"],
        declarations: &[".pyi"],
        settings: &["noxfile.py", "setup.py"],
        ..Roles::new()
    },
    resolver: Some(|configs| Box::new(resolve::Python::new(configs))),
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::Python)
};

/// How names find their definitions, in notebooks too.
pub(crate) const NAMING: Naming = Naming {
    members_are_written: true,
    imports_are_written: true,
    library_functions: Some(|name| {
        FUNCTIONS.binary_search(&name).is_ok() || (name.starts_with(b"__") && name.ends_with(b"__"))
    }),
    library_members: |name| METHODS.binary_search(&name).is_ok(),
    loose_names: false,
    passes_imports_on: true,
    imports_are_whole: false,
    specifies_names: true,
    import_binds_root: true,
    keyword_arguments: true,
    fixture_file: Some("conftest.py"),
    collections: COLLECTIONS,
    ..Naming::new()
};

/// What members of the language's own collections give.
const COLLECTIONS: CollectionMembers = CollectionMembers {
    element: byte_words!("__getitem__ get pop popleft setdefault"),
    by_key: byte_words!("__getitem__ get pop setdefault"),
    same: byte_words!("copy difference intersection symmetric_difference union"),
    values: byte_words!("values"),
    step: MapGives::Keys,
    other: byte_words!("items keys popitem"),
    are_read: false,
    outside_stays: true,
    ..CollectionMembers::NONE
};

const MANIFESTS: &[Manifest] = &[
    Manifest {
        name: "pyproject.toml",
        is_library: |text, _| {
            let tables = ["[project]", "[tool.poetry]", "[build-system]"];
            tables.iter().any(|table| has(text, table))
        },
    },
    Manifest {
        name: "setup.py",
        is_library: |text, _| has(text, "setup("),
    },
    Manifest {
        name: "setup.cfg",
        is_library: |text, _| has(text, "[metadata]"),
    },
];

/// What is passed for a file or a mapping has the methods of one and no base:
/// <https://docs.python.org/3/library/io.html>, <https://docs.python.org/3/glossary.html#term-mapping>.
const CONTRACTS: &[Contract] = &[
    Contract::of("a file that is written", &["write"]),
    Contract::of("a file that is written", &["writelines", "write"]),
    Contract::of("a file that is written", &["flush", "write"]),
    Contract::of("a file that is read", &["readline", "read"]),
    Contract::of("a file that is read", &["readlines", "read"]),
    Contract::of("a mapping", &["keys", "__getitem__"]),
];

/// How declarations are told apart.
const PYTHON_SHAPE: Shape = Shape {
    comment: b"#",
    blocks: false,
    long: &[b"\"\"\"", b"'''"],
    chars: false,
    terminated: false,
    opens: b":",
    filler: b"pass",
    ..Shape::BRACES
};

/// Functions that call nothing of what they get but what the language calls.
const PLAIN_TAKERS: &[&[u8]] = byte_words!(
    "all any bool callable dict enumerate frozenset getattr hasattr hash id isinstance iter len list max min next print repr
     set setattr sorted str sum super tuple type vars zip"
);
