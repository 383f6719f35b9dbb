package dev.weir.load.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AccessLogTest {
  private static final String LOG =
      """
      203.0.113.7 - - [18/Nov/2026:08:00:00 +0000] "GET /a?x=1 HTTP/1.1" 200 12
      2001:db8::1 - jo [18/Nov/2026:08:00:00 +0000] "POST /b HTTP/2.0" 201 0 "https://e.org/" "curl \\"8\\""
      203.0.113.7 - - [18/Nov/2026:08:00:01 +0000] "GET /a?x=1 HTTP/1.1" 200 12
      this is no request
      203.0.113.9 - - [18/Nov/2026:08:00:01 +0000] "\\x16\\x03" 400 0
      {"remote_addr": "203.0.113.8", "request": "PUT /c HTTP/1.1", "status": 200}
      {"remote_addr": "203.0.113.8", "request_method": "DELETE", "request_uri": "/d"}
      {"broken": }
      """;

  private static AccessLog read(String text) throws IOException {
    return AccessLog.read("access.log", new BufferedReader(new StringReader(text)));
  }

  @Test
  void requestsComeInTheOrderOfTheLogAndThenAgain() throws IOException {
    AccessLog log = read(LOG);
    assertThat(log.size()).isEqualTo(5);
    assertThat(log.skipped()).isEqualTo(3);
    Traffic traffic = log.inOrder("h:1");
    String first = "GET /a?x=1 HTTP/1.1\r\nHost: h:1\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n";
    assertThat(traffic.next()).hasToString(first);
    assertThat(traffic.next().toString())
        .startsWith("POST /b HTTP/1.1\r\n")
        .contains("\r\nX-Forwarded-For: 2001:db8::1\r\n", "\r\nContent-Length: 0\r\n");
    assertThat(traffic.next()).hasToString(first);
    assertThat(traffic.next().toString()).startsWith("PUT /c HTTP/1.1\r\n");
    assertThat(traffic.next().toString()).startsWith("DELETE /d HTTP/1.1\r\n");
    assertThat(traffic.next()).hasToString(first);
  }

  @Test
  void requestsAtRandomHaveTheSharesOfTheLog() throws IOException {
    Traffic traffic = read(LOG).atRandom("h:1", new SplittableRandom(1));
    Map<String, Integer> methods = new TreeMap<>();
    for (int i = 0; i < 5_000; i++) {
      methods.merge(traffic.next().toString().split(" ", 2)[0], 1, Integer::sum);
    }
    assertThat(methods).containsOnlyKeys("GET", "POST", "PUT", "DELETE");
    assertThat(methods.get("GET")).as("two of five").isBetween(1_850, 2_150);
  }

  @Test
  void logWithoutARequestIsRefused() {
    assertThatThrownBy(() -> read("hello\n"))
        .hasMessage(
            "access.log: no request (expected: lines in the common, combined or JSON format)");
  }

  @Test
  void absoluteAndMalformedTargetsAreSkipped() throws IOException {
    String line = "h - - [t] \"GET %s HTTP/1.1\" 200 1\n";
    String text = line.formatted("/ok") + line.formatted("*") + line.formatted("http://x/y");
    assertThat(read(text).skipped()).isEqualTo(2);
  }
}
