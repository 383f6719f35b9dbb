package dev.weir.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Rooms, files, methods and constructors stay small. */
class SizesTest {
  private static final int MAX_TYPES = 20;
  private static final int MAX_TYPES_OF_ROOT = 15;
  private static final int MAX_TYPES_OF_CORE = 12;
  private static final int MAX_LINES = 300;
  private static final int MAX_METHOD_LINES = 60;
  private static final int MAX_PARAMETERS = 7;

  /**
   * Records of settings may have more components: each is one line of a configuration, and a reader
   * looks for it under its own name; those of Spring are called properties. {@code StoreConfig} is
   * the settings of a store, with the store.
   */
  private static final Pattern SETTINGS = Pattern.compile("\\w+(Settings|Properties)|StoreConfig");

  @Test
  void noPackageHasMoreThanTwentyTypes() {
    Map<String, Integer> types = new TreeMap<>();
    for (Path file : Sources.files()) {
      // The main sources of this module are tests, one type each.
      boolean tests = Sources.name(file).startsWith("verification/concurrency/");
      if (!file.endsWith("package-info.java") && !tests) {
        types.merge(Sources.folder(file), 1, Integer::sum);
      }
    }
    assertThat(types).hasSizeGreaterThan(50);
    types.values().removeIf(count -> count <= MAX_TYPES);
    assertThat(types).isEmpty();
  }

  @Test
  void rootPackagesHaveNoMoreThanFifteenTypesAndThatOfCoreTwelve() {
    Map<String, Integer> types = new TreeMap<>();
    for (Path file : Sources.files()) {
      String name = Sources.folder(file);
      String room = name.substring(name.indexOf("/src/main/java/") + "/src/main/java/".length());
      boolean root = room.equals("dev/weir") || room.matches("dev/weir/[a-z]+");
      boolean ofCore = name.startsWith("core/");
      if (root && !file.endsWith("package-info.java") && (!ofCore || room.equals("dev/weir"))) {
        types.merge(name, 1, Integer::sum);
      }
    }
    assertThat(types.remove("core/src/main/java/dev/weir")).isLessThanOrEqualTo(MAX_TYPES_OF_CORE);
    // Tests that need what is package-private live in the packages of core.
    types.keySet().removeIf(name -> name.startsWith("verification/concurrency/"));
    types.values().removeIf(count -> count <= MAX_TYPES_OF_ROOT);
    assertThat(types).isEmpty();
  }

  @Test
  void noFileIsLongerThanThreeHundredLinesWithoutAReason() {
    List<String> tooLong = new ArrayList<>();
    List<Path> files = new ArrayList<>(Sources.files());
    files.addAll(Sources.tests());
    assertThat(files).hasSizeGreaterThan(1_000);
    for (Path file : files) {
      List<String> lines = Sources.lines(file);
      boolean reason = lines.stream().anyMatch(line -> line.contains("Longer than 300 lines"));
      if (lines.size() > MAX_LINES && !reason) {
        tooLong.add(Sources.name(file) + ": " + lines.size());
      }
    }
    assertThat(tooLong).isEmpty();
  }

  @Test
  void noMethodIsLongerThanSixtyLinesAndNoConstructorHasMoreThanSevenParameters()
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
    JavacTask task =
        (JavacTask)
            compiler.getTask(
                null,
                manager,
                null,
                null,
                null,
                manager.getJavaFileObjectsFromPaths(Sources.files()));
    SourcePositions positions = Trees.instance(task).getSourcePositions();
    List<String> large = new ArrayList<>();
    int units = 0;
    for (CompilationUnitTree unit : task.parse()) {
      units++;
      new Scanner(unit, positions, large).scan(unit, null);
    }
    assertThat(units).isGreaterThan(400);
    assertThat(large).isEmpty();
  }

  private static final class Scanner extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<String> large;
    private final Deque<ClassTree> classes = new ArrayDeque<>();

    Scanner(CompilationUnitTree unit, SourcePositions positions, List<String> large) {
      this.unit = unit;
      this.positions = positions;
      this.large = large;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      classes.push(type);
      if (type.getKind() == Tree.Kind.RECORD && !isSettings(type)) {
        long components =
            type.getMembers().stream()
                .filter(VariableTree.class::isInstance)
                .map(VariableTree.class::cast)
                .filter(field -> !field.getModifiers().getFlags().contains(Modifier.STATIC))
                .count();
        if (components > MAX_PARAMETERS) {
          large.add(where(type) + " has " + components + " components");
        }
      }
      super.visitClass(type, null);
      classes.pop();
      return null;
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      LineMap lines = unit.getLineMap();
      long start = positions.getStartPosition(unit, method);
      long end = positions.getEndPosition(unit, method);
      if (end > start && start >= 0) {
        long length = lines.getLineNumber(end) - lines.getLineNumber(start) + 1;
        if (length > MAX_METHOD_LINES) {
          large.add(where(method) + " " + method.getName() + " has " + length + " lines");
        }
      }
      boolean constructor = method.getName().contentEquals("<init>");
      ClassTree type = classes.peek();
      boolean ofSettings = type != null && isSettings(type);
      if (constructor && method.getParameters().size() > MAX_PARAMETERS && !ofSettings) {
        large.add(where(method) + " has " + method.getParameters().size() + " parameters");
      }
      return super.visitMethod(method, null);
    }

    private static boolean isSettings(ClassTree type) {
      return type.getKind() == Tree.Kind.RECORD && SETTINGS.matcher(type.getSimpleName()).matches();
    }

    private String where(Tree tree) {
      long line = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
      return unit.getSourceFile().getName().replaceFirst(".*/dev/weir/", "") + ":" + line;
    }
  }
}
