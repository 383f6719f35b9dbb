package dev.weir.replay.suggest;

import dev.weir.replay.measure.CountHistogram;
import dev.weir.replay.report.Numbers;

/**
 * A limit with its reason.
 *
 * @param permits how many a window
 * @param unit {@code second} or {@code minute}
 * @param reason one sentence
 */
record SuggestedLimit(long permits, String unit, String reason) {
  private static final int HALF = 500;
  private static final int P99 = 990;
  private static final int MOST = 999;
  private static final long EXACT_BELOW = 20;

  /**
   * The lowest round number that denies no more than a share of what was asked for.
   *
   * @param perMille the share, in thousandths
   */
  static SuggestedLimit of(CountHistogram counts, String unit, int perMille) {
    long needed = Math.max(1, counts.limitDenying(perMille));
    long permits = rounded(needed);
    String reason =
        "p50 "
            + Numbers.of(counts.percentile(HALF))
            + ", p99 "
            + Numbers.of(counts.percentile(P99))
            + ", p99.9 "
            + Numbers.of(counts.percentile(MOST))
            + ", max "
            + Numbers.of(counts.percentile(1000))
            + " a "
            + unit
            + "; "
            + Numbers.of(needed)
            + " would deny "
            + Numbers.percent(perMille / 1000.0);
    return new SuggestedLimit(permits, unit, reason);
  }

  /** Rounds up to two digits, so that the number is one that people choose. */
  static long rounded(long number) {
    if (number <= EXACT_BELOW) {
      return number;
    }
    long step = 1;
    while (number / step >= 100) {
      step *= 10;
    }
    long digits = (number + step - 1) / step;
    long even = digits > EXACT_BELOW ? (digits + 4) / 5 * 5 : digits;
    return even * step;
  }
}
