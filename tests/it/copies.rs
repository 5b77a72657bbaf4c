//! `diff` says of what was added that it exists elsewhere already.

use super::harness::TestRepo;
use serde_json::Value;

const MEAN: &str = "\
def weighted_mean(samples, weights):
    total = 0
    for sample, weight in zip(samples, weights):
        total += sample * weight
    if not weights:
        raise ValueError('no weights')
    if len(samples) != len(weights):
        raise ValueError('not as many weights')
    return total / sum(weights)
";

fn stats() -> TestRepo {
    let repo = TestRepo::init();
    repo.write("stats/mean.py", MEAN).write(
        "stats/other.py",
        "def spread(samples):\n    return max(samples) - min(samples)\n",
    );
    repo.commit("one");
    repo
}

/// What an added definition is like: name, part, whether it is the same.
fn copies(repo: &TestRepo, name: &str) -> Vec<(String, Option<String>, bool)> {
    let out = repo.sverklo(&["diff", "--json", "--budget", "20000"]);
    let answer: Value = serde_json::from_str(&out.stdout).unwrap_or_else(|_| panic!("{out:?}"));
    let symbols = answer["symbols"].as_array().unwrap();
    let symbol = symbols.iter().find(|symbol| symbol["name"] == name);
    let copies = symbol.unwrap_or_else(|| panic!("{name} in {answer}"))["copies"].as_array();
    let copies = copies.cloned().unwrap_or_default();
    copies
        .iter()
        .map(|copy| {
            let of = format!(
                "{}:{}",
                copy["path"].as_str().unwrap(),
                copy["name"].as_str().unwrap()
            );
            let part = copy["part"].as_str().map(str::to_owned);
            (of, part, copy["same"].as_bool().unwrap())
        })
        .collect()
}

fn one(of: &str, part: Option<&str>, same: bool) -> Vec<(String, Option<String>, bool)> {
    vec![(of.to_owned(), part.map(str::to_owned), same)]
}

#[test]
fn the_same_under_another_name_is_found() {
    let repo = stats();
    let copy = MEAN.replace("weighted_mean", "average").replace(
        "    total = 0\n",
        "    # What they add up to.\n    total  =  0\n",
    );
    repo.write("report/sums.py", &copy);
    assert_eq!(
        copies(&repo, "average"),
        one("stats/mean.py:weighted_mean", None, true)
    );
    let out = repo.sverklo(&["diff"]).success();
    assert!(
        out.contains(" | same as stats/mean.py:1-9 function weighted_mean\n"),
        "{out}"
    );
}

#[test]
fn nearly_the_same_is_found_and_something_else_is_not() {
    let repo = stats();
    repo.write(
        "report/sums.py",
        MEAN.replace("weighted_mean", "weightedMean")
            .replace("raise ValueError('no weights')", "return None"),
    );
    assert_eq!(
        copies(&repo, "weightedMean"),
        one("stats/mean.py:weighted_mean", None, false)
    );
    // Of the same name and with some of the same words, but not the same.
    repo.write(
        "report/sums.py",
        "\
def weighted_mean(table, weights):
    rows = [row for row in table if row.is_open and not row.is_empty]
    chosen = sorted(rows, key=lambda row: row.size, reverse=True)
    print('%d rows' % len(chosen), flush=True)
    return {row.name: weights[row.name] for row in chosen[:10]}
",
    );
    assert!(copies(&repo, "weighted_mean").is_empty());
}

#[test]
fn a_member_of_what_was_added_is_told_as_a_part_of_it() {
    let repo = stats();
    let indented: String = MEAN.lines().map(|line| format!("    {line}\n")).collect();
    let member = indented.replace("(samples,", "(self, samples,");
    repo.write(
        "report/table.py",
        format!(
            "class Table:\n    def __init__(self, rows):\n        self.rows = rows\n        \
             self.open = [row for row in rows if row]\n        self.title = str(len(rows))\n\n{member}"
        ),
    );
    assert_eq!(
        copies(&repo, "Table"),
        one(
            "stats/mean.py:weighted_mean",
            Some("Table.weighted_mean"),
            false
        )
    );
}

#[test]
fn what_moved_is_no_copy_and_of_two_added_one_is() {
    let repo = stats();
    repo.remove("stats/mean.py");
    repo.write("report/mean.py", MEAN);
    let out = repo.sverklo(&["diff"]).success();
    assert!(
        !out.contains("same as") && !out.contains("much like"),
        "{out}"
    );
    repo.git(&["checkout", "-q", "--", "."]);
    repo.remove("report/mean.py").remove("stats/mean.py");
    repo.commit("none");
    repo.write("report/a.py", MEAN).write("report/b.py", MEAN);
    let out = repo.sverklo(&["diff", "HEAD"]).success();
    let told: Vec<&str> = out
        .lines()
        .filter(|line| line.contains("same as"))
        .collect();
    assert_eq!(told.len(), 1, "{out}");
    assert!(
        told[0].starts_with("report/b.py:1-9 ") && told[0].contains("same as report/a.py:1-9 "),
        "{out}"
    );
}

#[test]
fn tests_short_ones_and_siblings_are_alike_by_nature() {
    let repo = stats();
    repo.write(
        "tests/test_mean.py",
        MEAN.replace("weighted_mean", "test_mean"),
    );
    assert!(copies(&repo, "test_mean").is_empty());
    repo.write(
        "report/short.py",
        "def spread(samples):\n    return max(samples) - min(samples)\n",
    );
    assert!(copies(&repo, "spread").is_empty());
    // What implements one member of an interface.
    let body = MEAN.replace("def weighted_mean(samples,", "def mean(self, samples,");
    let member: String = body.lines().map(|line| format!("    {line}\n")).collect();
    repo.write(
        "stats/base.py",
        "class Base:\n    def mean(self, samples, weights):\n        raise NotImplementedError\n",
    )
    .write(
        "stats/one.py",
        format!("from stats.base import Base\n\n\nclass One(Base):\n{member}"),
    );
    repo.remove("stats/mean.py");
    repo.commit("two");
    let other = member.replace("total = 0", "total = 0.0");
    repo.write(
        "stats/two.py",
        format!(
            "from stats.base import Base\n\n\nclass Two(Base):\n    def __init__(self, path, mode):\n        \
             self.path = path.strip()\n        self.file = open(self.path, mode)\n        self.lines = \
             [line.split(',') for line in self.file if line and not line.isspace()]\n        self.file.close()\n\n    \
             def describe(self):\n        names = ', '.join(line[0] for line in self.lines)\n        return \
             {{'path': self.path, 'lines': len(self.lines), 'names': names, 'first': self.lines[:1]}}\n\n{other}"
        ),
    );
    assert!(copies(&repo, "Two").is_empty());
}
