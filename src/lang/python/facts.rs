//! What sets Python apart.

use super::resolve;
use crate::lang::language::*;

/// Python.
pub(crate) static PYTHON: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-python", tree_sitter_python::LANGUAGE),
        &super::PYTHON,
        &PYTHON_SHAPE,
    ),
    extensions: &["py", "pyi", "pyw"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    interpreters: &["python", "python2", "python3", "pypy", "pypy3"],
    aliases: &["py"],
    naming: NAMING,
    liveness: Liveness {
        published: Published::Manifest(MANIFESTS),
        loaded_stem: Some(|_| false),
        type_checking: Some(b"TYPE_CHECKING"),
        ..Liveness::new()
    },
    roles: Roles {
        tests: &["conftest.py"],
        declarations: &[".pyi"],
        settings: &["noxfile.py", "setup.py"],
        ..Roles::new()
    },
    resolver: Some(|configs| Box::new(resolve::Python::new(configs))),
    ..Language::new(Grammar::Python)
};

/// How names find their definitions, in notebooks too.
pub(crate) const NAMING: Naming = Naming {
    loose_names: false,
    passes_imports_on: true,
    imports_are_whole: false,
    specifies_names: true,
    import_binds_root: true,
    keyword_arguments: true,
    ..Naming::new()
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
