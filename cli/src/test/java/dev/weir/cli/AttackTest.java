package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server with 256 MB and 1,024 descriptors is attacked, and goes on: honest callers are answered
 * correctly while it lasts, everything works after it, and the server stops when it is told to.
 */
@Timeout(600)
class AttackTest {
  private static final String RULES =
      """
      rules:
        - {name: many, match: {path: /x}, limit: 1000000/day}
        - {name: few, match: {path: /few}, per: header x-user, limit: 3/day, algorithm: fixed-window}
        - {name: envoy, match: {domain: d}, limit: 1000000/day}
      """;

  private static final int SECONDS = Effort.of("weir.attack.seconds", 2, 60);
  private static final Duration SOON = Duration.ofSeconds(Effort.of(60, 5));

  @TempDir private Path directory = Path.of("");

  @ParameterizedTest
  @EnumSource(Attack.class)
  void honestCallersAreAnsweredAndNothingIsLeftAfterIt(Attack attack) throws Exception {
    Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
    List<Socket> open = Collections.synchronizedList(new ArrayList<>());
    try (Serving server = Serving.confined(1_024, List.of("-Xmx256m"), "--rules", rules)) {
      server.ready();
      AtomicBoolean over = new AtomicBoolean();
      Thread attacker = new Thread(() -> attack(attack, server, open, over), "attacker");
      attacker.start();
      int answered = 0;
      try {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() < end) {
          assertThat(passes(server, "during " + answered)).as(server.said()).isEqualTo(3);
          answered++;
        }
      } finally {
        over.set(true);
        attacker.interrupt();
        Attack.closeAll(open);
        attacker.join(TimeUnit.MINUTES.toMillis(1));
        Attack.closeAll(open);
      }
      assertThat(answered).isPositive();
      Await.until("health", SOON, () -> isHealthy(server));
      assertThat(passes(server, "after")).isEqualTo(3);
      assertThat(server.said()).doesNotContain("OutOfMemoryError");
      assertThat(server.stopped().exit()).as("told to stop").isZero();
    }
  }

  private static void attack(Attack attack, Serving server, List<Socket> open, AtomicBoolean over) {
    try {
      int port = server.port();
      int grpcPort = server.grpcPort();
      while (!over.get()) {
        attack.strike(open, port, grpcPort);
        if (open.size() > 3_000) {
          Attack.closeAll(open);
        }
      }
    } catch (InterruptedIOException e) {
      assertThat(over).isTrue();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How many of five requests of a new caller pass. */
  private static int passes(Serving server, String caller) throws Exception {
    int passed = 0;
    for (int i = 0; i < 5; i++) {
      int status = server.check("/few", caller);
      assertThat(status).isIn(200, 429);
      passed += status == 200 ? 1 : 0;
    }
    return passed;
  }

  private static boolean isHealthy(Serving server) {
    try {
      return server.get("/healthz").statusCode() == 200
          && server.get("/readyz").statusCode() == 200;
    } catch (Exception e) {
      return false;
    }
  }
}
