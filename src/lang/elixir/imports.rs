//! `alias`, `import`, `require` and `use` of Elixir.

use super::{first_argument, option};
use crate::syntax::prelude::*;

/// `alias A.{B, C}`, `alias A.B, as: C`, `import A, only: [f: 1]`, `use A`, `require A`.
pub(super) fn imports<'t>(walk: &mut Walk<'t>, node: Node<'t>, word: &[u8]) {
    let Some(first) = first_argument(node) else {
        return;
    };
    let mut modules: Vec<(Vec<u8>, &'t [u8])> = Vec::new();
    match first.kind_name() {
        "alias" => modules.push((walk.text(first).to_vec(), last_part(walk.text(first)))),
        "dot" => {
            let (Some(left), Some(right)) = (first.field("left"), first.field("right")) else {
                return;
            };
            for name in right.all_of("alias") {
                let full = [walk.text(left), b".", walk.text(name)].concat();
                modules.push((full, last_part(walk.text(name))));
            }
        }
        _ => return,
    }
    let renamed = option(walk, node, b"as:").map(|name| walk.text(name));
    let only = option(walk, node, b"only:");
    for (module, last) in modules {
        let bindings = match word {
            b"alias" | b"require" => vec![walk.binding(None, Some(renamed.unwrap_or(last)))],
            b"import" => match only.and_then(|list| list.named_of("keywords")) {
                Some(list) => {
                    let names: Vec<_> = list
                        .named()
                        .filter_map(|pair| pair.field("key"))
                        .map(|key| walk.text(key).trim_ascii_end())
                        .map(|key| key.strip_suffix(b":").unwrap_or(key))
                        .collect();
                    let bound = names.into_iter();
                    bound
                        .map(|name| walk.binding(Some(name), Some(name)))
                        .collect()
                }
                None => vec![walk.binding(None, None)],
            },
            _ => vec![walk.binding(None, None)],
        };
        walk.import(ImportKind::Import, node, &module, bindings);
    }
}

fn last_part(path: &[u8]) -> &[u8] {
    path.rsplit(|b| *b == b'.').next().unwrap_or(path)
}
