// Definitions, uses and imports of a Scala repository, by the compiler's parser and what its typer resolved.
//
//     S=$(ls jars/scala-{compiler,library,reflect}-2.13.*.jar | tr '\n' :)
//     mkdir truth-scala && java -cp $S scala.tools.nsc.Main -cp $S -d truth-scala ScalaTruth.scala
//     java -Xss16m -cp truth-scala:$S ScalaTruth CHECKOUT CLASSPATH [-OPTION...] FOLDER... > uses.jsonl
//
// The folders are those of the sources that are built together, below the checkout. What does not compile for
// want of a library does not end it: the names of which it does not know the meaning are null. A case class and
// the companion that the compiler makes of it are one thing.
// The shapes of the lines are described in ../README.md.

import java.io.{File, FileDescriptor, FileOutputStream, BufferedOutputStream, PrintStream}
import java.nio.charset.StandardCharsets.UTF_8
import scala.collection.mutable
import scala.reflect.internal.Flags.{CASEACCESSOR, PARAMACCESSOR, SYNTHETIC}
import scala.reflect.internal.util.{BatchSourceFile, Position, SourceFile}
import scala.tools.nsc.{Global, Settings}
import scala.tools.nsc.reporters.FilteringReporter

case class Place(path: String, line: Int, col: Int)

/** Hears of errors and lets the compiler go on. */
class Deaf(val settings: Settings) extends FilteringReporter {
  val said = mutable.Buffer[String]()
  override def doReport(pos: Position, msg: String, severity: Severity): Unit =
    if (severity == ERROR) said += s"${pos.source.file}:${pos.line} $msg"
  override def hasErrors = false
}

object ScalaTruth {
  val out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false, UTF_8)

  def main(args: Array[String]): Unit = {
    val root = new File(args(0)).getCanonicalFile
    val settings = new Settings(message => System.err.println(message))
    settings.classpath.value = args(1)
    val (options, folders) = args.toList.drop(2).partition(_.startsWith("-"))
    settings.processArguments(List("-Yrangepos", "-Ystop-after:typer", "-language:_", "-nowarn") ++ options, true)
    val files = git(root, "ls-files", "-z", "*.scala").split("\u0000").toList.filter { path =>
      folders.exists(folder => path.startsWith(folder + "/"))
    }
    print("head", "language" -> "scala", "repo" -> root.getName, "commit" -> git(root, "rev-parse", "HEAD").trim,
      "oracle" -> s"scalac ${scala.util.Properties.versionNumberString}")
    val deaf = new Deaf(settings)
    new Truth(new Global(settings, deaf), root, files).write()
    out.flush()
    if (System.getenv("TRUTH_UNKNOWN") != null) deaf.said.foreach(System.err.println)
    System.exit(0)
  }

  def print(kind: String, fields: (String, Any)*): Unit =
    out.println((("t" -> kind) +: fields).map { case (key, value) => quote(key) + ":" + json(value) }.mkString("{", ",", "}"))

  def json(value: Any): String = value match {
    case null => "null"
    case text: String => quote(text)
    case Place(path, line, col) => s"[${quote(path)},$line,$col]"
    case many: Seq[_] => many.map(json).mkString("[", ",", "]")
    case other => other.toString
  }

  def quote(text: String): String = text.flatMap {
    case c @ ('"' | '\\') => s"\\$c"
    case c if c < ' ' => f"\\u${c.toInt}%04x"
    case c => c.toString
  }.mkString("\"", "", "\"")

  def git(root: File, args: String*): String = {
    val command = List("git", "-C", root.getPath) ++ args
    val process = new ProcessBuilder(command: _*).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    new String(process.getInputStream.readAllBytes(), UTF_8)
  }
}

/** What the whole program declares, and what its names mean. */
class Truth(val global: Global, root: File, paths: List[String]) {
  import ScalaTruth.{print => say}
  import global._

  case class Definition(at: Int, place: Place, name: String, kind: String, container: String, end: Int,
      implicitly: Boolean, optional: Boolean)

  /** A file, what it declares, and the names that stand in it. */
  class Source(val path: String) {
    val file: SourceFile = new BatchSourceFile(scala.reflect.io.AbstractFile.getFile(new File(root, path)))
    val text: Array[Char] = file.content
    val definitions = mutable.Buffer[Definition]()
    /** Offsets of names, and what is spelled there. */
    val names = mutable.TreeMap[Int, String]()
    /** The meanings of names, as far as the typer knows them. */
    val meanings = mutable.Map[Int, Set[Place]]()
    /** Names of arguments, by the place of the function that gets them. */
    val named = mutable.Buffer[(Int, Int, String)]()
    val called = mutable.Map[Int, Symbol]()

