//! Where ONNX Runtime is on this machine.
//!
//! It is 30 MB of another project (MIT), so it is not shipped: the machine's own is loaded. Looked
//! for, in order: `ORT_DYLIB_PATH` (which every program that loads it honours), the configured
//! file or folder, beside this program, and where the platform's packages put it. A place that
//! somebody named is not passed over when it is wrong. The system folder of Windows is not
//! looked into, because Windows keeps an old copy of its own there.

use super::Error;
use crate::git::keys::{self, Key};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What the file is called.
pub const NAME: &str = if cfg!(windows) {
    "onnxruntime.dll"
} else if cfg!(target_os = "macos") {
    "libonnxruntime.dylib"
} else {
    "libonnxruntime.so"
};

/// The variable that names the file.
pub const VARIABLE: &str = "ORT_DYLIB_PATH";

/// The configuration that names the file or its folder.
pub const KEY: Key = keys::ONNXRUNTIME;

/// A library that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// What named it: a variable, a key of the configuration, or `its usual place`.
    pub by: &'static str,
}

/// Finds the library; `variable` and `configured` are what [`VARIABLE`] and [`KEY`] say.
///
/// # Errors
/// [`Error::Library`] if a named place has none, [`Error::NoLibrary`] if it is in no usual one.
pub fn find(variable: Option<OsString>, configured: Option<PathBuf>) -> Result<Found, Error> {
    let variable = variable.filter(|value| !value.is_empty());
    let named = [
        (variable.map(PathBuf::from), VARIABLE),
        (configured, KEY.name()),
    ];
    for (path, by) in named {
        let Some(path) = path else { continue };
        // What is relative would be looked for in whatever repository this is run in.
        let reason = match at(&path) {
            _ if !path.is_absolute() => "it is no absolute path",
            Some(path) => return Ok(Found { path, by }),
            None => "there is no such file",
        };
        return Err(Error::Library {
            path,
            by,
            reason: reason.to_owned(),
        });
    }
    let looked = usual_places();
    let found = looked.iter().find_map(|place| in_folder(place));
    match found {
        Some(path) => Ok(Found {
            path,
            by: "its usual place",
        }),
        None => Err(Error::NoLibrary { name: NAME, looked }),
    }
}

/// Returns the library at `path`, or in it.
fn at(path: &Path) -> Option<PathBuf> {
    match path.is_dir() {
        true => in_folder(path),
        false => path.is_file().then(|| path.to_owned()),
    }
}

/// Returns the library in a folder: of that very name, or the newest with a version.
///
/// Packages without development files, and the Python package, have `libonnxruntime.so.1.23.2`
/// or `libonnxruntime.1.23.2.dylib` alone.
fn in_folder(folder: &Path) -> Option<PathBuf> {
    let plain = folder.join(NAME);
    if plain.is_file() {
        return Some(plain);
    }
    let stem = NAME.split_once('.')?.0;
    let versioned = |name: &str| {
        let rest = name.strip_prefix(stem)?.strip_prefix('.')?;
        let extension = NAME.rsplit_once('.')?.1;
        let numbers: Vec<u32> = rest
            .split('.')
            .filter(|part| *part != extension)
            .map(|part| part.parse().ok())
            .collect::<Option<_>>()?;
        (rest.split('.').count() == numbers.len() + 1).then_some(numbers)
    };
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let named = entries.filter_map(|entry| {
        let version = versioned(entry.file_name().to_str()?)?;
        entry.path().is_file().then(|| (version, entry.path()))
    });
    named.max().map(|(_, path)| path)
}

/// Returns the folders where packages put it.
fn usual_places() -> Vec<PathBuf> {
    let mut places = Vec::new();
    let program = std::env::current_exe().ok();
    if let Some(folder) = program.as_deref().and_then(Path::parent) {
        places.push(folder.to_owned());
        places.extend(folder.parent().map(|prefix| prefix.join("lib")));
    }
    let fixed: &[&str] = if cfg!(windows) {
        &[
            r"C:\Program Files\onnxruntime\lib",
            r"C:\Program Files\onnxruntime\bin",
        ]
    } else if cfg!(target_os = "macos") {
        &["/opt/homebrew/lib", "/usr/local/lib", "/opt/local/lib"]
    } else {
        words!("/usr/local/lib /usr/local/lib64 /usr/lib /usr/lib64 /opt/onnxruntime/lib")
    };
    places.extend(fixed.iter().map(PathBuf::from));
    if cfg!(target_os = "linux") {
        // Debian keeps libraries by architecture.
        let arch = std::env::consts::ARCH;
        places.push(format!("/usr/lib/{arch}-linux-gnu").into());
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(folder: &Path, name: &str) -> PathBuf {
        let path = folder.join(name);
        std::fs::write(&path, "").unwrap();
        path
    }

    #[test]
    fn the_variable_goes_before_the_configuration() {
        let folder = tempfile::tempdir().unwrap();
        let one = touch(folder.path(), "one");
        let two = touch(folder.path(), "two");
        let found = find(Some(one.clone().into()), Some(two.clone())).unwrap();
        assert_eq!((found.path, found.by), (one, VARIABLE));
        let found = find(Some("".into()), Some(two.clone())).unwrap();
        assert_eq!((found.path, found.by), (two, KEY.name()));
    }

    #[test]
    fn a_named_place_that_is_wrong_is_an_error_and_not_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let wrong = folder.path().join("nothing.so");
        let err = find(Some(wrong.clone().into()), None).unwrap_err();
        assert!(
            err.to_string()
                .contains("nothing.so, which ORT_DYLIB_PATH names"),
            "{err}"
        );
        let err = find(None, Some(folder.path().to_owned())).unwrap_err();
        assert!(
            err.to_string().contains("sverklo.onnxruntime names"),
            "{err}"
        );
    }

    #[test]
    fn a_relative_place_is_not_looked_into() {
        let here = Some("Cargo.toml".into());
        for said in [
            find(here.clone(), None),
            find(None, here.map(PathBuf::from)),
        ] {
            let said = said.unwrap_err().to_string();
            assert!(said.contains("no absolute path"), "{said}");
        }
    }

    #[test]
    fn the_newest_version_in_a_folder_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let (stem, extension) = NAME.split_once('.').unwrap();
        let named = |version: &str| match cfg!(target_os = "linux") {
            true => format!("{stem}.{extension}.{version}"),
            false => format!("{stem}.{version}.{extension}"),
        };
        touch(folder.path(), &named("1.9.0"));
        let newest = touch(folder.path(), &named("1.23.2"));
        touch(folder.path(), &named("1.24-debug"));
        touch(folder.path(), "libonnxruntime_providers_shared.so");
        let found = find(None, Some(folder.path().to_owned())).unwrap();
        assert_eq!(found.path, newest);
        let plain = touch(folder.path(), NAME);
        let found = find(None, Some(folder.path().to_owned())).unwrap();
        assert_eq!(found.path, plain);
    }

    #[test]
    fn the_error_says_what_to_do() {
        let err = Error::NoLibrary {
            name: NAME,
            looked: usual_places(),
        };
        let said = err.to_string();
        assert!(
            said.contains("ORT_DYLIB_PATH") && said.contains("sverklo.onnxruntime"),
            "{said}"
        );
        assert!(usual_places().len() >= 4);
    }
}
