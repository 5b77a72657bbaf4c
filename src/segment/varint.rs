//! Unsigned LEB128 numbers, and a cursor over a stream of them.

/// Appends `value`, seven bits a byte, lowest first.
pub(crate) fn put(out: &mut Vec<u8>, value: u64) {
    let mut rest = value;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// Appends a 32-bit value.
pub(crate) fn put32(out: &mut Vec<u8>, value: u32) {
    put(out, u64::from(value));
}

/// Maps small negative and positive differences to small numbers: 0, -1, 1, -2, ...
pub(crate) fn zigzag(difference: u32) -> u32 {
    (difference << 1) ^ ((difference as i32) >> 31) as u32
}

/// Undoes [`zigzag`].
pub(crate) fn unzigzag(code: u32) -> u32 {
    (code >> 1) ^ (code & 1).wrapping_neg()
}

/// What is left of a byte stream. Every read is bounds-checked and gives `None` at the end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }

    /// Reads a number of at most 32 bits.
    #[inline]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        let first = self.byte()?;
        if first < 0x80 {
            Some(u32::from(first))
        } else {
            self.long(first)
        }
    }

    fn long(&mut self, first: u8) -> Option<u32> {
        u32::try_from(self.long64(first)?).ok()
    }

    /// Reads a number of at most 63 bits.
    #[inline]
    pub(crate) fn u64(&mut self) -> Option<u64> {
        let first = self.byte()?;
        if first < 0x80 {
            Some(u64::from(first))
        } else {
            self.long64(first)
        }
    }

    fn long64(&mut self, first: u8) -> Option<u64> {
        let mut value = u64::from(first & 0x7f);
        for shift in (7..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a number and that many bytes.
    #[inline]
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.u32()?;
        self.take(len as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::super::arbitrary::cases;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_take_as_few_bytes_as_seven_bits_each_allow() {
        let bytes = |value| {
            let mut out = Vec::new();
            put(&mut out, value);
            out
        };
        assert_eq!(bytes(0), [0]);
        assert_eq!(bytes(127), [127]);
        assert_eq!(bytes(128), [0x80, 1]);
        assert_eq!(bytes(300), [0xac, 2]);
    }

    #[test]
    fn unfinished_and_oversized_numbers_are_refused() {
        assert_eq!(Cursor::new(&[]).u32(), None);
        assert_eq!(Cursor::new(&[0x80]).u32(), None);
        assert_eq!(Cursor::new(&[0xff, 0xff, 0xff, 0xff, 0x1f]).u32(), None);
        assert_eq!(Cursor::new(&[0xff; 20]).u64(), None);
        assert_eq!(Cursor::new(&[5, 1, 2]).bytes(), None);
    }

    proptest! {
        #![proptest_config(cases(256))]

        #[test]
        fn numbers_survive(value in 0..1u64 << 63, small: u32) {
            let mut out = Vec::new();
            put(&mut out, value);
            put32(&mut out, small);
            let mut cursor = Cursor::new(&out);
            prop_assert_eq!(cursor.u64(), Some(value));
            prop_assert_eq!(cursor.u32(), Some(small));
            prop_assert!(cursor.is_empty());
            prop_assert_eq!(unzigzag(zigzag(small)), small);
        }
    }
}
