package dev.weir.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogFormatTest {
  private static final String TIME = "2026-11-17T09:08:05.120Z ";

  private final Formatter text = new TextFormatter(LogFormatTest::escaped, false);
  private final Formatter traced = new TextFormatter(LogFormatTest::escaped, true);
  private final Formatter json = new JsonFormatter(text -> new JsonText(text).quoted(), false);

  private record JsonText(String text) {
    String quoted() {
      String object = new JsonObject().put("x", text).encode();
      return object.substring("{\"x\":".length(), object.length() - 1);
    }
  }

  private static String escaped(String text) {
    return text.replace("\u001b", "\\u001b");
  }

  private static LogRecord log(Level level, String message, @Nullable Throwable thrown) {
    LogRecord log = new LogRecord(level, message);
    log.setInstant(Instant.parse("2026-11-17T09:08:05.120Z"));
    log.setLoggerName("dev.weir.server.StoreLog");
    log.setThrown(thrown);
    return log;
  }

  @Test
  void recordIsOneLineWithTimeZoneAndLevel() {
    assertThat(text.format(log(Level.INFO, "Rules are active", null)))
        .isEqualTo(TIME + "INFO  Rules are active\n");
    assertThat(text.format(log(Level.WARNING, "one\r\ntwo \u001b[2J", null)))
        .isEqualTo(TIME + "WARN  one\\ntwo \\u001b[2J\n");
    assertThat(text.format(log(Level.SEVERE, "x", null))).startsWith(TIME + "ERROR x");
    assertThat(text.format(log(Level.FINE, "x", null))).startsWith(TIME + "DEBUG x");
    assertThat(text.format(log(Level.FINEST, "x", null))).startsWith(TIME + "TRACE x");
    assertThat(text.format(log(Level.CONFIG, "x", null))).startsWith(TIME + "DEBUG x");
  }

  @Test
  void wholeSecondsHaveMillisecondsToo() {
    LogRecord log = log(Level.INFO, "x", null);
    log.setInstant(Instant.parse("2026-11-17T09:08:05Z"));
    assertThat(text.format(log)).startsWith("2026-11-17T09:08:05.000Z ");
  }

  @Test
  void parametersAreFilledIn() {
    LogRecord log = log(Level.INFO, "{0} is back after {1}", null);
    log.setParameters(new Object[] {"xDS", "3 s"});
    assertThat(text.format(log)).isEqualTo(TIME + "INFO  xDS is back after 3 s\n");
  }

  @Test
  void linesOfLibrariesNameTheLogger() {
    LogRecord log = log(Level.INFO, "leak", null);
    log.setLoggerName("io.netty.util.ResourceLeakDetector");
    assertThat(text.format(log))
        .isEqualTo(TIME + "INFO  io.netty.util.ResourceLeakDetector: leak\n");
  }

  @Test
  void exceptionsAreOnTheLineWithCausesAndErrorsHaveATrace() {
    Exception thrown = new IllegalStateException("no\nroom", new java.io.IOException("disk full"));
    String warning = text.format(log(Level.WARNING, "Cannot write", thrown));
    assertThat(warning)
        .isEqualTo(
            TIME
                + "WARN  Cannot write: java.lang.IllegalStateException: no\\nroom; caused by"
                + " java.io.IOException: disk full\n");
    for (String line :
        new String[] {
          text.format(log(Level.SEVERE, "Cannot write", thrown)),
          traced.format(log(Level.WARNING, "Cannot write", thrown))
        }) {
      assertThat(line)
          .contains(
              "disk full | java.lang.IllegalStateException at dev.weir.cli.log.LogFormatTest.",
              "(LogFormatTest.java:",
              " caused by java.io.IOException at dev.weir.cli.log.LogFormatTest.")
          .hasLineCount(1);
    }
  }

  @Test
  void lengthOfALineIsBounded() {
    Throwable deep = new IllegalStateException("end");
    for (int i = 0; i < 100; i++) {
      deep = new IllegalStateException("x".repeat(100_000), deep);
    }
    String line = text.format(log(Level.SEVERE, "y".repeat(1_000_000), deep));
    assertThat(line).contains("... (983616 characters more)").hasSizeLessThan(100_000);
    assertThat(json.format(log(Level.SEVERE, "y".repeat(1_000_000), deep)))
        .hasSizeLessThan(100_000);
  }

  @Test
  void jsonHasAFieldForEachPart() {
    JsonObject plain = new JsonObject(json.format(log(Level.WARNING, "a \"b\"\n\u001b", null)));
    assertThat(plain.getMap())
        .containsExactly(
            java.util.Map.entry("time", "2026-11-17T09:08:05.120Z"),
            java.util.Map.entry("level", "WARN"),
            java.util.Map.entry("logger", "dev.weir.server.StoreLog"),
            java.util.Map.entry("message", "a \"b\"\n\u001b"));
    Exception thrown = new IllegalStateException("no room", new java.io.IOException("disk full"));
    JsonObject failed = new JsonObject(json.format(log(Level.SEVERE, "x", thrown)));
    assertThat(failed.getString("error"))
        .isEqualTo(
            "java.lang.IllegalStateException: no room; caused by java.io.IOException: disk full");
    assertThat(failed.getString("trace"))
        .startsWith("java.lang.IllegalStateException\nat dev.weir.cli.log.LogFormatTest.");
    assertThat(json.format(log(Level.WARNING, "x", thrown))).doesNotContain("trace");
  }

  @Test
  void levelsHaveTheCommonNames() {
    assertThat(LogLevel.named("warning")).contains(LogLevel.WARN);
    assertThat(LogLevel.named("Debug")).contains(LogLevel.DEBUG);
    assertThat(LogLevel.named("severe")).isEmpty();
    assertThat(LogLevel.names()).containsExactly("error", "warn", "info", "debug", "trace");
  }
}
