//! The kinds of parts that an index has beside its segments. A kind is registered here, by one line.

use super::error::{Error, Warning};
use super::facts::piece::FactPieces;
use super::files;
use super::kind::{Key, Kind, is_denied};
use super::ledger::Ledger;
use super::log::piece::LogPieces;
use super::part_ref::PartRef;
use super::parts::{Judgement, List, Listed, Parts, WRONG_BEFORE, check_number};
use super::scope::{Keep, Public, Subject};
use super::trace::piece::TracePieces;
use super::travel;
use super::tree::named;
use crate::git::Repo;
use crate::git::tree::TreeEntry;
use crate::id::{BlobId, PartId};
use rustc_hash::FxHashSet;

macro_rules! kinds {
    ($($(#[$doc:meta])* $field:ident: $kind:ty,)*) => {
        /// What a tip names beside segments and their vectors: a list for each kind. The order of the kinds is
        /// that of the parents of a tip on a remote.
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        pub struct Pieces {
            $($(#[$doc])* pub(super) $field: Parts<$kind>,)*
        }

        /// A number for each kind.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Counts {
            $($(#[$doc])* pub $field: usize,)*
        }

        impl Pieces {
            /// Finds what a tip's tree names; of another version of the format only what lasts.
            pub(super) fn of_tree(
                entries: &[TreeEntry],
                is_ours: bool,
                warnings: &mut Vec<Warning>,
            ) -> Self {
                Self {
                    $($field: match is_ours || <$kind>::LASTS {
                        true => Parts::stored(named::<$kind>(entries, <$kind>::MAX_PARTS, warnings)),
                        false => Parts::default(),
                    },)*
                }
            }

            /// The lists, as the tip's tree needs them.
            pub(super) fn each(&self) -> Vec<List<'_>> {
                vec![$(self.$field.list()),*]
            }

            /// Whether there are no more of any kind than a tip may name.
            pub(super) fn check_numbers(&self) -> Result<(), Error> {
                $(check_number::<$kind>(self.$field.ids().len())?;)*
                Ok(())
            }

            /// Those that pass.
            pub(super) fn filtered(&self, keep: &dyn Fn(PartId) -> bool) -> Self {
                Self { $($field: self.$field.filtered(keep),)* }
            }

            /// Gives every part that was published its file.
            pub(super) fn settled(self, repo: &Repo) -> Self {
                Self { $($field: self.$field.settled(repo),)* }
            }

            /// See [`Parts::unite`].
            pub(super) fn unite(
                &self,
                repo: &Repo,
                theirs: &Self,
                ledger: &Ledger,
                warnings: &mut Vec<Warning>,
            ) -> Result<Self, Error> {
                Ok(Self { $($field: self.$field.unite(repo, &theirs.$field, ledger, warnings)?,)* })
            }

            /// See [`Parts::add`].
            pub(super) fn add(
                &self,
                repo: &Repo,
                more: &Self,
                ledger: &Ledger,
                warnings: &mut Vec<Warning>,
            ) -> Result<Self, Error> {
                Ok(Self { $($field: self.$field.add(repo, &more.$field, ledger, warnings)?,)* })
            }

            /// Compacts all lists fully, to what is kept.
            pub(super) fn collect(
                &self,
                repo: &Repo,
                keep: Keep,
                warnings: &mut Vec<Warning>,
            ) -> Result<Collected, Error> {
                let mut out = Collected::default();
                $({
                    let keeps = |key: &Key<$kind>| <$kind>::keeps(keep, key);
                    let (parts, kept) = self.$field.collect(repo, &keeps, warnings)?;
                    out.pieces.$field = parts;
                    out.dropped.$field = kept.dropped;
                    out.shrunk.extend(kept.shrunk);
                })*
                Ok(out)
            }

            /// Returns the lists without what is recorded of denied blobs, and how many entries go.
            pub(super) fn without_denied(
                &self,
                repo: &Repo,
                ledger: &Ledger,
                warnings: &mut Vec<Warning>,
            ) -> Result<(Self, Counts), Error> {
                let (mut out, mut dropped) = (self.clone(), Counts::default());
                $(if <$kind>::OF_BLOBS {
                    let keeps = |key: &Key<$kind>| !is_denied::<$kind>(ledger, key);
                    let (parts, kept) = self.$field.collect(repo, &keeps, warnings)?;
                    out.$field = parts;
                    dropped.$field = kept.dropped;
                })*
                Ok((out, dropped))
            }

            /// Judges what `ours` has not, leaves out what cannot be believed, and makes sure that it has no
            /// file.
            pub(super) fn judge(
                &mut self,
                repo: &Repo,
                ours: &Self,
                set_aside: &FxHashSet<PartId>,
                sample: usize,
            ) -> Judgement {
                let mut out = Judgement::default();
                $({
                    let known = self.$field.ids().iter().copied();
                    let known = known.filter(|id| set_aside.contains(&(*id).into()));
                    let known = known.map(|id| (PartRef::of::<$kind>(id), WRONG_BEFORE.to_owned()));
                    let mut found = Judgement { lies: known.collect(), ..Judgement::default() };
                    self.$field.leave_out(repo, &found);
                    found.extend(<$kind>::judge(repo, &ours.$field, &self.$field, sample));
                    self.$field.leave_out(repo, &found);
                    out.extend(found);
                })*
                out
            }

            /// Removes the files of those that do not pass.
            pub(super) fn remove_files(&self, repo: &Repo, keep: &dyn Fn(PartId) -> bool) {
                $({
                    let ids = self.$field.ids().iter().copied();
                    let gone: Vec<_> = ids.filter(|id| !keep((*id).into())).collect();
                    files::remove::<$kind>(repo, &gone);
                })*
            }

            /// Examines what a tip names, such a share of it in percent.
            pub(super) fn examine(&self, repo: &Repo, percent: u8) -> Judgement {
                let mut out = Judgement::default();
                $(out.extend(<$kind>::examine(repo, &self.$field, percent));)*
                out
            }

            /// Finds the parts that tell of denied blobs.
            pub(super) fn denied(&self, repo: &Repo, ledger: &Ledger) -> Vec<PartRef> {
                let mut out = Vec::new();
                $(if <$kind>::OF_BLOBS && ledger.denied().len() > 0 {
                    let open = self.$field.open(repo, &mut Vec::new());
                    let denied = open.iter().filter(|part| part.holds_denied(ledger));
                    out.extend(denied.map(|part| PartRef::of::<$kind>(part.id())));
                })*
                out
            }

            /// What of these a remote lacks that has `theirs`, and documents of the blobs that it holds.
            pub(super) fn unshared(
                &self,
                repo: &Repo,
                theirs: &Self,
                holds: &dyn Fn(BlobId) -> bool,
            ) -> (Vec<Subject>, Counts) {
                let (mut subjects, mut counts) = (Vec::new(), Counts::default());
                $({
                    let keys = travel::unshared_of(repo, &self.$field, &theirs.$field, holds);
                    counts.$field = keys.len();
                    subjects.extend(keys.iter().map(<$kind>::subject));
                })*
                (subjects, counts)
            }

            /// Composes what a remote is to have that has `theirs` (see [`travel::compose`]).
            pub(super) fn compose(
                &self,
                repo: &Repo,
                theirs: &Self,
                holds: &dyn Fn(BlobId) -> bool,
                public: Public,
                ledger: &mut Ledger,
            ) -> Result<Travelling, Error> {
                let mut out = Travelling::default();
                $({
                    let (mine, other) = (&self.$field, &theirs.$field);
                    let composed = travel::compose(repo, mine, other, holds, public, ledger)?;
                    (out.pieces.$field, out.new.$field, out.withheld.$field) = composed;
                })*
                Ok(out)
            }
        }
    };
}

/// What a collection kept of each kind.
#[derive(Default)]
pub(super) struct Collected {
    /// The parts.
    pub pieces: Pieces,
    /// Entries that were dropped.
    pub dropped: Counts,
    /// The parts that held one of these.
    pub shrunk: Vec<PartId>,
}

/// What a remote is to have of each kind.
#[derive(Default)]
pub(super) struct Travelling {
    /// The parts.
    pub pieces: Pieces,
    /// Entries of which the remote learns something.
    pub new: Counts,
    /// Entries that stay here.
    pub withheld: Counts,
}

kinds! {
    /// Pieces of traces: recorded coverage.
    traces: TracePieces,
    /// Pieces of facts: what compilers said names what.
    facts: FactPieces,
    /// Pieces of the history log: what commits say.
    log: LogPieces,
}
