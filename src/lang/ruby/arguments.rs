//! Parameter lists and calls of Ruby.

use crate::syntax::calls::rows::{CallRows, Give, Take};
use crate::syntax::calls::{By, Need};

/// Ruby.
pub(crate) static CALLS: CallRows = CallRows {
    definitions: words!("method.parameters singleton_method.parameters"),
    takes: by_words! {
        Take::One(By::Position, Need::Required) => "identifier destructured_parameter",
        Take::One(By::Position, Need::Optional) => "optional_parameter",
        Take::One(By::Position, Need::Rest) => "splat_parameter",
        Take::One(By::Name, Need::Required) => "keyword_parameter",
        Take::One(By::Name, Need::Rest) => "hash_splat_parameter",
        Take::Nothing => "block_parameter hash_splat_nil",
        Take::All => "forward_parameter",
    },
    result: &[],
    asynchronous: &[],
    types_called: words!("class.body"),
    constructors: &["initialize"],
    calls: words!("call.method"),
    gives: by_words! {
        Give::Named => "pair",
        Give::Spread => "splat_argument",
        Give::SpreadNames => "hash_splat_argument",
        Give::Nothing => "block_argument",
        Give::Open => "forward_argument",
    },
    bare_calls: true,
    names_are_a_hash: true,
    is_doubtful: super::doubts::is_doubtful,
    is_open_type: Some(super::doubts::is_open_type),
    ..CallRows::new()
};
