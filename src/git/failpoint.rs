//! Places at which tests kill or hold up the process, to prove that dying or being slow there
//! loses nothing.
//!
//! Inert in release builds, and without `SVERKLO_FAILPOINT` or `SVERKLO_HOLD` in the environment.

/// Aborts the process when it was told to die here. Nothing is flushed, dropped or unwound.
pub(crate) fn hit(name: &str) {
    if is_set(name) {
        std::process::abort();
    }
}

/// Whether `SVERKLO_FAILPOINT` has this name among those it lists, separated by commas.
pub(crate) fn is_set(name: &str) -> bool {
    let listed = || std::env::var("SVERKLO_FAILPOINT").unwrap_or_default();
    cfg!(debug_assertions) && listed().split(',').any(|listed| listed == name)
}

/// Waits here as long as the file exists that `SVERKLO_HOLD=<name>=<file>` names, and says that it
/// came by in `<file>.reached`.
pub(crate) fn hold(name: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    let Some(wanted) = std::env::var("SVERKLO_HOLD").ok() else {
        return;
    };
    if let Some((at, file)) = wanted.split_once('=')
        && at == name
    {
        let _ = std::fs::write(format!("{file}.reached"), "");
        while std::path::Path::new(file).exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}
