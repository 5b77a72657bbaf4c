//! `diff`: what is left behind where no edge leads from the use to what it means, and where a base, a declaration or
//! a page expects what is gone.

use crate::harness::TestRepo;

/// What `diff` says after files were written anew.
fn after(repo: &TestRepo, changes: &[(&str, &str)]) -> String {
    for (path, text) in changes {
        repo.write(path, text);
    }
    let said = repo.sverklo(&["diff", "HEAD"]).success();
    repo.git(&["checkout", "-q", "."]);
    said
}

#[test]
fn a_call_on_what_nothing_is_known_of_is_named_where_it_does_not_fit() {
    let repo = TestRepo::init();
    let model = "class User:\n    def ban_by(self, reason):\n        return reason\n";
    repo.write("app/model.py", model)
        .write("app/other.py", "class Domain:\n    def ban_by(self, reason):\n        return 1\n")
        .write(
            "app/view.py",
            "from lib import load\n\n\ndef view(key):\n    user = load(key).first()\n    user.ban_by(key)\n    \
             load(key).ban_by()\n    return user.ban_by(key, 1)\n",
        )
        .write("page.html", "<p>{{ user.ban_by(reason) }} ban_by</p>\n")
        .write("views/page.erb", "<p><%= user.ban_by(reason) %></p>\n");
    repo.commit("one");
    let more = model.replace("self, reason", "self, reason, why");
    let said = after(&repo, &[("app/model.py", &more)]);
    // The second gives nothing and never fitted, the third gives what is wanted now.
    assert!(said.contains("app/view.py:6 User.ban_by"), "{said}");
    assert!(!said.contains("app/view.py:7"), "{said}");
    assert!(!said.contains("app/view.py:8"), "{said}");
    assert!(said.contains("page.html:1 User.ban_by"), "{said}");
    assert!(said.contains("views/page.erb:1 User.ban_by"), "{said}");
    assert!(said.contains("3 places may be left behind"), "{said}");
    // Under a name that something else has, too, a rename names them as well.
    let renamed = model.replace("ban_by", "ban_for");
    let said = after(&repo, &[("app/model.py", &renamed)]);
    assert!(said.contains("app/view.py:6 User.ban_by"), "{said}");
    // What may be left out breaks nobody.
    let optional = model.replace("self, reason", "self, reason, why=None");
    let said = after(&repo, &[("app/model.py", &optional)]);
    assert!(said.contains("no use left behind\n"), "{said}");
}

#[test]
fn a_base_that_still_wants_what_was_renamed_is_named() {
    let repo = TestRepo::init();
    let rust = "pub trait Draw {\n    fn draw(&self) -> u32;\n    fn twice(&self) -> u32 {\n        self.draw()\n    }\n}\n";
    let circle = "use crate::draw::Draw;\n\npub struct Circle;\n\nimpl Draw for Circle {\n    fn draw(&self) -> u32 {\n        1\n    }\n    \
                  fn twice(&self) -> u32 {\n        3\n    }\n}\n";
    let php = "<?php\nclass Box extends Store {\n  public function delete($a) { return $a; }\n}\n";
    repo.write("src/lib.rs", "mod draw;\nmod circle;\n")
        .write("src/draw.rs", rust)
        .write("src/circle.rs", circle)
        .write(
            "web/Store.php",
            "<?php\nabstract class Store {\n  abstract public function delete($a);\n}\n",
        )
        .write("web/Box.php", php);
    repo.commit("one");
    let said = after(
        &repo,
        &[("src/circle.rs", &circle.replace("fn draw", "fn drawn"))],
    );
    assert!(
        said.contains("lack Draw.draw (wanted by src/draw.rs:2-2):\n  src/circle.rs:3 ~"),
        "{said}"
    );
    let said = after(&repo, &[("web/Box.php", &php.replace("delete", "remove"))]);
    assert!(
        said.contains("lack Store.delete (wanted by web/Store.php:3-3):\n  web/Box.php:2 ~"),
        "{said}"
    );
    // What the base does itself, nobody has to.
    let said = after(
        &repo,
        &[("src/circle.rs", &circle.replace("fn twice", "fn thrice"))],
    );
    assert!(!said.contains("lack "), "{said}");
    // What moves to another block of the type is there.
    let moved = circle.replace("fn draw(&self) -> u32 {\n        1\n    }\n    ", "");
    let moved = moved + "\nimpl Circle {\n    fn draw(&self) -> u32 {\n        1\n    }\n}\n";
    let said = after(&repo, &[("src/circle.rs", &moved)]);
    assert!(!said.contains("lack "), "{said}");
}

