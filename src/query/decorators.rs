//! Decorators, attributes and annotations above a definition, read from its text: the index knows
//! that there are some, not which.

use crate::view::text::Text;

/// Lines looked at above a definition. A decorator with a long table of arguments stays under it.
const MAX_LINES: u32 = 60;

/// Decorators that change what a definition does and call it from nowhere. Anything else may
/// register it with a framework.
const HARMLESS: [&[&str]; 3] = [
    // Python
    words!(
        "abstractmethod abstractproperty asynccontextmanager attr attrs cache cached_property classmethod
         contextmanager coroutine dataclass dataclasses deleter deprecated final functools getter
         lru_cache no_type_check overload override property runtime_checkable setter staticmethod
         total_ordering typing wraps"
    ),
    // Rust
    words!(
        "allow async_trait automatically_derived cfg cfg_attr clippy cold deny derive doc expect
         inline instrument must_use non_exhaustive repr rustfmt serde target_feature track_caller
         warn"
    ),
    // Java, Kotlin, C#, Swift
    words!(
        "CheckForNull CheckReturnValue CLSCompliant DebuggerDisplay DebuggerStepThrough Deprecated
         EditorBrowsable ExcludeFromCodeCoverage Flags FunctionalInterface GeneratedCode JvmField
         JvmOverloads JvmStatic MethodImpl NonNull Nonnull NotNull Nullable Obsolete Override SafeVarargs
         Serializable StructLayout Suppress SuppressMessage SuppressWarnings ThreadStatic Throws
         UnconditionalSuppressMessage VisibleForTesting available discardableResult frozen inlinable"
    ),
];

labelled! {
    /// What a decorator makes of a definition.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Part {
        /// Whoever asks for a path is answered by it.
        Route = "a route",
        /// A command of a command line.
        Command = "a command",
        /// A job that a queue or a clock starts.
        Task = "a task",
        /// Called at an event, an error, or around each request.
        Handler = "a handler",
        /// Called for tests that have a parameter of its name.
        Fixture = "a fixture",
        /// Run by whoever runs the tests.
        Test = "a test",
        /// Called when an object is made of data.
        Validator = "a validator",
        /// Made and handed out by a framework.
        Component = "a component",
        /// Called by code in another language, or by the system.
        Symbol = "a symbol for others",
    }
}

/// The last names of decorators that say what a definition is to a framework: click, typer, flask, fastapi,
/// django, celery, pytest, pydantic; nest, angular; spring, jax-rs, micronaut, JUnit; ASP.NET, xUnit, NUnit;
/// actix, rocket, tokio, pyo3, napi, tauri, wasm-bindgen.
const PARTS: &[(Part, &[&str])] = &[
    (
        Part::Route,
        words!(
            "route get post put delete patch head options trace websocket websocket_route api_route api_view
             action GetMapping PostMapping PutMapping DeleteMapping PatchMapping RequestMapping Path GET POST
             PUT DELETE PATCH HEAD OPTIONS Get Post Put Delete Patch Head Options All Sse HttpGet HttpPost
             HttpPut HttpDelete HttpPatch HttpHead Route connect catch MessageMapping Query Mutation
             ResolveField Subscription QueryMapping MutationMapping SchemaMapping"
        ),
    ),
    (
        Part::Command,
        words!("command group result_callback callback Command CommandLine ShellMethod"),
    ),
    (
        Part::Task,
        words!("task shared_task periodic_task job actor Scheduled Cron Interval Timeout Process"),
    ),
    (
        Part::Handler,
        words!(
            "errorhandler app_errorhandler exception_handler before_request after_request teardown_request
             teardown_appcontext before_app_request after_app_request url_value_preprocessor url_defaults
             context_processor app_context_processor shell_context_processor template_filter template_test
             template_global app_template_filter user_loader on_event middleware receiver listens_for on
             event listen EventListener TransactionalEventListener KafkaListener RabbitListener JmsListener
             StreamListener SqsListener MessagePattern EventPattern SubscribeMessage OnEvent HostListener
             ExceptionHandler ControllerAdvice PostConstruct PreDestroy Around Before After AfterReturning
             AfterThrowing ModelAttribute InitBinder hookimpl register filter simple_tag inclusion_tag"
        ),
    ),
    (Part::Fixture, words!("fixture yield_fixture")),
    (
        Part::Test,
        words!(
            "test bench parametrize Test ParameterizedTest RepeatedTest TestFactory BeforeEach AfterEach
             BeforeAll AfterAll BeforeClass AfterClass Fact Theory TestMethod TestCase SetUp TearDown
             OneTimeSetUp OneTimeTearDown rstest proptest"
        ),
    ),
    (
        Part::Validator,
        words!(
            "validator field_validator model_validator root_validator validates validates_schema
             field_serializer model_serializer computed_field pre_load post_load pre_dump post_dump"
        ),
    ),
    (
        Part::Component,
        words!(
            "Injectable Controller Module Resolver Component Directive Pipe NgModule Service Repository
             RestController Configuration SpringBootApplication Bean Provides Singleton Entity Table Aspect
             WebServlet ApiController Mapper Plugin"
        ),
    ),
    (
        Part::Symbol,
        words!(
            "main no_mangle export_name wasm_bindgen pyfunction pymethods pyclass pymodule napi
             proc_macro proc_macro_derive proc_macro_attribute panic_handler global_allocator ctor
             JvmName DllExport UnmanagedCallersOnly objc JSInvokable"
        ),
    ),
];

