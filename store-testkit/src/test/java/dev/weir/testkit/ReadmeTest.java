package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of README and docs compile, run, and do what is said of them. */
class ReadmeTest {
  @TempDir private Path folder = Path.of("");

  private static Snippet only(String page) throws Exception {
    return Snippet.in(Path.of(page)).get(0);
  }

  @Test
  void theLibraryExampleCompilesAndRuns() throws Exception {
    Snippet example = only("README.md");
    assertThat(example.code().lines().count()).isLessThanOrEqualTo(13);
    assertThat(example.run(folder, "", "", "", "")).isEqualTo("pass\n");
  }

  @Test
  void whoIsDeniedIsToldWhenToComeBack() throws Exception {
    Snippet example = only("README.md");
    String told = example.code().substring(example.code().indexOf("System.out"));
    String until = "while (decision.allowed()) decision = store.take(perSecond, caller);";
    assertThat(example.run(folder, "", "", until + told, ""))
        .matches("pass\ncome back in PT0\\.\\d+S\n");
  }

  private String settled(long used) throws Exception {
    String before =
        "Store store = new MemoryStore();"
            + "Limit tokensPerMinute = Limit.fixedWindow(1_000, Duration.ofDays(3_000));"
            + "LimitKey key = KeySpace.random().key(\"acme\");";
    String after =
        "Decision now = store.look(List.of(Claim.of(tokensPerMinute, key, 0))).join();"
            + "System.out.println(now.remaining() + \" left, \" + now.debt() + \" in debt\");";
    String model = "static long callTheModel() { return " + used + "; }";
    return only("docs/store.md").run(folder, "", before, after, model);
  }

  @Test
  void anEstimateIsSettledWhetherItWasTooHighOrTooLow() throws Exception {
    assertThat(settled(900)).isEqualTo("100 left, 0 in debt\n");
    assertThat(settled(1_300)).isEqualTo("0 left, 300 in debt\n");
    assertThat(settled(800)).isEqualTo("200 left, 0 in debt\n");
    assertThat(settled(0)).isEqualTo("1000 left, 0 in debt\n");
  }

  @Test
  void theLimitsInTheDocsCanBeMade() throws Exception {
    assertThat(only("docs/algorithms.md").run(folder, "", "", "", "")).isEmpty();
  }
}
