//! The key that seals what is kept: random, in the user's own folder, readable by nobody else.
//!
//! Nothing that comes with a repository can have been sealed with it. Losing it loses nothing: what it
//! sealed is as if it were not there, and is made again.

use crate::home;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;

/// Name of the file in the user's folder for data.
const FILE: &str = "cache-key";
/// First bytes of the file; the secret follows, then 8 bytes of its hash.
const MAGIC: &[u8; 8] = b"svkey\x01\r\n";
/// Bytes of the secret.
const SECRET: usize = 32;

/// A key for seals.
pub(super) struct Key([u8; SECRET]);

impl Key {
    /// Reads the user's key, or makes it. Of several processes that make it at once one wins, and all
    /// have its key. Fails with why there is none, as the end of a sentence.
    pub fn of_user(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, String> {
        let folder = home::data(variable).ok_or("the environment names no home folder")?;
        let at = |err: std::io::Error| format!("{}: {err}", folder.join(FILE).display());
        Self::in_folder(&folder).map_err(at)
    }

    fn in_folder(folder: &Path) -> std::io::Result<Self> {
        let path = folder.join(FILE);
        if let Some(key) = Self::read(&path)? {
            return Ok(key);
        }
        let mut secret = [0; SECRET];
        getrandom::fill(&mut secret).map_err(std::io::Error::other)?;
        std::fs::create_dir_all(folder)?;
        // Made for the user alone.
        let mut temp = tempfile::NamedTempFile::new_in(folder)?;
        temp.write_all(MAGIC)?;
        temp.write_all(&secret)?;
        temp.write_all(&check(&secret))?;
        temp.as_file().sync_all()?;
        match temp.persist_noclobber(&path) {
            Ok(_) => Ok(Self(secret)),
            Err(err) => match Self::read(&path)? {
                Some(key) => Ok(key),
                None => {
                    // Damaged, or open to others: a key that seals nothing any more.
                    err.file.persist(&path).map_err(|err| err.error)?;
                    Ok(Self(secret))
                }
            },
        }
    }

    /// Reads a key; `None` when there is none that counts.
    fn read(path: &Path) -> std::io::Result<Option<Self>> {
        let found = match std::fs::metadata(path) {
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            found => found?,
        };
        if !found.is_file() || found.len() > 1024 || !is_private(&found) {
            return Ok(None);
        }
        Ok(Self::parse(&std::fs::read(path)?))
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (secret, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<SECRET>()?;
        (rest == check(secret)).then_some(Self(*secret))
    }

    /// What is sealed with this key is kept in a folder of this name.
    pub fn folder(&self) -> String {
        let name = blake3::keyed_hash(&self.0, b"folder");
        let bytes = name.as_bytes().iter().take(8);
        bytes.map(|byte| format!("{byte:02x}")).collect()
    }

    /// The seal of a file: over its name and all its bytes.
    pub fn seal(&self, name: &str, body: &[u8]) -> blake3::Hash {
        let mut state = blake3::Hasher::new_keyed(&self.0);
        state.update(&(name.len() as u64).to_le_bytes());
        state.update(name.as_bytes());
        state.update(body);
        state.finalize()
    }
}

fn check(secret: &[u8; SECRET]) -> [u8; 8] {
    let hash = blake3::hash(secret);
    let mut out = [0; 8];
    out.copy_from_slice(&hash.as_bytes()[..8]);
    out
}

/// Whether nobody but its owner can read a file, as far as the operating system can say so.
#[cfg(unix)]
fn is_private(found: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o077 == 0
}

#[cfg(not(unix))]
fn is_private(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_is_nobody_elses() {
        let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let keys: Vec<Key> = std::thread::scope(|scope| {
            let make = || scope.spawn(|| Key::in_folder(&home.path().join("ours")).unwrap());
            let makers: Vec<_> = (0..8).map(|_| make()).collect();
            makers
                .into_iter()
                .map(|maker| maker.join().unwrap())
                .collect()
        });
        assert!(keys.iter().all(|key| key.0 == keys[0].0));
        let stranger = Key::in_folder(other.path()).unwrap();
        assert_ne!(stranger.folder(), keys[0].folder());
        assert_ne!(stranger.seal("a", b"b"), keys[0].seal("a", b"b"));
        assert_ne!(keys[0].seal("a", b"b"), keys[0].seal("b", b"b"));
        assert_ne!(keys[0].seal("a", b"b"), keys[0].seal("", b"ab"));
        assert_eq!(keys[0].folder().len(), 16);
        let left = std::fs::read_dir(home.path().join("ours")).unwrap().count();
        assert_eq!(left, 1);
    }

    #[test]
    fn a_damaged_key_is_made_again_and_one_open_to_others_too() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(FILE);
        let first = Key::in_folder(home.path()).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for damaged in [&b""[..], &whole[..47], &[0; 48]] {
            std::fs::write(&path, damaged).unwrap();
            let again = Key::in_folder(home.path()).unwrap();
            assert_ne!(again.0, first.0);
            assert_eq!(Key::in_folder(home.path()).unwrap().0, again.0);
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let before = Key::in_folder(home.path()).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
            assert_ne!(Key::in_folder(home.path()).unwrap().0, before.0);
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn without_a_home_there_is_no_key() {
        assert!(Key::of_user(&|_| None).is_err());
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(Key::in_folder(file.path()).is_err());
    }
}
