//! Routes in files of settings: what symfony's `config/routes.yaml` puts before all routes of a folder, and the routes
//! that it states itself.
//!
//! The file is read when somebody asks, line by line; what is nested deeper than a route and its options says nothing.
//! A path for each language shows as `…`. Routes that a bundle brings (`@Bundle`) are in no file of the repository.

use super::spelling::COMPUTED;
use super::{EntryPoint, is_asked};
use crate::extract::record::{EntryKind, Methods};
use crate::query::scope::Filter;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;

/// Longest file of routes that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// All controllers of a program, by the name of the service that lists them.
const ALL_CONTROLLERS: &str = "routing.controllers";

/// What files of settings say of routes.
#[derive(Default)]
pub(super) struct Settings {
    /// Folders with a slash at their ends, and what is put before the paths of their routes.
    prefixes: Vec<(String, String)>,
    /// The routes that they state, without what is put before.
    routes: Vec<EntryPoint>,
}

impl Settings {
    /// Reads the files of routes of a view.
    pub(super) fn of(view: &View, texts: &mut Texts) -> Self {
        let mut settings = Self::default();
        for (id, file) in (0u32..).map(FileId).zip(view.files()) {
            let bytes = file.path.as_bytes();
            if !bytes.ends_with(b".yaml") && !bytes.ends_with(b".yml") {
                continue;
            }
            let path = file.path.to_string();
            let Some(root) = root_of(&path) else {
                continue;
            };
            let Some(text) = texts.get(view, id) else {
                continue;
            };
            let bytes = text.bytes();
            if bytes.len() <= MAX_BYTES {
                let text = String::from_utf8_lossy(bytes);
                settings.read(id, &path, root, &text);
            }
        }
        settings
    }

    fn read(&mut self, file: FileId, path: &str, root: &str, text: &str) {
        let lines: Vec<Line<'_>> = (1..).zip(text.lines()).filter_map(Line::read).collect();
        for (at, line) in lines.iter().enumerate() {
            let option = |key: &str| value(&lines, at, key);
            match line.key {
                "resource" => {
                    let folder = match option("resource") {
                        Some(of) if of == ALL_CONTROLLERS => Some(root.to_owned()),
                        Some(of) if !of.starts_with('@') => folder(path, &of),
                        _ => None,
                    };
                    if let (Some(folder), Some(prefix)) = (folder, option("prefix")) {
                        self.prefixes.push((folder, prefix));
                    }
                }
                "path" => {
                    let Some(controller) = option("controller").filter(|of| of.contains('\\'))
                    else {
                        continue;
                    };
                    let methods = option("methods").unwrap_or_default();
                    let methods = methods.split(|c: char| !c.is_ascii_alphabetic());
                    let named = methods.filter_map(|name| Methods::named(name.as_bytes()));
                    self.routes.push(EntryPoint {
                        kind: EntryKind::Route,
                        path: option("path").unwrap_or_default(),
                        methods: named.fold(Methods::ANY, Methods::with).names().collect(),
                        file,
                        line: line.number,
                        handler: None,
                        said: controller,
                    });
                }
                _ => {}
            }
        }
    }

    /// The whole path of a route of a PHP file.
    pub(super) fn whole(&self, file: &str, path: String) -> String {
        if !file.ends_with(".php") || self.prefixes.is_empty() {
            return path;
        }
        let path = without_entities(&path);
        let around = self.prefixes.iter();
        let around = around.filter(|(folder, _)| file.starts_with(folder.as_str()));
        match around.max_by_key(|(folder, _)| folder.len()) {
            Some((_, prefix)) => {
                let prefix = prefix.trim_matches('/');
                format!("/{prefix}/{}", path.trim_start_matches('/'))
            }
            None => path,
        }
    }

    /// Adds the routes that files of a scope state.
    pub(super) fn add(
        self,
        view: &View,
        filter: &Filter,
        tests: bool,
        found: &mut Vec<EntryPoint>,
    ) {
        found.extend(self.routes.into_iter().filter(|route| {
            let file = view.file(route.file);
            filter.admits(view, file) && is_asked(file.role, tests)
        }));
    }
}

/// A path without what its parameters are mapped to: `{slug:post}` answers as `{slug}` does.
fn without_entities(path: &str) -> String {
    let mut parts = path.split('{');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mapped = part.split_once('}').and_then(|(inner, rest)| {
            let (name, entity) = inner.split_once(':')?;
            let is_name = entity.chars().all(|c| c.is_alphanumeric() || c == '_');
            is_name.then_some((name, rest))
        });
        out.push('{');
        match mapped {
            Some((name, rest)) => out.extend([name, "}", rest]),
            None => out.push_str(part),
        }
    }
    out
}

/// The folder of the program whose routes a file sets, with a slash at its end; empty for the repository.
fn root_of(path: &str) -> Option<&str> {
    let stem = path
        .strip_suffix(".yaml")
        .or_else(|| path.strip_suffix(".yml"))?;
    let at = stem.rfind("config/routes")?;
    let rest = &stem[at + "config/routes".len()..];
    let is_one = rest.is_empty() || rest.starts_with('/');
    let root = &stem[..at];
    (is_one && (root.is_empty() || root.ends_with('/'))).then_some(root)
}

