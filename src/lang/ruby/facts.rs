//! What sets Ruby apart.

use super::resolve;
use crate::lang::language::*;

/// Ruby.
pub(crate) static RUBY: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-ruby", tree_sitter_ruby::LANGUAGE),
        &super::RUBY,
        &RUBY_SHAPE,
    ),
    version: 2,
    types_are_hints: true,
    extensions: &[
        "rb", "rake", "gemspec", "ru", "rbw", "jbuilder", "podspec", "thor",
    ],
    file_names: words!(
        "Rakefile Gemfile Vagrantfile Guardfile Capfile Brewfile Podfile Fastfile Dangerfile
         Appraisals Thorfile Berksfile .irbrc .pryrc"
    ),
    interpreters: &["ruby", "jruby", "rake", "macruby"],
    naming: Naming {
        types_need_paths: true,
        setter_ending: b"=",
        implicit_members: true,
        type_parts: TypeParts::Anywhere,
        ..Naming::new()
    },
    liveness: Liveness {
        types_are_values: true,
        called_methods: words!(
            "coerce each extended hash included inherited initialize inspect method_missing
             respond_to_missing? to_a to_ary to_h to_s to_str"
        ),
        subclass_hooks: words!("inherited descendants subclasses"),
        ..Liveness::new()
    },
    roles: Roles {
        settings: &["brewfile", "gemfile", "podfile", "rakefile"],
        ..Roles::new()
    },
    resolver: Some(|configs| Box::new(resolve::Ruby::new(configs))),
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::Ruby)
};

/// How declarations are told apart.
const RUBY_SHAPE: Shape = Shape {
    comment: b"#",
    blocks: false,
    chars: false,
    terminated: false,
    opens: b"",
    ..Shape::BRACES
};
