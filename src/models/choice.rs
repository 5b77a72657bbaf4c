//! Which model a repository uses, by its configuration.
//!
//! | key | value |
//! | --- | --- |
//! | `sverklo.model` | `static` (the embedded one, and the default), the name of a fetched model, a folder, or `endpoint` |
//! | `sverklo.modelDir` | where fetched models are, instead of the user's data folder |
//! | `sverklo.onnxruntime` | the ONNX Runtime library, or its folder |
//! | `sverklo.embedEndpoint`, `sverklo.embedModel` | the server of `endpoint`, and its name for the model |
//! | `sverklo.embedKeyEnv` | the environment variable that holds the server's key |
//! | `sverklo.embedInHooks` | whether hooks embed too; read by `upkeep::cover` |

use super::endpoint::{self, Endpoint, Target};
use super::folder::network;
use super::hub::Hosted;
use super::library::{self, Found};
use super::{Error, Patience, TextModel, onnx};
use crate::git::keys::{self, Key};
use crate::home;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The configuration that names the model.
pub const KEY: Key = keys::MODEL;

/// The configuration that names the folder of fetched models.
pub const FOLDER_KEY: Key = keys::MODEL_DIR;

/// The value for the embedded model.
pub const STATIC: &str = "static";

/// The value for a server.
pub const ENDPOINT: &str = "endpoint";

/// What is configured, and what the environment adds.
pub struct Settings<'a> {
    /// Reads git's configuration.
    pub configured: &'a dyn Fn(Key) -> Option<String>,
    /// Reads the environment.
    pub variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// What relative paths of the configuration start from: the top of the work tree, where the user
    /// has consented to what the repository's own configuration names. Elsewhere a relative path in their
    /// own would mean a file of whatever repository it is.
    pub base: Option<&'a Path>,
}

/// The model that is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The embedded one.
    Static,
    /// One in a folder that exists.
    Folder(PathBuf),
    /// One behind a server.
    Endpoint(Target),
}

impl Settings<'_> {
    /// Returns the model that is chosen.
    ///
    /// # Errors
    /// [`Error::NotFetched`], [`Error::Unknown`], [`Error::Model`] for a folder without one, or
    /// what [`Target::new`] says of a server.
    pub fn choice(&self) -> Result<Choice, Error> {
        let chosen = self.chosen();
        match chosen.as_str() {
            STATIC => Ok(Choice::Static),
            ENDPOINT => {
                let read = |key| self.text(key);
                let target = Target::new(
                    read(endpoint::KEY),
                    read(endpoint::MODEL_KEY),
                    read(endpoint::SECRET_KEY),
                );
                target.map(Choice::Endpoint)
            }
            path if is_path(path) => {
                let folder = self.path(KEY, path)?;
                network(&folder)?;
                Ok(Choice::Folder(folder))
            }
            name => self.named(name).map(Choice::Folder),
        }
    }

    /// Returns what names the model: a value of [`KEY`].
    pub fn chosen(&self) -> String {
        self.text(KEY).unwrap_or_else(|| STATIC.to_owned())
    }

    /// Opens the chosen model; `None` is the embedded one. Errors are those of [`Self::choice`], and
    /// what opening or connecting comes to.
    pub fn open(&self, patience: Patience) -> Result<Option<Box<dyn TextModel>>, Error> {
        match self.choice()? {
            Choice::Static => Ok(None),
            Choice::Folder(folder) => onnx::open(&folder, &self.library()?).map(Some),
            Choice::Endpoint(target) => {
                let variable = |name: &str| (self.variable)(name)?.into_string().ok();
                let endpoint = Endpoint::connect(target, variable, patience)?;
                Ok(Some(Box::new(endpoint)))
            }
        }
    }

    /// Finds ONNX Runtime. Errors are those of [`library::find`].
    pub fn library(&self) -> Result<Found, Error> {
        let configured = self.text(library::KEY);
        let configured = configured.map(|path| self.path(library::KEY, &path));
        let configured = configured.transpose()?;
        library::find((self.variable)(library::VARIABLE), configured)
    }

    /// Returns where fetched models are. Fails with [`Error::Unset`] if the user has no folder for
    /// data.
    pub fn models(&self) -> Result<PathBuf, Error> {
        if let Some(path) = self.text(FOLDER_KEY) {
            return self.path(FOLDER_KEY, &path);
        }
        let data = home::data(self.variable).ok_or(Error::Unset {
            key: FOLDER_KEY.name(),
            mend: "set it to a folder for models, because the environment names no home",
        })?;
        Ok(data.join("models"))
    }

    /// Returns the folder of a model that was fetched, or put among those by hand.
    fn named(&self, name: &str) -> Result<PathBuf, Error> {
        let models = self.models()?;
        let folder = models.join(name);
        if network(&folder).is_ok() {
            return Ok(folder);
        }
        Hosted::named(name)?;
        Err(Error::NotFetched {
            name: name.to_owned(),
            folder: models,
        })
    }

    fn text(&self, key: Key) -> Option<String> {
        (self.configured)(key).filter(|value| !value.is_empty())
    }

    /// Returns a path of the configuration, as git understands those.
    fn path(&self, key: Key, text: &str) -> Result<PathBuf, Error> {
        let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        let path = match (text.strip_prefix("~/"), (self.variable)(home), self.base) {
            (Some(rest), Some(home), _) => Path::new(&home).join(rest),
            (_, _, Some(base)) => base.join(text),
            (_, _, None) => PathBuf::from(text),
        };
        match path.is_absolute() {
            true => Ok(path),
            false => Err(Error::Setting {
                key: key.name(),
                value: text.to_owned(),
                expected: "an absolute path, or one that begins with ~/",
            }),
        }
    }
}

