package dev.weir.server.metrics;

import dev.weir.server.metrics.Series.Kind;
import java.util.Locale;

/**
 * The counters that envoyproxy/ratelimit has for each rule, under its names.
 *
 * <p>Each hit is within the limit or over it, so the two add up to all hits; some hits within are
 * also near it. Hits that pass uncounted are within; hits denied because the store failed are over.
 */
enum EnvoyStat {
  TOTAL_HITS,
  WITHIN_LIMIT,
  NEAR_LIMIT,
  OVER_LIMIT,
  OVER_LIMIT_WITH_LOCAL_CACHE,
  SHADOW_MODE;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  double count(Series series) {
    return switch (this) {
      case TOTAL_HITS -> sum(series, Kind.values());
      case WITHIN_LIMIT -> sum(series, Kind.WITHIN, Kind.NEAR, Kind.UNCOUNTED);
      case NEAR_LIMIT -> sum(series, Kind.NEAR);
      case OVER_LIMIT -> sum(series, Kind.OVER, Kind.SHADOW_OVER, Kind.UNANSWERED);
      case OVER_LIMIT_WITH_LOCAL_CACHE -> series.cachedHits();
      case SHADOW_MODE -> sum(series, Kind.SHADOW_OVER);
    };
  }

  private static double sum(Series series, Kind... kinds) {
    double sum = 0;
    for (Kind kind : kinds) {
      sum += series.hits(kind);
    }
    return sum;
  }
}
