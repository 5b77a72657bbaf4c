//! Files whose seals held before, so that they are not hashed again: of a large repository that takes longer than most
//! answers.
//!
//! A note says that a file of this number and size, with these times, was found whole. Whoever writes into a file changes
//! the time of its last change, which nobody can set; so an unchanged one has the bytes that were looked at. The notes are
//! sealed as all else is, so that none comes from an archive or another user. Nothing is noted of a file that changed a
//! moment ago, which may change once more within the same tick of the clock, and nothing is believed after a restart of the
//! system, which may have lost what was not on the disk yet. Where the system does not say when it was started (anywhere but
//! on Linux) every file is hashed.

use rustc_hash::FxHashMap;
use std::fs::File;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Name of the notes.
pub(super) const FILE: &str = "believed";
/// Smaller files are hashed in no time.
#[cfg(unix)]
const LEAST: u64 = 16 << 10;
/// How long ago a file must have changed: file systems know times to 2 seconds or better.
const SETTLED: Duration = Duration::from_secs(2);
/// Notes that are kept.
const MAX_NOTES: usize = 4096;
/// Largest file of notes that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// What the file system says of a file: device, number, size, when its bytes and when anything of it changed last.
type Stamp = [u64; 7];

#[derive(bincode::Encode, bincode::Decode)]
struct Saved {
    boot: String,
    notes: Vec<(String, Stamp)>,
}

/// Notes of one folder.
#[derive(Default)]
pub(super) struct Believed {
    /// Names the time since the system was started; `None` where nothing is believed.
    boot: Option<String>,
    notes: FxHashMap<String, Stamp>,
    is_news: bool,
}

impl Believed {
    /// Reads notes; there are none where they are of an earlier time.
    pub(super) fn read(body: Option<&[u8]>) -> Self {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok();
        let encoding = bincode::config::standard().with_limit::<MAX_BYTES>();
        let saved =
            body.and_then(|body| bincode::decode_from_slice::<Saved, _>(body, encoding).ok());
        let saved = saved.map(|(saved, _)| saved);
        let saved = saved.filter(|saved| boot.as_ref() == Some(&saved.boot));
        Self {
            boot,
            notes: saved.map_or_else(FxHashMap::default, |saved| {
                saved.notes.into_iter().collect()
            }),
            is_news: false,
        }
    }

    /// Whether a file was found whole and is as it was then.
    pub(super) fn holds(&self, name: &str, stamp: &Stamp) -> bool {
        self.boot.is_some() && self.notes.get(name) == Some(stamp)
    }

    /// Notes that a file was found whole, with what the file system said of it before that.
    pub(super) fn learn(&mut self, name: &str, stamp: Stamp) {
        if self.boot.is_some() && is_settled(&stamp) {
            self.notes.insert(name.to_owned(), stamp);
            self.is_news = true;
        }
    }

    /// The notes as bytes, those of files that are gone left out; `None` when nothing is new.
    pub(super) fn news(&mut self, is_there: impl Fn(&str) -> bool) -> Option<Vec<u8>> {
        let boot = self.boot.clone().filter(|_| self.is_news)?;
        self.is_news = false;
        self.notes.retain(|name, _| is_there(name));
        let notes = self.notes.iter().take(MAX_NOTES);
        let notes = notes.map(|(name, stamp)| (name.clone(), *stamp)).collect();
        bincode::encode_to_vec(Saved { boot, notes }, bincode::config::standard()).ok()
    }
}

fn is_settled(stamp: &Stamp) -> bool {
    let changed = Duration::from_secs(stamp[5]).saturating_add(Duration::from_nanos(stamp[6]));
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.is_ok_and(|now| now.checked_sub(SETTLED).is_some_and(|then| changed < then))
}

/// What the file system says of an open file; `None` of one that is hashed anyway.
#[cfg(unix)]
pub(super) fn stamp(file: &File) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt;
    let found = file.metadata().ok().filter(|found| found.len() >= LEAST)?;
    Some([
        found.dev(),
        found.ino(),
        found.len(),
        found.mtime().cast_unsigned(),
        found.mtime_nsec().cast_unsigned(),
        found.ctime().cast_unsigned(),
        found.ctime_nsec().cast_unsigned(),
    ])
}

/// Other systems do not say when a file was changed last.
#[cfg(not(unix))]
pub(super) fn stamp(_: &File) -> Option<Stamp> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn notes_hold_for_the_same_file_and_until_the_next_start() {
        let mut believed = Believed::read(None);
        let old = [1, 2, 30_000, 5, 6, 7, 8];
        believed.learn("a", old);
        believed.learn("gone", old);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        believed.learn("young", [1, 2, 30_000, 5, 6, now.as_secs(), 0]);
        let bytes = believed.news(|name| name != "gone").unwrap();
        assert!(believed.news(|_| true).is_none());
        let again = Believed::read(Some(&bytes));
        assert!(again.holds("a", &old) && !again.holds("gone", &old));
        assert_eq!(again.notes.len(), 1);
        for at in 0..old.len() {
            let mut other = old;
            other[at] += 1;
            assert!(!again.holds("a", &other), "{at}");
        }
        let mut earlier = Believed::read(Some(&bytes));
        earlier.boot = Some("another".to_owned());
        earlier.is_news = true;
        let bytes = earlier.news(|_| true).unwrap();
        assert!(!Believed::read(Some(&bytes)).holds("a", &old));
        assert!(Believed::read(Some(b"no notes")).notes.is_empty());
    }
}
