package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Snippet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of the README, of docs/java.md and of docs/coming-from.md run as printed. */
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
      if (!isOfRules(task) && !isOfTenants(task)) {
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
    List<Snippet> ours = Snippet.in(Path.of("docs/java.md"));
    int task = -1;
    for (Snippet snippet : Snippet.in(Path.of("docs/coming-from.md"))) {
      if (snippet.code().contains("@Service")) {
        continue; // the tests of the Spring Boot starter run it
      }
      String peer = firstLine(snippet);
      String imports = PEER_IMPORTS.get(peer);
      if (imports == null) {
        task++;
        assertThat(snippet.code()).isEqualTo("// Weir\n" + ours.get(task).code());
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

  @Test
  void limitsInARulesFileCompileAndRun() throws Exception {
    List<Snippet> examples =
        Snippet.in(Path.of("docs/java.md")).stream()
            .filter(one -> isOfRules(one) && !isOfTenants(one))
            .toList();
    Path file = folder.resolve("rules.yaml");
    Files.writeString(
        file, "calls: [{name: send-mail, limit: 50/second}, {name: export, concurrent: 3}]");
    String before =
        "try (Weir weir = Weir.inMemory()) {"
            + "java.nio.file.Path rulesFile = java.nio.file.Path.of(\"%s\");".formatted(file);
    assertThat(examples).hasSize(1);
    assertThat(examples.get(0).code()).contains(Files.readString(file));
    assertThat(examples.get(0).run(folder, IMPORTS, before, CATCH, METHODS))
        .isEqualTo("sent\nexported\n");
  }

  @Test
  void limitsOfTenantsCompileAndRun() throws Exception {
    List<Snippet> examples =
        Snippet.in(Path.of("docs/java.md")).stream().filter(DocsTest::isOfTenants).toList();
    assertThat(examples).hasSize(2);
    Path file = folder.resolve("rules.yaml");
    Files.writeString(
        file,
        """
        identity: {tenant: header X-Tenant}
        lint-ignore: forgeable-key
        rules: [{name: each-tenant, per: tenant, limit: 100/minute}]
        """);
    String imports =
        IMPORTS
            + "import dev.weir.library.limits.*; import dev.weir.rule.Allowance;"
            + "import java.util.*;";
    String before =
        "try (Weir weir = Weir.inMemory()) {"
            + "java.nio.file.Path rulesFile = java.nio.file.Path.of(\"%s\");".formatted(file);
    String after =
        "while (limiter.explain(acme).get(0).remaining().getAsLong() != 7) {}" // however slow
            + "System.out.println(limiter.check(acme).remaining()); }";
    String members =
        "static final WebRequest acme = WebRequest.of(\"GET\", \"/\").header(\"X-Tenant\", \"acme\");"
            + "interface Tenants { Optional<Integer> perMinute(String name); }"
            + "static final Tenants tenants = name -> Optional.of(7);"
            + "static "
            + examples.get(0).code();
    assertThat(examples.get(1).run(folder, imports, before, after, members)).isEqualTo("6\n");
  }

  private static boolean isOfTenants(Snippet snippet) {
    return snippet.code().contains("TenantLimits");
  }

  private static boolean isOfRules(Snippet snippet) {
    return snippet.code().contains("weir.rules(");
  }

  private static String firstLine(Snippet snippet) {
    return snippet.code().lines().findFirst().orElseThrow();
  }
}
