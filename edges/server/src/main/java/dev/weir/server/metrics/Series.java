package dev.weir.server.metrics;

import dev.weir.server.rls.RlsListener.LimitReport;
import dev.weir.server.rls.RlsListener.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * The hits of one rule by outcome. Thread-safe.
 *
 * <p>Counts are doubles as in Prometheus, exact up to 2^53: a client may send 2^51 hits in one
 * request, and no number of those may overflow a count.
 */
final class Series {
  final String domain;
  final String rule;

  /** Domain and rule as a statsd name, because statsd has no labels. */
  final String statsd;

  /** Hits over the limit that were denied from the local cache, without a store call. */
  private final DoubleAdder cached = new DoubleAdder();

  private final Map<Kind, DoubleAdder> hits = new EnumMap<>(Kind.class);

  /** The outcome of a hit. */
  enum Kind {
    WITHIN("within"),
    NEAR("near"),
    OVER("over"),
    SHADOW_OVER("shadow-over"),
    UNCOUNTED("uncounted"),
    UNANSWERED("unanswered");

    final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  Series(String domain, String rule) {
    this.domain = domain;
    this.rule = rule;
    this.statsd = MetricNames.statsd(domain + "." + rule);
    for (Kind kind : Kind.values()) {
      hits.put(kind, new DoubleAdder());
    }
  }

  /**
   * Counts the hits of one call. They are the latest hits on the counter: the upper part may be
   * over the limit, the next part near it, and the rest within.
   */
  void add(LimitReport check, NearLimit near) {
    long all = check.hits();
    if (check.outcome() == Outcome.UNCOUNTED || check.outcome() == Outcome.UNANSWERED) {
      add(check.outcome() == Outcome.UNCOUNTED ? Kind.UNCOUNTED : Kind.UNANSWERED, all);
      return;
    }
    if (check.cached()) {
      cached.add((double) all);
    }
    long over = above(check.limit(), check);
    long notWithin = above(near.threshold(check.limit()), check);
    add(check.outcome() == Outcome.SHADOW_OVER ? Kind.SHADOW_OVER : Kind.OVER, over);
    add(Kind.NEAR, notWithin - over);
    add(Kind.WITHIN, all - notWithin);
  }

  /** How many of the hits are above a threshold. */
  private static long above(long threshold, LimitReport check) {
    return Math.max(0, Math.min(check.hits(), check.counted() - threshold));
  }

  private void add(Kind kind, long number) {
    if (number > 0) {
      of(kind).add((double) number);
    }
  }

  double cachedHits() {
    return cached.sum();
  }

  double hits(Kind kind) {
    return of(kind).sum();
  }

  private DoubleAdder of(Kind kind) {
    return Objects.requireNonNull(hits.get(kind));
  }
}
