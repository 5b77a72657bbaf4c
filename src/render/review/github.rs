//! A review as workflow commands, which runners of GitHub's turn into annotations:
//! `::error file=a.py,line=3,title=dangling::message`
//! (<https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>).
//!
//! Guarantee: every line is one command of ours. A property or a message holds no end of line, and a property no
//! colon or comma, so that nothing that a repository says can end one and begin another.

use super::{Place, RISK, Rendered, Review, message, of_risk, summary};
use crate::clean;
use crate::query::review::Level;

/// Renders a review, a command a line. The last one says what came of it.
pub fn render(review: &Review<'_>) -> Rendered<String> {
    let mut text = String::new();
    for (level, finding) in &review.findings {
        let place = Place::of(*finding);
        let path = String::from_utf8_lossy(&clean::path_bytes(place.path)).into_owned();
        let mut properties = vec![format!("file={}", property(&path))];
        if let Some((first, last)) = place.lines {
            properties.push(format!("line={first},endLine={last}"));
        }
        properties.push(format!("title={}", property(finding.rule().label())));
        text.push_str(&format!(
            "::{} {}::{}\n",
            command(*level),
            properties.join(","),
            data(&message(*finding))
        ));
    }
    if let Some(too_risky) = review.too_risky {
        let said = data(&of_risk(review, too_risky));
        text.push_str(&format!("::error title={RISK}::{said}\n"));
    }
    let outcome = match review.passes() {
        true => Level::Note,
        false => Level::Error,
    };
    let said = data(&summary(review));
    text.push_str(&format!(
        "::{} title=git-sverklo::{said}\n",
        command(outcome)
    ));
    Rendered::of(text.clone(), text).found(review.passes())
}

fn command(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    }
}

/// Escapes a message, which is shown in the log.
fn data(text: &str) -> String {
    escaped(&clean::defused(text))
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::super::tests::{hostile, path};
    use super::*;
    use crate::query::review::Rule;
    use proptest::prelude::*;

    /// A command, its properties and its message.
    type Command = (String, Vec<(String, String)>, String);

    /// What a runner reads of a line.
    fn read(line: &str) -> Option<Command> {
        let unescaped = |text: &str| {
            let text = text.replace("%3A", ":").replace("%2C", ",");
            let text = text.replace("%0D", "\r").replace("%0A", "\n");
            text.replace("%25", "%")
        };
        let (head, message) = line.strip_prefix("::")?.split_once("::")?;
        let (command, properties) = head.split_once(' ')?;
        let properties = properties.split(',').map(|property| {
            let (key, value) = property.split_once('=')?;
            Some((key.to_owned(), unescaped(value)))
        });
        let properties = properties.collect::<Option<Vec<_>>>()?;
        Some((command.to_owned(), properties, unescaped(message)))
    }

    #[test]
    fn a_finding_is_an_annotation() {
        let answer = samples::answer("lib/a,b.py", "f");
        let text = render(&Review::of(&answer, &[Rule::Dangling])).text;
        insta::assert_snapshot!(text, @r#"
        ::error file=lib/a%2Cb.py,line=7,endLine=7,title=dangling::still expects f (lib/a,b.py:1-2), now lib/a,b.py:3-9 function f: f
        ::warning file=lib/a%2Cb.py,line=7,endLine=7,title=left-behind::still overrides f (lib/a,b.py:1-2), now lib/a,b.py:3-9 function f: f
        ::notice file=lib/a%2Cb.py,line=7,endLine=7,title=missing::lacks f, wanted by lib/a,b.py:1-2: f
        ::warning file=lib/a%2Cb.py,line=1,endLine=1,title=cycle::importing b.py closes a cycle: lib/a,b.py:1 -> b.py, b.py:1 -> lib/a,b.py
        ::warning file=lib/a%2Cb.py,title=fan-in::imported by 3 files, which is over the limit, 1 before; new: b.py:1 -> lib/a,b.py
        ::warning file=lib/a%2Cb.py,line=3,endLine=3,title=breaking::function f: signature; was lib/a,b.py:3-9 function f; before: f; after: f; who uses it as before may fail
        ::warning file=lib/a%2Cb.py,title=breaking::function f: removed; was lib/a,b.py:3-9 function f; before: f; after: f; who uses it as before may fail
        ::error title=git-sverklo::index (no commits) | against 0123456789 (f) | 0 files | 2 definitions | 1 dangling | 1 left-behind | 1 missing | 2 breaking | 1 cycle | 1 fan-in | refused for dangling
        "#);
    }

    #[test]
    fn a_risk_over_the_limit_is_an_annotation_of_no_file() {
        let answer = samples::risky("lib/a.py", "f");
        let text = render(&Review::of(&answer, &[]).at_most(0.5)).text;
        let line = text.lines().rev().nth(1).unwrap();
        let (command, properties, message) = read(line).unwrap();
        assert_eq!(
            (&*command, properties),
            ("error", vec![("title".to_owned(), "risk".to_owned())])
        );
        assert!(
            message.starts_with("limit 0.50; risk 0.75 of being fixed"),
            "{message}"
        );
        let passes = render(&Review::of(&answer, &[]).at_most(0.9)).text;
        assert!(!passes.contains("title=risk"), "{passes}");
    }

    proptest! {
        /// Whatever names and paths say, there are as many commands as findings and one, each of ours, and each is of
        /// the file that it is of.
        #[test]
        fn nothing_adds_a_command(path in path(), name in hostile()) {
            let answer = samples::answer(&path, &name);
            let review = Review::of(&answer, &Rule::ALL);
            let text = render(&review).text;
            let lines: Vec<&str> = text.split(['\n', '\r']).filter(|line| !line.is_empty()).collect();
            prop_assert_eq!(lines.len(), review.findings.len() + 1);
            for (at, line) in lines.iter().enumerate() {
                let (command, properties, _) = read(line).expect("a command");
                prop_assert!(["error", "warning", "notice"].contains(&&*command), "{}", line);
                let keys: Vec<&str> = properties.iter().map(|(key, _)| key.as_str()).collect();
                if at == review.findings.len() {
                    prop_assert_eq!(keys, ["title"]);
                    continue;
                }
                prop_assert!(keys == ["file", "line", "endLine", "title"] || keys == ["file", "title"], "{}", line);
                let title = &properties[keys.len() - 1].1;
                prop_assert!(Rule::from_label(title).is_some(), "{}", title);
                let file = &properties[0].1;
                let meant = clean::path_bytes(&path);
                prop_assert_eq!(file, &String::from_utf8_lossy(&meant));
            }
        }
    }
}
