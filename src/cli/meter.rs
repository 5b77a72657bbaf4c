//! Progress for people: a bar on standard error, when one watches and the work takes a while.

use super::output::Output;
use crate::git::transport::{Phase, Step};
use crate::query::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long work goes on before a bar appears; quicker work would only make it flicker.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows a progress bar, late and only to people.
pub struct Meter {
    shown: bool,
    started: Instant,
    /// The bar that is drawn, with what it says.
    bar: Mutex<Option<(&'static str, ProgressBar)>>,
}

impl Meter {
    /// Returns a meter that draws only if a person watches and `quiet` was not asked for.
    pub fn new(output: &Output, quiet: bool) -> Self {
        Self {
            shown: output.err_is_terminal && !quiet,
            started: Instant::now(),
            bar: Mutex::new(None),
        }
    }

    fn bar(template: &str) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        }
    }

    fn show(&self, template: &'static str, done: u64, total: u64) {
        if !self.shown || self.started.elapsed() < PATIENCE {
            return;
        }
        // A poisoned lock means another thread failed while drawing; its failure is reported.
        let Ok(mut bar) = self.bar.lock() else { return };
        if bar.as_ref().is_some_and(|(shown, _)| *shown != template) {
            // Other work has begun.
            bar.take()
                .into_iter()
                .for_each(|(_, old)| old.finish_and_clear());
        }
        let (_, bar) = bar.get_or_insert_with(|| (template, Self::bar(template)));
        bar.set_length(total);
        bar.set_position(done);
    }

    /// Shows how far a transfer is.
    pub fn objects(&self, step: Step) {
        let template = match step.phase {
            Phase::Sending => "sending {bar:24} {human_pos}/{human_len} objects",
            Phase::Receiving => "receiving {bar:24} {human_pos}/{human_len} objects",
        };
        self.show(template, step.done, step.total);
        if step.done == step.total {
            self.clear();
        }
    }

    /// Shows how much of a download has come.
    pub fn bytes(&self, done: u64, total: u64) {
        let template = "fetching {bar:24} {binary_bytes}/{binary_total_bytes}";
        self.show(template, done, total);
    }

    /// Removes the bar; other work may show its own.
    pub fn clear(&self) {
        let drawn = self.bar.lock().ok().and_then(|mut bar| bar.take());
        if let Some((_, bar)) = drawn {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Meter {
    fn documents(&self, done: usize, total: usize) {
        let template = "indexing {bar:24} {human_pos}/{human_len} documents";
        self.show(template, done as u64, total as u64);
    }

    fn commits(&self, done: usize, total: usize) {
        let template = "reading {bar:24} {human_pos}/{human_len} commits";
        self.show(template, done as u64, total as u64);
    }

    fn chunks(&self, done: usize, total: usize) {
        let template = "embedding {bar:24} {human_pos}/{human_len} chunks";
        self.show(template, done as u64, total as u64);
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.clear();
    }
}
