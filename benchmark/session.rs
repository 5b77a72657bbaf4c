//! An agent's session: the MCP server over stdio, spoken to in plain JSON lines.

use crate::Result;
use crate::measure::{peak_mb, sverklo};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A running server.
pub struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    next: u64,
}

impl Session {
    /// Starts a server in a work tree and says hello.
    pub fn start(dir: &Path) -> Result<Self> {
        let mut child = sverklo(dir, &["mcp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().ok_or("stdout is piped")?);
        let mut session = Self {
            child,
            stdin,
            stdout,
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

    /// Calls a tool and returns its result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<Value> {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Peak resident memory of the server so far, in MB.
    pub fn peak_mb(&self) -> f64 {
        peak_mb(self.child.id()).unwrap_or(0.0)
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut line = String::new();
            if self.stdout.read_line(&mut line)? == 0 {
                return Err("the server closed its output".into());
            }
            let mut message: Value = serde_json::from_str(&line)?;
            if message["id"] == json!(id) {
                return match message["error"].take() {
                    Value::Null => Ok(message["result"].take()),
                    error => Err(error.to_string().into()),
                };
            }
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
        // The server leaves at the end of its input; the exit is waited for so that its CPU time
        // is not counted against the next step.
        self.stdin = None;
        let _ = self.child.wait();
    }
}
