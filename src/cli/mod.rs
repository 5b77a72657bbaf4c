//! cli layer.
