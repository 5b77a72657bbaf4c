//! Names that are written in full, with the namespace they lie in and without an import.

use crate::harness::TestRepo;
use crate::typed::uses_in;

#[test]
fn classes_of_php_are_found_below_their_namespaces() {
    let repo = TestRepo::init();
    let another = "<?php\nnamespace Other;\nclass Text {\n  public function tidy() {}\n}\nfunction shorten() {}\n";
    repo.write(
        "src/Text.php",
        "<?php\nnamespace Acme\\Util;\nclass Text {\n  const MAX = 3;\n  public static function slug() {}\n  \
         public function tidy() {}\n}\nfunction shorten() {}\n",
    )
    .write("src/Other.php", another)
    .write("src/top.php", "<?php\nclass Plain { public function tidy() {} }\nfunction help() {}\n")
    .write(
        "app/Use.php",
        "<?php\nnamespace App;\nclass Use_ {\n  /** @var int */\n  private $p;\n  \
         public function a() { $x = new \\Acme\\Util\\Text(); return $x->tidy(); }\n  \
         public function b() { return \\Acme\\Util\\Text::slug() . \\Acme\\Util\\Text::MAX; }\n  \
         public function c(\\Acme\\Util\\Text $t): ?\\Acme\\Util\\Text { return $t->tidy(); }\n  \
         public function d() { return \\Acme\\Util\\shorten() . \\Acme\\Util\\Text::class; }\n  \
         public function e(\\Plain $p) { $p->tidy(); return \\help(); }\n  \
         public function f($acme) { return $acme->util->Text; }\n}\n",
    )
    .write(
        "src/Near.php",
        "<?php\nnamespace Acme;\nfunction near() { return new Util\\Text; }\n",
    );
    repo.commit("php");
    let of = |target: &str| uses_in(&repo, "app/Use.php", &format!("src/Text.php::{target}"));
    let text = of("Text#class");
    assert_eq!(
        text,
        ["6 resolved", "7 resolved", "8 resolved", "9 resolved"]
    );
    assert_eq!(of("Text.slug#method"), ["7 resolved"]);
    assert_eq!(of("Text.MAX#constant"), ["7 resolved"]);
    assert_eq!(of("Text.tidy#method"), ["6 resolved", "8 resolved"]);
    assert_eq!(of("shorten#function"), ["9 resolved"]);
    assert_eq!(
        uses_in(&repo, "src/Near.php", "src/Text.php::Text#class"),
        ["3 resolved"]
    );
    assert_eq!(
        uses_in(&repo, "app/Use.php", "src/Other.php::Text#class"),
        [""; 0]
    );
    assert_eq!(uses_in(&repo, "app/Use.php", "Plain"), ["10 inferred"]);
    assert_eq!(uses_in(&repo, "app/Use.php", "help"), ["10 inferred"]);
    assert_eq!(uses_in(&repo, "app/Use.php", "Plain.tidy"), ["10 inferred"]);
}

#[test]
fn classes_of_the_jvm_are_found_below_their_packages() {
    let repo = TestRepo::init();
    repo.write(
        "a/Text.java",
        "package com.acme.util;\npublic class Text {\n  public static String slug() { return null; }\n  \
         public String tidy() { return null; }\n}\n",
    )
    .write(
        "a/Other.java",
        "package other;\npublic class Text {\n  public String tidy() { return null; }\n}\n",
    )
    .write(
        "b/Use.java",
        "package app;\nclass Use {\n  String a() { return com.acme.util.Text.slug(); }\n  \
         String b(com.acme.util.Text t) { return t.tidy(); }\n  \
         com.acme.util.Text c() { return new com.acme.util.Text(); }\n  String d() { return c().tidy(); }\n  \
         String e(Use com) { return com.acme.util.Text.slug(); }\n}\n",
    )
    .write(
        "b/use.kt",
        "package app.k\n\nfun a(): String = com.acme.util.Text.slug()\n\
         fun b(t: com.acme.util.Text) = t.tidy()\n",
    )
    .write(
        "b/use.scala",
        "package com.acme\n\nobject Near {\n  def a(t: util.Text) = t.tidy()\n  def b() = _root_.com.acme.util.Text.slug()\n}\n",
    );
    repo.commit("jvm");
    let of = |file: &str, target: &str| uses_in(&repo, file, &format!("a/Text.java::{target}"));
    let java = "b/Use.java";
    assert_eq!(
        of(java, "Text#class"),
        ["3 resolved", "4 resolved", "5 resolved"]
    );
    // A parameter has the name: only the rest of it is left to go by.
    assert_eq!(of(java, "Text.slug#method"), ["3 resolved", "7 inferred"]);
    assert_eq!(of(java, "Text.tidy#method"), ["4 resolved", "6 resolved"]);
    assert_eq!(of("b/use.kt", "Text#class"), ["3 resolved", "4 resolved"]);
    assert_eq!(of("b/use.kt", "Text.tidy#method"), ["4 resolved"]);
    assert_eq!(of("b/use.scala", "Text.tidy#method"), ["4 resolved"]);
    assert_eq!(uses_in(&repo, java, "a/Other.java::Text#class"), [""; 0]);
}

#[test]
fn modules_of_elixir_are_found_by_their_whole_names() {
    let repo = TestRepo::init();
    repo.write(
        "lib/m.ex",
        "defmodule App.Billing.Behaviour do\n  @callback get(a :: integer) :: integer\nend\n\n\
         defmodule App.Billing.Local do\n  @behaviour App.Billing.Behaviour\n  @shortdoc \"pays\"\n  \
         def get(a), do: a\nend\n",
    )
    .write(
        "lib/other.ex",
        "defmodule Other.Local do\n  def get(a), do: a\nend\n",
    )
    .write(
        "lib/use.ex",
        "defmodule App.Use do\n  alias App.Billing\n  def a, do: App.Billing.Local.get(1)\n  \
         def b, do: Billing.Local.get(2)\n  def c, do: start(App.Billing.Local, [])\n  \
         def d, do: Other.Local.get(3)\nend\n",
    );
    repo.commit("elixir");
    let of = |path: &str, target: &str| uses_in(&repo, path, target);
    assert_eq!(of("lib/m.ex", "App.Billing.Behaviour"), ["6 resolved"]);
    let local = of("lib/use.ex", "App.Billing.Local");
    assert_eq!(local, ["3 resolved", "4 resolved", "5 resolved"]);
    let get = of("lib/use.ex", "App.Billing.Local.get");
    assert_eq!(get, ["3 resolved", "4 resolved"]);
    assert_eq!(of("lib/use.ex", "Other.Local.get"), ["6 resolved"]);
    let dead = repo.sverklo(&["audit", "unused"]);
    assert!(!dead.stdout.contains("shortdoc"), "{dead:?}");
}
