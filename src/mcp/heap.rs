//! What a process that lives long keeps of the memory it no longer needs.
//!
//! The C library of most Linux systems has areas of which each thread takes one, and what is free in one no other uses: a
//! server that makes a view and a graph anew after each edit held three times what it used (prisma, 20 edits: 392 MB).
//! So there are only as many areas as threads that work at once, and when nobody has asked for a while what is free is
//! given back. Until then it stays: the next edit takes as much, and to get each column anew from the system, page by
//! page, was a quarter of what an edit costs. Elsewhere both do nothing.
#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(
        unsafe_code,
        reason = "the allocator of the C library has no other way to be told"
    )
)]

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    use std::ffi::c_int;

    /// `M_TRIM_THRESHOLD` of `malloc.h`: how much may be free at the end of the heap, in bytes.
    const TRIM_THRESHOLD: c_int = -1;
    /// `M_MMAP_THRESHOLD`: from which size on memory comes from the system and goes back to it, in bytes.
    const MMAP_THRESHOLD: c_int = -3;
    /// `M_ARENA_MAX`: how many areas there are at most.
    const ARENA_MAX: c_int = -8;

    unsafe extern "C" {
        fn mallopt(option: c_int, value: c_int) -> c_int;
        fn malloc_trim(pad: usize) -> c_int;
    }

    pub(super) fn fix_thresholds() {
        let areas = std::thread::available_parallelism().map_or(2, usize::from);
        let areas = areas.clamp(2, 8);
        // SAFETY: `mallopt` may be called at any time, and takes two numbers; what it refuses stays as it was.
        unsafe {
            mallopt(ARENA_MAX, areas as c_int);
            mallopt(MMAP_THRESHOLD, 32 << 20);
            mallopt(TRIM_THRESHOLD, 128 << 20);
        }
    }

    pub(super) fn trim() {
        // SAFETY: `malloc_trim` locks what it looks at, and takes nothing that is in use.
        unsafe {
            malloc_trim(0);
        }
    }
}

/// Says, before there are threads, that memory which is free is to go back to the system.
pub(super) fn return_what_is_free() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::fix_thresholds();
}

/// Gives back what is free. Takes some milliseconds, in which other threads that ask for memory wait.
pub(super) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::trim();
}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    /// Memory of this process that is no file, in MiB.
    fn held() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("RssAnon:"));
        let size = line.unwrap().split_whitespace().nth(1).unwrap();
        size.parse::<usize>().unwrap() >> 10
    }

    /// Set in the process that runs the test alone: what other tests hold and let go would be counted, too.
    const ALONE: &str = "SVERKLO_TEST_ALONE";

    #[test]
    fn what_is_free_goes_back_though_something_behind_it_stays() {
        if std::env::var_os(ALONE).is_none() {
            let name = "mcp::heap::tests::what_is_free_goes_back_though_something_behind_it_stays";
            let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
            let out = alone
                .args(["--exact", name])
                .env(ALONE, "1")
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&out.stdout);
            assert!(out.status.success() && said.contains("1 passed"), "{said}");
            return;
        }
        return_what_is_free();
        let before = held();
        let mut blocks: Vec<Box<[u8]>> = (0..64 << 10).map(|_| vec![1; 4000].into()).collect();
        let last = blocks.pop();
        assert!(held() > before + 200);
        drop(blocks);
        give_back();
        assert!(held() < before + 150, "{before} {}", held());
        drop(last);
    }
}
