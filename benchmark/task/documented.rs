//! Doc comments as questions: the first sentence of a definition's comment is asked, in words of those
//! who wrote the code but not in those of its commits, and the definition is the answer. The comments
//! that are asked about are taken out of the tree before it is indexed, and so the code alone, its
//! names and its surroundings must answer. Sentences that stand above several definitions are left out.
//!
//! Of each such definition two more questions are made: its bare name, and the three longest words of
//! the sentence, as somebody types who has no sentence in mind.

use super::history::is_product;
use super::{Question, Target, Task};
use crate::Result;
use crate::subject::{Subject, run_commit};
use git_sverklo::extract::Extractor;
use git_sverklo::extract::record::{DocRecord, SymbolKind};
use git_sverklo::lang;
use std::collections::BTreeMap;
use std::ops::Range;

/// Words of a sentence that says enough, and of one that is no sentence any more.
const WORDS: Range<usize> = 5..40;
/// Definitions of one file, so that many files are asked about.
const MOST_OF_A_FILE: usize = 3;
/// Letters of a word that stands for the sentence.
const KEYWORD: usize = 4;
/// Words that stand for a sentence; the most that the program takes for keywords.
const KEYWORDS: usize = 3;
/// Results that are looked at.
const DEPTH: usize = 20;
/// What has no meaning of its own.
const NOT_ASKED: &[SymbolKind] = &[SymbolKind::Section, SymbolKind::Impl, SymbolKind::Test];

/// A definition with a comment that can be asked.
struct Documented {
    path: String,
    name: String,
    lines: (u32, u32),
    comment: Range<usize>,
    sentence: String,
}

/// Chooses at most `count` definitions, spread evenly, takes their comments out of the subject's tree,
/// commits that, and returns the questions.
pub fn generate(subject: &Subject, count: usize) -> Result<Vec<Task>> {
    let listing = subject.git(&["ls-files", "-z"])?;
    let mut extractor = Extractor::new();
    let mut all = Vec::new();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for path in listing.split_terminator('\0').filter(|p| is_product(p)) {
        let Ok(bytes) = std::fs::read(subject.dir.join(path)) else {
            continue;
        };
        let name = path.rsplit('/').next().unwrap_or(path);
        let record = extractor.extract(&bytes, lang::by_file_name(name.as_bytes()));
        for symbol in &record.symbols {
            *names.entry(named(&record, symbol.name)).or_default() += 1;
        }
        all.extend(documented(path, &bytes, &record));
    }
    let chosen = choose(all, count);
    take_out(subject, &chosen)?;
    let questions = chosen
        .iter()
        .enumerate()
        .flat_map(|(at, one)| questions(at, one, names.get(&one.name) == Some(&1)));
    Ok(questions.collect())
}

fn named(record: &DocRecord, name: git_sverklo::id::LocalName) -> String {
    String::from_utf8_lossy(record.names.get(name)).into_owned()
}

/// The definitions of a file whose comments say something in a sentence.
fn documented(path: &str, bytes: &[u8], record: &DocRecord) -> Vec<Documented> {
    let of = |symbol: &git_sverklo::extract::record::Symbol<_>| {
        let comment = symbol.doc.start as usize..symbol.doc.end as usize;
        let name = named(record, symbol.name);
        let text = std::str::from_utf8(bytes.get(comment.clone())?).ok()?;
        let sentence = sentence(text, &name)?;
        Some(Documented {
            path: path.to_owned(),
            name,
            lines: (symbol.start_line, symbol.end_line),
            comment,
            sentence,
        })
    };
    let asked = record
        .symbols
        .iter()
        .filter(|s| !NOT_ASKED.contains(&s.kind));
    asked.filter_map(of).collect()
}

/// The first sentence of a comment without its marks; `None` when it says the name or too little.
fn sentence(comment: &str, name: &str) -> Option<String> {
    const MARKS: &[char] = &[
        '/', '*', '!', '#', '-', '|', '"', '\'', '(', '{', ';', '<', '>', ' ', '\t',
    ];
    let mut text = String::new();
    for line in comment.lines() {
        let line = line
            .trim()
            .trim_start_matches("@moduledoc")
            .trim_start_matches("@doc");
        let line = line
            .trim_start_matches(MARKS)
            .trim_end_matches(['*', '/', '-', '}', '"', ' ']);
        let over = line.is_empty() && !text.is_empty();
        if over || line.starts_with(['@', ':', '\\', '=']) {
            break;
        }
        if !line.is_empty() {
            text.push_str(line);
            text.push(' ');
        }
    }
    let end = text.find(". ").unwrap_or(text.len());
    let plain = text[..end].replace("{@link", "").replace("{@code", "");
    let plain = plain.replace(['`', '{', '}', '[', ']', '*'], "");
    let mut words: Vec<&str> = plain.split_whitespace().collect();
    // Go's comments begin with the name.
    if words.first().is_some_and(|word| *word == name) {
        words.remove(0);
    }
    let told = |word: &&str| {
        let mut parts = word.split(|c: char| !c.is_alphanumeric() && c != '_');
        parts.any(|part| part.eq_ignore_ascii_case(name))
    };
    let code = |word: &&str| word.contains(['<', '=', ';']);
    let says = WORDS.contains(&words.len()) && plain.is_ascii();
    (says && !words.iter().any(|word| told(word) || code(word))).then(|| words.join(" "))
}

