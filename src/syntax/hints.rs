//! Local names and hints for the types of values, collected during the walk.
//!
//! Hooks speak of places in the source ([`Hint`]), since the occurrence that a hint follows from is
//! often met only later; [`HintsDraft::finish`] turns places into positions of occurrences. Guarantees: what is
//! said of a name that is not recorded (a limit was reached) is dropped. Deliberately absent: what a
//! name means, which takes other files.

use super::node::NodeExt;
use super::symbols::Draft;
use super::walk::Walk;
use crate::id::LocalName;
use crate::limits::MAX_OCCURRENCES_PER_DOC;
use crate::record::{HintKind, Local, Occurrence, OccurrenceKind, Qualifier, TypeHint, TypeHints};
use rustc_hash::FxHashSet;
use std::ops::Range;
use tree_sitter::{Node, Point};

/// How many steps an expression or a type is followed inwards before it is given up. What people write
/// takes a few.
pub(crate) const MAX_STEPS: usize = 32;

/// Most local names, and most receivers, that are noted of a document: each is of an occurrence.
const MAX_HINTS: usize = MAX_OCCURRENCES_PER_DOC;

/// What the type of a value follows from: the identifier at a place. Becomes a [`TypeHint`] once the
/// occurrences are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hint {
    /// How the value follows from the identifier.
    pub(crate) kind: HintKind,
    /// Where the identifier starts; ignored by hints that follow from none.
    at: Point,
    /// Whether it stands in quotes.
    quoted: bool,
}

impl Hint {
    /// Makes a hint that follows from an identifier.
    fn of(kind: HintKind, identifier: Node<'_>) -> Self {
        Self {
            kind,
            at: identifier.start_position(),
            quoted: false,
        }
    }

    /// Makes a hint that follows from a name in quotes.
    pub(crate) fn of_quoted(kind: HintKind, string: Node<'_>) -> Self {
        let mut at = string.start_position();
        at.column += 1;
        Self {
            kind,
            at,
            quoted: true,
        }
    }

    /// Makes a hint that follows from a part of a name, which starts so many bytes into its node.
    pub(crate) fn of_part(kind: HintKind, name: Node<'_>, offset: usize) -> Self {
        let mut hint = Self::of(kind, name);
        hint.at.column += offset;
        hint
    }

    /// It is what a name stands for.
    pub(crate) fn value(name: Node<'_>) -> Self {
        Self::of(HintKind::Value, name)
    }

    /// It is what calling, or constructing, what a name stands for gives.
    pub(crate) fn result(name: Node<'_>) -> Self {
        Self::of(HintKind::Result, name)
    }

    /// It is an instance of the type of this name.
    pub(crate) fn instance(name: Node<'_>) -> Self {
        Self::of(HintKind::Type, name)
    }

    /// It is one element of what a name stands for.
    pub(crate) fn element_of(name: Node<'_>) -> Self {
        Self::of(HintKind::Element, name)
    }

    /// It is a collection of instances of the type of this name.
    pub(crate) fn collection_of(name: Node<'_>) -> Self {
        Self::of(HintKind::Elements, name)
    }

    /// It is what an argument without a name may be, the first, second or third of a call of what a name stands for.
    pub(crate) fn argument(callee: Node<'_>, place: usize) -> Option<Self> {
        let kind = [HintKind::First, HintKind::Second, HintKind::Third];
        Some(Self::of(*kind.get(place)?, callee))
    }

    /// It is a function that is called with something, the first of which its type calls so.
    pub(crate) fn callback(parameter: Node<'_>) -> Self {
        Self::of(HintKind::Callback, parameter)
    }

    /// It is one of the names that its definition writes.
    pub(crate) const NAMES: Self = Self::alone(HintKind::Names);

    /// It has members that are written where it is said, the first of which has this name.
    pub(crate) fn shape(member: Node<'_>) -> Self {
        Self::of(HintKind::Shape, member)
    }

    /// What a function is called with, the first, second or third, that stands where it is expected.
    pub(crate) fn called_with(self, place: usize) -> Option<Self> {
        use HintKind::*;
        let kinds = match self.kind {
            Value => [FirstOfValue, SecondOfValue, ThirdOfValue],
            Type => [FirstOfType, SecondOfType, ThirdOfType],
            First => [FirstOfFirst, SecondOfFirst, ThirdOfFirst],
            Second => [FirstOfSecond, SecondOfSecond, ThirdOfSecond],
            Third => [FirstOfThird, SecondOfThird, ThirdOfThird],
            _ => return None,
        };
        Some(self.with(*kinds.get(place)?))
    }

