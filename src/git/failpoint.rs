//! Places at which tests kill the process, to prove that dying there loses nothing.
//!
//! Inert in release builds, and without `SVERKLO_FAILPOINT` in the environment.

/// Aborts the process when it was told to die here. Nothing is flushed, dropped or unwound.
pub(crate) fn hit(name: &str) {
    if cfg!(debug_assertions)
        && std::env::var_os("SVERKLO_FAILPOINT").is_some_and(|wanted| wanted == name)
    {
        std::process::abort();
    }
}
