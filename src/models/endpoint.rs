//! Models behind a server: the embeddings interface of OpenAI, which many servers speak, and that
//! of Ollama.
//!
//! Nothing is sent unless `sverklo.model` is `endpoint` and `sverklo.embedEndpoint` names the
//! server. The key comes from an environment variable, never from configuration, and is not sent
//! unencrypted to another machine. When a repository's code goes to another machine for the
//! first time, that is said ([`warn_once`]).

use super::http::{Client, Patience, Reply, is_loopback, scheme_and_host};
use super::{Error, Side, TextModel, hex, slug, unit};
use crate::git::keys::{self, Key};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// The configuration that names the server.
pub const KEY: Key = keys::EMBED_ENDPOINT;

/// The configuration that names the model, as the server calls it.
pub const MODEL_KEY: Key = keys::EMBED_MODEL;

/// The configuration that names the environment variable with the key.
pub const SECRET_KEY: Key = keys::EMBED_KEY_ENV;

/// Most texts of a request. Servers refuse 2,048 and more; small ones keep retries cheap.
const MOST_TEXTS: usize = 64;

/// Most bytes of text in a request.
const MOST_BYTES: usize = 256 << 10;

/// Most bytes of one text. A token is at least a byte, and the usual limit is 8,191 tokens.
const LONGEST_TEXT: usize = 8_000;

/// Most bytes of an answer: 64 vectors of 8,192 numbers of 20 digits, and some.
const LARGEST_ANSWER: u64 = 16 << 20;

/// Most numbers of a vector.
const MOST_DIMS: usize = 8_192;

/// The first pause between two tries; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// The longest pause, whatever the server asks for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Whose interface a server has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// `/v1/embeddings`, and what is compatible with it.
    OpenAi,
    /// `/api/embed`.
    Ollama,
}

/// Which server to ask for which model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The whole URL.
    pub url: String,
    /// Whose interface it has.
    pub dialect: Dialect,
    /// Whether it is another machine.
    pub is_remote: bool,
    /// The model, as the server calls it.
    pub model: String,
    /// The environment variable with the key.
    pub key_variable: Option<String>,
}

impl Target {
    /// Returns the target that is configured. Fails with [`Error::Unset`] or [`Error::Setting`].
    pub fn new(
        url: Option<String>,
        model: Option<String>,
        key_variable: Option<String>,
    ) -> Result<Self, Error> {
        const EXPECTED: &str = "an http or https URL without a password that ends in \
                                /v1/embeddings (OpenAI and compatible) or /api/embed (Ollama)";
        let url = url.ok_or(Error::Unset {
            key: KEY.name(),
            mend: "set it to the URL of an embeddings interface",
        })?;
        let model = model.filter(|name| !name.is_empty()).ok_or(Error::Unset {
            key: MODEL_KEY.name(),
            mend: "set it to the name the server has for the model",
        })?;
        let wrong = |url: &str| Error::Setting {
            key: KEY.name(),
            value: url.to_owned(),
            expected: EXPECTED,
        };
        let (scheme, host) = scheme_and_host(&url).ok_or_else(|| wrong(&url))?;
        let path = url.trim_end_matches('/');
        let dialect = match () {
            () if path.ends_with("/api/embed") => Dialect::Ollama,
            () if path.ends_with("/embeddings") => Dialect::OpenAi,
            () => return Err(wrong(&url)),
        };
        let is_remote = !is_loopback(host);
        if key_variable.is_some() && is_remote && scheme != "https" {
            return Err(Error::Setting {
                key: KEY.name(),
                value: url,
                expected: "an https URL, because a key would go over the network",
            });
        }
        Ok(Self {
            url,
            dialect,
            is_remote,
            model,
            key_variable,
        })
    }
}

