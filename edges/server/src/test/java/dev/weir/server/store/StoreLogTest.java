package dev.weir.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.key.KeySpace;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.server.LogLines;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The log lines when Redis fails, and when it is back. */
@Timeout(60)
class StoreLogTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final LogLines log = new LogLines(StoreLog.class);
  private final List<String> lines = log.lines;
  private final RuleBook rules =
      RuleBook.of(
          List.of(Rule.named("all").limit(Limit.fixedWindow(1_000, Duration.ofDays(1))).build()),
          KeySpace.random());
  private final RedisServer redis = RedisServer.start();
  private final OneServer server = new OneServer(redis.url() + "?deadline=2s");

  @AfterEach
  void stop() {
    log.close();
    server.close();
    redis.close();
  }

  private void take(int times) {
    for (int i = 0; i < times; i++) {
      server.limiter.take(rules.match(Descriptor.of(Map.of()))).join();
    }
  }

  @Test
  void outageAndItsEndAreOneLineEach() {
    for (int outage = 0; outage < 2; outage++) {
      lines.clear();
      take(100);
      redis.kill();
      take(100);
      Await.until("the breaker to open", LONG, () -> server.shared.breaker().equals("open"));
      String why = "Connection refused";
      Await.until("the cause", LONG, () -> !lines.isEmpty() && last().contains(why));
      assertThat(lines)
          .hasSizeBetween(1, 2) // the cause may be known a moment later
          .allMatch(line -> line.startsWith("WARNING The store has not answered since 20"));
      int before = lines.size();
      take(1_000);
      redis.restart();
      Await.until("the store to be used again", LONG, () -> server.shared.isAnswering());
      take(100);
      log.await(before + 1);
      assertThat(lines).hasSize(before + 1);
      assertThat(last())
          .matches("WARNING The store answers again after [0-9.]+ s; .*; it came back empty, .*");
    }
  }

  private String last() {
    return lines.get(lines.size() - 1);
  }

  @Test
  void failingLogHandlerDoesNotBlockLaterLines() {
    log.fails = true;
    server.shared.onLost("", new StoreFailure(Effect.NONE, "gone", null));
    server.shared.onRecovered();
    log.await(2);
    assertThat(lines.get(0)).contains(" has not answered since ", ": gone; ");
    assertThat(lines.get(1)).startsWith("INFO The store answers again after ");
  }

  @Test
  void redisThatRejectsWritesIsAnOutage() {
    redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    redis.command("CONFIG", "SET", "maxmemory", "1");
    take(20);
    Await.until("it to be noticed", LONG, () -> !server.shared.isAnswering());
    long end = System.nanoTime() + Duration.ofSeconds(Effort.of(2, 4)).toNanos();
    while (System.nanoTime() < end) {
      take(1);
      assertThat(server.shared.breaker()).isNotEqualTo("closed");
      assertThat(server.shared.isAnswering()).isFalse();
    }
    Await.until("the cause", LONG, () -> !lines.isEmpty() && last().contains("OOM"));
    int before = lines.size();
    redis.command("CONFIG", "SET", "maxmemory", "0");
    Await.until("the store to be used again", LONG, () -> server.shared.isAnswering());
    log.await(before + 1);
    assertThat(last()).startsWith("INFO The store answers again ");
  }

  @Test
  void lostRosterIsOneLineAndAProblem() {
    assertThat(server.shared.problems()).isEmpty();
    redis.command("ACL", "SETUSER", "default", "-zadd");
    Await.until("it to be noticed", LONG, () -> !server.shared.problems().isEmpty());
    assertThat(server.shared.problems().get(0))
        .startsWith("The store does not keep the list of servers: ")
        .contains("Redis refused: ");
    take(100);
    assertThat(server.shared.isAnswering()).isTrue();
    log.await(1);
    assertThat(lines)
        .singleElement()
        .asString()
        .isEqualTo("WARNING " + server.shared.problems().get(0));
    redis.command("ACL", "SETUSER", "default", "+zadd");
    Await.until("it to be over", LONG, () -> server.shared.problems().isEmpty());
    log.await(2);
    assertThat(lines).last().isEqualTo("INFO The store keeps the list of servers again");
  }
}