    /// It is this argument of the type that a name stands for; `None` behind the third.
    pub(crate) fn given_to(self, named: Node<'_>, place: usize) -> Option<Self> {
        use HintKind::*;
        let kinds = match self.kind {
            Type => [FirstGiven, SecondGiven, ThirdGiven],
            Elements => [FirstListGiven, SecondListGiven, ThirdListGiven],
            _ => return None,
        };
        Some(Self::of(*kinds.get(place)?, named))
    }

    /// One element of it, as what stands in a literal is one of what the literal is for.
    pub(crate) fn expected_element(self) -> Option<Self> {
        let kind = match self.kind {
            HintKind::Type => HintKind::TypeElement,
            HintKind::First => HintKind::FirstElement,
            HintKind::Second => HintKind::SecondElement,
            HintKind::Third => HintKind::ThirdElement,
            _ => return self.element(),
        };
        Some(self.with(kind))
    }

    /// A list of its elements, as who copies a collection makes it.
    pub(crate) fn copied(self) -> Self {
        match self.kind {
            HintKind::Value => self.with(HintKind::List),
            HintKind::Result => self.with(HintKind::ResultList),
            HintKind::Elements
            | HintKind::List
            | HintKind::ResultList
            | HintKind::ListOf
            | HintKind::ListOfResults => self,
            _ => Self::LITERAL,
        }
    }

    /// A list of such; `None` where that cannot be said.
    pub(crate) fn listed(self) -> Option<Self> {
        Some(match self.kind {
            HintKind::Literal => self,
            HintKind::Type => self.with(HintKind::Elements),
            HintKind::Value => self.with(HintKind::ListOf),
            HintKind::Result => self.with(HintKind::ListOfResults),
            _ => return None,
        })
    }

    /// A map to such, where it is a list of it.
    pub(crate) fn mapped(self) -> Self {
        match self.kind {
            HintKind::Elements => self.with(HintKind::Map),
            HintKind::ListOf => self.with(HintKind::MapOf),
            HintKind::ListOfResults => self.with(HintKind::MapOfResults),
            HintKind::List => self.with(HintKind::MapFrom),
            HintKind::ResultList => self.with(HintKind::ResultMapFrom),
            _ => self,
        }
    }

    /// What going over it gives, one after the other.
    pub(crate) fn each(self) -> Option<Self> {
        let kind = match self.kind {
            HintKind::Value | HintKind::List => HintKind::Each,
            HintKind::Result | HintKind::ResultList => HintKind::ResultEach,
            kind if kind.is_map() => return None,
            _ => return self.element(),
        };
        Some(self.with(kind))
    }

    /// The value of each entry that going over it gives.
    pub(crate) fn each_value(self) -> Option<Self> {
        let kind = match self.kind {
            HintKind::Value | HintKind::List => HintKind::EachValue,
            HintKind::Result | HintKind::ResultList => HintKind::ResultEachValue,
            kind if kind.is_map() => return self.element(),
            _ => return None,
        };
        Some(self.with(kind))
    }

    /// One element of it, as an index takes it.
    pub(crate) fn element(self) -> Option<Self> {
        let kind = match self.kind {
            HintKind::Value | HintKind::List => HintKind::Element,
            HintKind::Result | HintKind::ResultList => HintKind::ResultElement,
            HintKind::Elements | HintKind::Map => HintKind::Type,
            HintKind::ListOf | HintKind::MapOf => HintKind::Value,
            HintKind::ListOfResults | HintKind::MapOfResults => HintKind::Result,
            HintKind::MapFrom => HintKind::Each,
            HintKind::ResultMapFrom => HintKind::ResultEach,
            _ => return None,
        };
        Some(self.with(kind))
    }

    /// An element of it, so many levels deep. What is in a literal is a literal.
    pub(crate) fn nested_element(self, levels: usize) -> Option<Self> {
        (0..levels).try_fold(self, |of, _| match of.kind {
            HintKind::Literal => Some(of),
            _ => of.element(),
        })
    }

    /// A collection of it, so many levels deep, as an array type is one of its elements' type.
    pub(crate) fn collections(self, levels: usize) -> Option<Self> {
        match (self.kind, levels) {
            (_, 0) | (HintKind::Literal, _) => Some(self),
            (HintKind::Type, 1) => Some(self.with(HintKind::Elements)),
            _ => None,
        }
    }

