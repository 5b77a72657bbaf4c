package harbour

import harbour.ships.Ship

/** What came of an attempt to berth. */
@JvmInline
public value class Berthing<out S>
@PublishedApi internal constructor(@PublishedApi internal val outcome: Any?) {
    /** Whether the ship lies at its berth. */
    public val isMoored: Boolean get() = outcome !is Refused

    public fun shipOrNull(): S? = if (isMoored) outcome as S else null

    internal class Refused(val reason: String?)
}

public interface Quay {
    public val length: Int

    public fun assign(ship: Ship): Berthing<Ship>

    public fun release(ship: Ship
        log.info("released ${ship.name}"

    public fun isFree(from: Int, to: Int): Boolean
}

fun tow(ship: Ship, quay: Quay = {
    quay.assign(ship)

class Pilot(private val quay: Quay) {
    fun board(ship: Ship) {
        quay.assign(ship)
    }
}

fun moor(ship: Ship, quay: Quay) {
    Pilot(quay).board(ship)
}
