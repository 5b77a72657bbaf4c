//! Reads the arguments of a tool call: one table of parameters gives the schema an agent sees,
//! the names it may use by mistake, and the message when it is wrong all the same.
//!
//! A model cannot mend what it is not told, so every refusal names the tool's parameters or the
//! values it takes. Spelling is forgiven where the meaning is plain (`max_results`, `"10"`, one
//! string for a list); an unknown name never is, since ignoring it would answer another question.

use crate::clean;
use crate::limits::{MAX_ARGUMENT_BYTES, MAX_ARGUMENTS, MAX_QUESTION_BYTES};
use crate::query::request::MAX_OFFSET;
use serde_json::{Map, Value, json};

/// What a parameter takes.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A string.
    Text,
    /// A list of strings; a single string will do.
    List,
    /// A string, or a list of so many at most.
    Texts(usize),
    /// One word out of a few.
    Choice(&'static [&'static str]),
    /// Yes or no.
    Flag,
    /// How many of the first are left out.
    Offset,
    /// A whole number within bounds.
    Integer {
        /// Least.
        least: usize,
        /// Most.
        most: usize,
        /// When it is not given.
        default: usize,
    },
}

impl Kind {
    /// A number between two others, both included.
    pub(super) const fn integer(least: usize, most: usize, default: usize) -> Self {
        Self::Integer {
            least,
            most,
            default,
        }
    }
}

/// One parameter of a tool.
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Names it also answers to, in lower case without `_` and `-`, with spaces between them.
    pub aliases: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Whether it must be given.
    pub required: bool,
    /// What it means, in a few words; may be empty.
    pub doc: &'static str,
}

impl Parameter {
    /// Returns one that may be left out.
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            aliases: "",
            kind,
            required: false,
            doc: "",
        }
    }

    /// Adds the names that it also answers to.
    pub const fn aliases(mut self, aliases: &'static str) -> Self {
        self.aliases = aliases;
        self
    }

    /// Says what it means.
    pub const fn doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// Wants it to be given.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::List => json!({"type": "array", "items": {"type": "string"}}),
            Kind::Texts(_) => json!({"type": ["string", "array"], "items": {"type": "string"}}),
            Kind::Choice(words) => json!({"enum": words}),
            Kind::Flag => json!({"type": "boolean"}),
            Kind::Offset => json!({"type": "integer"}),
            Kind::Integer { default, .. } => json!({"type": "integer", "default": default}),
        };
        if !self.doc.is_empty() {
            schema["description"] = json!(self.doc);
        }
        schema
    }

    fn answers_to(&self, name: &str) -> bool {
        let plain: String = name
            .chars()
            .filter(|c| !matches!(c, '_' | '-'))
            .flat_map(char::to_lowercase)
            .collect();
        plain == self.name || self.aliases.split(' ').any(|alias| alias == plain)
    }
}

/// Returns the input schema of a tool with these parameters.
pub fn schema(parameters: &[Parameter]) -> Map<String, Value> {
    let properties: Map<String, Value> = parameters
        .iter()
        .map(|p| (p.name.to_owned(), p.schema()))
        .collect();
    let required: Vec<&str> = parameters
        .iter()
        .filter(|p| p.required)
        .map(|p| p.name)
        .collect();
    let mut schema = Map::new();
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".into(), json!(required));
    }
    schema
}

