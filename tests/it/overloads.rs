//! Functions of one name that are told apart by how many arguments they take.

use crate::harness::TestRepo;
use crate::typed::uses_in;

#[test]
fn a_base_has_the_overload_that_a_call_fits() {
    let repo = TestRepo::init();
    repo.write(
        "src/t/Codec.java",
        "package t;\n\npublic abstract class Codec {\n  public byte[] encode(byte[] all) { return encode(all, 0, all.length); }\n  \
         abstract byte[] encode(byte[] all, int from, int length);\n  void log(String text, Object... rest) {}\n  <T> void log() {}\n}\n",
    )
    .write(
        "src/t/Hex.java",
        "package t;\n\npublic class Hex extends Codec {\n  byte[] encode(byte[] all, int from, int length) {\n    \
         log(\"a\");\n    log();\n    return encode(new byte[0]);\n  }\n  public void log(String text, int level, int depth) {}\n}\n",
    )
    .write(
        "src/t/Use.java",
        "package t;\n\nclass Use {\n  Object run(Hex hex) {\n    hex.encode(new byte[3]);\n    hex.encode(hex.encode(null), 1, 2);\n    \
         hex.log(\"x\", 1, 2, 3);\n    return hex.encode(/* none */ null);\n  }\n}\n",
    );
    repo.commit("overloads");
    let of = |target: &str| uses_in(&repo, "src/t/Use.java", target);
    assert_eq!(
        of("src/t/Codec.java:4"),
        ["5 resolved", "6 resolved", "8 resolved"]
    );
    assert_eq!(of("Hex.encode"), ["6 resolved"]);
    assert_eq!(of("src/t/Codec.java:6"), ["7 resolved"]);
    let own = |target: &str| uses_in(&repo, "src/t/Hex.java", target);
    assert_eq!(own("src/t/Codec.java:4"), ["7 resolved"]);
    assert_eq!(own("src/t/Codec.java:6"), ["5 resolved"]);
    assert_eq!(own("src/t/Codec.java:7"), ["6 resolved"]);
    assert!(own("Hex.log").is_empty());
}

#[test]
fn extensions_take_what_no_member_takes() {
    let repo = TestRepo::init();
    repo.write(
        "src/Sender.cs",
        "namespace T {\n  interface ISender { int Dispatch(object what); }\n  static class Senders {\n    \
         public static int Dispatch(this ISender to, string text, int times = 1, params int[] more) { return 1; }\n    \
         public static int Dispatch(this ISender to, int a, int b, int c, string d) { return 1; }\n  }\n}\n",
    )
    .write(
        "src/Use.cs",
        "namespace T {\n  class Use {\n    int Run(ISender to) {\n      to.Dispatch(to);\n      to.Dispatch(\"a\", 2);\n      \
         Senders.Dispatch(to, \"a\");\n      return to.Dispatch(1, 2, 3, \"d\");\n    }\n  }\n}\n",
    );
    repo.commit("extensions");
    let of = |target: &str| uses_in(&repo, "src/Use.cs", target);
    assert_eq!(of("ISender.Dispatch"), ["4 resolved"]);
    assert_eq!(
        of("src/Sender.cs:4"),
        ["5 inferred", "6 resolved", "7 inferred"]
    );
    assert_eq!(of("src/Sender.cs:5"), ["7 inferred"]);
}

#[test]
fn values_that_are_written_elsewhere_may_be_left_out() {
    let repo = TestRepo::init();
    repo.write(
        "src/Base.kt",
        "package t\n\nopen class Base {\n  open fun cut(from: Int, to: Int = 3) = from\n  fun each(all: Int, block: (Int) -> Unit) = all\n  \
         fun join(vararg all: Int) = 1\n}\n",
    )
    .write(
        "src/Part.kt",
        "package t\n\nclass Part : Base() {\n  override fun cut(from: Int, to: Int) = to\n  fun cut() = 1\n  fun each() = 1\n  \
         fun join() = 1\n}\n",
    )
    .write(
        "src/Use.kt",
        "package t\n\nfun use(part: Part, all: IntArray) {\n  part.cut(1)\n  part.cut()\n  part.each(1) { }\n  part.each()\n  \
         part.join(*all)\n  part.join(1, 2)\n}\n",
    );
    repo.commit("values");
    let of = |target: &str| uses_in(&repo, "src/Use.kt", target);
    assert_eq!(of("src/Part.kt:4"), ["4 resolved"]);
    assert_eq!(of("src/Part.kt:5"), ["5 resolved"]);
    assert_eq!(of("Base.each"), ["6 resolved"]);
    assert_eq!(of("Part.each"), ["7 resolved"]);
    assert_eq!(of("Base.join"), ["9 resolved"]);
    assert_eq!(of("Part.join"), ["8 resolved"]);
}

#[test]
fn scala_counts_the_first_list() {
    let repo = TestRepo::init();
    repo.write(
        "src/Base.scala",
        "package t\n\nclass Base {\n  def add[A](one: A)(implicit by: Int) = one\n  def all(of: String*) = 1\n  def run(n: Int)(block: => Unit) = n\n}\n",
    )
    .write(
        "src/Use.scala",
        "package t\n\nclass Part extends Base {\n  def add(one: Int, two: Int, three: Int) = 1\n  def all(n: Int) = n\n  def run() = 1\n}\n\
         class Use(part: Part) {\n  def a = part.add(\"x\")\n  def b = part.add(1, 2, 3)\n  def c = part.all(\"a\", \"b\")\n  \
         def d = part.run(1) { () }\n}\n",
    );
    repo.commit("lists");
    let of = |target: &str| uses_in(&repo, "src/Use.scala", target);
    assert_eq!(of("Base.add"), ["9 resolved"]);
    assert_eq!(of("Part.add"), ["10 resolved"]);
    assert_eq!(of("Base.all"), ["11 resolved"]);
    assert_eq!(of("Base.run"), ["12 resolved"]);
}
