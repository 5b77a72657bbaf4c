//! An object that is this one seen as an instance of its base: `super`, `super()`, `super(Cart, self)`.
//!
//! Deliberately absent: whether the class that is named is the one around, and calls that are written any other way.

/// Whether an object is a call that gives this one as its base has it. Of Python 2 it names the class and the object, which
/// is one of the names of this.
pub(super) fn is_base_call(object: &[u8], this_names: &[&[u8]]) -> bool {
    let given = object.strip_prefix(b"super(");
    let Some(given) = given.and_then(|given| given.strip_suffix(b")")) else {
        return false;
    };
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    match given.iter().position(|byte| *byte == b',') {
        None => given.is_empty(),
        Some(at) => {
            let (class, this) = (given[..at].trim_ascii(), given[at + 1..].trim_ascii());
            class.iter().all(is_word) && this_names.contains(&this)
        }
    }
}

/// Whether an object is this one as its base has it, where it is this one at all.
pub(super) fn is_base(object: &[u8], this_names: &[&[u8]]) -> bool {
    matches!(object, b"super" | b"base" | b"parent") || is_base_call(object, this_names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_and_this_are_named_or_nothing_is() {
        let python: &[&[u8]] = &[b"self", b"cls"];
        for call in [
            "super()",
            "super(Cart, self)",
            "super( shop.Cart,\n    self )",
            "super(Meta, cls)",
        ] {
            assert!(is_base_call(call.as_bytes(), python), "{call}");
            assert!(is_base(call.as_bytes(), python), "{call}");
        }
        for call in [
            "super",
            "super(Cart, page)",
            "super(Cart)",
            "super(f(x), self)",
            "super(Cart, self).go()",
        ] {
            assert!(!is_base_call(call.as_bytes(), python), "{call}");
        }
        assert!(!is_base_call(b"super(cart, self)", &[]));
    }
}
