//! Extraction goldens: every `tests/corpus/<lang>/<case>.<ext>` against `<case>.<ext>.expect`.
//!
//! `UPDATE_EXPECT=1 cargo test --test it extract` rewrites them. A rewritten golden needs a raised
//! version of its language, which `tests/corpus/FINGERPRINT` sees to.

use git_sverklo::extract::record::{
    DocFlags, DocRecord, Grammar, HintKind, Lines, PartKind, Qualifier, Reached, SymbolFlags,
    TypeHint,
};
use git_sverklo::extract::{self as extraction, Extractor, extract};
use git_sverklo::id::LocalName;
use git_sverklo::lang;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Renders a record as text for people to review.
pub fn dump(bytes: &[u8], record: &DocRecord) -> String {
    let mut out = String::new();
    let name = |id: LocalName| String::from_utf8_lossy(record.names.get(id)).into_owned();
    let mut head = record.lang.label().to_owned();
    if record.flags.contains(DocFlags::GENERATED) {
        head += " generated";
    }
    if record.flags.contains(DocFlags::SYNTAX_ERRORS) {
        head += " syntax-errors";
    }
    if let Some(reason) = record.skip {
        return format!("{head} skipped: {}\n", reason.label());
    }
    writeln!(out, "{head}, {} lines", record.lines).unwrap();
    let gap = |gap: &Lines| match gap.first == gap.last {
        true => gap.first.to_string(),
        false => format!("{}-{}", gap.first, gap.last),
    };
    let gaps: Vec<String> = record.gaps.lines.iter().map(gap).collect();
    if !gaps.is_empty() {
        let (lines, bytes) = (gaps.join(", "), record.gaps.bytes);
        writeln!(out, "not understood: lines {lines} ({bytes} bytes)").unwrap();
    }
    writeln!(out, "\nsymbols").unwrap();
    for (i, symbol) in record.symbols.iter().enumerate() {
        let flags = [
            (SymbolFlags::EXPORTED, "exported"),
            (SymbolFlags::DEFAULT, "default"),
            (SymbolFlags::TEST, "test"),
            (SymbolFlags::DECLARATION, "declaration"),
            (SymbolFlags::DECORATED, "decorated"),
            (SymbolFlags::DEPRECATED, "deprecated"),
            (SymbolFlags::EXTENSION, "extension"),
            (SymbolFlags::GENERIC, "generic"),
        ];
        let flags: Vec<_> = flags
            .iter()
            .filter(|(flag, _)| symbol.flags.contains(*flag))
            .map(|(_, s)| *s)
            .collect();
        let text = |span: &std::ops::Range<u32>| {
            String::from_utf8_lossy(&bytes[span.start as usize..span.end as usize]).into_owned()
        };
        let first = |text: String| text.lines().next().unwrap_or("").to_owned();
        writeln!(
            out,
            "  {}#{}{}{} {}:{}-{}:{} @{}:{}\n      {}",
            qualified(record, i),
            symbol.kind.label(),
            if flags.is_empty() { "" } else { " " },
            flags.join(" "),
            symbol.start_line,
            symbol.start_col,
            symbol.end_line,
            symbol.end_col,
            symbol.name_line,
            symbol.name_col,
            text(&symbol.signature).replace('\n', "\u{23ce}"),
        )
        .unwrap();
        if !symbol.doc.is_empty() {
            writeln!(out, "      doc: {}", first(text(&symbol.doc))).unwrap();
        }
    }
    writeln!(out, "\nimports").unwrap();
    for import in &record.imports {
        let bindings = import.bindings.iter().map(|binding| {
            let part = |id: Option<LocalName>| id.map_or("*".to_owned(), name);
            format!("{}->{}", part(binding.imported), part(binding.local))
        });
        let bindings: Vec<_> = bindings.collect();
        let specifier = String::from_utf8_lossy(&import.specifier);
        writeln!(
            out,
            "  {} {} '{specifier}' [{}]",
            import.line,
            import.kind.label(),
            bindings.join(", ")
        )
        .unwrap();
    }
    writeln!(out, "\noccurrences").unwrap();
    for occurrence in &record.occurrences {
        write!(
            out,
            "  {}:{} {} {}",
            occurrence.line,
            occurrence.col,
            occurrence.kind.label(),
            name(occurrence.name)
        )
        .unwrap();
        if occurrence.qualifier != Qualifier::None {
            write!(out, " ({})", occurrence.qualifier.label()).unwrap();
        }
        out.push('\n');
    }
    hints(record, &mut out);
    entry_points(bytes, record, &mut out);
    writeln!(out, "\nchunks").unwrap();
    for chunk in &record.chunks {
        let symbol = chunk
            .symbol
            .map_or("-".to_owned(), |i| qualified(record, i as usize));
        writeln!(
            out,
            "  {}-{} {symbol} {:?}",
            chunk.start_line, chunk.end_line, chunk.field_len
        )
        .unwrap();
    }
    out
}

