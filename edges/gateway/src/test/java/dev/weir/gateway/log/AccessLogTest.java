package dev.weir.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
            "{\"time\":\"2026-05-01T10:00:00Z\",\"client\":\"10.0.0.1\",\"method\":\"GET\","
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
  void linesAreAppendedToAFile(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("access.log");
    Files.writeString(file, "before\n");
    try (AccessLog log = AccessLog.file(AccessFormat.COMMON, file)) {
      log.add(ENTRY);
      log.add(ENTRY);
    }
    assertThat(Files.readAllLines(file)).hasSize(3).first().isEqualTo("before");
  }

  /** Requests do not wait for a disk that hangs: what does not fit is dropped, and counted. */
  @Test
  void fullQueueDropsAndCounts() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    OutputStream slow =
        new OutputStream() {
          @Override
          public void write(int one) {
            written.write(one);
          }

          @Override
          public void write(byte[] bytes, int from, int length) {
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            written.write(bytes, from, length);
          }
        };
    int lines = 30_000;
    long dropped;
    try (AccessLog log = new AccessLog(AccessFormat.COMMON, slow)) {
      for (int i = 0; i < lines; i++) {
        log.add(ENTRY);
      }
      dropped = log.dropped();
      release.countDown();
    }
    List<String> kept = written.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(dropped).isPositive();
    assertThat(kept.size() + dropped).isEqualTo(lines);
  }
}
