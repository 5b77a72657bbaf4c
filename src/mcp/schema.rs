//! Output schemas, made from the wire types and cut down to what they tell an agent: which fields
//! there are and how they nest.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Keywords that cost an agent tokens and tell it nothing the names do not; `required` would say
/// most names twice. Number formats go too: validators warn of `uint32`, which JSON Schema does not
/// define.
const IDLE: &[&str] = words!("$schema title description format minimum maximum default required");

/// Types that a name gives away: `line` is a number, `path` a string.
const SCALARS: [&str; 4] = ["string", "integer", "number", "boolean"];

/// Returns the schema of what `T` is written as.
pub fn of<T: JsonSchema>() -> Map<String, Value> {
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    trim(&mut schema);
    match schema {
        Value::Object(mut schema) => {
            // Of the whole the protocol wants it said.
            schema.insert("type".to_owned(), "object".into());
            schema
        }
        _ => Map::new(),
    }
}

/// Removes idle keywords from a schema and the schemas in it; names of properties are left alone.
/// An optional value is absent rather than null on the wire, so null is struck out of its type.
fn trim(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    map.retain(|key, _| !IDLE.contains(&key.as_str()));
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|name| name != "null");
        if types.len() == 1 {
            map["type"] = types.remove(0);
        }
    }
    if let Some(Value::Array(choices)) = map.get_mut("anyOf") {
        choices.retain(|choice| choice["type"] != "null");
        if let [Value::Object(only)] = choices.as_slice() {
            *map = only.clone();
        }
    }
    let of = map.get("type").and_then(Value::as_str).unwrap_or_default();
    if SCALARS.contains(&of) {
        map.remove("type");
    }
    for (key, value) in map.iter_mut() {
        match (key.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => named.values_mut().for_each(trim),
            ("anyOf" | "oneOf" | "allOf", Value::Array(list)) => list.iter_mut().for_each(trim),
            ("items" | "additionalProperties", value) => trim(value),
            _ => {}
        }
    }
    map.retain(|key, value| key != "items" || *value != Value::Object(Map::new()));
    // What has properties is an object, what has items a list.
    if map.contains_key("properties") || map.contains_key("items") {
        map.remove("type");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::state::Stamp;
    use crate::render::{self, Style, Voice, samples, wire};
    use serde_json::json;

    #[test]
    fn schemas_are_bare_but_complete() {
        let index = of::<Stamp>();
        assert_eq!(
            Value::Object(index),
            json!({
                "type": "object",
                "properties": {
                    "commit": {},
                    "dirty": {},
                    "uncovered": {},
                    "outside": {},
                    "warnings": {"type": "array"}
                }
            })
        );
        assert_eq!(
            of::<wire::Map>()["properties"]["store"],
            json!({"$ref": "#/$defs/Store"})
        );
    }

    /// Checks a value by the keywords our schemas use; a property that is not declared is an
    /// error, so that a schema cannot fall behind.
    fn check(root: &Map<String, Value>, schema: &Value, value: &Value) -> Result<(), String> {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.strip_prefix("#/$defs/").ok_or(name)?;
            return check(root, &root["$defs"][name], value);
        }
        let fits = match schema["type"].as_str() {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            None if schema.get("properties").is_some() => value.is_object(),
            None if schema.get("items").is_some() => value.is_array(),
            None => !value.is_object() && !value.is_array() && !value.is_null(),
            other => return Err(format!("unexpected type {other:?}")),
        };
        if !fits {
            return Err(format!("{value} does not fit {schema}"));
        }
        // What stands where nothing was found is not declared: it is rare, and in the text.
        let is_declared =
            |(name, _): &(&String, &Value)| !matches!(name.as_str(), "nothing" | "near");
        let fields = value.as_object().into_iter().flatten();
        for (name, value) in fields.filter(is_declared) {
            let property = schema["properties"].get(name);
            check(
                root,
                property.ok_or_else(|| format!("{name} is not declared"))?,
                value,
            )?;
        }
        let scalar = Value::Object(Map::new());
        for item in value.as_array().into_iter().flatten() {
            check(root, schema.get("items").unwrap_or(&scalar), item)?;
        }
        Ok(())
    }

    #[track_caller]
    fn conforms<W: JsonSchema + serde::Serialize>(wire: W) {
        let schema = of::<W>();
        let value = serde_json::to_value(wire).unwrap();
        let checked = check(&schema, &Value::Object(schema.clone()), &value);
        assert_eq!(checked, Ok(()), "{value:#}");
    }

    #[test]
    fn structured_content_conforms_to_its_schema() {
        for budget in [100, 180, 300, 2000] {
            let style = Style {
                budget,
                voice: Voice::Tool,
            };
            conforms(render::search::render(&samples::search(), &style).wire);
            conforms(render::search::render(&samples::no_search(), &style).wire);
            conforms(render::symbol::render(&samples::bodies(), &style).wire);
            conforms(render::symbol::render(&samples::outline(), &style).wire);
            conforms(render::symbol::render(&samples::card_outline(), &style).wire);
            conforms(render::symbol::render(&samples::no_symbol(), &style).wire);
            conforms(render::refs::render(&samples::refs(), &style).wire);
            conforms(render::refs::render(&samples::dependencies(), &style).wire);
            conforms(render::refs::render(&samples::impact(), &style).wire);
            conforms(render::refs::render(&samples::no_refs(), &style).wire);
            conforms(render::map::render(&samples::map(), &style).wire);
            for audit in &samples::audits() {
                conforms(render::audit::render(audit, &style).wire);
            }
        }
    }
}
