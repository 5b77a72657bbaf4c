//! Names that mean several things at once, and objects whose types are only said around them, in C# and PHP.

use crate::harness::TestRepo;
use crate::typed::uses_in;

#[track_caller]
fn of(repo: &TestRepo, path: &str, target: &str) -> Vec<String> {
    uses_in(repo, path, target)
}

const NOTHING: [&str; 0] = [];

#[test]
fn a_namespace_may_have_many_files() {
    let repo = TestRepo::init();
    for i in 0..70 {
        let text = format!("namespace Shop.Stock\n{{\n    class Item{i:02} {{ }}\n}}\n");
        repo.write(format!("Stock/Item{i:02}.cs"), text);
    }
    repo.write(
        "Other/Item69.cs",
        "namespace Shop.Other\n{\n    class Item69 { }\n}\n",
    )
    .write(
        "Use.cs",
        "using Shop.Stock;\n\nnamespace App\n{\n    class Use\n    {\n        Item00 first;\n        Item69 last;\n    }\n}\n",
    );
    repo.commit("many");
    assert_eq!(of(&repo, "Use.cs", "Shop.Stock.Item00"), ["7 resolved"]);
    assert_eq!(of(&repo, "Use.cs", "Shop.Stock.Item69"), ["8 resolved"]);
}

#[test]
fn a_member_of_csharp_may_be_called_like_its_type() {
    let repo = TestRepo::init();
    repo.write(
        "Color.cs",
        "namespace Shop\n{\n    public enum Color { Red }\n    public class Brush\n    {\n        public int Red;\n    }\n}\n",
    )
    .write(
        "Box.cs",
        "namespace Shop\n{\n    public class Box\n    {\n        public Color Color { get; set; }\n        \
         public Brush Brush { get; } = new Brush();\n        public Box(Color color) { Color = color; }\n        \
         public bool Hot() => Color == Color.Red && Brush.Red > 0;\n    }\n}\n",
    );
    repo.commit("color");
    assert_eq!(
        of(&repo, "Box.cs", "Shop.Color"),
        ["5 resolved", "7 resolved", "8 resolved"]
    );
    assert_eq!(of(&repo, "Box.cs", "Shop.Color.Red"), ["8 resolved"]);
    assert_eq!(
        of(&repo, "Box.cs", "Shop.Box.Color"),
        ["7 resolved", "8 resolved"]
    );
    assert_eq!(of(&repo, "Box.cs", "Shop.Brush"), ["6 resolved"]);
    // An object has a field that its class does not give.
    assert_eq!(of(&repo, "Box.cs", "Shop.Box.Brush"), ["8 resolved"]);
    assert_eq!(of(&repo, "Box.cs", "Shop.Brush.Red"), ["8 resolved"]);
}

#[test]
fn objects_of_csharp_are_filled_by_their_members() {
    let repo = TestRepo::init();
    repo.write(
        "Pets.cs",
        "namespace Pets\n{\n    public class Dog { public string Name; public Tail Tail; }\n    \
         public class Tail { public int Length; public string Name; }\n    \
         public class Cat { public string Name; public int Length; }\n}\n",
    )
    .write(
        "Use.cs",
        "namespace Pets\n{\n    class Use\n    {\n        string Name;\n        void Run(Dog old)\n        {\n            \
         var dog = new Dog { Name = \"a\", Tail = { Length = 1 } };\n            \
         Dog young = new() { Name = \"b\" };\n            \
         var other = old with { Name = \"c\" };\n            \
         var nobody = new { Name = \"d\", Length = 2 };\n        }\n    }\n}\n",
    );
    repo.commit("pets");
    let of = |target: &str| of(&repo, "Use.cs", target);
    assert_eq!(
        of("Pets.Dog.Name"),
        ["8 resolved", "9 resolved", "10 resolved"]
    );
    assert_eq!(of("Pets.Dog.Tail"), ["8 resolved"]);
    assert_eq!(of("Pets.Tail.Length"), ["8 resolved"]);
    for never in [
        "Pets.Tail.Name",
        "Pets.Cat.Name",
        "Pets.Cat.Length",
        "Pets.Use.Name",
    ] {
        assert_eq!(of(never), NOTHING, "{never}");
    }
}

