package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Snippet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of the README and of docs/java.md, ours and those of peers, run as printed. */
class DocsTest {
  private static final String IMPORTS = "import dev.weir.library.*;";

  /** By the first line of a peer's snippet. */
  private static final Map<String, String> PEER_IMPORTS =
      Map.of(
          "// Bucket4j",
          "import io.github.bucket4j.*; import java.util.concurrent.*;",
          "// Resilience4j",
          "import io.github.resilience4j.ratelimiter.*; import io.github.resilience4j.bulkhead.*;",
          "// Guava",
          "import com.google.common.util.concurrent.*; import java.util.concurrent.Semaphore;"
              + "import java.util.concurrent.TimeUnit;");

  private static final String METHODS =
      "static void send() { System.out.println(\"sent\"); }"
          + "static void export() { System.out.println(\"exported\"); }"
          + "static long callTheModel() { return 900; }";

  private static final String CATCH =
      "if (Thread.interrupted()) { throw new InterruptedException(); }"
          + "} catch (InterruptedException e) { throw new AssertionError(e); }";

  /** What is printed after each of the five tasks, whoever does it. */
  private static final List<String> PRINTED =
      List.of("pass\n", "sent\n", "exported\n", "99100\n", "true\n");

  @TempDir private Path folder = Path.of("");

  @Test
  void readmeExampleCompilesAndRuns() throws Exception {
    Snippet example = Snippet.in(Path.of("README.md")).get(0);
    assertThat(example.code().lines().count()).isLessThanOrEqualTo(10);
    assertThat(example.run(folder, IMPORTS, "", "", "")).isEqualTo("pass\n");
  }

  @Test
  void theFiveCommonestTasksCompileAndRun() throws Exception {
    List<String> results =
        List.of(
            "System.out.println(answer);",
            "",
            "",
            "System.out.println(tokens.peek(\"acme\").remaining());",
            "System.out.println(both);");
    List<String> printed = new ArrayList<>();
    for (Snippet task : Snippet.in(Path.of("docs/java.md"))) {
      if (!PEER_IMPORTS.containsKey(firstLine(task))) {
        String result = results.get(printed.size());
        String before = "try (Weir weir = Weir.inMemory()) {";
        printed.add(task.run(folder, IMPORTS, before, result + CATCH, METHODS));
      }
    }
    assertThat(printed).isEqualTo(PRINTED);
  }

  /** Each peer's snippet follows ours for the same task, and prints the same. */
  @Test
  void theSameTasksInPeersCompileAndRun() throws Exception {
    List<String> results =
        List.of(
            "System.out.println(answer);",
            "",
            "",
            "System.out.println(tokens.getAvailableTokens());",
            "System.out.println(both);");
    List<String> ran = new ArrayList<>();
    int task = -1;
    for (Snippet snippet : Snippet.in(Path.of("docs/java.md"))) {
      String peer = firstLine(snippet);
      String imports = PEER_IMPORTS.get(peer);
      if (imports == null) {
        task++;
        continue;
      }
      imports += "import java.util.Map;import java.util.List;";
      assertThat(snippet.run(folder, imports, "try {", results.get(task) + CATCH, METHODS))
          .as(snippet.code())
          .isEqualTo(PRINTED.get(task));
      ran.add(task + " " + peer.substring(3));
    }
    assertThat(ran)
        .containsExactly(
            "0 Bucket4j",
            "0 Resilience4j",
            "0 Guava",
            "1 Bucket4j",
            "1 Resilience4j",
            "1 Guava",
            "2 Resilience4j",
            "2 Guava",
            "3 Bucket4j",
            "4 Bucket4j");
  }

  private static String firstLine(Snippet snippet) {
    return snippet.code().lines().findFirst().orElseThrow();
  }
}
