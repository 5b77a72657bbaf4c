//! A server of a few lines, on this machine, for all that speaks HTTP.

#![cfg(feature = "remote-models")]

use super::*;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc;

/// What a client asked.
pub struct Asked {
    /// Method, path and version.
    pub line: String,
    /// Headers in lower case.
    pub headers: String,
    /// The body.
    pub body: String,
}

/// Answers as many requests as there are `replies` (status, headers, body), one connection each,
/// and hands over what was asked. Returns the server's URL without a path.
pub fn serve(replies: Vec<(u16, String, Vec<u8>)>) -> (String, mpsc::Receiver<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (tell, asked) = mpsc::channel();
    std::thread::spawn(move || {
        for (status, headers, body) in replies {
            let Ok((stream, _)) = listener.accept() else {
                return;
            };
            let mut reader = BufReader::new(stream);
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let mut asked = String::new();
            while reader.read_line(&mut asked).unwrap() > 2 {}
            let asked = asked.to_ascii_lowercase();
            let length = asked
                .lines()
                .find_map(|line| line.strip_prefix("content-length:"));
            let mut sent = vec![0; length.map_or(0, |n| n.trim().parse().unwrap())];
            reader.read_exact(&mut sent).unwrap();
            let _ = tell.send(Asked {
                line: line.trim().to_owned(),
                headers: asked,
                body: String::from_utf8(sent).unwrap(),
            });
            let mut stream = reader.into_inner();
            let length = body.len();
            let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n{headers}");
            // A client may hang up when it has seen enough.
            let _ = write!(stream, "{head}connection: close\r\n\r\n");
            let _ = stream.write_all(&body);
        }
    });
    (url, asked)
}

/// A reply without headers of its own.
pub fn reply(status: u16, body: impl Into<Vec<u8>>) -> (u16, String, Vec<u8>) {
    (status, String::new(), body.into())
}

#[test]
fn hosts_are_told_apart() {
    assert_eq!(scheme_and_host("https://a.b/c"), Some(("https", "a.b")));
    assert_eq!(scheme_and_host("HTTP://a:80"), Some(("http", "a")));
    assert_eq!(scheme_and_host("http://[::1]:8/x"), Some(("http", "::1")));
    assert_eq!(scheme_and_host("http://?x"), None);
    assert_eq!(scheme_and_host("http://me:secret@a/"), None);
    assert_eq!(scheme_and_host("file:///etc"), None);
    assert_eq!(scheme_and_host("localhost:11434"), None);
    assert!(is_loopback("localhost") && is_loopback("127.0.0.3") && is_loopback("::1"));
    assert!(!is_loopback("localhost.example") && !is_loopback("10.0.0.1"));
}