    /// What calling it gives, when it is what a name stands for.
    pub(crate) fn called(self) -> Option<Self> {
        (self.kind == HintKind::Value).then_some(self.with(HintKind::Result))
    }

    /// An instance of it, when it is what the name of a type stands for.
    pub(crate) fn instantiated(self) -> Option<Self> {
        (self.kind == HintKind::Value).then_some(self.with(HintKind::Type))
    }

    /// The same name, followed in another way.
    pub(crate) fn with(self, kind: HintKind) -> Self {
        Self { kind, ..self }
    }

    /// Where the name starts that it follows from, in quotes or not.
    pub(crate) fn at(self) -> Point {
        self.at
    }

    /// Where the identifier starts that the value follows from; `None` when it follows from none, or
    /// from a name in quotes.
    pub(crate) fn identifier(self) -> Option<Point> {
        (!self.is_alone() && !self.quoted).then_some(self.at)
    }

    /// Where the name of the type starts that the value is an instance of.
    pub(crate) fn type_name(self) -> Option<Point> {
        (self.kind == HintKind::Type).then_some(self.identifier()?)
    }

    /// Whether it follows from no occurrence.
    fn is_alone(self) -> bool {
        self.kind.is_alone()
    }

    /// A hint that follows from no occurrence.
    const fn alone(kind: HintKind) -> Self {
        Self {
            kind,
            at: Point { row: 0, column: 0 },
            quoted: false,
        }
    }

    /// Where the name begins that it follows from.
    pub(super) fn place(self) -> Option<Point> {
        let is_alone = matches!(
            self.kind,
            HintKind::This | HintKind::Super | HintKind::Literal | HintKind::Never
        );
        (!is_alone).then_some(self.at)
    }

    /// The value is the object itself.
    pub(crate) const THIS: Self = Self::alone(HintKind::This);

    /// The value is the object itself, seen as an instance of its base type.
    pub(crate) const SUPER: Self = Self::alone(HintKind::Super);

    /// There is no value.
    pub(crate) const NEVER: Self = Self::alone(HintKind::Never);

    /// Who calls need not give the parameter.
    pub(crate) const PRESET: Self = Self::alone(HintKind::Preset);

    /// The parameter takes any number of arguments.
    pub(crate) const REST: Self = Self::alone(HintKind::Rest);

    /// The parameter is the last of the definition around it.
    pub(crate) const LAST: Self = Self::alone(HintKind::Last);

    /// The name is that of a type parameter.
    pub(crate) const TYPE_PARAMETER: Self = Self::alone(HintKind::TypeParameter);

    /// The value is a literal, or of a type of the language itself.
    pub(crate) const LITERAL: Self = Self::alone(HintKind::Literal);
}

/// What one step of looking through an expression finds.
pub(crate) enum Step<'n> {
    /// What its value is.
    Known(Hint),
    /// It has the value of this part.
    Same(Node<'n>),
}

/// [`TypeHints`] in the making.
#[derive(Default)]
pub(crate) struct HintsDraft {
    locals: Vec<(Point, Range<Point>, Option<Hint>)>,
    values: Vec<(u32, Hint)>,
    receivers: Vec<(Point, Hint)>,
    /// What names that are called are given, each with the column that it ends in.
    counts: Vec<(Point, usize, HintKind)>,
    /// Functions of which a decorator makes something else.
    decorated: Vec<(u32, Hint)>,
}

impl<'t> Walk<'t> {
    /// Notes that `name` is bound for uses between two places, its own included when it lies there.
    pub(crate) fn local(&mut self, name: Node<'t>, scope: Range<Point>, hint: Option<Hint>) {
        self.local_at(name.start_position(), scope, hint);
    }

    /// The same of a name that begins inside of a node.
    pub(crate) fn local_at(&mut self, at: Point, scope: Range<Point>, hint: Option<Hint>) {
        let scope = self.scope_in_file(scope);
        if self.hints.locals.len() < MAX_HINTS {
            self.hints.locals.push((at, scope, hint));
        }
    }

    /// Notes that `name` is bound in the nearest enclosing node of one of these kinds.
    pub(crate) fn local_in(&mut self, kinds: &[&str], name: Node<'t>, hint: Option<Hint>) {
        let scope = self.scope_within(kinds);
        self.local(name, scope, hint);
    }

