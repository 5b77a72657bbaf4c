//! What of what ctags says of a language is no definition, each beside the reason.

use super::aside::{Rule, after, has_word, rule};

pub const BASH: &[Rule] = &[
    rule("an array", |tag, line| {
        tag.name.ends_with('=') || after(line, &tag.name).starts_with("=(")
    }),
    // `function $name() {`, and `function {` of zsh, which has none.
    rule("a computed name", |tag, line| {
        let before = line.find(&tag.name).map_or("", |at| &line[..at]);
        tag.name.starts_with('{')
            || before.ends_with('$')
            || after(line, &tag.name).starts_with('$')
    }),
    // `function call failed`, `s.accept()`: a word of a text, or of a program in another language.
    rule("a word of a text", |tag, line| {
        let text = line.trim_start();
        let is_first = text.starts_with(&tag.name) || text.starts_with("function ");
        let rest = after(line, &tag.name).trim_start();
        let given = rest.strip_prefix('(').map(str::trim_start);
        let is_foreign = given.is_some_and(|given| !given.starts_with(')'));
        let behind = given.and_then(|given| given.strip_prefix(')'));
        // Behind another word a body follows in the same line, as in `int f() {`; behind a function there is no sign of
        // an expression, as in `f(), g();` and `c.close()" "$port"`.
        let has_body = behind.is_some_and(|rest| rest.trim_start().starts_with(['{', '(']));
        let signs = ['"', '\'', ';', ',', ')', ']', '-', '.'];
        let is_quoted = behind.is_some_and(|rest| rest.trim_start().starts_with(signs));
        is_foreign || is_quoted || tag.name.contains([',', '=']) || !is_first && !has_body
    }),
];

pub const PERL: &[Rule] = &[
    // Of `sub A::b {` it is `A`.
    rule("a part of a name", |tag, line| {
        after(line, &tag.name).starts_with("::") && tag.kind == "subroutine"
    }),
];

pub const FORTRAN: &[Rule] = &[
    // Of `subroutine a${KIND}$_b(c)`, as written for a preprocessor, it is `a`.
    rule("a part of a name", |tag, line| {
        after(line, &tag.name).starts_with("${")
    }),
];

pub const ERLANG: &[Rule] = &[
    // A branch of a `case` in the first column, a word of a list, a line of a text: parameters follow a function.
    rule("no function", |tag, line| {
        let rest = after(line, &tag.name).trim_start_matches('\'').trim_start();
        tag.kind == "function" && !rest.starts_with('(')
    }),
    // The last expression of a clause in the first column: `encode(Value, Tag).`, where a function has an arrow; and
    // `other:encode(Value)`, where a function has no colon.
    rule("a call", |tag, line| {
        let code = line.split(" %").next().unwrap_or(line).trim_end();
        tag.kind == "function"
            && (tag.name.contains(':') || code.ends_with(").") && !code.contains("->"))
    }),
    rule("a keyword", |tag, _| {
        let words = ["begin", "case", "fun", "receive", "try"];
        tag.kind == "function" && words.contains(&tag.name.as_str())
    }),
    // `-module({{name}}).`
    rule("a computed name", |tag, _| tag.name.contains(['{', '}'])),
];

pub const MAKE: &[Rule] = &[
    // `\tgit clone https://a`.
    rule("a line of a recipe", |tag, line| {
        tag.kind == "target" && line.starts_with('\t')
    }),
    rule("a computed name", |tag, _| tag.name.contains('$')),
    rule("a pattern", |tag, _| {
        tag.kind == "target" && tag.name.contains('%')
    }),
    // `all: CFLAGS = -O2`.
    rule("a value for one target", |tag, line| {
        let before = line.find(&tag.name).map_or("", |at| &line[..at]);
        tag.kind == "macro" && before.contains(':')
    }),
];

