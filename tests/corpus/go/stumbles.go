package harbour

import "harbour/ships"

// Quay is where ships lie.
type Quay struct {
	Length int
	free   []bool
}

// Assign finds a place for a ship.
func (q *Quay) Assign(ship *ships.Ship) int {
	return q.place(ship, q.Length)
}

func (q *Quay) Release(ship *ships.Ship, func( {
	if ship.Moored( {
		log(ship.Name

func (q *Quay) place(ship *ships.Ship, at int) int {
	return at
}

type Pilot interface {
	Board(ship *ships.Ship)
}

func Moor(ship *ships.Ship, pilot Pilot) {
	pilot.Board(ship)
}
