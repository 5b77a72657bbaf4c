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
