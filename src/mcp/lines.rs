//! Messages over standard input and output, one JSON-RPC message a line.
//!
//! Guarantee: whatever a line holds, the session goes on, and whoever waits for an answer to a request
//! gets one. What is no JSON (bad UTF-8 and too deep nesting too) is a parse error, what is no request an
//! invalid one, and parameters of another shape than their method's are invalid parameters. No refusal
//! says back what came. No line is held that is longer than a message may be.

use crate::limits::{MAX_MESSAGE_BYTES, MAX_MESSAGE_VALUES};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ErrorCode, InitializeRequestParams, PaginatedRequestParams,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::io::stdio;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader, Stdout};
use tokio::sync::{Mutex, mpsc};

/// Messages that wait until the session takes them; a client that sends more waits.
const WAITING: usize = 64;

type Incoming = RxJsonRpcMessage<RoleServer>;

/// The standard streams of the process as a session's transport.
pub(super) struct Lines {
    messages: mpsc::Receiver<Incoming>,
    out: Out,
}

impl Lines {
    /// Begins to read. Needs a runtime.
    pub fn stdio() -> Self {
        let (send, messages) = mpsc::channel(WAITING);
        let (input, output) = stdio();
        let out = Out(Arc::new(Mutex::new(output)));
        tokio::spawn(read_all(input, send, out.clone()));
        Self { messages, out }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let out = self.out.clone();
        async move { out.write(serde_json::to_vec(&item)?).await }
    }

    async fn receive(&mut self) -> Option<Incoming> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.messages.close();
        Ok(())
    }
}

/// Standard output, a line at a time.
#[derive(Clone)]
struct Out(Arc<Mutex<Stdout>>);

impl Out {
    async fn write(&self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        let mut out = self.0.lock().await;
        out.write_all(&line).await?;
        out.flush().await
    }
}