pub const C: &[Rule] = &[
    // `weak_alias (a, b)`, with nothing behind it: neither a body nor parameters with types.
    rule("a call of a macro", |tag, line| {
        let given = line.trim().strip_prefix(tag.name.as_str());
        let given = given.and_then(|rest| rest.trim_start().strip_prefix('('));
        let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let ends = |rest: &str| rest.split(',').all(|part| is_word(part.trim()));
        tag.kind == "function"
            && tag.end <= tag.line
            && given
                .and_then(|given| given.strip_suffix(')'))
                .is_some_and(ends)
    }),
    rule("a call of a macro", |tag, _| {
        // `TEST(a, b) {`, `DEFINE_GETTER(a, b)`: what such a macro defines is not written.
        let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        tag.kind == "function" && tag.name.len() > 2 && tag.name.chars().all(is_capital)
    }),
    // Of `static constexpr T (max)() {`, as written where `max` is a macro, it is `T`; of `ElfW(Sym) *A::get() {` it
    // is `ElfW`.
    rule("a type", |tag, line| {
        let rest = after(line, &tag.name).trim_start();
        let rest = rest.strip_prefix('(').unwrap_or_default();
        let end = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
        let behind = end.strip_prefix(')').unwrap_or_default().trim_start();
        let named = behind.strip_prefix('*').map(str::trim_start);
        let is_named = named.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic()));
        tag.kind == "function"
            && end.len() < rest.len()
            && (end.starts_with(")(") || is_named && behind.contains('('))
    }),
];

pub const OBJECTIVE_C: &[Rule] = &[
    // `describe(@"a text", ^{`, `beforeEach(^{`: a call that is given a block.
    rule("a call", |tag, line| {
        let rest = after(line, &tag.name).trim_start();
        let given = rest.strip_prefix('(').unwrap_or_default().trim_start();
        tag.kind == "function"
            && line.trim_start().starts_with(&tag.name)
            && (given.starts_with('^') || given.starts_with("@\"") && line.contains('^'))
    }),
    // `QuickSpecBegin(A)`, `FixCategoriesBug(A);`: a line that is one word in parentheses behind another.
    rule("a call of a macro", |tag, line| {
        let text = line.trim().trim_end_matches(';');
        let given = text.strip_prefix(tag.name.as_str());
        let given = given.and_then(|rest| rest.trim_start().strip_prefix('('));
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let is_word = |text: &str| !text.is_empty() && text.chars().all(is_part);
        let given = given.and_then(|given| given.strip_suffix(')'));
        tag.kind == "function" && given.is_some_and(is_word)
    }),
    // Of `typedef enum : NSUInteger {` it is `NSUInteger`.
    rule("the type of an enum", |tag, line| {
        let before = line.find(&tag.name).map_or("", |at| &line[..at]);
        tag.kind == "enum" && before.trim_end().ends_with(':')
    }),
    // Of `@property (class) A *b;` it is `A:`; `@synthesize a;` says that the property `a` is kept.
    rule("the type of a property", |tag, line| {
        let text = line.trim_start();
        let rest = after(text, tag.name.trim_end_matches(':')).trim_start();
        tag.kind == "method"
            && (text.starts_with("@synthesize")
                || text.starts_with("@property") && rest.starts_with('*'))
    }),
    rule("a declaration of what is elsewhere", |tag, line| {
        tag.kind == "protocol" && line.trim_end().ends_with(';')
    }),
    // `Matcher(beNil, (id expected));`: the first of what a function is given has a type.
    rule("a call of a macro", |tag, line| {
        let given = line.trim_start().strip_prefix(tag.name.as_str());
        let given = given
            .and_then(|rest| rest.strip_prefix('('))
            .unwrap_or_default();
        let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
        tag.kind == "function"
            && given
                .split_once(',')
                .is_some_and(|(first, _)| is_word(first))
    }),
    rule("a word of a block's type", |tag, line| {
        tag.kind == "typedef" && line.contains("(^")
    }),
    // Of `typedef void (*Log)(char* text);` it is `text`.
    rule("a word of a function's type", |tag, line| {
        let before = line.find(&tag.name).map_or("", |at| &line[..at]);
        tag.kind == "typedef" && line.contains("(*") && before.contains(")")
            || before.ends_with("function<")
    }),
    // Of `typedef NS_ENUM(long, A) { ... Last = 1 };` it is `Last`, and the line is that of the end.
    rule("the last of an enum", |tag, line| {
        tag.kind == "typedef" && line.trim_start().starts_with('}') && !has_word(line, &tag.name)
    }),
    rule("a value", |tag, line| {
        let rest = after(line, &tag.name).trim_start();
        tag.kind == "function" && rest.starts_with('?')
    }),
    // A class or a method by a sign before a word, as in a sum.
    rule("no declaration", |tag, line| {
        matches!(tag.kind.as_str(), "class" | "method")
            && after(line, &tag.name).contains(';')
            && !line.trim_start().starts_with(['+', '-', '@', '{', ':'])
            && !tag.name.contains(':')
    }),
    rule("an attribute", |tag, line| {
        // `+ (id)new NS_UNAVAILABLE;`, `API_AVAILABLE(ios(14.0))`, `CF_RETURNS_NOT_RETAINED`.
        let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let name = tag.name.as_str();
        let is_macro = name.len() > 8 && name.contains('_') && name.chars().all(is_capital);
        let rest = after(line, name);
        // A text is no type of a parameter.
        let is_given_text = rest.starts_with("(\"") || rest.starts_with("(@\"");
        name.starts_with("__")
            || is_macro
            || rest.starts_with('(') && line.contains("API_")
            || tag.kind == "method" && is_given_text
    }),
    rule("a directive", |tag, _| {
        matches!(tag.name.as_str(), "else" | "endif")
    }),
    rule("the type of a pointer", |tag, line| {
        tag.kind == "function" && after(line, &tag.name).trim_start().starts_with("(*")
    }),
];