    def place(at: Int): Place = {
      val line = file.offsetToLine(at)
      Place(path, line + 1, new String(text, file.lineToOffset(line), at - file.lineToOffset(line)).getBytes(UTF_8).length)
    }

    def spelled(at: Int, name: String): Boolean = {
      val end = at + name.length
      def part(i: Int) = i >= 0 && i < file.length && Character.isUnicodeIdentifierPart(text(i))
      at >= 0 && end <= file.length && text.slice(at, end).mkString == name &&
        !(part(at) && part(at - 1)) && !(part(end - 1) && part(end))
    }

    /** Where a name stands, which may be in backquotes. */
    def found(at: Int, name: String): Option[Int] =
      if (spelled(at, name)) Some(at)
      else if (at >= 0 && at < file.length && text(at) == '`' && spelled(at + 1, name)) Some(at + 1)
      else None
  }

  val sources = paths.map(new Source(_))
  val byFile = sources.map(source => source.file -> source).toMap
  val places = mutable.Map[(SourceFile, Int), Definition]()
  val spellings = mutable.Set[String]()
  /** The files that declare something in a package. */
  val packages = mutable.Map[String, mutable.Set[String]]()

  def write(): Unit = {
    val run = new Run
    for (source <- sources) new Declared(source).traverse(newUnitParser(newCompilationUnit(source)).parse())
    for (source <- sources; d <- source.definitions) {
      places((source.file, d.at)) = d
      spellings += d.name
    }
    run.compileSources(sources.map(_.file))
    val units = run.units.map(unit => unit.source -> unit).toMap
    // What a member is called is known to a package only when all of it was read.
    for (source <- sources; unit <- units.get(source.file)) new Packages(source).traverse(unit.body)
    for (source <- sources) {
      say("file", "path" -> source.path)
      for (d <- source.definitions) {
        val more = List("implicit" -> d.implicitly, "optional" -> d.optional).filter(_._2)
        say("def", List("path" -> d.place.path, "line" -> d.place.line, "col" -> d.place.col, "name" -> d.name,
          "kind" -> d.kind, "container" -> d.container, "end" -> d.end) ++ more: _*)
      }
      units.get(source.file).foreach(unit => new Used(source).traverse(unit.body))
      for ((function, at, name) <- source.named; method <- source.called.get(function)) {
        method.paramss.flatten.find(_.name.decoded == name).foreach(parameter => source.meanings(at) = whereabouts(parameter))
      }
      for ((at, name) <- source.names if spellings(name)) {
        val meant = source.meanings.get(at)
        if (meant.isEmpty && System.getenv("TRUTH_UNKNOWN") != null) {
          System.err.println(s"unknown ${source.path}:${source.place(at).line} $name")
        }
        val place = source.place(at)
        say("use", "path" -> place.path, "line" -> place.line, "col" -> place.col, "name" -> name,
          "to" -> meant.map(_.toList.sortBy(place => (place.path, place.line, place.col))).orNull)
      }
    }
  }

  def newCompilationUnit(source: Source) = new CompilationUnit(source.file)

  /** Where a symbol is declared, if that is in the repository. */
  def whereabouts(symbol: Symbol): Set[Place] = {
    val of = if (symbol.isModuleClass) symbol.sourceModule.orElse(symbol) else symbol
    val name = of.name.decoded.trim.stripSuffix("_=")
    if (!of.pos.isDefined) return Set.empty
    val found = byFile.get(of.pos.source).flatMap { source =>
      source.found(of.pos.point, name).flatMap(at => places.get((source.file, at)))
    }
    found.filter(_.name == name).map(_.place).toSet
  }

  def known(symbol: Symbol): Boolean =
    symbol != null && symbol != NoSymbol && !symbol.isErroneous && !symbol.isOverloaded

  /** Definitions and names, as they are written. */
  class Declared(source: Source) extends Traverser {
    var around = List[Tree]()
    val seen = mutable.Set[Int]()

