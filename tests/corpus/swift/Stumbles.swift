import Ships

/// Where ships lie.
public class Quay {
    let length: Int

    init(length: Int) {
        self.length = length
    }

    func assign(_ ship: Ship) -> Int {
        return place(ship, at: length)
    }

    func release(_ ship: Ship, {
        if ship.moored( {
            log(ship.name

    private func place(_ ship: Ship, at: Int) -> Int {
        return at
    }

    func isFree(from: Int, to: Int) -> Bool {
        return from < to
    }
}

func tow(_ ship: Ship, quay: Quay = {
    quay.assign(ship

protocol Pilot {
    func board(_ ship: Ship)
}

func moor(_ ship: Ship, quay: Quay) -> Int {
    return quay.assign(ship)
}
