//! stub
use crate::extract::record::ImportKind;
use crate::view::live::{FileId, View};
/// stub
pub struct Modules {}
/// stub
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// stub
    pub kind: ImportKind,
    /// stub
    pub line: u32,
}
/// stub
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resolution {
    /// stub
    Found(Place),
    /// stub
    External,
    /// stub
    Unresolved,
}
/// stub
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// stub
    pub files: Vec<FileId>,
    /// stub
    pub inner: Vec<Vec<u8>>,
}
impl Modules {
    /// stub
    pub fn of(_: &View, _: &mut dyn FnMut(FileId) -> Option<Vec<u8>>) -> Self {
        Self {}
    }
    /// stub
    pub fn resolve(&self, _: &View, _: FileId, _: Site, _: &[u8]) -> Resolution {
        Resolution::Unresolved
    }
    /// stub
    pub fn child(&self, _: &View, _: &Place, _: &[u8]) -> Option<Place> {
        None
    }
    /// stub
    pub fn package_of(&self, _: FileId) -> &[FileId] {
        &[]
    }
}
