//! Python: dotted names from source roots, relative dots, namespace packages, stubs.

use super::settings::{self, Settings};
use crate::modules::config::{toml, toml_strings};
use crate::modules::paths::{TOP, below, shared_folders};
use crate::modules::place::Whole;
use crate::modules::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Files that a dotted name may be, in order: the code before its stub.
const PACKAGES: [&[u8]; 2] = [b"/__init__.py", b"/__init__.pyi"];
const MODULES: [&[u8]; 3] = [b".py", b".pyi", b".pyw"];

/// Source roots of the Python projects of a tree.
pub(crate) struct Python {
    /// Folders that dotted names may start from for every file, in order of preference.
    roots: Vec<FolderId>,
    /// Folders with Python files in them, at any depth.
    with_code: FxHashSet<FolderId>,
    /// The same folders by their names.
    by_name: FxHashMap<Vec<u8>, Vec<FolderId>>,
    settings: Settings,
}

impl Python {
    pub(crate) fn new(configs: &mut Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut with_code = FxHashSet::default();
        for file in layout.files() {
            let path = layout.path_of(file);
            if path.ends_with(b".py") || path.ends_with(b".pyi") {
                let folder = layout.home(file);
                for folder in layout.paths.upward(folder) {
                    if !with_code.insert(folder) {
                        break;
                    }
                }
            }
        }
        let mut roots = Vec::new();
        let mut add = |path: Option<Vec<u8>>| {
            let folder = path.and_then(|path| layout.folder(&path));
            if let Some(folder) = folder.filter(|id| with_code.contains(id))
                && !roots.contains(&folder)
            {
                roots.push(folder);
            }
        };
        add(Some(b"src".to_vec()));
        add(Some(Vec::new()));
        for name in ["pyproject.toml", "setup.cfg", "setup.py"] {
            for file in configs.named(name) {
                let folder = layout.home_path(file);
                for place in source_folders(name, configs.text(file).as_deref()) {
                    add(join(folder, place.as_bytes()));
                }
                add(join(folder, b"src"));
                add(Some(folder.to_vec()));
            }
        }
        let mut by_name: FxHashMap<Vec<u8>, Vec<FolderId>> = FxHashMap::default();
        for folder in &with_code {
            let name = file_name(layout.path(*folder)).to_vec();
            by_name.entry(name).or_default().push(*folder);
        }
        Self {
            roots,
            with_code,
            by_name,
            settings: Settings::new(configs),
        }
    }

