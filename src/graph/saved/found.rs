//! What files were found to say of types and values, as numbers: saved with a graph, so that the first edit a process
//! meets is looked at alone, as every later one.
//!
//! One number behind the other, each value as a code and what belongs to it. What lies too deep, and what is known by
//! numbers that the next tree may give to something else, is not written: the file that says it is looked at again.
//!
//! Guarantee: reading gives what was written or nothing. Every number of a file and of a definition is in range, and
//! nothing is nested deeper than it is written.

use super::super::callbacks::Callback;
use super::super::generics::Parameter;
use super::super::members::Based;
use super::super::modules::Place;
use super::super::reuse::Facts;
use super::super::rounds::Round;
use super::super::shapes::Shape;
use super::super::table::SymbolId;
use super::super::type_arguments::Generic;
use super::super::value::Value;
use super::super::values::{Found, What};
use crate::lang::naming::Holder;
use crate::view::live::FileId;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Values in values, see `MAX_NESTED` in [`super::super::reuse`].
const MAX_NESTED: usize = 8;

/// Rounds that are read; there are five.
const MAX_ROUNDS: u32 = 16;

/// Stands for no base in the repository.
const NONE: u32 = u32::MAX;

/// The codes of values.
mod code {
    pub(super) const INSTANCE: u32 = 0;
    pub(super) const ELEMENTS: u32 = 1;
    pub(super) const HELD: u32 = 2;
    pub(super) const TYPE: u32 = 3;
    pub(super) const FUNCTION: u32 = 4;
    pub(super) const MODULE: u32 = 5;
    pub(super) const EXTERNAL: u32 = 6;
    pub(super) const LITERAL: u32 = 7;
    pub(super) const SEVERAL: u32 = 8;
    pub(super) const PARAMETER: u32 = 9;
    pub(super) const GENERIC: u32 = 10;
    pub(super) const CALLBACK: u32 = 11;
    pub(super) const SHAPE: u32 = 12;
    pub(super) const MADE: u32 = 13;
    pub(super) const PROOF: u32 = 14;
    pub(super) const NEVER: u32 = 15;
    pub(super) const UNKNOWN: u32 = 16;
}

/// Writes what was found.
pub(super) fn write(facts: &Facts) -> Vec<u32> {
    let mut out = vec![facts.bases.len() as u32];
    for Based { file, class, base } in &facts.bases {
        out.extend([file.0, class.0, base.map_or(NONE, |base| base.0)]);
    }
    let mut again: FxHashSet<FileId> = facts.again.iter().copied().collect();
    out.push(facts.values.len() as u32);
    for round in &facts.values {
        let count_at = out.len();
        out.push(0);
        let mut count = 0;
        for found in round.iter() {
            let start = out.len();
            match write_found(found, &mut out) {
                Some(()) => count += 1,
                None => {
                    out.truncate(start);
                    again.insert(found.file);
                }
            }
        }
        out[count_at] = count;
    }
    let mut again: Vec<u32> = again.into_iter().map(|file| file.0).collect();
    again.sort_unstable();
    out.push(again.len() as u32);
    out.extend(again);
    out
}

fn write_found(found: &Found, out: &mut Vec<u32>) -> Option<()> {
    let guess = u32::from(found.is_guess);
    let has = |is: bool| u32::from(is) << 1 | guess;
    out.extend([found.file.0, found.id.0]);
    match &found.what {
        What::Is(value) => {
            out.push(has(false));
            write_value(value, MAX_NESTED, out)
        }
        What::Has(bases) => {
            out.extend([has(true), bases.len() as u32]);
            out.extend(bases.iter().map(|base| base.0));
            Some(())
        }
    }
}