#[test]
fn lambdas_of_csharp_take_what_they_are_handed() {
    let repo = TestRepo::init();
    repo.write(
        "Pets.cs",
        "namespace Pets\n{\n    public class Dog { public int Age; }\n    public class Cat { public int Age; }\n}\n",
    )
    .write(
        "Use.cs",
        "namespace Pets\n{\n    class Use\n    {\n        Func<Dog, int> ages = dog => dog.Age;\n        \
         Func<string, Dog, int> second = (name, dog) => dog.Age;\n        \
         Func<int, Dog> made = x => x.Age;\n        \
         Predicate<Cat> Old() { return cat => cat.Age > 9; }\n        \
         void Run(IEnumerable<Dog> dogs, List<Cat> cats)\n        {\n            \
         dogs.Where(d => d.Age > 1).OrderBy(d => d.Age);\n            \
         cats?.Any((c) => c.Age > 1);\n            \
         cats.Select(c => Name(c)).Where(n => n.Age > 1);\n        }\n    }\n}\n",
    );
    repo.commit("pets");
    let of = |target: &str| of(&repo, "Use.cs", target);
    let sure = |target: &str| {
        let all = of(target).into_iter();
        all.filter(|line| line.ends_with("resolved"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        sure("Pets.Dog.Age"),
        ["5 resolved", "6 resolved", "11 resolved"]
    );
    assert_eq!(sure("Pets.Cat.Age"), ["8 resolved", "12 resolved"]);
}

#[test]
fn namespaces_of_csharp_may_be_written_in_full() {
    let repo = TestRepo::init();
    repo.write(
        "Res.cs",
        "namespace App.Properties\n{\n    class Texts { public static string Hello; }\n}\n",
    )
    .write(
        "Other.cs",
        "namespace Other\n{\n    class Greeting { public string Hello; }\n}\n",
    )
    .write(
        "Use.cs",
        "namespace App\n{\n    class Use\n    {\n        string a = Properties.Texts.Hello;\n        \
         string b = App.Properties.Texts.Hello;\n    }\n}\n",
    );
    repo.commit("in full");
    assert_eq!(
        of(&repo, "Use.cs", "App.Properties.Texts.Hello"),
        ["5 resolved", "6 resolved"]
    );
    assert_eq!(of(&repo, "Use.cs", "Other.Greeting.Hello"), NOTHING);
}

#[test]
fn a_class_of_php_may_be_called_like_a_namespace() {
    let repo = TestRepo::init();
    repo.write(
        "src/Node/Expr.php",
        "<?php\nnamespace App\\Node;\nclass Expr {\n    const KIND = 1;\n}\n",
    )
    .write(
        "src/Node/Expr/Call.php",
        "<?php\nnamespace App\\Node\\Expr;\nclass Call {}\nfunction make() {}\n",
    )
    .write(
        "src/Stmt/Call.php",
        "<?php\nnamespace App\\Stmt;\nclass Call {}\n",
    )
    .write(
        "src/use.php",
        "<?php\nnamespace App;\nuse App\\Node\\Expr;\nuse function App\\Node\\Expr\\make;\n\
         function run(Expr $expr, Expr\\Call $call, Stmt\\Call $other) {\n    make();\n    \
         return Expr::KIND;\n}\n",
    );
    repo.commit("names");
    let of = |target: &str| of(&repo, "src/use.php", target);
    assert_eq!(
        of("src/Node/Expr.php::Expr#class"),
        ["3 resolved", "5 resolved", "7 resolved"]
    );
    assert_eq!(of("src/Node/Expr/Call.php::Call#class"), ["5 resolved"]);
    assert_eq!(of("src/Stmt/Call.php::Call#class"), ["5 resolved"]);
    assert_eq!(of("make"), ["4 resolved", "6 resolved"]);
    assert_eq!(of("KIND"), ["7 resolved"]);
}

#[test]
fn variables_of_php_are_what_was_put_in_them() {
    let repo = TestRepo::init();
    repo.write(
        "src/pets.php",
        "<?php\nnamespace Pets;\nclass Dog {\n    public $parent;\n    function next(): ?Dog {}\n    function bark() {}\n}\n\
         class Cat {\n    function next(): ?Cat {}\n    function bark() {}\n}\n",
    )
    .write(
        "src/use.php",
        "<?php namespace Pets;\nclass Use_ {\n    private $dog;\n    private static $cat;\n    \
         function __construct(Dog $given) { $this->dog = $given; }\n    \
         function bark() { $this->dog->bark(); }\n    \
         static function cat() { self::$cat = new Cat(); return self::$cat; }\n    \
         function run(Dog $first, $any, ?Dog $log = null) {\n        \
         while ($first) { $first = $first->next(); }\n        $first->bark();\n        \
         self::cat()->bark();\n        $parent = new Cat();\n        $parent->bark();\n        \
         if ($any instanceof Dog && $any->bark()) { $any->bark(); }\n        \
         if ($log === null) { $log = new Cat(); }\n        $log->bark();\n        $first->parent->bark();\n        \
         if (!$any instanceof Cat) { return; }\n        $any->bark();\n    }\n}\n",
    );
    repo.commit("pets");
    let of = |target: &str| of(&repo, "src/use.php", target);
    let sure = |target: &str| {
        let all = of(target).into_iter();
        all.filter(|line| line.ends_with("resolved"))
            .collect::<Vec<_>>()
    };
    assert_eq!(sure("src/pets.php::Dog.next#method"), ["9 resolved"]);
    assert_eq!(
        sure("src/pets.php::Dog.bark#method"),
        ["6 resolved", "10 resolved", "14 resolved", "16 resolved"]
    );
    assert_eq!(
        sure("src/pets.php::Cat.bark#method"),
        ["11 resolved", "13 resolved", "19 resolved"]
    );
    assert_eq!(sure("src/use.php::Use_.bark#method"), NOTHING);
    assert_eq!(of("src/pets.php::Dog.parent#field"), ["17 resolved"]);
}

#[test]
fn super_of_python_two_means_the_base() {
    let repo = TestRepo::init();
    repo.write(
        "app.py",
        "import threading\n\n\nclass Base:\n    def __init__(self):\n        pass\n\n    def go(self):\n        pass\n\n\n\
         class Sub(Base):\n    def __init__(self, x):\n        super(Sub, self).__init__()\n        super(\n            Sub, self\n        ).go()\n\n    \
         def go(self):\n        return self\n\n\nclass Job(threading.Thread):\n    def run(self):\n        super(Job, self).run()\n",
    );
    repo.commit("one");
    let said = repo.sverklo(&["refs", "Base.go"]).success();
    assert!(said.contains("  17 call in Sub.__init__: ).go()"), "{said}");
    let said = repo.sverklo(&["refs", "Base.__init__"]).success();
    assert!(said.contains("  14 call in Sub.__init__"), "{said}");
    // It is not its own, nor one that the repository has where the base is from elsewhere.
    let said = repo.sverklo(&["refs", "Sub.go"]).stdout;
    assert!(said.contains("def app.py:19-20 method Sub.go"), "{said}");
    assert!(!said.contains("17 call"), "{said}");
    let said = repo.sverklo(&["refs", "Job.run"]).success();
    assert!(said.contains("Job.run: 1 use in 1 file, by name"), "{said}");
}
