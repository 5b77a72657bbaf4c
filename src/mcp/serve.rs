//! The server: one session on standard input and output.

use super::CallError;
use super::Error;
use super::arguments::{self, Arguments};
use super::heap;
use super::lines::Lines;
use super::place::{self, Place};
use super::ready::{self, GIVEN_UP, Readiness};
use super::tools::{self, Call, Definition, Form, INSTRUCTIONS, Reply, TOOLS};
use crate::clean;
use crate::query::Progress;
use crate::query::interrupt::{self, Asker};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, Implementation, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// Time between two progress notifications of one request.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// How long nothing happens before a server lets go of what.
#[derive(Clone, Copy)]
struct Quiet {
    /// Of memory that is free.
    freed: Duration,
    /// Of what makes the next edit quicker: who edits and asks comes back sooner.
    resting: Duration,
    /// Of all that is open.
    closed: Duration,
}

const QUIET: Quiet = Quiet {
    freed: Duration::from_secs(1),
    resting: Duration::from_secs(2 * 60),
    closed: GIVEN_UP,
};

/// Serves the repository that `dir` lies in until standard input ends; results are of a form. Fails
/// when the runtime cannot be started or the connection fails.
pub fn run(dir: &Path, form: Form) -> Result<(), Error> {
    heap::return_what_is_free();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(Error::Runtime)?;
    let server = Server::new(dir, form);
    let place = server.place.clone();
    let served = runtime.block_on(async {
        let (stirred, place) = (server.stirred.clone(), server.place.clone());
        tokio::spawn(let_go_when_quiet(stirred.clone(), place, QUIET));
        tokio::spawn(ready::after_changes(server.ready.clone(), stirred));
        let session = match server.serve(Lines::stdio()).await {
            Ok(session) => session,
            // A client that leaves before it says anything has done nothing wrong.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(err) => return Err(Error::Connection(err.to_string())),
        };
        let ended = session.waiting().await;
        ended.map_err(|err| Error::Connection(err.to_string()))?;
        Ok(())
    });
    // The client is gone; nobody waits for what is still being worked on.
    interrupt::end_all();
    runtime.shutdown_background();
    // Whoever waits for a change still holds it.
    if let Some(engine) = locked(&place).close() {
        engine.save_rest();
    }
    served
}

/// The state of a session: the repository, opened once it was needed.
#[derive(Clone)]
struct Server {
    place: Arc<Mutex<Place>>,
    form: Form,
    /// Told of each question that was answered, and of each change that was followed.
    stirred: Arc<Notify>,
    ready: Arc<Readiness>,
}

impl Server {
    fn new(dir: &Path, form: Form) -> Self {
        let place = Arc::new(Mutex::new(Place::new(dir)));
        Self {
            ready: Arc::new(Readiness::new(place.clone())),
            place,
            form,
            stirred: Arc::default(),
        }
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        locked(&self.place)
    }

    fn ask(
        &self,
        tool: &Definition,
        arguments: &Arguments,
        progress: &dyn Progress,
    ) -> Result<Reply, String> {
        let (engine, note) = self.place().engine()?;
        let call = Call {
            arguments,
            engine: &engine,
            progress,
            form: self.form,
        };
        match tool.ask(&call) {
            Ok(reply) => Ok(match note {
                Some(note) => reply.noting(&note),
                None => reply,
            }),
            Err(err) => Err(match note.or_else(|| place::trouble(&engine)) {
                Some(note) => format!("{note}; {}", describe(&err)),
                None => describe(&err),
            }),
        }
    }
}

/// Returns an error with its hint, for the model to act on.
pub(super) fn describe(err: &CallError) -> String {
    let mut text = err.to_string();
    let mut cause = std::error::Error::source(err);
    while let Some(err) = cause {
        let said = err.to_string();
        if !text.ends_with(&said) {
            text = format!("{text}: {said}");
        }
        cause = err.source();
    }
    // It may quote what others wrote.
    clean::text(&text)
}

/// How far work has come: what is done, how much of it, of how much.
type Stage = (&'static str, usize, usize);

/// Hands progress from the working threads to the session, and its wish to stop back.
struct Reporter<F> {
    done: watch::Sender<Stage>,
    cancelled: F,
}

impl<F: Fn() -> bool + Sync> Progress for Reporter<F> {
    fn documents(&self, done: usize, total: usize) {
        self.done
            .send_replace(("extracting documents", done, total));
    }

    fn commits(&self, done: usize, total: usize) {
        self.done.send_replace(("reading commits", done, total));
    }

    fn cancelled(&self) -> bool {
        (self.cancelled)()
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(
                "git-sverklo",
                env!("CARGO_PKG_VERSION"),
            ))
            .with_instructions(INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name).map(|tool| tool.describe(self.form))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(
            TOOLS.iter().map(|tool| tool.describe(self.form)).collect(),
        ))
    }

    async fn on_custom_request(
        &self,
        _request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // Its name is a stranger's.
        let message = "there is no such method".to_owned();
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }

    async fn on_initialized(&self, _context: NotificationContext<RoleServer>) {
        let (ready, stirred) = (self.ready.clone(), self.stirred.clone());
        tokio::spawn(async move {
            ready::at_first(ready).await;
            stirred.notify_one();
        });
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = tools::find(&request.name).ok_or_else(|| {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let message = format!(
                "no tool is named {}; there are {}",
                clean::defused(&clean::word(&arguments::echo(&request.name))),
                names.join(", ")
            );
            ErrorData::invalid_params(message, None)
        })?;
        let arguments = match tool.read(request.arguments.unwrap_or_default()) {
            Ok(arguments) => arguments,
            Err(message) => return Ok(failure(message)),
        };
        let (done, seen) = watch::channel(("", 0, 0));
        let cancellation = context.ct.clone();
        let reporter = Reporter {
            done,
            cancelled: move || cancellation.is_cancelled(),
        };
        let server = self.clone();
        let asking = self.ready.asking();
        let taken_back = context.ct.clone();
        let asker = Asker::new(move || !taken_back.is_cancelled());
        let work = tokio::task::spawn_blocking(move || {
            asker.on_this_thread(|| server.ask(tool, &arguments, &reporter))
        });
        let answered = follow(work, seen, &context).await;
        drop(asking);
        self.stirred.notify_one();
        match answered {
            Ok(Ok(reply)) => Ok(success(reply)),
            Ok(Err(message)) => Ok(failure(message)),
            Err(panic) => {
                self.place().forget();
                Ok(failure(format!(
                    "internal error, please report it: {panic}"
                )))
            }
        }
    }
}

