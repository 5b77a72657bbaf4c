//! Why a definition has no sure use by product code: what frameworks find, and what tests are not alone with.

use super::harness::TestRepo;
use super::verdict::all;

/// That all sure uses are in tests says nothing where something else may use it.
#[test]
fn what_tests_use_may_be_used_by_others() {
    let repo = TestRepo::init();
    repo.write(
        "manage.py",
        "import shop\n",
    )
    .write("shop/__init__.py", "")
    .write(
        "shop/models.py",
        "from lib.base import Command as Base\n\n\n\
         class Clean(Base):\n    pass\n\n\n\
         class Row:\n    def monthly_rate(self):\n        return 1\n\n    def yearly_rate(self):\n        return 2\n\n\n\
         class RowMissing(LookupError):\n    pass\n\n\n\
         class Left:\n    def one_of_two(self):\n        return 1\n\n\n\
         class Right:\n    def one_of_two(self):\n        return 2\n\n\n\
         def use(either):\n    return either.one_of_two()\n",
    )
    .write("templates/row.html", "<b>{{ row.monthly_rate|pct }}</b>\n")
    .write(
        "tests/test_models.py",
        "from shop.models import Clean, Left, Row, RowMissing\n\n\n\
         def test_all():\n    Clean()\n    row = Row()\n    row.monthly_rate()\n    row.yearly_rate()\n    \
         RowMissing()\n    Left().one_of_two()\n    assert \"yearly_rate\"\n",
    );
    repo.commit("shop");
    all(
        &repo,
        &[
            (
                "Row.monthly_rate",
                "1 use, all in tests, but its name stands at templates/row.html:1",
            ),
            ("Row.yearly_rate", "1 use, all in tests"),
            (
                "Clean",
                "2 uses, all in tests, may be called through Base, which is not in this repository",
            ),
            // Nobody finds what is thrown by its base.
            ("RowMissing", "2 uses, all in tests"),
            ("Left.one_of_two", "1 use and 1 ambiguous"),
        ],
    );
    repo.write("go.mod", "module example.com/client\n")
        .write(
            "client/client.go",
            "package client\n\nfunc Fetch() int { return 1 }\n",
        )
        .write(
            "client/client_test.go",
            "package client\n\nimport \"testing\"\n\nfunc TestFetch(t *testing.T) { Fetch() }\n",
        );
    repo.commit("a library");
    all(
        &repo,
        &[("Fetch", "1 use, all in tests, for others to use")],
    );
}

/// A framework finds types by what they are derived from, and reads the constants of a module of settings.
#[test]
fn what_a_framework_finds_is_not_said_to_be_for_others() {
    let repo = TestRepo::init();
    repo.write(
        "src/Config.cs",
        "using Lib.Mapping;\n\nnamespace App;\n\npublic class RowMapping : IMapping\n{\n}\n\n\
         public class Forgotten\n{\n}\n\npublic class RowGone : LostException\n{\n}\n",
    )
    .write(
        "db/20250101_add_tags.rb",
        "class AddTags < ActiveRecord::Migration[8.0]\n  def up\n  end\nend\n",
    )
    .write(
        "app/settings/base.py",
        "import os\n\nUSE_TZ = True\nNAME = \"LOUD_LOG\"\nLOUD_LOG = os.getenv(NAME)\nBACKENDS = [\"app.backends.Tokens\"]\n\n\ndef left_over():\n    return 1\n",
    )
    .write(
        "app/limits.py",
        "import os\n\nMOST_ROWS = 3\nNAME = \"QUIET_LOG\"\nQUIET_LOG = os.getenv(NAME)\n",
    )
    .write(
        "run.py",
        "import app.backends, app.limits, app.settings.base\n",
    )
    .write(
        "app/backends.py",
        "class Backend:\n    def get_user(self):\n        return 1\n\n\n\
         class Tokens(Backend):\n    pass\n",
    );
    repo.commit("frameworks");
    let setting = "0 uses, a setting, which may be read by its name";
    all(
        &repo,
        &[
            (
                "RowMapping",
                "0 uses, may be called through IMapping, which is not in this repository",
            ),
            ("Forgotten", "0 uses, unused here, for others to use"),
            ("RowGone", "0 uses, unused here, for others to use"),
            (
                "AddTags",
                "0 uses, may be called through Migration, which is not in this repository",
            ),
            (
                "AddTags.up",
                "0 uses, may be called through Migration, which is not in this repository",
            ),
            ("USE_TZ", setting),
            ("BACKENDS", setting),
            ("left_over", "0 uses, nothing uses it"),
            ("MOST_ROWS", "0 uses, nothing uses it"),
            // What is derived from its type is named where no reference is understood.
            (
                "Backend.get_user",
                "0 uses, may be called by who gets its type, app/settings/base.py:6",
            ),
        ],
    );
    let unused = repo.sverklo(&["audit", "unused"]).success();
    assert!(
        unused.contains("QUIET_LOG") && !unused.contains("LOUD_LOG"),
        "{unused}"
    );
}

/// `settings` of `django.conf` has the constants of the module that `manage.py` names, and of what that passes on.
#[test]
fn settings_of_django_are_those_of_the_module_that_it_is_told() {
    let repo = TestRepo::init();
    let set =
        "import os\nos.environ.setdefault(\"DJANGO_SETTINGS_MODULE\", \"shop.settings.dev\")\n";
    let views = "from django.conf import settings\n\n\n\
         def index():\n    return settings.PAGE_SIZE + settings.ELSEWHERE\n\n\n\
         def lower():\n    return settings.helper\n";
    repo.write("manage.py", set)
        .write("shop/__init__.py", "")
        .write("shop/settings/base.py", "PAGE_SIZE = 20\n")
        .write(
            "shop/settings/dev.py",
            "from .base import *\n\nDEBUG = True\n",
        )
        .write("shop/settings/other.py", "PAGE_SIZE = 30\n")
        .write("shop/views.py", views);
    repo.commit("shop");
    let used = repo.sverklo(&["refs", "PAGE_SIZE"]).success();
    assert!(
        used.starts_with("PAGE_SIZE: 1 use in 1 file, 1 resolved"),
        "{used}"
    );
    assert!(
        used.contains("5 read in index: return settings.PAGE_SIZE"),
        "{used}"
    );
    // Another module of settings is another.
    let other = repo.sverklo(&["refs", "shop/settings/other.py::PAGE_SIZE#constant"]);
    assert!(
        other.stdout.starts_with("PAGE_SIZE: 0 uses"),
        "{}",
        other.stdout
    );
    repo.write("shop/settings/base.py", "PAGE_LENGTH = 20\n");
    let broken = repo.sverklo(&["diff"]).success();
    assert!(broken.contains("shop/views.py:5 in index"), "{broken}");
}
