//! view layer.
