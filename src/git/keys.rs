//! Every key of git's configuration that is read here, and who may set it.
//!
//! A repository's own configuration comes with an unpacked archive and with a bare repository that
//! somebody committed, so it is no more to be trusted than their files. What names a program, a library,
//! an address, a variable or a file outside counts from the user's own configuration alone, or once
//! they have consented ([`super::consent`]).
//!
//! There is no other way to make a [`Key`], so one that is not in this table cannot be read.

labelled! {
    /// What a value is good for that needs the user's consent.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Purpose {
        /// Running a model on code, here or on a server.
        Model = "model",
        /// Fetching what a partial clone lacks because of a question.
        Fetch = "fetch",
        /// Signing memories.
        Signing = "signing",
        /// Reading files and folders outside.
        Files = "files",
        /// Running the program that shows answers on a terminal.
        Pager = "pager",
    }
}

/// Whose value counts.
#[derive(Clone, Copy)]
enum Voice {
    /// Anybody's: it names nothing.
    Anybody,
    /// The user's own; a repository's with their consent.
    User(Purpose),
    /// The same, but for values of which this holds: they are anybody's.
    UserUnless(Purpose, fn(&str) -> bool),
    /// The user's own alone, which git calls protected: consent to one repository cannot be consent to all.
    Protected,
}

/// A key that may be read.
#[derive(Clone, Copy)]
pub struct Key {
    name: &'static str,
    voice: Voice,
}

impl Key {
    const fn new(name: &'static str, voice: Voice) -> Self {
        Self { name, voice }
    }

    /// Returns its name as people write it. A `*` stands for a subsection that is not always the same.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Whether a value counts that a repository's own configuration gives it.
    pub(super) fn allows(self, value: &str) -> bool {
        match self.voice {
            Voice::Anybody => true,
            Voice::User(_) | Voice::Protected => false,
            Voice::UserUnless(_, is_harmless) => is_harmless(value),
        }
    }

    /// Returns what consent to a value would be good for; `None` where none is needed or possible.
    pub(super) fn purpose(self) -> Option<Purpose> {
        match self.voice {
            Voice::Anybody | Voice::Protected => None,
            Voice::User(purpose) | Voice::UserUnless(purpose, _) => Some(purpose),
        }
    }

