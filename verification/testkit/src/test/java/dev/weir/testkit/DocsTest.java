package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the docs compile, run, and behave as documented. */
class DocsTest {
  @TempDir private Path folder = Path.of("");

  private static Snippet only(String page) throws Exception {
    return Snippet.in(Path.of(page)).get(0);
  }

  private String corrected(long used) throws Exception {
    String before =
        "Store store = new MemoryStore();"
            + "Limit tokensPerMinute = Limit.fixedWindow(1_000, Duration.ofDays(3_000));"
            + "LimitKey key = KeySpace.random().key(\"acme\");";
    String after =
        "Decision now = store.peek(List.of(Claim.of(tokensPerMinute, key, 0))).join();"
            + "System.out.println(now.remaining() + \" left, \" + now.debt() + \" in debt\");";
    String model = "static long callTheModel() { return " + used + "; }";
    return only("docs/store.md").run(folder, "", before, after, model);
  }

  @Test
  void theStoreExampleCorrectsAnEstimateThatWasTooHighOrTooLow() throws Exception {
    assertThat(corrected(900)).isEqualTo("100 left, 0 in debt\n");
    assertThat(corrected(1_300)).isEqualTo("0 left, 300 in debt\n");
    assertThat(corrected(800)).isEqualTo("200 left, 0 in debt\n");
    assertThat(corrected(0)).isEqualTo("1000 left, 0 in debt\n");
  }

  @Test
  void theLimitsInTheDocsAreValid() throws Exception {
    assertThat(only("docs/algorithms.md").run(folder, "", "", "", "")).isEmpty();
  }
}
