//! Compares answers with truths.
