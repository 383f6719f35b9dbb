package dev.weir.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.Script;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Completions by a real bash with the printed script. */
class CompletionTest {
  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void writeScript() throws Exception {
    CommandRun run = CommandRun.weir("completion", "bash");
    assertThat(run.exit()).isZero();
    Files.writeString(directory.resolve("weir.bash"), run.out());
    // Calls the completion function as bash does for the tab key.
    Files.writeString(
        directory.resolve("press-tab"),
        """
        set -u
        source ./weir.bash
        complete -p weir >/dev/null || exit 9
        compopt() { :; } # exists only while bash itself completes
        COMP_WORDS=(weir "$@")
        COMP_CWORD=$#
        COMP_LINE="weir $*"
        COMP_POINT=${#COMP_LINE}
        COMPREPLY=()
        _complete_weir
        printf '%s\\n' "${COMPREPLY[@]}"
        """);
  }

  private List<String> completed(Object... words) throws Exception {
    Object[] line = new Object[words.length + 2];
    line[0] = "bash";
    line[1] = "./press-tab";
    System.arraycopy(words, 0, line, 2, words.length);
    Map<String, String> path = Map.of("PATH", System.getenv("PATH"));
    CommandRun run = Script.start(directory, path, line).awaitExit();
    assertThat(run.err()).isEmpty();
    return run.out().lines().map(String::strip).toList();
  }

  @Test
  void commandsAndOptionsAreCompleted() throws Exception {
    assertThat(completed("")).contains("serve", "validate", "explain", "check", "completion");
    assertThat(completed("val")).containsExactly("validate");
    assertThat(completed("doctor", "--allow")).containsExactly("--allow-remote");
    assertThat(completed("serve", "--log"))
        .containsExactlyInAnyOrder("--log-format", "--log-level");
    assertThat(completed("help", "ex")).containsExactly("explain");
    assertThat(completed("action", "")).contains("multiply", "shadow", "block", "exempt", "undo");
    assertThat(completed("action", "block", "--ca")).containsExactly("--caller");
  }

  @Test
  void valuesWithFewChoicesAreCompleted() throws Exception {
    assertThat(completed("serve", "--log-format", "")).containsExactly("text", "json");
    assertThat(completed("serve", "--log-level", "d")).containsExactly("debug");
    assertThat(completed("serve", "--headers", "i")).containsExactly("ietf");
    assertThat(completed("serve", "--metrics", "")).containsExactly("weir", "envoy");
    assertThat(completed("top", "--kind", "s")).containsExactly("shadow-denied");
    assertThat(completed("top", "--window", "")).containsExactly("minute", "hour");
    assertThat(completed("top", "--scope", "")).containsExactly("fleet", "server");
    assertThat(completed("load", "--arrivals", "")).containsExactly("poisson", "constant");
    assertThat(completed("size", "--redis", "")).containsExactly("6.2", "7.0");
    assertThat(completed("size", "--algorithm", "l")).containsExactly("leaky-bucket");
    assertThat(completed("completion", "")).containsExactly("bash", "zsh");
  }

  @Test
  void filesAreCompletedWhereFilesAreExpected() throws Exception {
    Path rules = Files.writeString(directory.resolve("rules.yaml"), "");
    String half = directory.resolve("ru").toString();
    assertThat(completed("validate", half)).containsExactly(rules.toString());
    assertThat(completed("explain", half)).containsExactly(rules.toString());
    assertThat(completed("size", half)).containsExactly(rules.toString());
    assertThat(completed("serve", "--rules", half)).containsExactly(rules.toString());
  }

  @Test
  void otherShellsAreRefused() {
    assertThat(CommandRun.weir("completion", "zsh").exit()).isZero();
    CommandRun run = CommandRun.weir("completion", "fish");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("weir completion: SHELL: fish (expected: bash or zsh)\n");
  }
}