/// Entry points, each with its path as its parts spell it.
fn entry_points(bytes: &[u8], record: &DocRecord, out: &mut String) {
    if record.entries.is_empty() {
        return;
    }
    let text = |range: &std::ops::Range<u32>| {
        let text = &bytes[range.start as usize..range.end as usize];
        String::from_utf8_lossy(text).into_owned()
    };
    writeln!(out, "\nways").unwrap();
    for (i, entry) in record.entries.iter().enumerate() {
        let on = entry.on.map_or(String::new(), |on| format!(" on {on}"));
        let methods: Vec<&str> = entry.methods.names().collect();
        let path = entry.path.iter().map(|part| match part.kind {
            PartKind::Text => text(&part.range),
            kind if kind.has_text() => format!("<{} {}>", kind.label(), text(&part.range)),
            kind => format!("<{}>", kind.label()),
        });
        let path: String = path.collect();
        let reached = match &entry.reached {
            Reached::Nothing => "-".to_owned(),
            Reached::Inline(line) => format!("line {line}"),
            Reached::Symbol(symbol) => qualified(record, *symbol as usize),
            Reached::Place(line, col) => format!("{line}:{col}"),
            Reached::Text(range) => format!("'{}'", text(range)),
        };
        let (kind, line, methods) = (entry.kind.label(), entry.line, methods.join(","));
        writeln!(out, "  {i}{on} {line} {kind} {methods} '{path}' {reached}").unwrap();
    }
}

fn qualified(record: &DocRecord, index: usize) -> String {
    let symbol = &record.symbols[index];
    let own = String::from_utf8_lossy(record.names.get(symbol.name)).into_owned();
    let own = match symbol.receiver {
        Some(receiver) => format!(
            "({}).{own}",
            String::from_utf8_lossy(record.names.get(receiver))
        ),
        None => own,
    };
    match symbol.container {
        Some(container) => format!("{}.{own}", qualified(record, container as usize)),
        None => own,
    }
}

