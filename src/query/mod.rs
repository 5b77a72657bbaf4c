//! query layer.
