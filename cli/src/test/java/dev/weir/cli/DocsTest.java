package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands print what {@code docs/cli.md} shows. */
class DocsTest {
  private static final Pattern SHOWN =
      Pattern.compile("(?s)```console\n\\$ weir ((?:[^\n]*\\\\\n)*[^\n]*)\n(.*?)```");
  private static final Pattern BROKEN = Pattern.compile("(?s)```yaml\n(.*?)```");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TempDir private Path directory = Path.of("");

  @Test
  void everyCommandPrintsWhatTheDocsShow() throws Exception {
    String docs = Files.readString(Repository.path("docs/cli.md"));
    Files.copy(CommandRun.SAMPLE, directory.resolve("rules.yaml"));
    String broken = BROKEN.matcher(docs).results().findFirst().orElseThrow().group(1);
    Files.writeString(directory.resolve("broken.yaml"), broken);
    List<MatchResult> shown = SHOWN.matcher(docs).results().toList();
    assertThat(shown).hasSizeGreaterThan(4);
    try (LocalServer live = LocalServer.with(directory.resolve("rules.yaml"))) {
      for (MatchResult one : shown) {
        Object[] words = words(one.group(1).replace("http://127.0.0.1:8080", live.traffic()));
        for (int i = 0; i < words.length; i++) {
          words[i] = words[i].toString().replace("http://127.0.0.1:6070", live.admin());
        }
        CommandRun run = CommandRun.weir(words);
        // Repeats a request that the docs show as denied until it is.
        for (int i = 0; i < 10 && one.group(2).contains(": denied (") && run.exit() == 0; i++) {
          run = CommandRun.weir(words);
        }
        String printed = (run.out() + run.err()).replace(directory + "/", "");
        assertThat(timeless(printed)).as(one.group(1)).isEqualTo(timeless(one.group(2)));
      }
    }
  }

  /** Replaces times, ids and hashes, which differ each time. */
  private static String timeless(String text) {
    return text.replaceAll("in \\d+ s(?=[,\n])", "in N s")
        .replaceAll("(at|until) +20[0-9T:.-]+Z", "$1 T")
        .replaceAll("([Aa]ction|undo) [0-9a-f]{12}", "$1 ID")
        .replaceAll("(caller +)[0-9a-f]{16}", "$1HASH");
  }

  private Object[] words(String line) {
    List<Object> words = new ArrayList<>();
    WORD.matcher(line.replace("\\\n", ""))
        .results()
        .map(word -> word.group(1) != null ? word.group(1) : word.group(2))
        .forEach(
            word -> words.add(word.endsWith(".yaml") ? directory.resolve(word).toString() : word));
    return words.toArray();
  }
}
