package dev.weir.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** What others can use has a contract: what it does, from which threads, and what it throws. */
class JavadocTest {
  private static final List<String> PUBLISHED =
      List.of(
          "core/",
          "http/",
          "rules/",
          "stores/redis/",
          "library/",
          "edges/server/",
          "edges/servlet/",
          "edges/grpc/",
          "edges/spring/",
          "edges/spring-cloud-gateway/",
          "testing/",
          "load/",
          "client/",
          "verification/testkit/",
          "verification/testkit-redis/");

  @Test
  void publicMembersOfPublishedModulesHaveContracts() throws IOException {
    List<Path> files =
        Sources.files().stream()
            .filter(file -> PUBLISHED.stream().anyMatch(Sources.name(file)::startsWith))
            .toList();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
    JavacTask task =
        (JavacTask)
            compiler.getTask(
                null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
    DocTrees docs = DocTrees.instance(task);
    SourcePositions positions = docs.getSourcePositions();
    List<String> missing = new ArrayList<>();
    int checked = 0;
    for (CompilationUnitTree unit : task.parse()) {
      ContractScanner scanner =
          new ContractScanner(
              docs,
              (tree, what) -> {
                long line = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
                Path file = Path.of(unit.getSourceFile().toUri());
                missing.add(Sources.name(file) + ":" + line + ": " + what);
              });
      scanner.scan(unit, null);
      checked += scanner.checked();
    }
    assertThat(checked).isGreaterThan(1_000);
    assertThat(missing).isEmpty();
  }
}
