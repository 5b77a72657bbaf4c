//! Golden bytes: what the records described here must be written as, for ever.
//!
//! Run with `UPDATE_VECTORS=1` to write them anew, after a layout change only.
