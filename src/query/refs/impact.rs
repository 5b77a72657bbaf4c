//! What a change of a symbol may reach, and what a symbol rests on: its callers, their callers, and
//! the same the other way, each with the shortest path to it.

use super::RefsContext;
use crate::graph::table::SymbolId;
use crate::query::reach;
use crate::query::refs::answer::RefsAnswer;
use crate::query::request::Direction;
use crate::view::live::FileId;
use crate::view::text::Texts;
use std::collections::BTreeMap;

/// With more items than this, which nobody reads one by one, a summary by directory comes first.
const SUMMARY_FROM: usize = 80;
/// Directory levels that the summary tells apart.
const SUMMARY_LEVELS: usize = 2;

/// Fills in what is reached from some symbols.
pub(super) fn answer(
    asked: &RefsContext<'_>,
    texts: &mut Texts,
    direction: Direction,
    symbols: &[SymbolId],
    answer: &mut RefsAnswer,
) {
    let around = asked.around();
    let steps = reach::walk(around, direction, symbols);
    let mut reached = reach::nearest_first(around, &steps);
    reached.retain(|(node, _)| {
        let file = asked.view.file(reach::file_of(around, *node));
        asked.filter.admits(asked.view, file)
    });
    answer.reached_by = Some((direction, reached.len()));
    answer.total += reached.len() as u64;
    for (_, step) in &reached {
        answer.certainty[step.certainty as usize] += 1;
    }
    let mut directories: BTreeMap<String, usize> = BTreeMap::new();
    let mut files: Vec<FileId> = Vec::new();
    for (node, _) in &reached {
        let file = reach::file_of(around, *node);
        files.push(file);
        let path = asked.view.file(file).path.to_string();
        *directories.entry(directory(&path)).or_default() += 1;
    }
    files.sort_unstable();
    files.dedup();
    answer.files_total += files.len();
    if reached.len() > SUMMARY_FROM {
        let mut summed: Vec<(String, usize)> = directories.into_iter().collect();
        summed.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        answer.directories = summed;
    }
    let shown = reached
        .iter()
        .skip(asked.request.offset)
        .take(asked.request.limit);
    answer.reached = shown
        .map(|(node, step)| reach::describe(around, texts, &steps, *node, step))
        .collect();
}

/// The first levels of a path's directory, ending in a slash; empty for the root.
fn directory(path: &str) -> String {
    let Some((folder, _)) = path.rsplit_once('/') else {
        return String::new();
    };
    let parts: Vec<&str> = folder.split('/').take(SUMMARY_LEVELS).collect();
    parts.join("/") + "/"
}

#[cfg(test)]
mod tests {
    use super::directory;

    #[test]
    fn directories_are_told_apart_to_the_second_level() {
        assert_eq!(directory("a.rs"), "");
        assert_eq!(directory("src/a.rs"), "src/");
        assert_eq!(directory("src/b/c/a.rs"), "src/b/");
    }
}
