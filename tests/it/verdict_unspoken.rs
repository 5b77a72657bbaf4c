//! What is used and named by no code, as its own text says: constructors of a program, what is implicit, what overrides.
//! Beside each stands what is dead.

use super::harness::TestRepo;
use super::verdict::all;
use super::verdict_alive::{dead, unused};

#[test]
fn what_loads_a_program_runs_its_constructors() {
    let repo = TestRepo::init();
    repo.write(
        "src/main.c",
        "__attribute__((constructor)) static void up(int a) { (void)a; }\n\
         static void down(void) __attribute__((destructor));\n\
         static void down(void) {}\n\
         [[gnu::used]]\nstatic void kept_one(void) {}\n\
         __attribute__((unused)) static void lost_one(void) {}\n\
         int main(void) { return 0; }\n",
    );
    repo.commit("c");
    assert_eq!(unused(&repo), ["lost_one unreached"]);
    all(
        &repo,
        &[
            (
                "kept_one",
                "0 uses, perhaps registered by `[[gnu::used]]` on line 4",
            ),
            ("lost_one", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn blocks_of_extensions_and_registered_fields_keep_their_type() {
    let repo = TestRepo::init();
    repo.write(
        "src/Extensions.cs",
        "namespace A;\ninternal static class UsedExtensions\n{\n    extension(Window window)\n    {\n        public int TryTop() => 1;\n    }\n}\n\
         internal static class LostExtensions\n{\n    extension(Window window)\n    {\n        public int TryBottom() => 1;\n    }\n}\n\
         static class Definitions\n{\n    [Export]\n    [Name(\"a\")]\n    static readonly Definition Search;\n}\n\
         static class Slots\n{\n    [ThreadStatic]\n    static int slot;\n}\n",
    )
    .write(
        "src/Program.cs",
        "namespace A;\nclass Program\n{\n    static void Main(string[] args) { var w = Open(args); System.Console.Write(w.TryTop()); }\n}\n",
    )
    .write("App.csproj", "<Project><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>\n");
    repo.commit("cs");
    let said = unused(&repo);
    assert_eq!(
        super::verdict_alive::dead(&said),
        ["LostExtensions", "Slots"],
        "{said:?}"
    );
    all(
        &repo,
        &[
            (
                "UsedExtensions",
                "0 uses, but its name stands at src/Program.cs:4",
            ),
            ("LostExtensions", "0 uses, nothing uses it"),
            (
                "Definitions",
                "0 uses, perhaps registered by `[Name(\"a\")]` on line 19",
            ),
            ("Slots", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn what_is_called_without_its_name_is_not_dead() {
    let repo = TestRepo::init();
    repo.write(
        "src/Main.scala",
        "object Main {\n  def main(args: Array[String]): Unit = println(1)\n  private implicit class Rich(of: Marker) { def add(o: Int): Int = o }\n  \
         private implicit def session(implicit c: Context): Session = c.session\n  \
         private def lost(c: Context): Session = c.session\n}\n",
    )
    .write(
        "app/models/number.rb",
        "module Number\n  private\n\n  def create_or_update(*)\n    super if number_taken?\n  end\n\n  def number_taken?\n    true\n  end\n\n  \
         def number_lost?\n    true\n  end\nend\nclass Order < Record\n  include Number\nend\nOrder.new.save\n",
    )
    .write(
        "tool/json.lua",
        "local TYPE_APP = \"a\"\nlocal TYPE_LOST = \"b\"\nlocal _ENV = nil\nlocal types = { [TYPE_APP] = 1 }\nprint(types)\n",
    )
    .write(
        "etc/service.init",
        "#!/bin/bash\n[ -f /lib/lsb/init-functions ] && source /lib/lsb/init-functions\nstart_service() {\n    echo 1\n}\n",
    )
    .write(
        "etc/tool.sh",
        "#!/bin/bash\n. /etc/os-release\nstop_service() {\n    echo 1\n}\n",
    );
    repo.commit("unspoken");
    let said = unused(&repo);
    assert_eq!(
        super::verdict_alive::dead(&said),
        [
            "Main.lost",
            "Number.number_lost?",
            "TYPE_LOST",
            "stop_service"
        ],
        "{said:?}"
    );
    all(
        &repo,
        &[
            ("Rich", "0 uses, called by the language"),
            ("session", "0 uses, called by the language"),
            (
                "create_or_update",
                "0 uses, may be called through what it overrides, as line 5 says",
            ),
            ("stop_service", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn what_a_file_with_errors_has_cannot_be_judged() {
    let repo = TestRepo::init();
    repo.write(
        "src/a.c",
        "static int inner(int a) { return a; }\nstatic int torn(int a) { return inner(a); }\n\
         static int lost(int a) { return a; }\n\
         static int lone(int a) { return torn(a); }\nstatic int again(int a) { return a ? again(a - 1) : 0; }\nint main(void) { return 0; }\nint broken( { = ; }}\n",
    )
    .write("src/b.c", "static int whole(int a) { return a; }\n");
    repo.commit("errors");
    assert_eq!(
        unused(&repo),
        [
            "again uncertain",
            "inner uncertain",
            "lone unreached",
            "lost unreached",
            "torn uncertain",
            "whole unreached"
        ]
    );
    all(
        &repo,
        &[
            (
                "again",
                "1 use, nothing known uses it, but not all of its file was understood",
            ),
            ("lost", "0 uses, nothing uses it"),
            ("whole", "0 uses, nothing uses it"),
        ],
    );
}

#[test]
fn what_a_macro_of_a_library_or_two_letters_make_up_may_be_used() {
    let repo = TestRepo::init();
    repo.write(
        "src/view.c",
        "#include <glib-object.h>\nG_DEFINE_TYPE(MyView, my_view, G_TYPE_OBJECT)\n\
         static void my_view_init(MyView *view) { (void)view; }\n\
         static void other_view_init(MyView *view) { (void)view; }\n",
    )
    .write(
        "src/table.c",
        "#define MW(name) { #name, py##name }\nstatic int pymove(void) { return 1; }\nstatic int pylost(void) { return 1; }\n\
         static struct entry table[] = { MW(move) };\nint main(void) { return table[0].call(); }\n",
    );
    repo.commit("c");
    let said = unused(&repo);
    assert_eq!(dead(&said), ["other_view_init", "pylost"], "{said:?}");
}

#[test]
fn what_a_text_begins_that_goes_on_with_a_number_may_be_used() {
    let repo = TestRepo::init();
    repo.write(
        "src/Main.java",
        "class Main {\n    private static final String PREFIX = \"onUpgradeTo\";\n    private void onUpgradeTo42() {}\n    \
         private void onDowngradeTo42() {}\n    public static void main(String[] args) { run(PREFIX); }\n    \
         private static void run(String prefix) { Main.class.getDeclaredMethods(); }\n}\n",
    )
    .write("tool.sh", "#!/bin/sh\npack() { echo 1; }\n\"$@\"\n")
    .write("other.sh", "#!/bin/sh\nlost() { echo 1; }\necho 1\n");
    repo.commit("begun");
    let said = unused(&repo);
    assert_eq!(dead(&said), ["Main.onDowngradeTo42", "lost"], "{said:?}");
}
