package dev.weir.server.reply;

import dev.weir.rule.FailureMode;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests decided without the store, by the failure mode of the rule. Thread-safe. */
public final class DegradedCounters {
  private final Map<FailureMode, LongAdder> counts = new EnumMap<>(FailureMode.class);

  /** Starts with zero for every mode. */
  public DegradedCounters() {
    for (FailureMode mode : FailureMode.values()) {
      counts.put(mode, new LongAdder());
    }
  }

  /** Counts one request. */
  public void add(FailureMode mode) {
    of(mode).increment();
  }

  /** The requests counted so far. */
  public long count(FailureMode mode) {
    return of(mode).sum();
  }

  private LongAdder of(FailureMode mode) {
    return Objects.requireNonNull(counts.get(mode));
  }
}
