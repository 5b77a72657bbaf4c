//! git layer.
