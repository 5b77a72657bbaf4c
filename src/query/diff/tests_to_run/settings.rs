//! Files that everything below their folder rests on: no use leads to them, and yet any test may fail.

use crate::extract::skip;

labelled! {
    /// What such a file decides.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Ground {
        /// Which versions of other people's code are used.
        Dependencies = "dependencies",
        /// How the code is built and its tests are run.
        Build = "build configuration",
        /// Where and with what tests run on a server.
        Pipeline = "CI configuration",
    }
}

/// Names of files in lower case, or with a `*` before them their ends.
const FILES: &[(Ground, &[&str])] = &[
    (
        Ground::Dependencies,
        words!(
            "go.sum go.mod requirements.txt *requirements.txt gemfile .tool-versions .python-version .nvmrc
             .node-version .ruby-version rust-toolchain rust-toolchain.toml *.gemspec
             directory.packages.props libs.versions.toml"
        ),
    ),
    (
        Ground::Build,
        words!(
            "package.json pyproject.toml setup.py setup.cfg tox.ini pytest.ini noxfile.py cargo.toml build.rs
             build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties pom.xml
             rakefile .rspec composer.json phpunit.xml phpunit.xml.dist *.csproj *.fsproj *.sln
             directory.build.props directory.build.targets mix.exs package.swift cmakelists.txt makefile
             gnumakefile meson.build build.zig dockerfile docker-compose.yml docker-compose.yaml
             compose.yml compose.yaml jest.config.js jest.config.ts jest.config.mjs jest.config.cjs
             vitest.config.js vitest.config.ts vitest.config.mts vite.config.js vite.config.ts
             vite.config.mts babel.config.js babel.config.json .babelrc tsconfig.json *.mocharc.json
             *.mocharc.js *.mocharc.cjs *.mocharc.yml .swcrc"
        ),
    ),
    (
        Ground::Pipeline,
        words!(
            ".gitlab-ci.yml .travis.yml azure-pipelines.yml jenkinsfile appveyor.yml .appveyor.yml bitbucket-pipelines.yml"
        ),
    ),
];
/// Folders of pipelines.
const PIPELINES: &[&str] = words!(".github/workflows .github/actions .circleci .buildkite .gitlab");

/// What a file decides for all below its folder, and that folder, empty or with a slash at its end; `None` for a file
/// that decides nothing of the kind.
pub fn ground(path: &[u8]) -> Option<(Ground, &[u8])> {
    let end = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    let (folder, name) = path.split_at(end);
    let is_pipeline =
        |of: &&str| folder.starts_with(of.as_bytes()) && folder.get(of.len()) == Some(&b'/');
    if PIPELINES.iter().any(is_pipeline) {
        return Some((Ground::Pipeline, b""));
    }
    if skip::lock_file_name(name) {
        return Some((Ground::Dependencies, folder));
    }
    let lower = name.to_ascii_lowercase();
    let is = |of: &&str| match of.strip_prefix('*') {
        Some(end) => lower.ends_with(end.as_bytes()),
        None => lower == of.as_bytes(),
    };
    let found = FILES.iter().find(|(_, files)| files.iter().any(&is));
    found.map(|(ground, _)| (*ground, folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_everything_rests_on_is_known_by_its_name() {
        for (path, expected) in [
            ("Cargo.lock", Some((Ground::Dependencies, ""))),
            (
                "web/package-lock.json",
                Some((Ground::Dependencies, "web/")),
            ),
            ("dev-requirements.txt", Some((Ground::Dependencies, ""))),
            (
                "packages/a/tsconfig.json",
                Some((Ground::Build, "packages/a/")),
            ),
            ("A/A.csproj", Some((Ground::Build, "A/"))),
            (".github/workflows/ci.yml", Some((Ground::Pipeline, ""))),
            (".github/workflowsx/ci.yml", None),
            (".editorconfig", None),
            ("src/setup.rs", None),
            ("README.md", None),
        ] {
            let found = ground(path.as_bytes());
            let expected = expected.map(|(ground, folder): (_, &str)| (ground, folder.as_bytes()));
            assert_eq!(found, expected, "{path}");
        }
    }
}