    /// Roots to try for a file in `home`, nearest first: the folder around its outermost package,
    /// then those of the projects.
    fn roots_for<'a>(
        &'a self,
        layout: Layout<'a>,
        home: FolderId,
    ) -> impl Iterator<Item = FolderId> + 'a {
        let own = self.own_root(layout, home);
        // pytest puts the folders of its configuration on the path.
        let configured = layout.paths.upward(home).filter(move |folder| {
            *folder != own
                && layout
                    .file(&with(layout.path(*folder), b"/conftest.py"))
                    .is_some()
        });
        let projects = self.roots.iter().copied().filter(move |root| *root != own);
        std::iter::once(own).chain(configured).chain(projects)
    }

    /// The folder around the outermost package that a folder is in.
    fn own_root(&self, layout: Layout<'_>, home: FolderId) -> FolderId {
        let mut upward = layout.paths.upward(home);
        upward
            .find(|folder| !is_package(layout, *folder))
            .unwrap_or(TOP)
    }

    /// What a test imports after it put a folder below it on the path: an application made for
    /// the tests. Found when one such folder is nearest.
    fn brought(
        &self,
        layout: Layout<'_>,
        from: FileId,
        root: FolderId,
        specifier: &[u8],
    ) -> Option<Place> {
        if !layout.tree.is_test(from) {
            return None;
        }
        let first = specifier.split(|b| *b == b'.').next()?;
        let packages = self.by_name.get(first).into_iter().flatten();
        let packages = packages.filter_map(|folder| layout.paths.above(*folder));
        let modules = layout
            .named(&[first, b".py"].concat())
            .map(|file| layout.home(file));
        let mut best: Option<(usize, Place)> = None;
        let mut tied = false;
        for folder in packages.chain(modules) {
            let path = layout.path(folder);
            if below(path, layout.path(root)).is_none() || is_package(layout, folder) {
                continue;
            }
            let Walked::Found(place) = self.walk(layout, folder, specifier) else {
                continue;
            };
            if place.files.is_empty() {
                continue;
            }
            let shared = shared_folders(layout.home_path(from), path);
            match &best {
                Some((most, _)) if shared < *most => {}
                Some((most, found)) if shared == *most => tied |= *found != place,
                _ => (best, tied) = (Some((shared, place)), false),
            }
        }
        best.filter(|_| !tied).map(|(_, place)| place)
    }

    /// What `django.conf` is for a file in `home`: that in which the module of the project's settings has a name of its own.
    fn settings(&self, layout: Layout<'_>, home: FolderId) -> Option<Place> {
        let (root, module) = self.settings.of(layout, home)?;
        let Walked::Found(place) = self.walk(layout, root, module) else {
            return None;
        };
        let file = *place.files.first()?;
        Some(Place {
            inner: vec![settings::GIVEN_BY.to_vec()],
            ..Place::file(file)
        })
    }

    /// Walks a dotted name from a folder.
    fn walk(&self, layout: Layout<'_>, base: FolderId, dotted: &[u8]) -> Walked {
        let mut path = layout.path(base).to_vec();
        let mut begun = false;
        for part in dotted.split(|b| *b == b'.').filter(|part| !part.is_empty()) {
            if begun && !self.leads_on(layout, &path) {
                return Walked::Partly;
            }
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(part);
            if !begun && self.at(layout, &path).is_none() {
                return Walked::Nothing;
            }
            begun = true;
        }
        match self.at(layout, &path) {
            Some(place) => Walked::Found(place),
            None => Walked::Partly,
        }
    }

    fn leads_on(&self, layout: Layout<'_>, path: &[u8]) -> bool {
        layout.folder(path).is_some()
    }

    /// The package or module at a path without its ending.
    fn at(&self, layout: Layout<'_>, path: &[u8]) -> Option<Place> {
        let folder = layout.folder(path);
        let folder = folder.filter(|id| self.with_code.contains(id));
        let among = |ends: &[&[u8]]| ends.iter().find_map(|end| layout.file(&with(path, end)));
        let file = folder.and_then(|_| among(&PACKAGES));
        let whole = folder.map(Whole::Folder);
        if let Some(file) = file.or_else(|| among(&MODULES)) {
            let whole = file_is_package(layout, file).then_some(whole).flatten();
            return Some(Place {
                whole,
                ..Place::file(file)
            });
        }
        whole.map(|whole| Place {
            whole: Some(whole),
            ..Place::default()
        })
    }
}

