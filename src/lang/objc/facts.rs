//! What sets Objective-C apart.

use super::enums;
use crate::lang::language::*;

/// Objective-C; of Objective-C++ what the two have in common.
pub(crate) static OBJECTIVE_C: Language = Language {
    reader: Reader::Tree(TreeReader {
        blank: Some(enums::blank),
        blank_for_less: true,
        ..TreeReader::new(
            parser!("grammar-objc", tree_sitter_objc::LANGUAGE),
            &super::OBJECTIVE_C,
        )
    }),
    version: 10,
    extensions: &["m", "mm"],
    by_content: Some(by_content),
    aliases: &["objc", "objectivec"],
    family: Grammar::C,
    naming: Naming {
        implicit_members: true,
        open_namespaces: true,
        open_enums: true,
        imports_are_whole: false,
        linked: true,
        ..Naming::new()
    },
    liveness: Liveness {
        headers_read_macros: true,
        macros_paste: true,
        nested_types_are_fields: true,
        ..Liveness::new()
    },
    roles: Roles {
        class_tests: &[".m"],
        ..Roles::new()
    },
    ..Language::new(Grammar::ObjectiveC)
};

/// `.m` is the extension of MATLAB, Mathematica and Mercury, too.
fn by_content(bytes: &[u8]) -> Grammar {
    let c = |line: &[u8]| {
        let preprocessed = line.strip_prefix(b"#").is_some_and(|rest| {
            let rest = rest.trim_ascii_start();
            let words: [&[u8]; 5] = [b"include", b"import", b"define", b"if", b"pragma"];
            words.iter().any(|word| rest.starts_with(word))
        });
        preprocessed || line.starts_with(b"@class ") || line.starts_with(b"int main(")
    };
    let lines = bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_start);
    match bytes.is_empty() || is_objective_c(bytes) || lines.into_iter().any(c) {
        true => Grammar::ObjectiveC,
        false => Grammar::Text,
    }
}

/// Whether a line outside of comments is one that only Objective-C has.
pub(in crate::lang) fn is_objective_c(bytes: &[u8]) -> bool {
    const WORDS: &[&[u8]] = &[
        b"@interface ",
        b"@protocol ",
        b"@implementation ",
        b"@end",
        b"@import ",
        b"#import ",
    ];
    let mut in_comment = false;
    for line in bytes.split(|b| *b == b'\n') {
        let line = line.trim_ascii();
        let ends = memchr::memmem::find(line, b"*/").is_some();
        if in_comment || line.starts_with(b"/*") {
            in_comment = !ends;
        } else if WORDS.iter().any(|word| line.starts_with(word)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matlab_is_no_objective_c() {
        for source in [
            "",
            "#import <A/A.h>\n",
            "/* a */\n@class B;\n",
            "# define A\n",
        ] {
            assert_eq!(by_content(source.as_bytes()), Grammar::ObjectiveC);
        }
        for source in [
            "function y = f(x)\n  % @interface\n  y = x;\nend\n",
            ":- module a.\n",
        ] {
            assert_eq!(by_content(source.as_bytes()), Grammar::Text);
        }
        assert!(!is_objective_c(b"/*\n@interface A\n*/\nint a;\n// @end\n"));
        assert!(is_objective_c(b"/** b */\n@interface A : B\n@end\n"));
    }
}
