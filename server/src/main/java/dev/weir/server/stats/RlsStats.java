package dev.weir.server.stats;

import dev.weir.domain.DomainRule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.server.rls.RlsWatcher;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts what becomes of requests. */
public final class RlsStats implements RlsWatcher {
  /** Unknown domains beyond these are counted together: anybody can name one. */
  static final int MAX_UNKNOWN = 100;

  private static final int LONGEST_UNKNOWN = 100;

  private final Near near;
  private final SeriesTable series = new SeriesTable();
  private final Map<String, LongAdder> unknown = new ConcurrentHashMap<>();
  private final Map<Verdict, LongAdder> verdicts = new EnumMap<>(Verdict.class);
  private final LongAdder refused = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Histogram durations = new Histogram();
  private final Ways ways;

  /**
   * @param nearRatio the share of a limit above which hits are near it
   * @param ways of all requests, not only these
   */
  public RlsStats(double nearRatio, Ways ways) {
    this.near = new Near(nearRatio);
    this.ways = ways;
    for (Verdict verdict : Verdict.values()) {
      verdicts.put(verdict, new LongAdder());
    }
  }

  @Override
  public void told(String domain, String metric, @Nullable DomainRule rule, Told told) {
    // A look costs nothing, and what is given back is no hit.
    if (told.hits() > 0) {
      series.of(domain, metric, rule).add(told, near);
    }
  }

  @Override
  public void unknown(String domain) {
    LongAdder count = unknown.get(domain);
    if (count == null) {
      boolean fits = unknown.size() < MAX_UNKNOWN && domain.length() <= LONGEST_UNKNOWN;
      count = unknown.computeIfAbsent(fits ? domain : Words.OTHER, name -> new LongAdder());
    }
    count.increment();
  }

  @Override
  public void decided(Verdict verdict, long micros) {
    of(verdict).increment();
    durations.add(micros);
  }

  @Override
  public void without(WhenStoreFails way) {
    ways.add(way);
  }

  @Override
  public void refused() {
    refused.increment();
  }

  @Override
  public void failed() {
    failed.increment();
  }

  List<Series> series() {
    return series.all();
  }

  /** How often each domain was asked about that is not configured. */
  Map<String, Long> unknownDomains() {
    Map<String, Long> counts = new LinkedHashMap<>();
    unknown.forEach((domain, count) -> counts.put(domain, count.sum()));
    return counts;
  }

  long decided(Verdict verdict) {
    return of(verdict).sum();
  }

  private LongAdder of(Verdict verdict) {
    return Objects.requireNonNull(verdicts.get(verdict));
  }

  long refusals() {
    return refused.sum();
  }

  long failures() {
    return failed.sum();
  }

  /** All requests, whatever became of them. */
  long requests() {
    long all = refusals() + failures();
    for (LongAdder verdict : verdicts.values()) {
      all += verdict.sum();
    }
    return all;
  }

  Histogram durations() {
    return durations;
  }
}
