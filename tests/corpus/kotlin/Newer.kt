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
