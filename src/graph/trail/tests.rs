use super::super::build::build;
use super::super::modules::testing::Tree;
use super::*;

const NAMES: [Name; 2] = [Name(0), Name(1)];

fn at(file: u32) -> Asked {
    (FileId(file), None, NAMES[0])
}

/// Goes to so many modules, none of which has anything, and finds nothing below them.
fn walked(modules: u32) -> Trail {
    let mut trail = Trail::default();
    for file in (0..modules).map(FileId) {
        if trail.may_ask(file, NAMES[0]) {
            trail.heard(&Meaning::Unknown);
        }
        trail.child(Some((file, None, NAMES[0])), || Meaning::Unknown);
    }
    trail
}

#[test]
fn what_is_on_the_way_is_noted_where_nothing_is_found_on_all_of_it() {
    let barren = Barren::of(3);
    barren.note(at(0), &Meaning::Unknown, walked(4));
    assert_eq!(barren.known(at(0)), Some(Meaning::Unknown));
    assert_eq!(barren.known(at(3)), Some(Meaning::Unknown));
    assert_eq!(barren.known(at(4)), None);
    assert_eq!(barren.known((FileId(3), None, NAMES[1])), None);
}

#[test]
fn of_a_way_that_is_cut_or_led_somewhere_only_the_first_module_is_noted() {
    let cut = walked(MAX_MODULES as u32 + 1);
    let mut heard = walked(4);
    heard.heard(&Meaning::External);
    let mut required = walked(4);
    required.may_require(FileId(9));
    for trail in [cut, heard, required] {
        let barren = Barren::of(1);
        barren.note(at(0), &Meaning::External, trail);
        assert_eq!(barren.known(at(0)), Some(Meaning::External));
        assert_eq!(barren.known(at(1)), None);
    }
    let barren = Barren::of(1);
    barren.note(at(0), &Meaning::Local(0), walked(4));
    assert_eq!(barren.known(at(0)), None);
}

#[test]
fn where_there_is_no_module_below_one_is_looked_once() {
    let mut trail = Trail::default();
    let mut looked = 0;
    for _ in 0..3 {
        trail.child(Some(at(0)), || {
            looked += 1;
            Meaning::Unknown
        });
    }
    assert_eq!(looked, 1);
}

/// How many edges so many modules have of which each takes all names of all others, and uses one that the last defines.
fn edges_of_all_stars(modules: usize) -> usize {
    let last = modules - 1;
    let text = |own: usize| {
        let others = (0..modules).filter(|other| *other != own);
        let stars: String = others
            .map(|other| format!("from p{other} import *\n"))
            .collect();
        match own == last {
            true => format!("{stars}def fn{last}(): return 1\nnowhere\n"),
            false => format!("{stars}fn{last}()\nnowhere\n"),
        }
    };
    let files = (0..modules).map(|own| (format!("p{own}.py"), text(own)));
    let files: Vec<(String, String)> = files.collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(p, t)| (p.as_str(), t.as_str()))
        .collect();
    let tree = Tree::new(&files);
    let made = build(tree.view(), 2, &mut |file| tree.content(file));
    made.graph.edge_count()
}

#[test]
fn modules_that_all_take_each_other_whole_have_what_one_of_them_has() {
    for modules in [3, 30] {
        assert_eq!(edges_of_all_stars(modules), modules - 1, "{modules}");
    }
}
