use harbour::ships::Ship;

/// Where ships lie.
pub struct Quay {
    length: usize,
}

impl Quay {
    pub fn new(length: usize) -> Self {
        Self { length }
    }

    pub fn release(&mut self, ship: &Ship, |x| {
        if let Some(berth = ship.moored( {
            log(ship.name

    pub fn assign(&mut self, ship: &Ship) -> usize {
        self.place(ship, self.length)
    }

    fn place(&mut self, _ship: &Ship, at: usize) -> usize {
        at
    }
}

fn tow(ship: &Ship, quay: &mut Quay -> {
    quay.assign(ship

pub trait Pilot {
    fn board(&self, ship: &Ship);
}

pub fn moor(ship: &Ship, quay: &mut Quay) -> usize {
    quay.assign(ship)
}
