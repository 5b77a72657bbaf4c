//! Types of which a part may mean something else, as something that belongs to them or is below them changed.

use super::super::resolve::Resolver;
use super::super::table::SymbolId;
use super::Reused;
use crate::view::live::FileId;
use rustc_hash::FxHashSet;

impl Reused<'_> {
    /// Marks the files of types to which something in a marked file belongs, or belonged: that may give them
    /// other bases and members.
    pub(super) fn mark_classes(&mut self, resolver: &Resolver<'_>) {
        let (table, members) = (resolver.table, &resolver.members);
        let mut also: Vec<u32> = Vec::new();
        for file in (0..self.stale.len() as u32).filter(|file| self.stale[*file as usize]) {
            let is =
                (table.offsets()[file as usize]..table.offsets()[file as usize + 1]).map(SymbolId);
            let classes = is.flat_map(|id| [Some(members.canonical(id)), members.owner(id)]);
            also.extend(classes.flatten().map(|class| table.file(class).0));
            if let Some(was) = self.aligned.was[file as usize] {
                let was = self.before.symbols_of(was as usize);
                let classes = was.filter_map(|id| self.graph.owner(SymbolId(id as u32)));
                let classes = classes.filter_map(|class| self.id(class.0));
                also.extend(classes.map(|class| table.file(SymbolId(class)).0));
            }
        }
        for file in also {
            self.stale[file as usize] = true;
        }
    }

    /// Marks the files of all bases of types in marked files, and in files that went, of now and of before, where what is
    /// written in a type may mean members of those below it: the files of all parts of such a base.
    pub(super) fn mark_bases(&mut self, resolver: &Resolver<'_>) {
        let (table, members) = (resolver.table, &resolver.members);
        let files = (0..self.stale.len() as u32).map(FileId);
        let marked: Vec<FileId> = files
            .filter(|file| !self.holds(*file) && resolver.asks_heirs(*file))
            .collect();
        let all =
            |file: &FileId| table.offsets()[file.0 as usize]..table.offsets()[file.0 as usize + 1];
        let classes = marked
            .iter()
            .flat_map(all)
            .map(|id| members.canonical(SymbolId(id)));
        let bases = classes.flat_map(|class| members.with_bases(class).skip(1));
        let bases: FxHashSet<SymbolId> = bases.collect();
        let were = self.bases_before(&marked);
        let is = bases.iter().copied().chain(members.parts_of(&bases));
        let was = were.iter().copied().chain(self.graph.parts_of(&were));
        let was = was.filter_map(|id| self.id(id.0).map(SymbolId));
        let also: Vec<FileId> = is.chain(was).map(|id| table.file(id)).collect();
        for file in also.into_iter().filter(|file| resolver.asks_heirs(*file)) {
            self.stale[file.0 as usize] = true;
        }
    }

    /// All bases that types of marked files, and of files that went, had in the earlier graph.
    fn bases_before(&self, marked: &[FileId]) -> FxHashSet<SymbolId> {
        let marked = marked.iter().filter_map(|file| self.was(*file));
        let files = marked.chain(self.aligned.went());
        let ids = files.flat_map(|file| self.before.symbols_of(file.0 as usize));
        let ids = ids.map(|id| SymbolId(id as u32));
        let mut open: Vec<SymbolId> = ids
            .flat_map(|id| [Some(id), self.graph.owner(id)])
            .flatten()
            .collect();
        let mut bases = FxHashSet::default();
        while let Some(id) = open.pop() {
            open.extend(self.graph.bases(id).filter(|base| bases.insert(*base)));
        }
        bases
    }
}