    /// Notes that names are bound together, with the same said of each.
    pub(crate) fn locals(
        &mut self,
        names: impl IntoIterator<Item = Node<'t>>,
        scope: &Range<Point>,
        hint: Option<Hint>,
    ) {
        for name in names {
            self.local(name, scope.clone(), hint);
        }
    }

    /// Notes that a symbol binds a name, where a language allows to bind again; whether it is the
    /// first time.
    pub(crate) fn first_bound(&mut self, holder: Option<u32>, name: &[u8]) -> bool {
        let (id, _) = self.names.intern(name);
        self.bound.insert((holder, id))
    }

    /// Whether a symbol has bound a name.
    pub(crate) fn is_bound(&mut self, holder: Option<u32>, name: &[u8]) -> bool {
        let (id, _) = self.names.intern(name);
        self.bound.contains(&(holder, id))
    }

    /// Notes the value of a symbol: of a field or variable, or what a function returns. What is
    /// noted first counts.
    pub(crate) fn value(&mut self, symbol: u32, hint: Hint) {
        self.hints.values.push((symbol, hint));
    }

    /// Notes what a decorator makes of a symbol. What is known of the value of that is said of the decorator.
    pub(crate) fn decorated(&mut self, symbol: u32, hint: Hint) {
        self.hints.decorated.push((symbol, hint));
    }

    /// How many local names and receivers are noted by now.
    pub(crate) fn noted(&self) -> (usize, usize) {
        (self.hints.locals.len(), self.hints.receivers.len())
    }

    /// Says that a parameter is the last: of the first name that was noted since. Where that says already what it is
    /// taken out of, it is said in place of what is known of its own value.
    pub(crate) fn last_parameter(&mut self, (locals, receivers): (usize, usize)) {
        let Some((at, _, hint)) = self.hints.locals.get_mut(locals) else {
            return;
        };
        let (at, mut of_it) = (*at, self.hints.receivers[receivers..].iter());
        match of_it.any(|(of, _)| *of == at) {
            true => *hint = Some(Hint::LAST),
            false => self.receiver(at, Hint::LAST),
        }
    }

    /// Notes what the object of the member access is whose member stands at `member`. What is noted first counts.
    pub(crate) fn receiver(&mut self, member: Point, hint: Hint) {
        if self.hints.receivers.len() < MAX_HINTS {
            self.hints.receivers.push((member, hint));
        }
    }

    /// Notes what a call of a name gives by what it is handed, unless the repository defines what is called.
    pub(crate) fn gives(&mut self, called: Node<'t>, hint: Option<Hint>) {
        if let Some(hint) = hint.filter(|hint| *hint != Hint::LITERAL) {
            let at = called.start_position();
            if self.hints.locals.len() < MAX_HINTS {
                self.hints.locals.push((at, at..at, Some(hint)));
            }
        }
    }

    /// Notes how many arguments a call of a name has; `None` where nothing tells. What is noted first counts.
    pub(crate) fn count(&mut self, called: Node<'t>, count: Option<usize>) {
        if self.hints.counts.len() < MAX_HINTS {
            let (at, end) = (called.start_position(), called.end_position());
            let said = HintKind::of_arguments(count);
            self.hints.counts.push((at, end.column, said));
        }
    }

    /// The span of the nearest enclosing node of one of these kinds, the node being entered not
    /// counted; the whole file if there is none.
    pub(crate) fn scope_within(&self, kinds: &[&str]) -> Range<Point> {
        let found = self.enclosing(kinds);
        let node = found.or(self.stack.first()).map(|frame| frame.node);
        node.map_or(Point::default()..Point::default(), NodeExt::span)
    }

    /// From a place to the end of the nearest enclosing node of one of these kinds.
    pub(crate) fn scope_from(&self, start: Point, kinds: &[&str]) -> Range<Point> {
        start..self.scope_within(kinds).end
    }
}

impl Draft<'_> {
    /// Notes the value of what is defined: of a field or variable, or what a function returns.
    pub(crate) fn value(&mut self, hint: Option<Hint>) {
        self.value = hint.or(self.value);
    }
}

impl HintsDraft {
    /// Follows a new order of the symbols: `new[i]` is where symbol `i` is now.
    pub(crate) fn reorder_symbols(&mut self, new: &[u32]) {
        for (symbol, _) in self.values.iter_mut().chain(&mut self.decorated) {
            *symbol = new[*symbol as usize];
        }
    }