/// The arguments of one call, each under its proper name.
#[derive(Debug)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Checks `given` against the parameters of `tool`. Fails with a sentence for the model when a name
    /// is unknown or given twice, a value has the wrong type, or a required one is missing.
    pub fn read(
        tool: &str,
        parameters: &[Parameter],
        given: Map<String, Value>,
    ) -> Result<Self, String> {
        let names = || {
            parameters
                .iter()
                .map(|p| p.name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let mut read = Map::new();
        let given = given.into_iter().filter(|(_, value)| !value.is_null());
        let (proper, mistaken): (Vec<_>, Vec<_>) =
            given.partition(|(name, _)| parameters.iter().any(|p| p.name == name));
        // Proper names first: `path` means `name` to symbol when alone, `scope` beside a name.
        for (name, value) in proper.into_iter().chain(mistaken) {
            let meant = || {
                parameters
                    .iter()
                    .filter(|p| p.name == name || p.answers_to(&name))
            };
            let first = meant().next();
            let first = first.ok_or_else(|| {
                format!(
                    "{tool} has no parameter `{}`; it takes {}",
                    echo(&name),
                    names()
                )
            })?;
            let Some(parameter) = meant().find(|p| !read.contains_key(p.name)) else {
                return Err(format!(
                    "{tool}: `{}` is given twice, once as `{}`",
                    first.name,
                    echo(&name)
                ));
            };
            read.insert(parameter.name.to_owned(), check(parameter, value)?);
        }
        match parameters
            .iter()
            .find(|p| p.required && !read.contains_key(p.name))
        {
            Some(missing) => Err(format!(
                "{tool} needs `{}` ({}); it takes {}",
                missing.name,
                missing.doc,
                names()
            )),
            None => Ok(Self(read)),
        }
    }

    /// Returns a string; empty when it was not given.
    pub fn text(&self, name: &str) -> String {
        self.0
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    }

    /// Returns a list of strings; empty when it was not given.
    pub fn list(&self, name: &str) -> Vec<String> {
        let list = self.0.get(name).and_then(Value::as_array);
        let strings = list.into_iter().flatten().filter_map(Value::as_str);
        strings.map(str::to_owned).collect()
    }

    /// Returns whether a flag was given and is set.
    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Whether an argument was given.
    pub fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    /// Returns a number, or `default` when it was not given.
    pub fn integer(&self, name: &str, default: usize) -> usize {
        let number = self.0.get(name).and_then(Value::as_u64);
        number
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(default)
    }
}

/// Most characters of what was given that a refusal says back.
const MAX_ECHO: usize = 60;

/// What was given, as a refusal says it back: a line, and not all of a long one.
pub fn echo(given: &str) -> String {
    clean::line(given, MAX_ECHO)
}

fn said(value: &Value) -> String {
    match value {
        // Deep or long, and of no use to whoever gave it.
        Value::Array(_) => "a list like this".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => format!("\"{}\"", echo(text)),
        plain => plain.to_string(),
    }
}

/// Returns the value in the one form the getters expect.
fn check(parameter: &Parameter, value: Value) -> Result<Value, String> {
    let name = parameter.name;
    match parameter.kind {
        Kind::Text => match &value {
            Value::String(text) if text.len() > MAX_QUESTION_BYTES => Err(format!(
                "`{name}` has {} bytes, where {MAX_QUESTION_BYTES} is the limit",
                text.len()
            )),
            Value::String(text) if parameter.required && text.trim().is_empty() => {
                Err(format!("`{name}` is empty"))
            }
            Value::String(_) => Ok(value),
            _ => Err(format!("`{name}` takes a string, not {}", said(&value))),
        },
        Kind::List => list(name, value),
        Kind::Texts(most) => texts(name, most, value),
        Kind::Choice(words) => match value.as_str() {
            Some(word) if words.contains(&word) => Ok(value),
            _ => Err(format!(
                "`{name}` takes {}, not {}",
                words.join(", "),
                said(&value)
            )),
        },
        Kind::Flag => match &value {
            Value::Bool(_) => Ok(value),
            Value::String(text) if text == "true" => Ok(Value::Bool(true)),
            Value::String(text) if text == "false" => Ok(Value::Bool(false)),
            _ => Err(format!(
                "`{name}` takes true or false, not {}",
                said(&value)
            )),
        },
        Kind::Offset => integer(name, (0, MAX_OFFSET), value),
        Kind::Integer { least, most, .. } => integer(name, (least, most), value),
    }
}

/// Returns a whole number within bounds.
fn integer(name: &str, (least, most): (usize, usize), value: Value) -> Result<Value, String> {
    let number = match &value {
        Value::String(text) => text.trim().parse::<u64>().ok(),
        // Some clients send every number as a float.
        Value::Number(number) => number.as_u64().or_else(|| {
            number
                .as_f64()
                .filter(|f| f.fract() == 0.0 && *f >= 0.0)
                .map(|f| f as u64)
        }),
        _ => None,
    };
    number
        .filter(|n| (least as u64..=most as u64).contains(n))
        .map(Value::from)
        .ok_or_else(|| {
            format!(
                "`{name}` takes a whole number from {least} to {most}, not {}",
                said(&value)
            )
        })
}

fn texts(name: &str, most: usize, value: Value) -> Result<Value, String> {
    let listed = list(name, value)
        .map_err(|_| format!("`{name}` takes a string or a list of up to {most} strings"))?;
    let texts = listed.as_array().into_iter().flatten();
    let texts: Vec<&str> = texts.filter_map(Value::as_str).collect();
    if texts.len() > most {
        let given = texts.len();
        return Err(format!(
            "`{name}` has {given} entries, where {most} is the limit"
        ));
    }
    if let Some(long) = texts.iter().find(|text| text.len() > MAX_QUESTION_BYTES) {
        let bytes = long.len();
        return Err(format!(
            "`{name}` has {bytes} bytes, where {MAX_QUESTION_BYTES} is the limit"
        ));
    }
    match texts.iter().all(|text| text.trim().is_empty()) {
        true => Err(format!("`{name}` is empty")),
        false => Ok(listed),
    }
}

fn list(name: &str, value: Value) -> Result<Value, String> {
    let entries = value
        .as_array()
        .map_or(std::slice::from_ref(&value), Vec::as_slice);
    let mut texts = entries.iter().filter_map(Value::as_str);
    if let Some(long) = texts.find(|text| text.len() > MAX_ARGUMENT_BYTES) {
        let (found, limit) = (long.len(), MAX_ARGUMENT_BYTES);
        return Err(format!(
            "`{name}` has an entry of {found} bytes, where {limit} is the limit"
        ));
    }
    match value {
        Value::Array(items) if items.len() > MAX_ARGUMENTS => Err(format!(
            "`{name}` has {} entries, where {MAX_ARGUMENTS} is the limit",
            items.len()
        )),
        Value::String(_) => Ok(Value::Array(vec![value])),
        Value::Array(ref items) if items.iter().all(Value::is_string) => Ok(value),
        _ => Err(format!(
            "`{name}` takes a list of strings, not {}",
            said(&value)
        )),
    }
}

#[cfg(test)]
mod tests {
    use crate::mcp::tools;
    use serde_json::{Value, json};

    fn read(tool: &str, given: Value) -> Result<super::Arguments, String> {
        let Value::Object(given) = given else {
            panic!("an object")
        };
        tools::find(tool).unwrap().read(given)
    }

    #[test]
    fn plain_meaning_is_understood() {
        let read = read(
            "search",
            json!({"q": "x", "maxResults": "7", "path": "src/", "language": ["TS"], "budget": 500.0, "at": null}),
        );
        let read = read.unwrap();
        assert_eq!(read.text("query"), "x");
        assert_eq!(read.integer("limit", 1), 7);
        assert_eq!(read.integer("budget", 1), 500);
        assert_eq!(read.list("scope"), ["src/"]);
        assert_eq!(read.list("lang"), ["TS"]);
        assert_eq!(read.text("at"), "");
    }

    #[test]
    fn flags_are_true_or_false() {
        let flag =
            |value: Value| read("recall", json!({"conflicts": value})).map(|a| a.flag("conflicts"));
        assert_eq!(flag(json!("true")), Ok(true));
        assert_eq!(flag(json!(false)), Ok(false));
        assert_eq!(
            flag(json!("yes")),
            Err("`conflicts` takes true or false, not \"yes\"".to_owned())
        );
    }

    #[test]
    fn a_path_beside_a_name_is_a_scope() {
        let alone = read("symbol", json!({"path": "lib/a.js"})).unwrap();
        assert_eq!(alone.list("name"), ["lib/a.js"]);
        let beside = read("symbol", json!({"path": "lib/a.js", "name": "use"})).unwrap();
        assert_eq!(
            (beside.list("name"), beside.list("scope")),
            (vec!["use".into()], vec!["lib/a.js".into()])
        );
    }

    #[test]
    fn refusals_name_what_would_be_right() {
        let refused = |tool, given| read(tool, given).unwrap_err();
        insta::assert_snapshot!(refused("search", json!({"query": "x", "fuzzy": true})), @r#"search has no parameter `fuzzy`; it takes query, scope, lang, kind, changed, mode, context, at, limit, offset, budget"#);
        insta::assert_snapshot!(refused("search", json!({})), @r#"search needs `query` (words to look for); it takes query, scope, lang, kind, changed, mode, context, at, limit, offset, budget"#);
        insta::assert_snapshot!(refused("search", json!({"query": " "})), @r#"`query` is empty"#);
        insta::assert_snapshot!(refused("search", json!({"query": "x", "q": "y"})), @r#"search: `query` is given twice, once as `q`"#);
        insta::assert_snapshot!(refused("search", json!({"query": ["x"]})), @r#"`query` takes a string, not a list like this"#);
        insta::assert_snapshot!(refused("search", json!({"query": "x", "limit": 0})), @r#"`limit` takes a whole number from 1 to 1000, not 0"#);
        insta::assert_snapshot!(refused("search", json!({"query": "x", "limit": 1.5})), @r#"`limit` takes a whole number from 1 to 1000, not 1.5"#);
        insta::assert_snapshot!(refused("symbol", json!({"name": "x", "detail": "all"})), @r#"`detail` takes card, outline, body, not "all""#);
        insta::assert_snapshot!(refused("refs", json!({"target": "x", "scope": [1]})), @r#"`scope` takes a list of strings, not a list like this"#);
    }
}
