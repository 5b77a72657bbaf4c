//! What sets C and C++ apart.

use super::macro_prefixes;
use super::resolve;
use crate::lang::language::*;
use crate::lang::objc;

/// C.
pub(crate) static C: Language = Language {
    reader: Reader::Tree(TreeReader {
        blank: Some(macro_prefixes::blank),
        shape: Some(&C_SHAPE),
        ..TreeReader::new(parser!("grammar-c", tree_sitter_c::LANGUAGE), &super::C)
    }),
    version: 10,
    extensions: &["c"],
    naming: Naming {
        open_namespaces: true,
        open_enums: true,
        imports_are_whole: false,
        linked: true,
        members_are_fields: true,
        pointers_are_arrays: true,
        ..Naming::new()
    },
    liveness: Liveness {
        names_are_fixed: true,
        headers_read_macros: true,
        macros_paste: true,
        published: Published::Headers(LINKED),
        nested_types_are_fields: true,
        entry_points: STARTED,
        // Native methods of Java are found by their names.
        called_beginnings: &["Java_"],
        ..Liveness::new()
    },
    resolver: Some(|configs| Box::new(resolve::C::new(configs))),
    calls: Some(&super::arguments::C),
    versioning: Versioning {
        field: Part::UnknownWith(""),
        ..Versioning::new()
    },
    ..Language::new(Grammar::C)
};

/// Functions that a system or a tool starts, beside `main`.
const STARTED: &[&[u8]] =
    byte_words!("wmain WinMain wWinMain DllMain _tmain _tWinMain LLVMFuzzerTestOneInput");

/// C++.
pub(crate) static CPP: Language = Language {
    reader: Reader::Tree(TreeReader {
        blank: Some(macro_prefixes::blank_cpp),
        shape: Some(&C_SHAPE),
        ..TreeReader::new(parser!("grammar-cpp", tree_sitter_cpp::LANGUAGE), &super::C)
    }),
    version: 10,
    extensions: &[
        "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl", "tpp", "cu", "cuh",
    ],
    capital_extensions: &["C", "H"],
    aliases: &["c++", "cc", "cxx"],
    family: Grammar::C,
    naming: Naming {
        implicit_members: true,
        overloads: true,
        open_namespaces: true,
        open_enums: true,
        imports_are_whole: false,
        linked: true,
        ..Naming::new()
    },
    liveness: Liveness {
        names_are_fixed: true,
        headers_read_macros: true,
        macros_paste: true,
        published: Published::Headers(LINKED),
        nested_types_are_fields: true,
        entry_points: STARTED,
        called_beginnings: &["Java_"],
        ..Liveness::new()
    },
    calls: Some(&super::arguments::CPP),
    versioning: Versioning {
        field: Part::UnknownWith(""),
        wanted: Part::UnknownWith("virtual"),
        ..Versioning::new()
    },
    ..Language::new(Grammar::Cpp)
};

/// A `.h` file, which its content says to be C, C++ or Objective-C.
pub(crate) static C_HEADER: Language = Language {
    extensions: &["h"],
    parts: &[Grammar::C, Grammar::Cpp, Grammar::ObjectiveC],
    by_content: Some(header),
    family: Grammar::C,
    versioning: Versioning {
        field: Part::UnknownWith(""),
        wanted: Part::UnknownWith("virtual"),
        ..Versioning::new()
    },
    ..Language::new(Grammar::CHeader)
};

/// Files of build tools that say that a library is installed for others.
const LINKED: &[Manifest] = &[
    Manifest {
        name: "CMakeLists.txt",
        // Commands of CMake are the same in upper case.
        is_library: |text, _| {
            let text = text.to_ascii_lowercase();
            has(&text, b"add_library") && has(&text, b"install")
        },
    },
    Manifest {
        name: "Makefile",
        is_library: |text, _| installs_headers(text),
    },
    Manifest {
        name: "Makefile.in",
        is_library: |text, _| installs_headers(text),
    },
    Manifest {
        name: "meson.build",
        is_library: |text, _| has(text, b"install_headers"),
    },
    Manifest {
        name: "configure.ac",
        is_library: |text, _| has(text, b"LT_INIT") || has(text, b"AC_PROG_LIBTOOL"),
    },
];

