//! `package.json`: names, entry points, and which packages may be imported from where.

use crate::modules::paths::{below, parent, shared_folders};
use crate::modules::prelude::*;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use jsonc_parser::ast::{Object, Value};
use rustc_hash::FxHashMap;

/// How deep conditions are nested in one another at most; two is common, four unheard of.
const MAX_CONDITIONS: u32 = 8;

/// What is read of one `package.json`.
pub(super) struct Manifest {
    pub(super) folder: FolderId,
    name: Vec<u8>,
    /// Files that the package itself may be, the most telling first.
    pub(super) main: Vec<Vec<u8>>,
    pub(super) exports: Subpaths,
    pub(super) imports: Subpaths,
    /// Dependencies given as folders, by their local name.
    linked: FxHashMap<Vec<u8>, Vec<u8>>,
    /// Whether a workspace lists it.
    member: bool,
}

/// The `exports` or `imports` of a package: subpaths, of which one may have a `*`, with files.
#[derive(Default)]
pub(super) struct Subpaths(Vec<(Vec<u8>, Vec<Vec<u8>>)>);

impl Subpaths {
    fn of(value: Option<&Value<'_>>) -> Self {
        let mut subpaths = Vec::new();
        match value {
            Some(Value::Object(object))
                if object
                    .properties
                    .iter()
                    .any(|p| is_subpath(p.name.as_str())) =>
            {
                for property in &object.properties {
                    let mut targets = Vec::new();
                    collect(&property.value, 0, &mut targets);
                    subpaths.push((property.name.as_str().as_bytes().to_vec(), targets));
                }
            }
            Some(value) => {
                let mut targets = Vec::new();
                collect(value, 0, &mut targets);
                subpaths.push((b".".to_vec(), targets));
            }
            None => {}
        }
        Self(subpaths)
    }

    /// The files of a subpath, the one that is closest to the source first.
    pub(super) fn targets(&self, subpath: &[u8]) -> Vec<Vec<u8>> {
        if let Some((_, targets)) = self.0.iter().find(|(key, _)| key == subpath) {
            return targets.clone();
        }
        let matches = self.0.iter().filter_map(|(key, targets)| {
            // An old form: a folder, written with a slash at its end.
            if key.ends_with(b"/") {
                return Some((key.len(), subpath.strip_prefix(&key[..])?, targets));
            }
            let star = key.iter().position(|b| *b == b'*')?;
            let rest = subpath.strip_prefix(&key[..star])?;
            Some((star, rest.strip_suffix(&key[star + 1..])?, targets))
        });
        let Some((_, rest, targets)) = matches.max_by_key(|(len, ..)| *len) else {
            return Vec::new();
        };
        let filled = |target: &Vec<u8>| match target.ends_with(b"/") {
            true => [target, rest].concat(),
            false => fill(target, rest),
        };
        targets.iter().map(filled).collect()
    }
}

/// How others import what a manifest gives out: its name, and its name with a subpath. `None` where it is private.
/// Where subpaths with a `*` are all there are, every file may be one, and none is named.
pub(in crate::lang::javascript) fn entries(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let text = String::from_utf8_lossy(text);
    let value = json(&text);
    let Some(object) = value.as_ref().and_then(|value| value.as_object()) else {
        return Some(Vec::new());
    };
    if object.get_boolean("private").is_some_and(|flag| flag.value) {
        return None;
    }
    let Some(name) = object.get_string("name") else {
        return Some(Vec::new());
    };
    let name = name.value.as_bytes();
    let exports = Subpaths::of(object.get("exports").map(|property| &property.value));
    let subpaths = exports.0.iter().map(|(key, _)| &key[..]);
    // Data, as `./package.json`.
    let subpaths = subpaths.filter(|key| !key.ends_with(b".json"));
    let mut keys: Vec<&[u8]> = subpaths.collect();
    if keys.is_empty() {
        keys.push(b".");
    }
    let keys = keys.into_iter().filter(|key| !key.contains(&b'*'));
    let keys = keys.filter_map(|key| key.strip_prefix(b"."));
    Some(keys.map(|key| [name, key].concat()).collect())
}

fn is_subpath(key: &str) -> bool {
    key.starts_with('.') || key.starts_with('#')
}

/// Puts `rest` in the place of every `*`.
pub(super) fn fill(pattern: &[u8], rest: &[u8]) -> Vec<u8> {
    let mut filled = Vec::with_capacity(pattern.len() + rest.len());
    for (i, part) in pattern.split(|b| *b == b'*').enumerate() {
        if i > 0 {
            filled.extend_from_slice(rest);
        }
        filled.extend_from_slice(part);
    }
    filled
}

