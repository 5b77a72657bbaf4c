//! `map --task`: the files, the tests and what hangs together, in one answer.

use crate::harness::TestRepo;

fn shop() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "shop/cart.py",
        "from shop.store import save\n\n\ndef add_to_cart(item):\n    \
         \"\"\"Puts an item into the shopping cart.\"\"\"\n    save(item)\n    return item\n",
    );
    repo.write("shop/store.py", "def save(record):\n    return record\n");
    repo.write("shop/weather.py", "def forecast():\n    return 'rain'\n");
    repo.write("shop/__init__.py", "");
    repo.write(
        "tests/test_cart.py",
        "from shop.cart import add_to_cart\n\n\ndef test_adding():\n    \
         assert add_to_cart(1) == 1\n",
    );
    repo.commit("begin");
    repo
}

#[test]
fn a_task_is_shown_with_its_tests_and_what_it_needs() {
    let repo = shop();
    let out = repo
        .sverklo(&[
            "map",
            "--task",
            "limit how many items the shopping cart takes",
        ])
        .success();
    assert!(
        out.starts_with("shop/cart.py\n  4-7 function add_to_cart\n"),
        "{out}"
    );
    assert!(
        out.contains("\ntest tests/test_cart.py:4-5 function test_adding"),
        "{out}"
    );
    assert!(
        out.contains("\nrelated shop/store.py | imported by shop/cart.py\n"),
        "{out}"
    );
    assert!(!out.contains("weather"), "{out}");
}

#[test]
fn a_task_about_nothing_here_finds_nothing() {
    let repo = shop();
    let out = repo.sverklo(&["map", "--task", "zeppelin moorings"]);
    assert_eq!(out.status, Some(1), "{}", out.stdout);
    assert!(
        out.stdout.contains("unknown words: zeppelin, moorings"),
        "{}",
        out.stdout
    );
    let out = repo.sverklo(&["map", "--task", "?!"]);
    assert_eq!(out.status, Some(2), "{}", out.stdout);
}
