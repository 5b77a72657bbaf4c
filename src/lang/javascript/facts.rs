//! What sets JavaScript and TypeScript apart.

use super::naming;
use super::resolve;
use crate::lang::language::*;

/// TypeScript without JSX.
pub(crate) static TYPESCRIPT: Language = Language {
    reader: typescript(parser!(
        "grammar-typescript",
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT
    )),
    version: 10,
    extensions: &["ts", "mts", "cts"],
    interpreters: &["ts-node", "tsx", "deno"],
    family: Grammar::JavaScript,
    naming: naming::TYPESCRIPT,
    liveness: Liveness {
        callers_name: true,
        erases_types: true,
        has_shapes: true,
        ..LIVENESS
    },
    aliases: &["ts"],
    roles: Roles {
        declarations: &[".d.ts", ".d.mts", ".d.cts"],
        ..Roles::new()
    },
    calls: Some(&super::arguments::TYPESCRIPT),
    versioning: Versioning {
        wanted: Part::UnknownUnlessOptional,
        ..Versioning::new()
    },
    ..Language::new(Grammar::TypeScript)
};

/// TypeScript with JSX.
pub(crate) static TSX: Language = Language {
    reader: typescript(parser!(
        "grammar-typescript",
        tree_sitter_typescript::LANGUAGE_TSX
    )),
    version: 10,
    extensions: &["tsx"],
    family: Grammar::JavaScript,
    naming: naming::TYPESCRIPT,
    liveness: Liveness {
        callers_name: true,
        erases_types: true,
        has_shapes: true,
        ..LIVENESS
    },
    dialect_of: Some(Grammar::TypeScript),
    calls: Some(&super::arguments::TYPESCRIPT),
    versioning: Versioning {
        wanted: Part::UnknownUnlessOptional,
        ..Versioning::new()
    },
    ..Language::new(Grammar::Tsx)
};

/// JavaScript, with or without JSX.
pub(crate) static JAVASCRIPT: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-javascript", tree_sitter_javascript::LANGUAGE),
        &super::JAVASCRIPT,
        &JAVASCRIPT_SHAPE,
    ),
    version: 10,
    types_are_hints: true,
    extensions: &["js", "jsx", "mjs", "cjs"],
    file_names: &["Jakefile"],
    interpreters: &["node", "nodejs", "bun"],
    family: Grammar::JavaScript,
    naming: naming::JAVASCRIPT,
    liveness: LIVENESS,
    aliases: &["js", "jsx"],
    roles: Roles {
        settings: &["gruntfile.js", "gulpfile.js"],
        ..Roles::new()
    },
    resolver: Some(|configs| Box::new(resolve::JavaScript::new(configs))),
    calls: Some(&super::arguments::JAVASCRIPT),
    ..Language::new(Grammar::JavaScript)
};

const fn typescript(parser: Parser) -> Reader {
    Reader::Tree(TreeReader {
        shape: Some(&JAVASCRIPT_SHAPE),
        blank: Some(super::newer::blank),
        blank_for_less: true,
        ..TreeReader::new(parser, &super::TYPESCRIPT)
    })
}

const LIVENESS: Liveness = Liveness {
    names_values: true,
    computes_members: true,
    hands_on_modules: true,
    scripts_share_names: true,
    types_are_values: true,
    decorators_take_types: true,
    published: Published::Manifest(&[Manifest {
        name: "package.json",
        is_library: gives_out,
    }]),
    outlet: Outlet::Entries(super::resolve::entries),
    called_methods: &[
        "constructor",
        "handleEvent",
        // Of Angular: <https://angular.dev/guide/components/lifecycle>.
        "ngAfterContentChecked",
        "ngAfterContentInit",
        "ngAfterViewChecked",
        "ngAfterViewInit",
        "ngDoCheck",
        "ngOnChanges",
        "ngOnDestroy",
        "ngOnInit",
        "toJSON",
        "toString",
        "valueOf",
    ],
    folder_loaders: words!("import.meta.glob require.context"),
    loaded_by_place: true,
    override_mark: Some(b"override"),
    // `_document.tsx`.
    loaded_stem: Some(|stem| stem.starts_with('_')),
    hands_out_literals: true,
    reopens_modules: &["declare module '", "declare module \"", "declare global"],
    ..Liveness::new()
};

/// Whether a package says what it gives out; without, that is its `index.js`.
fn gives_out(text: &[u8], has_file: &dyn Fn(&str) -> bool) -> bool {
    let keys = ["\"main\"", "\"exports\"", "\"module\"", "\"types\""];
    let by_default = || has_file("index.js") && !has(text, "\"private\": true");
    keys.iter().any(|key| has(text, key)) || by_default()
}

/// How declarations are told apart.
const JAVASCRIPT_SHAPE: Shape = Shape {
    long: &[b"`"],
    chars: false,
    terminated: false,
    ..Shape::BRACES
};
