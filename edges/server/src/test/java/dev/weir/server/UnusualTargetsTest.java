package dev.weir.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RawClient.Response;
import dev.weir.server.RawGrpc.Frame;
import dev.weir.server.reply.Replies;
import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.MetricsSettings.Names;
import dev.weir.server.settings.ServerSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests without a path are rejected on every port, and log nothing. */
@Timeout(300)
class UnusualTargetsTest {
  private static final String RULES =
      "rules:\n  - {name: all, match: {path: /x}, limit: 1000000/day}\n";
  private static final int TIMEOUT_MILLIS = 60_000;

  private static final List<String> TARGETS =
      List.of(
          "*",
          "h:443",
          "h",
          "?",
          "?a=b",
          "#",
          ";",
          "//",
          "///",
          "/",
          "/?",
          "/#",
          "%",
          "%00",
          "/%",
          "/..",
          ".",
          "http:",
          "http://",
          "http:///",
          "http://h",
          "http://h?x",
          "http://h/v1/check",
          "http://h:x/",
          "://",
          "/v1/check",
          "/v1/check;",
          "/v1/check?%",
          "/v1/checks",
          "v1/check",
          "[::1]:80",
          "\u00e4");

  private static final List<String> METHODS =
      List.of("GET", "POST", "OPTIONS", "CONNECT", "HEAD", "TRACE", "PRI", "x");

  /** The statuses with an index in the static table of HPACK, from 0x88 on. */
  private static final List<Integer> STATUSES = List.of(200, 204, 206, 304, 400, 404, 500);

  private static final int OTHER = -1;

  private static List<Integer> ports(TestServer served) {
    WeirServer server = served.server;
    return List.of(server.port(), server.adminPort(), server.metricsPort(), server.grpcPort());
  }

  private static TestServer served() {
    MetricsSettings.Listener alone = new MetricsSettings.Listener("127.0.0.1", 0, "/metrics");
    MetricsSettings metrics = new MetricsSettings(Set.of(Names.WEIR), alone);
    return TestServer.with(RULES, ServerSettings.DEFAULT.withMetrics(metrics));
  }

  @Test
  void unusualTargetsOverHttp1() throws Exception {
    try (LogLines log = new LogLines(Replies.class);
        TestServer served = served()) {
      for (int port : ports(served)) {
        for (String method : METHODS) {
          for (String target : TARGETS) {
            String request = method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
            try (RawClient client = new RawClient(port, TIMEOUT_MILLIS)) {
              client.send(request.getBytes(ISO_8859_1));
              client.finish();
              Response response = client.read(method.equals("HEAD"));
              if (response != null) {
                assertThat(response.status()).as(port + " " + request).isLessThan(500);
              }
            }
          }
        }
      }
      assertThat(log.lines).isEmpty();
    }
  }

  @Test
  void unusualTargetsOverHttp2() throws Exception {
    try (LogLines log = new LogLines(Replies.class);
        TestServer served = served()) {
      for (int port : ports(served)) {
        assertThat(status(port, "CONNECT", null, null)).as("CONNECT " + port).isEqualTo(400);
        for (String method : METHODS) {
          for (String target : TARGETS) {
            assertThat(status(port, method, "http", target)).as(target).isNotEqualTo(500);
          }
          assertThat(status(port, method, "http", "")).as(method).isNotEqualTo(500);
          assertThat(status(port, method, "http", null)).as(method).isNotEqualTo(500);
        }
      }
      assertThat(log.lines).isEmpty();
    }
  }

  /** The status of the response, if there is one. */
  private static int status(
      int port, String method, @Nullable String scheme, @Nullable String target)
      throws IOException {
    ByteArrayOutputStream fields = new ByteArrayOutputStream();
    field(fields, ":method", method);
    field(fields, ":authority", "127.0.0.1");
    field(fields, ":scheme", scheme);
    field(fields, ":path", target);
    try (RawGrpc client = new RawGrpc(port, 65_535)) {
      client.send(
          RawGrpc.HEADERS, RawGrpc.END_HEADERS | RawGrpc.END_STREAM, 1, fields.toByteArray());
      while (true) {
        Frame frame = client.read();
        if (frame.stream() == 1 && frame.kind() == RawGrpc.HEADERS) {
          int known = client.firstField(frame) - 0x88;
          return known >= 0 && known < STATUSES.size() ? STATUSES.get(known) : OTHER;
        }
        if (frame.isLast() || frame.kind() == RawGrpc.GO_AWAY || frame.kind() == -1) {
          return OTHER;
        }
      }
    }
  }

  private static void field(ByteArrayOutputStream out, String name, @Nullable String value) {
    if (value != null) {
      out.write(0); // a literal without indexing
      out.write(name.length());
      out.writeBytes(name.getBytes(US_ASCII));
      out.write(value.length());
      out.writeBytes(value.getBytes(ISO_8859_1));
    }
  }
}