/// What the last name of a decorator says that a definition is.
fn part(last: &str) -> Option<Part> {
    let found = PARTS.iter().find(|(_, names)| names.contains(&last));
    found.map(|(part, _)| *part)
}

/// A decorator, attribute or annotation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decorator {
    /// Its name, as far as it is a path.
    pub name: String,
    /// The line it begins on.
    pub line: u32,
    /// What it makes of the definition, where its name tells.
    pub part: Option<Part>,
}

/// The decorators above a definition, nearest first, that may make somebody call it.
pub fn registering(text: &Text, start: (u32, u32)) -> Vec<Decorator> {
    let mut found = above(text, start);
    found.retain(|decorator| {
        let parts = decorator.name.split(['.', ':']);
        let mut parts = parts.filter(|part| !part.is_empty());
        let (first, last) = (parts.next(), parts.next_back());
        let is_harmless = |part: &&str| HARMLESS.iter().any(|list| list.contains(part));
        !is_mocking(decorator) && ![first, last].iter().flatten().any(is_harmless)
    });
    found
}

/// Whether a decorator puts something else in the place of what a test uses: `@patch("a.b")`, `@mock.patch.object(a, "b")`.
fn is_mocking(decorator: &Decorator) -> bool {
    let mut parts = decorator.name.split('.');
    let first = parts.find(|part| !matches!(*part, "mock" | "mocker" | "unittest"));
    first == Some("patch") && decorator.part != Some(Part::Route)
}

/// The line of the decorator that says that a definition overrides a member of a base, which compilers make sure of.
pub fn overriding(text: &Text, start: (u32, u32)) -> Option<u32> {
    let found = above(text, start).into_iter();
    let mut says = found.filter(|decorator| {
        let last = decorator.name.rsplit('.').next().unwrap_or_default();
        matches!(last, "Override" | "override")
    });
    says.next().map(|decorator| decorator.line)
}

/// The line of a decorator that gets a type and of which nothing is known: it may hand it to somebody.
pub fn taking(text: &Text, start: (u32, u32)) -> Option<u32> {
    let mut found = registering(text, start).into_iter();
    let unknown = found.find(|decorator| decorator.part.is_none());
    unknown.map(|decorator| decorator.line)
}

/// All decorators above a definition, nearest first.
pub(in crate::query) fn above(text: &Text, (line, col): (u32, u32)) -> Vec<Decorator> {
    let mut found = Vec::new();
    let own = text.line(line);
    let before = &own[..own.len().min(col as usize)];
    found.extend(named(before.trim_ascii(), line));
    let mut open = 0i32;
    for above in (line.saturating_sub(MAX_LINES).max(1)..line).rev() {
        let written = text.line(above).trim_ascii();
        for byte in written {
            match byte {
                b')' | b']' | b'}' => open += 1,
                b'(' | b'[' | b'{' => open -= 1,
                _ => {}
            }
        }
        if open <= 0
            && let Some(decorator) = named(written, above)
        {
            found.push(decorator);
            open = 0;
        } else if open < 0 || (open == 0 && !(written.is_empty() || is_comment(written))) {
            break;
        }
    }
    found
}

