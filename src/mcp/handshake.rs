//! Starting the server as an agent would, to see that it answers.
//!
//! Plain lines over pipes, without a client library: what is tested is what goes over the wire.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// How long a server may take for both answers. It opens nothing before the first question, so
/// even a busy machine needs a small part of it.
const PATIENCE: Duration = Duration::from_secs(10);

/// The version of the protocol that is asked for.
const PROTOCOL: &str = "2025-06-18";

/// A server that answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Handshake {
    /// Its name.
    pub server: String,
    /// Its version.
    pub version: String,
    /// Tools it lists.
    pub tools: usize,
}

/// Starts `program mcp` in `dir` and asks it for its name and its tools. Fails with what went wrong, in
/// a sentence.
pub fn shake(program: &Path, dir: &Path) -> Result<Handshake, String> {
    let mut child = Command::new(program)
        .arg("mcp")
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|err| format!("{} cannot be started: {err}", program.display()))?;
    let outcome = talk(&mut child);
    // Its input is closed by now, so it ends by itself; one that hangs must not stay.
    let _ = child.kill();
    let _ = child.wait();
    outcome
}

fn talk(child: &mut Child) -> Result<Handshake, String> {
    let mut stdin = child.stdin.take().ok_or("it has no input")?;
    let stdout = child.stdout.take().ok_or("it has no output")?;
    let (send, lines) = mpsc::channel();
    // Ends with the child's output.
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let deadline = Instant::now() + PATIENCE;
    let mut tell = |message: Value| {
        writeln!(stdin, "{message}").map_err(|err| format!("it does not listen: {err}"))
    };
    tell(
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "git-sverklo doctor", "version": env!("CARGO_PKG_VERSION")},
        }}),
    )?;
    let hello = answer(&lines, 1, deadline)?;
    tell(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    tell(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}))?;
    let tools = answer(&lines, 2, deadline)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(Handshake {
        server: text(&hello["serverInfo"]["name"]),
        version: text(&hello["serverInfo"]["version"]),
        tools: tools["tools"].as_array().map_or(0, Vec::len),
    })
}

/// Waits for the answer with an id; lines that are something else are passed over.
fn answer(lines: &Receiver<String>, id: u64, deadline: Instant) -> Result<Value, String> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let line = lines.recv_timeout(left).map_err(|err| match err {
            mpsc::RecvTimeoutError::Timeout => {
                format!("no answer within {} s", PATIENCE.as_secs())
            }
            mpsc::RecvTimeoutError::Disconnected => "it ended without an answer".to_owned(),
        })?;
        let Ok(mut message) = serde_json::from_str::<Value>(&line) else {
            return Err("it writes something that is no JSON".to_owned());
        };
        if message["id"] == id {
            return match message.get("error") {
                Some(error) => Err(format!("it answers with an error: {error}")),
                None => Ok(message["result"].take()),
            };
        }
    }
}
