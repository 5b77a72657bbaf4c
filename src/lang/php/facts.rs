//! What sets PHP apart.

use super::resolve;
use crate::lang::language::*;
use crate::lang::liveness::Convention;

/// PHP.
pub(crate) static PHP: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-php", tree_sitter_php::LANGUAGE_PHP),
        &super::PHP,
        &PHP_SHAPE,
    ),
    version: 6,
    extensions: &[
        "php", "phtml", "php3", "php4", "php5", "php7", "phps", "phpt",
    ],
    interpreters: &["php"],
    naming: Naming {
        fields_hide_methods: true,
        lists_are_guesses: true,
        in_full: InFull::Namespaces,
        open_namespaces: true,
        imports_types: true,
        types_are_declared: true,
        attributes_underscored: true,
        // <https://laravel.com/docs/eloquent#local-scopes>
        scopes: true,
        members_are_written: true,
        packages: Packages::Composer,
        methods_ignore_case: true,
        object_members: |name| OBJECT.contains(&name),
        ..Naming::new()
    },
    liveness: Liveness {
        dot_joins: true,
        hands_out_literals: true,
        types_are_values: true,
        calls_underscored: true,
        conventions: CONVENTIONS,
        ..Liveness::new()
    },
    roles: Roles {
        class_tests: &[".php"],
        ..Roles::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::Php::new(configs))),
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::Php)
};

/// What laravel finds: <https://laravel.com/docs/authorization#policy-discovery>, <https://laravel.com/docs/events>.
const CONVENTIONS: &[Convention] = &[
    Convention {
        folder: "Policies",
        ending: "Policy",
        by: "the gate of laravel",
    },
    Convention {
        folder: "Listeners",
        ending: "",
        by: "the events of laravel",
    },
];

/// Methods that libraries for tests give to doubles of all types.
const OBJECT: &[&[u8]] = byte_words!(
    "allows andReturn expects getMock getMockObjectGenerator method once reveal shouldBeCalled shouldHaveReceived
     shouldNotHaveReceived shouldReceive shouldNotReceive spy stub will willReturn willThrow with"
);

/// How declarations are told apart.
const PHP_SHAPE: Shape = Shape {
    chars: false,
    ..Shape::BRACES
};
