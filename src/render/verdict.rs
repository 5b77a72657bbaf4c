//! Renders why a definition has no use that is sure.

use super::{clean, count};
use crate::query::verdict::{Beside, Verdict};

/// In a few words, to stand after the number of uses.
pub(super) fn said(verdict: &Verdict) -> String {
    let through = |name: &str| format!("called through {name}");
    match verdict {
        Verdict::Registered { part, by, line } => {
            // In quotes that it cannot end: what a file says must not read like a fact of ours.
            let by = clean::line(by, 2 * clean::MAX_LINE_CHARS).replace('`', "'");
            let part = match part {
                Some(part) => part.label().to_owned(),
                None => "perhaps registered".to_owned(),
            };
            format!("{part} by `{by}` on line {line}")
        }
        Verdict::LedTo(_) => "called by what is outside".to_owned(),
        Verdict::EntryPoint => "a program begins here".to_owned(),
        Verdict::Test => "run as a test".to_owned(),
        Verdict::Overrides { base, uses } => {
            let base = clean::word(&base.qualified);
            format!("may be {}, {}", through(&base), count(*uses, "use"))
        }
        Verdict::Overridden { by, others, uses } => {
            let by = clean::word(&by.qualified);
            let more = match others {
                0 => String::new(),
                others => format!(" and {others} more"),
            };
            let verb = if *others == 0 {
                "overrides"
            } else {
                "override"
            };
            format!("{} of {by}{more}, which {verb} it", count(*uses, "use"))
        }
        Verdict::Language => "called by the language".to_owned(),
        Verdict::Implements(interface) => format!("may be {}", through(interface)),
        Verdict::Foreign(base) => foreign(&clean::whole(base)),
        Verdict::Overriding { line } => {
            format!("may be called through what it overrides, as line {line} says")
        }
        Verdict::OfValue(base) => {
            let base = clean::whole(base);
            format!("may be called through {base}, which is a value here")
        }
        Verdict::SatisfiesElsewhere { path, line } => {
            let path = clean::path(path);
            format!("may be called through an interface of what {path}:{line} imports")
        }
        Verdict::ReadByInclude { line } => format!("may be asked for by what line {line} includes"),
        Verdict::Satisfies(method) => {
            format!("may be {}", through(&clean::word(&method.qualified)))
        }
        Verdict::ThroughType { path, line } => {
            let path = clean::path(path);
            format!("may be called by who gets its type, {path}:{line}")
        }
        Verdict::Made { of, uses } => {
            let of = clean::word(&of.qualified);
            format!("called by what makes {of}, {}", count(*uses as u64, "use"))
        }
        Verdict::ThroughModule { path, line } => {
            let path = clean::path(path);
            format!("may be called by who gets the module, {path}:{line}")
        }
        Verdict::InLiteral => "part of a literal that is handed on".to_owned(),
        Verdict::Value => "a value that is handed on where it stands".to_owned(),
        Verdict::ThroughMember(member) => {
            format!("used through {}", clean::word(&member.qualified))
        }
        Verdict::Derived(hook) => {
            let hook = clean::word(&hook.qualified);
            format!("derived from what asks for that, {hook}")
        }
        Verdict::Setting => "a setting, which may be read by its name".to_owned(),
        Verdict::TestsAlone { own, beside } => {
            let own = match own {
                0 => String::new(),
                own => format!(" but for {own} of its own"),
            };
            let beside = match beside {
                None => String::new(),
                Some(Beside::Foreign(base)) => format!(", {}", foreign(&clean::whole(base))),
                Some(Beside::Named(path, line)) => format!(", {}", named(path, *line)),
                Some(Beside::Exported) => ", for others to use".to_owned(),
            };
            format!("all in tests{own}{beside}")
        }
        Verdict::ItselfAlone => "all its own".to_owned(),
        Verdict::Named { path, line } => named(path, *line),
        Verdict::FileNamed { path, line } => {
            let path = clean::path(path);
            format!("but a path of its file stands at {path}:{line}")
        }
        Verdict::Begun { path, line } => {
            let path = clean::path(path);
            format!("but its name may be put together at {path}:{line}")
        }
        Verdict::Exported => "unused here, for others to use".to_owned(),
        Verdict::Common => {
            "nothing known uses it, but its name could not be looked for everywhere".to_owned()
        }
        Verdict::Torn => "nothing known uses it, but not all of its file was understood".to_owned(),
        Verdict::Namesake { path, line } => {
            let path = clean::path(path);
            format!("nothing known uses it, but its name means something else at {path}:{line}")
        }
        Verdict::Unused => "nothing known uses it".to_owned(),
        Verdict::Dead => "dead: its name stands nowhere else".to_owned(),
    }
}

fn foreign(base: &str) -> String {
    format!("may be called through {base}, which is not in this repository")
}

fn named(path: &str, line: u32) -> String {
    format!("but its name stands at {}:{line}", clean::path(path))
}
