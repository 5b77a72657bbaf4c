//! Structs of which a value names only what is unusual of it: `Naming { linked: true, ..Naming::new() }`.

/// Declares a struct with the usual value of each field beside it, which may use the parameters that stand
/// after the name, and `new`, which is all of them.
macro_rules! usual {
    ($(#[$meta:meta])* $vis:vis struct $name:ident($($parameter:ident: $type:ty),*) {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $field_type:ty = $usual:expr,)+
    }) => {
        $(#[$meta])*
        $vis struct $name { $($(#[$field_meta])* $field_vis $field: $field_type,)+ }

        impl $name {
            /// What is usual.
            pub(crate) const fn new($($parameter: $type),*) -> Self {
                Self { $($field: $usual,)+ }
            }
        }
    };
}
