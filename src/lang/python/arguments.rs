//! Parameter lists and calls of Python.

use crate::syntax::calls::rows::{CallRows, Give, Take, text};
use crate::syntax::calls::{By, Need, Parameter, Parameters, Receiver};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// Python.
pub(crate) static CALLS: CallRows = CallRows {
    definitions: words!("function_definition.parameters lambda.parameters"),
    wraps: words!("decorated_definition.definition expression_statement. assignment.right"),
    takes: by_words! {
        Take::One(By::Either, Need::Required) => "identifier typed_parameter default_parameter
            typed_default_parameter tuple_pattern",
        Take::One(By::Position, Need::Rest) => "list_splat_pattern",
        Take::One(By::Name, Need::Rest) => "dictionary_splat_pattern",
        Take::EndOfPlaces => "positional_separator",
        Take::StartOfNames => "keyword_separator",
    },
    rest: words!("list_splat_pattern dictionary_splat_pattern"),
    names_after_rest: true,
    names: words!("name identifier list_splat_pattern dictionary_splat_pattern"),
    each,
    finish,
    types_called: words!("class_definition.body"),
    constructors: words!("__init__"),
    calls: words!("call.function"),
    members: words!("attribute.attribute"),
    through_types: true,
    gives: by_words! {
        Give::Named => "keyword_argument",
        Give::Spread => "list_splat",
        Give::SpreadNames => "dictionary_splat",
    },
    is_doubtful: super::doubts::is_doubtful,
    ..CallRows::new()
};

/// Decorators after which calls go by what is written. Names are compared without their modules.
const HARMLESS: &[&[u8]] = byte_words!(
    "abstractmethod asynccontextmanager cache classmethod contextmanager coroutine final lru_cache
     no_type_check overload override staticmethod total_ordering wraps"
);

/// How many nodes are between a method and its class: branches, `try`.
const MAX_BETWEEN: usize = 8;

/// `*args: int` and `**options: int`.
fn each(_: &[u8], node: Node<'_>, parameter: &mut Parameter) {
    if node.kind_name() == "typed_parameter" && parameter.need == Need::Rest {
        parameter.by = match node.named_of("dictionary_splat_pattern") {
            Some(_) => By::Name,
            None => By::Position,
        };
    }
}

fn finish(src: &[u8], node: Node<'_>, found: &mut Parameters) -> bool {
    let decorated = node
        .parent()
        .filter(|above| above.kind_name() == "decorated_definition");
    let mut binds = Receiver::Object;
    for decorator in decorated
        .into_iter()
        .flat_map(|above| above.all_of("decorator"))
    {
        let words = text(src, decorator);
        let words = words.strip_prefix(b"@").unwrap_or(words);
        let path = words.split(|byte| *byte == b'(').next().unwrap_or(words);
        let name = path
            .rsplit(|byte| *byte == b'.')
            .next()
            .unwrap_or(path)
            .trim_ascii();
        match name {
            b"staticmethod" => binds = Receiver::None,
            b"classmethod" => binds = Receiver::Implied,
            name if HARMLESS.contains(&name) => {}
            _ => return false,
        }
    }
    let is_new = node
        .field("name")
        .is_some_and(|name| text(src, name) == b"__new__");
    if is_new || node.kind_name() == "lambda" {
        // Its class may be given or not.
        return !is_new;
    }
    if binds != Receiver::None && is_in_class(node) {
        match found.list.first() {
            Some(first) if first.need != Need::Rest && first.by != By::Name => {
                found.list.remove(0);
                found.receiver = binds;
            }
            // `*args` has the object in it.
            Some(_) => {}
            None => return false,
        }
    }
    !is_torn_off(found, node)
}

/// Whether a definition that stands in no class takes its own object, as it does where a syntax error hides the class around it.
fn is_torn_off(found: &Parameters, node: Node<'_>) -> bool {
    let first = found.list.first();
    let takes_itself = first.is_some_and(|first| matches!(&*first.name, "self" | "cls"));
    takes_itself && !is_in_class(node) && {
        let outwards = std::iter::successors(Some(node), |node| node.parent());
        outwards.last().is_some_and(|root| root.has_error())
    }
}

/// Whether a definition stands in a class and in no function of it.
fn is_in_class(node: Node<'_>) -> bool {
    let outwards = std::iter::successors(node.parent(), |node| node.parent());
    let mut scopes = outwards.take(MAX_BETWEEN).filter(|above| {
        matches!(
            above.kind_name(),
            "class_definition" | "function_definition" | "lambda"
        )
    });
    scopes
        .next()
        .is_some_and(|scope| scope.kind_name() == "class_definition")
}
