//! What sets Bash apart.

use super::resolve;
use crate::lang::language::*;
use crate::modules::ByPath;

/// Shell scripts, read as Bash.
pub(crate) static BASH: Language = Language {
    reader: Reader::Tree(TreeReader {
        blank: Some(super::zsh::blank),
        shape: Some(&BASH_SHAPE),
        ..TreeReader::new(
            parser!("grammar-bash", tree_sitter_bash::LANGUAGE),
            &super::BASH,
        )
    }),
    version: 7,
    types_are_hints: true,
    extensions: &["sh", "bash", "zsh", "ksh", "dash", "bats", "ebuild"],
    file_names: words!(
        ".bash_aliases .bash_login .bash_logout .bash_profile .bashrc .kshrc .profile .zprofile
         .zshenv .zshrc APKBUILD PKGBUILD"
    ),
    interpreters: &["sh", "bash", "dash", "ksh", "zsh", "ash", "bats"],
    by_interpreter: true,
    liveness: Liveness {
        scripts_are_called: true,
        // <https://github.com/zsh-users/zsh-autosuggestions>, `ZSH_AUTOSUGGEST_STRATEGY`, and its sister.
        called_beginnings: &["_zsh_autosuggest_strategy_", "_zsh_highlight_highlighter_"],
        published: Published::Never,
        ..Liveness::new()
    },
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    ..Language::new(Grammar::Bash)
};

/// How declarations are told apart.
const BASH_SHAPE: Shape = Shape {
    comment: b"#",
    blocks: false,
    chars: false,
    terminated: false,
    ends: byte_words!("done esac fi"),
    filler: b":",
    ..Shape::BRACES
};