fn write_value(value: &Value, levels: usize, out: &mut Vec<u32>) -> Option<()> {
    let levels = levels.checked_sub(1)?;
    match value {
        Value::Instance(of) => out.extend([code::INSTANCE, of.0]),
        Value::Elements(of) => out.extend([code::ELEMENTS, of.0]),
        Value::Held(holder, of) => out.extend([code::HELD, *holder as u32, of.0]),
        Value::Type(of) => out.extend([code::TYPE, of.0]),
        Value::Function(of) => out.extend([code::FUNCTION, of.0]),
        Value::Module(place) => {
            out.push(code::MODULE);
            write_place(place, out)?;
        }
        Value::Several(all) => {
            out.extend([code::SEVERAL, all.len() as u32]);
            for one in &**all {
                write_value(one, levels, out)?;
            }
        }
        Value::Parameter(of) => {
            let is_list = u32::from(of.is_list);
            out.extend([code::PARAMETER, of.of.0, of.at, is_list]);
            write_value(&of.bound, levels, out)?;
        }
        Value::Generic(of) => {
            out.extend([code::GENERIC, of.of.0, of.given.len() as u32]);
            for one in &of.given {
                write_value(one, levels, out)?;
            }
        }
        Value::Callback(of) => {
            out.extend([code::CALLBACK, of.takes.len() as u32]);
            for (one, is_guess) in &of.takes {
                out.push(u32::from(*is_guess));
                write_value(one, levels, out)?;
            }
            write_value(&of.gives, levels, out)?;
        }
        Value::Shape(of) => {
            let is_partial = u32::from(of.is_partial);
            out.extend([code::SHAPE, is_partial, of.members.len() as u32]);
            for (name, one) in &of.members {
                out.extend([*name as u32, (*name >> 32) as u32]);
                write_value(one, levels, out)?;
            }
        }
        Value::Made(of) => {
            out.push(code::MADE);
            write_value(of, levels, out)?;
        }
        Value::Proof(of) => {
            out.push(code::PROOF);
            write_value(of, levels, out)?;
        }
        Value::External => out.push(code::EXTERNAL),
        Value::Literal => out.push(code::LITERAL),
        Value::Never => out.push(code::NEVER),
        Value::Unknown => out.push(code::UNKNOWN),
    }
    Some(())
}

/// Of a folder or a namespace only this tree has the number.
fn write_place(place: &Place, out: &mut Vec<u32>) -> Option<()> {
    let (files, inner) = place.parts()?;
    out.push(files.len() as u32);
    out.extend(files.iter().map(|file| file.0));
    out.push(inner.len() as u32);
    for name in inner {
        out.push(name.len() as u32);
        let word = |bytes: &[u8]| {
            let mut word = [0; 4];
            word[..bytes.len()].copy_from_slice(bytes);
            u32::from_le_bytes(word)
        };
        out.extend(name.chunks(4).map(word));
    }
    Some(())
}

/// Reads what was found in a tree of so many files and definitions; `None` where it is not whole.
pub(super) fn read(numbers: &[u32], files: usize, symbols: usize) -> Option<Facts> {
    let mut reader = Reader {
        rest: numbers,
        files,
        symbols,
    };
    let bases = reader.list(3, |reader| {
        let (file, class) = (reader.file()?, reader.symbol()?);
        let base = match *reader.rest.first()? {
            NONE => {
                reader.number()?;
                None
            }
            _ => Some(reader.symbol()?),
        };
        Some(Based { file, class, base })
    })?;
    let rounds = reader.number().filter(|rounds| *rounds <= MAX_ROUNDS)?;
    let rounds = (0..rounds).map(|_| reader.list(4, Reader::found).map(Round::of));
    let values = rounds.collect::<Option<_>>()?;
    let again = reader.list(1, Reader::file)?;
    reader.rest.is_empty().then_some(Facts {
        bases,
        values,
        again,
    })
}

struct Reader<'a> {
    rest: &'a [u32],
    files: usize,
    symbols: usize,
}

