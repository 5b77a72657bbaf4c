//! Which commits touched a file: the log the other way round.
//!
//! Turned around once for a window, when it is first asked for; then what is asked for costs as much as
//! there are answers.

use super::piece::Piece;
use super::window::{Age, Window};
use rustc_hash::{FxHashMap, FxHashSet};

/// Earlier names of a file that are looked up.
const MAX_NAMES: usize = 64;
/// What sums of the same weights in another order may differ by, as a share; far more than they do.
const ROUNDING: f64 = 1e-9;

/// The places of commits by the place of a path they touched.
#[derive(Debug, Default)]
struct Touchers {
    /// Where the commits of each path end.
    ends: Vec<u32>,
    commits: Vec<u32>,
}

impl Touchers {
    fn of(piece: &Piece) -> Self {
        let all = || piece.all_about().zip(0_u32..);
        let mut ends = vec![0_u32; piece.paths() as usize + 1];
        for (touched, _) in all() {
            for place in touched {
                ends[place as usize + 1] += 1;
            }
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        // While it is filled, each end is where the next commit goes.
        let mut commits = vec![0; ends.last().map_or(0, |end| *end as usize)];
        let mut next = ends.clone();
        for (touched, at) in all() {
            for place in touched {
                let slot = &mut next[place as usize];
                commits[*slot as usize] = at;
                *slot += 1;
            }
        }
        Self { ends, commits }
    }

    fn get(&self, place: u32) -> &[u32] {
        let place = place as usize;
        let (start, end) = (self.ends[place] as usize, self.ends[place + 1] as usize);
        &self.commits[start..end]
    }
}

/// A window turned around.
#[derive(Debug, Default)]
pub(super) struct Turned {
    touchers: Vec<Touchers>,
    /// By new path: the old ones.
    names: FxHashMap<Vec<u8>, Vec<Vec<u8>>>,
}

impl Turned {
    fn of(window: &Window) -> Self {
        let mut names: FxHashMap<Vec<u8>, Vec<Vec<u8>>> = FxHashMap::default();
        for (old, moves) in &window.moves {
            for (_, new) in moves {
                names.entry(new.clone()).or_default().push(old.clone());
            }
        }
        let pieces = window.log.pieces().iter();
        Self {
            touchers: pieces.map(|piece| Touchers::of(piece)).collect(),
            names,
        }
    }

    /// The names that a file may have had, this one among them.
    fn names_of<'a>(&'a self, path: &'a [u8]) -> Vec<&'a [u8]> {
        let mut names = vec![path];
        let mut seen = FxHashSet::from_iter([path]);
        let mut at = 0;
        while let Some(name) = names.get(at).copied() {
            for old in self.names.get(name).into_iter().flatten() {
                if names.len() < MAX_NAMES && seen.insert(old) {
                    names.push(old);
                }
            }
            at += 1;
        }
        names
    }
}

/// Commits and their weights.
pub type Times = Vec<(Age, f64)>;

/// A path as a piece has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathAt {
    piece: usize,
    place: u32,
}

