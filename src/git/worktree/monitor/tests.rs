use super::super::watch::testing::seen_by_a_monitor;
use super::*;
use crate::git::worktree::status;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

/// Somebody at a socket who says what a test wants, and notes what is asked.
struct Fake {
    temp: TempDir,
    script: Arc<Mutex<Script>>,
    _thread: JoinHandle<()>,
}

#[derive(Default)]
struct Script {
    /// Raw answers.
    answers: VecDeque<Vec<u8>>,
    asked: Vec<String>,
}

impl Fake {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(temp.path().join("ipc")).unwrap();
        let script: Arc<Mutex<Script>> = Arc::default();
        let told = script.clone();
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, mut head) = (stream.unwrap(), [0; 4]);
                stream.read_exact(&mut head).unwrap();
                let length = usize::from_str_radix(std::str::from_utf8(&head).unwrap(), 16);
                let mut command = vec![0; length.unwrap()];
                stream.read_exact(&mut command).unwrap();
                let command = String::from_utf8(command).unwrap();
                let mut script = told.lock().unwrap();
                script
                    .asked
                    .push(command.strip_suffix("0000").unwrap().to_owned());
                let answer = script.answers.pop_front().unwrap_or_default();
                stream.write_all(&answer).unwrap();
            }
        });
        Self {
            temp,
            script,
            _thread: thread,
        }
    }

    fn socket(&self) -> PathBuf {
        self.temp.path().join("ipc")
    }

    fn says(&self, raw: &[u8]) -> &Self {
        self.script.lock().unwrap().answers.push_back(raw.to_vec());
        self
    }

    /// Says these parts, in packets of three bytes.
    fn tells(&self, parts: &[&str]) -> &Self {
        let text: Vec<u8> = parts
            .iter()
            .flat_map(|part| [part.as_bytes(), b"\0"].concat())
            .collect();
        let mut raw: Vec<u8> = Vec::new();
        for packet in text.chunks(3) {
            raw.extend(format!("{:04x}", packet.len() + 4).bytes());
            raw.extend(packet);
        }
        self.says(&[&raw[..], b"0000"].concat())
    }

    fn opened(&self) -> Monitor {
        self.tells(&["builtin:a:0", "/"]);
        Monitor::at(&self.socket(), false).unwrap()
    }

    fn asked(&self) -> Vec<String> {
        self.script.lock().unwrap().asked.clone()
    }
}

fn paths(told: &Told) -> Vec<String> {
    let files = told.touched.files.iter();
    assert!(told.touched.dirs.iter().eq(files.clone()));
    files.map(ToString::to_string).collect()
}

#[test]
fn it_is_asked_what_changed_since_it_told() {
    let fake = Fake::new();
    let mut monitor = fake.opened();
    fake.tells(&["builtin:a:1", "src/a.rs", "b/"])
        .tells(&["builtin:a:2"])
        .tells(&["builtin:a:3", ".gitignore"]);
    let (first, second, third) = (monitor.told(), monitor.told(), monitor.told());
    assert_eq!(paths(&first), ["b", "src/a.rs"]);
    assert!(!first.lost && !first.rules);
    assert!(second.touched.is_empty() && !second.lost);
    assert!(third.rules && !third.lost);
    assert_eq!(
        fake.asked(),
        ["builtin:fake", "builtin:a:0", "builtin:a:1", "builtin:a:2"]
    );
}

#[test]
fn what_it_does_not_know_is_lost() {
    let fake = Fake::new();
    let mut monitor = fake.opened();
    fake.tells(&["builtin:b:0", "/"]);
    assert!(monitor.told().lost, "it began anew");
    fake.tells(&["builtin:b:1", "lib/.git/index"]);
    assert!(monitor.told().lost, "another repository");
    for raw in [
        &b""[..],
        b"0000",
        b"0001",
        b"wxyz",
        b"ffff",
        b"000cbuiltin:",
        b"000fbuiltin:a:20000",
        b"000c1234567\x000000",
    ] {
        fake.says(raw);
        assert!(monitor.told().lost, "{:?}", raw.escape_ascii().to_string());
    }
    fake.tells(&["builtin:b:2", "a"]);
    assert_eq!(paths(&monitor.told()), ["a"]);
}

#[test]
fn nobody_waits_for_one_that_hangs() {
    let temp = tempfile::tempdir().unwrap();
    let socket = temp.path().join("ipc");
    // It is connected with, and never answers.
    let _listener = UnixListener::bind(&socket).unwrap();
    assert!(Monitor::at(&socket, false).is_none());
}

#[test]
fn nobody_is_asked_at_another_socket() {
    let fake = Fake::new();
    let other = tempfile::tempdir().unwrap();
    let place = |name: &str| other.path().join(name);
    std::os::unix::fs::symlink(fake.socket(), place("link")).unwrap();
    std::fs::write(place("file"), "").unwrap();
    for name in ["link", "file", "nothing"] {
        assert!(Monitor::at(&place(name), false).is_none(), "{name}");
    }
    assert!(fake.asked().is_empty());
}

#[test]
fn it_is_asked_only_where_it_is_on() {
    let temp = tempfile::tempdir().unwrap();
    gix::init(temp.path()).unwrap();
    let _listener = UnixListener::bind(temp.path().join(".git/fsmonitor--daemon.ipc")).unwrap();
    let has = |setting: &str| {
        let config = format!("[core]\n\trepositoryformatversion = 0\n{setting}");
        std::fs::write(temp.path().join(".git/config"), config).unwrap();
        Repo::discover(temp.path())
            .unwrap()
            .config_bool(keys::MONITOR)
    };
    assert_eq!(has(""), None);
    assert_eq!(has("\tfsmonitor = false\n"), Some(false));
    assert_eq!(has("\tfsmonitor = /some/hook\n"), None);
    assert_eq!(has("\tfsmonitor = true\n"), Some(true));
    assert_eq!(has("\tfsmonitor\n"), Some(true));
}

#[test]
fn the_work_tree_is_looked_at_where_it_tells() {
    let temp = tempfile::tempdir().unwrap();
    let made = gix::init(temp.path()).unwrap();
    made.write_object(gix::objs::Tree::empty()).unwrap();
    // What says what is ignored must not be too young to be known again.
    std::thread::sleep(Duration::from_millis(100));
    let repo = Repo::discover(temp.path()).unwrap();
    let write = |path: &str, text: &str| {
        let place = temp.path().join(path);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, text).unwrap();
    };
    write("a/one", "1");
    write("a/two", "2");
    let fake = Fake::new();
    let mut look = seen_by_a_monitor(fake.opened(), &repo);
    let fresh = || status(&repo, &[]).unwrap();
    assert_eq!(*look(), fresh());
    write("a/one", "more");
    write("b/three", "3");
    std::fs::remove_file(temp.path().join("a/two")).unwrap();
    // It tells of one of three.
    fake.tells(&["builtin:a:1", "a/one"]);
    let partly = look();
    assert_ne!(*partly, fresh());
    assert_eq!(partly.dirty.len(), 2);
    fake.tells(&["builtin:a:2", "b", "a/two"]);
    assert_eq!(*look(), fresh());
    // A folder becomes a file, and a file a folder.
    std::fs::remove_dir_all(temp.path().join("b")).unwrap();
    write("b", "4");
    std::fs::remove_file(temp.path().join("a/one")).unwrap();
    write("a/one/x", "5");
    fake.tells(&["builtin:a:3", "b", "a/one"]);
    assert_eq!(*look(), fresh());
    // It has gone: everything is looked at.
    write("c", "6");
    fake.says(b"");
    assert_eq!(*look(), fresh());
}
