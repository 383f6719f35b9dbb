package dev.weir.server.metrics;

import dev.weir.rules.domain.DomainRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The series of all rules, by domain and metric. Thread-safe.
 *
 * <p><b>Bounds.</b> There are at most {@link #MAX_SERIES} series over the life of a server; later
 * ones are counted together. Metrics that contain values of requests get at most {@link
 * #MAX_BY_VALUE} of them, so that a flood of values does not keep out rules that are added later.
 * Series with names longer than {@link #MAX_NAME_CHARS} are counted with the others too.
 *
 * <p>An existing series is looked up by strings that the rules hold, whose hashes are cached: the
 * lookup allocates nothing and takes no lock.
 */
final class SeriesTable {
  static final int MAX_SERIES = 2_000;
  static final int MAX_BY_VALUE = 1_000;
  static final int MAX_NAME_CHARS = 512;

  private final Map<String, Map<String, Series>> byDomain = new ConcurrentHashMap<>();

  /** By exposed name, in order of creation. Names that are equal once cleaned share a series. */
  private final Map<List<String>, Series> byName = new LinkedHashMap<>();

  private final Series others = new Series(MetricNames.OTHER, MetricNames.OTHER);
  private volatile boolean hasOthers;
  private volatile int count;
  private volatile int countByValue;

  /** The series for the hits of a rule. */
  Series of(String domain, String metric, @Nullable DomainRule rule) {
    Map<String, Series> known = byDomain.get(domain);
    Series series = known == null ? null : known.get(metric);
    return series != null ? series : add(domain, metric, rule);
  }

  private Series add(String domain, String metric, @Nullable DomainRule rule) {
    boolean byValue = rule != null && !isConfigured(rule, domain, metric);
    if (isFull(byValue) || domain.length() + metric.length() > MAX_NAME_CHARS) {
      return others();
    }
    synchronized (this) {
      Map<String, Series> known =
          byDomain.computeIfAbsent(domain, name -> new ConcurrentHashMap<>());
      Series series = known.get(metric);
      if (series == null && isFull(byValue)) {
        return others();
      }
      if (series == null) {
        series =
            byName.computeIfAbsent(
                List.of(MetricNames.clean(domain), MetricNames.clean(metric)),
                name -> new Series(name.get(0), name.get(1)));
        known.put(metric, series);
        count++;
        countByValue += byValue ? 1 : 0;
      }
      return series;
    }
  }

  private boolean isFull(boolean byValue) {
    return count >= MAX_SERIES || (byValue && countByValue >= MAX_BY_VALUE);
  }

  /** Whether a metric is the configured path of the rule, without values of the request. */
  private static boolean isConfigured(DomainRule rule, String domain, String metric) {
    String path = rule.path();
    return path.length() == domain.length() + 1 + metric.length()
        && path.startsWith(domain)
        && path.endsWith(metric);
  }

  private Series others() {
    if (!hasOthers) {
      hasOthers = true;
    }
    return others;
  }

  /** All series with hits. */
  synchronized List<Series> all() {
    List<Series> all = new ArrayList<>(byName.values());
    if (hasOthers) {
      all.add(others);
    }
    return all;
  }
}