/// Those with a sentence of their own, a few a file, spread evenly over the repository.
fn choose(all: Vec<Documented>, count: usize) -> Vec<Documented> {
    let mut said: BTreeMap<String, usize> = BTreeMap::new();
    for one in &all {
        *said.entry(one.sentence.to_lowercase()).or_default() += 1;
    }
    let mut of_file: BTreeMap<String, usize> = BTreeMap::new();
    let mut left: Vec<Documented> = all
        .into_iter()
        .filter(|one| said[&one.sentence.to_lowercase()] == 1)
        .filter(|one| {
            let earlier = of_file.entry(one.path.clone()).or_default();
            *earlier += 1;
            *earlier <= MOST_OF_A_FILE
        })
        .collect();
    let total = left.len();
    let mut at = 0;
    left.retain(|_| {
        let kept = at * count / total.max(1) != (at + 1) * count / total.max(1);
        at += 1;
        total <= count || kept
    });
    left
}

/// Replaces comments by as many ends of lines, so that every line keeps its number, and commits.
fn take_out(subject: &Subject, chosen: &[Documented]) -> Result<()> {
    let mut by_file: BTreeMap<&str, Vec<&Documented>> = BTreeMap::new();
    for one in chosen {
        by_file.entry(&one.path).or_default().push(one);
    }
    for (path, mut ones) in by_file {
        let file = subject.dir.join(path);
        let mut bytes = std::fs::read(&file)?;
        ones.sort_by_key(|one| std::cmp::Reverse(one.comment.start));
        for one in ones {
            let lines = bytes[one.comment.clone()]
                .iter()
                .filter(|b| **b == b'\n')
                .count();
            bytes.splice(one.comment.clone(), std::iter::repeat_n(b'\n', lines));
        }
        std::fs::write(file, bytes)?;
    }
    run_commit(&subject.dir, &["-a", "--allow-empty", "-m", "x"])
}

/// The questions about one definition.
fn questions(at: usize, one: &Documented, name_is_unique: bool) -> Vec<Task> {
    let task = |category: &str, query: String| Task {
        id: format!("{category}-{at:03}"),
        set: "documented".to_owned(),
        lang: String::new(),
        category: category.to_owned(),
        neutral: Vec::new(),
        scope: Vec::new(),
        question: Question::Locate {
            query,
            truth: vec![Target {
                path: one.path.clone(),
                span: Some(one.lines),
            }],
            depth: DEPTH,
        },
    };
    let mut tasks = vec![task("sentence", one.sentence.clone())];
    tasks.extend(keywords(&one.sentence).map(|words| task("keywords", words)));
    if name_is_unique && one.name.len() >= KEYWORD {
        tasks.push(task("name", one.name.clone()));
    }
    tasks
}

/// The longest words of a sentence, in its order; of equals the first.
fn keywords(sentence: &str) -> Option<String> {
    let clean = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let words: Vec<String> = sentence.split_whitespace().map(clean).collect();
    let plain = |word: &String| word.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mut long: Vec<usize> = (0..words.len())
        .filter(|at| words[*at].len() >= KEYWORD && plain(&words[*at]))
        .collect();
    long.sort_by_key(|at| std::cmp::Reverse(words[*at].len()));
    long.truncate(KEYWORDS);
    long.sort_unstable();
    let words: Vec<&str> = long.iter().map(|at| words[*at].as_str()).collect();
    (words.len() == KEYWORDS).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::run_git;

    #[test]
    fn a_comment_becomes_a_sentence() {
        let said = |comment: &str| sentence(comment, "Router");
        assert_eq!(
            said("/// Finds the handler of\n/// a `path`. Panics never.").as_deref(),
            Some("Finds the handler of a path")
        );
        assert_eq!(
            said("/**\n * Keeps {@link Route} objects in a tree\n * @param x\n */").as_deref(),
            Some("Keeps Route objects in a tree")
        );
        // Go names what it documents first; elsewhere the name gives the answer away.
        assert_eq!(
            said("// Router sends requests to their handlers").as_deref(),
            Some("sends requests to their handlers")
        );
        assert_eq!(said("# Makes a router of all the routes"), None);
        assert_eq!(said("// too short to ask"), None);
    }

    #[test]
    fn keywords_are_the_longest_words_in_their_order() {
        assert_eq!(
            keywords("Finds the handler of a requested path").as_deref(),
            Some("Finds handler requested")
        );
        assert_eq!(keywords("as it is to be, so"), None);
    }

    #[test]
    fn the_comment_is_gone_from_the_tree_and_lines_stay() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().join("r");
        std::fs::create_dir(&dir).unwrap();
        let git = |args: &[&str]| run_git(&dir, args).unwrap();
        git(&["init", "-q"]);
        git(&["config", "user.name", "t"]);
        git(&["config", "user.email", "t@localhost"]);
        let source = "/// Adds the numbers that it is given\n/// together.\npub fn plus(a: u8) {}\n\n\
                      /// Says the same above two definitions.\npub fn first() {}\n\
                      /// Says the same above two definitions.\npub fn second() {}\n";
        std::fs::write(dir.join("lib.rs"), source).unwrap();
        git(&["add", "."]);
        git(&["commit", "-q", "-m", "first"]);
        let subject = Subject::clone_of(&dir).unwrap();
        let tasks = generate(&subject, 9).unwrap();
        let asked: Vec<&str> = tasks.iter().map(|task| task.question.query()).collect();
        assert_eq!(
            asked,
            [
                "Adds the numbers that it is given together",
                "numbers given together",
                "plus"
            ]
        );
        let Question::Locate { truth, .. } = &tasks[0].question else {
            unreachable!("only places are asked for");
        };
        assert_eq!(truth[0].span, Some((3, 3)));
        let left = subject.git(&["show", "HEAD:lib.rs"]).unwrap();
        assert_eq!(left.lines().nth(2), Some("pub fn plus(a: u8) {}"));
        assert!(!left.contains("numbers") && left.contains("Says the same"));
    }
}
