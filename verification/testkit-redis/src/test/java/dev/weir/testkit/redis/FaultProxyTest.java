package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.testkit.Ports;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Faults that the proxy injects between a client and a real server. */
class FaultProxyTest {
  private static final RedisServer REDIS = RedisServer.start();

  private final FaultProxy proxy = FaultProxy.before(REDIS.port());
  private final RespConnection client = connect();

  private RespConnection connect() {
    return RespConnection.open(proxy.port(), Duration.ofSeconds(30));
  }

  private RespConnection shortTimeout() {
    return RespConnection.open(proxy.port(), Duration.ofMillis(200));
  }

  @AfterEach
  void close() {
    client.close();
    proxy.close();
  }

  @AfterAll
  static void stop() {
    REDIS.close();
  }

  private static void assertFails(ThrowingCallable call, String how) {
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(call)
        .withMessageContaining(how);
  }

  @Test
  void forwardsCommandsAndRepliesOfAnySize() {
    String large = "x".repeat(20 << 20);
    assertThat(client.command("SET", "large", large)).isEqualTo("OK");
    assertThat(client.command("GET", "large")).isEqualTo(large);
    assertThat(REDIS.number("STRLEN", "large")).isEqualTo(large.length());
    assertThat(REDIS.number("DEL", "large")).isEqualTo(1);
  }

  @Test
  void servesSeveralConnectionsAtATime() {
    try (RespConnection other = connect()) {
      assertThat(other.command("ECHO", "b")).isEqualTo("b");
      assertThat(client.command("ECHO", "a")).isEqualTo("a");
      assertThat(proxy.connections()).isEqualTo(2);
    }
    assertThat(proxy.connections()).isEqualTo(1);
  }

  @Test
  void delaysTheRoundTripByTheLatency() {
    proxy.latency(Duration.ofMillis(100));
    long start = System.nanoTime();
    assertThat(client.command("PING")).isEqualTo("PONG");
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(100));
    proxy.latency(Duration.ofMinutes(1));
    proxy.latency(Duration.ZERO);
    assertThat(client.command("PING")).isEqualTo("PONG");
  }

  @Test
  void resetsBothSides() {
    client.command("CLIENT", "SETNAME", "resetsBothSides");
    assertThat(proxy.reset()).isEqualTo(1);
    assertFails(() -> client.command("PING"), "reset");
    Await.until(
        "the server has lost its client",
        Duration.ofSeconds(60),
        () -> !REDIS.text("CLIENT", "LIST").contains("resetsBothSides"));
    try (RespConnection next = connect()) {
      assertThat(next.command("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void dropsBytesThenResetsConnectionsThatLostSome() {
    try (RespConnection shortTimeout = shortTimeout()) {
      proxy.blackhole(true);
      assertFails(() -> shortTimeout.command("SET", "swallowed", "x"), "timed out");
      proxy.blackhole(false);
      assertFails(() -> shortTimeout.command("PING"), "reset");
      assertThat(client.command("EXISTS", "swallowed")).isEqualTo(0L);
    }
  }

  @Test
  void dropsRepliesInFlight() {
    proxy.latency(Duration.ofSeconds(10));
    CompletableFuture<@Nullable Object> late =
        CompletableFuture.supplyAsync(() -> client.command("INCR", "charged"));
    Await.until("charge", Duration.ofSeconds(60), () -> REDIS.number("EXISTS", "charged") == 1);
    proxy.blackhole(true);
    proxy.blackhole(false);
    assertThat(late)
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .withMessageContaining("reset");
    assertThat(REDIS.text("GET", "charged")).isEqualTo("1");
  }

  @Test
  void acceptsNewConnectionsWhileItDropsBytes() {
    proxy.blackhole(true);
    try (RespConnection next = shortTimeout()) {
      assertFails(() -> next.command("PING"), "timed out");
    }
  }

  @Test
  void refusesNewConnectionsOnly() {
    assertThat(client.command("PING")).isEqualTo("PONG");
    proxy.refuse(true);
    assertFails(this::connect, "refused");
    assertThat(client.command("PING")).isEqualTo("PONG");
    proxy.refuse(false);
    try (RespConnection next = connect()) {
      assertThat(next.command("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void closesTheConnectionWhenTheServerDoes() {
    assertThat(client.command("QUIT")).isEqualTo("OK");
    assertFails(() -> client.command("PING"), "");
    assertThat(proxy.connections()).isZero();
  }

  @Test
  void resetsConnectionsToAClosedPort() {
    try (FaultProxy dead = FaultProxy.before(Ports.free())) {
      assertFails(
          () -> {
            try (RespConnection lost = RespConnection.open(dead.port(), Duration.ofSeconds(5))) {
              lost.command("PING");
            }
          },
          "reset");
    }
  }

  @Test
  void closeResetsAllConnections() {
    proxy.close();
    assertFails(() -> client.command("PING"), "reset");
    assertFails(this::connect, "refused");
    assertThatIllegalStateException()
        .isThrownBy(proxy::reset)
        .withMessageStartingWith("closed: the proxy before ");
    proxy.close();
  }

  @Test
  void rejectsANegativeLatency() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> proxy.latency(Duration.ofMillis(-1)))
        .withMessage("latency: PT-0.001S (expected: 0 s to 1 min)");
  }
}
