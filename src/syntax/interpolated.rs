//! Strings that may hold code: Ruby, PHP, Kotlin, Swift, Scala, Dart and C#.

use super::walk::{Frame, Walk, is_name, string_content};
use crate::record::{OccurrenceKind, Qualifier};
use tree_sitter::Node;

/// Records a string that is a name and nothing else as a mention; any other is visited for the code
/// it holds.
pub(crate) fn string<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let text = walk.text(node);
    let content = string_content(text);
    // `"$name"` is code in some of these languages and no identifier in the others.
    if frame.role == OccurrenceKind::Import || !is_name(content) || content.contains(&b'$') {
        return;
    }
    let offset = content.as_ptr() as usize - text.as_ptr() as usize;
    let start = node.start_byte() + offset;
    if walk.def_names.remove(&start) {
        return frame.skip();
    }
    let point = node.start_position();
    walk.occurrence(
        content,
        point.row,
        point.column + offset,
        OccurrenceKind::Mention,
        Qualifier::None,
    );
    frame.skip();
}
