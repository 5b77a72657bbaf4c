package broken

class Half {
    fun before() = 1

    fun typing(name: String) {
        val x = name.
    }

    fun after() = before()

    fun open(a: Int, {

    fun last() { after() }
}

class Next {
    val field: =
    fun still() { Half().after( }
}