#[test]
fn an_event_overrides_no_method() {
    let repo = TestRepo::init();
    let base = "namespace Shop {\n    public class Base {\n        public virtual void Started(int x) { }\n        \
                public virtual void Stopped(int x) { }\n    }\n}\n";
    repo.write("Base.cs", base).write(
        "Desk.cs",
        "using System;\nnamespace Shop {\n    public class Desk : Base {\n        public new event Action<int> Started;\n        \
         public override void Stopped(int x) { }\n    }\n}\n",
    );
    repo.commit("one");
    let renamed = base.replace("Started", "Begun").replace("Stopped", "Ended");
    let said = after(&repo, &[("Base.cs", &renamed)]);
    assert!(said.contains("still override Shop.Base.Stopped"), "{said}");
    assert!(!said.contains("still override Shop.Base.Started"), "{said}");
}

#[test]
fn an_interface_of_go_still_wants_what_was_renamed() {
    let repo = TestRepo::init();
    let disk = "package disk\n\ntype Disk struct{}\n\nfunc New() *Disk {\n\treturn &Disk{}\n}\n\n\
                func (d *Disk) Load(key string) ([]byte, error) {\n\treturn nil, nil\n}\n\n\
                func (d *Disk) Keep(key string, data []byte) error {\n\treturn nil\n}\n\n\
                func (d *Disk) Label() string {\n\treturn \"\"\n}\n\n\
                func (d *Disk) Sweep(days int) {\n}\n";
    repo.write("go.mod", "module shop\n\ngo 1.22\n")
        .write(
            "store/store.go",
            "package store\n\ntype Store interface {\n\tLoad(key string) ([]byte, error)\n\tKeep(string, []byte) error\n}\n\n\
             type Labelled interface {\n\tLabel() string\n}\n\n\
             type Sweeper interface {\n\tSweep()\n\tLoad(key string) ([]byte, error)\n}\n\n\
             func Copy(from, to Store) error {\n\tdata, err := from.Load(\"a\")\n\tif err != nil {\n\t\treturn err\n\t}\n\t\
             return to.Keep(\"a\", data)\n}\n",
        )
        .write("disk/disk.go", disk)
        .write(
            "main.go",
            "package main\n\nimport (\n\t\"shop/disk\"\n\t\"shop/store\"\n)\n\nfunc main() {\n\t\
             store.Copy(disk.New(), disk.New())\n}\n",
        );
    repo.commit("one");
    let said = after(&repo, &[("disk/disk.go", &disk.replace("Keep(", "Save("))]);
    assert!(
        said.contains("lack Store.Keep (wanted by store/store.go:5-5):\n  disk/disk.go:3 ~"),
        "{said}"
    );
    // With other arguments it never fitted, and nobody hands it on as what has one method by chance.
    for (old, new) in [("Sweep(", "Tidy("), ("Label(", "Title(")] {
        let said = after(&repo, &[("disk/disk.go", &disk.replace(old, new))]);
        assert!(!said.contains("lack "), "{said}");
    }
    // What it embeds has it, or may have it.
    let renamed = disk.replace("Keep(", "Save(");
    let embedding = renamed.replace("struct{}", "struct {\n\tBase\n}\n\ntype Base struct{}\n\n\
                                     func (Base) Keep(key string, data []byte) error {\n\treturn nil\n}");
    let outside = renamed.replace("struct{}", "struct {\n\tother.Base\n}");
    for text in [embedding, outside] {
        let said = after(&repo, &[("disk/disk.go", &text)]);
        assert!(!said.contains("lack "), "{said}");
    }
}

#[test]
fn a_declaration_whose_definition_is_gone_is_named() {
    let repo = TestRepo::init();
    let utils = "#include \"utils.h\"\nvoid attach() {}\nvoid other() {}\n";
    repo.write("utils.h", "void attach();\nvoid other();\n")
        .write("utils.cpp", utils)
        .write(
            "main.cpp",
            "#include \"utils.h\"\nint main() {\n  attach();\n  return 0;\n}\n",
        );
    repo.commit("one");
    let said = after(
        &repo,
        &[("utils.cpp", &utils.replace("attach", "attached"))],
    );
    assert!(said.contains("still declare attach as it was (utils.cpp:2-2, now utils.cpp:2-2 function attached):\n  utils.h:1 ~"), "{said}");
    let said = after(
        &repo,
        &[("utils.cpp", "#include \"utils.h\"\nvoid other() {}\n")],
    );
    assert!(
        said.contains("still declare attach as it was (utils.cpp:2-2, gone):\n  utils.h:1 ~"),
        "{said}"
    );
    // It may be defined elsewhere.
    let moved = [
        ("utils.cpp", "#include \"utils.h\"\nvoid other() {}\n"),
        (
            "main.cpp",
            "void attach() {}\nint main() {\n  attach();\n}\n",
        ),
    ];
    let said = after(&repo, &moved);
    assert!(!said.contains("still declare"), "{said}");
}