    def container: String = around.reverse.collect {
      case tree: ModuleDef if tree.name.toString == "package" => "package"
      case tree: ImplDef => tree.name.decoded
      case tree: DefDef if tree.name != nme.CONSTRUCTOR => tree.name.decoded
      case _: Block => "<anonymous>"
    }.filter(_ != "<anonymous>").mkString(".")

    /** Whether what stands here is a member of a class, and not inside of a function. */
    def member: Boolean = around.headOption.exists(_.isInstanceOf[ImplDef])

    def add(tree: MemberDef, kind: String, optional: Boolean): Unit = add(tree, tree.name.decoded.trim, kind, optional)

    def add(tree: MemberDef, name: String, kind: String, optional: Boolean): Unit = {
      val point = tree.pos.pointOrElse(-1)
      // Names in backquotes are told with them or without.
      for (at <- source.found(point, name) if seen.add(at)) {
        val mods = tree.mods
        val implicitly = mods.annotations.nonEmpty || mods.isImplicit || mods.isOverride || Implicit(name)
        source.definitions += Definition(at, source.place(at), name, kind, container,
          source.file.offsetToLine(tree.pos.end - 1 max at) + 1, implicitly, optional || at > point)
      }
    }

    val Implicit = Set("main", "apply", "unapply", "unapplySeq", "update", "map", "flatMap", "filter", "withFilter",
      "foreach", "selectDynamic", "applyDynamic")

    def name(at: Int, name: Name): Unit = {
      val decoded = name.decoded.trim.stripSuffix("_=")
      source.found(at, decoded).foreach(at => source.names(at) = decoded)
    }

    def within(tree: Tree)(body: => Unit): Unit = {
      around ::= tree
      body
      around = around.tail
    }

    override def traverse(tree: Tree): Unit = tree match {
      case ClassDef(mods, className, _, template) =>
        val kind = if (mods.isTrait) "trait" else "class"
        val anonymous = className.decoded.startsWith("$anon")
        if (!anonymous) add(tree.asInstanceOf[ClassDef], kind, optional = false)
        within(tree)(super.traverse(tree))
      case ModuleDef(mods, _, _) =>
        val module = tree.asInstanceOf[ModuleDef]
        if (!mods.hasFlag(SYNTHETIC)) add(module, "class", optional = false)
        within(tree)(super.traverse(tree))
      case definition: DefDef =>
        if (definition.name == nme.CONSTRUCTOR) add(definition, "this", "constructor", optional = true)
        else add(definition, if (member) "method" else "function", optional = false)
        if (definition.name == nme.CONSTRUCTOR) {
          // The parameters of a class's own constructor are its fields as well.
          definition.mods.annotations.foreach(traverse)
          within(tree)(definition.vparamss.foreach(_.foreach(p => { traverse(p.tpt); p.mods.annotations.foreach(traverse) })))
          within(tree)(traverse(definition.rhs))
        } else {
          within(tree)(super.traverse(tree))
        }
      case Template(parents, self, body) =>
        // `self` is another name of `this`.
        parents.foreach(traverse)
        traverse(self.tpt)
        body.foreach(traverse)
      case value: ValDef =>
        if (member && !value.name.decoded.contains("$")) {
          // What a class only takes is no field to those who cannot name it from elsewhere.
          val mods = value.mods
          val parameter = mods.hasFlag(PARAMACCESSOR)
          val shown = !parameter || !mods.isPrivateLocal || mods.hasFlag(CASEACCESSOR)
          add(value, "field", optional = !shown)
        }
        within(tree)(super.traverse(tree))
      case alias: TypeDef =>
        if (member && !alias.mods.isParameter) add(alias, "type", optional = false)
        within(tree)(super.traverse(tree))
      case Apply(function, arguments) =>
        traverse(function)
        arguments.foreach {
          case argument @ NamedArg(Ident(label), value) =>
            source.found(argument.pos.start, label.decoded).foreach { at =>
              source.names(at) = label.decoded
              source.named += ((function.pos.pointOrElse(-1), at, label.decoded))
            }
            traverse(value)
          case argument => traverse(argument)
        }
      case Ident(of) =>
        name(tree.pos.pointOrElse(-1), of)
      case Select(_, of) =>
        name(tree.pos.pointOrElse(-1), of)
        super.traverse(tree)
      case This(of) =>
        if (of.nonEmpty) name(tree.pos.pointOrElse(-1), of)
      case Import(_, selectors) =>
        selectors.foreach(selector => if (!selector.isWildcard) name(selector.namePos, selector.name))
        super.traverse(tree)
      case definition: MemberDef =>
        within(tree)(super.traverse(tree))
      case _ =>
        super.traverse(tree)
    }
  }