impl Resolver for Python {
    fn reads_documents(&self) -> bool {
        false
    }

    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        let dots = specifier.iter().take_while(|b| **b == b'.').count();
        let home = layout.home(site.from);
        if dots > 0 {
            let Some(base) = layout.paths.upward(home).nth(dots - 1) else {
                return Resolution::Unresolved;
            };
            let rest = &specifier[dots..];
            return match self.walk(layout, base, rest) {
                Walked::Found(place) => Resolution::Found(place),
                _ => Resolution::Unresolved,
            };
        }
        let mut namespace = None;
        let mut partly = false;
        for root in self.roots_for(layout, home) {
            match self.walk(layout, root, specifier) {
                Walked::Found(place) if !place.files.is_empty() => return Resolution::Found(place),
                Walked::Found(place) => namespace = namespace.or(Some(place)),
                Walked::Partly => partly = true,
                Walked::Nothing => {}
            }
        }
        let first = specifier.split(|b| *b == b'.').next().unwrap_or(specifier);
        if STANDARD.binary_search(&first).is_ok() {
            return Resolution::External;
        }
        let home_root = self.own_root(layout, home);
        let brought = || self.brought(layout, site.from, home_root, specifier);
        match namespace.or_else(brought) {
            Some(place) => Resolution::Found(place),
            None if partly => Resolution::Unresolved,
            None if specifier == settings::GIVEN_BY => {
                let place = self.settings(layout, home);
                place.map_or(Resolution::External, Resolution::Found)
            }
            None => Resolution::External,
        }
    }

    fn has_children(&self) -> bool {
        true
    }

    // The module `name` of a package.
    fn child(&self, layout: Layout<'_>, place: &Place, name: &[u8]) -> Option<Place> {
        if place
            .inner
            .first()
            .is_some_and(|of| of == settings::GIVEN_BY)
        {
            let file = place.files.first().filter(|_| name == settings::OBJECT);
            return file.map(|file| Place::file(*file));
        }
        if !place.files.is_empty() && !place.inner.is_empty() {
            return None;
        }
        let folder = match (place.whole, place.files.first()) {
            (Some(Whole::Folder(folder)), _) => folder,
            (None, Some(file)) if file_is_package(layout, *file) => layout.home(*file),
            _ => return None,
        };
        let path = join(layout.path(folder), name)?;
        below(&path, layout.path(folder)).filter(|rest| *rest == name)?;
        self.at(layout, &path)
    }
}

enum Walked {
    Found(Place),
    /// The first name is there, a later one is not.
    Partly,
    Nothing,
}

fn is_package(layout: Layout<'_>, folder: FolderId) -> bool {
    let path = layout.path(folder);
    PACKAGES
        .iter()
        .any(|end| layout.file(&with(path, end)).is_some())
}

/// A path with an ending; the top's has no slash before it.
fn with(path: &[u8], end: &[u8]) -> Vec<u8> {
    let whole = [path, end].concat();
    match path {
        b"" => whole.strip_prefix(b"/").unwrap_or(&whole).to_vec(),
        _ => whole,
    }
}

fn file_is_package(layout: Layout<'_>, file: FileId) -> bool {
    matches!(layout.name_of(file), b"__init__.py" | b"__init__.pyi")
}

/// Folders that a project's configuration says its packages lie in.
fn source_folders(name: &str, text: Option<&str>) -> Vec<String> {
    let Some(text) = text else {
        return Vec::new();
    };
    match name {
        "pyproject.toml" => pyproject_folders(text),
        "setup.cfg" => setup_cfg_folders(text),
        _ => setup_py_folders(text),
    }
}

fn pyproject_folders(text: &str) -> Vec<String> {
    let Some(document) = toml(text) else {
        return Vec::new();
    };
    let mut folders = Vec::new();
    let tool = document.get("tool");
    let at = |path: &[&str]| path.iter().try_fold(tool?, |item, key| item.get(key));
    if let Some(packages) = at(&["setuptools", "package-dir"]).and_then(|item| item.as_table_like())
    {
        folders.extend(
            packages
                .iter()
                .filter(|(key, _)| key.is_empty())
                .filter_map(|(_, item)| item.as_str().map(str::to_owned)),
        );
    }
    for path in [
        &["setuptools", "packages", "find", "where"][..],
        &["pytest", "ini_options", "pythonpath"],
        &["pyright", "extraPaths"],
        &["pdm", "build", "package-dir"],
        &["maturin", "python-source"],
        &["ruff", "src"],
    ] {
        folders.extend(at(path).map(toml_strings).unwrap_or_default());
    }
    if let Some(packages) = at(&["poetry", "packages"]).and_then(|item| item.as_array()) {
        let tables = packages.iter().filter_map(|value| value.as_inline_table());
        folders.extend(tables.filter_map(|table| table.get("from")?.as_str().map(str::to_owned)));
    }
    folders
}

