package dev.weir.rules.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.rules.TestRules;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid upstreams, routes and shedding are refused, with what was expected. */
class BrokenGatewayTest {
  private static final String RULES = "rules: [{name: a, limit: 1/s}]\n";

  private static List<String> errors(String yaml) {
    return TestRules.errors(RULES + yaml);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "http://a/orders; a URL without a path",
        "http://a//; a URL without a path",
        "http://user:secret@a; a URL without a user",
        "http://user@a/x; a URL without a user",
        "http://a?x=1; a URL without a query",
        "http://a#x; a URL without a query",
        "http://a:0; a port between 1 and 65535",
        "http://a:65536; a port between 1 and 65535",
        "http://a:999999; http:// or https://",
        "http://a:; http:// or https://",
        "http://; http:// or https://",
        "http://a b; http:// or https://",
        "http://[::1; http:// or https://",
        "ftp://a; http:// or https://",
        "a:9000; http:// or https://",
        "//a; http:// or https://",
        "javascript:alert(1); http:// or https://",
        "redis://a; http:// or https://",
        "http://a..b; http:// or https://"
      })
  void urlThatIsNoServerIsRefused(String url, String expected) {
    assertThat(errors("upstreams: {x: \"" + url + "\"}\n"))
        .hasSize(1)
        .allMatch(error -> error.startsWith("2:16: x: " + url + " (expected: " + expected));
    assertThat(errors("upstreams: {x: {servers: [\"" + url + "\"]}}\n"))
        .hasSize(1)
        .allMatch(error -> error.contains("servers: " + url + " (expected: " + expected));
  }

  @Test
  void controlCharactersInAUrlAreRefusedAndNotRepeated() {
    assertThat(errors("upstreams: {x: \"http://a\\r\\nHost: b\"}\n"))
        .hasSize(1)
        .allMatch(error -> error.contains("http://a??Host: b") && error.lines().count() == 1);
    assertThat(errors("upstreams: {x: \"http://" + "a".repeat(100_000) + "\"}\n"))
        .hasSize(1)
        .allMatch(error -> error.length() < 300);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "upstreams: 7",
        "upstreams: []",
        "upstreams:",
        "upstreams: {x: }",
        "upstreams: {x: []}",
        "upstreams: {x: {}}",
        "upstreams: {x: {servers: []}}",
        "upstreams: {x: {servers: {a: b}}}",
        "upstreams: {x: {servers: [[http://a]]}}",
        "upstreams: {x: {servers: [http://a, https://b]}}",
        "upstreams: {x: {servers: [http://a, 'http://A:80/']}}",
        "upstreams: {'': http://a}",
        "upstreams: {'a b': http://a}",
        "upstreams: {x: http://a, x: http://b}",
        "upstreams: {x: http://a, y: http://b}",
        "upstreams: {x: {servers: http://a, protocol: http3}}",
        "upstreams: {x: {servers: http://a, host: example.com}}",
        "upstreams: {x: {servers: http://a, connections: 0}}",
        "upstreams: {x: {servers: http://a, connections: 99999999999999999999}}",
        "upstreams: {x: {servers: http://a, connect-timeout: 0s}}",
        "upstreams: {x: {servers: http://a, connect-timeout: 2m}}",
        "upstreams: {x: {servers: http://a, response-timeout: 5}}",
        "upstreams: {x: {servers: http://a, idle-timeout: 400d}}",
        "upstreams: {x: {servers: http://a, health: /healthz}}",
        "upstreams: {x: {servers: http://a, health: {every: 5s}}}",
        "upstreams: {x: {servers: http://a, health: {path: healthz}}}",
        "upstreams: {x: {servers: http://a, health: {path: '/a b'}}}",
        "upstreams: {x: {servers: http://a, health: {path: /h, every: 1ms}}}",
        "upstreams: {x: {servers: http://a, health: {path: /h, every: 1s, timeout: 2s}}}",
        "upstreams: {x: {servers: http://a, health: {path: /h, healthy-after: 0}}}",
        "upstreams: {x: {servers: http://a, ejection: {at-most: 101}}}",
        "upstreams: {x: {servers: http://a, ejection: {at-most: half}}}",
        "upstreams: {x: {servers: http://a, ejection: 5}}",
        "upstreams: {x: {servers: http://a, concurrency: 0}}",
        "upstreams: {x: {servers: http://a, concurrency: -3}}",
        "upstreams: {x: {servers: http://a, concurrency: [1]}}",
        "upstreams: {x: {servers: http://a, tls: {name: x.internal}}}",
        "upstreams: {x: {servers: https://a, tls: {ca: no-such-file.pem}}}",
        "upstreams: {x: {servers: https://a, tls: {ca: \"a\\0b\"}}}",
        "upstreams: {x: {servers: https://a, tls: {name: 'a b'}}}",
        "upstreams: {x: {servers: https://a, tls: yes}}",
        "routes: {path: /a}",
        "routes: [{upstream: x}]",
        "upstreams: {x: http://a}\nroutes: [{match: {path: /a}}]",
        "upstreams: {x: http://a}\nroutes: [{upstream: [x]}]",
        "upstreams: {x: http://a}\nroutes: [{path: /a, upstream: x}]",
        "upstreams: {x: http://a}\nroutes: [{match: /a, upstream: x}]",
        "upstreams: {x: http://a}\nroutes: [{match: {path: a}, upstream: x}]",
        "upstreams: {x: http://a}\nroutes: [{match: {entry: {a: b}}, upstream: x}]",
        "upstreams: {x: http://a}\nroutes: [{match: {domain: b}, upstream: x}]",
        "upstreams: {x: http://a}\nroutes: [x]",
        "upstreams: {x: http://a}\nroutes: ",
        "shedding: 200",
        "shedding: {}",
        "shedding: {capacity: 0}",
        "shedding: {capacity: 1000001}",
        "shedding: {capacity: many}",
        "shedding: {capacity: 9, priorities: {priority: 1}}",
        "shedding: {capacity: 9, priorities: [{match: {path: /a}}]}",
        "shedding: {capacity: 9, priorities: [{priority: 4}]}",
        "shedding: {capacity: 9, priorities: [{priority: -1}]}",
        "shedding: {capacity: 9, priorities: [{priority: P1}]}",
        "shedding: {capacity: 9, priorities: [{match: {jwt: {plan: gold}}, priority: 1}]}",
        "shedding: {capacity: 9, thresholds: 90}",
        "shedding: {capacity: 9, thresholds: {0: 90}}",
        "shedding: {capacity: 9, thresholds: {4: 90}}",
        "shedding: {capacity: 9, thresholds: {1: 0}}",
        "shedding: {capacity: 9, thresholds: {1: 101}}",
        "shedding: {capacity: 9, thresholds: {1: 0.9}}",
        "shedding: {capacity: 9, queue-delay: 5ms}",
        "shedding: {capacity: 9, queue-delay: {target: 0ms}}",
        "shedding: {capacity: 9, queue-delay: {target: 11s}}",
        "shedding: {capacity: 9, queue-delay: {target: 50ms, interval: 10ms}}",
        "shedding: {capacity: 9, queue-delay: {interval: 1h}}",
      })
  void garbageIsRefusedOnce(String yaml) {
    assertThat(errors(yaml + "\n")).hasSize(1).allMatch(error -> error.contains("(expected: "));
  }

  @Test
  void errorsNameTheFieldTheValueAndWhatWasExpected() {
    assertThat(
            errors(
                """
                upstreams:
                  orders: {servers: http://a, concurrency: gradent, conections: 3}
                  users: {servers: http://b, connect-timeout: 2 minutes}
                routes:
                  - {match: {path: /a}, upstream: order}
                  - {match: {jwt: {sub: x}}, upstream: users}
                  - {host: a.example.com, upstream: users}
                shedding: {capacity: 10, thresholds: {0: 99, 1: 50}}
                """))
        .containsExactly(
            "3:44: concurrency: gradent (expected: gradient; did you mean that?)",
            "3:53: key: conections (expected: connections; did you mean that?)",
            "4:47: connect-timeout: 2 minutes (expected: between 1ms and 60s)",
            "6:35: upstream: order (expected: orders; did you mean that?)",
            "7:5: route: jwt sub (expected: a jwt section with the keys to verify it)",
            "7:6: match: jwt sub (expected: host, path, method, header, trusted-header, cookie or"
                + " ip)",
            "8:6: key: host (expected: match: {host: …}; did you mean that?)",
            "9:38: 2: 80, the default (expected: at most 50, since a lower priority is shed first)",
            "9:39: key: 0 (expected: thresholds for 1, 2 and 3, since priority 0 is never shed;"
                + " did you mean that?)");
  }

  @Test
  void listsAreBounded() {
    String upstreams = list(101, i -> "u" + i + ": http://a" + i);
    String servers = list(101, i -> "http://a" + i);
    String routes = list(1_001, i -> "{match: {path: /" + i + "}, upstream: x}");
    String priorities = list(1_001, i -> "{match: {path: /" + i + "}, priority: 1}");
    assertThat(errors("upstreams: {" + upstreams + "}\nroutes: []\n"))
        .hasSize(1)
        .allMatch(error -> error.endsWith("upstreams: more (expected: at most 100)"));
    assertThat(errors("upstreams: {x: {servers: [" + servers + "]}}\n"))
        .containsExactly("2:17: servers: 101 servers (expected: at most 100)");
    assertThat(errors("upstreams: {x: http://x}\nroutes: [" + routes + "]\n"))
        .containsExactly("3:9: routes: 1001 routes (expected: at most 1000)");
    assertThat(errors("shedding: {capacity: 1, priorities: [" + priorities + "]}\n"))
        .containsExactly("2:37: priorities: 1001 priorities (expected: at most 1000)");
  }

  @Test
  void largestSettingsLoadQuickly() {
    String patterns = list(100, i -> "/p" + i + "/**");
    String globs = list(100, i -> "\"g" + i + "*\"");
    String routes =
        list(
            1_000,
            i ->
                "{match: {path: [/"
                    + i
                    + ", "
                    + patterns
                    + "], host: ["
                    + globs
                    + "]}, upstream: x}");
    List<String> found =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> errors("upstreams: {x: http://x}\nroutes: [" + routes + "]\n"));
    assertThat(found).isEmpty();
  }

  private static String list(int size, java.util.function.IntFunction<String> one) {
    return IntStream.range(0, size).mapToObj(one).collect(Collectors.joining(", "));
  }
}