pub const KOTLIN: &[Rule] = &[
    // A getter whose value is a lambda.
    rule("no name", |tag, _| tag.name.starts_with('<')),
    rule("no declaration", |tag, line| {
        tag.kind == "method" && !has_word(line, "fun")
    }),
];

pub const CSHARP: &[Rule] = &[
    // Of `class A<T> where T : class` it is `T`, of `where T : struct, IB` it is `IB`.
    rule("a constraint", |tag, line| {
        let declares = line.contains(&format!("{} {}", tag.kind, tag.name));
        line.trim_start().starts_with("where ")
            || tag.kind != "method" && has_word(line, "where") && !declares
    }),
    rule("a call", |tag, _| tag.name.contains('.')),
    // A program may have statements outside of classes.
    rule("a statement", |tag, _| {
        tag.kind == "method" && tag.scope_kind.is_empty()
    }),
    rule("a pattern", |tag, _| {
        matches!(
            tag.name.as_str(),
            "await" | "bool" | "new" | "not" | "typeof" | "var" | "when"
        )
    }),
];

pub const LUA: &[Rule] = &[
    rule("a text", |tag, line| {
        let before = before_function(line);
        let is_quoted = |quote| before.matches(quote).count() % 2 == 1;
        is_quoted('\'') || is_quoted('"') || tag.name.chars().all(|c| c == '~' || c == '=')
    }),
    rule("a comment", |_, line| before_function(line).contains("--")),
    rule("a function for an argument", |_, line| {
        let before = before_function(line);
        before.matches('(').count() > before.matches(')').count()
    }),
    // Of `mt = { __index = function` it is `mt`.
    rule("the table that a function stands in", |tag, line| {
        let before = before_function(line);
        after(before, &tag.name).contains('{') || before.trim_start().starts_with('}')
    }),
    rule("a call", |_, line| !has_word(line, "function")),
    rule("a computed name", |tag, _| {
        tag.name.contains(['[', '{', '"'])
    }),
];

/// What stands in a line before the word `function`.
fn before_function(line: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = line.match_indices("function");
    let word = words.find(|(at, word)| {
        !line[..*at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part)
    });
    word.map_or("", |(at, _)| &line[..at])
}