/// Returns what to tell whoever uses a remote server for this repository for the first time.
///
/// `memory` is a file of the repository's own that remembers what was told.
pub fn warn_once(target: &Target, memory: &Path) -> Option<String> {
    if !target.is_remote {
        return None;
    }
    let told = std::fs::read_to_string(memory).is_ok_and(|url| url == target.url);
    if told {
        return None;
    }
    // Where it cannot be written, it is told again.
    let _ = std::fs::write(memory, &target.url);
    Some(format!(
        "code of this repository is sent to {} to be embedded; `git config sverklo.model static` \
         keeps it on this machine",
        target.url
    ))
}

/// A model behind a server.
pub struct Endpoint {
    target: Target,
    client: Client,
    key: Option<String>,
    id: String,
    dims: usize,
    patience: Patience,
    pause: fn(Duration),
}

impl Endpoint {
    /// Connects, and asks for the vector of one word to learn how long vectors are.
    ///
    /// `variable` reads the environment.
    ///
    /// # Errors
    /// [`Error::Setting`] if there is no key where configuration says, or [`Error::Server`].
    pub fn connect(
        target: Target,
        variable: impl Fn(&str) -> Option<String>,
        patience: Patience,
    ) -> Result<Self, Error> {
        Self::with_pause(target, variable, patience, std::thread::sleep)
    }

    fn with_pause(
        target: Target,
        variable: impl Fn(&str) -> Option<String>,
        patience: Patience,
        pause: fn(Duration),
    ) -> Result<Self, Error> {
        let key =
            match &target.key_variable {
                None => None,
                Some(name) => Some(variable(name).filter(|key| !key.is_empty()).ok_or_else(
                    || Error::Setting {
                        key: SECRET_KEY.name(),
                        value: name.clone(),
                        expected: "the name of an environment variable that holds the key",
                    },
                )?),
            };
        let place = format!("{}\n{}", target.url, target.model);
        let digits = hex(&Sha256::digest(place)[..6]);
        let mut endpoint = Self {
            client: Client::new(&target.url, 0, patience)?,
            id: format!("{}-{digits}", slug(&format!("endpoint-{}", target.model))),
            target,
            key,
            dims: 0,
            patience,
            pause,
        };
        let probe = endpoint.ask(&["text"])?;
        endpoint.dims = probe.first().map_or(0, Vec::len);
        Ok(endpoint)
    }

    fn failed(&self, reason: impl Into<String>) -> Error {
        Error::Server {
            url: self.target.url.clone(),
            reason: reason.into(),
        }
    }

    /// Asks for the vectors of one request.
    fn ask(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let question = Question {
            model: &self.target.model,
            input: texts,
        };
        let json = serde_json::to_vec(&question).map_err(|err| self.failed(err.to_string()))?;
        let body = self.send(&json)?;
        let vectors = self.target.dialect.vectors(&body);
        let vectors = vectors.map_err(|err| self.failed(format!("no answer in vectors: {err}")))?;
        if vectors.len() != texts.len() {
            let (seen, asked) = (vectors.len(), texts.len());
            return Err(self.failed(format!("{seen} vectors for {asked} texts")));
        }
        vectors.into_iter().map(|v| self.checked(v)).collect()
    }

    fn checked(&self, vector: Vec<f32>) -> Result<Vec<f32>, Error> {
        let dims = vector.len();
        if dims > MOST_DIMS || (self.dims != 0 && dims != self.dims) {
            return Err(self.failed(format!("a vector of {dims} numbers")));
        }
        unit(vector).ok_or_else(|| self.failed("a vector without direction"))
    }

    /// Sends a request until it is answered, refused or given up.
    fn send(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let reply = self
                .client
                .post(&self.target.url, self.key.as_deref(), json);
            let (reason, wait) = match reply {
                Err(reason) => (reason, None),
                Ok(reply) if reply.status == 200 => match read(reply) {
                    Ok(body) => return Ok(body),
                    Err(reason) => (reason, None),
                },
                Ok(reply) if matches!(reply.status, 429 | 500 | 502 | 503 | 504) => {
                    let wait = reply.wait;
                    (refusal(reply), wait)
                }
                // Anything else comes again however often it is asked.
                Ok(reply) => return Err(self.failed(refusal(reply))),
            };
            match self.patience.tries() {
                1 => return Err(self.failed(reason)),
                tries if attempt == tries => {
                    return Err(self.failed(format!("{reason}; given up after {tries} tries")));
                }
                _ => {}
            }
            (self.pause)(wait.unwrap_or(pause).min(LONGEST_PAUSE));
            pause *= 2;
        }
        Err(self.failed("never asked"))
    }
}