/// `package_dir = =src` and `where = src`, on one line or the next.
fn setup_cfg_folders(text: &str) -> Vec<String> {
    let mut folders = Vec::new();
    let mut key = "";
    for line in text.lines() {
        let value = match line.split_once('=') {
            Some((name, value)) if !line.starts_with([' ', '\t']) => {
                key = name.trim();
                value
            }
            _ => line,
        };
        let value = value.trim();
        let folder = match key {
            "package_dir" | "package-dir" => value.strip_prefix('=').map(str::trim),
            "where" => Some(value),
            _ => None,
        };
        folders.extend(folder.filter(|f| !f.is_empty()).map(str::to_owned));
    }
    folders
}

/// `package_dir={"": "src"}` and `find_packages("src")` or `find_packages(where="src")`.
fn setup_py_folders(text: &str) -> Vec<String> {
    let quoted = |text: &str| {
        let text = text.trim_start();
        let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let rest = &text[1..];
        Some(rest[..rest.find(quote)?].to_owned())
    };
    let mut folders = Vec::new();
    for (at, _) in text.match_indices("package_dir") {
        let rest = &text[at..];
        let first = rest.find("\"\"").or_else(|| rest.find("''"));
        let value = first.and_then(|at| rest[at + 2..].trim_start().strip_prefix(':'));
        folders.extend(value.and_then(quoted));
    }
    for (at, call) in text.match_indices("find_packages(") {
        let rest = text[at + call.len()..].trim_start();
        let rest = rest
            .strip_prefix("where")
            .map_or(rest, |rest| rest.trim_start().trim_start_matches('='));
        folders.extend(quoted(rest));
    }
    folders
}

