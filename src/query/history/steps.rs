//! What lies at a name in a tree, kept between questions: walks along the paths of different files pass the same
//! commits, and of their trees the outer ones are the same.
//!
//! What a tree holds never changes, so what is kept is true for ever. It is bounded, and forgotten as a whole.

use gix::ObjectId;
use gix::bstr::{BStr, BString};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// Steps kept: some five megabytes.
const MAX_STEPS: usize = 1 << 16;

/// What is looked for at a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A directory.
    Folder,
    /// A file.
    File,
    /// Whatever is there.
    Any,
}

/// Steps from a tree to what lies in it.
#[derive(Default)]
pub struct Steps(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// Names have numbers: there are few.
    names: FxHashMap<BString, u32>,
    steps: FxHashMap<(ObjectId, u32, Kind), Option<ObjectId>>,
}

impl Steps {
    /// What lies at a name of a tree; `None` where that is not known.
    pub fn get(&self, tree: ObjectId, name: &BStr, kind: Kind) -> Option<Option<ObjectId>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = *known.names.get(name)?;
        known.steps.get(&(tree, name, kind)).copied()
    }

    /// Keeps what lies there.
    pub fn keep(&self, tree: ObjectId, name: &BStr, kind: Kind, found: Option<ObjectId>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.steps.len() >= MAX_STEPS {
            *known = Known::default();
        }
        let next = known.names.len() as u32;
        let name = match known.names.get(name) {
            Some(number) => *number,
            None => *known.names.entry(name.to_owned()).or_insert(next),
        };
        known.steps.insert((tree, name, kind), found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_known_by_its_tree_its_name_and_its_kind() {
        let steps = Steps::default();
        let id = |n: u8| ObjectId::from_bytes_or_panic(&[n; 20]);
        let name = BStr::new("src");
        steps.keep(id(1), name, Kind::Folder, Some(id(2)));
        steps.keep(id(1), name, Kind::File, None);
        assert_eq!(steps.get(id(1), name, Kind::Folder), Some(Some(id(2))));
        assert_eq!(steps.get(id(1), name, Kind::File), Some(None));
        assert_eq!(steps.get(id(1), name, Kind::Any), None);
        assert_eq!(steps.get(id(2), name, Kind::Folder), None);
        assert_eq!(steps.get(id(1), BStr::new("lib"), Kind::Folder), None);
        // No more is kept than there is room for.
        for n in 0..MAX_STEPS {
            let name = BString::from(n.to_string());
            steps.keep(id(3), name.as_ref(), Kind::Any, None);
        }
        assert!(steps.0.lock().unwrap().steps.len() <= MAX_STEPS);
        assert_eq!(steps.get(id(1), name, Kind::Folder), None);
    }
}
