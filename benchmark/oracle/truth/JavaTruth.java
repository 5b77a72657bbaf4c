// Definitions, uses and imports of a Java repository, by javac's own trees and elements.
//
//     java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED \
//         JavaTruth.java CHECKOUT [CLASSPATH] > java.jsonl
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

  record Definition(Place place, String name, String kind, String container, Element element, boolean optional) {}

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
        List.of("-proc:none"), null, manager.getJavaFileObjectsFromFiles(files));
    Trees trees = Trees.instance(task);
    for (CompilationUnitTree unit : task.parse()) {
      String path = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
      out.println("{\"t\":\"file\",\"path\":" + quote(path) + "}");
      Definitions found = new Definitions(path, unit, trees);
      found.scan(unit, null);
      for (Definition d : found.found) {
        out.println("{\"t\":\"def\",\"path\":" + quote(path) + ",\"line\":" + d.place.line + ",\"col\":" + d.place.col
            + ",\"name\":" + quote(d.name) + ",\"kind\":" + quote(d.kind) + ",\"container\":" + quote(d.container)
            + (d.optional ? ",\"optional\":true" : "") + "}");
      }
    }
    out.flush();
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

    void add(int at, String name, String kind, boolean optional) {
      if (at < 0 || !text.startsWith(name, at)) {
        return; // made by the compiler, such as a constructor that nobody wrote
      }
      List<String> outer = new ArrayList<>(container);
      Collections.reverse(outer);
      found.add(new Definition(place(at), name, kind, String.join(".", outer), trees.getElement(getCurrentPath()), optional));
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
        add(after((int) Math.max(end, ((JCTree) tree).getStartPosition()), name), name, kind, false);
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
      add(((JCTree) tree).pos, name, constructor ? "constructor" : "method", false);
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
        add(at, name, constant ? "variant" : "field", false);
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