/// Top-level modules of the standard library, sorted. A folder without `__init__.py` does not hide
/// them.
const STANDARD: &[&[u8]] = byte_words!(
    "__future__ _thread abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins
     bz2 calendar cmath cmd code codecs codeop collections colorsys compileall concurrent
     configparser contextlib contextvars copy copyreg csv ctypes curses dataclasses datetime dbm
     decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl
     filecmp fileinput fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib
     grp gzip hashlib heapq hmac html http imaplib imp importlib inspect io ipaddress itertools
     json keyword linecache locale logging lzma mailbox marshal math mimetypes mmap
     multiprocessing netrc numbers operator optparse os pathlib pdb pickle pickletools pkgutil
     platform plistlib poplib posix pprint profile pstats pty pwd py_compile pydoc queue quopri
     random re readline reprlib resource runpy sched secrets select selectors shelve shlex shutil
     signal site smtplib socket socketserver sqlite3 ssl stat statistics string stringprep struct
     subprocess symtable sys sysconfig syslog tarfile telnetlib tempfile termios test textwrap
     threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle
     types typing unicodedata unittest urllib uuid venv warnings wave weakref webbrowser winreg
     wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo"
);

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::Tree;

    #[test]
    fn dotted_names_start_at_source_roots() {
        let tree = Tree::new(&[
            ("src/app/__init__.py", ""),
            (
                "src/app/core.py",
                "import os\nimport app.util\nfrom . import util\nfrom .sub.x import y\nfrom app import missing\nimport app.gone\nimport requests\n",
            ),
            ("src/app/util.py", ""),
            ("src/app/sub/x.pyi", ""),
            ("src/app/sub/x.py", ""),
            (
                "tests/test_core.py",
                "from app.core import f\nfrom app.sub import x\nimport helpers\n",
            ),
            ("tests/helpers.py", ""),
        ]);
        tree.check(
            "
            src/app/core.py
              os -> external
              app.util -> src/app/util.py
              . -> src/app/__init__.py
              .sub.x -> src/app/sub/x.py
              app -> src/app/__init__.py
              app.gone -> unresolved
              requests -> external
            tests/test_core.py
              app.core -> src/app/core.py
              // A namespace package has no file of its own.
              app.sub ->
              helpers -> tests/helpers.py
        ",
        );
    }

    #[test]
    fn dots_count_folders_and_never_leave_the_tree() {
        let tree = Tree::new(&[
            ("a/__init__.py", ""),
            ("a/b/__init__.py", ""),
            (
                "a/b/c.py",
                "from . import x\nfrom .. import y\nfrom ..d import z\nfrom .... import q\nfrom .none import r\n",
            ),
            ("a/d.py", ""),
        ]);
        tree.check(
            "
            a/b/c.py
              . -> a/b/__init__.py
              .. -> a/__init__.py
              ..d -> a/d.py
              .... -> unresolved
              .none -> unresolved
        ",
        );
    }

    #[test]
    fn projects_say_where_their_sources_are() {
        let tree = Tree::new(&[
            (
                "one/pyproject.toml",
                "[tool.setuptools.packages.find]\nwhere = [\"lib\"]\n",
            ),
            ("one/lib/alpha/__init__.py", ""),
            (
                "two/setup.py",
                "setup(package_dir={'': 'code'}, packages=find_packages(where = 'more'))",
            ),
            ("two/code/beta.py", ""),
            ("two/more/gamma.py", ""),
            (
                "three/setup.cfg",
                "[options]\npackage_dir =\n    = inside\n",
            ),
            ("three/inside/delta/x.py", ""),
            ("four/pyproject.toml", "[[[["),
            ("four/epsilon.py", ""),
            ("templates/json/page.txt", ""),
            ("tools/json/a.py", ""),
            (
                "use.py",
                "import alpha\nimport beta\nimport gamma\nimport delta.x\nimport epsilon\nimport json\nimport alpha.none\n",
            ),
        ]);
        tree.check(
            "
            use.py
              alpha -> one/lib/alpha/__init__.py
              beta -> two/code/beta.py
              gamma -> two/more/gamma.py
              delta.x -> three/inside/delta/x.py
              epsilon -> four/epsilon.py
              json -> external
              alpha.none -> unresolved
        ",
        );
    }

    #[test]
    fn submodules_are_children_of_packages_only() {
        let tree = Tree::new(&[
            ("p/__init__.py", ""),
            ("p/m.py", ""),
            ("p/n/deep.py", ""),
            ("use.py", ""),
        ]);
        let modules = tree.modules();
        let place = |path: &str| crate::modules::place::Place::file(tree.file(path).unwrap());
        let child = |place: &crate::modules::place::Place, name: &str| {
            modules.below(tree.view(), place, name.as_bytes())
        };
        let package = place("p/__init__.py");
        assert_eq!(tree.shown_place(&child(&package, "m").unwrap()), "p/m.py");
        let namespace = child(&package, "n").unwrap();
        assert!(namespace.files.is_empty());
        assert_eq!(
            tree.shown_place(&child(&namespace, "deep").unwrap()),
            "p/n/deep.py"
        );
        assert_eq!(child(&package, "none"), None);
        assert_eq!(child(&package, "../use"), None);
        assert_eq!(child(&place("p/m.py"), "n"), None);
    }

    #[test]
    fn tests_may_bring_applications_of_their_own() {
        let tree = Tree::new(&[
            ("tests/test_a.py", "import app_for_tests\nimport yaml\n"),
            ("tests/conftest.py", ""),
            ("tests/help.py", ""),
            ("tests/unit/test_b.py", "import help\n"),
            ("tests/apps/app_for_tests/__init__.py", ""),
            ("lib/yaml/__init__.py", ""),
            ("src/a.py", "import app_for_tests\n"),
        ]);
        tree.check(
            "
            tests/test_a.py
              app_for_tests -> tests/apps/app_for_tests/__init__.py
              yaml -> external
            tests/unit/test_b.py
              help -> tests/help.py
            src/a.py
              app_for_tests -> external
        ",
        );
    }
}
