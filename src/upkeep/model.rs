//! `model`: which embedding model is chosen, which can be fetched, and fetching one.
//!
//! Looks, but for `fetch`. Only `fetch`, and looking at a server with `ask`, go over the network.

use super::Error;
use crate::git::Repo;
use crate::git::keys::Purpose;
use crate::models::Patience;
use crate::models::choice::{Choice, STATIC, Settings};
use crate::models::configured::with_settings;
use crate::models::hub::{HUB, Hosted, MODELS};
use serde::{Serialize, Serializer};
use std::path::{Path, PathBuf};

/// What is fetched when nothing is named and none that can be fetched is chosen.
const USUAL: &str = "all-minilm-l6-v2";

labelled! {
    /// Of what kind a model is.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ModelKind {
        /// The one in this program.
        Static = "static",
        /// A folder with an ONNX network.
        Onnx = "onnx",
        /// A server.
        Endpoint = "endpoint",
    }
}

/// The model that is chosen, and what it lacks.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ModelReport {
    /// The value of `sverklo.model`.
    #[serde(rename = "model")]
    pub chosen: String,
    /// Of what kind it is; none if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ModelKind>,
    /// Whether it may be used. A server that was not asked may.
    #[serde(rename = "ready")]
    pub is_ready: bool,
    /// Its folder or URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The ONNX Runtime library, and what named it.
    #[serde(serialize_with = "library", skip_serializing_if = "Option::is_none")]
    pub runtime: Option<(PathBuf, &'static str)>,
    /// What its vectors are, once it has run.
    #[serde(flatten)]
    pub ran: Option<Space>,
    /// Why it cannot be used, and what mends that; a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// What the repository's own configuration says and is not in effect; a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withheld: Option<String>,
}

/// What the vectors of a model are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Space {
    /// Their name.
    pub id: String,
    /// Numbers of each.
    pub dims: usize,
}

/// A model that can be fetched, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Available {
    /// Its name.
    pub name: &'static str,
    /// Its licence, as SPDX has it.
    pub license: &'static str,
    /// Where it comes from: repository and revision.
    pub source: String,
    /// Length of its files.
    pub bytes: u64,
    /// Where it would be.
    #[serde(serialize_with = "path")]
    pub folder: PathBuf,
    /// Whether it is there, whole.
    pub fetched: bool,
}

/// What `fetch` did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ModelFetch {
    /// The model.
    pub name: &'static str,
    /// Its licence, as SPDX has it.
    pub license: &'static str,
    /// Where it is.
    #[serde(serialize_with = "path")]
    pub folder: PathBuf,
    /// Bytes that came; none if it was there.
    pub bytes: u64,
    /// Whether `sverklo.model` names it.
    #[serde(rename = "chosen")]
    pub is_chosen: bool,
}

/// Says which model is chosen for `repo`, and tries to run it.
///
/// A server is only spoken to if `ask` says so.
pub fn examine(repo: &Repo, ask: bool) -> ModelReport {
    with_settings(Some(repo), |settings| {
        let mut report = ModelReport {
            chosen: settings.chosen(),
            withheld: repo.consent.withheld(Some(Purpose::Model)),
            ..ModelReport::default()
        };
        report.missing = look(settings, ask, &mut report)
            .err()
            .map(|e| e.to_string());
        report.is_ready = report.missing.is_none();
        report
    })
}

fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

fn library<S: Serializer>(
    library: &Option<(PathBuf, &'static str)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(
        &library
            .as_ref()
            .map_or(Path::new(""), |(path, _)| path)
            .display(),
    )
}

fn look(
    settings: &Settings<'_>,
    ask: bool,
    report: &mut ModelReport,
) -> Result<(), crate::models::Error> {
    match settings.choice()? {
        Choice::Static => {
            report.kind = Some(ModelKind::Static);
            return Ok(());
        }
        Choice::Folder(folder) => {
            report.kind = Some(ModelKind::Onnx);
            report.place = Some(folder.display().to_string());
            let library = settings.library()?;
            report.runtime = Some((library.path, library.by));
        }
        Choice::Endpoint(target) => {
            report.kind = Some(ModelKind::Endpoint);
            report.place = Some(target.url);
            if !ask {
                return Ok(());
            }
        }
    }
    if let Some(model) = settings.open(Patience::Long)? {
        report.ran = Some(Space {
            id: model.id().to_owned(),
            dims: model.dims(),
        });
    }
    Ok(())
}

/// Lists the models that can be fetched. Fails if there is no folder for them.
pub fn list(repo: Option<&Repo>) -> Result<Vec<Available>, Error> {
    let models = with_settings(repo, |settings| settings.models())?;
    let available = MODELS.iter().map(|model| {
        let folder = models.join(model.name);
        Available {
            name: model.name,
            license: model.license,
            source: format!("{}@{}", model.repository, model.revision),
            bytes: model.bytes(),
            fetched: model.is_in(&folder),
            folder,
        }
    });
    Ok(available.collect())
}

/// Fetches a model by name, or the one that is chosen, or the usual one. Fails if no model has that
/// name, or what fetching it comes to.
pub fn fetch(
    repo: Option<&Repo>,
    name: Option<&str>,
    hub: Option<&str>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<ModelFetch, Error> {
    with_settings(repo, |settings| {
        let chosen = settings.chosen();
        let wanted = match name {
            Some(name) => name,
            None if chosen != STATIC && Hosted::named(&chosen).is_ok() => &chosen,
            None => USUAL,
        };
        let model = Hosted::named(wanted)?;
        let models = settings.models()?;
        let fetched = model.fetch(hub.unwrap_or(HUB), &models, progress)?;
        Ok(ModelFetch {
            name: model.name,
            license: model.license,
            folder: fetched.folder,
            bytes: fetched.bytes,
            is_chosen: chosen == model.name,
        })
    })
}
