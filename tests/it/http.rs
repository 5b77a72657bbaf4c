//! A small smart-HTTP server: requests are handed to `git http-backend` as a web server would.

use crate::harness::TestRepo;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Serves the repositories in one directory until it is dropped.
pub struct Server {
    port: u16,
    stopped: Arc<AtomicBool>,
}

impl Server {
    /// Serves what lies in the directory that `hub` is in.
    pub fn start(hub: &TestRepo) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let stopped = Arc::new(AtomicBool::new(false));
        let root = hub.dir().parent().expect("a parent").to_owned();
        let backend = {
            let mut command = hub.command("git");
            command
                .arg("http-backend")
                .env("GIT_PROJECT_ROOT", root)
                .env("GIT_HTTP_EXPORT_ALL", "1");
            let pairs = command.get_envs();
            let pairs: Vec<_> = pairs
                .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
                .collect();
            Arc::new(pairs)
        };
        let stop = Arc::clone(&stopped);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let backend = Arc::clone(&backend);
                // A client that goes away in the middle is its own affair.
                std::thread::spawn(move || stream.and_then(|stream| serve(stream, &backend)));
            }
        });
        Self { port, stopped }
    }

    /// Returns the address of a repository.
    pub fn url(&self, name: &str) -> String {
        format!("http://127.0.0.1:{}/{name}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

fn serve(
    mut stream: TcpStream,
    env: &[(std::ffi::OsString, std::ffi::OsString)],
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let (method, target) = (
        words.next().unwrap_or_default().to_owned(),
        words.next().unwrap_or_default().to_owned(),
    );
    let mut headers: Vec<(String, String)> = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == "\r\n" {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    let header = |name: &str| {
        let found = headers.iter().find(|(n, _)| n == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    if header("expect").eq_ignore_ascii_case("100-continue") {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let body = if header("transfer-encoding").eq_ignore_ascii_case("chunked") {
        read_chunks(&mut reader)?
    } else {
        let length = header("content-length").parse().unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        body
    };
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut command = Command::new("git");
    command
        .env_clear()
        .envs(env.iter().map(|(name, value)| (name, value)))
        .arg("http-backend")
        .env("REQUEST_METHOD", &method)
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("CONTENT_TYPE", header("content-type"))
        .env("CONTENT_LENGTH", body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
        .env("GIT_PROTOCOL", header("git-protocol"))
        .env("REMOTE_ADDR", "127.0.0.1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    let mut stdin = child.stdin.take().expect("it is piped");
    let feeder = std::thread::spawn(move || stdin.write_all(&body));
    let mut answer = Vec::new();
    child
        .stdout
        .take()
        .expect("it is piped")
        .read_to_end(&mut answer)?;
    drop(feeder.join());
    child.wait()?;
    let split = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let (head, body) = answer.split_at(split.map_or(answer.len(), |at| at + 4));
    let head = String::from_utf8_lossy(head);
    let mut status = "200 OK";
    let mut rest = String::new();
    for line in head.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("Status: ") {
            Some(told) => status = told,
            None => rest += &format!("{line}\r\n"),
        }
    }
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{rest}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)
}

fn read_chunks(reader: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16)
            .map_err(|err| std::io::Error::other(err.to_string()))?;
        let mut chunk = vec![0; length + 2];
        reader.read_exact(&mut chunk)?;
        body.extend_from_slice(&chunk[..length]);
        if length == 0 {
            return Ok(body);
        }
    }
}
