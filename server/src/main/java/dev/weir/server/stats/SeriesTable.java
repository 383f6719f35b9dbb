package dev.weir.server.stats;

import dev.weir.domain.DomainRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The series of all rules, by domain and metric.
 *
 * <p><b>Bounds.</b> There are at most {@link #MOST} over the life of a server; what comes after
 * them is counted together. Metrics that tell the values of requests get no more than {@link
 * #MAX_BY_VALUE} of them, so that no flood of values keeps the rules of tomorrow out. What is
 * longer than {@link #LONGEST} is counted with the others too.
 *
 * <p>A series that is there is found by the texts that the rules hold, whose hashes are known:
 * nothing is made of them, and nobody waits.
 */
final class SeriesTable {
  static final int MOST = 2_000;
  static final int MAX_BY_VALUE = 1_000;
  static final int LONGEST = 512;

  private final Map<String, Map<String, Series>> byDomain = new ConcurrentHashMap<>();

  /** By what they are told as, in the order they came. Texts that look alike share one. */
  private final Map<List<String>, Series> byName = new LinkedHashMap<>();

  private final Series others = new Series(Words.OTHER, Words.OTHER);
  private volatile boolean othersCame;
  private volatile int found;
  private volatile int foundByValue;

  /** The one that hits of a rule are counted in. */
  Series of(String domain, String metric, @Nullable DomainRule rule) {
    Map<String, Series> known = byDomain.get(domain);
    Series series = known == null ? null : known.get(metric);
    return series != null ? series : add(domain, metric, rule);
  }

  private Series add(String domain, String metric, @Nullable DomainRule rule) {
    boolean byValue = rule != null && !isOwn(rule, domain, metric);
    if (isFull(byValue) || domain.length() + metric.length() > LONGEST) {
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
                List.of(Words.clean(domain), Words.clean(metric)),
                name -> new Series(name.get(0), name.get(1)));
        known.put(metric, series);
        found++;
        foundByValue += byValue ? 1 : 0;
      }
      return series;
    }
  }

  private boolean isFull(boolean byValue) {
    return found >= MOST || (byValue && foundByValue >= MAX_BY_VALUE);
  }

  /** Whether a metric is what the configuration calls the rule, whatever the request says. */
  private static boolean isOwn(DomainRule rule, String domain, String metric) {
    String path = rule.path();
    return path.length() == domain.length() + 1 + metric.length()
        && path.startsWith(domain)
        && path.endsWith(metric);
  }

  private Series others() {
    if (!othersCame) {
      othersCame = true;
    }
    return others;
  }

  /** All there are. */
  synchronized List<Series> all() {
    List<Series> all = new ArrayList<>(byName.values());
    if (othersCame) {
      all.add(others);
    }
    return all;
  }
}