  /** Which files declare something in a package. */
  class Packages(source: Source) extends Traverser {
    override def traverse(tree: Tree): Unit = tree match {
      case PackageDef(_, _) => super.traverse(tree)
      case definition: ImplDef if definition.symbol != null && definition.symbol.owner.isPackageClass =>
        packages.getOrElseUpdate(definition.symbol.owner.fullName, mutable.Set()) += source.path
      case _ =>
    }
  }

  /** What names mean. */
  class Used(source: Source) extends Traverser {
    /** What macros were given, which stands beside what they made of it. */
    val expanded = java.util.Collections.newSetFromMap[Tree](new java.util.IdentityHashMap)

    def mean(at: Int, name: Name, symbol: Symbol): Unit = {
      if (!known(symbol)) return
      val decoded = name.decoded.trim.stripSuffix("_=")
      for (at <- source.found(at, decoded) if source.names.contains(at)) {
        val before = source.meanings.getOrElse(at, Set.empty)
        source.meanings(at) = before ++ whereabouts(symbol)
      }
    }

    def annotations(symbol: Symbol): Unit =
      if (symbol != null) symbol.annotations.foreach(annotation => traverse(annotation.original))

    override def traverse(tree: Tree): Unit = {
      tree.attachments.get[analyzer.MacroExpansionAttachment].foreach(expansion => if (expanded.add(expansion.expandee)) traverse(expansion.expandee))
      tree match {
        case typed: TypeTree =>
          if (typed.original != null) traverse(typed.original)
        case literal: Literal =>
          literal.attachments.all.foreach {
            case original: analyzer.OriginalTreeAttachment => traverse(original.original)
            case _ =>
          }
        case ident: Ident =>
          mean(ident.pos.pointOrElse(-1), ident.name, ident.symbol)
        case Select(_, name) =>
          mean(tree.pos.pointOrElse(-1), name, tree.symbol)
          super.traverse(tree)
        case This(name) =>
          val at = tree.pos.pointOrElse(-1)
          if (name.nonEmpty) mean(at, name, tree.symbol)
          // `self` of `trait A { self => ... }`
          if (source.names.contains(at)) source.meanings.getOrElseUpdate(at, Set.empty)
        case Apply(function, _) =>
          if (known(function.symbol)) source.called.getOrElseUpdate(function.pos.pointOrElse(-1), function.symbol)
          super.traverse(tree)
        case imported: Import =>
          imports(imported)
          super.traverse(tree)
        case definition: MemberDef =>
          annotations(definition.symbol)
          if (definition.symbol != null && definition.symbol.isGetter) annotations(definition.symbol.accessed)
          super.traverse(tree)
        case _ =>
          super.traverse(tree)
      }
    }

    /** What stands behind each name of an import, types and values alike. */
    def imports(tree: Import): Unit = {
      val from = tree.expr
      val line = source.place(tree.pos.start).line
      for (selector <- tree.selectors) {
        val targets = mutable.Set[String]()
        if (selector.isWildcard) {
          if (known(from.symbol) && from.symbol.hasPackageFlag) targets ++= packages.getOrElse(from.symbol.fullName, Nil)
          else if (known(from.symbol)) targets ++= whereabouts(from.symbol).map(_.path)
        } else if (from.tpe != null && !from.tpe.isErroneous) {
          val meant = List(selector.name.toTermName, selector.name.toTypeName).flatMap(from.tpe.member(_).alternatives).filter(known)
          meant.foreach(mean(selector.namePos, selector.name, _))
          targets ++= meant.flatMap(whereabouts).map(_.path)
          // A package that is imported itself is all of its files.
          meant.filter(_.hasPackageFlag).foreach(inner => targets ++= packages.getOrElse(inner.fullName, Nil))
          if (known(from.symbol) && !from.symbol.hasPackageFlag) targets ++= whereabouts(from.symbol).map(_.path)
        }
        val specifier = s"$from.${if (selector.isWildcard) "_" else selector.name.decoded}"
        say("import", "path" -> source.path, "line" -> line, "specifier" -> specifier, "targets" -> targets.toList.sorted)
      }
    }
  }
}
