package broken

class Half {
  def before: Int = 1

  def typing(name: String): Unit = {
    val x = name.
  }

  def after: Int = before

  def open(a: Int, {

  def last: Int = after
}

class Next {
  val field: =
  def still = new Half().after(
}
