//! C and C++: includes from the file's folder, include folders, and the ends of paths; namespaces
//! by the files that have them.
//!
//! Which folders a compiler is given stands in `compile_commands.json`, when the tree has one. Else
//! the folders that projects commonly give are tried, and then the one file whose path ends as the
//! include is written; when there are several and none is nearest, nothing is found.

use crate::modules::prelude::*;
use jsonc_parser::ast::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// Names of folders that are commonly given to compilers.
const INCLUDE_FOLDERS: [&[u8]; 5] = [b"include", b"inc", b"includes", b"src", b"source"];

/// Include folders and namespaces of a tree.
pub(crate) struct C {
    /// From `compile_commands.json`, in order.
    given: Vec<FolderId>,
    /// Outermost namespaces with the files that have them.
    namespaces: FxHashMap<Vec<u8>, Vec<FileId>>,
}

impl C {
    pub(crate) fn new(configs: &mut Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut given = Vec::new();
        for file in configs.named("compile_commands.json") {
            let text = configs.text(file).unwrap_or_default();
            for folder in given_folders(layout, &text) {
                if !given.contains(&folder) {
                    given.push(folder);
                }
            }
        }
        Self {
            given,
            namespaces: namespaces(layout),
        }
    }

    fn given(&self, layout: Layout<'_>, path: &[u8]) -> Option<FileId> {
        let mut folders = self.given.iter();
        folders.find_map(|folder| layout.file_from(layout.path(*folder), path))
    }

    /// Include folders around the file, nearest first, and the folders around it themselves.
    fn common(&self, layout: Layout<'_>, from: FileId, path: &[u8]) -> Option<FileId> {
        layout.paths.upward(layout.home(from)).find_map(|folder| {
            let folder = layout.path(folder);
            let named = INCLUDE_FOLDERS.iter();
            let mut inside = named.filter_map(|name| join(folder, name));
            let found = inside.find_map(|folder| layout.file_from(&folder, path));
            found.or_else(|| layout.file_from(folder, path))
        })
    }

    /// `using namespace a::b` and `using a::b::c`.
    fn namespace(&self, specifier: &[u8]) -> Resolution {
        let parts = specifier
            .split(|b| *b == b':')
            .filter(|part| !part.is_empty());
        let inner: Vec<Vec<u8>> = parts.map(|part| part.trim_ascii().to_vec()).collect();
        let Some(first) = inner.first() else {
            return Resolution::Unresolved;
        };
        match self.namespaces.get(first) {
            // Specialisations of `std::hash` and the like do not make it ours.
            Some(files) if first != b"std" => Resolution::Found(Place {
                files: files.clone(),
                inner,
                whole: None,
            }),
            _ => Resolution::External,
        }
    }
}

impl Resolver for C {
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        if site.kind != ImportKind::Include {
            return self.namespace(specifier);
        }
        let angled = specifier
            .strip_prefix(b"<")
            .and_then(|rest| rest.strip_suffix(b">"));
        let path = angled.unwrap_or(specifier).trim_ascii();
        let near = || layout.file_from(layout.home_path(site.from), path);
        let found = match angled {
            // The name of a standard header means that header, whatever else is called so.
            Some(_) if is_standard(path) => return Resolution::External,
            Some(_) => None,
            None => near(),
        };
        let found = found.or_else(|| self.given(layout, path));
        // Who has a header beside the file and writes brackets means another of that name.
        let elsewhere = || layout.only_elsewhere(site.from, path);
        let found = found.or_else(|| angled.and_then(|_| elsewhere()));
        let found = found.or_else(|| self.common(layout, site.from, path));
        let clean = path.iter().skip_while(|b| matches!(b, b'.' | b'/')).count();
        let suffix = &path[path.len() - clean..];
        let found = found.or_else(|| layout.closest(site.from, suffix));
        // What `configure` writes is not in the tree, what it writes it from is.
        let found = found.or_else(|| layout.closest(site.from, &[suffix, b".in"].concat()));
        match found {
            Some(file) => Resolution::Found(Place::file(file)),
            None if angled.is_some() || is_standard(path) => Resolution::External,
            None => Resolution::Unresolved,
        }
    }
}

fn namespaces(layout: Layout<'_>) -> FxHashMap<Vec<u8>, Vec<FileId>> {
    let mut namespaces: FxHashMap<Vec<u8>, Vec<FileId>> = FxHashMap::default();
    let mut name = Vec::new();
    for (id, doc) in layout.documents(Grammar::C) {
        if layout.tree.language(id) != Some(Grammar::Cpp) {
            continue;
        }
        let mut seen = FxHashSet::default();
        for symbol in doc.symbols() {
            if symbol.container.is_some()
                || symbol.kind != SymbolKind::Module
                || !seen.insert(symbol.name)
            {
                continue;
            }
            name.clear();
            doc.name(symbol.name, &mut name);
            // `namespace a::b` is one name.
            let first = name.split(|b| *b == b':').next().unwrap_or_default();
            let files = namespaces.entry(first.to_vec()).or_default();
            if files.last() != Some(&id) {
                files.push(id);
            }
        }
    }
    namespaces
}

