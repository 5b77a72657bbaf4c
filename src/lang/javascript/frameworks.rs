//! What functions of frameworks give that only their own types say: `useState<User>()`, `useContext(Session)`, `inject(Users)`.
//!
//! A row counts where the function is imported from one of the packages that have it. What it is given says the rest: the type
//! that is written for it, or its argument. Deliberately absent: what holds a list (`ref<User[]>([])`).

use super::types::{MAX_STEPS, annotated, type_hint};
use super::values::value;
use crate::syntax::prelude::*;

/// What a function gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// What it is for.
    It,
    /// An object that has it under a name of its own: `current`, `value`.
    Held,
    /// A function that gives it.
    Giver,
    /// What the function gives that it is handed.
    OfFunction,
    /// What the object holds that it is handed.
    OfHolder,
    /// An instance of the class that it is handed.
    Instance,
}

/// Functions of frameworks.
struct Row {
    packages: &'static [&'static [u8]],
    functions: &'static [&'static [u8]],
    gives: Gives,
}

/// Names that count in a file that imports from these packages.
struct Source {
    packages: &'static [&'static [u8]],
    names: &'static [&'static [u8]],
}

const REACT: &[&[u8]] = byte_words!("react preact/hooks preact/compat preact");
const VUE: &[&[u8]] = byte_words!("vue @vue/composition-api #imports");
const ANGULAR: &[&[u8]] =
    byte_words!("@angular/core @angular/core/rxjs-interop @angular/core/testing");
const MOBX: &[&[u8]] = byte_words!("mobx-react mobx-react-lite");
const SOLID: &[&[u8]] = byte_words!("solid-js solid-js/store");

const ROWS: &[Row] = &[
    Row {
        packages: REACT,
        functions: byte_words!("useRef createRef createContext"),
        gives: Gives::Held,
    },
    Row {
        packages: REACT,
        functions: byte_words!("useMemo"),
        gives: Gives::OfFunction,
    },
    Row {
        packages: REACT,
        functions: byte_words!("useContext use"),
        gives: Gives::OfHolder,
    },
    Row {
        packages: VUE,
        functions: byte_words!("ref shallowRef computed customRef toRef useTemplateRef"),
        gives: Gives::Held,
    },
    Row {
        packages: VUE,
        functions: byte_words!("reactive shallowReactive readonly inject toRaw markRaw"),
        gives: Gives::It,
    },
    Row {
        packages: ANGULAR,
        functions: byte_words!("signal computed input model toSignal viewChild"),
        gives: Gives::Giver,
    },
    Row {
        packages: ANGULAR,
        functions: byte_words!("inject"),
        gives: Gives::Instance,
    },
    Row {
        packages: SOLID,
        functions: byte_words!("createMemo"),
        gives: Gives::Giver,
    },
];

/// Functions that give a pair, the first of which is what they are for.
const PAIRS: &[Row] = &[
    Row {
        packages: REACT,
        functions: byte_words!("useState useOptimistic"),
        gives: Gives::It,
    },
    Row {
        packages: SOLID,
        functions: byte_words!("createSignal"),
        gives: Gives::Giver,
    },
    Row {
        packages: SOLID,
        functions: byte_words!("createStore"),
        gives: Gives::It,
    },
];

/// Functions whose results have it under the name `data`.
const LOADERS: &[Source] = &[
    Source {
        packages: byte_words!("@tanstack/react-query react-query @apollo/client"),
        names: byte_words!("useQuery useSuspenseQuery"),
    },
    Source {
        packages: byte_words!("swr"),
        names: byte_words!("useSWR"),
    },
];

/// Clients whose methods of these names have it under `data`.
const CLIENTS: &[&[u8]] = byte_words!("axios");
const CLIENT_METHODS: &[&[u8]] = byte_words!("get post put patch delete request");

/// Containers that make an instance of the class that they are asked for.
const CONTAINERS: &[Source] = &[
    Source {
        packages: byte_words!("@nestjs/testing @nestjs/core"),
        names: byte_words!("module moduleRef moduleFixture testingModule app"),
    },
    Source {
        packages: ANGULAR,
        names: byte_words!("TestBed injector"),
    },
    Source {
        packages: byte_words!("tsyringe inversify typedi"),
        names: byte_words!("container Container"),
    },
];

/// Imports of a file among which the one of a function is looked for.
const MAX_IMPORTS: usize = 256;

