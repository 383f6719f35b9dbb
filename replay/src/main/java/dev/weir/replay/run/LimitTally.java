package dev.weir.replay.run;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.replay.log.LogEntry;
import dev.weir.replay.measure.CountHistogram;
import dev.weir.replay.measure.WindowCounts;
import dev.weir.replay.result.LimitDemand;
import dev.weir.replay.result.WindowRates;
import dev.weir.rule.Policy;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What requests ask of one limit. For one thread. */
final class LimitTally {
  private static final int HALF = 500;
  private static final int P95 = 950;
  private static final int P99 = 990;

  private final Policy policy;
  private final Positions positions;
  private final @Nullable WindowCounts windows;

  /** The request of the peak. */
  private @Nullable LogEntry peakEntry;

  LimitTally(Policy policy, long maxCallers, Positions positions) {
    this.policy = policy;
    this.positions = positions;
    this.windows =
        policy.limit().algorithm() == Algorithm.CONCURRENCY
            ? null
            : new WindowCounts(policy.limit(), maxCallers);
  }

  void add(Claim claim, LogEntry entry) {
    if (windows != null && windows.add(claim.keyLow(), claim.cost(), entry.arrivalMicros())) {
      peakEntry = entry;
    }
  }

  LimitDemand result() {
    Limit limit = policy.limit();
    return new LimitDemand(
        policy.name(),
        LimitText.of(limit),
        limit.algorithm().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        limit.permits(),
        limit.windowMicros(),
        rates());
  }

  private Optional<WindowRates> rates() {
    if (windows == null || peakEntry == null) {
      return Optional.empty();
    }
    CountHistogram all = windows.finish();
    return Optional.of(
        new WindowRates(
            all.size(),
            all.percentile(HALF),
            all.percentile(P95),
            all.percentile(P99),
            new WindowRates.Peak(windows.peak(), positions.of(peakEntry)),
            Math.max(1, all.limitDenying(1)),
            Math.max(1, all.limitDenying(10))));
  }
}
