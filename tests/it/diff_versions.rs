//! `diff`: what a change means for others, by the rules of versioning of each language.

use super::harness::TestRepo;
use serde_json::Value;

/// A library of one file, and what becomes of its definitions when the file is another: name, compatibility, rule.
fn judged(manifest: (&str, &str), path: &str, before: &str, after: &str) -> Vec<String> {
    let repo = TestRepo::init();
    repo.write(manifest.0, manifest.1).write(path, before);
    repo.commit("one");
    repo.write(path, after);
    let out = repo.sverklo(&["diff", "HEAD", "--json", "--budget", "20000"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    let answer: Value = serde_json::from_str(&out.stdout).unwrap();
    let all = answer["symbols"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut all: Vec<String> = all
        .iter()
        .filter(|one| one["compatibility"] != "internal")
        .map(|one| {
            let (name, what) = (text(&one["name"]), text(&one["compatibility"]));
            let said = format!("{name} {what} {}", text(&one["because"]));
            said.trim().to_owned()
        })
        .collect();
    all.sort();
    all
}

#[test]
fn rust() {
    let manifest = (
        "Cargo.toml",
        "[package]\nname = \"v\"\nversion = \"1.0.0\"\n",
    );
    let before = "\
pub struct Open {\n    pub a: u8,\n}\n
pub struct Half {\n    pub a: u8,\n    b: u8,\n}\n
pub enum Kind {\n    One,\n}\n
#[non_exhaustive]\npub enum Loose {\n    One,\n}\n
pub enum Later {\n    One,\n}\n
pub trait Walk {\n    fn go(&self);\n}\n";
    let after = "\
pub struct Open {\n    pub a: u8,\n    z: u8,\n}\n
pub struct Half {\n    pub a: u8,\n    b: u8,\n    pub c: u8,\n}\n
pub enum Kind {\n    One,\n    Two,\n}\n
#[non_exhaustive]\npub enum Loose {\n    One,\n    Two,\n}\n
#[non_exhaustive]\npub enum Later {\n    One,\n}\n
pub trait Walk {\n    fn go(&self);\n    fn stop(&self);\n    fn rest(&self) {}\n}\n";
    assert_eq!(
        judged(manifest, "src/lib.rs", before, after),
        [
            "Half.c additive",
            "Kind.Two breaking others may list each case",
            "Later breaking its parts may not be listed any more",
            "Loose.Two additive",
            "Open.z breaking all its parts were seen",
            "Walk.rest additive",
            "Walk.stop breaking each implementation has to have it",
        ]
    );
}

#[test]
fn go() {
    let manifest = ("go.mod", "module example.com/v\n\ngo 1.19\n");
    let before = "\
package v\n\ntype Reader interface {\n\tRead(p []byte) int\n}\n
type Sealed interface {\n\tRead(p []byte) int\n\town()\n}\n
type Point struct {\n\tX int\n}\n\nfunc F(a int) int { return a }\n";
    let after = "\
package v\n\ntype Reader interface {\n\tRead(p []byte) int\n\tClose()\n}\n
type Sealed interface {\n\tRead(p []byte) int\n\town()\n\tClose()\n}\n
type Point struct {\n\tX int\n\tY int\n}\n\nfunc F(a int) int64 { return a }\n";
    assert_eq!(
        judged(manifest, "v.go", before, after),
        [
            "F breaking another type",
            "Point.Y additive",
            "Reader.Close breaking each implementation has to have it",
            "Sealed.Close additive",
        ]
    );
}

#[test]
fn typescript() {
    let manifest = (
        "package.json",
        "{\"name\":\"v\",\"version\":\"1.0.0\",\"main\":\"index.ts\"}",
    );
    let before = "export interface Options {\n  a: string;\n}\n\nexport class Box {\n  a = 1;\n}\n";
    let after = "export interface Options {\n  a: string;\n  b: number;\n  c?: number;\n}\n\n\
                 export class Box {\n  a = 1;\n  b = 2;\n}\n";
    assert_eq!(
        judged(manifest, "index.ts", before, after),
        [
            "Box.b additive",
            "Options.b unknown breaks who makes one, not who gets one",
            "Options.c additive",
        ]
    );
}

#[test]
fn java() {
    let manifest = ("pom.xml", "<project><artifactId>v</artifactId></project>\n");
    let judged =
        |before: &str, after: &str| judged(manifest, "src/main/java/v/A.java", before, after);
    assert_eq!(
        judged(
            "package v;\n\npublic interface A {\n    int area();\n}\n",
            "package v;\n\npublic interface A {\n    int area();\n    int size();\n    default int w() { return 1; }\n}\n",
        ),
        [
            "A.size breaking each implementation has to have it",
            "A.w additive"
        ]
    );
    let class = |body: &str| format!("package v;\n\npublic abstract class A {{\n{body}}}\n");
    let before = class(
        "    public void f() { }\n    public void g() { }\n    public void h() { }\n    public void i() { }\n",
    );
    let after = class(
        "    public void f() throws java.io.IOException { }\n    public void g() throws IllegalStateException { }\n    \
         protected void h() { }\n    public void i() throws OddException { }\n    public abstract int j();\n",
    );
    assert_eq!(
        judged(&before, &after),
        [
            "A.f breaking throws otherwise",
            "A.h breaking fewer may see it",
            "A.i unknown throws what is not known here",
            "A.j breaking each implementation has to have it",
        ]
    );
    assert_eq!(
        judged(
            "package v;\n\npublic enum A {\n    RED\n}\n",
            "package v;\n\npublic enum A {\n    RED, BLUE\n}\n"
        ),
        ["A.BLUE additive"]
    );
}

#[test]
fn python() {
    let manifest = (
        "pyproject.toml",
        "[project]\nname = \"v\"\nversion = \"1.0\"\n",
    );
    let before = "\
def a(x):\n    return x\n\n\ndef b(x, /):\n    return x\n\n\ndef c(x):\n    return x\n\n\ndef d(x: int):\n    return x\n";
    let after = "\
def a(*, x):\n    return x\n\n\ndef b(x):\n    return x\n\n\ndef c(y):\n    return y\n\n\ndef d(x: float, z=1):\n    return x\n";
    assert_eq!(
        judged(manifest, "v/__init__.py", before, after),
        [
            "a breaking takes something else",
            "b additive",
            "c breaking takes something else",
            "d additive",
        ]
    );
}

#[test]
fn c() {
    let before = "struct point { int x; };\n\nint area(int a);\n";
    let after = "struct point { int x; int y; };\n\nint area(int a, int b);\n";
    let found = judged(
        ("CMakeLists.txt", "project(v)\n"),
        "include/v.h",
        before,
        after,
    );
    assert_eq!(
        found,
        [
            "area breaking takes something else",
            "point.y unknown another layout for what was compiled before",
        ]
    );
}

/// What a language shows to the library alone is nobody else's, whatever becomes of it.
#[test]
fn what_is_the_librarys_own_breaks_nobody() {
    let cargo = (
        "Cargo.toml",
        "[package]\nname = \"v\"\nversion = \"1.0.0\"\n",
    );
    let rust = "pub fn all(a: u8) {}\npub(crate) fn own(a: u8) {}\npub(super) struct Inner(u8);\npub(in crate::a) fn near() {}\n\
        pub mod m {\n    pub(crate) fn deep() {}\n}\n";
    assert_eq!(
        judged(cargo, "src/lib.rs", rust, "pub mod m {}\n"),
        ["all breaking"]
    );
    let gradle = ("build.gradle.kts", "plugins { `java-library` }\n");
    let kotlin = "package v\n\nfun all(a: Int) {}\n\ninternal fun own(a: Int) {}\n\ninternal class Inner {\n    fun f() {}\n}\n\n\
        private fun hidden() {}\n";
    assert_eq!(
        judged(gradle, "src/main/kotlin/v/V.kt", kotlin, "package v\n"),
        ["all breaking"]
    );
    let java = "package v;\n\nclass Own {\n    public void f() {}\n}\n\npublic class All {\n    void near() {}\n    protected void \
        below() {}\n    public int size;\n\n    public interface Shown {\n        void get();\n    }\n}\n";
    assert_eq!(
        judged(
            gradle,
            "src/main/java/v/All.java",
            java,
            "package v;\n\nclass Own {}\n\npublic class All {}\n"
        ),
        [
            "All.Shown breaking",
            "All.below breaking",
            "All.size breaking"
        ]
    );
    let project = ("v.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\"/>\n");
    let csharp = "namespace V;\n\nclass Own {\n    public void F() {}\n}\n\ninternal class Inner {\n    public void G() {}\n}\n\n\
        public class All {\n    internal void Near() {}\n    public void H() {}\n}\n\npartial class Half {\n    public void I() {}\n}\n";
    let after = "namespace V;\n\nclass Own {}\n\ninternal class Inner {}\n\npublic class All {}\n\npartial class Half {}\n";
    assert_eq!(
        judged(project, "V.cs", csharp, after),
        ["All.H breaking", "Half.I breaking"]
    );
    let package = (
        "Package.swift",
        "// swift-tools-version:5.5\nlet package = Package(name: \"V\")\n",
    );
    let swift = "struct Own {\n    public func f() {}\n}\n\npublic struct All {\n    func near() {}\n    public func g() {}\n}\n\n\
        public protocol Shown {\n    func get()\n}\n";
    let after = "struct Own {}\n\npublic struct All {}\n\npublic protocol Shown {}\n";
    assert_eq!(
        judged(package, "Sources/V/V.swift", swift, after),
        ["All.g breaking", "Shown.get breaking"]
    );
}

/// A namespace is found where it is imported, whichever of its files says what.
#[test]
fn a_move_within_a_namespace_breaks_nobody() {
    let compatibility = |manifest: (&str, &str), from: &str, to: &str, text: &str, other: &str| {
        let repo = TestRepo::init();
        repo.write(manifest.0, manifest.1).write(from, text);
        repo.write(to, other);
        repo.commit("one");
        repo.write(from, other).write(to, text);
        let out = repo.sverklo(&["diff", "HEAD", "--json", "--budget", "20000"]);
        let answer: Value = serde_json::from_str(&out.stdout).unwrap();
        let all = answer["symbols"].as_array().unwrap().clone();
        let moved = all
            .iter()
            .find(|one| one["name"] == "Total")
            .expect("it moved");
        assert_eq!(moved["change"][0], "moved", "{moved}");
        moved["compatibility"].as_str().unwrap().to_owned()
    };
    let go = "package v\n\nfunc Total(a int, b int) int {\n\tsum := a + b\n\tif sum > 10 {\n\t\treturn 10\n\t}\n\treturn sum\n}\n";
    let module = ("go.mod", "module example.com/v\n\ngo 1.19\n");
    assert_eq!(
        compatibility(module, "a.go", "b.go", go, "package v\n"),
        "internal"
    );
    let other = go.replace("package v", "package w");
    assert_eq!(
        compatibility(module, "a/a.go", "b/b.go", &other, "package w\n"),
        "breaking"
    );
}