impl Window {
    /// The commits that touched the file that has this path today, newest first.
    pub fn touching(&self, path: &[u8]) -> Vec<Age> {
        let turned = self.turned.get_or_init(|| Turned::of(self));
        let names = turned.names_of(path);
        let mut out = Vec::new();
        let pieces = self.log.pieces().iter().zip(&self.ages);
        for ((piece, ages), touchers) in pieces.zip(&turned.touchers) {
            for name in names.iter().copied() {
                let places = piece.find_path(name);
                let commits = places.into_iter().flat_map(|place| touchers.get(place));
                let known = commits.filter_map(|at| Some(Age(*ages.get(*at as usize)?)));
                // Another file may have had the name at another time.
                let same = known.filter(|age| age.is_known() && self.today(name, *age) == path);
                out.extend(same);
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The names that the file of this path may have had before, as far as renames tell.
    pub fn earlier_names(&self, path: &[u8]) -> Vec<Vec<u8>> {
        let turned = self.turned.get_or_init(|| Turned::of(self));
        let names = turned.names_of(path).into_iter().skip(1);
        names.map(<[u8]>::to_vec).collect()
    }

    /// What these commits left changed, the paths with the largest sums of their weights first, no more than
    /// `most`, each with the commits and their weights in the order of their ages. How the log is cut into pieces
    /// changes nothing: a path has what it has in all of them.
    pub fn together(&self, commits: &[(Age, f64)], most: usize) -> Vec<(PathAt, Times)> {
        let mut met: FxHashMap<PathAt, (f64, Times)> = FxHashMap::default();
        for (age, weight) in commits {
            for place in self.touched_places(*age) {
                let (sum, times) = met.entry(place).or_default();
                *sum += weight;
                times.push((*age, *weight));
            }
        }
        // Names cost more than numbers. A path that is among the first has its share of the last of them in one piece.
        let pieces = self.log.pieces().len();
        let mut sums: Vec<f64> = met.values().map(|(sum, _)| *sum).collect();
        sums.sort_unstable_by(|a, b| b.total_cmp(a));
        let last = sums.get(most.saturating_sub(1)).copied().unwrap_or(0.0);
        let least = last / pieces.max(1) as f64 * (1.0 - ROUNDING);
        let mut named: FxHashMap<Vec<u8>, (PathAt, f64, Times)> = FxHashMap::default();
        for (at, _) in met.iter().filter(|(_, (sum, _))| *sum >= least) {
            let name = self.path(*at);
            if named.contains_key(&name) {
                continue;
            }
            let in_piece = |piece: usize| {
                let place = match piece == at.piece {
                    true => Some(at.place),
                    false => self.log.piece(piece).find_path(&name),
                };
                met.get(&PathAt {
                    piece,
                    place: place?,
                })
            };
            let all = (0..pieces)
                .filter_map(in_piece)
                .flat_map(|(_, times)| times);
            let mut times: Times = all.copied().collect();
            times.sort_unstable_by_key(|(age, _)| *age);
            let sum = times.iter().map(|(_, weight)| weight).sum();
            named.insert(name, (*at, sum, times));
        }
        let mut named: Vec<_> = named.into_iter().collect();
        named.sort_unstable_by(|(a, (_, x, _)), (b, (_, y, _))| {
            y.total_cmp(x).then_with(|| a.cmp(b))
        });
        named.truncate(most);
        let places = named.into_iter().map(|(_, (at, _, times))| (at, times));
        places.collect()
    }

    /// Whether one commit of the window touched a path under its name, and no other: most likely it made the file,
    /// and nobody ever changed it.
    pub fn is_touched_once(&self, at: PathAt) -> bool {
        let turned = self.turned.get_or_init(|| Turned::of(self));
        let times = |piece: usize, place: u32| {
            let commits = turned.touchers[piece].get(place).iter();
            let ages = commits.filter_map(|at| Some(Age(*self.ages[piece].get(*at as usize)?)));
            ages.filter(|age| age.is_known()).take(2).count()
        };
        // Most are touched again in the same piece, which is known without their names.
        if times(at.piece, at.place) != 1 {
            return false;
        }
        let name = self.path(at);
        let mut others = (0..self.log.pieces().len()).filter(|piece| *piece != at.piece);
        !others.any(|piece| {
            let place = self.log.piece(piece).find_path(&name);
            place.is_some_and(|place| times(piece, place) > 0)
        })
    }

    /// The paths that a commit left changed, without their names; none of one that is about no file in particular.
    pub fn touched_places(&self, age: Age) -> impl Iterator<Item = PathAt> {
        let (piece, at) = self.commits[age.0 as usize];
        let touched = self.log.piece(piece).about(at);
        touched.map(move |place| PathAt { piece, place })
    }

    /// The name of a path.
    pub fn path(&self, at: PathAt) -> Vec<u8> {
        self.log.piece(at.piece).path(at.place)
    }
}
