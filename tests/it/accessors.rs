//! Fields that are read and written through methods which no file has (Lombok, Kotlin's properties).

use crate::harness::TestRepo;
use crate::typed::uses_in;

fn java() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "src/shop/Owner.java",
        "package shop;\nimport lombok.Data;\n@Data\npublic class Owner extends outside.Base {\n    \
         private String name;\n    private boolean isOpen;\n    private String label;\n    \
         public String getLabel() { return label; }\n    boolean same(Owner other) { return getName().equals(other.getName()); }\n}\n",
    )
    .write(
        "src/shop/Dog.java",
        "package shop;\nimport lombok.*;\n@Getter\n@Setter\npublic class Dog {\n    private Owner owner;\n    private String name;\n}\n",
    )
    .write(
        "src/shop/Bare.java",
        "package shop;\npublic class Bare extends outside.Base {\n    private String name;\n}\n",
    )
    .write(
        "src/shop/Use.java",
        "package shop;\nimport java.util.List;\npublic class Use {\n    void use(Dog dog, Bare bare, List<Dog> dogs) {\n        \
         dog.setName(\"a\");\n        dog.getOwner().setName(dog.getName());\n        \
         dog.getOwner().setOpen(true);\n        dog.getOwner().getLabel();\n        bare.getName();\n        \
         dogs.stream().map(Dog::getName);\n        dog.issue();\n    }\n}\n",
    );
    repo.commit("java");
    repo
}

#[test]
fn fields_are_used_through_methods_that_a_library_writes() {
    let repo = java();
    let of = |target: &str| uses_in(&repo, "src/shop/Use.java", target);
    assert_eq!(of("Dog.name"), ["5 resolved", "6 resolved", "10 resolved"]);
    assert_eq!(of("Dog.owner"), ["6 resolved", "7 resolved", "8 resolved"]);
    assert_eq!(of("Owner.name"), ["6 resolved"]);
    assert_eq!(of("Owner.isOpen"), ["7 resolved"]);
    // A method that is written is what is called, and a base that is not here may have what the type does not say.
    assert_eq!(of("Owner.label"), Vec::<String>::new());
    assert_eq!(of("Owner.getLabel"), ["8 resolved"]);
    assert_eq!(of("Bare.name"), Vec::<String>::new());
    assert_eq!(
        uses_in(&repo, "src/shop/Owner.java", "Owner.name"),
        ["9 resolved"]
    );
}

#[test]
fn a_field_that_goes_leaves_its_accessors_behind() {
    let repo = java();
    // The graph is there, and what the edit changes is resolved anew.
    repo.sverklo(&["refs", "Dog.name"]).success();
    repo.write(
        "src/shop/Dog.java",
        "package shop;\nimport lombok.*;\n@Getter\n@Setter\npublic class Dog {\n    private Owner owner;\n    private String title;\n}\n",
    );
    let left = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(
        left.contains("still expect Dog.name") && left.contains("Use.java:5,6,10 in"),
        "{left}"
    );
    let of = |target: &str| uses_in(&repo, "src/shop/Use.java", target);
    assert_eq!(of("Dog.title"), Vec::<String>::new());
    repo.write(
        "src/shop/Dog.java",
        "package shop;\nimport lombok.*;\n@Getter\n@Setter\npublic class Dog {\n    private Owner owner;\n    String name;\n}\n",
    );
    assert_eq!(of("Dog.name"), ["5 resolved", "6 resolved", "10 resolved"]);
}

#[test]
fn kotlin_and_java_call_each_others_accessors() {
    let repo = TestRepo::init();
    repo.write(
        "src/shop/Owner.java",
        "package shop;\npublic class Owner {\n    public String getName() { return null; }\n    public void setName(String name) {}\n    public boolean isOpen() { return true; }\n}\n",
    )
    .write(
        "src/shop/Dog.kt",
        "package shop\n\nclass Dog(val owner: Owner, var isGood: Boolean) {\n    fun rename() {\n        owner.name = owner.name + \"x\"\n        if (owner.isOpen) println()\n    }\n}\n",
    )
    .write(
        "src/shop/Use.java",
        "package shop;\npublic class Use {\n    void use(Dog dog) {\n        dog.getOwner().getName();\n        dog.setGood(dog.isGood());\n    }\n}\n",
    );
    repo.commit("both");
    let kotlin = |target: &str| uses_in(&repo, "src/shop/Dog.kt", target);
    assert_eq!(kotlin("Owner.getName"), ["5 resolved"]);
    assert_eq!(kotlin("Owner.setName"), ["5 resolved"]);
    assert_eq!(kotlin("Owner.isOpen"), ["6 resolved"]);
    let java = |target: &str| uses_in(&repo, "src/shop/Use.java", target);
    assert_eq!(java("Dog.owner"), ["4 resolved"]);
    assert_eq!(java("Dog.isGood"), ["5 resolved"]);
}

/// Eloquent calls `scopeActive` as `active()`, on the class and on what is asked so far.
#[test]
fn scopes_of_eloquent_are_called_without_their_prefix() {
    let repo = TestRepo::init();
    repo.write(
        "app/Models/Book.php",
        "<?php\nnamespace App\\Models;\nuse Illuminate\\Database\\Eloquent\\Model;\n\nclass Book extends Model\n{\n    \
         public function scopeLent($query)\n    {\n        return $query->where('lent', 1);\n    }\n}\n",
    )
    .write(
        "app/Shelf.php",
        "<?php\nnamespace App;\nuse App\\Models\\Book;\n\nclass Shelf\n{\n    public function all($shelves)\n    {\n        \
         Book::lent()->get();\n        return $shelves->books()->lent()->get();\n    }\n\n    public function one($book)\n    {\n        \
         return ['lent' => $book->lent];\n    }\n}\n",
    );
    repo.commit("books");
    let of = |target: &str| uses_in(&repo, "app/Shelf.php", target);
    assert_eq!(of("Book.scopeLent"), ["9 resolved"]);
    let model = "<?php\nnamespace App\\Models;\nuse Illuminate\\Database\\Eloquent\\Model;\n\nclass Book extends Model\n{\n    \
         public function scopeGone($query)\n    {\n        return $query->where('lent', 1);\n    }\n}\n";
    repo.write("app/Models/Book.php", model);
    let left = repo.sverklo(&["diff", "HEAD"]).success();
    assert!(left.contains("app/Shelf.php:9 in Shelf.all"), "{left}");
    let perhaps = "1 more may be left behind: 1 unresolved (app/Shelf.php:10 Book.scopeLent)";
    assert!(left.contains(perhaps), "{left}");
}
