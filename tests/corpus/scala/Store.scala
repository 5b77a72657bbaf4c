package com.example
package store

import java.util.{UUID, List => JList, Map as JMap, *}
import scala.concurrent.Future
import cats.effect._
import com.example.net.*, com.example.util.given
export Codec.{encode, decode as parse}

/** Bytes by key. */
type Blob = Map[String, Array[Byte]]

val Limit = 10
private var counter: Int = 0
val (first, second) = pair()

sealed trait Shelf[+A] extends Iterable[A] with Logging:
  type Key
  type Alias = List[A]
  def count: Int
  def find(key: Key): Option[A]
  protected def log(text: String): Unit = println(s"$text ${text.length}")
end Shelf

enum Level(val weight: Int) derives CanEqual:
  case Low extends Level(1)
  case High, Top
  case Custom(name: String) extends Level(3)

  def label: String = this match
    case Low => "low"
    case Custom(n) if n.nonEmpty => n
    case _ => "other"

case class Item[T <: Ordered[T]](id: Int, name: String = "")(using val codec: Codec[T])

/**
 * Keeps things.
 */
@deprecated("use Shop", "1.0")
abstract class Store[A: Encoder, F[_]](private val client: Client, val items: List[A], timeout: Int)
    extends Base[A](timeout)
    with Shelf[A]
    with api.Inner { self: Closeable =>

  import Store.*

  private[store] lazy val cache: Map[String, A] = Map.empty
  var owner: Owner = _
  val level, other: Level = Level.Low
  implicit val ordering: Ordering[A] = Ordering.by(_.toString)
  override type Key = String

  def this(client: Client) = this(client, Nil, 3)

  override def find(key: String): Option[A] = {
    val hit = cache.get(key)
    lazy val fallback = new Fallback[A](key) { def retry() = find(key) }
    for {
      item <- items
      if item != null
      name = item.toString
    } yield name
    try {
      client.fetch[A](key, retries = 3).map { x => x + 1 }
    } catch {
      case e: StoreException => throw new RuntimeException(e.getMessage, e)
      case scala.util.control.NonFatal(other) => this.owner.close()
    }
    def local(n: Int): Int = n + 1
    hit orElse fallback.retry() match {
      case Some(value) => Some(value)
      case None if counter > local(2) => super.find(key)
      case found @ Item(id, _) => None
    }
  }

  def update(key: String, value: A): Unit = counter += 1
  def +(that: Store[A, F]): Store[A, F] = this
  def unary_! : Boolean = items.isEmpty

  private def helper[B](f: A => B)(implicit enc: Encoder[B]): Seq[B] = items.map(f(_)).map(_.id)

  class Cursor extends AnyRef { var at = 0 }
}

object Store extends StoreFactory {
  final val Default = 30
  def apply(client: Client): Store[String, Option] = new StringStore(client)
  def unapply(store: Store[?, ?]): Option[Int] = Some(store.level.weight)

  implicit class RichStore[A](val underlying: Store[A, Option]) extends AnyVal {
    def size: Int = underlying.items.size
  }
}

given intOrd: Ordering[Int] with
  def compare(x: Int, y: Int): Int = x - y

given Conversion[String, Key] = Key(_)

extension [A](store: Store[A, Option])
  def clear(): Unit = store.items.foreach(_.close())
  def second: A = store.items(1)

extension (text: String) def shout: String = text.toUpperCase + "!"

package object syntax {
  def wrap[A](a: A): Option[A] = Option(a)
}

object Main extends App:
  val store = Store(Client("x"))
  println(store.find("a").getOrElse("none"))

@main def run(args: String*): Unit = Main.main(args.toArray)
