use std::fmt;

/// Whole.
pub struct Before {
    pub field: u8,
}

impl Before {
    pub fn whole(&self) -> u8 {
        self.field
    }

    pub fn cut(&self, x: &str) -> Result<u8, fmt::Error> {
        let y = helper(x)?;
        if y.is_some() {
            self.
