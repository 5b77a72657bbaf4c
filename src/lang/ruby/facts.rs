//! What sets Ruby apart.

use crate::lang::language::{Language, Reader, parser};
use crate::record::Grammar;

/// Ruby.
pub(crate) static RUBY: Language = Language {
    reader: Reader::tree(
        parser!("grammar-ruby", tree_sitter_ruby::LANGUAGE),
        &super::RUBY,
    ),
    extensions: &[
        "rb", "rake", "gemspec", "ru", "rbw", "jbuilder", "podspec", "thor",
    ],
    file_names: &[
        "Rakefile",
        "Gemfile",
        "Vagrantfile",
        "Guardfile",
        "Capfile",
        "Brewfile",
        "Podfile",
        "Fastfile",
        "Dangerfile",
        "Appraisals",
        "Thorfile",
        "Berksfile",
        ".irbrc",
        ".pryrc",
    ],
    interpreters: &["ruby", "jruby", "rake", "macruby"],
    ..Language::new(Grammar::Ruby)
};
