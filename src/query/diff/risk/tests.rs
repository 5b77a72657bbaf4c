use super::past::{Past, Subject};
use super::{Factor, Model, Reason, Risk, Structure};
use crate::git::RepoPath;
use crate::history::document::Document;
use crate::history::message;
use crate::history::piece::Entry;
use crate::history::window::Window;
use crate::id::CommitId;
use proptest::prelude::*;

const DAY: i64 = 86_400;

fn id(n: usize) -> CommitId {
    let mut raw = [0; 20];
    raw[..8].copy_from_slice(&(n as u64).to_be_bytes());
    CommitId::from_bytes(&raw).unwrap()
}

fn commit(n: usize, day: i64, subject: &str, paths: &[&str]) -> Entry {
    Entry {
        id: id(n),
        date: day * DAY,
        parents: Vec::new(),
        document: Document {
            terms: message::terms(subject.as_bytes()),
            changed: paths.len() as u32,
            touched: paths
                .iter()
                .map(|path| RepoPath::new(*path).unwrap())
                .collect(),
            ..Document::default()
        },
    }
}

/// A window of all commits, which come the oldest first.
fn window(entries: Vec<Entry>) -> Window {
    let newest_first: Vec<CommitId> = entries.iter().rev().map(|entry| entry.id).collect();
    Window::made(&newest_first, vec![entries])
}

/// Every other commit is to a file that is mended the next day three times of four; the others are to files that
/// are never looked at again for a long time.
fn shaky(rounds: usize) -> Window {
    let mut entries = Vec::new();
    for round in 0..rounds {
        let day = 4 * round as i64;
        let calm = format!("src/calm{}.rs", round % 40);
        entries.push(commit(entries.len(), day, "extend", &["src/shaky.rs"]));
        if round % 4 < 3 {
            entries.push(commit(
                entries.len(),
                day + 1,
                "fix crash",
                &["src/shaky.rs"],
            ));
        }
        entries.push(commit(entries.len(), day + 2, "extend", &[&calm]));
    }
    window(entries)
}

fn model(window: &Window) -> Model {
    Model::learn(window, &mut |_| Some("a@host".to_owned()))
}