impl TextModel for Endpoint {
    fn id(&self) -> &str {
        &self.id
    }

    fn dims(&self) -> usize {
        self.dims
    }

    fn leaves_machine(&self) -> bool {
        self.target.is_remote
    }

    fn embed(&self, texts: &[&str], _: Side) -> Result<Vec<Vec<f32>>, Error> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut batch: Vec<&str> = Vec::new();
        let mut bytes = 0;
        for text in texts {
            let text = beginning(text);
            if batch.len() == MOST_TEXTS || bytes + text.len() > MOST_BYTES {
                vectors.extend(self.ask(&batch)?);
                batch.clear();
                bytes = 0;
            }
            bytes += text.len();
            batch.push(text);
        }
        if !batch.is_empty() {
            vectors.extend(self.ask(&batch)?);
        }
        Ok(vectors)
    }
}

#[derive(Serialize)]
struct Question<'a> {
    model: &'a str,
    input: &'a [&'a str],
}

#[derive(Deserialize)]
struct OpenAiAnswer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
struct OllamaAnswer {
    embeddings: Vec<Vec<f32>>,
}

impl Dialect {
    /// Takes the vectors out of an answer, in the order of the texts.
    pub(crate) fn vectors(self, answer: &[u8]) -> serde_json::Result<Vec<Vec<f32>>> {
        match self {
            Self::Ollama => {
                serde_json::from_slice(answer).map(|answer: OllamaAnswer| answer.embeddings)
            }
            Self::OpenAi => serde_json::from_slice(answer).map(|mut answer: OpenAiAnswer| {
                answer.data.sort_by_key(|item| item.index);
                answer.data.into_iter().map(|item| item.embedding).collect()
            }),
        }
    }
}

/// Cuts a text to what any server takes. Servers refuse an empty one.
fn beginning(text: &str) -> &str {
    let mut end = text.len().min(LONGEST_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    match text[..end].trim().is_empty() {
        true => "-",
        false => &text[..end],
    }
}

fn read(reply: Reply) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    let mut bounded = reply.body.take(LARGEST_ANSWER + 1);
    let outcome = bounded.read_to_end(&mut body);
    outcome.map_err(|err| format!("its answer broke off: {err}"))?;
    match body.len() as u64 > LARGEST_ANSWER {
        true => Err(format!("its answer is over {} MiB", LARGEST_ANSWER >> 20)),
        false => Ok(body),
    }
}

/// Says in one line what a server said that did not answer.
fn refusal(reply: Reply) -> String {
    let mut said = Vec::new();
    let _ = reply.body.take(4096).read_to_end(&mut said);
    refused(reply.status, &said)
}

/// The same, of what it said.
pub(crate) fn refused(status: u16, said: &[u8]) -> String {
    /// Characters of its own words that are passed on.
    const MOST: usize = 300;
    let parsed = serde_json::from_slice::<serde_json::Value>(said).ok();
    let message = parsed.as_ref().and_then(|json| {
        let error = &json["error"];
        error["message"].as_str().or_else(|| error.as_str())
    });
    let said = message.map_or_else(|| String::from_utf8_lossy(said), Into::into);
    let words: Vec<&str> = said.split_whitespace().collect();
    let said: String = words.join(" ").chars().take(MOST).collect();
    match said.is_empty() {
        true => format!("it answered {status}"),
        false => format!("it answered {status}: {said}"),
    }
}

#[cfg(test)]
mod tests;
