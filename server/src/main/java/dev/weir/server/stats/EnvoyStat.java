package dev.weir.server.stats;

import dev.weir.server.stats.Series.Kind;
import java.util.Locale;

/**
 * What envoyproxy/ratelimit counts for each rule, by its names.
 *
 * <p>A hit is within the limit or over it, so that the two are all hits together; some of those
 * within are near it. What passes uncounted is within, what is denied for want of a store is over.
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
      case OVER_LIMIT_WITH_LOCAL_CACHE -> series.known();
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
