package dev.weir.client.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Seeds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
  @Test
  void waitsAreRandomBelowADoublingCeiling() {
    Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));
    long[] ceilings = {100, 200, 400, 800, 1_000, 1_000};
    Seeds.run(
        random -> {
          for (int retry = 1; retry <= ceilings.length; retry++) {
            long ceiling = Duration.ofMillis(ceilings[retry - 1]).toNanos();
            long most = 0;
            for (int i = 0; i < 1_000; i++) {
              long wait = backoff.nanos(retry, random);
              assertThat(wait).isBetween(0L, ceiling);
              most = Math.max(most, wait);
            }
            assertThat(most).isGreaterThan(ceiling * 9 / 10);
          }
        });
  }

  @Test
  void manyRetriesDoNotOverflow() {
    Backoff backoff = new Backoff(Duration.ofMillis(1), Duration.ofDays(1));
    Seeds.run(
        random -> {
          for (int retry = 1; retry <= 200; retry++) {
            assertThat(backoff.nanos(retry, random)).isBetween(0L, Duration.ofDays(1).toNanos());
          }
        });
  }
}
