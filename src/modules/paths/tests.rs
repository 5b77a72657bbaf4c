use super::*;
use crate::graph::modules::testing::Tree as Sample;

#[test]
fn folders_know_their_files_and_their_parents() {
    let tree = Sample::new(&[
        ("a/b/c.py", ""),
        ("a/b.py", ""),
        ("a/b/d/e.py", ""),
        ("z.py", ""),
    ]);
    let (paths, view) = (Paths::new(tree.view()), tree.view());
    let folder = |path: &str| paths.folder(view, path.as_bytes());
    let names = |id| {
        let files = paths.files_in(id).iter();
        files
            .map(|id| view.file(*id).path.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(TOP), ["z.py"]);
    assert_eq!(names(folder("a").unwrap()), ["a/b.py"]);
    assert_eq!(names(folder("a/b").unwrap()), ["a/b/c.py"]);
    let inner = folder("a/b/d").unwrap();
    let upward: Vec<_> = paths.upward(inner).map(|id| paths.path(view, id)).collect();
    assert_eq!(upward, [&b"a/b/d"[..], b"a/b", b"a", b""]);
    assert_eq!((folder("b"), folder("a/b.py")), (None, None));
    assert_eq!(paths.file(view, b"a/b"), None);
    assert_eq!(paths.file(view, b"a/b/d/e.py"), tree.file("a/b/d/e.py"));
}

#[test]
fn relative_paths_cannot_leave_the_tree() {
    let join = |folder: &str, relative: &str| {
        join(folder.as_bytes(), relative.as_bytes()).map(|path| String::from_utf8(path).unwrap())
    };
    assert_eq!(join("a/b", "../c/./d").as_deref(), Some("a/c/d"));
    assert_eq!(join("a", "..").as_deref(), Some(""));
    assert_eq!(join("", "x//y/").as_deref(), Some("x/y"));
    assert_eq!(join("a", "../.."), None);
    assert_eq!(below(b"a/b/c", b"a/b"), Some(&b"c"[..]));
    assert_eq!(below(b"a/bc", b"a/b"), None);
    assert_eq!(below(b"a", b""), Some(&b"a"[..]));
}
