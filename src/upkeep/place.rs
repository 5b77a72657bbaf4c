//! Where a file of a project really is, when links are followed.
//!
//! A clone can bring a symbolic link under any name: `.mcp.json` that points to a file in the home
//! directory, say. What is written for a project stays in the project, and what is read to be stored for
//! it, and to travel with a push, comes from there.

use super::Error;
use std::path::Path;

/// Checks that `path` means a file in `top`. Fails with [`Error::LeftAlone`] when a link in it leads
/// outside or nowhere.
pub(super) fn stays_in(path: &Path, top: &Path) -> Result<(), Error> {
    let left_alone = |reason: String| Error::LeftAlone {
        path: path.to_owned(),
        reason,
    };
    // The file need not exist, nor its folders; what exists of them decides.
    let Some(there) = path
        .ancestors()
        .find(|part| part.symlink_metadata().is_ok())
    else {
        return Ok(());
    };
    let place = there.canonicalize().map_err(|_| {
        left_alone(
            "it is a symbolic link that leads nowhere; mend it, or put a file in its place"
                .to_owned(),
        )
    })?;
    // In a folder that does not exist there is no link.
    let Ok(top) = top.canonicalize() else {
        return Ok(());
    };
    match place.starts_with(&top) {
        true => Ok(()),
        false => Err(left_alone(format!(
            "a symbolic link leads to {place:?}, outside {top:?}; use that file itself, or put one \
             in the link's place"
        ))),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_may_lead_about_the_project_and_not_out_of_it() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().join("top");
        std::fs::create_dir_all(top.join("real")).unwrap();
        std::fs::write(temp.path().join("outside.json"), "{}").unwrap();
        symlink("real", top.join("inside")).unwrap();
        symlink(temp.path(), top.join("folder")).unwrap();
        symlink("../outside.json", top.join("file.json")).unwrap();
        symlink("nowhere", top.join("gone.json")).unwrap();
        let said = |path: &str| stays_in(&top.join(path), &top).err().map(|e| e.to_string());
        assert_eq!(said("new/folder/x.json"), None);
        assert_eq!(said("inside/x.json"), None);
        for (path, why) in [
            ("file.json", "outside.json"),
            ("folder/x.json", "outside"),
            ("folder/new/x.json", "outside"),
            ("gone.json", "leads nowhere"),
        ] {
            assert!(said(path).is_some_and(|said| said.contains(why)), "{path}");
        }
    }
}
