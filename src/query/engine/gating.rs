//! `gate`: two states, compared.

use super::{Engine, OpenView, pinned};
use crate::git::keys;
use crate::query::Error;
use crate::query::baseline::Baseline;
use crate::query::bounds::Bounded as _;
use crate::query::gate::{self, GateAnswer};
use crate::query::inventory::Inventory;
use crate::query::request::{GateRequest, Revision};
use crate::store::Progress;
use std::sync::{Arc, PoisonError};

impl Engine {
    /// Answers `gate`.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn gate(
        &self,
        request: &GateRequest,
        progress: &dyn Progress,
    ) -> Result<GateAnswer, Error> {
        request.check()?;
        let head = self.pin(&request.head, progress)?;
        let (commit, dirty) = (head.stamp.commit, head.stamp.dirty > 0);
        let baseline = Baseline::choose(&self.repo, request.base.as_deref(), commit, dirty)?;
        let base = match baseline.commit {
            Some(commit) => self.pin(&Revision::At(commit.to_string()), progress)?,
            None => pinned(Arc::new(OpenView::empty()), None, Vec::new()),
        };
        let configured = self.repo.config_int(keys::GATE_MAX_FAN_IN);
        let configured = configured.and_then(|most| usize::try_from(most).ok());
        let max_fan_in = request.max_fan_in.or(configured.filter(|most| *most > 0));
        let inventory = Inventory::of(head.view(), self.graph(&head));
        let old = Inventory::of(base.view(), self.graph(&base));
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let verdict = gate::compare(&old, &inventory, &mut texts, max_fan_in);
        drop(texts);
        let mut stamp = head.stamp.clone();
        if base.view().uncovered() > 0 {
            let files = base.view().uncovered();
            let said = format!("{files} files of the base are not covered");
            stamp.warnings.push(said);
        }
        self.tell_recovered(&mut stamp);
        Ok(GateAnswer {
            stamp,
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
