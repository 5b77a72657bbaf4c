//! Places at which tests kill or hold up the process, to prove that dying or being slow there
//! loses nothing.
//!
//! Inert in release builds, and without `SVERKLO_FAILPOINT` or `SVERKLO_HOLD` in the environment.

/// Aborts the process when it was told to die here. Nothing is flushed, dropped or unwound.
pub(crate) fn hit(name: &str) {
    if cfg!(debug_assertions)
        && std::env::var_os("SVERKLO_FAILPOINT").is_some_and(|wanted| wanted == name)
    {
        std::process::abort();
    }
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