impl Reader<'_> {
    fn number(&mut self) -> Option<u32> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn flag(&mut self) -> Option<bool> {
        self.number().filter(|flag| *flag < 2).map(|flag| flag == 1)
    }

    fn file(&mut self) -> Option<FileId> {
        let file = self.number()?;
        ((file as usize) < self.files).then_some(FileId(file))
    }

    fn symbol(&mut self) -> Option<SymbolId> {
        let symbol = self.number()?;
        ((symbol as usize) < self.symbols).then_some(SymbolId(symbol))
    }

    /// A list whose entries take at least so many numbers each.
    fn list<T>(
        &mut self,
        each: usize,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let count = self.number()? as usize;
        if count > self.rest.len() / each {
            return None;
        }
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            all.push(read(self)?);
        }
        Some(all)
    }

    fn found(&mut self) -> Option<Found> {
        let (file, id, kind) = (self.file()?, self.symbol()?, self.number()?);
        let what = match kind >> 1 {
            0 => What::Is(self.value(MAX_NESTED)?),
            1 => What::Has(self.list(1, Self::symbol)?),
            _ => return None,
        };
        Some(Found {
            file,
            id,
            what,
            is_guess: kind & 1 == 1,
        })
    }

    fn value(&mut self, levels: usize) -> Option<Value> {
        let levels = levels.checked_sub(1)?;
        Some(match self.number()? {
            code::INSTANCE => Value::Instance(self.symbol()?),
            code::ELEMENTS => Value::Elements(self.symbol()?),
            code::HELD => {
                let holder = Holder::ALL.get(self.number()? as usize)?;
                Value::Held(*holder, self.symbol()?)
            }
            code::TYPE => Value::Type(self.symbol()?),
            code::FUNCTION => Value::Function(self.symbol()?),
            code::MODULE => Value::Module(self.place()?),
            code::EXTERNAL => Value::External,
            code::LITERAL => Value::Literal,
            code::SEVERAL => Value::Several(self.list(1, |reader| reader.value(levels))?.into()),
            code::PARAMETER => {
                let (of, at, is_list) = (self.symbol()?, self.number()?, self.flag()?);
                let bound = self.value(levels)?;
                Value::Parameter(Arc::new(Parameter {
                    of,
                    at,
                    bound,
                    is_list,
                }))
            }
            code::GENERIC => {
                let of = self.symbol()?;
                let given = self.list(1, |reader| reader.value(levels))?;
                Value::Generic(Arc::new(Generic { of, given }))
            }
            code::CALLBACK => {
                let takes = self.list(2, |reader| {
                    let is_guess = reader.flag()?;
                    Some((reader.value(levels)?, is_guess))
                })?;
                let gives = self.value(levels)?;
                Value::Callback(Arc::new(Callback { takes, gives }))
            }
            code::SHAPE => {
                let is_partial = self.flag()?;
                let members = self.list(3, |reader| {
                    let (low, high) = (reader.number()?, reader.number()?);
                    let name = u64::from(high) << 32 | u64::from(low);
                    Some((name, reader.value(levels)?))
                })?;
                Value::Shape(Arc::new(Shape {
                    members,
                    is_partial,
                }))
            }
            code::MADE => Value::Made(Arc::new(self.value(levels)?)),
            code::PROOF => Value::Proof(Arc::new(self.value(levels)?)),
            code::NEVER => Value::Never,
            code::UNKNOWN => Value::Unknown,
            _ => return None,
        })
    }

    fn place(&mut self) -> Option<Place> {
        let files = self.list(1, Self::file)?;
        let inner = self.list(1, |reader| {
            let length = reader.number()? as usize;
            let words = reader.rest.get(..length.div_ceil(4))?;
            reader.rest = &reader.rest[words.len()..];
            let bytes = words.iter().flat_map(|word| word.to_le_bytes());
            Some(bytes.take(length).collect())
        })?;
        Some(Place::of_parts(files, inner))
    }
}

#[cfg(test)]
mod tests;
