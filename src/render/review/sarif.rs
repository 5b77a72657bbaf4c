//! A review as SARIF 2.1.0 (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>), the form in which
//! code hosts and editors take findings of tools.

use super::{Place, RISK, Rendered, Review, message, of_risk};
use crate::clean;
use crate::query::review::{Level, Rule};
use serde::Serialize;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// What paths are relative to, in the word that code hosts know for the top of a checkout.
const TOP: &str = "%SRCROOT%";
/// What the rule of a risk over the limit is about.
const RISK_SAYS: &str = "A change that is more likely to be fixed soon after than is let pass";

/// A log file: one run of one tool.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sarif {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Run {
    tool: Tool,
    results: Vec<Found>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Message,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Message {
    text: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    /// None for what is said of the change as a whole.
    locations: Vec<Location>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    end_line: u32,
}

/// Renders a review. The text is that of [`super::render`].
pub fn render(review: &Review<'_>) -> Rendered<Sarif> {
    let results = review.findings.iter().map(|(level, finding)| {
        let place = Place::of(*finding);
        let rule = finding.rule();
        Found {
            rule_id: rule.label(),
            rule_index: rule as usize,
            level: level.label(),
            message: Message {
                text: plain(&message(*finding)),
            },
            locations: vec![Location {
                physical_location: PhysicalLocation {
                    artifact_location: ArtifactLocation {
                        uri: uri(&clean::path_bytes(place.path)),
                        uri_base_id: TOP,
                    },
                    region: place.lines.map(|(first, last)| Region {
                        start_line: first.max(1),
                        end_line: last.max(1),
                    }),
                },
            }],
        }
    });
    let too_risky = review.too_risky.iter().map(|too_risky| Found {
        rule_id: RISK,
        rule_index: Rule::ALL.len(),
        level: Level::Error.label(),
        message: Message {
            text: plain(&of_risk(review, *too_risky)),
        },
        locations: Vec::new(),
    });
    let rules = Rule::ALL.into_iter().map(descriptor);
    let run = Run {
        tool: Tool {
            driver: Driver {
                name: "git-sverklo",
                version: env!("CARGO_PKG_VERSION"),
                rules: rules.chain([described(RISK, RISK_SAYS)]).collect(),
            },
        },
        results: results.chain(too_risky).collect(),
    };
    let log = Sarif {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [run],
    };
    super::render(review).map(|_| log)
}

fn descriptor(rule: Rule) -> Descriptor {
    let text = match rule {
        Rule::Dangling => "A use of what is gone, or is called otherwise",
        Rule::Misfit => "A call that gives other arguments than are taken now",
        Rule::LeftBehind => {
            "An override, an implementation or a declaration of what is gone, or is another"
        }
        Rule::Missing => "A type that lacks what its interface wants",
        Rule::Nowhere => "A name in new code that leads nowhere",
        Rule::Breaking => "A change of what others may use, after which they may fail",
        Rule::Cycle => "An import that closes a cycle",
        Rule::FanIn => "A file that more import than the repository allows",
    };
    described(rule.label(), text)
}

fn described(id: &'static str, text: &str) -> Descriptor {
    Descriptor {
        id,
        short_description: Message {
            text: text.to_owned(),
        },
    }
}

/// A message in which no text of the repository is a link or a placeholder (sections 3.11.5 and 3.11.6).
fn plain(text: &str) -> String {
    text.replace("](", "] (")
        .replace('{', "{{")
        .replace('}', "}}")
}

/// A relative reference to a file (RFC 3986): all but unreserved characters and slashes are percent-encoded.
fn uri(path: &[u8]) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(*byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::super::tests::{hostile, path};
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn sarif(path: &str, name: &str) -> Value {
        let answer = samples::answer(path, name);
        let review = Review::of(&answer, &[Rule::Dangling]);
        serde_json::to_value(render(&review).wire).unwrap()
    }

    #[test]
    fn a_finding_is_a_result_of_a_rule() {
        let log = sarif("lib/a b\u{e9}.py", "f");
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let levels: Vec<&str> = (run["results"].as_array().unwrap().iter())
            .map(|result| {
                let index = result["ruleIndex"].as_u64().unwrap() as usize;
                assert_eq!(rules[index]["id"], result["ruleId"]);
                result["level"].as_str().unwrap()
            })
            .collect();
        assert_eq!(
            levels,
            [
                "error", "warning", "note", "warning", "warning", "warning", "warning"
            ]
        );
        assert_eq!(
            run["results"][0]["locations"][0]["physicalLocation"],
            json!({
                "artifactLocation": {"uri": "lib/a%20b%C3%A9.py", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 7, "endLine": 7},
            })
        );
        // What is gone has no line in the new state.
        let gone = &run["results"][6]["locations"][0]["physicalLocation"];
        assert_eq!(gone.get("region"), None);
    }

    #[test]
    fn a_risk_over_the_limit_is_a_result_without_a_place() {
        let answer = samples::risky("lib/a.py", "f");
        let log =
            serde_json::to_value(render(&Review::of(&answer, &[]).at_most(0.5)).wire).unwrap();
        let run = &log["runs"][0];
        let result = run["results"].as_array().unwrap().last().unwrap();
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], "risk");
        assert_eq!(
            (&result["ruleId"], &result["level"]),
            (&json!("risk"), &json!("error"))
        );
        assert_eq!(result["locations"], json!([]));
        let text = result["message"]["text"].as_str().unwrap();
        assert!(
            text.starts_with("limit 0.50; risk 0.75 of being fixed"),
            "{text}"
        );
        assert!(text.contains("+ churn 0.45"), "{text}");
        let passes =
            serde_json::to_value(render(&Review::of(&answer, &[]).at_most(0.9)).wire).unwrap();
        assert_eq!(passes["runs"][0]["results"].as_array().unwrap().len(), 7);
    }

    proptest! {
        #[test]
        fn a_uri_is_the_path_again(path in path(), name in hostile()) {
            let log = sarif(&path, &name);
            for result in log["runs"][0]["results"].as_array().unwrap() {
                let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
                let uri = uri.as_str().unwrap();
                let mut bytes = Vec::new();
                let mut rest = uri.bytes();
                while let Some(byte) = rest.next() {
                    prop_assert!(byte.is_ascii_alphanumeric() || b"/-._~%".contains(&byte), "{}", uri);
                    bytes.push(match byte {
                        b'%' => {
                            let digits = [rest.next().unwrap(), rest.next().unwrap()];
                            u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
                        }
                        byte => byte,
                    });
                }
                prop_assert_eq!(bytes, crate::clean::path_bytes(&path));
                let text = result["message"]["text"].as_str().unwrap();
                prop_assert!(!text.contains("]("), "{}", text);
            }
        }
    }
}
