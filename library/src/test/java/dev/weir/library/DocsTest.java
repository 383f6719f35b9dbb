package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Snippet;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of the README and of docs/java.md compile and run. */
class DocsTest {
  private static final String IMPORTS = "import dev.weir.library.*;";

  @TempDir private Path folder = Path.of("");

  @Test
  void readmeExampleCompilesAndRuns() throws Exception {
    Snippet example = Snippet.in(Path.of("README.md")).get(0);
    assertThat(example.code().lines().count()).isLessThanOrEqualTo(10);
    assertThat(example.run(folder, IMPORTS, "", "", "")).isEqualTo("pass\n");
  }

  @Test
  void theFiveCommonestTasksCompileAndRun() throws Exception {
    List<Snippet> tasks = Snippet.in(Path.of("docs/java.md"));
    assertThat(tasks).hasSize(5);
    String before = "try (Weir weir = Weir.inMemory()) { ";
    String after = "} catch (InterruptedException e) { throw new AssertionError(e); }";
    String methods =
        "static void send() { System.out.println(\"sent\"); }"
            + "static void export() { System.out.println(\"exported\"); }"
            + "static long callTheModel() { return 900; }";
    List<String> results =
        List.of(
            "System.out.println(answer);",
            "",
            "",
            "System.out.println(tokens.peek(\"acme\").remaining());",
            "System.out.println(both);");
    List<String> printed = List.of("pass\n", "sent\n", "exported\n", "99100\n", "true\n");
    for (int i = 0; i < tasks.size(); i++) {
      String unchecked =
          i == 1 || i == 2 ? "" : "if (Thread.interrupted()) throw new InterruptedException();";
      assertThat(
              tasks
                  .get(i)
                  .run(folder, IMPORTS, before, results.get(i) + unchecked + after, methods))
          .isEqualTo(printed.get(i));
    }
  }
}
