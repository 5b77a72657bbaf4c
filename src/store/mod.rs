//! store layer.
