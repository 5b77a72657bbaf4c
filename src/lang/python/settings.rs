//! `django.conf.settings`: an object that has the constants of the module that `DJANGO_SETTINGS_MODULE` names, which
//! `manage.py` sets: <https://docs.djangoproject.com/en/stable/topics/settings/>.

use crate::modules::paths::FolderId;
use crate::modules::prelude::*;
use rustc_hash::FxHashMap;

/// The module that gives the object.
pub(super) const GIVEN_BY: &[u8] = b"django.conf";
/// What that calls it.
pub(super) const OBJECT: &[u8] = b"settings";

const VARIABLE: &str = "DJANGO_SETTINGS_MODULE";
/// Places that name it which are looked at.
const MAX_NAMED: usize = 16;

/// The modules of settings of a tree's projects, by the folders of what starts these.
#[derive(Default)]
pub(super) struct Settings(FxHashMap<FolderId, Vec<u8>>);

impl Settings {
    pub(super) fn new(configs: &mut Configs<'_>) -> Self {
        let mut all = FxHashMap::default();
        for file in configs.named("manage.py") {
            let text = configs.text(file);
            if let Some(module) = text.as_deref().and_then(module) {
                all.insert(configs.layout.home(file), module.as_bytes().to_vec());
            }
        }
        Self(all)
    }

    /// The dotted name of the settings of what lies in a folder, and where it starts from.
    pub(super) fn of(&self, layout: Layout<'_>, home: FolderId) -> Option<(FolderId, &[u8])> {
        let mut upward = layout.paths.upward(home);
        upward.find_map(|folder| Some((folder, self.0.get(&folder)?.as_slice())))
    }
}

/// What a text sets the variable to: `setdefault("DJANGO_SETTINGS_MODULE", "app.settings")`,
/// `environ["DJANGO_SETTINGS_MODULE"] = "app.settings"`.
fn module(text: &str) -> Option<&str> {
    // A comment may name it before it is set.
    text.match_indices(VARIABLE)
        .take(MAX_NAMED)
        .find_map(|(at, _)| set_to(&text[at + VARIABLE.len()..]))
}

/// What the variable is set to whose name ends where a text begins.
fn set_to(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix(['"', '\''])?;
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "],=".contains(c));
    let rest = rest.strip_prefix(['"', '\''])?;
    let end = rest.find(['"', '\''])?;
    let is_name = |part: &str| {
        let mut all = part.chars();
        !part.is_empty() && all.all(|c| c.is_alphanumeric() || c == '_')
    };
    Some(&rest[..end]).filter(|name| name.split('.').all(is_name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::modules::testing::Tree;

    #[test]
    fn the_variable_is_read_as_it_is_set() {
        for text in [
            "os.environ.setdefault(\"DJANGO_SETTINGS_MODULE\", \"app.settings\")",
            "os.environ['DJANGO_SETTINGS_MODULE'] = 'app.settings'\n",
            "environ.setdefault(\n    \"DJANGO_SETTINGS_MODULE\",\n    \"app.settings\",\n)",
        ] {
            assert_eq!(module(text), Some("app.settings"), "{text}");
        }
        for text in [
            "",
            "DJANGO_SETTINGS_MODULE",
            "x['DJANGO_SETTINGS_MODULE'] = f('a')",
            "'DJANGO_SETTINGS_MODULE', 'a..b'",
        ] {
            assert_eq!(module(text), None, "{text}");
        }
    }

    #[test]
    fn settings_are_those_of_the_project_around() {
        let set = |module: &str| format!("setdefault('DJANGO_SETTINGS_MODULE', '{module}')\n");
        let import = "from django.conf import settings\nfrom django.conf.urls import url\n";
        let tree = Tree::new(&[
            ("shop/manage.py", &set("site.settings.dev")),
            ("shop/site/settings/dev.py", ""),
            ("shop/site/views.py", import),
            ("blog/manage.py", &set("blog.gone")),
            ("blog/blog/views.py", import),
            ("lone.py", import),
        ]);
        tree.check(
            "
            shop/site/views.py
              django.conf -> shop/site/settings/dev.py ::django.conf
              django.conf.urls -> external
            blog/blog/views.py
              django.conf -> external
              django.conf.urls -> external
            lone.py
              django.conf -> external
              django.conf.urls -> external
        ",
        );
    }
}
