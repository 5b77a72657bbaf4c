package harbour

import harbour.ships.Ship

/** Where ships lie. */
class Quay(length: Int) {
  def assign(ship: Ship): Int = {
    place(ship, length)
  }

  def release(ship: Ship, {
    if (ship.moored( {
      log(ship.name

  private def place(ship: Ship, at: Int): Int = {
    at
  }

  def isFree(from: Int, to: Int): Boolean = from < to
}

trait Pilot {
  def board(ship: Ship): Unit
}

object Harbour {
  def moor(ship: Ship, quay: Quay): Int = {
    quay.assign(ship)
  }
}
