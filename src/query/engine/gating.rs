//! `gate`: two states, compared.

use super::{Engine, Pinned};
use crate::git::keys;
use crate::query::Error;
use crate::query::baseline::Baseline;
use crate::query::gate::{self, GateAnswer};
use crate::query::question::{self, Question, warned};
use crate::query::request::{GateRequest, Revision};
use crate::query::state::Skipped;
use crate::store::Progress;
use std::collections::BTreeMap;

warned!(GateAnswer, stamp.warnings);

impl Engine {
    /// How many files may import a file, by the settings of the repository; `None` for any number.
    pub(in crate::query) fn max_fan_in(&self) -> Option<usize> {
        let configured = self.repo.config_int(keys::GATE_MAX_FAN_IN)?;
        let most = usize::try_from(configured).ok()?;
        (most > 0).then_some(most)
    }
}

impl Question for GateRequest {
    type Pin = Pinned;
    type Answer = GateAnswer;

    fn check(&self) -> Result<(), Error> {
        question::argument("base", self.base.as_deref().unwrap_or_default())?;
        question::revision(&self.head)
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pinned, Error> {
        engine.pin_whole(&self.head, progress)
    }

    fn answer(
        &self,
        engine: &Engine,
        head: &Pinned,
        progress: &dyn Progress,
    ) -> Result<GateAnswer, Error> {
        let (commit, dirty) = (head.stamp.commit, head.stamp.dirty > 0);
        let baseline = Baseline::choose(&engine.repo, self.base.as_deref(), commit, dirty)?;
        let base = match baseline.commit {
            Some(commit) => engine.pin(&Revision::At(commit.to_string()), progress)?,
            None => Pinned::empty(),
        };
        let max_fan_in = self.max_fan_in.or_else(|| engine.max_fan_in());
        let inventory = engine.inventory(head);
        let old = engine.inventory(&base);
        let mut texts = engine.texts();
        let verdict = gate::compare(&old, &inventory, &mut texts, max_fan_in);
        drop(texts);
        let mut stamp = head.stamp.clone();
        if base.view().uncovered > 0 {
            let files = base.view().uncovered;
            let said = format!("{files} files of the base are not covered");
            stamp.warnings.push(said);
        }
        let unread = gate::unread(&old, &inventory);
        let mut reasons = BTreeMap::new();
        for reason in unread.values() {
            *reasons.entry(*reason).or_insert(0) += 1;
        }
        Ok(GateAnswer {
            stamp,
            unread: unread.len(),
            unread_reasons: Skipped::most_first(reasons),
            base_uncovered: base.view().uncovered,
            passes: verdict.cycles.is_empty() && verdict.hubs.is_empty(),
            base: baseline.commit.map(|commit| commit.short()),
            chosen: baseline.chosen,
            max_fan_in,
            cycles: verdict.cycles,
            hubs: verdict.hubs,
            known_cycles: verdict.known_cycles,
            files: inventory
                .files()
                .filter(|f| inventory.is_product(*f))
                .count(),
        })
    }
}
