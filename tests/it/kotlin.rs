//! What names of Kotlin mean in functions that are handed over, behind checks, and beside others of their name.

use crate::harness::TestRepo;
use crate::typed::uses_in;

/// Two types that have what the other has, too, and the file that uses them.
fn program(code: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "src/Types.kt",
        "package t\n\nopen class Animal\nclass Cat : Animal() {\n  var name = \"\"\n  fun sit() {}\n  val kittens: List<Cat> = listOf()\n}\n\
         class Dog : Animal() {\n  var name = \"\"\n  fun sit() {}\n}\nclass Bird { var name = \"\"; fun sit() {} }\n",
    )
    .write("src/Use.kt", format!("package t\n\n{code}"));
    repo.commit("kotlin");
    repo
}

#[test]
fn functions_say_what_lambdas_take() {
    let repo = program(
        "fun each(cats: List<Cat>, body: (Cat) -> Unit, other: (Dog, Int) -> Unit) {}\n\
         fun dogs(body: ((Dog, Int) -> Unit)?) {}\n\
         fun use(cat: Cat, cats: List<Cat>) {\n  \
         cats.forEach { it.sit() }\n  cats.filter({ one -> one.name == \"\" })\n  dogs { dog, n -> dog.sit() }\n  \
         cat.let { it.kittens.map { it.sit() } }\n  cat.keep { it.sit() }\n  cats.fold(cat) { all, dog -> all.sit() }\n}\n\
         fun <T> T.keep(body: (T) -> Unit): T = this\n\
         fun lost() = each(listOf()) { it.sit() }\n",
    );
    let of = |target: &str| uses_in(&repo, "src/Use.kt", target);
    assert_eq!(
        of("Cat.sit"),
        [
            "6 resolved",
            "9 resolved",
            "10 inferred",
            "11 resolved",
            "14 ambiguous"
        ]
    );
    assert_eq!(of("Cat.name"), ["7 resolved"]);
    assert_eq!(of("Dog.sit"), ["8 resolved", "14 ambiguous"]);
    assert_eq!(of("Cat.kittens"), ["9 resolved"]);
}

#[test]
fn bare_names_are_members_of_what_a_lambda_is_called_on() {
    let repo = program(
        "fun build(body: Dog.() -> Unit) {}\n\
         class Page {\n  var name = \"\"\n  fun show(cat: Cat, cats: List<Cat>) {\n    \
         cat.apply { name = \"a\" }\n    with(cat) { sit() }\n    build { sit() }\n    \
         build { cats.forEach { sit() } }\n    name = \"b\"\n    cat.also { name = \"c\" }\n    \
         build { cat.run { sit() } }\n    elsewhere { sit() }\n  }\n}\n\
         fun far(cat: Cat) = cat.apply { words { sit() } }\nfun words(body: MutableSet<Int>.() -> Unit) {}\n\
         fun near(cat: Cat) = cat.apply { val name = 1; print(name) }\n",
    );
    let of = |target: &str| uses_in(&repo, "src/Use.kt", target);
    assert_eq!(of("Cat.name"), ["7 resolved"]);
    assert_eq!(of("Page.name"), ["11 resolved", "12 resolved"]);
    assert_eq!(
        of("Cat.sit"),
        ["8 resolved", "13 resolved", "14 ambiguous", "17 ambiguous"]
    );
    assert_eq!(
        of("Dog.sit"),
        ["9 resolved", "10 resolved", "14 ambiguous", "17 ambiguous"]
    );
}