/// Collects the files of all conditions: those for sources first, declarations last.
fn collect(value: &Value<'_>, depth: u32, targets: &mut Vec<Vec<u8>>) {
    if depth > MAX_CONDITIONS {
        return;
    }
    match value {
        Value::StringLit(target) => targets.push(target.value.as_bytes().to_vec()),
        Value::Array(array) => {
            let each = array.elements.iter();
            each.for_each(|value| collect(value, depth + 1, targets));
        }
        Value::Object(object) => {
            let mut conditions: Vec<_> = object.properties.iter().collect();
            conditions.sort_by_key(|property| rank(property.name.as_str()));
            for property in conditions {
                collect(&property.value, depth + 1, targets);
            }
        }
        _ => {}
    }
}

fn rank(condition: &str) -> u32 {
    match condition {
        "import" | "module" => 1,
        "node" | "default" => 2,
        "require" => 3,
        "types" | "typings" => 5,
        name if name.contains("source") || name.contains("src") || name == "development" => 0,
        _ => 4,
    }
}

impl Manifest {
    fn read(folder: FolderId, path: &[u8], object: &Object<'_>) -> Self {
        let string = |key: &str| Some(object.get_string(key)?.value.as_bytes().to_vec());
        let main = ["source", "module", "main", "types", "typings"];
        let mut linked = FxHashMap::default();
        for key in ["dependencies", "devDependencies", "optionalDependencies"] {
            let listed = object.get_object(key).map(|o| &o.properties[..]);
            for property in listed.unwrap_or_default() {
                let Some(version) = property.value.as_string_lit() else {
                    continue;
                };
                let version = version.value.as_ref();
                let place = ["file:", "link:", "portal:"]
                    .iter()
                    .find_map(|scheme| version.strip_prefix(scheme));
                if let Some(place) = place.and_then(|place| join(path, place.as_bytes())) {
                    linked.insert(property.name.as_str().as_bytes().to_vec(), place);
                }
            }
        }
        Self {
            folder,
            name: string("name").unwrap_or_default(),
            main: main.iter().filter_map(|key| string(key)).collect(),
            exports: Subpaths::of(object.get("exports").map(|p| &p.value)),
            imports: Subpaths::of(object.get("imports").map(|p| &p.value)),
            linked,
            member: false,
        }
    }
}

/// The packages of a view.
pub(super) struct Manifests {
    all: Vec<Manifest>,
    by_folder: FxHashMap<FolderId, u32>,
    by_name: FxHashMap<Vec<u8>, Vec<u32>>,
    /// Whether any workspace says which packages belong to it.
    has_workspaces: bool,
}

impl Manifests {
    pub(super) fn new(configs: &mut Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut all = Vec::new();
        let mut workspaces = Vec::new();
        for file in configs.named("package.json") {
            let Some(text) = configs.text(file) else {
                continue;
            };
            let value = json(&text);
            let Some(object) = value.as_ref().and_then(|value| value.as_object()) else {
                continue;
            };
            let (folder, path) = (layout.home(file), layout.home_path(file));
            if let Some(listed) = object.get("workspaces") {
                let globs = match &listed.value {
                    Value::Object(inner) => inner.get("packages").map(|p| json_strings(&p.value)),
                    value => Some(json_strings(value)),
                };
                workspaces.extend(Workspace::new(path, &globs.unwrap_or_default()));
            }
            all.push(Manifest::read(folder, path, object));
        }
        for name in ["pnpm-workspace.yaml", "pnpm-workspace.yml"] {
            for file in configs.named(name) {
                let globs = configs.text(file).map(|text| yaml_list(&text, "packages"));
                workspaces.extend(Workspace::new(
                    layout.home_path(file),
                    &globs.unwrap_or_default(),
                ));
            }
        }
        for file in configs.named("lerna.json") {
            let text = configs.text(file).unwrap_or_default();
            let value = json(&text);
            let object = value.as_ref().and_then(|value| value.as_object());
            if let Some(listed) = object.and_then(|object| object.get("packages")) {
                workspaces.extend(Workspace::new(
                    layout.home_path(file),
                    &json_strings(&listed.value),
                ));
            }
        }
        for manifest in &mut all {
            let path = layout.path(manifest.folder);
            manifest.member = workspaces.iter().any(|workspace| workspace.has(path));
        }
        let mut by_folder = FxHashMap::default();
        let mut by_name: FxHashMap<Vec<u8>, Vec<u32>> = FxHashMap::default();
        for (manifest, at) in all.iter().zip(0u32..) {
            by_folder.insert(manifest.folder, at);
            if !manifest.name.is_empty() {
                by_name.entry(manifest.name.clone()).or_default().push(at);
            }
        }
        Self {
            all,
            by_folder,
            by_name,
            has_workspaces: !workspaces.is_empty(),
        }
    }

