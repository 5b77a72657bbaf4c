//! MUNCH, the compact text in which jcodemunch answers when that is shorter than JSON.
//!
//! After a `#MUNCH/1` line come shared prefixes (`@1=lib/`), a line of `key=value` pairs, and rows that
//! begin with the tag of their table. The pair `__tables` says which tables there are, as
//! `tag:name:column|column`. Values are quoted as in CSV, and may then go over several lines.

use serde_json::{Map, Value, json};

/// An answer in MUNCH or in JSON as one JSON object; `None` for what is neither.
pub fn decode(text: &str) -> Option<Value> {
    let text = text.trim_start();
    if !text.starts_with("#MUNCH/") {
        return serde_json::from_str(text).ok();
    }
    let (_, body) = text.split_once('\n')?;
    let mut prefixes = Vec::new();
    let mut rest = body.trim_start();
    while let Some(line) = rest.lines().next() {
        let numbered = line.strip_prefix('@').and_then(|line| line.split_once('='));
        let Some((number, prefix)) = numbered else {
            break;
        };
        prefixes.push((number.parse::<usize>().ok()?, prefix));
        rest = &rest[line.len()..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    let mut reader = Reader {
        rest: rest.trim_start(),
    };
    let mut object = Map::new();
    let mut tables = Vec::new();
    for (key, value) in reader.pairs() {
        if key == "__tables" {
            tables = value.split(',').filter_map(Table::read).collect();
        } else if let Some(key) = key.strip_prefix("__json.") {
            let value = serde_json::from_str(&value).unwrap_or(Value::String(value));
            object.insert(key.to_owned(), value);
        } else if !key.starts_with("__") {
            object.insert(key, Value::String(value));
        }
    }
    for table in &tables {
        object.insert(table.name.clone(), json!([]));
    }
    while let Some(row) = reader.row() {
        let Some((tag, cells)) = row.split_first() else {
            continue;
        };
        let Some(table) = tables.iter().find(|table| table.tag == *tag) else {
            continue;
        };
        let cells = table.columns.iter().zip(cells);
        let row: Map<String, Value> = cells
            .map(|(column, cell)| (column.clone(), Value::String(full(cell, &prefixes))))
            .collect();
        if let Some(Value::Array(rows)) = object.get_mut(&table.name) {
            rows.push(Value::Object(row));
        }
    }
    Some(Value::Object(object))
}

/// A number that may be written as text, as every cell of a table is.
pub fn number(value: &Value) -> Option<u32> {
    match value {
        Value::String(text) => text.parse().ok(),
        value => value.as_u64().and_then(|n| u32::try_from(n).ok()),
    }
}

/// A cell with its shared prefix written out. A doubled `@` is a plain one.
fn full(cell: &str, prefixes: &[(usize, &str)]) -> String {
    let Some(rest) = cell.strip_prefix('@') else {
        return cell.to_owned();
    };
    if rest.starts_with('@') {
        return rest.to_owned();
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse();
    let prefix = prefixes.iter().find(|(n, _)| Ok(*n) == number);
    match prefix {
        Some((_, prefix)) => format!("{prefix}{}", &rest[digits..]),
        None => cell.to_owned(),
    }
}

struct Table {
    tag: String,
    name: String,
    columns: Vec<String>,
}

impl Table {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        Some(Self {
            tag: parts.next()?.to_owned(),
            name: parts.next()?.to_owned(),
            columns: parts.next()?.split('|').map(str::to_owned).collect(),
        })
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// The `key=value` pairs of the current line.
    fn pairs(&mut self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches(' ');
            let end = self.rest.find(['=', '\n']).unwrap_or(self.rest.len());
            if !self.rest[end..].starts_with('=') {
                self.rest = &self.rest[end..];
                return pairs;
            }
            let key = self.rest[..end].to_owned();
            self.rest = &self.rest[end + 1..];
            pairs.push((key, self.value(&[' ', '\n'])));
        }
    }

    /// The next row that is not blank.
    fn row(&mut self) -> Option<Vec<String>> {
        self.rest = self.rest.trim_start();
        if self.rest.is_empty() {
            return None;
        }
        let mut cells = Vec::new();
        loop {
            cells.push(self.value(&[',', '\n']));
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None => return Some(cells),
            }
        }
    }

    /// A value up to one of some characters, or a quoted one.
    fn value(&mut self, ends: &[char]) -> String {
        let Some(mut rest) = self.rest.strip_prefix('"') else {
            let end = self.rest.find(ends).unwrap_or(self.rest.len());
            let value = self.rest[..end].to_owned();
            self.rest = &self.rest[end..];
            return value;
        };
        let mut value = String::new();
        loop {
            let Some(quote) = rest.find('"') else {
                value.push_str(rest);
                self.rest = "";
                return value;
            };
            value.push_str(&rest[..quote]);
            rest = &rest[quote + 1..];
            match rest.strip_prefix('"') {
                Some(more) => {
                    value.push('"');
                    rest = more;
                }
                None => {
                    self.rest = rest;
                    return value;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_take_their_columns_and_prefixes() {
        let text = "#MUNCH/1 tool=search_symbols enc=ss1\n\n@1=src/a.rs\n@2=src/\n\n\
            result_count=3 __tables=s:results:id|name|file|line|note\n\n\
            s,@1::go#function,go,@1,7,\"one, two\n\"\"three\"\"\"\n\
            s,@2b.rs::x#method,@@x,@2b.rs,9,\n\
            q,not,ours\n";
        let found = decode(text).unwrap();
        assert_eq!(found["result_count"], "3");
        let rows = found["results"].as_array().unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0]["id"], "src/a.rs::go#function");
        assert_eq!(rows[0]["file"], "src/a.rs");
        assert_eq!(number(&rows[0]["line"]), Some(7));
        assert_eq!(rows[0]["note"], "one, two\n\"three\"");
        assert_eq!(rows[1]["name"], "@x");
        assert_eq!(rows[1]["file"], "src/b.rs");
    }

    #[test]
    fn json_within_a_pair_is_json() {
        let text = "#MUNCH/1 tool=t enc=dg1\n\n\
            file=a.js __json.neighbors=\"{\"\"a.js\"\":{\"\"imports\"\":[\"\"b.js\"\"]}}\" \
            __tables=\"e:edges:from|to,x:others:a|b\"\n\ne,a.js,b.js\n";
        let found = decode(text).unwrap();
        assert_eq!(found["neighbors"]["a.js"]["imports"][0], "b.js");
        assert_eq!(found["edges"][0]["to"], "b.js");
        assert_eq!(found["others"].as_array().unwrap().len(), 0);
    }

    #[test]
    fn json_is_left_alone_and_prose_is_nothing() {
        assert_eq!(decode("{\"a\": 1}").unwrap()["a"], 1);
        assert_eq!(decode("not indexed"), None);
    }
}
