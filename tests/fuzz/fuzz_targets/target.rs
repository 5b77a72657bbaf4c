//! Every fuzzer: which reader it feeds is said by the name it is built under.
#![no_main]

use git_sverklo::fuzzing::{Target, find};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> =
    LazyLock::new(|| find(env!("CARGO_BIN_NAME")).expect("a target of src/fuzzing"));

fuzz_target!(|bytes: &[u8]| {
    (TARGET.read)(bytes);
});