/// What must hold of every record, whatever the input.
pub fn check(bytes: &[u8], record: &DocRecord) {
    assert_eq!(record.size, bytes.len() as u64);
    let lines: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
    for (i, symbol) in record.symbols.iter().enumerate() {
        assert!(symbol.span.start < symbol.span.end && symbol.span.end as usize <= bytes.len());
        assert!(
            symbol.signature.start >= symbol.span.start && symbol.signature.end <= symbol.span.end
        );
        assert!(symbol.doc.start <= symbol.doc.end && symbol.doc.end as usize <= bytes.len());
        assert!(
            symbol
                .container
                .is_none_or(|container| (container as usize) < i),
            "container before symbol"
        );
        assert!(symbol.start_line <= symbol.end_line && symbol.end_line <= record.lines);
        let line = lines[symbol.name_line as usize - 1];
        let name = record.names.get(symbol.name);
        let written = &line[symbol.name_col as usize..];
        // A component is given out by its file, not by a word in it.
        let is_component = name == b"default" && written.starts_with(b"<");
        assert!(
            is_component || written.starts_with(name.split(|b| *b == b'\n').next().unwrap()),
            "{}",
            String::from_utf8_lossy(name)
        );
    }
    assert!(record.symbols.is_sorted_by_key(|symbol| symbol.span.start));
    assert!(record.occurrences.is_sorted_by_key(|o| (o.line, o.col)));
    for occurrence in &record.occurrences {
        let line = lines[occurrence.line as usize - 1];
        assert!(line[occurrence.col as usize..].starts_with(record.names.get(occurrence.name)));
    }
    assert!(record.imports.is_sorted_by_key(|import| import.line));
    for (i, entry) in record.entries.iter().enumerate() {
        assert!(
            entry.on.is_none_or(|on| (on as usize) < i),
            "what it is registered on is before it"
        );
        let ranges = entry.path.iter().map(|part| &part.range);
        let is_in = |range: &std::ops::Range<u32>| {
            range.start <= range.end && range.end as usize <= bytes.len()
        };
        assert!(ranges.into_iter().all(is_in) && entry.line >= 1 && entry.line <= record.lines);
        match &entry.reached {
            Reached::Symbol(symbol) => assert!((*symbol as usize) < record.symbols.len()),
            Reached::Place(line, col) => assert!(lines[*line as usize - 1].len() > *col as usize),
            Reached::Text(range) => assert!(is_in(range)),
            Reached::Nothing | Reached::Inline(_) => {}
        }
    }
    let mut covered = vec![false; lines.len() + 1];
    let mut last = 0;
    for chunk in &record.chunks {
        assert!(
            chunk.start_line > last && chunk.start_line <= chunk.end_line,
            "chunks are in order"
        );
        last = chunk.end_line;
        covered[chunk.start_line as usize..=chunk.end_line as usize].fill(true);
        let terms: Vec<_> = chunk
            .terms
            .iter()
            .map(|freq| record.terms.get(freq.term))
            .collect();
        assert!(
            terms.is_sorted_by(|a, b| a < b),
            "terms are distinct and ordered"
        );
        assert!(chunk.terms.iter().all(|freq| freq.tf != [0; 4]));
    }
    if record.skip.is_none() {
        for (i, line) in lines.iter().enumerate() {
            assert!(
                covered[i + 1] || line.iter().all(u8::is_ascii_whitespace),
                "line {} is in no chunk",
                i + 1
            );
        }
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

pub fn golden_of(case: &Path) -> PathBuf {
    PathBuf::from(format!("{}.expect", case.display()))
}

pub fn cases() -> Vec<PathBuf> {
    let mut cases = Vec::new();
    for lang in std::fs::read_dir(corpus()).unwrap() {
        let lang = lang.unwrap().path();
        if lang.is_dir() {
            let files = std::fs::read_dir(lang)
                .unwrap()
                .map(|file| file.unwrap().path());
            cases.extend(files.filter(|file| file.extension().is_none_or(|ext| ext != "expect")));
        }
    }
    cases.sort();
    cases
}

pub fn grammar_of(path: &Path) -> Grammar {
    lang::by_file_name(path.file_name().unwrap().as_encoded_bytes())
}

#[test]
fn goldens() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut failures = String::new();
    let cases = cases();
    assert!(!cases.is_empty());
    for case in cases {
        let bytes = std::fs::read(&case).unwrap();
        let record = extract(&bytes, grammar_of(&case));
        check(&bytes, &record);
        let got = dump(&bytes, &record);
        let expect = golden_of(&case);
        if update {
            std::fs::write(&expect, got).unwrap();
            continue;
        }
        let want = std::fs::read_to_string(&expect).unwrap_or_default();
        for (i, (got, want)) in got
            .lines()
            .zip(want.lines().chain(std::iter::repeat("(end)")))
            .enumerate()
        {
            if got != want {
                writeln!(
                    failures,
                    "{}:{}\n  want {want}\n  got  {got}",
                    expect.display(),
                    i + 1
                )
                .unwrap();
                break;
            }
        }
        if got.lines().count() < want.lines().count() {
            writeln!(failures, "{}: shorter than expected", expect.display()).unwrap();
        }
    }
    assert!(failures.is_empty(), "goldens differ:\n{failures}");
    if let Err(what) = check_fingerprint() {
        panic!("{what}");
    }
}

/// What `tests/corpus/FINGERPRINT` says when it is true: for each language its fingerprint, the crates of its
/// grammar, and a hash of each golden of a document in it.
fn fingerprint() -> String {
    let mut goldens: BTreeMap<String, String> = BTreeMap::new();
    for case in cases() {
        let expect = golden_of(&case);
        let name = expect.strip_prefix(corpus()).unwrap().components();
        let name: Vec<_> = name
            .map(|part| part.as_os_str().to_str().unwrap())
            .collect();
        let golden = std::fs::read_to_string(&expect).unwrap();
        let lang = golden.split([' ', ',', '\n']).next().unwrap().to_owned();
        let of = goldens.entry(lang).or_default();
        let hash = xxh3_64(golden.as_bytes());
        writeln!(of, "golden {} {hash:016x}", name.join("/")).unwrap();
    }
    let mut text = String::new();
    for grammar in Grammar::ALL {
        let (label, fingerprint) = (grammar.label(), extraction::fingerprint(*grammar, *grammar));
        let line = format!(
            "language {label} {fingerprint} {}",
            crates_of(*grammar).join(" ")
        );
        writeln!(text, "{}", line.trim_end()).unwrap();
        text += &goldens.remove(label).unwrap_or_default();
    }
    assert!(goldens.is_empty(), "goldens in no language: {goldens:?}");
    text
}

/// The crates of a language's grammar, with their versions, as `Cargo.toml` and `Cargo.lock` have them.
fn crates_of(grammar: Grammar) -> Vec<String> {
    let read = |name: &str| {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name);
        std::fs::read_to_string(path).unwrap()
    };
    let (manifest, lock) = (read("Cargo.toml"), read("Cargo.lock"));
    let Some(feature) = lang::of(grammar).feature() else {
        return Vec::new();
    };
    let lines = manifest.lines();
    let features = lines.filter_map(|line| line.strip_prefix(feature)?.strip_prefix(" = "));
    let names =
        features.flat_map(|line| line.split('"').filter_map(|word| word.strip_prefix("dep:")));
    let version = |name: &str| {
        let found = lock
            .split("[[package]]")
            .find(|package| package.contains(&format!("\nname = \"{name}\"\n")));
        let found = found.and_then(|package| package.split("version = \"").nth(1));
        found.unwrap().split('"').next().unwrap().to_owned()
    };
    let mut out: Vec<String> = names
        .map(|name| format!("{name} {}", version(name)))
        .collect();
    out.sort();
    assert!(!out.is_empty(), "{feature} brings no crate");
    out
}

