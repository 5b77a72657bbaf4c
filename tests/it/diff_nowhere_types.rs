//! Members and types that were written with the change and lead nowhere, in languages that say of each type what may be in it.

use super::diff_nowhere::told;
use super::harness::TestRepo;

/// What a change that adds a file is told, in a repository of some others.
fn added(before: &[(&str, &str)], path: &str, text: &str) -> Vec<String> {
    let repo = TestRepo::init();
    for (path, text) in before {
        repo.write(path, *text);
    }
    repo.commit("one");
    repo.write(path, text);
    let mut told = told(&repo);
    told.sort_by_key(|one| {
        let line = one.split([':', ' ']).nth(1);
        line.and_then(|line| line.parse::<u32>().ok())
    });
    told
}

/// Asserts that none of some files is told anything.
fn none_is_told(before: &[(&str, &str)], path: &str, rows: &[&str]) {
    let rows = rows.iter().map(|text| (added(before, path, text), text));
    let wrong: Vec<_> = rows.filter(|(told, _)| !told.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const PHP: &[(&str, &str)] = &[
    (
        "composer.json",
        "{\"autoload\": {\"psr-4\": {\"App\\\\\": \"src/\"}}}\n",
    ),
    (
        "src/Cart.php",
        "<?php\nnamespace App;\n\nclass Cart\n{\n    public function add(int $x): static { return $this; }\n}\n",
    ),
    (
        "src/Any.php",
        "<?php\nnamespace App;\n\nclass Any\n{\n    public function __call($name, $given) { return $name; }\n}\n",
    ),
    (
        "src/Shop.php",
        "<?php\nnamespace App;\n\nclass Shop\n{\n    public function cart(): Cart { return new Cart(); }\n}\n",
    ),
];

#[test]
fn members_and_types_that_php_does_not_have_are_told() {
    let text = "<?php\nnamespace App;\n\nuse App\\Basket;\n\nclass Use1\n{\n    private Cart $cart;\n\n    \
                public function own(Cart $given, Shop $shop)\n    {\n        $made = new Cart();\n        $made->drawAll();\n        \
                $given->drawSome();\n        $this->cart->drawOne();\n        $this->drawNone();\n        Cart::drawTwo();\n        \
                $shop->cart()->drawThree();\n        $given->ADD(1);\n    }\n}\n";
    assert_eq!(
        added(PHP, "src/Use1.php", text),
        [
            "src/Use1.php:4 App\\Basket",
            "src/Use1.php:13 Cart",
            "src/Use1.php:14 Cart",
            "src/Use1.php:15 Cart",
            "src/Use1.php:16 Use1",
            "src/Use1.php:17 Cart",
            "src/Use1.php:18 Cart",
        ]
    );
}

#[test]
fn what_may_be_there_in_php_is_not_told() {
    let rows = [
        "<?php\nnamespace App;\nfunction f(Any $x) { $x->drawAll(); }\n",
        "<?php\nnamespace App;\nfunction f(Cart|Any $x) { $x->drawAll(); }\n",
        "<?php\nnamespace App;\nfunction f(Cart $x) { $x = $x ?? other(); $x->drawAll(); }\n",
        "<?php\nnamespace App;\nfunction f(Cart $x) { if ($x instanceof Any) { $x->drawAll(); } }\n",
        "<?php\nnamespace App;\nfunction f(Cart $x) { if (method_exists($x, 'draw')) { $x->drawAll(); } }\n",
        "<?php\nnamespace App;\n/**\n * @param Cart&Any $x\n */\nfunction f(Cart $x) { $x->drawAll(); }\n",
        "<?php\nnamespace App;\nclass A extends \\Lib\\Base { function f() { $this->drawAll(); } }\n",
        "<?php\nnamespace App;\nclass A { use \\Lib\\Draws; function f() { $this->drawAll(); } }\n",
        "<?php\nnamespace App;\nclass A { function f($m) { $m->map(function () { $this->drawAll(); }); } }\n",
        "<?php\nnamespace App;\n/** @mixin Any */\nclass A { function f() { $this->drawAll(); } }\n",
        "<?php\nnamespace App;\nclass A { function f() { $this->own(); } function own() {} }\nclass B extends A { use \\Lib\\Draws; }\n\
         function g(A $a) { $a->drawAll(); }\n",
        "<?php\nnamespace App;\nfunction f(Cart $x) { $x->shouldReceive('add'); }\n",
        "<?php\nnamespace App;\nuse Lib\\Basket;\nuse App\\Generated\\Client;\nfunction f(Basket $x, Client $y) {}\n",
    ];
    none_is_told(PHP, "src/new.php", &rows);
}

const JAVA: &[(&str, &str)] = &[
    (
        "src/com/acme/Cart.java",
        "package com.acme;\npublic class Cart {\n  Cart add(int x) { return this; }\n  java.util.Optional<Cart> next() { return null; }\n}\n",
    ),
    (
        "src/com/acme/Made.java",
        "package com.acme;\nimport lombok.Getter;\n@Getter\npublic class Made {\n  private int size;\n}\n",
    ),
];

#[test]
fn members_and_types_that_java_does_not_have_are_told() {
    let text = "package com.acme.use;\nimport com.acme.Cart;\nimport com.acme.Basket;\nclass Use {\n  Cart own;\n  \
                void f(Cart cart) {\n    cart.drawAll();\n    this.own.drawSome();\n    cart.add(1).drawOne();\n    var made = new Cart();\n    \
                made.drawTwo();\n    this.drawThree();\n    Cart.drawFour();\n  }\n}\n";
    assert_eq!(
        added(JAVA, "src/com/acme/use/Use.java", text),
        [
            "src/com/acme/use/Use.java:3 com.acme.Basket",
            "src/com/acme/use/Use.java:7 Cart",
            "src/com/acme/use/Use.java:8 Cart",
            "src/com/acme/use/Use.java:9 Cart",
            "src/com/acme/use/Use.java:11 Cart",
            "src/com/acme/use/Use.java:12 Use",
            "src/com/acme/use/Use.java:13 Cart",
        ]
    );
}

#[test]
fn what_may_be_there_in_java_is_not_told() {
    let head = "package com.acme;\nclass Use {\n";
    let rows = [
        "  void f(Made made) { made.getSize(); }\n}\n",
        "  void f(Cart cart) { cart.getClass(); cart.next().isPresent(); }\n}\n",
        "  void f(java.util.Optional<Cart> cart) { cart.orElseThrow(); }\n}\n",
        "  void f(Cart[] carts) { carts.drawAll(); }\n  void g(Cart... carts) { carts.drawAll(); }\n}\n",
        "  Object f() { return new Lib() { void g() { this.drawAll(); } }; }\n}\n",
        "  void f(Sub sub) { sub.drawAll(); }\n}\nclass Sub extends org.lib.Base {}\n",
        "  void f(Cart cart) { g(cart -> cart.drawAll()); }\n}\n",
    ];
    let rows: Vec<String> = rows.iter().map(|row| format!("{head}{row}")).collect();
    let mut rows: Vec<&str> = rows.iter().map(|row| &row[..]).collect();
    rows.push("package com.acme;\nimport com.acme.CartMapper;\nimport com.acme.CartBinding;\nimport com.acme.QThing;\nimport org.lib.Other;\nclass Use {}\n");
    none_is_told(JAVA, "src/com/acme/Use.java", &rows);
}

const RUBY: &[(&str, &str)] = &[
    (
        "lib/cart.rb",
        "class Cart\n  attr_reader :size\n\n  def add(x)\n    x\n  end\n\n  def self.make\n    new\n  end\nend\n",
    ),
    (
        "lib/any.rb",
        "class Any\n  def method_missing(name)\n    name\n  end\nend\n",
    ),
];

#[test]
fn members_and_files_that_ruby_does_not_have_are_told() {
    let text = "require_relative 'cart'\nrequire_relative 'basket'\n\nclass Use\n  def f\n    cart = Cart.new\n    cart.draw_all\n    \
                Cart.draw_some(1)\n    Cart.new.draw_one\n    self.draw_two(1)\n    cart.add(1)\n  end\nend\n";
    assert_eq!(
        added(RUBY, "lib/use.rb", text),
        [
            "lib/use.rb:2 ./basket",
            "lib/use.rb:7 Cart",
            "lib/use.rb:8 Cart",
            "lib/use.rb:9 Cart",
            "lib/use.rb:10 Use",
        ]
    );
}

#[test]
fn what_may_be_there_in_ruby_is_not_told() {
    let rows = [
        "class Use\n  def f\n    Any.new.draw_all\n  end\nend\n",
        "class A < Lib::Base\n  def f\n    self.draw_all\n  end\nend\n",
        "class A\n  include Lib::Draws\n  def f\n    self.draw_all\n  end\nend\n",
        "class A\n  draws :all\n  def f\n    self.draw_all\n  end\nend\n",
        "class A\n  %w[all].each { |n| define_method(\"draw_#{n}\") { n } }\n  def f\n    self.draw_all\n  end\nend\n",
        "class A\n  def f\n    g { self.draw_all }\n  end\nend\n",
        "class A\n  def f(x)\n    x = Cart.new\n    x.draw_all\n  end\nend\n",
        "class A\n  def f\n    x = Cart.new\n    x.extend(Lib)\n    x.draw_all\n  end\nend\n",
        "class A\n  def f\n    x = Cart.new\n    x.draw_all\n  rescue NoMethodError\n    1\n  end\nend\n",
        "class Cart\n  draws :all\nend\n\nclass A\n  def f\n    Cart.new.draw_all\n  end\nend\n",
        "class A\n  def f\n    Cart.new.must_be_nice\n  end\nend\n",
        "begin\n  require_relative 'native'\nrescue LoadError\n  1\nend\nrequire_relative 'other' if RUBY_VERSION > '3'\n",
    ];
    none_is_told(RUBY, "lib/new.rb", &rows);
}

#[test]
fn members_that_types_of_rust_do_not_have_are_told() {
    let cart =
        "#[derive(Clone, Debug)]\npub struct Cart;\n\nimpl Cart {\n    pub fn add(&self) {}\n}\n";
    let before = [
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/lib.rs", "mod cart;\nmod more;\n"),
        ("src/cart.rs", cart),
    ];
    let head = "use crate::cart::Cart;\n\n";
    let told = [
        "fn f(cart: &Cart) {\n    cart.draw_all();\n    Cart::draw_some();\n}\n",
        "struct Own;\nimpl Own {\n    fn f(&self) {\n        self.draw_all();\n        Self::draw_some();\n    }\n}\n",
    ];
    for text in told {
        let found = added(&before, "src/more.rs", &format!("{head}{text}"));
        assert_eq!(found.len(), 2, "{text}: {found:?}");
    }
    let rows = [
        "use tap::Tap;\nfn f(cart: &Cart) {\n    cart.draw_all();\n}\n",
        "use lib::prelude::*;\nfn f(cart: &Cart) {\n    cart.draw_all();\n}\n",
        "fn f(cart: &Cart) {\n    cart.clone().to_owned();\n    Cart::default();\n}\n",
        "fn f(cart: Option<Cart>) {\n    cart.draw_all();\n}\n",
        "#[derive(Parser)]\nstruct Own;\nfn f(own: &Own) {\n    own.draw_all();\n}\n",
        "struct Own;\nimpl lib::Draws for Own {}\nfn f(own: &Own) {\n    own.draw_all();\n}\n",
        "struct Own;\nimpl Own {\n    methods! {}\n}\nfn f(own: &Own) {\n    own.draw_all();\n}\n",
        "fn f(cart: &Cart) {\n    let cart = other(cart);\n    cart.draw_all();\n}\n",
    ];
    let rows: Vec<String> = rows.iter().map(|row| format!("{head}{row}")).collect();
    let rows: Vec<&str> = rows.iter().map(|row| &row[..]).collect();
    none_is_told(&before, "src/more.rs", &rows);
}

#[test]
fn members_that_types_of_csharp_and_kotlin_do_not_have_are_told() {
    let before = [(
        "src/Cart.cs",
        "namespace Acme {\n  public class Cart {\n    public Cart Add(int x) { return this; }\n  }\n  \
         public partial class Half {\n    public void Own() { }\n  }\n}\n",
    )];
    let text = "using System;\nnamespace Acme {\n  class Use {\n    void F(Cart cart) {\n      cart.DrawAll();\n      this.DrawSome();\n      \
                cart.Add(1).DrawOne();\n      cart.ToString();\n    }\n  }\n}\n";
    let found = added(&before, "src/Use.cs", text);
    assert_eq!(
        found,
        [
            "src/Use.cs:5 Acme.Cart",
            "src/Use.cs:6 Acme.Use",
            "src/Use.cs:7 Acme.Cart"
        ]
    );
    let rows = [
        "using Lib;\nnamespace Acme {\n  class Use {\n    void F(Cart cart) { cart.DrawAll(); }\n  }\n}\n",
        "namespace Acme {\n  class Use {\n    void F(Half half) { half.DrawAll(); }\n  }\n}\n",
        "namespace Acme {\n  class Use {\n    void F(Cart[] carts, Lazy<Cart> one) { carts.DrawAll(); one.DrawSome(); }\n  }\n}\n",
    ];
    none_is_told(&before, "src/Use.cs", &rows);
    let taking = [
        before[0],
        (
            "Directory.Build.props",
            "<Project><ItemGroup><Using Include=\"Shouldly\" /></ItemGroup></Project>\n",
        ),
    ];
    assert_eq!(added(&taking, "src/Use.cs", text), [""; 0]);

    let before = [(
        "src/Cart.kt",
        "package acme\n\nclass Cart {\n    fun add(x: Int): Cart = this\n}\n",
    )];
    let text = "package acme\n\nimport acme.Basket\n\nclass Use {\n    fun f(cart: Cart) {\n        cart.drawAll()\n        this.drawSome()\n        \
                Cart().drawOne()\n        cart.let { it }\n    }\n}\n";
    assert_eq!(
        added(&before, "src/Use.kt", text),
        [
            "src/Use.kt:3 acme.Basket",
            "src/Use.kt:7 Cart",
            "src/Use.kt:8 Use",
            "src/Use.kt:9 Cart"
        ]
    );
    let rows = [
        "package acme\n\nimport lib.*\n\nfun f(cart: Cart) = cart.drawAll()\n",
        "package acme\n\nimport lib.drawAll\n\nfun f(cart: Cart) = cart.drawAll()\n",
        "package acme\n\nfun f(vararg carts: Cart) = carts.drawAll()\n",
        "package acme\n\nfun f(cart: Cart) { if (cart is Lib) cart.drawAll() }\n",
        "package acme\n\nimport lib.Serializable\n\n@Serializable\nclass Own\n\nfun f(own: Own) = own.drawAll()\n",
    ];
    none_is_told(&before, "src/Use.kt", &rows);
}

#[test]
fn members_that_types_of_swift_do_not_have_are_told() {
    let before = [(
        "Sources/Cart.swift",
        "struct Cart {\n    func add(x: Int) {}\n}\n",
    )];
    let text = "struct Use {\n    func f(cart: Cart) {\n        cart.add(x: 1)\n        self.drawSome()\n    }\n}\n";
    assert_eq!(
        added(&before, "Sources/Use.swift", text),
        ["Sources/Use.swift:4 Use"]
    );
    let rows = [
        "extension Cart: Lib {}\nfunc f(cart: Cart) {\n    cart.drawAll()\n}\n",
        "func f(cart: Cart...) {\n    cart.drawAll()\n}\n",
        "@Observable struct Own {\n    func f() { self.drawAll() }\n}\n",
        "struct Own {\n    func f() { self.drawAll() }\n}\nextension Own: Lib {}\n",
        "func f(cart: Cart?) {\n    cart.drawAll()\n}\n",
    ];
    none_is_told(&before, "Sources/Use.swift", &rows);
}
