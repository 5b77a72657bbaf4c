<<<<<<< HEAD
//! Integration tests, one binary.

mod git_oracle;
mod harness;
=======
// integration tests
mod extract;
>>>>>>> extract
