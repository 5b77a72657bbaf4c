// Definitions, uses and imports of a Java repository, by javac's own trees and elements.
//
//     java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED \
//         JavaTruth.java CHECKOUT [CLASSPATH] > uses.jsonl
//
// The shapes of the lines are described in ../README.md.

import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.tree.JCTree;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.tools.*;

public class JavaTruth {
  record Place(String path, long line, int col) {}

  record Definition(Place place, String name, String kind, String container, Element element, long end, boolean implicit) {}

  static final PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]).toRealPath();
    String commit = git(root, "rev-parse", "HEAD").strip();
    out.println("{\"t\":\"head\",\"language\":\"java\",\"repo\":" + quote(root.getFileName().toString())
        + ",\"commit\":" + quote(commit) + ",\"oracle\":" + quote("javac " + System.getProperty("java.version")) + "}");
    List<File> files = new ArrayList<>();
    for (String path : git(root, "ls-files", "-z", "*.java").split("\0")) {
      if (!path.isEmpty() && !path.endsWith("module-info.java") && !path.endsWith("package-info.java")) {
        files.add(root.resolve(path).toFile());
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    JavacTask task = (JavacTask) compiler.getTask(Writer.nullWriter(), manager, d -> {},
        List.of("-proc:none", "-classpath", args.length > 1 ? args[1] : ""), null, manager.getJavaFileObjectsFromFiles(files));
    Trees trees = Trees.instance(task);
    List<CompilationUnitTree> units = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) {
      units.add(unit);
    }
    try {
      task.analyze();
    } catch (RuntimeException | Error err) {
      System.err.println("analysis ended early: " + err);
    }
    List<Definitions> all = new ArrayList<>();
    Map<Element, Place> places = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (CompilationUnitTree unit : units) {
      Definitions found = new Definitions(root.relativize(Path.of(unit.getSourceFile().toUri())).toString(), unit, trees);
      found.scan(unit, null);
      all.add(found);
      for (Definition d : found.found) {
        names.add(d.name);
        if (d.element != null) {
          places.put(d.element, d.place);
        }
      }
    }
    for (Definitions file : all) {
      out.println("{\"t\":\"file\",\"path\":" + quote(file.path) + "}");
      for (Definition d : file.found) {
        out.println("{\"t\":\"def\"," + at(d.place) + ",\"name\":" + quote(d.name) + ",\"kind\":" + quote(d.kind)
            + ",\"container\":" + quote(d.container) + ",\"end\":" + d.end + (d.implicit ? ",\"implicit\":true" : "") + "}");
      }
      new Uses(file, places, names).scan(file.unit, null);
    }
    out.flush();
  }

  static String at(Place place) {
    return "\"path\":" + quote(place.path) + ",\"line\":" + place.line + ",\"col\":" + place.col;
  }

  /** What each name means that is spelled like a definition, and where imports lead. */
  static class Uses extends TreePathScanner<Void, Void> {
    final Definitions file;
    final Map<Element, Place> places;
    final Set<String> names;

    Uses(Definitions file, Map<Element, Place> places, Set<String> names) {
      this.file = file;
      this.places = places;
      this.names = names;
    }

    void use(long at, Name name, Element element) {
      if (at < 0 || !names.contains(name.toString()) || !file.text.startsWith(name.toString(), (int) at)) {
        return;
      }
      String to = "null";
      Place place = places.get(element);
      if (place != null) {
        to = "[[" + quote(place.path) + "," + place.line + "," + place.col + "]]";
      } else if (element != null && element.getKind() == ElementKind.PACKAGE) {
        to = "[]";
      } else if (element != null && element.asType().getKind() != javax.lang.model.type.TypeKind.ERROR
          && !element.asType().toString().equals("(unknown)")) {
        to = "[]";
      }
      out.println("{\"t\":\"use\"," + at(file.place(at)) + ",\"name\":" + quote(name.toString()) + ",\"to\":" + to + "}");
    }

    long end(Tree tree) {
      return file.trees.getSourcePositions().getEndPosition(file.unit, tree);
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void none) {
      use(((JCTree) tree).getStartPosition(), tree.getName(), file.trees.getElement(getCurrentPath()));
      return super.visitIdentifier(tree, none);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void none) {
      Element element = file.trees.getElement(getCurrentPath());
      use(end(tree) - tree.getIdentifier().length(), tree.getIdentifier(), element);
      return super.visitMemberSelect(tree, none);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void none) {
      use(end(tree) - tree.getName().length(), tree.getName(), file.trees.getElement(getCurrentPath()));
      return super.visitMemberReference(tree, none);
    }

    @Override
    public Void visitImport(ImportTree tree, Void none) {
      MemberSelectTree name = (MemberSelectTree) tree.getQualifiedIdentifier();
      Tree type = tree.isStatic() ? name.getExpression() : name;
      Element element = file.trees.getElement(new TreePath(new TreePath(getCurrentPath(), name), type));
      Set<String> targets = new TreeSet<>();
      if (name.getIdentifier().contentEquals("*") && !tree.isStatic()) {
        String of = name.getExpression().toString();
        for (Map.Entry<Element, Place> entry : places.entrySet()) {
          Element outer = entry.getKey().getEnclosingElement();
          if (outer != null && outer.getKind() == ElementKind.PACKAGE && outer.toString().equals(of)) {
            targets.add(entry.getValue().path);
          }
        }
      } else if (places.get(element) != null) {
        targets.add(places.get(element).path);
      }
      out.println("{\"t\":\"import\",\"path\":" + quote(file.path) + ",\"line\":"
          + file.place(((JCTree) tree).getStartPosition()).line + ",\"specifier\":" + quote(name.toString()) + ",\"targets\":["
          + String.join(",", targets.stream().map(JavaTruth::quote).toList()) + "]}");
      if (tree.isStatic() && names.contains(name.getIdentifier().toString())) {
        // It may name several members; the field or the first method of that name stands for them.
        Element member = null;
        if (element != null) {
          for (Element inner : element.getEnclosedElements()) {
            if (member == null && inner.getSimpleName().contentEquals(name.getIdentifier())) {
              member = inner;
            }
          }
        }
        use(end(name) - name.getIdentifier().length(), name.getIdentifier(), member);
        scan(new TreePath(new TreePath(getCurrentPath(), name), name.getExpression()), null);
      } else {
        super.visitImport(tree, none);
      }
      return null;
    }
  }

  /** Everything a file declares, at the places of the names. */
  static class Definitions extends TreePathScanner<Void, Void> {
    final String path;
    final CompilationUnitTree unit;
    final Trees trees;
    final String text;
    final List<Definition> found = new ArrayList<>();
    final Deque<String> container = new ArrayDeque<>();

    Definitions(String path, CompilationUnitTree unit, Trees trees) throws IOException {
      this.path = path;
      this.unit = unit;
      this.trees = trees;
      this.text = unit.getSourceFile().getCharContent(true).toString();
    }

    void add(int at, String name, String kind, Tree tree, boolean implicit) {
      if (at < 0 || !text.startsWith(name, at)) {
        return; // made by the compiler, such as a constructor that nobody wrote
      }
      List<String> outer = new ArrayList<>(container);
      Collections.reverse(outer);
      found.add(new Definition(place(at), name, kind, String.join(".", outer), trees.getElement(getCurrentPath()),
          unit.getLineMap().getLineNumber(trees.getSourcePositions().getEndPosition(unit, tree)), implicit));
    }

    Place place(long at) {
      long line = unit.getLineMap().getLineNumber(at);
      int start = (int) unit.getLineMap().getStartPosition(line);
      return new Place(path, line, text.substring(start, (int) at).getBytes(StandardCharsets.UTF_8).length);
    }

    int after(int from, String name) {
      for (int at = text.indexOf(name, from); at >= 0; at = text.indexOf(name, at + 1)) {
        int end = at + name.length();
        boolean begins = at == 0 || !Character.isJavaIdentifierPart(text.charAt(at - 1));
        if (begins && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)))) {
          return at;
        }
      }
      return -1;
    }

    @Override
    public Void visitClass(ClassTree tree, Void none) {
      String name = tree.getSimpleName().toString();
      if (!name.isEmpty()) {
        String kind = switch (tree.getKind()) {
          case INTERFACE, ANNOTATION_TYPE -> "interface";
          case ENUM -> "enum";
          default -> "class";
        };
        // The tree's position is that of its keyword, or of its modifiers.
        long end = trees.getSourcePositions().getEndPosition(unit, tree.getModifiers());
        add(after((int) Math.max(end, ((JCTree) tree).getStartPosition()), name), name, kind, tree, false);
      }
      container.push(name.isEmpty() ? "<anonymous>" : name);
      super.visitClass(tree, none);
      container.pop();
      return null;
    }

    @Override
    public Void visitMethod(MethodTree tree, Void none) {
      boolean constructor = tree.getName().contentEquals("<init>");
      String name = constructor ? container.peek() : tree.getName().toString();
      // Annotated ones override others or are called by a framework.
      boolean implicit = !tree.getModifiers().getAnnotations().isEmpty() || name.equals("main");
      add(((JCTree) tree).pos, name, constructor ? "constructor" : "method", tree, implicit);
      container.push(name);
      super.visitMethod(tree, none);
      container.pop();
      return null;
    }

    @Override
    public Void visitVariable(VariableTree tree, Void none) {
      if (getCurrentPath().getParentPath().getLeaf() instanceof ClassTree) {
        boolean constant = (((JCTree.JCVariableDecl) tree).mods.flags & (1 << 14)) != 0;
        // The position of an annotated enum constant is that of the annotation.
        String name = tree.getName().toString();
        int at = ((JCTree) tree).pos;
        if (!text.startsWith(name, at)) {
          at = after((int) trees.getSourcePositions().getEndPosition(unit, tree.getModifiers()), name);
        }
        add(at, name, constant ? "variant" : "field", tree, false);
      }
      return super.visitVariable(tree, none);
    }
  }

  static String git(Path root, String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < 0x20) {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