    /// Returns section, subsection and name.
    pub(super) fn parts(self) -> (&'static str, Option<&'static str>, &'static str) {
        let (section, rest) = self.name.split_once('.').unwrap_or((self.name, ""));
        match rest.rsplit_once('.') {
            Some((subsection, name)) => (section, Some(subsection), name),
            None => (section, None, rest),
        }
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Key {}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Whether a value switches something off.
fn is_no(value: &str) -> bool {
    matches!(
        value.to_ascii_lowercase().as_str(),
        "false" | "no" | "off" | "0" | ""
    )
}

/// Whether a value can be nothing but the name of a model among those that the user has fetched.
fn is_model_name(value: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    value.starts_with(|c: char| c.is_ascii_alphanumeric())
        && value.chars().all(is_plain)
        && value != "endpoint"
}

macro_rules! keys {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $voice:expr;)*) => {
        $($(#[$doc])* pub const $constant: Key = Key::new($name, $voice);)*

        /// All of them.
        pub const ALL: &[Key] = &[$($constant),*];
    };
}

keys! {
    /// Whether hooks do anything.
    HOOKS = "sverklo.hooks", Voice::Anybody;
    /// What `index` and the hooks cover.
    HISTORY = "sverklo.history", Voice::Anybody;
    /// How long before each tip they cover.
    WINDOW = "sverklo.window", Voice::Anybody;
    /// How far back `gc` keeps what no tip has.
    RETAIN = "sverklo.retain", Voice::Anybody;
    /// Documents of a fetched segment that are extracted again.
    SAMPLE = "sverklo.sample", Voice::Anybody;
    /// The form of the index's history for servers that need one.
    INDEX_HISTORY = "sverklo.indexHistory", Voice::Anybody;
    /// Most bytes of a push.
    PUSH_LIMIT = "sverklo.pushLimit", Voice::Anybody;
    /// Whether vectors of the embedded model are stored.
    STORE_VECTORS = "sverklo.storeVectors", Voice::Anybody;
    /// Most files that may import one.
    GATE_MAX_FAN_IN = "sverklo.gate.maxFanIn", Voice::Anybody;
    /// Whether memories are signed; what signs is another matter ([`super::sign`]).
    SIGN_MEMORY = "sverklo.signMemory", Voice::Anybody;
    /// Whether a sparse checkout is asked about by itself: `cone`, `whole` or, by how large the tree is, `auto`.
    SPARSE = "sverklo.sparse", Voice::Anybody;
    /// Where our refs are; [`super::refs::RefNames::with_prefix`] keeps it off those of others.
    REF_PREFIX = "sverklo.refPrefix", Voice::Anybody;
    /// The remote of `push`, `fetch` and `sync`; these are asked for, and use git's own configuration.
    REMOTE = "sverklo.remote", Voice::Anybody;
    /// Whether a question may fetch.
    LAZY_FETCH = "sverklo.lazyFetch", Voice::UserUnless(Purpose::Fetch, is_no);
    /// Whether hooks run the chosen model.
    EMBED_IN_HOOKS = "sverklo.embedInHooks", Voice::UserUnless(Purpose::Model, is_no);
    /// The model: a name, a folder or `endpoint`.
    MODEL = "sverklo.model", Voice::UserUnless(Purpose::Model, is_model_name);
    /// The folder of fetched models.
    MODEL_DIR = "sverklo.modelDir", Voice::User(Purpose::Model);
    /// A library that is loaded.
    ONNXRUNTIME = "sverklo.onnxruntime", Voice::User(Purpose::Model);
    /// The address that code is sent to.
    EMBED_ENDPOINT = "sverklo.embedEndpoint", Voice::User(Purpose::Model);
    /// What the server calls its model.
    EMBED_MODEL = "sverklo.embedModel", Voice::User(Purpose::Model);
    /// The variable whose content is sent along.
    EMBED_KEY_ENV = "sverklo.embedKeyEnv", Voice::User(Purpose::Model);

    /// Which reference backend it is; read to choose a way, never to find a file.
    REF_STORAGE = "extensions.refStorage", Voice::Anybody;
    /// The remote that promised what is missing, as old gits have it.
    PARTIAL_CLONE = "extensions.partialClone", Voice::Anybody;
    /// Whether a remote promised what is missing.
    PROMISOR = "remote.*.promisor", Voice::Anybody;
    /// Where a remote is; read to see whether it is set, and followed by git alone.
    REMOTE_URL = "remote.*.url", Voice::Anybody;
    /// The remote of a branch.
    BRANCH_REMOTE = "branch.*.remote", Voice::Anybody;
    /// The remote a branch is pushed to.
    BRANCH_PUSH_REMOTE = "branch.*.pushRemote", Voice::Anybody;
    /// The remote that is pushed to.
    PUSH_DEFAULT = "remote.pushDefault", Voice::Anybody;
    /// Whether git's file system monitor is on; asked, and never begun.
    MONITOR = "core.fsmonitor", Voice::Anybody;
    /// Whether some files alone are checked out.
    SPARSE_CHECKOUT = "core.sparseCheckout", Voice::Anybody;
    /// Whether these are said by folders.
    SPARSE_CHECKOUT_CONE = "core.sparseCheckoutCone", Voice::Anybody;
    /// Whether links are links here.
    SYMLINKS = "core.symlinks", Voice::Anybody;
    /// Whether a commit-graph is used.
    COMMIT_GRAPH = "core.commitGraph", Voice::Anybody;
    /// Where hooks are; shown, and never run by us.
    HOOKS_PATH = "core.hooksPath", Voice::Anybody;
    /// How ssh is run; read to see whether it is set, and run by git alone, when the user asked for it.
    SSH_COMMAND = "core.sshCommand", Voice::Anybody;
    /// Whether a terminal gets colours, of git as a whole.
    COLOUR_UI = "color.ui", Voice::Anybody;
    /// The same for us.
    COLOUR = "color.sverklo", Voice::Anybody;
    /// The program that shows answers to a person.
    PAGER = "core.pager", Voice::User(Purpose::Pager);
    /// A file with patterns of ignored files.
    EXCLUDES_FILE = "core.excludesFile", Voice::User(Purpose::Files);
    /// A file with attributes of paths.
    ATTRIBUTES_FILE = "core.attributesFile", Voice::User(Purpose::Files);
    /// Directories of other users that may be opened.
    SAFE_DIRECTORY = "safe.directory", Voice::Protected;
    /// Whether bare repositories may be opened that nobody named.
    SAFE_BARE_REPOSITORY = "safe.bareRepository", Voice::Protected;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn sources(folder: &Path, out: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                out.push((path.display().to_string(), text));
            }
        }
    }

