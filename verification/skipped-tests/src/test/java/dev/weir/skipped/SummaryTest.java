package dev.weir.skipped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTest {
  private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir private Path root = Path.of("");
  private final StringWriter printed = new StringWriter();

  private void report(String module, Instant time, String... cases) throws IOException {
    Path directory =
        Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
    int number = directory.toFile().list().length;
    String xml = "<?xml version=\"1.0\"?>\n<testsuite>%s</testsuite>";
    Path file = directory.resolve("TEST-dev.weir.A" + number + "Test.xml");
    Files.writeString(file, xml.formatted(String.join("\n", cases)));
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  /** The test case that Surefire writes for an aborted test. */
  private static String aborted(String name, String message) {
    String type = "org.opentest4j.TestAbortedException";
    String trace = type + ": " + message + "\n\tat org.junit.A.b(A.java:1)\n";
    return "<testcase name=\"%s\" classname=\"ATest\"><skipped type=\"%s\"><![CDATA[%s]]></skipped>"
            .formatted(name, type, trace)
        + "<system-out>needs nothing</system-out></testcase>";
  }

  /** The test case that Surefire writes for a disabled test. */
  private static String disabled(String name, String message) {
    return "<testcase name=\"%s\" classname=\"ATest\"><skipped message=\"%s\"/></testcase>"
        .formatted(name, message);
  }

  private boolean print() throws IOException {
    return Summary.print(Reports.of(root, START), new PrintWriter(printed, true));
  }

  @Test
  void completeRunIsReportedInOneLine() throws IOException {
    report("core", START, "<testcase name=\"a\" classname=\"b\"/><testcase name=\"c\"/>");
    assertThat(print()).isTrue();
    assertThat(printed).hasToString("All 2 tests were tried." + System.lineSeparator());
  }

  @Test
  void skippedTestsOfAllModulesAreCountedByNeed() throws IOException {
    report("core", START, aborted("a", "needs envoy"), "<testcase name=\"b\"/>");
    report("server", START, aborted("c", "needs nginx"));
    report("server", START, aborted("d", "Assumption failed: needs nginx"));
    assertThat(print()).isTrue();
    assertThat(printed.toString().strip())
        .isEqualTo("Not tried on this machine: 2 tests need nginx, 1 needs envoy.");
  }

  @Test
  void reportsOfEarlierBuildsAreIgnored() throws IOException {
    report("core", START.minusSeconds(1), aborted("a", "needs envoy"));
    report("core", START, aborted("a", "needs nginx"));
    assertThat(print()).isTrue();
    assertThat(printed.toString().strip())
        .isEqualTo("Not tried on this machine: 1 test needs nginx.");
  }

  @Test
  void testSkippedForAnotherReasonFailsTheBuild() throws IOException {
    report("core", START, aborted("a", "needs nginx"), disabled("b", "flaky today"));
    report("http", START, "<testcase name=\"c\" classname=\"CTest\"><skipped/></testcase>");
    assertThat(print()).isFalse();
    assertThat(printed.toString().lines())
        .containsExactly(
            "Not tried on this machine: 1 test needs nginx.",
            "ATest.b was skipped: \"flaky today\""
                + " (expected: \"needs …\", naming what is missing)",
            "CTest.c was skipped: \"\" (expected: \"needs …\", naming what is missing)");
  }

  @Test
  void unexplainedTestsAreListedUpToAMaximum() throws IOException {
    for (int i = 0; i < 25; i++) {
      report("core", START, disabled("t" + i, "later"));
    }
    assertThat(print()).isFalse();
    assertThat(printed.toString().lines()).hasSize(21).last().isEqualTo("and 5 more");
  }

  @Test
  void unreadableReportIsNamedInTheError() throws IOException {
    report("core", START, "<testcase");
    assertThatThrownBy(this::print)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("TEST-dev.weir.A0Test.xml: ")
        .hasMessageEndingWith("(expected: a Surefire report)");
  }
}
