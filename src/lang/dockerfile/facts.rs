//! What sets Dockerfiles apart.

use crate::lang::language::{Genre, Language, Reader, Roles};
use crate::lang::naming::Naming;
use crate::record::Grammar;

/// Dockerfiles.
pub(crate) static DOCKERFILE: Language = Language {
    reader: Reader::Scanner(super::scan),
    extensions: &["dockerfile", "containerfile"],
    file_names: words!("Dockerfile Dockerfile. Containerfile Containerfile. dockerfile"),
    aliases: &["docker", "containerfile"],
    genre: Genre::Recipe,
    naming: Naming {
        implicit_members: true,
        ..Naming::new()
    },
    roles: Roles {
        settings: &["dockerfile", "containerfile"],
        ..Roles::new()
    },
    ..Language::new(Grammar::Dockerfile)
};