#[test]
fn checks_say_what_names_are() {
    let repo = program(
        "fun both(x: Animal, y: Any): Any {\n  if (x is Cat && x.name == \"\") x.sit() else x.sit()\n  \
         when (y) {\n    is Dog -> y.sit()\n    is Cat, is Bird -> y.sit()\n  }\n  when {\n    x !is Dog -> return 1\n  }\n  \
         if (y !is Bird) return 2\n  y.sit()\n  require(x is Dog) { \"no dog\" }\n  return x.sit()\n}\n\
         fun cast(x: Any) {\n  x as Cat\n  x.sit()\n}\n",
    );
    let of = |target: &str| uses_in(&repo, "src/Use.kt", target);
    assert_eq!(of("Cat.name"), ["4 resolved"]);
    assert_eq!(of("Cat.sit"), ["4 resolved", "19 resolved", "4 ambiguous"]);
    assert_eq!(of("Dog.sit"), ["6 resolved", "15 resolved", "4 ambiguous"]);
    assert_eq!(of("Bird.sit"), ["13 resolved", "4 ambiguous"]);
}

#[test]
fn what_a_class_writes_for_other_types_is_seen_in_it() {
    let repo = TestRepo::init();
    repo.write(
        "src/Path.kt",
        "package t\n\nclass Path {\n  companion object {\n    fun String.toPath(): Path = Path()\n  }\n}\n",
    )
    .write(
        "src/One.kt",
        "package u\n\nimport t.Path.Companion.toPath\n\nclass One {\n  fun go(path: t.Path) {\n    path.later(1)\n    \"a\".toPath()\n  }\n  \
         private fun t.Path.later(n: Int) {}\n  private fun Package.toPath() = \"\".toPath()\n}\n",
    )
    .write(
        "src/Two.kt",
        "package u\n\nimport t.Path\n\nclass Two {\n  fun go(path: Path) {\n    path.later(2)\n  }\n  private fun Path.later(n: Int) {}\n}\n",
    )
    .write(
        "src/Node.kt",
        "package u\n\nclass Node(val buffer: Array<Any>) {\n  fun cut(a: Int, b: Int) = buffer.cut(a)\n}\n\n\
         private fun Array<Any>.cut(a: Int) = 1\n",
    );
    repo.commit("kotlin");
    let of = |file: &str, target: &str| uses_in(&repo, file, target);
    assert_eq!(of("src/Two.kt", "Two.Path.later"), ["7 resolved"]);
    assert_eq!(of("src/Two.kt", "One.Path.later"), [""; 0]);
    assert_eq!(
        of("src/One.kt", "Path.String.toPath"),
        ["3 resolved", "8 inferred", "11 inferred"]
    );
    assert_eq!(of("src/Node.kt", "Array.cut"), ["4 inferred"]);
}

#[test]
fn parts_of_what_is_expected_are_one_with_the_actual() {
    let repo = TestRepo::init();
    repo.write(
        "common/Buffer.kt",
        "package t\n\nexpect class Buffer {\n  val size: Int\n  class Cursor {\n    var start: Int\n  }\n}\n",
    )
    .write(
        "jvm/Buffer.kt",
        "package t\n\nactual class Buffer {\n  actual val size = 1\n  fun all() = size\n  actual class Cursor {\n    actual var start = 1\n    \
         fun outer() = this@Buffer.size\n  }\n}\n",
    )
    .write(
        "common/Use.kt",
        "package u\n\nimport t.Buffer\nimport t.Buffer.Cursor\n\n\
         class Other { var start = 1; val size = 1 }\nfun Cursor.reset() {\n  this.start = 0\n}\n\
         val sink = object : Buffer() {}\nfun f() = sink.size\n",
    );
    repo.commit("kotlin");
    for file in ["common/Buffer.kt", "jvm/Buffer.kt"] {
        let of = |path: &str, name: &str| uses_in(&repo, path, &format!("{file}::{name}"));
        assert_eq!(
            of("common/Use.kt", "Buffer.Cursor.start#field"),
            ["8 resolved"]
        );
        assert_eq!(of("common/Use.kt", "Buffer.size#field"), ["11 resolved"]);
        assert_eq!(
            of("jvm/Buffer.kt", "Buffer.size#field"),
            ["5 resolved", "8 resolved"]
        );
        assert_eq!(of("jvm/Buffer.kt", "Buffer#class"), ["8 resolved"]);
    }
}
