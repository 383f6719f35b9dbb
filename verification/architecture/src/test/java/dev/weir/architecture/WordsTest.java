package dev.weir.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Words that a stranger would have to learn first are not used. */
class WordsTest {
  private static final Pattern DIALECT =
      Pattern.compile("(?i)\\b(told|owed|folded)\\b|MOST_[A-Z]+\\b|sign of life|left alone");

  /** Former names of types; a test is called after what it tests. */
  private static final Pattern FORMER_TYPE =
      Pattern.compile(
          "(class|record|enum|interface) (Told|Standby|Upkeep|Guarded|ByMode|Owed|Paced|Places?|Filing"
              + "|Drawer|Unasked|Surroundings|Ways|Bill|Asker|Denials|OverLimits)(Test)?\\b");

  @Test
  void sourcesAndDocsUseTheWordsOfTheField() throws IOException {
    List<Path> files = new ArrayList<>(Sources.files());
    files.addAll(Sources.tests());
    files.removeIf(file -> file.endsWith("WordsTest.java"));
    files.add(Repository.path("edges/server/src/main/resources/dev/weir/server/openapi.json"));
    try (Stream<Path> docs = Files.walk(Repository.path("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md")).forEach(files::add);
    }
    files.add(Repository.path("README.md"));
    files.add(Repository.path("CONTRIBUTING.md"));
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      List<String> lines = Sources.lines(file);
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (DIALECT.matcher(line).find() || FORMER_TYPE.matcher(line).find()) {
          found.add(Sources.name(file) + ":" + (i + 1) + ": " + line.strip());
        }
      }
    }
    assertThat(found).isEmpty();
  }
}
