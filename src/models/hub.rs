//! Fetching a model from its hub, when asked to.
//!
//! Guarantees: every file is the one that was chosen when this program was written, by its
//! SHA-256, wherever it comes from; no more bytes are taken than it has; a model is installed
//! whole or not at all, by one rename. Deliberately absent: going on with a download that broke
//! off (the largest file has 23 MB), and looking for newer versions.

use super::folder::hash_file;
use super::http::{Client, Patience, scheme_and_host};
use super::{Error, hex};
use sha2::{Digest, Sha256};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Where models come from.
pub const HUB: &str = "https://huggingface.co";

/// Redirections to follow: a hub hands large files out by way of its storage.
const REDIRECTS: u32 = 5;

/// A model that can be fetched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hosted {
    /// Its name here, and of its folder.
    pub name: &'static str,
    /// Its repository at the hub.
    pub repository: &'static str,
    /// The revision of that repository.
    pub revision: &'static str,
    /// Its licence, as SPDX has it.
    pub license: &'static str,
    /// What it consists of.
    pub files: &'static [HostedFile],
}

/// A file of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostedFile {
    /// Its path at the hub.
    pub source: &'static str,
    /// Its path in the model's folder.
    pub target: &'static str,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: &'static str,
}

/// The models that can be fetched.
///
/// Of the networks of all-MiniLM-L6-v2 this is the one for every processor: weights and activations
/// of 8 bits without sign, which older x86 processors add up without overflow. One file for all
/// machines, so that vectors made on one can be compared with those of another.
pub const MODELS: &[Hosted] = &[Hosted {
    name: "all-minilm-l6-v2",
    repository: "sentence-transformers/all-MiniLM-L6-v2",
    revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    license: "Apache-2.0",
    files: &[
        HostedFile {
            source: "onnx/model_quint8_avx2.onnx",
            target: "model.onnx",
            bytes: 23_046_789,
            sha256: "b941bf19f1f1283680f449fa6a7336bb5600bdcd5f84d10ddc5cd72218a0fd21",
        },
        HostedFile {
            source: "tokenizer.json",
            target: "tokenizer.json",
            bytes: 466_247,
            sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
        HostedFile {
            source: "config.json",
            target: "config.json",
            bytes: 612,
            sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        },
        HostedFile {
            source: "sentence_bert_config.json",
            target: "sentence_bert_config.json",
            bytes: 53,
            sha256: "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
        },
        HostedFile {
            source: "1_Pooling/config.json",
            target: "1_Pooling/config.json",
            bytes: 190,
            sha256: "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
        },
    ],
}];

/// What `fetch` came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetched {
    /// The model's folder.
    pub folder: PathBuf,
    /// Bytes that came; none if it was there already.
    pub bytes: u64,
}

impl Hosted {
    /// Returns the model of that name. Fails with [`Error::Unknown`].
    pub fn named(name: &str) -> Result<&'static Self, Error> {
        let found = MODELS.iter().find(|model| model.name == name);
        found.ok_or_else(|| Error::Unknown(name.to_owned()))
    }

    /// Returns the length of all files in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// Whether `folder` holds this model, byte for byte.
    pub fn is_in(&self, folder: &Path) -> bool {
        self.files.iter().all(|file| {
            let path = folder.join(file.target);
            let length = std::fs::metadata(&path).map(|about| about.len());
            length.is_ok_and(|length| length == file.bytes)
                && hash_file(&path).is_ok_and(|hash| hex(&hash) == file.sha256)
        })
    }

    /// Installs the model below `models` from `hub`, unless it is there, and tells how many bytes
    /// of how many have come.
    ///
    /// # Errors
    /// [`Error::Server`], [`Error::Changed`] or [`Error::File`]; then nothing is installed, and
    /// what was there before is left.
    pub fn fetch(
        &self,
        hub: &str,
        models: &Path,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Fetched, Error> {
        let folder = models.join(self.name);
        if self.is_in(&folder) {
            return Ok(Fetched { folder, bytes: 0 });
        }
        let hub = hub.trim_end_matches('/');
        if scheme_and_host(hub).is_none() {
            return Err(Error::Server {
                url: hub.to_owned(),
                reason: "no http or https URL".to_owned(),
            });
        }
        let client = Client::new(hub, REDIRECTS, Patience::Long)?;
        std::fs::create_dir_all(models).map_err(at(models))?;
        // Beside its place, so that a rename puts it there.
        let mut builder = tempfile::Builder::new();
        let fresh = builder.prefix(".fetch-").tempdir_in(models);
        let fresh = fresh.map_err(at(models))?;
        let total = self.bytes();
        let mut before = 0;
        for file in self.files {
            let (repository, revision) = (self.repository, self.revision);
            let url = format!("{hub}/{repository}/resolve/{revision}/{}", file.source);
            let path = fresh.path().join(file.target);
            file.fetch(&client, url, &path, &mut |n| progress(before + n, total))?;
            before += file.bytes;
        }
        install(fresh, models, &folder)?;
        Ok(Fetched {
            folder,
            bytes: total,
        })
    }
}

impl HostedFile {
    fn fetch(
        &self,
        client: &Client,
        url: String,
        path: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let failed = |reason: String| Error::Server {
            url: url.clone(),
            reason,
        };
        let reply = client.get(&url).map_err(failed)?;
        if reply.status != 200 {
            return Err(failed(format!("it answered {}", reply.status)));
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(at(folder))?;
        }
        let mut out = std::fs::File::create(path).map_err(at(path))?;
        let mut digest = Sha256::new();
        let mut length = 0;
        let mut buffer = vec![0; 1 << 16];
        // One byte more than there should be shows that there are more.
        let mut body = reply.body.take(self.bytes + 1);
        loop {
            let n = body.read(&mut buffer);
            let n = n.map_err(|err| failed(format!("it broke off: {err}")))?;
            if n == 0 {
                break;
            }
            digest.update(&buffer[..n]);
            out.write_all(&buffer[..n]).map_err(at(path))?;
            length += n as u64;
            progress(length.min(self.bytes));
        }
        out.sync_all().map_err(at(path))?;
        let changed = |seen: String, expected: String| Error::Changed {
            url: url.clone(),
            seen,
            expected,
        };
        if length != self.bytes {
            let seen = match length > self.bytes {
                true => format!("more than {} bytes", self.bytes),
                false => format!("{length} bytes"),
            };
            return Err(changed(seen, self.bytes.to_string()));
        }
        let seen = hex(&digest.finalize());
        match seen == self.sha256 {
            true => Ok(()),
            false => Err(changed(format!("SHA-256 {seen}"), self.sha256.to_owned())),
        }
    }
}

/// Puts a model that is complete in its place.
fn install(fresh: tempfile::TempDir, models: &Path, folder: &Path) -> Result<(), Error> {
    // A temporary folder is its owner's alone; a model may be everybody's.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(fresh.path(), open).map_err(at(fresh.path()))?;
    }
    // A damaged one goes out of the way first, and away with this guard.
    let mut builder = tempfile::Builder::new();
    let old = builder.prefix(".old-").tempdir_in(models);
    let old = old.map_err(at(models))?;
    let aside = old.path().join("model");
    if folder.exists() {
        std::fs::rename(folder, &aside).map_err(at(folder))?;
    }
    if let Err(err) = std::fs::rename(fresh.path(), folder) {
        let _ = std::fs::rename(&aside, folder);
        return Err(at(folder)(err));
    }
    // It is not temporary any more.
    let _ = fresh.keep();
    Ok(())
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> Error {
    move |source| Error::File {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests;
