package dev.weir.server.xds;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Delays between reconnects. */
class BackoffTest {
  private static XdsSettings.Retries retries(double jitter) {
    return new XdsSettings.Retries(
        Duration.ofSeconds(3),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        jitter,
        Duration.ofMinutes(6));
  }

  @Test
  void delaysDoubleUpToTheMaximumAndResetAfterSuccess() {
    Backoff backoff = new Backoff(retries(0), new Random(0));
    assertThat(Stream.generate(backoff::next).limit(5).map(Duration::toSeconds))
        .containsExactly(10L, 20L, 40L, 60L, 60L);
    assertThat(backoff.urgent()).isEqualTo(Duration.ofSeconds(3));
    backoff.reset();
    assertThat(backoff.next()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void jitterVariesDelaysWithinTheMaximum() {
    long seed = new Random().nextLong();
    Backoff backoff = new Backoff(retries(0.5), new Random(seed));
    long shortest = Long.MAX_VALUE;
    long longest = 0;
    for (int i = 0; i < 1_000; i++) {
      backoff.reset();
      long millis = backoff.next().toMillis();
      shortest = Math.min(shortest, millis);
      longest = Math.max(longest, millis);
    }
    assertThat(shortest).as("seed %s", seed).isBetween(5_000L, 5_500L);
    assertThat(longest).as("seed %s", seed).isBetween(14_500L, 15_000L);
    for (int i = 0; i < 1_000; i++) {
      assertThat(backoff.next())
          .as("seed %s", seed)
          .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(60));
    }
  }
}
