package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpiryTest {
  private static final long SECOND = 1_000_000;
  private static final long DAY = 86_400 * SECOND;

  /** Around the epoch, today, and on both sides of a moment where the number runs over. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1_794_000_000 * SECOND, (3L << 41) - 5 * SECOND, (3L << 41) + SECOND})
  void aMomentHasComeNeverLateAndAtMostAMillisecondEarly(long nowMicros) {
    for (long wait : new long[] {0, 1, 999, 1_024, 50_000, 7 * SECOND, 12 * DAY}) {
      int expiry = Expiry.of(nowMicros + wait, nowMicros);
      assertThat(Expiry.isPast(expiry, nowMicros + wait)).as("%d", wait).isTrue();
      assertThat(Expiry.isPast(expiry, nowMicros + wait - 1_024)).as("%d", wait).isFalse();
      assertThat(Expiry.micros(expiry, nowMicros))
          .isBetween(nowMicros + wait - 1_023, nowMicros + wait);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {100 * DAY, 36_525 * DAY, Long.MAX_VALUE / 2})
  void aMomentFarAwayIsLookedAtAgainWithinDays(long wait) {
    long nowMicros = 1_794_000_000 * SECOND;
    int expiry = Expiry.of(nowMicros + wait, nowMicros);
    assertThat(Expiry.isPast(expiry, nowMicros + 12 * DAY)).isFalse();
    assertThat(Expiry.isPast(expiry, nowMicros + 13 * DAY)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_000_000})
  void aMomentInThePastIsNow(long micros) {
    long nowMicros = 1_794_000_000 * SECOND;
    assertThat(Expiry.isPast(Expiry.of(micros, nowMicros), nowMicros)).isTrue();
  }
}
