//! What looks dead and is not: what is used in ways that a language, a tool or another language has. Beside each stands what
//! is dead.

use super::harness::TestRepo;
use super::verdict::all;

/// What `audit unused` says of the definitions that it lists, in the order of their names.
fn unused(repo: &TestRepo) -> Vec<String> {
    let listed = repo
        .sverklo(&["audit", "unused", "--json", "--limit", "100"])
        .success();
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let findings = listed["findings"].as_array().unwrap();
    let mut said: Vec<String> = findings
        .iter()
        .map(|found| {
            let name = found["name"].as_str().or(found["path"].as_str()).unwrap();
            format!("{name} {}", found["verdict"].as_str().unwrap())
        })
        .collect();
    said.sort();
    said
}

#[test]
fn what_a_header_declares_in_a_namespace_or_a_nested_class_is_used_through_it() {
    let repo = TestRepo::init();
    repo.write(
        "src/tools.h",
        "namespace Tools {\n    int used(int a);\n    int stale(int a);\n    \
         struct Outer { struct Result { bool isInfo() const; bool never() const; }; };\n    \
         inline int twice(int a) { return inner(a); }\n    int inner(int a);\n}\n\
         class Dialog {\n    class Model { public: Model(); void toggle(int i); void idle(); };\n    Model m;\n};\n",
    )
    .write(
        "src/tools.cpp",
        "#include \"tools.h\"\nnamespace Tools {\n    int used(int a) { return a; }\n    int stale(int a) { return a + 1; }\n    \
         int inner(int a) { return a; }\n    \
         bool Outer::Result::isInfo() const { return true; }\n    bool Outer::Result::never() const { return true; }\n}\n\
         Dialog::Model::Model() {}\nvoid Dialog::Model::toggle(int i) { (void)i; }\nvoid Dialog::Model::idle() {}\n",
    )
    .write(
        "src/other.h",
        "namespace Other {\n    int used(int a);\n    int one(int a);\n}\n",
    )
    .write(
        "src/other.cpp",
        "#include \"other.h\"\nnamespace Other {\n    int used(int a) { return a; }\n    int one(int a) { return a; }\n}\n",
    )
    .write(
        "src/main.cpp",
        "#include \"tools.h\"\n#include \"other.h\"\nint main(int argc, char** argv) {\n    Tools::Outer::Result r;\n    \
         if (r.isInfo()) { return Tools::used(argc) + Tools::twice(1); }\n    Dialog::Model m;\n    m.toggle(1);\n    \
         return Other::one(1);\n}\n",
    );
    repo.commit("parts");
    assert_eq!(
        unused(&repo),
        [
            "Model.idle unreached",
            "Other.used unreached",
            "Tools.Result.never unreached",
            "Tools.stale unreached",
        ]
    );
    let refs = repo.sverklo(&["refs", "Tools.used"]).success();
    assert!(refs.contains("1 use in 1 file, 1 resolved"), "{refs}");
    all(&repo, &[("Tools.stale", "0 uses, nothing uses it")]);
}