/// A language with its goldens, as the file has them.
#[derive(Default)]
struct Said<'a> {
    fingerprint: &'a str,
    crates: &'a str,
    goldens: BTreeMap<&'a str, &'a str>,
}

fn said(text: &str) -> BTreeMap<&str, Said<'_>> {
    let (mut all, mut last) = (BTreeMap::<&str, Said>::new(), "");
    for line in text.lines() {
        let (what, rest) = line.split_once(' ').unwrap_or_default();
        let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
        if what == "language" {
            last = name;
            let of = all.entry(last).or_default();
            (of.fingerprint, of.crates) = value.split_once(' ').unwrap_or((value, ""));
        } else {
            all.entry(last).or_default().goldens.insert(name, value);
        }
    }
    all
}

/// Says which languages changed, by their goldens or by their grammars, and kept their fingerprint.
fn unraised(was: &str, is: &str) -> Vec<String> {
    let (was, is) = (said(was), said(is));
    let changed = |(name, was): (&&str, &Said)| {
        let is = is
            .get(name)
            .filter(|is| is.fingerprint == was.fingerprint)?;
        let same =
            |(golden, hash): (&&str, &&str)| is.goldens.get(golden).is_none_or(|is| is == hash);
        let is_same = was.crates == is.crates && was.goldens.iter().all(same);
        (!is_same).then(|| (*name).to_owned())
    };
    was.iter().filter_map(changed).collect()
}

