package dev.weir.server.metrics;

import dev.weir.server.exposition.Histogram;
import dev.weir.server.exposition.MetricSink;
import dev.weir.server.exposition.MetricType;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Counts HTTP requests by endpoint and status, and measures their duration. Thread-safe. All
 * possible series are allocated at the start, so a request costs three additions and no allocation;
 * empty series are not written.
 */
public final class HttpStats implements Consumer<MetricSink> {
  /** The status of a request without a response, because the client left or was cut off. */
  public static final int NO_ANSWER = 0;

  /** The common statuses, in ascending order; others share one label. */
  private static final int[] CODES = {
    NO_ANSWER, 101, 200, 201, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408,
    409, 410, 412, 413, 414, 415, 421, 422, 429, 431, 500, 501, 502, 503, 504
  };

  /** The endpoints that decide, and do nothing else. */
  private static final List<Endpoint> DECISIONS =
      List.of(Endpoint.CHECK, Endpoint.DECIDE, Endpoint.JSON);

  /** No response, and 1xx to 5xx. */
  private static final int CLASSES = 6;

  private final Map<Endpoint, Counts> counts = new EnumMap<>(Endpoint.class);
  private volatile boolean started;

  /** The endpoint of a request; unknown paths are {@link #OTHER}. */
  public enum Endpoint {
    /** A request that the gateway proxies. */
    PROXY,
    /** {@code /v1/check}: a gateway asks. */
    CHECK,
    /** {@code /v1/decide}: a program asks. */
    DECIDE,
    /** {@code /v1/release}: a program returns concurrency permits. */
    RELEASE,
    /** {@code /json}: Envoy's service in JSON. */
    JSON,
    /** {@code /healthz}: whether the process is healthy. */
    HEALTHZ,
    /** {@code /readyz}: whether to send requests. */
    READYZ,
    /** {@code /healthcheck}: readiness as envoyproxy/ratelimit reports it. */
    HEALTHCHECK,
    /** {@code /openapi.json}: the description of the API. */
    OPENAPI,
    /** {@code /metrics}: for Prometheus. */
    METRICS,
    /** {@code /rules}: the active rules. */
    RULES,
    /** {@code /callers}: who is denied most. */
    CALLERS,
    /** {@code /callers/reveal}: who a caller is. */
    REVEAL,
    /** {@code /live}: what happens, each second. */
    LIVE,
    /** {@code /dashboard/…}: what the dashboard loads. */
    DASHBOARD,
    /** {@code /explain}: which rules apply to a request. */
    EXPLAIN,
    /** {@code /reset}: resets counters. */
    RESET,
    /** {@code /login}: begins a session. */
    LOGIN,
    /** {@code /logout}: ends a session. */
    LOGOUT,
    /** {@code /session}: who the client is. */
    SESSION,
    /** {@code /actions}: what operators do to rules and callers for a while. */
    ACTIONS,
    /** {@code /rlconfig}: the active limits of domains. */
    RLCONFIG,
    /** {@code /stats}: the counts that envoyproxy/ratelimit has. */
    STATS,
    /** {@code /}: the list of debug pages. */
    INDEX,
    /** Any other path. */
    OTHER,
    /** Input that is not valid HTTP. */
    INVALID;

    final String label = name().toLowerCase(Locale.ROOT);
  }

  private static final class Counts {
    final LongAdder[] byCode = new LongAdder[CODES.length + 1];
    final Histogram[] byClass = new Histogram[CLASSES];

    Counts() {
      Arrays.setAll(byCode, at -> new LongAdder());
      Arrays.setAll(byClass, at -> new Histogram());
    }
  }

  /** Starts with empty series; counts nothing before {@link #start}. */
  public HttpStats() {
    for (Endpoint endpoint : Endpoint.values()) {
      counts.put(endpoint, new Counts());
    }
  }

  /** Begins to count: requests of the warm-up, before this, are not counted. */
  public void start() {
    started = true;
  }

  /**
   * Records a request whose response has ended, or never will.
   *
   * @param status {@link #NO_ANSWER} if there was no response
   */
  public void record(Endpoint endpoint, int status, long nanos) {
    if (started) {
      Counts of = Objects.requireNonNull(counts.get(endpoint));
      int code = Arrays.binarySearch(CODES, status);
      of.byCode[code < 0 ? CODES.length : code].increment();
      of.byClass[Math.min(Math.max(0, status / 100), CLASSES - 1)].add(nanos / 1_000);
    }
  }

  /** Adds the durations of decisions to others. */
  void addDecisionsTo(long[] sums) {
    for (Endpoint endpoint : DECISIONS) {
      for (Histogram histogram : Objects.requireNonNull(counts.get(endpoint)).byClass) {
        histogram.addTo(sums);
      }
    }
  }

  /** Writes the metrics. */
  @Override
  public void accept(MetricSink out) {
    out.family(
        "weir_http_requests_total", MetricType.COUNTER, "HTTP requests by endpoint and status");
    counts.forEach((endpoint, of) -> writeCodes(out, endpoint.label, of));
    out.family(
        "weir_http_request_duration_seconds",
        MetricType.HISTOGRAM,
        "Time from the arrival of a request's headers to the end of its response");
    counts.forEach((endpoint, of) -> writeDurations(out, endpoint.label, of));
  }

  private static void writeCodes(MetricSink out, String endpoint, Counts of) {
    for (int i = 0; i < of.byCode.length; i++) {
      long count = of.byCode[i].sum();
      if (count > 0) {
        out.sample(count, "endpoint", endpoint, "code", code(i));
      }
    }
  }

  private static String code(int index) {
    if (index == CODES.length) {
      return MetricNames.OTHER;
    }
    return CODES[index] == NO_ANSWER ? "none" : Integer.toString(CODES[index]);
  }

  private static void writeDurations(MetricSink out, String endpoint, Counts of) {
    for (int i = 0; i < CLASSES; i++) {
      if (!of.byClass[i].isEmpty()) {
        String status = i == 0 ? "none" : i + "xx";
        out.histogram(of.byClass[i].buckets(), "endpoint", endpoint, "status", status);
      }
    }
  }
}
