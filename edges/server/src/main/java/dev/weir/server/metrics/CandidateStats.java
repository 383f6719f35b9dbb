package dev.weir.server.metrics;

import dev.weir.limiter.Agreement;
import dev.weir.server.exposition.MetricSink;
import dev.weir.server.exposition.MetricType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Counts whether the limits of rules and their candidates agree: since the start, and in the last
 * minute.
 *
 * <p><b>Bounds.</b> At most {@value #MAX_RULES} rules are counted by themselves over the life of a
 * server, with 2 KiB each; later ones are counted together.
 *
 * <p>Thread-safe. Counting takes no lock.
 */
public final class CandidateStats implements Consumer<MetricSink> {
  private static final int MAX_RULES = 500;
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;

  private final Map<String, Counts> rules = new ConcurrentHashMap<>();
  private long second;

  /** Requests of one rule, of one agreement. */
  private static final class Count {
    final LongAdder sum = new LongAdder();

    /** The sums at the end of each of the last seconds. */
    final long[] ring = new long[MINUTE];

    long last;
    long lastMinute;

    /** Ends a second; whether there were any requests in it. */
    boolean tick(long second) {
      long before = last;
      int cell = (int) (second % MINUTE);
      last = sum.sum();
      lastMinute = last - ring[cell];
      ring[cell] = last;
      return last != before;
    }
  }

  /** What was counted for one rule. */
  private static final class Counts {
    final Map<Agreement, Count> each = new EnumMap<>(Agreement.class);
    long lastSecond;

    Counts() {
      for (Agreement one : Agreement.values()) {
        each.put(one, new Count());
      }
    }

    Count of(Agreement agreement) {
      return Objects.requireNonNull(each.get(agreement));
    }

    void tick(long second) {
      for (Count one : each.values()) {
        lastSecond = one.tick(second) ? second : lastSecond;
      }
    }
  }

  /**
   * How often the limits of a rule and its candidate agreed.
   *
   * @param lastMinute requests of the last minute
   * @param total requests since the start
   */
  public record Comparison(
      String rule, Map<Agreement, Long> lastMinute, Map<Agreement, Long> total) {
    private long disagreements() {
      return lastMinute.getOrDefault(Agreement.CANDIDATE_DENIES, 0L)
          + lastMinute.getOrDefault(Agreement.CANDIDATE_ALLOWS, 0L);
    }
  }

  /** The name of an agreement in metrics and in JSON. */
  public static String label(Agreement agreement) {
    return agreement.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Counts a request that was judged. */
  public void count(String rule, Agreement agreement) {
    Counts counts = rules.get(rule);
    if (counts == null) {
      String label = rules.size() < MAX_RULES ? rule : MetricNames.OTHER;
      counts = rules.computeIfAbsent(label, absent -> new Counts());
    }
    counts.of(agreement).sum.increment();
  }

  /** Ends a second; for a timer. */
  public synchronized void tick() {
    second++;
    rules.values().forEach(counts -> counts.tick(second));
  }

  /** The rules that were judged within the last hour, those that differ most first. */
  public synchronized List<Comparison> recent(int max) {
    List<Comparison> all = new ArrayList<>();
    rules.forEach(
        (rule, counts) -> {
          if (counts.lastSecond > 0 && second - counts.lastSecond < HOUR) {
            Map<Agreement, Long> lastMinute = new EnumMap<>(Agreement.class);
            Map<Agreement, Long> total = new EnumMap<>(Agreement.class);
            counts.each.forEach(
                (agreement, count) -> {
                  lastMinute.put(agreement, count.lastMinute);
                  total.put(agreement, count.last);
                });
            all.add(new Comparison(rule, lastMinute, total));
          }
        });
    all.sort(
        Comparator.comparingLong(Comparison::disagreements)
            .reversed()
            .thenComparing(Comparison::rule));
    return all.subList(0, Math.min(max, all.size()));
  }

  /** Writes the metrics. */
  @Override
  public void accept(MetricSink out) {
    out.family(
        "weir_candidate_decisions_total",
        MetricType.COUNTER,
        "Requests judged by the limits of a rule and by its candidate");
    new TreeMap<>(rules)
        .forEach(
            (rule, counts) ->
                counts.each.forEach(
                    (agreement, count) ->
                        out.sample(count.sum.sum(), "rule", rule, "agreement", label(agreement))));
  }
}