    /// The package whose folder this is.
    pub(super) fn at(&self, folder: FolderId) -> Option<&Manifest> {
        self.by_folder
            .get(&folder)
            .map(|at| &self.all[*at as usize])
    }

    /// The innermost package around a folder.
    pub(super) fn around(&self, layout: Layout<'_>, folder: FolderId) -> Option<&Manifest> {
        layout
            .paths
            .upward(folder)
            .find_map(|folder| self.at(folder))
    }

    /// The innermost package around a path that need not be there.
    pub(super) fn above_path(&self, layout: Layout<'_>, path: &[u8]) -> Option<&Manifest> {
        let mut path = parent(path);
        loop {
            if let Some(folder) = layout.folder(path) {
                return self.around(layout, folder);
            }
            path = parent(path);
        }
    }

    /// The package that `name` means in a folder.
    pub(super) fn named(
        &self,
        layout: Layout<'_>,
        home: FolderId,
        name: &[u8],
    ) -> Option<&Manifest> {
        let around = layout
            .paths
            .upward(home)
            .filter_map(|folder| self.at(folder));
        for manifest in around {
            let linked = manifest.linked.get(name);
            if let Some(folder) = linked.and_then(|path| layout.folder(path)) {
                return self.at(folder);
            }
            // A package may import itself.
            if manifest.name == name {
                return Some(manifest);
            }
        }
        let home = layout.path(home);
        let candidates = self
            .by_name
            .get(name)?
            .iter()
            .map(|at| &self.all[*at as usize]);
        candidates
            .filter(|manifest| manifest.member || !self.has_workspaces)
            .max_by_key(|manifest| {
                let path = layout.path(manifest.folder);
                (shared_folders(home, path), std::cmp::Reverse(path.len()))
            })
    }

    /// The files of a package's folder, for what extends a configuration by its name.
    pub(super) fn folder_named(
        &self,
        layout: Layout<'_>,
        home: FolderId,
        name: &[u8],
    ) -> Option<FolderId> {
        self.named(layout, home, name)
            .map(|manifest| manifest.folder)
    }
}

/// A workspace: which folders below it are its packages. Globs with `!` take away.
struct Workspace<'v> {
    top: &'v [u8],
    listed: GlobSet,
    left_out: GlobSet,
}

impl<'v> Workspace<'v> {
    fn new(top: &'v [u8], globs: &[String]) -> Option<Self> {
        let (mut listed, mut left_out) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for glob in globs {
            let (set, glob) = match glob.strip_prefix('!') {
                Some(glob) => (&mut left_out, glob),
                None => (&mut listed, glob.as_str()),
            };
            let glob = glob.trim_start_matches("./").trim_end_matches('/');
            if let Ok(glob) = GlobBuilder::new(glob).literal_separator(true).build() {
                set.add(glob);
            }
        }
        Some(Self {
            top,
            listed: listed.build().ok()?,
            left_out: left_out.build().ok()?,
        })
    }

    fn has(&self, path: &[u8]) -> bool {
        // The top of a workspace is a package of it too.
        if path == self.top {
            return true;
        }
        let Some(Ok(rest)) = below(path, self.top).map(std::str::from_utf8) else {
            return false;
        };
        self.listed.is_match(rest) && !self.left_out.is_match(rest)
    }
}

/// The items of a list at the top level of a YAML file, in block or flow style. All that is
/// needed of YAML is what `pnpm-workspace.yaml` holds.
fn yaml_list(text: &str, key: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut inside = false;
    let item = |text: &str| {
        let text = text.split(" #").next().unwrap_or(text);
        text.trim().trim_matches(['"', '\'']).to_owned()
    };
    for line in text.lines() {
        if let Some(rest) = line
            .strip_prefix(key)
            .and_then(|rest| rest.trim_start().strip_prefix(':'))
        {
            let flow = rest
                .trim()
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'));
            items.extend(flow.into_iter().flat_map(|list| list.split(',')).map(item));
            inside = flow.is_none();
        } else if inside {
            match line.trim_start().strip_prefix("- ") {
                Some(rest) => items.push(item(rest)),
                None if line.trim().is_empty() || line.trim_start().starts_with('#') => {}
                None => inside = false,
            }
        }
    }
    items.retain(|item| !item.is_empty());
    items
}
