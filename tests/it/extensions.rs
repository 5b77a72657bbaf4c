//! Members that the repository gives to types from outside.

use crate::harness::TestRepo;
use crate::typed::uses_in;

#[test]
fn kotlin_functions_extend_what_an_import_brings_them_for() {
    let repo = TestRepo::init();
    repo.write(
        "src/util.kt",
        "package shop.util\n\nimport okio.Buffer\nimport okio.Source\n\n\
         fun Source.skipAll(n: Int): Boolean = true\nfun Buffer.skipAll(): Int = 1\n\
         fun String.tidy(): String = this\nval String.loud: String get() = this\n\
         fun Source.close() {}\nfun Source.indexOf(n: Int): Int = n\nfun Source.twice() = skipAll(1)\nfun Source.thrice() { this.skipAll(1) }\n\n\
         class Media private constructor() {\n  companion object {\n    fun String.toMedia(): Media = Media()\n  }\n}\n",
    )
    .write(
        "src/use.kt",
        "package shop.app\n\nimport okio.Source\nimport shop.util.skipAll\nimport shop.util.tidy\nimport shop.util.loud\n\
         import shop.util.Media.Companion.toMedia\n\nclass Use(val source: Source) : Source {\n  \
         fun run(body: Source, name: String, list: List<Int>) {\n    body.skipAll(1)\n    source.skipAll(2)\n    \
         name.tidy()\n    \"a\".tidy()\n    name.loud\n    \"a/b\".toMedia()\n    body.close()\n    name.indexOf(1)\n  }\n}\n",
    )
    .write(
        "src/more.kt",
        "package shop.util\n\nfun String.more(): Int = indexOf('a')\n\nfun more(name: String) = name.indexOf('a')\n",
    )
    .write(
        "src/other.kt",
        "package shop.other\n\nfun run(name: String) = name.tidy()\n",
    );
    repo.commit("kotlin");
    let of = |target: &str| uses_in(&repo, "src/use.kt", target);
    // The import names both, the objects say of which type they are.
    assert_eq!(
        of("Source.skipAll"),
        ["4 resolved", "11 inferred", "12 inferred"]
    );
    assert_eq!(of("Buffer.skipAll"), ["4 resolved"]);
    assert_eq!(of("tidy"), ["5 resolved", "13 inferred", "14 inferred"]);
    assert_eq!(of("loud"), ["6 resolved", "15 inferred"]);
    assert_eq!(of("toMedia"), ["7 resolved", "16 inferred"]);
    // What a library has is its own, where no import asks for it.
    for usual in ["Source.close", "Source.indexOf"] {
        assert_eq!(of(usual), [""; 0]);
        assert_eq!(uses_in(&repo, "src/more.kt", usual), [""; 0]);
    }
    // Inside of extensions the object is that which they extend.
    let inside = uses_in(&repo, "src/util.kt", "Source.skipAll");
    assert_eq!(inside, ["12 inferred", "13 inferred"]);
    // Nothing brings it here.
    assert_eq!(uses_in(&repo, "src/other.kt", "tidy"), [""; 0]);
}

#[test]
fn an_extension_that_goes_leaves_its_imports_and_calls_behind() {
    let repo = TestRepo::init();
    let util = "package shop.util\n\nfun String.tidy(): String = this\n";
    repo.write("src/util.kt", util).write(
        "src/use.kt",
        "package shop.app\n\nimport shop.util.tidy\n\nfun run(name: String) = name.tidy()\n",
    );
    repo.commit("kotlin");
    repo.sverklo(&["refs", "tidy"]).success();
    repo.write("src/util.kt", util.replace("tidy", "neat"));
    let left = repo.sverklo(&["diff", "HEAD"]).stdout;
    for place in ["src/use.kt:3", "src/use.kt:5"] {
        assert!(left.contains(place), "{place}: {left}");
    }
}

