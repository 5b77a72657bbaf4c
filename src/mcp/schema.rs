//! Output schemas, made from the wire types and cut down to what a client checks by.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Keywords that cost an agent tokens and tell it nothing the names do not. Number formats go
/// too: validators warn of `uint32`, which JSON Schema does not define.
const IDLE: [&str; 7] = [
    "$schema",
    "title",
    "description",
    "format",
    "minimum",
    "maximum",
    "default",
];

/// Returns the schema of what `T` is written as.
pub fn of<T: JsonSchema>() -> Map<String, Value> {
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    trim(&mut schema);
    match schema {
        Value::Object(schema) => schema,
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
    for (key, value) in map.iter_mut() {
        match (key.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => named.values_mut().for_each(trim),
            ("anyOf" | "oneOf" | "allOf", Value::Array(list)) => list.iter_mut().for_each(trim),
            ("items" | "additionalProperties", value) => trim(value),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::wire;
    use serde_json::json;

    #[test]
    fn schemas_are_bare_but_complete() {
        let index = of::<wire::Index>();
        assert_eq!(
            Value::Object(index),
            json!({
                "type": "object",
                "properties": {
                    "commit": {"type": "string"},
                    "dirty": {"type": "integer"},
                    "uncovered": {"type": "integer"},
                    "warnings": {"type": "array", "items": {"type": "string"}}
                }
            })
        );
        assert_eq!(
            of::<wire::Map>()["properties"]["store"],
            json!({"$ref": "#/$defs/Store"})
        );
    }
}
