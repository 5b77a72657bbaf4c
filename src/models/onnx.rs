//! Sentence transformers in ONNX, run by the machine's ONNX Runtime.
//!
//! Every text is run by itself, without padding, and texts are spread over threads that have a
//! session each, so a vector is the same whatever else is embedded, on however many threads. In
//! batches it is not: networks whose activations are quantised while they run share one scale over
//! the batch, and all-MiniLM-L6-v2 with 8-bit weights in batches of 16 came as far from its own
//! vectors as a cosine of .976. Nor are batches quicker on a processor: the same network ran 48 texts
//! of 143 tokens a second and core one by one, 41 by 16 and 28 by 32.

#[cfg(feature = "onnx-models")]
pub use running::OnnxModel;

use super::library::Found;
use super::{Error, TextModel};
use std::path::Path;

/// Opens the model in `folder` with the library that was found.
///
/// # Errors
/// [`Error::Library`], [`Error::File`] and [`Error::Model`], and what running it comes to;
/// [`Error::NotBuilt`] without the feature `onnx-models`.
#[cfg(feature = "onnx-models")]
pub fn open(folder: &Path, library: &Found) -> Result<Box<dyn TextModel>, Error> {
    Ok(Box::new(OnnxModel::open(folder, library)?))
}

/// Says that this program was built without ONNX models. Always fails with [`Error::NotBuilt`].
#[cfg(not(feature = "onnx-models"))]
pub fn open(_: &Path, _: &Found) -> Result<Box<dyn TextModel>, Error> {
    Err(Error::NotBuilt {
        what: "ONNX models",
        feature: "onnx-models",
    })
}

