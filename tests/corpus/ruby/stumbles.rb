require "ships"

module Harbour
  # Where ships lie.
  class Quay
    attr_reader :length

    def initialize(length)
      @length = length
    end

    def assign(ship)
      place(ship, @length)
    end

    def release(ship, {
      if ship.moored([
        log(ship.name

    def place(ship, at)
      ships[at] = ship
    end

    def free?(from, to)
      from < to
    end
  end

  class Pilot
    def board(ship)
      Quay.new(1).assign(ship)
    end
  end
end
