//! Whether a file that an import names may be there although none of that path is: another one stands for it, or it is made
//! when the project is built or run.

use crate::git::tree::EntryMode;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;

/// Rules of `.gitignore` that are read.
const MAX_RULES: usize = 4096;

/// Names of what is made when a project is built, or of what each who runs it has.
const MADE: &[&[u8]] = byte_words!(
    "generated __generated__ _generated gen dist build out output lib target node_modules next nuxt Release Debug
     node _version version local local_settings settings_local secret secrets private"
);

/// Whether something may answer to a specifier that begins with a dot.
pub(super) fn may_be_there(view: &View, file: FileId, specifier: &[u8], texts: &mut Texts) -> bool {
    let path = view.file(file).path.as_bytes();
    let last = specifier.rsplit(|b| *b == b'.').next();
    let is_compiled = path.ends_with(b".py") && last.is_some_and(|last| last.starts_with(b"_"));
    if is_made(specifier) || is_compiled {
        return true;
    }
    let Some(wanted) = resolved(path, specifier) else {
        // It leads out of the repository.
        return true;
    };
    stands_for(view, &wanted) || is_ignored(view, &wanted, texts)
}

/// Whether something may lie at a path that a specifier names.
pub(super) fn may_lie_at(view: &View, path: &[u8], specifier: &[u8], texts: &mut Texts) -> bool {
    is_made(specifier) || stands_for(view, path) || is_ignored(view, path, texts)
}

/// Whether a module of this name may lie in a folder.
pub(super) fn may_lie_in(view: &View, folder: &[u8], name: &[u8], texts: &mut Texts) -> bool {
    let wanted = joined(folder, name);
    // By convention what is compiled begins so.
    name.starts_with(b"_")
        || is_made(name)
        || stands_for(view, &wanted)
        || is_ignored(view, &wanted, texts)
}

/// Whether some part of a name, whatever stands between them, is called as what is made.
pub(super) fn is_named_so(specifier: &[u8]) -> bool {
    let mut parts = specifier.split(|b| matches!(b, b'.' | b'\\'));
    parts.any(|part| MADE.contains(&&part.to_ascii_lowercase()[..]))
}

/// Whether a specifier names a folder or a file of what is made, or asks for something to be made of a file.
fn is_made(specifier: &[u8]) -> bool {
    let mut parts = specifier.split(|b| matches!(b, b'/' | b'.'));
    specifier.contains(&b'?')
        || parts.any(|part| {
            // `./$types` and `./+types/home` are made of routes, `foo_pb2` of what is written in another language.
            MADE.contains(&part)
                || part.starts_with(b"$")
                || part.starts_with(b"+")
                || [&b"_pb2"[..], b"_pb2_grpc", b"_pb"]
                    .iter()
                    .any(|end| part.ends_with(end))
        })
}

/// The path that a specifier names from a file: `./a/b`, `..a.b`.
fn resolved(file: &[u8], specifier: &[u8]) -> Option<Vec<u8>> {
    let folder = |path: &[u8]| path[..memchr::memrchr(b'/', path).unwrap_or(0)].to_vec();
    let mut at = folder(file);
    let up = |at: &mut Vec<u8>| (!at.is_empty()).then(|| *at = folder(at));
    let by_path = specifier.contains(&b'/') || matches!(specifier, b"." | b"..");
    if by_path {
        for part in specifier.split(|b| *b == b'/') {
            match part {
                b"" | b"." => {}
                b".." => up(&mut at)?,
                _ => at = joined(&at, part),
            }
        }
        return Some(at);
    }
    let dots = specifier.iter().take_while(|b| **b == b'.').count();
    for _ in 1..dots {
        up(&mut at)?;
    }
    let parts = specifier[dots..].split(|b| *b == b'.');
    for part in parts.filter(|part| !part.is_empty()) {
        at = joined(&at, part);
    }
    Some(at)
}

