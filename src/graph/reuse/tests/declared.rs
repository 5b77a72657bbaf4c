//! What a third file says decides: a decorator, or a header.

use super::assert_seen;

/// What a decorator makes of a function is written in one file, the function in another, and its members are used in a third.
#[test]
fn what_decorators_make_is_seen_from_afar() {
    let files = [
        (
            "makers.py",
            "from typing import Callable\nclass Group:\n  def add(self): ...\nclass Other:\n  def add(self): ...\n\
             def group() -> Callable[[object], Group]: ...\ndef bare(f) -> Group: ...\n",
        ),
        (
            "commands.py",
            "from makers import bare, group, Other\n@group()\ndef cli() -> Other: ...\n@bare\ndef run() -> Other: ...\n",
        ),
        (
            "uses.py",
            "from commands import cli, run\ncli.add()\nrun.add()\ncli().add()\n",
        ),
    ];
    let rows = [
        ("object], Group]", "object], Other]"),
        ("-> Callable[[object], Group]", ""),
        ("bare(f) -> Group", "bare(f) -> Other"),
        ("bare(f) -> Group", "bare(f)"),
        ("  def add", "  def __get__(self): ...\n  def add"),
        ("@group()", "@bare"),
        ("@bare\n", ""),
    ];
    assert_seen(&files, &rows);
}

/// Whether objects of a class are asked for a value is written in the class or in a base of it, and decides for what is
/// decorated.
#[test]
fn what_asks_objects_for_a_value_is_seen_from_afar() {
    let files = [
        ("base.py", "class Base:\n  def __get__(self, o, t): ...\n"),
        (
            "made.py",
            "from base import Base\nclass D(Base):\n  def go(self): ...\nclass E:\n  def __get__(self, o, t): ...\n  def go(self): ...\n",
        ),
        (
            "makers.py",
            "from made import D, E\ndef one(f) -> D: ...\ndef two(f) -> E: ...\n",
        ),
        (
            "commands.py",
            "from makers import one, two\n@one\ndef f(): ...\n@two\ndef g(): ...\n",
        ),
        ("uses.py", "from commands import f, g\nf.go()\ng.go()\n"),
    ];
    let rows = [
        ("  def __get__(self, o, t): ...\n", "  pass\n"),
        ("E:\n  def __get__(self, o, t): ...\n", "E:\n"),
        ("class D(Base)", "class D"),
        ("class E:", "class E(Base):"),
    ];
    assert_seen(&files, &rows);
    let without: Vec<(&str, String)> = files
        .iter()
        .map(|(path, text)| (*path, text.replace("__get__", "__got__")))
        .collect();
    let without: Vec<(&str, &str)> = without
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let rows = [
        ("class Base:\n  def __got__", "class Base:\n  def __get__"),
        ("E:\n  def __got__", "E:\n  def __get__"),
    ];
    assert_seen(&without, &rows);
}

/// What a class gives in brackets is written in one of its parts, and asked for where nobody names the method (Ruby).
#[test]
fn what_classes_give_in_brackets_is_seen_from_afar() {
    let files = [
        ("a.rb", "class Resp\n  def go; end\nend\n"),
        (
            "b.rb",
            "class Resp\n  def self.[](x)\n    Foo.new\n  end\nend\n",
        ),
        (
            "f.rb",
            "class Foo\n  def go; end\nend\nclass Bar\n  def go; end\nend\n",
        ),
        (
            "k.rb",
            "class Kept\n  KEPT = Resp\n  def self.kept; Resp; end\nend\n",
        ),
        ("u.rb", "def x\n  Resp[1].go\nend\n"),
        (
            "v.rb",
            "def y\n  Kept::KEPT[1].go\n  Kept.kept[1].go\nend\n",
        ),
    ];
    let rows = [
        ("Foo.new", "Bar.new"),
        ("  def self.[](x)\n    Foo.new\n  end\n", ""),
        ("self.[](x)", "self.of(x)"),
        ("    Foo.new\n", "    other\n"),
    ];
    assert_seen(&files, &rows);
    let rows = [(
        "  def go; end\nend\n",
        "  def go; end\n  def self.[](x)\n    Bar.new\n  end\nend\n",
    )];
    assert_seen(&files, &rows);
}

/// What a header declares in a namespace is defined in one file and used in another.
#[test]
fn what_headers_declare_is_seen_from_afar() {
    let files = [
        (
            "a.h",
            "namespace n {\nvoid run();\nclass Outer {\n  class Inner {\n    void go();\n  };\n};\n}\n",
        ),
        (
            "a.cpp",
            "#include \"a.h\"\nnamespace n {\nvoid run() {}\nvoid Outer::Inner::go() {}\n}\n",
        ),
        (
            "b.cpp",
            "#include \"a.h\"\nnamespace n {\nvoid use(Outer::Inner& x) { run(); x.go(); }\n}\n",
        ),
        ("c.h", "#include \"a.h\"\n"),
        (
            "c.cpp",
            "#include \"c.h\"\nvoid all(n::Outer::Inner& x) { n::run(); x.go(); }\n",
        ),
    ];
    let rows = [
        ("void run();", "void ran();"),
        ("void run();", ""),
        ("void run() {}", "void ran() {}"),
        ("void go();", "void gone();"),
        ("class Inner", "class Other"),
        ("namespace n {\nvoid run();", "namespace m {\nvoid run();"),
        (
            "namespace n {\nvoid run() {}",
            "namespace m {\nvoid run() {}",
        ),
        (
            "#include \"a.h\"\nnamespace n {\nvoid run() {}",
            "namespace n {\nvoid run() {}",
        ),
        ("Outer::Inner::go", "Outer::go"),
    ];
    assert_seen(&files, &rows);
}