#[test]
fn swift_blocks_extend_types_of_the_library() {
    let repo = TestRepo::init();
    repo.write(
        "Sources/Text.swift",
        "extension String {\n    func trimmed2() -> String { return self }\n    var loud2: String { return trimmed2() }\n    \
         var count: Int { return 1 }\n}\n\nextension Array where Element == Int {\n    func total2() -> Int { return 0 }\n}\n",
    )
    .write(
        "Sources/Use.swift",
        "func run(name: String, list: [Int], url: URL) {\n    print(name.trimmed2())\n    print(name.loud2)\n    \
         print(list.total2())\n    print(\"a\".trimmed2())\n    print(url.path.trimmed2())\n    print(list.count)\n}\n",
    );
    repo.commit("swift");
    let of = |target: &str| uses_in(&repo, "Sources/Use.swift", target);
    assert_eq!(of("trimmed2"), ["2 inferred", "5 inferred", "6 inferred"]);
    assert_eq!(of("loud2"), ["3 inferred"]);
    assert_eq!(of("total2"), ["4 inferred"]);
    assert_eq!(of("String.count"), [""; 0]);
}

#[test]
fn methods_extend_their_first_parameter_in_csharp() {
    let repo = TestRepo::init();
    repo.write(
        "src/Text.cs",
        "namespace Shop.Util\n{\n    public static class Texts\n    {\n        \
         public static string Tidy(this string text) { return text; }\n        \
         public static int Total(this IEnumerable<int> list) { return 0; }\n        \
         public static string Plain(string text) { return text; }\n        \
         public static void Add(this Basket basket, int n) { }\n    }\n}\n",
    )
    .write(
        "src/Other.cs",
        "namespace Shop.Other\n{\n    public static class Texts\n    {\n        \
         public static int Total(this Uri uri) { return 0; }\n    }\n}\n",
    )
    .write(
        "src/Use.cs",
        "using Shop.Util;\n\nnamespace Shop.App\n{\n    public class Use\n    {\n        \
         public void Run(string name, List<int> list, HttpContext context, Basket basket)\n        {\n            \
         name.Tidy();\n            \"a\".Tidy();\n            list.Total();\n            \
         context.Request.Path.Tidy();\n            name.Plain();\n            list.Add(1);\n            \
         basket.Add(1);\n        }\n    }\n}\n",
    );
    repo.commit("c#");
    let of = |target: &str| uses_in(&repo, "src/Use.cs", target);
    assert_eq!(of("Tidy"), ["9 inferred", "10 inferred", "12 inferred"]);
    // Of two that are called so, the one whose namespace is open.
    assert_eq!(of("Shop.Util.Texts.Total"), ["11 inferred"]);
    assert_eq!(of("Shop.Other.Texts.Total"), [""; 0]);
    assert_eq!(of("Plain"), [""; 0]);
    // Lists have one of their own, and so may a basket from outside.
    assert_eq!(of("Add"), ["15 ambiguous"]);
}

#[test]
fn scala_and_dart_extend_in_blocks() {
    let repo = TestRepo::init();
    repo.write(
        "src/Syntax.scala",
        "package shop\n\nobject Syntax {\n  implicit class TextOps(val s: String) extends AnyVal {\n    \
         def tidy: String = s\n  }\n  extension (s: String)\n    def loud: String = s\n}\n",
    )
    .write(
        "src/Use.scala",
        "package shop\n\nimport Syntax._\n\nobject Use {\n  def run(name: String) = {\n    name.tidy\n    name.loud\n  }\n}\n",
    )
    .write(
        "lib/text.dart",
        "extension TextTools on String {\n  String neat() => this;\n  String get shouted => this;\n}\n",
    )
    .write(
        "lib/use.dart",
        "import 'text.dart';\n\nvoid run(String name) {\n  name.neat();\n  name.shouted;\n}\n",
    );
    repo.commit("scala and dart");
    let of = |target: &str| uses_in(&repo, "src/Use.scala", target);
    assert_eq!(of("tidy"), ["7 inferred"]);
    assert_eq!(of("loud"), ["8 inferred"]);
    let of = |target: &str| uses_in(&repo, "lib/use.dart", target);
    assert_eq!(of("neat"), ["4 inferred"]);
    assert_eq!(of("shouted"), ["5 inferred"]);
}
