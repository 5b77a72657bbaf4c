//! Who is who: the names and addresses that a `.mailmap` says stand for others (gitmailmap(5)).

use super::identity::Signature;

/// Path of the file in a tree.
pub const PATH: &[u8] = b".mailmap";
/// Largest file that is read, in bytes: those of the largest projects have a tenth of it.
const MAX_BYTES: usize = 1 << 20;

/// What a `.mailmap` says.
#[derive(Default)]
pub struct Mailmap(gix::mailmap::Snapshot);

impl Mailmap {
    /// Reads one; lines that say nothing are passed over, and so is a file that is too large.
    pub fn read(bytes: &[u8]) -> Self {
        match bytes.len() <= MAX_BYTES {
            true => Self(gix::mailmap::Snapshot::from_bytes(bytes)),
            false => Self::default(),
        }
    }

    /// Who wrote something: a name and an address.
    pub fn person(&self, by: &Signature) -> (String, String) {
        let as_written = gix::actor::SignatureRef {
            name: by.name.as_str().into(),
            email: by.mail.as_str().into(),
            time: "",
        };
        let found = self.0.try_resolve_ref(as_written);
        let name = found.as_ref().and_then(|found| found.name);
        let mail = found.as_ref().and_then(|found| found.email);
        (
            name.map_or_else(|| by.name.clone(), ToString::to_string),
            mail.map_or_else(|| by.mail.clone(), ToString::to_string),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_others() {
        let map = Mailmap::read(
            b"Ann Bee <ann@b.org> <a@old>\nCee <c@d> Other Name <c@d>\nnonsense\n# comment\n<new@mail> <only@mail>\n",
        );
        let person = |name: &str, mail: &str| {
            let by = Signature {
                name: name.to_owned(),
                mail: mail.to_owned(),
                seconds: 0,
                offset: 0,
            };
            map.person(&by)
        };
        let is = |name: &str, mail: &str| (name.to_owned(), mail.to_owned());
        assert_eq!(person("annb", "A@OLD"), is("Ann Bee", "ann@b.org"));
        assert_eq!(person("Other Name", "c@d"), is("Cee", "c@d"));
        assert_eq!(person("Kept", "only@mail"), is("Kept", "new@mail"));
        assert_eq!(person("Dee", "d@d"), is("Dee", "d@d"));
    }
}
