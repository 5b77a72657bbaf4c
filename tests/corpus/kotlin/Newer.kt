package harbour

class Guarded {
    context(log: Log, clock: Clock)
    private fun <T> timed(shape: Shape): Int =
        when (shape) {
            is Circle if shape.radius > 0 -> area(shape)
            is Circle -> 0
            else -> 1
        }

    fun afterwards() {}
}

/** What nobody else should name. */
@InternalHarbourApi
const val BERTHS = 12

@InternalHarbourApi
internal const val PILOTS = BERTHS

@Deprecated("gone")
actual fun flood() {
    moor()
}

class Lock {
    private var open = false

    fun fill() {
        val ready: Boolean
        withLock {
            open = isFull()
        }
    }

    @Throws(IOException::class)
    internal fun drain() {
        open = false
    }
}

class Pilot(private val rest: suspend () -> Unit = suspend { }) {
    fun relieve(next: suspend () -> Unit): Pilot =
        copy(rest = suspend { rest(); next() })

    @Value($$"${harbour.pilots:}#{T(java.util.List).of()}")
    lateinit var names: List<String>

    fun rank(ship: Ship): Int = when (ship) {
        is Tug if (
            ship.isFree && ship.length < 30
            ) -> 1
        else -> 2
    }

    fun find(where: Ship?, limit: Int?): String = with(Query()) {
        each(" SET ") { ship ->
            add(ship)
        }
        where?.let {
            +" WHERE "
            +it
        }
        text()
    }

    fun board() {}
}
