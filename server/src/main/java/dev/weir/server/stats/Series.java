package dev.weir.server.stats;

import dev.weir.server.rls.RlsWatcher.Outcome;
import dev.weir.server.rls.RlsWatcher.Told;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * The hits of one rule, each counted under what became of it.
 *
 * <p>They are counted as Prometheus does, exactly up to 2^53: a client may say that one request has
 * 2^51, and no number of those may turn a count around.
 */
final class Series {
  final String domain;
  final String rule;

  /** The same in the language of statsd, which has no labels. */
  final String statsd;

  /** Of those over the limit, the ones for which the store was not asked. */
  private final DoubleAdder known = new DoubleAdder();

  private final Map<Kind, DoubleAdder> hits = new EnumMap<>(Kind.class);

  /** What becomes of a hit. */
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
    this.statsd = Words.statsd(domain + "." + rule);
    for (Kind kind : Kind.values()) {
      hits.put(kind, new DoubleAdder());
    }
  }

  /**
   * Counts the hits of one call. They are the last ones that came: the upper part of them may be
   * over the limit, the next near it, and the rest within.
   */
  void add(Told told, Near near) {
    long all = told.hits();
    if (told.outcome() == Outcome.UNCOUNTED || told.outcome() == Outcome.UNANSWERED) {
      add(told.outcome() == Outcome.UNCOUNTED ? Kind.UNCOUNTED : Kind.UNANSWERED, all);
      return;
    }
    if (told.known()) {
      known.add((double) all);
    }
    long over = above(told.limit(), told);
    long notWithin = above(near.of(told.limit()), told);
    add(told.outcome() == Outcome.SHADOW_OVER ? Kind.SHADOW_OVER : Kind.OVER, over);
    add(Kind.NEAR, notWithin - over);
    add(Kind.WITHIN, all - notWithin);
  }

  /** How many of the hits are above a mark. */
  private static long above(long mark, Told told) {
    return Math.max(0, Math.min(told.hits(), told.counted() - mark));
  }

  private void add(Kind kind, long number) {
    if (number > 0) {
      of(kind).add((double) number);
    }
  }

  double known() {
    return known.sum();
  }

  double hits(Kind kind) {
    return of(kind).sum();
  }

  private DoubleAdder of(Kind kind) {
    return Objects.requireNonNull(hits.get(kind));
  }
}
