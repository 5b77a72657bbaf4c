//! What is used by markup, by bridges to other languages, by hosts of scripts, and by what computes a name. Beside each
//! stands what is dead.

use super::harness::TestRepo;
use super::verdict_alive::unused;

/// Names that `audit unused` calls dead.
fn dead(repo: &TestRepo) -> Vec<String> {
    let said = unused(repo);
    let dead = said.iter().filter_map(|one| one.strip_suffix(" unreached"));
    dead.map(str::to_owned).collect()
}

#[test]
fn bases_behind_conditions_and_macros_are_bases() {
    let repo = TestRepo::init();
    repo.write(
        "jobs.py",
        "import os\nfrom threads import Worker\n\n\nclass Job(Worker if os.name == 'nt' else object):\n    def handle(self):\n        return 1\n\n\n\
         class Plain:\n    def stale(self):\n        return 1\n\n\nif __name__ == '__main__':\n    Job()\n    Plain()\n",
    )
    .write(
        "view.h",
        "class LibExport Base\n{\n    LIB_OBJECT\npublic:\n    explicit Base(int a);\n    virtual int centre() const;\n    int zoom() { return centre(); }\n};\n\
         class LibExport View : public Base\n{\n    LIB_OBJECT\npublic:\n    explicit View(int a);\n    int centre() const override;\n    int stale() const;\n};\n",
    )
    .write(
        "view.cpp",
        "#include \"view.h\"\nBase::Base(int a) {}\nint Base::centre() const { return 1; }\nView::View(int a) : Base(a) {}\nint View::centre() const { return 2; }\n\
         int View::stale() const { return 3; }\nint main() { View view(1); return view.zoom(); }\n",
    )
    .write("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\n")
    .write(
        "src/main.rs",
        "flags! {\n    struct Flags: u8 {\n        const ONE = 1;\n        const TWO = 2;\n    }\n}\nfn main() {\n    let _ = Flags::ONE;\n}\n",
    );
    repo.commit("bases");
    assert_eq!(dead(&repo), ["Plain.stale", "View.stale"]);
}
