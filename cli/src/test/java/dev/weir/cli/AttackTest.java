package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One server with 256 MB and 1,024 descriptors is attacked in one way after the other, and goes on:
 * honest callers are answered correctly while it lasts, everything works after it, and a server
 * stops on SIGTERM.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttackTest {
  private static final int SECONDS = Effort.of("weir.attack.seconds", 2, 60);
  private static final Duration SOON = Duration.ofSeconds(Effort.of(60, 5));
  private static final long STRIKE_NANOS = TimeUnit.SECONDS.toNanos(SECONDS + 120);

  /** A client must not be able to fill a disk. */
  private static final int MAX_LOG = 1 << 20;

  @TempDir private Path directory = Path.of("");

  private Serving server;
  private HonestCallers callers;

  @BeforeAll
  void start() throws Exception {
    server = serving();
    callers = new HonestCallers(server);
  }

  private Serving serving() throws Exception {
    Path rules = Files.writeString(directory.resolve("rules.yaml"), HonestCallers.RULES);
    return Serving.confined(1_024, List.of("-Xmx256m"), "--rules", rules).ready();
  }

  @AfterAll
  void stop() throws Exception {
    callers.close();
    assertThat(server.stopped().exit()).as("after SIGTERM").isZero();
    server.close();
  }

  @ParameterizedTest
  @EnumSource(Attack.class)
  void honestCallersAreAnsweredAndNothingIsLeftAfterIt(Attack attack) throws Exception {
    int before = callers.rounds();
    int refusedBefore = callers.refusedRounds();
    Attacker attacker = Attacker.start(attack, server);
    try {
      long start = System.nanoTime();
      long end = start + TimeUnit.SECONDS.toNanos(SECONDS);
      while (System.nanoTime() < end || !hasStruck(attack, attacker)) {
        round(attack + " " + callers.rounds());
        assertThat(attacker.failure()).as(server.said()).isNull();
        assertThat(System.nanoTime() - start).as("no harm done").isLessThan(STRIKE_NANOS);
      }
    } finally {
      attacker.stop();
    }
    int rounds = callers.rounds() - before;
    int refused = callers.refusedRounds() - refusedBefore;
    assertThat(refused).as("refused of " + rounds).isLessThanOrEqualTo(rounds / 2);
    Await.until("answers to everybody", SOON, () -> allAreAnswered(attack));
    assertThat(server.isAlive()).as(server.said()).isTrue();
    assertThat(server.said()).hasSizeLessThan(MAX_LOG).doesNotContain("OutOfMemoryError");
  }

  private void round(String name) throws Exception {
    try {
      callers.round(name);
    } catch (AssertionError e) {
      throw new AssertionError(name + ": " + server.threads(), e);
    }
  }

  /** What has to be cut was, or it is not known whether it would be. */
  private static boolean hasStruck(Attack attack, Attacker attacker) {
    return attack.isCut() ? attacker.cut() > 1 : attacker.connections() > 0;
  }

  private boolean allAreAnswered(Attack attack) {
    try {
      return server.get("/healthz").statusCode() == 200
          && server.get("/readyz").statusCode() == 200
          && callers.round("after " + attack + " " + callers.rounds());
    } catch (Exception e) {
      return false;
    }
  }

  @Test
  void whoIsToldToStopDuringAllOfThemDoes() throws Exception {
    List<Attacker> attackers = new ArrayList<>();
    try (Serving other = serving()) {
      try {
        for (Attack attack : Attack.values()) {
          attackers.add(Attacker.start(attack, other));
        }
        Await.until(
            "all of them",
            Duration.ofMinutes(2),
            () -> attackers.stream().allMatch(one -> one.connections() > 0));
        Ran ran = other.stopped();
        assertThat(ran.exit()).as(ran.err()).isIn(Exit.OK, Exit.FATAL);
        assertThat(ran.err()).doesNotContain("OutOfMemoryError");
      } finally {
        for (Attacker attacker : attackers) {
          attacker.stop();
        }
      }
    }
  }
}
