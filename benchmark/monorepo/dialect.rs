//! How each language writes the few things that made-up code consists of.
//!
//! Every value is a whole number, so that any expression fits everywhere.

use super::names::{Name, Vocabulary};
use super::plan::Language;

/// A language's way of writing, with the words to write.
#[derive(Clone, Copy)]
pub struct Dialect<'a> {
    pub language: Language,
    pub words: &'a Vocabulary,
}

impl Dialect<'_> {
    /// The name of a function or method.
    pub fn function_name(&self, name: Name) -> String {
        match self.language {
            Language::TypeScript | Language::Java => self.words.camel(name),
            Language::Go => self.words.pascal(name),
            Language::Python | Language::Rust | Language::C => self.words.snake(name),
        }
    }

    /// The name of a class.
    pub fn class_name(&self, name: Name) -> String {
        match self.language {
            Language::C => self.words.snake(name),
            _ => self.words.pascal(name),
        }
    }

    /// The name of a variable.
    pub fn variable(&self, name: Name) -> String {
        match self.language {
            Language::TypeScript | Language::Java | Language::Go => self.words.camel(name),
            Language::Python | Language::Rust | Language::C => self.words.snake(name),
        }
    }

    /// A comment of some lines above a definition. In Python it stands below, as a string.
    pub fn doc(&self, out: &mut String, indent: &str, sentences: &[String]) {
        let lines = |out: &mut String, mark: &str| {
            for sentence in sentences {
                *out += &format!("{indent}{mark} {sentence}\n");
            }
        };
        match self.language {
            Language::TypeScript | Language::Java | Language::C => {
                *out += &format!("{indent}/**\n");
                lines(out, " *");
                *out += &format!("{indent} */\n");
            }
            Language::Go => lines(out, "//"),
            Language::Rust => lines(out, "///"),
            Language::Python => {
                *out += &format!(
                    "{indent}\"\"\"{}\"\"\"\n",
                    sentences.join(&format!("\n{indent}"))
                );
            }
        }
    }

    /// A comment within code.
    pub fn remark(&self, out: &mut String, indent: &str, sentence: &str) {
        let mark = if self.language == Language::Python {
            "#"
        } else {
            "//"
        };
        *out += &format!("{indent}{mark} {sentence}\n");
    }

    /// The first line of a function, with its brace.
    pub fn open_function(&self, out: &mut String, name: &str, parameters: &[String]) {
        let with = |each: &str| parameters.join(&format!("{each}, ")) + each;
        *out += &match self.language {
            Language::TypeScript => {
                format!("export function {name}({}): number {{\n", with(": number"))
            }
            Language::Python => format!("def {name}({}) -> int:\n", with(": int")),
            Language::Go => format!("func {name}({}) int {{\n", with(" int")),
            Language::Rust => format!("pub fn {name}({}) -> i64 {{\n", with(": i64")),
            Language::Java => {
                let parameters = parameters.join(", long ");
                format!("    public static long {name}(long {parameters}) {{\n")
            }
            Language::C => format!("long {name}(long {})\n{{\n", parameters.join(", long ")),
        };
    }

    /// What stands before the first method of a class, which has one field.
    pub fn open_class(&self, out: &mut String, class: &str, field: &str, doc: &[String]) {
        if self.language != Language::Python {
            self.doc(out, self.margin(), doc);
        }
        *out += &match self.language {
            Language::TypeScript => format!(
                "export class {class} {{\n  private {field}: number;\n\n  constructor({field}: number) {{\n    this.{field} = {field};\n  }}\n"
            ),
            Language::Python => format!("class {class}:\n"),
            Language::Go => format!(
                "type {class} struct {{\n\t{field} int\n}}\n\n// New{class} makes one.\nfunc New{class}({field} int) *{class} {{\n\treturn &{class}{{{field}: {field}}}\n}}\n"
            ),
            Language::Rust => format!(
                "#[derive(Clone, Debug, Default)]\npub struct {class} {{\n    pub {field}: i64,\n}}\n\nimpl {class} {{\n    pub fn new({field}: i64) -> Self {{\n        Self {{ {field} }}\n    }}\n"
            ),
            Language::Java => format!(
                "    public static final class {class} {{\n        private final long {field};\n\n        public {class}(long {field}) {{\n            this.{field} = {field};\n        }}\n"
            ),
            Language::C => format!("struct {class} {{\n    long {field};\n}};\n"),
        };
        if self.language == Language::Python {
            self.doc(out, "    ", doc);
            *out += &format!(
                "\n    def __init__(self, {field}: int) -> None:\n        self.{field} = {field}\n"
            );
        }
    }

    /// The first line of a method with one parameter.
    pub fn open_method(&self, out: &mut String, class: &str, method: &str, parameter: &str) {
        *out += &match self.language {
            Language::TypeScript => format!("  {method}({parameter}: number): number {{\n"),
            Language::Python => format!("    def {method}(self, {parameter}: int) -> int:\n"),
            Language::Go => format!("func (self *{class}) {method}({parameter} int) int {{\n"),
            Language::Rust => format!("    pub fn {method}(&self, {parameter}: i64) -> i64 {{\n"),
            Language::Java => format!("        public long {method}(long {parameter}) {{\n"),
            Language::C => {
                format!("long {class}_{method}(const struct {class} *self, long {parameter})\n{{\n")
            }
        };
    }

    /// The last line of a class; its methods are closed.
    pub fn close_class(&self) -> &'static str {
        match self.language {
            Language::TypeScript | Language::Rust => "}\n",
            Language::Java => "    }\n",
            Language::Python | Language::Go | Language::C => "",
        }
    }

    /// How far in a function begins.
    pub fn margin(&self) -> &'static str {
        if self.language == Language::Java {
            "    "
        } else {
            ""
        }
    }

    /// How far in a method begins.
    pub fn method_margin(&self) -> &'static str {
        match self.language {
            Language::TypeScript => "  ",
            Language::Java => "        ",
            Language::Python | Language::Rust => "    ",
            Language::Go | Language::C => "",
        }
    }

    /// One step further in.
    pub fn step(&self) -> &'static str {
        match self.language {
            Language::TypeScript => "  ",
            Language::Go => "\t",
            _ => "    ",
        }
    }

    /// A field of the class whose method this is.
    pub fn own_field(&self, field: &str) -> String {
        match self.language {
            Language::TypeScript | Language::Java => format!("this.{field}"),
            Language::C => format!("self->{field}"),
            _ => format!("self.{field}"),
        }
    }

    /// A new variable.
    pub fn assign(&self, out: &mut String, indent: &str, variable: &str, value: &str) {
        *out += &match self.language {
            Language::TypeScript => format!("{indent}const {variable} = {value};\n"),
            Language::Python => format!("{indent}{variable} = {value}\n"),
            Language::Go => format!("{indent}{variable} := {value}\n"),
            Language::Rust => format!("{indent}let {variable} = {value};\n"),
            Language::Java | Language::C => format!("{indent}long {variable} = {value};\n"),
        };
    }

    /// The first line of what is done when `a` is less than `b`.
    pub fn open_if(&self, out: &mut String, indent: &str, a: &str, b: &str) {
        *out += &match self.language {
            Language::Python => format!("{indent}if {a} < {b}:\n"),
            Language::Go | Language::Rust => format!("{indent}if {a} < {b} {{\n"),
            _ => format!("{indent}if ({a} < {b}) {{\n"),
        };
    }

    /// The first line of what is done for every number below `end`.
    pub fn open_loop(&self, out: &mut String, indent: &str, each: &str, end: &str) {
        *out += &match self.language {
            Language::TypeScript => {
                format!("{indent}for (let {each} = 0; {each} < {end}; {each} += 1) {{\n")
            }
            Language::Python => format!("{indent}for {each} in range({end}):\n"),
            Language::Go => format!("{indent}for {each} := 0; {each} < {end}; {each}++ {{\n"),
            Language::Rust => format!("{indent}for {each} in 0..{end} {{\n"),
            Language::Java | Language::C => {
                format!("{indent}for (long {each} = 0; {each} < {end}; {each}++) {{\n")
            }
        };
    }

    /// The last line of a block; nothing in Python.
    pub fn close(&self, out: &mut String, indent: &str) {
        if self.language != Language::Python {
            *out += &format!("{indent}}}\n");
        }
    }

    /// Leaves the function with a value.
    pub fn leave(&self, out: &mut String, indent: &str, value: &str) {
        let end = match self.language {
            Language::Python | Language::Go | Language::Rust => "",
            _ => ";",
        };
        *out += &match self.language {
            Language::Rust => format!("{indent}{value}\n"),
            _ => format!("{indent}return {value}{end}\n"),
        };
    }

    /// Writes a line to the log.
    pub fn log(&self, out: &mut String, indent: &str, text: &str) {
        *out += &match self.language {
            Language::TypeScript => format!("{indent}console.debug(\"{text}\");\n"),
            Language::Python => format!("{indent}print(\"{text}\", file=sys.stderr)\n"),
            Language::Go => format!("{indent}log.Println(\"{text}\")\n"),
            Language::Rust => format!("{indent}eprintln!(\"{text}\");\n"),
            Language::Java => format!("{indent}System.err.println(\"{text}\");\n"),
            Language::C => format!("{indent}fprintf(stderr, \"{text}\\n\");\n"),
        };
    }
}