/// Whether a value is a path and not a name: it has a separator, as in `./model`.
fn is_path(text: &str) -> bool {
    text.contains(['/', '\\']) || Path::new(text).is_absolute()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads what is configured as pairs; the environment is `HOME` alone.
    fn with<T>(pairs: &[(Key, &str)], home: &Path, ask: impl Fn(&Settings<'_>) -> T) -> T {
        let configured = |key: Key| {
            let pair = pairs.iter().find(|(name, _)| *name == key);
            pair.map(|(_, value)| (*value).to_owned())
        };
        let names = ["HOME", "USERPROFILE", "LOCALAPPDATA"];
        let variable = |name: &str| names.contains(&name).then(|| home.as_os_str().to_owned());
        ask(&Settings {
            configured: &configured,
            variable: &variable,
            base: Some(&home.join("tree")),
        })
    }

    fn choice(pairs: &[(Key, &str)], home: &Path) -> Result<Choice, String> {
        with(pairs, home, |settings| {
            settings.choice().map_err(|err| err.to_string())
        })
    }

    fn model_in(folder: &Path) {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("model.onnx"), "").unwrap();
    }

    #[test]
    fn without_configuration_it_is_the_embedded_model() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(choice(&[], home.path()), Ok(Choice::Static));
        assert_eq!(choice(&[(KEY, "")], home.path()), Ok(Choice::Static));
        assert_eq!(choice(&[(KEY, "static")], home.path()), Ok(Choice::Static));
        assert!(with(&[], home.path(), |settings| settings
            .open(Patience::Long)
            .unwrap()
            .is_none()));
        // A server that is configured and not chosen is not asked.
        let server = [
            (endpoint::KEY, "https://h/v1/embeddings"),
            (endpoint::MODEL_KEY, "m"),
        ];
        assert_eq!(choice(&server, home.path()), Ok(Choice::Static));
    }

    #[test]
    fn a_folder_is_found_by_path() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        model_in(&home.join("tree/models/mine"));
        model_in(&home.join("other"));
        let folder = |path: PathBuf| Ok(Choice::Folder(path));
        let relative = choice(&[(KEY, "models/mine")], home);
        assert_eq!(relative, folder(home.join("tree").join("models/mine")));
        assert_eq!(
            choice(&[(KEY, "~/other")], home),
            folder(home.join("other"))
        );
        let missing = choice(&[(KEY, "./nowhere")], home).unwrap_err();
        assert!(missing.contains("no model.onnx"), "{missing}");
    }

    #[test]
    fn without_consent_a_relative_path_is_nobodys() {
        let home = tempfile::tempdir().unwrap();
        model_in(&home.path().join("tree/m"));
        for (key, value) in [(KEY, "./m"), (library::KEY, "lib.so"), (FOLDER_KEY, "m")] {
            let configured = |asked: Key| (asked == key).then(|| value.to_owned());
            let settings = Settings {
                configured: &configured,
                variable: &|_| None,
                base: None,
            };
            let said = match key == KEY {
                true => settings.choice().map(drop),
                false if key == FOLDER_KEY => settings.models().map(drop),
                false => settings.library().map(drop),
            };
            let said = said.unwrap_err().to_string();
            assert!(said.contains("an absolute path"), "{key}: {said}");
        }
    }

    #[test]
    fn a_name_is_one_of_the_fetched_models() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        let models = with(&[], home, |settings| settings.models().unwrap());
        assert!(models.starts_with(home) && models.ends_with("git-sverklo/models"));
        let missing = choice(&[(KEY, "all-minilm-l6-v2")], home).unwrap_err();
        assert!(
            missing.contains("git sverklo model fetch all-minilm-l6-v2"),
            "{missing}"
        );
        let unknown = choice(&[(KEY, "word2vec")], home).unwrap_err();
        assert!(
            unknown.contains("no model is named \"word2vec\""),
            "{unknown}"
        );
        model_in(&models.join("word2vec"));
        let by_hand = choice(&[(KEY, "word2vec")], home);
        assert_eq!(by_hand, Ok(Choice::Folder(models.join("word2vec"))));
        let elsewhere = [(KEY, "all-minilm-l6-v2"), (FOLDER_KEY, "~/here")];
        model_in(&home.join("here/all-minilm-l6-v2"));
        let found = choice(&elsewhere, home);
        assert_eq!(
            found,
            Ok(Choice::Folder(home.join("here").join("all-minilm-l6-v2")))
        );
    }

    #[test]
    fn a_server_is_chosen_by_name_and_configured_in_full() {
        let home = tempfile::tempdir().unwrap();
        let chosen = (KEY, "endpoint");
        let bare = choice(&[chosen], home.path()).unwrap_err();
        assert!(bare.contains(endpoint::KEY.name()), "{bare}");
        let url = (endpoint::KEY, "http://localhost:11434/api/embed");
        let unnamed = choice(&[chosen, url], home.path()).unwrap_err();
        assert!(unnamed.contains(endpoint::MODEL_KEY.name()), "{unnamed}");
        let full = choice(&[chosen, url, (endpoint::MODEL_KEY, "m")], home.path());
        let Ok(Choice::Endpoint(target)) = full else {
            panic!("{full:?}");
        };
        assert!(!target.is_remote && target.key_variable.is_none());
    }

    #[test]
    fn a_missing_library_is_said_before_the_model_is_read() {
        let home = tempfile::tempdir().unwrap();
        model_in(&home.path().join("tree/m"));
        let pairs = [(KEY, "./m"), (library::KEY, "/nowhere/lib.so")];
        let said = with(&pairs, home.path(), |settings| {
            settings.open(Patience::Long).err().unwrap().to_string()
        });
        assert!(
            said.contains("sverklo.onnxruntime") && said.contains("no such file"),
            "{said}"
        );
    }
}
