//! Renders what `model` reports.

use super::bytes;
use crate::render::{Rendered, clean};
use crate::upkeep::model::{Available, ModelFetch, ModelKind, ModelReport, Space};
use serde::Serialize;

/// The models that can be fetched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Models<'a> {
    /// In the order they are recommended.
    models: &'a [Available],
}

/// Renders which model is chosen; one that cannot be used counts as not found.
pub fn model(report: &ModelReport) -> Rendered<&ModelReport> {
    let mut text = format!("model    {}", clean::line(&report.chosen, 200));
    if report.kind == Some(ModelKind::Static) {
        text += ": the one in this program";
    }
    text.push('\n');
    if let Some(place) = &report.place {
        text += &format!("at       {}\n", clean::whole(place));
    }
    if let Some((path, by)) = &report.runtime {
        let path = path.display().to_string();
        text += &format!("runtime  {} (by {by})\n", clean::whole(&path));
    }
    match (&report.missing, &report.ran, report.kind) {
        (Some(why), _, _) => text += &format!("missing  {}\n", clean::whole(why)),
        (None, Some(Space { id, dims }), _) => {
            text += &format!("ready    {id}, {dims} dimensions\n")
        }
        (None, None, Some(ModelKind::Endpoint)) => {
            text += "ready    as far as can be said without asking it (--check)\n";
        }
        (None, None, _) => text += "ready\n",
    }
    if let Some(withheld) = &report.withheld {
        text += &format!("note     {}\n", clean::whole(withheld));
    }
    Rendered::of(text, report).found(report.is_ready)
}

/// Renders the models that can be fetched, a line each.
pub fn list(models: &[Available]) -> Rendered<Models<'_>> {
    let line = |model: &Available| {
        let folder = model.folder.display().to_string();
        let state = match model.fetched {
            true => format!("in {}", clean::whole(&folder)),
            false => "not fetched".to_owned(),
        };
        let size = bytes(model.bytes);
        format!("{}  {size}  {}  {state}\n", model.name, model.license)
    };
    Rendered::of(models.iter().map(line).collect(), Models { models }).found(!models.is_empty())
}

/// Renders the report of `model fetch`.
pub fn fetched(report: &ModelFetch) -> Rendered<&ModelFetch> {
    let folder = report.folder.display().to_string();
    let folder = clean::whole(&folder);
    let (name, license) = (report.name, report.license);
    let mut text = match report.bytes {
        0 => format!("{name} ({license}) is in {folder} already\n"),
        n => format!("fetched {name} ({license}), {}, into {folder}\n", bytes(n)),
    };
    if !report.is_chosen {
        text += &format!("to use it: git config sverklo.model {name}\n");
    }
    Rendered::of(text, report)
}
