package dev.weir.server.stats;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Counts HTTP requests by endpoint and status, and how long they took. Every series there can be
 * has its place from the start, so that a request costs three additions; those that stayed empty
 * are not written.
 */
public final class HttpStats implements Supplier<String> {
  /** The status of a request that got no answer, because the client went away or was cut off. */
  public static final int NO_ANSWER = 0;

  /** Every status that is answered here; others share one label. */
  private static final int[] CODES = {
    NO_ANSWER, 200, 400, 401, 403, 404, 405, 408, 413, 414, 415, 429, 431, 500, 503
  };

  /** No answer, and 1xx to 5xx. */
  private static final int CLASSES = 6;

  private final Map<Endpoint, Counts> counts = new EnumMap<>(Endpoint.class);
  private volatile boolean started;

  /** What a request is for; paths that are none of these are {@link #OTHER}. */
  public enum Endpoint {
    CHECK,
    DECIDE,
    RELEASE,
    JSON,
    HEALTHZ,
    READYZ,
    HEALTHCHECK,
    OPENAPI,
    METRICS,
    RULES,
    EXPLAIN,
    RESET,
    RLCONFIG,
    STATS,
    INDEX,
    OTHER,
    /** What could not be read as HTTP. */
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

  public HttpStats() {
    for (Endpoint endpoint : Endpoint.values()) {
      counts.put(endpoint, new Counts());
    }
  }

  /** Requests are counted from now on: not those by which a server tries itself out. */
  public void start() {
    started = true;
  }

  /**
   * A request was answered, or never will be.
   *
   * @param status {@link #NO_ANSWER} if there was no answer
   */
  public void record(Endpoint endpoint, int status, long nanos) {
    if (started) {
      Counts of = Objects.requireNonNull(counts.get(endpoint));
      int code = Arrays.binarySearch(CODES, status);
      of.byCode[code < 0 ? CODES.length : code].increment();
      of.byClass[Math.min(Math.max(0, status / 100), CLASSES - 1)].add(nanos / 1_000);
    }
  }

  /** As Prometheus reads it. */
  @Override
  public String get() {
    Exposition out = new Exposition();
    out.family("weir_http_requests_total", "counter", "HTTP requests by endpoint and status");
    counts.forEach((endpoint, of) -> writeCodes(out, endpoint.label, of));
    out.family(
        "weir_http_request_duration_seconds",
        "histogram",
        "Time from the arrival of a request's headers to the end of its answer");
    counts.forEach((endpoint, of) -> writeDurations(out, endpoint.label, of));
    return out.toString();
  }

  private static void writeCodes(Exposition out, String endpoint, Counts of) {
    for (int i = 0; i < of.byCode.length; i++) {
      long count = of.byCode[i].sum();
      if (count > 0) {
        out.sample(count, "endpoint", endpoint, "code", code(i));
      }
    }
  }

  private static String code(int index) {
    if (index == CODES.length) {
      return Words.OTHER;
    }
    return CODES[index] == NO_ANSWER ? "none" : Integer.toString(CODES[index]);
  }

  private static void writeDurations(Exposition out, String endpoint, Counts of) {
    for (int i = 0; i < CLASSES; i++) {
      if (!of.byClass[i].isEmpty()) {
        String status = i == 0 ? "none" : i + "xx";
        of.byClass[i].write(out, "endpoint", endpoint, "status", status);
      }
    }
  }
}