fn joined(folder: &[u8], name: &[u8]) -> Vec<u8> {
    match folder.is_empty() {
        true => name.to_vec(),
        false => [folder, name].join(&b'/'),
    }
}

/// Whether a folder lies there, or a file that begins so (`Button.ios.tsx`, `_fast.pyx`), or something around it is a link,
/// a module, or what another repository has.
fn stands_for(view: &View, wanted: &[u8]) -> bool {
    let files = view.files();
    let begins = |path: &[u8], ends: &[u8]| {
        let begin = [path, ends].concat();
        let at = files.partition_point(|file| file.path.as_bytes() < &begin[..]);
        let found = files.get(at);
        found.is_some_and(|file| file.path.as_bytes().starts_with(&begin))
    };
    // What is compiled is called so wherever its source lies.
    let own = wanted.rsplit(|b| *b == b'/').next().unwrap_or(wanted);
    let is_source = |file: &crate::view::files::File| {
        let name = file.path.file_name();
        let rest: Option<&[u8]> = name.strip_prefix(own);
        rest.is_some_and(|rest| {
            matches!(
                rest,
                b".pyx" | b".c" | b".cc" | b".cpp" | b".proto" | b".rs"
            )
        })
    };
    let is_link = |path: &[u8]| {
        let found = view.file_at(path).map(|id| view.file(id).mode);
        found.is_some_and(|mode| matches!(mode, EntryMode::Symlink | EntryMode::Gitlink))
    };
    let parts = memchr::memchr_iter(b'/', wanted).map(|end| &wanted[..end]);
    let mut around = parts.chain([wanted]);
    wanted.is_empty()
        || begins(wanted, b"/")
        || begins(wanted, b".")
        || around.any(|path| is_link(path) || (path != wanted && is_module(view, path)))
        || files.iter().any(is_source)
}

/// Whether a path is that of a module that is a file, which may make what lies in it.
fn is_module(view: &View, path: &[u8]) -> bool {
    view.file_at(&[path, b".py"].concat()).is_some()
}

/// Whether rules in the folders around a path say that git passes it over.
fn is_ignored(view: &View, wanted: &[u8], texts: &mut Texts) -> bool {
    let folders = memchr::memchr_iter(b'/', wanted).map(|end| &wanted[..end]);
    let mut folders = [&b""[..]].into_iter().chain(folders);
    folders.any(|folder| {
        let rules = view.file_at(&joined(folder, b".gitignore"));
        let Some(text) = rules.and_then(|file| texts.if_here(view, file)) else {
            return false;
        };
        let inside = &wanted[folder.len()..];
        let mut rules = text.bytes().split(|b| *b == b'\n').take(MAX_RULES);
        rules.any(|rule| is_meant(rule.trim_ascii(), inside))
    })
}

/// Whether a rule may be of a path whose ending is not known: by its last part alone.
fn is_meant(rule: &[u8], path: &[u8]) -> bool {
    if rule.is_empty() || matches!(rule[0], b'#' | b'!') {
        return false;
    }
    let mut parts = rule.split(|b| *b == b'/').filter(|part| !part.is_empty());
    let Some(last) = parts
        .next_back()
        .filter(|last| last.iter().any(|b| *b != b'*'))
    else {
        return false;
    };
    let stem = match memchr::memchr(b'.', last) {
        Some(dot) if dot > 0 && !last[..dot].iter().all(|b| *b == b'*') => Some(&last[..dot]),
        _ => None,
    };
    let mut named = path.split(|b| *b == b'/').filter(|part| !part.is_empty());
    named.any(|part| is_match(last, part) || stem.is_some_and(|stem| is_match(stem, part)))
}

/// Whether a name is one of a pattern in which `*` stands for anything.
fn is_match(pattern: &[u8], name: &[u8]) -> bool {
    let mut parts = pattern.split(|b| *b == b'*');
    let first = parts.next().unwrap_or(pattern);
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&[u8]> = parts.collect();
    let Some((last, between)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in between {
        let Some(at) = memchr::memmem::find(rest, part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}
