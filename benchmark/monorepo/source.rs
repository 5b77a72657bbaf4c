//! The text of a planned file.

use super::body::{Body, Callee};
use super::dialect::Dialect;
use super::names::{Name, Vocabulary};
use super::plan::{FileId, Item, Language, Plan, Role};
use super::random::Random;

/// Bytes of a function besides its body: header, comment, an empty line, the end of its last line.
const FUNCTION_FRAME: usize = 260;
/// The same of a method.
const METHOD_FRAME: usize = 130;
/// Names that a file takes from one that it imports, at most.
const TAKEN: usize = 3;

/// The text of a file as it is now.
pub fn text(plan: &Plan, id: FileId) -> String {
    let file = &plan.files[id];
    let language = plan.packages[file.package].language;
    let dialect = Dialect {
        language,
        words: &plan.vocabulary,
    };
    let writer = Writer { plan, id, dialect };
    match file.role {
        Role::Readme => writer.readme(),
        Role::Manifest => writer.manifest(),
        Role::Root => writer.root(),
        Role::Header(source) => writer.header(source),
        Role::Source | Role::Test => writer.source(),
    }
}

/// How a package in Rust is called by others.
pub fn crate_name(path: &str) -> String {
    path.replace('/', "_")
}

struct Writer<'a> {
    plan: &'a Plan,
    id: FileId,
    dialect: Dialect<'a>,
}

