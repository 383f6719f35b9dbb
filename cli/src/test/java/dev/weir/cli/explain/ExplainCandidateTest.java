package dev.weir.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.LocalServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Explanations of rules with a candidate. */
class ExplainCandidateTest {
  private static final String RULES =
      """
      rules:
        - {name: beside, per: ip, limit: 8/day, candidate: 3/day}
        - {name: swapped, per: ip, limit: 9/day, candidate: {limit: 4/day, rollout: 100%}}
      lint-ignore: [counted-twice, redundant-candidate]
      """;

  @TempDir private Path directory = Path.of("");
  private Path rules = Path.of("");

  @BeforeEach
  void write() throws Exception {
    rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
  }

  @Test
  void fileIsExplainedWithBothLimits() {
    String text = CommandRun.weir("explain", rules, "--request", "GET /").assertHarmless().out();
    assertThat(text)
        .containsSubsequence(
            "  beside\n",
            "    limit        8/day, burst 8, token-bucket\n",
            "    candidate    not in force\n",
            "    limit        3/day, burst 3, token-bucket\n",
            "  swapped\n",
            "    limit        4/day, burst 4, token-bucket\n",
            "    candidate    in force for this caller, instead of\n",
            "    limit        9/day, burst 9, token-bucket\n");
    String json = CommandRun.weir("explain", rules, "--request", "GET /", "--json").out();
    assertThat(json).contains("\"inForce\"").contains("\"other\"");
  }

  @Test
  void serverIsAskedForTheStateOfBoth() throws Exception {
    try (LocalServer server = LocalServer.with(rules)) {
      assertThat(CommandRun.weir("check", server.traffic(), "GET", "/").exit()).isZero();
      String[] question = {"--server", server.admin(), "--request", "GET /", "--peer", "127.0.0.1"};
      Object[] args = new Object[question.length + 1];
      args[0] = "explain";
      System.arraycopy(question, 0, args, 1, question.length);
      assertThat(CommandRun.weir(args).assertHarmless().out())
          .containsSubsequence(
              "  beside\n",
              "    remaining    7\n",
              "    candidate    not in force: would pass\n",
              "    by           3/day, burst 3, token-bucket, remaining 2\n",
              "  swapped\n",
              "    remaining    3\n",
              "    candidate    in force for this caller\n",
              "    otherwise    would pass\n",
              "    by           9/day, burst 9, token-bucket, remaining 8\n");
    }
  }
}
