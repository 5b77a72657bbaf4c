//! What a change of what a library gives out means for those who use it: the rules of a language that a document
//! alone decides. What it does not decide is said to be unknown.
//!
//! | language | rule | verdict | source |
//! | --- | --- | --- | --- |
//! | all | gone, renamed, moved to another file, no longer exported | breaking | <https://semver.org> |
//! | Go, Java, Kotlin, C# ... | moved to another file of one package or namespace | nothing | |
//! | Rust, Kotlin | `pub(crate)`, `pub(in ...)`; `internal` | nothing | [`Liveness::own_marks`](super::liveness::Liveness) |
//! | Java, C#, Swift | types and what is called without `public`, `protected`, `open` | nothing | [`Liveness::given_marks`](super::liveness::Liveness) |
//! | all | a required parameter added, one removed, an optional one made required | breaking | ditto |
//! | all | an optional parameter added, one made optional | additive | ditto |
//! | types are checked | another type of a parameter, a result, a field | breaking | ditto |
//! | types are checked | the head of a type, parameters that cannot be read | unknown | |
//! | Rust | a field added to a struct of which others see every field | breaking | [struct-add-public-field-when-no-private], [struct-add-private-field-when-public] |
//! | Rust | a field added to a struct with a hidden one, or `non_exhaustive` | additive | [struct-add-public-field-when-no-private] |
//! | Rust | a variant added, not `non_exhaustive` | breaking | [enum-variant-new] |
//! | Rust | an item of a trait added without a default; with one | breaking; additive | [trait-new-item-no-default]; [trait-new-default-item] |
//! | Rust | `non_exhaustive` added | breaking | [attr-adding-non-exhaustive] |
//! | Go | a method added to an interface; to one with an unexported method | breaking; additive | [module compatibility] |
//! | Go | a field added to a struct (literals without keys are not promised to) | additive | [Go 1 compatibility] |
//! | TypeScript | a required member added to an interface: who makes one fails, who gets one does not | unknown | [semver-ts] |
//! | TypeScript | an optional member added; a member of a class | additive | [semver-ts] |
//! | Java | an abstract method added to a class or interface; a default one (source, not binaries) | breaking; additive | JLS [13.4.16][jls], 13.5.3 |
//! | Java | less access | breaking | JLS 13.4.7 |
//! | Java | another checked exception of the JDK in `throws` (source, not binaries); an unknown one | breaking; unknown | JLS 13.4.21 |
//! | Java | a constant added to an enum | additive | JLS 13.4.26 |
//! | Python | another name of a parameter that may be given by name; by name only, by place only | breaking | [PEP 570], [PEP 3102] |
//! | Python | by place only becomes both ways; hints of types | additive; nothing | [PEP 570], [PEP 484] |
//! | C, C++ | a field, in C++ a virtual method: another layout for what was compiled before | unknown | [binary compatibility] |
//!
//! Not decided by a document, and not looked at: whether a Rust trait is sealed, auto traits, generics; whether Go
//! compares a struct; variance in TypeScript; whether an exception of the repository is checked.
//!
//! [struct-add-public-field-when-no-private]: https://doc.rust-lang.org/cargo/reference/semver.html#struct-add-public-field-when-no-private
//! [struct-add-private-field-when-public]: https://doc.rust-lang.org/cargo/reference/semver.html#struct-add-private-field-when-public
//! [enum-variant-new]: https://doc.rust-lang.org/cargo/reference/semver.html#enum-variant-new
//! [trait-new-item-no-default]: https://doc.rust-lang.org/cargo/reference/semver.html#trait-new-item-no-default
//! [trait-new-default-item]: https://doc.rust-lang.org/cargo/reference/semver.html#trait-new-default-item
//! [attr-adding-non-exhaustive]: https://doc.rust-lang.org/cargo/reference/semver.html#attr-adding-non-exhaustive
//! [module compatibility]: https://go.dev/blog/module-compatibility
//! [Go 1 compatibility]: https://go.dev/doc/go1compat
//! [semver-ts]: https://www.semver-ts.org
//! [jls]: https://docs.oracle.com/javase/specs/jls/se17/html/jls-13.html
//! [PEP 484]: https://peps.python.org/pep-0484/
//! [PEP 570]: https://peps.python.org/pep-0570/
//! [PEP 3102]: https://peps.python.org/pep-3102/
//! [binary compatibility]: https://community.kde.org/Policies/Binary_Compatibility_Issues_With_C%2B%2B

/// What it means for others that something they know has one more part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// There is more to use.
    Additive,
    /// Who makes the whole, or looks at each part of it, may fail.
    Breaking,
    /// The same, unless others do not see some part that was there: then nobody else could do so.
    BreakingUnlessHidden,
    /// Who makes the whole may fail and who gets it does not, unless the part may be left out.
    UnknownUnlessOptional,
    /// Who was compiled before may fail, which no source says, where a word stands in it; an empty one always does.
    UnknownWith(&'static str),
}

usual! {
    /// What is usual stands in [`Versioning::new`]; a language says what it has other than that.
    #[derive(Clone, Copy)]
    pub struct Versioning() {
        /// A field of a struct or class.
        pub field: Part = Part::Additive,
        /// A case of an enum.
        pub variant: Part = Part::Additive,
        /// What an interface or trait wants of those that have it, without a body of its own.
        pub wanted: Part = Part::Breaking,
        /// An attribute that says of something that parts may be added to it.
        pub open_mark: Option<&'static str> = None,
        /// Words for who may see something, the widest first; without any it is wider than the last.
        pub visibilities: &'static [&'static str] = &[],
        /// The word before what may be thrown, of which callers have to take care.
        pub throws: Option<&'static str> = None,
        /// What may be thrown of which nobody has to take care.
        pub unchecked: &'static [&'static str] = &[],
    }
}
