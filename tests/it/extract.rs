//! Extraction goldens: every `tests/corpus/<lang>/<case>.<ext>` against `<case>.<ext>.expect`.
//!
//! `UPDATE_EXPECT=1 cargo test --test it extract` rewrites them; a rewritten golden needs a raised
//! `EXTRACTOR_VERSION`.

use git_sverklo::extract::record::{DocFlags, DocRecord, Grammar, Qualifier, SymbolFlags};
use git_sverklo::extract::{Extractor, extract, language};
use git_sverklo::id::LocalName;
use std::fmt::Write;
use std::path::{Path, PathBuf};

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
    writeln!(out, "\nsymbols").unwrap();
    for (i, symbol) in record.symbols.iter().enumerate() {
        let flags = [
            (SymbolFlags::EXPORTED, "exported"),
            (SymbolFlags::DEFAULT, "default"),
            (SymbolFlags::TEST, "test"),
            (SymbolFlags::DECLARATION, "declaration"),
            (SymbolFlags::DECORATED, "decorated"),
            (SymbolFlags::DEPRECATED, "deprecated"),
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
        assert!(
            line[symbol.name_col as usize..]
                .starts_with(name.split(|b| *b == b'\n').next().unwrap()),
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

fn cases() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut cases = Vec::new();
    for lang in std::fs::read_dir(&corpus).unwrap() {
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

fn grammar_of(path: &Path) -> Grammar {
    language::by_file_name(path.file_name().unwrap().as_encoded_bytes())
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
        let expect = PathBuf::from(format!("{}.expect", case.display()));
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
    for case in cases() {
        let bytes = std::fs::read(&case).unwrap();
        let step = (bytes.len() / 40).max(1);
        for end in (0..bytes.len()).step_by(step) {
            let record = extractor.extract(&bytes[..end], grammar_of(&case));
            check(&bytes[..end], &record);
            let record = extractor.extract(&bytes[end..], grammar_of(&case));
            check(&bytes[end..], &record);
        }
    }
}

/// `TREE=<folder> [DUMP=<file>] cargo test --release --test it extract::over_a_tree -- --ignored --nocapture`
#[test]
#[ignore = "reads a folder named by the environment"]
fn over_a_tree() {
    let mut extractor = Extractor::new();
    if let Some(file) = std::env::var_os("DUMP") {
        let file = PathBuf::from(file);
        let bytes = std::fs::read(&file).unwrap();
        println!(
            "{}",
            dump(&bytes, &extractor.extract(&bytes, grammar_of(&file)))
        );
        return;
    }
    let mut folders = vec![PathBuf::from(
        std::env::var_os("TREE").expect("TREE names a folder"),
    )];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && entry.file_name() != ".git" {
                folders.push(entry.path());
            } else if kind.is_file() {
                let name = entry.file_name();
                let name = name.as_encoded_bytes();
                if !language_skips(name) {
                    files.push((entry.path(), std::fs::read(entry.path()).unwrap()));
                }
            }
        }
    }
    files.sort();
    let grammars: Vec<_> = files.iter().map(|(path, _)| grammar_of(path)).collect();
    let bare = cpu(|| {
        let mut nodes = 0;
        let mut parsers = std::collections::HashMap::new();
        for ((_, bytes), grammar) in files.iter().zip(&grammars) {
            let grammar = language::by_content(bytes, *grammar);
            let Some(language) = tree_sitter_language(grammar) else {
                continue;
            };
            if git_sverklo::extract::skip::reason(bytes, grammar).is_some() {
                continue;
            }
            let parser = parsers.entry(grammar).or_insert_with(|| {
                let mut parser = tree_sitter::Parser::new();
                parser.set_language(&language).unwrap();
                parser
            });
            let tree = parser.parse(bytes, None).unwrap();
            let mut cursor = tree.walk();
            loop {
                nodes += usize::from(cursor.node().kind_id() != 0);
                if cursor.goto_first_child() || cursor.goto_next_sibling() {
                    continue;
                }
                while cursor.goto_parent() && !cursor.goto_next_sibling() {}
                if cursor.depth() == 0 {
                    break;
                }
            }
        }
        println!("{nodes} nodes");
    });
    let code = cpu(|| {
        for ((_, bytes), grammar) in files.iter().zip(&grammars) {
            if tree_sitter_language(language::by_content(bytes, *grammar)).is_some() {
                extractor.extract(bytes, *grammar);
            }
        }
    });
    println!(
        "user CPU: parse and walk alone {bare:.2} s, extraction of the same files {code:.2} s, {:.2}",
        code / bare
    );
    let start = std::time::Instant::now();
    let records: Vec<_> = files
        .iter()
        .zip(&grammars)
        .map(|((_, bytes), grammar)| extractor.extract(bytes, *grammar))
        .collect();
    let took = start.elapsed();
    let mut by_lang = std::collections::BTreeMap::<&str, [usize; 8]>::new();
    for ((path, bytes), record) in files.iter().zip(&records) {
        let caught = std::panic::catch_unwind(|| check(bytes, record));
        assert!(caught.is_ok(), "{}", path.display());
        if let Some(reason) = record.skip {
            println!("skipped {}: {}", path.display(), reason.label());
        } else if record.flags.contains(DocFlags::SYNTAX_ERRORS) {
            println!("syntax errors {}", path.display());
        }
        let row = by_lang.entry(record.lang.label()).or_default();
        for (sum, add) in row.iter_mut().zip([
            1,
            bytes.len(),
            usize::from(record.skip.is_some()),
            usize::from(record.flags.contains(DocFlags::SYNTAX_ERRORS)),
            record.symbols.len(),
            record.occurrences.len(),
            record.chunks.len(),
            record.chunks.iter().map(|chunk| chunk.terms.len()).sum(),
        ]) {
            *sum += add;
        }
    }
    println!("lang: files bytes skipped errors symbols occurrences chunks postings");
    for (lang, row) in by_lang {
        println!("{lang}: {row:?}");
    }
    println!("extraction {took:?}");
}

/// User CPU seconds of this process that `work` took.
fn cpu(work: impl FnOnce()) -> f64 {
    fn ticks() -> f64 {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
        let after = stat.rsplit_once(')').unwrap().1;
        after
            .split_ascii_whitespace()
            .nth(11)
            .unwrap()
            .parse()
            .unwrap()
    }
    let before = ticks();
    work();
    (ticks() - before) / 100.0
}

fn tree_sitter_language(grammar: Grammar) -> Option<tree_sitter::Language> {
    Some(match grammar {
        Grammar::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        Grammar::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
        Grammar::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
        Grammar::Python => tree_sitter_python::LANGUAGE.into(),
        Grammar::Go => tree_sitter_go::LANGUAGE.into(),
        Grammar::Rust => tree_sitter_rust::LANGUAGE.into(),
        Grammar::Java => tree_sitter_java::LANGUAGE.into(),
        Grammar::C => tree_sitter_c::LANGUAGE.into(),
        Grammar::Cpp => tree_sitter_cpp::LANGUAGE.into(),
        _ => return None,
    })
}

fn language_skips(name: &[u8]) -> bool {
    use git_sverklo::extract::skip;
    skip::secret_file_name(name) || skip::lock_file_name(name)
}

#[test]
fn hostile_input_ends_within_the_budget() {
    let mut extractor = Extractor::new();
    let pieces = [
        "(", "[", "{", "<", "a.", "/*", "\"", "`", "# ", "if(", "a=>", "x y ", "int a,", "::",
        "@a\n", "${`", "\u{e9}", "\r", "* ",
    ];
    for grammar in Grammar::ALL {
        for piece in pieces {
            // Small, since recovering from nothing but errors takes quadratic time.
            let lines = format!("{}\n", piece.repeat(20)).repeat(1_200 / (piece.len() * 20));
            let record = extractor.extract(lines.as_bytes(), *grammar);
            check(lines.as_bytes(), &record);
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