#[test]
fn pages_read_what_accessors_give_as_properties() {
    let repo = TestRepo::init();
    let visit = "public class Visit {\n  private String text;\n  public String getDescription() { return text; }\n}\n";
    let song = "<?php\nclass Song {\n  public function storageMetadata() { return 1; }\n}\n";
    repo.write("src/Visit.java", visit)
        .write("src/main/resources/templates/visit.html", "<td th:text=\"${visit?.description}\">description</td>\n<input th:field=\"*{description}\"/>\n")
        .write("app/Song.php", song)
        .write("app/Use.php", "<?php\nfunction use_it($song) { return $song->storage_metadata; }\n");
    repo.commit("one");
    let said = after(
        &repo,
        &[(
            "src/Visit.java",
            &visit.replace("getDescription", "getWords"),
        )],
    );
    assert!(said.contains("2 text, as an attribute (src/main/resources/templates/visit.html:1 Visit.getDescription, src/main/resources/templates/visit.html:2"), "{said}");
    let said = after(
        &repo,
        &[("app/Song.php", &song.replace("storageMetadata", "metadata"))],
    );
    assert!(
        said.contains("1 text, as an attribute (app/Use.php:2 Song.storageMetadata)"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_judged_is_said() {
    let repo = TestRepo::init();
    let store = "export class Store {\n  fetchAll = async (id: string) => id;\n  go(id: string) {\n    return id;\n  }\n}\n";
    repo.write("src/store.ts", store).write(
        "src/use.ts",
        "import { Store } from './store';\n\nexport function run(store: Store, rest: any, args: any) {\n  \
         const { fetchAll } = store;\n  fetchAll('a');\n  rest.anything.fetchAll(...args);\n}\n",
    );
    repo.commit("one");
    let more = store.replace("async (id: string)", "async (id: string, depth: number)");
    let said = after(&repo, &[("src/store.ts", &more)]);
    assert!(
        said.contains("1 arguments not known (src/use.ts:6 Store.fetchAll)"),
        "{said}"
    );
    assert!(
        said.contains("1 handed on (src/use.ts:4 Store.fetchAll)"),
        "{said}"
    );
    // A name of two letters stands everywhere: nobody has looked.
    let more = store.replace("go(id: string)", "go(id: string, depth: number)");
    let said = after(&repo, &[("src/store.ts", &more)]);
    assert!(
        said.contains("no use left behind as far as was looked"),
        "{said}"
    );
    assert!(
        said.contains("1 name not looked for in all texts"),
        "{said}"
    );
}

#[test]
fn members_of_a_type_that_is_gone_are_told_with_it() {
    let repo = TestRepo::init();
    let cache = "package p;\n\nclass Cache {\n  int size;\n  int get(int key) { return key; }\n}\n";
    repo.write("src/p/Cache.java", cache)
        .write("src/p/Other.java", "package p;\n\nclass Other { int rest() { return 1; } }\n")
        .write(
            "src/p/Use.java",
            "package p;\n\nclass Use {\n  private final Cache cache = new Cache();\n  int one() {\n    cache.get(1);\n    cache\n        \
             .get(2);\n    return cache.size + new Cache().get(3);\n  }\n}\n",
        )
        .write(
            "web/use.ts",
            "import { Options } from './options';\n\nexport const options: Options = {\n  depth: 1,\n};\nexport const depth = \
             options.depth;\n",
        )
        .write("web/options.ts", "export interface Options {\n  depth: number;\n}\n")
        .write("web/rest.ts", "export const rest = 1;\n");
    repo.commit("one");
    repo.git(&["rm", "-q", "src/p/Cache.java", "web/options.ts"]);
    let said = repo.sverklo(&["diff", "HEAD"]).success();
    // Line 9 names the type itself; what is read of the value in it need not be told again.
    assert!(
        said.contains(
            "  src/p/Use.java:6,8 ~ in Use.one | a member of it\n\tcache.get(1);\n\t.get(2);\n"
        ),
        "{said}"
    );
    // The key of a literal is none.
    assert!(
        said.contains("  web/use.ts:6 ~ in depth | a member of it\n"),
        "{said}"
    );
    assert!(!said.contains("web/use.ts:4"), "{said}");
    repo.git(&["reset", "-q", "--hard"]);
    // The type has another name, and with that its members are there again; one of them has another name, too.
    let renamed = cache
        .replace("Cache", "Store")
        .replace("int get(", "int fetch(");
    let said = after(&repo, &[("src/p/Cache.java", &renamed)]);
    assert!(said.contains("still expect Cache ("), "{said}");
    assert!(
        said.contains(
            "now src/p/Cache.java:5-5 method Store.fetch):\n  src/p/Use.java:6,8 ~ in Use.one\n"
        ),
        "{said}"
    );
    assert!(!said.contains("a member of it"), "{said}");
}