/// Compares the goldens with the fingerprint. It is rewritten when all that changed has a raised version, or when
/// `UPDATE_EXPECT` is `same-version`.
fn check_fingerprint() -> Result<(), String> {
    let file = corpus().join("FINGERPRINT");
    let was = std::fs::read_to_string(&file).unwrap_or_default();
    let is = fingerprint();
    if was == is {
        return Ok(());
    }
    let unraised = unraised(&was, &is);
    let update = std::env::var("UPDATE_EXPECT").ok();
    if !unraised.is_empty() && update.as_deref() != Some("same-version") {
        return Err(format!(
            "goldens or grammars of {} changed: raise `version` in the facts of each (src/lang), or, when the \
             change is in what they share, CORE_VERSION (src/extract/fingerprint.rs), and run \
             UPDATE_EXPECT=1 cargo test --test it extract. Only before the first release may they stay: \
             UPDATE_EXPECT=same-version",
            unraised.join(", ")
        ));
    }
    if update.is_none() {
        return Err(format!(
            "{} is not of these goldens and versions; run UPDATE_EXPECT=1 cargo test --test it extract",
            file.display()
        ));
    }
    std::fs::write(&file, is).map_err(|error| error.to_string())
}

#[test]
fn a_language_that_changes_has_to_raise_its_version_and_no_other_has() {
    let was = "language ruby 11 grammar 2\ngolden a.rb 00\nlanguage go 15\n";
    let changed = |is: &str| unraised(was, is);
    assert!(changed(was).is_empty());
    assert!(
        changed(&format!("{was}golden b.go 00\n")).is_empty(),
        "a new case"
    );
    assert_eq!(changed(&was.replace("00", "01")), ["ruby"]);
    assert_eq!(changed(&was.replace("grammar 2", "grammar 3")), ["ruby"]);
    let raised = was.replace("ruby 11", "ruby 12");
    assert!(changed(&raised.replace("00", "01")).is_empty());
    assert!(changed(&raised.replace("grammar 2", "grammar 3")).is_empty());
}

/// What people have typed so far: scanners of grammars that look ahead have to stop where the file does. A
/// grammar whose does not is found here by a test that never ends.
#[test]
fn a_file_that_ends_anywhere_is_read_to_its_end() {
    const ENDS: &[&str] = &[
        "", "\n@", "@", "\n", "\"", "'", "`", "(", "{", "\\", "<", "#", "/*", "${", "\n@A", "<<",
    ];
    let mut extractor = Extractor::new();
    for (case, turn) in cases().iter().zip(0..) {
        let (bytes, grammar) = (std::fs::read(case).unwrap(), grammar_of(case));
        // Every end after the whole file and after one of its quarters, another one in each file.
        for (end, turn) in ENDS.iter().zip(turn..) {
            for part in [1 + turn % 3, 4] {
                let whole = &bytes[..bytes.len() * part / 4];
                extractor.extract(&[whole, end.as_bytes()].concat(), grammar);
            }
        }
    }
    let typed = extract(b"class A\n@", Grammar::Kotlin);
    assert_eq!(typed.skip.map(|skip| skip.label()), Some("too complex"));
}

#[test]
fn a_record_does_not_depend_on_what_was_extracted_before() {
    let mut reused = Extractor::new();
    let cases = cases();
    for case in cases.iter().chain(cases.iter().rev()) {
        let bytes = std::fs::read(case).unwrap();
        let grammar = grammar_of(case);
        assert!(
            reused.extract(&bytes, grammar) == extract(&bytes, grammar),
            "{}",
            case.display()
        );
    }
}

