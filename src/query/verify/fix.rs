//! A text with its citations as they would be written today.

use super::answer::{Fate, Place, Verdict};
use super::citation::{Citation, Cited, Form, Part, percent_encoded};
use crate::extract::record::Lines;
use crate::git::quoting::quoted;
use crate::id::CommitId;

/// A text written again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixed {
    /// The text.
    pub text: String,
    /// What was left as it was: the citation, and why.
    pub left: Vec<(String, &'static str)>,
    /// Citations that name a place now of which the text has changed, or may have.
    pub changed: Vec<String>,
}

/// Writes a text with citations that were found in it, each with what became of it, as of the commit that they were
/// held against. What is unchanged stays as it is written: it still holds, unless its commit is gone.
pub fn fix(
    text: &str,
    citations: &[Citation],
    verdicts: &[Verdict],
    at: Option<CommitId>,
) -> Fixed {
    let mut out = Fixed {
        text: String::with_capacity(text.len()),
        left: Vec::new(),
        changed: Vec::new(),
    };
    let mut done = 0;
    for (citation, verdict) in citations.iter().zip(verdicts) {
        let (Some(cited), Some(between)) = (&citation.cited, text.get(done..citation.span.start))
        else {
            continue;
        };
        let new = match rewritten(cited, verdict, at) {
            Ok(Some(new)) => new,
            Ok(None) => continue,
            Err(why) => {
                out.left.push((citation.text.clone(), why));
                continue;
            }
        };
        out.text.push_str(between);
        out.text.push_str(&new);
        done = citation.span.end;
        if matches!(verdict.fate, Fate::Modified(_)) || verdict.is_rewritten {
            out.changed.push(new);
        }
    }
    out.text.push_str(text.get(done..).unwrap_or_default());
    out
}

/// A citation as it would be written today, `None` as it is, or why it cannot be.
fn rewritten(
    cited: &Cited,
    verdict: &Verdict,
    at: Option<CommitId>,
) -> Result<Option<String>, &'static str> {
    let place = match &verdict.fate {
        Fate::Unchanged(place) if verdict.is_rewritten => place,
        Fate::Unchanged(_) => return Ok(None),
        Fate::Deleted(_) => return Err("deleted"),
        Fate::NeverWas(_) => return Err("never was"),
        Fate::Unknown(_) => return Err("unknown"),
        Fate::Moved(place) => place,
        Fate::Modified(modified) => &modified.place,
    };
    if place.is_dirty {
        return Err("it is in a file with uncommitted changes; --at HEAD passes them over");
    }
    let at = at.ok_or("nothing is committed here")?;
    let is_whole = |rev: &String| rev.len() >= 40;
    let commit = match cited.rev.as_ref().is_some_and(is_whole) {
        true => at.to_string(),
        false => at.short(),
    };
    let place_of = match (&cited.part, place.lines) {
        (Part::Symbol(rest), _) if place.is_named => format!("::{rest}"),
        (Part::Whole, _) | (_, None) => String::new(),
        (_, Some(lines)) => written(lines, &cited.form),
    };
    if let Form::Link(head) = &cited.form {
        let path = percent_encoded(place.path.as_bytes());
        return Ok(Some(format!("{head}{commit}/{path}{place_of}")));
    }
    if cited.form == Form::Anchor && cited.rev.is_none() {
        // It may be the target of a link, which ends with its lines.
        return Err("it names no commit, and has no room for one");
    }
    // A second time it must not be taken for one of the old commit.
    let blob = cited
        .blob
        .as_ref()
        .map(|_| format!("#{}", place.blob.short()));
    let blob = blob.unwrap_or_default();
    Ok(Some(format!("{}{place_of}@{commit}{blob}", shown(place))))
}

fn written(lines: Lines, form: &Form) -> String {
    let Lines { first, last } = lines;
    match (form, first == last) {
        (Form::Colon, true) => format!(":{first}"),
        (Form::Colon, false) => format!(":{first}-{last}"),
        (_, true) => format!("#L{first}"),
        (_, false) => format!("#L{first}-L{last}"),
    }
}

/// A path, in quotes where a reader of running text would see its end too soon.
fn shown(place: &Place) -> String {
    let shown = quoted(place.path.as_bytes());
    let is_torn = |c: char| c.is_whitespace() || "`<>'|,;()[]{}*!~=".contains(c);
    match shown.contains(is_torn) && !shown.starts_with('"') {
        true => format!("\"{shown}\""),
        false => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::RepoPath;
    use crate::id::BlobId;
    use crate::query::verify::answer::{Modified, Removal};
    use crate::query::verify::prose::find;

    fn place(path: &str, first: u32, last: u32) -> Place {
        Place {
            path: RepoPath::new(path).unwrap(),
            lines: Some(Lines { first, last }),
            blob: BlobId::from_bytes(&[0xcd; 20]).unwrap(),
            is_named: path == "e.rs",
            is_dirty: path == "dirty.rs",
        }
    }

    fn modified(place: Place) -> Fate {
        Fate::Modified(Modified {
            place,
            kept: 1,
            of: 2,
            changed: Vec::new(),
        })
    }

    #[test]
    fn each_form_is_written_as_it_was() {
        let text = "`a.rs:1-2@deadbeef` [x](a.rs#L1) https://h/o/n/blob/deadbeef/a.rs#L1-L2, \
            a.rs::f#function@v1; a.rs:9 b.rs:3@deadbeef#0123456 c.rs:4 d.rs:5@v1 e.rs::g#function@v1\n";
        let citations = find(text);
        let fates = [
            Fate::Moved(place("b c.rs", 3, 4)),
            Fate::Moved(place("a.rs", 5, 5)),
            modified(place("d/é.rs", 7, 7)),
            Fate::Moved(place("e.rs", 7, 9)),
            Fate::Deleted(Removal::Untold("")),
            Fate::Moved(place("b.rs", 4, 4)),
            modified(place("c.rs", 6, 7)),
            Fate::Unchanged(place("d.rs", 5, 5)),
            Fate::Moved(place("dirty.rs", 5, 5)),
        ];
        assert_eq!(citations.len(), fates.len());
        let verdicts = fates.into_iter().zip(&citations).map(|(fate, of)| Verdict {
            text: of.text.clone(),
            from: None,
            is_rewritten: false,
            fate,
        });
        let verdicts: Vec<Verdict> = verdicts.collect();
        let at = CommitId::from_bytes(&[0xab; 20]);
        let fixed = fix(text, &citations, &verdicts, at);
        assert_eq!(
            fixed.text,
            "`\"b c.rs\":3-4@ababababab` [x](a.rs#L1) https://h/o/n/blob/ababababab/d/%C3%A9.rs#L7, \
            e.rs::f#function@ababababab; a.rs:9 b.rs:4@ababababab#cdcdcdcdcd c.rs:6-7@ababababab d.rs:5@v1 \
            e.rs::g#function@v1\n"
        );
        let left: Vec<&str> = fixed.left.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(left, ["a.rs#L1", "a.rs:9", "e.rs::g#function@v1"]);
        assert_eq!(
            fixed.changed,
            [
                "https://h/o/n/blob/ababababab/d/%C3%A9.rs#L7",
                "c.rs:6-7@ababababab"
            ]
        );
        // What was written is found again.
        assert_eq!(find(&fixed.text).len(), citations.len());
        assert_eq!(fix(text, &citations, &verdicts, None).text, text);
    }
}
