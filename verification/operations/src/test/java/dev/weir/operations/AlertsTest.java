package dev.weir.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.operations.Alerts.Alert;
import dev.weir.operations.Alerts.UnitTest;
import dev.weir.testkit.Programs;
import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The alerts are valid, tested, documented, and lead to what to do. */
@Timeout(300)
class AlertsTest {
  private static final Pattern SECTION = Pattern.compile("(?m)^### (Weir\\w+)$");
  private static final Pattern LINK = Pattern.compile("runbook\\.md#(weir\\w+)");

  private static String promtool(String... words) throws Exception {
    Path program = Programs.require("promtool");
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static Set<String> names() throws IOException {
    return Alerts.all().stream().map(Alert::name).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void promtoolAcceptsTheRules() throws Exception {
    assertThat(promtool("check", "rules", Alerts.RULES.toString()))
        .contains("SUCCESS: " + names().size() + " rules found");
  }

  @Test
  void unitTestsOfPromtoolPass() throws Exception {
    assertThat(promtool("test", "rules", Alerts.TESTS.toString())).contains("SUCCESS");
  }

  @Test
  void everyAlertHasAUnitTestInWhichItFiresAndOneInWhichItDoesNot() throws Exception {
    List<UnitTest> tests = Alerts.unitTests();
    assertThat(names()).hasSizeGreaterThan(20);
    for (String alert : names()) {
      assertThat(tests)
          .as(alert)
          .anyMatch(
              test -> test.name().startsWith(alert + " fires ") && test.expected().contains(alert))
          .anyMatch(
              test ->
                  test.name().startsWith(alert + " does not fire ")
                      && !test.expected().contains(alert));
    }
  }

  @Test
  void everyAlertHasASeverityAndWordsAndLeadsToItsSectionOfTheRunbook() throws Exception {
    for (Alert alert : Alerts.all()) {
      assertThat(alert.labels()).as(alert.name()).containsOnlyKeys("severity");
      assertThat(alert.labels().get("severity")).isIn("critical", "warning");
      assertThat(alert.annotations())
          .as(alert.name())
          .containsOnlyKeys("summary", "description", "runbook_url")
          .containsEntry("runbook_url", "docs/runbook.md#" + alert.name().toLowerCase(Locale.ROOT));
      String summary = Objects.requireNonNull(alert.annotations().get("summary"));
      assertThat(summary).as("says where").contains("{{ $labels.");
      assertThat(summary).hasSizeLessThan(120);
    }
  }

  @Test
  void runbookHasASectionForEveryAlertAndNoOther() throws Exception {
    String runbook = Files.readString(Repository.path("docs/runbook.md"));
    assertThat(SECTION.matcher(runbook).results().map(found -> found.group(1)))
        .containsExactlyInAnyOrderElementsOf(names());
    for (String section : runbook.split("(?m)^### ", -1)) {
      if (section.startsWith("Weir")) {
        assertThat(section).contains("**It means**", "**Look at**", "**Do**");
      }
    }
  }

  @Test
  void linksFromOtherPagesAndTheBoardNameAlertsThatExist() throws Exception {
    Set<String> anchors =
        names().stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    Set<String> links = new TreeSet<>();
    for (String page : List.of("metrics", "serve", "redis", "monitoring")) {
      String text = Files.readString(Repository.path("docs/" + page + ".md"));
      LINK.matcher(text).results().forEach(found -> links.add(found.group(1)));
    }
    assertThat(links).hasSizeGreaterThan(2).isSubsetOf(anchors);
    String board = Files.readString(Board.FILE);
    Set<String> named =
        Pattern.compile("\\bWeir[A-Z]\\w+")
            .matcher(board)
            .results()
            .map(found -> found.group())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).hasSizeGreaterThan(10).isSubsetOf(names());
  }

  @Test
  void everyMetricOfAnAlertIsDocumented() throws Exception {
    Set<String> documented = Metrics.documented();
    for (Alert alert : Alerts.all()) {
      assertThat(Metrics.used(alert.expression()))
          .as(alert.name())
          .isNotEmpty()
          .isSubsetOf(documented);
    }
  }
}
