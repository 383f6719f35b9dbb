package dev.weir.load.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MixFileTest {
  private static final String MIX =
      """
      callers: {count: 2, header: X-API-Key}
      requests:
        - weight: 3
          method: POST
          path: /rides?by={caller}
          headers: {Content-Type: application/json}
          body: '{"rider": "{caller}"}'
        - path: /fares
      """;

  @Test
  void requestsAreRenderedForTheirCallers() {
    Traffic traffic = MixFile.read("mix.yaml", MIX).traffic("h:1", new SplittableRandom(1));
    Map<String, Integer> seen = new TreeMap<>();
    for (int i = 0; i < 4_000; i++) {
      seen.merge(traffic.next().toString(), 1, Integer::sum);
    }
    assertThat(seen).hasSize(4);
    String ride =
        """
        POST /rides?by=caller-2 HTTP/1.1\r
        Host: h:1\r
        Content-Type: application/json\r
        X-API-Key: caller-2\r
        Content-Length: 21\r
        \r
        {"rider": "caller-2"}""";
    String fare = "GET /fares HTTP/1.1\r\nHost: h:1\r\nX-API-Key: caller-1\r\n\r\n";
    assertThat(seen).containsKeys(ride, fare);
    assertThat(seen.get(ride)).as("three of four, of one of two callers").isBetween(1_350, 1_650);
    assertThat(seen.get(fare)).isBetween(400, 600);
  }

  @Test
  void requestsThatAreTheSameForAllCallersAreRenderedOnce() {
    Traffic traffic =
        MixFile.read("m", "requests: [{method: HEAD}]").traffic("h", new SplittableRandom(1));
    assertThat(traffic.next()).isSameAs(traffic.next());
    assertThat(traffic.next().isHead()).isTrue();
    assertThat(traffic.next().bytes().isReadOnly()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | m.yaml: empty (expected: a mix)",
        "[] | m.yaml:1:1: mix: a list (expected: keys with values)",
        "callers: {} | m.yaml:1:1: requests: absent (expected: a list of requests)",
        "requests: [] | m.yaml:1:11: requests: none (expected: at least one)",
        "requests: x | m.yaml:1:11: requests: x (expected: a list)",
        "request: [] | m.yaml:1:1: key: request (expected: one of requests, callers)",
        "requests: [{pth: /}]"
            + " | m.yaml:1:13: key: pth (expected: one of weight, method, path, headers, body)",
        "requests: [{weight: 0}]"
            + " | m.yaml:1:21: weight: 0 (expected: a whole number between 1 and 1000000)",
        "requests: [{path: rides}]"
            + " | m.yaml:1:12: path: rides (expected: a path in ASCII that begins with /)",
        "requests: [{method: 'A B'}]"
            + " | m.yaml:1:12: method: A B (expected: a method such as GET)",
        "requests: [{headers: {'A:': b}}] | m.yaml:1:12: header: A: (expected: a header name)",
        "'requests: [{headers: {A: \"b\\r\\nc\"}}]' | expected: a value in ASCII, on one line)",
        "requests: [{headers: {A: [b]}}] | m.yaml:1:26: A: a list (expected: a text)",
        "requests: [ | (expected: YAML)",
      })
  void errorsNameThePlaceAndWhatWasExpected(String text, String message) {
    assertThatThrownBy(() -> MixFile.read("m.yaml", text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .startsWith("m.yaml:")
        .endsWith(message);
  }
}