/// The decorator that a line begins with.
fn named(written: &[u8], line: u32) -> Option<Decorator> {
    let rest = [&b"@"[..], b"#[", b"["]
        .iter()
        .find_map(|mark| written.strip_prefix(*mark))?;
    let rest = rest
        .strip_prefix(b"cfg_attr(")
        .and_then(conditional)
        .unwrap_or(rest);
    let name: Vec<u8> = rest
        .iter()
        .copied()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':') || *b >= 0x80)
        .collect();
    let name = String::from_utf8_lossy(&name).into_owned();
    let part = part(name.rsplit(['.', ':']).next().unwrap_or_default());
    // By itself a verb may be anything: `@patch("a.b")` is none of a request.
    let given = &rest[name.len().min(rest.len())..];
    let is_path = [&b"(\"/"[..], b"('/", b"(\"\"", b"('')", b"()"]
        .iter()
        .any(|path| given.starts_with(path));
    let is_other = name == "patch" && written.starts_with(b"@") && !is_path;
    let is_other = is_other || name == "mock.patch" || name == "mocker.patch";
    let part = part.filter(|_| !is_other);
    (!name.is_empty()).then_some(Decorator { name, line, part })
}

/// What stands behind the condition of `#[cfg_attr(feature = "a", no_mangle)]`.
fn conditional(given: &[u8]) -> Option<&[u8]> {
    let mut open = 0_u32;
    let comma = given.iter().position(|byte| {
        match byte {
            b'(' => open += 1,
            b')' => open = open.saturating_sub(1),
            _ => {}
        }
        *byte == b',' && open == 0
    })?;
    Some(given[comma + 1..].trim_ascii_start())
}

fn is_comment(line: &[u8]) -> bool {
    [&b"//"[..], b"/*", b"*", b"#"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(source: &str, line: u32) -> Vec<String> {
        names(&Text::new(source.as_bytes().to_vec()), (line, 0))
    }

    fn names(text: &Text, start: (u32, u32)) -> Vec<String> {
        let found = registering(text, start).into_iter();
        found.map(|decorator| decorator.name).collect()
    }

    #[test]
    fn what_may_register_a_definition_is_named() {
        let source = "x = f(1)\n@app.route(\n    '/a',\n    methods=['GET'],\n)\n# why\n@functools.wraps(f)\ndef view():\n";
        assert_eq!(at(source, 8), ["app.route"]);
        assert_eq!(
            at("#[inline]\n#[no_mangle]\npub fn f() {}\n", 3),
            ["no_mangle"]
        );
        assert_eq!(at("#[tokio::main]\nasync fn f() {}\n", 2), ["tokio::main"]);
        assert_eq!(at("}\n\n/// Doc.\nfn f() {}\n", 4), [""; 0]);
        assert_eq!(at("@property\ndef f(self):\n", 2), [""; 0]);
        assert_eq!(
            at(
                "[System.CodeAnalysis.SuppressMessage(\"a\", \"b\")]\nvoid F() {}\n",
                2
            ),
            [""; 0]
        );
        assert_eq!(at("@x.setter\ndef x(self, v):\n", 2), [""; 0]);
    }

    #[test]
    fn to_mock_is_no_route() {
        let parts = |line: &str| {
            let text = Text::new(format!("{line}\ndef f():\n").into_bytes());
            let found = registering(&text, (2, 0)).into_iter();
            found.map(|one| one.part).collect::<Vec<_>>()
        };
        for line in [
            "@patch('a.b.datetime')",
            "@patch.object(a, 'b')",
            "@mock.patch('a.b')",
            "@unittest.mock.patch.dict(a, b)",
        ] {
            assert_eq!(parts(line), [], "{line}");
        }
        for line in ["@patch('/a')", "@app.patch('/a')", "#[patch(\"/a\")]"] {
            assert_eq!(parts(line), [Some(Part::Route)], "{line}");
        }
    }

    #[test]
    fn to_override_is_not_to_be_registered() {
        let text = Text::new(b"@Override\n@Deprecated\npublic void f() {}\n".to_vec());
        assert_eq!(names(&text, (3, 0)), [""; 0]);
        assert_eq!(overriding(&text, (3, 0)), Some(1));
        assert_eq!(
            overriding(&Text::new(b"void f() {}\n".to_vec()), (1, 0)),
            None
        );
    }

    #[test]
    fn a_decorator_may_stand_on_the_line_itself() {
        let text = Text::new(b"  @Get() handle() {}\n".to_vec());
        assert_eq!(names(&text, (1, 9)), ["Get"]);
    }
}