/// Include folders that a compilation database gives, as folders of the tree. It was written on
/// some machine, so where the tree was there is told by the files it lists.
fn given_folders(layout: Layout<'_>, text: &str) -> Vec<FolderId> {
    let value = json(text);
    let Some(Value::Array(entries)) = value.as_ref() else {
        return Vec::new();
    };
    let mut folders = Vec::new();
    for entry in &entries.elements {
        let Some(entry) = entry.as_object() else {
            continue;
        };
        let string = |key: &str| entry.get_string(key).map(|text| text.value.as_ref());
        let directory = string("directory").unwrap_or_default();
        let Some(top) = string("file").and_then(|file| top_of(layout, directory, file)) else {
            continue;
        };
        let arguments: Vec<String> = match entry.get("arguments") {
            Some(listed) => json_strings(&listed.value),
            None => string("command")
                .unwrap_or_default()
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
        };
        let mut arguments = arguments.iter().map(|argument| argument.trim_matches('"'));
        while let Some(argument) = arguments.next() {
            let flags = ["-I", "-isystem", "-iquote"].iter();
            let Some(rest) = flags.filter_map(|flag| argument.strip_prefix(flag)).next() else {
                continue;
            };
            let place = match rest {
                "" => arguments.next().unwrap_or_default(),
                rest => rest,
            };
            let folder = in_tree(&top, directory, place).and_then(|path| layout.folder(&path));
            if let Some(folder) = folder.filter(|folder| !folders.contains(folder)) {
                folders.push(folder);
            }
        }
    }
    folders
}

/// A path without `.` and `..`, from a folder when it is relative.
fn absolute(directory: &str, path: &str) -> Option<Vec<u8>> {
    match path.strip_prefix('/') {
        Some(path) => join(b"", path.as_bytes()),
        None => join(&join(b"", directory.as_bytes())?, path.as_bytes()),
    }
}

/// Where the tree was when the file of an entry was compiled.
fn top_of(layout: Layout<'_>, directory: &str, file: &str) -> Option<Vec<u8>> {
    let whole = absolute(directory, file)?;
    let mut rest = &whole[..];
    loop {
        if layout.file(rest).is_some() {
            let top = &whole[..whole.len() - rest.len()];
            return Some(top.strip_suffix(b"/").unwrap_or(top).to_vec());
        }
        let slash = rest.iter().position(|b| *b == b'/')?;
        rest = &rest[slash + 1..];
    }
}

fn in_tree(top: &[u8], directory: &str, place: &str) -> Option<Vec<u8>> {
    let whole = absolute(directory, place)?;
    crate::modules::paths::below(&whole, top).map(<[u8]>::to_vec)
}

/// Whether a header is one of the C or C++ standard library: those of C++ have no ending.
fn is_standard(path: &[u8]) -> bool {
    if path.contains(&b'/') {
        return path.starts_with(b"sys/");
    }
    !file_name(path).contains(&b'.') || STANDARD.binary_search(&path).is_ok()
}

/// Headers of standard C and the most common ones of POSIX, sorted.
const STANDARD: &[&[u8]] = byte_words!(
    "assert.h complex.h ctype.h dirent.h dlfcn.h errno.h fcntl.h fenv.h float.h getopt.h glob.h
     grp.h inttypes.h iso646.h limits.h locale.h math.h netdb.h poll.h pthread.h pwd.h regex.h
     sched.h semaphore.h setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h
     stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h syslog.h termios.h tgmath.h
     threads.h time.h uchar.h unistd.h utime.h wchar.h wctype.h windows.h"
);

#[cfg(test)]
mod tests {
    use super::STANDARD;
    use crate::graph::modules::testing::Tree;

    #[test]
    fn includes_are_searched_like_a_compiler_would() {
        let tree = Tree::new(&[
            (
                "src/net/a.c",
                "#include \"a.h\"\n#include \"../util/u.h\"\n#include <proj/api.h>\n#include \"deep/only.h\"\n\
                 #include <stdio.h>\n#include <zlib.h>\n#include \"gone.h\"\n#include \"twice.h\"\n#include <string.h>\n#include \"made.h\"\n",
            ),
            ("src/net/a.h", ""),
            ("src/util/u.h", ""),
            ("include/proj/api.h", ""),
            ("third/x/deep/only.h", ""),
            ("one/twice.h", ""),
            ("two/twice.h", ""),
            ("compat/string.h", ""),
            ("src/made.h.in", ""),
            ("src/net/pair.h", ""),
            ("src/net/b.c", "#include <pair.h>\n"),
            ("deps/pair/pair.h", ""),
        ]);
        tree.check(
            "
            src/net/b.c
              <pair.h> -> deps/pair/pair.h
            src/net/a.c
              a.h -> src/net/a.h
              ../util/u.h -> src/util/u.h
              <proj/api.h> -> include/proj/api.h
              deep/only.h -> third/x/deep/only.h
              <stdio.h> -> external
              <zlib.h> -> external
              gone.h -> unresolved
              twice.h -> unresolved
              <string.h> -> external
              made.h -> src/made.h.in
        ",
        );
    }

    #[test]
    fn compilation_databases_give_include_folders() {
        let commands = r#"[
            {"directory": "/home/me/proj/build", "file": "../src/a.c", "command": "cc -I../two -c ../src/a.c"},
            {"directory": "/home/me/proj", "file": "gone.c", "arguments": ["cc", "-I", "one"]}
        ]"#;
        let tree = Tree::new(&[
            ("compile_commands.json", commands),
            ("src/a.c", "#include \"twice.h\"\n"),
            ("one/twice.h", ""),
            ("two/twice.h", ""),
        ]);
        assert_eq!(tree.resolved("src/a.c"), ["twice.h -> two/twice.h"]);
    }

    #[test]
    fn namespaces_are_the_files_that_have_them() {
        let tree = Tree::new(&[
            ("a.cpp", "namespace ours { int f(); }\n"),
            (
                "b.cpp",
                "using namespace ours;\nusing std::string;\nusing boost::any;\nusing ours::inner::x;\n",
            ),
        ]);
        tree.check(
            "
            b.cpp
              ours -> a.cpp ::ours
              std -> external
              boost -> external
              ours::inner -> a.cpp ::ours ::inner
        ",
        );
    }

    #[test]
    fn standard_headers_are_sorted() {
        assert!(STANDARD.is_sorted());
    }
}