pub const HASKELL: &[Rule] = &[
    rule("a field", |_, line| {
        line.trim_start().starts_with([',', '{', '|'])
    }),
    rule("a keyword", |tag, _| {
        let words = [
            "class", "data", "deriving", "family", "infix", "infixl", "infixr", "instance",
            "pattern", "role", "type",
        ];
        words.contains(&tag.name.as_str())
    }),
    // Of `a .&&. b = c` and a `op` b = c` it is `a`.
    rule("an operand", |tag, line| {
        let rest = after(line, &tag.name).trim_start();
        let is_sign = |c: char| "!#$%&*+./<>?@\\^|-~:".contains(c);
        let sign: String = rest.chars().take_while(|c| is_sign(*c)).collect();
        tag.kind == "function"
            && (rest.starts_with('`')
                || !sign.is_empty() && !["::", "|", "@", "!"].contains(&&*sign))
    }),
    // `makeLenses ''A`, `mkData "A" $(read "b")`.
    rule("a call that makes declarations", |tag, line| {
        let rest = after(line, &tag.name).trim_start();
        tag.kind == "function"
            && !line.contains('=')
            && (rest.starts_with("''") || rest.contains("$("))
    }),
    // A word or a sign in a comment or a pattern: a function begins with a small letter.
    rule("no name of a function", |tag, _| {
        let is_small = |c: char| c.is_lowercase() || c == '_' || c == '(';
        tag.kind == "function" && !tag.name.starts_with(is_small)
    }),
    // A file is a module, and goes by its path.
    rule("the module of the file", |tag, _| tag.kind == "module"),
    // ctags takes the first part of `ShellCheck.AST`, and a word of a type for what it is the type of.
    rule("a part of a name", |tag, line| {
        tag.kind == "module" && after(line, &tag.name).starts_with('.')
    }),
    rule("a word of a type or of a value", |tag, line| {
        let text = line.trim_start();
        tag.kind == "function" && !text.starts_with(&tag.name)
    }),
];

pub const OCAML: &[Rule] = &[
    rule("an operator of a binding", |tag, line| {
        let name = tag.name.as_str();
        matches!(name, "*" | "+" | "include" | "nonrec" | "open" | "rec") || line.contains("let%")
    }),
    // `method private a`, `let (lazy a) = b`.
    rule("a keyword", |tag, _| {
        matches!(tag.name.as_str(), "lazy" | "private" | "virtual")
    }),
    rule("no name", |tag, line| {
        matches!(tag.name.as_str(), "()" | "_") || line.contains("module _")
    }),
    // Of `module%template A` and `type [@warning "a"] b` it is what follows the sign, of `val%template a` it is the sign,
    // of `[%type: [%t a]]` it is `t`.
    rule("an extension or an attribute", |tag, line| {
        let before = line.find(&tag.name).map_or("", |at| &line[..at]);
        let is_sign = tag.name == "%" && before.ends_with(char::is_alphanumeric);
        is_sign || before.ends_with(['%', '@']) || line.contains("[%type")
    }),
    rule("a pattern", |tag, line| {
        tag.kind == "Exception" && line.contains("| exception") || line.contains("(exception")
    }),
    rule("a constraint", |tag, line| {
        let begins = |word: &str| line.trim_start().starts_with(word);
        let is_type = tag.kind == "type" && line.contains("type");
        let is_module = tag.kind == "module" && line.contains("module");
        is_type && (has_word(line, "with") || begins("and type"))
            || is_module && (has_word(line, "with") || line.contains("module type of"))
            || is_module && begins("and module")
    }),
    rule("a part of a name", |tag, line| {
        after(line, &tag.name).starts_with('.')
    }),
    rule("the module of the file", |tag, line| {
        let words = ["module", "type", "rec", "and", "functor"];
        let is_declared = |word: &&str| line.contains(&format!("{word} {}", tag.name));
        tag.kind == "module" && (!words.iter().any(is_declared) || line.contains("(module"))
    }),
    // `type a += B` adds to the type `a`.
    rule("an addition to a type", |tag, line| {
        tag.kind == "type" && line.contains("+=")
    }),
    // Of `type a = b` it is `b`, of `let f (type a) x` it is `a`.
    rule("a part of a type", |tag, line| {
        let before = line.split('=').next().unwrap_or(line);
        tag.kind == "type" && (!has_word(before, &tag.name) || line.contains("(type "))
    }),
    // ctags knows no ends.
    rule("local", |_, line| {
        line.trim_start().starts_with("let ") && line.trim_end().ends_with(" in")
    }),
];

