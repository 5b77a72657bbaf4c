//! In which definition a place lies.

use super::documents::DocSymbol;

/// Finds the innermost symbol of places that come in source order.
pub(super) struct Owners<'a> {
    symbols: &'a [DocSymbol],
    next: usize,
    open: Vec<u32>,
}

impl<'a> Owners<'a> {
    pub(super) fn new(symbols: &'a [DocSymbol]) -> Self {
        Self {
            symbols,
            next: 0,
            open: Vec::new(),
        }
    }

    /// Position of the symbol plus one; 0 for none.
    pub(super) fn at(&mut self, place: (u32, u32)) -> u32 {
        while let Some(symbol) = self.symbols.get(self.next)
            && symbol.start <= place
        {
            self.open.push(self.next as u32);
            self.next += 1;
        }
        let symbols = self.symbols;
        let contains = |i: &u32| symbols[*i as usize].end > place;
        // Spans may overlap without nesting (a member assigned elsewhere), so not only the last goes.
        self.open.retain(contains);
        self.open.last().map_or(0, |i| i + 1)
    }
}
