package dev.weir.cli.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import dev.weir.cli.command.ExitCode;
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
 * One server with 256 MB of heap and 1,024 file descriptors survives one attack after the other:
 * honest callers get correct answers during the attack, everything works after it, and the server
 * stops on SIGTERM.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttackTest {
  private static final int SECONDS = Effort.of("weir.attack.seconds", 2, 60);
  private static final Duration RECOVERY = Duration.ofSeconds(Effort.of(60, 5));
  private static final long ATTACK_NANOS = TimeUnit.SECONDS.toNanos(SECONDS + 120);

  /** Clients must not be able to fill a disk with logs. */
  private static final int MAX_LOG_CHARS = 1 << 20;

  /** Static, because an instance field is set after {@link #start} has run. */
  @TempDir private static Path directory = Path.of("");

  private ServerProcess server;
  private HonestCallers callers;

  @BeforeAll
  void start() throws Exception {
    server = serving();
    callers = new HonestCallers(server);
  }

  private ServerProcess serving() throws Exception {
    Path rules = Files.writeString(directory.resolve("rules.yaml"), HonestCallers.RULES);
    return ServerProcess.confined(1_024, List.of("-Xmx256m"), "--rules", rules).awaitReady();
  }

  @AfterAll
  void stop() throws Exception {
    callers.close();
    assertThat(server.stopAndAwaitExit().exit()).as("after SIGTERM").isZero();
    server.close();
  }

  @ParameterizedTest
  @EnumSource(Attack.class)
  void honestCallersAreAnsweredDuringAndAfterAnAttack(Attack attack) throws Exception {
    int before = callers.rounds();
    int refusedBefore = callers.refusedRounds();
    Attacker attacker = Attacker.start(attack, server);
    try {
      long start = System.nanoTime();
      long end = start + TimeUnit.SECONDS.toNanos(SECONDS);
      while (System.nanoTime() < end || !tookEffect(attack, attacker)) {
        round(attack + " " + callers.rounds());
        assertThat(attacker.failure()).as(server.output()).isNull();
        assertThat(System.nanoTime() - start)
            .as("the attack has no effect")
            .isLessThan(ATTACK_NANOS);
      }
    } finally {
      attacker.stop();
    }
    int rounds = callers.rounds() - before;
    int refused = callers.refusedRounds() - refusedBefore;
    assertThat(refused).as("refused of " + rounds).isLessThanOrEqualTo(rounds / 2);
    Await.until("answers to all callers", RECOVERY, () -> allAreAnswered(attack));
    assertThat(server.isAlive()).as(server.output()).isTrue();
    assertThat(server.output()).hasSizeLessThan(MAX_LOG_CHARS).doesNotContain("OutOfMemoryError");
  }

  private void round(String name) throws Exception {
    try {
      callers.round(name);
    } catch (AssertionError e) {
      throw new AssertionError(name + ": " + server.threads(), e);
    }
  }

  /** Whether the attack took effect: the server closed the connections that it must close. */
  private static boolean tookEffect(Attack attack, Attacker attacker) {
    return attack.mustBeClosed() ? attacker.closed() > 1 : attacker.connections() > 0;
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
  void serverStopsDuringAllAttacksAtOnce() throws Exception {
    List<Attacker> attackers = new ArrayList<>();
    try (ServerProcess other = serving()) {
      try {
        for (Attack attack : Attack.values()) {
          attackers.add(Attacker.start(attack, other));
        }
        Await.until(
            "connections of all attackers",
            Duration.ofMinutes(2),
            () -> attackers.stream().allMatch(one -> one.connections() > 0));
        CommandRun run = other.stopAndAwaitExit();
        assertThat(run.exit()).as(run.err()).isIn(ExitCode.OK, ExitCode.FATAL);
        assertThat(run.err()).doesNotContain("OutOfMemoryError");
      } finally {
        for (Attacker attacker : attackers) {
          attacker.stop();
        }
      }
    }
  }
}