fn subject<'a>(code: &'a [&'a [u8]]) -> Subject<'a> {
    Subject {
        code,
        files: code.len(),
        author: Some("a@host"),
    }
}

fn score(risk: &Risk) -> f64 {
    match risk {
        Risk::Known { score, terms, .. } => {
            let sum: f64 = terms.iter().map(|term| term.adds).sum();
            assert!((sum - score).abs() < 1e-9, "{terms:?}");
            assert!((0.0..=1.0).contains(score));
            *score
        }
        Risk::Unknown(reason) => panic!("{reason:?}"),
    }
}

#[test]
fn what_was_mended_again_and_again_is_a_risk() {
    let window = shaky(150);
    let model = model(&window);
    let assess = |path: &[u8], structure| model.assess(&subject(&[path]), structure);
    let shaky = assess(b"src/shaky.rs", Structure::default());
    let calm = assess(b"src/calm1.rs", Structure::default());
    assert!(
        score(&shaky) > 0.8 && score(&calm) < 0.2,
        "{shaky:?} {calm:?}"
    );
    let Risk::Known {
        terms, calibration, ..
    } = shaky
    else {
        panic!("it is known");
    };
    assert_eq!(terms[0].factor, Factor::Usual);
    assert!(
        terms
            .iter()
            .any(|term| term.factor == Factor::Churn && term.adds > 0.0)
    );
    assert!(calibration.auc > 0.9 && calibration.brier < calibration.brier_of_usual);
    assert!(calibration.held_out < calibration.cases && calibration.fixed < calibration.cases);
}

#[test]
fn structure_adds_terms_of_its_own() {
    let window = shaky(150);
    let model = model(&window);
    let assess = |structure| score(&model.assess(&subject(&[b"src/calm1.rs"]), structure));
    let plain = assess(Structure::default());
    let with = |dependents, untested, is_breaking| {
        assess(Structure {
            dependents,
            untested,
            is_breaking,
        })
    };
    assert!(with(1, None, false) > plain);
    assert!(with(100, None, false) > with(1, None, false));
    assert!(with(0, Some(1.0), false) > with(0, Some(0.5), false));
    assert!(with(0, None, true) > with(100, None, false));
    assert_eq!(with(0, Some(0.0), false), plain);
}

#[test]
fn a_young_repository_is_unknown() {
    let young = shaky(20);
    let risk = model(&young).assess(&subject(&[b"src/shaky.rs"]), Structure::default());
    assert!(
        matches!(risk, Risk::Unknown(Reason::FewCommits(n)) if n < 60),
        "{risk:?}"
    );
    let fixes = (0..600).map(|n| commit(n, n as i64, "extend", &["src/a.rs"]));
    let risk =
        model(&window(fixes.collect())).assess(&subject(&[b"src/a.rs"]), Structure::default());
    assert_eq!(risk, Risk::Unknown(Reason::FewFixes(0)));
    let fixes = (0..600).map(|n| commit(n, n as i64, "fix", &["src/a.rs"]));
    let risk =
        model(&window(fixes.collect())).assess(&subject(&[b"src/a.rs"]), Structure::default());
    assert_eq!(risk, Risk::Unknown(Reason::AllFixed(0)));
    let risk = model(&shaky(150)).assess(&subject(&[b"README.md"]), Structure::default());
    assert_eq!(risk, Risk::Unknown(Reason::NoCode));
    let risk = model(&Window::default()).assess(&subject(&[b"a.rs"]), Structure::default());
    assert_eq!(risk, Risk::Unknown(Reason::FewCommits(0)));
}

#[test]
fn a_fix_is_one_of_what_was_changed_before_and_soon() {
    let mut entries: Vec<Entry> = (0..40)
        .map(|n| commit(n, n as i64, "extend", &["src/z.rs"]))
        .collect();
    entries.push(commit(40, 100, "extend", &["src/a.rs"]));
    entries.push(commit(41, 105, "fix", &["src/b.rs"]));
    entries.push(commit(42, 106, "prefix paths", &["src/a.rs"]));
    entries.push(commit(43, 129, "Fix it", &["src/a.rs", "docs/a.md"]));
    entries.push(commit(44, 160, "fix again", &["src/a.rs"]));
    entries.push(commit(45, 300, "extend", &["src/a.rs"]));
    let (_, outcomes) = Past::read(&window(entries), &mut |_| None);
    let fixed = |day: i64| {
        outcomes
            .iter()
            .find(|o| o.date == day * DAY)
            .unwrap()
            .was_fixed
    };
    assert_eq!(
        [100, 105, 106, 129, 160].map(fixed),
        [true, false, true, false, false]
    );
    assert!(outcomes.iter().all(|outcome| outcome.date < 300 * DAY));
}

#[test]
fn dates_from_hostile_commits_end_nothing() {
    let dates = [i64::MIN, i64::MAX, 0, -5, i64::MAX / 2];
    let entry = |n: usize| Entry {
        date: dates[n % dates.len()],
        ..commit(
            n,
            0,
            if n.is_multiple_of(3) { "fix" } else { "extend" },
            &["src/a.rs"],
        )
    };
    let model = model(&window((0..600).map(entry).collect()));
    model.assess(&subject(&[b"src/a.rs"]), Structure::default());
}

proptest! {
    /// What is told of a commit does not depend on what came after it.
    #[test]
    fn later_commits_never_leak(
        commits in proptest::collection::vec((0..4i64, 0..3usize, 0..5usize, any::<bool>()), 8..40),
        cut in 4..40usize,
    ) {
        let names = ["src/a.rs", "src/b.rs", "src/c.rs", "lib/d.rs", "docs/e.md"];
        let people = ["a@host", "b@host", "c@host"];
        let mut day = 0;
        let mut entries = Vec::new();
        for (n, (gap, _, file, is_fix)) in commits.iter().enumerate() {
            day += 1 + gap * 9;
            let subject = if *is_fix { "fix" } else { "extend" };
            let paths = [names[*file], names[(*file + n) % 5]];
            let mut paths = paths.to_vec();
            paths.sort();
            paths.dedup();
            entries.push(commit(n, day, subject, &paths));
        }
        let author = |id: CommitId| {
            let raw = u64::from_be_bytes(id.as_bytes()[..8].try_into().unwrap());
            Some(people[commits[raw as usize].1].to_owned())
        };
        let cut = cut.min(entries.len());
        let (_, whole) = Past::read(&window(entries.clone()), &mut { author });
        let (_, part) = Past::read(&window(entries[..cut].to_vec()), &mut { author });
        for outcome in part {
            if let Some(same) = whole.iter().find(|one| one.date == outcome.date) {
                prop_assert_eq!(same.features, outcome.features);
                prop_assert_eq!(same.was_fixed, outcome.was_fixed);
            }
        }
    }
}
