//! Progress for people: a bar on standard error, when one watches and the work takes a while.

use super::output::Output;
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
    bar: Mutex<Option<ProgressBar>>,
}

impl Meter {
    /// Returns a meter that draws only if a person watches and `quiet` was not asked for.
    pub fn new(output: &Output, quiet: bool) -> Self {
        Self {
            shown: output.watched() && !quiet,
            started: Instant::now(),
            bar: Mutex::new(None),
        }
    }

    fn bar(total: usize) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
        match ProgressStyle::with_template("indexing {bar:24} {human_pos}/{human_len} documents") {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        }
    }
}

impl Progress for Meter {
    fn documents(&self, done: usize, total: usize) {
        if !self.shown || self.started.elapsed() < PATIENCE {
            return;
        }
        // A poisoned lock means another thread failed while drawing; its failure is reported.
        let Ok(mut bar) = self.bar.lock() else { return };
        let bar = bar.get_or_insert_with(|| Self::bar(total));
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        let drawn = self.bar.get_mut().ok().and_then(Option::take);
        if let Some(bar) = drawn {
            bar.finish_and_clear();
        }
    }
}
