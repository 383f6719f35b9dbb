package dev.weir.server.shed;

import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.gateway.SheddingSettings;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The load shedder of the active rules. Each version of the rules gets a new one; the counters are
 * kept. Safe for use by any number of threads.
 */
public final class ActiveShedder {
  private final ShedCounters counters = new ShedCounters();
  private final LongSupplier nanos;
  private final IntUnaryOperator random;
  private volatile @Nullable Current current;

  private record Current(SheddingSettings settings, LoadShedder shedder) {}

  /** A holder on the clock of this machine. */
  public ActiveShedder() {
    this(System::nanoTime, bound -> ThreadLocalRandom.current().nextInt(bound));
  }

  /**
   * A holder on another clock.
   *
   * @param nanos a monotonic time
   * @param random as for {@link LoadShedder}
   */
  public ActiveShedder(LongSupplier nanos, IntUnaryOperator random) {
    this.nanos = nanos;
    this.random = random;
  }

  /** The shedder of a version of the rules; empty if it sheds nothing. */
  @SuppressWarnings("ReferenceEquality") // each version of the rules has settings of its own
  public Optional<LoadShedder> of(RulesSnapshot rules) {
    SheddingSettings settings = rules.rules().gateway().shedding().orElse(null);
    if (settings == null) {
      return Optional.empty();
    }
    Current known = current;
    if (known == null || known.settings != settings) {
      known = replace(settings);
    }
    return Optional.of(known.shedder);
  }

  @SuppressWarnings("ReferenceEquality")
  private synchronized Current replace(SheddingSettings settings) {
    Current known = current;
    if (known == null || known.settings != settings) {
      known = new Current(settings, new LoadShedder(settings, counters, random));
      current = known;
    }
    return known;
  }

  /** The monotonic time of this holder. */
  public long nanos() {
    return nanos.getAsLong();
  }

  /** The requests by priority and verdict. */
  public ShedCounters counters() {
    return counters;
  }

  /** The requests in flight at the latest request, in percent of the capacity; 0 before any. */
  public int utilisationPercent() {
    Current known = current;
    return known == null ? 0 : known.shedder.utilisationPercent();
  }
}
