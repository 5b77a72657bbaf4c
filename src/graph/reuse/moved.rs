//! Values under the numbers that definitions and files have in the next tree.

use super::super::callbacks::Callback;
use super::super::generics::Parameter;
use super::super::shapes::Shape;
use super::super::table::SymbolId;
use super::super::type_arguments::Generic;
use super::super::value::Value;
use super::GONE;
use crate::modules::place::Place;
use std::sync::Arc;

/// Where a definition is now.
type Now<'a> = &'a dyn Fn(SymbolId) -> Option<SymbolId>;

/// Values in values: a list of functions that take lists has four. What lies deeper is found again.
const MAX_NESTED: usize = 8;

/// What a module is now; `None` where that is to be found again.
type PlaceNow<'a> = &'a dyn Fn(&Place) -> Option<Place>;

impl Value {
    /// The highest number of the definitions that it speaks of, or one that no definition has where it lies too deep.
    pub(in crate::graph) fn most(&self) -> u32 {
        let mut most = 0;
        let mut open = vec![(self, MAX_NESTED)];
        while let Some((value, levels)) = open.pop() {
            let Some(levels) = levels.checked_sub(1) else {
                return GONE;
            };
            let mut inner = |value| open.push((value, levels));
            let of = match value {
                Self::Instance(of)
                | Self::Elements(of)
                | Self::Held(_, of)
                | Self::Type(of)
                | Self::Function(of) => of.0,
                Self::Several(all) => {
                    all.iter().for_each(inner);
                    0
                }
                Self::Parameter(parameter) => {
                    inner(&parameter.bound);
                    parameter.of.0
                }
                Self::Callback(callback) => {
                    callback.takes.iter().for_each(|(value, _)| inner(value));
                    inner(&callback.gives);
                    0
                }
                Self::Generic(generic) => {
                    generic.given.iter().for_each(inner);
                    generic.of.0
                }
                Self::Shape(shape) => {
                    shape.members.iter().for_each(|(_, value)| inner(value));
                    0
                }
                Self::Proof(of) | Self::Made(of) => {
                    inner(of);
                    0
                }
                Self::Module(_) | Self::External | Self::Literal | Self::Never | Self::Unknown => 0,
            };
            most = most.max(of);
        }
        most
    }

    /// The value under the numbers that definitions and files have now; `None` when one of them is gone, or it is to be
    /// found again.
    pub(super) fn moved(&self, place: PlaceNow<'_>, now: Now<'_>) -> Option<Self> {
        self.moved_within(MAX_NESTED, place, now)
    }

    /// The same of a value that lies in others, so many levels deep at most.
    fn moved_within(&self, levels: usize, place: PlaceNow<'_>, now: Now<'_>) -> Option<Self> {
        let levels = levels.checked_sub(1)?;
        let inner = |value: &Self| value.moved_within(levels, place, now);
        Some(match self {
            Self::Instance(of) => Self::Instance(now(*of)?),
            Self::Elements(of) => Self::Elements(now(*of)?),
            Self::Held(holder, of) => Self::Held(*holder, now(*of)?),
            Self::Type(of) => Self::Type(now(*of)?),
            Self::Function(of) => Self::Function(now(*of)?),
            Self::Module(of) => Self::Module(place(of)?),
            Self::Several(all) => Self::Several(all.iter().map(inner).collect::<Option<_>>()?),
            Self::Parameter(parameter) => Self::Parameter(Arc::new(Parameter {
                of: now(parameter.of)?,
                at: parameter.at,
                bound: inner(&parameter.bound)?,
                is_list: parameter.is_list,
            })),
            Self::Callback(callback) => {
                let takes = callback.takes.iter();
                let takes = takes.map(|(value, is_guess)| Some((inner(value)?, *is_guess)));
                Self::Callback(Arc::new(Callback {
                    takes: takes.collect::<Option<_>>()?,
                    gives: inner(&callback.gives)?,
                }))
            }
            Self::Generic(generic) => {
                let given = generic.given.iter().map(inner).collect::<Option<_>>()?;
                let of = now(generic.of)?;
                Self::Generic(Arc::new(Generic { of, given }))
            }
            Self::Shape(shape) => {
                let members = shape.members.iter();
                let members = members.map(|(name, value)| Some((*name, inner(value)?)));
                Self::Shape(Arc::new(Shape {
                    members: members.collect::<Option<_>>()?,
                    is_partial: shape.is_partial,
                }))
            }
            Self::Proof(of) => Self::Proof(Arc::new(inner(of)?)),
            Self::Made(of) => Self::Made(Arc::new(inner(of)?)),
            Self::External | Self::Literal | Self::Never | Self::Unknown => self.clone(),
        })
    }
}
