//! segment layer.
