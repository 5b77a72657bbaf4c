//! The body of a made-up function.

use super::dialect::Dialect;
use super::random::Random;

/// Deepest block in a function.
const DEEPEST: usize = 3;

/// Something that code can call.
pub struct Callee {
    /// What stands before the arguments; for a method with the object.
    pub call: String,
    pub arguments: usize,
}

/// The body of one function.
pub struct Body<'a> {
    pub dialect: Dialect<'a>,
    pub random: Random,
    pub callees: &'a [Callee],
    /// Expressions that can be used, the variables of outer blocks first.
    pub known: Vec<String>,
}

impl Body<'_> {
    /// Writes about so many bytes, and what the function returns.
    pub fn write(mut self, out: &mut String, indent: &str, bytes: usize) {
        let end = out.len() + bytes;
        while out.len() < end {
            self.statement(out, indent, 1);
        }
        let (a, b) = (self.value(), self.value());
        self.dialect.leave(out, indent, &format!("{a} + {b}"));
    }

    fn statement(&mut self, out: &mut String, indent: &str, depth: usize) {
        let choice = self.random.below(100);
        let words = self.dialect.words;
        match choice {
            0..45 if !self.callees.is_empty() => {
                let callee = self.random.one_of(self.callees);
                let arguments: Vec<String> = (0..callee.arguments).map(|_| self.value()).collect();
                let value = format!("{}{})", callee.call, arguments.join(", "));
                self.assign(out, indent, &value);
            }
            0..65 => {
                let (a, b) = (self.value(), self.value());
                let operator = *self.random.one_of(&["+", "-", "*"]);
                self.assign(out, indent, &format!("{a} {operator} {b}"));
            }
            65..85 if depth < DEEPEST => {
                let inner = format!("{indent}{}", self.dialect.step());
                let known = self.known.len();
                if choice < 78 {
                    let (a, b) = (self.value(), self.value());
                    self.dialect.open_if(out, indent, &a, &b);
                } else {
                    let (each, end) = (self.new_variable(), self.value());
                    self.dialect.open_loop(out, indent, &each, &end);
                    self.known.push(each);
                }
                for _ in 0..self.random.between(1, 3) {
                    self.statement(out, &inner, depth + 1);
                }
                // A comment alone is no block in Python.
                let value = self.value();
                self.assign(out, &inner, &value);
                self.known.truncate(known);
                self.dialect.close(out, indent);
            }
            85..93 => {
                let sentence = words.sentence(&mut self.random);
                self.dialect.remark(out, indent, &sentence);
            }
            _ => {
                let action = words.action(&mut self.random);
                let text = format!("cannot {}", words.prose(action));
                self.dialect.log(out, indent, &text);
            }
        }
    }

    fn assign(&mut self, out: &mut String, indent: &str, value: &str) {
        let variable = self.new_variable();
        self.dialect.assign(out, indent, &variable, value);
        self.known.push(variable);
    }

    fn new_variable(&mut self) -> String {
        let name = self
            .dialect
            .variable(self.dialect.words.thing(&mut self.random));
        if self.known.contains(&name) {
            return format!("{name}{}", self.known.len());
        }
        name
    }

    fn value(&mut self) -> String {
        match self.random.below(self.known.len() + 1) {
            0 => self.random.below(100).to_string(),
            at => self.known[at - 1].clone(),
        }
    }
}
