//! What a query spells out comes first: places in a trace, words in quotes, a name with a slip.

use crate::harness::TestRepo;

fn shop() -> TestRepo {
    let repo = TestRepo::init();
    for name in ["cart", "order", "invoice", "shipping"] {
        repo.write(
            format!("app/{name}.py"),
            format!(
                "def load_{name}(source):\n    return source.read()\n\n\n\
                 def check_{name}(value):\n    if value is None:\n        \
                 raise ValueError(\"no {name} was given\")\n    return value\n"
            ),
        );
    }
    repo.write(
        "app/errors.py",
        "PREFIX = \"no value given\"\n\n\ndef given(value, no):\n    return value\n",
    );
    repo.commit("begin");
    repo
}

fn first(repo: &TestRepo, query: &str) -> String {
    let out = repo.sverklo(&["search", query]).success();
    out.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_trace_finds_the_lines_it_names() {
    let repo = shop();
    let trace = "Traceback (most recent call last):\n  \
                 File \"/srv/shop/app/invoice.py\", line 7, in check_invoice\nValueError: no order was given";
    assert!(
        first(&repo, trace).starts_with("app/invoice.py:1-8 function check_invoice"),
        "{}",
        first(&repo, trace)
    );
    assert!(first(&repo, "app/order.py:2").starts_with("app/order.py:1-"));
}

#[test]
fn quoted_words_are_found_as_they_stand() {
    let repo = shop();
    let query = "who says \"no shipping was given\" about a value";
    assert!(
        first(&repo, query).starts_with("app/shipping.py:1-8 function check_shipping"),
        "{}",
        first(&repo, query)
    );
}

#[test]
fn a_name_with_a_slip_finds_what_was_meant() {
    let repo = shop();
    let found = first(&repo, "chekc_invoice");
    assert!(
        found.starts_with("app/invoice.py:1-8 function check_invoice"),
        "{found}"
    );
}

#[test]
fn first_letters_find_the_name_they_stand_for() {
    let repo = TestRepo::init();
    repo.write(
        "cache.py",
        "class LeastRecentlyUsed:\n    size = 3\n\n\ndef least_recent_unit():\n    return 1\n",
    );
    repo.write("other.py", "def recently():\n    return \"used least\"\n");
    repo.commit("begin");
    let found = first(&repo, "LRU");
    assert!(
        found.starts_with("cache.py:1-6 class LeastRecentlyUsed"),
        "{found}"
    );
    let out = repo.sverklo(&["symbol", "lru"]);
    let cards = out.stdout;
    assert_eq!(out.status, Some(1), "nothing has the name itself: {cards}");
    assert!(
        cards.contains("\nnear:\n")
            && cards.contains("[acronym]")
            && cards.contains("least_recent_unit"),
        "{cards}"
    );
}

#[test]
fn a_copy_is_told_beside_the_original() {
    let repo = TestRepo::init();
    let code = |last: &str| {
        format!(
            "def settle_invoice(invoice):\n    total = invoice.total()\n    \
             tax = total * invoice.rate\n    invoice.settle(total + tax)\n    \
             log(invoice)\n    audit(invoice, total)\n    ring(invoice)\n    \
             total += tax\n    print(total, tax)\n    return {last}\n"
        )
    };
    repo.write("app/settle.py", code("invoice"));
    repo.write("legacy/settle.py", code("None"));
    repo.write(
        "other/settle.py",
        "def settle_invoice(invoice):\n    return invoice\n",
    );
    repo.commit("begin");
    let out = repo.sverklo(&["search", "settle invoice"]).success();
    assert!(out.contains("also in legacy/settle.py:1-10"), "{out}");
    assert!(out.contains("other/settle.py:1-2"), "{out}");
}

#[test]
fn the_beginning_of_one_word_is_no_acronym() {
    let repo = TestRepo::init();
    repo.write(
        "make.py",
        "def generator():\n    return 1\n\n\ndef generate_long_list(size):\n    return [size]\n",
    );
    repo.commit("begin");
    let cards = repo.sverklo(&["symbol", "generat"]).stdout;
    assert!(
        !cards.contains("[acronym]") && cards.contains("generator"),
        "{cards}"
    );
    let cards = repo.sverklo(&["symbol", "genLoLi"]).stdout;
    assert!(
        cards.contains("generate_long_list") && cards.contains("acronym"),
        "{cards}"
    );
}

#[test]
fn of_many_names_that_begin_so_the_first_are_near() {
    let repo = TestRepo::init();
    let code = |range: std::ops::Range<u32>| {
        let all = range.map(|n| format!("def settlement{n:03}():\n    return {n}\n\n\n"));
        all.collect::<String>()
    };
    // Those that come first by their names stand in what is indexed last, and in files that are named last.
    repo.write("a.py", code(150..500));
    repo.commit("begin");
    repo.sverklo(&["index"]).success();
    repo.write("b.py", code(1..150));
    repo.commit("more");
    repo.write("c.py", code(0..1));
    let cards = repo
        .sverklo(&["symbol", "settle", "--limit", "500", "--json"])
        .stdout;
    let has = |n: u32| cards.contains(&format!("settlement{n:03}"));
    assert!(has(150) && has(199) && has(1), "{cards}");
    assert!(!(200..500).any(has), "{cards}");
}
