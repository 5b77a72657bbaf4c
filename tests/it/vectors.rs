//! The vector channel: the same answer however the index is cut and wherever its vectors are kept.

use crate::harness::TestRepo;
use serde_json::Value;

fn search(repo: &TestRepo, query: &str) -> Value {
    // Nothing found is an answer too.
    let said = repo.sverklo(&["search", query, "--json"]).stdout;
    let mut answer: Value = serde_json::from_str(&said).expect("--json prints JSON");
    // What was damaged is told, and changes nothing.
    answer["index"]["warnings"].take();
    answer
}

/// The paths that the vector channel found, by its rank.
fn by_vector(answer: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for hit in answer["hits"].as_array().into_iter().flatten() {
        let by = hit["found_by"].as_array().into_iter().flatten();
        for rank in by.filter_map(|by| by.as_str()?.strip_prefix("vector#")) {
            let rank: u32 = rank.parse().unwrap();
            found.push((rank, hit["path"].as_str().unwrap().to_owned()));
        }
    }
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

const PASSWORDS: &str =
    "def verify_password(user, password):\n    return hash(password) == user.secret\n";
const MATRIX: &str =
    "def multiply(matrix, vector):\n    return [dot(row, vector) for row in matrix]\n";
const DOWNLOAD: &str =
    "def download(url):\n    response = http.get(url)\n    return response.body\n";

fn workshop() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("one.py", PASSWORDS);
    repo.commit("one");
    repo.sverklo(&["index"]).success();
    repo.write("two.py", MATRIX);
    repo.commit("two");
    repo.sverklo(&["index"]).success();
    repo.write("three.py", DOWNLOAD);
    repo.commit("three");
    repo.sverklo(&["index"]).success();
    repo
}

fn blocks(repo: &TestRepo) -> usize {
    let folder = repo.kept().join("vec/static-v1");
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn code_is_found_that_has_no_word_of_the_question() {
    let repo = workshop();
    let answer = search(&repo, "authentication credentials");
    assert_eq!(by_vector(&answer)[0], "one.py");
    assert_eq!(answer["hits"][0]["path"], "one.py");
    let linear = by_vector(&search(&repo, "linear algebra"));
    assert_eq!(linear[0], "two.py");
}

#[test]
fn a_question_of_unknown_words_has_no_vector() {
    let repo = workshop();
    repo.write("four.py", "def qqzzx(xxqqz):\n    return xxqqz\n");
    repo.commit("four");
    let answer = search(&repo, "xxqqz");
    assert_eq!(answer["hits"][0]["path"], "four.py");
    assert_eq!(by_vector(&answer), [""; 0]);
}

#[test]
fn answers_do_not_depend_on_how_the_index_is_cut_or_kept() {
    let repo = workshop();
    let query = "authentication of downloads";
    let answer = search(&repo, query);
    assert!(!by_vector(&answer).is_empty());
    assert!(blocks(&repo) > 0);

    repo.sverklo(&["gc"]).success();
    assert_eq!(search(&repo, query), answer);
    assert_eq!(blocks(&repo), 1, "the blocks of old segments are gone");

    let vec = repo.kept().join("vec");
    std::fs::remove_dir_all(&vec).unwrap();
    assert_eq!(search(&repo, query), answer);
    assert_eq!(blocks(&repo), 1, "a question makes what is missing");

    let file = std::fs::read_dir(vec.join("static-v1")).unwrap().next();
    let file = file.unwrap().unwrap().path();
    let mut damaged = std::fs::read(&file).unwrap();
    damaged.pop();
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, damaged).unwrap();
    assert_eq!(search(&repo, query), answer);

    std::fs::remove_dir_all(&vec).unwrap();
    std::fs::write(&vec, "in the way").unwrap();
    assert_eq!(search(&repo, query), answer);
}

#[test]
fn uncommitted_code_has_vectors_that_stay_in_memory() {
    let repo = workshop();
    let before = blocks(&repo);
    repo.write(
        "four.py",
        "def login(session, token):\n    return session.authorize(token)\n",
    );
    let dirty = by_vector(&search(&repo, "authentication credentials"));
    assert!(dirty.contains(&"four.py".to_owned()), "{dirty:?}");
    assert_eq!(blocks(&repo), before);
    repo.commit("four");
    assert_eq!(
        by_vector(&search(&repo, "authentication credentials")),
        dirty
    );
}
