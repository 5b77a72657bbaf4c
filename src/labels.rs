//! Enums whose values go by words: in answers, on the command line, in files.

/// Declares an enum with the word of each value beside it: `Text = "text",`.
macro_rules! labelled {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$value_meta:meta])* $value:ident = $label:literal,)+
    }) => {
        $(#[$meta])*
        $vis enum $name { $($(#[$value_meta])* $value,)+ }

        impl $name {
            /// Every value, in order.
            pub const ALL: [Self; [$($label),+].len()] = [$(Self::$value),+];

            /// The word for it.
            pub const fn label(self) -> &'static str {
                match self { $(Self::$value => $label,)+ }
            }

            /// The value that a word means.
            pub fn from_label(label: &str) -> Option<Self> {
                match label { $($label => Some(Self::$value),)+ _ => None }
            }
        }
    };
}