/// Whether a file imports a name (any, where none is given) from one of some packages (from anywhere, likewise).
fn imports(walk: &Walk<'_>, name: Option<&[u8]>, packages: Option<&[&[u8]]>) -> bool {
    let id = name.map(|name| walk.names.find(name));
    if id == Some(None) {
        return false;
    }
    let mut all = walk.imports.iter().take(MAX_IMPORTS);
    all.any(|import| {
        let is_from = packages.is_none_or(|packages| packages.contains(&&*import.specifier));
        is_from && id.is_none_or(|id| import.bindings.iter().any(|binding| binding.local == id))
    })
}

/// Whether a file imports a name from one of some packages.
fn is_from(walk: &Walk<'_>, name: &[u8], packages: &[&[u8]]) -> bool {
    imports(walk, Some(name), Some(packages))
}

/// The function of a package that is called: its name.
fn called<'t>(walk: &Walk<'t>, call: Node<'t>) -> Option<(&'t [u8], Option<&'t [u8]>)> {
    let mut function = call.field("function")?;
    if function.kind_name() == "await_expression" {
        // The grammar reads `await f<T>()` as `(await f)<T>()`.
        function = function.named_child(0)?;
    }
    match function.kind_name() {
        "identifier" => Some((walk.text(function), None)),
        "member_expression" => {
            let object = function.field("object")?;
            let object = match object.kind_name() {
                "member_expression" => object.field("property")?,
                _ => object,
            };
            Some((
                walk.text(function.field("property")?),
                Some(walk.text(object)),
            ))
        }
        _ => None,
    }
}

fn is_of(walk: &Walk<'_>, packages: &[&[u8]], name: &[u8], object: Option<&[u8]>) -> bool {
    match object {
        None => is_from(walk, name, packages),
        Some(b"React") => packages == REACT && is_from(walk, b"React", REACT),
        // `input.required<User>()`
        Some(object) => {
            name == b"required" && packages == ANGULAR && is_from(walk, object, packages)
        }
    }
}

/// The type that is written for a call, the first; `None` where none is.
fn written<'t>(call: Node<'t>) -> Option<Node<'t>> {
    call.field("type_arguments")?.nth_part(0)
}

/// What a call of a framework gives; the outer `None` where it is none, the inner where nothing is known of it.
pub(super) fn given(walk: &Walk<'_>, call: Node<'_>, steps: u8) -> Option<Option<Hint>> {
    let (name, object) = called(walk, call)?;
    let is_macro = |of: &[u8]| name == of && object.is_none() && !imports(walk, Some(of), None);
    if is_macro(b"defineProps") {
        return Some(annotated(walk, written(call)?, steps));
    }
    if is_macro(b"withDefaults") {
        let props = call.field("arguments")?.nth_part(0)?;
        return Some(value(walk, props, steps));
    }
    let is_container = |object| {
        let mut all = CONTAINERS.iter();
        all.any(|of| of.names.contains(&object) && imports(walk, None, Some(of.packages)))
    };
    if matches!(name, b"get" | b"resolve" | b"inject") && object.is_some_and(is_container) {
        let of = made(walk, call, steps);
        return of.is_some().then_some(of);
    }
    let of = match (name, object) {
        (b"required", Some(object)) => object,
        _ => name,
    };
    let mut rows = ROWS.iter().filter(|row| row.functions.contains(&of));
    let row = rows.find(|row| is_of(walk, row.packages, name, object))?;
    Some(by(walk, call, row.gives, steps))
}

/// The first of the pair that a call gives: `const [user, setUser] = useState<User>()`.
pub(super) fn first_of_pair(walk: &Walk<'_>, call: Node<'_>) -> Option<Option<Hint>> {
    if call.kind_name() != "call_expression" {
        return None;
    }
    let (name, object) = called(walk, call)?;
    let mut rows = PAIRS.iter().filter(|row| row.functions.contains(&name));
    let row = rows.find(|row| is_of(walk, row.packages, name, object))?;
    Some(by(walk, call, row.gives, MAX_STEPS))
}