/// Lets go of more the longer nothing happens: of what answers left behind, of what the next edit would be followed sooner
/// with, and of the repository: sessions stay open overnight, one for each work tree. The next question opens it again.
async fn let_go_when_quiet(stirred: Arc<Notify>, place: Arc<Mutex<Place>>, quiet: Quiet) {
    let stirs_within = async |time| (tokio::time::timeout(time, stirred.notified()).await).is_ok();
    // Other threads may wait for it, the session must not.
    let let_go = async |what: fn(&Mutex<Place>)| {
        let place = place.clone();
        let work = move || {
            what(&place);
            heap::give_back();
        };
        let _ = tokio::task::spawn_blocking(work).await;
    };
    stirred.notified().await;
    loop {
        while stirs_within(quiet.freed).await {}
        let_go(|_| ()).await;
        if stirs_within(quiet.resting).await {
            continue;
        }
        let_go(|place| {
            let engine = locked(place).open_engine();
            if let Some(engine) = engine {
                engine.rest();
            }
        })
        .await;
        if stirs_within(quiet.closed).await {
            continue;
        }
        let_go(|place| {
            let engine = locked(place).close();
            drop(engine);
        })
        .await;
        stirred.notified().await;
    }
}

fn locked(place: &Mutex<Place>) -> MutexGuard<'_, Place> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for the work of a request and meanwhile tells the client how far it has come, if it
/// gave a token to do so under. A panic of the work is the error.
async fn follow<T>(
    mut work: tokio::task::JoinHandle<T>,
    mut seen: watch::Receiver<Stage>,
    context: &RequestContext<RoleServer>,
) -> Result<T, tokio::task::JoinError> {
    let Some(token) = context.meta.get_progress_token() else {
        return work.await;
    };
    // What is told rises, also when one kind of work follows another.
    let (mut last, mut before, mut stage) = (0, 0, "");
    let mut tick = tokio::time::interval(PROGRESS_INTERVAL);
    loop {
        tokio::select! {
            result = &mut work => return result,
            _ = tick.tick() => {
                let (now, done, total) = *seen.borrow_and_update();
                if now != stage {
                    (stage, before) = (now, last);
                }
                let (done, total) = (before + done, before + total);
                if done <= last {
                    continue;
                }
                last = done;
                let note = ProgressNotificationParam::new(token.clone(), done as f64)
                    .with_total(total as f64)
                    .with_message(stage);
                // The answer matters, not the way to it: a client that cannot be told is not told.
                let _ = context.peer.notify_progress(note).await;
            }
        }
    }
}

fn success(reply: Reply) -> CallToolResponse {
    let mut result = CallToolResult::success(vec![ContentBlock::text(reply.text)]);
    result.structured_content = reply.structured;
    result.into()
}

fn failure(message: String) -> CallToolResponse {
    CallToolResult::error(vec![ContentBlock::text(message)]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_became_of_a_closed_repository_is_told() {
        let temp = tempfile::tempdir().unwrap();
        let inner = temp.path().join("inner");
        let note = |place: &mut Place| place.engine().map(|(_, note)| note.unwrap_or_default());
        gix::init(&inner).unwrap();
        let mut place = Place::new(&inner);
        assert_eq!(note(&mut place).unwrap(), "");
        drop(place.close());
        std::fs::remove_dir_all(inner.join(".git")).unwrap();
        let gone = note(&mut place).unwrap_err();
        assert!(gone.contains("is gone"), "{gone}");
        gix::init(&inner).unwrap();
        let replaced = note(&mut place).unwrap();
        assert!(replaced.contains("was replaced since"), "{replaced}");
        drop(place.close());
        // What lies around it is another one.
        std::fs::remove_dir_all(inner.join(".git")).unwrap();
        gix::init(temp.path()).unwrap();
        let other = note(&mut place).unwrap();
        assert!(other.contains("this speaks of the one at"), "{other}");
        assert_eq!(note(&mut place).unwrap(), "");
    }

    #[test]
    fn a_repository_that_nobody_asks_about_is_closed_and_opened_again() {
        let temp = tempfile::tempdir().unwrap();
        gix::init(temp.path()).unwrap();
        let place = Arc::new(Mutex::new(Place::new(temp.path())));
        let asked = Arc::new(Notify::new());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let short = Duration::from_millis(5);
        let quiet = Quiet {
            freed: short,
            resting: short,
            closed: short,
        };
        runtime.block_on(async {
            tokio::spawn(let_go_when_quiet(asked.clone(), place.clone(), quiet));
            for _ in 0..2 {
                let (engine, note) = place.lock().unwrap().engine().unwrap();
                assert_eq!(note, None);
                drop(engine);
                asked.notify_one();
                let mut waits = 0;
                while place.lock().unwrap().open_engine().is_some() {
                    assert!(waits < 6000, "it stays open");
                    waits += 1;
                    tokio::time::sleep(short).await;
                }
            }
        });
    }
}
