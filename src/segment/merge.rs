//! Several segments to one.

use super::builder::build_rows;
use super::error::Error;
use super::reader::Segment;
use crate::extract::record::RowKey;
use gix::hash::Kind;
use rustc_hash::FxHashSet;

/// Builds the segment of the union of all documents that pass `keep`.
///
/// The bytes are those of [`build`](super::build) on the same documents; of several with the same
/// key, the one of the first segment counts. Fails when a segment is malformed or of another hash, or
/// the union exceeds a limit.
pub fn merge(
    hash: Kind,
    segments: &[&Segment],
    keep: impl Fn(&RowKey) -> bool,
) -> Result<Vec<u8>, Error> {
    let mut seen = FxHashSet::default();
    let mut docs = Vec::new();
    for segment in segments {
        if segment.hash_kind() != hash {
            return Err(Error::Hash {
                found: segment.hash_kind(),
                expected: hash,
            });
        }
        let records = segment.records_where(|key| !seen.contains(key) && keep(key))?;
        seen.extend(records.iter().map(|(key, _)| *key));
        docs.extend(records);
    }
    build_rows(hash, docs)
}

#[cfg(test)]
mod tests {
    use super::super::arbitrary::{cases, rows};
    use super::super::build_rows;
    use super::*;
    use crate::extract::record::{DocRecord, Grammar};
    use proptest::prelude::*;

    fn segment(docs: Vec<(RowKey, DocRecord)>) -> Segment {
        Segment::open(build_rows(Kind::Sha1, docs).unwrap()).unwrap()
    }

    proptest! {
        #![proptest_config(cases(100))]

        #[test]
        fn merging_is_building_the_union(
            a in rows(Kind::Sha1, 5),
            b in rows(Kind::Sha1, 5),
            c in rows(Kind::Sha1, 3),
        ) {
            let keep = |key: &RowKey| key.doc.grammar != Grammar::Python;
            let parts = [segment(a.clone()), segment(b.clone()), segment(c.clone())];
            let merged = merge(Kind::Sha1, &parts.iter().collect::<Vec<_>>(), keep).unwrap();
            let union = [a, b, c].concat().into_iter().filter(|(key, _)| keep(key)).collect();
            prop_assert_eq!(merged, build_rows(Kind::Sha1, union).unwrap());
        }
    }

    #[test]
    fn segments_of_another_hash_are_refused() {
        let none = segment(Vec::new());
        let merged = merge(Kind::Sha256, &[&none], |_| true);
        assert!(matches!(merged, Err(Error::Hash { .. })));
    }
}