    /// Names that functions and blocks bind.
    pub(crate) fn declared(
        &self,
        occurrences: &[Occurrence<LocalName>],
    ) -> impl Iterator<Item = LocalName> {
        let key = |(at, ..): &(Point, _, _)| (at.row as u32 + 1, at.column as u32);
        let places: FxHashSet<_> = self.locals.iter().map(key).collect();
        let declares = move |found: &&Occurrence<_>| places.contains(&(found.line, found.col));
        occurrences.iter().filter(declares).map(|found| found.name)
    }

    /// Says of decorators what is known of the value of what they decorate, and of that the decorators. The values are
    /// in order, and each is of another symbol.
    fn put_before_decorated(&mut self) {
        for (symbol, decorator) in std::mem::take(&mut self.decorated) {
            match self.values.binary_search_by_key(&symbol, |(of, _)| *of) {
                Ok(at) => {
                    let known = std::mem::replace(&mut self.values[at].1, decorator);
                    self.receivers.push((decorator.at, known));
                }
                Err(at) => self.values.insert(at, (symbol, decorator)),
            }
        }
    }

    /// Looks up the occurrences that the hints name. `occurrences` is in source order.
    pub(crate) fn finish(mut self, occurrences: &[Occurrence<LocalName>]) -> TypeHints {
        let place = |found: &Occurrence<_>| (found.line, found.col);
        if !occurrences.is_sorted_by_key(place) {
            return TypeHints::default();
        }
        let key = |at: Point| (at.row as u32 + 1, at.column as u32);
        let first = |at: Point| occurrences.partition_point(|found| place(found) < key(at)) as u32;
        let exact = |at: Point| {
            let i = first(at);
            let found = occurrences.get(i as usize)?;
            (place(found) == key(at)).then_some(i)
        };
        let stored = |hint: Hint| {
            let occurrence = match hint.is_alone() {
                true => 0,
                false => exact(hint.at)?,
            };
            Some(TypeHint {
                kind: hint.kind,
                occurrence,
            })
        };
        let local = |(at, scope, hint): (Point, Range<Point>, Option<Hint>)| {
            let known = hint.and_then(stored);
            // A check of which nothing is left says nothing.
            let says = known.is_some() || !hint.is_some_and(|hint| hint.kind.is_of_check());
            says.then_some(Local {
                declared: exact(at)?,
                scope: first(scope.start)..first(scope.end).max(first(scope.start)),
                hint: known,
            })
        };
        self.values.sort_by_key(|(symbol, _)| *symbol);
        self.values.dedup_by_key(|(symbol, _)| *symbol);
        self.put_before_decorated();
        let mut locals: Vec<Local> = self.locals.into_iter().filter_map(local).collect();
        locals.sort_by_key(|local| local.declared);
        self.receivers.sort_by_key(|(at, _)| key(*at));
        // What is noted first counts.
        self.receivers.dedup_by_key(|(at, _)| *at);
        // A name right behind the parenthesis is one argument, which is not said.
        let is_told = |called: u32, end: usize| {
            let (Some(of), Some(next)) = (
                occurrences.get(called as usize),
                occurrences.get(called as usize + 1),
            ) else {
                return false;
            };
            place(next) == (of.line, end as u32 + 1)
                && matches!(next.kind, OccurrenceKind::Read | OccurrenceKind::Call)
                && next.qualifier == Qualifier::None
        };
        self.counts.sort_by_key(|(at, ..)| key(*at));
        self.counts.dedup_by_key(|(at, ..)| *at);
        let counts = self.counts.into_iter().filter_map(|(at, end, kind)| {
            let called = exact(at)?;
            let says = kind != HintKind::Count1 || !is_told(called, end);
            says.then_some((
                called,
                TypeHint {
                    kind,
                    occurrence: 0,
                },
            ))
        });
        let values = self.values.into_iter();
        let receivers = self.receivers.into_iter();
        let receivers = receivers.filter_map(|(at, hint)| Some((exact(at)?, stored(hint)?)));
        let mut receivers: Vec<(u32, TypeHint)> = receivers.chain(counts).collect();
        receivers.sort_by_key(|(at, _)| *at);
        TypeHints {
            locals,
            values: values
                .filter_map(|(symbol, hint)| Some((symbol, stored(hint)?)))
                .collect(),
            receivers,
        }
    }
}
