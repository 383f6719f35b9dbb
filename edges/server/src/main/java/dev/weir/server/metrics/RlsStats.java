package dev.weir.server.metrics;

import dev.weir.rule.FailureMode;
import dev.weir.rules.domain.DomainRule;
import dev.weir.server.exposition.Histogram;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.rls.RlsListener;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the outcomes of requests to Envoy's rate limit service. Thread-safe. */
public final class RlsStats implements RlsListener {
  /** Unknown domains beyond these are counted together, because any client can send one. */
  static final int MAX_UNKNOWN = 100;

  private static final int MAX_UNKNOWN_CHARS = 100;

  private final NearLimit near;
  private final SeriesTable series = new SeriesTable();
  private final Map<String, LongAdder> unknown = new ConcurrentHashMap<>();
  private final Map<Verdict, LongAdder> verdicts = new EnumMap<>(Verdict.class);
  private final LongAdder refused = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Histogram durations = new Histogram();
  private final DegradedCounters degraded;

  /**
   * Starts at zero.
   *
   * @param nearRatio the ratio of a limit above which hits are near it
   * @param degraded the counters of degraded decisions of all edges
   */
  public RlsStats(double nearRatio, DegradedCounters degraded) {
    this.near = new NearLimit(nearRatio);
    this.degraded = degraded;
    for (Verdict verdict : Verdict.values()) {
      verdicts.put(verdict, new LongAdder());
    }
  }

  @Override
  public void onLimitChecked(
      String domain,
      String metric,
      @Nullable DomainRule rule,
      CountedBy counter,
      LimitReport check) {
    // A peek costs nothing, and a refund is no hit.
    if (check.hits() > 0) {
      series.of(domain, metric, rule).add(check, near);
    }
  }

  @Override
  public void onUnknownDomain(String domain) {
    LongAdder count = unknown.get(domain);
    if (count == null) {
      boolean fits = unknown.size() < MAX_UNKNOWN && domain.length() <= MAX_UNKNOWN_CHARS;
      count = unknown.computeIfAbsent(fits ? domain : MetricNames.OTHER, name -> new LongAdder());
    }
    count.increment();
  }

  @Override
  public void onDecision(Verdict verdict, long micros) {
    of(verdict).increment();
    durations.add(micros);
  }

  @Override
  public void onDegraded(FailureMode mode) {
    degraded.add(mode);
  }

  @Override
  public void onRefused() {
    refused.increment();
  }

  @Override
  public void onFailed() {
    failed.increment();
  }

  List<Series> series() {
    return series.all();
  }

  /** How many hits each limit of a domain has denied, by domain and limit with a slash between. */
  public Map<String, Long> denied() {
    Map<String, Long> denied = new HashMap<>();
    for (Series one : series()) {
      double hits = one.hits(Series.Kind.OVER) + one.hits(Series.Kind.UNANSWERED);
      denied.put(one.domain + "/" + one.rule, (long) hits);
    }
    return denied;
  }

  /** The requests for each domain that is not configured. */
  Map<String, Long> unknownDomains() {
    Map<String, Long> counts = new LinkedHashMap<>();
    unknown.forEach((domain, count) -> counts.put(domain, count.sum()));
    return counts;
  }

  /** How many requests had a verdict. */
  public long decided(Verdict verdict) {
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

  /** All requests, whatever their outcome. */
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
