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
