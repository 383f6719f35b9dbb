package dev.weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.load.arrival.ClosedLoop;
import dev.weir.load.arrival.OpenLoop;
import dev.weir.load.arrival.Pace;
import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Outcome;
import dev.weir.load.traffic.Mix;
import dev.weir.load.traffic.RequestSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Real connections to a server that answers as each test says. */
class LoadGeneratorTest {
  /** How many requests an open loop offers here, in no time worth mentioning. */
  private static final int REQUESTS = 40;

  private static final int MAX_CONNECTIONS = 1_000;
  private static final Duration LONG = Duration.ofMinutes(2);

  private static LoadResult offer(RawServer server, String method, Duration timeout)
      throws InterruptedException {
    Pace pace = OpenLoop.constant(REQUESTS * 10, TimeUnit.MILLISECONDS.toNanos(101));
    return offer(server, method, pace, timeout);
  }

  private static LoadResult offer(RawServer server, String method, Pace pace, Duration timeout)
      throws InterruptedException {
    Target target = Target.of("http://127.0.0.1:" + server.port());
    RequestSpec request = new RequestSpec(1, method, "/", Map.of(), "");
    try (LoadGenerator generator = new LoadGenerator(target, MAX_CONNECTIONS)) {
      return generator.run(
          pace,
          Mix.of(request).traffic(target.authority(), new SplittableRandom(1)),
          new LoadGenerator.Bounds(Duration.ofMillis(100), timeout, 1_000),
          second -> {});
    }
  }

  private static void assertAll(LoadResult result, Outcome outcome) {
    assertThat(result.counts().offered()).isEqualTo(REQUESTS);
    assertThat(result.counts().of(outcome)).as(result.counts().toString()).isEqualTo(REQUESTS);
  }

  @Test
  void requestsWaitForConnectionsOfWhichThereAreFew() throws Exception {
    try (RawServer server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) {
      Target target = Target.of("http://127.0.0.1:" + server.port());
      try (LoadGenerator generator = new LoadGenerator(target, 3)) {
        assertThat(generator.connect(2)).isTrue();
        LoadResult result =
            generator.run(
                OpenLoop.constant(1_000_000, TimeUnit.MICROSECONDS.toNanos(500)),
                Mix.of(RequestSpec.get("/")).traffic(target.authority(), new SplittableRandom(1)),
                new LoadGenerator.Bounds(Duration.ofMillis(1), LONG, 1_000),
                second -> {});
        assertThat(result.counts().of(Outcome.OK)).isEqualTo(result.counts().offered());
        assertThat(result.counts().offered()).isGreaterThan(400);
        assertThat(server.connections()).as("connections").isBetween(2, 3);
      }
    }
  }

  @Test
  void requestsThatWaitForAConnectionGiveUpLikeOthers() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Target target = Target.of("http://127.0.0.1:" + silent.getLocalPort());
      try (LoadGenerator generator = new LoadGenerator(target, 1)) {
        LoadResult result =
            generator.run(
                OpenLoop.constant(1_000, TimeUnit.MILLISECONDS.toNanos(20)),
                Mix.of(RequestSpec.get("/")).traffic(target.authority(), new SplittableRandom(1)),
                new LoadGenerator.Bounds(Duration.ofMillis(20), Duration.ofMillis(50), 1_000),
                second -> {});
        assertThat(result.counts().of(Outcome.TIMEOUT)).isEqualTo(result.counts().offered());
      }
    }
  }

  @Test
  void answersAreCountedByStatus() throws Exception {
    try (RawServer server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")) {
      LoadResult result = offer(server, "GET", LONG);
      assertAll(result, Outcome.OK);
      assertThat(result.counts().statuses()).isEqualTo(Map.of(200, (long) REQUESTS));
      assertThat(server.connections()).as("kept alive").isLessThanOrEqualTo(REQUESTS);
    }
    try (RawServer server =
        RawServer.answering(
            "HTTP/1.1 429 No\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n")) {
      LoadResult result = offer(server, "POST", LONG);
      assertAll(result, Outcome.LIMITED);
      assertThat(result.limited().count()).isEqualTo(REQUESTS);
    }
    try (RawServer server =
        RawServer.answering("HTTP/1.1 503 No\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")) {
      assertAll(offer(server, "GET", LONG), Outcome.SHED);
    }
  }

  @Test
  void usersOfAClosedLoopReuseTheirConnections() throws Exception {
    try (RawServer server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) {
      Pace pace = new ClosedLoop(3, 0, TimeUnit.MILLISECONDS.toNanos(200));
      LoadResult result = offer(server, "GET", pace, LONG);
      assertThat(result.counts().of(Outcome.OK))
          .isEqualTo(result.counts().offered())
          .isGreaterThanOrEqualTo(3);
      assertThat(server.connections()).isEqualTo(3);
    }
  }

  @Test
  void answersToHeadHaveNoBodyWhateverTheirLength() throws Exception {
    try (RawServer server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")) {
      assertAll(offer(server, "HEAD", LONG), Outcome.OK);
    }
  }

  @Test
  void interimResponsesAreNotAnswers() throws Exception {
    String answer =
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    try (RawServer server = RawServer.answering(answer)) {
      LoadResult result = offer(server, "GET", LONG);
      assertAll(result, Outcome.OK);
      assertThat(result.counts().statuses()).containsOnlyKeys(200);
    }
  }

  @Test
  void connectionsAreClosedWhenTheServerSaysSo() throws Exception {
    String answer = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    try (RawServer server = RawServer.answering(answer)) {
      assertAll(offer(server, "GET", LONG), Outcome.OK);
      assertThat(server.connections()).isEqualTo(REQUESTS);
    }
  }

  @Test
  void brokenAnswersAreFailuresWithANameEach() throws Exception {
    try (RawServer server = RawServer.answering("SSH-2.0-OpenSSH\r\n\r\n")) {
      assertAll(offer(server, "GET", LONG), Outcome.MALFORMED);
    }
    try (RawServer server =
        RawServer.closingAfter("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi")) {
      assertAll(offer(server, "GET", LONG), Outcome.DISCONNECTED);
    }
    try (RawServer server = RawServer.answering("")) {
      LoadResult result = offer(server, "GET", Duration.ofMillis(50));
      assertAll(result, Outcome.TIMEOUT);
      assertThat(result.admitted().summary().p50Micros()).isGreaterThanOrEqualTo(49_000);
    }
  }

  @Test
  void refusedConnectionsAreFailures() throws Exception {
    int port = unusedPort();
    Target target = Target.of("http://127.0.0.1:" + port);
    try (LoadGenerator generator = new LoadGenerator(target, MAX_CONNECTIONS)) {
      assertThat(generator.connect(1)).isFalse();
      LoadResult result =
          generator.run(
              OpenLoop.constant(1_000, TimeUnit.MILLISECONDS.toNanos(10)),
              Mix.of(RequestSpec.get("/")).traffic("h", new SplittableRandom(1)),
              new LoadGenerator.Bounds(Duration.ofMillis(10), LONG, 100),
              second -> {});
      assertThat(result.counts().of(Outcome.NOT_CONNECTED))
          .isEqualTo(result.counts().offered())
          .isEqualTo(9);
    }
  }

  private static int unusedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