#[test]
fn truncated_input_is_no_reason_to_panic() {
    let mut extractor = Extractor::new();
    for (case, turn) in cases().iter().zip(0..) {
        let bytes = std::fs::read(case).unwrap();
        // Each file is cut at places of its own, so that a language's files together are cut everywhere.
        let step = (bytes.len() / 14).max(1);
        for end in (turn * 7 % step..bytes.len()).step_by(step) {
            let record = extractor.extract(&bytes[..end], grammar_of(case));
            check(&bytes[..end], &record);
            let record = extractor.extract(&bytes[end..], grammar_of(case));
            check(&bytes[end..], &record);
        }
    }
}

#[test]
fn a_large_class_is_cut_at_its_methods() {
    let mut source = String::from("class Big:\n    \"\"\"Docs.\"\"\"\n\n");
    for i in 0..20 {
        writeln!(source, "    def method_{i}(self):").unwrap();
        for j in 0..18 {
            writeln!(source, "        self.field_{j} = compute_something_long_enough({i}, {j}, 'a literal of some length')").unwrap();
        }
        source.push('\n');
    }
    let record = extract(source.as_bytes(), Grammar::Python);
    check(source.as_bytes(), &record);
    assert_eq!(record.chunks.len(), 21, "the class's head and its methods");
    for (chunk, i) in record.chunks[1..].iter().zip(0..) {
        let symbol = &record.symbols[chunk.symbol.unwrap() as usize];
        assert_eq!(
            record.names.get(symbol.name),
            format!("method_{i}").as_bytes()
        );
        assert_eq!(
            (symbol.start_line, symbol.end_line),
            (chunk.start_line, chunk.end_line)
        );
    }
}

#[test]
fn a_word_counts_in_its_most_telling_field() {
    let source = b"/** zebra */\nfunction zebra(stripe) { return stripe; }\n";
    let record = extract(source, Grammar::JavaScript);
    let tf = |word: &[u8]| {
        let chunk = &record.chunks[0];
        chunk
            .terms
            .iter()
            .find(|freq| record.terms.get(freq.term) == word)
            .map(|freq| freq.tf)
    };
    assert_eq!(tf(b"zebra"), Some([1, 0, 0, 1]));
    assert_eq!(tf(b"stripe"), Some([0, 1, 1, 0]));
    assert_eq!(tf(b"return"), Some([0, 0, 1, 0]));
    assert_eq!(record.chunks[0].field_len, [1, 2, 2, 1]);
}

/// What is known of values: `name @line:col in first..last (hint)`, positions as those of occurrences.
fn hints(record: &DocRecord, out: &mut String) {
    let name = |id: LocalName| String::from_utf8_lossy(record.names.get(id)).into_owned();
    let at = |i: u32| match record.occurrences.get(i as usize) {
        Some(found) => format!("{}@{}:{}", name(found.name), found.line, found.col),
        None => "end".to_owned(),
    };
    let known = |hint: &TypeHint| match hint.kind {
        HintKind::This
        | HintKind::Super
        | HintKind::Literal
        | HintKind::Last
        | HintKind::TypeParameter
        | HintKind::Rest => hint.kind.label().to_owned(),
        kind if kind.is_of_call() => kind.label().to_owned(),
        kind => format!("{} {}", kind.label(), at(hint.occurrence)),
    };
    writeln!(out, "\nlocals").unwrap();
    for local in &record.hints.locals {
        let scope = &local.scope;
        let hint = local
            .hint
            .as_ref()
            .map_or(String::new(), |hint| format!(" = {}", known(hint)));
        writeln!(
            out,
            "  {} in {}..{}{hint}",
            at(local.declared),
            at(scope.start),
            at(scope.end)
        )
        .unwrap();
    }
    writeln!(out, "\nvalues").unwrap();
    for (symbol, hint) in &record.hints.values {
        writeln!(
            out,
            "  {} = {}",
            qualified(record, *symbol as usize),
            known(hint)
        )
        .unwrap();
    }
    writeln!(out, "\nreceivers").unwrap();
    for (i, hint) in &record.hints.receivers {
        writeln!(out, "  {} = {}", at(*i), known(hint)).unwrap();
    }
}
