//! The `git-sverklo` program; all of it is in the library.

fn main() -> std::process::ExitCode {
    git_sverklo::cli::run(std::env::args_os()).into()
}