/// The folder that a resource is, as seen from a file, with a slash at its end.
fn folder(file: &str, resource: &str) -> Option<String> {
    let own = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = own.split('/').filter(|part| !part.is_empty()).collect();
    for part in resource.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part if part.contains(['*', '{', '%']) => break,
            part => parts.push(part),
        }
    }
    Some(parts.iter().map(|part| format!("{part}/")).collect())
}

/// A line `key: value`.
struct Line<'t> {
    number: u32,
    indent: usize,
    key: &'t str,
    value: &'t str,
}

impl<'t> Line<'t> {
    fn read((number, text): (u32, &'t str)) -> Option<Self> {
        let rest = text.trim_start_matches(' ');
        let (key, value) = rest.split_once(':')?;
        let value = match value.split_once(" #") {
            Some((value, _)) => value,
            None => value,
        };
        (!rest.starts_with(['#', '-'])).then_some(Self {
            number,
            indent: text.len() - rest.len(),
            key,
            value: value.trim(),
        })
    }
}

/// The value of a key beside the line at a place. Of a resource that has a path of its own that is it, and of what
/// else has several it is computed.
fn value(lines: &[Line<'_>], at: usize, key: &str) -> Option<String> {
    let indent = lines.get(at)?.indent;
    let is_in = |line: &&Line<'_>| line.indent >= indent;
    let before = lines[..at].iter().rev().take_while(is_in).count();
    let block = &lines[at - before..];
    let block: Vec<&Line<'_>> = block.iter().take_while(is_in).collect();
    let is_key = |line: &&Line<'_>| line.indent == indent && line.key == key;
    let found = block.iter().position(is_key)?;
    let text = block[found].value;
    if !text.is_empty() {
        return Some(unquoted(text));
    }
    let mut below = block[found + 1..]
        .iter()
        .take_while(|line| line.indent > indent);
    match key {
        "resource" => below
            .find(|line| line.key == "path")
            .map(|line| unquoted(line.value)),
        _ => Some(COMPUTED.to_owned()),
    }
}

/// A value without its quotes.
fn unquoted(text: &str) -> String {
    text.trim_matches(['"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Settings {
        let mut settings = Settings::default();
        settings.read(FileId(0), "app/config/routes.yaml", "app/", text);
        settings
    }

    #[test]
    fn a_prefix_is_that_of_a_folder() {
        let settings = read(
            "# routes\ncontrollers:\n    resource: '../src/Controller/'\n    prefix: /{_locale} # a\n\
             admin:\n  resource:\n    path: ../src/Controller/Admin/\n    namespace: A\\B\n  prefix:\n    en: /a\n    de: /b\n\
             bundle:\n  resource: '@Bundle/x.xml'\n  prefix: /_wdt\n",
        );
        let of = |path: &str| settings.whole(path, "/x/".to_owned());
        assert_eq!(of("app/src/Controller/A.php"), "/{_locale}/x/");
        assert_eq!(of("app/src/Controller/Admin/A.php"), "/…/x/");
        assert_eq!(of("app/src/Other/A.php"), "/x/");
        assert_eq!(of("app/src/Controller/a.py"), "/x/");
    }

    #[test]
    fn a_route_is_a_path_with_a_controller() {
        let settings = read(
            "home:\n  path: /\n  controller: App\\Home::index\n  methods: [GET, HEAD]\nother:\n  path: /x\n\
             all:\n  resource: routing.controllers\n  prefix: /api\n",
        );
        assert_eq!(settings.routes.len(), 1);
        assert_eq!(settings.routes[0].title(), "GET,HEAD /");
        assert_eq!(settings.routes[0].said, "App\\Home::index");
        assert_eq!(settings.whole("app/src/A.php", "/".to_owned()), "/api/");
    }

    #[test]
    fn a_parameter_goes_by_its_name() {
        assert_eq!(
            without_entities("/a/{slug:post}/{id}/x"),
            "/a/{slug}/{id}/x"
        );
        for same in ["/a", "{", "{a:\\d+}", "a{b:", ""] {
            assert_eq!(without_entities(same), same);
        }
    }

    #[test]
    fn only_routes_of_a_program_are_read() {
        assert_eq!(root_of("config/routes.yaml"), Some(""));
        assert_eq!(root_of("a/config/routes/dev.yml"), Some("a/"));
        assert_eq!(root_of("aconfig/routes.yaml"), None);
        assert_eq!(root_of("config/routesx.yaml"), None);
        assert_eq!(root_of("config/routes.php"), None);
        assert_eq!(folder("config/routes.yaml", "../../x"), None);
        for text in [
            "resource:",
            "path: /\ncontroller:",
            "  prefix: a\nresource: x",
            ": :",
        ] {
            read(text);
        }
    }
}
