package dev.weir.server.settings;

import dev.weir.server.telemetry.SpanSampler;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Where metrics and spans are sent by OTLP over HTTP, and how.
 *
 * @param metrics the URL for metrics; empty to send none
 * @param traces the URL for spans; empty to send none
 * @param headers of each request to the collector; they may hold a secret
 * @param certificate the authority, in PEM, that signed the collector's certificate; empty for
 *     those that Java knows
 * @param gzip whether requests are compressed
 * @param interval between two exports of metrics, and the longest wait of a span
 * @param timeout of a request to the collector
 * @param sampler decides which requests get a span
 * @param resource what is said of this server, by attribute
 */
public record OtlpSettings(
    Optional<URI> metrics,
    Optional<URI> traces,
    Map<String, String> headers,
    Optional<Path> certificate,
    boolean gzip,
    Duration interval,
    Duration timeout,
    SpanSampler sampler,
    Map<String, String> resource) {

  /** The shortest interval. */
  public static final Duration MIN_INTERVAL = Duration.ofMillis(100);

  /** The longest interval. */
  public static final Duration MAX_INTERVAL = Duration.ofHours(1);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public OtlpSettings {
    headers = Map.copyOf(headers);
    resource = Map.copyOf(resource);
    if (interval.compareTo(MIN_INTERVAL) < 0 || interval.compareTo(MAX_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "OTLP interval: " + interval.toMillis() + " ms (expected: between 100 ms and 1 h)");
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException(
          "OTLP timeout: " + timeout.toMillis() + " ms (expected: at least 1 ms)");
    }
  }

  /** Decides which requests get a span; none do if there is nowhere to send it. */
  public SpanSampler spanSampler() {
    return traces.isPresent() ? sampler : SpanSampler.NEVER;
  }

  /** The addresses, without the headers. */
  @Override
  public String toString() {
    return "metrics to " + metrics + ", spans to " + traces;
  }
}
