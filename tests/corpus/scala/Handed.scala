package app.handed

case class Account(owner: String, parent: Account, children: List[Account])

class Editor(var current: Account) {
  def edit(change: Account => Account): Unit = { current = change(current) }
  def both(left: => (Account, Editor) => Unit): Unit = ()
  def part(f: PartialFunction[Account, String]): Unit = ()
  def named(owner: String): Unit = edit(_.copy(owner = owner))
  def again(owner: String): Unit = this.copy(owner = owner)
}

object Handed {
  def run(editor: Editor, all: List[Account], maybe: Option[Account]): Unit = {
    editor.edit(account => account.parent)
    editor.edit { account => account.parent }
    editor edit (_.parent)
    editor.both((account, other) => other.edit(_ => account.parent))
    editor.part { case account if account.owner == "" => "none" }
    all.filter(_.parent.children.isEmpty).foreach { one => println(one.owner) }
    all.foldLeft("")((text, one) => text + one.owner)
    all.sortWith(_.owner < _.owner)
    maybe map { _.children } getOrElse Nil
    maybe.asInstanceOf[Account].children
    implicitly[Account].owner
  }
}
