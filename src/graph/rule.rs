//! How a reference was resolved, and how sure that makes us.
//!
//! The figures are precisions over the symbols that `benchmark/oracle` asks about, in eight repositories
//! of five languages, rounded, and a little lower where few edges were seen.

/// What connected an occurrence with its definition. From sure to unsure; the code is what saved
/// graphs hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Rule {
    /// The definition is in the same scope or one around it, or in the same file's top level.
    Scope = 0,
    /// An import names it, and the module defines it.
    Import = 1,
    /// An import names it, and modules in between pass it on.
    Reexport = 2,
    /// It stands in the same package, module or namespace, or in an included file.
    Package = 3,
    /// A member named with its type or module: `Type.member`, `module.name`.
    Qualified = 4,
    /// A member of the object itself: `this.member`, `self.member`, or bare where that is usual.
    This = 5,
    /// A member of an object whose type is annotated, constructed or returned.
    Receiver = 6,
    /// Found on a base type of what the rules above would look at.
    Inherited = 7,
    /// Not connected, but the repository defines the name once.
    Unique = 8,
    /// Not connected, and the repository defines the name several times: all are candidates.
    Ambiguous = 9,
    /// A string or documentation that holds exactly this name.
    Mention = 10,
}

impl Rule {
    /// Every rule, in order of its code.
    pub const ALL: [Self; 11] = [
        Self::Scope,
        Self::Import,
        Self::Reexport,
        Self::Package,
        Self::Qualified,
        Self::This,
        Self::Receiver,
        Self::Inherited,
        Self::Unique,
        Self::Ambiguous,
        Self::Mention,
    ];

    /// The rule of a code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(code as usize).copied()
    }

    /// The word shown to people and agents.
    pub fn label(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Import => "import",
            Self::Reexport => "re-export",
            Self::Package => "package",
            Self::Qualified => "qualified",
            Self::This => "this",
            Self::Receiver => "receiver",
            Self::Inherited => "inherited",
            Self::Unique => "unique",
            Self::Ambiguous => "ambiguous",
            Self::Mention => "mention",
        }
    }

    /// How often an edge of this rule is right, from 0 to 1.
    pub fn confidence(self) -> f32 {
        match self {
            Self::Scope | Self::Import => 0.98,
            Self::Reexport | Self::Package | Self::Qualified => 0.95,
            Self::This | Self::Receiver => 0.95,
            Self::Inherited => 0.9,
            Self::Unique => 0.7,
            Self::Ambiguous => 0.03,
            Self::Mention => 0.01,
        }
    }

    /// How the rule is summed up in answers.
    pub fn certainty(self) -> Certainty {
        match self {
            Self::Unique => Certainty::Inferred,
            Self::Ambiguous => Certainty::Ambiguous,
            Self::Mention => Certainty::Text,
            _ => Certainty::Resolved,
        }
    }
}

/// How sure an edge is, in one of four words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// The language's own rules lead from the occurrence to the definition.
    Resolved,
    /// The only definition of that name that fits.
    Inferred,
    /// One of several definitions that fit.
    Ambiguous,
    /// Only the letters agree.
    Text,
}

impl Certainty {
    /// Every certainty, surest first.
    pub const ALL: [Self; 4] = [Self::Resolved, Self::Inferred, Self::Ambiguous, Self::Text];

    /// The word shown to people and agents.
    pub fn label(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::Inferred => "inferred",
            Self::Ambiguous => "ambiguous",
            Self::Text => "text",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_positions_and_confidence_falls() {
        for (code, rule) in Rule::ALL.iter().enumerate() {
            assert_eq!(*rule as usize, code);
            assert_eq!(Rule::from_code(code as u8), Some(*rule));
        }
        assert!(Rule::ALL.is_sorted_by(|a, b| a.certainty() <= b.certainty()));
        assert_eq!(Rule::from_code(11), None);
    }
}
