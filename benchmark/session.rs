//! An agent's session: an MCP server over stdio, spoken to in plain JSON lines.

use crate::Result;
use crate::measure::peak_mb;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long one answer may take. A peer that indexes at its first question needs the most of it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
}

/// What a tool answered.
pub struct ToolAnswer {
    /// The text parts, joined: what an agent reads.
    pub text: String,
    /// `structuredContent`, or null.
    pub structured: Value,
    /// Whether the tool says that it failed.
    pub is_error: bool,
}

impl ToolAnswer {
    /// What a host shows that prefers structured content, as Claude Code, Codex and VS Code do; `None` when
    /// there is none, and it shows the text.
    pub fn structured_first(&self) -> Option<String> {
        (!self.structured.is_null()).then(|| self.structured.to_string())
    }
}

impl Session {
    /// Starts a server and says hello.
    pub fn start(command: &mut Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|err| format!("{}: {err}", command.get_program().display()))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or("stdout is piped")?;
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(|line| line.ok()) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let mut session = Self {
            child,
            stdin,
            lines,
            next: 0,
        };
        session.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "benchmark", "version": "0"},
            }),
        )?;
        session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(session)
    }

    /// Calls a tool. A tool that says it failed is an answer too; an agent reads it.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<ToolAnswer> {
        let mut result =
            self.request("tools/call", json!({"name": tool, "arguments": arguments}))?;
        let text = result["content"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|part| part["text"].as_str())
            .collect::<Vec<_>>()
            .join("\n");
        Ok(ToolAnswer {
            text,
            structured: result["structuredContent"].take(),
            is_error: result["isError"].as_bool().unwrap_or(false),
        })
    }

    /// Any other request, such as `tools/list`.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("{method}: no answer in {} s", PATIENCE.as_secs()).into());
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("{method}: the server closed its output").into());
                }
            };
            // Some servers print other things to standard output.
            let Ok(mut message) = serde_json::from_str::<Value>(&line) else {
                continue;
            };
            if message["id"] == json!(id) {
                return match message["error"].take() {
                    Value::Null => Ok(message["result"].take()),
                    error => Err(error.to_string().into()),
                };
            }
        }
    }

    /// Peak resident memory of the server so far, in MB.
    pub fn peak_mb(&self) -> f64 {
        peak_mb(self.child.id()).unwrap_or(0.0)
    }

    /// Closes the server's input and waits until it has left, however long that takes.
    pub fn finish(mut self) -> Result<()> {
        self.stdin = None;
        let status = self.child.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the server ended with {status}").into())
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let stdin = self.stdin.as_mut().ok_or("the session is closed")?;
        writeln!(stdin, "{message}")?;
        stdin.flush()?;
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A server leaves at the end of its input; its exit is waited for so that its CPU time is
        // not counted against the next step. One that stays is ended.
        self.stdin = None;
        let until = Instant::now() + Duration::from_secs(2);
        while Instant::now() < until {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
