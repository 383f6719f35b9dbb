package dev.weir.server.stats;

import dev.weir.rule.Rule.WhenStoreFails;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests that were decided without the store, by the way that rules chose. */
public final class Ways {
  private final Map<WhenStoreFails, LongAdder> counts = new EnumMap<>(WhenStoreFails.class);

  public Ways() {
    for (WhenStoreFails way : WhenStoreFails.values()) {
      counts.put(way, new LongAdder());
    }
  }

  public void add(WhenStoreFails way) {
    of(way).increment();
  }

  public long count(WhenStoreFails way) {
    return of(way).sum();
  }

  private LongAdder of(WhenStoreFails way) {
    return Objects.requireNonNull(counts.get(way));
  }
}
