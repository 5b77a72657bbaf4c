//! The siege: the product among those who mean harm, or are unlucky.
//!
//! `cargo test --test siege` is the short one, a part of the gate. `SVERKLO_SIEGE=N` makes every part N
//! times as long and `SVERKLO_SIEGE_SEED=S` repeats one that failed; figures of long ones are in
//! `benchmark/README.md`. Each part counts what it did and says so at the end (`-- --nocapture`). Limits
//! are asserted by counting (bytes, steps, processes), never by a clock.

mod corpus;
mod crowd;
#[path = "../it/harness.rs"]
mod harness;
mod kills;
mod liars;
mod lists;
mod memory;
mod mutations;
mod names;
mod patterns;
mod prune;
mod random;
mod requests;
mod settings;
mod worn;
