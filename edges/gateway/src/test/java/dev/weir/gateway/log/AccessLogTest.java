package dev.weir.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessLogTest {
  private static final AccessEntry ENTRY =
      new AccessEntry(
          Instant.parse("2026-05-01T10:00:00Z"),
          new AccessEntry.Request(
              "10.0.0.1", "GET", "/a?b", "HTTP/1.1", "example.com", null, "evil\"\r\nagent"),
          new AccessEntry.Response(200, 3, 5, 1_500, 20),
          "complete",
          "each-caller",
          new AccessEntry.Upstream("orders", "http://127.0.0.1:9000"),
          new AccessEntry.Ids("id", "trace"));

  @Test
  void jsonHasEverythingOnOneLine() {
    assertThat(AccessFormat.JSON.line(ENTRY))
        .isEqualTo(
            "{\"time\":\"2026-05-01T10:00:00.000Z\",\"client\":\"10.0.0.1\",\"method\":\"GET\","
                + "\"target\":\"/a?b\",\"protocol\":\"HTTP/1.1\",\"host\":\"example.com\","
                + "\"status\":200,\"outcome\":\"complete\",\"rule\":\"each-caller\","
                + "\"upstream\":\"orders\",\"server\":\"http://127.0.0.1:9000\",\"micros\":1500,"
                + "\"waitMillis\":20,\"requestBytes\":3,\"responseBytes\":5,"
                + "\"userAgent\":\"evil\\\"\\u000d\\u000aagent\",\"requestId\":\"id\","
                + "\"traceId\":\"trace\"}");
  }

  @Test
  void commonFormatIsThatOfOtherServersWithMoreBehind() {
    assertThat(AccessFormat.COMMON.line(ENTRY))
        .isEqualTo(
            "10.0.0.1 - - [01/May/2026:10:00:00 +0000] \"GET /a?b HTTP/1.1\" 200 5 \"-\""
                + " \"evil\\\"\\u000d\\u000aagent\" each-caller orders 0.001500 id");
  }

  @Test
  void anonymousLineLeavesOutWhoTheClientIs() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (AccessLog log = AccessLog.to(written, AccessFormat.COMMON, true)) {
      log.add(ENTRY);
    }
    assertThat(written.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "- - - [01/May/2026:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"-\""
                + " each-caller orders 0.001500 id\n");
  }

  @Test
  void longTextsAreCut() {
    AccessEntry.Request request =
        new AccessEntry.Request(
            null,
            "GET",
            "/" + "x".repeat(9_000),
            "HTTP/1.1",
            null,
            "y".repeat(9_000),
            "z".repeat(9_000));
    assertThat(request.target()).hasSize(2_048);
    assertThat(request.referer()).hasSize(512);
    assertThat(request.userAgent()).hasSize(512);
  }

  @Test
  void linesAreAppendedToAFile(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("access.log");
    Files.writeString(file, "before\n");
    try (AccessLog log = AccessLog.open(AccessFormat.COMMON, file.toString(), false)) {
      log.add(ENTRY);
      log.add(ENTRY);
      assertThat(log.dropped()).isZero();
    }
    assertThat(Files.readAllLines(file)).hasSize(3).first().isEqualTo("before");
  }
}
