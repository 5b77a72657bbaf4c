//! What `model` prints.

use crate::upkeep::model::{Available, ModelFetch, ModelReport};
use schemars::JsonSchema;
use serde::Serialize;

/// The model that is chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Model {
    /// The value of `sverklo.model`.
    pub model: String,
    /// `static`, `onnx` or `endpoint`; absent if it is none of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Whether it may be used.
    pub ready: bool,
    /// Its folder or URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The ONNX Runtime library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// Name of its vectors, once it has run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Numbers of a vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dims: Option<usize>,
    /// Why it cannot be used, and what mends that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// What the repository's own configuration says and is not in effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withheld: Option<String>,
}

impl Model {
    /// Returns the wire form of a report.
    pub fn new(report: &ModelReport) -> Self {
        let (id, dims) = report.ran.clone().unzip();
        let runtime = report.runtime.as_ref();
        Self {
            model: report.chosen.clone(),
            kind: report.kind.map(|kind| kind.label()),
            ready: report.is_ready(),
            place: report.place.clone(),
            runtime: runtime.map(|(path, _)| path.display().to_string()),
            id,
            dims,
            missing: report.missing.clone(),
            withheld: report.withheld.clone(),
        }
    }
}

/// A model that can be fetched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Fetchable {
    /// Its name.
    pub name: &'static str,
    /// Its licence, as SPDX has it.
    pub license: &'static str,
    /// Repository and revision it comes from.
    pub source: String,
    /// Length of its files.
    pub bytes: u64,
    /// Where it is, or would be.
    pub folder: String,
    /// Whether it is there, whole.
    pub fetched: bool,
}

/// The models that can be fetched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Models {
    /// In the order they are recommended.
    pub models: Vec<Fetchable>,
}

impl Models {
    /// Returns the wire form of a list.
    pub fn new(models: &[Available]) -> Self {
        let models = models.iter().map(|model| Fetchable {
            name: model.name,
            license: model.license,
            source: model.source.clone(),
            bytes: model.bytes,
            folder: model.folder.display().to_string(),
            fetched: model.fetched,
        });
        Self {
            models: models.collect(),
        }
    }
}

/// A model that was fetched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FetchedModel {
    /// Its name.
    pub name: &'static str,
    /// Its licence, as SPDX has it.
    pub license: &'static str,
    /// Where it is.
    pub folder: String,
    /// Bytes that came; none if it was there.
    pub bytes: u64,
    /// Whether `sverklo.model` names it.
    pub chosen: bool,
}

impl FetchedModel {
    /// Returns the wire form of a report.
    pub fn new(report: &ModelFetch) -> Self {
        Self {
            name: report.name,
            license: report.license,
            folder: report.folder.display().to_string(),
            bytes: report.bytes,
            chosen: report.is_chosen,
        }
    }
}