impl Writer<'_> {
    /// A stream of its own for every part of the file, so that an edit changes one part only.
    fn random(&self, part: u64, edits: u32) -> Random {
        Random::of(&[self.plan.seed, 2, self.id as u64, part, u64::from(edits)])
    }

    fn source(&self) -> String {
        let file = &self.plan.files[self.id];
        let words = self.dialect.words;
        let mut out = String::with_capacity(file.bytes + 500);
        let mut random = self.random(u64::MAX, 0);
        let about = words.sentence(&mut random);
        match self.dialect.language {
            Language::Python => out += &format!("\"\"\"{about}\"\"\"\n\nimport sys\n\n"),
            Language::Rust => out += &format!("//! {about}\n\n"),
            _ => self.dialect.remark(&mut out, "", &about),
        }
        let mut callees = self.imports(&mut out, &mut random);
        if self.dialect.language == Language::Java {
            let test = if file.role == Role::Test { "Test" } else { "" };
            out += &format!("public final class {}{test} {{\n", words.pascal(file.stem));
        }
        let frame = out.len()
            + file
                .items
                .iter()
                .map(|item| self.frame(item))
                .sum::<usize>();
        let body = file.bytes.saturating_sub(frame) / file.items.len().max(1);
        for (part, item) in file.items.iter().enumerate() {
            if part > 0 || self.dialect.language != Language::Java {
                out.push('\n');
            }
            self.item(&mut out, part as u64, item, body, &callees);
            callees.push(self.callee(item, None));
        }
        if self.dialect.language == Language::Java {
            out += "}\n";
        }
        out
    }

    /// Writes what the file imports and returns what it may call of it.
    fn imports(&self, out: &mut String, random: &mut Random) -> Vec<Callee> {
        let file = &self.plan.files[self.id];
        let own = &self.plan.packages[file.package];
        let words = self.dialect.words;
        match self.dialect.language {
            Language::Go => {
                *out += &format!("package {}\n\nimport (\n\t\"log\"\n", go_package(&own.path))
            }
            Language::Java if file.role == Role::Source => {
                let package = own.path.replace('/', ".");
                *out += &format!("package com.example.{package};\n\n");
            }
            Language::C => *out += "#include <stdio.h>\n",
            _ => {}
        }
        let mut callees = Vec::new();
        let mut go_paths = Vec::new();
        for target in &file.imports {
            let target = *target;
            let other = &self.plan.files[target];
            let package = &self.plan.packages[other.package];
            let path = self.plan.path(target);
            // A header is imported for what its source defines.
            let defining = match other.role {
                Role::Header(source) => source,
                _ => target,
            };
            let items = &self.plan.files[defining].items;
            let taken: Vec<&Item> = items.iter().take(random.between(1, TAKEN)).collect();
            let names = || {
                let names: Vec<String> = taken.iter().map(|item| self.name(item)).collect();
                names.join(", ")
            };
            let mut owner = None;
            match self.dialect.language {
                Language::TypeScript => {
                    let from = relative(&self.plan.path(self.id), path.trim_end_matches(".ts"));
                    *out += &format!("import {{ {} }} from \"{from}\";\n", names());
                }
                Language::Python => {
                    let module = path.trim_end_matches(".py").replace('/', ".");
                    *out += &format!("from {module} import {}\n", names());
                }
                Language::Go => {
                    owner = Some(go_package(&package.path));
                    // What a test is about is of its own package.
                    if other.package == file.package {
                        owner = None;
                    } else if !go_paths.contains(&&package.path) {
                        *out += &format!("\t\"example.com/mono/{}\"\n", package.path);
                        go_paths.push(&package.path);
                    }
                }
                Language::Rust => {
                    let is_own = other.package == file.package && file.role != Role::Test;
                    let root = if is_own {
                        "crate".to_owned()
                    } else {
                        crate_name(&package.path)
                    };
                    let module = words.snake(other.stem);
                    *out += &format!("use {root}::{module}::{{{}}};\n", names());
                }
                Language::Java => {
                    let class = words.pascal(other.stem);
                    // A class sees those of its own package.
                    if other.package != file.package || file.role == Role::Test {
                        let package = package.path.replace('/', ".");
                        *out += &format!("import com.example.{package}.{class};\n");
                    }
                    owner = Some(class);
                }
                Language::C => {
                    let own_folder = other.package == file.package && file.role != Role::Test;
                    let shown = if own_folder {
                        path.rsplit('/').next().unwrap_or(&path)
                    } else {
                        &path
                    };
                    *out += &format!("#include \"{shown}\"\n");
                }
            }
            callees.extend(taken.iter().map(|item| self.callee(item, owner.as_deref())));
        }
        match self.dialect.language {
            Language::Go => *out += ")\n",
            _ if !file.imports.is_empty() => out.push('\n'),
            _ => {}
        }
        callees
    }

    fn name(&self, item: &Item) -> String {
        if item.is_class {
            self.dialect.class_name(item.name)
        } else {
            self.dialect.function_name(item.name)
        }
    }

    /// How an item is called from this file; `owner` is the package or class that it is in.
    fn callee(&self, item: &Item, owner: Option<&str>) -> Callee {
        let name = self.name(item);
        let of = owner.map(|owner| format!("{owner}.")).unwrap_or_default();
        if !item.is_class {
            let arguments = self.parameters(item).len();
            return Callee {
                call: format!("{of}{name}("),
                arguments,
            };
        }
        let method = self.dialect.function_name(self.methods(item)[0]);
        let call = match self.dialect.language {
            Language::TypeScript => format!("new {name}(1).{method}("),
            Language::Java => format!("new {of}{name}(1).{method}("),
            Language::Python => format!("{name}(1).{method}("),
            Language::Go => format!("{of}New{name}(1).{method}("),
            Language::Rust => format!("{name}::new(1).{method}("),
            Language::C => format!("{name}_{method}(&(struct {name}){{1}}, "),
        };
        Callee { call, arguments: 1 }
    }

    /// The parameters of a function, which an edit of its body leaves alone; so anybody can tell
    /// them by the item.
    fn parameters(&self, item: &Item) -> Vec<String> {
        let mut random = self.of_item(item);
        let mut names: Vec<String> = Vec::new();
        for _ in 0..random.between(1, 3) {
            let name = self.dialect.variable(self.dialect.words.thing(&mut random));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn methods(&self, item: &Item) -> Vec<Name> {
        let mut random = self.of_item(item);
        let mut names: Vec<Name> = Vec::new();
        for _ in 0..random.between(2, 5) {
            let name = self.dialect.words.action(&mut random);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// How long an item is without bodies.
    fn frame(&self, item: &Item) -> usize {
        match item.is_class {
            true => FUNCTION_FRAME + METHOD_FRAME * self.methods(item).len(),
            false => FUNCTION_FRAME,
        }
    }

    fn of_item(&self, item: &Item) -> Random {
        let name = self.dialect.words.snake(item.name);
        let parts: Vec<u64> = name.bytes().map(u64::from).collect();
        Random::of(&parts)
    }

    fn item(&self, out: &mut String, part: u64, item: &Item, bytes: usize, callees: &[Callee]) {
        let mut random = self.random(part, item.edits);
        let name = self.name(item);
        let doc: Vec<String> = (0..random.between(1, 3))
            .map(|_| self.dialect.words.sentence(&mut random))
            .collect();
        let step = self.dialect.step();
        if !item.is_class {
            let parameters = self.parameters(item);
            let indent = format!("{}{step}", self.dialect.margin());
            if self.dialect.language == Language::Python {
                self.dialect.open_function(out, &name, &parameters);
                self.dialect.doc(out, &indent, &doc);
            } else {
                self.dialect.doc(out, self.dialect.margin(), &doc);
                self.dialect.open_function(out, &name, &parameters);
            }
            Body {
                dialect: self.dialect,
                random,
                callees,
                known: parameters,
            }
            .write(out, &indent, bytes);
            self.dialect.close(out, self.dialect.margin());
            return;
        }
        let field = self
            .dialect
            .variable(self.dialect.words.thing(&mut self.of_item(item)));
        self.dialect.open_class(out, &name, &field, &doc);
        let methods = self.methods(item);
        let indent = format!("{}{step}", self.dialect.method_margin());
        for method in &methods {
            out.push('\n');
            let parameter = self.dialect.variable(self.dialect.words.thing(&mut random));
            let method = self.dialect.function_name(*method);
            self.dialect.open_method(out, &name, &method, &parameter);
            let known = vec![self.dialect.own_field(&field), parameter];
            Body {
                dialect: self.dialect,
                random: random.clone(),
                callees,
                known,
            }
            .write(out, &indent, bytes / methods.len());
            random.bits();
            self.dialect.close(out, self.dialect.method_margin());
        }
        *out += self.dialect.close_class();
    }

    fn header(&self, source: FileId) -> String {
        let words = self.dialect.words;
        let file = &self.plan.files[source];
        let guard = self
            .plan
            .path(self.id)
            .replace(['/', '.', '-'], "_")
            .to_uppercase();
        let mut out = format!("#ifndef {guard}\n#define {guard}\n\n");
        for item in &file.items {
            let name = self.name(item);
            if item.is_class {
                let field = self.dialect.variable(words.thing(&mut self.of_item(item)));
                out += &format!("struct {name};\n");
                for method in self.methods(item) {
                    let method = self.dialect.function_name(method);
                    out += &format!(
                        "long {name}_{method}(const struct {name} *self, long {field});\n"
                    );
                }
            } else {
                out += &format!(
                    "long {name}(long {});\n",
                    self.parameters(item).join(", long ")
                );
            }
        }
        out + "\n#endif\n"
    }

    /// The modules of a crate; of a package in Python a line about it.
    fn root(&self) -> String {
        let package = &self.plan.packages[self.plan.files[self.id].package];
        let words = self.dialect.words;
        let about = words.sentence(&mut self.random(0, 0));
        if self.dialect.language == Language::Python {
            return format!("\"\"\"{about}\"\"\"\n");
        }
        let mut out = format!("//! {about}\n\n");
        for id in &package.files {
            if self.plan.files[*id].role == Role::Source {
                out += &format!("pub mod {};\n", words.snake(self.plan.files[*id].stem));
            }
        }
        out
    }

    fn readme(&self) -> String {
        let file = &self.plan.files[self.id];
        let package = &self.plan.packages[file.package];
        let words = self.dialect.words;
        let mut random = self.random(0, 0);
        let mut out = format!("# {}\n", words.prose(file.stem));
        while out.len() < file.bytes {
            out += &format!("\n## {}\n\n", words.prose(words.action(&mut random)));
            for _ in 0..random.between(2, 6) {
                out += &words.sentence(&mut random);
                out.push('\n');
            }
        }
        out += "\n## Files\n\n";
        let skip = package.path.len() + usize::from(!package.path.is_empty());
        for id in package
            .files
            .iter()
            .filter(|id| self.plan.files[**id].role == Role::Source)
        {
            let path = self.plan.path(*id);
            let sentence = words.sentence(&mut random);
            out += &format!("- [`{0}`]({0}): {sentence}\n", &path[skip..]);
        }
        out
    }

    fn manifest(&self) -> String {
        let file = &self.plan.files[self.id];
        let package = &self.plan.packages[file.package];
        let mut random = self.random(0, 0);
        if package.path.is_empty() {
            return "module example.com/mono\n\ngo 1.24\n".to_owned();
        }
        match self.dialect.language {
            Language::Rust => format!(
                "[package]\nname = \"{}\"\nversion = \"0.{}.0\"\nedition = \"2024\"\n",
                crate_name(&package.path),
                random.below(30)
            ),
            Language::TypeScript => format!(
                "{{\n  \"name\": \"@mono/{}\",\n  \"version\": \"1.{}.0\",\n  \"type\": \"module\"\n}}\n",
                package.path.replace('/', "-"),
                random.below(30)
            ),
            _ => settings(self.dialect.words, file.bytes, &mut random),
        }
    }
}

fn settings(words: &Vocabulary, bytes: usize, random: &mut Random) -> String {
    let mut out = "{\n".to_owned();
    while out.len() < bytes {
        let key = words.camel(words.thing(random));
        out += &format!("  \"{key}\": {},\n", random.below(1000));
    }
    out + "  \"version\": 1\n}\n"
}

/// The last folder of a package, as Go calls it.
fn go_package(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).replace('_', "")
}

/// The way from one file to another, as TypeScript writes it.
fn relative(from: &str, to: &str) -> String {
    let mut from: Vec<&str> = from.split('/').collect();
    let mut to: Vec<&str> = to.split('/').collect();
    from.pop();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = "../".repeat(from.len() - shared);
    to.drain(..shared);
    let start = if up.is_empty() { "./" } else { &up };
    format!("{start}{}", to.join("/"))
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn paths_lead_from_one_file_to_another() {
        assert_eq!(relative("a/src/x.ts", "a/src/y"), "./y");
        assert_eq!(relative("a/src/x.ts", "a/src/in/y"), "./in/y");
        assert_eq!(relative("a/src/in/x.ts", "b/src/y"), "../../../b/src/y");
    }
}
