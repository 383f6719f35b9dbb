package dev.weir.cli.doctor.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Repository;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class CheckDocsTest {
  @Test
  void docsExplainEveryCheck() throws Exception {
    String docs = Files.readString(Repository.path("docs/doctor.md"));
    for (Check check : Check.values()) {
      assertThat(docs).contains("| `" + check.id() + "` |");
    }
  }

  @Test
  void everyRemedyLeadsToASection() throws Exception {
    for (Check check : Check.values()) {
      String[] parts = check.page().split("#", 2);
      List<String> lines = Files.readAllLines(Repository.path(parts[0]));
      assertThat(lines)
          .as(check.page())
          .anyMatch(line -> parts.length == 1 || anchor(line).equals(parts[1]));
    }
  }

  private static String anchor(String line) {
    return line.startsWith("#")
        ? line.replaceFirst("^#+ ", "")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9 _-]", "")
            .replace(' ', '-')
        : "";
  }
}