/// Whether a makefile has a line that installs headers: `$(INSTALL) hiredis.h $(DESTDIR)`.
fn installs_headers(text: &[u8]) -> bool {
    let mut lines = text.split(|b| *b == b'\n');
    lines.any(|line| {
        let mut words = line.split(|b| b.is_ascii_whitespace());
        has(&line.to_ascii_lowercase(), b"install") && words.any(|word| word.ends_with(b".h"))
    })
}

/// What a header is.
fn header(bytes: &[u8]) -> Grammar {
    if objc::facts::is_objective_c(bytes) {
        return Grammar::ObjectiveC;
    }
    match is_cpp(bytes) {
        true => Grammar::Cpp,
        false => Grammar::C,
    }
}

/// Whether a header is C++: a line that only C++ can have, outside an `#ifdef __cplusplus` block.
///
/// `extern "C"` inside such a block is how C headers make themselves usable from C++, so whatever
/// stands in one says nothing.
fn is_cpp(bytes: &[u8]) -> bool {
    let mut guarded = Vec::new();
    let mut in_comment = false;
    for line in bytes.split(|b| *b == b'\n') {
        let line = line.trim_ascii();
        if in_comment {
            in_comment = !has(line, b"*/");
            continue;
        }
        if line.starts_with(b"/*") {
            in_comment = !has(line, b"*/");
            continue;
        }
        if let Some(directive) = line.strip_prefix(b"#") {
            let directive = directive.trim_ascii_start();
            if directive.starts_with(b"if") {
                guarded.push(has(directive, b"__cplusplus"));
            } else if directive.starts_with(b"else") || directive.starts_with(b"elif") {
                if let Some(last) = guarded.last_mut() {
                    *last = false;
                }
            } else if directive.starts_with(b"endif") {
                guarded.pop();
            }
            continue;
        }
        if guarded.contains(&true) || line.starts_with(b"//") || line.starts_with(b"*") {
            continue;
        }
        let starts = |word: &[u8]| line.starts_with(word);
        if starts(b"class ")
            || starts(b"namespace ")
            || starts(b"template <")
            || starts(b"template<")
            || starts(b"using ")
            || starts(b"public:")
            || starts(b"private:")
            || starts(b"protected:")
            || starts(b"extern \"C++\"")
            || starts(b"constexpr ")
            || has_scope(line)
        {
            return true;
        }
    }
    false
}

/// Whether `::` stands in the code of a line.
fn has_scope(line: &[u8]) -> bool {
    let code = line.split(|b| *b == b'"').next().unwrap_or(line);
    let comment = code
        .windows(2)
        .position(|pair| pair == b"//" || pair == b"/*")
        .unwrap_or(code.len());
    has(&code[..comment], b"::")
}

fn has(line: &[u8], needle: &[u8]) -> bool {
    line.windows(needle.len()).any(|window| window == needle)
}

/// How declarations are told apart.
const C_SHAPE: Shape = Shape {
    directives: true,
    ..Shape::BRACES
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_c_unless_they_cannot_be() {
        let guarded =
            b"#ifdef __cplusplus\nextern \"C\" {\nnamespace x {\n#endif\nint f(void); // std::x\n";
        assert_eq!(header(guarded), Grammar::C);
        assert_eq!(header(b"class A;\n"), Grammar::Cpp);
        assert_eq!(header(b"void f(std::string s);\n"), Grammar::Cpp);
        assert_eq!(header(b"/*\n class of its own\n*/\nint a;\n"), Grammar::C);
    }
}