pub const CLOJURE: &[Rule] = &[
    // `~name`, `{{name}}`, `#?(:clj a)`, and `a[b` where no space is between a name and parameters.
    rule("no name", |tag, _| {
        tag.name.contains(['~', '{', '}', '%', '#', '['])
    }),
];

pub const JAVASCRIPT: &[Rule] = &[
    rule("a computed name", |tag, _| tag.name.starts_with('[')),
    rule("an object that is called a class", |tag, line| {
        let words = ["class", "function"];
        let is_object = after(line, &tag.name)
            .trim_start_matches(['"', '\''])
            .trim_start()
            .starts_with([':', '{']);
        let is_declared = words.iter().any(|word| has_word(line, word));
        tag.kind == "class"
            && (!is_declared && !line.contains("=>") || is_object)
            && !line.contains(&format!("class {}", tag.name))
    }),
    rule(
        "the object that a function or class is put into",
        |tag, line| after(line, &tag.name).starts_with('.') || tag.name == "exports",
    ),
    // `A.prototype.isB = true`, `A.prototype.b = c`, `return A.prototype.b`.
    rule("a value", |tag, line| {
        let is_value = !has_word(line, "function")
            && !line.contains("=>")
            && (line.trim_end().ends_with([';', '=']) || !line.contains('='));
        tag.kind == "method" && line.contains(".prototype.") && is_value
    }),
    // `VERSION = (function() {`, `f = new Function(text)`.
    rule("what a function gives", |tag, line| {
        let rest = after(line, &tag.name).trim_start();
        let rest = rest.strip_prefix('=').map_or("", str::trim_start);
        tag.kind == "function" && (rest.starts_with("(function") || rest.starts_with("new "))
    }),
    // Of `A.B = class C {` it is `C`, which only the class itself knows; it goes by `B`.
    rule("a name that holds only inside", |tag, line| {
        let before = line
            .find(&format!(" {}", tag.name))
            .map_or("", |at| &line[..at]);
        let before = before.trim_end().trim_end_matches('*');
        let before = before
            .strip_suffix("class")
            .or(before.strip_suffix("function"));
        let before = before.unwrap_or_default().trim_end();
        let before = before.strip_suffix("async").unwrap_or(before).trim_end();
        let before = before.strip_suffix('(').unwrap_or(before).trim_end();
        let bound = before.strip_suffix('=').unwrap_or_default().trim_end();
        !bound.is_empty() && !bound.ends_with(&tag.name)
    }),
];

pub const TYPESCRIPT: &[Rule] = &[rule("an import or a cast", |tag, line| {
    let alias = line.trim_start();
    let alias = alias.strip_prefix("export ").unwrap_or(alias);
    let alias = alias.strip_prefix("declare ").unwrap_or(alias);
    let is_alias = alias.strip_prefix("type ").is_some_and(|rest| {
        let end = after(rest, &tag.name).trim_start();
        end.is_empty() || end.starts_with(['=', '<', '/'])
    });
    tag.kind == "alias" && !is_alias
})];

pub const JULIA: &[Rule] = &[
    // Of `Base.:(==)(a, b)` and `Base.$(f)(x)` it is `Base`.
    rule("the module that a function is put into", |tag, line| {
        let rest = after(line, &tag.name);
        rest.starts_with(".:") || rest.starts_with(".$")
    }),
    rule("in a text", |_, line| line.starts_with("julia> ")),
];
