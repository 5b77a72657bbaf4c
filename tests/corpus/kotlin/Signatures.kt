package harbour

/** Where ships lie. */
@Deprecated("use Pier") // since 2
internal class Wharf

@Suppress("unused")
/* kept for callers */
// and for tests
fun dredge(depth: Int): Int = depth
