//! Module docs.
#![deny(missing_docs)]

use std::{fmt::{self, Display as Show}, io};
use super::*;
pub use crate::id::{BlobId, TreeId};
use serde as _;
extern crate alloc;
mod parser;
pub(crate) mod inline {
    pub fn inside() {}
}

/// A store.
#[derive(Clone, Debug)]
pub struct Store<'a, T: Clone + Send = u8> where T: Sync {
    /// Entries.
    pub entries: Vec<T>,
    name: &'a str,
}

pub struct Unit;
struct Pair(pub u8, String);

#[deprecated]
pub enum Shape {
    Circle { radius: f64 },
    Square(f64),
    #[default]
    Empty = 3,
}

pub union Bits { int: u32, float: f32 }

pub trait Draw: Display + io::Write {
    type Output;
    const MAX: usize = 3;
    fn draw(&self) -> Self::Output;
    fn twice(&self) { self.draw(); Self::helper(); }
}

impl<'a, T: Clone> Store<'a, T> {
    /// Makes one.
    pub fn new(name: &'a str) -> Self { Self { entries: Vec::new(), name } }
    async fn load(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        let (mut a, b) = self.entries.iter().map(|x| x.clone()).fold((0, 1), f);
        a += b;
        self.name = "other";
        if let Some(Shape::Circle { radius }) = shapes.get(0) { println!("{} {}", radius, self.name.len()); }
        match shape { Shape::Empty => 1, other @ Shape::Square(_) => inline::inside(), n if n > MAX => 2 };
        'outer: loop { break 'outer; }
        const LOCAL: u8 = 1;
        fn nested() {}
        Ok(std::fs::read::<Path>(path)?)
    }
}

impl<T> fmt::Display for Store<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.name) }
}

pub const LIMIT: usize = 10;
static GLOBAL: AtomicUsize = AtomicUsize::new(0);
pub static mut COUNTER: u32 = 0;
pub type Result<T> = std::result::Result<T, Error>;

/// Makes a vector.
#[macro_export]
macro_rules! vector {
    ($($x:expr),*) => { { let mut v = Vec::new(); $(v.push($x);)* v } };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    /// Doc between.
    #[ignore]
    fn works() { assert_eq!(Store::<u8>::new("a").entries.len(), vector![1, 2].len()); }
    fn helper() {}
}