/// What a call gives under the name `data`: `const { data } = useQuery<User>()`.
pub(super) fn loaded(walk: &Walk<'_>, mut call: Node<'_>) -> Option<Hint> {
    if call.kind_name() == "await_expression" {
        call = call.named_child(0)?;
    }
    if call.kind_name() != "call_expression" {
        return None;
    }
    let (name, object) = called(walk, call)?;
    let given = call.field("type_arguments")?;
    // The third type of a query is what it makes of the first.
    let (loads, written) = match object {
        None => {
            let mut rows = LOADERS.iter();
            let loads = rows.any(|of| of.names.contains(&name) && is_from(walk, name, of.packages));
            (loads, given.nth_part(2).or_else(|| given.nth_part(0)))
        }
        Some(object) => {
            let is_client = CLIENTS.contains(&object) && is_from(walk, object, CLIENTS);
            (
                is_client && CLIENT_METHODS.contains(&name),
                given.nth_part(0),
            )
        }
    };
    type_hint(walk, written.filter(|_| loads)?)
}

fn by(walk: &Walk<'_>, call: Node<'_>, gives: Gives, steps: u8) -> Option<Hint> {
    let left = steps.checked_sub(1)?;
    if gives == Gives::Instance {
        return made(walk, call, left);
    }
    let argument = || call.field("arguments")?.nth_part(0);
    let of = match (written(call), gives) {
        (Some(written), _) => annotated(walk, written, left),
        (None, Gives::OfHolder) => return value(walk, argument()?, left)?.element(),
        (None, _) => {
            let given = argument()?;
            match given.kind_name() {
                "arrow_function" => value(walk, given.field("body")?, left),
                _ => value(walk, given, left),
            }
        }
    };
    let of = of?;
    match gives {
        _ if of == Hint::LITERAL => Some(of),
        Gives::Held => match of.kind {
            HintKind::Type => of.collections(1),
            // Of what is constructed in place.
            HintKind::Result if argument().is_some_and(|of| of.kind_name() == "new_expression") => {
                Some(of.with(HintKind::Elements))
            }
            _ => None,
        },
        Gives::Giver => (of.kind == HintKind::Type).then_some(of.with(HintKind::Gives)),
        _ => Some(of),
    }
}

/// An instance of the class that a call is given, or of the type that is written for it.
fn made(walk: &Walk<'_>, call: Node<'_>, steps: u8) -> Option<Hint> {
    if let Some(written) = written(call) {
        return annotated(walk, written, steps);
    }
    let class = call.field("arguments")?.nth_part(0)?;
    let text = walk.text(class);
    let is_class = class.kind_name() == "identifier"
        && text.first().is_some_and(u8::is_ascii_uppercase)
        && text.iter().any(u8::is_ascii_lowercase);
    is_class.then(|| Hint::instance(class).with(HintKind::Given))
}

/// Types of components, whose argument is what they are called with.
const COMPONENTS: &[&[u8]] = byte_words!("FC FunctionComponent VFC ComponentType SFC");

/// What the first parameter of a component is: `const A: FC<Props> = (props) => ..`, `forwardRef<Element, Props>((props) => ..)`.
/// The function stands in what is so far up.
pub(super) fn props(walk: &Walk<'_>, function: Node<'_>, up: usize) -> Option<Hint> {
    let above = walk.above(up)?;
    match above.kind_name() {
        "variable_declarator" if above.field("value") == Some(function) => {
            let of = above.field("type")?.named_child(0)?;
            let named = of.field("name")?;
            let (name, from) = match named.kind_name() {
                "type_identifier" => (walk.text(named), walk.text(named)),
                _ => (
                    walk.text_of(named.field("name")),
                    walk.text_of(named.field("module")),
                ),
            };
            let is_qualified = name != from;
            let is_component = COMPONENTS.contains(&name)
                && (!is_qualified || from == b"React")
                && is_from(walk, from, REACT);
            let props = of.field("type_arguments")?.nth_part(0)?;
            type_hint(walk, Some(props).filter(|_| is_component)?)
        }
        "arguments" if above.nth_part(0) == Some(function) => {
            let call = walk.above(up + 1)?;
            let (name, object) = called(walk, call)?;
            let place = match name {
                b"forwardRef" if is_of(walk, REACT, name, object) => 1,
                b"memo" if is_of(walk, REACT, name, object) => 0,
                b"observer" if object.is_none() && is_from(walk, name, MOBX) => 0,
                _ => return None,
            };
            type_hint(walk, call.field("type_arguments")?.nth_part(place)?)
        }
        _ => None,
    }
}