/// Reads until the input ends; hands messages on and refuses the rest.
async fn read_all(input: impl AsyncRead + Unpin, send: mpsc::Sender<Incoming>, out: Out) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    let mut is_long = false;
    loop {
        // An input that cannot be read has ended.
        let Ok(available) = input.fill_buf().await else {
            return;
        };
        // The last line need not end in a line break.
        let is_last = available.is_empty();
        if is_last && line.is_empty() {
            return;
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let taken = &available[..end.unwrap_or(available.len())];
        is_long |= line.len() + taken.len() > MAX_MESSAGE_BYTES;
        match is_long {
            true => line.clear(),
            false => line.extend_from_slice(taken),
        }
        let used = taken.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_none() && !is_last {
            continue;
        }
        let judged = match is_long {
            true => Err(Refusal::new(
                ErrorCode::INVALID_REQUEST,
                format!("the message is longer than {MAX_MESSAGE_BYTES} bytes"),
            )),
            false => judge(&line),
        };
        line.clear();
        is_long = false;
        match judged {
            Ok(None) => {}
            Ok(Some(message)) => {
                if send.send(*message).await.is_err() {
                    return;
                }
            }
            Err(refusal) => {
                // Where nobody reads answers, nothing is to be said.
                if out.write(refusal.line()).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Why a line is no message for the session.
#[derive(Clone, PartialEq, Debug)]
struct Refusal {
    code: ErrorCode,
    message: String,
    /// That of the request; null where it cannot be told.
    id: Value,
}

impl Refusal {
    fn new(code: ErrorCode, message: String) -> Self {
        Self {
            code,
            message,
            id: Value::Null,
        }
    }

    fn line(&self) -> Vec<u8> {
        let error = json!({"code": self.code.0, "message": self.message});
        let line = json!({"jsonrpc": "2.0", "id": self.id, "error": error});
        line.to_string().into_bytes()
    }
}

/// About how many values a line holds, by the signs before them outside of texts. Counted before it is read, since a value
/// of two bytes takes some thirty in memory, several times over.
fn values(line: &[u8]) -> usize {
    let (mut is_text, mut is_escaped, mut count) = (false, false, 0);
    for byte in line {
        match (is_text, byte) {
            (true, _) if is_escaped => is_escaped = false,
            (true, b'\\') => is_escaped = true,
            (_, b'"') => is_text = !is_text,
            (false, b',' | b':' | b'[' | b'{') => count += 1,
            _ => {}
        }
    }
    count
}

/// Takes a line for a message; nothing for an empty one and for what nobody may answer.
fn judge(line: &[u8]) -> Result<Option<Box<Incoming>>, Refusal> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    if values(line) > MAX_MESSAGE_VALUES {
        return Err(Refusal::new(
            ErrorCode::INVALID_REQUEST,
            format!("the message holds more than {MAX_MESSAGE_VALUES} values"),
        ));
    }
    let parse = |why: String| Refusal::new(ErrorCode::PARSE_ERROR, why);
    let text = std::str::from_utf8(line).map_err(|_| parse("the message is not UTF-8".into()))?;
    // Of what is nested too deep this says so too.
    let value: Value = serde_json::from_str(text)
        .map_err(|err| parse(format!("the message is no JSON: {err}")))?;
    let method = value["method"].as_str();
    let id = match &value["id"] {
        id @ (Value::String(_) | Value::Number(_)) => Some(id.clone()),
        _ => None,
    };
    let refuse = |code: ErrorCode, message: &str, id: Value| Refusal {
        code,
        message: message.to_owned(),
        id,
    };
    if let (Some(method), Some(id), "2.0") = (method, &id, value["jsonrpc"].as_str().unwrap_or(""))
        && !takes(method, value.get("params"))
    {
        let said = "the parameters do not have the shape that the method takes";
        return Err(refuse(ErrorCode::INVALID_PARAMS, said, id.clone()));
    }
    match serde_json::from_value(value.clone()) {
        Ok(message) => Ok(Some(Box::new(message))),
        // Nobody answers a notification, nor an answer.
        Err(_) if method.is_some() && value.get("id").is_none() => Ok(None),
        Err(_)
            if method.is_none() && (value["result"].is_object() || value["error"].is_object()) =>
        {
            Ok(None)
        }
        Err(_) => {
            let said = "the message is no JSON-RPC 2.0 request";
            Err(refuse(
                ErrorCode::INVALID_REQUEST,
                said,
                id.unwrap_or_default(),
            ))
        }
    }
}

/// Whether parameters have the shape that a method takes; those of methods we do not have are not
/// looked at.
fn takes(method: &str, params: Option<&Value>) -> bool {
    fn is<T: DeserializeOwned>(params: &Value) -> bool {
        T::deserialize(params).is_ok()
    }
    match (method, params) {
        ("tools/call", Some(params)) => is::<CallToolRequestParams>(params),
        ("initialize", Some(params)) => is::<InitializeRequestParams>(params),
        ("tools/call" | "initialize", None) => false,
        ("tools/list", Some(params)) => is::<Option<PaginatedRequestParams>>(params),
        ("ping", Some(params)) => params.is_object() || params.is_null(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(line: &[u8]) -> Option<(i32, Value)> {
        judge(line)
            .err()
            .map(|refusal| (refusal.code.0, refusal.id))
    }

    #[test]
    fn a_line_is_a_message_or_is_refused_by_what_is_wrong_with_it() {
        let deep = "[".repeat(4000) + &"]".repeat(4000);
        assert_eq!(code(b"not json"), Some((-32700, Value::Null)));
        assert_eq!(
            code(b"{\"jsonrpc\":\"2.0\",\"id\":1"),
            Some((-32700, Value::Null))
        );
        assert_eq!(code(b"\"\xff\xfe\""), Some((-32700, Value::Null)));
        assert_eq!(code(deep.as_bytes()), Some((-32700, Value::Null)));
        let signs = ",[{:\\\"".repeat(MAX_MESSAGE_VALUES);
        let text = format!("{{\"x\":\"{signs}\"}}");
        let refused = judge(text.as_bytes()).err().map(|refusal| refusal.message);
        assert!(refused.is_some_and(|said| said.contains("no JSON-RPC")));
        let wide = format!("[{}1]", "1,".repeat(MAX_MESSAGE_VALUES));
        let refused = judge(wide.as_bytes()).err().map(|refusal| refusal.message);
        assert!(refused.is_some_and(|said| said.contains("values")));
        assert_eq!(code(b"[1, 2]"), Some((-32600, Value::Null)));
        assert_eq!(
            code(br#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#),
            Some((-32600, json!(7)))
        );
        assert_eq!(
            code(br#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":1}}"#),
            Some((-32602, json!("a")))
        );
        assert_eq!(
            code(br#"{"jsonrpc":"2.0","id":8,"method":"tools/call"}"#),
            Some((-32602, json!(8)))
        );
        for fine in [
            &b""[..],
            b"  \r",
            br#"{"jsonrpc":"2.0","method":"notifications/other","params":[1]}"#,
            br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"map"}}"#,
            br#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#,
        ] {
            assert_eq!(code(fine), None, "{}", String::from_utf8_lossy(fine));
        }
    }
}