    /// Every key of ours that the program, its help or its messages name is in the table, and the other
    /// way round.
    #[test]
    fn the_table_has_the_keys_that_are_spoken_of() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        sources(&root.join("src"), &mut files);
        let page = root.join("src/cli/help/configuration.txt");
        let page = std::fs::read_to_string(page).unwrap();
        let told: Vec<&str> = page.split_whitespace().collect();
        let known = |name: &str| ALL.iter().any(|key| key.name().eq_ignore_ascii_case(name));
        for (path, text) in &files {
            for (at, _) in text.match_indices("sverklo.") {
                let name: String = text[at..]
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || *c == '.')
                    .collect();
                let name = name.trim_end_matches('.');
                // Names of files, and the key that no one has.
                let other = ["sverklo", "sverklo.noSuchKey"];
                let is_word =
                    text[..at].ends_with(|c: char| c.is_alphanumeric() || "-_/".contains(c));
                if !is_word
                    && !other.contains(&name)
                    && text[at + 8..].starts_with(char::is_alphabetic)
                {
                    assert!(known(name), "{path}: {name} is not in src/git/keys.rs");
                }
            }
        }
        for key in ALL.iter().filter(|key| key.name().starts_with("sverklo.")) {
            let name = key.to_string();
            assert!(
                told.contains(&name.as_str()),
                "help configuration lacks {key}"
            );
        }
    }

    #[test]
    fn names_are_taken_apart() {
        assert_eq!(MODEL.parts(), ("sverklo", None, "model"));
        assert_eq!(
            GATE_MAX_FAN_IN.parts(),
            ("sverklo", Some("gate"), "maxFanIn")
        );
        assert_eq!(PROMISOR.parts(), ("remote", Some("*"), "promisor"));
    }

    #[test]
    fn a_repository_may_say_what_names_nothing() {
        for plain in ["static", "all-minilm-l6-v2", "bge_small.en"] {
            assert!(MODEL.allows(plain), "{plain}");
        }
        let naming = [
            "", ".", "..", "./model", "/model", "C:model", "a\\b", "~", "endpoint", "-x",
        ];
        for naming in naming {
            assert!(!MODEL.allows(naming), "{naming}");
        }
        assert!(LAZY_FETCH.allows("No") && !LAZY_FETCH.allows("1"));
        assert!(!ONNXRUNTIME.allows("") && HOOKS.allows("anything"));
        for key in ALL {
            // What nobody can consent to, git alone defines.
            let is_gits = key.name().starts_with("safe.");
            assert_eq!(
                key.purpose().is_none(),
                key.allows("/x") || is_gits,
                "{key}"
            );
        }
    }
}