#[cfg(feature = "onnx-models")]
mod running {
    use super::super::folder::{ModelFolder, Pooling};
    use super::super::library::Found;
    use super::super::{Error, Side, TextModel, unit};
    use ort::session::{Session, SessionInputValue};
    use ort::value::{Tensor, TensorElementType};
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex, OnceLock, PoisonError};

    /// Most sessions of a model. Each has weights of its own, 50 to 200 MB for MiniLM; on machines
    /// with more cores, each has several threads.
    const MOST_SESSIONS: usize = 4;

    /// A model that is open.
    pub struct OnnxModel {
        folder: ModelFolder,
        /// What the network is fed, in its order.
        inputs: Vec<(String, Input)>,
        /// The output that is read, and whether it is a vector for each token.
        output: (String, bool),
        dims: usize,
        /// Sessions that nobody uses at this moment.
        idle: Mutex<Vec<Session>>,
        sessions: usize,
        /// Threads of each session.
        threads: usize,
    }

    /// What goes into an input.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Input {
        Tokens { wide: bool },
        Ones { wide: bool },
        Zeros { wide: bool },
    }

    impl OnnxModel {
        /// Opens the model in `folder` and runs it once. Fails as [`super::open`] does.
        pub fn open(folder: &Path, library: &Found) -> Result<Self, Error> {
            start(library)?;
            let folder = ModelFolder::open(folder)?;
            let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
            let sessions = cores.min(MOST_SESSIONS);
            let threads = cores / sessions;
            let session = session(&folder.network, threads)?;
            let unfit = |reason: String| Error::Model {
                path: folder.network.clone(),
                reason,
            };
            let inputs = inputs(&session).map_err(unfit)?;
            let output = output(&session).map_err(unfit)?;
            let mut model = Self {
                folder,
                inputs,
                output,
                dims: 0,
                idle: Mutex::new(vec![session]),
                sessions,
                threads,
            };
            // Shapes may be left open in the file; what comes out is what counts.
            let probe = model.embed(&["text"], Side::Query)?;
            model.dims = probe.first().map_or(0, Vec::len);
            Ok(model)
        }

        fn failed(&self, reason: impl ToString) -> Error {
            Error::Run {
                id: self.folder.id.clone(),
                reason: reason.to_string(),
            }
        }

        fn take_session(&self) -> Result<Session, Error> {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let taken = idle.pop();
            drop(idle);
            match taken {
                Some(session) => Ok(session),
                None => session(&self.folder.network, self.threads),
            }
        }

        fn give_back(&self, session: Session) {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(session);
        }

        /// Embeds what is left of `jobs`, and returns it with its number.
        fn work(
            &self,
            jobs: &[(usize, Vec<u32>)],
            next: &AtomicUsize,
        ) -> Result<Vec<(usize, Vec<f32>)>, Error> {
            let mut session = self.take_session()?;
            let mut done = Vec::new();
            let outcome = loop {
                let Some((number, tokens)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    break Ok(());
                };
                match self.run(&mut session, tokens) {
                    Ok(vector) => done.push((*number, vector)),
                    Err(err) => {
                        // The others have nothing left to do.
                        next.store(jobs.len(), Ordering::Relaxed);
                        break Err(err);
                    }
                }
            };
            self.give_back(session);
            outcome.map(|()| done)
        }

        fn run(&self, session: &mut Session, tokens: &[u32]) -> Result<Vec<f32>, Error> {
            let fed = self.inputs.iter().map(|(name, input)| {
                let tensor = input.tensor(tokens).map_err(|err| self.failed(err))?;
                Ok((name.as_str(), tensor))
            });
            let fed: Vec<_> = fed.collect::<Result<_, Error>>()?;
            let outputs = session.run(fed).map_err(|err| self.failed(err))?;
            let (name, per_token) = &self.output;
            let output = outputs
                .get(name.as_str())
                .ok_or_else(|| self.failed("its output is gone"))?;
            let (shape, numbers) = output
                .try_extract_tensor::<f32>()
                .map_err(|err| self.failed(err))?;
            let rows = if *per_token { tokens.len() } else { 1 };
            let width = shape.last().and_then(|n| usize::try_from(*n).ok());
            let width = width.filter(|n| *n > 0 && rows * n == numbers.len());
            let width =
                width.ok_or_else(|| self.failed(format!("its output has shape {shape}")))?;
            if self.dims != 0 && width != self.dims {
                return Err(self.failed(format!("a vector of {width} numbers, not {}", self.dims)));
            }
            let first = &numbers[..width];
            let pooled = match self.folder.pooling {
                Pooling::Mean if rows > 1 => mean(numbers, width),
                Pooling::Mean | Pooling::First => first.to_vec(),
            };
            unit(pooled).ok_or_else(|| self.failed("a vector without direction"))
        }
    }

    impl TextModel for OnnxModel {
        fn id(&self) -> &str {
            &self.folder.id
        }

        fn dims(&self) -> usize {
            self.dims
        }

        fn embed(&self, texts: &[&str], side: Side) -> Result<Vec<Vec<f32>>, Error> {
            let tokens = texts.iter().map(|text| self.folder.encode(text, side));
            let mut jobs: Vec<(usize, Vec<u32>)> = tokens.enumerate().collect();
            // The longest first, so that no thread is left with a long one at the end.
            jobs.sort_by_key(|(number, tokens)| (std::cmp::Reverse(tokens.len()), *number));
            let next = AtomicUsize::new(0);
            let helpers = self.sessions.min(jobs.len()).saturating_sub(1);
            let parts = std::thread::scope(|scope| {
                let helpers: Vec<_> = (0..helpers)
                    .map(|_| scope.spawn(|| self.work(&jobs, &next)))
                    .collect();
                let mut parts = vec![self.work(&jobs, &next)];
                parts.extend(helpers.into_iter().map(|helper| {
                    let died = |_| Err(self.failed("a thread of it died"));
                    helper.join().unwrap_or_else(died)
                }));
                parts
            });
            let mut vectors = vec![Vec::new(); texts.len()];
            for part in parts {
                for (number, vector) in part? {
                    vectors[number] = vector;
                }
            }
            Ok(vectors)
        }
    }

    impl Input {
        fn tensor(self, tokens: &[u32]) -> ort::Result<SessionInputValue<'static>> {
            let number = |token: &u32| match self {
                Self::Tokens { .. } => *token,
                Self::Ones { .. } => 1,
                Self::Zeros { .. } => 0,
            };
            let shape = [1, tokens.len()];
            let (Self::Tokens { wide } | Self::Ones { wide } | Self::Zeros { wide }) = self;
            Ok(match wide {
                true => {
                    let numbers: Vec<i64> = tokens.iter().map(|t| number(t).into()).collect();
                    Tensor::from_array((shape, numbers))?.into()
                }
                false => {
                    let numbers = tokens.iter().map(|t| number(t) as i32);
                    Tensor::from_array((shape, numbers.collect::<Vec<i32>>()))?.into()
                }
            })
        }
    }

    /// Loads the library, once for the process, and keeps what came of it: after a library that
    /// failed to load, ort (2.0.0-rc.13) takes memory that was never written for a library.
    fn start(library: &Found) -> Result<(), Error> {
        static OUTCOME: OnceLock<Result<(), String>> = OnceLock::new();
        let outcome = OUTCOME.get_or_init(|| {
            let environment = ort::init_from(&library.path).map_err(|err| err.to_string())?;
            // What matters comes back as an error; the library would write to standard error.
            let silent =
                Arc::new(|_: ort::logging::LogLevel, _: &str, _: &str, _: &str, _: &str| {});
            environment
                .with_telemetry(false)
                .with_logger(silent)
                .commit();
            Ok(())
        });
        outcome.clone().map_err(|reason| Error::Library {
            path: library.path.clone(),
            by: library.by,
            reason,
        })
    }

    /// Opens a network.
    fn session(network: &Path, threads: usize) -> Result<Session, Error> {
        let open = || -> Result<Session, String> {
            let said = |err: ort::Error<_>| err.to_string();
            Session::builder()
                .map_err(|err| err.to_string())?
                .with_intra_threads(threads)
                .map_err(said)?
                .with_inter_threads(1)
                .map_err(said)?
                // Texts differ in length, so patterns of memory never come again.
                .with_memory_pattern(false)
                .map_err(said)?
                .commit_from_file(network)
                .map_err(|err| err.to_string())
        };
        open().map_err(|reason| Error::Model {
            path: network.to_owned(),
            reason,
        })
    }

    /// Returns what to feed to a network.
    fn inputs(session: &Session) -> Result<Vec<(String, Input)>, String> {
        let inputs = session.inputs().iter().map(|input| {
            let name = input.name();
            let wide = match input.dtype().tensor_type() {
                Some(TensorElementType::Int64) => true,
                Some(TensorElementType::Int32) => false,
                _ => return Err(format!("its input {name} does not take whole numbers")),
            };
            let kind = match name {
                "input_ids" => Input::Tokens { wide },
                "attention_mask" => Input::Ones { wide },
                "token_type_ids" => Input::Zeros { wide },
                _ => return Err(format!("it has an input {name}, which no BERT has")),
            };
            Ok((name.to_owned(), kind))
        });
        let inputs: Vec<_> = inputs.collect::<Result<_, _>>()?;
        let has_tokens = inputs
            .iter()
            .any(|(_, kind)| matches!(kind, Input::Tokens { .. }));
        match has_tokens {
            true => Ok(inputs),
            false => Err("it has no input input_ids".to_owned()),
        }
    }

    /// Returns which output to read: vectors of tokens, else a vector that is pooled already.
    fn output(session: &Session) -> Result<(String, bool), String> {
        let of_rank = |rank: usize| {
            let mut outputs = session.outputs().iter();
            let found = outputs.find(|output| {
                let numbers = output.dtype().tensor_type() == Some(TensorElementType::Float32);
                let shape = output.dtype().tensor_shape();
                numbers && shape.is_some_and(|shape| shape.len() == rank)
            });
            found.map(|output| output.name().to_owned())
        };
        let per_token = of_rank(3).map(|name| (name, true));
        let found = per_token.or_else(|| of_rank(2).map(|name| (name, false)));
        found.ok_or_else(|| "it has no output of vectors in single precision".to_owned())
    }

    fn mean(rows: &[f32], width: usize) -> Vec<f32> {
        let mut sum = vec![0f64; width];
        for row in rows.chunks_exact(width) {
            for (total, value) in sum.iter_mut().zip(row) {
                *total += f64::from(*value);
            }
        }
        let rows = (rows.len() / width) as f64;
        sum.into_iter().map(|total| (total / rows) as f32).collect()
    }
}

#[cfg(test)]
mod tests;
