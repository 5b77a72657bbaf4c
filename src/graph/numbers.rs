//! Columns of numbers: made here, or read in place from a saved graph, whose pages all processes share. Where the graphs of
//! one tree after the other have the same column, they share it as well.
//!
//! What is saved was written on this machine ([`crate::cache`]), so numbers lie in the file as they lie in memory.

use bytemuck::Pod;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// The bytes of a saved graph.
pub(crate) type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A column of numbers.
#[derive(Clone)]
pub(super) struct Numbers<T> {
    own: Vec<T>,
    /// Numbers that are not changed; where there are any, `own` is empty.
    lent: Option<Lent<T>>,
}

/// Numbers that others see, too.
#[derive(Clone)]
enum Lent<T> {
    Shared(Arc<Vec<T>>),
    /// A range of bytes that is aligned and whole.
    Saved(Bytes, Range<usize>),
}

impl<T: Pod> Numbers<T> {
    /// The numbers, to be changed; those that others see, too, are copied first.
    pub(super) fn own(&mut self) -> &mut Vec<T> {
        if self.lent.is_some() {
            *self = Self::from(self.to_vec());
        }
        &mut self.own
    }
}

impl<T: Pod> Deref for Numbers<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.lent {
            None => &self.own,
            Some(Lent::Shared(shared)) => shared,
            Some(Lent::Saved(bytes, range)) => {
                let bytes = (**bytes).as_ref().get(range.clone());
                bytemuck::try_cast_slice(bytes.unwrap_or_default()).unwrap_or_default()
            }
        }
    }
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<T> From<Vec<T>> for Numbers<T> {
    fn from(own: Vec<T>) -> Self {
        Self { own, lent: None }
    }
}

impl<T: Pod + PartialEq> PartialEq for Numbers<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for Numbers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// What surrounds columns is encoded without them; they follow it.
impl<T> bincode::Encode for Numbers<T> {
    fn encode<E: bincode::enc::Encoder>(
        &self,
        _encoder: &mut E,
    ) -> Result<(), bincode::error::EncodeError> {
        Ok(())
    }
}

impl<T, Context> bincode::Decode<Context> for Numbers<T> {
    fn decode<D: bincode::de::Decoder<Context = Context>>(
        _decoder: &mut D,
    ) -> Result<Self, bincode::error::DecodeError> {
        Ok(Self::default())
    }
}

impl<'de, T, Context> bincode::BorrowDecode<'de, Context> for Numbers<T> {
    fn borrow_decode<D: bincode::de::BorrowDecoder<'de, Context = Context>>(
        _decoder: &mut D,
    ) -> Result<Self, bincode::error::DecodeError> {
        Ok(Self::default())
    }
}

/// A column, whatever its numbers are.
pub(super) trait Column {
    /// Its numbers as they lie in memory.
    fn bytes(&self) -> &[u8];

    /// Takes its numbers from a range of bytes; `None` when they do not fit in there.
    fn read(&mut self, bytes: &Bytes, range: Range<usize>) -> Option<()>;

    /// Lets clones of it have the same numbers.
    fn share(&mut self);
}

impl<T: Pod> Column for Numbers<T> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }

    fn read(&mut self, bytes: &Bytes, range: Range<usize>) -> Option<()> {
        let all = (**bytes).as_ref().get(range.clone())?;
        let is_whole = all.len() % size_of::<T>() == 0;
        *self = match bytemuck::try_cast_slice::<u8, T>(all) {
            Ok(_) => Self {
                own: Vec::new(),
                lent: Some(Lent::Saved(bytes.clone(), range)),
            },
            // Bytes that were not mapped may lie anywhere.
            Err(_) if is_whole => Self::from(bytemuck::allocation::pod_collect_to_vec(all)),
            Err(_) => return None,
        };
        Some(())
    }

    fn share(&mut self) {
        if self.lent.is_none() {
            let own = Arc::new(std::mem::take(&mut self.own));
            self.lent = Some(Lent::Shared(own));
        }
    }
}

/// Lists the columns of a type, in the order in which they are saved.
macro_rules! columns {
    ($type:ident: $($($field:ident).+)+) => {
        impl $type {
            /// Its columns, in the order in which they are saved.
            pub(super) fn columns(&self) -> Vec<&dyn $crate::graph::numbers::Column> {
                vec![$(&self.$($field).+),+]
            }

            /// The same, to be read.
            pub(super) fn columns_mut(&mut self) -> Vec<&mut dyn $crate::graph::numbers::Column> {
                vec![$(&mut self.$($field).+),+]
            }
        }
    };
}
pub(super) use columns;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_read_where_it_lies_or_copied() {
        let made = Numbers::from(vec![1u32, 2, 3]);
        let mut bytes = vec![0; 4];
        bytes.extend_from_slice(made.bytes());
        bytes.push(9);
        let bytes: Bytes = Arc::new(bytes);
        for (range, wanted) in [
            (4..16, Some(&[1, 2, 3][..])),
            (4..8, Some(&[1])),
            (4..4, Some(&[])),
            (3..7, Some(&[256])),
        ] {
            let mut read = Numbers::<u32>::default();
            let found = read.read(&bytes, range.clone()).map(|()| &*read);
            assert_eq!(found, wanted, "{range:?}");
        }
        for range in [4..17, 4..15, 12..40, 40..44] {
            assert_eq!(
                Numbers::<u32>::default().read(&bytes, range.clone()),
                None,
                "{range:?}"
            );
        }
        let mut read = Numbers::<u32>::default();
        read.read(&bytes, 4..16).unwrap();
        assert_eq!(read, made);
        read.own().push(4);
        assert_eq!(*read, [1, 2, 3, 4]);
    }
}
