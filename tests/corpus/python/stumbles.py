"""Where ships lie."""

from harbour.ships import Ship


class Quay:
    """A wall that ships are moored to."""

    def __init__(self, length):
        self.length = length

    def assign(self, ship):
        return self.place(ship, at=self.length)

    def release(self, ship, (
        if ship.moored([{
            log(ship.name

    def place(self, ship, at):
        return Ship(ship, at)

    @property
    def is_free(self):
        return self.length > 0


def tow(ship, quay={(
    quay.assign(ship


class Pilot:
    def board(self, ship):
        return tow(ship, Quay(1))


def moor(ship):
    Pilot().board(ship)
